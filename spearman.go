package invbo

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Spearman returns the rank correlation of a and b, ties sharing their mean rank; NaN where there are
// fewer than three pairs, or all of one side are equal.
func Spearman(a, b []float64) float64 {
	if len(a) < 3 {
		return math.NaN()
	}
	return stat.Correlation(ranks(a), ranks(b), nil)
}

// ranks returns each value's rank from 0, ties sharing their mean rank.
func ranks(v []float64) []float64 {
	order := best(v, len(v))
	rank := make([]float64, len(v))
	for lo := 0; lo < len(order); {
		hi := lo + 1
		for hi < len(order) && v[order[hi]] == v[order[lo]] {
			hi++
		}
		for _, i := range order[lo:hi] {
			rank[i] = float64(lo+hi-1) / 2
		}
		lo = hi
	}
	return rank
}
