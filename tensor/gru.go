package tensor

import (
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// GRU is a gated recurrent unit with h hidden units over ragged sequences. It returns all hidden states
// (rows of seq, h). With h₀ = 0,
//
//	u = hs(xₜWᵤ + hₜ₋₁Uᵤ + bᵤ)    r = hs(xₜWᵣ + hₜ₋₁Uᵣ + bᵣ)    c = tanh(xₜWc + (r∘hₜ₋₁)Uc + bc)
//	hₜ = u∘hₜ₋₁ + (1 − u)∘c       hs(a) = clip(0.2a + 0.5, 0, 1)
//
// This is Cho et al. 2014 with the reset gate applied before the recurrent matrix, and the hard sigmoid of
// Keras 1. w (in, 3h), u (h, 3h) and b (1, 3h) hold the update, reset and candidate parts side by side. x has
// one row per row of seq, or one row per sequence, which is then the input at each of its steps.
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
	gates, reset := t.floats.take(rows*3*h), t.floats.take(rows*h) // u, r, c (rows, 3h); r∘hₜ₋₁ (rows, h)
	pw, pur, puc := &t.packed[0], &t.packed[1], &t.packed[2]
	pw.Pack(false, x.Cols, 3*h, w.Data, 3*h)
	pur.Pack(false, h, 2*h, u.Data, 3*h)
	puc.Pack(false, h, h, u.Data[2*h:], 3*h)
	bu, br, bc := b.Data[:h], b.Data[h:2*h], b.Data[2*h:]
	zeros := t.floats.take(h) // h₀
	clear(zeros)

	parallel.For(len(seq.blocks), 1, func(k, _ int) {
		s := &seq.blocks[k]
		if repeat {
			first := gates[s.begin()*3*h:][:(s.hi-s.lo)*3*h]
			simd.GemmPacked(false, s.hi-s.lo, x.Data[s.lo*x.Cols:], x.Cols, pw, first, 3*h, false)
			for step := 1; step < s.steps(); step++ {
				copy(gates[s.starts[step]*3*h:][:s.alive(step)*3*h], first)
			}
		} else {
			simd.GemmPacked(false, s.end()-s.begin(), x.Data[s.begin()*x.Cols:], x.Cols, pw, gates[s.begin()*3*h:], 3*h, false)
		}
		for step := range s.steps() {
			row, m := s.starts[step], s.alive(step)
			g, rh := gates[row*3*h:][:m*3*h], reset[row*h:][:m*h]
			last := func(int) []float32 { return zeros }
			if step > 0 {
				before := s.starts[step-1]
				last = func(i int) []float32 { return y.Row(before + i) }
				simd.GemmPacked(false, m, y.Data[before*h:], h, pur, g, 3*h, true)
			}
			for i := range m {
				gi := g[i*3*h:][:3*h]
				simd.GRUGates(gi[:h], gi[h:2*h], rh[i*h:][:h], bu, br, last(i))
			}
			if step > 0 {
				simd.GemmPacked(false, m, rh, h, puc, g[2*h:], 3*h, true)
			}
			for i := range m {
				gi := g[i*3*h:][:3*h]
				simd.GRUState(y.Row(row+i), gi[2*h:], gi[:h], bc, last(i))
			}
		}
	})
	t.record(y, func() { t.gruBackward(y, gates, reset, seq) })
	return y
}

// gruBackward goes back through the steps block by block, overwriting the gates with the gradients of their
// inputs. While a block is in the cache, its part of the weight gradients is computed; the parts are then
// added in the order of the blocks, so that the sums do not depend on the scheduling.
func (t *Tape) gruBackward(y *Var, gates, reset []float32, seq *Ragged) {
	x, w, u, b := y.operands[0], y.operands[1], y.operands[2], y.operands[3]
	rows, n, h := y.Rows, len(seq.Lengths), y.Cols
	repeat := x.Rows != rows
	pw, pur, puc := &t.packed[0], &t.packed[1], &t.packed[2] // transposed
	pw.Pack(true, 3*h, x.Cols, w.Data, 3*h)
	pur.Pack(true, 2*h, h, u.Data, 3*h)
	puc.Pack(true, h, h, u.Data[2*h:], 3*h)
	zeros := t.floats.take(h)
	clear(zeros)
	dReset := t.floats.take(n * h) // ∂(r∘hₜ₋₁) at the current step
	var dw, du, db parts
	if w.Grad != nil {
		dw = t.parts(w, len(seq.blocks))
	}
	if b.Grad != nil {
		db = t.parts(b, len(seq.blocks))
	}
	var before []float32 // hₜ₋₁ for each row after the first step
	if u.Grad != nil {
		du = t.parts(u, len(seq.blocks))
		before = t.floats.take((rows - n) * h)
	}

	throughSteps := func(s *block) {
		drh := dReset[s.lo*h:][:(s.hi-s.lo)*h]
		for step := s.steps() - 1; step >= 0; step-- {
			row, m := s.starts[step], s.alive(step)
			g, dy := gates[row*3*h:][:m*3*h], y.Grad[row*h:][:m*h]
			if step == 0 {
				for i := range m {
					gi := g[i*3*h:][:3*h]
					simd.GRUStateGrad(drh[:h], gi[:h], gi[2*h:], zeros, dy[i*h:][:h]) // the gradient of h₀ is unused
					clear(gi[h : 2*h])
				}
				break
			}
			previous := s.starts[step-1] * h
			last, dLast := y.Data[previous:][:m*h], y.Grad[previous:][:m*h]
			for i := range m {
				gi := g[i*3*h:][:3*h]
				simd.GRUStateGrad(dLast[i*h:][:h], gi[:h], gi[2*h:], last[i*h:][:h], dy[i*h:][:h])
			}
			simd.GemmPacked(false, m, g[2*h:], 3*h, puc, drh, h, false)
			for i := range m {
				simd.GRUResetGrad(dLast[i*h:][:h], g[i*3*h+h:][:h], last[i*h:][:h], drh[i*h:][:h])
			}
			simd.GemmPacked(false, m, g, 3*h, pur, dLast, h, true)
		}
	}
	intoOperands := func(k int, s *block) {
		n := s.hi - s.lo
		begin, second, end := s.begin(), s.begin()+n, s.end()
		if u.Grad != nil { // at the first step hₜ₋₁ = 0
			last := y.Data[begin*h : (end-n)*h]
			if s.alive(s.steps()-1) < n { // a sequence ends early, and its last state has no successor
				last = before[(begin-s.lo)*h:][:(end-second)*h]
				for step := 1; step < s.steps(); step++ {
					copy(last[(s.starts[step]-second)*h:][:s.alive(step)*h], y.Data[s.starts[step-1]*h:])
				}
			}
			g := gates[second*3*h : end*3*h]
			simd.GemmSerial(true, h, 2*h, end-second, last, h, g, 3*h, du.of(k), 3*h, false)
			simd.GemmSerial(true, h, h, end-second, reset[second*h:], h, g[min(2*h, len(g)):], 3*h, du.of(k)[2*h:], 3*h, false)
		}
		from, to := begin, end // rows of x
		g := gates[begin*3*h : end*3*h]
		if repeat { // the same input at all steps: sum the gradients over steps
			from, to = s.lo, s.hi
			for step := 1; step < s.steps(); step++ {
				at := g[(s.starts[step]-begin)*3*h:][:s.alive(step)*3*h]
				simd.Add(g[:len(at)], g[:len(at)], at)
			}
			g = g[:n*3*h]
		}
		if x.Grad != nil {
			simd.GemmPacked(false, to-from, g, 3*h, pw, x.Grad[from*x.Cols:], x.Cols, true)
		}
		if w.Grad != nil {
			simd.GemmSerial(true, x.Cols, 3*h, to-from, x.Data[from*x.Cols:], x.Cols, g, 3*h, dw.of(k), 3*h, false)
		}
		if b.Grad != nil {
			clear(db.of(k))
			addRows(db.of(k), g)
		}
	}
	parallel.For(len(seq.blocks), 1, func(k, _ int) {
		throughSteps(&seq.blocks[k])
		intoOperands(k, &seq.blocks[k])
	})
	dw.addTo(w.Grad)
	du.addTo(u.Grad)
	db.addTo(b.Grad)
}

// parts holds the contributions of the blocks to the gradient of a parameter, one after another.
type parts struct {
	data []float32
	size int // of one
}

// parts returns count parts for v, with undefined values.
func (t *Tape) parts(v *Var, count int) parts {
	return parts{t.floats.take(count * len(v.Data)), len(v.Data)}
}

// of returns part k.
func (p parts) of(k int) []float32 { return p.data[k*p.size:][:p.size] }

// addTo adds the parts to grad in order.
func (p parts) addTo(grad []float32) {
	parallel.For(p.size, 4096, func(lo, hi int) {
		for part := p.data; len(part) > 0; part = part[p.size:] {
			simd.Add(grad[lo:hi], grad[lo:hi], part[lo:hi])
		}
	})
}
