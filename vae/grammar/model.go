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
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/neural"
)

// Model is a trained Grammar VAE. It implements vae.Tunable, for the derivation of a string by cfg.Grammar.Parse; what is
// not here is in vae/internal/neural. If the grammar is ambiguous, a latent may decode to a string by another derivation,
// with a margin below 0.
//
// Its Tuner normalizes by the running statistics of pre-training and does not update them.
type Model struct {
	base
	grammar  *cfg.Grammar
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
	var kind []int32
	for rule := range g.Productions() {
		kind = append(kind, int32(g.LHS(rule)))
	}
	kind = append(kind, int32(g.Nonterminals()))
	d := &derivations{grammar: g, maxRules: c.MaxRules, maxBytes: g.MaxBytes(c.MaxRules), cache: map[string][]int32{}}
	return &Model{grammar: g, base: neural.New(newNetwork(c, kind), neural.Options{
		Package: "grammar", Latent: c.Latent, Split: d.of, Sort: true,
		Size: func([]int32) int { return c.MaxRules }, Chunk: chunkRules, TunerParts: 1, TunerChunk: whole,
	})}, nil
}

// Clone implements vae.Tunable.
func (m *Model) Clone() vae.Tunable { return &Model{m.base.Clone(), m.grammar, m.training} }

// Grammar returns the grammar of the model's strings.
func (m *Model) Grammar() *cfg.Grammar { return m.grammar }

// Config returns the sizes of the network.
func (m *Model) Config() Config { return m.Net.config }

// Training returns the training record of the weights, which excludes tuning.
func (m *Model) Training() Training { return m.training }

// Decode implements vae.Model: at each position it takes the most likely rule that expands the leftmost
// non-terminal. A derivation that is incomplete after MaxRules rules gives "". If the grammar is ambiguous, Check
// may refuse a decoded string, because its derivation by Parse may be longer than MaxRules.
func (m *Model) Decode(ctx context.Context, z [][]float64) ([]string, error) {
	latents, err := m.Narrow(z)
	if err != nil {
		return nil, fmt.Errorf("grammar: decode: %w", err)
	}
	c := m.Net.config
	x := make([]string, len(z))
	parallel.For(len(z), max(1, chunkRules/c.MaxRules), func(lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		m.OnTape(func(t *tensor.Tape) {
			seq := tensor.NewRagged(slices.Repeat([]int{c.MaxRules}, hi-lo))
			latent := &tensor.Var{Data: latents[lo*c.Latent : hi*c.Latent], Rows: hi - lo, Cols: c.Latent}
			logits := m.Net.decode(t, latent, seq, nn.BatchNorm.Running)
			for i := range hi - lo {
				x[lo+i] = m.derive(logits, seq, i)
			}
		})
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("grammar: decode: %w", context.Cause(ctx))
	}
	return x, nil
}

// derive returns the string of the greedy derivation of sequence i. Of equal logits the first rule wins.
func (m *Model) derive(logits *tensor.Var, seq *tensor.Ragged, i int) string {
	var rules []int
	open := []int{m.grammar.Start()} // stack of non-terminals to expand, the leftmost on top
	for step := 0; step < seq.Lengths[i] && len(open) > 0; step++ {
		row := logits.Row(seq.Row(i, step))
		best := -1
		for rule, kind := range m.Net.kind {
			if kind == int32(open[len(open)-1]) && (best < 0 || row[rule] > row[best]) {
				best = rule
			}
		}
		rules = append(rules, best)
		open = open[:len(open)-1]
		for _, nonterminal := range slices.Backward(m.grammar.RHS(best)) {
			open = append(open, nonterminal)
		}
	}
	if len(open) > 0 {
		return ""
	}
	x, err := m.grammar.Text(rules)
	if err != nil {
		panic(fmt.Sprintf("grammar: invalid derivation: %v", err))
	}
	return x
}

// maxDerivations limits the cache to about 20 MB.
const maxDerivations = 1 << 16

// derivations caches parsed strings: inversion needs the same ones up to a thousand times.
type derivations struct {
	grammar  *cfg.Grammar
	maxRules int
	maxBytes int // of a string of maxRules rules

	mu    sync.Mutex
	cache map[string][]int32
}

// of returns the rules of x without padding.
func (d *derivations) of(x string) ([]int32, error) {
	d.mu.Lock()
	rules, ok := d.cache[x]
	d.mu.Unlock()
	if ok {
		return rules, nil
	}
	if len(x) > d.maxBytes { // Parse would need a kilobyte per byte
		return nil, fmt.Errorf("string of %d bytes, more than the model's maximum of %d: train a model with a larger MaxRules", len(x), d.maxBytes)
	}
	parsed, err := d.grammar.Parse(x)
	if err != nil {
		return nil, fmt.Errorf("%q is not of the grammar: %w", x, err)
	}
	if len(parsed) > d.maxRules {
		return nil, fmt.Errorf("%q takes %d rules, more than the model's maximum of %d: train a model with a larger MaxRules", x, len(parsed), d.maxRules)
	}
	rules = make([]int32, len(parsed))
	for i, rule := range parsed {
		rules[i] = int32(rule)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.cache) >= maxDerivations {
		clear(d.cache)
	}
	d.cache[x] = rules
	return rules, nil
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
