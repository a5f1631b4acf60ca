package simd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

var (
	nan32 = float32(math.NaN())
	inf32 = float32(math.Inf(1))
)

const fenceWidth = 40 // more than two vectors

// fenced copies x to memory between NaNs, with an alignment that depends on its length.
func fenced[T float](x []T) fence[T] {
	f := fence[T]{all: make([]T, len(x)+2*fenceWidth+len(x)%5), lo: fenceWidth + len(x)%5}
	for i := range f.all {
		f.all[i] = T(math.NaN())
	}
	f.x = f.all[f.lo : f.lo+len(x) : f.lo+len(x)]
	copy(f.x, x)
	return f
}

// fence is a slice x between NaNs: over-reads show in the result, over-writes in check.
type fence[T float] struct {
	x, all []T
	lo     int
}

// check fails t if a NaN around x was overwritten.
func (f fence[T]) check(t *testing.T, name string) {
	t.Helper()
	for i, v := range f.all {
		if (i < f.lo || i >= f.lo+len(f.x)) && v == v {
			t.Errorf("%s: wrote %g at element %d of %d", name, v, i-f.lo, len(f.x))
		}
	}
}

// normals returns n numbers from a normal distribution.
func normals[T float](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(rng.NormFloat64())
	}
	return x
}

// fma returns a·b + c, rounded once. The product is exact in float64; the sum is rounded to odd, so that rounding it
// again is correct (Boldo & Melquiond 2008).
func fma(a, b, c float32) float32 {
	p := float64(a) * float64(b)
	s := p + float64(c)
	t := s - p
	e := (p - (s - t)) + (float64(c) - t)
	if bits := math.Float64bits(s); e != 0 && e == e && bits&1 == 0 && !math.IsInf(s, 0) {
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}

func TestFMA(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		a, b := float32(rng.NormFloat64()), float32(rng.NormFloat64())
		c := float32(math.Ldexp(rng.NormFloat64(), -rng.IntN(60)))
		if rng.IntN(2) == 0 { // a sum that cancels
			c = -a * b * (1 + float32(rng.IntN(3)-1)*0x1p-23)
		}
		exact := new(big.Float).SetPrec(300)
		exact.Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b))).Add(exact, big.NewFloat(float64(c)))
		if want, _ := exact.Float32(); fma(a, b, c) != want {
			t.Fatalf("fma(%g, %g, %g) = %g, want %g", a, b, c, fma(a, b, c), want)
		}
	}
}

// same reports whether two values have equal bits or are both NaN.
func same(x, y float32) bool {
	return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
}

// floats turns raw bytes into float32s of any bit pattern.
func floats(b []byte) []float32 {
	x := make([]float32, len(b)/4)
	for i := range x {
		x[i] = math.Float32frombits(uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24)
	}
	return x
}
