package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// layerNorm is a row of AddLayerNorm in float64.
func layerNorm(x, y, gamma, beta []float32, eps float64) (dst, xhat []float64, rstd float64) {
	n := float64(len(x))
	var mean, variance float64
	for i, v := range x {
		mean += (float64(v) + float64(y[i])) / n
	}
	for i, v := range x {
		d := float64(v) + float64(y[i]) - mean
		variance += d * d / n
		xhat = append(xhat, d)
	}
	rstd = 1 / math.Sqrt(variance+eps)
	for i := range xhat {
		xhat[i] *= rstd
		dst = append(dst, xhat[i]*float64(gamma[i])+float64(beta[i]))
	}
	return dst, xhat, rstd
}

func TestAddLayerNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 140; n++ {
		rows := n % 4
		x, y := fenced(normals[float32](rng, rows*n)), fenced(normals[float32](rng, rows*n))
		gamma, beta := fenced(normals[float32](rng, n)), fenced(normals[float32](rng, n))
		dst, xhat, rstds := fenced(x.x), fenced(x.x), fenced(make([]float32, rows))
		eachISA(t, func(name string) {
			AddLayerNorm(dst.x, xhat.x, rstds.x, x.x, y.x, gamma.x, beta.x, 1e-5)
			for r := range rows {
				wantDst, wantXhat, wantRstd := layerNorm(x.x[r*n:][:n], y.x[r*n:][:n], gamma.x, beta.x, 1e-5)
				// of the sums (Higham 2002, §4.2), for numbers of size 1 to 4, and where mean and x cancel
				tolerance := 4 * float64(n+8) * eps * (1 + wantRstd)
				if !(math.Abs(float64(rstds.x[r])/wantRstd-1) <= tolerance) {
					t.Errorf("%s, n=%d: rstd = %g, want %g", name, n, rstds.x[r], wantRstd)
				}
				for i := range n {
					if got := float64(xhat.x[r*n+i]); !(math.Abs(got-wantXhat[i]) <= tolerance*(1+wantRstd)) {
						t.Errorf("%s, n=%d: xhat[%d] = %g, want %g", name, n, i, got, wantXhat[i])
					}
					if got := float64(dst.x[r*n+i]); !(math.Abs(got-wantDst[i]) <= tolerance*(1+wantRstd)*(1+math.Abs(float64(gamma.x[i])))) {
						t.Errorf("%s, n=%d: element %d = %g, want %g", name, n, i, got, wantDst[i])
					}
				}
			}
			dst.check(t, name)
			xhat.check(t, name)
			rstds.check(t, name)
		})
	}
}

// TestLayerNormGrad compares with central differences of the float64 function, whose error is about 1e-9 here.
func TestLayerNormGrad(t *testing.T) {
	const eps, rows = 1e-5, 2
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 2; n < 80; n += 1 + rng.IntN(3) {
		x, gamma, dy := normals[float32](rng, rows*n), normals[float32](rng, n), normals[float32](rng, rows*n)
		zeros := make([]float32, n)
		var xhat, rstds []float32
		var want []float64
		for r := range rows {
			x, dy := x[r*n:][:n], dy[r*n:][:n]
			loss := func() (s float64) {
				dst, _, _ := layerNorm(x, zeros, gamma, zeros, eps)
				for i := range dst {
					s += dst[i] * float64(dy[i])
				}
				return s
			}
			_, exact, rstd := layerNorm(x, zeros, gamma, zeros, eps)
			rstds = append(rstds, float32(rstd))
			for i, old := range x {
				xhat = append(xhat, float32(exact[i]))
				x[i] = old + 1e-3
				upper, high := loss(), float64(x[i])
				x[i] = old - 1e-3
				want = append(want, (upper-loss())/(high-float64(x[i])))
				x[i] = old
			}
		}
		eachISA(t, func(name string) {
			ds := fenced(x)
			LayerNormGrad(ds.x, fenced(xhat).x, fenced(rstds).x, fenced(dy).x, fenced(gamma).x)
			for i, got := range ds.x {
				rstd := float64(rstds[i/n])
				scale := 1 + math.Abs(want[i]) + rstd*rstd*rstd // of the third derivative, which bounds the error of differences
				if !(math.Abs(float64(got)-want[i]) <= 1e-4*scale) {
					t.Errorf("%s, n=%d: row %d, element %d = %g, want %g", name, n, i/n, i%n, got, want[i])
				}
			}
			ds.check(t, name)
		})
	}
}
