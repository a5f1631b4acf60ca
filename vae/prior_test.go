package vae_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/vae"
)

// unbounded is a model without optional methods.
type unbounded struct {
	vae.Model
	d int
}

func (m unbounded) Dim() int { return m.d }

func TestBounds(t *testing.T) {
	lower, upper, bounded := vae.Bounds(newIdentity(t, []float64{-2, 0}, []float64{3, 9}))
	if want := []float64{0, 0}; !bounded || !slices.Equal(lower, want) || !slices.Equal(upper, []float64{1, 1}) {
		t.Errorf("Identity: Bounds = %g, %g, %t, want the unit square", lower, upper, bounded)
	}
	if lower, upper, bounded := vae.Bounds(unbounded{d: 2}); bounded || lower != nil || upper != nil {
		t.Errorf("a model without Bounds: Bounds = %g, %g, %t, want none", lower, upper, bounded)
	}
}

func TestPrior(t *testing.T) {
	tests := []struct {
		name string
		m    vae.Model
		draw func(*rand.Rand) float64
	}{
		{"bounded", newIdentity(t, []float64{-2, 0}, []float64{3, 9}), (*rand.Rand).Float64},
		{"unbounded", unbounded{d: 2}, (*rand.Rand).NormFloat64},
	}
	for _, test := range tests {
		z := vae.Prior(test.m, 5, rand.New(rand.NewPCG(1, 2)))
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range z {
			if want := []float64{test.draw(rng), test.draw(rng)}; !slices.Equal(z[i], want) {
				t.Errorf("%s: latent %d = %g, want the next random numbers %g", test.name, i, z[i], want)
			}
		}
		if len(z) != 5 {
			t.Errorf("%s: %d latents, want 5", test.name, len(z))
		}
	}
}

// bracketed is a model with tokens of three bytes.
type bracketed struct{ unbounded }

func (bracketed) Tokens(x string) []string { return []string{x[:3], x[3:]} }

func TestTokens(t *testing.T) {
	if got, want := vae.Tokens(unbounded{})("aé∂"), []string{"a", "é", "∂"}; !slices.Equal(got, want) {
		t.Errorf("a model without Tokens: %q, want %q", got, want)
	}
	if got, want := vae.Tokens(bracketed{})("[C][N]"), []string{"[C]", "[N]"}; !slices.Equal(got, want) {
		t.Errorf("a model with Tokens: %q, want %q", got, want)
	}
}
