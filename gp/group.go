package gp

import (
	"slices"

	"github.com/invbo/invbo/internal/simd"
)

// group holds the counts of a group of features of points by feature, so that a structure is compared with many points
// at a time.
type group struct {
	at       map[uint64]int // of a feature, in features
	features []having
	table    []uint8 // (rows, stride): counts of features that many points have, up to mostCount
	rows     int
	stride   int // of the table: room for points, a multiple of simd.CountBlock
	totals   []uint32
	points   []Counts
}

// having is what points have of a feature.
type having struct {
	few []posting // in the order of points; with a row, only counts above mostCount
	row int       // of the table; −1: none
}

// posting says that point j has a feature so often; if the feature has a row, so often above mostCount.
type posting struct {
	j int
	n uint32
}

const (
	mostCount = 255 // in a row
	crowd     = 32  // a feature gets a row when one point in so many has it; until then a list is faster
)

func newGroup() group { return group{at: map[uint64]int{}} }

// add appends a point.
func (g *group) add(c Counts) {
	j := len(g.points)
	if j == g.stride {
		g.widen(max(2*simd.CountBlock, (j*5/4+simd.CountBlock)/simd.CountBlock*simd.CountBlock))
	}
	for k, id := range c.IDs {
		at, ok := g.at[id]
		if !ok {
			at = len(g.features)
			g.at[id], g.features = at, append(g.features, having{row: -1})
		}
		f := &g.features[at]
		if f.row < 0 && len(f.few) >= g.stride/crowd {
			g.tabulate(f)
		}
		n := c.N[k]
		if f.row >= 0 {
			g.table[f.row*g.stride+j] = uint8(min(n, mostCount))
			n -= min(n, mostCount)
		}
		if n > 0 {
			f.few = append(f.few, posting{j, n})
		}
	}
	g.points, g.totals = append(g.points, c), append(g.totals, uint32(total(c)))
}

// tabulate gives a feature a row of the table.
func (g *group) tabulate(f *having) {
	f.row = g.rows
	g.rows++
	g.table = append(g.table, make([]uint8, g.stride)...)
	row := g.table[f.row*g.stride:]
	some := f.few
	f.few = nil
	for _, p := range some {
		row[p.j] = uint8(min(p.n, mostCount))
		if p.n > mostCount {
			f.few = append(f.few, posting{p.j, p.n - mostCount})
		}
	}
}

// widen makes room in the rows.
func (g *group) widen(stride int) {
	table := make([]uint8, g.rows*stride)
	for r := range g.rows {
		copy(table[r*stride:], g.table[r*g.stride:(r+1)*g.stride])
	}
	g.table, g.stride = table, stride
}

// truncate takes off all points after the first n.
func (g *group) truncate(n int) {
	for i, c := range g.points[n:] {
		for _, id := range c.IDs {
			f := &g.features[g.at[id]]
			if f.row >= 0 {
				g.table[f.row*g.stride+n+i] = 0
			}
			for len(f.few) > 0 && f.few[len(f.few)-1].j >= n {
				f.few = f.few[:len(f.few)-1]
			}
		}
	}
	g.points, g.totals = g.points[:n], g.totals[:n]
}

// sums is what a structure has in common with points.
type sums struct {
	total  uint32   // of its counts
	common []uint32 // Σ min(aᵢ, bᵢ) with each point, and room

	from []int // of rows of the table
	most []uint8
}

// compare sets s to what a structure has in common with each of the first n points.
func (g *group) compare(c Counts, n int, s *sums) {
	s.total = uint32(total(c))
	room := (n + simd.CountBlock - 1) / simd.CountBlock * simd.CountBlock
	s.common = slices.Grow(s.common[:0], room)[:room]
	clear(s.common)
	s.from, s.most = s.from[:0], s.most[:0]
	for k, id := range c.IDs {
		at, ok := g.at[id]
		if !ok {
			continue
		}
		f, count := &g.features[at], c.N[k]
		if f.row >= 0 {
			s.from, s.most = append(s.from, f.row*g.stride), append(s.most, uint8(min(count, mostCount)))
			count -= min(count, mostCount)
		}
		for _, p := range f.few {
			if p.j >= n {
				break
			}
			s.common[p.j] += min(count, p.n)
		}
	}
	simd.AddMinima(s.common, g.table, s.from, s.most)
}
