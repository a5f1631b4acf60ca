package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = rng.Float32() - .5
		}
		return x
	}
	for it := range 300 {
		m, n, k := 1+rng.IntN(60), 1+rng.IntN(90), rng.IntN(300)
		tA, tB, add := rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
		lda, ldb, ldc := k+3, n+2, n+1
		ra, rb := m, k
		if tA {
			lda, ra = m+3, k
		}
		if tB {
			ldb, rb = k+2, n
		}
		a, b, c := r(ra*lda), r(rb*ldb), r(m*ldc)
		want := make([]float64, m*n)
		for i := range m {
			for j := range n {
				var s float64
				if add {
					s = float64(c[i*ldc+j])
				}
				for p := range k {
					x, y := a, b
					xi, yi := i*lda+p, p*ldb+j
					if tA {
						xi = p*lda + i
					}
					if tB {
						yi = j*ldb + p
					}
					s += float64(x[xi]) * float64(y[yi])
				}
				want[i*n+j] = s
			}
		}
		Gemm(tA, tB, m, n, k, a, lda, b, ldb, c, ldc, add)
		for i := range m {
			for j := range n {
				if d := float64(c[i*ldc+j]) - want[i*n+j]; !(d < 1e-4 && d > -1e-4) {
					t.Fatal(it, m, n, k, tA, tB, add, i, j, d)
				}
			}
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	for _, s := range [][3]int{{4096, 512, 128}, {1024, 1024, 1024}, {48, 300, 100}, {600, 100, 25}} {
		m, n, k := s[0], s[1], s[2]
		b.Run(fmt.Sprintf("%dx%dx%d", m, k, n), func(b *testing.B) {
			x, y, z := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
			for b.Loop() {
				Gemm(false, false, m, n, k, x, k, y, n, z, n, false)
			}
			b.ReportMetric(float64(2*m*n*k*b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
