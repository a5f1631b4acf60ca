package simd

import "math"

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
func SumSquares(x []float32) float64 {
	return sumSquares(x)
}

func sumSquaresGo(x []float32) float64 {
	var s float64
	for _, v := range x {
		s += float64(v) * float64(v)
	}
	return s
}

// Max returns the largest element of x, or −Inf if x is empty. x must not contain NaN.
func Max(x []float32) float32 {
	return maximum(x)
}

func maximumGo(x []float32) float32 {
	m := float32(math.Inf(-1))
	for _, v := range x {
		if v > m {
			m = v
		}
	}
	return m
}
