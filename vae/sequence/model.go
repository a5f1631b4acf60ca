// Package sequence is the transformer VAE of LOL-BO, CoBO and InvBO (their InfoTransformerVAE) over any
// alphabet of symbols: SELFIES, proteins, any language of strings.
//
// In: strings (Train), or a file of weights (Load, Import). Out: a Model. Its decoder writes a string symbol
// by symbol; given all of them at once, it says in one pass whether it would (Reconstruct).
package sequence

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
)

// chunkTokens is how many tokens are computed at once, unless one string has more. It bounds memory (some 90 kB
// a token at the published sizes, with gradients) and the wait for a cancelled context.
const chunkTokens = 1024

// Model is a trained transformer VAE. It implements vae.Tunable.
type Model struct {
	alphabet *Alphabet
	net      *network // frozen
	training Training
	tapes    *sync.Pool
}

// newModel returns a model whose weights have no memory yet.
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

// Training returns how the weights came about. Tuning is not recorded.
func (m *Model) Training() Training { return m.training }

// Dim implements vae.Model.
func (m *Model) Dim() int { return m.net.config.Vectors * m.net.config.Width }

// Check implements vae.Model.
func (m *Model) Check(x string) error {
	_, err := m.split(x)
	return err
}

// split returns the tokens of x and its stop.
func (m *Model) split(x string) ([]int32, error) {
	tokens, err := m.alphabet.split(x)
	if err != nil {
		return nil, err
	}
	if most := m.net.config.MaxTokens; len(tokens) > most {
		return nil, fmt.Errorf("%s has %d symbols, and the model writes at most %d", quote(x), len(tokens)-1, most-1)
	}
	return tokens, nil
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
	t := m.tapes.Get().(*tensor.Tape)
	defer m.tapes.Put(t)
	for lo, hi := range chunks(strings) {
		if ctx.Err() != nil {
			return nil, nil, fmt.Errorf("sequence: encode: %w", context.Cause(ctx))
		}
		t.Reset()
		mean, logvar := m.net.encode(t, newBatch(strings[lo:hi], m.net.config.Vectors), nn.Dropout{})
		for i := range hi - lo {
			deviation := make([]float64, logvar.Cols)
			for j, lv := range logvar.Row(i) {
				deviation[j] = math.Exp(0.5 * float64(lv))
			}
			mu, sigma = append(mu, widen(mean.Row(i))), append(sigma, deviation)
		}
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
	losses, margin = make([]float64, len(x)), make([]float64, len(x))
	t := m.tapes.Get().(*tensor.Tape)
	defer m.tapes.Put(t)
	for lo, hi := range chunks(strings) {
		if ctx.Err() != nil {
			return nil, nil, fmt.Errorf("sequence: reconstruct: %w", context.Cause(ctx))
		}
		t.Reset()
		latent := t.New(hi-lo, m.Dim(), grad != nil)
		for i := lo; i < hi; i++ {
			if err := m.narrow(latent.Row(i-lo), z[i]); err != nil {
				return nil, nil, fmt.Errorf("sequence: reconstruct: latent %d: %w", i, err)
			}
		}
		b := newBatch(strings[lo:hi], 1)
		l, mg := t.TokenLoss(m.net.decode(t, latent, b, nn.Dropout{}), b.tokens, b.seq, tensor.Loss(loss))
		for i := lo; i < hi; i++ {
			losses[i], margin[i] = float64(l.Data[i-lo]), float64(mg[i-lo])
		}
		if grad == nil {
			continue
		}
		for i := range l.Grad {
			l.Grad[i] = 1
		}
		t.Backward()
		for i := lo; i < hi; i++ {
			for j, g := range latent.Grad[(i-lo)*latent.Cols:][:latent.Cols] {
				grad[i][j] = float64(g)
			}
		}
	}
	return losses, margin, nil
}

// Sample decodes n latents drawn from the prior N(0, I). Strings may repeat, and are "" where a latent decodes to none.
func (m *Model) Sample(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
	z := make([][]float64, n)
	for i := range z {
		z[i] = make([]float64, m.Dim())
		for j := range z[i] {
			z[i][j] = rng.NormFloat64()
		}
	}
	return m.Decode(ctx, z)
}

// chunks yields the bounds of consecutive strings of at most chunkTokens tokens together, or of one.
func chunks(strings [][]int32) func(yield func(lo, hi int) bool) {
	return func(yield func(lo, hi int) bool) {
		for lo := 0; lo < len(strings); {
			hi, tokens := lo+1, len(strings[lo])
			for hi < len(strings) && tokens+len(strings[hi]) <= chunkTokens {
				tokens += len(strings[hi])
				hi++
			}
			if !yield(lo, hi) {
				return
			}
			lo = hi
		}
	}
}

// narrow writes z to row in float32.
func (m *Model) narrow(row []float32, z []float64) error {
	if len(z) != len(row) {
		return fmt.Errorf("%d values, and the model has %d latent dimensions", len(z), len(row))
	}
	for j, v := range z {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d is %g", j, v)
		}
		row[j] = float32(v)
	}
	return nil
}

func widen(row []float32) []float64 {
	wide := make([]float64, len(row))
	for j, v := range row {
		wide[j] = float64(v)
	}
	return wide
}
