package lazy_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/space/internal/lazy"
)

// A string is made once, it does not matter which were made before, and those that there are not are left out.
func TestSample(t *testing.T) {
	var calls atomic.Int64
	newPool := func() *lazy.Pool {
		return &lazy.Pool{Make: func(rng *rand.Rand) string {
			calls.Add(1)
			if n := rng.Uint64(); n%4 > 0 {
				return strconv.FormatUint(n, 10)
			}
			return ""
		}}
	}
	sample := func(p *lazy.Pool, seed uint64) []string { return p.Sample(300, rand.New(rand.NewPCG(seed, 0))) }
	p := newPool()
	first := sample(p, 1)
	if n := len(first); n < 180 || n > 270 {
		t.Errorf("%d strings of 300 numbers; a quarter of them has no string", n)
	}
	made := calls.Load()
	if again := sample(p, 1); calls.Load() != made || !slices.Equal(again, first) {
		t.Errorf("%d strings are made again; they are the same: %t", calls.Load()-made, slices.Equal(again, first))
	}
	other := newPool()
	sample(other, 2)
	if got := sample(other, 1); !slices.Equal(got, first) {
		t.Error("strings depend on those before")
	}
	if n := len(newPool().Sample(1_000_000, rand.New(rand.NewPCG(1, 0)))); n > 1000 {
		t.Errorf("%d strings, want a quarter of 4,000 at most", n)
	}
}
