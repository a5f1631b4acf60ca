package tensor

import (
	"fmt"
	"slices"
)

// blockSize is the number of sequences per block of a Ragged and per parallel task. Two tiles of the matrix
// product divide a hundred sequences evenly among processors, and a block's values stay in the cache.
const blockSize = 24

// Ragged is the layout of a batch of sequences of different lengths without padding, for recurrent layers
// (Spans is the layout for transformers). Sequences are sorted, the longest first, and stored in time-major
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

// Rows returns the sum of the lengths.
func (r *Ragged) Rows() int {
	if len(r.blocks) == 0 {
		return 0
	}
	return r.blocks[len(r.blocks)-1].end()
}

// Row returns the row of step t of sequence i.
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
