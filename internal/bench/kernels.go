// Package bench times the numeric kernels, here and in PyTorch, and measures how good a model is.
package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// kernel is a piece of work that is timed.
type kernel struct {
	name  string
	flops float64                                                // 0: not counted
	wide  bool                                                   // float64
	peers []string                                               // names of the same work in bench/peer.py
	time  func(ctx context.Context) (seconds float64, err error) // of one execution, after a warm-up
}

// share formats the share of all processors' peak that the kernel reaches, given that of one in float32 and in float64, in
// operations per second.
func (k kernel) share(seconds, peak32, peak64 float64) string {
	if k.flops == 0 {
		return ""
	}
	peak := peak32
	if k.wide {
		peak = peak64
	}
	return fmt.Sprintf("%.0f %%", 100*k.flops/seconds/peak/float64(runtime.GOMAXPROCS(0)))
}

// kernels returns all kernels.
func kernels() []kernel {
	return append([]kernel{
		sgemm(4096, 128, 512),
		sgemm(1024, 1024, 1024),
		cholesky(1024),
		{name: "grammar-vae-step", time: trainingStep, peers: []string{"grammar-vae-step", "grammar-vae-step, same maths"}},
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

// trainingStep times a step of training the Grammar VAE of expressions on 600 strings, as an epoch divided
// by its steps. This includes the evaluation of the held-out twentieth at the end of an epoch.
func trainingStep(ctx context.Context) (seconds float64, err error) {
	const batch, steps = 600, 10
	data, err := cfg.RandomExpressions(rand.New(rand.NewPCG(0, 0)), batch*steps*20/19)
	if err != nil {
		return 0, err
	}
	epochs := []time.Time{}
	_, err = grammar.Train(ctx, cfg.Expression(), grammar.Config{}, data, grammar.TrainOptions{
		Training: grammar.Training{Epochs: 3, Batch: batch},
		Checkpoint: func(*grammar.Checkpoint) error {
			epochs = append(epochs, time.Now())
			return nil
		},
	})
	if err != nil {
		return 0, err
	}
	fastest := min(epochs[1].Sub(epochs[0]), epochs[2].Sub(epochs[1])) // the first is the warm-up
	return fastest.Seconds() / steps, nil
}

// Kernels prints the times of the kernels of these names, or of all if there are none, and their share of the processors' peak.
func Kernels(ctx context.Context, names []string, out io.Writer) error {
	chosen, err := chosenKernels(names)
	if err != nil {
		return err
	}
	peak32, peak64 := simd.PeakFlops(400 * time.Millisecond)
	fmt.Fprintf(out, "%s, %d processors; peak of one: %.0f GFLOP/s in float32, %.0f in float64\n\n", simd.ISA(), runtime.GOMAXPROCS(0), peak32/1e9, peak64/1e9)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KERNEL\tMILLISECONDS\tGFLOP/S\tSHARE OF PEAK")
	for _, k := range chosen {
		seconds, err := k.time(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		rate := ""
		if k.flops > 0 {
			rate = fmt.Sprintf("%.1f", k.flops/seconds/1e9)
		}
		fmt.Fprintf(w, "%s\t%.3f\t%s\t%s\n", k.name, 1e3*seconds, rate, k.share(seconds, peak32, peak64))
	}
	return w.Flush()
}
