package experiment

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/vae"
)

// needsVAE refuses tasks whose latents cannot be misaligned, and methods without latents.
func (e *Plan) needsVAE() error {
	if e.Method.latent == nil {
		return usage.Errorf("the method searches no latent space; leave it out")
	}
	if _, ok := e.parts.Model.(vae.Inverter); !ok {
		return usage.Errorf("the task %s has no VAE, whose latents could be misaligned; take another", e.Task.Name)
	}
	return nil
}

// emulator returns an emulator by the experiment's method in the latent space of m, with latents by align.
func (e *Plan) emulator(m vae.Model, align invbo.Alignment) *emulator {
	return &emulator{model: m, align: align, inversion: e.options.Inversion, surrogate: e.options.Method.NewSurrogate(m, e.options.Features)}
}

// DrawFit draws the paper's Fig. 7: what a surrogate that is fitted to three quarters of the initial design, with latents by the
// encoder and by inversion, predicts for the last quarter.
func (e *Plan) DrawFit(ctx context.Context, out string, stdout io.Writer) error {
	x, y, err := e.scored(ctx)
	if err != nil {
		return err
	}
	n := len(x) * 3 / 4
	c := report.Predictions{
		Title: fmt.Sprintf("%s: %d strings to learn from, %d to predict", e.Task.Name, n, len(x)-n), Score: e.Task.Score,
	}
	for _, way := range []struct {
		name  string
		align invbo.Alignment
	}{{"encoder triplets", invbo.Encoder}, {"inverted triplets", invbo.Inversion}} {
		m, rng := e.emulator(e.parts.Model, way.align), e.Spec.Rand()
		if err := m.fit(ctx, x[:n], y[:n], rng); err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		held, err := m.predictHeldOut(ctx, x[n:], y[n:], rng)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		fmt.Fprintf(stdout, "%s: R² %v, rank correlation %v\n", way.name, Number(held.R2), Number(held.Rank))
		held.Name = way.name
		c.Models = append(c.Models, held)
	}
	return Draw(out, "fit", c, stdout)
}

// BuildFit returns the experiment of DrawFit.
func (s RunSpec) BuildFit(ctx context.Context) (*Plan, error) {
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
func (e *Plan) scored(ctx context.Context) (xs []string, ys []float64, err error) {
	init := e.problem.Init
	for _, i := range rand.New(rand.NewPCG(e.Spec.Seed, 1)).Perm(len(init)) { // not the generator that drew them
		var y float64
		if m := init[i].Measurements; len(m) > 0 {
			y = m[0].Score
		} else if y, err = score(ctx, e.problem, init[i].X); err != nil {
			return nil, nil, err
		}
		if !math.IsNaN(y) {
			xs, ys = append(xs, init[i].X), append(ys, y)
		}
	}
	if len(xs) < 8 {
		return nil, nil, usage.Errorf("%d strings have a score, and the figure needs 8; give more with --init", len(xs))
	}
	return xs, ys, nil
}

// RegionMethods are the methods of the paper's Fig. 9: without and with CoBO's losses, each on encoder and on inverted triplets.
var RegionMethods = []string{"turbo+pas", "turbo+invbo", "cobo+encoder+pas", "cobo+invbo"}

// DrawRegion draws the paper's Fig. 9, from a run of each method and seed: the error of the method's surrogate within trust
// regions around the ten best strings, by the side of the region.
func (s RunSpec) DrawRegion(ctx context.Context, methods []string, seeds []uint64, out string, stdout io.Writer) error {
	in := neighbourhood{anchors: 10, sides: []float64{0, 0.05, 0.1, 0.2, 0.4, 0.8}, candidates: 30}
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
	c := report.Curves{
		Title: s.Task + ": within the trust region", At: in.sides,
		X: report.Axis{Label: "side of the region", Column: "side"}, Y: report.Axis{Label: "mean |score − prediction|", Column: "error"},
	}
	p := progress.New("runs ", len(methods)*len(seeds), false)
	defer p.Stop()
	for i, method := range methods {
		m := report.Method{Name: method}
		for k, seed := range seeds {
			s.Method, s.Seed = method, seed
			errors, err := s.inRegions(ctx, in)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", method, seed, err)
			}
			m.Runs = append(m.Runs, errors)
			p.Set(i*len(seeds)+k+1, fmt.Sprintf("%s, seed %d", method, seed))
		}
		c.Methods = append(c.Methods, m)
	}
	p.Stop()
	return Draw(out, "region", c, stdout)
}

// inRegions carries out a run, and returns the errors of the surrogate that its data give.
func (s RunSpec) inRegions(ctx context.Context, in neighbourhood) ([]float64, error) {
	e, err := s.Build(ctx)
	if err != nil {
		return nil, err
	}
	r, err := e.Run(ctx, Observer{})
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
	m := e.emulator(r.model, e.options.Method.Align)
	if err := m.fit(ctx, x, y, s.Rand()); err != nil {
		return nil, err
	}
	return m.inRegions(ctx, e.problem, in, s.Rand())
}
