// Package vae defines the interfaces of generative models of strings, from the required (Model) to the optional
// (Inverter, Tunable, Bounds, Tokens). Implementations are vae/grammar (strings of a context-free grammar),
// vae/sequence (strings over an alphabet, such as SELFIES) and Identity (points of a box); vae/vaetest tests them.
//
// Strings are x, latents are z in R^d. Decoding is greedy (arg max) and deterministic.
package vae

import (
	"context"
	"math/rand/v2"
	"strings"
)

// Model is an encoder q(z|x) and a greedy decoder p(x|z). Its methods are safe for concurrent use, except during
// the Step of a Tuner.
type Model interface {
	// Dim returns d, the number of latent dimensions.
	Dim() int

	// Check returns nil if the model can encode x, otherwise an error with position and reason.
	Check(x string) error

	// Encode returns the mean and standard deviation of q(z|x), (n, d) each, for n strings. It returns an error if a
	// string fails Check.
	Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error)

	// Decode returns the greedy decoding of each latent of z (n, d), "" if it is no complete string. Decoded strings
	// pass Check, unless the model's grammar is ambiguous (cfg.Read).
	Decode(ctx context.Context, z [][]float64) ([]string, error)
}

// Inverter is a Model whose reconstruction loss is differentiable in z, for inversion (Algorithm 1 of the paper).
type Inverter interface {
	Model

	// Reconstruct returns the loss (n) of the teacher-forced decoding of z (n, d) against the strings x (n). Unless
	// grad is nil, it sets grad (n, d) to ∂loss/∂z.
	//
	// margin[i] certifies exact reconstruction: z[i] decodes greedily to x[i] if and only if margin[i] > 0. It is the
	// minimum, over all positions up to and including the stop, of the logit of the token of x[i] minus the
	// largest other allowed logit.
	Reconstruct(ctx context.Context, z [][]float64, x []string, loss Loss, grad [][]float64) (losses, margin []float64, err error)
}

// Loss is the reconstruction loss that inversion minimizes, averaged over the positions of a string, without
// padding. p is the probability of the target token.
type Loss uint8

const (
	CrossEntropy Loss = iota // −log p, as in the paper
	Focal                    // −(1 − p)·log p, with less weight on correct positions (Lin et al. 2017, γ = 1; 1 − p is constant in the gradient)
	Hinge                    // max(0, 1 − (logit − largest other logit)), without weight on positions with a margin of at least 1
)

// Tunable is a Model that can be fine-tuned during a search.
type Tunable interface {
	Inverter

	// Clone returns a copy of the model with its own weights.
	Clone() Tunable

	// Weights returns the model's own memory of all weights. SetWeights copies others into it; it panics if their
	// number is another.
	Weights() []float32
	SetWeights(w []float32)

	// NewTuner returns a new optimizer of this model's weights: Adam with learning rate lr and gradients clipped to
	// norm 1.
	NewTuner(lr float64) Tuner
}

// Tuner takes training steps on the weights of a Tunable.
type Tuner interface {
	// Step samples z ~ q(z|x) for a minibatch of n strings and takes one step to minimize
	//
	//	recon/n · Σᵢ weight[i]·CE(x[i], z[i])  +  kl · KL  +  latent(z)
	//
	// CE is averaged over positions, KL over batch and dimensions. A nil weight is all ones, a nil latent is 0. It
	// returns an error, with the weights unchanged, if ctx is cancelled, latent fails (its error is wrapped), a
	// string fails Check or the gradient is not finite.
	Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent LatentLoss, rng *rand.Rand) (StepLoss, error)
}

// LatentLoss is a loss on the sampled latents z (n, d) of a minibatch. It returns the loss and its gradient (n, d).
type LatentLoss func(z [][]float64) (loss float64, grad [][]float64, err error)

// StepLoss holds the unweighted parts of the loss of a Step, and the norm of the gradient before clipping.
type StepLoss struct {
	Reconstruction, KL, Latent, GradNorm float64
}

// Bounds returns the corners (d each) of the box of latents, if m has a method Bounds as Identity has. Otherwise
// bounded is false and the latent space is R^d.
func Bounds(m Model) (lower, upper []float64, bounded bool) {
	b, bounded := m.(interface {
		Bounds() (lower, upper []float64)
	})
	if bounded {
		lower, upper = b.Bounds()
	}
	return lower, upper, bounded
}

// Prior draws n latents (n, d), uniformly in the box of Bounds, or from N(0, I) if m is unbounded.
func Prior(m Model, n int, rng *rand.Rand) [][]float64 {
	lower, upper, bounded := Bounds(m)
	z := make([][]float64, n)
	for i := range z {
		z[i] = make([]float64, m.Dim())
		for j := range z[i] {
			if bounded {
				z[i][j] = lower[j] + rng.Float64()*(upper[j]-lower[j])
			} else {
				z[i][j] = rng.NormFloat64()
			}
		}
	}
	return z
}

// Tokens returns the function that splits a string of m into tokens: m's method Tokens if it has one,
// otherwise a split into characters.
func Tokens(m Model) func(x string) []string {
	if m, ok := m.(interface{ Tokens(x string) []string }); ok {
		return m.Tokens
	}
	return func(x string) []string { return strings.Split(x, "") }
}
