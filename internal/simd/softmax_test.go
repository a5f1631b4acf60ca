package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// checkSoftmax compares with float64. Each exponential has a relative error of |x − max|·eps/2 from the difference and
// an ulp, the sum n·eps more, and the quotient two roundings; all of it twice for numerator and denominator.
func checkSoftmax(t *testing.T, x []float32) {
	t.Helper()
	most := math.Inf(-1)
	for _, v := range x {
		most = max(most, float64(v))
	}
	var sum float64
	for _, v := range x {
		sum += math.Exp(float64(v) - most)
	}
	in, out := fenced(x), fenced(x)
	eachISA(t, func(name string) {
		logSumExp := Softmax(out.x, in.x)
		n := float64(len(x))
		if want := most + math.Log(sum); !(math.Abs(float64(logSumExp)-want) <= eps*(n+110+math.Abs(most)+math.Abs(want))) {
			t.Errorf("%s, n=%d: log-sum-exp = %g, want %g", name, len(x), logSumExp, want)
		}
		for i, v := range x {
			d := float64(v) - most
			want := math.Exp(d) / sum
			if got := float64(out.x[i]); !(math.Abs(got-want) <= want*eps*(n+110+min(-d, 110))+0x1p-148) {
				t.Errorf("%s, n=%d: element %d = %g, want %g", name, len(x), i, got, want)
			}
		}
		out.check(t, name)
	})
}

func TestSoftmax(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 120; n++ {
		x := normals[float32](rng, n)
		checkSoftmax(t, x)
		for i := range x {
			x[i] = 1000*x[i] - 3000 // finite x must not overflow
		}
		checkSoftmax(t, x)
		x[rng.IntN(n)] = -inf32 // a masked class
		if n > 1 {
			checkSoftmax(t, x)
		}
	}
	eachISA(t, func(name string) {
		for _, x := range [][]float32{{1, nan32, 2}, {1, inf32, 2}, {-inf32, -inf32, -inf32}} {
			dst := make([]float32, len(x))
			if got := Softmax(dst, x); got == got {
				t.Errorf("%s: log-sum-exp of %g = %g, want NaN", name, x, got)
			}
		}
	})
}
