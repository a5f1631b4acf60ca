package gp

import "slices"

// group holds the counts of a group of features of points, mostly as bits, so that a structure is compared with 64 points at a
// time.
type group struct {
	rows   map[uint64][]uint64 // of a feature: a row of the points that have it, one of those that have it twice, …
	words  int                 // of a row: 64 points each
	often  map[uint64][]excess // of a feature: points that have it more often than there are rows
	points []Counts
	totals []uint64 // of points
}

// mostRows is the most rows of a feature.
const mostRows = 64

// excess is by how much the count of point j exceeds mostRows.
type excess struct {
	j int
	n uint32
}

func newGroup() group { return group{rows: map[uint64][]uint64{}, often: map[uint64][]excess{}} }

// add appends a point.
func (g *group) add(c Counts) {
	j := len(g.points)
	if j == 64*g.words {
		g.widen(g.words*5/4 + 2)
	}
	for k, id := range c.IDs {
		n := c.N[k]
		rows := g.rows[id]
		if missing := int(min(n, mostRows))*g.words - len(rows); missing > 0 {
			rows = append(rows, make([]uint64, missing)...)
			g.rows[id] = rows
		}
		for t := range int(min(n, mostRows)) {
			rows[t*g.words+j/64] |= 1 << (j % 64)
		}
		if n > mostRows {
			g.often[id] = append(g.often[id], excess{j, n - mostRows})
		}
	}
	g.points, g.totals = append(g.points, c), append(g.totals, total(c))
}

// widen makes room in the rows.
func (g *group) widen(words int) {
	wide := make(map[uint64][]uint64, len(g.rows))
	for id, rows := range g.rows {
		w := make([]uint64, 0, len(rows)/g.words*words)
		for row := range slices.Chunk(rows, g.words) {
			w = append(append(w, row...), make([]uint64, words-g.words)...)
		}
		wide[id] = w
	}
	g.rows, g.words = wide, words
}

// truncate takes off all points after the first n.
func (g *group) truncate(n int) {
	for i, c := range g.points[n:] {
		j := n + i
		for k, id := range c.IDs {
			rows := g.rows[id]
			for t := range int(min(c.N[k], mostRows)) {
				rows[t*g.words+j/64] &^= 1 << (j % 64)
			}
			if c.N[k] > mostRows {
				g.often[id] = g.often[id][:len(g.often[id])-1]
			}
		}
	}
	g.points, g.totals = g.points[:n], g.totals[:n]
}

// sums is what a structure has in common with points.
type sums struct {
	total  float64  // of its counts
	common []uint64 // Σ min(aᵢ, bᵢ) with each point

	planes [][32]uint64 // of 64 points each: plane k holds bit k of how many of its rows they are in
	zero   []uint64     // a row
}

// compare sets s to what a structure has in common with each point.
func (g *group) compare(c Counts, s *sums) {
	s.total = float64(total(c))
	if len(s.planes) != g.words {
		*s = sums{total: s.total, common: make([]uint64, 64*g.words), planes: make([][32]uint64, g.words), zero: make([]uint64, g.words)}
	}
	if len(g.rows) < 2 {
		g.compareTotals(c, s.common)
		return
	}
	clear(s.planes)
	clear(s.common)
	none := [4][]uint64{s.zero, s.zero, s.zero, s.zero}
	rows, n := none, 0
	for k, id := range c.IDs {
		having := g.rows[id]
		having = having[:min(len(having), int(min(c.N[k], mostRows))*g.words)]
		for row := range slices.Chunk(having, max(1, g.words)) {
			rows[n] = row
			if n++; n == len(rows) {
				s.add(rows)
				rows, n = none, 0
			}
		}
	}
	s.add(rows)
	for w := range s.planes {
		some := s.common[w*64 : w*64+64]
		for k, plane := range s.planes[w] {
			if plane == 0 {
				continue
			}
			for j := range some {
				some[j] += plane >> j & 1 << k
			}
		}
	}
	for k, id := range c.IDs {
		if n := c.N[k]; n > mostRows {
			for _, e := range g.often[id] {
				s.common[e.j] += uint64(min(n-mostRows, e.n))
			}
		}
	}
}

// compareTotals is compare if there is one feature, such as a quantity.
func (g *group) compareTotals(c Counts, common []uint64) {
	var amount uint64 // of that feature
	for k, id := range c.IDs {
		if _, ok := g.rows[id]; ok {
			amount = uint64(c.N[k])
		}
	}
	for j, of := range g.totals {
		common[j] = min(amount, of)
	}
}

// add counts rows with carry-save adders (Harley and Seal).
func (s *sums) add(rows [4][]uint64) {
	n := len(s.planes)
	a, b, c, d := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
	for w := range s.planes {
		p := &s.planes[w]
		ones, ab := fullAdder(p[0], a[w], b[w])
		ones, cd := fullAdder(ones, c[w], d[w])
		twos, carry := fullAdder(p[1], ab, cd)
		p[0], p[1] = ones, twos
		for k := 2; carry != 0; k++ {
			p[k], carry = p[k]^carry, p[k]&carry
		}
	}
}

// fullAdder adds three numbers of one bit, 64 times.
func fullAdder(a, b, c uint64) (sum, carry uint64) {
	half := a ^ b
	return half ^ c, a&b | half&c
}
