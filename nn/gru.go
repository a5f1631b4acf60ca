package nn

import "github.com/invbo/invbo/tensor"

// GRU is a layer of gated recurrent units (tensor.Tape.GRU).
type GRU struct {
	W *tensor.Var // (in, 3·hidden): update, reset, candidate
	U *tensor.Var // (hidden, 3·hidden)
	B *tensor.Var // (1, 3·hidden)
}

// NewGRU declares a GRU as name.weight, name.recurrent and name.bias.
func NewGRU(p *Params, name string, in, hidden int) GRU {
	return GRU{
		W: p.Add(name+".weight", in, 3*hidden, Glorot(in, hidden)),
		U: p.Add(name+".recurrent", hidden, 3*hidden, Orthogonal),
		B: p.Add(name+".bias", 1, 3*hidden, Constant(0)),
	}
}

// Apply returns the hidden states (rows of seq, hidden) for x with one row per row of seq, or one per sequence.
func (g GRU) Apply(t *tensor.Tape, x *tensor.Var, seq *tensor.Ragged) *tensor.Var {
	return t.GRU(x, g.W, g.U, g.B, seq)
}
