// Package lazy makes random strings when they are first wanted.
package lazy

import (
	"math/rand/v2"
	"sync"

	"github.com/invbo/invbo/internal/parallel"
)

// size is how many strings a Pool has.
const size = 4_000

// Pool is a fixed set of random strings, each a function of its number alone, so that it does not matter when it is
// made. It is safe for concurrent use.
type Pool struct {
	Make func(rng *rand.Rand) string // "" where there is none; called from several goroutines

	mu   sync.Mutex
	made map[int]string
}

// Sample returns about n strings, a quarter of the Pool at most.
func (p *Pool) Sample(n int, rng *rand.Rand) []string {
	var at, missing []int
	for range min(n, size/4) {
		at = append(at, rng.IntN(size))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made == nil {
		p.made = map[int]string{}
	}
	for _, i := range at {
		if _, ok := p.made[i]; !ok {
			missing = append(missing, i)
			p.made[i] = "" // not twice in missing
		}
	}
	made := make([]string, len(missing))
	parallel.For(len(missing), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			made[k] = p.Make(rand.New(rand.NewPCG(1, uint64(missing[k]))))
		}
	})
	for k, i := range missing {
		p.made[i] = made[k]
	}
	var all []string
	for _, i := range at {
		if x := p.made[i]; x != "" {
			all = append(all, x)
		}
	}
	return all
}
