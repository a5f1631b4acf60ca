// Package gp implements the surrogate models: Gaussian processes (GPs) fitted to scored inputs, in float64.
//
//   - SVGP is the paper's surrogate on latents: a sparse variational GP with an optional deep kernel.
//   - Exact is an exact GP on latents with one lengthscale per dimension, as in TuRBO.
//   - MinMax is an exact GP on structures, given as counts of features (Counts), such as molecular fingerprints.
//   - Mixture is an exact GP on structures with several groups of features, and can grow.
//
// Fit trains an SVGP or an Exact, and Posterior then returns a Posterior; FitMinMax does both in one step. Predict
// returns means and variances. Sample and Joint draw functions from the posterior, for Thompson sampling: their At
// evaluates the same functions at any number of inputs, in one call or in several.
//
// Scores should have about unit variance. A Transform, once fitted (Scale), converts scores to such a scale and
// predictions back to the units of the scores. Where the variance of a score is known, for example of a mean of
// replicates, FitOptions.Variance adds it to the fitted noise.
//
// Inputs are rows, (n, d), within about 10⁴ lengthscales of the origin; centre inputs that lie far from it. The same
// inputs give bit-identical outputs on any number of cores.
package gp

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/invbo/invbo/internal/linalg"
	"github.com/invbo/invbo/internal/stats"
)

// ErrData is wrapped by errors about invalid data: no rows, rows of different lengths, numbers that are not finite or
// beyond ±10¹⁰⁰, structures that are not as Counts says, terms that no Mixture can have.
var ErrData = errors.New("unusable data")

// flatten returns x (n, d) row after row. The error wraps ErrData and names the row.
func flatten(x [][]float64, d int) ([]float64, error) {
	if len(x) == 0 {
		return nil, fmt.Errorf("gp: %w: no rows", ErrData)
	}
	flat := make([]float64, 0, len(x)*d)
	for i, row := range x {
		if len(row) != d {
			return nil, fmt.Errorf("gp: %w: row %d has %d columns, want %d", ErrData, i, len(row), d)
		}
		if j := unusable(row); j >= 0 {
			return nil, fmt.Errorf("gp: %w: row %d, column %d is %g", ErrData, i, j, row[j])
		}
		flat = append(flat, row...)
	}
	if d == 0 {
		return nil, fmt.Errorf("gp: %w: rows without columns", ErrData)
	}
	return flat, nil
}

// data are n rows x (n, d), one after another, with targets y (n) and the known variances of these (n); nil: 0.
type data struct{ x, y, variance []float64 }

// newData returns rows with targets, and with variances and IDs (n) unless they are nil. The error wraps ErrData.
func newData(x [][]float64, y, variance []float64, id []int, d int) (data, error) {
	if id != nil && len(id) != len(y) {
		return data{}, fmt.Errorf("gp: %w: %d IDs for %d targets", ErrData, len(id), len(y))
	}
	if err := checkTargets(len(x), y, variance); err != nil {
		return data{}, err
	}
	flat, err := flatten(x, d)
	return data{flat, y, variance}, err
}

// rows returns the rows at index.
func (d data) rows(index []int, dim int) data {
	return data{gather(d.x, index, dim), stats.Pick(d.y, index), stats.Pick(d.variance, index)}
}

// checkTargets returns an error unless y holds n finite targets, and variance is nil or holds the known variance of each.
func checkTargets(n int, y, variance []float64) error {
	if len(y) != n {
		return fmt.Errorf("gp: %w: %d rows and %d targets", ErrData, n, len(y))
	}
	if i := unusable(y); i >= 0 {
		return fmt.Errorf("gp: %w: target %d is %g; leave out failed evaluations", ErrData, i, y[i])
	}
	return checkVariances(n, variance)
}

// huge bounds inputs and targets: squares of smaller numbers, and sums of these, are finite.
const huge = 1e100

// unusable returns the index of the first NaN, infinity or number beyond ±huge, or -1.
func unusable(x []float64) int {
	for i, v := range x {
		if !(math.Abs(v) <= huge) {
			return i
		}
	}
	return -1
}

// softplus returns log(1 + exp(x)), without overflow for large x.
func softplus(x float64) float64 {
	return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
}

// unsoftplus is the inverse of softplus, for y > 0.
func unsoftplus(y float64) float64 {
	return y + math.Log(-math.Expm1(-y))
}

// sigmoid returns 1/(1 + exp(-x)), the derivative of softplus.
func sigmoid(x float64) float64 {
	return 1 / (1 + math.Exp(-x))
}

// general returns data (r, c) as a matrix of gonum's BLAS.
func general(data []float64, r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: data}
}

// lower returns the lower triangle of data (n, n).
func lower(data []float64, n int) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: n, Data: data}
}

// vector returns data as a vector with stride 1.
func vector(data []float64) blas64.Vector {
	return blas64.Vector{N: len(data), Inc: 1, Data: data}
}

// mul sets c (m, n) to op(a)·op(b), where the inner dimension is k and op is the transpose if tA, tB say so.
func mul(tA, tB blas.Transpose, m, n, k int, a, b, c []float64) {
	ga, gb := general(a, m, k), general(b, k, n)
	if tA == blas.Trans {
		ga = general(a, k, m)
	}
	if tB == blas.Trans {
		gb = general(b, n, k)
	}
	blas64.Gemm(tA, tB, 1, ga, gb, 0, general(c, m, n))
}

// solve overwrites b (n, c) with l⁻¹b, or with l⁻ᵀb, for a lower factor l (n, n).
func solve(t blas.Transpose, l, b []float64, n, c int) {
	blas64.Trsm(blas.Left, t, 1, lower(l, n), general(b, n, c))
}

// solveVec overwrites b (n) with l⁻¹b, or with l⁻ᵀb.
func solveVec(t blas.Transpose, l, b []float64) {
	blas64.Trsv(t, lower(l, len(b)), vector(b))
}

func dot(x, y []float64) float64 {
	return blas64.Dot(vector(x), vector(y))
}

// workspace is an arena of scratch memory for a repeated computation. A nil workspace allocates.
type workspace struct {
	slab []float64
	lent int // length of the part of slab in use
}

// reset frees all memory taken.
func (w *workspace) reset() { w.lent = 0 }

// take returns n numbers, not initialized.
func (w *workspace) take(n int) []float64 {
	if w == nil {
		return linalg.Floats(n)
	}
	if len(w.slab)-w.lent < n { // slices of the old slab stay valid
		w.slab, w.lent = linalg.Floats(max(n, 2*len(w.slab))), 0
	}
	s := w.slab[w.lent : w.lent+n : w.lent+n]
	w.lent += n
	return s
}

// zeros returns n zeros.
func (w *workspace) zeros(n int) []float64 {
	s := w.take(n)
	clear(s)
	return s
}

// copyOf returns a copy of x.
func (w *workspace) copyOf(x []float64) []float64 {
	s := w.take(len(x))
	copy(s, x)
	return s
}
