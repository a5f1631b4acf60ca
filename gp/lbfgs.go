package gp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// objective returns the value at theta and writes its gradient to grad.
type objective func(theta, grad []float64) (float64, error)

// curvatures is the number of past steps from which lbfgs approximates the Hessian.
const curvatures = 10

// lbfgs minimizes f from theta by limited-memory BFGS (Nocedal & Wright 2006, algorithm 7.4), and leaves theta at the
// end of the last step. It stops when done returns true for a step after the first, when no step decreases f, or after
// limit evaluations. It returns the number of evaluations. The error is ctx's cause, or that of f at the start; where f
// fails later, the step is shortened.
func lbfgs(ctx context.Context, theta []float64, f objective, limit int, done func(before, after float64) bool) (evaluations int, err error) {
	n := len(theta)
	grad := make([]float64, n)
	value, err := f(theta, grad)
	if err != nil {
		return 1, err
	}
	evaluations = 1
	var s, y [][]float64
	for {
		direction := descent(s, y, grad)
		first := 1.0
		if len(s) == 0 {
			first = math.Min(1, 0.1/math.Sqrt(dot(grad, grad))) // the scale is not known yet
		}
		next, nextGrad := make([]float64, n), make([]float64, n)
		var nextValue float64
		at := func(step float64) (float64, float64, error) {
			copy(next, theta)
			blas64.Axpy(step, vector(direction), vector(next))
			evaluations++
			if nextValue, err = f(next, nextGrad); err != nil {
				return 0, 0, err
			}
			return nextValue, dot(nextGrad, direction), nil
		}
		found := wolfe(at, value, dot(grad, direction), first, func() bool { return evaluations < limit && ctx.Err() == nil })
		if ctx.Err() != nil {
			return evaluations, context.Cause(ctx)
		}
		if !found {
			return evaluations, nil
		}
		before := value
		value = nextValue
		for i := range theta {
			theta[i], next[i] = next[i], next[i]-theta[i]
			grad[i], nextGrad[i] = nextGrad[i], nextGrad[i]-grad[i]
		}
		if dot(next, nextGrad) > 0 { // as it is unless the line search ended at the edge of where f can be computed
			s, y = append(s, next), append(y, nextGrad)
		}
		if len(s) > curvatures {
			s, y = s[1:], y[1:]
		}
		if done(before, value) && len(s) > 1 { // the first step is short, because the scale is not known
			return evaluations, nil
		}
	}
}

// wolfe searches for a step length that satisfies the weak Wolfe conditions, by doubling and bisection (Lewis & Overton
// 2013, algorithm 2.6). Where steps decrease f up to an edge, beyond which it is not computed or jumps, none may
// satisfy the second condition: a step that satisfies the first one is taken then, once the bracket is less than a
// tenth of it. Without one, wolfe gives up when the bracket is less than 10⁻⁹ of the first or the current step, and in
// either case when more returns false. If it returns true, the last call of at was the step found.
func wolfe(at func(step float64) (value, slope float64, err error), value, slope, step float64, more func() bool) bool {
	lo, hi, first := 0.0, math.Inf(1), step
	for slope < 0 && hi-lo > max(1e-9*max(first, step), 0.1*lo) && more() {
		v, s, err := at(step)
		switch {
		case err != nil || !(v <= value+1e-4*step*slope):
			hi = step
		case s < 0.9*slope:
			lo = step
		default:
			return true
		}
		if step *= 2; !math.IsInf(hi, 1) {
			step = (lo + hi) / 2
		}
	}
	if lo == 0 {
		return false
	}
	_, _, err := at(lo)
	return err == nil
}

// descent returns −H·grad, where H approximates the inverse Hessian from the steps s and the changes y of the gradient.
func descent(s, y [][]float64, grad []float64) []float64 {
	d := make([]float64, len(grad))
	blas64.Axpy(-1, vector(grad), vector(d))
	alpha := make([]float64, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		alpha[i] = dot(s[i], d) / dot(s[i], y[i])
		blas64.Axpy(-alpha[i], vector(y[i]), vector(d))
	}
	if k := len(s) - 1; k >= 0 {
		blas64.Scal(dot(s[k], y[k])/dot(y[k], y[k]), vector(d))
	}
	for i := range s {
		beta := dot(y[i], d) / dot(s[i], y[i])
		blas64.Axpy(alpha[i]-beta, vector(s[i]), vector(d))
	}
	return d
}
