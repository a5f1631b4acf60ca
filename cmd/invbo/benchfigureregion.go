package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/analysis"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/vae"
)

// regionFigure is `invbo bench figure region`.
type regionFigure struct {
	spec
	methods    []string
	seeds, out string
}

// The paper's Fig. 9: without and with CoBO's losses, each on encoder and on inverted triplets.
func regionMethods() []string {
	return []string{"turbo+pas", "turbo+invbo", "cobo+encoder+pas", "cobo+invbo"}
}

// neighbourhood is where surrogates are looked at.
func neighbourhood() analysis.Neighbourhood {
	return analysis.Neighbourhood{Anchors: 10, Sides: []float64{0, 0.05, 0.1, 0.2, 0.4, 0.8}, Candidates: 30}
}

func benchFigureRegionCommand() *cobra.Command {
	var f regionFigure
	c := &cobra.Command{
		Use:   "region --task NAME [flags]",
		Short: "What a surrogate is worth within the trust region (Fig. 9)",
		Long: `region carries out a run of each method and seed, 100 calls if --budget says
nothing else, and looks at what the run leaves: its VAE, and the strings that it
has scored. They get latents as the method gives them to its initial data, the
method's surrogate is fitted to these, with their scores as they are, and two
figures show what it is worth in trust regions around the ten best strings, by the
side of the region: region its mean error, |score of what a latent decodes to −
prediction|, which Proposition 1 bounds (the paper's Fig. 9); region-ranking the
rank correlation of predictions and scores of what is new there, which is what the
choice of the next batch rests on.

It scores up to 1,510 more strings for each run.`,
		Example: "  invbo bench figure region --task expression --seeds 0-2 --out figures",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c.Flags()); err != nil {
				return err
			}
			return f.run(c.Context(), c.OutOrStdout())
		},
	}
	group := newGroup("The figure")
	flags := group.flags
	flags.StringSliceVar(&f.methods, "methods", regionMethods(), "`NAMES` of methods, separated by commas: see invbo methods")
	flags.StringVar(&f.seeds, "seeds", "0-4", "`SEEDS`: numbers and ranges, separated by commas")
	addOut(flags, &f.out)
	addGroups(c, append([]flagGroup{group}, f.groups()...)...)
	return c
}

// run carries out the experiment, and draws.
func (f *regionFigure) run(ctx context.Context, stdout io.Writer) error {
	seeds, err := parseSeeds(f.seeds)
	if err != nil {
		return err
	}
	if err := f.rereadable(); err != nil {
		return err
	}
	if err := writable(f.out); err != nil {
		return err
	}
	f.budget = cmp.Or(f.budget, 100)
	for _, method := range f.methods { // what is wrong with one is said before any is begun
		s := f.spec
		s.method, s.seed = method, seeds[0]
		if _, err := s.latentSearch(ctx); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	in := neighbourhood()
	figures := []regionCurves{
		{"region", report.Axis{Label: "mean |score − prediction|", Column: "error"}, func(f analysis.RegionFit) float64 { return f.Error }},
		{"region-ranking", report.Axis{Label: "rank correlation", Column: "rank_correlation"}, func(f analysis.RegionFit) float64 { return f.Rank }},
	}
	fits := make([][][]analysis.RegionFit, len(f.methods)) // (method, seed, side)
	p := newProgress("runs ", len(f.methods)*len(seeds), false)
	defer p.stop()
	done := 0
	for i, method := range f.methods {
		for _, seed := range seeds {
			s := f.spec
			s.method, s.seed = method, seed
			fit, err := s.inRegions(ctx, in)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", method, seed, err)
			}
			fits[i] = append(fits[i], fit)
			done++
			p.set(done, fmt.Sprintf("%s, seed %d", method, seed))
		}
	}
	p.stop()
	for _, figure := range figures {
		c := report.Curves{Title: f.task + ": within the trust region", At: in.Sides, X: report.Axis{Label: "side of the region", Column: "side"}, Y: figure.y}
		for i, method := range f.methods {
			m := report.Method{Name: method}
			for _, run := range fits[i] {
				values := make([]float64, len(run))
				for side := range run {
					values[side] = figure.value(run[side])
				}
				m.Runs = append(m.Runs, values)
			}
			c.Methods = append(c.Methods, m)
		}
		if err := draw(f.out, figure.name, c, stdout); err != nil {
			return err
		}
	}
	return nil
}

// regionCurves is one figure of regionFigure: what it shows of each fit.
type regionCurves struct {
	name  string
	y     report.Axis
	value func(analysis.RegionFit) float64
}

// latentSearch returns the experiment of a method that searches a latent space.
func (s spec) latentSearch(ctx context.Context) (experiment, error) {
	e, err := s.experiment(ctx)
	if err != nil {
		return e, err
	}
	if _, isControl := controlNamed(s.method); isControl {
		return e, usagef("the method searches no latent space; leave it out")
	}
	if err := e.needsVAE(); err != nil {
		return e, err
	}
	_, err = invbo.New(e.problem, e.options)
	return e, err
}

// inRegions carries out a run, and looks at what it leaves.
func (s spec) inRegions(ctx context.Context, in analysis.Neighbourhood) ([]analysis.RegionFit, error) {
	e, err := s.latentSearch(ctx)
	if err != nil {
		return nil, err
	}
	var model vae.Model
	search := e.search
	e.search = func(ctx context.Context, p invbo.Problem, o invbo.Options) (outcome, error) {
		found, err := search(ctx, p, o)
		if run, ok := found.(*invbo.Optimizer); ok {
			model = run.Model()
		}
		return found, err
	}
	r, err := e.run(ctx)
	if err != nil {
		return nil, err
	}
	var x []string
	var y []float64
	for _, t := range r.trials {
		if !math.IsNaN(t.Score) {
			x, y = append(x, t.X), append(y, t.Score)
		}
	}
	emulator, err := e.emulation(model, e.options.Method.Align).Fit(ctx, x, y, s.rand())
	if err != nil {
		return nil, err
	}
	return emulator.InRegions(ctx, e.problem, in, s.rand())
}
