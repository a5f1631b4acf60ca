// Package grammar is the Grammar VAE (Kusner, Paige & Hernández-Lobato 2017) for any context-free grammar. A
// string is represented by the rules of its leftmost derivation. The decoder chooses only among rules that the
// grammar allows, so a complete derivation is always a valid string.
//
// Train makes a Model from a grammar (package cfg) and strings; Load reads one from a file of weights;
// Expression is built in. The decoder computes the logits of all positions from z alone, in one pass. Start
// reading at network.go (the architecture) and model.go.
package grammar

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar/cfg"
	"github.com/invbo/invbo/vae/internal/single"
)

// Model is a trained Grammar VAE. It implements vae.Tunable.
type Model struct {
	grammar     *cfg.Grammar
	net         *network // frozen
	training    Training
	derivations *derivations
	tapes       *sync.Pool
}

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
	m := &Model{
		grammar:     g,
		net:         newNetwork(c, kind),
		derivations: &derivations{grammar: g, maxRules: c.MaxRules, maxBytes: g.MaxBytes(c.MaxRules), cache: map[string][]int32{}},
		tapes:       &sync.Pool{New: func() any { return new(tensor.Tape) }},
	}
	return m, nil
}

// Grammar returns the grammar of the model's strings.
func (m *Model) Grammar() *cfg.Grammar { return m.grammar }

// Config returns the sizes of the network.
func (m *Model) Config() Config { return m.net.config }

// Training returns the training record of the weights, which excludes tuning.
func (m *Model) Training() Training { return m.training }

// Dim implements vae.Model.
func (m *Model) Dim() int { return m.net.config.Latent }

// Check implements vae.Model.
func (m *Model) Check(x string) error {
	_, err := m.derivations.of(x)
	return err
}

// Encode implements vae.Model.
func (m *Model) Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error) {
	rules, err := m.derivations.all(x)
	if err != nil {
		return nil, nil, fmt.Errorf("grammar: encode: %w", err)
	}
	t := m.tapes.Get().(*tensor.Tape)
	defer m.tapes.Put(t)
	for part := range slices.Chunk(rules, m.net.config.chunk()) {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("grammar: encode: %w", context.Cause(ctx))
		}
		t.Reset()
		mean, logvar := m.net.encode(t, part, nn.BatchNorm.Running)
		for i := range part {
			deviation := make([]float64, logvar.Cols)
			for j, lv := range logvar.Row(i) {
				deviation[j] = math.Exp(0.5 * float64(lv))
			}
			mu, sigma = append(mu, single.Widen(mean.Row(i))), append(sigma, deviation)
		}
	}
	return mu, sigma, nil
}

// Decode implements vae.Model: at each position it takes the most likely rule that expands the leftmost
// non-terminal. A derivation that is incomplete after MaxRules rules gives "". If the grammar is ambiguous, Check
// may refuse a decoded string, because its derivation by Parse may be longer than MaxRules.
func (m *Model) Decode(ctx context.Context, z [][]float64) ([]string, error) {
	t := m.tapes.Get().(*tensor.Tape)
	defer m.tapes.Put(t)
	x := make([]string, 0, len(z))
	for part := range slices.Chunk(z, m.net.config.chunk()) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("grammar: decode: %w", context.Cause(ctx))
		}
		t.Reset()
		latent := t.New(len(part), m.Dim(), false)
		for i, zi := range part {
			if err := single.Narrow(latent.Row(i), zi); err != nil {
				return nil, fmt.Errorf("grammar: decode: latent %d: %w", len(x)+i, err)
			}
		}
		seq := tensor.NewRagged(slices.Repeat([]int{m.net.config.MaxRules}, len(part)))
		logits := m.net.decode(t, latent, seq, nn.BatchNorm.Running)
		for i := range part {
			x = append(x, m.derive(logits, seq, i))
		}
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
		for rule, kind := range m.net.kind {
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

// Reconstruct implements vae.Inverter, for the derivation of x by Parse. If the grammar is ambiguous, z may decode
// to x by another derivation, with a margin below 0.
func (m *Model) Reconstruct(ctx context.Context, z [][]float64, x []string, loss vae.Loss, grad [][]float64) (losses, margin []float64, err error) {
	if len(z) != len(x) || (grad != nil && len(grad) != len(x)) {
		panic(fmt.Sprintf("grammar: Reconstruct: %d latents, %d strings, %d gradients", len(z), len(x), len(grad)))
	}
	rules, err := m.derivations.all(x)
	if err != nil {
		return nil, nil, fmt.Errorf("grammar: reconstruct: %w", err)
	}
	losses, margin = make([]float64, len(x)), make([]float64, len(x))
	t := m.tapes.Get().(*tensor.Tape)
	defer m.tapes.Put(t)
	order := longestFirst(rules)
	for part := range slices.Chunk(order, m.net.config.chunk()) {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("grammar: reconstruct: %w", context.Cause(ctx))
		}
		t.Reset()
		latent := t.New(len(part), m.Dim(), grad != nil)
		for row, i := range part {
			if err := single.Narrow(latent.Row(row), z[i]); err != nil {
				return nil, nil, fmt.Errorf("grammar: reconstruct: latent %d: %w", i, err)
			}
		}
		target, seq := pack(permute(rules, part))
		logits := m.net.decode(t, latent, seq, nn.BatchNorm.Running)
		partLosses, partMargin := t.Reconstruction(logits, target, m.net.kind, seq, tensor.Loss(loss))
		for row, i := range part {
			losses[i], margin[i] = float64(partLosses.Data[row]), float64(partMargin[row])
		}
		if grad == nil {
			continue
		}
		for row := range part {
			partLosses.Grad[row] = 1
		}
		t.Backward()
		for row, i := range part {
			for j, g := range latent.Grad[row*latent.Cols : (row+1)*latent.Cols] {
				grad[i][j] = float64(g)
			}
		}
	}
	return losses, margin, nil
}

// longestFirst returns the indices of derivations sorted by length, the longest first, as tensor.Ragged requires.
func longestFirst(rules [][]int32) []int {
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(rules[b]), len(rules[a])) })
	return order
}

// permute returns the derivations in the given order.
func permute(rules [][]int32, order []int) [][]int32 {
	permuted := make([][]int32, len(order))
	for row, i := range order {
		permuted[row] = rules[i]
	}
	return permuted
}

// pack lays out derivations, sorted longest first, without padding.
func pack(rules [][]int32) (target []int32, seq *tensor.Ragged) {
	lengths := make([]int, len(rules))
	for i, r := range rules {
		lengths[i] = len(r)
	}
	seq = tensor.NewRagged(lengths)
	target = make([]int32, seq.Rows())
	for i, r := range rules {
		for step, rule := range r {
			target[seq.Row(i, step)] = rule
		}
	}
	return target, seq
}
