package bench

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/sequence"
)

// Model holds a model and the data to measure it on.
type Model struct {
	Model     task.Model
	Inversion invbo.InversionOptions
	Data      task.File // held-out strings
	Known     task.File // strings that it was trained on; may be missing
	Invert    int       // held-out strings to invert
	Samples   int       // of the prior
	Seed      uint64
}

// Run prints the measures.
func (b Model) Run(ctx context.Context, stdout io.Writer) error {
	read, err := b.Model.Read(ctx, b.Data, table.Options{}, b.Model.Check)
	if err != nil {
		return err
	}
	held := read.Usable()
	var known []string
	if b.Known.Given() {
		if known, err = shown(ctx, b.Known, b.Model); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintf(w, "held-out strings\t%d\n", len(held))
	if err := reconstruct(ctx, w, b.Model, held); err != nil {
		return err
	}
	if err := b.invert(ctx, w, held[:min(b.Invert, len(held))]); err != nil {
		return err
	}
	return b.sample(ctx, w, known)
}

// shown returns the strings of a file in the spelling that m shows.
func shown(ctx context.Context, f task.File, m task.Model) ([]string, error) {
	read, err := m.Read(ctx, f, table.Options{}, nil)
	if err != nil {
		return nil, err
	}
	x := read.Usable()
	for i := range x {
		x[i] = m.Show(x[i])
	}
	return x, nil
}

// reconstruct reports on the encoder's means.
func reconstruct(ctx context.Context, w io.Writer, m task.Model, held []string) error {
	if s, ok := m.Tunable.(*sequence.Model); ok {
		data, err := sequence.NewStrings(s.Alphabet(), slices.Values(held))
		if err != nil {
			return err
		}
		q, err := s.Evaluate(ctx, data)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "token accuracy, encoder's mean\t%.2f %%\n", 100*q.TokenAccuracy)
		fmt.Fprintf(w, "cross-entropy\t%.4f nats per token\n", q.CrossEntropy)
		fmt.Fprintf(w, "KL divergence\t%.3f nats per dimension\n", q.KL)
	}
	mu, _, err := m.Encode(ctx, held)
	if err != nil {
		return err
	}
	decoded, err := m.Decode(ctx, mu)
	if err != nil {
		return err
	}
	exact := 0
	for i, x := range held {
		if decoded[i] == x {
			exact++
		}
	}
	fmt.Fprintf(w, "exact, encoder's mean\t%.1f %%\n", 100*float64(exact)/float64(len(held)))
	return nil
}

// invert reports on inversion, and compares its certificates with decoding.
func (b Model) invert(ctx context.Context, w io.Writer, x []string) error {
	m, options := b.Model, b.Inversion
	mu, _, err := m.Encode(ctx, x)
	if err != nil {
		return err
	}
	inverted, err := invbo.Invert(ctx, m, x, mu, options)
	if err != nil {
		return err
	}
	z := make([][]float64, len(x))
	for i, v := range inverted {
		z[i] = v.Z
	}
	agree := 0
	for _, latents := range [][][]float64{mu, z} { // before and after inversion, so that certificates of both values occur
		_, margin, err := m.Reconstruct(ctx, latents, x, options.Loss, nil)
		if err != nil {
			return err
		}
		decoded, err := m.Decode(ctx, latents)
		if err != nil {
			return err
		}
		for i := range x {
			if (margin[i] > 0) == (decoded[i] == x[i]) {
				agree++
			}
		}
	}
	fmt.Fprintf(w, "exact, by inversion\t%s\n", experiment.InversionSummary(inverted))
	fmt.Fprintf(w, "certificate agrees with decoding\t%d of %d latents, before and after inversion\n", agree, 2*len(x))
	return nil
}

// sample reports on the prior.
func (b Model) sample(ctx context.Context, w io.Writer, known []string) error {
	m := b.Model
	rng := rand.New(rand.NewPCG(b.Seed, 0))
	distinct := map[string]bool{}
	valid := 0
	const chunk = 1000
	for drawn := 0; drawn < b.Samples; drawn += chunk {
		xs, err := m.Decode(ctx, vae.Prior(m, min(chunk, b.Samples-drawn), rng))
		if err != nil {
			return err
		}
		for _, x := range xs {
			if shown := m.Show(x); shown != "" {
				valid++
				distinct[shown] = true
			}
		}
	}
	share := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(b.Samples)) }
	fmt.Fprintf(w, "samples of the prior\t%d\n", b.Samples)
	fmt.Fprintf(w, "valid\t%s\n", share(valid))
	fmt.Fprintf(w, "valid and distinct\t%s\n", share(len(distinct)))
	if !b.Known.Given() {
		return nil
	}
	for _, x := range known {
		delete(distinct, x)
	}
	fmt.Fprintf(w, "valid, distinct and new\t%s\n", share(len(distinct)))
	return nil
}
