// Package bench times the numeric kernels against what bounds them, and side by side with PyTorch:
//
//	go test ./internal/bench -run '^$' -bench Kernels/inversion
//	go test -v ./internal/bench -run '^$' -bench Peer -benchtime 5x
package bench

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// kernel is a piece of work that is timed.
type kernel struct {
	name  string
	flops float64  // floating-point operations that it needs
	bytes float64  // of memory that it reads or writes, each counted once where caches can keep it
	wide  bool     // float64
	peers []string // names of the same work in bench/peer.py

	// run does the work once as a warm-up, and then again while again returns true.
	run func(b *testing.B, again func() bool)
}

// kernels returns all kernels.
func kernels() []kernel {
	return append([]kernel{
		sgemm(4096, 128, 512),
		sgemm(1024, 1024, 1024),
		cholesky(1024),
		commonCounts(60, 4096),
		{name: "grammar-vae-step", flops: grammarStepFlops(), run: grammarStep, peers: []string{"grammar-vae-step", "grammar-vae-step, same maths"}},
	}, sequenceKernels()...)
}

// BenchmarkKernels times each kernel on all processors, and compares it with what bounds it.
func BenchmarkKernels(b *testing.B) {
	m := measureMachine()
	fmt.Println("machine:", m)
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			k.run(b, b.Loop)
			seconds := b.Elapsed().Seconds() / float64(b.N)
			what, least := m.bound(k)
			b.ReportMetric(100*least/seconds, "%-of-"+what+"-bound")
			if k.flops > 0 {
				b.ReportMetric(k.flops/seconds/1e9, "GFLOP/s")
			}
			if k.bytes > 0 {
				b.ReportMetric(k.bytes/seconds/1e9, "GB/s")
			}
		})
	}
}

// fastest returns the least seconds of the executions of k in a third of a second, of two at least.
func fastest(b *testing.B, k kernel) float64 {
	best := time.Duration(math.MaxInt64)
	var first, last time.Time
	done := -1 // executions that were timed
	k.run(b, func() bool {
		now := time.Now()
		if done++; done == 0 {
			first = now
		} else {
			best = min(best, now.Sub(last))
		}
		last = now
		return done < 2 || now.Sub(first) < 300*time.Millisecond
	})
	return best.Seconds()
}

// sgemm multiplies float32 matrices, (m, k) by (k, n).
func sgemm(m, k, n int) kernel {
	name := fmt.Sprintf("sgemm %dx%dx%d", m, k, n)
	return kernel{
		name:  name,
		peers: []string{name},
		flops: 2 * float64(m) * float64(k) * float64(n),
		bytes: 4 * float64(m*k+k*n+m*n),
		run: func(_ *testing.B, again func() bool) {
			rng := rand.New(rand.NewPCG(0, 0))
			a, b, c := normals(rng, m*k), normals(rng, k*n), make([]float32, m*n)
			for more := true; more; more = again() {
				simd.Gemm(false, false, m, n, k, a, k, b, n, c, n, false)
			}
		},
	}
}

func normals(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// cholesky factors the float64 kernel matrix of n random points.
func cholesky(n int) kernel {
	name := fmt.Sprintf("cholesky %d float64", n)
	return kernel{
		name:  name,
		peers: []string{name},
		flops: float64(n) * float64(n) * float64(n) / 3,
		bytes: 16 * float64(n) * float64(n), // A is copied, L written over the copy
		wide:  true,
		run: func(b *testing.B, again func() bool) {
			rng := rand.New(rand.NewPCG(0, 0))
			a := make([]float64, n*n)
			for i := range n {
				for j := range i {
					v := rng.NormFloat64()
					a[i*n+j], a[j*n+i] = v, v
				}
				a[i*n+i] = 4 * float64(n) // so that the matrix is diagonally dominant
			}
			l := make([]float64, n*n)
			for more := true; more; more = again() {
				copy(l, a)
				check(b, linalg.Cholesky(l, n))
			}
		},
	}
}

func check(b testing.TB, err error) {
	if err != nil {
		b.Helper()
		b.Fatal(err)
	}
}

// commonCounts compares structures of so many features with n points, one structure on each processor: the inner loop
// of a Gram matrix of counts.
func commonCounts(features, n int) kernel {
	procs := runtime.GOMAXPROCS(0)
	return kernel{
		name:  fmt.Sprintf("counts %d features %d points", features, n),
		bytes: float64(procs * features * n),
		run: func(_ *testing.B, again func() bool) {
			rng := rand.New(rand.NewPCG(0, 0))
			table := make([]uint8, arraySize)
			for i := range table {
				table[i] = uint8(rng.IntN(4))
			}
			at, most := make([][]int, procs), make([]uint8, features)
			for i := range most {
				most[i] = 2
			}
			sums := make([][]uint32, procs)
			for p := range procs {
				sums[p] = make([]uint32, n)
				for range features {
					at[p] = append(at[p], rng.IntN(len(table)/n)*n)
				}
			}
			for more := true; more; more = again() {
				parallel.For(procs, 1, func(p, _ int) {
					clear(sums[p])
					simd.AddMinima(sums[p], table, at[p], most)
				})
			}
		},
	}
}

// errTimed ends a training that was timed for long enough.
var errTimed = errors.New("timed")

const grammarBatch = 600 // strings of grammarStep

// grammarStepFlops returns the operations of grammarStep's recurrent layers, forward and backward; the rest is a
// fiftieth of them.
func grammarStepFlops() float64 {
	const rules, latent, hidden = 15, 25, 100
	perString := 2. * 3 * hidden * (latent + rules*hidden + 2*rules*2*hidden) // inputs of the first layer are the same at all steps
	return 3 * grammarBatch * perString
}

// grammarStep is an epoch of one step of training the Grammar VAE of expressions, with the evaluation of the held-out
// twentieth at its end.
func grammarStep(b *testing.B, again func() bool) {
	data, err := cfg.RandomExpressions(rand.New(rand.NewPCG(0, 0)), grammarBatch*20/19)
	check(b, err)
	_, err = grammar.Train(b.Context(), cfg.Expression(), grammar.Config{}, data, grammar.TrainOptions{
		Training: grammar.Training{Epochs: math.MaxInt32, Batch: grammarBatch},
		Checkpoint: func(*grammar.Checkpoint) error {
			if again() {
				return nil
			}
			return errTimed
		},
	})
	if !errors.Is(err, errTimed) {
		b.Fatal(err)
	}
}
