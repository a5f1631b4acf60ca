package tensor_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/tensor"
)

// Sequences occupy consecutive spans of rows.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(1, 700), 0, 20).Draw(t, "lengths")
		spans := tensor.NewSpans(lengths)
		row := 0
		for i, n := range lengths {
			lo, hi := spans.Span(i)
			if lo != row || hi != row+n {
				t.Fatalf("lengths %v: sequence %d is [%d, %d), want [%d, %d)", lengths, i, lo, hi, row, row+n)
			}
			row = hi
		}
		if spans.Len() != len(lengths) || spans.Rows() != row {
			t.Fatalf("lengths %v: %d sequences of %d rows", lengths, spans.Len(), spans.Rows())
		}
	})
}
