package sequence

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// decodeRows is the most latents that are decoded side by side: enough that reading the weights, once a
// token for all of them, takes little of the time; few enough that what is kept of a layer stays in the cache.
const decodeRows = 32

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
	rounds := (n-1)/(procs*decodeRows) + 1
	return max(1, (n-1)/(procs*rounds)+1)
}

// line is a string that is being written.
type line struct {
	tokens []int32
	past   [][]float32 // keys and values of the tokens so far (tokens, 2·Width), in each layer
	memory [][]float32 // keys and values of the latent vectors (Vectors, 2·Width), in each layer
}

// greedy returns the tokens of each latent of z (n, Vectors·Width) before its stop; none if there is no stop.
func (n *network) greedy(ctx context.Context, t *tensor.Tape, z []float32) [][]int32 {
	lines := n.open(t, z)
	strings := make([][]int32, len(lines))
	live := make([]int, len(lines)) // indices of those without a stop
	for i := range live {
		live[i] = i
	}
	for at := 0; at < n.config.MaxTokens && len(live) > 0 && ctx.Err() == nil; at++ {
		t.Reset()
		unended := make([]*line, len(live))
		for row, i := range live {
			unended[row] = &lines[i]
		}
		logits := n.next(t, unended)
		still := live[:0]
		for row, i := range live {
			switch token := argMax(logits.Row(row)); token {
			case start: // is in no string
			case stop:
				strings[i] = lines[i].tokens
			default:
				lines[i].tokens = append(lines[i].tokens, token)
				still = append(still, i)
			}
		}
		live = still
	}
	return strings
}

// open returns empty lines, one for each latent of z.
func (n *network) open(t *tensor.Tape, z []float32) []line {
	c := n.config
	t.Reset()
	vectors := &tensor.Var{Data: z, Rows: len(z) / c.Width, Cols: c.Width}
	lines := make([]line, vectors.Rows/c.Vectors)
	for _, layer := range n.decoder {
		kv := layer.Cross.Memory.Apply(t, vectors).Data
		size := len(kv) / len(lines)
		for i := range lines {
			l := &lines[i]
			l.past = append(l.past, nil)
			l.memory = append(l.memory, append([]float32(nil), kv[i*size:][:size]...))
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
		l.past[i] = append(l.past[i], qkv.Row(row)[d:]...)
		attend(t, read.Row(row), qkv.Row(row)[:d], l.past[i], layer.Attention.Heads)
	}
	x = layer.Norm1.Add(t, x, layer.Attention.Out.Apply(t, read))

	q := layer.Cross.Query.Apply(t, x)
	read = t.New(len(lines), d, false)
	for row, l := range lines {
		attend(t, read.Row(row), q.Row(row), l.memory[i], layer.Cross.Heads)
	}
	x = layer.Norm2.Add(t, x, layer.Cross.Out.Apply(t, read))
	return layer.Norm3.Add(t, x, layer.Linear2.Apply(t, layer.Linear1.ReLU(t, x)))
}

// attend sets y to what one token reads from n others: q (Width) is its query, and kv (n, 2·Width) are their keys and
// values. All heads are one product with as many queries, each of which is 0 outside its head's columns.
func attend(t *tensor.Tape, y, q, kv []float32, heads int) {
	d := len(q)
	c, n := d/heads, len(kv)/(2*d)
	queries, read, stats := t.New(heads, d, false), t.New(heads, d, false), t.New(heads, 2, false)
	clear(queries.Data)
	toHead := float32(math.Sqrt(float64(heads))) // the scale of the scores from 1/√d to 1/√c
	for h := range heads {
		for j := h * c; j < (h+1)*c; j++ {
			queries.Row(h)[j] = toHead * q[j]
		}
	}
	rows := func(x []float32, ld int) simd.Rows { return simd.Rows{X: x, LD: ld} }
	simd.Attention(rows(read.Data, d), stats.Data, rows(queries.Data, d), rows(kv, 2*d), rows(kv[d:], 2*d), heads, n, d, false)
	for h := range heads {
		copy(y[h*c:], read.Row(h)[h*c:][:c])
	}
}
