package grammar

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// network is the published Grammar VAE of Kusner et al. 2017: three convolutions encode the one-hot rules, and
// three GRU layers decode the latent to logits for all positions at once.
type network struct {
	params  nn.Params
	config  Config
	grammar *cfg.Grammar
	kind    []int32 // left-hand side of each rule; the last rule is padding, a kind of its own
	parsed  *derivations

	conv        [3]nn.Conv1D
	norm        [3]nn.BatchNorm
	dense       nn.Linear
	mu, logvar  nn.Linear
	normLatent  nn.BatchNorm
	denseLatent nn.Linear
	gru         [3]nn.GRU
	logits      nn.Linear
}

// newNetwork declares a network, without memory for its parameters.
func newNetwork(c Config, g *cfg.Grammar, parsed *derivations) *network {
	n := &network{config: c, grammar: g, parsed: parsed}
	for rule := range g.Productions() {
		n.kind = append(n.kind, int32(g.LHS(rule)))
	}
	n.kind = append(n.kind, int32(g.Nonterminals()))
	p, kind := &n.params, n.kind
	channels := len(kind)
	for i := range n.conv {
		n.conv[i] = nn.NewConv1D(p, fmt.Sprintf("encoder.conv%d", i+1), channels, c.Filters[i], c.Kernels[i])
		n.norm[i] = nn.NewBatchNorm(p, fmt.Sprintf("encoder.norm%d", i+1), c.Filters[i])
		channels = c.Filters[i]
	}
	n.dense = nn.NewLinear(p, "encoder.dense", c.positions()*channels, c.Dense)
	n.mu = nn.NewLinear(p, "encoder.mu", c.Dense, c.Latent)
	n.logvar = nn.NewLinear(p, "encoder.logvar", c.Dense, c.Latent)
	n.normLatent = nn.NewBatchNorm(p, "decoder.norm", c.Latent)
	n.denseLatent = nn.NewLinear(p, "decoder.dense", c.Latent, c.Latent)
	in := c.Latent
	for i := range n.gru {
		n.gru[i] = nn.NewGRU(p, fmt.Sprintf("decoder.gru%d", i+1), in, c.Hidden)
		in = c.Hidden
	}
	n.logits = nn.NewLinear(p, "decoder.logits", c.Hidden, len(kind))
	return n
}

// normalize is (nn.BatchNorm).Batch or (nn.BatchNorm).Running.
type normalize func(nn.BatchNorm, *tensor.Tape, *tensor.Var) *tensor.Var

// encode returns mean and log variance of q(z|x), (n, d) each.
func (n *network) encode(t *tensor.Tape, derivations [][]int32, norm normalize) (mu, logvar *tensor.Var) {
	length := n.config.MaxRules
	x := n.oneHot(t, derivations)
	for i, conv := range n.conv {
		x = norm(n.norm[i], t, conv.ReLU(t, x, length))
		length -= conv.Kernel - 1
	}
	x = n.dense.ReLU(t, t.Reshape(x, n.dense.W.Rows))
	return n.mu.Apply(t, x), n.logvar.Apply(t, x)
}

// decode returns the logits of all rules (rows of seq, rules) for latents z (n, d). They depend on z only, so
// teacher forcing and greedy decoding use the same pass.
func (n *network) decode(t *tensor.Tape, z *tensor.Var, seq *tensor.Ragged, norm normalize) *tensor.Var {
	h := n.denseLatent.ReLU(t, norm(n.normLatent, t, z))
	for _, gru := range n.gru {
		h = gru.Apply(t, h, seq)
	}
	return n.logits.Apply(t, h)
}

// Params implements neural.Network.
func (n *network) Params() *nn.Params { return &n.params }

// View implements neural.Network.
func (n *network) View(data, grad []float32) *network {
	v := newNetwork(n.config, n.grammar, n.parsed)
	v.params.Bind(data, grad)
	return v
}

// maxDerivations limits the cache to about 20 MB.
const maxDerivations = 1 << 16

// derivations caches parsed strings: inversion needs the same ones up to a thousand times.
type derivations struct {
	sync.Mutex
	of map[string][]int32 // rules without padding
}

// Split implements neural.Network: the tokens are the rules of x, without padding.
func (n *network) Split(x string) ([]int32, error) {
	n.parsed.Lock()
	rules, ok := n.parsed.of[x]
	n.parsed.Unlock()
	if ok {
		return rules, nil
	}
	most := n.config.MaxRules
	if bytes := n.grammar.MaxBytes(most); len(x) > bytes { // Parse would need a kilobyte per byte
		return nil, fmt.Errorf("string of %d bytes, more than the model's maximum of %d: train a model with a larger MaxRules", len(x), bytes)
	}
	parsed, err := n.grammar.Parse(x)
	if err != nil {
		return nil, fmt.Errorf("%q is not of the grammar: %w", x, err)
	}
	if len(parsed) > most {
		return nil, fmt.Errorf("%q takes %d rules, more than the model's maximum of %d: train a model with a larger MaxRules", x, len(parsed), most)
	}
	rules = make([]int32, len(parsed))
	for i, rule := range parsed {
		rules[i] = int32(rule)
	}
	n.parsed.Lock()
	defer n.parsed.Unlock()
	if len(n.parsed.of) >= maxDerivations {
		clear(n.parsed.of)
	}
	n.parsed.of[x] = rules
	return rules, nil
}

// Encode implements neural.Network.
func (n *network) Encode(t *tensor.Tape, derivations [][]int32) (mu, logvar *tensor.Var) {
	return n.encode(t, derivations, nn.BatchNorm.Running)
}

// Reconstruct implements neural.Network. Derivations are sorted longest first.
func (n *network) Reconstruct(t *tensor.Tape, z *tensor.Var, derivations [][]int32, loss tensor.Loss) (losses *tensor.Var, margin []float32) {
	return n.reconstruct(t, z, derivations, loss, nn.BatchNorm.Running)
}

func (n *network) reconstruct(t *tensor.Tape, z *tensor.Var, derivations [][]int32, loss tensor.Loss, norm normalize) (losses *tensor.Var, margin []float32) {
	lengths := make([]int, len(derivations))
	for i, rules := range derivations {
		lengths[i] = len(rules)
	}
	seq := tensor.NewRagged(lengths)
	target := make([]int32, seq.Rows())
	for i, rules := range derivations {
		for step, rule := range rules {
			target[seq.Row(i, step)] = rule
		}
	}
	return t.Reconstruction(n.decode(t, z, seq, norm), target, n.kind, seq, loss)
}

// Decode implements neural.Network: at each position it takes the most likely rule that expands the leftmost
// non-terminal; of equally likely ones, the first. A derivation that is incomplete after MaxRules rules gives "". If the
// grammar is ambiguous, Check may refuse a decoded string, because its derivation by Parse may be longer than MaxRules.
func (n *network) Decode(ctx context.Context, t *tensor.Tape, z *tensor.Var) []string {
	x := make([]string, z.Rows)
	if ctx.Err() != nil {
		return x
	}
	seq := tensor.NewRagged(slices.Repeat([]int{n.config.MaxRules}, z.Rows))
	logits := n.decode(t, z, seq, nn.BatchNorm.Running)
	for i := range x {
		text, err := n.grammar.Derive(n.config.MaxRules, func(step, nonterminal int) int {
			row, best := logits.Row(seq.Row(i, step)), -1
			for rule, kind := range n.kind {
				if kind == int32(nonterminal) && (best < 0 || row[rule] > row[best]) {
					best = rule
				}
			}
			return best
		})
		if err == nil {
			x[i] = text
		}
	}
	return x
}

// oneHot returns derivations as rows (n·MaxRules, rules), each filled up to MaxRules with the padding rule.
func (n *network) oneHot(t *tensor.Tape, derivations [][]int32) *tensor.Var {
	x := t.New(len(derivations)*n.config.MaxRules, len(n.kind), false)
	clear(x.Data)
	for row := range x.Rows {
		rules, step := derivations[row/n.config.MaxRules], row%n.config.MaxRules
		rule := int32(len(n.kind) - 1)
		if step < len(rules) {
			rule = rules[step]
		}
		x.Row(row)[rule] = 1
	}
	return x
}
