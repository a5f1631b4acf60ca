package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// exp, tanh and hardSigmoid evaluate functions that are part of other kernels, by choosing operands.

func exp(dst, x []float32) { expSum(dst, x, 0) }

func tanh(dst, x []float32) {
	zeros := make([]float32, len(x))
	copy(dst, x)
	GRUState(make([]float32, len(x)), dst, zeros, minusZeros(len(x)), zeros)
}

func hardSigmoid(dst, x []float32) {
	n := len(x)
	zeros := make([]float32, n)
	copy(dst, x)
	GRUGates(dst, make([]float32, n), make([]float32, n), minusZeros(n), zeros, zeros)
}

// minusZeros returns the additive identity, also for 0.
func minusZeros(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(math.Copysign(0, -1))
	}
	return x
}

// transcendentals are the functions with their documented bounds in ulp.
var transcendentals = []struct {
	name  string
	run   func(dst, x []float32)
	exact func(float64) float64
	ulps  float64
}{
	{"exp of Softmax", exp, math.Exp, 1.1},
	{"tanh of GRUState", tanh, math.Tanh, 2.5},
}

// ulps returns the distance of got from want in units of the float32 grid at want, which extends beyond the largest
// float32 with Inf as its next point.
func ulps(got float32, want float64) float64 {
	g := float64(got)
	if math.IsInf(g, 1) {
		g, want = 0x1p128, min(want, 0x1p128)
	}
	_, exponent := math.Frexp(want)
	return math.Abs(g-want) / math.Ldexp(1, max(exponent-24, -149))
}

// checkTranscendentals checks the error bound of every function at every x, and that NaN gives NaN.
func checkTranscendentals(t *testing.T, x []float32) {
	t.Helper()
	in, out := fenced(x), fenced(x)
	for _, f := range transcendentals {
		eachISA(t, func(name string) {
			f.run(out.x, in.x)
			worst, at := 0., 0
			for i, got := range out.x {
				want := f.exact(float64(x[i]))
				if got != got || want != want {
					if (got != got) != (want != want) {
						t.Fatalf("%s, %s(%g) = %g, want %g", name, f.name, x[i], got, want)
					}
					continue
				}
				if u := ulps(got, want); !(u <= worst) {
					worst, at = u, i
				}
			}
			if !(worst <= f.ulps) {
				t.Errorf("%s, %s(%g) = %g: %.3g ulp from %g, want at most %g", name, f.name, x[at], out.x[at], worst, f.exact(float64(x[at])), f.ulps)
			}
			out.check(t, f.name)
		})
	}
}

// TestTranscendentals samples all exponents and signs with a prime stride, and tests edge cases and short rows.
func TestTranscendentals(t *testing.T) {
	stride := uint64(4999)
	if testing.Short() {
		stride = 99991
	}
	x := make([]float32, 0, 1<<16)
	for bits := uint64(0); bits < 1<<32; bits += stride {
		if x = append(x, math.Float32frombits(uint32(bits))); len(x) == cap(x) {
			checkTranscendentals(t, x)
			x = x[:0]
		}
	}
	checkTranscendentals(t, x)

	edges := []float32{
		0, float32(math.Copysign(0, -1)), 0x1p-149, -0x1p-149, 0x1p-126, inf32, -inf32, nan32, math.MaxFloat32, -math.MaxFloat32,
		88.72283, 88.72284, -87.33654, -87.33655, -103.27893, -103.97207, -103.97208, -104, -110, -120, 90, 91, // where eˣ is not normal
		0.34657359, 0.34657362, -0.34657359, 9.0109, 9.0110, 10, 20,
	}
	checkTranscendentals(t, edges)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		checkTranscendentals(t, normals[float32](rng, n))
	}
}

func FuzzTranscendentals(f *testing.F) {
	f.Add([]byte{0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0xff, 1, 0, 0, 0x80})
	f.Fuzz(func(t *testing.T, b []byte) {
		if x := floats(b); len(x) < 200 {
			checkTranscendentals(t, x)
		}
	})
}

// TestTanhIsOdd also covers the sign of zero.
func TestTanhIsOdd(t *testing.T) {
	x := []float32{0, 0x1p-149, 1e-20, 0.1, 1, 5, inf32}
	plus, minus, negated := make([]float32, len(x)), make([]float32, len(x)), make([]float32, len(x))
	for i := range x {
		negated[i] = float32(math.Copysign(float64(x[i]), -1))
	}
	eachISA(t, func(name string) {
		tanh(plus, x)
		tanh(minus, negated)
		for i := range x {
			if math.Float32bits(plus[i])^1<<31 != math.Float32bits(minus[i]) {
				t.Errorf("%s: tanh %g = %g, tanh %g = %g", name, x[i], plus[i], negated[i], minus[i])
			}
		}
	})
}
