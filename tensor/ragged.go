package tensor

import (
	"fmt"
	"slices"
)

// Ragged is the layout of a batch of sequences of different lengths without padding: time-major rows,
// longest sequence first. Step t holds one row for each sequence longer than t, so that the sequences
// that go on are always the first ones.
type Ragged struct {
	Lengths []int // of the sequences, longest first, each at least 1
	starts  []int // row of (sequence 0, step t); the last entry is the number of rows
}

// NewRagged returns the layout of sequences of these lengths. It panics unless they are positive and descend.
func NewRagged(lengths []int) *Ragged {
	r := &Ragged{Lengths: lengths, starts: []int{0}}
	if len(lengths) == 0 {
		return r
	}
	for t := range lengths[0] {
		n, _ := slices.BinarySearchFunc(lengths, t, func(length, t int) int {
			if length > t {
				return -1
			}
			return 1
		})
		r.starts = append(r.starts, r.starts[t]+n)
	}
	if r.Rows() == 0 || !slices.IsSortedFunc(lengths, func(a, b int) int { return b - a }) || lengths[len(lengths)-1] < 1 {
		panic(fmt.Sprintf("tensor: NewRagged: lengths %v are not positive and descending", lengths))
	}
	return r
}

// Rows returns the sum of the lengths.
func (r *Ragged) Rows() int { return r.starts[len(r.starts)-1] }

// Steps returns the largest length.
func (r *Ragged) Steps() int { return len(r.starts) - 1 }

// Row returns the row of step t of sequence i.
func (r *Ragged) Row(i, t int) int { return r.starts[t] + i }

// alive returns how many sequences are longer than t.
func (r *Ragged) alive(t int) int { return r.starts[t+1] - r.starts[t] }
