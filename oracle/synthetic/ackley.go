// Package synthetic holds test functions of real vectors with known optima.
package synthetic

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/invbo/invbo/oracle"
)

// AckleyBound is the half-side of the box in which the Ackley function is usually searched.
const AckleyBound = 32.768

// Ackley is the Ackley function in Dim dimensions (Ackley 1987) with its usual constants. Lower is better: the minimum
// is 0 at the origin. In the box, values are below 22.4, and there is a local minimum near every integer point.
type Ackley struct {
	Dim int
}

// Score scores strings of Dim numbers within ±AckleyBound, separated by spaces. Other strings have no score.
func (a Ackley) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	return oracle.Func(a.score).Score(ctx, x)
}

func (a Ackley) score(x string) oracle.Result {
	point, err := a.parse(x)
	if err != nil {
		return oracle.Result{Score: math.NaN(), Reason: err.Error()}
	}
	return oracle.Result{Score: a.At(point)}
}

func (a Ackley) parse(x string) ([]float64, error) {
	fields := strings.Fields(x)
	if len(fields) != a.Dim {
		return nil, fmt.Errorf("%d numbers, expected %d", len(fields), a.Dim)
	}
	point := make([]float64, a.Dim)
	for i, field := range fields {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, fmt.Errorf("coordinate %d: %q is not a number", i, field)
		}
		if !(math.Abs(v) <= AckleyBound) {
			return nil, fmt.Errorf("coordinate %d: %s is not within ±%g", i, field, AckleyBound)
		}
		point[i] = v
	}
	return point, nil
}

// At returns the function's value at point (Dim):
//
//	−20·exp(−0.2·√(1/d Σᵢ xᵢ²)) − exp(1/d Σᵢ cos 2πxᵢ) + 20 + e
func (a Ackley) At(point []float64) float64 {
	var squares, waves float64
	for _, x := range point {
		squares += x * x
		waves += math.Cos(2 * math.Pi * x)
	}
	d := float64(len(point))
	return -20*math.Exp(-0.2*math.Sqrt(squares/d)) - math.Exp(waves/d) + 20 + math.E
}
