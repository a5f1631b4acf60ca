// Package analysis holds the paper's experiments on what misaligned latents do to a surrogate: how well it
// predicts strings that it has not seen (§6.2, Fig. 7), and what it is worth within a trust region
// (Proposition 1, Fig. 9).
package analysis

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// Emulation is how scores of strings are emulated in a latent space: the model that the space belongs to, how
// strings get their latents, and what is fitted to these.
type Emulation struct {
	Model     vae.Model
	Align     invbo.Alignment // asks for no score: Encoder or Inversion
	Inversion invbo.InversionOptions
	Surrogate func(vae.Model) surrogate.Surrogate // of the latents of Model, or of what they decode to
}

// Latents returns the latents (n, d) of strings.
func (e Emulation) Latents(ctx context.Context, x []string, rng *rand.Rand) ([][]float64, error) {
	given := map[string]bool{}
	for _, s := range x {
		given[s] = true
	}
	aligned, err := e.Align.Latents(ctx, invbo.Unaligned{
		Model: e.Model, X: x, Z: make([][]float64, len(x)), Known: func(s string) bool { return given[s] }, Inversion: e.Inversion, Rand: rng,
	})
	if err != nil {
		return nil, fmt.Errorf("align %d strings: %w", len(x), err)
	}
	of := map[string][]float64{}
	for _, p := range aligned {
		of[p.X] = p.Z
	}
	z := make([][]float64, len(x))
	for i := range x {
		if z[i] = of[x[i]]; z[i] == nil {
			return nil, fmt.Errorf("align %d strings: %q has got no latent", len(x), x[i])
		}
	}
	return z, nil
}

// Emulator is a fitted surrogate. Its scores are those that it was fitted to, in their own unit.
type Emulator struct {
	model           vae.Model
	surrogate       surrogate.Surrogate
	x               []string    // (n) strings that it was fitted to
	z               [][]float64 // (n, d) their latents
	y               []float64   // (n) their scores
	mean, deviation float64     // of y: the surrogate's unit
}

// Fit fits a surrogate to the scores y of n different strings.
func (e Emulation) Fit(ctx context.Context, x []string, y []float64, rng *rand.Rand) (*Emulator, error) {
	z, err := e.Latents(ctx, x, rng)
	if err != nil {
		return nil, err
	}
	m := &Emulator{model: e.Model, surrogate: e.Surrogate(e.Model), x: x, z: z, y: y}
	if m.mean, m.deviation = stat.MeanStdDev(y, nil); !(m.deviation > 0) {
		return nil, fmt.Errorf("all %d scores are %g: there is nothing to fit", len(y), m.mean)
	}
	units := make([]float64, len(y))
	for i := range y {
		units[i] = (y[i] - m.mean) / m.deviation
	}
	if err := m.surrogate.Fit(ctx, surrogate.Data{Points: surrogate.Points{Z: z, X: x}, Y: units}, rng); err != nil {
		return nil, fmt.Errorf("fit the surrogate to %d strings: %w", len(x), err)
	}
	return m, nil
}
