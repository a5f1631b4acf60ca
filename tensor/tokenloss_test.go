package tensor_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/tensor"
)

func TestReconstructionWithoutKindsGrad(t *testing.T) {
	spans := tensor.NewSpans([]int{3, 2})
	logits := randomVar(newRand(), spans.Rows(), 6)
	for _, loss := range []tensor.Loss{tensor.CrossEntropy, tensor.Hinge} {
		checkGrad(t, []*tensor.Var{logits}, func(tape *tensor.Tape) *tensor.Var {
			losses, _ := tape.Reconstruction(logits, []int32{1, 3, 5, 0, 2}, nil, spans, loss)
			return losses
		})
	}
}

// Reconstruction without kinds, of Spans, equals that with classes of one kind, of Ragged.
func TestReconstructionWithoutKinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "length")
		classes := rapid.IntRange(1, 40).Draw(t, "classes")
		loss := tensor.Loss(rapid.IntRange(0, 2).Draw(t, "loss"))
		scale := rapid.SampledFrom([]float32{1, 30, 1000}).Draw(t, "scale")
		logits := randomVar(newRand(), n, classes)
		target := make([]int32, n)
		for i := range target {
			target[i] = rapid.Int32Range(0, int32(classes-1)).Draw(t, "target")
		}
		for i := range logits.Data {
			logits.Data[i] *= scale
		}
		run := func(f func(*tensor.Tape) (*tensor.Var, []float32)) (value, margin float32, grad []float32) {
			var tape tensor.Tape
			clear(logits.Grad)
			losses, margins := f(&tape)
			losses.Grad[0] = 1
			tape.Backward()
			return losses.Data[0], margins[0], slices.Clone(logits.Grad)
		}
		value, margin, grad := run(func(tape *tensor.Tape) (*tensor.Var, []float32) {
			return tape.Reconstruction(logits, target, nil, tensor.NewSpans([]int{n}), loss)
		})
		wantValue, wantMargin, wantGrad := run(func(tape *tensor.Tape) (*tensor.Var, []float32) {
			return tape.Reconstruction(logits, target, make([]int32, classes), tensor.NewRagged([]int{n}), loss)
		})
		// Without kinds the softmax is computed in float32, with exponents up to 8·scale.
		if math.Abs(float64(value-wantValue)) > 1e-5*(1+float64(wantValue)) || margin != wantMargin || !slices.EqualFunc(grad, wantGrad, near) {
			t.Fatalf("loss %d: %g, margin %g, gradient %g; want %g, %g, %g", loss, value, margin, grad, wantValue, wantMargin, wantGrad)
		}
	})
}

// Logits far apart do not overflow, and their gradients are finite.
func TestReconstructionWithoutKindsExtremes(t *testing.T) {
	logits := &tensor.Var{Data: []float32{3e38, -3e38, 0}, Grad: make([]float32, 3), Rows: 1, Cols: 3}
	for _, loss := range []tensor.Loss{tensor.CrossEntropy, tensor.Focal, tensor.Hinge} {
		var tape tensor.Tape
		losses, _ := tape.Reconstruction(logits, []int32{0}, nil, tensor.NewSpans([]int{1}), loss)
		losses.Grad[0] = 1
		tape.Backward()
		if losses.Data[0] != 0 || slices.ContainsFunc(logits.Grad, func(g float32) bool { return g != 0 }) {
			t.Errorf("loss %d = %g, gradient %g; want 0", loss, losses.Data[0], logits.Grad)
		}
	}
}
