# What can be done here. CI runs "make lint test variants race cross" (.ci/run).

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Packages whose results must not depend on the kernels that the CPU allows, and packages that share
# memory between goroutines.
NUMERIC    := ./internal/simd/... ./internal/linalg/... ./tensor/... ./nn/... ./gp/... ./vae/...
CONCURRENT := . ./gp/... ./internal/parallel/... ./internal/simd/... ./tensor/... ./vae/... ./oracle/...
PLATFORMS  := linux/arm64 darwin/arm64 windows/amd64

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: build demo test variants race cross lint bench-peer

build: # bin/invbo, static
	CGO_ENABLED=0 go build -trimpath -o bin/invbo ./cmd/invbo

demo: build # fits an arithmetic expression: 100 initial scores, 500 oracle calls
	bin/invbo run --task expression --out out/demo --overwrite

test:
	go test ./...

variants: # the numeric packages with the kernels of lesser CPUs
	INVBO_SIMD=avx2 go test -count=1 $(NUMERIC) # the test cache does not see what is read at start-up
	go test -tags purego $(NUMERIC)

race:
	go test -race -short $(CONCURRENT)

cross: # builds for other platforms, tests included
	for platform in $(PLATFORMS); do \
		echo $$platform; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go vet ./... || exit 1; \
	done

lint:
	test -z "$$(gofmt -l . | tee /dev/stderr)"
	go vet ./...
	go run $(STATICCHECK) ./...
	go test -count=1 ./internal/house # reads other packages, which the test cache does not see

bench-peer: # side by side with PyTorch and the BLAS it is fastest with on few cores
	dpkg -s python3-torch libopenblas0-openmp >/dev/null 2>&1 || { \
		$(SUDO) apt-get update && $(SUDO) apt-get install --yes python3-torch libopenblas0-openmp; }
	go run ./cmd/invbo bench peer
