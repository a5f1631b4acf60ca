package tensor

import (
	"fmt"
	"slices"
)

// blockSize is how many sequences of a Ragged lie together, and are one goroutine's task: two tiles of the matrix
// product, few enough that a hundred sequences share out evenly and that what belongs to them stays in the cache.
const blockSize = 24

// Ragged is the layout of a batch of sequences of different lengths without padding, longest sequence
// first. Blocks of sequences lie one behind the other, each time-major: step t holds one row for each
// sequence of the block longer than t, so that the sequences that go on are always the first ones.
type Ragged struct {
	Lengths []int // of the sequences, longest first, each at least 1
	blocks  []block
}

// block is the rows of sequences [lo, hi).
type block struct {
	lo, hi int
	starts []int // row of (sequence lo, step t); the last entry is where the block ends
}

// NewRagged returns the layout of sequences of these lengths. It panics unless they are positive and descend.
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

// steps returns the length of the block's longest sequence.
func (b *block) steps() int { return len(b.starts) - 1 }

// begin and end return the block's first row, and the one behind its last.
func (b *block) begin() int { return b.starts[0] }
func (b *block) end() int   { return b.starts[len(b.starts)-1] }

// alive returns how many sequences are longer than t.
func (b *block) alive(t int) int { return b.starts[t+1] - b.starts[t] }
