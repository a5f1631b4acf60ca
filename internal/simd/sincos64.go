package simd

import "math"

// sinCosBound is the largest |x| for which the products in the argument reduction of SinCos64 are exact.
const sinCosBound = 8192

// SinCos64 sets sin and cos to the sine and cosine of x (radians); either may be x. The error is below 1.7 ulp for
// |x| ≤ 8,192; larger |x| use math.Sincos, which is slower. NaN and ±Inf give NaN.
func SinCos64(sin, cos, x []float64) {
	mustMatch("SinCos64", len(x), sin, cos)
	for len(x) > 0 {
		n := sinCos64(sin, cos, x)
		if n == len(x) {
			return
		}
		for sinCos64(sin[n:n+1], cos[n:n+1], x[n:n+1]) == 1 { // a number beyond the bound is in this vector
			n++
		}
		sin[n], cos[n] = math.Sincos(x[n])
		sin, cos, x = sin[n+1:], cos[n+1:], x[n+1:]
	}
}

// sinCos64Go stops before the first NaN or number beyond sinCosBound (in assembly, before the vector with it) and
// returns the number of elements processed. It reduces x by multiples of π/2 in three parts, the first two with 40
// bits, so that their products with n are exact (Cody & Waite 1980):
//
//	x = n·π/2 + r, |r| ≤ π/4    sin r = r − r³(1/3! − r²/5! + … − r¹⁴/17!)    cos r = 1 − r²/2! + … + r¹⁶/16!
//
// An odd n swaps sine and cosine; the sine is negated if n mod 4 is 2 or 3, the cosine if it is 1 or 2.
func sinCos64Go(sin, cos, x []float64) int {
	const upper, middle, lower = 0x1.921fb54442p+0, 0x1.a308d31318p-41, 0x1.8a2e03707344ap-81
	sin, cos = sin[:len(x)], cos[:len(x)]
	for i, v := range x {
		if !(math.Abs(v) <= sinCosBound) {
			return i
		}
		n := math.Floor(v*(2/math.Pi) + 0.5)
		r := v - n*upper - n*middle - n*lower
		r2 := r * r
		s := 1./362880 - r2*(1./39916800-r2*(1./6227020800-r2*(1./1307674368000-r2*(1./355687428096000))))
		s = r - r*r2*(1./6-r2*(1./120-r2*(1./5040-r2*s)))
		c := 1./40320 - r2*(1./3628800-r2*(1./479001600-r2*(1./87178291200-r2*(1./20922789888000))))
		c = 1 - r2*(1./2-r2*(1./24-r2*(1./720-r2*c)))
		switch int64(n) & 3 {
		case 0:
			sin[i], cos[i] = s, c
		case 1:
			sin[i], cos[i] = c, -s
		case 2:
			sin[i], cos[i] = -s, -c
		case 3:
			sin[i], cos[i] = -c, s
		}
	}
	return len(x)
}
