// Package sequence is the transformer VAE of LOL-BO, CoBO and InvBO (their InfoTransformerVAE) for strings over
// any alphabet: SELFIES, proteins and others.
//
// Train makes a Model from strings; Load and Import read one from a file of weights; Molecules is built in. The
// decoder is autoregressive: Decode generates one symbol at a time, while Reconstruct scores a given string in
// one teacher-forced pass. Start reading at network.go (the architecture) and model.go.
package sequence

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"

	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/internal/neural"
)

// Config holds the sizes of the network. A zero field takes the value of the published InfoTransformerVAE.
type Config struct {
	Vectors       int `json:"vectors"`        // m, latent vectors per string: m·Width latent dimensions; 2
	Width         int `json:"width"`          // of a latent vector and of the decoder; 128
	EncoderWidth  int `json:"encoder_width"`  // 2·Width; other widths add a linear layer, encoder_head
	EncoderLayers int `json:"encoder_layers"` // 6
	EncoderHeads  int `json:"encoder_heads"`  // 8
	EncoderHidden int `json:"encoder_hidden"` // units of the feed-forward block; 512
	DecoderLayers int `json:"decoder_layers"` // 6
	DecoderHeads  int `json:"decoder_heads"`  // 8
	DecoderHidden int `json:"decoder_hidden"` // 256
	MaxTokens     int `json:"max_tokens"`     // per string, stop included; 400
}

// DefaultMaxTokens is the default of Config.MaxTokens.
const DefaultMaxTokens = 400

// Compact returns the configuration of a smaller encoder with the published decoder.
func Compact() Config { return Config{EncoderWidth: 128, EncoderLayers: 3} }

func (c Config) withDefaults() Config {
	c.Vectors = cmp.Or(c.Vectors, 2)
	c.Width = cmp.Or(c.Width, 128)
	c.EncoderWidth = cmp.Or(c.EncoderWidth, 2*c.Width)
	c.EncoderLayers = cmp.Or(c.EncoderLayers, 6)
	c.EncoderHeads = cmp.Or(c.EncoderHeads, 8)
	c.EncoderHidden = cmp.Or(c.EncoderHidden, 512)
	c.DecoderLayers = cmp.Or(c.DecoderLayers, 6)
	c.DecoderHeads = cmp.Or(c.DecoderHeads, 8)
	c.DecoderHidden = cmp.Or(c.DecoderHidden, 256)
	c.MaxTokens = cmp.Or(c.MaxTokens, DefaultMaxTokens)
	return c
}

// check refuses invalid sizes, and sizes so large that they must come from a damaged file.
func (c Config) check() error {
	sizes := []int{c.Vectors, c.Width, c.EncoderWidth, c.EncoderLayers, c.EncoderHeads, c.EncoderHidden,
		c.DecoderLayers, c.DecoderHeads, c.DecoderHidden, c.MaxTokens}
	const largest = 4096
	for _, n := range sizes {
		if n < 1 || n > largest {
			return fmt.Errorf("sizes %+v: all must be from 1 to %d", c, largest)
		}
	}
	if c.Width%2 != 0 || c.EncoderWidth%2 != 0 {
		return fmt.Errorf("widths %d and %d: both must be even, for sinusoidal positions", c.Width, c.EncoderWidth)
	}
	if c.Width%c.DecoderHeads != 0 || c.EncoderWidth%c.EncoderHeads != 0 {
		return fmt.Errorf("width %d with %d heads, encoder width %d with %d: the heads must divide the width",
			c.Width, c.DecoderHeads, c.EncoderWidth, c.EncoderHeads)
	}
	if c.MaxTokens < c.Vectors {
		return fmt.Errorf("%d latent vectors need strings of as many tokens, and MaxTokens is %d", c.Vectors, c.MaxTokens)
	}
	return nil
}

// Model is a trained transformer VAE. It implements vae.Tunable; the network's part is in network.go and decode.go, the rest
// in vae/internal/neural.
type Model struct {
	base
	training Training
}

type base = neural.Model[*network]

// The approximate number of tokens per parallel task: few enough that the operands of a layer stay in the cache. It
// bounds memory per goroutine: at the published sizes about 100 kB per token in inversion, 150 kB in training.
const (
	chunkTokens         = 256
	trainingChunkTokens = 512 // more, because each task reads and writes the gradient of all weights
)

// The number of parts of a gradient, which bounds the parallelism of a step.
const (
	trainingParts = 8
	tunerParts    = 4 // for the minibatches of InvBO, about 1,100 tokens
)

// newModel returns a model without memory for its weights (see nn.Params.Bind).
func newModel(a *Alphabet, c Config) (*Model, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	net := newNetwork(c, a, tensor.Positions(c.MaxTokens, c.EncoderWidth), tensor.Positions(c.MaxTokens, c.Width))
	return &Model{base: neural.New(net, neural.Options{
		Package: "sequence", Latent: c.Vectors * c.Width, Size: func(tokens []int32) int { return len(tokens) },
		Chunk: chunkTokens, Block: decodeBlock, TunerParts: tunerParts, TunerChunk: chunkTokens,
	})}, nil
}

// Clone implements vae.Tunable.
func (m *Model) Clone() vae.Tunable { return &Model{m.base.Clone(), m.training} }

// Alphabet returns the symbols of the model's strings.
func (m *Model) Alphabet() *Alphabet { return m.Net.alphabet }

// Config returns the sizes of the network.
func (m *Model) Config() Config { return m.Net.config }

// Training returns the training record of the weights, which excludes tuning.
func (m *Model) Training() Training { return m.training }

// Tokens returns the symbols of x, or nil if Check refuses x.
func (m *Model) Tokens(x string) []string {
	if m.Check(x) != nil {
		return nil
	}
	symbols, _ := m.Net.alphabet.Tokens(x)
	return symbols
}

//go:embed weights/molecules.safetensors
var moleculeWeights []byte

// MoleculesFile returns the file that Molecules reads.
func MoleculesFile() io.Reader { return bytes.NewReader(moleculeWeights) }

// Molecules returns the built-in model of drug-like molecules in SELFIES, with the compact encoder and the paper's
// decoder and alphabet. Training describes its training, docs/weights.md its quality.
func Molecules() (*Model, error) { return Load(MoleculesFile()) }
