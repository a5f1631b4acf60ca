package gp

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// Kernel is a similarity of two structures by their counts of features, from 0 to 1.
type Kernel uint8

const (
	Tanimoto Kernel = iota // Σ min(aᵢ, bᵢ) / Σ max(aᵢ, bᵢ), as in MinMax
	Overlap                // Σ min(aᵢ, bᵢ) / √(Σaᵢ·Σbᵢ): features that are there or not contribute independently of each other
	Laplace                // exp(−Σ |aᵢ − bᵢ| / 16): for quantities, such as a size, where 16 steps make a difference

	SiteProduct // Π_i s_i, of the similarities of tokens in Sites: what a token is worth depends on all others
	SiteSum     // the mean of s_i: each token contributes independently of the others
	SitePairs   // the mean of s_i·s_j over pairs of positions: tokens contribute by pairs

	Sparse // Σ v_f over features that both have, with relevances that are fitted: few features contribute much (Relevances)
)

// laplaceLength is the length scale of Laplace.
const laplaceLength = 16

// of returns the similarity of counts with totals a and b, given common = Σ min(aᵢ, bᵢ). It is 1 if both are empty.
func (k Kernel) of(common, a, b float64) float64 {
	var all float64
	switch k {
	case Laplace:
		return math.Exp(-(a + b - 2*common) / laplaceLength)
	case Overlap:
		all = math.Sqrt(a * b)
	case Tanimoto:
		all = a + b - common
	default:
		panic(fmt.Sprintf("gp: Similarity: kernel %d does not compare by counts alone", k))
	}
	switch {
	case all > 0:
		return common / all
	case a == b: // both 0
		return 1
	}
	return 0
}

// Term is a term of a Mixture's kernel: a similarity of the features of groups, taken together. Groups are numbered from 0.
type Term struct {
	Kernel Kernel
	Groups []int  // nil: group 0
	Sites  *Sites // of the one group that the kernels of sites compare, the same for all of them; others have none
}

// Similarity returns the similarity of two structures of some groups. The kernel is Tanimoto, Overlap or Laplace:
// others have parameters.
func (t Term) Similarity(a, b []Counts) float64 {
	var shared, totalA, totalB float64
	for _, g := range t.groups() {
		shared, totalA, totalB = shared+common(a[g], b[g]), totalA+float64(total(a[g])), totalB+float64(total(b[g]))
	}
	return t.Kernel.of(shared, totalA, totalB)
}

// Mixture is an exact GP on structures that are described by several groups of features, and that can grow. A structure
// has fewer than 2³¹ features, each occurrence counted. The kernel is a weighted sum of terms, k(a, b) = Σ_t w_t·k_t(a,
// b), with a constant mean and Gaussian noise.
//
// It holds the inverse of the Cholesky factor of K + noise, to which a point adds a row in n² multiplications, and from
// which the last points can be taken off again. Add computes the rows of a block again that was begun. It is not safe
// for concurrent use.
type Mixture struct {
	terms    []Term
	weights  []float64 // variance of each term
	noise    float64
	mean     float64
	groups   []group
	totals   [][]uint32  // of each term (n): the totals of points
	roots    [][]float64 // of each term (n): their inverse square roots; 0 for 0
	points   [][]Counts  // (n)
	variance []float64   // (n): of the points' targets, beside the noise
	n        int
	stride   int
	inverse  []float64 // (stride, stride): row-major, lower triangle, of the factor
	y        []float64
	alpha    []float64 // (n): (K + noise)⁻¹(y − mean)
	sites    *sites    // of terms that compare by sites; nil: there are none
	sparse   []*sparse // of terms with the kernel Sparse
	near     []float64 // Laplace at the distances 0, 1, …, if it is a kernel of terms
	scratch  []float64 // of Predict and Add
}

// farthest is one more than the greatest distance in Mixture.near; Laplace is below 10⁻²⁷ there.
const farthest = 1024

// NewMixture returns a Mixture without points. weights are the variances of the terms, one for each, and noise is that
// of an observation; all are finite and at least 0, and before Add not all may be 0. Sites have their parameters' means
// under the prior; see SetSites. NewMixture panics if the weights or the noise are not so, or where CheckTerms returns
// an error.
func NewMixture(terms []Term, weights []float64, noise float64) *Mixture {
	if err := CheckTerms(terms); err != nil {
		panic(fmt.Sprintf("gp: NewMixture: %v", err))
	}
	if len(weights) != len(terms) || !isVariance(noise) || slices.ContainsFunc(weights, func(w float64) bool { return !isVariance(w) }) {
		panic(fmt.Sprintf("gp: NewMixture: weights %v and noise %g: give a finite weight of at least 0 for each of %d terms, and such noise", weights, noise, len(terms)))
	}
	m := &Mixture{terms: slices.Clone(terms), weights: slices.Clone(weights), noise: noise, totals: make([][]uint32, len(terms)), roots: make([][]float64, len(terms))}
	for i, t := range terms {
		m.terms[i].Groups = t.groups()
		for len(m.groups) <= slices.Max(m.terms[i].Groups) {
			m.groups = append(m.groups, newGroup())
		}
		if t.Kernel == Laplace && m.near == nil {
			m.near = make([]float64, farthest)
			for d := range m.near {
				m.near[d] = Laplace.of(0, float64(d), 0)
			}
		}
	}
	m.sites, m.sparse = newSites(m.terms), newSparse(m.terms)
	return m
}

// Sites returns the logarithms of the parameters of Sites, relevances before rates; nil: nothing is compared by sites.
func (m *Mixture) Sites() []float64 {
	if m.sites == nil {
		return nil
	}
	return slices.Clone(m.sites.logs)
}

// SetSites sets what Sites returns, of a Mixture without points. Nil changes nothing.
func (m *Mixture) SetSites(logs []float64) error {
	switch {
	case logs == nil:
		return nil
	case m.sites == nil || len(logs) != len(m.sites.logs):
		return fmt.Errorf("gp: %w: %d parameters of sites, want %d", ErrData, len(logs), len(m.Sites()))
	}
	for i, v := range logs {
		if !isVariance(math.Exp(v)) {
			return fmt.Errorf("gp: %w: parameter %d of sites is exp(%g)", ErrData, i, v)
		}
	}
	m.sites.set(slices.Clone(logs))
	return nil
}

// Relevances returns the parameters of each term with the kernel Sparse.
func (m *Mixture) Relevances() (all []Relevances) {
	for _, s := range m.sparse {
		all = append(all, Relevances{s.features, slices.Clone(s.ids[:s.fitted]), slices.Clone(s.v[:s.fitted])})
	}
	return all
}

// SetRelevances sets what Relevances returns, of a Mixture without points. Nil changes nothing.
func (m *Mixture) SetRelevances(all []Relevances) error {
	switch {
	case all == nil:
		return nil
	case len(all) != len(m.sparse):
		return fmt.Errorf("gp: %w: relevances of %d terms, want %d", ErrData, len(all), len(m.sparse))
	}
	for i, r := range all {
		if err := m.sparse[i].set(r); err != nil {
			return err
		}
	}
	return nil
}

// Empty returns a Mixture with the terms and parameters of m, and no points.
func (m *Mixture) Empty() *Mixture {
	e := NewMixture(m.terms, m.weights, m.noise)
	if m.sites != nil {
		e.sites.set(m.sites.logs)
	}
	if err := e.SetRelevances(m.Relevances()); err != nil {
		panic(err) // the terms are the same
	}
	return e
}

// Len returns the number of points.
func (m *Mixture) Len() int { return m.n }

// Prior returns the variance of the prior; where a term's kernel is Sparse, that of a typical structure with unknown
// features.
func (m *Mixture) Prior() float64 {
	var sum float64
	for _, w := range m.weights {
		sum += w
	}
	return sum
}

// Weights returns the variance of each term.
func (m *Mixture) Weights() []float64 { return slices.Clone(m.weights) }

// Noise returns the variance of an observation.
func (m *Mixture) Noise() float64 { return m.noise }

// covariances sets k (len(x), n) to the prior covariance of structures x with all n points that are held.
func (m *Mixture) covariances(x [][]Counts, k []float64) {
	n := len(m.variance)
	m.each(x, func(int) int { return n }, func(i int, s []sums) {
		row := k[i*n : (i+1)*n]
		clear(row)
		for t, w := range m.weights {
			if w > 0 && m.terms[t].Kernel.counts() {
				m.add(t, w, s, row)
			}
		}
		if m.sites != nil {
			m.sites.covariances(x[i][m.sites.group], m.weights, row)
		}
		for _, f := range m.sparse {
			f.covariances(x[i][f.group], m.weights[f.term], row)
		}
	})
}

// each calls f with what each structure i of x has in common with each of the first points(i) points.
func (m *Mixture) each(x [][]Counts, points func(i int) int, f func(i int, s []sums)) {
	parallel.For(len(x), 8, func(lo, hi int) {
		s := make([]sums, len(m.groups)+1) // a place for each group, and one to add groups up
		for i := lo; i < hi; i++ {
			for g := range m.groups {
				if m.counted(g) {
					m.groups[g].compare(x[i][g], points(i), &s[g])
				}
			}
			f(i, s)
		}
	})
}

// counted reports whether a term compares the counts of a group.
func (m *Mixture) counted(group int) bool {
	return slices.ContainsFunc(m.terms, func(t Term) bool { return t.Kernel.counts() && slices.Contains(t.Groups, group) })
}

// add adds w times the similarities of term t to row (n).
func (m *Mixture) add(t int, w float64, s []sums, row []float64) {
	k, groups := m.terms[t].Kernel, m.terms[t].Groups
	of := &s[groups[0]]
	if len(groups) > 1 {
		of = &s[len(m.groups)]
		of.total, of.common = 0, append(of.common[:0], make([]uint32, len(row))...)
		for _, g := range groups {
			of.total += s[g].total
			simd.AddCounts(of.common, of.common, s[g].common[:len(row)])
		}
	}
	a, common, totals := of.total, of.common[:len(row)], m.totals[t][:len(row)]
	switch {
	case k == Laplace: // by table: an exponential takes longer than all else
		for j, b := range totals {
			if d := a + b - 2*common[j]; d < farthest {
				row[j] += w * m.near[d]
			}
		}
	case k == Overlap && a > 0:
		simd.AddProducts(row, w/math.Sqrt(float64(a)), common, m.roots[t][:len(row)])
	default:
		for j, b := range totals {
			row[j] += w * k.of(float64(common[j]), float64(a), float64(b))
		}
	}
}

// between returns the prior covariance of two structures.
func (m *Mixture) between(a, b []Counts) float64 {
	var sum float64
	for i, w := range m.weights {
		if w > 0 && m.terms[i].Kernel.counts() {
			sum += w * m.terms[i].Similarity(a, b)
		}
	}
	if m.sites != nil {
		sum += m.sites.between(a[m.sites.group], b[m.sites.group], m.weights)
	}
	for _, f := range m.sparse {
		sum += m.weights[f.term] * f.between(a[f.group], b[f.group])
	}
	return sum
}

// own returns the prior variance of a structure.
func (m *Mixture) own(x []Counts) float64 {
	v := m.Prior()
	for _, f := range m.sparse {
		v += m.weights[f.term] * (f.variance(x[f.group]) - 1)
	}
	return v
}

// common returns Σ min(aᵢ, bᵢ).
func common(a, b Counts) float64 {
	var sum float64
	for i, j := 0, 0; i < len(a.IDs) && j < len(b.IDs); {
		switch {
		case a.IDs[i] < b.IDs[j]:
			i++
		case a.IDs[i] > b.IDs[j]:
			j++
		default:
			sum += float64(min(a.N[i], b.N[j]))
			i++
			j++
		}
	}
	return sum
}

// addBlock is how many points are added together. Blocks begin at multiples of it, so that it does not matter how many
// points come in one call.
const addBlock = 16

// Add appends structures x, each of at least as many groups as the Mixture has, with known variances of their targets
// (nil: 0), which add to the noise. Targets are set by Target. The error wraps ErrData; m is then unchanged.
func (m *Mixture) Add(x [][]Counts, variance []float64) error {
	if err := m.check(x); err != nil {
		return err
	}
	if err := checkVariances(len(x), variance); err != nil {
		return err
	}
	if variance == nil {
		variance = make([]float64, len(x))
	}
	if begun := m.n % addBlock; begun > 0 && len(x) > 0 { // with those that are in the block already
		from := m.n - begun
		x, variance = slices.Concat(m.points[from:], x), slices.Concat(m.variance[from:], variance)
		m.Truncate(from)
	}
	m.room(len(x))
	for len(x) > 0 {
		n := min(addBlock, len(x))
		m.extend(x[:n], variance[:n])
		x, variance = x[n:], variance[n:]
	}
	return nil
}

// extend adds a block of points: with the factor L of the points so far, and K and S their covariances with these and
// of these,
//
//	the factor is [L 0; A C]    A = K L⁻ᵀ    C Cᵀ = S + noise − A Aᵀ
//	its inverse [L⁻¹ 0; −C⁻¹A L⁻¹ C⁻¹]
func (m *Mixture) extend(x [][]Counts, variance []float64) {
	n, rows := m.n, len(x)
	for i, c := range x {
		m.hold(c, variance[i])
	}
	stride := n + rows
	size := rows * n
	all := rows*stride + size + m.turnedSize(rows)
	memory := m.memory(all)
	k, a, turned := memory[:rows*stride], memory[rows*stride:rows*stride+size], memory[rows*stride+size:] // K and S, and A
	m.covariances(x, k)
	m.whiten(k, stride, rows, a, turned)
	product := turned[:size] // A L⁻¹
	clear(product)
	for from, part := range m.strips() {
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, blas64.General{Rows: rows, Cols: part.Rows, Stride: n, Data: a[from:]}, part,
			1, blas64.General{Rows: rows, Cols: part.Cols, Stride: n, Data: product})
	}
	c := make([]float64, rows*rows)
	for i := range rows {
		white, left := a[i*n:(i+1)*n], c[i*rows:i*rows+i]
		row := m.row(n + i)
		copy(row, product[i*n:(i+1)*n])
		clear(row[n:])
		for j := range left {
			before := c[j*rows : j*rows+j]
			left[j] = (k[i*stride+n+j] - dot(white, a[j*n:(j+1)*n]) - dot(left[:j], before)) / c[j*rows+j]
			blas64.Axpy(left[j], vector(m.row(n+j)), vector(row[:n+j+1]))
		}
		d := m.own(x[i]) + m.noise + variance[i] - dot(white, white) - dot(left, left)
		if !(d > 1e-10*m.Prior()) { // an equal structure, and hardly any noise
			d = 1e-10 * m.Prior()
		}
		root := math.Sqrt(d)
		c[i*rows+i] = root
		blas64.Scal(-1/root, vector(row))
		row[n+i] = 1 / root
	}
	m.n += rows
}

// check returns an error if a structure has fewer groups than the Mixture, or is not sound.
func (m *Mixture) check(x [][]Counts) error {
	for _, c := range x {
		if len(c) < len(m.groups) {
			return fmt.Errorf("gp: %w: a structure of %d groups of features, want %d at least", ErrData, len(c), len(m.groups))
		}
		if err := checkStructure(c); err != nil {
			return err
		}
		if m.sites != nil {
			if err := m.sites.Check(c[m.sites.group]); err != nil {
				return err
			}
		}
	}
	return nil
}

// hold appends the counts of a point, and the known variance of its target.
func (m *Mixture) hold(c []Counts, variance float64) {
	m.points, m.variance = append(m.points, c), append(m.variance, variance)
	for g := range m.groups {
		m.groups[g].add(c[g])
	}
	m.holdParameters(c)
	for t, term := range m.terms {
		var sum uint64
		for _, g := range term.Groups {
			sum += total(c[g])
		}
		root := 0.0
		if sum > 0 {
			root = 1 / math.Sqrt(float64(sum))
		}
		m.totals[t], m.roots[t] = append(m.totals[t], uint32(sum)), append(m.roots[t], root)
	}
}

// holdParameters appends a point to the terms that have parameters of sites or of features.
func (m *Mixture) holdParameters(c []Counts) {
	if m.sites != nil {
		m.sites.add(c[m.sites.group])
	}
	for _, f := range m.sparse {
		f.add(c[f.group])
	}
}

// append adds a row of the factor, whose last entry is d, to its inverse: [−aᵀL⁻¹/d, 1/d].
func (m *Mixture) append(a []float64, d float64) {
	m.room(1)
	row := m.row(m.n)
	clear(row)
	for from, part := range m.strips() {
		blas64.Gemv(blas.Trans, -1/d, part, vector(a[from:part.Cols]), 1, vector(row[:part.Cols]))
	}
	row[m.n] = 1 / d
	m.n++
}

// memory returns n numbers of scratch memory, not initialized, until it is called again.
func (m *Mixture) memory(n int) []float64 {
	if cap(m.scratch) < n {
		m.scratch = linalg.Floats(n)
	}
	return m.scratch[:n]
}

// room makes room for more points, and some that may be conditioned on.
func (m *Mixture) room(points int) {
	if m.n+points <= m.stride {
		return
	}
	const spare = 64
	stride := max(m.n+points+spare, m.stride*3/2)
	grown := linalg.Floats(stride * stride)
	for i := range m.n {
		copy(grown[i*stride:], m.row(i))
	}
	m.inverse, m.stride = grown, stride
}

// row is row i of the inverse of the factor, to the diagonal.
func (m *Mixture) row(i int) []float64 { return m.inverse[i*m.stride : i*m.stride+i+1] }

// factor is the inverse of the Cholesky factor (n, n).
func (m *Mixture) factor() blas64.General {
	return blas64.General{Rows: m.n, Cols: m.n, Stride: m.stride, Data: m.inverse}
}

// whiten sets A (rows, n) to K L⁻ᵀ for covariances K (rows, at least n), of a stride, with all points. turned
// (m.turnedSize(rows)) is scratch memory.
func (m *Mixture) whiten(k []float64, stride, rows int, a, turned []float64) {
	for from, white := range m.whitened(k, stride, rows, turned) {
		for i := range rows {
			for j := range len(white) / rows {
				a[i*m.n+from+j] = white[j*rows+i]
			}
		}
	}
}

// whitened yields L⁻¹Kᵀ (n, rows) in strips of rows, and the first row of each, for K and turned as in whiten: with the
// large factor on the left, products do not have to pack it.
func (m *Mixture) whitened(k []float64, stride, rows int, turned []float64) iter.Seq2[int, []float64] {
	for j := range m.n {
		for i := range rows {
			turned[j*rows+i] = k[i*stride+j]
		}
	}
	return func(yield func(int, []float64) bool) {
		for from, part := range m.strips() {
			white := turned[m.n*rows:][:part.Rows*rows]
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, part, blas64.General{Rows: part.Cols, Cols: rows, Stride: rows, Data: turned}, 0,
				blas64.General{Rows: part.Rows, Cols: rows, Stride: rows, Data: white})
			if !yield(from, white) {
				return
			}
		}
	}
}

// turnedSize returns the size of whitened's scratch memory: for Kᵀ, and a strip.
func (m *Mixture) turnedSize(rows int) int { return (m.n + min(strip, m.n)) * rows }

// strip is how many rows of the factor are taken together.
const strip = 256

// strips yields the factor in strips of rows, without most of what is 0 to the right of the diagonal, and the first row
// of each.
func (m *Mixture) strips() iter.Seq2[int, blas64.General] {
	return func(yield func(int, blas64.General) bool) {
		for from := 0; from < m.n; from += strip {
			to := min(from+strip, m.n)
			if !yield(from, blas64.General{Rows: to - from, Cols: to, Stride: m.stride, Data: m.inverse[from*m.stride:]}) {
				return
			}
		}
	}
}

// Truncate takes off all points after the first n, which have the targets of the last Target if it set n of them: all
// points if n is negative.
func (m *Mixture) Truncate(n int) {
	n = max(n, 0)
	if n >= m.n {
		return
	}
	for g := range m.groups {
		m.groups[g].truncate(n)
	}
	for t := range m.totals {
		m.totals[t], m.roots[t] = m.totals[t][:n], m.roots[t][:n]
	}
	if m.sites != nil {
		m.sites.truncate(n)
	}
	for _, f := range m.sparse {
		f.truncate(n)
	}
	m.points, m.variance, m.n = m.points[:n], m.variance[:n], n
}

// Target sets the targets y (n) of the points and the constant mean; NaN: the mean that maximizes the marginal
// likelihood. The Mixture has to have a point. The error wraps ErrData.
func (m *Mixture) Target(y []float64, mean float64) error {
	if m.n == 0 {
		return fmt.Errorf("gp: %w: targets of a Mixture without points", ErrData)
	}
	if !math.IsNaN(mean) && unusable([]float64{mean}) >= 0 {
		return fmt.Errorf("gp: %w: the mean is %g", ErrData, mean)
	}
	if err := checkTargets(m.n, y, nil); err != nil {
		return err
	}
	m.y = slices.Clone(y)
	white := make([]float64, m.n) // L⁻¹(y − mean)
	blas64.Gemv(blas.NoTrans, 1, m.factor(), vector(y), 0, vector(white))
	ones := make([]float64, m.n)
	blas64.Gemv(blas.NoTrans, 1, m.factor(), vector(slices.Repeat([]float64{1}, m.n)), 0, vector(ones))
	if math.IsNaN(mean) {
		mean = dot(white, ones) / dot(ones, ones)
	}
	m.mean = mean
	blas64.Axpy(-mean, vector(ones), vector(white))
	m.alpha = make([]float64, m.n)
	blas64.Gemv(blas.Trans, 1, m.factor(), vector(white), 0, vector(m.alpha))
	return nil
}
