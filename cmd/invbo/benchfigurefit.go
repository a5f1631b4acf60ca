package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/analysis"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/vae"
)

// fitFlags is `invbo bench figure fit`.
type fitFlags struct {
	spec
	out string
}

func benchFigureFitCommand() *cobra.Command {
	var f fitFlags
	c := &cobra.Command{
		Use:   "fit --task NAME [flags]",
		Short: "What a surrogate learns from encoder and from inverted triplets (Fig. 7)",
		Long: `fit scores strings, gives them latents in two ways, by the encoder and by inversion,
and fits a surrogate to three quarters of each, and to inverted triplets a second
time in active dimensions, as the part +active does. It shows what they predict of
the last quarter, with 95 % intervals, against the truth: the paper's Fig. 7. The
strings are 400 random ones of the model, or those of --init; scores are neither
ranked nor cut, whatever runs of the task do.`,
		Example: "  invbo bench figure fit --task expression --out figures",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c.Flags()); err != nil {
				return err
			}
			return f.run(c.Context(), c.OutOrStdout())
		},
	}
	group := newGroup("The figure")
	addOut(group.flags, &f.out)
	groups := f.groups()
	f.addOne(groups)
	addGroups(c, append([]flagGroup{group}, only(groups, "task", "seed", "init", "init-sample", "init-skip", "skip-invalid", "profile",
		"inversion-loss", "inversion-rate", "inversion-iterations", "inversion-distance", "inversion-epsilon", "weights", "target",
		"receptor", "box", "exhaustiveness", "dock-timeout")...)...)
	c.Flags().Lookup("init").Usage = "`N|FILE`: random strings of the model, or a file's (default 400)"
	return c
}

// only returns the groups with no other flags than these.
func only(groups []flagGroup, names ...string) []flagGroup {
	var left []flagGroup
	for _, g := range groups {
		some := newGroup(g.title)
		for _, name := range names {
			if f := g.flags.Lookup(name); f != nil {
				some.flags.AddFlag(f)
			}
		}
		if some.flags.HasFlags() {
			left = append(left, some)
		}
	}
	return left
}

// run carries out the experiment, and draws.
func (f *fitFlags) run(ctx context.Context, stdout io.Writer) error {
	if f.init == "" {
		f.init = "400"
	}
	f.method = "turbo" // it is not run
	e, err := f.experiment(ctx)
	if err != nil {
		return err
	}
	if err := e.needsVAE(); err != nil {
		return err
	}
	if err := writable(f.out); err != nil {
		return err
	}
	all, err := e.scored(ctx)
	if err != nil {
		return err
	}
	n := len(all.X) * 3 / 4
	train, test := analysis.Scored{X: all.X[:n], Y: all.Y[:n]}, analysis.Scored{X: all.X[n:], Y: all.Y[n:]}
	c := report.Predictions{
		Title: fmt.Sprintf("%s: %d strings to learn from, %d to predict", e.task.name, len(train.X), len(test.X)), Score: e.task.score,
	}
	inversion := remembered(invbo.Inversion)
	for _, way := range []struct {
		name   string
		align  invbo.Alignment
		active bool
	}{{"encoder triplets", invbo.Encoder, false}, {"inverted triplets", inversion, false}, {"inverted triplets, active dimensions", inversion, true}} {
		e.options.Method.Active = way.active
		held, err := e.emulation(e.problem.Model, way.align).Predict(ctx, train, test, f.rand())
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		fmt.Fprintf(stdout, "%s: R² %s, rank correlation %s\n", way.name, number(held.R2), number(held.Rank))
		c.Models = append(c.Models, report.Predicted{
			Name: way.name, Truth: test.Y, Mean: held.Mean, Low: held.Low, High: held.High, R2: held.R2, Rank: held.Rank,
		})
	}
	return draw(f.out, "fit", c, stdout)
}

// remembered returns align for one model, which aligns each list of strings once.
func remembered(align invbo.Alignment) invbo.Alignment {
	known := map[string][]invbo.Pair{}
	return func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		list := strings.Join(in.X, "\n")
		if pairs, ok := known[list]; ok {
			return pairs, nil
		}
		pairs, err := align(ctx, in)
		if err == nil {
			known[list] = pairs
		}
		return pairs, err
	}
}

// needsVAE refuses tasks whose latents cannot be misaligned.
func (e experiment) needsVAE() error {
	if _, ok := e.problem.Model.(vae.Inverter); !ok {
		return usagef("the task %s has no VAE, whose latents could be misaligned; take another", e.task.name)
	}
	return nil
}

// emulation returns how the experiment's method emulates scores in the latent space of m, with latents by align.
func (e experiment) emulation(m vae.Model, align invbo.Alignment) analysis.Emulation {
	return analysis.Emulation{Model: m, Align: align, Inversion: e.options.Inversion, Surrogate: func(m vae.Model) invbo.Surrogate {
		return e.options.Method.Surrogate(e.problem, e.options.Profile, m)
	}}
}

// scored returns the initial data with all their scores, in a random order.
func (e experiment) scored(ctx context.Context) (analysis.Scored, error) {
	init := slices.Clone(e.problem.Init)
	rng := rand.New(rand.NewPCG(e.options.Seed, 1)) // another than that which drew them
	rng.Shuffle(len(init), func(i, j int) { init[i], init[j] = init[j], init[i] })
	var s analysis.Scored
	for _, o := range init {
		if !o.Scored {
			y, err := analysis.Score(ctx, e.problem, o.X)
			if err != nil {
				return s, err
			}
			if o.Y = y; math.IsNaN(y) {
				continue
			}
		}
		s.X, s.Y = append(s.X, o.X), append(s.Y, o.Y)
	}
	if len(s.X) < 8 {
		return s, usagef("%d strings have a score, and the figure needs 8; give more with --init", len(s.X))
	}
	return s, nil
}
