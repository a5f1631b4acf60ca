// Package vae defines what the optimizer needs of a generative model of strings. Implementations sit
// below it: vae/grammar (any context-free grammar) and vae/sequence (any alphabet of symbols). Identity
// here serves continuous problems.
//
// A string x has a latent z in R^d. Decoding is greedy (arg max) and deterministic everywhere.
package vae

import (
	"context"
	"math/rand/v2"
)

// Model is an encoder q(z|x) and a greedy decoder p(x|z). Its methods may be called from several
// goroutines at once, except while a Tuner's Step changes its weights.
type Model interface {
	// Dim returns d, the number of latent dimensions.
	Dim() int

	// Check returns nil if the model can write x; otherwise the error says where and why not.
	Check(x string) error

	// Encode returns mean and standard deviation of q(z|x), (n, d) each, for n strings that pass Check.
	Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error)

	// Decode returns the greedy decoding of each latent of z (n, d); "" where it does not end in a string. A
	// string passes Check, unless the model's grammar is ambiguous (cfg.Read).
	Decode(ctx context.Context, z [][]float64) ([]string, error)
}

// Inverter is a Model whose reconstruction loss can be followed down in z (Algorithm 1 of the paper).
type Inverter interface {
	Model

	// Reconstruct compares the teacher-forced decoding of each z[i] with x[i]. It returns the loss, and
	// adds nothing but writes ∂loss/∂z to grad (n, d) unless grad is nil.
	//
	// margin[i] is the free certificate: the least, over all positions up to and including the stop, of
	// the logit of x[i]'s token minus the largest other allowed logit. Greedy decoding of z[i] gives
	// exactly x[i] if and only if margin[i] > 0.
	Reconstruct(ctx context.Context, z [][]float64, x []string, loss Loss, grad [][]float64) (losses, margin []float64, err error)
}

// Loss is the reconstruction loss that inversion minimizes. p is the probability of the right token.
// Each is averaged over the positions of the string, padding excluded.
type Loss uint8

const (
	CrossEntropy Loss = iota // −log p, as in the paper
	Focal                    // −(1 − p)·log p: positions already right weigh little (Lin et al. 2017, γ = 1; the factor is treated as constant in the gradient)
	Hinge                    // max(0, 1 − (logit − largest other logit)): positions right by a margin of 1 weigh nothing
)

// Tunable is a Model that can be trained further on a few strings while it is searched.
type Tunable interface {
	Inverter

	// Clone returns a model with weights of its own.
	Clone() Tunable

	// NewTuner returns a fresh optimizer (Adam) over this model's weights with learning rate lr, and
	// gradients clipped to norm 1.
	NewTuner(lr float64) Tuner
}

// Tuner takes training steps on a Tunable's weights.
type Tuner interface {
	// Step samples z ~ q(z|x) for a minibatch and takes one step down
	//
	//	recon/n · Σᵢ weight[i]·CE(x[i], z[i])  +  kl · KL  +  latent(z)
	//
	// CE averages over positions, KL over batch and dimensions. A nil weight means ones; a nil latent
	// is 0. The error is latent's, wrapped, or ctx's, or says that a string fails Check or that the gradient
	// is not finite; the weights are then unchanged.
	Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent LatentLoss, rng *rand.Rand) (StepLoss, error)
}

// LatentLoss is a loss on the sampled latents z (n, d) of a minibatch. It returns its value and ∂/∂z (n, d).
type LatentLoss func(z [][]float64) (loss float64, grad [][]float64, err error)

// StepLoss holds the parts of a Step's loss before their factors, and the norm of the gradient before clipping.
type StepLoss struct {
	Reconstruction, KL, Latent, GradNorm float64
}
