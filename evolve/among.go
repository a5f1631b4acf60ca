package evolve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/invbo/invbo/study"
)

// Where few strings may be proposed, all are judged. Of more, the best of the latest batch are judged again, and others
// at random, so that all have their turn.
const (
	mostJudged  = 100_000 // strings for a batch
	judgedAgain = 10_000  // the best ones
	chunk       = 5_000   // strings at a time, so that Ctrl-C is heard, and their predictions take little memory
)

// among returns the strings that may be proposed and have no score, best first. It sets the best of the search.
func (s *Searcher) among(ctx context.Context, b *search, known study.Ledger) ([]candidate, error) {
	open := func(i int) bool { return known.Lookup(s.space.Only[i]).State.Open() }
	var at []int
	if len(s.space.Only) <= mostJudged {
		for i := range s.space.Only {
			if open(i) {
				at = append(at, i)
			}
		}
	} else {
		in := map[int]bool{}
		for _, i := range append(slices.Clone(s.best), b.rng.Perm(len(s.space.Only))...) {
			if len(at) < mostJudged && !in[i] && open(i) {
				in[i] = true
				at = append(at, i)
			}
		}
	}
	var all []candidate
	for some := range slices.Chunk(at, chunk) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		children := make([]Child, len(some))
		for k, i := range some {
			children[k].X = s.space.Only[i]
		}
		values, ok := s.judge(&b.a, children, &s.reader.pool)
		for k, i := range some {
			if ok[k] {
				all = append(all, candidate{x: s.space.Only[i], at: i, op: len(s.records) - 1, value: values[k]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.value, a.value) })
	if len(s.space.Only) <= mostJudged {
		return all, nil
	}
	for _, c := range all[:min(judgedAgain, len(all))] {
		b.best = append(b.best, c.at)
	}
	return all, nil
}

// exhausted is study.ErrExhausted where so many strings may be proposed.
type exhausted int

func (n exhausted) Error() string {
	return fmt.Sprintf("of the %d strings that may be proposed, all are known, wait for a score, or are not feasible", int(n))
}

func (exhausted) Is(target error) bool { return target == study.ErrExhausted }
