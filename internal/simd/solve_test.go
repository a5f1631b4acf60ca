package simd

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Each row solves a system with a matrix as near as documented: |x − X·Lᵀ| ≤ (n+2)·2⁻⁵²·|X||Lᵀ|, with the rounding of
// the check.
func TestSolveLower64(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 8, 16, 40, 136} {
		for _, m := range []int{0, 1, 3, 4, 9, solveRows, 2*solveRows + 5} {
			ldl, ldx := n+rng.IntN(3), n+rng.IntN(3)
			l, start := normals[float64](rng, n*ldl+1), normals[float64](rng, m*ldx+1)
			for i := range n {
				l[i*ldl+i] = 2 + rng.Float64()
				for j := range i {
					l[i*ldl+j] /= float64(n)
				}
			}
			eachISA(t, func(name string) {
				x := fenced(start)
				SolveLower64(l, ldl, n, x.x, ldx, m)
				for i := range m {
					row := x.x[i*ldx:]
					for j := range n {
						sum, size := 0.0, 0.0
						for k := range j + 1 {
							sum += row[k] * l[j*ldl+k]
							size += math.Abs(row[k] * l[j*ldl+k])
						}
						if d := math.Abs(sum - start[i*ldx+j]); d > 2*float64(n+2)*0x1p-52*size {
							t.Fatalf("%s, n=%d, row %d of %d: column %d of the product is %g off, of terms of %g", name, n, i, m, j, d, size)
						}
					}
					for j := n; j < ldx; j++ {
						if row[j] != start[i*ldx+j] {
							t.Fatalf("%s, n=%d, row %d of %d was written beyond its end", name, n, i, m)
						}
					}
				}
				x.check(t, name)
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
				alone := slices.Clone(start)
				SolveLower64(l, ldl, n, alone, ldx, m)
				if !slices.Equal(alone, x.x) {
					t.Errorf("%s, n=%d m=%d: differs on one processor", name, n, m)
				}
			})
		}
	}
}

func TestSolveLower64Panics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("7 columns do not panic")
		}
	}()
	SolveLower64(make([]float64, 49), 7, 7, make([]float64, 7), 7, 1)
}
