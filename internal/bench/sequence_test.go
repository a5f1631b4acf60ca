package bench

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/vae/sequence"
)

// The first 64 molecules have as many tokens as those that the published code was timed with, so have the first 256 of
// them repeated. The published decoder takes 12.5 GFLOP for their inversion; with cross-attention as here it is less.
func TestMolecules(t *testing.T) {
	tests := []struct{ n, tokens int }{{64, 3062}, {256, 11912}}
	for _, test := range tests {
		tokens := 0
		for _, n := range slices.Repeat(moleculeTokens(), 3)[:test.n] {
			tokens += n
		}
		if tokens != test.tokens {
			t.Errorf("%d molecules have %d tokens, want %d", test.n, tokens, test.tokens)
		}
	}
	if flops := inversionFlops(moleculeTokens()[:64]); flops < 10.6e9 || flops > 10.8e9 {
		t.Errorf("%g operations, want about 10.7e9", flops)
	}
}

// The decoder of greedyDecoding never stops: no latent decodes to a string.
func TestEndless(t *testing.T) {
	const maxTokens = 30
	m, err := untrained(t.Context(), sequence.Config{EncoderLayers: 1, DecoderLayers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if m, err = endless(m, maxTokens); err != nil {
		t.Fatal(err)
	}
	if m.Config().MaxTokens != maxTokens {
		t.Errorf("at most %d tokens, want %d", m.Config().MaxTokens, maxTokens)
	}
	x, err := m.Decode(t.Context(), normalLatents(50, m))
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range x {
		if x != "" {
			t.Errorf("latent %d decodes to %q, want nothing", i, x)
		}
	}
}
