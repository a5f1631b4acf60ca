package nn

import (
	"math"
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

// SelfAttention is multi-head self-attention within each sequence (Vaswani et al. 2017, §3.2).
type SelfAttention struct {
	Heads  int
	In     Linear // (d, 3d): queries, keys, values
	Out    Linear // (d, d)
	Causal bool   // tokens attend only to themselves and earlier ones
}

// NewSelfAttention declares a SelfAttention with PyTorch's names: name.in_proj_weight, name.in_proj_bias,
// name.out_proj.weight, name.out_proj.bias.
func NewSelfAttention(p *Params, name string, d, heads int, causal bool) SelfAttention {
	return SelfAttention{
		Heads:  heads,
		In:     newProjection(p, name+".in_proj_", d, 3*d),
		Out:    NewLinear(p, name+".out_proj", d, d),
		Causal: causal,
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, or to the first m of each sequence (sequences·m, d) if m is
// not 0. drop applies to the attention weights.
func (a SelfAttention) Apply(t *tensor.Tape, x *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	return a.Out.Apply(t, t.Attention(a.In.Apply(t, x), a.Heads, seq, m, a.Causal, drop.P, drop.seed()))
}

// CrossAttention is multi-head attention of the tokens of each sequence to the m memory vectors of that sequence.
type CrossAttention struct {
	Heads  int
	Query  Linear // (d, d)
	Memory Linear // (d, 2d): keys, values
	Out    Linear // (d, d)
}

// NewCrossAttention declares a CrossAttention as name.q_proj_weight, name.q_proj_bias, name.kv_proj_weight,
// name.kv_proj_bias, name.out_proj.weight and name.out_proj.bias.
func NewCrossAttention(p *Params, name string, d, heads int) CrossAttention {
	return CrossAttention{
		Heads:  heads,
		Query:  newProjection(p, name+".q_proj_", d, d),
		Memory: newProjection(p, name+".kv_proj_", d, 2*d),
		Out:    NewLinear(p, name+".out_proj", d, d),
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, given memory (sequences·m, d). drop applies to the attention
// weights.
//
// Products are taken in an order that projects memory vectors, which are few, instead of tokens. For a token x, keys k
// and values v of one head, with that head's columns W and b of Query and its rows W′ of Out,
//
//	(xW + b)·k = x·(Wk) + b·k    (Σⱼ pⱼvⱼ)W′ = Σⱼ pⱼ(vⱼW′)
//
// so the time per token is m·heads/d of that of projections.
func (a CrossAttention) Apply(t *tensor.Tape, x, memory *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	kv := a.Memory.Apply(t, memory)
	d := kv.Cols / 2
	keys := t.HeadProducts(kv, 0, a.Query.W, true, a.Heads)
	offsets := t.Reshape(t.HeadProducts(kv, 0, a.Query.B, true, a.Heads), m*a.Heads)
	values := t.HeadProducts(kv, d, a.Out.W, false, a.Heads)
	scores := t.SpanLinear(x, keys, true, offsets, seq)
	weights := drop.Apply(t, t.GroupSoftmax(scores, a.Heads, float32(1/math.Sqrt(float64(d/a.Heads)))))
	return t.SpanLinear(weights, values, false, a.Out.B, seq)
}

// EncoderLayer is a post-norm transformer encoder layer (Vaswani et al. 2017, §3.1):
//
//	h = norm₁(x + attention(x))    y = norm₂(h + linear₂(relu(linear₁(h))))
type EncoderLayer struct {
	Attention        SelfAttention
	Norm1            LayerNorm
	Linear1, Linear2 Linear // (d, hidden), (hidden, d)
	Norm2            LayerNorm
}

// NewEncoderLayer declares an EncoderLayer with PyTorch's names, prefixed by name.
func NewEncoderLayer(p *Params, name string, d, heads, hidden int) EncoderLayer {
	return EncoderLayer{
		Attention: NewSelfAttention(p, name+".self_attn", d, heads, false),
		Linear1:   NewLinear(p, name+".linear1", d, hidden),
		Linear2:   NewLinear(p, name+".linear2", hidden, d),
		Norm1:     NewLayerNorm(p, name+".norm1", d),
		Norm2:     NewLayerNorm(p, name+".norm2", d),
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, or to the first m of each sequence (sequences·m, d) if m is not 0.
func (l EncoderLayer) Apply(t *tensor.Tape, x *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	first := x
	if m > 0 {
		first = t.FirstRows(x, seq, m)
	}
	x = l.Norm1.Add(t, first, drop.Apply(t, l.Attention.Apply(t, x, seq, m, drop)))
	return l.Norm2.Add(t, x, feedForward(t, x, l.Linear1, l.Linear2, drop))
}

// DecoderLayer is a causal post-norm transformer decoder layer with m memory vectors per sequence:
//
//	h = norm₁(x + attention(x))    g = norm₂(h + cross(h, memory))    y = norm₃(g + linear₂(relu(linear₁(g))))
type DecoderLayer struct {
	Attention        SelfAttention
	Norm1            LayerNorm
	Cross            CrossAttention
	Norm2            LayerNorm
	Linear1, Linear2 Linear // (d, hidden), (hidden, d)
	Norm3            LayerNorm
}

// NewDecoderLayer declares a DecoderLayer with PyTorch's names (except in CrossAttention), prefixed by name.
func NewDecoderLayer(p *Params, name string, d, heads, hidden int) DecoderLayer {
	return DecoderLayer{
		Attention: NewSelfAttention(p, name+".self_attn", d, heads, true),
		Cross:     NewCrossAttention(p, name+".multihead_attn", d, heads),
		Linear1:   NewLinear(p, name+".linear1", d, hidden),
		Linear2:   NewLinear(p, name+".linear2", hidden, d),
		Norm1:     NewLayerNorm(p, name+".norm1", d),
		Norm2:     NewLayerNorm(p, name+".norm2", d),
		Norm3:     NewLayerNorm(p, name+".norm3", d),
	}
}

// Apply maps tokens x (rows of seq, d) to the same shape, given memory (sequences·m, d).
func (l DecoderLayer) Apply(t *tensor.Tape, x, memory *tensor.Var, seq *tensor.Spans, m int, drop Dropout) *tensor.Var {
	x = l.Norm1.Add(t, x, drop.Apply(t, l.Attention.Apply(t, x, seq, 0, drop)))
	x = l.Norm2.Add(t, x, drop.Apply(t, l.Cross.Apply(t, x, memory, seq, m, drop)))
	return l.Norm3.Add(t, x, feedForward(t, x, l.Linear1, l.Linear2, drop))
}

func feedForward(t *tensor.Tape, x *tensor.Var, in, out Linear, drop Dropout) *tensor.Var {
	return drop.Apply(t, out.Apply(t, drop.Apply(t, in.ReLU(t, x))))
}
