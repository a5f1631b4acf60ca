// Package bench times the numeric kernels, here and in PyTorch, and measures how good a model is.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// kernel is a piece of work that is timed.
type kernel struct {
	name  string
	flops float64                                                // floating-point operations that it needs
	bytes float64                                                // of memory that it reads or writes, each counted once where caches can keep it
	wide  bool                                                   // float64
	peers []string                                               // names of the same work in bench/peer.py
	time  func(ctx context.Context) (seconds float64, err error) // of one execution, after a warm-up
}

// kernels returns all kernels.
func kernels() []kernel {
	return append([]kernel{
		sgemm(4096, 128, 512),
		sgemm(1024, 1024, 1024),
		cholesky(1024),
		commonCounts(60, 4096),
		{name: "grammar-vae-step", flops: trainingStepFlops(), time: trainingStep, peers: []string{"grammar-vae-step", "grammar-vae-step, same maths"}},
	}, sequenceKernels()...)
}

// chosenKernels returns the kernels of these names; all if there are none.
func chosenKernels(names []string) ([]kernel, error) {
	if len(names) == 0 {
		return kernels(), nil
	}
	var chosen []kernel
	for _, name := range names {
		k, err := usage.Find("kernel", name, kernels(), func(k kernel) string { return k.name })
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, k)
	}
	return chosen, nil
}

// sgemm multiplies float32 matrices, (m, k) by (k, n).
func sgemm(m, k, n int) kernel {
	name := fmt.Sprintf("sgemm %dx%dx%d", m, k, n)
	return kernel{
		name:  name,
		peers: []string{name},
		flops: 2 * float64(m) * float64(k) * float64(n),
		bytes: 4 * float64(m*k+k*n+m*n),
		time: func(context.Context) (float64, error) {
			rng := rand.New(rand.NewPCG(0, 0))
			a, b, c := normals(rng, m*k), normals(rng, k*n), make([]float32, m*n)
			return repeat(func() { simd.Gemm(false, false, m, n, k, a, k, b, n, c, n, false) }), nil
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
		time: func(context.Context) (float64, error) {
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
			var err error
			seconds := repeat(func() {
				copy(l, a)
				if e := linalg.Cholesky(l, n); e != nil {
					err = e
				}
			})
			return seconds, err
		},
	}
}

// commonCounts compares structures of so many features with n points, one structure on each processor: the inner loop of a Gram
// matrix of counts.
func commonCounts(features, n int) kernel {
	procs := runtime.GOMAXPROCS(0)
	return kernel{
		name:  fmt.Sprintf("counts %d features %d points", features, n),
		bytes: float64(procs * features * n),
		time: func(context.Context) (float64, error) {
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
			return repeat(func() {
				parallel.For(procs, 1, func(p, _ int) {
					clear(sums[p])
					simd.AddMinima(sums[p], table, at[p], most)
				})
			}), nil
		},
	}
}

// repeat returns the least time of f in about a third of a second.
func repeat(f func()) float64 {
	f() // warm-up
	best := time.Duration(1<<63 - 1)
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		began := time.Now()
		f()
		best = min(best, time.Since(began))
	}
	return best.Seconds()
}

const stepBatch = 600 // strings of trainingStep

// trainingStepFlops returns the operations of trainingStep's recurrent layers, forward and backward; the rest is a fiftieth of them.
func trainingStepFlops() float64 {
	const rules, latent, hidden = 15, 25, 100
	perString := 2. * 3 * hidden * (latent + rules*hidden + 2*rules*2*hidden) // inputs of the first layer are the same at all steps
	return 3 * stepBatch * perString
}

// trainingStep times a step of training the Grammar VAE of expressions on 600 strings, as the fastest of four epochs of one step.
// This includes the evaluation of the held-out twentieth at the end of an epoch.
func trainingStep(ctx context.Context) (seconds float64, err error) {
	data, err := cfg.RandomExpressions(rand.New(rand.NewPCG(0, 0)), stepBatch*20/19)
	if err != nil {
		return 0, err
	}
	last, fastest := time.Time{}, math.Inf(1)
	_, err = grammar.Train(ctx, cfg.Expression(), grammar.Config{}, data, grammar.TrainOptions{
		Training: grammar.Training{Epochs: 5, Batch: stepBatch},
		Checkpoint: func(*grammar.Checkpoint) error {
			now := time.Now()
			if !last.IsZero() { // the first epoch is the warm-up
				fastest = min(fastest, now.Sub(last).Seconds())
			}
			last = now
			return nil
		},
	})
	return fastest, err
}

// Kernels prints the times of the kernels of these names, or of all if there are none, and how near they come to what bounds them.
func Kernels(ctx context.Context, names []string, out io.Writer) error {
	chosen, err := chosenKernels(names)
	if err != nil {
		return err
	}
	m := measureMachine()
	fmt.Fprintf(out, "%s\n\n", m)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KERNEL\tMILLISECONDS\tGFLOP/S\tGB/S\tBOUND BY\tSHARE OF BOUND")
	for _, k := range chosen {
		seconds, err := k.time(ctx)
		if err != nil {
			return errors.Join(w.Flush(), fmt.Errorf("%s: %w", k.name, err)) // shows what was timed until then
		}
		what, least := m.bound(k)
		fmt.Fprintf(w, "%s\t%.3f\t%s\t%s\t%s\t%.0f %%\n", k.name, 1e3*seconds, rate(k.flops, seconds), rate(k.bytes, seconds), what, 100*least/seconds)
	}
	return w.Flush()
}

// rate formats billions per second; nothing if they were not counted.
func rate(count, seconds float64) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", count/seconds/1e9)
}
