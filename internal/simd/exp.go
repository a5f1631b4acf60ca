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

// Exp64 sets dst = eˣ with an error below 1.1 ulp of float64, including denormal results. NaN gives NaN, −Inf gives 0,
// and overflow gives +Inf.
func Exp64(dst, x []float64) {
	mustMatch("Exp64", len(dst), x)
	exp64(dst, x)
}

// exp64Go clamps x to the range in which eˣ is neither 0 nor infinite, and splits it as expm1 does:
//
//	x = n·ln 2 + r, |r| ≤ ½ ln 2    eˣ = 2ⁿ(1 + r + r²(1/2! + r/3! + … + r¹¹/13!))
//
// ln 2 is split in two parts, the first so short that its product with n is exact. 2ⁿ is the product of two factors,
// because the largest and the smallest are no normal float64.
func exp64Go(dst, x []float64) {
	const ln2Upper, ln2Lower = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45
	x = x[:len(dst)]
	for i, v := range x {
		v = min(max(v, -746), 710)
		n := math.Floor(v*math.Log2E + 0.5)
		if n != n {
			dst[i] = n
			continue
		}
		r := v - n*ln2Upper - n*ln2Lower
		q := 1./3628800 + r*(1./39916800+r*(1./479001600+r*(1./6227020800)))
		q = 1./720 + r*(1./5040+r*(1./40320+r*(1./362880+r*q)))
		q = 1./2 + r*(1./6+r*(1./24+r*(1./120+r*q)))
		half := int64(n) / 2
		dst[i] = (1 + (r + r*r*q)) * power2(half) * power2(int64(n)-half)
	}
}

// power2 returns 2ⁿ, a normal float64.
func power2(n int64) float64 { return math.Float64frombits(uint64(n+1023) << 52) }
