package gp

import (
	"fmt"
	"iter"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/internal/parallel"
)

// Relevances are the parameters of a term with the kernel Sparse: how much each feature may contribute. FitMixture fits
// them to the data.
type Relevances struct {
	Features float64   // of a structure, on average over those that the term was fitted to
	IDs      []uint64  // of the features that those have
	V        []float64 // (len(IDs)): their relevances; those of others are the mean
}

// sparse are the features of points under a term with the kernel Sparse,
//
//	k(a, b) = Σ_f v_f·[f ∈ a]·[f ∈ b] / F
//
// for the linear model f(a) = Σ_f θ_f·[f ∈ a] with θ_f ~ N(0, w·v_f/F), where w is the term's weight and F the number
// of features. The second occurrence of a feature is a feature of its own, and so on to the eighth.
//
// The relevances v make that a Student distribution of the θ_f with few degrees of freedom ν, a prior that most
// features contribute hardly anything, and a few much (Tipping 2001, "Sparse Bayesian learning and the relevance vector
// machine"): in the variational approximation, v_f = (ν + E[θ_f²]·F/w)/(ν + 1), with θ_f of the posterior.
type sparse struct {
	term, group int
	features    float64 // F
	at          map[uint64]int
	rest        float64 // relevance of features that were in no point when the others were fitted
	ids         []uint64
	v           []float64
	fitted      int       // the first so many of v are
	points      [][]int32 // that have a feature, ascending
	holds       [][]int   // features of each point
}

// freedom is ν.
const freedom = 1

// newSparse returns those of terms.
func newSparse(terms []Term) (all []*sparse) {
	for t, term := range terms {
		if term.Kernel == Sparse {
			all = append(all, &sparse{term: t, group: term.Groups[0], features: 1, rest: 1, at: map[uint64]int{}})
		}
	}
	return all
}

// occurrences is how many of a feature are told apart.
const occurrences = 8

// occurrence returns the number of the nth occurrence of a feature, from 0.
func occurrence(id uint64, n uint32) uint64 { return id + uint64(n)*0x9e3779b97f4a7c15 }

// each yields the features of a structure.
func each(c Counts) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for k, id := range c.IDs {
			for n := range min(c.N[k], occurrences) {
				if !yield(occurrence(id, n)) {
					return
				}
			}
		}
	}
}

// index returns the number of a feature, which it gives one that is new.
func (s *sparse) index(id uint64) int {
	f, ok := s.at[id]
	if !ok {
		f = len(s.ids)
		s.at[id] = f
		s.ids, s.v, s.points = append(s.ids, id), append(s.v, s.rest), append(s.points, nil)
	}
	return f
}

// add appends a point.
func (s *sparse) add(c Counts) {
	j := int32(len(s.holds))
	var holds []int
	for id := range each(c) {
		f := s.index(id)
		holds = append(holds, f)
		s.points[f] = append(s.points[f], j)
	}
	s.holds = append(s.holds, holds)
}

// truncate takes off all points after the first n.
func (s *sparse) truncate(n int) {
	for j := len(s.holds) - 1; j >= n; j-- {
		for _, f := range s.holds[j] {
			s.points[f] = s.points[f][:len(s.points[f])-1]
		}
	}
	s.holds = s.holds[:n]
}

// variance returns the prior variance of a structure, for a weight of 1.
func (s *sparse) variance(c Counts) float64 {
	var sum float64
	for id := range each(c) {
		sum += s.relevance(id)
	}
	return sum / s.features
}

// relevance returns that of a feature.
func (s *sparse) relevance(id uint64) float64 {
	if f, ok := s.at[id]; ok {
		return s.v[f]
	}
	return s.rest
}

// covariances adds w times the similarities of a structure with the first len(row) points to row.
func (s *sparse) covariances(c Counts, w float64, row []float64) {
	for id := range each(c) {
		f, ok := s.at[id]
		if !ok {
			continue
		}
		v := w * s.v[f] / s.features
		for _, j := range s.points[f] {
			row[j] += v
		}
	}
}

// between returns the similarity of two structures.
func (s *sparse) between(a, b Counts) float64 {
	var sum float64
	for i, j := 0, 0; i < len(a.IDs) && j < len(b.IDs); {
		switch {
		case a.IDs[i] < b.IDs[j]:
			i++
		case a.IDs[i] > b.IDs[j]:
			j++
		default:
			for n := range min(a.N[i], b.N[j], occurrences) {
				sum += s.relevance(occurrence(a.IDs[i], n))
			}
			i++
			j++
		}
	}
	return sum / s.features
}

// gram sets the Gram matrix (n, n) of all points.
func (s *sparse) gram(gram []float64) {
	n := len(s.holds)
	parallel.For(n, 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := gram[i*n : (i+1)*n]
			clear(row)
			for _, f := range s.holds[i] {
				v := s.v[f] / s.features
				for _, j := range s.points[f] {
					row[j] += v
				}
			}
		}
	})
}

// fit sets the relevances, given those so far, the term's weight, the inverse of the covariance of the targets,
// precision (n, n), and its product with their distances from the mean, alpha (n):
//
//	E[θ_f] = p·Σ_i α_i    var(θ_f) = p − p²·Σ_ij precision_ij    p = w·v_f/F
//
// over points that have the feature.
func (s *sparse) fit(w float64, precision, alpha []float64) {
	n := len(s.holds)
	unit := w / s.features
	s.fitted = len(s.v)
	parallel.For(len(s.points), 64, func(lo, hi int) {
		for f := lo; f < hi; f++ {
			var sum, square float64
			for a, i := range s.points[f] {
				sum += alpha[i]
				row := precision[int(i)*n : int(i+1)*n]
				square += row[i] / 2
				for _, j := range s.points[f][:a] {
					square += row[j]
				}
			}
			p := unit * s.v[f]
			mean, variance := p*sum, p-2*p*p*square
			s.v[f] = (freedom + (mean*mean+max(0, variance))/unit) / (freedom + 1)
		}
	})
}

// set sets the relevances of a term without points.
func (s *sparse) set(r Relevances) error {
	if len(r.IDs) != len(r.V) || !(r.Features > 0) {
		return fmt.Errorf("gp: %w: %d features with %d relevances, of structures with %g of them", ErrData, len(r.IDs), len(r.V), r.Features)
	}
	for k, v := range r.V {
		if !isVariance(v) {
			return fmt.Errorf("gp: %w: relevance %g of feature %d", ErrData, v, r.IDs[k])
		}
	}
	s.features = r.Features
	if len(r.V) > 0 {
		s.rest = stat.Mean(r.V, nil)
	}
	for k, id := range r.IDs {
		s.v[s.index(id)] = r.V[k]
	}
	s.fitted = len(s.v)
	return nil
}
