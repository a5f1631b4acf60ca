package sequence

import (
	"context"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/tensor"
)

// The approximate number of tokens per parallel task: few enough that the operands of a layer stay in the cache. It
// bounds memory per goroutine (at the published sizes about 100 kB per token in inversion, 150 kB in training) and the
// delay of cancellation.
const (
	chunkTokens         = 256
	trainingChunkTokens = 512 // more, because each task reads and writes the gradient of all weights
)

// chunk is a range [lo, hi) of the strings of a batch.
type chunk struct{ lo, hi int }

// chunks divides strings, in order, into chunks of nearly equal numbers of tokens, at most about size.
func chunks(strings [][]int32, size int) []chunk {
	total := 0
	for _, s := range strings {
		total += len(s)
	}
	n := (total + size - 1) / size
	all := make([]chunk, 0, n)
	lo, tokens := 0, 0
	for i, s := range strings {
		tokens += len(s)
		if tokens*n >= total*(len(all)+1) { // true at the last string
			all = append(all, chunk{lo, i + 1})
			lo = i + 1
		}
	}
	return all
}

// eachChunk calls f for every chunk of strings with an empty tape, in parallel. If ctx is cancelled it stops early and
// returns the cause.
func (m *Model) eachChunk(ctx context.Context, strings [][]int32, f func(t *tensor.Tape, c chunk)) error {
	all := chunks(strings, chunkTokens)
	parallel.For(len(all), 1, func(k, _ int) {
		if ctx.Err() != nil {
			return
		}
		t := m.tapes.Get().(*tensor.Tape)
		t.Reset()
		f(t, all[k])
		m.tapes.Put(t)
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
