package evolve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// Scores that are only known to be above or below a bound enter the surrogate by expectation propagation (Rasmussen &
// Williams 2006, §3.6, for the likelihood of such a score): a bound acts like a measurement with a target and a
// variance of its own, by which the posterior of its string has the mean and the variance that the bound gives it.
// Those follow from what all others predict for the string, N(m, v) without and D² = v + s² with the noise of a
// measurement. With z = ±(m − bound)/D, + for a bound from below, and r = φ(z)/Φ(z), k = r(z + r):
//
//	mean  m ± (v/D)·r    variance  v − (v/D)²·k    target  m ± D·r/k    variance of the target  D²/k − v
//
// A bound that is far from the prediction has k near 0 and says nothing. One that contradicts it has k near 1 and is an
// exact measurement at the bound.

// observations are points as the surrogate sees them, the exact ones first.
type observations struct {
	order    []int // of the points
	points   []point
	exact    int // the first so many
	x        [][]gp.Counts
	u        []float64 // scores, or bounds, on the transformed scale, without the trend
	variance []float64 // known ones of u
	trend    [][]float64
}

// observe returns points on a scale, without a trend.
func observe(points []point, scale gp.Scale, slopes []float64) (o observations) {
	var bounds []int
	for i, p := range points {
		if p.bound == study.Exact {
			o.order = append(o.order, i)
		} else {
			bounds = append(bounds, i)
		}
	}
	o.exact = len(o.order)
	o.order = append(o.order, bounds...)
	o.points = stats.Pick(points, o.order)
	for _, p := range o.points {
		o.x, o.variance = append(o.x, p.features), append(o.variance, scale.Variance(p.variance))
	}
	o.u = scale.Apply(scores(o.points))
	for i, u := range o.u { // of a bound beside scores that hardly differ
		o.u[i] = min(max(u, -mostTarget), mostTarget)
		if math.IsNaN(u) {
			o.u[i] = 0
		}
	}
	for _, p := range o.points {
		o.trend = append(o.trend, p.trend)
	}
	return o.without(slopes)
}

// mostTarget bounds targets, so that what is computed with them is finite.
const mostTarget = 1e30

// rounds are how often hyperparameters are fitted where there are bounds: what these act like depends on the
// hyperparameters.
const rounds = 2

// fit fits a Mixture of the kernels to the observations, which are of the given structures.
func (o observations) fit(ctx context.Context, kernels []gp.Term, of *gp.Structures) (g *gp.Mixture, slopes []float64, _ error) {
	if o.exact == len(o.x) {
		return of.Fit(ctx, o.u, o.variance)
	}
	spread := o.spread()
	g = gp.NewMixture(kernels, slices.Repeat([]float64{spread / float64(len(kernels))}, len(kernels)), 0.05*spread)
	for range rounds {
		u, variance, err := o.without(slopes).condition(ctx, g, math.NaN())
		if err != nil {
			return nil, nil, err
		}
		for i, t := range o.trend {
			u[i] += along(slopes, t)
		}
		if g, slopes, err = of.Fit(ctx, u, variance); err != nil {
			return nil, nil, err
		}
		g = g.Empty()
	}
	_, _, err := o.without(slopes).condition(ctx, g, math.NaN())
	return g, slopes, err
}

// without returns the observations without a trend.
func (o observations) without(slopes []float64) observations {
	o.u = slices.Clone(o.u)
	for i, t := range o.trend {
		o.u[i] -= along(slopes, t)
	}
	return o
}

// trials returns those of the exact points.
func (o observations) trials() (ids []int) {
	for _, p := range o.points[:o.exact] {
		ids = append(ids, p.trial)
	}
	return ids
}

// spread returns the variance of the scores: of the exact ones, if they differ.
func (o observations) spread() float64 {
	if v := stat.Variance(o.u[:o.exact], nil); v > 0 {
		return v
	}
	return stat.Variance(o.u, nil)
}

// Sweeps over the bounds end when no posterior mean changes by more than a share of the prior's deviation.
const (
	mostSweeps = 10
	settled    = 1e-3
)

// condition adds the points to g, which may hold the first ones of the exact ones, and sets its targets, with the mean
// that Target takes. It returns these and the variances that points were added with.
func (o observations) condition(ctx context.Context, g *gp.Mixture, mean float64) (u, variance []float64, err error) {
	n := g.Len()
	if err := g.Add(o.x[n:o.exact], o.variance[n:o.exact]); err != nil {
		return nil, nil, err
	}
	u, variance = slices.Clone(o.u), slices.Clone(o.variance)
	bounds := len(o.x) - o.exact
	mu, sigma2 := slices.Repeat([]float64{stat.Mean(o.u, nil)}, bounds), slices.Repeat([]float64{g.Prior()}, bounds)
	if o.exact > 0 {
		if err := g.Target(u[:o.exact], mean); err != nil || bounds == 0 {
			return u, variance, err
		}
		mu, sigma2 = g.Predict(o.x[o.exact:])
	}
	before := make([]float64, bounds) // the posterior means
	for sweep := 0; ; sweep++ {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		change := 0.0
		for i := range bounds {
			at := o.exact + i
			target, extra, mean := tilt(mu[i], sigma2[i], g.Noise()+o.variance[at], o.u[at], o.points[at].bound, g.Prior())
			u[at], variance[at] = target, max(0, o.variance[at]+extra) // rounding may leave less than nothing
			change = max(change, math.Abs(mean-before[i]))
			before[i] = mean
		}
		g.Truncate(o.exact)
		if err := g.Add(o.x[o.exact:], variance[o.exact:]); err != nil {
			return nil, nil, err
		}
		if err := g.Target(u, mean); err != nil {
			return nil, nil, fmt.Errorf("bounds: %w", err)
		}
		if sweep > 0 && change <= settled*math.Sqrt(g.Prior()) || sweep == mostSweeps {
			return u, variance, nil
		}
		mu, sigma2 = g.LeaveOneOut()
		mu, sigma2 = mu[o.exact:], sigma2[o.exact:]
		for i := range sigma2 {
			sigma2[i] = max(0, sigma2[i]-g.Noise()-variance[o.exact+i])
		}
	}
}

// weakest bounds the variance of a bound, as a multiple of that of the prior: beyond, it says nothing.
const weakest = 1e6

// tilt returns the measurement that a bound acts like, with a variance beside the noise, and the posterior's mean,
// given the mean and variance that all others predict, the variance of its noise, and the prior's.
func tilt(mu, sigma2, noise, bound float64, direction study.Bound, prior float64) (target, variance, mean float64) {
	sign := float64(direction)
	d := math.Sqrt(sigma2 + noise)
	r, excess := hazard(sign * (mu - bound) / d)
	k := r * excess
	variance = min(d*d*(1-k)/k, weakest*prior)
	target, mean = mu+sign*r/d*(d*d+variance), mu+sign*r/d*sigma2
	if !(math.Abs(target) <= mostTarget && math.Abs(mean) <= mostTarget) { // rounding left nothing of them; written this way, NaN counts, too
		switch {
		case math.IsNaN(mu): // neither do the others
			return bound, weakest * prior, bound
		case sign*(mu-bound) > 0: // as expected: it says nothing
			return mu, weakest * prior, mu
		}
		return bound, 0, bound
	}
	return target, variance, mean
}

// hazard returns r = φ(z)/Φ(z) and z + r, without loss of digits where z is far below 0: there it is a continued fraction,
// −z + 1/(−z + 2/(−z + 3/…)).
func hazard(z float64) (r, excess float64) {
	const far, terms = -5, 40
	if z > far {
		r = math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / (math.Erfc(-z/math.Sqrt2) / 2)
		return r, z + r
	}
	tail := -z
	for i := terms; i > 1; i-- {
		tail = -z + float64(i)/tail
	}
	return -z + 1/tail, 1 / tail
}
