package evolve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
)

// Choice is how scores are transformed for the surrogate.
type Choice struct {
	Fixed     bool // Transform it is; otherwise the data choose
	Transform gp.Transform
}

// model is the surrogate: a gp.Mixture over the features of strings, fitted to transformed scores.
type model struct {
	kernels []gp.Term
	reader  *reader
	choice  Choice
	fixed   *Fixed

	gp        *gp.Mixture // nil: not fitted
	transform gp.Transform
	trials    []int     // of its points, in their order
	variance  []float64 // of its points
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
	for i, p := range points {
		xs[i], y[i], v[i], trials[i] = p.x, p.y, p.variance, p.trial
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
		y = withoutOutliers(y)
	}
	if equal := flat(points); m.gp == nil || float64(scored) >= growth*float64(m.fitted) || m.flat && !equal {
		m.flat = equal
		if err := m.choose(ctx, counts, y, v, scored); err != nil {
			return err
		}
	}
	m.scale = m.transform.Fit(y)
	n, variance := m.gp.Len(), m.variances(v)
	if n > len(trials) || !slices.Equal(m.trials, trials[:n]) || !slices.Equal(m.variance[:n], variance[:n]) { // the scale of the scores may have changed
		m.gp = gp.NewMixture(m.kernels, m.gp.Weights(), m.gp.Noise())
		n = 0
	}
	if err := m.gp.Add(counts[n:], variance[n:]); err != nil {
		return err
	}
	m.trials, m.variance = trials, variance
	mean := math.NaN() // the best
	if m.fixed != nil {
		mean = m.fixed.Mean
	}
	u := m.scale.Apply(y)
	m.spread = stat.Variance(u, nil)
	return m.gp.Target(u, mean)
}

func (m *model) variances(v []float64) []float64 {
	u := make([]float64, len(v))
	for i := range v {
		u[i] = m.scale.Variance(v[i])
	}
	return u
}

// measurement returns the known variance that a measurement typically has, the median, on the transformed scale; 0 if it is not known.
func (m *model) measurement() float64 {
	sorted := slices.Sorted(slices.Values(m.variance))
	return sorted[len(sorted)/2]
}

// choose fits the hyperparameters on each transform, and keeps the one under which scores of the better half are most probable
// when they are left out.
func (m *model) choose(ctx context.Context, counts [][]gp.Counts, y, v []float64, scored int) error {
	if m.fixed != nil {
		m.gp, m.trials, m.fitted, m.transform = gp.NewMixture(m.kernels, m.fixed.Weights, m.fixed.Noise), nil, scored, m.choice.Transform
		return nil
	}
	of := stats.TopK(y, mostFitted/2) // the best, and the latest
	in := map[int]bool{}
	for _, i := range of {
		in[i] = true
	}
	for i := len(y) - 1; i >= 0 && len(of) < mostFitted; i-- {
		if !in[i] {
			of = append(of, i)
		}
	}
	slices.Sort(of)
	var x [][]gp.Counts
	var some, variance []float64
	for _, i := range of {
		x, some, variance = append(x, counts[i]), append(some, y[i]), append(variance, v[i])
	}
	candidates := []gp.Transform{gp.Standardise, gp.Log}
	switch {
	case m.choice.Fixed:
		candidates = []gp.Transform{m.choice.Transform}
	case degenerate(some):
		candidates = []gp.Transform{gp.LogRanks}
	}
	middle := slices.Sorted(slices.Values(some))[len(some)/2]
	var best *gp.Mixture
	most := math.Inf(-1)
	for _, t := range candidates {
		m.scale = t.Fit(some)
		u := m.scale.Apply(some)
		g, err := gp.FitMixture(ctx, m.kernels, x, u, m.variances(variance))
		if err != nil {
			return err
		}
		density := 0.0
		mu, sigma2 := g.LeaveOneOut()
		for i, d := range u {
			if some[i] < middle { // how bad the bad ones are does not matter
				continue
			}
			d -= mu[i]
			density += m.scale.LogSlope(some[i]) - d*d/sigma2[i]/2 - math.Log(sigma2[i])/2
		}
		if best == nil || density > most {
			most, best, m.transform = density, g, t
		}
	}
	m.gp, m.trials, m.fitted = gp.NewMixture(m.kernels, best.Weights(), best.Noise()), nil, scored
	return nil
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
// of the better half of the scores from the median, so that up to half of them may be outliers.
func withoutOutliers(y []float64) []float64 {
	s := slices.Sorted(slices.Values(y))
	median := s[len(s)/2]
	deviation := 0.0
	better := s[len(s)/2:]
	for _, v := range better {
		deviation = math.Hypot(deviation, v-median)
	}
	deviation /= math.Sqrt(float64(len(better)))
	if deviation == 0 || s[0] >= median-farOut*deviation {
		return y
	}
	raised := make([]float64, len(y))
	for i, v := range y {
		raised[i] = max(v, median-nearOut*deviation)
	}
	return raised
}
