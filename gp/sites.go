package gp

import (
	"math"
	mathbits "math/bits"

	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/parallel"
)

// Sites says how aligned strings are compared: strings with a token at each of some positions, such as variants of a
// protein. The kernels SiteProduct, SiteSum and SitePairs are made of the similarity of tokens a and b at a position i,
//
//	s_i(a, b) = exp(−ρ_i·Σ_k τ_k·D_k(a, b))
//
// with the relevance ρ_i of the position and the rate τ_k of each distance D_k, which FitMixture fits to the data. All
// terms of a Mixture share them.
type Sites struct {
	Positions int
	Tokens    int         // of the alphabet, at most 256
	Distances [][]float64 // (Tokens²) each: of a and b at a·Tokens + b; symmetric, 0 from a token to itself, about 1 on average
}

// Site is the feature of a token at a position, both numbered from 0. A group of features that is compared by Sites has
// one for each position.
func Site(position, token int) uint64 { return uint64(position)<<8 | uint64(token) }

// counts reports whether k compares the numbers of common features alone.
func (k Kernel) counts() bool { return k < SiteProduct }

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
	base                 []uint8   // (Positions): tokens of a string; nil: there was none yet
	differs              []uint64  // (n, words): bits of the positions where points differ from the base
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

// prior returns the mean and the deviation of a parameter's logarithm. Where there are many positions, a string that
// differs in a few of them is alike all the same.
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

// add appends a point.
func (s *sites) add(c Counts) {
	a := s.site(c)
	if s.base == nil {
		s.base = a.tokens
	}
	s.points, s.differs = append(s.points, a.tokens...), append(s.differs, s.site(c).differs...)
}

// truncate takes off all points after the first n.
func (s *sites) truncate(n int) {
	s.points, s.differs = s.points[:n*s.Positions], s.differs[:n*s.words()]
}

// words returns how many words have a bit for each position.
func (s *sites) words() int { return (s.Positions + 63) / 64 }

// site is a string, with the positions where it differs from the base. Where two strings both have the token of the
// base they are alike, so that variants of one sequence are compared at a few positions.
type site struct {
	tokens  []uint8  // (Positions)
	differs []uint64 // bits of positions
}

// site returns a string. Without a base it is taken to differ everywhere.
func (s *sites) site(c Counts) site {
	a := site{tokens: make([]uint8, s.Positions), differs: make([]uint64, s.words())}
	for i, id := range c.IDs {
		a.tokens[i] = uint8(id)
		if s.base == nil || a.tokens[i] != s.base[i] {
			a.differs[i/64] |= 1 << (i % 64)
		}
	}
	return a
}

// point returns the ith point.
func (s *sites) point(i int) site {
	w := s.words()
	return site{tokens: s.points[i*s.Positions : (i+1)*s.Positions], differs: s.differs[i*w : (i+1)*w]}
}

// compare returns the kernels of two strings. It depends on the tokens alone, to the last bit.
func (s *sites) compare(a, b site) (product, sum, pairs float64) {
	var far, similar, squares float64
	unlike := 0
	for w, bits := range a.differs {
		for bits |= b.differs[w]; bits != 0; bits &= bits - 1 {
			i := w*64 + mathbits.TrailingZeros64(bits)
			t, u := a.tokens[i], b.tokens[i]
			if t == u {
				continue
			}
			at := (i*s.Tokens+int(t))*s.Tokens + int(u)
			v := s.similarity[at]
			unlike++
			far, similar, squares = far+s.distance[at], similar+v, squares+v*v
		}
	}
	n := float64(s.Positions)
	alike := n - float64(unlike)
	similar, squares = similar+alike, squares+alike
	product, sum, pairs = math.Exp(-far), similar/n, 1
	if n > 1 {
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
	a, w := s.site(c), s.weighted(weights)
	for j := range row {
		product, sum, pairs := s.compare(a, s.point(j))
		row[j] += w[0]*product + w[1]*sum + w[2]*pairs
	}
}

// between returns the covariance of two strings.
func (s *sites) between(a, b Counts, weights []float64) float64 {
	w := s.weighted(weights)
	product, sum, pairs := s.compare(s.site(a), s.site(b))
	return w[0]*product + w[1]*sum + w[2]*pairs
}

// grams sets the Gram matrices (n, n) of the terms that compare by sites.
func (s *sites) grams(grams [][]float64, n int) {
	parallel.For(n, 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a := s.point(i)
			for j := range i + 1 {
				product, sum, pairs := s.compare(a, s.point(j))
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

// gradient sets grad to the derivatives of ½ Σ_ij g_ij·K_ij, of a symmetric g (n, n), in the logarithms of the
// parameters. The Gram matrices are those that grams has set.
func (s *sites) gradient(g []float64, grams [][]float64, weights []float64, n int, grad []float64) {
	w, size := s.weighted(weights), len(s.distance)
	parts := make([][]float64, shares) // of the derivative in the distance of each pair of tokens at each position
	parallel.For(shares, 1, func(lo, hi int) {
		for part := lo; part < hi; part++ {
			parts[part] = make([]float64, size)
			for i := part; i < n; i += shares {
				s.slopes(i, g[i*n:i*n+i], s.row(SiteProduct, grams, i, n), s.row(SiteSum, grams, i, n), w, parts[part])
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

// row returns the row of a kernel's Gram matrix before the diagonal; nil: no term has the kernel.
func (s *sites) row(k Kernel, grams [][]float64, i, n int) []float64 {
	t := s.terms[k-SiteProduct]
	if t < 0 {
		return nil
	}
	return grams[t][i*n : i*n+i]
}

// slopes adds g_ij·∂K_ij/∂d, for all j before i, to the slope of the distance d of the two strings' tokens at each
// position. The kernels' values are known, or nil.
func (s *sites) slopes(i int, g, products, sums []float64, w [3]float64, slope []float64) {
	n, a := float64(s.Positions), s.point(i)
	for j, g := range g {
		b := s.point(j)
		var product, sum float64
		if products == nil || sums == nil {
			product, sum, _ = s.compare(a, b)
		} else {
			product, sum = products[j], sums[j]
		}
		for word, bits := range a.differs {
			for bits |= b.differs[word]; bits != 0; bits &= bits - 1 {
				p := word*64 + mathbits.TrailingZeros64(bits)
				t, u := a.tokens[p], b.tokens[p]
				if t == u {
					continue
				}
				at := (p*s.Tokens+int(t))*s.Tokens + int(u)
				v := s.similarity[at]
				d := w[0]*product + w[1]*v/n
				if n > 1 {
					d += w[2] * 2 * v * (sum*n - v) / (n * (n - 1))
				}
				slope[at] -= g * d
			}
		}
	}
}
