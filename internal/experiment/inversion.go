package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae"
)

// Inversion holds the constants of Algorithm 1. Zero fields take the library's values.
type Inversion struct {
	Loss       string  `json:"loss,omitzero"` // of losses
	Rate       float64 `json:"rate,omitzero"`
	Iterations int     `json:"iterations,omitzero"`
	Epsilon    float64 `json:"epsilon,omitzero"` // edit distance below which a latent is accepted; 0: only exact ones
}

// Declare declares the constants, by the names of their JSON.
func (f *Inversion) Declare() []*option.Option {
	defaults := invbo.Defaults().Inversion
	return []*option.Option{
		{Name: "loss", Value: option.Text(&f.Loss), Help: "what inversion minimizes: `LOSS` is one of " + strings.Join(losses(), ", "), Default: losses()[0]},
		{Name: "rate", Value: option.Number(&f.Rate, usage.Most), Help: "Adam's learning `RATE` in z", Default: fmt.Sprint(defaults.Rate)},
		{Name: "iterations", Value: option.Count(&f.Iterations), Help: "at most `N` steps of inversion", Default: fmt.Sprint(defaults.Iterations)},
		{Name: "epsilon", Value: option.Number(&f.Epsilon, 1), Help: "accept a latent if the edit distance of its decoding is below `E`, from 0 to 1: ε of the paper's Algorithm 1", Unset: "exact"},
	}
}

// losses returns the names of the losses, by their values.
func losses() []string {
	return []string{vae.CrossEntropy: "cross-entropy", vae.Focal: "focal", vae.Hinge: "hinge"}
}

// canonical leaves out what is the library's default.
func (f Inversion) canonical() Inversion {
	defaults := invbo.Defaults().Inversion
	if f.Loss == losses()[0] {
		f.Loss = ""
	}
	if f.Rate == defaults.Rate {
		f.Rate = 0
	}
	if f.Iterations == defaults.Iterations {
		f.Iterations = 0
	}
	return f
}

// Options checks the constants for a model. With an epsilon, latents are accepted by the edit distance of their decoding.
func (f Inversion) Options(m vae.Model) (o invbo.InversionOptions, _ error) {
	loss := slices.Index(losses(), cmp.Or(f.Loss, losses()[0]))
	if loss < 0 {
		return o, usage.Errorf("there is no loss %q%s", f.Loss, usage.Suggest(f.Loss, losses()))
	}
	if !(f.Epsilon >= 0 && f.Epsilon <= 1) {
		return o, option.Errorf("%s %g: give a number above 0 and up to 1", option.Name("epsilon"), f.Epsilon)
	}
	o = invbo.InversionOptions{Loss: vae.Loss(loss), Rate: f.Rate, Iterations: f.Iterations, Epsilon: f.Epsilon}
	if f.Epsilon > 0 {
		o.Distance = invbo.TokenDistance(m)
	}
	return o, nil
}
