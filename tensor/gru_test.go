package tensor_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/invbo/invbo/tensor"
)

// gruOf returns random operands of a GRU.
func gruOf(rows, in, h int) (x, w, u, b *tensor.Var) {
	rng := newRand()
	return randomVar(rng, rows, in), randomVar(rng, in, 3*h), randomVar(rng, h, 3*h), randomVar(rng, 1, 3*h)
}

func TestGRUGrad(t *testing.T) {
	tests := []struct {
		name    string
		lengths []int
		repeat  bool
	}{
		{"one step", []int{1, 1}, false},
		{"ragged", []int{4, 2, 2, 1}, false},
		{"one input for all steps", []int{3, 2, 1}, true},
		{"two blocks", slices.Repeat([]int{3}, 26), false},
		{"two blocks, one input for all steps", append(slices.Repeat([]int{2}, 20), 1, 1, 1, 1, 1), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seq := tensor.NewRagged(tt.lengths)
			rows := seq.Rows()
			if tt.repeat {
				rows = len(tt.lengths)
			}
			x, w, u, b := gruOf(rows, 3, 5)
			checkGrad(t, []*tensor.Var{x, w, u, b}, func(tape *tensor.Tape) *tensor.Var { return tape.GRU(x, w, u, b, seq) })
		})
	}
}

// GRU equals a plain implementation of its equations for one sequence.
func TestGRU(t *testing.T) {
	const in, h = 3, 4
	lengths := []int{5, 3, 1}
	seq := tensor.NewRagged(lengths)
	x, w, u, b := gruOf(seq.Rows(), in, h)
	var tape tensor.Tape
	y := tape.GRU(x, w, u, b, seq)
	for i, length := range lengths {
		last := make([]float64, h)
		for step := range length {
			xt := x.Row(seq.Row(i, step))
			last = plainGRU(xt, last, w, u, b)
			for j, got := range y.Row(seq.Row(i, step)) {
				if math.Abs(float64(got)-last[j]) > 1e-5 {
					t.Errorf("sequence %d, step %d, unit %d = %g, want %g", i, step, j, got, last[j])
				}
			}
		}
	}
}

func plainGRU(x []float32, last []float64, w, u, b *tensor.Var) []float64 {
	h := len(last)
	pre := func(k int, state []float64) float64 {
		sum := float64(b.Data[k])
		for i, v := range x {
			sum += float64(v) * float64(w.Row(i)[k])
		}
		for i, v := range state {
			sum += v * float64(u.Row(i)[k])
		}
		return sum
	}
	hs := func(a float64) float64 { return min(1, max(0, 0.2*a+0.5)) }
	reset := make([]float64, h)
	for j := range h {
		reset[j] = hs(pre(h+j, last)) * last[j]
	}
	next := make([]float64, h)
	for j := range h {
		update := hs(pre(j, last))
		next[j] = update*last[j] + (1-update)*math.Tanh(pre(2*h+j, reset))
	}
	return next
}

// Results and gradients are bit for bit the same for any number of processors, and results for any batch.
func TestGRUDeterminism(t *testing.T) {
	lengths := slices.Repeat([]int{7}, 40)
	lengths = append(lengths, slices.Repeat([]int{4}, 60)...)
	seq := tensor.NewRagged(lengths)
	x, w, u, b := gruOf(len(lengths), 9, 20)
	run := func() (y []float32, sum uint64) {
		var tape tensor.Tape
		for _, v := range []*tensor.Var{x, w, u, b} {
			clear(v.Grad)
		}
		out := tape.GRU(x, w, u, b, seq)
		copy(tape.Grad(out), out.Data)
		tape.Backward()
		hash := fnv.New64a()
		for _, v := range []*tensor.Var{x, w, u, b} {
			binary.Write(hash, binary.LittleEndian, v.Grad)
		}
		return out.Data, hash.Sum64()
	}
	y, sum := run()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for procs := 1; procs <= 4; procs++ {
		runtime.GOMAXPROCS(procs)
		if again, sumAgain := run(); !slices.Equal(again, y) || sumAgain != sum {
			t.Errorf("GOMAXPROCS=%d: results differ", procs)
		}
	}
	var tape tensor.Tape
	for i, length := range lengths {
		alone := tensor.NewRagged([]int{length})
		xi := &tensor.Var{Data: x.Row(i), Rows: 1, Cols: x.Cols}
		out := tape.GRU(xi, w, u, b, alone)
		for step := range length {
			if row := seq.Row(i, step); !slices.Equal(out.Row(step), y[row*u.Rows:(row+1)*u.Rows]) {
				t.Fatalf("sequence %d, step %d: alone and in a batch differ", i, step)
			}
		}
		tape.Reset()
	}
}

func BenchmarkGRU(b *testing.B) {
	seq := tensor.NewRagged(slices.Repeat([]int{13}, 600))
	x, w, u, bias := gruOf(seq.Rows(), 100, 100)
	var tape tensor.Tape
	b.ReportAllocs()
	for b.Loop() {
		tape.Reset()
		tape.GRU(x, w, u, bias, seq)
		tape.Backward()
	}
	const products = 3 * 2 * (100 + 100) * 300 // forward, ∂x and ∂h, ∂W and ∂U
	b.ReportMetric(float64(products)*float64(seq.Rows())*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
