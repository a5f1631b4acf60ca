package nn

import (
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/tensor"
)

// Init draws the initial value of a parameter.
type Init func(*rand.Rand, *tensor.Var)

// Constant returns an Init that sets every value to c.
func Constant(c float32) Init {
	return func(_ *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = c
		}
	}
}

// Normal returns an Init that draws normal values of mean 0.
func Normal(deviation float64) Init {
	return func(rng *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = float32(deviation * rng.NormFloat64())
		}
	}
}

// Glorot returns an Init that draws uniformly from ±√(6/(in + out)) (Glorot & Bengio 2010, Eq. 16), for
// the number of values that go into and come out of one output.
func Glorot(in, out int) Init {
	limit := math.Sqrt(6 / float64(in+out))
	return func(rng *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = float32(limit * (2*rng.Float64() - 1))
		}
	}
}

// Orthogonal makes each square block of columns a random orthogonal matrix (Saxe et al. 2014): normal
// draws, made orthonormal row by row.
func Orthogonal(rng *rand.Rand, v *tensor.Var) {
	n := v.Rows
	for block := 0; block < v.Cols; block += n {
		row := func(i int) []float32 { return v.Row(i)[block : block+n] }
		for i := range n {
			r := row(i)
			for j := range r {
				r[j] = float32(rng.NormFloat64())
			}
			for range 2 { // the second pass removes what rounding left (Giraud et al. 2005)
				for k := range i {
					simd.Axpy(-simd.Dot(r, row(k)), row(k), r)
				}
				simd.Scale(float32(1/math.Sqrt(simd.SumSquares(r))), r)
			}
		}
	}
}
