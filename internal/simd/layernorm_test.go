package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// layerNorm is LayerNorm in float64.
func layerNorm(x, gamma, beta []float32, eps float64) (y []float64, mean, rstd float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += float64(v) / n
	}
	var variance float64
	for _, v := range x {
		variance += (float64(v) - mean) * (float64(v) - mean) / n
	}
	rstd = 1 / math.Sqrt(variance+eps)
	for i, v := range x {
		y = append(y, (float64(v)-mean)*rstd*float64(gamma[i])+float64(beta[i]))
	}
	return y, mean, rstd
}

func TestLayerNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 140; n++ {
		x, gamma, beta := fenced(normals[float32](rng, n)), fenced(normals[float32](rng, n)), fenced(normals[float32](rng, n))
		want, wantMean, wantRstd := layerNorm(x.x, gamma.x, beta.x, 1e-5)
		dst := fenced(x.x)
		tolerance := 4 * float64(n+8) * eps // of the sums (Higham 2002, §4.2), for numbers of size 1 to 4
		if n == 1 {
			tolerance *= wantRstd // mean and x cancel
		}
		eachISA(t, func(name string) {
			mean, rstd := LayerNorm(dst.x, x.x, gamma.x, beta.x, 1e-5)
			if !(math.Abs(float64(mean)-wantMean) <= tolerance) || !(math.Abs(float64(rstd)/wantRstd-1) <= tolerance) {
				t.Errorf("%s, n=%d: mean, rstd = %g, %g, want %g, %g", name, n, mean, rstd, wantMean, wantRstd)
			}
			for i, got := range dst.x {
				if !(math.Abs(float64(got)-want[i]) <= tolerance*(1+wantRstd)*(1+math.Abs(float64(gamma.x[i])))) {
					t.Errorf("%s, n=%d: element %d = %g, want %g", name, n, i, got, want[i])
				}
			}
			dst.check(t, name)
		})
	}
}

// TestLayerNormGrad compares with central differences of the float64 function, whose error is about 1e-9 here.
func TestLayerNormGrad(t *testing.T) {
	const eps = 1e-5
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 2; n < 80; n += 1 + rng.IntN(3) {
		x, gamma, beta, dy := normals[float32](rng, n), normals[float32](rng, n), normals[float32](rng, n), normals[float32](rng, n)
		_, mean, rstd := layerNorm(x, gamma, beta, eps)
		numeric := func(operand []float32, i int) float64 { // ∂(dy·y)/∂operand[i]
			loss := func() (s float64) {
				y, _, _ := layerNorm(x, gamma, beta, eps)
				for i := range y {
					s += y[i] * float64(dy[i])
				}
				return s
			}
			old := operand[i]
			defer func() { operand[i] = old }()
			operand[i] = old + 1e-3
			upper, high := loss(), float64(operand[i])
			operand[i] = old - 1e-3
			return (upper - loss()) / (high - float64(operand[i]))
		}
		start := normals[float32](rng, n)
		eachISA(t, func(name string) {
			dx, dgamma, dbeta := fenced(start), fenced(start), fenced(start)
			LayerNormGrad(dx.x, dgamma.x, dbeta.x, fenced(dy).x, fenced(x).x, fenced(gamma).x, float32(mean), float32(rstd))
			for _, operand := range []struct {
				name string
				x    []float32
				grad fence[float32]
			}{{"dx", x, dx}, {"dgamma", gamma, dgamma}, {"dbeta", beta, dbeta}} {
				for i := range n {
					want := numeric(operand.x, i)
					scale := 1 + math.Abs(want) + rstd*rstd*rstd // of the third derivative, which bounds the difference's error
					if got := float64(operand.grad.x[i] - start[i]); !(math.Abs(got-want) <= 1e-4*scale) {
						t.Errorf("%s, n=%d: %s[%d] = %g, want %g", name, n, operand.name, i, got, want)
					}
				}
				operand.grad.check(t, operand.name)
			}
		})
	}
}
