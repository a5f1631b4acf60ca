package evolve

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// beta draws the weight of the standard deviation.
func (s *Searcher) beta(rng *rand.Rand) float64 {
	lo, hi := math.Log(s.opts.Beta[0]), math.Log(s.opts.Beta[1])
	return math.Exp(lo + (hi-lo)*rng.Float64())
}

// acquisition is the upper confidence bound, with its distance from the best known mean shrunk by the chance that the
// string can be scored and keeps the constraints:
//
//	m + (μ + β·σ − m)·p if that is above m, m + (μ + β·σ − m)/p otherwise
//
// If it is sober, β is at most 1 where μ + σ is below m: such a string is hardly better than the best, however little
// is known of it.
//
// If it is sober and the scores have a ceiling, as percentages of inhibition do, μ and σ are those of the smaller of
// the score and the ceiling, and β is at most 0.3: nothing is to be gained beyond it, and much is to be lost by what is
// hardly known.
//
// While no known string keeps the constraints it is that chance alone, and while all scores are equal a random share of it:
// maximizing σ alone would propose the most unusual strings.
type acquisition struct {
	beta   float64
	best   float64    // greatest posterior mean of a known string that keeps the constraints; −Inf if there is none
	random *rand.Rand // where all scores are equal; otherwise nil
	front  *front     // of several objectives, which takes the place of the bound; nil: there is one objective

	widen   float64 // factor of the deviation
	improve bool    // the expected improvement on the best, times the chance, instead of the upper confidence bound
	sober   bool    // Options.Sober
	ceiling float64 // of the scores, which is only looked at by a sober acquisition; +Inf: they have none
	most    float64 // ceiling in units of the scores
	crowd   float64 // how far below it the best tenth of them begins

	doubt *model  // that σ² is of: the surrogate or, in a batch that explores, the novelty
	unit  float64 // of its variances
}

func (a *acquisition) value(mu, sigma2, odds float64) float64 {
	switch {
	case math.IsInf(a.best, -1):
		return odds
	case a.random != nil:
		return odds * a.random.Float64()
	}
	sd := a.widen * math.Sqrt(a.unit*sigma2)
	if a.improve {
		return logImprovement(mu-a.best, sd) + math.Log(odds)
	}
	beta := a.beta
	switch {
	case a.sober && !math.IsInf(a.ceiling, 1):
		beta = min(beta, atCeiling)
		mu, sd = below(a.ceiling, mu, sd)
	case a.sober && mu+sd < a.best:
		beta = min(beta, 1)
	}
	return likely(mu+beta*sd-a.best, odds)
}

// atCeiling is the greatest weight of the deviation where scores have a ceiling.
const atCeiling = 0.3

// below returns the mean and deviation of the smaller of a ceiling and a variable of N(mu, sd²): it lacks sd·(φ(z) +
// z·Φ(z)) of the ceiling on average, with z = (ceiling − mu)/sd.
func below(ceiling, mu, sd float64) (mean, deviation float64) {
	if sd == 0 {
		return min(mu, ceiling), 0
	}
	z := (ceiling - mu) / sd
	density, share := math.Exp(-z*z/2)/math.Sqrt(2*math.Pi), math.Erfc(-z/math.Sqrt2)/2
	lack := sd * (density + z*share)
	squares := sd * sd * ((1+z*z)*share + z*density)
	return ceiling - lack, math.Sqrt(max(0, squares-lack*lack))
}

// ceilingOf returns the greatest score if scores crowd below it, and how far below it they do: the best tenth of them
// take up hardly more than a twentieth of what the others do, but for the worst tenth. +Inf: they do not, or are too few
// to tell.
func ceilingOf(scores []float64) (most, crowd float64) {
	const (
		fewest   = 20
		greatest = 0.06
		least    = 0.01 // where they are equal
	)
	n := len(scores)
	if n < fewest {
		return math.Inf(1), 0
	}
	sorted := slices.Sorted(slices.Values(scores))
	low, high := sorted[n/10], sorted[n-1-n/10]
	most = sorted[n-1]
	if low < high && most-high <= greatest*(high-low) {
		return most, max(most-high, least*(high-low))
	}
	return math.Inf(1), 0
}

// likely returns a gain that is to be had with a chance: less of it or, if it is a loss, more.
func likely(gain, odds float64) float64 {
	if gain > 0 {
		return gain * odds
	}
	return gain / odds
}

// values returns the acquisition of one objective at strings with these odds, which the surrogate describes by mu and
// sigma2.
func (a *acquisition) values(mu, sigma2, odds []float64) []float64 {
	values := make([]float64, len(odds))
	for i := range values {
		values[i] = a.value(mu[i], sigma2[i], odds[i])
	}
	return values
}

// frontValues is values for several objectives, with the values μ + β·σ of each.
func (a *acquisition) frontValues(bounds [][]float64, odds []float64) []float64 {
	values := make([]float64, len(odds))
	for i := range values {
		values[i] = likely(a.front.value(bounds[i]), odds[i])
	}
	return values
}

// logImprovement returns the logarithm of E max(0, g) for g of N(gain, sd²), which is sd·(φ(z) + z·Φ(z)) with z =
// gain/sd. Below 0 that is sd·φ(z)·(z + r)/r with the hazard r = φ(z)/Φ(z), which loses no digits.
func logImprovement(gain, sd float64) float64 {
	const least = 1e-12 // a string that is known exactly still has an order among others
	sd = max(sd, least)
	z := gain / sd
	logDensity := -z*z/2 - math.Log(2*math.Pi)/2
	if z > 0 {
		return math.Log(sd) + math.Log(math.Exp(logDensity)+z*math.Erfc(-z/math.Sqrt2)/2)
	}
	r, excess := hazard(z)
	return math.Log(sd) + logDensity + math.Log(excess/r)
}

// judge returns the acquisition at strings, which a cache remembers, and whether each is of the space and feasible.
func (s *Searcher) judge(a *acquisition, children []Child, in *cache) (values []float64, ok []bool) {
	defer since(&s.timing.judge, time.Now())
	values, ok = make([]float64, len(children)), make([]bool, len(children))
	var at []int
	var good []*Description
	for i, d := range s.reader.describe(children, in) {
		if ok[i] = d != nil && !d.Infeasible; ok[i] {
			at, good = append(at, i), append(good, d)
		}
	}
	var judged []float64
	if a.front != nil {
		judged = a.frontValues(a.front.predict(good, a.beta), s.odds(good))
	} else {
		mu, sigma2 := s.model.predict(good)
		if a.doubt != &s.model {
			_, sigma2 = a.doubt.predict(good)
		}
		judged = a.values(mu, sigma2, s.odds(good))
	}
	for k, i := range at {
		values[i] = judged[k]
	}
	return values, ok
}

// candidates returns the children that are of the space and feasible, of a record, with their acquisition. It adds
// their number to made.
func (s *Searcher) candidates(a *acquisition, children []Child, in *cache, op int, made []int) []candidate {
	var all []candidate
	values, ok := s.judge(a, children, in)
	for i, c := range children {
		if ok[i] {
			all = append(all, candidate{x: c.X, op: op, value: values[i]})
			made[op]++
		}
	}
	return all
}
