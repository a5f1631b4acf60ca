package paper

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
)

// buildLatent builds a plan. It refuses methods without latents, and tasks whose latents cannot be misaligned.
func buildLatent(ctx context.Context, s experiment.RunSpec) (*experiment.Plan, error) {
	plan, err := s.Build(ctx)
	if err != nil {
		return nil, err
	}
	if !plan.Method.Latent() {
		return nil, usage.Errorf("the method searches no latent space; leave it out")
	}
	if _, ok := plan.Model().(vae.Inverter); !ok {
		return nil, usage.Errorf("the task %s has no VAE, whose latents could be misaligned; take another", plan.Task.Name)
	}
	return plan, nil
}

// newEmulator returns an emulator by the plan's method in the latent space of m, with latents by align.
func newEmulator(plan *experiment.Plan, m vae.Model, align invbo.Alignment) *emulator {
	o := plan.Options
	return &emulator{model: m, align: align, inversion: o.Inversion, surrogate: o.Method.NewSurrogate(m, o.Features)}
}

// DrawFit draws the paper's Fig. 7 to the folder out: what a surrogate that is fitted to three quarters of the initial
// design (400 random strings unless s says otherwise), with latents by the encoder and by inversion, predicts for the
// last quarter. It is to predict the scores of what the latents decode to, which the encoder's are often not those of
// the strings.
func DrawFit(ctx context.Context, s experiment.RunSpec, out string, stdout io.Writer) error {
	if s.Init.String() == "" {
		s.Init.Random = 400
	}
	s.Method = "turbo" // it is not run
	plan, err := buildLatent(ctx, s)
	if err != nil {
		return err
	}
	x, y, err := scored(ctx, plan)
	if err != nil {
		return err
	}
	n := len(x) * 3 / 4
	c := report.Predictions{
		Title: fmt.Sprintf("%s: %d strings to learn from, %d to predict", plan.Task.Name, n, len(x)-n), Score: plan.Task.Score,
	}
	for _, way := range []struct {
		name  string
		align invbo.Alignment
	}{{"encoder triplets", invbo.Encoder}, {"inverted triplets", invbo.Inversion}} {
		m, rng := newEmulator(plan, plan.Model(), way.align), plan.Spec.Rand()
		if err := m.fit(ctx, x[:n], y[:n], rng); err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		others, err := m.latents(ctx, x[n:], rng)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		for _, at := range []struct {
			name string
			z    [][]float64
		}{{"learned from", m.z}, {"to predict", others}} {
			p, err := m.predictDecoded(ctx, plan.Problem, at.z)
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			if len(p.Truth) == 0 {
				return usage.Errorf("%s: none of the %d strings %s has a latent that decodes to a string with a score", way.name, len(at.z), at.name)
			}
			fmt.Fprintf(stdout, "%s, %d of %d strings %s: R² %v, rank correlation %v\n", way.name, len(p.Truth), len(at.z), at.name,
				experiment.Number(p.R2), experiment.Number(p.Rank))
			p.Name = way.name
			if at.name == "to predict" {
				c.Models = append(c.Models, p)
			}
		}
	}
	return draw(out, "fit", c, stdout)
}

// scored returns the strings of the initial design that have an exact score, in a random order.
func scored(ctx context.Context, plan *experiment.Plan) (xs []string, ys []float64, err error) {
	p := plan.Problem
	for _, i := range rand.New(rand.NewPCG(plan.Spec.Seed, 1)).Perm(len(p.Init)) { // not the generator that drew them
		o := p.Init[i]
		y := exact(o.Measurements)
		if len(o.Measurements) == 0 {
			if y, err = score(ctx, p, o.X); err != nil {
				return nil, nil, err
			}
		}
		if !math.IsNaN(y) {
			xs, ys = append(xs, o.X), append(ys, y)
		}
	}
	if len(xs) < 8 {
		return nil, nil, usage.Errorf("%d strings have a score, and the figure needs 8; give more initial strings", len(xs))
	}
	return xs, ys, nil
}

// exact returns the mean of the scores that are neither bounds nor failed; NaN without one.
func exact(measurements []study.Measurement) float64 {
	var scores []float64
	for _, m := range measurements {
		if m.Bound == study.Exact && !math.IsNaN(m.Score) {
			scores = append(scores, m.Score)
		}
	}
	mean, _ := stats.MeanStdErr(scores)
	return mean
}

// RegionMethods returns the methods of Fig. 9: without and with CoBO's losses, each on encoder and on inverted triplets.
func RegionMethods() []string {
	return []string{"turbo+pas", "turbo+invbo", "cobo+encoder+pas", "cobo+invbo"}
}

// DrawRegion draws the paper's Fig. 9 to the folder out, from a run of each method and seed: the error of the method's
// surrogate within trust regions around the ten best strings, by the side of the region.
func DrawRegion(ctx context.Context, s experiment.RunSpec, methods []string, seeds []uint64, out string, stdout io.Writer) error {
	for _, method := range methods { // an error in one is reported before any is begun
		s.Method, s.Seed = method, seeds[0]
		if _, err := buildLatent(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	sides := []float64{0, 0.05, 0.1, 0.2, 0.4, 0.8}
	c := report.Curves{
		Title: s.Task + ": within the trust region", At: sides,
		X: report.Axis{Label: "side of the region", Column: "side"}, Y: report.Axis{Label: "mean |score − prediction|", Column: "error"},
	}
	p := progress.New("runs ", len(methods)*len(seeds), false)
	defer p.Stop()
	for i, method := range methods {
		m := report.Method{Name: method}
		for k, seed := range seeds {
			s.Method, s.Seed = method, seed
			errors, err := runInRegions(ctx, s, sides)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", method, seed, err)
			}
			m.Runs = append(m.Runs, errors)
			p.Set(i*len(seeds)+k+1, fmt.Sprintf("%s, seed %d", method, seed))
		}
		c.Methods = append(c.Methods, m)
	}
	p.Stop()
	return draw(out, "region", c, stdout)
}

// runInRegions carries out a run, and returns the errors of the surrogate that its data give, around its ten best strings.
func runInRegions(ctx context.Context, s experiment.RunSpec, sides []float64) ([]float64, error) {
	plan, err := s.Build(ctx)
	if err != nil {
		return nil, err
	}
	r, err := plan.Run(ctx, experiment.Observer{})
	if err != nil {
		return nil, err
	}
	var x []string
	var y []float64
	trials := slices.DeleteFunc(r.Trials, func(t study.Trial) bool { return t.State != study.Scored || t.Bound != study.Exact })
	for _, t := range trials {
		x, y = append(x, t.X), append(y, t.Score)
	}
	m := newEmulator(plan, r.Model, plan.Options.Method.Align)
	if err := m.fit(ctx, x, y, s.Rand()); err != nil {
		return nil, err
	}
	best := study.Ranked(trials, nil)
	var anchors []int
	for _, t := range best[:min(10, len(best))] {
		anchors = append(anchors, slices.Index(x, t.X))
	}
	return m.inRegions(ctx, plan.Problem, anchors, sides, s.Rand())
}
