// Package stats holds small functions of slices that several packages share: order statistics, distances, counts.
package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// ArgMax returns the index of the greatest value, the first among equals; 0 if v is empty or begins with NaN.
func ArgMax[T cmp.Ordered](v []T) int {
	best := 0
	for i, x := range v {
		if x > v[best] {
			best = i
		}
	}
	return best
}

// Indices returns 0 to n−1.
func Indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Rows returns flat (n, d) as n rows that share its memory.
func Rows(flat []float64, n, d int) [][]float64 {
	x := make([][]float64, n)
	for i := range x {
		x[i] = flat[i*d : (i+1)*d : (i+1)*d]
	}
	return x
}

// TopK returns the indices of the k greatest values, greatest first and earlier ones first among equals; all of them if
// there are fewer than k. NaN counts as less than any number.
func TopK(v []float64, k int) []int {
	order := Indices(len(v))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[b], v[a]) })
	return order[:min(k, len(order))]
}

// Pick returns the values at some places; nil if v is.
func Pick[T any](v []T, at []int) []T {
	if v == nil {
		return nil
	}
	some := make([]T, len(at))
	for k, i := range at {
		some[k] = v[i]
	}
	return some
}

// Ranks returns the rank of each value, 0 for the greatest. Ties share their mean rank.
func Ranks(v []float64) []float64 {
	order := TopK(v, len(v))
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

// Spearman returns the rank correlation of a and b, from -1 to 1. It is NaN for fewer than three pairs, or if all
// values of a or of b are equal.
func Spearman(a, b []float64) float64 {
	if len(a) < 3 {
		return math.NaN()
	}
	return stat.Correlation(Ranks(a), Ranks(b), nil)
}

// Hamming returns the number of positions where strings of one length differ.
func Hamming(a, b string) (n int) {
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// Levenshtein returns the least number of insertions, deletions and substitutions that turn a into b, divided by the longer
// length: 0 for equal sequences, 1 for sequences without a common element.
func Levenshtein[T comparable](a, b []T) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 0
	}
	longer := float64(max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] { // what both begin and end with costs nothing
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	row := make([]int, len(b)+1) // distances from a prefix of a to every prefix of b
	for j := range row {
		row[j] = j
	}
	for i, t := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, u := range b {
			cost := diagonal
			if t != u {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return float64(row[len(b)]) / longer
}

// Median returns the median of v, the upper one of an even number, without changing v; NaN if v is empty.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return slices.Sorted(slices.Values(v))[len(v)/2]
}

// RobustDeviation returns the median distance from the median of those values that have any, scaled to the deviation of
// a normal distribution; 0 if all values are equal.
func RobustDeviation(v []float64) float64 {
	median := Median(v)
	var distances []float64
	for _, x := range v {
		if x != median {
			distances = append(distances, math.Abs(x-median))
		}
	}
	if len(distances) == 0 {
		return 0
	}
	return 1.4826 * Median(distances)
}

// MeanStdErr returns the mean of v and its standard error; the error is NaN for fewer than two values.
func MeanStdErr(v []float64) (mean, stdErr float64) {
	mean, variance := stat.MeanVariance(v, nil)
	return mean, math.Sqrt(variance / float64(len(v)))
}

// Evenly returns n elements of v, at equal distances and the first among them; v itself if it has no more.
func Evenly[T any](v []T, n int) []T {
	if len(v) <= n {
		return v
	}
	some := make([]T, n)
	for i := range some {
		some[i] = v[i*len(v)/n]
	}
	return some
}

// Count returns how many elements of v a predicate holds for.
func Count[T any](v []T, is func(T) bool) (n int) {
	for _, x := range v {
		if is(x) {
			n++
		}
	}
	return n
}

// Map returns f of each element of v.
func Map[T, U any](v []T, f func(T) U) []U {
	all := make([]U, len(v))
	for i, x := range v {
		all[i] = f(x)
	}
	return all
}
