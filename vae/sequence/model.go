// Package sequence is the transformer VAE of LOL-BO, CoBO and InvBO (their InfoTransformerVAE) for strings over
// any alphabet: SELFIES, proteins and others.
//
// Train makes a Model from strings; Load and Import read one from a file of weights; Molecules is built in. The
// decoder is autoregressive: Decode generates one symbol at a time, while Reconstruct scores a given string in
// one teacher-forced pass. Start reading at network.go (the architecture) and model.go.
package sequence

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/internal/single"
)

// Model is a trained transformer VAE. It implements vae.Tunable.
type Model struct {
	alphabet *Alphabet
	net      *network // frozen
	training Training
	tapes    *sync.Pool
}

// newModel returns a model without memory for its weights (see nn.Params.Bind).
func newModel(a *Alphabet, c Config) (*Model, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	return &Model{
		alphabet: a,
		net:      newNetwork(c, a.tokens()),
		tapes:    &sync.Pool{New: func() any { return new(tensor.Tape) }},
	}, nil
}

// Alphabet returns the symbols of the model's strings.
func (m *Model) Alphabet() *Alphabet { return m.alphabet }

// Config returns the sizes of the network.
func (m *Model) Config() Config { return m.net.config }

// Training returns the training record of the weights, which excludes tuning.
func (m *Model) Training() Training { return m.training }

// Dim implements vae.Model.
func (m *Model) Dim() int { return m.net.config.Vectors * m.net.config.Width }

// Check implements vae.Model.
func (m *Model) Check(x string) error {
	_, err := m.split(x)
	return err
}

// split returns the tokens of x, then stop.
func (m *Model) split(x string) ([]int32, error) {
	tokens, err := m.alphabet.split(x)
	if err != nil {
		return nil, err
	}
	if most := m.net.config.MaxTokens; len(tokens) > most {
		return nil, fmt.Errorf("%s has %d symbols, more than the model's maximum of %d", quote(x), len(tokens)-1, most-1)
	}
	return tokens, nil
}

// Tokens returns the symbols of x, or nil if Check refuses x.
func (m *Model) Tokens(x string) []string {
	ids, err := m.split(x)
	if err != nil {
		return nil
	}
	symbols := make([]string, len(ids)-1)
	for i := range symbols {
		symbols[i] = m.alphabet.symbols[ids[i]-firstSymbol]
	}
	return symbols
}

func (m *Model) splitAll(x []string) ([][]int32, error) {
	all := make([][]int32, len(x))
	for i := range x {
		var err error
		if all[i], err = m.split(x[i]); err != nil {
			return nil, fmt.Errorf("string %d: %w", i, err)
		}
	}
	return all, nil
}

// Encode implements vae.Model.
func (m *Model) Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error) {
	strings, err := m.splitAll(x)
	if err != nil {
		return nil, nil, fmt.Errorf("sequence: encode: %w", err)
	}
	mu, sigma = make([][]float64, len(x)), make([][]float64, len(x))
	err = m.eachChunk(ctx, strings, func(t *tensor.Tape, c chunk) {
		mean, logvar := m.net.encode(t, newBatch(strings[c.lo:c.hi], m.net.config.Vectors), nn.Dropout{})
		for i := c.lo; i < c.hi; i++ {
			mu[i], sigma[i] = single.Widen(mean.Row(i-c.lo)), single.Widen(logvar.Row(i-c.lo))
			for j, lv := range sigma[i] {
				sigma[i][j] = math.Exp(0.5 * lv)
			}
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("sequence: encode: %w", err)
	}
	return mu, sigma, nil
}

// Reconstruct implements vae.Inverter.
func (m *Model) Reconstruct(ctx context.Context, z [][]float64, x []string, loss vae.Loss, grad [][]float64) (losses, margin []float64, err error) {
	if len(z) != len(x) || (grad != nil && len(grad) != len(x)) {
		panic(fmt.Sprintf("sequence: Reconstruct: %d latents, %d strings, %d gradients", len(z), len(x), len(grad)))
	}
	strings, err := m.splitAll(x)
	if err != nil {
		return nil, nil, fmt.Errorf("sequence: reconstruct: %w", err)
	}
	latents, err := m.narrow(z)
	if err != nil {
		return nil, nil, fmt.Errorf("sequence: reconstruct: %w", err)
	}
	d := m.Dim()
	losses, margin = make([]float64, len(x)), make([]float64, len(x))
	err = m.eachChunk(ctx, strings, func(t *tensor.Tape, c chunk) {
		latent := t.New(c.hi-c.lo, d, grad != nil)
		copy(latent.Data, latents[c.lo*d:])
		b := newBatch(strings[c.lo:c.hi], 1)
		l, least := t.TokenLoss(m.net.decode(t, latent, b, nn.Dropout{}), b.tokens, b.seq, tensor.Loss(loss))
		for i := c.lo; i < c.hi; i++ {
			losses[i], margin[i] = float64(l.Data[i-c.lo]), float64(least[i-c.lo])
		}
		if grad == nil {
			return
		}
		dl := t.Grad(l)
		for i := range dl {
			dl[i] = 1
		}
		t.Backward()
		for i := c.lo; i < c.hi; i++ {
			for j, g := range latent.Grad[(i-c.lo)*d:][:d] {
				grad[i][j] = float64(g)
			}
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("sequence: reconstruct: %w", err)
	}
	return losses, margin, nil
}

// narrow returns the latents as float32, concatenated.
func (m *Model) narrow(z [][]float64) ([]float32, error) {
	d := m.Dim()
	narrow := make([]float32, len(z)*d)
	for i := range z {
		if err := single.Narrow(narrow[i*d:][:d], z[i]); err != nil {
			return nil, fmt.Errorf("latent %d: %w", i, err)
		}
	}
	return narrow, nil
}
