package tensor_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/tensor"
)

var (
	kind   = []int32{0, 0, 0, 1, 1, 2}
	target = []int32{1, 3, 4, 0, 5} // rows of lengths 3, 2: steps (1, 3), (4, 0), (5)
)

func TestReconstructionGrad(t *testing.T) {
	seq := tensor.NewRagged([]int{3, 2})
	for _, loss := range []tensor.Loss{tensor.CrossEntropy, tensor.Hinge} {
		logits := randomVar(newRand(), seq.Rows(), len(kind))
		checkGrad(t, []*tensor.Var{logits}, func(tape *tensor.Tape) *tensor.Var {
			losses, _ := tape.Reconstruction(logits, target, kind, seq, loss)
			return losses
		})
	}
}

// Losses, margins and the gradient of Focal agree with their definitions.
func TestReconstruction(t *testing.T) {
	seq := tensor.NewRagged([]int{3, 2})
	logits := randomVar(newRand(), seq.Rows(), len(kind))
	for loss, value := range map[tensor.Loss]func(p, margin float64) float64{
		tensor.CrossEntropy: func(p, _ float64) float64 { return -math.Log(p) },
		tensor.Focal:        func(p, _ float64) float64 { return -(1 - p) * math.Log(p) },
		tensor.Hinge:        func(_, margin float64) float64 { return max(0, 1-margin) },
	} {
		var tape tensor.Tape
		losses, margin := tape.Reconstruction(logits, target, kind, seq, loss)
		clear(logits.Grad)
		losses.Grad[0], losses.Grad[1] = 1, 1
		tape.Backward()
		for i, length := range seq.Lengths {
			want, least := 0.0, math.Inf(1)
			for step := range length {
				row := seq.Row(i, step)
				p, gap, softmax := softmaxOf(logits.Row(row), target[row])
				want += value(p, gap) / float64(length)
				least = min(least, gap)
				if loss != tensor.Focal {
					continue
				}
				for j, q := range softmax {
					if int32(j) == target[row] {
						q--
					}
					if got, want := float64(logits.Grad[row*len(kind)+j]), (1-p)*q/float64(length); math.Abs(got-want) > 1e-6 {
						t.Errorf("Focal: row %d: ∂/∂logit %d = %g, want %g", row, j, got, want)
					}
				}
			}
			if math.Abs(float64(losses.Data[i])-want) > 1e-6 || math.Abs(float64(margin[i])-least) > 1e-6 {
				t.Errorf("loss %d, sequence %d: %g, margin %g; want %g, %g", loss, i, losses.Data[i], margin[i], want, least)
			}
		}
	}
}

// softmaxOf returns the probability and margin of target, and the softmax over its kind.
func softmaxOf(x []float32, target int32) (p, margin float64, softmax []float64) {
	sum, rival := 0.0, math.Inf(-1)
	softmax = make([]float64, len(x))
	for j := range x {
		if kind[j] == kind[target] {
			softmax[j] = math.Exp(float64(x[j]))
			sum += softmax[j]
			if int32(j) != target {
				rival = max(rival, float64(x[j]))
			}
		}
	}
	for j := range softmax {
		softmax[j] /= sum
	}
	return softmax[target], float64(x[target]) - rival, softmax
}

// Logits far apart do not overflow, and their gradients are finite.
func TestReconstructionExtremes(t *testing.T) {
	seq := tensor.NewRagged([]int{1})
	logits := &tensor.Var{Data: []float32{3e38, -3e38, 0, 0, 0, 0}, Grad: make([]float32, 6), Rows: 1, Cols: 6}
	for _, loss := range []tensor.Loss{tensor.CrossEntropy, tensor.Focal, tensor.Hinge} {
		var tape tensor.Tape
		losses, _ := tape.Reconstruction(logits, []int32{0}, kind, seq, loss)
		losses.Grad[0] = 1
		tape.Backward()
		if losses.Data[0] != 0 {
			t.Errorf("loss %d = %g, want 0", loss, losses.Data[0])
		}
		for j, g := range logits.Grad {
			if g != 0 {
				t.Errorf("loss %d: ∂/∂logit %d = %g, want 0", loss, j, g)
			}
		}
	}
}
