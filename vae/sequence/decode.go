package sequence

import (
	"context"
	"fmt"
	"runtime"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

const (
	decodeRows  = 32  // lines written side by side, at most: reading the weights, once a token for all of them, then takes little of the time
	decodeBlock = 256 // latents of a task, at most: their memories are computed at once
)

// Decode implements vae.Model: each token is the likeliest after those before it, of equally likely ones the first.
// A latent gives "" if MaxTokens tokens bring no stop, or if the stop comes first.
//
// A token costs one pass over itself alone: the keys and values of those before it are kept, and those of the
// latent are computed once. The logits are those of Reconstruct up to rounding. What a latent decodes to does
// not depend on the others.
func (m *Model) Decode(ctx context.Context, z [][]float64) ([]string, error) {
	d := m.Dim()
	latents, err := m.narrow(z)
	if err != nil {
		return nil, fmt.Errorf("sequence: decode: %w", err)
	}
	x := make([]string, len(z))
	parallel.For(len(z), decodeGrain(len(z)), func(lo, hi int) {
		t := m.tapes.Get().(*tensor.Tape)
		defer m.tapes.Put(t)
		for i, tokens := range m.net.greedy(ctx, t, latents[lo*d:hi*d]) {
			x[lo+i] = m.alphabet.text(tokens)
		}
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("sequence: decode: %w", context.Cause(ctx))
	}
	return x, nil
}

// decodeGrain divides n latents so that every processor has as many.
func decodeGrain(n int) int {
	procs := runtime.GOMAXPROCS(0)
	rounds := (n-1)/(procs*decodeBlock) + 1
	return max(1, (n-1)/(procs*rounds)+1)
}

// line is a string that is being written.
type line struct {
	tokens []int32
	whole  bool            // it came to its stop
	past   []*simd.KVCache // of the tokens so far, in each layer
	memory []*simd.KVCache // of the latent vectors, in each layer
}

// greedy returns the tokens of each latent of z (n, Vectors·Width) before its stop; none if there is no stop.
func (n *network) greedy(ctx context.Context, t *tensor.Tape, z []float32) [][]int32 {
	lines := n.open(t, z)
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
			} else if len(waiting) > 0 { // one begins where another ends, lest the weights be read for a few
				waiting[0].follow(l)
				unended = append(unended, &waiting[0])
				waiting = waiting[1:]
			}
		}
		live = unended
	}
	strings := make([][]int32, len(lines))
	for i, l := range lines {
		if l.whole {
			strings[i] = l.tokens
		}
	}
	return strings
}

// write adds a token to a line. It returns false if the line is at its end.
func (n *network) write(l *line, token int32) bool {
	switch token {
	case start: // is in no string
		return false
	case stop:
		l.whole = true
		return false
	}
	l.tokens = append(l.tokens, token)
	return len(l.tokens) < n.config.MaxTokens
}

// follow gives l, which is empty, the memory of a line that is not written to any more.
func (l *line) follow(ended *line) {
	l.past = ended.past
	for _, c := range l.past {
		c.Reset()
	}
}

// open returns empty lines, one for each latent of z.
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

// advance is DecoderLayer.Apply, of decoder layer i, for the newest token of each line, x (lines, Width).
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
