package experiment

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/analysis"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// needsVAE refuses tasks whose latents cannot be misaligned, and methods without latents.
func (e *Experiment) needsVAE() error {
	if e.Method.latent == nil {
		return usage.Errorf("the method searches no latent space; leave it out")
	}
	if _, ok := e.parts.Model.(vae.Inverter); !ok {
		return usage.Errorf("the task %s has no VAE, whose latents could be misaligned; take another", e.Task.Name)
	}
	return nil
}

// emulation returns how the experiment's method predicts scores in the latent space of m, with latents by align.
func (e *Experiment) emulation(m vae.Model, align invbo.Alignment) analysis.Emulation {
	return analysis.Emulation{Model: m, Align: align, Inversion: e.options.Inversion, Surrogate: func(m vae.Model) surrogate.Surrogate {
		return e.options.Method.NewSurrogate(m, e.options.Features)
	}}
}

// DrawFit draws the paper's Fig. 7: what a surrogate that is fitted to three quarters of the initial design, with latents by the
// encoder and by inversion, predicts for the last quarter.
func (e *Experiment) DrawFit(ctx context.Context, out string, stdout io.Writer) error {
	all, err := e.scored(ctx)
	if err != nil {
		return err
	}
	n := len(all.X) * 3 / 4
	train, test := analysis.Scored{X: all.X[:n], Y: all.Y[:n]}, analysis.Scored{X: all.X[n:], Y: all.Y[n:]}
	c := report.Predictions{
		Title: fmt.Sprintf("%s: %d strings to learn from, %d to predict", e.Task.Name, len(train.X), len(test.X)), Score: e.Task.Score,
	}
	for _, way := range []struct {
		name  string
		align invbo.Alignment
	}{{"encoder triplets", invbo.Encoder}, {"inverted triplets", invbo.Inversion}} {
		held, err := e.emulation(e.parts.Model, way.align).Predict(ctx, train, test, e.Spec.Rand())
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		fmt.Fprintf(stdout, "%s: R² %v, rank correlation %v\n", way.name, Number(held.R2), Number(held.Rank))
		c.Models = append(c.Models, report.Predicted{
			Name: way.name, Truth: test.Y, Mean: held.Mean, Low: held.Low, High: held.High, R2: held.R2, Rank: held.Rank,
		})
	}
	return Draw(out, "fit", c, stdout)
}

// BuildFit returns the experiment of DrawFit.
func (s RunSpec) BuildFit(ctx context.Context) (*Experiment, error) {
	if s.Init.String() == "" {
		s.Init.Random = 400
	}
	s.Method = "turbo" // it is not run
	e, err := s.Build(ctx)
	if err != nil {
		return nil, err
	}
	return e, e.needsVAE()
}

// scored returns the initial design with all its scores, in a random order.
func (e *Experiment) scored(ctx context.Context) (analysis.Scored, error) {
	init := slices.Clone(e.problem.Init)
	rng := rand.New(rand.NewPCG(e.Spec.Seed, 1)) // not the one that drew them
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
		return s, usage.Errorf("%d strings have a score, and the figure needs 8; give more with --init", len(s.X))
	}
	return s, nil
}

// RegionMethods returns the methods of the paper's Fig. 9: without and with CoBO's losses, each on encoder and on inverted triplets.
func RegionMethods() []string {
	return []string{"turbo+pas", "turbo+invbo", "cobo+encoder+pas", "cobo+invbo"}
}

// DrawRegion draws the paper's Fig. 9, from a run of each method and seed: the error of the method's surrogate within trust
// regions around the ten best strings, and the rank correlation of its predictions there, by the side of the region.
func (s RunSpec) DrawRegion(ctx context.Context, methods []string, seeds []uint64, out string, stdout io.Writer) error {
	in := analysis.Neighbourhood{Anchors: 10, Sides: []float64{0, 0.05, 0.1, 0.2, 0.4, 0.8}, Candidates: 30}
	for _, method := range methods { // an error in one is reported before any is begun
		s.Method, s.Seed = method, seeds[0]
		e, err := s.Build(ctx)
		if err == nil {
			err = e.needsVAE()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	fits := make([][][]analysis.RegionFit, len(methods)) // (method, seed, side)
	p := progress.New("runs ", len(methods)*len(seeds), false)
	defer p.Stop()
	for i, method := range methods {
		for k, seed := range seeds {
			s.Method, s.Seed = method, seed
			fit, err := s.inRegions(ctx, in)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", method, seed, err)
			}
			fits[i] = append(fits[i], fit)
			p.Set(i*len(seeds)+k+1, fmt.Sprintf("%s, seed %d", method, seed))
		}
	}
	p.Stop()
	for _, figure := range []struct {
		name  string
		y     report.Axis
		value func(analysis.RegionFit) float64
	}{
		{"region", report.Axis{Label: "mean |score − prediction|", Column: "error"}, func(f analysis.RegionFit) float64 { return f.Error }},
		{"region-ranking", report.Axis{Label: "rank correlation", Column: "rank_correlation"}, func(f analysis.RegionFit) float64 { return f.Rank }},
	} {
		c := report.Curves{Title: s.Task + ": within the trust region", At: in.Sides, X: report.Axis{Label: "side of the region", Column: "side"}, Y: figure.y}
		for i, method := range methods {
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
		if err := Draw(out, figure.name, c, stdout); err != nil {
			return err
		}
	}
	return nil
}

// inRegions carries out a run, and looks at the surrogate that its data give.
func (s RunSpec) inRegions(ctx context.Context, in analysis.Neighbourhood) ([]analysis.RegionFit, error) {
	e, err := s.Build(ctx)
	if err != nil {
		return nil, err
	}
	r, err := e.Run(ctx, nil, Observer{})
	if err != nil {
		return nil, err
	}
	var x []string
	var y []float64
	for _, t := range r.Trials {
		if !math.IsNaN(t.Score) {
			x, y = append(x, t.X), append(y, t.Score)
		}
	}
	emulator, err := e.emulation(r.model, e.options.Method.Align).Fit(ctx, x, y, s.Rand())
	if err != nil {
		return nil, err
	}
	return emulator.InRegions(ctx, e.problem, in, s.Rand())
}
