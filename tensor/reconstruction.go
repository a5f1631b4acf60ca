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

// Reconstruction returns the loss (sequences, 1) of logits (rows of seq, classes) against the target class of
// each row, averaged over the positions of each sequence. Only classes of the same kind compete: those j with
// kind[j] = kind[target].
//
// It also returns the margin of each sequence: the minimum over its positions of the target's logit minus the
// largest logit of a competing class, +Inf if there is no competing class.
func (t *Tape) Reconstruction(logits *Var, target, kind []int32, seq *Ragged, loss Loss) (losses *Var, margin []float32) {
	mustShape("Reconstruction", "logits", logits, seq.Rows(), len(kind))
	n := len(seq.Lengths)
	losses = t.result(n, 1, logits)
	margin = t.floats.take(n)
	kept := t.floats.take(len(logits.Data)) // ∂loss/∂logits of each sequence
	parallel.For(n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum, least := 0.0, math.Inf(1)
			for step := range seq.Lengths[i] {
				row := seq.Row(i, step)
				value, gap := position(kept[row*logits.Cols:][:logits.Cols], logits.Row(row), kind, target[row], loss)
				sum += value
				least = min(least, gap)
			}
			losses.Data[i], margin[i] = float32(sum/float64(seq.Lengths[i])), float32(least)
		}
	})
	t.record(losses, func() {
		c := logits.Cols
		parallel.For(n, 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				scale := losses.Grad[i] / float32(seq.Lengths[i])
				for step := range seq.Lengths[i] {
					row := seq.Row(i, step)
					simd.Axpy(scale, kept[row*c:][:c], logits.Grad[row*c:][:c])
				}
			}
		})
	})
	return losses, margin
}

// position returns the loss and margin of one row x of logits, and writes the gradient of the loss to dx.
func position(dx, x []float32, kind []int32, target int32, loss Loss) (value, margin float64) {
	clear(dx)
	rival := -1
	for j, k := range kind {
		if k == kind[target] && j != int(target) && (rival < 0 || x[j] > x[rival]) {
			rival = j
		}
	}
	if rival < 0 {
		return 0, math.Inf(1)
	}
	margin = float64(x[target] - x[rival])
	if loss == Hinge {
		return hinge(dx, int(target), rival, margin), margin
	}
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

// TokenLoss is Reconstruction for Spans, with all classes competing at each position. It returns the loss
// (sequences, 1) of logits (rows of spans, classes) against the target class of each row, averaged over the
// positions of each sequence, and the margins.
func (t *Tape) TokenLoss(logits *Var, target []int32, spans *Spans, loss Loss) (losses *Var, margin []float32) {
	mustShape("TokenLoss", "logits", logits, spans.Rows(), logits.Cols)
	if len(target) != logits.Rows {
		panic(fmt.Sprintf("tensor: TokenLoss: %d targets for %d rows", len(target), logits.Rows))
	}
	losses = t.result(spans.Len(), 1, logits)
	margin = t.floats.take(spans.Len())
	kept := t.floats.take(len(logits.Data)) // ∂loss/∂logits of each row
	spans.each(func(s, lo, hi int) {
		sum, least := 0.0, math.Inf(1)
		for i := lo; i < hi; i++ {
			value, gap := among(kept[i*logits.Cols:][:logits.Cols], logits.Row(i), int(target[i]), loss)
			sum += value
			least = min(least, gap)
		}
		losses.Data[s], margin[s] = float32(sum/float64(hi-lo)), float32(least)
	})
	t.record(losses, func() {
		spans.each(func(s, lo, hi int) {
			from, to := lo*logits.Cols, hi*logits.Cols
			simd.Axpy(losses.Grad[s]/float32(hi-lo), kept[from:to], logits.Grad[from:to])
		})
	})
	return losses, margin
}

// among is position with all classes competing.
func among(dx, x []float32, target int, loss Loss) (value, margin float64) {
	rival := -1
	for j, v := range x {
		if j != target && (rival < 0 || v > x[rival]) {
			rival = j
		}
	}
	if rival < 0 {
		clear(dx)
		return 0, math.Inf(1)
	}
	margin = float64(x[target] - x[rival])
	if loss == Hinge {
		return hinge(dx, target, rival, margin), margin
	}
	value = float64(simd.Softmax(dx, x) - x[target])
	factor := float32(1)
	if loss == Focal {
		factor = 1 - dx[target]
		simd.Scale(factor, dx)
	}
	dx[target] -= factor
	return float64(factor) * value, margin
}
