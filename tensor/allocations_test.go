//go:build !race

package tensor_test

import (
	"testing"

	"github.com/invbo/invbo/tensor"
)

// Not with the race detector, which makes the pools of package simd drop memory at random.
func TestStepAllocates(t *testing.T) {
	var tape tensor.Tape
	seq := tensor.NewRagged([]int{3, 2})
	x, w, u, b := gruOf(5, 4, 4)
	steps := testing.AllocsPerRun(10, func() {
		tape.Reset()
		y := tape.LinearReLU(tape.GRU(x, w, u, b, seq), w, b)
		tape.KL(y, y)
		tape.Backward()
	})
	if steps > 12 { // allocations by goroutines only
		t.Errorf("a step allocates %g times", steps)
	}
}
