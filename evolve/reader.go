package evolve

import (
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
)

// reader describes strings, and remembers those seen lately; those of the pool, which come back, for longer.
type reader struct {
	read1        func(x string) (Description, error)
	lately, pool cache
}

// Strings that are remembered, and up to twice as many: some kB each. Children are asked for again in their batch, if at all.
const (
	latest = 5_000
	pooled = 20_000
)

// cache holds descriptions of the latest strings; nil: not of the space.
type cache struct{ recent, older map[string]*Description }

func (c *cache) get(x string) (d *Description, ok bool) {
	if d, ok = c.recent[x]; !ok {
		d, ok = c.older[x]
	}
	return d, ok
}

func (c *cache) put(xs []string, described []*Description, most int) {
	if c.recent == nil || len(c.recent) >= most {
		c.recent, c.older = map[string]*Description{}, c.recent
	}
	for i, x := range xs {
		c.recent[x] = described[i]
	}
}

// read describes strings; nil stands for one that is not of the space. The descriptions are shared: do not modify them.
func (r *reader) read(xs []string) []*Description {
	out := r.describe(xs)
	r.lately.put(xs, out, latest)
	return out
}

// readPool is read for strings of the pool.
func (r *reader) readPool(xs []string) []*Description {
	out := r.describe(xs)
	r.pool.put(xs, out, pooled)
	return out
}

func (r *reader) describe(xs []string) []*Description {
	out := make([]*Description, len(xs))
	parallel.For(len(xs), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var ok bool
			if out[i], ok = r.lately.get(xs[i]); ok {
				continue
			}
			if out[i], ok = r.pool.get(xs[i]); ok {
				continue
			}
			if d, err := r.read1(xs[i]); err == nil {
				out[i] = &d
			}
		}
	})
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
