package evolve

import (
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
)

// reader describes strings, and remembers those seen lately.
type reader struct {
	read1         func(x string) (Description, error)
	recent, older map[string]*Description // nil: not of the space
}

// remembered is how many strings are kept, those of the latest calls first, and up to twice as many: some kB each.
const remembered = 30_000

// read describes strings; nil stands for one that is not of the space. The descriptions are shared: do not modify them.
func (r *reader) read(xs []string) []*Description {
	if r.recent == nil || len(r.recent) >= remembered {
		r.recent, r.older = map[string]*Description{}, r.recent
	}
	out := make([]*Description, len(xs))
	parallel.For(len(xs), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var ok bool
			if out[i], ok = r.recent[xs[i]]; ok {
				continue
			}
			if out[i], ok = r.older[xs[i]]; ok {
				continue
			}
			if d, err := r.read1(xs[i]); err == nil {
				out[i] = &d
			}
		}
	})
	for i, x := range xs {
		r.recent[x] = out[i]
	}
	return out
}

// groups returns the features of descriptions.
func groups(all []*Description) [][]gp.Counts {
	out := make([][]gp.Counts, len(all))
	for i, d := range all {
		out[i] = d.Groups
	}
	return out
}
