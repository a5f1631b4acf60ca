package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/invbo/invbo/internal/linalg"
)

// kernelMatrix returns exp(−½(xᵢ − xⱼ)²) + jitter·I (n, n) for n normal xᵢ, like the kernel matrix of a Gaussian process:
// its condition number is about n/jitter. The upper triangle is NaN.
func kernelMatrix(rng *rand.Rand, n int, jitter float64) []float64 {
	x, a := make([]float64, n), make([]float64, n*n)
	for i := range x {
		x[i] = rng.NormFloat64()
		for j := range i + 1 {
			a[i*n+j] = math.Exp(-(x[i] - x[j]) * (x[i] - x[j]) / 2)
			a[j*n+i] = nan
		}
		a[i*n+i] = 1 + jitter
	}
	return a
}

// checkFactor checks that |A − LLᵀ| ≤ (n + 20)·2⁻⁵²·|L||Lᵀ|, twice the bound for any order of summation (Higham 2002,
// Theorem 10.3) plus the effect of the reciprocals in simd.SolveLower64. |L||Lᵀ| ≤ 2·max aᵢᵢ by Cauchy-Schwarz.
func checkFactor(t interface{ Errorf(string, ...any) }, l, a []float64, n int) {
	bound, most := float64(n+20)*0x1p-52, 0.
	for i := range n {
		most = max(most, a[i*n+i])
	}
	for i := range n {
		for j := range n {
			if j > i {
				if l[i*n+j] != 0 {
					t.Errorf("n=%d: L[%d, %d] = %g, want 0", n, i, j, l[i*n+j])
					return
				}
				continue
			}
			var s float64
			for p := range j + 1 {
				s += l[i*n+p] * l[j*n+p]
			}
			if !(math.Abs(s-a[i*n+j]) <= 2*bound*most) {
				t.Errorf("n=%d: (LLᵀ)[%d, %d] = %g, want %g", n, i, j, s, a[i*n+j])
				return
			}
		}
	}
}

func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		a := kernelMatrix(rng, n, 1e-10)
		l := slices.Clone(a)
		if err := linalg.Cholesky(l, n); err != nil {
			t.Fatalf("n=%d: %v", n, err)
		}
		checkFactor(t, l, a, n)
	}
	for _, n := range []int{100, 127, 128, 129, 255, 300} {
		a := kernelMatrix(rng, n, 1e-10)
		l := slices.Clone(a)
		if err := linalg.Cholesky(l, n); err != nil {
			t.Fatalf("n=%d: %v", n, err)
		}
		checkFactor(t, l, a, n)
	}
}

func TestCholeskyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		scale := math.Ldexp(1, 2*rapid.IntRange(-200, 200).Draw(t, "exponent"))
		a := kernelMatrix(rng, n, 1e-9)
		l, scaled := slices.Clone(a), slices.Clone(a)
		for i := range scaled {
			scaled[i] *= scale
		}
		if err := linalg.Cholesky(l, n); err != nil {
			t.Fatal(err)
		}
		checkFactor(t, l, a, n)
		if err := linalg.Cholesky(scaled, n); err != nil {
			t.Fatal(err)
		}
		for i := range l { // scaling by a power of four is exact
			if scaled[i] != l[i]*math.Sqrt(scale) {
				t.Fatalf("L of the scaled matrix differs at %d: %g, want %g", i, scaled[i], l[i]*math.Sqrt(scale))
			}
		}
	})
}

func TestCholeskyFails(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 7, 8, 9, 50, 200} {
		for _, pivot := range []float64{-1, 0, nan, math.Inf(1), math.Inf(-1)} {
			column := rng.IntN(n)
			a := make([]float64, n*n) // the identity with one pivot changed, which the factorization reaches exactly
			for i := range n {
				a[i*n+i] = 1
				for j := range i {
					a[j*n+i] = 7 // must neither be read nor changed
				}
			}
			a[column*n+column] = pivot
			err := linalg.Cholesky(a, n)
			if want := fmt.Sprintf("pivot %g in column %d", pivot, column); err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("n=%d: error %v, want one that ends with %q", n, err, want)
			}
			for i := range n {
				if slices.ContainsFunc(a[i*n+i+1:(i+1)*n], func(v float64) bool { return v != 7 }) {
					t.Errorf("n=%d: the upper triangle has changed in row %d", n, i)
				}
			}
		}
	}
}

// TestCholeskyNaN puts a NaN anywhere in the lower triangle.
func TestCholeskyNaN(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n := 1 + rng.IntN(100)
		a := kernelMatrix(rng, n, 0.1)
		i := rng.IntN(n)
		a[i*n+rng.IntN(i+1)] = nan
		if err := linalg.Cholesky(a, n); err == nil {
			t.Fatalf("n=%d: no error for a NaN in row %d", n, i)
		}
	}
}

func TestCholeskyDoesNotDependOnProcessors(t *testing.T) {
	const n = 500
	a := kernelMatrix(rand.New(rand.NewPCG(7, 8)), n, 1e-6)
	factor := func(procs int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		l := slices.Clone(a)
		if err := linalg.Cholesky(l, n); err != nil {
			t.Fatal(err)
		}
		return l
	}
	want := factor(1)
	for _, procs := range []int{2, 3, 8} {
		if !slices.Equal(factor(procs), want) {
			t.Errorf("GOMAXPROCS=%d changes the factor", procs)
		}
	}
}

func BenchmarkCholesky(b *testing.B) {
	for _, n := range []int{32, 128, 256, 512, 1024} {
		a := kernelMatrix(rand.New(rand.NewPCG(9, 10)), n, 1e-3)
		for i := range n {
			for j := range i {
				a[j*n+i] = a[i*n+j]
			}
		}
		l := make([]float64, n*n)
		run := func(name string, f func() bool) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					copy(l, a)
					if !f() {
						b.Fatal("not positive definite")
					}
				}
				b.ReportMetric(float64(n)*float64(n)*float64(n)/3*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
		run("ours", func() bool { return linalg.Cholesky(l, n) == nil })
		run("mat", func() bool { // gonum's, on our BLAS
			var c mat.Cholesky
			return c.Factorize(mat.NewSymDense(n, l))
		})
	}
}
