package sequence

import (
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// network is the published InfoTransformerVAE: a transformer encoder, whose first outputs parametrize the posterior
// of the latent vectors, and a causal transformer decoder with cross-attention to these vectors.
type network struct {
	params   nn.Params
	config   Config
	alphabet *Alphabet

	unembedding      *tensor.Var // (Width, tokens)
	encoderEmbedding *tensor.Var // (tokens, EncoderWidth)
	decoderEmbedding *tensor.Var // (tokens, Width)
	encoder          []nn.EncoderLayer
	head             nn.Linear // (EncoderWidth, 2·Width); absent if these are equal
	decoder          []nn.DecoderLayer

	encoderPositions *tensor.Var // (MaxTokens, EncoderWidth), constant
	decoderPositions *tensor.Var // (MaxTokens, Width), constant
}

// leastSigma is added to the standard deviations of the posterior.
const leastSigma = 1e-4

// newNetwork declares a network, without memory for its parameters. Their names are those of the published state dict, up to
// layout.
func newNetwork(c Config, a *Alphabet, encoderPositions, decoderPositions *tensor.Var) *network {
	n := &network{config: c, alphabet: a, encoderPositions: encoderPositions, decoderPositions: decoderPositions}
	p, tokens := &n.params, a.tokens()
	n.unembedding = p.Add("decoder_token_unembedding", c.Width, tokens, nn.Normal(1/math.Sqrt(float64(c.Width))))
	n.encoderEmbedding = p.Add("encoder_token_embedding.weight", tokens, c.EncoderWidth, nn.Normal(1))
	n.decoderEmbedding = p.Add("decoder_token_embedding.weight", tokens, c.Width, nn.Normal(1))
	for i := range c.EncoderLayers {
		n.encoder = append(n.encoder, nn.NewEncoderLayer(p, fmt.Sprintf("encoder.layers.%d", i), c.EncoderWidth, c.EncoderHeads, c.EncoderHidden))
	}
	for i := range c.DecoderLayers {
		n.decoder = append(n.decoder, nn.NewDecoderLayer(p, fmt.Sprintf("decoder.layers.%d", i), c.Width, c.DecoderHeads, c.DecoderHidden))
	}
	if c.EncoderWidth != 2*c.Width {
		n.head = nn.NewLinear(p, "encoder_head", c.EncoderWidth, 2*c.Width)
	}
	return n
}

// Params implements neural.Network.
func (n *network) Params() *nn.Params { return &n.params }

// View implements neural.Network.
func (n *network) View(data, grad []float32) *network {
	v := newNetwork(n.config, n.alphabet, n.encoderPositions, n.decoderPositions)
	v.params.Bind(data, grad)
	return v
}

// Split implements neural.Network.
func (n *network) Split(x string) ([]int32, error) {
	tokens, err := n.alphabet.split(x)
	if err == nil && len(tokens) > n.config.MaxTokens {
		return nil, fmt.Errorf("%s has %d symbols, more than the model's maximum of %d", quote(x), len(tokens)-1, n.config.MaxTokens-1)
	}
	return tokens, err
}

// Encode implements neural.Network.
func (n *network) Encode(t *tensor.Tape, strings [][]int32) (mu, logvar *tensor.Var) {
	return n.encode(t, newBatch(strings, n.config.Vectors), nn.Dropout{})
}

// Reconstruct implements neural.Network.
func (n *network) Reconstruct(t *tensor.Tape, z *tensor.Var, strings [][]int32, loss tensor.Loss) (losses *tensor.Var, margin []float32) {
	b := newBatch(strings, 1)
	return t.Reconstruction(n.decode(t, z, b, nn.Dropout{}), b.tokens, nil, b.seq, loss)
}

// encode returns mean and log variance of q(z|x), (strings, Vectors·Width) each.
func (n *network) encode(t *tensor.Tape, b *batch, drop nn.Dropout) (mu, logvar *tensor.Var) {
	x := drop.Apply(t, t.Embed(n.encoderEmbedding, b.tokens, n.encoderPositions, b.seq, false))
	last := len(n.encoder) - 1
	for _, layer := range n.encoder[:last] {
		x = layer.Apply(t, x, b.seq, 0, drop)
	}
	x = n.encoder[last].Apply(t, x, b.seq, n.config.Vectors, drop)
	if n.head.W != nil {
		x = n.head.Apply(t, x)
	}
	mu, logvar = t.Gaussian(x, leastSigma)
	d := n.config.Vectors * n.config.Width
	return t.Reshape(mu, d), t.Reshape(logvar, d)
}

// decode returns the teacher-forced logits (rows of b.seq, tokens) for latents z (strings, Vectors·Width).
func (n *network) decode(t *tensor.Tape, z *tensor.Var, b *batch, drop nn.Dropout) *tensor.Var {
	memory := t.Reshape(z, n.config.Width)
	x := drop.Apply(t, t.Embed(n.decoderEmbedding, b.tokens, n.decoderPositions, b.seq, true))
	for _, layer := range n.decoder {
		x = layer.Apply(t, x, memory, b.seq, n.config.Vectors, drop)
	}
	return t.Linear(x, n.unembedding, nil)
}

// batch is a batch of strings without padding.
type batch struct {
	tokens []int32 // of all strings, each with its stop
	seq    *tensor.Spans
}

// newBatch packs strings. Strings of fewer than least tokens are filled up with stops.
func newBatch(strings [][]int32, least int) *batch {
	lengths := make([]int, len(strings))
	b := &batch{}
	for i, s := range strings {
		lengths[i] = max(len(s), least)
		b.tokens = append(b.tokens, s...)
		b.tokens = append(b.tokens, slices.Repeat([]int32{stop}, lengths[i]-len(s))...)
	}
	b.seq = tensor.NewSpans(lengths)
	return b
}
