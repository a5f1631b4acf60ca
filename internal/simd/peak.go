package simd

import "time"

// PeakFlops measures, for about d, the peak operations per second of one core in registers, in float32 and float64. It is
// the upper bound of Gemm per core; a multiply-add counts as two operations.
func PeakFlops(d time.Duration) (float32s, float64s float64) {
	return peak(d/2, peak32), peak(d/2, peak64)
}

// peak returns the best rate of loop, which returns the number of operations in n rounds.
func peak(d time.Duration, loop func(n int) (flops int)) (best float64) {
	for end := time.Now().Add(d); ; {
		start := time.Now()
		flops := loop(1e5)
		best = max(best, float64(flops)/time.Since(start).Seconds())
		if time.Now().After(end) {
			return best
		}
	}
}

func peak32Go(n int) int { return peakGo[float32](n) }

func peak64Go(n int) int { return peakGo[float64](n) }

// peakGo runs eight independent chains of multiply-adds.
func peakGo[T float](n int) int {
	a := T(1) / T(n+1e9) // stays small, and is not a constant
	b, c, d, e, f, g, h := a, a, a, a, a, a, a
	for range n {
		a, b, c, d = a+a*a, b+b*b, c+c*c, d+d*d
		e, f, g, h = e+e*e, f+f*f, g+g*g, h+h*h
	}
	return 16*n + int(a+b+c+d+e+f+g+h)
}
