package simd

import "math"

// Dot returns Σ xᵢyᵢ with an error of at most n·(eps·Σ|xᵢyᵢ| + 2⁻¹⁴⁹), for any order of summation (Higham 2002, §3.1).
func Dot(x, y []float32) float32 {
	mustMatch("Dot", len(x), y)
	return dot(x, y)
}

func dotGo(x, y []float32) float32 {
	y = y[:len(x)]
	var s [4]float32 // four chains, to hide the latency of additions
	i := 0
	for ; i+4 <= len(x); i += 4 {
		x, y := x[i:i+4:i+4], y[i:i+4:i+4]
		s[0] += x[0] * y[0]
		s[1] += x[1] * y[1]
		s[2] += x[2] * y[2]
		s[3] += x[3] * y[3]
	}
	for ; i < len(x); i++ {
		s[0] += x[i] * y[i]
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// sumGo returns Σ xᵢ.
func sumGo(x []float32) float32 {
	var s [4]float32
	i := 0
	for ; i+4 <= len(x); i += 4 {
		x := x[i : i+4 : i+4]
		s[0] += x[0]
		s[1] += x[1]
		s[2] += x[2]
		s[3] += x[3]
	}
	for ; i < len(x); i++ {
		s[0] += x[i]
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// SumSquares returns Σ xᵢ², computed in float64, with an error of at most n·2⁻⁵²·Σ xᵢ² and without overflow.
func SumSquares(x []float32) float64 { return sumSquares(x) }

func sumSquaresGo(x []float32) float64 {
	var s float64
	for _, v := range x {
		s += float64(v) * float64(v)
	}
	return s
}

// Max returns the largest element of x, or −Inf if x is empty. x must not contain NaN.
func Max(x []float32) float32 { return maximum(x) }

func maximumGo(x []float32) float32 {
	m := float32(math.Inf(-1))
	for _, v := range x {
		if v > m {
			m = v
		}
	}
	return m
}
