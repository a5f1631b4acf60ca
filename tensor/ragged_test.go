package tensor_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/tensor"
)

// Row is a bijection of (sequence, step) pairs and rows.
func TestRaggedIsABijection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 60).Draw(t, "lengths")
		slices.SortFunc(lengths, func(a, b int) int { return b - a })
		seq := tensor.NewRagged(lengths)
		seen := make([]bool, seq.Rows())
		for i, length := range lengths {
			for step := range length {
				row := seq.Row(i, step)
				if seen[row] {
					t.Fatalf("row %d is taken twice", row)
				}
				seen[row] = true
			}
		}
		if slices.Contains(seen, false) {
			t.Fatalf("rows taken %v", seen)
		}
	})
}
