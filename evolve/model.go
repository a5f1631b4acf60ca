package evolve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// Choice is how scores are transformed for the surrogate.
type Choice struct {
	Fixed     bool // Transform it is; otherwise the data choose
	Transform gp.Transform
}

// model is the surrogate: a gp.Mixture over the features of strings, fitted to transformed scores. Scores that are bounds have no part in
// the choice of the scale; how they enter is told in censor.go.
type model struct {
	kernels []gp.Term
	reader  *reader
	choice  Choice
	fixed   *Fixed

	gp        *gp.Mixture // nil: not fitted
	transform gp.Transform
	order     []int     // of the points that it was fitted to: the exact ones first
	trials    []int     // of its exact points, in their order
	variance  []float64 // of its exact points
	fitted    int       // scored strings at the last choice of hyperparameters and transform, in the window or not
	flat      bool      // the scores were equal then: the hyperparameters say nothing
	scale     gp.Scale  // of the scores
	spread    float64   // variance of the transformed scores
}

const (
	mostFitted = 1_000 // points that hyperparameters are fitted to
	growth     = 1.25  // by which the data grow until hyperparameters are fitted again
)

// copy returns a model with the same hyperparameters, which can be fitted without changing m.
func (m model) copy() model {
	if m.gp != nil {
		m.gp = gp.NewMixture(m.kernels, m.gp.Weights(), m.gp.Noise())
	}
	m.trials, m.variance = nil, nil
	return m
}

// forget has the next fit begin anew.
func (m *model) forget() { m.gp, m.trials = nil, nil }

// fit fits the model to points, the window of a number of scored strings. Points that follow those of the last fit are added to it;
// hyperparameters and transform are chosen again when a quarter more strings are scored, and once scores differ.
func (m *model) fit(ctx context.Context, points []point, scored int) error {
	xs, y, v, trials := make([]string, len(points)), make([]float64, len(points)), make([]float64, len(points)), make([]int, len(points))
	bounds, equal := make([]study.Bound, len(points)), flat(points)
	for i, p := range points {
		xs[i], y[i], v[i], trials[i] = p.x, p.y, p.variance, p.trial
		if !equal {
			bounds[i] = p.bound
		}
	}
	counts := make([][]gp.Counts, len(xs))
	for i, d := range m.reader.read(xs) {
		if d == nil {
			_, err := m.reader.read1(xs[i])
			return fmt.Errorf("read %q: %w", xs[i], err)
		}
		counts[i] = d.Groups
	}
	if !m.choice.Fixed {
		y = withoutOutliers(y, bounds)
	}
	if m.gp == nil || float64(scored) >= growth*float64(m.fitted) || m.flat && !equal {
		m.flat = equal
		if err := m.choose(ctx, counts, y, v, bounds, scored); err != nil {
			return err
		}
	}
	m.scale = m.transform.Fit(exact(y, bounds))
	o := m.observe(counts, y, v, bounds)
	trials = stats.Pick(trials, o.order)[:o.exact]
	n := min(len(m.trials), m.gp.Len())
	m.gp.Truncate(n)
	if n > len(trials) || !slices.Equal(m.trials, trials[:n]) || !slices.Equal(m.variance[:n], o.variance[:n]) { // the scale of the scores may have changed
		m.gp = gp.NewMixture(m.kernels, m.gp.Weights(), m.gp.Noise())
	}
	mean := math.NaN() // the best
	if m.fixed != nil {
		mean = m.fixed.Mean
	}
	m.spread = o.spread()
	m.order, m.trials, m.variance = o.order, trials, o.variance[:o.exact]
	_, _, err := o.condition(ctx, m.gp, mean)
	return err
}

// atPoints returns the posterior mean and variance at the points that the model was fitted to.
func (m *model) atPoints() (mu, sigma2 []float64) {
	mu, sigma2 = make([]float64, len(m.order)), make([]float64, len(m.order))
	mean, variance := m.gp.AtPoints()
	for k, i := range m.order {
		mu[i], sigma2[i] = mean[k], variance[k]
	}
	return mu, sigma2
}

// exact returns the scores that are no bounds, or all scores if those do not differ.
func exact(y []float64, bounds []study.Bound) []float64 {
	var e []float64
	for i, b := range bounds {
		if b == study.Exact {
			e = append(e, y[i])
		}
	}
	if len(e) > 0 && slices.Min(e) < slices.Max(e) {
		return e
	}
	return y
}

// measurement returns the known variance that a measurement typically has, the median, on the transformed scale; 0 if it is not known.
func (m *model) measurement() float64 {
	if len(m.variance) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(m.variance))
	return sorted[len(sorted)/2]
}

// choose fits the hyperparameters on each transform, and keeps the one under which scores of the better half are most probable
// when they are left out.
func (m *model) choose(ctx context.Context, counts [][]gp.Counts, y, v []float64, bounds []study.Bound, scored int) error {
	if m.fixed != nil {
		m.gp, m.trials, m.fitted, m.transform = gp.NewMixture(m.kernels, m.fixed.Weights, m.fixed.Noise), nil, scored, m.choice.Transform
		return nil
	}
	of := bestAndLatest(y, mostFitted)
	x, some, variance, bounds := stats.Pick(counts, of), stats.Pick(y, of), stats.Pick(v, of), stats.Pick(bounds, of)
	measured := exact(some, bounds)
	candidates := []gp.Transform{gp.Standardise, gp.Log}
	switch {
	case m.choice.Fixed:
		candidates = []gp.Transform{m.choice.Transform}
	case degenerate(measured):
		candidates = []gp.Transform{gp.LogRanks}
	}
	middle := slices.Sorted(slices.Values(some))[len(some)/2]
	var best *gp.Mixture
	most := math.Inf(-1)
	for _, t := range candidates {
		m.scale = t.Fit(measured)
		o := m.observe(x, some, variance, bounds)
		g, err := o.fit(ctx, m.kernels)
		if err != nil {
			return err
		}
		density := 0.0
		mu, sigma2 := g.LeaveOneOut()
		for k, i := range o.order[:o.exact] {
			if some[i] < middle { // how bad the bad ones are does not matter
				continue
			}
			d := o.u[k] - mu[k]
			density += m.scale.LogSlope(some[i]) - d*d/sigma2[k]/2 - math.Log(sigma2[k])/2
		}
		if best == nil || density > most {
			most, best, m.transform = density, g, t
		}
	}
	m.gp, m.trials, m.fitted = gp.NewMixture(m.kernels, best.Weights(), best.Noise()), nil, scored
	return nil
}

// bestAndLatest returns the indices of n values, or of all if there are fewer, ascending: half of them the greatest, the others the latest.
func bestAndLatest(y []float64, n int) []int {
	of := stats.TopK(y, n/2)
	in := map[int]bool{}
	for _, i := range of {
		in[i] = true
	}
	for i := len(y) - 1; i >= 0 && len(of) < n; i-- {
		if !in[i] {
			of = append(of, i)
		}
	}
	slices.Sort(of)
	return of
}

// degenerate reports whether scores say hardly anything by their size: three quarters of them lie within a millionth of the
// range. Then only their ranks say something.
func degenerate(y []float64) bool {
	s := slices.Sorted(slices.Values(y))
	n := len(s)
	return s[n*3/4]-s[0] <= 1e-6*(s[n-1]-s[0])
}

// Scores are outliers if they lie more than farOut deviations below the median, and then those below nearOut deviations are raised
// to it.
const (
	farOut  = 100
	nearOut = 5
)

// withoutOutliers returns scores y without very bad ones, such as those of clashes in docking or a −999 that stands for a failure.
// How bad they are does not matter, and beside them the surrogate would see no difference between the others. The deviation is that
// of the better half of the scores from the median, so that up to half of them may be outliers. A bound from below says nothing there,
// and stays.
func withoutOutliers(y []float64, bounds []study.Bound) []float64 {
	s := slices.Sorted(slices.Values(exact(y, bounds)))
	median := s[len(s)/2]
	deviation := 0.0
	better := s[len(s)/2:]
	for _, v := range better {
		deviation = math.Hypot(deviation, v-median)
	}
	deviation /= math.Sqrt(float64(len(better)))
	if deviation == 0 || slices.Min(y) >= median-farOut*deviation {
		return y
	}
	raised := slices.Clone(y)
	for i, v := range y {
		if bounds[i] != study.Above {
			raised[i] = max(v, median-nearOut*deviation)
		}
	}
	return raised
}
