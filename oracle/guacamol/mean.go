package guacamol

import (
	"math"

	"github.com/invbo/invbo/molecule"
)

// arithmetic and geometric return the mean of terms.
func arithmetic(of ...term) term { return combine(of, arithmeticMean) }
func geometric(of ...term) term  { return combine(of, geometricMean) }

func combine(of []term, mean func([]float64) float64) term {
	return func() (measure, error) {
		measures := make([]measure, len(of))
		for i, term := range of {
			var err error
			if measures[i], err = term(); err != nil {
				return nil, err
			}
		}
		return func(m *molecule.Molecule) float64 {
			x := make([]float64, len(measures))
			for i, measure := range measures {
				x[i] = measure(m)
			}
			return mean(x)
		}, nil
	}
}

func arithmeticMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// geometricMean takes the root of the product, like GuacaMol, to agree with it to the last digit.
func geometricMean(x []float64) float64 {
	product := 1.0
	for _, v := range x {
		product *= v
	}
	return math.Pow(product, 1/float64(len(x)))
}
