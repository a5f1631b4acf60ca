package tensor_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/tensor"
)

// Reset makes the memory available again, and gradients start at zero.
func TestTapeReusesMemory(t *testing.T) {
	var tape tensor.Tape
	first := tape.New(300, 300, true)
	first.Grad[7] = 1
	tape.New(2000, 1000, false) // more than a chunk
	tape.Reset()
	second := tape.New(300, 300, true)
	if first != second || &first.Data[0] != &second.Data[0] {
		t.Error("memory is not reused")
	}
	if slices.ContainsFunc(second.Grad, func(g float32) bool { return g != 0 }) {
		t.Error("a new gradient is not 0")
	}
}

// Vars of any size do not overlap.
func TestTapeMemoryIsDistinct(t *testing.T) {
	var tape tensor.Tape
	for range 3 {
		tape.Reset()
		var all []*tensor.Var
		for i, n := range []int{1, 15, 16, 17, 1 << 20, 3, 1<<20 + 5, 0, 1 << 19, 1 << 19, 1 << 19} {
			v := tape.New(n, 1, false)
			for j := range v.Data {
				v.Data[j] = float32(i)
			}
			all = append(all, v)
		}
		for i, v := range all {
			if slices.ContainsFunc(v.Data, func(x float32) bool { return x != float32(i) }) {
				t.Errorf("Var %d was overwritten", i)
			}
		}
	}
}

// The gradient of a Var used twice is the sum of both uses.
func TestBackwardAdds(t *testing.T) {
	rng := newRand()
	x, w, b := randomVar(rng, 3, 2), randomVar(rng, 2, 2), randomVar(rng, 1, 2)
	checkGrad(t, []*tensor.Var{x, w, b}, func(tape *tensor.Tape) *tensor.Var {
		return tape.Linear(tape.Linear(x, w, b), w, b)
	})
}

// Any operand, including biases, may be the result of another operation.
func TestBackwardReachesComputedOperands(t *testing.T) {
	rng := newRand()
	x, y, v := randomVar(rng, 5, 4), randomVar(rng, 5, 4), randomVar(rng, 1, 4)
	w, wide := randomVar(rng, 4, 4), randomVar(rng, 4, 12)
	seq := tensor.NewRagged([]int{3, 2})
	for name, op := range map[string]func(tape *tensor.Tape) *tensor.Var{
		"AddLayerNorm": func(tape *tensor.Tape) *tensor.Var {
			return tape.AddLayerNorm(tape.Linear(x, w, nil), y, tape.Linear(v, w, nil), tape.Linear(v, w, nil), 1e-3)
		},
		"GRU": func(tape *tensor.Tape) *tensor.Var {
			return tape.GRU(tape.Linear(x, w, nil), tape.Linear(w, wide, nil), wide, tape.Linear(v, wide, nil), seq)
		},
	} {
		t.Run(name, func(t *testing.T) {
			checkGrad(t, []*tensor.Var{x, y, v, w, wide}, op)
		})
	}
}

// Results that the loss does not depend on contribute no gradient.
func TestBackwardSkipsUnusedResults(t *testing.T) {
	rng := newRand()
	x, w, b := randomVar(rng, 3, 2), randomVar(rng, 2, 2), randomVar(rng, 1, 2)
	var tape tensor.Tape
	tape.Linear(tape.Linear(x, w, b), w, b)
	y := tape.Linear(x, w, nil)
	tape.Grad(y)[0] = 1
	tape.Backward()
	if b.Grad[0] != 0 || x.Grad[0] != w.Data[0] {
		t.Errorf("∂/∂b = %g, ∂/∂x[0, 0] = %g; want 0 and %g", b.Grad[0], x.Grad[0], w.Data[0])
	}
}

func TestPanics(t *testing.T) {
	a, b := &tensor.Var{Data: make([]float32, 6), Rows: 2, Cols: 3}, &tensor.Var{Data: make([]float32, 6), Rows: 3, Cols: 2}
	var tape tensor.Tape
	for name, f := range map[string]func(){
		"Linear":       func() { tape.Linear(a, a, b) },
		"KL":           func() { tape.KL(a, b) },
		"Windows":      func() { tape.Windows(a, 2, 3) },
		"heads":        func() { tape.Attention(a, 2, tensor.NewSpans([]int{2}), 0, false, 0, 0) },
		"spans":        func() { tape.Attention(a, 1, tensor.NewSpans([]int{3}), 0, false, 0, 0) },
		"no query":     func() { tape.Attention(a, 1, tensor.NewSpans([]int{2}), -1, false, 0, 0) },
		"few queries":  func() { tape.Attention(a, 1, tensor.NewSpans([]int{2}), 3, false, 0, 0) },
		"head columns": func() { tape.HeadProducts(a, 2, b, false, 1) },
		"head parts":   func() { tape.HeadProducts(a, 0, b, false, 2) },
		"blocks":       func() { tape.SpanLinear(a, b, false, a, tensor.NewSpans([]int{1, 1})) },
		"offsets":      func() { tape.SpanLinear(a, b, false, b, tensor.NewSpans([]int{2})) },
		"groups":       func() { tape.GroupSoftmax(a, 2, 1) },
		"scale":        func() { tape.GroupSoftmax(a, 1, 0) },
		"tokens":       func() { tape.Embed(a, []int32{0}, a, tensor.NewSpans([]int{2}), false) },
		"targets":      func() { tape.Reconstruction(a, []int32{0}, nil, tensor.NewSpans([]int{2}), tensor.Hinge) },
		"short":        func() { tape.FirstRows(a, tensor.NewSpans([]int{1, 1}), 2) },
		"share":        func() { tape.Dropout(a, 1, 1) },
		"weights":      func() { tape.Attention(a, 1, tensor.NewSpans([]int{2}), 0, false, 1, 1) },
		"GRU":          func() { tape.GRU(a, b, b, b, tensor.NewRagged([]int{1})) },
		"empty spans":  func() { tensor.NewSpans([]int{2, 0}) },
		"negative":     func() { tensor.NewSpans([]int{3, -1}) },
		"empty ragged": func() { tensor.NewRagged([]int{2, 0}) },
		"ascending":    func() { tensor.NewRagged([]int{1, 2}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
