package gp

import (
	"errors"
	"fmt"

	"github.com/invbo/invbo/internal/linalg"
)

// ErrNotPositiveDefinite is wrapped by errors about a covariance that has no Cholesky factor.
var ErrNotPositiveDefinite = errors.New("covariance is not positive definite")

// jitterTries is the number of jitters that cholesky tries: 10⁻⁸ of the mean of the diagonal, then ten times more each,
// up to 10⁻³.
const jitterTries = 6

// cholesky overwrites the symmetric a (n, n) with its lower factor; the upper triangle becomes 0. If a is not positive
// definite to working precision, it adds an increasing jitter to the diagonal, and returns it. If no jitter helps, the
// error names those tried, and a is overwritten.
func cholesky(a []float64, n int) (jitter float64, err error) {
	var mean float64
	for i := range n {
		mean += a[i*n+i] / float64(n)
	}
	return choleskyOfScale(a, n, mean)
}

// choleskyOfScale is cholesky with jitters relative to scale instead of the mean of the diagonal, which may be 0 up to
// rounding.
func choleskyOfScale(a []float64, n int, scale float64) (jitter float64, err error) {
	for i := range n {
		if j := unusable(a[i*n : i*n+i+1]); j >= 0 {
			return 0, fmt.Errorf("gp: %w: entry (%d, %d) is %g: hyperparameters or inputs have diverged",
				ErrNotPositiveDefinite, i, j, a[i*n+j])
		}
	}
	diagonal := make([]float64, n)
	for i := range n {
		diagonal[i] = a[i*n+i]
	}
	if err = linalg.Cholesky(a, n); err == nil {
		return 0, nil
	}
	var tried []float64
	jitter = 1e-8 * scale
	for range jitterTries {
		for i := range n { // restored from the upper triangle, which is unchanged
			for j := range i {
				a[i*n+j] = a[j*n+i]
			}
			a[i*n+i] = diagonal[i] + jitter
		}
		if err = linalg.Cholesky(a, n); err == nil {
			return jitter, nil
		}
		tried = append(tried, jitter)
		jitter *= 10
	}
	return 0, fmt.Errorf("gp: %w (%d×%d): %v, even with jitter %.2g on the diagonal: points are repeated or far closer than a lengthscale; drop repeats or raise the noise",
		ErrNotPositiveDefinite, n, n, err, tried)
}
