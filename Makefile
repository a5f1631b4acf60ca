# What can be done here. CI runs "make TRIM= NPM= rdkit lint test python variants arm64 race cross" (.ci/run).
# With TRIM empty, a build uses what the tests compiled.

GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

NFPM      := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
CYCLONEDX := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

ESBUILD := github.com/evanw/esbuild/cmd/esbuild@v0.28.2
NPM     := $(shell command -v npm)
PAGE    := internal/page
BUNDLE  := $(PAGE)/bundle/page.js

GREMLINS := github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
MUTATED  := ./ ./study/ ./surrogate/ ./gp/ ./internal/table/ ./internal/table/bioseq/ ./internal/table/mutation/ ./internal/table/notation/ ./internal/table/numeral/ ./internal/table/quantity/ ./internal/table/rawfile/ ./internal/table/sheet/ ./internal/experiment/

# Lint vets, once for all tests.
# More tests and packages at a time than processors, as those of commands wait for disks and servers.
GOTEST := go test -vet=off -parallel 6 -p 3

# With less garbage collection, which takes compilers, analyzers and tests a sixth of their time.
lint test variants arm64 race: export GOGC := 400

# Packages whose results must not depend on the kernels that the CPU allows, and golden tests of what stands on them. Packages that share
# memory between goroutines, without RDKit; what internal/experiment shares, internal/serve uses. Packages that work otherwise without RDKit; of
# further ones all tests are skipped then.
NUMERIC    := ./internal/simd ./internal/linalg ./tensor ./nn
GOLDEN     := -run 'Golden|Mixture' ./gp ./vae/grammar/cfg ./vae/sequence
CONCURRENT := . ./study/... ./surrogate/... ./space/protein ./space/tokens ./internal/parallel/... ./internal/serve/... ./tensor ./oracle ./oracle/command ./oracle/docking ./oracle/remote ./store/... ./worker/...
CHEMISTRY  := ./cmd/... ./molecule ./internal/task ./internal/table/...
PLATFORMS  := linux/arm64 darwin/arm64 windows/amd64

# Homebrew's place of headers and libraries, which the compiler of macOS does not look at.
BREW := $(if $(filter Darwin,$(shell uname -s)),$(shell brew --prefix 2>/dev/null))
ifneq ($(BREW),)
export CGO_CXXFLAGS := $(CGO_CXXFLAGS) -I$(BREW)/include/rdkit -I$(BREW)/include
export CGO_LDFLAGS := $(CGO_LDFLAGS) -L$(BREW)/lib
endif

# Not empty where RDKit's headers are found, at Debian's place or at that of CGO_CXXFLAGS. "make RDKIT= build" does without.
# Looked up at each use, because the target rdkit may have installed it since.
RDKIT = $(shell $(CXX) -E -x c++ -std=c++20 -I/usr/include/rdkit $(CGO_CXXFLAGS) -include GraphMol/RWMol.h /dev/null >/dev/null 2>&1 && echo yes)
TAGS  = $(if $(RDKIT),-tags rdkit)

# The version of builds: that of git, or in a copy without it what go build knows.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
LINK    = $(if $(VERSION),-ldflags "-X github.com/invbo/invbo/internal/experiment.built=$(VERSION)")

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: build page page-test rdkit demo demo-expression dist dist-check test python mutants variants arm64 race cross cross-rdkit lint vulnerable bench-peer

TRIM := -trimpath

build: # bin/invbo: with molecules where RDKit is, static elsewhere; with the page where npm is ("make NPM= build" does without)
	@[ -z "$(NPM)" ] || $(MAKE) --no-print-directory page || echo "npm failed: invbo serve will have the API alone, without the page" >&2
	CGO_ENABLED=$(if $(RDKIT),1,0) go build $(TAGS) $(LINK) $(TRIM) -o bin/invbo ./cmd/invbo

page: $(BUNDLE) # the scripts and styles of the page that invbo serve shows, which go build embeds

$(BUNDLE): $(PAGE)/web/package-lock.json $(wildcard $(PAGE)/web/src/*)
	cd $(PAGE)/web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cd $(PAGE)/web && go run $(ESBUILD) src/page.js src/page.css --bundle --minify --target=es2022 --legal-comments=none --log-level=warning --outdir=../bundle && cp src/icon.svg ../bundle
	cd $(PAGE)/web/node_modules && for package in *; do printf '%s\n\n' "$$package" && cat "$$package/LICENSE" && echo; done >../../bundle/licenses.txt

page-test: page # tests of the page in Chromium (Debian: apt-get install chromium)
	$(GOTEST) $(TAGS) -count=1 ./internal/page/... -browser

rdkit: # installs what a build with molecules needs, if it is missing
	@test -n "$(RDKIT)" || if test $$(uname -s) = Darwin; then \
		command -v brew >/dev/null || { echo "molecules need RDKit: install Homebrew, then run make again" >&2; exit 1; }; \
		brew install rdkit boost; \
	else \
		$(SUDO) apt-get update && $(SUDO) apt-get install --yes g++ librdkit-dev libboost-dev; \
	fi

dist: rdkit page # packages and archives in dist/ (packaging/README.md)
	@command -v dpkg-shlibdeps >/dev/null || $(SUDO) apt-get install --yes --no-install-recommends dpkg-dev
	go run ./packaging -version "$(VERSION)" -nfpm $(NFPM) -cyclonedx $(CYCLONEDX)

dist-check: # installs the Debian package in a clean Debian 12, and goes through a study there; needs root
	packaging/check dist/*.deb

demo: rdkit # designs molecules like tadalafil and sildenafil at once: 100 initial scores, 500 oracle calls
	$(MAKE) build
	bin/invbo run --task med2 --out out/demo --overwrite

demo-expression: build # the same without RDKit: fits an arithmetic expression
	bin/invbo run --task expression --out out/demo-expression --overwrite

test:
	$(GOTEST) $(TAGS) ./...
	go -C internal/simd/_asm test ./neon # a module of its own

mutants: # changes the core bit by bit, and lists the changes that no short test of the same package notices (bench/mutants.md)
	for package in $(MUTATED); do \
		copy=$$(mktemp -d) && git ls-files --cached --others --exclude-standard | tar -c -T - | tar -x -C $$copy || exit 1; \
		(cd $$copy && find . -name '*_test.go' | grep -v "^$$package[^/]*$$" | xargs rm && \
			GOFLAGS="-short -vet=off" nice go run $(GREMLINS) unleash --workers 1 --timeout-coefficient 4 --exclude-files / $$package); \
		rm -r $$copy; \
	done

# TestISAIsFollowed fails where the CPU lacks the kernels; they are then skipped, which one line says. -count=1, because the
# test cache does not see variables that are read at start-up.
variants: # the numeric packages with each set of kernels but the best one, with which all tests run
	@best=$$(go run ./cmd/invbo version | awk '$$1 == "kernels" { print $$2 }'); \
	for set in avx512 avx2; do \
		if [ $$set = $$best ]; then \
			continue; \
		elif out=$$(INVBO_SIMD=$$set go test -count=1 -run '^TestISAIsFollowed$$' ./internal/simd 2>&1); then \
			echo "INVBO_SIMD=$$set $(GOTEST) -short $(NUMERIC)"; \
			INVBO_SIMD=$$set $(GOTEST) -short -count=1 $(NUMERIC) && \
			INVBO_SIMD=$$set $(GOTEST) -short -count=1 $(GOLDEN) || exit 1; \
		elif reason=$$(echo "$$out" | grep -o "INVBO_SIMD=$$set: not supported here"); then \
			echo "SKIPPED: no test with forced $$set kernels: $$reason"; \
		else \
			echo "$$out" >&2; exit 1; \
		fi; \
	done
	$(GOTEST) -short -tags purego $(NUMERIC)
	$(GOTEST) -short -tags purego $(GOLDEN)

arm64: # the kernels of arm64, and tests of what stands on them (Debian: apt-get install qemu-user)
	GOARCH=arm64 CGO_ENABLED=0 $(GOTEST) -short -exec qemu-aarch64 $(NUMERIC)
	GOARCH=arm64 CGO_ENABLED=0 $(GOTEST) -short -exec qemu-aarch64 $(subst |Mixture,,$(GOLDEN)) # emulated mixtures take too long

# The race detector leaves out SQLite, translated from C, where it took 40 % of the CPU time of the store's tests.
RACE := $(GOTEST) -race -gcflags=modernc.org/sqlite/lib=-race=false -short

race: # and the build without RDKit
	$(RACE) $(CONCURRENT)
	$(if $(RDKIT),$(GOTEST) -short $(CHEMISTRY))
	$(if $(RDKIT),$(RACE) $(TAGS) -run 'Concurrent|Unstable|Bulk|Joined|Sample|Design|Series' ./molecule ./molecule/alerts ./space/molecules) # what has several goroutines
	$(RACE) -run 'Reproducible|Described|Mixture|Draw|Posterior|Sites|Sparse|GemmPartition|GemmLarge' ./evolve ./gp ./internal/simd # likewise

cross: # type-checks everything for other platforms, tests included
	go test -count=1 -run '^TestPlatforms$$' ./internal/house -platforms '$(PLATFORMS)'

cross-rdkit: # compiles package molecule with RDKit for linux/arm64 (Debian)
	packaging/cross-rdkit

vulnerable: # fails (3) on a known vulnerability that our code reaches; where the database of them cannot be reached, it says so
	GOBIN=$(CURDIR)/bin go install $(GOVULNCHECK)
	bin/govulncheck ./... || { test $$? -ne 3 && echo "SKIPPED: no test for known vulnerabilities"; }

lint:
	test -z "$$(gofmt -l . | tee /dev/stderr)"
	go -C internal/house/_lint build -o "$(CURDIR)/bin/lint" . # go vet and staticcheck, a module of its own
	bin/lint $(TAGS) ./...
	test -z "$(RDKIT)" || bin/lint -checks inherit,-SA4006 ./molecule # which alone has a file for builds without RDKit, where every reading fails
	go test -count=1 ./internal/house # reads other packages, which the test cache does not see

PYTHON := python3

python: export INVBO := $(CURDIR)/bin/invbo
python: export PYTHONPATH := $(CURDIR)/python
python: export PYTHONDONTWRITEBYTECODE := 1
python: build # tests the client in python/, cell by cell its notebook, too, and runs that in Jupyter if it is there (Debian: apt-get install jupyter-nbconvert python3-ipykernel)
	$(PYTHON) -W error::ResourceWarning -m unittest discover -s python/tests
	@if $(PYTHON) -c 'import nbconvert, ipykernel' 2>/dev/null; then \
		$(PYTHON) -m nbconvert --log-level WARN --to notebook --execute --stdout python/examples/loop.ipynb >/dev/null; \
	else \
		echo "SKIPPED: the notebook in Jupyter, as nbconvert or ipykernel is missing"; \
	fi

bench-peer: # side by side with PyTorch and the BLAS it is fastest with on few cores
	dpkg -s python3-torch libopenblas0-openmp >/dev/null 2>&1 || { \
		$(SUDO) apt-get update && $(SUDO) apt-get install --yes python3-torch libopenblas0-openmp; }
	go test -v ./internal/bench -run '^$$' -bench Peer -benchtime 5x -timeout 1h
