package nn

import (
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/tensor"
)

// Init sets the initial values of a parameter.
type Init func(*rand.Rand, *tensor.Var)

// Constant returns an Init that sets every value to c.
func Constant(c float32) Init {
	return func(_ *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = c
		}
	}
}

// Normal returns an Init that draws from a normal distribution with mean 0 and the given standard deviation.
func Normal(deviation float64) Init {
	return func(rng *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = float32(deviation * rng.NormFloat64())
		}
	}
}

// Glorot returns an Init that draws uniformly from ±√(6/(in + out)), for fan-in in and fan-out out (Glorot &
// Bengio 2010, Eq. 16).
func Glorot(in, out int) Init {
	limit := math.Sqrt(6 / float64(in+out))
	return func(rng *rand.Rand, v *tensor.Var) {
		for i := range v.Data {
			v.Data[i] = float32(limit * (2*rng.Float64() - 1))
		}
	}
}

// Orthogonal is an Init that makes each square block of columns a random orthogonal matrix (Saxe et al. 2014),
// by Gram-Schmidt on normal draws.
func Orthogonal(rng *rand.Rand, v *tensor.Var) {
	n := v.Rows
	for block := 0; block < v.Cols; block += n {
		row := func(i int) []float32 { return v.Row(i)[block : block+n] }
		for i := range n {
			r := row(i)
			for j := range r {
				r[j] = float32(rng.NormFloat64())
			}
			for range 2 { // the second pass removes rounding errors (Giraud et al. 2005)
				for k := range i {
					simd.Axpy(-simd.Dot(r, row(k)), row(k), r)
				}
				simd.Scale(float32(1/math.Sqrt(simd.SumSquares(r))), r)
			}
		}
	}
}
