package simd

import "math"

// expm1 returns q and a power of two such that eˣ = (1 + q)·scale with a relative error below 2⁻²⁷. x is clamped to
// the range in which a float32 eˣ is neither 0 nor infinite:
//
//	x = n·ln 2 + r, |r| ≤ ½ ln 2    scale = 2ⁿ    q = eʳ − 1 = r + r²(1/2! + r/3! + … + r⁵/7!)
//
// For small x, q is eˣ − 1 without cancellation.
func expm1(x float64) (q, scale float64) {
	x = min(max(x, -110), 90)
	n := math.Floor(x*math.Log2E + 0.5)
	r := x - n*math.Ln2
	q = 1./120 + r*(1./720+r*(1./5040))
	q = r + r*r*(1./2+r*(1./6+r*(1./24+r*q)))
	if n != n {
		return n, n
	}
	return q, math.Float64frombits(uint64(int64(n)+1023) << 52)
}
