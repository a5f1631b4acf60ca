package sequence

import (
	"context"
	"fmt"
	"slices"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// Quality measures the reconstruction of strings from their latents.
type Quality struct {
	Strings       int     `json:"strings"`
	CrossEntropy  float64 `json:"cross_entropy"`  // nats per token
	KL            float64 `json:"kl"`             // nats per string and latent dimension
	TokenAccuracy float64 `json:"token_accuracy"` // share of tokens that are the most likely, given those before
	Exact         float64 `json:"exact"`          // share of strings to which their latent decodes
}

// Evaluate measures the reconstruction of strings from their mean latents. It is an error if the alphabet of data is
// not the model's, or a string too long.
func (m *Model) Evaluate(ctx context.Context, data *Strings) (Quality, error) {
	q, err := m.evaluate(ctx, data)
	if err != nil {
		return Quality{}, fmt.Errorf("sequence: evaluate: %w", err)
	}
	return q, nil
}

func (m *Model) evaluate(ctx context.Context, data *Strings) (Quality, error) {
	if err := m.fits(data); err != nil {
		return Quality{}, err
	}
	var sum tally
	for part := range slices.Chunk(data.all(), 1024) {
		strings := data.at(part)
		passes := make([]tally, len(strings)) // each at the first string of its chunk
		err := m.eachChunk(ctx, strings, func(t *tensor.Tape, c chunk) {
			x := strings[c.lo:c.hi]
			passes[c.lo] = m.net.elbo(t, x, nil, nn.Dropout{}).tally(x)
		})
		if err != nil {
			return Quality{}, err
		}
		for _, p := range passes {
			sum.add(p)
		}
	}
	return sum.quality(), nil
}

// tally accumulates statistics of elbo passes.
type tally struct {
	strings, tokens, latents int
	entropy, kl              float64 // summed over tokens; over latent dimensions
	rightTokens, exact       int
}

// tally returns the statistics of one pass.
func (e elbo) tally(strings [][]int32) tally {
	s := tally{strings: len(strings), latents: len(e.z.Data), kl: float64(e.kl.Data[0]), rightTokens: e.rightTokens}
	for i, x := range strings {
		s.tokens += len(x)
		s.entropy += float64(len(x)) * float64(e.losses.Data[i])
		if e.margin[i] > 0 {
			s.exact++
		}
	}
	return s
}

func (s *tally) add(o tally) {
	s.strings += o.strings
	s.tokens += o.tokens
	s.latents += o.latents
	s.entropy += o.entropy
	s.kl += o.kl
	s.rightTokens += o.rightTokens
	s.exact += o.exact
}

func (s *tally) quality() Quality {
	return Quality{
		Strings:       s.strings,
		CrossEntropy:  s.entropy / float64(s.tokens),
		KL:            s.kl / float64(s.latents),
		TokenAccuracy: float64(s.rightTokens) / float64(s.tokens),
		Exact:         float64(s.exact) / float64(s.strings),
	}
}
