package gp

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
)

// Transform says what a surrogate sees of the scores. All keep the order: larger is better.
type Transform uint8

const (
	Raw         Transform = iota // y itself, as in the paper's code
	Standardise                  // (y − mean)/deviation
	LogRank                      // 1 − log(rank)/log(n), where rank 1 is the best
)

// String returns the name of the transform, in lower case.
func (t Transform) String() string {
	switch t {
	case Raw:
		return "raw"
	case Standardise:
		return "standardise"
	case LogRank:
		return "logrank"
	}
	return fmt.Sprintf("Transform(%d)", uint8(t))
}

// Apply returns the transformed scores; y (n), which has no NaN, is unchanged.
//
// Standardise divides by the sample's deviation (n − 1), and gives zeros where that is 0 or n is 1.
// LogRank gives 1 to the best and 0 to the worst of n; ties share the mean of their ranks, so that
// scores that are all equal, or one alone, are all the same number: 1 for n = 1.
// LogRank keeps nothing but the order, and looks closest at the best: it tells a GP something even where
// almost all scores are 0 and the others are 10⁻³⁶.
func (t Transform) Apply(y []float64) []float64 {
	switch t {
	case Standardise:
		return standardise(y)
	case LogRank:
		return logRank(y)
	}
	return append([]float64(nil), y...)
}

func standardise(y []float64) []float64 {
	s := make([]float64, len(y))
	if len(y) == 0 || slices.Min(y) == slices.Max(y) { // rounding of the mean could give a deviation of 10⁻¹⁷
		return s
	}
	mean, deviation := stat.MeanStdDev(y, nil)
	if deviation == 0 { // squares of less than 10⁻¹⁶² are 0
		return s
	}
	for i, v := range y {
		s[i] = (v - mean) / deviation
	}
	return s
}

func logRank(y []float64) []float64 {
	n := len(y)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return y[order[i]] > y[order[j]] })
	s := make([]float64, n)
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && y[order[hi]] == y[order[lo]] {
			hi++
		}
		rank := float64(lo+1+hi) / 2 // the mean of lo+1 … hi
		for _, i := range order[lo:hi] {
			s[i] = 1
			if n > 1 {
				s[i] -= math.Log(rank) / math.Log(float64(n))
			}
		}
		lo = hi
	}
	return s
}
