package tensor

import (
	"fmt"

	"github.com/invbo/invbo/internal/parallel"
)

// spanBlock is about how many rows of a Spans are one goroutine's task: few enough that what an operation reads
// and writes of them stays in the cache. A batch of no more rows is computed in the caller's goroutine.
const spanBlock = 512

// Spans is the layout of a batch of sequences of different lengths that lie end to end, without padding and in
// any order: each is a span of consecutive rows. It is the layout of transformers; Ragged is that of recurrent layers.
type Spans struct {
	starts []int // row of each sequence; the last entry is where the last one ends
	blocks []int // first sequence of each task; the last entry is the number of sequences
}

// NewSpans returns the layout of sequences of these lengths. It panics unless they are positive.
func NewSpans(lengths []int) *Spans {
	s := &Spans{starts: make([]int, 1, len(lengths)+1), blocks: make([]int, 1, 2)}
	row := 0
	for i, n := range lengths {
		if n < 1 {
			panic(fmt.Sprintf("tensor: NewSpans: sequence %d has %d rows", i, n))
		}
		if first := s.starts[s.blocks[len(s.blocks)-1]]; row > first && row+n > first+spanBlock {
			s.blocks = append(s.blocks, i)
		}
		row += n
		s.starts = append(s.starts, row)
	}
	if len(lengths) > 0 {
		s.blocks = append(s.blocks, len(lengths))
	}
	return s
}

// Len returns the number of sequences.
func (s *Spans) Len() int { return len(s.starts) - 1 }

// Rows returns the sum of the lengths.
func (s *Spans) Rows() int { return s.starts[s.Len()] }

// Span returns the rows [lo, hi) of sequence i.
func (s *Spans) Span(i int) (lo, hi int) { return s.starts[i], s.starts[i+1] }

// each calls f for every sequence, those of a block one after the other in one goroutine.
func (s *Spans) each(f func(i, lo, hi int)) {
	parallel.For(len(s.blocks)-1, 1, func(block, _ int) {
		for i := s.blocks[block]; i < s.blocks[block+1]; i++ {
			f(i, s.starts[i], s.starts[i+1])
		}
	})
}
