// Package analysis contains the paper's experiments on the effect of misaligned latents on a surrogate: its
// predictions for held-out strings (§6.2, Fig. 7; Emulation.Predict) and its errors within trust regions
// (Proposition 1, Fig. 9; Emulator.InRegions).
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

// Emulation configures an emulator of scores in a latent space: the model of the space, the alignment that maps
// strings to latents, and the surrogate fitted to them.
type Emulation struct {
	Model     vae.Model
	Align     invbo.Alignment // without oracle calls: Encoder or Inversion
	Inversion invbo.InversionOptions
	Surrogate func(vae.Model) surrogate.Surrogate // on latents of Model, or on decoded strings
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
			return nil, fmt.Errorf("align %d strings: no latent for %q", len(x), x[i])
		}
	}
	return z, nil
}

// Emulator is a fitted surrogate, with predictions in the unit of the scores.
type Emulator struct {
	model           vae.Model
	surrogate       surrogate.Surrogate
	x               []string    // (n) training strings
	z               [][]float64 // (n, d) latents
	y               []float64   // (n) scores
	mean, deviation float64     // of y, which the surrogate sees standardized
}

// Fit fits a surrogate to the scores y of n distinct strings. It is an error if all scores are equal.
func (e Emulation) Fit(ctx context.Context, x []string, y []float64, rng *rand.Rand) (*Emulator, error) {
	z, err := e.Latents(ctx, x, rng)
	if err != nil {
		return nil, err
	}
	m := &Emulator{model: e.Model, surrogate: e.Surrogate(e.Model), x: x, z: z, y: y}
	if m.mean, m.deviation = stat.MeanStdDev(y, nil); !(m.deviation > 0) {
		return nil, fmt.Errorf("all %d scores are %g: give different scores", len(y), m.mean)
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
