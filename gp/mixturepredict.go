package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/stats"
)

// Predict returns the posterior mean and variance of the latent function at structures x.
func (m *Mixture) Predict(x [][]Counts) (mu, sigma2 []float64) {
	const most = 512 // structures at a time, which take 16·n bytes each
	for some := range slices.Chunk(x, most) {
		mean, variance := m.predict(some)
		mu, sigma2 = append(mu, mean...), append(sigma2, variance...)
	}
	return mu, sigma2
}

// predict is Predict. Only the norms of columns of L⁻¹Kᵀ are kept.
func (m *Mixture) predict(x [][]Counts) (mu, sigma2 []float64) {
	mu, sigma2 = m.prior(x)
	if m.n == 0 {
		return mu, sigma2
	}
	rows, size := len(x), len(x)*m.n
	all := size + m.turnedSize(rows)
	memory := m.memory(all)
	k := memory[:size]
	m.means(x, k, mu)
	for _, white := range m.whitened(k, m.n, rows, memory[size:]) {
		for row := range slices.Chunk(white, rows) {
			for j, v := range row {
				sigma2[j] -= v * v
			}
		}
	}
	for j, v := range sigma2 {
		sigma2[j] = max(0, v)
	}
	return mu, sigma2
}

// prior returns the mean and variance of structures without points.
func (m *Mixture) prior(x [][]Counts) (mu, sigma2 []float64) {
	mu, sigma2 = slices.Repeat([]float64{m.mean}, len(x)), make([]float64, len(x))
	for i, x := range x {
		if len(x) < len(m.groups) {
			panic(fmt.Sprintf("gp: Predict: a structure of %d groups of features, want %d", len(x), len(m.groups)))
		}
		sigma2[i] = m.own(x)
	}
	return mu, sigma2
}

// means sets k (len(x), n) to the covariances of structures with all points, and adds what these tell to the means mu.
func (m *Mixture) means(x [][]Counts, k, mu []float64) {
	m.covariances(x, k)
	blas64.Gemv(blas.NoTrans, 1, blas64.General{Rows: len(x), Cols: len(m.alpha), Stride: m.n, Data: k}, vector(m.alpha), 1, vector(mu))
}

// Block is the posterior at some structures. It follows points that are added at their means.
type Block struct {
	Mean, Variance []float64 // of the latent function; without noise

	m     *Mixture
	x     [][]Counts
	white [][]float64 // (len(x), n): rows of K L⁻ᵀ
}

// Block returns the posterior at structures x.
func (m *Mixture) Block(x [][]Counts) *Block {
	b := &Block{m: m, x: x, white: make([][]float64, len(x))}
	b.Mean, b.Variance = m.prior(x)
	if m.n == 0 || len(x) == 0 {
		return b
	}
	k, white := linalg.Floats(len(x)*m.n), linalg.Floats(len(x)*m.n)
	m.means(x, k, b.Mean)
	m.whiten(k, m.n, len(x), white, m.memory(m.turnedSize(len(x))))
	b.white = stats.Rows(white, len(x), m.n)
	for i, w := range b.white {
		b.Variance[i] = max(0, b.Variance[i]-dot(w, w))
	}
	return b
}

// Condition adds the block's structure i to its Mixture's points, as if measured at its mean with a known variance
// beside the noise, as in Add: means stay, variances shrink. Truncate takes such points off again.
func (b *Block) Condition(i int, variance float64) { b.Suppose(i, b.Mean[i], variance) }

// Suppose is Condition as if the structure were measured at y. Only the means of the block follow y.
func (b *Block) Suppose(i int, y, variance float64) {
	m := b.m
	if !isVariance(variance) {
		panic(fmt.Sprintf("gp: Suppose: variance %g", variance))
	}
	a := b.white[i]
	d := math.Sqrt(max(b.Variance[i]+m.noise+variance, 1e-10*m.Prior()))
	step := (y - b.Mean[i]) / d
	m.append(a, d)
	m.hold(b.x[i], variance)
	for j := range b.x {
		if j == i {
			continue
		}
		v := (m.between(b.x[i], b.x[j]) - dot(a, b.white[j])) / d
		b.white[j] = append(b.white[j], v)
		b.Mean[j] += v * step
		b.Variance[j] = max(0, b.Variance[j]-v*v)
	}
	v := b.Variance[i] / d
	b.white[i] = append(slices.Clip(a), v)
	b.Mean[i] += v * step
	b.Variance[i] = max(0, b.Variance[i]-v*v)
}

// LeaveOneOut returns the mean and variance of each target given all others (Rasmussen & Williams 2006, 5.12): noise
// included, with the mean as it is.
func (m *Mixture) LeaveOneOut() (mu, sigma2 []float64) {
	mu, sigma2 = make([]float64, m.n), make([]float64, m.n)
	for i, v := range m.precisions() {
		sigma2[i] = 1 / v
		mu[i] = m.y[i] - m.alpha[i]/v
	}
	return mu, sigma2
}

// Before returns the mean and variance of the targets of points, noise included, as they were predicted before these
// were known: of each given the first so many points alone, with the parameters and the mean as they are.
func (m *Mixture) Before(points, known []int) (mu, sigma2 []float64) {
	white := make([]float64, m.n) // L⁻¹(y − mean)
	e := slices.Clone(m.y)
	floats.AddConst(-m.mean, e)
	blas64.Gemv(blas.NoTrans, 1, m.factor(), vector(e), 0, vector(white))
	size := len(points) * m.n
	k, a := make([]float64, size), make([]float64, size)
	if size > 0 {
		m.covariances(stats.Pick(m.points, points), k)
		m.whiten(k, m.n, len(points), a, make([]float64, m.turnedSize(len(points)))) // a row's first entries are those for the first points alone, as L is triangular
	}
	for i, p := range points {
		row := a[i*m.n : i*m.n+known[i]]
		mu = append(mu, m.mean+dot(row, white[:known[i]]))
		sigma2 = append(sigma2, m.own(m.points[p])+m.noise+m.variance[p]-dot(row, row))
	}
	return mu, sigma2
}

// precisions returns the diagonal of (K + noise)⁻¹ = L⁻ᵀL⁻¹.
func (m *Mixture) precisions() []float64 {
	d := make([]float64, m.n)
	for i := range m.n {
		for j, v := range m.row(i) {
			d[j] += v * v
		}
	}
	return d
}

// AtPoints is Predict at the points that have targets, in n² multiplications: with noise V, the mean is y − V(K +
// V)⁻¹(y − mean), and the covariance V − V(K + V)⁻¹V. Where structures are equal and the noise is below 10⁻¹⁰ of the
// prior, Add takes more noise, and Predict tells more.
func (m *Mixture) AtPoints() (mu, sigma2 []float64) {
	precisions := m.precisions()
	mu, sigma2 = make([]float64, len(m.y)), make([]float64, len(m.y))
	for i, y := range m.y {
		v := m.noise + m.variance[i]
		mu[i] = y - v*m.alpha[i]
		sigma2[i] = max(0, v-v*v*precisions[i])
	}
	return mu, sigma2
}

// Joint returns functions (draws, len(x)) drawn jointly from the posterior at structures x, without noise, their
// deviations from the mean times a factor s:
//
//	f = μ + s L e    L Lᵀ = K(x, x) − A Aᵀ    A = K(x, X) L_X⁻ᵀ    e ~ N(0, I)
//
// The covariance gets a jitter of at least 10⁻⁶ of the prior's variance. The error wraps ErrNotPositiveDefinite.
func (m *Mixture) Joint(x [][]Counts, draws int, s float64, rng *rand.Rand) ([][]float64, error) {
	n, b, alone := len(x), m.Block(x), m.Empty()
	for _, c := range x {
		alone.hold(c, 0)
	}
	cov := make([]float64, n*n)
	alone.covariances(x, cov)
	if white := slices.Concat(b.white...); len(white) > 0 {
		a := general(white, n, m.n)
		blas64.Gemm(blas.NoTrans, blas.Trans, -1, a, a, 1, general(cov, n, n))
	}
	for i := range n {
		cov[i*n+i] = b.Variance[i] + 1e-6*m.Prior()
	}
	if _, err := choleskyOfScale(nil, cov, n, m.Prior()); err != nil {
		return nil, fmt.Errorf("covariance of %d structures: %w", n, err)
	}
	f := normals(draws*n, rng)
	blas64.Trmm(blas.Right, blas.Trans, s, lower(cov, n), blas64.General{Rows: draws, Cols: n, Stride: n, Data: f})
	rows := stats.Rows(f, draws, n)
	for _, row := range rows {
		blas64.Axpy(1, vector(b.Mean), vector(row))
	}
	return rows, nil
}
