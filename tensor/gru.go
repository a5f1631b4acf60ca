package tensor

import (
	"math"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// gruBlock is how many sequences one goroutine carries through all steps: two tiles of the matrix product, and
// few enough that a hundred sequences share out evenly.
const gruBlock = 24

// GRU runs a gated recurrent unit with h hidden units along ragged sequences and returns all hidden
// states (rows of seq, h). From hₜ₋₁ (0 at first) and xₜ,
//
//	u = hs(xₜWᵤ + hₜ₋₁Uᵤ + bᵤ)    r = hs(xₜWᵣ + hₜ₋₁Uᵣ + bᵣ)    c = tanh(xₜWc + (r∘hₜ₋₁)Uc + bc)
//	hₜ = u∘hₜ₋₁ + (1 − u)∘c       hs(a) = clip(0.2a + 0.5, 0, 1)
//
// which is Cho et al. 2014 with the reset before the recurrent matrix and the gates of Keras 1. w (in, 3h),
// u (h, 3h) and b (1, 3h) hold the update, reset and candidate parts side by side. x has a row for each
// row of seq, or one for each sequence, which then is the input at all of its steps.
func (t *Tape) GRU(x, w, u, b *Var, seq *Ragged) *Var {
	h := u.Rows
	mustShape("GRU", "w", w, x.Cols, 3*h)
	mustShape("GRU", "u", u, h, 3*h)
	mustShape("GRU", "b", b, 1, 3*h)
	rows, n := seq.Rows(), len(seq.Lengths)
	repeat := x.Rows != rows
	if repeat {
		mustShape("GRU", "x", x, n, x.Cols)
	}
	y := t.result(rows, h, x, w, u, b)
	kept := t.floats.take(rows * 4 * h)
	gates, reset := kept[:rows*3*h], kept[rows*3*h:] // u, r, c (rows, 3h); r∘hₜ₋₁ (rows, h)
	var input []float32
	if repeat {
		input = t.floats.take(n * 3 * h)
		affine(input, x, w, b)
	}
	pw, pur, puc := &t.packed[0], &t.packed[1], &t.packed[2]
	pw.Pack(false, x.Cols, 3*h, w.Data, 3*h)
	pur.Pack(false, h, 2*h, u.Data, 3*h)
	puc.Pack(false, h, h, u.Data[2*h:], 3*h)

	parallel.For(n, gruBlock, func(lo, hi int) {
		for step := range seq.Lengths[lo] {
			m := min(hi, seq.alive(step)) - lo
			row := seq.Row(lo, step)
			g := gates[row*3*h:][:m*3*h]
			if repeat {
				copy(g, input[lo*3*h:])
			} else {
				copyRows(g, b.Data)
				simd.GemmPacked(false, m, x.Data[row*x.Cols:], x.Cols, pw, g, 3*h, true)
			}
			if step == 0 { // hₜ₋₁ = 0
				for i := range m {
					gi := g[i*3*h:][:3*h]
					simd.HardSigmoid(gi[:2*h], gi[:2*h])
					simd.Tanh(gi[2*h:], gi[2*h:])
					yi := y.Row(row + i)
					for j, c := range gi[2*h:] {
						yi[j] = c - gi[j]*c
					}
				}
				continue
			}
			before := seq.Row(lo, step-1)
			last, rh := y.Data[before*h:][:m*h], reset[row*h:][:m*h]
			simd.GemmPacked(false, m, last, h, pur, g, 3*h, true)
			for i := range m {
				gi := g[i*3*h:][:3*h]
				simd.HardSigmoid(gi[:2*h], gi[:2*h])
				simd.Mul(rh[i*h:][:h], gi[h:2*h], last[i*h:][:h])
			}
			simd.GemmPacked(false, m, rh, h, puc, g[2*h:], 3*h, true)
			for i := range m {
				gi, li, yi := g[i*3*h:][:3*h], last[i*h:][:h], y.Row(row+i)
				c := gi[2*h:]
				simd.Tanh(c, c)
				for j, update := range gi[:h] {
					yi[j] = c[j] + update*(li[j]-c[j])
				}
			}
		}
	})
	t.record(record{backward: gruBackward, y: y, x: [3]*Var{x, w, u}, bias: b, kept: kept, seq: seq})
	return y
}

// gruBackward goes back through the steps block by block, turning the gates into the gradients of what
// went into them. The weights' gradients are then products over all rows at once, so that their sums
// have one order whoever computed the rows.
func gruBackward(t *Tape, r *record) {
	y, x, w, u, b, seq := r.y, r.x[0], r.x[1], r.x[2], r.bias, r.seq
	rows, n, h := y.Rows, len(seq.Lengths), y.Cols
	gates, reset := r.kept[:rows*3*h], r.kept[rows*3*h:]
	repeat := x.Rows != rows
	pw, pur, puc := &t.packed[0], &t.packed[1], &t.packed[2] // transposed
	pw.Pack(true, 3*h, x.Cols, w.Data, 3*h)
	pur.Pack(true, 2*h, h, u.Data, 3*h)
	puc.Pack(true, h, h, u.Data[2*h:], 3*h)
	dReset := t.floats.take(n * h) // ∂(r∘hₜ₋₁) at the step at hand

	parallel.For(n, gruBlock, func(lo, hi int) {
		for step := seq.Lengths[lo] - 1; step >= 0; step-- {
			m := min(hi, seq.alive(step)) - lo
			row := seq.Row(lo, step)
			g, dy := gates[row*3*h:][:m*3*h], y.Grad[row*h:][:m*h]
			if step == 0 {
				for i := range m {
					gi := g[i*3*h:][:3*h]
					update, c := gi[:h], gi[2*h:]
					for j, d := range dy[i*h:][:h] {
						update[j], c[j] = -d*c[j]*hardSigmoidSlope(update[j]), d*(1-update[j])*(1-c[j]*c[j])
					}
					clear(gi[h : 2*h])
				}
			} else {
				before := seq.Row(lo, step-1)
				last, dLast := y.Data[before*h:][:m*h], y.Grad[before*h:][:m*h]
				drh := dReset[lo*h:][:m*h]
				for i := range m {
					gi := g[i*3*h:][:3*h]
					stepBackward(gi[:h], gi[2*h:], dLast[i*h:][:h], last[i*h:][:h], dy[i*h:][:h])
				}
				simd.GemmPacked(false, m, g[2*h:], 3*h, puc, drh, h, false)
				for i := range m {
					resetBackward(g[i*3*h+h:][:h], dLast[i*h:][:h], last[i*h:][:h], drh[i*h:][:h])
				}
				simd.GemmPacked(false, m, g, 3*h, pur, dLast, h, true)
			}
			if x.Grad != nil && !repeat {
				simd.GemmPacked(false, m, g, 3*h, pw, x.Grad[row*x.Cols:], x.Cols, true)
			}
		}
	})

	if u.Grad != nil && rows > n { // at the first step hₜ₋₁ = 0
		last := t.floats.take((rows - n) * h)
		for step := 1; step < seq.Steps(); step++ {
			copy(last[(seq.Row(0, step)-n)*h:][:seq.alive(step)*h], y.Data[seq.Row(0, step-1)*h:])
		}
		simd.Gemm(true, false, h, 2*h, rows-n, last, h, gates[n*3*h:], 3*h, u.Grad, 3*h, true)
		simd.Gemm(true, false, h, h, rows-n, reset[n*h:], h, gates[n*3*h+2*h:], 3*h, u.Grad[2*h:], 3*h, true)
	}
	if repeat { // the same input at all steps: one gradient for all
		for step := 1; step < seq.Steps(); step++ {
			row, m := seq.Row(0, step), seq.alive(step)
			simd.Add(gates[:m*3*h], gates[:m*3*h], gates[row*3*h:][:m*3*h])
		}
		affineBackward(gates[:n*3*h], x, w, b)
		return
	}
	if w.Grad != nil {
		simd.Gemm(true, false, x.Cols, 3*h, rows, x.Data, x.Cols, gates, 3*h, w.Grad, 3*h, true)
	}
	if b.Grad != nil {
		addRows(b.Grad, gates)
	}
}

// stepBackward goes back through h = u∘last + (1 − u)∘c, one row: it adds to dLast, and turns u and c into
// the gradients of what went into their activations.
func stepBackward(u, c, dLast, last, dh []float32) {
	u, c, dLast, last = u[:len(dh)], c[:len(dh)], dLast[:len(dh)], last[:len(dh)] // no bounds checks below
	for j, d := range dh {
		uj, cj := u[j], c[j]
		dLast[j] += d * uj
		u[j] = d * (last[j] - cj) * hardSigmoidSlope(uj)
		c[j] = d * (1 - uj) * (1 - cj*cj)
	}
}

// resetBackward goes back through r∘last in the same way.
func resetBackward(r, dLast, last, drh []float32) {
	r, dLast, last = r[:len(drh)], dLast[:len(drh)], last[:len(drh)]
	for j, d := range drh {
		dLast[j] += d * r[j]
		r[j] = d * last[j] * hardSigmoidSlope(r[j])
	}
}

// hardSigmoidSlope returns the derivative of the hard sigmoid where it has the value y in [0, 1]: 0.2
// between the ends. A trained gate is as often at an end as not, so it compares bits, which needs no branch.
func hardSigmoidSlope(y float32) float32 {
	const one, fifth = 0x3f800000, 0x3e4ccccd // 1 and 0.2
	slope := uint32(0)
	if math.Float32bits(y)-1 < one-1 { // 0 wraps round
		slope = fifth
	}
	return math.Float32frombits(slope)
}
