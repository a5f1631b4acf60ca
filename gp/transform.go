package gp

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/internal/stats"
)

// Transform selects the scale on which a surrogate models the scores. All transforms are increasing: larger is better.
type Transform uint8

const (
	Raw         Transform = iota // y itself, as in the paper's code
	Standardise                  // (y − mean)/deviation
	LogRanks                     // 1 − log(rank)/log(n), rank 1 the best, standardised
	Log                          // log(y − the least + a twentieth of the range), standardised
	Sqrt                         // √(y − the least + a hundredth of the range), standardised
	LogDistance                  // −log(−y) of scores that are all below 0, standardised; others are standardised as they are
)

// String returns the name of the transform, in lower case.
func (t Transform) String() string {
	if !t.Valid() {
		return fmt.Sprintf("transform(%d)", uint8(t))
	}
	return [...]string{Raw: "raw", Standardise: "standardise", LogRanks: "logrank", Log: "log", Sqrt: "sqrt", LogDistance: "logdistance"}[t]
}

// Valid reports whether there is such a transform.
func (t Transform) Valid() bool { return t <= LogDistance }

// Apply returns the transformed scores (n) of y (n), which must not contain NaN.
func (t Transform) Apply(y []float64) []float64 { return t.Fit(y).Apply(y) }

// Fit returns the transform of the scores y (n), which must not contain NaN.
//
// Standardise divides by the sample deviation (n − 1). If that is 0, as for equal scores or a single one, all
// transformed scores are 0.
//
// LogRanks keeps only the order of the scores, with most resolution among the best. Ties share the mean of their ranks.
// Use it where most scores are equal, or where scores differ by more orders of magnitude than Log resolves.
//
// Log is for scores that are products, or whose good values are rare: it resolves a factor of twenty. Sqrt is between
// Standardise and Log.
//
// LogDistance is for positive quantities that are minimised and compared by their ratio, such as concentrations: y is
// their negative.
func (t Transform) Fit(y []float64) Scale {
	if t == Raw {
		return Scale{deviation: 1, raw: true}
	}
	s := Scale{}
	s.mean, s.deviation = meanDeviation(y)
	if s.deviation > 0 {
		s.y = distinct(y)
		least, most := s.y[0], s.y[len(s.y)-1]
		extent := most - least
		switch {
		case t == Log:
			const offset = 1. / 20
			s.origin = least - extent*offset
			s.unit = s.spread(y, func(v float64) float64 { return math.Log((v-least)/extent + offset) })
		case t == Sqrt:
			const offset = 1. / 100
			s.origin, s.root = least-extent*offset, math.Sqrt(extent)
			s.unit = s.spread(y, func(v float64) float64 { return math.Sqrt((v-least)/extent + offset) })
		case t == LogDistance && most < 0 && math.Log(least/most) > 1e-9: // or logarithms hardly differ
			s.unit = -s.spread(y, func(v float64) float64 { return -math.Log(-v) })
		default:
			s.y = nil
		}
	}
	if t == LogRanks {
		u := Standardise.Apply(logRank(y))
		s.y, s.u = distinct(y), distinct(u)
	}
	for i, v := range s.u { // scores that differ by rounding may have one logarithm
		if n := len(s.from); n == 0 || v > s.from[n-1] {
			s.from, s.to = append(s.from, v), append(s.to, s.y[i])
		}
	}
	return s
}

// spread sets u to the standardised values of a function at s.y, and returns the deviation that it has at y.
func (s *Scale) spread(y []float64, of func(v float64) float64) float64 {
	u := make([]float64, len(y))
	for i, v := range y {
		u[i] = of(v)
	}
	mean, deviation := meanDeviation(u)
	for _, v := range s.y {
		s.u = append(s.u, (of(v)-mean)/deviation)
	}
	return deviation
}

// Scale is a Transform fitted to scores. It converts scores to the surrogate's units, and predictions back.
type Scale struct {
	mean, deviation float64   // of the scores; 0 and 1 for Raw
	y, u            []float64 // ascending: distinct scores, and their transformed values; not of Raw and Standardise
	from, to        []float64 // strictly ascending: u and y, for the way back
	origin, unit    float64   // of Log: its value at y is log(y − origin)/unit, up to a constant; of LogDistance, log(−y)/unit, and unit is below 0
	root            float64   // of Sqrt, above 0: its value is √(y − origin)/(root·unit)
	raw             bool      // the transform is Raw
}

// Apply returns the transformed values (n) of scores y (n). Where the transform is LogRanks, Log or Sqrt, scores other
// than those it was fitted to are interpolated, as in Inverse.
func (s Scale) Apply(y []float64) []float64 {
	u := make([]float64, len(y))
	for i, v := range y {
		switch {
		case s.y != nil:
			u[i] = interpolate(s.y, s.u, v)
		case s.deviation > 0:
			u[i] = (v - s.mean) / s.deviation
		}
	}
	return u
}

// Inverse returns the mean and standard deviation, in units of the scores, of a prediction with mean mu and standard
// deviation sd on the transformed scale.
//
// They are exact for Raw and Standardise. For the others, the mean is the value at mu of a function f, and the
// deviation is ½(f(mu + sd) − f(mu − sd)), which is above 0 if sd is; f(mu + sd) counts at most as the best score and
// the range of the scores, or as the mean. Between the scores that the transform was fitted to, f is piecewise linear.
// Beyond the best score it is the inverse of Log, Sqrt and LogDistance, less far beyond than the worst is below the
// best on the transformed scale; predictions that come near to that keep their order. f of LogRanks continues its last
// segment there, by at most the range of the scores, and so do all beyond the worst.
func (s Scale) Inverse(mu, sd float64) (mean, deviation float64) {
	if s.y == nil {
		return s.mean + mu*s.deviation, sd * s.deviation
	}
	n := len(s.from)
	if n < 2 {
		return s.to[0], 0
	}
	at, reach := mu, s.to[n-1]-s.to[0] // where f ends: further out it is constant, and its deviation would be 0
	at = max(at, s.from[0]-reach*(s.from[1]-s.from[0])/(s.to[1]-s.to[0]))
	if s.unit != 0 {
		at = s.from[n-1] + slowed(at-s.from[n-1], s.from[n-1]-s.from[0])
	} else {
		at = min(at, s.from[n-1]+reach*(s.from[n-1]-s.from[n-2])/(s.to[n-1]-s.to[n-2]))
	}
	mean = s.back(at)
	above := min(s.back(at+sd), max(mean, s.to[n-1]+reach))
	return mean, (above - s.back(at-sd)) / 2
}

// slowed returns a distance that is less than reach: the last part of it is covered ever more slowly.
func slowed(distance, reach float64) float64 {
	const last = 0.15
	if left := last * reach; distance > reach-left {
		return reach - left*math.Exp((reach-left-distance)/left)
	}
	return distance
}

// Within returns the score at u on the transformed scale as Inverse does, but beyond the best score all transforms
// continue the last segment, by at most the range of the scores.
func (s Scale) Within(u float64) float64 {
	if s.y == nil {
		return s.mean + u*s.deviation
	}
	return interpolate(s.from, s.to, u)
}

// back is f of Inverse.
func (s Scale) back(u float64) float64 {
	n := len(s.from)
	if s.unit == 0 || u <= s.from[n-1] {
		return interpolate(s.from, s.to, u)
	}
	beyond := min(u-s.from[n-1], 2*(s.from[n-1]-s.from[0])) * s.unit
	best := s.to[n-1] - s.origin
	if s.root > 0 {
		v := math.Sqrt(best)/s.root + beyond
		return s.origin + v*v*s.root*s.root
	}
	return s.origin + best*math.Exp(beyond)
}

// Variance returns the variance on the transformed scale of a measurement with variance v in squared units of the
// scores; 0 if the scores have no deviation. It is exact for Raw and Standardise. For the others, which have variance 1,
// it is v as a share of the variance of the scores.
//
// A measurement whose variance is a million times that of the scores, or 10⁹⁰ with Raw, says nothing, and one with a
// greater variance not less: greater ones are returned as that, so that no standard error is too large to compute with.
func (s Scale) Variance(v float64) float64 {
	const nothing, nothingRaw = 1e6, 1e90
	switch {
	case s.deviation == 0:
		return 0
	case s.raw:
		return min(v, nothingRaw)
	}
	return min(v/s.deviation/s.deviation, nothing)
}

// LogSlope returns the logarithm of the transform's derivative at a score y, by which densities on different scales can
// be compared. LogRanks has none: it is NaN.
func (s Scale) LogSlope(y float64) float64 {
	switch {
	case s.root > 0:
		return -math.Log(2 * math.Sqrt(y-s.origin) * s.root * s.unit)
	case s.unit != 0:
		return -math.Log((y - s.origin) * s.unit)
	case s.y != nil:
		return math.NaN()
	}
	return -math.Log(s.deviation)
}

// distinct returns the distinct values of v, ascending.
func distinct(v []float64) []float64 { return slices.Compact(slices.Sorted(slices.Values(v))) }

// interpolate returns the piecewise linear function through (from, to) at v. from is strictly ascending, and to does
// not descend. Outside it continues the last segment, by at most the range of to.
func interpolate(from, to []float64, v float64) float64 {
	last := len(to) - 1
	i, found := slices.BinarySearch(from, v)
	if found || last < 1 {
		return to[min(i, last)]
	}
	i = min(max(i, 1), last)
	w := to[i-1] + (v-from[i-1])/(from[i]-from[i-1])*(to[i]-to[i-1])
	reach := to[last] - to[0]
	return min(max(w, to[0]-reach), to[last]+reach)
}

// meanDeviation returns the mean and the sample deviation of y; no deviation for equal values, whose mean may be
// rounded.
func meanDeviation(y []float64) (mean, deviation float64) {
	if len(y) == 0 {
		return 0, 0
	}
	const tiny = 1e-150 // a range whose square loses digits or underflows
	least := slices.Min(y)
	extent := slices.Max(y) - least
	switch {
	case extent == 0:
		return y[0], 0
	case extent > tiny:
		return stat.MeanStdDev(y, nil)
	}
	u := make([]float64, len(y))
	for i, v := range y {
		u[i] = (v - least) / extent
	}
	mean, deviation = stat.MeanStdDev(u, nil)
	return least + mean*extent, max(deviation*extent, math.SmallestNonzeroFloat64)
}

// logRank returns 1 − log(rank)/log(n) of each of n scores, and 1 for n = 1.
func logRank(y []float64) []float64 {
	s := slices.Repeat([]float64{1}, len(y))
	if len(y) > 1 {
		for i, before := range stats.Ranks(y) {
			s[i] -= math.Log(before+1) / math.Log(float64(len(y)))
		}
	}
	return s
}
