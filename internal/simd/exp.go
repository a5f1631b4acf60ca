package simd

import "math"

// Exp sets dst = eˣ with an error below 1.1 ulp, denormal results included. NaN stays NaN, −Inf gives
// 0, and a result too large for a float32 is +Inf.
func Exp(dst, x []float32) {
	mustMatch("Exp", len(dst), x)
	switch isa {
	case avx512:
		expAVX512(dst, x)
	case avx2:
		expAVX2(dst, x)
	default:
		expGo(dst, x)
	}
}

func expGo(dst, x []float32) {
	x = x[:len(dst)]
	for i, v := range x {
		q, scale := expm1(float64(v))
		dst[i] = float32((1 + q) * scale)
	}
}

// expm1 returns q and a power of two such that eˣ = (1 + q)·scale to within 2⁻²⁷, where x is brought to
// the range in which a float32 eˣ is neither 0 nor infinite:
//
//	x = n·ln 2 + r, |r| ≤ ½ ln 2    scale = 2ⁿ    q = eʳ − 1 = r + r²(1/2! + r/3! + … + r⁵/7!)
//
// For small x, q is eˣ − 1 without the loss of digits of a difference.
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
