package evolve

import (
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
)

// reader describes strings, and remembers those seen lately; those of the pool, which come back, for longer.
type reader struct {
	read1        func(x string) (Description, error)
	groups       int // of features that kernels name, and others are dropped; 0: keep all
	lately, pool cache
}

// Strings that are remembered, and up to twice as many, or fewer if they are long. Children are asked for again in their batch, if at all.
const (
	latest = 5_000
	pooled = 20_000
	usual  = 500 // features of a string: some kB
)

// cache holds descriptions of the latest strings; nil: not of the space.
type cache struct {
	recent, older map[string]*packed
	features      int // of recent
}

func (c *cache) get(x string) (d *Description, ok bool) {
	p, ok := c.recent[x]
	if !ok {
		p, ok = c.older[x]
	}
	return p.description(), ok
}

func (c *cache) put(xs []string, described []*Description, most int) {
	if c.recent == nil || len(c.recent) >= most || c.features >= most*usual {
		c.recent, c.older, c.features = map[string]*packed{}, c.recent, 0
	}
	for i, x := range xs {
		if _, ok := c.recent[x]; ok {
			continue
		}
		p, ok := c.older[x]
		if !ok {
			p = pack(described[i])
		}
		c.recent[x] = p
		if p != nil {
			c.features += len(p.ids) + len(p.all.Risks)
		}
	}
}

// packed is a Description whose groups lie one after the other: tens of thousands are remembered, and the garbage collector visits
// each piece of memory.
type packed struct {
	all   Description // without groups
	ids   []uint64
	n     []uint32
	sizes []uint32 // of the groups
}

// pack returns nil for nil, as does description.
func pack(d *Description) *packed {
	if d == nil {
		return nil
	}
	p := &packed{all: *d, sizes: make([]uint32, len(d.Groups))}
	p.all.Groups = nil
	size := 0
	for i, c := range d.Groups {
		p.sizes[i] = uint32(len(c.IDs))
		size += len(c.IDs)
	}
	p.ids, p.n = make([]uint64, 0, size), make([]uint32, 0, size)
	for _, c := range d.Groups {
		p.ids, p.n = append(p.ids, c.IDs...), append(p.n, c.N...)
	}
	return p
}

func (p *packed) description() *Description {
	if p == nil {
		return nil
	}
	d := p.all
	d.Groups = make([]gp.Counts, len(p.sizes))
	from := 0
	for i, size := range p.sizes {
		to := from + int(size)
		d.Groups[i] = gp.Counts{IDs: p.ids[from:to:to], N: p.n[from:to:to]}
		from = to
	}
	return &d
}

// read describes strings; nil stands for one that is not of the space. The descriptions are shared: do not modify them.
func (r *reader) read(xs []string) []*Description {
	return r.complete(xs, make([]*Description, len(xs)), &r.lately, latest)
}

// readChildren is read for children, which their operators may have described.
func (r *reader) readChildren(children []Child) []*Description {
	xs, out := make([]string, len(children)), make([]*Description, len(children))
	for i, c := range children {
		if xs[i] = c.X; c.Description != nil {
			out[i] = r.trimmed(*c.Description)
		}
	}
	return r.complete(xs, out, &r.lately, latest)
}

// readPool is read for strings of the pool.
func (r *reader) readPool(xs []string) []*Description {
	return r.complete(xs, make([]*Description, len(xs)), &r.pool, pooled)
}

// complete describes the strings whose description is nil, and remembers all.
func (r *reader) complete(xs []string, out []*Description, in *cache, most int) []*Description {
	parallel.For(len(xs), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if out[i] != nil {
				continue
			}
			var ok bool
			if out[i], ok = r.lately.get(xs[i]); ok {
				continue
			}
			if out[i], ok = r.pool.get(xs[i]); ok {
				continue
			}
			if d, err := r.read1(xs[i]); err == nil {
				out[i] = r.trimmed(d)
			}
		}
	})
	in.put(xs, out, most)
	return out
}

// trimmed returns a description without the groups that no kernel names.
func (r *reader) trimmed(d Description) *Description {
	if r.groups > 0 && len(d.Groups) > r.groups {
		d.Groups = d.Groups[:r.groups]
	}
	return &d
}

// groups returns the features of descriptions.
func groups(all []*Description) [][]gp.Counts {
	out := make([][]gp.Counts, len(all))
	for i, d := range all {
		out[i] = d.Groups
	}
	return out
}
