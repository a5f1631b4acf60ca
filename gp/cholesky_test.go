package gp

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"pgregory.net/rapid"
)

func TestCholesky(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name   string
		a      []float64
		jitter float64 // of the result
		err    string
	}{
		{"positive definite needs none", []float64{4, 2, 2, 5}, 0, ""},
		{"repeated points need the least", []float64{1, 1, 1, 1}, 1e-8, ""},
		{"slightly indefinite needs more", []float64{1, 1 + 3e-6, 1 + 3e-6, 1}, 1e-5, ""},
		{"indefinite is an error that names the jitters", []float64{1, 2, 2, 1}, 0, "jitter [1e-08 1e-07 1e-06 1e-05 0.0001 0.001]"},
		{"NaN is an error that names the entry", []float64{1, nan, nan, 1}, 0, "entry (1, 0) is NaN"},
		{"infinity too", []float64{1, 0, 0, math.Inf(1)}, 0, "entry (1, 1) is +Inf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := append([]float64(nil), test.a...)
			jitter, err := cholesky(a, 2)
			if test.err != "" {
				if !errors.Is(err, ErrNotPositiveDefinite) || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("error %v, want ErrNotPositiveDefinite with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(jitter-test.jitter) > 1e-12 {
				t.Errorf("jitter = %g, want %g", jitter, test.jitter)
			}
			for i := range 2 {
				for j := range i + 1 {
					got := a[i*2]*a[j*2] + a[i*2+1]*a[j*2+1]
					want := test.a[i*2+j]
					if i == j {
						want += jitter
					}
					if math.Abs(got-want) > 1e-14 {
						t.Errorf("LLᵀ(%d, %d) = %g, want %g", i, j, got, want)
					}
				}
			}
		})
	}
}

// Matrices of lower rank are mended whatever their size: the factorization fails after it has overwritten parts of them.
func TestCholeskyOfLowRank(t *testing.T) {
	for _, n := range []int{9, 34, 150} {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		rank := n / 3
		b, given := make([]float64, n*rank), make([]float64, n*n)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, general(b, n, rank), general(b, n, rank), 0, general(given, n, n))
		a := slices.Clone(given)
		jitter, err := cholesky(a, n)
		if err != nil || !(jitter > 0 && jitter < 1e-6*float64(rank)) {
			t.Errorf("n=%d: jitter %g, error %v; want a small jitter", n, jitter, err)
			continue
		}
		product := make([]float64, n*n)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, general(a, n, n), general(a, n, n), 0, general(product, n, n))
		for i := range given {
			if want := given[i]; i%(n+1) == 0 && math.Abs(product[i]-want-jitter) > 1e-10*float64(n) || i%(n+1) > 0 && math.Abs(product[i]-want) > 1e-10*float64(n) {
				t.Fatalf("n=%d: element %d of LLᵀ is %g, want %g, with %g on the diagonal", n, i, product[i], want, jitter)
			}
		}
	}
}

func TestInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3*inverseBlock).Draw(t, "n")
		a := make([]float64, n*n) // strongly diagonal, so that the rounding is a few units in the last place
		for i := range n {
			for j := range i {
				a[i*n+j] = math.Sin(float64(i*n+j)) / float64(n)
			}
			a[i*n+i] = 4
		}
		mirror(a, n)
		l := append([]float64(nil), a...)
		if _, err := cholesky(l, n); err != nil {
			t.Fatal(err)
		}
		inv := inverse(nil, l, n)
		for i := range n {
			for j := range n {
				got, want := dot(a[i*n:(i+1)*n], inv[j*n:(j+1)*n]), 0.0
				if i == j {
					want = 1
				}
				if math.Abs(got-want) > 1e-13 {
					t.Fatalf("n=%d: (A·A⁻¹)(%d, %d) = %g", n, i, j, got)
				}
			}
		}
	})
}
