package gp

import (
	"context"
	"errors"
	"math"
	"testing"
)

// rosenbrock has its minimum 0 at (1, 1, …), at the end of a curved valley.
func rosenbrock(x, grad []float64) (float64, error) {
	var f float64
	clear(grad)
	for i := range len(x) - 1 {
		a, b := x[i+1]-x[i]*x[i], 1-x[i]
		f += 100*a*a + b*b
		grad[i] -= 400*a*x[i] + 2*b
		grad[i+1] += 200 * a
	}
	return f, nil
}

func TestLBFGS(t *testing.T) {
	x := []float64{-1.2, 1, -1.2, 1}
	if _, err := lbfgs(t.Context(), x, rosenbrock, 500, func(before, after float64) bool {
		if after >= before {
			t.Errorf("a step from %g to %g", before, after)
		}
		return false
	}); err != nil {
		t.Fatal(err)
	}
	for i, v := range x {
		if math.Abs(v-1) > 1e-6 {
			t.Errorf("x[%d] = %g, want 1", i, v)
		}
	}
}

func TestLBFGSShortensStepsIntoErrors(t *testing.T) {
	x := []float64{3}
	f := func(x, grad []float64) (float64, error) { // −log x + x: no value below 0
		if x[0] <= 0 {
			return 0, errors.New("outside")
		}
		grad[0] = 1 - 1/x[0]
		return x[0] - math.Log(x[0]), nil
	}
	if _, err := lbfgs(t.Context(), x, f, 100, func(_, _ float64) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if math.Abs(x[0]-1) > 1e-6 {
		t.Errorf("x = %g, want 1", x[0])
	}
}

// Where f decreases up to an edge, no step has a slope that is small enough, and it goes to the edge all the same.
func TestLBFGSGoesToAnEdge(t *testing.T) {
	x := []float64{3, 5}
	f := func(x, grad []float64) (float64, error) {
		if x[0] <= 1 {
			return 0, errors.New("beyond")
		}
		grad[0], grad[1] = 1, 2*(x[1]-2)
		return x[0] + (x[1]-2)*(x[1]-2), nil
	}
	if _, err := lbfgs(t.Context(), x, f, 200, func(_, _ float64) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if x[0] > 1.001 || math.Abs(x[1]-2) > 0.5 {
		t.Errorf("x = %g, want 1 and about 2", x)
	}
}

// Where no step is short enough it ends at 10⁻⁹ of the first, after 1 + log₂10⁹ of them.
func TestLBFGSGivesUp(t *testing.T) {
	x := []float64{3}
	f := func(x, grad []float64) (float64, error) {
		if x[0] != 3 {
			return 0, errors.New("outside")
		}
		grad[0] = 1
		return 0, nil
	}
	used, err := lbfgs(t.Context(), x, f, 100, func(_, _ float64) bool { return false })
	if used != 1+1+30 || x[0] != 3 || err != nil {
		t.Errorf("%d evaluations, at %g, error %v; want 32, at 3", used, x[0], err)
	}
}

func TestLBFGSEnds(t *testing.T) {
	never := func(_, _ float64) bool { return false }
	if used, err := lbfgs(t.Context(), []float64{-1.2, 1}, rosenbrock, 7, never); used > 7 || err != nil {
		t.Errorf("%d evaluations and error %v, want at most 7", used, err)
	}
	steps := 0
	if _, err := lbfgs(t.Context(), []float64{-1.2, 1}, rosenbrock, 100, func(_, _ float64) bool { steps++; return steps == 3 }); steps != 3 || err != nil {
		t.Errorf("%d steps and error %v, want 3", steps, err)
	}
	bored := errors.New("bored")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(bored)
	if _, err := lbfgs(ctx, []float64{-1.2, 1}, rosenbrock, 100, never); !errors.Is(err, bored) {
		t.Errorf("error %v, want ctx's cause", err)
	}
}
