package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// kernel is a piece of work that is timed.
type kernel struct {
	name  string
	flops float64                                                // 0: not counted
	wide  bool                                                   // float64
	peers []string                                               // names of the same work in bench/peer.py; nil: name
	time  func(ctx context.Context) (seconds float64, err error) // of one go, after a warm-up
}

// share writes the share of all processors' peak that the kernel reaches, given that of one in operations per second.
func (k kernel) share(seconds, peak float64) string {
	if k.flops == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*k.flops/seconds/peak/float64(runtime.GOMAXPROCS(0)))
}

// kernels returns the work that the numeric core is measured by.
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
	all := kernels()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []kernel
	for _, name := range names {
		i := slices.IndexFunc(all, func(k kernel) bool { return k.name == name })
		if i < 0 {
			var known []string
			for _, k := range all {
				known = append(known, k.name)
			}
			return nil, usagef("there is no kernel %q%s", name, suggest(name, known))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// sgemm multiplies float32 matrices, (m, k) by (k, n).
func sgemm(m, k, n int) kernel {
	return kernel{
		name:  fmt.Sprintf("sgemm %dx%dx%d", m, k, n),
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
	return kernel{
		name:  fmt.Sprintf("cholesky %d float64", n),
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
				a[i*n+i] = 4 * float64(n) // more than any row's sum of absolute values is likely to be
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
// by its steps: the pass over the held-out twentieth that ends an epoch counts against us.
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

func benchKernelsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kernels [KERNEL...]",
		Short: "Time the numeric kernels, and compare them with the processor's peak",
		Long: `kernels times matrix product, Cholesky factorization, a training step of the
Grammar VAE, and of the sequence VAE an iteration of inversion, a training step
and greedy decoding, on all processors. The share is that of the peak: what a loop
of multiply-adds in registers reaches on one core, times the number of processors.`,
		Example: `  invbo bench kernels
  invbo bench kernels inversion "greedy decoding"
  INVBO_SIMD=avx2 GOMAXPROCS=1 invbo bench kernels`,
		RunE: func(c *cobra.Command, args []string) error {
			chosen, err := chosenKernels(args)
			if err != nil {
				return err
			}
			peak32, peak64 := simd.PeakFlops(400 * time.Millisecond)
			cores := runtime.GOMAXPROCS(0)
			out := c.OutOrStdout()
			fmt.Fprintf(out, "%s, %d processors; peak of one: %.0f GFLOP/s in float32, %.0f in float64\n\n", simd.ISA(), cores, peak32/1e9, peak64/1e9)
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "KERNEL\tMILLISECONDS\tGFLOP/S\tSHARE OF PEAK")
			for _, k := range chosen {
				seconds, err := k.time(c.Context())
				if err != nil {
					return fmt.Errorf("%s: %w", k.name, err)
				}
				peak := peak32
				if k.wide {
					peak = peak64
				}
				rate := ""
				if k.flops > 0 {
					rate = fmt.Sprintf("%.1f", k.flops/seconds/1e9)
				}
				fmt.Fprintf(w, "%s\t%.3f\t%s\t%s\n", k.name, 1e3*seconds, rate, k.share(seconds, peak))
			}
			return w.Flush()
		},
	}
}
