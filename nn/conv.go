package nn

import "github.com/invbo/invbo/tensor"

// Conv1D is a 1-D convolution along sequences (no padding, stride 1) with a bias and a ReLU.
type Conv1D struct {
	Kernel int
	W      *tensor.Var // (kernel·channels, filters)
	B      *tensor.Var // (1, filters)
}

// NewConv1D declares a Conv1D as name.weight and name.bias.
func NewConv1D(p *Params, name string, channels, filters, kernel int) Conv1D {
	return Conv1D{
		Kernel: kernel,
		W:      p.Add(name+".weight", kernel*channels, filters, Glorot(kernel*channels, kernel*filters)),
		B:      p.Add(name+".bias", 1, filters, Constant(0)),
	}
}

// ReLU maps sequences of length rows, x (n·length, channels), to (n·(length−kernel+1), filters).
func (c Conv1D) ReLU(t *tensor.Tape, x *tensor.Var, length int) *tensor.Var {
	return t.LinearReLU(t.Windows(x, length, c.Kernel), c.W, c.B)
}

// TokensReLU is ReLU for one-hot x, given as n·length tokens.
func (c Conv1D) TokensReLU(t *tensor.Tape, tokens []int32, length int) *tensor.Var {
	return t.TokenConvReLU(tokens, length, c.Kernel, c.W, c.B)
}
