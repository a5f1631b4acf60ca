package invbo_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/vae"
)

// The surrogate of reencoded strings sees them as the encoder does, also after the encoder has changed.
func TestReencoded(t *testing.T) {
	m := invbo.Method{
		Name: "spied on", Align: invbo.Inversion, Anchor: invbo.PotentialAware, Tuning: invbo.FineTuning{ELBO: 1},
	}.OnReencoded()
	profile := quick(invbo.Fitted())
	inner, seen := profile.Surrogate, map[string]int{}
	profile.Surrogate = func(model vae.Model) invbo.Surrogate {
		return spy{inner(model), func(use string, at invbo.Points) error {
			for i, x := range at.X {
				if x == "" {
					continue
				}
				mu, _, err := model.Encode(t.Context(), []string{x})
				if err != nil {
					return err
				}
				if !slices.Equal(at.Z[i], mu[0]) {
					return fmt.Errorf("%s sees %q at another latent than the encoder's mean", use, x)
				}
				seen[use]++
			}
			return nil
		}}
	}
	o, err := invbo.Run(t.Context(), fitting(t, 20), invbo.Options{Method: m, Profile: profile, Budget: 20, Patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	if o.Status().Updates == 0 {
		t.Error("the VAE was never updated")
	}
	for _, use := range []string{"Fit", "Predict", "Sample"} {
		if seen[use] == 0 {
			t.Errorf("%s saw no string", use)
		}
	}
}

// A spy is a Surrogate that looks at its points first.
type spy struct {
	invbo.Surrogate
	look func(use string, at invbo.Points) error
}

func (s spy) Fit(ctx context.Context, at invbo.Points, y []float64, rng *rand.Rand) error {
	if err := s.look("Fit", at); err != nil {
		return err
	}
	return s.Surrogate.Fit(ctx, at, y, rng)
}

func (s spy) Predict(at invbo.Points) (mu, sigma2 []float64, err error) {
	if err := s.look("Predict", at); err != nil {
		return nil, nil, err
	}
	return s.Surrogate.Predict(at)
}

func (s spy) Sample(at invbo.Points, k int, rng *rand.Rand) ([][]float64, error) {
	if err := s.look("Sample", at); err != nil {
		return nil, err
	}
	return s.Surrogate.Sample(at, k, rng)
}
