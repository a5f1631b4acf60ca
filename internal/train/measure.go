package train

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/sequence"
)

// Measurement shows how good a model is, on held-out strings and on samples of its prior.
type Measurement struct {
	Model     task.Model
	Inversion invbo.InversionOptions
	Data      task.File // held-out strings
	Known     task.File // strings that it was trained on; may be missing
	Invert    int       // held-out strings to invert
	Samples   int       // of the prior
	Seed      uint64
}

// Run prints the measures.
func (t Measurement) Run(ctx context.Context, stdout io.Writer) error {
	read, err := t.Model.Read(ctx, t.Data, table.Options{}, t.Model.Check)
	if err != nil {
		return err
	}
	held := read.Usable()
	var known []string
	if t.Known.Given() {
		read, err := t.Model.Read(ctx, t.Known, table.Options{}, nil)
		if err != nil {
			return err
		}
		known = read.Usable()
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintf(w, "held-out strings\t%d\n", len(held))
	mu, err := t.reconstruct(ctx, w, held)
	if err != nil {
		return err
	}
	n := min(t.Invert, len(held))
	if err := t.invert(ctx, w, held[:n], mu[:n]); err != nil {
		return err
	}
	return t.sample(ctx, w, known)
}

// reconstruct reports on the encoder's means, and returns them.
func (t Measurement) reconstruct(ctx context.Context, w io.Writer, held []string) (mu [][]float64, err error) {
	if s, ok := t.Model.Tunable.(*sequence.Model); ok {
		q, err := s.Evaluate(ctx, held)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(w, "token accuracy, encoder's mean\t%.2f %%\n", 100*q.TokenAccuracy)
		fmt.Fprintf(w, "cross-entropy\t%.4f nats per token\n", q.CrossEntropy)
		fmt.Fprintf(w, "KL divergence\t%.3f nats per dimension\n", q.KL)
	}
	if mu, _, err = t.Model.Encode(ctx, held); err != nil {
		return nil, err
	}
	decoded, err := t.Model.Decode(ctx, mu)
	if err != nil {
		return nil, err
	}
	exact := 0
	for i, x := range held {
		if decoded[i] == x {
			exact++
		}
	}
	fmt.Fprintf(w, "exact, encoder's mean\t%.1f %%\n", 100*float64(exact)/float64(len(held)))
	return mu, nil
}

// invert reports on inversion from the encoder's means, and compares its certificates with decoding.
func (t Measurement) invert(ctx context.Context, w io.Writer, x []string, mu [][]float64) error {
	inverted, err := invbo.Invert(ctx, t.Model, x, mu, t.Inversion)
	if err != nil {
		return err
	}
	z := slices.Clone(mu) // before inversion, then after it, so that certificates of both values occur
	for _, v := range inverted {
		z = append(z, v.Z)
	}
	both := slices.Concat(x, x)
	_, margin, err := t.Model.Reconstruct(ctx, z, both, t.Inversion.Loss, nil)
	if err != nil {
		return err
	}
	decoded, err := t.Model.Decode(ctx, z)
	if err != nil {
		return err
	}
	agree := 0
	for i := range z {
		if (margin[i] > 0) == (decoded[i] == both[i]) {
			agree++
		}
	}
	fmt.Fprintf(w, "exact, by inversion\t%s\n", InversionSummary(inverted))
	fmt.Fprintf(w, "certificate agrees with decoding\t%d of %d latents, before and after inversion\n", agree, len(z))
	return nil
}

// InversionSummary describes the outcome of inversions in one line.
func InversionSummary(inverted []invbo.Inverted) string {
	exact := 0
	var iterations, moved []float64
	for _, v := range inverted {
		if v.Exact {
			exact++
		}
		iterations = append(iterations, float64(v.Iterations))
		moved = append(moved, v.Moved)
	}
	return fmt.Sprintf("%d of %d exact; median %g iterations, at most %g; median distance moved %.3g",
		exact, len(inverted), stats.Median(iterations), slices.Max(iterations), stats.Median(moved))
}

// sample reports on the prior.
func (t Measurement) sample(ctx context.Context, w io.Writer, known []string) error {
	distinct := map[string]bool{}
	valid := 0
	err := Sample(ctx, t.Model, t.Samples, t.Seed, func(xs []string, _ [][]float64) error {
		for _, x := range xs {
			if shown := t.Model.Show(x); shown != "" {
				valid++
				distinct[shown] = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	share := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(t.Samples)) }
	fmt.Fprintf(w, "samples of the prior\t%d\n", t.Samples)
	fmt.Fprintf(w, "valid\t%s\n", share(valid))
	fmt.Fprintf(w, "valid and distinct\t%s\n", share(len(distinct)))
	if !t.Known.Given() {
		return nil
	}
	for _, x := range known {
		delete(distinct, t.Model.Show(x))
	}
	fmt.Fprintf(w, "valid, distinct and new\t%s\n", share(len(distinct)))
	return nil
}

// Sample draws n latents (n, d) from the prior of m and calls each with what they decode to, a thousand at a time.
func Sample(ctx context.Context, m task.Model, n int, seed uint64, each func(x []string, z [][]float64) error) error {
	rng := rand.New(rand.NewPCG(seed, 0))
	const chunk = 1000
	for drawn := 0; drawn < n; drawn += chunk {
		z := vae.Prior(m, min(chunk, n-drawn), rng)
		x, err := m.Decode(ctx, z)
		if err != nil {
			return err
		}
		if err := each(x, z); err != nil {
			return err
		}
	}
	return nil
}
