package molecule

import (
	"maps"
	"slices"
)

// Counts is a sparse fingerprint: the ids of a molecule's features, and how often each occurs. A binary fingerprint has
// counts of 1.
type Counts struct {
	IDs []uint64 // ascending, distinct
	N   []uint32 // how often; at least 1
}

// Total returns the sum of the counts.
func (c Counts) Total() int {
	total := 0
	for _, n := range c.N {
		total += int(n)
	}
	return total
}

// Fold returns the fingerprint with ids taken modulo bins; the counts of colliding features are added. ECFP(3).Fold(2048) is
// RDKit's hashed fingerprint.
func (c Counts) Fold(bins int) Counts {
	sums := map[uint64]uint32{}
	for i, id := range c.IDs {
		sums[id%uint64(bins)] += c.N[i]
	}
	var folded Counts
	for _, id := range slices.Sorted(maps.Keys(sums)) {
		folded.IDs, folded.N = append(folded.IDs, id), append(folded.N, sums[id])
	}
	return folded
}

// Tanimoto returns the similarity of a and b, in [0, 1]:
//
//	Σ min(aᵢ, bᵢ) / (Σaᵢ + Σbᵢ − Σ min(aᵢ, bᵢ))
//
// It is 0 if both are empty, as in RDKit.
func Tanimoto(a, b Counts) float64 {
	common := 0
	for i, j := 0, 0; i < len(a.IDs) && j < len(b.IDs); {
		switch {
		case a.IDs[i] < b.IDs[j]:
			i++
		case a.IDs[i] > b.IDs[j]:
			j++
		default:
			common += int(min(a.N[i], b.N[j]))
			i++
			j++
		}
	}
	all := a.Total() + b.Total() - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// Index finds the greatest similarity to many fingerprints without a look at those that have nothing in common with one.
type Index struct {
	having map[uint64][]posting // by feature
	totals []int
}

// posting is a fingerprint with a feature, and how often it has that.
type posting struct {
	at int32
	n  uint32
}

// NewIndex returns the index of fingerprints.
func NewIndex(all []Counts) *Index {
	x := &Index{having: map[uint64][]posting{}}
	for _, c := range all {
		x.Add(c)
	}
	return x
}

// Add adds a fingerprint. Nothing else may be called meanwhile.
func (x *Index) Add(c Counts) {
	for i, id := range c.IDs {
		x.having[id] = append(x.having[id], posting{int32(len(x.totals)), c.N[i]})
	}
	x.totals = append(x.totals, c.Total())
}

// Nearest returns the greatest Tanimoto similarity of c to one of the fingerprints; 0 if there are none. It may be
// called from several goroutines.
func (x *Index) Nearest(c Counts) (most float64) {
	common := make([]int32, len(x.totals))
	for i, id := range c.IDs {
		for _, p := range x.having[id] {
			common[p.at] += int32(min(p.n, c.N[i]))
		}
	}
	total := c.Total()
	for at, n := range common {
		if n > 0 {
			most = max(most, float64(n)/float64(total+x.totals[at]-int(n)))
		}
	}
	return most
}
