package tensor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/tensor"
)

// newRand returns a generator with a seed that puts no test input on a kink.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

func TestLinearGrad(t *testing.T) {
	for _, tt := range []struct{ n, in, out int }{{1, 1, 1}, {3, 5, 2}, {5, 9, 6}} {
		rng := newRand()
		x, w, b := randomVar(rng, tt.n, tt.in), randomVar(rng, tt.in, tt.out), randomVar(rng, 1, tt.out)
		xs := []*tensor.Var{x, w, b}
		checkGrad(t, xs, func(tape *tensor.Tape) *tensor.Var { return tape.Linear(x, w, b) })
		checkGrad(t, xs, func(tape *tensor.Tape) *tensor.Var { return tape.LinearReLU(x, w, b) })
	}
}

// Frozen weights give the same results, with and without a bias, and follow the weights at each Freeze.
func TestLinearFrozen(t *testing.T) {
	rng := newRand()
	x, w, b := randomVar(rng, 600, 40), randomVar(rng, 40, 33), randomVar(rng, 1, 33)
	w.Grad, b.Grad = nil, nil
	zero := &tensor.Var{Data: make([]float32, 33), Rows: 1, Cols: 33}
	run := func(b *tensor.Var) (y, dx []float32) {
		var tape tensor.Tape
		clear(x.Grad)
		out := tape.LinearReLU(x, w, b)
		copy(tape.Grad(out), out.Data)
		tape.Backward()
		return out.Data, slices.Clone(x.Grad)
	}
	for _, tt := range []struct {
		name         string
		bias, equals *tensor.Var
	}{{"bias", b, b}, {"no bias", nil, zero}} {
		w.Freeze()
		y, dx := run(tt.bias)
		w = &tensor.Var{Data: w.Data, Rows: w.Rows, Cols: w.Cols}
		if wantY, wantDx := run(tt.equals); !slices.Equal(y, wantY) || !slices.Equal(dx, wantDx) {
			t.Errorf("%s: results with frozen weights differ", tt.name)
		}
	}
	w.Freeze()
	run(b)
	w.Data[0]++
	w.Freeze()
	y, _ := run(b)
	twin := &tensor.Var{Data: w.Data, Grad: make([]float32, len(w.Data)), Rows: w.Rows, Cols: w.Cols}
	twin.FreezeAs(w)
	w = twin
	if again, _ := run(b); !slices.Equal(again, y) {
		t.Error("results after FreezeAs differ")
	}
	w = &tensor.Var{Data: w.Data, Rows: w.Rows, Cols: w.Cols}
	if want, _ := run(b); !slices.Equal(y, want) {
		t.Error("the second Freeze does not pack the new weights")
	}
}

// Gradients over more than linearRows rows, which take another code path, equal sums over fewer rows.
func TestLinearGradOfManyRows(t *testing.T) {
	rng := newRand()
	x, w, b := randomVar(rng, 1100, 20), randomVar(rng, 20, 17), randomVar(rng, 1, 17)
	run := func(step int) (grads []float32) {
		for _, v := range []*tensor.Var{x, w, b} {
			clear(v.Grad)
		}
		for lo := 0; lo < x.Rows; lo += step {
			part := &tensor.Var{Data: x.Data[lo*20 : (lo+step)*20], Grad: x.Grad[lo*20 : (lo+step)*20], Rows: step, Cols: 20}
			var tape tensor.Tape
			y := tape.Linear(part, w, b)
			copy(tape.Grad(y), y.Data)
			tape.Backward()
		}
		return slices.Concat(x.Grad, w.Grad, b.Grad)
	}
	want := run(100)
	for i, got := range run(1100) {
		if diff := float64(got - want[i]); math.Abs(diff) > 1e-5*1100 { // sums of 1,100 products of size about 5
			t.Errorf("gradient %d = %g, want %g", i, got, want[i])
		}
	}
}
