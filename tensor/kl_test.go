package tensor_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/tensor"
)

func TestKLGrad(t *testing.T) {
	rng := newRand()
	mu, logvar := randomVar(rng, 4, 3), randomVar(rng, 4, 3)
	checkGrad(t, []*tensor.Var{mu, logvar}, func(tape *tensor.Tape) *tensor.Var { return tape.KL(mu, logvar) })
}

func TestKL(t *testing.T) {
	tests := []struct {
		name           string
		mu, logvar, kl float64
	}{
		{"the prior itself", 0, 0, 0},
		{"mean 2", 2, 0, 2},
		{"variance e", 0, 1, (math.E - 2) / 2},
		{"close to the prior", 0, 1e-6, 2.5e-13}, // lv²/4 to full precision
	}
	for _, tt := range tests {
		var tape tensor.Tape
		scalar := func(v float64) *tensor.Var {
			return &tensor.Var{Data: []float32{float32(v)}, Rows: 1, Cols: 1}
		}
		got := float64(tape.KL(scalar(tt.mu), scalar(tt.logvar)).Data[0])
		if math.Abs(got-tt.kl) > 1e-3*tt.kl {
			t.Errorf("%s: KL = %g, want %g", tt.name, got, tt.kl)
		}
	}
}

func TestSampleGrad(t *testing.T) {
	rng := newRand()
	mu, logvar, eps := randomVar(rng, 4, 3), randomVar(rng, 4, 3), randomVar(rng, 4, 3)
	checkGrad(t, []*tensor.Var{mu, logvar}, func(tape *tensor.Tape) *tensor.Var { return tape.Sample(mu, logvar, eps) })
}
