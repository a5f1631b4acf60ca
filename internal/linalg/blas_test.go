package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	_ "github.com/invbo/invbo/internal/linalg"
)

var nan = math.NaN()

// matrix returns a matrix (rows, cols) of normal numbers, with NaNs between the rows.
func matrix(rng *rand.Rand, rows, cols int) (x []float64, ld int) {
	ld = max(1, cols+rng.IntN(3))
	x = make([]float64, max(0, (rows-1)*ld+cols))
	for i := range x {
		x[i] = nan
		if i%ld < cols {
			x[i] = rng.NormFloat64()
		}
	}
	return x, ld
}

// triangular returns a well-conditioned triangular matrix with NaN in the other triangle, and on a diagonal that must
// not be read.
func triangular(rng *rand.Rand, n int, ul blas.Uplo, d blas.Diag) (x []float64, ld int) {
	x, ld = matrix(rng, n, n)
	for i := range n {
		for j := range n {
			switch {
			case i == j && d == blas.Unit, i < j && ul == blas.Lower, i > j && ul == blas.Upper:
				x[i*ld+j] = nan
			case i == j:
				x[i*ld+j] = 2 + rng.Float64()
			default:
				x[i*ld+j] /= float64(n)
			}
		}
	}
	return x, ld
}

func check(t *testing.T, what string, got, want []float64, bound float64) {
	t.Helper()
	for i := range want {
		if got[i] != got[i] && want[i] != want[i] {
			continue
		}
		if !(math.Abs(got[i]-want[i]) <= bound) {
			t.Errorf("%s: element %d = %g, want %g ± %g", what, i, got[i], want[i], bound)
			return
		}
	}
}

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func pick[T any](rng *rand.Rand, xs ...T) T { return xs[rng.IntN(len(xs))] }

// TestBLAS compares with gonum's implementation. Elements are about 1 and at most 5, so that 100·k·2⁻⁵² is far above the
// error bound of a sum of k products (Higham 2002, §3.5), and far below the effect of any mistake.
func TestBLAS(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ours, theirs := blas64.Implementation(), gonum.Implementation{}
	if _, same := ours.(gonum.Implementation); same {
		t.Fatal("gonum's own implementation is registered")
	}
	bound := func(k int) float64 { return 100 * float64(k+1) * 0x1p-52 }
	rounds := 400
	if testing.Short() {
		rounds = 100
	}
	for range rounds {
		m, n, k := rng.IntN(150), rng.IntN(150), rng.IntN(150)
		tA, tB := pick(rng, blas.NoTrans, blas.Trans), pick(rng, blas.NoTrans, blas.Trans)
		alpha, beta := pick(rng, 0., 1, -1, 0.5), pick(rng, 0., 1, -1, 0.5)
		ul, d, side := pick(rng, blas.Lower, blas.Upper), pick(rng, blas.Unit, blas.NonUnit), pick(rng, blas.Left, blas.Right)

		shape := func(t blas.Transpose, rows, cols int) (x []float64, ld int) {
			if t == blas.NoTrans {
				return matrix(rng, rows, cols)
			}
			return matrix(rng, cols, rows)
		}
		a, lda := shape(tA, m, k)
		b, ldb := shape(tB, k, n)
		c, ldc := matrix(rng, m, n)
		if beta == 0 && len(c) > 0 {
			c[0] = nan // must not be read
		}
		got, want := slices.Clone(c), slices.Clone(c)
		ours.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, got, ldc)
		theirs.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, want, ldc)
		check(t, fmt.Sprintf("Dgemm %c%c m=%d n=%d k=%d alpha=%g beta=%g", tA, tB, m, n, k, alpha, beta), got, want, bound(k))

		a, lda = shape(tA, n, k)
		c, ldc = triangular(rng, n, ul, blas.NonUnit)
		got, want = slices.Clone(c), slices.Clone(c)
		ours.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, got, ldc)
		theirs.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, want, ldc)
		check(t, fmt.Sprintf("Dsyrk %c%c n=%d k=%d alpha=%g beta=%g", ul, tA, n, k, alpha, beta), got, want, bound(k))

		order := n
		if side == blas.Left {
			order = m
		}
		a, lda = triangular(rng, order, ul, d)
		b, ldb = matrix(rng, m, n)
		name := fmt.Sprintf("%c%c%c%c m=%d n=%d alpha=%g", side, ul, tA, d, m, n, alpha)
		got, want = slices.Clone(b), slices.Clone(b)
		ours.Dtrsm(side, ul, tA, d, m, n, alpha, a, lda, got, ldb)
		theirs.Dtrsm(side, ul, tA, d, m, n, alpha, a, lda, want, ldb)
		check(t, "Dtrsm "+name, got, want, bound(order))
		got, want = slices.Clone(b), slices.Clone(b)
		ours.Dtrmm(side, ul, tA, d, m, n, alpha, a, lda, got, ldb)
		theirs.Dtrmm(side, ul, tA, d, m, n, alpha, a, lda, want, ldb)
		check(t, "Dtrmm "+name, got, want, bound(order))
	}
}

func TestBLASDoesNotDependOnProcessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 300
	a, _ := triangular(rng, n, blas.Lower, blas.NonUnit)
	lda := (len(a) - n) / (n - 1)
	b, ldb := matrix(rng, n, n)
	run := func(procs int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		im, x, c := blas64.Implementation(), slices.Clone(b), make([]float64, n*n)
		im.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, n, n, 1, a, lda, x, ldb)
		im.Dsyrk(blas.Lower, blas.Trans, n, n, 1, x, ldb, 0, c, n)
		im.Dtrmm(blas.Right, blas.Lower, blas.Trans, blas.NonUnit, n, n, 1, a, lda, c, n)
		return c
	}
	want := run(1)
	for _, procs := range []int{2, 5} {
		if !slices.Equal(run(procs), want) {
			t.Errorf("GOMAXPROCS=%d changes the result", procs)
		}
	}
}

func BenchmarkBLAS(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, im := range []struct {
		name string
		blas.Float64Level3
	}{{"ours", blas64.Implementation()}, {"gonum", gonum.Implementation{}}} {
		for _, n := range []int{32, 100, 512} {
			l, ldl := triangular(rng, n, blas.Lower, blas.NonUnit)
			x, ldx := normals(rng, n*n), n
			y := make([]float64, n*n)
			run := func(name string, multiplications int, f func()) {
				b.Run(fmt.Sprintf("%s/%d/%s", name, n, im.name), func(b *testing.B) {
					for b.Loop() {
						f()
					}
					b.ReportMetric(2*float64(multiplications)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
			run("Dgemm", n*n*n, func() { im.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, ldx, x, ldx, 0, y, n) })
			run("Dsyrk", n*n*n/2, func() { im.Dsyrk(blas.Lower, blas.Trans, n, n, 1, x, ldx, 0, y, n) })
			run("Dtrsm", n*n*n/2, func() {
				copy(y, x) // repeated solves would become denormal
				im.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, n, n, 1, l, ldl, y, n)
			})
			run("Dtrmm", n*n*n/2, func() {
				copy(y, x)
				im.Dtrmm(blas.Left, blas.Lower, blas.Trans, blas.NonUnit, n, n, 1, l, ldl, y, n)
			})
		}
	}
}
