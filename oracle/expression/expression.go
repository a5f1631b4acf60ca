// Package expression scores arithmetic expressions of one variable by their distance to a target expression: the task of Kusner,
// Paige & Hernández-Lobato 2017, §4.1.
package expression

import (
	"context"
	"fmt"
	"math"

	"github.com/invbo/invbo/oracle"
)

// Target is the target of the literature.
const Target = "1/3+x+sin(x*x)"

// Expressions are compared at 1000 points, evenly spaced from Lower to Upper.
const (
	Lower, Upper = -10.0, 10.0
	points       = 1000
)

// Worst is the largest score, log(1001): of an expression that is NaN at a point, or far from the target at all points.
const Worst = 6.9087547793152204

const maxSquare = 1000 // largest contribution of a point to the sum of squares

// Oracle scores an expression against a target. Lower is better, and 0 is a perfect fit.
type Oracle struct {
	xs, target []float64
}

// New returns an Oracle for a target, such as Target.
func New(target string) (*Oracle, error) {
	o := &Oracle{xs: make([]float64, points)}
	for i := range o.xs {
		// The conversion rounds the product, as in numpy's linspace; otherwise some processors would fuse it with the sum.
		o.xs[i] = Lower + float64(float64(i)*((Upper-Lower)/(points-1)))
	}
	o.xs[points-1] = Upper
	var err error
	if o.target, err = Eval(target, o.xs); err != nil {
		return nil, fmt.Errorf("target %s: %w", target, err)
	}
	return o, nil
}

// Score returns for each string, f being the expression and t the target,
//
//	log(1 + 1/1000 Σᵢ min((f(xᵢ) − t(xᵢ))², 1000))
//
// or Worst if that is NaN. A string that is not an expression has no score.
func (o *Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	return oracle.Func(o.score).Score(ctx, x)
}

func (o *Oracle) score(x string) oracle.Result {
	ys, err := Eval(x, o.xs)
	if err != nil {
		return oracle.Result{Score: math.NaN(), Reason: "not an expression: " + err.Error()}
	}
	sum := 0.0
	for i, y := range ys {
		residual := y - o.target[i]
		sum += min(residual*residual, maxSquare) // NaN if the residual is
	}
	score := math.Log1p(sum / points)
	if math.IsNaN(score) {
		score = Worst
	}
	return oracle.Result{Score: score}
}
