package nn

import "github.com/invbo/invbo/tensor"

// Linear is y = xW + b.
type Linear struct {
	W *tensor.Var // (in, out)
	B *tensor.Var // (1, out)
}

// NewLinear declares a Linear layer as name.weight and name.bias.
func NewLinear(p *Params, name string, in, out int) Linear {
	return Linear{
		W: p.Add(name+".weight", in, out, Glorot(in, out)),
		B: p.Add(name+".bias", 1, out, Constant(0)),
	}
}

// Apply returns xW + b (n, out) for x (n, in).
func (l Linear) Apply(t *tensor.Tape, x *tensor.Var) *tensor.Var { return t.Linear(x, l.W, l.B) }

// ReLU returns max(0, xW + b) (n, out) for x (n, in).
func (l Linear) ReLU(t *tensor.Tape, x *tensor.Var) *tensor.Var { return t.LinearReLU(x, l.W, l.B) }
