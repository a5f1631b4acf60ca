package sequence

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/vaetest"
)

// small is a network that trains in a second; the width of its encoder requires a head.
var small = Config{Width: 16, EncoderWidth: 24, EncoderLayers: 1, EncoderHeads: 2, EncoderHidden: 32, DecoderLayers: 2, DecoderHeads: 2, DecoderHidden: 32, MaxTokens: 16}

// words returns n distinct strings of letters.
func words(n int) []string {
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	var x []string
	for len(x) < n {
		var b strings.Builder
		for range 1 + rng.IntN(8) {
			b.WriteByte("ACDEFG"[rng.IntN(6)])
		}
		if s := b.String(); !seen[s] {
			seen[s] = true
			x = append(x, s)
		}
	}
	return x
}

// smallModel returns a model that reconstructs most of x.
func smallModel(t testing.TB, x []string) *Model {
	t.Helper()
	m, err := Train(t.Context(), alphabetOf(t, "ACDEFG"), small, x, TrainOptions{Training: Training{Passes: 150, Batch: 50, LR: 5e-3, Warmup: 20, KL: 0.01}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestModel(t *testing.T) {
	x := words(100)
	m := smallModel(t, x)
	vaetest.Run(t, m, x) // several chunks
}

func TestCheckSaysWhy(t *testing.T) {
	m := untrained(t, small)
	tests := []struct{ x, want string }{
		{"", "empty string"},
		{"AXA", "byte 1"},
		{strings.Repeat("A", 16), "16 symbols, more than the model's maximum of 15"},
	}
	for _, tt := range tests {
		if err := m.Check(tt.x); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Check(%q) = %v, want %q in it", tt.x, err, tt.want)
		}
	}
	if err := m.Check(strings.Repeat("A", 15)); err != nil {
		t.Errorf("Check of the longest string: %v", err)
	}
}

// untrained returns a model with random weights.
func untrained(t testing.TB, c Config) *Model {
	t.Helper()
	r, err := newTrainer(alphabetOf(t, "ACDEFG"), c, []string{"A"}, TrainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Model
}

// A string with fewer tokens than latent vectors can be encoded.
func TestShortStrings(t *testing.T) {
	c := small
	c.Vectors = 5
	m := untrained(t, c)
	x := []string{"A", "ACD", "ACDEFG"}
	mu, sigma, err := m.Encode(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		if len(mu[i]) != 5*16 || slices.Min(sigma[i]) < leastSigma/2 {
			t.Errorf("%q: %d means, least deviation %g", x[i], len(mu[i]), slices.Min(sigma[i]))
		}
	}
	if slices.Equal(mu[0], mu[1]) {
		t.Error("different strings have the same latent")
	}
}

func TestLatentErrors(t *testing.T) {
	m := untrained(t, small)
	nan := make([]float64, m.Dim())
	nan[3] = math.NaN()
	huge := make([]float64, m.Dim())
	huge[3] = 1e300
	for name, z := range map[string][]float64{"short": {1, 2}, "not a number": nan, "too large for a float32": huge} {
		if _, err := m.Decode(t.Context(), [][]float64{z}); err == nil {
			t.Errorf("Decode of a latent that is %s: no error", name)
		}
		if _, _, err := m.Reconstruct(t.Context(), [][]float64{z}, []string{"A"}, vae.CrossEntropy, nil); err == nil {
			t.Errorf("Reconstruct of a latent that is %s: no error", name)
		}
	}
}

// Results of a batch of several chunks equal those of each string alone.
func TestChunks(t *testing.T) {
	m := untrained(t, small)
	x := words(600) // some 3,000 tokens
	mu, _, err := m.Encode(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	grad := make([][]float64, len(x))
	for i := range grad {
		grad[i] = make([]float64, m.Dim())
	}
	losses, margin, err := m.Reconstruct(t.Context(), mu, x, vae.CrossEntropy, grad)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 250, 599} {
		alone, _, err := m.Encode(t.Context(), x[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		g := [][]float64{make([]float64, m.Dim())}
		loss1, margin1, err := m.Reconstruct(t.Context(), alone, x[i:i+1], vae.CrossEntropy, g)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone[0], mu[i]) || loss1[0] != losses[i] || margin1[0] != margin[i] || !slices.Equal(g[0], grad[i]) {
			t.Errorf("string %d of %d: alone and in a batch differ", i, len(x))
		}
	}
}

func TestConfigErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"a negative size", func(c *Config) { c.Width = -2 }, "from 1 to"},
		{"an absurd size", func(c *Config) { c.EncoderLayers = 1 << 40 }, "from 1 to"},
		{"an odd width", func(c *Config) { c.Width = 15 }, "even"},
		{"heads that do not divide", func(c *Config) { c.DecoderHeads = 3 }, "divide"},
		{"too short for its vectors", func(c *Config) { c.MaxTokens = 1 }, "latent vectors"},
	}
	for _, tt := range tests {
		c := small
		tt.change(&c)
		if _, err := newModel(alphabetOf(t, "A"), c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
}

func TestMolecules(t *testing.T) {
	m, err := Molecules()
	if err != nil {
		t.Fatal(err)
	}
	const benzene = "[C][=C][C][=C][C][=C][Ring1][=Branch1]"
	if tokens := m.Tokens(benzene); len(tokens) != 8 || tokens[7] != "[=Branch1]" {
		t.Errorf("tokens of benzene: %q", tokens)
	}
	if m.Tokens("C1=CC=CC=C1") != nil {
		t.Error("Tokens of a SMILES is not nil, though the alphabet is of SELFIES")
	}
	mu, _, err := m.Encode(t.Context(), []string{benzene})
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.Decode(t.Context(), mu)
	if err != nil {
		t.Fatal(err)
	}
	if x[0] != benzene {
		t.Errorf("benzene is reconstructed as %s", x[0])
	}
}
