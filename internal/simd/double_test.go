package simd

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// halvings reduces any x of exactExp and exactSinCos below 2⁻⁶. Doubling it again loses one or two digits of 160.
const halvings = 20

func precise(x float64) *big.Float { return new(big.Float).SetPrec(160).SetFloat64(x) }

// exactExp returns eˣ for |x| < 2¹⁴: the series at t = x/2²⁰, squared 20 times.
func exactExp(x float64) *big.Float {
	t := precise(0).SetMantExp(precise(x), -halvings)
	sum, term := precise(1), precise(1)
	for k := 1.; k < 20; k++ {
		term.Mul(term, t)
		term.Quo(term, big.NewFloat(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// exactSinCos returns sin x and cos x for |x| < 2¹⁴, from c = cos t − 1 and s = sin t at t = x/2²⁰ by 20 doublings of t.
// Using cos t itself would lose the digits of c.
func exactSinCos(x float64) (sin, cos *big.Float) {
	t := precise(0).SetMantExp(precise(x), -halvings)
	s, c, term := precise(0), precise(0), precise(1)
	for k := 1.; k < 20; k++ {
		term.Mul(term, t)
		term.Quo(term, big.NewFloat(k))
		switch int(k) % 4 {
		case 0:
			c.Add(c, term)
		case 1:
			s.Add(s, term)
		case 2:
			c.Sub(c, term)
		case 3:
			s.Sub(s, term)
		}
	}
	for range halvings { // sin 2t = 2s(1 + c), cos 2t − 1 = −2s²
		c2 := precise(-2)
		c2.Mul(c2, s).Mul(c2, s)
		s.Mul(s, c.Add(c, big.NewFloat(1))).Mul(s, big.NewFloat(2))
		c = c2
	}
	return s, c.Add(c, big.NewFloat(1))
}

// ulps64 is ulps for float64.
func ulps64(got float64, want *big.Float) float64 {
	exponent := want.MantExp(nil)
	g := precise(0)
	if math.IsInf(got, 1) {
		g.SetMantExp(big.NewFloat(1), 1024)
		if want.Cmp(g) > 0 {
			return 0
		}
	} else {
		g.SetFloat64(got)
	}
	d, _ := g.Sub(g, want).Float64()
	return math.Ldexp(math.Abs(d), -max(exponent-53, -1074))
}

// checkExp64 checks the error bound of Exp64 at every x.
func checkExp64(t *testing.T, x []float64) {
	t.Helper()
	exact := make([]*big.Float, len(x))
	for i, v := range x {
		if v == v {
			exact[i] = exactExp(min(max(v, -800), 800))
		}
	}
	in, out := fenced(x), fenced(x)
	eachISA(t, func(name string) {
		Exp64(out.x, in.x)
		for i, got := range out.x {
			if exact[i] == nil {
				if got == got {
					t.Errorf("%s, Exp64(NaN) = %g", name, got)
				}
			} else if u := ulps64(got, exact[i]); !(u < 1.1) {
				t.Errorf("%s, Exp64(%g) = %g: %.3g ulp from %.17g, want less than 1.1", name, x[i], got, u, exact[i])
			}
		}
		out.check(t, "Exp64")
	})
}

func TestExp64(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		checkExp64(t, normals[float64](rng, n))
	}
	x := make([]float64, 5000)
	for i := range x {
		x[i] = 1470*rng.Float64() - 750
	}
	checkExp64(t, x)
	checkExp64(t, []float64{
		0, math.Copysign(0, -1), 0x1p-1074, -0x1p-1074, 0x1p-54, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
		709.782712893384, 709.7827128933841, -708.3964185322641, -708.3964185322642, -744.4400719213812, -745.1332191019411, -745.1332191019412, -746, -750, 710, 711, // where eˣ is not normal
		math.Ln2 / 2, -math.Ln2 / 2, 1.5 * math.Ln2,
	})
}

// checkSinCos64 checks the error bound of SinCos64 at every x.
func checkSinCos64(t *testing.T, x []float64) {
	t.Helper()
	sines, cosines := make([]*big.Float, len(x)), make([]*big.Float, len(x))
	for i, v := range x {
		if math.Abs(v) <= sinCosBound {
			sines[i], cosines[i] = exactSinCos(v)
		}
	}
	in, sin, cos := fenced(x), fenced(x), fenced(x)
	eachISA(t, func(name string) {
		SinCos64(sin.x, cos.x, in.x)
		for i := range x {
			if sines[i] == nil {
				s, c := math.Sincos(x[i])
				if !same64(sin.x[i], s) || !same64(cos.x[i], c) {
					t.Errorf("%s, SinCos64(%g) = %g, %g, want %g, %g", name, x[i], sin.x[i], cos.x[i], s, c)
				}
				continue
			}
			if s, c := ulps64(sin.x[i], sines[i]), ulps64(cos.x[i], cosines[i]); !(s < 1.7 && c < 1.7) {
				t.Errorf("%s, SinCos64(%g) = %g, %g: errors of %.3g and %.3g ulp, want less than 1.7", name, x[i], sin.x[i], cos.x[i], s, c)
			}
		}
		sin.check(t, "SinCos64")
		cos.check(t, "SinCos64")
	})
}

func same64(x, y float64) bool { return x == y || x != x && y != y }

func TestSinCos64(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		checkSinCos64(t, normals[float64](rng, n))
	}
	var x []float64
	for range 2000 {
		x = append(x, 2*sinCosBound*(rng.Float64()-0.5), 20*rng.NormFloat64())
	}
	for n := range 1000 { // around the multiples of π/2 and π/4, where a result is small or the reduction changes
		m := float64(n) * math.Pi / 2
		x = append(x, m, math.Nextafter(m, 0), -m, m+math.Pi/4, math.Nextafter(m+math.Pi/4, 0))
	}
	checkSinCos64(t, x)
	inf := math.Inf(1)
	edges := []float64{0, math.Copysign(0, -1), 0x1p-1074, -0x1p-1022, 0x1p-30, sinCosBound, -sinCosBound}
	checkSinCos64(t, edges)
	far := []float64{math.Nextafter(sinCosBound, inf), -1e5, 1e22, math.MaxFloat64, inf, -inf, math.NaN()}
	for i, v := range far { // alone and in every lane of a vector
		checkSinCos64(t, []float64{v})
		x := normals[float64](rng, 30)
		x[i], x[i+8], x[29-i] = v, v, v
		checkSinCos64(t, x)
	}
}

func TestDoublesInPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	eachISA(t, func(name string) {
		for n := range 40 {
			x := append(normals[float64](rng, n), 1e9)
			exp, sin, cos, other := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
			Exp64(exp, x)
			SinCos64(sin, cos, x)
			inExp, inSin, inCos := append([]float64(nil), x...), append([]float64(nil), x...), append([]float64(nil), x...)
			Exp64(inExp, inExp)
			SinCos64(inSin, other, inSin)
			SinCos64(other, inCos, inCos)
			for i := range x {
				if inExp[i] != exp[i] || inSin[i] != sin[i] || inCos[i] != cos[i] {
					t.Errorf("%s, n=%d: in place element %d is %g, %g, %g, want %g, %g, %g", name, n, i, inExp[i], inSin[i], inCos[i], exp[i], sin[i], cos[i])
				}
			}
		}
	})
}

func FuzzDoubles(f *testing.F) {
	for _, x := range []float64{-745.2, 709.8, 8192, 1e300, math.Pi} {
		f.Add(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var x []float64
		for ; len(b) >= 8 && len(x) < 40; b = b[8:] {
			x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
		checkExp64(t, x)
		checkSinCos64(t, x)
	})
}

func BenchmarkDoubles(b *testing.B) {
	for _, n := range []int{100, 4096} {
		x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = -float64(i % 50)
		}
		eachISA(b, func(name string) {
			b.Run(fmt.Sprintf("Exp64/%d/%s", n, name), func(b *testing.B) {
				b.SetBytes(int64(8 * n))
				for b.Loop() {
					Exp64(y, x)
				}
			})
			b.Run(fmt.Sprintf("SinCos64/%d/%s", n, name), func(b *testing.B) {
				b.SetBytes(int64(8 * n))
				for b.Loop() {
					SinCos64(y, z, x)
				}
			})
		})
	}
}
