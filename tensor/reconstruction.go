package tensor

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// Loss is the reconstruction loss at one position. p is the probability of the target among the classes allowed there.
type Loss uint8

const (
	CrossEntropy Loss = iota // −log p
	Focal                    // −(1 − p)·log p (Lin et al. 2017, γ = 1); the factor 1 − p is constant in the gradient
	Hinge                    // max(0, 1 − margin)
)

// Reconstruction returns the loss (sequences, 1) of logits (rows of the layout, classes) against the target class of
// each row, averaged over the positions of each sequence. Only classes of the same kind compete: those j with
// kind[j] = kind[target], or all if kind is nil.
//
// It also returns the margin of each sequence: the minimum over its positions of the target's logit minus the
// largest logit of a competing class, +Inf if there is no competing class.
func (t *Tape) Reconstruction(logits *Var, target, kind []int32, of Layout, loss Loss) (losses *Var, margin []float32) {
	if kind != nil {
		mustShape("Reconstruction", "logits", logits, of.Rows(), len(kind))
	}
	if logits.Rows != of.Rows() || len(target) != logits.Rows {
		panic(fmt.Sprintf("tensor: Reconstruction: %d rows of logits and %d targets for %d rows", logits.Rows, len(target), of.Rows()))
	}
	n, c := of.Len(), logits.Cols
	losses = t.result(n, 1, logits)
	margin = t.floats.take(n)
	kept := t.floats.take(len(logits.Data)) // ∂loss/∂logits of each sequence
	parallel.For(n, grain(of), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum, least := 0.0, math.Inf(1)
			for step := range of.Steps(i) {
				row := of.Row(i, step)
				value, gap := position(kept[row*c:][:c], logits.Row(row), kind, int(target[row]), loss)
				sum += value
				least = min(least, gap)
			}
			losses.Data[i], margin[i] = float32(sum/float64(of.Steps(i))), float32(least)
		}
	})
	t.record(losses, func() {
		parallel.For(n, grain(of), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				scale := losses.Grad[i] / float32(of.Steps(i))
				for step := range of.Steps(i) {
					row := of.Row(i, step)
					simd.Axpy(scale, kept[row*c:][:c], logits.Grad[row*c:][:c])
				}
			}
		})
	})
	return losses, margin
}

// position returns the loss and margin of one row x of logits, and writes the gradient of the loss to dx.
func position(dx, x []float32, kind []int32, target int, loss Loss) (value, margin float64) {
	rival := -1
	for j, v := range x {
		if j != target && (kind == nil || kind[j] == kind[target]) && (rival < 0 || v > x[rival]) {
			rival = j
		}
	}
	if rival < 0 {
		clear(dx)
		return 0, math.Inf(1)
	}
	margin = float64(x[target] - x[rival])
	switch {
	case loss == Hinge:
		return hinge(dx, target, rival, margin), margin
	case kind == nil:
		value = float64(simd.Softmax(dx, x) - x[target])
		factor := float32(1)
		if loss == Focal {
			factor = 1 - dx[target]
			simd.Scale(factor, dx)
		}
		dx[target] -= factor
		return float64(factor) * value, margin
	}
	clear(dx)
	largest := max(x[target], x[rival])
	sum := 0.0
	for j, k := range kind {
		if k == kind[target] {
			e := math.Exp(float64(x[j] - largest))
			dx[j] = float32(e)
			sum += e
		}
	}
	p := float64(dx[target]) / sum
	value = math.Log(sum) - float64(x[target]-largest)
	factor := 1.0
	if loss == Focal {
		factor = 1 - p
	}
	for j := range dx {
		dx[j] *= float32(factor / sum)
	}
	dx[target] -= float32(factor)
	return factor * value, margin
}

// hinge returns the hinge loss and writes its gradient to dx.
func hinge(dx []float32, target, rival int, margin float64) float64 {
	clear(dx)
	if margin < 1 {
		dx[target], dx[rival] = -1, 1
	}
	return max(0, 1-margin)
}
