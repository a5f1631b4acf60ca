// Package sequence is the transformer VAE of LOL-BO, CoBO and InvBO (their InfoTransformerVAE) for strings over
// any alphabet: SELFIES, proteins and others.
//
// Train makes a Model from strings; Load and Import read one from a file of weights; Molecules is built in. The
// decoder is autoregressive: Decode generates one symbol at a time, while Reconstruct scores a given string in
// one teacher-forced pass. Start reading at network.go (the architecture) and model.go.
package sequence

import (
	"bytes"
	_ "embed"
	"io"

	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/internal/neural"
)

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
