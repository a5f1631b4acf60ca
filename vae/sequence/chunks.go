package sequence

import (
	"context"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/tensor"
)

// chunkTokens is about how many tokens go through the network together, in one goroutine: few enough that what a layer
// reads and writes stays in its processor's cache. It bounds each goroutine's memory (a token at the published sizes
// takes some 100 kB to invert, and 150 to train on) and the wait for a cancelled context.
const chunkTokens = 256

// chunk is the strings [lo, hi) of a batch.
type chunk struct{ lo, hi int }

// chunks divides strings, in order, into chunks of nearly as many tokens, about chunkTokens or fewer.
func chunks(strings [][]int32) []chunk {
	total := 0
	for _, s := range strings {
		total += len(s)
	}
	n := (total + chunkTokens - 1) / chunkTokens
	all := make([]chunk, 0, n)
	lo, tokens := 0, 0
	for i, s := range strings {
		tokens += len(s)
		if tokens*n >= total*(len(all)+1) { // holds at the last string
			all = append(all, chunk{lo, i + 1})
			lo = i + 1
		}
	}
	return all
}

// eachChunk calls f for every chunk of strings with an empty tape, from several goroutines. It stops early if ctx
// ends, and returns its cause.
func (m *Model) eachChunk(ctx context.Context, strings [][]int32, f func(t *tensor.Tape, c chunk)) error {
	all := chunks(strings)
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
