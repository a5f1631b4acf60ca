package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/vae/sequence"
)

// modelBench are the flags of `invbo bench model`.
type modelBench struct {
	model     modelFlags
	known     string
	invert    int
	samples   int
	seed      uint64
	inversion inversionFlags
	data      string
	held      []string // the strings of data, as the model writes them
	learned   []string // those of known, as people read them
}

func benchModelCommand() *cobra.Command {
	var b modelBench
	c := &cobra.Command{
		Use:   "model FILE",
		Short: "Measure how good a model is: on held-out strings, and on samples of its prior",
		Long: `model reads strings that the model has not learned from (SMILES for molecules) and
reports how many the encoder's mean decodes to exactly, how many inversion makes
exact and in how many steps, and whether the certificate agrees with greedy
decoding on all of them. Of samples of the prior it reports how many are valid,
how many differ, and, with --known, how many are not among those strings.`,
		Example: `  invbo bench model held-out.smi.gz --model molecules --known training.smi.gz`,
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("give a file of strings that the model has not learned from")
			}
			b.data = args[0]
			return b.run(c.Context(), c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.SortFlags = false
	b.model.add(f)
	f.StringVar(&b.known, "known", "", "`FILE` of the strings that the model learned from")
	f.IntVar(&b.invert, "invert", 1000, "invert the first `N` strings of FILE")
	f.IntVar(&b.samples, "samples", 10000, "draw `N` samples of the prior")
	f.Uint64Var(&b.seed, "seed", 0, "the same `N` draws the same samples")
	b.inversion.add(f, "")
	return c
}

func (b *modelBench) run(ctx context.Context, stdout io.Writer) error {
	if b.invert < 1 || b.invert > most || b.samples < 1 || b.samples > most {
		return usagef("--invert %d and --samples %d: give numbers from 1 to %d", b.invert, b.samples, most)
	}
	m, err := b.model.load()
	if err != nil {
		return err
	}
	options, err := b.inversion.options(m, m.notation)
	if err != nil {
		return err
	}
	l, err := readFile(b.data, os.Stdin, m.notation)
	if err != nil {
		return err
	}
	for _, r := range l.rows {
		x, err := l.read(r, m)
		if err != nil {
			return err
		}
		b.held = append(b.held, x)
	}
	if b.known != "" {
		if b.learned, err = shown(b.known, m); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintf(w, "held-out strings\t%d\n", len(b.held))
	if err := b.reconstruct(ctx, w, m); err != nil {
		return err
	}
	if err := b.invertHeld(ctx, w, m, options); err != nil {
		return err
	}
	return b.sample(ctx, w, m)
}

// shown returns the strings of a file as m shows its own, however they are spelled there.
func shown(name string, m model) ([]string, error) {
	l, err := readFile(name, os.Stdin, m.notation)
	if err != nil {
		return nil, err
	}
	all := make([]string, len(l.rows))
	for i, r := range l.rows {
		x, err := l.read(r, nil)
		if err != nil {
			return nil, err
		}
		all[i] = m.show(x)
	}
	return all, nil
}

// reconstruct reports on the encoder's means.
func (b *modelBench) reconstruct(ctx context.Context, w io.Writer, m model) error {
	if s, ok := m.Tunable.(*sequence.Model); ok {
		data, err := sequence.NewStrings(s.Alphabet(), slices.Values(b.held))
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
	mu, _, err := m.Encode(ctx, b.held)
	if err != nil {
		return err
	}
	decoded, err := m.Decode(ctx, mu)
	if err != nil {
		return err
	}
	exact := 0
	for i, x := range b.held {
		if decoded[i] == x {
			exact++
		}
	}
	fmt.Fprintf(w, "exact, encoder's mean\t%.1f %%\n", 100*float64(exact)/float64(len(b.held)))
	return nil
}

// invertHeld reports on inversion, and compares its certificates with decoding.
func (b *modelBench) invertHeld(ctx context.Context, w io.Writer, m model, options invbo.InversionOptions) error {
	x := b.held[:min(b.invert, len(b.held))]
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
	for _, latents := range [][][]float64{mu, z} { // before and after: both answers of the certificate occur
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
	fmt.Fprintf(w, "exact, by inversion\t%s\n", inversionSummary(inverted))
	fmt.Fprintf(w, "certificate agrees with decoding\t%d of %d latents, before and after inversion\n", agree, 2*len(x))
	return nil
}

// sample reports on the prior.
func (b *modelBench) sample(ctx context.Context, w io.Writer, m model) error {
	rng := rand.New(rand.NewPCG(b.seed, 0))
	distinct := map[string]bool{}
	valid := 0
	const chunk = 1000
	for drawn := 0; drawn < b.samples; drawn += chunk {
		xs, err := m.Decode(ctx, prior(rng, min(chunk, b.samples-drawn), m))
		if err != nil {
			return err
		}
		for _, x := range xs {
			if shown := m.show(x); shown != "" {
				valid++
				distinct[shown] = true
			}
		}
	}
	share := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(b.samples)) }
	fmt.Fprintf(w, "samples of the prior\t%d\n", b.samples)
	fmt.Fprintf(w, "valid\t%s\n", share(valid))
	fmt.Fprintf(w, "valid and distinct\t%s\n", share(len(distinct)))
	if b.known == "" {
		return nil
	}
	for _, x := range b.learned {
		delete(distinct, x)
	}
	fmt.Fprintf(w, "valid, distinct and new\t%s\n", share(len(distinct)))
	return nil
}
