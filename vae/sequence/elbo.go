package sequence

import (
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// elbo is the forward pass of training. The caller sets the gradients of its parts, then calls Backward.
type elbo struct {
	z           *tensor.Var // (n, d), sampled
	losses      *tensor.Var // (n, 1), cross-entropy averaged over the tokens of a string
	kl          *tensor.Var // (1, 1), summed over batch and dimensions
	margin      []float32   // (n), above 0 if the latent decodes to the string
	rightTokens int         // number of tokens that are the most likely, given those before
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
	losses, margin := t.TokenLoss(logits, b.tokens, b.seq, tensor.CrossEntropy)
	e := elbo{z: z, losses: losses, kl: t.KL(mu, logvar), margin: margin}
	for row, token := range b.tokens {
		if argMax(logits.Row(row)) == token {
			e.rightTokens++
		}
	}
	return e
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
