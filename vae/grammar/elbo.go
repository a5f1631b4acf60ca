package grammar

import (
	"math/rand/v2"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// elbo is the forward pass of training. The caller sets the gradients of its parts, then calls Backward.
type elbo struct {
	z      *tensor.Var // (n, d), sampled
	losses *tensor.Var // (n, 1), cross-entropy averaged over positions
	kl     *tensor.Var // (1, 1), summed over batch and dimensions
}

// elbo encodes derivations, sorted longest first, samples z ~ N(mu, (epsStd·sigma)²) and decodes z.
func (n *network) elbo(t *tensor.Tape, derivations [][]int32, epsStd float64, rng *rand.Rand, norm normalize) elbo {
	mu, logvar := n.encode(t, derivations, norm)
	eps := t.New(mu.Rows, mu.Cols, false)
	nn.Normal(epsStd)(rng, eps)
	z := t.Sample(mu, logvar, eps)
	target, seq := pack(derivations)
	losses, _ := t.Reconstruction(n.decode(t, z, seq, norm), target, n.kind, seq, tensor.CrossEntropy)
	return elbo{z: z, losses: losses, kl: t.KL(mu, logvar)}
}
