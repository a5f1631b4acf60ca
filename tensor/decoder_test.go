package tensor_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/tensor"
)

// moleculeTokens are the lengths, stop included, of the first 64 molecules of GuacaMol's training data as SELFIES.
var moleculeTokens = []int{
	11, 73, 75, 56, 56, 30, 62, 31, 65, 43, 42, 40, 53, 67, 47, 57, 47, 29, 50, 33, 44, 57, 39, 44, 45, 35, 61, 30, 37, 64, 36, 26,
	62, 25, 58, 60, 41, 41, 54, 54, 33, 49, 36, 29, 42, 42, 37, 38, 62, 30, 85, 37, 53, 37, 64, 44, 55, 43, 23, 63, 88, 62, 56, 74,
}

// decoder is a transformer decoder with the sizes of the paper.
type decoder struct {
	width, heads, hidden, vocabulary, memory int

	embedding, positions, unembedding *tensor.Var
	layers                            []decoderLayer
	params                            []*tensor.Var
}

type decoderLayer struct {
	qkv, out, q, kv, crossOut, up, down affine
	norms                               [3]affine // gamma and beta
}

type affine struct{ w, b *tensor.Var }

func newDecoder(layers int, grad bool) *decoder {
	d := &decoder{width: 128, heads: 8, hidden: 256, vocabulary: 97, memory: 2}
	rng := newRand()
	param := func(rows, cols int, mean float32) *tensor.Var {
		v := &tensor.Var{Data: make([]float32, rows*cols), Rows: rows, Cols: cols}
		for i := range v.Data {
			v.Data[i] = mean + float32(rng.NormFloat64()/math.Sqrt(float64(d.width)))
		}
		if grad {
			v.Grad = make([]float32, rows*cols)
		} else if rows > 1 {
			v.Freeze()
		}
		d.params = append(d.params, v)
		return v
	}
	linear := func(in, out int) affine { return affine{param(in, out, 0), param(1, out, 0)} }
	d.embedding, d.unembedding = param(d.vocabulary, d.width, 0), param(d.width, d.vocabulary, 0)
	d.positions = tensor.Positions(slices.Max(moleculeTokens), d.width)
	for range layers {
		l := decoderLayer{
			qkv: linear(d.width, 3*d.width), out: linear(d.width, d.width),
			q: linear(d.width, d.width), kv: linear(d.width, 2*d.width), crossOut: linear(d.width, d.width),
			up: linear(d.width, d.hidden), down: linear(d.hidden, d.width),
		}
		for i := range l.norms {
			l.norms[i] = affine{param(1, d.width, 1), param(1, d.width, 0)}
		}
		d.layers = append(d.layers, l)
	}
	return d
}

// forward returns the losses of tokens given their memory z (sequences·memory, width).
func (d *decoder) forward(t *tensor.Tape, z *tensor.Var, tokens []int32, spans *tensor.Spans) *tensor.Var {
	x := t.Embed(d.embedding, tokens, d.positions, spans, true)
	norm := func(i int, l *decoderLayer, x, y *tensor.Var) *tensor.Var {
		return t.AddLayerNorm(x, y, l.norms[i].w, l.norms[i].b, 1e-5)
	}
	for i := range d.layers {
		l := &d.layers[i]
		a := t.Attention(t.Linear(x, l.qkv.w, l.qkv.b), d.heads, spans, 0, true, 0, 0)
		x = norm(0, l, x, t.Linear(a, l.out.w, l.out.b))
		x = norm(1, l, x, d.cross(t, l, x, z, spans))
		x = norm(2, l, x, t.Linear(t.LinearReLU(x, l.up.w, l.up.b), l.down.w, l.down.b))
	}
	losses, _ := t.Reconstruction(t.Linear(x, d.unembedding, nil), tokens, nil, spans, tensor.CrossEntropy)
	return losses
}

// cross returns the attention of x to the memory z; see nn.CrossAttention.
func (d *decoder) cross(t *tensor.Tape, l *decoderLayer, x, z *tensor.Var, spans *tensor.Spans) *tensor.Var {
	kv := t.Linear(z, l.kv.w, l.kv.b)
	offsets := t.Reshape(t.HeadProducts(kv, 0, l.q.b, true, d.heads), d.memory*d.heads)
	scores := t.SpanLinear(x, t.HeadProducts(kv, 0, l.q.w, true, d.heads), true, offsets, spans)
	return t.SpanLinear(t.GroupSoftmax(scores, d.heads, 0.25), t.HeadProducts(kv, d.width, l.crossOut.w, false, d.heads), false, l.crossOut.b, spans)
}

// step computes the losses of a chunk and the gradients of their sum.
func (d *decoder) step(t *tensor.Tape, c *chunk) (losses *tensor.Var) {
	t.Reset()
	losses = d.forward(t, c.z, c.tokens, c.spans)
	for i := range losses.Grad {
		losses.Grad[i] = 1
	}
	t.Backward()
	return losses
}

// flops returns the operations of a forward pass plus a backward pass to z alone.
func (d *decoder) flops(lengths []int) float64 {
	products := 0.0
	for _, n := range lengths {
		n, w := float64(n), float64(d.width)
		linear := n*(3*w*w+w*w+2*w*float64(d.hidden)) + float64(d.memory)*4*w*w
		causal := n * (n + 1) / 2 * 2 * w
		cross := n * float64(d.memory*d.heads) * 2 * w
		products += float64(len(d.layers))*(2*linear+3*causal+3*cross) + 2*n*w*float64(d.vocabulary)
	}
	return 2 * products
}

// chunk is a part of a batch, processed on one tape.
type chunk struct {
	lengths []int
	tokens  []int32
	spans   *tensor.Spans
	z       *tensor.Var
}

// chunksOf splits the batch into chunks of at most rows tokens.
func chunksOf(lengths []int, rows, width, memory int) []*chunk {
	lengths = slices.Clone(lengths)
	slices.Sort(lengths)
	slices.Reverse(lengths)
	rng := newRand()
	var chunks []*chunk
	var c *chunk
	for _, n := range lengths {
		if c == nil || len(c.tokens)+n > rows {
			c = new(chunk)
			chunks = append(chunks, c)
		}
		c.lengths = append(c.lengths, n)
		for range n {
			c.tokens = append(c.tokens, rng.Int32N(97))
		}
	}
	for _, c := range chunks {
		c.spans = tensor.NewSpans(c.lengths)
		n := len(c.lengths) * memory * width
		c.z = &tensor.Var{Data: make([]float32, n), Grad: make([]float32, n), Rows: n / width, Cols: width}
		for i := range c.z.Data {
			c.z.Data[i] = float32(rng.NormFloat64())
		}
	}
	return chunks
}

// Losses and gradients are bit for bit the same for any number of processors.
func TestDecoderDeterminism(t *testing.T) {
	d := newDecoder(1, true)
	sequences := moleculeTokens[:24]
	if testing.Short() {
		sequences = sequences[:6]
	}
	c := chunksOf(sequences, math.MaxInt, d.width, d.memory)[0]
	run := func() uint64 {
		var tape tensor.Tape
		vars := append([]*tensor.Var{c.z}, d.params...)
		for _, v := range vars {
			clear(v.Grad)
		}
		losses := d.step(&tape, c)
		hash := fnv.New64a()
		for _, v := range vars {
			binary.Write(hash, binary.LittleEndian, v.Grad)
		}
		binary.Write(hash, binary.LittleEndian, losses.Data)
		return hash.Sum64()
	}
	want := run()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for procs := 1; procs <= 4; procs++ {
		runtime.GOMAXPROCS(procs)
		if run() != want {
			t.Errorf("GOMAXPROCS=%d: results differ", procs)
		}
	}
}

// The loss and its gradient in z are bit for bit the same for a sequence alone and in a batch.
func TestDecoderOfASequenceAlone(t *testing.T) {
	d := newDecoder(1, false)
	run := func(c *chunk) []float32 {
		var tape tensor.Tape
		return d.step(&tape, c).Data
	}
	c := chunksOf(moleculeTokens[:8], math.MaxInt, d.width, d.memory)[0]
	losses := run(c)
	for i, n := range c.lengths {
		lo, hi := c.spans.Span(i)
		alone := &chunk{z: rowsOf(c.z, i*d.memory, (i+1)*d.memory), tokens: c.tokens[lo:hi], spans: tensor.NewSpans([]int{n})}
		if run(alone)[0] != losses[i] || !slices.Equal(alone.z.Grad, c.z.Grad[i*d.memory*d.width:(i+1)*d.memory*d.width]) {
			t.Errorf("sequence %d of length %d: alone and in a batch differ", i, n)
		}
	}
}

// BenchmarkInversion times one iteration of inversion, forward and backward to z with frozen weights, for several
// chunk sizes (tokens per parallel task).
func BenchmarkInversion(b *testing.B) {
	d := newDecoder(6, false)
	peak, _ := simd.PeakFlops(100 * time.Millisecond)
	for _, rows := range []int{128, 256, 512, 4096} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			chunks := chunksOf(moleculeTokens, rows, d.width, d.memory)
			tapes := sync.Pool{New: func() any { return new(tensor.Tape) }} // reused while their memory is in the cache
			b.ReportAllocs()
			for b.Loop() {
				parallel.For(len(chunks), 1, func(i, _ int) {
					c, tape := chunks[i], tapes.Get().(*tensor.Tape)
					defer tapes.Put(tape)
					d.step(tape, c)
				})
			}
			rate := d.flops(moleculeTokens) * float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(rate/1e9, "GFLOP/s")
			b.ReportMetric(100*rate/peak/float64(runtime.GOMAXPROCS(0)), "%peak")
		})
	}
}

// BenchmarkTraining times forward and backward to all weights, for several chunk sizes (tokens), sequentially.
func BenchmarkTraining(b *testing.B) {
	d := newDecoder(6, true)
	peak, _ := simd.PeakFlops(100 * time.Millisecond)
	for _, rows := range []int{256, 4096} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			chunks := chunksOf(moleculeTokens, rows, d.width, d.memory)
			var tape tensor.Tape
			b.ReportAllocs()
			for b.Loop() {
				for _, c := range chunks {
					d.step(&tape, c)
				}
			}
			rate := 1.5 * d.flops(moleculeTokens) * float64(b.N) / b.Elapsed().Seconds() // a third product per weight
			b.ReportMetric(rate/1e9, "GFLOP/s")
			b.ReportMetric(100*rate/peak/float64(runtime.GOMAXPROCS(0)), "%peak")
		})
	}
}

func BenchmarkDropout(b *testing.B) {
	x := &tensor.Var{Data: make([]float32, 256*128), Grad: make([]float32, 256*128), Rows: 256, Cols: 128}
	var tape tensor.Tape
	for b.Loop() {
		tape.Reset()
		tape.Grad(tape.Dropout(x, 0.1, 1))
		tape.Backward()
	}
}
