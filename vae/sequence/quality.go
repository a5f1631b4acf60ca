package sequence

import (
	"context"
	"fmt"
	"slices"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/internal/neural"
)

// Quality measures the reconstruction of strings from their latents.
type Quality struct {
	Strings       int     `json:"strings"`
	CrossEntropy  float64 `json:"cross_entropy"`  // nats per token
	KL            float64 `json:"kl"`             // nats per string and latent dimension
	TokenAccuracy float64 `json:"token_accuracy"` // share of tokens that are the most likely, given those before
	Exact         float64 `json:"exact"`          // share of strings to which their latent decodes
}

// Evaluate measures the reconstruction of strings from their mean latents. It is an error if a string fails Check.
func (m *Model) Evaluate(ctx context.Context, x []string) (Quality, error) {
	q, err := m.evaluate(ctx, x)
	if err != nil {
		return Quality{}, fmt.Errorf("sequence: evaluate: %w", err)
	}
	return q, nil
}

func (m *Model) evaluate(ctx context.Context, x []string) (Quality, error) {
	all, err := m.SplitAll(x)
	if err != nil {
		return Quality{}, err
	}
	var passes []tally
	for strings := range slices.Chunk(all, 1024) {
		part := make([]tally, len(strings)) // each at the first string of its chunk
		err := m.Each(ctx, strings, func(t *tensor.Tape, c neural.Chunk) {
			part[c.Lo] = m.Net.elbo(t, strings[c.Lo:c.Hi], nil, nn.Dropout{}).tally
		})
		if err != nil {
			return Quality{}, err
		}
		passes = append(passes, part...)
	}
	return quality(passes), nil
}

// tally accumulates statistics of elbo passes.
type tally struct {
	strings, tokens, latents int
	entropy, kl              float64 // summed over tokens; over latent dimensions
	rightTokens, exact       int
}

// quality returns the quality of several passes together.
func quality(passes []tally) Quality {
	var s tally
	for _, p := range passes {
		s.strings += p.strings
		s.tokens += p.tokens
		s.latents += p.latents
		s.entropy += p.entropy
		s.kl += p.kl
		s.rightTokens += p.rightTokens
		s.exact += p.exact
	}
	return Quality{
		Strings:       s.strings,
		CrossEntropy:  s.entropy / float64(s.tokens),
		KL:            s.kl / float64(s.latents),
		TokenAccuracy: float64(s.rightTokens) / float64(s.tokens),
		Exact:         float64(s.exact) / float64(s.strings),
	}
}

// elbo is the forward pass of training. The caller sets the gradients of losses and kl, then calls Backward.
type elbo struct {
	z      *tensor.Var // (n, d), sampled
	losses *tensor.Var // (n, 1), cross-entropy averaged over the tokens of a string
	kl     *tensor.Var // (1, 1), summed over batch and dimensions
	tally  tally
}

// elbo encodes strings, samples z = mu + sigma∘eps for eps (n, d) or takes z = mu if eps is nil, and decodes z.
func (n *network) elbo(t *tensor.Tape, strings [][]int32, eps *tensor.Var, drop nn.Dropout) elbo {
	mu, logvar := n.encode(t, newBatch(strings, n.config.Vectors), drop)
	z := mu
	if eps != nil {
		z = t.Sample(mu, logvar, eps)
	}
	b := newBatch(strings, 1)
	logits := n.decode(t, z, b, drop)
	losses, margin := t.Reconstruction(logits, b.tokens, nil, b.seq, tensor.CrossEntropy)
	kl := t.KL(mu, logvar)
	s := tally{strings: len(strings), tokens: len(b.tokens), latents: len(z.Data), kl: float64(kl.Data[0])}
	for i, x := range strings {
		s.entropy += float64(len(x)) * float64(losses.Data[i])
		if margin[i] > 0 { // z decodes to the string
			s.exact++
		}
	}
	for row, token := range b.tokens {
		if argMax(logits.Row(row)) == token {
			s.rightTokens++
		}
	}
	return elbo{z, losses, kl, s}
}

// argMax returns the index of the largest value; of equal values, the first.
func argMax(row []float32) int32 {
	best := 0
	for j, v := range row {
		if v > row[best] {
			best = j
		}
	}
	return int32(best)
}
