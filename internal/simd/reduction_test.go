package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

const eps = 0x1p-23

// checkReductions checks the documented error bounds of the reductions of x and y. The operands must be finite, as must
// the sums of their absolute values and products.
func checkReductions(t *testing.T, x, y []float32) {
	t.Helper()
	n := float64(len(x))
	var dot, absDot, squares float64
	most := math.Inf(-1)
	for i := range x {
		a, b := float64(x[i]), float64(y[i])
		dot, absDot = dot+a*b, absDot+math.Abs(a*b)
		squares += a * a
		most = max(most, a)
	}
	tests := []struct {
		name        string
		run         func(x, y []float32) float64
		want, bound float64
	}{
		{"Dot", func(x, y []float32) float64 { return float64(Dot(x, y)) }, dot, n * (eps*absDot + 0x1p-149)},
		{"SumSquares", func(x, _ []float32) float64 { return SumSquares(x) }, squares, 2 * n * 0x1p-52 * squares}, // includes the error of want
		{"Max", func(x, _ []float32) float64 { return float64(Max(x)) }, most, 0},
	}
	a, b := fenced(x), fenced(y)
	for _, test := range tests {
		eachISA(t, func(name string) {
			if got := test.run(a.x, b.x); !(math.Abs(got-test.want) <= test.bound || got == test.want) {
				t.Errorf("%s, %s, n=%d: got %g, want %g ± %g", name, test.name, len(x), got, test.want, test.bound)
			}
		})
	}
}

func TestReductions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		x := normals[float32](rng, n)
		checkReductions(t, x, normals[float32](rng, n))
		for i := range x {
			x[i] -= 10 // a 0 beyond the end would be the maximum
		}
		checkReductions(t, x, x)
	}
}

func FuzzReductions(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x80, 0, 0, 0x80, 0x40})
	f.Fuzz(func(t *testing.T, b []byte) {
		v := floats(b)
		x, y := v[:len(v)/2], v[len(v)/2:len(v)/2*2]
		var sum, dot float64
		for i := range x {
			sum += math.Abs(float64(x[i]))
			dot += math.Abs(float64(x[i]) * float64(y[i]))
		}
		if limit := float64(math.MaxFloat32) / 2; sum < limit && dot < limit { // false for NaN and Inf
			checkReductions(t, x, y)
		}
	})
}
