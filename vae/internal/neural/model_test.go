package neural

import (
	"context"
	"reflect"
	"runtime"
	"testing"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

type network struct{}

func (network) Params() *nn.Params                                      { return nil }
func (network) View(_, _ []float32) network                             { return network{} }
func (network) Encode(*tensor.Tape, [][]int32) (mu, logvar *tensor.Var) { return nil, nil }
func (network) Reconstruct(*tensor.Tape, *tensor.Var, [][]int32, tensor.Loss) (*tensor.Var, []float32) {
	return nil, nil
}
func (network) Decode(context.Context, *tensor.Tape, *tensor.Var) []string { return nil }
func (network) Split(string) ([]int32, error)                              { return nil, nil }

// Chunks have nearly equal sizes, and longer strings are processed in smaller chunks.
func TestChunks(t *testing.T) {
	byLength := Options{Size: func(tokens []int32) int { return len(tokens) }}
	padded := func(size int) Options { return Options{Size: func([]int32) int { return size }} }
	for _, tt := range []struct {
		opts    Options
		lengths []int
		most    int
		want    []Chunk
	}{
		{byLength, nil, 8, []Chunk{}},
		{byLength, []int{3, 3, 3, 3}, 8, []Chunk{{0, 2}, {2, 4}}},
		{byLength, []int{1, 1, 10, 1}, 8, []Chunk{{0, 3}, {3, 4}}},
		{padded(1), []int{9, 9, 9, 9}, 8, []Chunk{{0, 4}}},
		{padded(4), []int{9, 9, 9, 9}, 8, []Chunk{{0, 2}, {2, 4}}},
		{padded(1 << 20), []int{9, 9}, 8, []Chunk{{0, 1}, {1, 2}}},
	} {
		var strings [][]int32
		for _, n := range tt.lengths {
			strings = append(strings, make([]int32, n))
		}
		m := New(network{}, tt.opts)
		if got := m.chunks(strings, tt.most); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("strings of %v tokens, at most %d: %v, want %v", tt.lengths, tt.most, got, tt.want)
		}
	}
}

func TestDecodeGrain(t *testing.T) {
	tests := []struct{ procs, n, want int }{
		{2, 1, 1},
		{2, 5, 3},
		{2, 100, 50},
		{2, 64, 32},
		{8, 100, 13},
		{1, 1000, 250},
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, test := range tests {
		runtime.GOMAXPROCS(test.procs)
		if got := decodeGrain(test.n, 256); got != test.want {
			t.Errorf("%d latents on %d processors: blocks of %d, want %d", test.n, test.procs, got, test.want)
		}
	}
}
