package evolve

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/pareto"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

const (
	draws     = 128 // of the objectives, for a batch
	fewKnown  = 100 // strings: an objective that is flat among fewer may not be so among others
	mostFront = 50  // known strings that are drawn with the candidates: the best by the objectives' means
)

// objective is one of several objectives.
type objective struct {
	study.Objective
	model *model
	known int // of Description.Known, which has its exact values; −1: the model predicts them

	// While the values of all of a few strings are equal, the objective is as uncertain where strings are unlike the
	// known ones as its novelty is, and its surrogate would be certain everywhere. Those of many are taken to be equal
	// everywhere.
	novelty *model  // nil: they differ
	level   float64 // that all have
	doubt   float64 // deviation of the novelty's prior in the objective's units: 1 or, after many strings, 0
}

// Aim implements study.MultiObjective: each objective has a surrogate, that of the first being the one of the score.
func (s *Searcher) Aim(objectives []study.Objective) {
	s.objectives = nil
	for i, o := range objectives {
		m := &s.model
		if i > 0 {
			m = new(s.surrogate())
		}
		s.objectives = append(s.objectives, objective{Objective: o, model: m, known: slices.Index(s.space.Knows, o.Name)})
	}
}

// front is the acquisition of several objectives, in their own units.
//
// The inner loop maximizes a random scalarisation of the upper confidence bounds μ + β·σ (weights). The batch is picked
// by the noisy expected improvement of further scalarisations, one for each string (ParEGO, Knowles 2006): objectives
// are drawn jointly at known strings and candidates; the gain of a candidate is the mean over the draws of its
// improvement on what is known in that draw. The pick is added to every draw, and so on.
type front struct {
	objectives []objective
	reference  []float64
	width      []float64      // of the front above the reference
	points     [][]float64    // means of known and pending strings that no other dominates
	weights    []float64      // of the scalarisation
	known      []*Description // strings that are drawn with the candidates: measured ones and all that are pending
	measured   int            // the first so many of them
}

// aim returns the acquisition, after the surrogates were fitted to the trials; nil if there is one objective, or no
// string keeps the constraints. Pending strings are known at their means.
func (s *Searcher) aim(trials []*study.Trial, pending []study.Proposal) *front {
	if s.objectives == nil {
		return nil
	}
	var xs []string
	var values [][]float64
	var complete []*study.Trial
	all := study.AllValues(s.trials, s.studied(), s.constraints)
	for _, t := range trials {
		if v := all[s.index[t.ID]]; !slices.ContainsFunc(v, math.IsNaN) {
			xs, values, complete = append(xs, t.Input), append(values, v), append(complete, t)
		}
	}
	if len(xs) == 0 {
		return nil
	}
	f := &front{objectives: s.objectives}
	f.reference = study.Reference(values, stats.Pick(values, pareto.Front(values)), s.studied())
	described := s.reader.read(xs)
	means := f.atTrials(complete, described, 0)
	waiting := s.described(pending)
	f.points = slices.Concat(means, f.predict(waiting, 0))
	f.points = stats.Pick(f.points, pareto.Front(f.points))
	for j := range s.objectives {
		width := 0.0
		for _, p := range f.points {
			width = max(width, p[j]-f.reference[j])
		}
		if width == 0 {
			width = 1
		}
		f.width = append(f.width, width)
	}
	near := make([]float64, len(means))
	for i, m := range means {
		near[i] = -f.lack(m)
	}
	f.measured = min(mostFront, len(near))
	f.known = append(stats.Pick(described, stats.TopK(near, f.measured)), waiting...)
	return f
}

// fit fits the surrogate of an objective, which that of the first one is already, to the trials that have it. One that
// is known has none.
func (o *objective) fit(ctx context.Context, s *Searcher, trials []*study.Trial, scored int) error {
	if o.known >= 0 {
		return nil
	}
	points := s.doubtSlip(s.readings(o.Name, trials, o.Reading), trials, o.Name)
	if len(points) < LeastOutcomes {
		return fmt.Errorf("objective %s: %w, and its surrogate needs %d", o.Name, study.ErrNoScore, LeastOutcomes)
	}
	o.novelty = nil
	if flat(points) {
		term := s.space.Kernels[0]
		if s.space.Novelty != nil {
			term = *s.space.Novelty
		}
		o.novelty, o.level, o.doubt = newNovelty(term, s.reader), points[0].y, 1
		if len(points) >= fewKnown {
			o.doubt = 0
		}
		for i := range points {
			points[i].y, points[i].bound = 0, study.Exact
		}
		return o.novelty.fit(ctx, points, len(points))
	}
	if o.model == &s.model {
		return nil
	}
	if err := o.model.fit(ctx, points, scored-len(trials)+len(points)); err != nil {
		return fmt.Errorf("objective %s: %w", o.Name, err)
	}
	return nil
}

// surrogate returns the model that describes the objective.
func (o *objective) surrogate() *model {
	if o.novelty != nil {
		return o.novelty
	}
	return o.model
}

// exact returns the values of a known objective at strings.
func (o *objective) exact(described []*Description) []float64 {
	values := make([]float64, len(described))
	for i, d := range described {
		values[i] = o.Own(d.Known[o.known])
	}
	return values
}

// predict returns the objective's values μ + β·σ at strings, in its own units.
func (o *objective) predict(described []*Description, beta float64) []float64 {
	if o.known >= 0 {
		return o.exact(described)
	}
	mu, sigma2 := o.surrogate().predict(described)
	return o.bounds(mu, sigma2, beta)
}

// atTrials is predict for the strings of trials.
func (o *objective) atTrials(trials []*study.Trial, described []*Description, beta float64) []float64 {
	if o.known >= 0 {
		return o.exact(described)
	}
	mu, sigma2 := o.surrogate().atTrials(trials, described)
	return o.bounds(mu, sigma2, beta)
}

// bounds returns μ + β·σ of the surrogate in the objective's units. It overwrites mu.
func (o *objective) bounds(mu, sigma2 []float64, beta float64) []float64 {
	for i := range mu {
		mu[i] += beta * math.Sqrt(sigma2[i])
	}
	return o.own(mu)
}

// draw returns functions of the objective (draws, len(described)) at strings, in its own units.
func (o *objective) draw(described []*Description, rng *rand.Rand) ([][]float64, error) {
	if o.known >= 0 {
		return slices.Repeat([][]float64{o.exact(described)}, draws), nil
	}
	m := o.surrogate()
	drawn, err := m.gp.Joint(m.groups(described), draws, m.surprise, rng)
	if err != nil {
		return nil, fmt.Errorf("objective %s: %w", o.Name, err)
	}
	for _, u := range drawn {
		for i, d := range described {
			u[i] += m.trend(d.Trend)
		}
		o.own(u)
	}
	return drawn, nil
}

// own converts values of the surrogate to the objective's units, in place.
func (o *objective) own(u []float64) []float64 {
	for i, v := range u {
		if o.novelty != nil {
			u[i] = o.level + o.doubt*v
		} else {
			u[i] = o.model.scale.Within(v)
		}
	}
	return u
}

// further returns the surrogates of all objectives but the first.
func (s *Searcher) further() (models []*model) {
	for _, o := range s.objectives[min(1, len(s.objectives)):] {
		models = append(models, o.model)
	}
	return models
}

// blind reports whether an objective's values are equal, of so few strings that others may have other values.
func (f *front) blind() bool {
	return slices.ContainsFunc(f.objectives, func(o objective) bool { return o.novelty != nil && o.doubt > 0 })
}

// augmentation is the part of the sum in an augmented Chebyshev scalarisation.
const augmentation = 0.05

// weights returns random weights w for the inner loop, which maximizes an augmented Chebyshev scalarisation, min_j
// w_j·u_j + ρ·Σ_j w_j·u_j, of the objectives u above the reference, as shares of the front (ParEGO, Knowles 2006): what
// improves one of them is sought far from the front, too.
func (s *Searcher) weights(rng *rand.Rand) []float64 {
	weights, sum := make([]float64, len(s.objectives)), 0.0
	for j := range weights {
		weights[j] = rng.ExpFloat64()
		sum += weights[j]
	}
	for j := range weights {
		weights[j] = sum / weights[j]
	}
	return weights
}

// studied returns the objectives.
func (s *Searcher) studied() []study.Objective {
	all := make([]study.Objective, len(s.objectives))
	for i, o := range s.objectives {
		all[i] = o.Objective
	}
	return all
}

// predict returns the objectives' values μ + β·σ at strings.
func (f *front) predict(described []*Description, beta float64) [][]float64 {
	return f.each(len(described), func(o *objective) []float64 { return o.predict(described, beta) })
}

// atTrials is predict for the strings of trials.
func (f *front) atTrials(trials []*study.Trial, described []*Description, beta float64) [][]float64 {
	return f.each(len(described), func(o *objective) []float64 { return o.atTrials(trials, described, beta) })
}

// each returns values (n, objectives) of n strings; of returns those of an objective.
func (f *front) each(n int, of func(o *objective) []float64) [][]float64 {
	values := stats.Rows(make([]float64, n*len(f.objectives)), n, len(f.objectives))
	for j := range f.objectives {
		for i, v := range of(&f.objectives[j]) {
			values[i][j] = v
		}
	}
	return values
}

// value returns the scalarisation of a string's values of the objectives.
func (f *front) value(p []float64) float64 {
	least, sum := math.Inf(1), 0.0
	for j, v := range p {
		u := f.weights[j] * (v - f.reference[j]) / f.width[j]
		least, sum = min(least, u), sum+u
	}
	return least + augmentation*sum
}

// lack returns how much of the objectives' ranges values lack to be on the front.
func (f *front) lack(p []float64) (lack float64) {
	for j, v := range p {
		lack = max(lack, (f.reference[j]-v)/f.width[j])
	}
	for _, q := range f.points {
		least := math.Inf(1)
		for j, v := range p {
			least = min(least, (q[j]-v)/f.width[j])
		}
		lack = max(lack, least)
	}
	return lack
}

// noFront is the front while no string with all objectives keeps the constraints: it predicts.
func (s *Searcher) noFront() *front { return &front{objectives: s.objectives} }

// gains draws the objectives at known strings and candidates, and adds candidates to every draw.
type gains struct {
	values [][][]float64 // of each draw, of each candidate
	known  [][][]float64 // of each draw, of each known string that is drawn, and of candidates that were added
}

// sample draws the objectives (draws, strings, objectives) jointly at strings.
func (f *front) sample(described []*Description, rng *rand.Rand) ([][][]float64, error) {
	values := make([][][]float64, draws)
	for d := range values {
		values[d] = stats.Rows(make([]float64, len(described)*len(f.objectives)), len(described), len(f.objectives))
	}
	for j := range f.objectives {
		drawn, err := f.objectives[j].draw(described, rng)
		if err != nil {
			return nil, err
		}
		for d, u := range drawn {
			for i, v := range u {
				values[d][i][j] = v
			}
		}
	}
	return values, nil
}

// draw draws the objectives at candidates.
func (f *front) draw(candidates []*Description, rng *rand.Rand) (*gains, error) {
	values, err := f.sample(slices.Concat(f.known, candidates), rng)
	if err != nil {
		return nil, err
	}
	g := &gains{}
	for _, v := range values {
		known := v[:len(f.known)]
		g.values, g.known = append(g.values, v[len(f.known):]), append(g.known, slices.Clip(known))
	}
	return g, nil
}

// mean returns the expected improvement of each candidate on the best known scalarisation.
func (g *gains) mean(f *front) []float64 {
	gains := make([]float64, len(g.values[0]))
	for d, known := range g.known {
		best := math.Inf(-1)
		for _, v := range known {
			best = max(best, f.value(v))
		}
		for i, v := range g.values[d] {
			gains[i] += max(0, f.value(v)-best) / draws
		}
	}
	return gains
}

// add adds a candidate to what is known in every draw.
func (g *gains) add(i int) {
	for d, values := range g.values {
		g.known[d] = append(g.known[d], values[i])
	}
}

// forecasts predicts what strings reach. The chance is that of keeping the constraints, by these odds, and of not being
// dominated by the measured strings that are drawn.
func (f *front) forecasts(described []*Description, odds []float64, rng *rand.Rand) ([]study.Forecast, error) {
	forecasts := make([]study.Forecast, len(described))
	for j := range f.objectives {
		mean, sd := f.objectives[j].moments(described)
		for i := range forecasts {
			forecasts[i].Mean, forecasts[i].SD = append(forecasts[i].Mean, f.objectives[j].Own(mean[i])), append(forecasts[i].SD, sd[i])
		}
	}
	measured := f.known[:f.measured]
	values, err := f.sample(slices.Concat(measured, described), rng)
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		for i := range forecasts {
			if !slices.ContainsFunc(v[:len(measured)], func(known []float64) bool { return pareto.Dominates(known, v[len(measured)+i]) }) {
				forecasts[i].Chance += odds[i] / draws
			}
		}
	}
	return forecasts, nil
}

// moments returns the predicted mean and standard deviation of the objective's values at strings, with the noise of a
// measurement.
func (o *objective) moments(described []*Description) (mean, sd []float64) {
	if o.known >= 0 {
		return o.exact(described), make([]float64, len(described))
	}
	m := o.surrogate()
	mean, sd = m.predict(described)
	for i := range mean {
		if o.novelty != nil {
			mean[i], sd[i] = o.level+o.doubt*mean[i], o.doubt*math.Sqrt(sd[i])
			continue
		}
		mean[i], sd[i] = m.scale.Inverse(mean[i], m.surprise*math.Sqrt(sd[i]+m.Noise+m.measurement()))
	}
	return mean, sd
}
