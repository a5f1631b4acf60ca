package gp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/parallel"
)

// Sites says how aligned strings are compared: strings with a token at each of some positions, such as variants of a protein. The kernels
// SiteProduct, SiteSum and SitePairs are made of the similarity of tokens a and b at a position i,
//
//	s_i(a, b) = exp(−ρ_i·Σ_k τ_k·D_k(a, b))
//
// with the relevance ρ_i of the position and the rate τ_k of each distance D_k, which FitMixture fits to the data. All terms of a
// Mixture share them.
type Sites struct {
	Positions int
	Tokens    int         // of the alphabet, at most 256
	Distances [][]float64 // (Tokens²) each: of a and b at a·Tokens + b; symmetric, 0 from a token to itself, about 1 on average
}

// Site is the feature of a token at a position, both numbered from 0. A group of features that is compared by Sites has one for each
// position.
func Site(position, token int) uint64 { return uint64(position)<<8 | uint64(token) }

// isSite reports whether k compares by Sites.
func (k Kernel) isSite() bool { return k >= SiteProduct && k <= SitePairs }

// sites are the Sites of a Mixture, with their parameters and the tokens of points.
type sites struct {
	Sites
	group int
	terms [3]int // with the kernels SiteProduct, SiteSum and SitePairs; −1: none

	logs                 []float64 // of the relevances, and then of the rates
	distance, similarity []float64 // (Positions, Tokens²)
	points               []uint8   // (n, Positions): tokens
}

// newSites returns the sites of terms; nil: none compares by sites.
func newSites(terms []Term) *sites {
	var s *sites
	for t, term := range terms {
		if !term.Kernel.isSite() {
			continue
		}
		if s == nil {
			s = &sites{Sites: *term.Sites, group: term.Groups[0], terms: [3]int{-1, -1, -1}}
		}
		s.terms[term.Kernel-SiteProduct] = t
	}
	if s != nil {
		logs := make([]float64, s.Positions+len(s.Distances))
		for i := range logs {
			logs[i], _ = s.prior(i)
		}
		s.set(logs)
	}
	return s
}

// prior returns the mean and the deviation of a parameter's logarithm. Where there are many positions, a string that differs in a few of
// them is alike all the same.
func (s *sites) prior(i int) (centre, deviation float64) {
	switch others := float64(len(s.Distances) - 1); {
	case i < s.Positions:
		return -0.5 * math.Log(max(1, float64(s.Positions)/4)), 1
	case i == s.Positions || others == 0:
		return math.Log(0.5), 1
	default:
		return -math.Log(others), 1
	}
}

// set sets the parameters.
func (s *sites) set(logs []float64) {
	s.logs = logs
	pairs := s.Tokens * s.Tokens
	all := make([]float64, pairs)
	for k, d := range s.Distances {
		floats.AddScaled(all, math.Exp(logs[s.Positions+k]), d)
	}
	s.distance, s.similarity = make([]float64, s.Positions*pairs), make([]float64, s.Positions*pairs)
	for i := range s.Positions {
		rho := math.Exp(logs[i])
		for j, d := range all {
			s.distance[i*pairs+j] = rho * d
			s.similarity[i*pairs+j] = math.Exp(-rho * d)
		}
	}
}

// check returns an error unless a group of features has a token for each position.
func (s *sites) check(c Counts) error {
	if len(c.IDs) != s.Positions {
		return fmt.Errorf("gp: %w: an aligned string with %d tokens, want %d", ErrData, len(c.IDs), s.Positions)
	}
	for i, id := range c.IDs {
		if token := id & 0xff; id != Site(i, int(token)) || int(token) >= s.Tokens {
			return fmt.Errorf("gp: %w: feature %d at position %d is no Site of %d tokens", ErrData, id, i, s.Tokens)
		}
	}
	return nil
}

// add appends a point.
func (s *sites) add(c Counts) {
	for _, id := range c.IDs {
		s.points = append(s.points, uint8(id))
	}
}

// truncate takes off all points after the first n.
func (s *sites) truncate(n int) { s.points = s.points[:n*s.Positions] }

// rows returns where the distances of a string's tokens from others begin, for each position.
func (s *sites) rows(c Counts) []int {
	at := make([]int, s.Positions)
	for i, id := range c.IDs {
		at[i] = (i*s.Tokens + int(uint8(id))) * s.Tokens
	}
	return at
}

// compare returns the kernels of a string, by its rows, and another, by its tokens.
func (s *sites) compare(rows []int, tokens []uint8) (product, sum, pairs float64) {
	var far, similar, squares float64
	for i, t := range tokens {
		at := rows[i] + int(t)
		v := s.similarity[at]
		far, similar, squares = far+s.distance[at], similar+v, squares+v*v
	}
	product, sum, pairs = math.Exp(-far), similar/float64(s.Positions), 1
	if n := float64(s.Positions); n > 1 {
		pairs = (similar*similar - squares) / (n * (n - 1))
	}
	return product, sum, pairs
}

// weighted returns the kernels' weights among those of terms.
func (s *sites) weighted(weights []float64) (w [3]float64) {
	for k, t := range s.terms {
		if t >= 0 {
			w[k] = weights[t]
		}
	}
	return w
}

// covariances adds the covariances of a string with the first len(row) points to row.
func (s *sites) covariances(c Counts, weights, row []float64) {
	rows, w := s.rows(c), s.weighted(weights)
	for j := range row {
		product, sum, pairs := s.compare(rows, s.points[j*s.Positions:(j+1)*s.Positions])
		row[j] += w[0]*product + w[1]*sum + w[2]*pairs
	}
}

// between returns the covariance of two strings.
func (s *sites) between(a, b Counts, weights []float64) float64 {
	tokens := make([]uint8, s.Positions)
	for i, id := range b.IDs {
		tokens[i] = uint8(id)
	}
	w := s.weighted(weights)
	product, sum, pairs := s.compare(s.rows(a), tokens)
	return w[0]*product + w[1]*sum + w[2]*pairs
}

// grams sets the Gram matrices (n, n) of the terms that compare by sites.
func (s *sites) grams(grams [][]float64, n int) {
	parallel.For(n, 8, func(lo, hi int) {
		rows := make([]int, s.Positions)
		for i := lo; i < hi; i++ {
			for p, t := range s.points[i*s.Positions : (i+1)*s.Positions] {
				rows[p] = (p*s.Tokens + int(t)) * s.Tokens
			}
			for j := range i + 1 {
				product, sum, pairs := s.compare(rows, s.points[j*s.Positions:(j+1)*s.Positions])
				for k, v := range [...]float64{product, sum, pairs} {
					if t := s.terms[k]; t >= 0 {
						grams[t][i*n+j], grams[t][j*n+i] = v, v
					}
				}
			}
		}
	})
}

// shares is the number of parts that a gradient is added up in, whatever the number of threads.
const shares = 8

// gradient sets grad to the derivatives of ½ Σ_ij g_ij·K_ij, of a symmetric g (n, n), in the logarithms of the parameters.
func (s *sites) gradient(g, weights []float64, n int, grad []float64) {
	w, size := s.weighted(weights), len(s.distance)
	parts := make([][]float64, shares) // of the derivative in the distance of each pair of tokens at each position
	parallel.For(shares, 1, func(lo, hi int) {
		for part := lo; part < hi; part++ {
			parts[part] = make([]float64, size)
			for i := part; i < n; i += shares {
				s.slopes(i, g[i*n:i*n+i], w, parts[part])
			}
		}
	})
	slope := parts[0]
	for _, p := range parts[1:] {
		floats.Add(slope, p)
	}
	pairs := s.Tokens * s.Tokens
	clear(grad)
	for i := range s.Positions {
		at := slope[i*pairs : (i+1)*pairs]
		grad[i] = floats.Dot(at, s.distance[i*pairs:(i+1)*pairs])
		for k, d := range s.Distances {
			grad[s.Positions+k] += math.Exp(s.logs[i]+s.logs[s.Positions+k]) * floats.Dot(at, d)
		}
	}
}

// slopes adds g_ij·∂K_ij/∂d, for all j before i, to the slope of the distance d of the two strings' tokens at each position.
func (s *sites) slopes(i int, g []float64, w [3]float64, slope []float64) {
	n := float64(s.Positions)
	mine := s.points[i*s.Positions : (i+1)*s.Positions]
	rows := make([]int, s.Positions)
	for p, t := range mine {
		rows[p] = (p*s.Tokens + int(t)) * s.Tokens
	}
	for j, g := range g {
		tokens := s.points[j*s.Positions : (j+1)*s.Positions]
		product, sum, _ := s.compare(rows, tokens)
		for p, t := range tokens {
			if t == mine[p] {
				continue
			}
			at := rows[p] + int(t)
			v := s.similarity[at]
			d := w[0]*product + w[1]*v/n
			if n > 1 {
				d += w[2] * 2 * v * (sum*n - v) / (n * (n - 1))
			}
			slope[at] -= g * d
		}
	}
}
