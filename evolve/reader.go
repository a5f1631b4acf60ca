package evolve

import (
	"slices"
	"sync"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
)

// reader describes strings, and remembers those seen lately; those of the pool, which come back, for longer.
type reader struct {
	read1        func(x string) (Description, error)
	check        func(d *Description) error // of those that operators give; nil: none is checked
	lately, pool cache
}

func newReader(read func(x string) (Description, error)) *reader {
	return &reader{read1: read, lately: cache{most: latest}, pool: cache{most: pooled}}
}

// Strings that are remembered, and up to twice as many, or fewer if they are long. Children are asked for again in
// their batch, if at all.
const (
	latest = 5_000
	pooled = 20_000
	usual  = 500 // features of a string: some kB
)

// cache holds descriptions of the latest strings; nil: not of the space. It is safe for concurrent use.
type cache struct {
	most          int // strings in recent
	mu            sync.RWMutex
	recent, older map[string]*Description
	features      int // of recent
}

func (c *cache) get(x string) (d *Description, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if d, ok = c.recent[x]; !ok {
		d, ok = c.older[x]
	}
	return d, ok
}

func (c *cache) put(xs []string, described []*Description) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recent == nil || len(c.recent) >= c.most || c.features >= c.most*usual {
		c.recent, c.older, c.features = map[string]*Description{}, c.recent, 0
	}
	for i, x := range xs {
		if _, ok := c.recent[x]; ok {
			continue
		}
		d := described[i]
		c.recent[x] = d
		if d != nil {
			c.features += len(d.Risks)
			for _, g := range d.Groups {
				c.features += len(g.IDs)
			}
		}
	}
}

// compact returns a description whose groups lie one after the other: tens of thousands are remembered, and the garbage
// collector visits each piece of memory.
func compact(d Description) *Description {
	size := 0
	for _, c := range d.Groups {
		size += len(c.IDs)
	}
	ids, n, groups := make([]uint64, 0, size), make([]uint32, 0, size), make([]gp.Counts, len(d.Groups))
	for i, c := range d.Groups {
		from := len(ids)
		ids, n = append(ids, c.IDs...), append(n, c.N...)
		groups[i] = gp.Counts{IDs: ids[from:], N: n[from:]}
	}
	d.Groups = groups
	return &d
}

// read describes strings; nil stands for one that is not of the space. The descriptions are shared: do not modify them.
func (r *reader) read(xs []string) []*Description { return r.describe(children(xs), &r.lately) }

// children returns strings as children that nobody has described.
func children(xs []string) []Child {
	all := make([]Child, len(xs))
	for i, x := range xs {
		all[i].X = x
	}
	return all
}

// describe is read for children, which their operators may have described, or strings of the pool. They are remembered
// in a cache of r, but for those that their operators described wrongly, which are not of the space.
func (r *reader) describe(children []Child, in *cache) []*Description {
	xs, out := make([]string, len(children)), make([]*Description, len(children))
	wrong := make([]bool, len(children))
	parallel.For(len(children), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c := children[i]
			xs[i] = c.X
			if d := c.Description; d != nil {
				if wrong[i] = r.check != nil && r.check(d) != nil; !wrong[i] {
					out[i] = compact(*d)
				}
				continue
			}
			var ok bool
			if out[i], ok = r.lately.get(c.X); ok {
				continue
			}
			if out[i], ok = r.pool.get(c.X); ok {
				continue
			}
			if d, err := r.read1(c.X); err == nil {
				out[i] = compact(d)
			}
		}
	})
	if slices.Contains(wrong, true) {
		right := slices.DeleteFunc(stats.Indices(len(xs)), func(i int) bool { return wrong[i] })
		in.put(stats.Pick(xs, right), stats.Pick(out, right))
	} else {
		in.put(xs, out)
	}
	return out
}
