package tensor

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// Layout is the layout of a batch of sequences of different lengths without padding: Spans for transformers, Ragged for
// recurrent layers.
type Layout interface {
	Len() int            // number of sequences
	Rows() int           // sum of the lengths
	Steps(i int) int     // length of sequence i
	Row(i, step int) int // of a step of sequence i
}

// spanBlock is the approximate number of rows per parallel task: few enough that the operands of an operation
// stay in the cache. Batches of at most this size are computed in the caller's goroutine.
const spanBlock = 512

// Spans is a Layout of sequences in any order: each is a span of consecutive rows.
type Spans struct {
	starts []int // first row of each sequence, then the number of rows
}

// NewSpans returns the layout of sequences of the given lengths. It panics unless they are positive.
func NewSpans(lengths []int) *Spans {
	s := &Spans{starts: make([]int, 1, len(lengths)+1)}
	for i, n := range lengths {
		if n < 1 {
			panic(fmt.Sprintf("tensor: NewSpans: sequence %d has %d rows", i, n))
		}
		s.starts = append(s.starts, s.starts[i]+n)
	}
	return s
}

// Len, Rows, Steps and Row implement Layout.
func (s *Spans) Len() int            { return len(s.starts) - 1 }
func (s *Spans) Rows() int           { return s.starts[s.Len()] }
func (s *Spans) Steps(i int) int     { return s.starts[i+1] - s.starts[i] }
func (s *Spans) Row(i, step int) int { return s.starts[i] + step }

// Span returns the rows [lo, hi) of sequence i.
func (s *Spans) Span(i int) (lo, hi int) { return s.starts[i], s.starts[i+1] }

// each calls f for every sequence, in parallel.
func (s *Spans) each(f func(i, lo, hi int)) {
	parallel.For(s.Len(), grain(s), func(from, to int) {
		for i := from; i < to; i++ {
			f(i, s.starts[i], s.starts[i+1])
		}
	})
}

// grain returns the number of sequences per parallel task, about spanBlock rows.
func grain(l Layout) int { return max(1, spanBlock*l.Len()/max(l.Rows(), 1)) }

// FirstRows returns the first m rows of each sequence of x (rows of spans, c), as (sequences·m, c). It panics if
// a sequence has fewer.
func (t *Tape) FirstRows(x *Var, spans *Spans, m int) *Var {
	mustShape("FirstRows", "x", x, spans.Rows(), x.Cols)
	y := t.result(spans.Len()*m, x.Cols, x)
	for s := range spans.Len() {
		lo, hi := spans.Span(s)
		if hi-lo < m {
			panic(fmt.Sprintf("tensor: FirstRows: sequence %d has %d rows, want at least %d", s, hi-lo, m))
		}
		copy(y.Data[s*m*x.Cols:][:m*x.Cols], x.Data[lo*x.Cols:])
	}
	t.record(y, func() {
		size := m * y.Cols
		for s := range spans.Len() {
			lo, _ := spans.Span(s)
			dx := x.Grad[lo*x.Cols:][:size]
			simd.Add(dx, dx, y.Grad[s*size:][:size])
		}
	})
	return y
}

// blockSize is the number of sequences per block of a Ragged and per parallel task. Two tiles of the matrix
// product divide a hundred sequences evenly among processors, and a block's values stay in the cache.
const blockSize = 24

// Ragged is a Layout for recurrent layers. Sequences are sorted, the longest first, and stored in time-major
// blocks: step t has one row per sequence of the block longer than t, so active sequences always come first.
type Ragged struct {
	Lengths []int // of the sequences, in descending order, each at least 1
	blocks  []block
}

// block holds sequences [lo, hi).
type block struct {
	lo, hi int
	starts []int // row of (sequence lo, step t), then the end of the block
}

// NewRagged returns the layout of sequences of the given lengths. It panics unless they are positive and in
// descending order.
func NewRagged(lengths []int) *Ragged {
	if !slices.IsSortedFunc(lengths, func(a, b int) int { return b - a }) || len(lengths) > 0 && lengths[len(lengths)-1] < 1 {
		panic(fmt.Sprintf("tensor: NewRagged: lengths %v are not positive and descending", lengths))
	}
	r := &Ragged{Lengths: lengths}
	row := 0
	for lo := 0; lo < len(lengths); lo += blockSize {
		b := block{lo: lo, hi: min(lo+blockSize, len(lengths)), starts: make([]int, 0, lengths[lo]+1)}
		alive := b.hi - lo
		for t := range lengths[lo] {
			for lengths[lo+alive-1] <= t {
				alive--
			}
			b.starts = append(b.starts, row)
			row += alive
		}
		b.starts = append(b.starts, row)
		r.blocks = append(r.blocks, b)
	}
	return r
}

// Len, Steps, Rows and Row implement Layout.
func (r *Ragged) Len() int        { return len(r.Lengths) }
func (r *Ragged) Steps(i int) int { return r.Lengths[i] }
func (r *Ragged) Rows() int {
	if len(r.blocks) == 0 {
		return 0
	}
	return r.blocks[len(r.blocks)-1].end()
}

func (r *Ragged) Row(i, t int) int {
	b := &r.blocks[i/blockSize]
	return b.starts[t] + i - b.lo
}

// steps returns the length of the longest sequence of the block.
func (b *block) steps() int { return len(b.starts) - 1 }

// begin and end return the rows [begin, end) of the block.
func (b *block) begin() int { return b.starts[0] }
func (b *block) end() int   { return b.starts[len(b.starts)-1] }

// alive returns the number of sequences longer than t.
func (b *block) alive(t int) int { return b.starts[t+1] - b.starts[t] }
