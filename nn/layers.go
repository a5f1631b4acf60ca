package nn

import (
	"math/rand/v2"

	"github.com/invbo/invbo/tensor"
)

// Linear is y = xW + b.
type Linear struct {
	W *tensor.Var // (in, out)
	B *tensor.Var // (1, out)
}

// NewLinear declares a Linear layer as name.weight and name.bias.
func NewLinear(p *Params, name string, in, out int) Linear {
	return newProjection(p, name+".", in, out)
}

func newProjection(p *Params, prefix string, in, out int) Linear {
	return Linear{p.Add(prefix+"weight", in, out, Glorot(in, out)), p.Add(prefix+"bias", 1, out, Constant(0))}
}

// Apply returns xW + b (n, out) for x (n, in).
func (l Linear) Apply(t *tensor.Tape, x *tensor.Var) *tensor.Var { return t.Linear(x, l.W, l.B) }

// ReLU returns max(0, xW + b) (n, out) for x (n, in).
func (l Linear) ReLU(t *tensor.Tape, x *tensor.Var) *tensor.Var { return t.LinearReLU(x, l.W, l.B) }

// LayerNorm normalizes rows (Ba et al. 2016), with eps = 10⁻⁵.
type LayerNorm struct {
	Gamma, Beta *tensor.Var // (1, d)
}

// NewLayerNorm declares a LayerNorm as name.weight and name.bias.
func NewLayerNorm(p *Params, name string, d int) LayerNorm {
	return LayerNorm{p.Add(name+".weight", 1, d, Constant(1)), p.Add(name+".bias", 1, d, Constant(0))}
}

// Add normalizes the rows of x + y (n, d).
func (l LayerNorm) Add(t *tensor.Tape, x, y *tensor.Var) *tensor.Var {
	return t.AddLayerNorm(x, y, l.Gamma, l.Beta, 1e-5)
}

// Dropout drops activations and attention weights during training (Srivastava et al. 2014). The zero Dropout
// drops none.
type Dropout struct {
	P    float32    // probability
	Rand *rand.Rand // source of one seed per operation; unused if P is 0
}

// Apply sets each element of x to 0 with probability P and divides the others by 1 − P.
func (d Dropout) Apply(t *tensor.Tape, x *tensor.Var) *tensor.Var {
	if d.P == 0 {
		return x
	}
	return t.Dropout(x, d.P, d.seed())
}

// seed draws the seed of an operation, or returns 0 if P is 0.
func (d Dropout) seed() uint64 {
	if d.P == 0 {
		return 0
	}
	return d.Rand.Uint64()
}

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

// BatchNorm normalizes columns (Ioffe & Szegedy 2015) with the constants of Keras 1: eps 10⁻³ and momentum 0.99
// for the running statistics.
type BatchNorm struct {
	Gamma, Beta    *tensor.Var // (1, c)
	Mean, Variance *tensor.Var // (1, c), running
}

const batchNormEps = 1e-3

// NewBatchNorm declares a BatchNorm as name.weight, name.bias, name.mean and name.variance.
func NewBatchNorm(p *Params, name string, c int) BatchNorm {
	return BatchNorm{
		Gamma:    p.Add(name+".weight", 1, c, Constant(1)),
		Beta:     p.Add(name+".bias", 1, c, Constant(0)),
		Mean:     p.AddBuffer(name+".mean", 1, c, Constant(0)),
		Variance: p.AddBuffer(name+".variance", 1, c, Constant(1)),
	}
}

// Batch normalizes x (n, c) by its own statistics, and updates the running statistics. Use it in pre-training.
func (b BatchNorm) Batch(t *tensor.Tape, x *tensor.Var) *tensor.Var {
	y, mean, variance := t.BatchNorm(x, b.Gamma, b.Beta, batchNormEps)
	const move = 0.01 // 1 − momentum
	for j := range mean.Data {
		b.Mean.Data[j] += move * (mean.Data[j] - b.Mean.Data[j])
		b.Variance.Data[j] += move * (variance.Data[j] - b.Variance.Data[j])
	}
	return y
}

// Running normalizes x (n, c) by the running statistics. Use it everywhere else, fine-tuning included: the
// decoding of a latent must not depend on the rest of the batch.
func (b BatchNorm) Running(t *tensor.Tape, x *tensor.Var) *tensor.Var {
	return t.Normalize(x, b.Gamma, b.Beta, b.Mean, b.Variance, batchNormEps)
}
