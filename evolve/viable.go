package evolve

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// What tells which strings can be scored by their likeness to others.
const (
	fewViable  = 3     // strings that were scored, and as many that failed
	mostViable = 1_000 // the latest trials

	viableVariance = 0.04 // of 0 and 1, which the surrogate would meet exactly otherwise, certain of all between them
)

// viable predicts which strings can be scored, for Space.Kin: a scored string has 1, a failed one 0, and one half is
// between them. It also learns what Searcher.chance cannot: that letters fail together, or that too many changes do.
type viable struct {
	model model // of what differs from the mean

	// tolerance are the coefficients of the mean, a logistic regression on Description.Trend, the constant first. A
	// line would not do: where three mutations break a third of the proteins, one breaks none, and five break nearly
	// all.
	tolerance []float64
}

func (s *Searcher) newViable() *viable {
	v := &viable{model: s.surrogate()}
	v.model.given = new(gp.Standardise)
	return v
}

// fitViable fits it to the trials.
func (s *Searcher) fitViable(ctx context.Context) error {
	if s.viable == nil {
		return nil
	}
	trials := s.trials[max(0, len(s.trials)-mostViable):]
	xs := make([]string, len(trials))
	for i := range trials {
		xs[i] = trials[i].Input
	}
	s.caution = s.cautious()
	var points []point
	var trends [][]float64
	failed := 0
	for i, d := range s.reader.read(xs) {
		t := &trials[i]
		p := point{trial: t.ID, x: t.Input, variance: viableVariance, batch: t.Batch}
		switch {
		case d == nil:
			continue
		case t.State == study.Scored:
			p.y = 1
		case t.State == study.Failed && !t.Struck():
			failed++
		default:
			continue
		}
		points, trends = append(points, p), append(trends, d.Trend)
	}
	if min(failed, len(points)-failed) < fewViable {
		s.viable.model.forget()
		return nil
	}
	s.viable.tolerance = logistic(trends, scores(points))
	for i := range points {
		points[i].y -= s.viable.mean(trends[i])
	}
	older := len(s.trials) - len(trials) // they count as observed, so that hyperparameters are chosen again as the search goes on
	if err := s.viable.model.fit(ctx, points, older+len(points)); err != nil {
		return fmt.Errorf("which strings can be scored: %w", err)
	}
	return nil
}

// mean returns the share of strings with a trend that can be scored.
func (v *viable) mean(trend []float64) float64 {
	return 1 / (1 + math.Exp(-v.tolerance[0]-along(v.tolerance[1:], trend)))
}

// chances returns the probability of each string to be scored; nil: nothing is known of it.
func (v *viable) chances(described []*Description) []float64 {
	if v.model.Weights == nil {
		return nil
	}
	chances := make([]float64, len(described))
	mu, sigma2 := v.model.predict(described)
	for i, d := range described {
		chances[i] = v.chance(v.mean(d.Trend), mu[i], sigma2[i])
	}
	return chances
}

// chance returns the probability to be scored of a string with a mean, and the posterior mean and variance of what the
// string differs from it by.
func (v *viable) chance(mean, mu, sigma2 float64) float64 {
	m := &v.model
	difference, sd := m.scale.Inverse(mu, math.Sqrt(sigma2+m.Noise+m.measurement()))
	return max(math.Erfc((0.5-mean-difference)/sd/math.Sqrt2)/2, leastOdds)
}

// logistic returns the coefficients of a logistic regression of y, which are 0 or 1, on x, the constant first: those
// with the greatest posterior density (Newton's method). Their priors are normal; by that of slopes, a step of 1 in x
// changes odds by hardly more than a factor of 20.
func logistic(x [][]float64, y []float64) []float64 {
	const (
		iterations       = 25
		constantVariance = 25
		slopeVariance    = 1
		longest          = 2 // of a step, which may overshoot where y is separated by x
	)
	n := len(x[0]) + 1
	coefficients := make([]float64, n)
	for range iterations {
		gradient, curvature := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
		for j, c := range coefficients {
			variance := float64(slopeVariance)
			if j == 0 {
				variance = constantVariance
			}
			gradient.SetVec(j, -c/variance)
			curvature.SetSym(j, j, 1/variance)
		}
		for i := range x {
			row := append([]float64{1}, x[i]...)
			p := 1 / (1 + math.Exp(-along(coefficients, row)))
			for j := range row {
				gradient.SetVec(j, gradient.AtVec(j)+(y[i]-p)*row[j])
				for k := j; k < n; k++ {
					curvature.SetSym(j, k, curvature.At(j, k)+p*(1-p)*row[j]*row[k])
				}
			}
		}
		var factor mat.Cholesky
		var step mat.VecDense
		if !factor.Factorize(curvature) || factor.SolveVecTo(&step, gradient) != nil {
			break
		}
		shrink := longest / max(longest, mat.Norm(&step, math.Inf(1)))
		for j := range coefficients {
			coefficients[j] += shrink * step.AtVec(j)
		}
	}
	return coefficients
}

// cautious returns how many times more the chance that a string can be scored counts: once, doubled for each of the
// latest batches that failed for the most part, as the surrogate thought too well of their strings.
func (s *Searcher) cautious() float64 {
	const most = 32
	caution := 1.
	for i := len(s.trials) - 1; i >= 0 && caution < most; {
		batch, failed, scored := s.trials[i].Batch, 0, 0
		for ; i >= 0 && s.trials[i].Batch == batch; i-- {
			switch t := &s.trials[i]; {
			case t.Kind != study.Acquired || t.Struck():
			case t.State == study.Failed:
				failed++
			case t.State == study.Scored:
				scored++
			}
		}
		switch {
		case failed+scored == 0: // they were given
			continue
		case failed <= scored:
			return caution
		}
		caution *= 2
	}
	return caution
}

// hedge is what would be known of candidates for a batch if the strings that were picked could not be scored: each one
// is picked for the case in which those before it fail. Otherwise all of a batch would share what makes one fail.
type hedge struct {
	viable   *viable
	block    *gp.Block
	measured int       // points of its Mixture that stay
	means    []float64 // of the candidates
	chances  []float64
	times    float64 // that a chance counts in odds
}

// hedge returns nil if nothing is known about which strings can be scored.
func (s *Searcher) hedge(candidates []*Description) *hedge {
	if s.viable == nil || s.viable.model.Weights == nil {
		return nil
	}
	h := &hedge{viable: s.viable, block: s.viable.model.block(candidates), measured: s.viable.model.gp.Len(), times: s.cautions()}
	for _, d := range candidates {
		h.means = append(h.means, s.viable.mean(d.Trend))
	}
	h.chances = h.now()
	return h
}

func (h *hedge) now() []float64 {
	chances := make([]float64, len(h.means))
	for i, mean := range h.means {
		chances[i] = h.viable.chance(mean, h.block.Mean[i], h.block.Variance[i])
	}
	return chances
}

// fail lowers the odds of candidates as if the one at an index could not be scored.
func (h *hedge) fail(at int, odds []float64) {
	m := &h.viable.model
	h.block.Suppose(at, m.scale.Apply([]float64{-h.means[at]})[0], m.measurement())
	for i, p := range h.now() {
		odds[i] *= math.Pow(p/h.chances[i], h.times)
		h.chances[i] = p
	}
}

// release takes the strings that were picked off the surrogate again.
func (h *hedge) release() {
	if h != nil {
		h.viable.model.gp.Truncate(h.measured)
	}
}
