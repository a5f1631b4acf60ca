package sequence

import (
	"context"

	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

const (
	decodeRows  = 32  // maximum number of strings generated together, which amortizes reading the weights for each token
	decodeBlock = 256 // maximum number of latents per task; their memory keys and values are computed together
)

// line is a string being generated.
type line struct {
	tokens []int32
	whole  bool            // the stop was generated
	past   []*simd.KVCache // keys and values of the tokens, per layer
	memory []*simd.KVCache // keys and values of the latent vectors, per layer
}

// Decode implements neural.Network: each token is the most likely given those before it; of equally likely ones, the
// first. A latent decodes to "" if its first token is the stop, or if there is no stop within MaxTokens tokens.
//
// Keys and values of earlier tokens and of the latent are cached. The logits equal those of Reconstruct up to
// rounding. Results do not depend on the other latents.
func (n *network) Decode(ctx context.Context, t *tensor.Tape, z *tensor.Var) []string {
	lines := n.open(t, z.Data)
	live := make([]*line, min(decodeRows, len(lines)))
	for row := range live {
		live[row] = &lines[row]
	}
	waiting := lines[len(live):]
	for len(live) > 0 && ctx.Err() == nil {
		t.Reset()
		logits := n.next(t, live)
		unended := live[:0]
		for row, l := range live {
			if n.write(l, argMax(logits.Row(row))) {
				unended = append(unended, l)
			} else if len(waiting) > 0 { // replace a finished line at once, to keep the batch full
				follower := &waiting[0]
				follower.past, waiting = l.past, waiting[1:]
				for _, c := range follower.past {
					c.Reset()
				}
				unended = append(unended, follower)
			}
		}
		live = unended
	}
	x := make([]string, len(lines))
	for i, l := range lines {
		if l.whole {
			x[i] = n.alphabet.text(l.tokens)
		}
	}
	return x
}

// write appends a token to a line and reports whether the line continues.
func (n *network) write(l *line, token int32) bool {
	switch token {
	case start: // occurs in no string
		return false
	case stop:
		l.whole = true
		return false
	}
	l.tokens = append(l.tokens, token)
	return len(l.tokens) < n.config.MaxTokens
}

// open returns an empty line for each latent of z.
func (n *network) open(t *tensor.Tape, z []float32) []line {
	c := n.config
	t.Reset()
	vectors := &tensor.Var{Data: z, Rows: len(z) / c.Width, Cols: c.Width}
	lines := make([]line, vectors.Rows/c.Vectors)
	for _, layer := range n.decoder {
		kv := layer.Cross.Memory.Apply(t, vectors)
		for i := range lines {
			memory := simd.NewKVCache(c.Width, c.Vectors)
			for v := range c.Vectors {
				row := kv.Row(i*c.Vectors + v)
				memory.Append(row[:c.Width], row[c.Width:])
			}
			l := &lines[i]
			l.memory = append(l.memory, memory)
			l.past = append(l.past, simd.NewKVCache(c.Width, c.MaxTokens))
		}
	}
	return lines
}

// next returns the logits (lines, tokens) of the next token of each line.
func (n *network) next(t *tensor.Tape, lines []*line) *tensor.Var {
	x := t.New(len(lines), n.config.Width, false)
	for row, l := range lines {
		at := len(l.tokens)
		copy(x.Row(row), n.decoderPositions.Row(at))
		if at > 0 { // before the first token is a zero vector
			simd.Add(x.Row(row), x.Row(row), n.decoderEmbedding.Row(int(l.tokens[at-1])))
		}
	}
	for i, layer := range n.decoder {
		x = advance(t, layer, i, x, lines)
	}
	return t.Linear(x, n.unembedding, nil)
}

// advance is DecoderLayer.Apply of decoder layer i for the newest token of each line, x (lines, Width).
func advance(t *tensor.Tape, layer nn.DecoderLayer, i int, x *tensor.Var, lines []*line) *tensor.Var {
	d := x.Cols
	qkv := layer.Attention.In.Apply(t, x)
	read := t.New(len(lines), d, false)
	for row, l := range lines {
		qkv := qkv.Row(row)
		l.past[i].Append(qkv[d:2*d], qkv[2*d:])
		l.past[i].Attend(read.Row(row), qkv[:d], layer.Attention.Heads)
	}
	x = layer.Norm1.Add(t, x, layer.Attention.Out.Apply(t, read))

	q := layer.Cross.Query.Apply(t, x)
	read = t.New(len(lines), d, false)
	for row, l := range lines {
		l.memory[i].Attend(read.Row(row), q.Row(row), layer.Cross.Heads)
	}
	x = layer.Norm2.Add(t, x, layer.Cross.Out.Apply(t, read))
	return layer.Norm3.Add(t, x, layer.Linear2.Apply(t, layer.Linear1.ReLU(t, x)))
}
