package tensor

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/simd"
)

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
	t.record(record{backward: tokenLossBackward, y: losses, x: [4]*Var{logits}, kept: kept, spans: spans})
	return losses, margin
}

func tokenLossBackward(_ *Tape, r *record) {
	logits := r.x[0]
	r.spans.each(func(s, lo, hi int) {
		from, to := lo*logits.Cols, hi*logits.Cols
		simd.Axpy(r.y.Grad[s]/float32(hi-lo), r.kept[from:to], logits.Grad[from:to])
	})
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
