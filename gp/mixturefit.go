package gp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/parallel"
)

// FitMixture returns the Mixture of targets y (n) at structures x (n), each of at least as many groups as the terms
// name, whose weights, noise and parameters of sites maximize the marginal likelihood under weak priors, with the best
// constant mean. variance is as in Add.
//
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause.
func FitMixture(ctx context.Context, terms []Term, x [][]Counts, y, variance []float64) (*Mixture, error) {
	s, err := NewStructures(terms, x, make([][]float64, len(x)))
	if err != nil {
		return nil, err
	}
	m, _, err := s.Fit(ctx, y, variance)
	return m, err
}

// Structures are what Mixtures are fitted to: structures with similarities that all fits share.
type Structures struct {
	Falling bool // slopes of the trend are at most 0; it must not change during a Fit

	terms   []Term
	x       [][]Counts
	trend   [][]float64
	columns [][]float64 // of the trend, each with mean 0
	grams   [][]float64 // of each term (n, n): similarities, in the lower triangle; nil: they depend on parameters
}

// NewStructures returns structures x (n), each of at least as many groups as the terms name, with further numbers of
// each, trend (n, k). The error wraps ErrData.
func NewStructures(terms []Term, x [][]Counts, trend [][]float64) (*Structures, error) {
	n := len(x)
	if n == 0 {
		return nil, fmt.Errorf("gp: %w: no structures", ErrData)
	}
	if len(trend) != n {
		return nil, fmt.Errorf("gp: %w: %d structures, and the trend of %d", ErrData, n, len(trend))
	}
	width := len(trend[0])
	for i, t := range trend {
		if len(t) != width {
			return nil, fmt.Errorf("gp: %w: the trend of structure %d has %d numbers, want %d", ErrData, i, len(t), width)
		}
		if j := unusable(t); j >= 0 {
			return nil, fmt.Errorf("gp: %w: number %d of the trend of structure %d is %g", ErrData, j, i, t[j])
		}
	}
	if err := CheckTerms(terms); err != nil {
		return nil, err
	}
	all := NewMixture(terms, slices.Repeat([]float64{1}, len(terms)), 1)
	if err := all.check(x); err != nil {
		return nil, err
	}
	for _, c := range x {
		all.hold(c, 0)
	}
	s := &Structures{terms: terms, x: x, trend: trend, columns: centred(trend), grams: make([][]float64, len(terms))}
	memory := linalg.Floats(len(terms) * n * n)
	for t := range s.grams {
		if terms[t].Kernel.counts() {
			s.grams[t] = memory[t*n*n : (t+1)*n*n]
		}
	}
	upTo := func(i int) int { return i + 1 }
	all.each(x, upTo, func(i int, compared []sums) {
		for t, gram := range s.grams {
			if gram != nil {
				all.add(t, 1, compared, gram[i*n:i*n+upTo(i)])
			}
		}
	})
	return s, nil
}

// First returns the structures with the first n terms alone. They share the similarities, and Falling is as it was.
func (s *Structures) First(n int) *Structures {
	first := *s
	first.terms, first.grams = s.terms[:n], s.grams[:n]
	return &first
}

// Fit is FitMixture where the mean is linear in the trend:
//
//	y_i = c + Σ_j slopes_j·trend_ij + f(x_i) + noise    slopes_j ~ N(0, var(y))
//
// The Mixture is that of c + f, with the targets y − trend·slopes, where the slopes (k) have their posterior means, at
// most 0 where the trend is Falling. Those of numbers that do not vary are 0. Fit may be called from several
// goroutines.
func (s *Structures) Fit(ctx context.Context, y, variance []float64) (_ *Mixture, slopes []float64, _ error) {
	n, terms, columns := len(s.x), s.terms, s.columns
	if err := checkTargets(n, y, variance); err != nil {
		return nil, nil, err
	}
	all, grams := s.parameters()
	_, deviation := meanDeviation(y)
	scale := max(deviation*deviation, 1e-12)
	var base []float64 // covariance of the trend; nil: there is none
	if len(columns) > 0 {
		base = linalg.Floats(n * n)
	}
	for _, t := range columns {
		blas64.Ger(scale, vector(t), vector(t), general(base, n, n))
	}
	theta := make([]float64, len(terms)+1) // logs of weights and noise, relative to scale
	spread := all.spreads(grams, n)
	for t := range terms {
		theta[t] = math.Log(1 / float64(len(terms)) / spread[t])
	}
	theta[len(terms)] = math.Log(0.05)
	theta = append(theta, all.Sites()...)
	ws := workspace{slab: linalg.Floats(7 * n * n / 2)} // all that an evaluation takes; its pages take longer to get anew than to compute with
	const enough, evaluations = 1e-4, 40                // a decrease of the loss, and how often it is computed
	fit := func(evaluations int) error {
		_, err := lbfgs(ctx, theta, func(theta, grad []float64) (float64, error) {
			return mixtureLoss(&ws, grams, base, all.sites, y, variance, scale, spread, theta, grad)
		}, evaluations, func(before, after float64) bool { return before-after < enough })
		return err
	}
	if err := fit(evaluations); err != nil {
		return nil, nil, fmt.Errorf("gp: fit: %w", err)
	}
	for range sweeps(len(all.sparse)) {
		if err := all.relevances(grams, base, y, variance, scale, theta); err != nil {
			return nil, nil, fmt.Errorf("gp: fit relevances: %w", err)
		}
		if err := fit(sweepEvaluations); err != nil {
			return nil, nil, fmt.Errorf("gp: fit: %w", err)
		}
	}
	weights := make([]float64, len(terms))
	for t := range weights {
		weights[t] = scale * math.Exp(theta[t])
	}
	noise := scale * math.Exp(theta[len(terms)])
	if slices.ContainsFunc(append(weights, noise), func(v float64) bool { return !isVariance(v) }) {
		return nil, nil, fmt.Errorf("gp: fit: %w: weights %g and noise %g", ErrNotPositiveDefinite, weights, noise)
	}
	m := NewMixture(terms, weights, noise)
	if m.sites != nil {
		m.sites.set(theta[len(terms)+1:])
	}
	if err := m.SetRelevances(all.Relevances()); err != nil {
		return nil, nil, err
	}
	if err := m.Add(s.x, variance); err != nil {
		return nil, nil, err
	}
	slopes = m.slopes(columns, y, scale)
	if s.Falling {
		for j := range slopes {
			slopes[j] = min(slopes[j], 0)
		}
	}
	left := slices.Clone(y)
	for i, t := range s.trend {
		left[i] -= dot(slopes, t)
	}
	return m, slopes, m.Target(left, math.NaN())
}

// parameters returns a Mixture for the parameters of sites and of features, which holds nothing else of the structures,
// and the similarities of all terms under them.
func (s *Structures) parameters() (*Mixture, [][]float64) {
	n := len(s.x)
	m, grams := NewMixture(s.terms, slices.Repeat([]float64{1}, len(s.terms)), 1), slices.Clone(s.grams)
	for t, gram := range grams {
		if gram == nil {
			grams[t] = linalg.Floats(n * n)
		}
	}
	for _, c := range s.x {
		m.holdParameters(c)
	}
	for _, f := range m.sparse {
		f.features = 0
		for _, holds := range f.holds {
			f.features += float64(len(holds)) / float64(n)
		}
		f.features = max(f.features, 1)
		f.gram(grams[f.term])
	}
	return m, grams
}

// spreads returns how much the structures (n) differ by each term of a Mixture by sites: 1 less their mean similarity.
// A weight times its spread has the same prior for all terms. Otherwise a sum over many positions would not tell
// structures apart, since two structures share most positions. Without sites each spread is 1.
func (m *Mixture) spreads(grams [][]float64, n int) []float64 {
	const least = 1e-3 // of structures that are all the same
	spread := slices.Repeat([]float64{1}, len(grams))
	if m.sites == nil {
		return spread
	}
	m.sites.grams(grams, n)
	for t, gram := range grams {
		sum := 0.0
		for i := range n {
			sum += 2*floats.Sum(gram[i*n:i*n+i]) + gram[i*n+i]
		}
		spread[t] = max(1-sum/float64(n*n), least)
	}
	return spread
}

// Relevances and hyperparameters are fitted in turn.
const (
	relevanceSweeps  = 8
	sweepEvaluations = 6
)

// sweeps returns how often relevances of so many terms are fitted.
func sweeps(terms int) int { return relevanceSweeps * min(terms, 1) }

// relevances fits the relevances of features, given the logs of weights and noise, and sets the Gram matrices of their
// terms.
func (m *Mixture) relevances(grams [][]float64, base, y, variance []float64, scale float64, theta []float64) error {
	n := len(y)
	k := make([]float64, n*n)
	copy(k, base)
	for g, gram := range grams {
		blas64.Axpy(scale*math.Exp(theta[g]), vector(gram), vector(k))
	}
	addNoise(k, n, scale*math.Exp(theta[len(grams)]), variance)
	if _, err := cholesky(k, n); err != nil {
		return err
	}
	_, w, a, _ := solved(nil, k, y)
	for _, f := range m.sparse {
		f.fit(scale*math.Exp(theta[f.term]), w, a)
		f.gram(grams[f.term])
	}
	return nil
}

// centred returns the columns of a trend (n, k), each with mean 0.
func centred(trend [][]float64) [][]float64 {
	columns := make([][]float64, len(trend[0]))
	for j := range columns {
		columns[j] = make([]float64, len(trend))
		for i, t := range trend {
			columns[j][i] = t[j]
		}
		floats.AddConst(-floats.Sum(columns[j])/float64(len(trend)), columns[j])
	}
	return columns
}

// slopes returns the posterior means of slopes (k) for columns (k, n) of a trend, given targets y (n): by least squares
// of whitened numbers. The prior of a slope is N(0, variance). The model also has a constant with a flat prior.
func (m *Mixture) slopes(columns [][]float64, y []float64, variance float64) []float64 {
	whiten := func(v []float64) []float64 {
		white := make([]float64, m.n)
		blas64.Gemv(blas.NoTrans, 1, m.factor(), vector(v), 0, vector(white))
		return white
	}
	white := [][]float64{whiten(slices.Repeat([]float64{1}, m.n))}
	for _, c := range columns {
		white = append(white, whiten(c))
	}
	k, target := len(white), whiten(y)
	a, b := make([]float64, k*k), make([]float64, k)
	for i := range white {
		for j := range white {
			a[i*k+j] = dot(white[i], white[j])
		}
		if b[i] = dot(white[i], target); i > 0 {
			a[i*k+i] += 1 / variance
		}
	}
	if _, err := cholesky(a, k); err != nil {
		return make([]float64, k-1) // numbers of such a size say nothing
	}
	solveVec(blas.NoTrans, a, b)
	solveVec(blas.Trans, a, b)
	return b[1:]
}

// mixtureLoss returns the negated log marginal likelihood per point, with the best mean and weak priors on the logs of
// the parameters, those of weights times a spread (nil: of 1), and its gradient. base (n, n) is a part of the
// covariance that is known; nil: none is. It sets the Gram matrices of sites; nil: there are none.
func mixtureLoss(ws *workspace, grams [][]float64, base []float64, s *sites, y, variance []float64, scale float64, spread, theta, grad []float64) (float64, error) {
	n := len(y)
	ws.reset()
	k := ws.take(n * n) // its lower triangle, which is all that is read
	for i := range n {
		row := k[i*n : i*n+i+1]
		clear(row[copy(row, base[min(i*n, len(base)):]):])
	}
	if s != nil {
		s.set(slices.Clone(theta[len(grams)+1:]))
		s.grams(grams, n)
	}
	parallel.For(n, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := vector(k[i*n : i*n+i+1])
			for g, gram := range grams {
				blas64.Axpy(scale*math.Exp(theta[g]), vector(gram[i*n:i*n+i+1]), row)
			}
		}
	})
	noise := scale * math.Exp(theta[len(grams)])
	addNoise(k, n, noise, variance)
	if _, err := choleskyIn(ws, k, n); err != nil {
		return 0, err
	}
	nats := 0.0
	for i := range n {
		nats += math.Log(k[i*n+i])
	}
	mean, w, a, dnoise := solved(ws, k, y)
	for i := range n {
		nats += (y[i] - mean) * a[i] / 2
	}
	of := n // columns of w that are read
	for i := range n {
		if s == nil {
			of = i + 1
		}
		blas64.Axpy(-a[i], vector(a[:of]), vector(w[i*n:i*n+of]))
	}
	sums := make([]float64, len(grams)) // over the lower triangle, without half of the diagonal
	parallel.For(len(grams), 3, func(lo, hi int) {
		for i := range n {
			of := w[i*n : i*n+i+1]
			for g := lo; g < hi; g++ {
				row := grams[g][i*n : i*n+i+1]
				sums[g] += dot(row, of) - row[i]*of[i]/2
			}
		}
	})
	for g, sum := range sums {
		grad[g] = sum * scale * math.Exp(theta[g]) / float64(n)
	}
	grad[len(grams)] = dnoise * noise / float64(n)
	if s != nil {
		weights := make([]float64, len(grams))
		for g := range grams {
			weights[g] = scale * math.Exp(theta[g])
		}
		sites := grad[len(grams)+1:]
		s.gradient(w, grams, weights, n, sites)
		floats.Scale(1/float64(n), sites)
	}
	loss := nats / float64(n)
	for i, t := range theta { // N(log .3, 3²) for weights, N(log .01, 2²) for the noise
		centre, deviation := math.Log(0.3), 3.0
		switch {
		case i == len(grams):
			centre, deviation = math.Log(0.01), 2
		case i > len(grams):
			centre, deviation = s.prior(i - len(grams) - 1)
		case spread != nil:
			centre -= math.Log(spread[i])
		}
		d := (t - centre) / deviation
		loss += d * d / 2 / float64(n)
		grad[i] += d / deviation / float64(n)
	}
	return loss, nil
}
