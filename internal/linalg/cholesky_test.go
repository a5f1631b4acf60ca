package linalg_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/internal/linalg"
)

func TestQuick(t *testing.T) {
	for _, n := range []int{1, 5, 64, 65, 200} {
		a := make([]float64, n*n)
		for i := range n {
			for j := range n {
				a[i*n+j] = math.Exp(-math.Abs(float64(i-j)) / 10)
			}
		}
		l := append([]float64(nil), a...)
		if err := linalg.Cholesky(l, n); err != nil {
			t.Fatal(n, err)
		}
		for i := range n {
			for j := range n {
				var s float64
				for p := range n {
					s += l[i*n+p] * l[j*n+p]
				}
				if math.Abs(s-a[i*n+j]) > 1e-13 {
					t.Fatal(n, i, j, s, a[i*n+j])
				}
			}
		}
	}
}
