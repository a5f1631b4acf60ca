package grammar_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/vaetest"
)

// expressions returns n random expressions.
func expressions(t testing.TB, n int) []string {
	t.Helper()
	x, err := cfg.RandomExpressions(rand.New(rand.NewPCG(1, 1)), n)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func expressionModel(t testing.TB) *grammar.Model {
	t.Helper()
	m, err := grammar.Expression()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestExpression(t *testing.T) {
	vaetest.Run(t, expressionModel(t), append(expressions(t, 40), "x", "1", "sin(x)", "(((((x)))))"))
}

// A grammar of nested lists: rules without terminals, a non-terminal with a single rule, other sizes.
func TestAnyGrammar(t *testing.T) {
	g, err := cfg.Read(strings.NewReader("Start -> List\nList -> Item List | Item\nItem -> '(' List ')' | Atom\nAtom -> 'a' | 'b' | 'c'\n"))
	if err != nil {
		t.Fatal(err)
	}
	language, err := g.Language(12)
	if err != nil {
		t.Fatal(err)
	}
	x, err := language.Sample(rand.New(rand.NewPCG(1, 1)), 100)
	if err != nil {
		t.Fatal(err)
	}
	m, err := grammar.Train(t.Context(), g, grammar.Config{MaxRules: 12, Latent: 6, Hidden: 24, Dense: 20, Filters: [3]int{8, 8, 8}}, x, grammar.TrainOptions{
		Training: grammar.Training{Epochs: 60, Batch: 20, LR: 1e-2, Beta: 1e-3},
	})
	if err != nil {
		t.Fatal(err)
	}
	vaetest.Run(t, m, x[:40])
}

func TestCheckSaysWhy(t *testing.T) {
	m := expressionModel(t)
	tests := []struct{ x, want string }{
		{"x+", "not of the grammar"},
		{"x+x+x+x+x+x+x+x", "takes 16 rules"},
		{strings.Repeat("x+", 1<<19) + "x", "1048577 bytes, more than the model's maximum of 75"},
	}
	for _, tt := range tests {
		if err := m.Check(tt.x); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Check(%q) = %v, want %q in it", tt.x, err, tt.want)
		}
	}
}

// Incomplete derivations are decoded to "".
func TestDecodeUnfinished(t *testing.T) {
	g, err := cfg.Read(strings.NewReader("S -> 'a' S | 'b'\n"))
	if err != nil {
		t.Fatal(err)
	}
	// Trained on strings of maximum length, the model exceeds it at other latents.
	x := make([]string, 20)
	for i := range x {
		x[i] = strings.Repeat("a", 13) + "b"
	}
	m, err := grammar.Train(t.Context(), g, grammar.Config{MaxRules: 14}, x, grammar.TrainOptions{Training: grammar.Training{Epochs: 1}})
	if err != nil {
		t.Fatal(err)
	}
	z := make([][]float64, 100)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range z {
		z[i] = make([]float64, m.Dim())
		for j := range z[i] {
			z[i][j] = 3 * rng.NormFloat64()
		}
	}
	got, err := m.Decode(t.Context(), z)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(got, "") {
		t.Errorf("none of %d latents decodes to \"\"", len(z))
	}
	for _, s := range got {
		if s != "" && m.Check(s) != nil {
			t.Errorf("decoded %q: %v", s, m.Check(s))
		}
	}
}

func TestLatentErrors(t *testing.T) {
	m := expressionModel(t)
	nan := make([]float64, m.Dim())
	nan[3] = math.NaN()
	huge := make([]float64, m.Dim())
	huge[3] = 1e300
	for name, z := range map[string][]float64{"short": {1, 2}, "not a number": nan, "too large for a float32": huge} {
		if _, err := m.Decode(t.Context(), [][]float64{z}); err == nil {
			t.Errorf("Decode of a latent that is %s: no error", name)
		}
		if _, _, err := m.Reconstruct(t.Context(), [][]float64{z}, []string{"x"}, vae.CrossEntropy, nil); err == nil {
			t.Errorf("Reconstruct of a latent that is %s: no error", name)
		}
	}
}

// train returns the file of a small model, trained on a few strings with opts.
func train(t *testing.T, opts grammar.TrainOptions) []byte {
	t.Helper()
	opts.Epochs, opts.Batch = 3, 30
	m, err := grammar.Train(t.Context(), cfg.Expression(), grammar.Config{Latent: 4, Hidden: 10}, expressions(t, 100), opts)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Save(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A run resumed from a checkpoint file gives the same bytes as an uninterrupted run.
func TestResume(t *testing.T) {
	want := train(t, grammar.TrainOptions{})
	for stop := 1; stop <= 3; stop++ { // the last has no epochs left
		var file bytes.Buffer
		enough := errors.New("enough")
		opts := grammar.TrainOptions{Checkpoint: func(c *grammar.Checkpoint) error {
			if c.Epoch() < stop {
				return nil
			}
			return errors.Join(c.Save(&file), enough)
		}}
		opts.Epochs, opts.Batch = 3, 30
		_, err := grammar.Train(t.Context(), cfg.Expression(), grammar.Config{Latent: 4, Hidden: 10}, expressions(t, 100), opts)
		if !errors.Is(err, enough) {
			t.Fatalf("Train: %v, want the checkpoint's error", err)
		}
		saved := file.Bytes()
		if stop == 2 { // as earlier versions wrote it
			saved = replace(t, saved, `"steps":"8"`, `"progress":"{\"epoch\":2,\"steps\":8}"`)
		}
		checkpoint, err := grammar.LoadCheckpoint(bytes.NewReader(saved))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(train(t, grammar.TrainOptions{Resume: checkpoint}), want) {
			t.Errorf("resumed after epoch %d: weights differ", stop)
		}
	}
}

func TestTrainErrors(t *testing.T) {
	resume := func(o grammar.Training) grammar.TrainOptions {
		return grammar.TrainOptions{Training: o, Resume: &grammar.Checkpoint{Model: expressionModel(t)}}
	}
	shipped := expressionModel(t).Config()
	with := func(o grammar.Training) grammar.TrainOptions { return grammar.TrainOptions{Training: o} }
	tests := []struct {
		name   string
		config grammar.Config
		data   []string
		opts   grammar.TrainOptions
		want   string
	}{
		{"a string of another language", grammar.Config{}, append(expressions(t, 30), "y"), grammar.TrainOptions{}, "string 30"},
		{"too few strings", grammar.Config{}, []string{"x"}, grammar.TrainOptions{}, "too few"},
		{"kernels too wide", grammar.Config{MaxRules: 6}, expressions(t, 30), grammar.TrainOptions{}, "smaller kernels"},
		{"a negative size", grammar.Config{Latent: -1}, expressions(t, 30), grammar.TrainOptions{}, "at least 1"},
		{"negative epochs", grammar.Config{}, expressions(t, 30), with(grammar.Training{Epochs: -1}), "epochs"},
		{"a negative batch", grammar.Config{}, expressions(t, 30), with(grammar.Training{Batch: -1}), "batch"},
		{"a rate that is no number", grammar.Config{}, expressions(t, 30), with(grammar.Training{LR: math.NaN()}), "learning rate"},
		{"a negative beta", grammar.Config{}, expressions(t, 30), with(grammar.Training{Beta: -1}), "beta"},
		{"a rate that diverges", grammar.Config{Latent: 4, Hidden: 10}, expressions(t, 30), with(grammar.Training{LR: 1e30, Epochs: 20, Batch: 10}), "lower the learning rate"},
		{"a checkpoint of other sizes", grammar.Config{Latent: 3}, expressions(t, 30), resume(grammar.Training{}), "other sizes"},
		{"a checkpoint of other options", shipped, expressions(t, 30), resume(grammar.Training{Seed: 2}), "a training with"},
	}
	for _, tt := range tests {
		if _, err := grammar.Train(t.Context(), cfg.Expression(), tt.config, tt.data, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
}

func TestSaveLoad(t *testing.T) {
	file := train(t, grammar.TrainOptions{Training: grammar.Training{Source: "a test"}})
	m, err := grammar.Load(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Training(); got.Source != "a test" || got.Strings != 100 || got.HeldOut <= 0 {
		t.Errorf("Training = %+v", got)
	}
	if m.Grammar().String() != cfg.Expression().String() || m.Dim() != 4 {
		t.Errorf("grammar %q, %d dimensions", m.Grammar(), m.Dim())
	}
	var again bytes.Buffer
	if err := m.Save(&again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Bytes(), file) {
		t.Error("a file loaded and saved differs")
	}
	if _, err := grammar.LoadCheckpoint(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), "finished model") {
		t.Errorf("LoadCheckpoint of a model: %v", err)
	}
}

// Damaged files give errors, not panics or wrong models.
func TestLoadErrors(t *testing.T) {
	file := train(t, grammar.TrainOptions{})
	for n := 0; n < len(file); n += 997 {
		if _, err := grammar.Load(bytes.NewReader(file[:n])); !errors.Is(err, safetensors.ErrTruncated) {
			t.Errorf("first %d bytes: %v, want %v", n, err, safetensors.ErrTruncated)
		}
	}
	tests := []struct{ name, old, new, want string }{
		{"another format", "invbo grammar vae 1", "invbo grammar vae 2", "this version"},
		{"another size", `\"latent\":4`, `\"latent\":5`, "shape"},
		{"an absurd size", `\"latent\":4`, `\"latent\":40000000000`, "shape"},
		{"another name", "encoder.mu.bias", "encoder.mu.bios", "no tensor"},
		{"a broken grammar", "'sin('", "'sin(", "grammar in the file"},
	}
	for _, tt := range tests {
		changed := replace(t, file, tt.old, tt.new)
		if _, err := grammar.Load(bytes.NewReader(changed)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
}

// replace changes a text in the header of a file, whose length comes first.
func replace(t *testing.T, file []byte, old, with string) []byte {
	t.Helper()
	changed := bytes.Replace(file, []byte(old), []byte(with), 1)
	if bytes.Equal(changed, file) {
		t.Fatalf("%q is not in the file", old)
	}
	length := int(changed[0]) + int(changed[1])<<8 + len(changed) - len(file)
	changed[0], changed[1] = byte(length), byte(length>>8)
	return changed
}
