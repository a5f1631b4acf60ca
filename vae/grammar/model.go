// Package grammar is the Grammar VAE (Kusner, Paige & Hernández-Lobato 2017) for any context-free grammar. A
// string is represented by the rules of its leftmost derivation. The decoder chooses only among rules that the
// grammar allows, so a complete derivation is always a valid string.
//
// Train makes a Model from a grammar (package cfg) and strings; Load reads one from a file of weights;
// Expression is built in. The decoder computes the logits of all positions from z alone, in one pass. Start
// reading at network.go (the architecture) and model.go.
package grammar

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/neural"
)

// Config holds the sizes of the network. A zero field takes the value of Kusner et al. 2017 for expressions.
type Config struct {
	MaxRules int    `json:"max_rules"` // maximum length of a derivation; 15
	Latent   int    `json:"latent"`    // d, latent dimensions; 25
	Filters  [3]int `json:"filters"`   // of the encoder's convolutions; 2, 3, 4
	Kernels  [3]int `json:"kernels"`   // of the convolutions, in rules, with Σ(kernel − 1) < MaxRules; 2, 3, 4
	Dense    int    `json:"dense"`     // units of the encoder's dense layer; 100
	Hidden   int    `json:"hidden"`    // units of each of the decoder's three GRU layers; 100
}

func (c Config) withDefaults() Config {
	c.MaxRules = cmp.Or(c.MaxRules, 15)
	c.Latent = cmp.Or(c.Latent, 25)
	c.Dense = cmp.Or(c.Dense, 100)
	c.Hidden = cmp.Or(c.Hidden, 100)
	for i := range 3 {
		c.Filters[i] = cmp.Or(c.Filters[i], 2+i)
		c.Kernels[i] = cmp.Or(c.Kernels[i], 2+i)
	}
	return c
}

func (c Config) check() error {
	if min(c.MaxRules, c.Latent, c.Dense, c.Hidden, slices.Min(c.Filters[:]), slices.Min(c.Kernels[:])) < 1 {
		return fmt.Errorf("sizes %+v: all must be at least 1", c)
	}
	if c.positions() < 1 {
		return fmt.Errorf("kernels %v are too wide for %d rules: use smaller kernels or a larger MaxRules", c.Kernels, c.MaxRules)
	}
	return nil
}

// positions returns the number of positions after the convolutions.
func (c Config) positions() int {
	n := c.MaxRules
	for _, k := range c.Kernels {
		n -= k - 1
	}
	return n
}

// Model is a trained Grammar VAE. It implements vae.Tunable, for the derivation of a string by cfg.Grammar.Parse; the
// network's part is in network.go, the rest in vae/internal/neural. If the grammar is ambiguous, a latent may decode to
// a string by another derivation, with a margin below 0.
//
// Its Tuner normalizes by the running statistics of pre-training and does not update them.
type Model struct {
	base
	training Training
}

type base = neural.Model[*network]

const (
	chunkRules = 8192    // rules per parallel task, with padding
	whole      = 1 << 40 // as a chunk: the batch
)

// newModel returns a model without memory for its weights (see nn.Params.Bind).
func newModel(g *cfg.Grammar, c Config) (*Model, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("grammar: %w", err)
	}
	net := newNetwork(c, g, &derivations{of: map[string][]int32{}})
	return &Model{base: neural.New(net, neural.Options{
		Package: "grammar", Latent: c.Latent, Sort: true, Size: func([]int32) int { return c.MaxRules },
		Chunk: chunkRules, Block: max(1, chunkRules/c.MaxRules), TunerParts: 1, TunerChunk: whole,
	})}, nil
}

// Clone implements vae.Tunable.
func (m *Model) Clone() vae.Tunable { return &Model{m.base.Clone(), m.training} }

// Grammar returns the grammar of the model's strings.
func (m *Model) Grammar() *cfg.Grammar { return m.Net.grammar }

// Config returns the sizes of the network.
func (m *Model) Config() Config { return m.Net.config }

// Training returns the training record of the weights, which excludes tuning.
func (m *Model) Training() Training { return m.training }

var format = neural.Format[*Model]{
	Package: "grammar", Name: "invbo grammar vae 1", Hint: "give a file written by training with this version",
	Layout: func(name string, v *tensor.Var) (string, []int, bool) { return name, []int{v.Rows, v.Cols}, false }, Read: fromFile,
}

// Checkpoint is the state of a training run after an epoch.
type Checkpoint struct {
	Model *Model
	Adam  *nn.Adam
}

// Epoch returns the number of completed epochs.
func (c *Checkpoint) Epoch() int { return c.Adam.Steps / c.Model.training.inEpoch() }

// Save writes weights, grammar, sizes and training record as a safetensors file.
func (m *Model) Save(w io.Writer) error { return m.save(w, nil) }

// Save writes the checkpoint as a safetensors file, which Load can also read as a Model.
func (c *Checkpoint) Save(w io.Writer) error { return c.Model.save(w, c.Adam) }

// save writes m, and the state of its training unless adam is nil.
func (m *Model) save(w io.Writer, adam *nn.Adam) error {
	records := map[string]any{"config": m.Net.config, "training": m.training}
	return format.Save(w, &m.Net.params, false, map[string]string{"grammar": m.Net.grammar.String()}, records, adam)
}

// Load reads a Model written by a Save method.
func Load(r io.Reader) (*Model, error) { return format.Load(r) }

// LoadCheckpoint reads a Checkpoint written by its Save.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	m, adam, err := format.LoadCheckpoint(r)
	if err != nil {
		return nil, err
	}
	return &Checkpoint{m, adam}, nil
}

func fromFile(f *safetensors.File) (*Model, *nn.Params, error) {
	g, err := cfg.Read(strings.NewReader(f.Metadata["grammar"]))
	if err != nil {
		return nil, nil, fmt.Errorf("grammar in the file: %w", err)
	}
	var c Config
	var training Training
	if err := cmp.Or(neural.Record(f, "config", &c), neural.Record(f, "training", &training)); err != nil {
		return nil, nil, err
	}
	m, err := newModel(g, c)
	if err != nil {
		return nil, nil, err
	}
	m.training = training
	return m, &m.Net.params, nil
}

//go:generate go run ./weights

//go:embed weights/expression.safetensors
var expression []byte

// ExpressionFile returns the file that Expression reads.
func ExpressionFile() io.Reader { return bytes.NewReader(expression) }

// Expression returns the built-in model of arithmetic expressions over x, 1, 2 and 3 (cfg.Expression). Training
// describes its training, weights/README.md its quality.
func Expression() (*Model, error) {
	m, err := Load(ExpressionFile())
	if err != nil {
		return nil, fmt.Errorf("grammar: weights of the expression model: %w", err)
	}
	return m, nil
}
