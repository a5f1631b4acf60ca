package nn_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// After many batches the running statistics are those of the data: Running and Batch agree.
func TestBatchNormRunning(t *testing.T) {
	var norm nn.BatchNorm
	bound(func(p *nn.Params) { norm = nn.NewBatchNorm(p, "norm", 1) })
	x := newVar(100, 1)
	rng := newRand()
	for i := range x.Data {
		x.Data[i] = 5 + 2*float32(rng.NormFloat64())
	}
	var tape tensor.Tape
	for range 2000 { // 0.99²⁰⁰⁰ of the initial values is left
		tape.Reset()
		norm.Batch(&tape, x)
	}
	batch, running := norm.Batch(&tape, x), norm.Running(&tape, x)
	for i := range x.Data {
		if math.Abs(float64(batch.Data[i]-running.Data[i])) > 1e-4 {
			t.Fatalf("row %d: %g by the batch, %g by running statistics", i, batch.Data[i], running.Data[i])
		}
	}
}
