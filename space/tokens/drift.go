package tokens

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/invbo/invbo/evolve"
)

// drift is evolve.Space's Drift of strings of one length: in a best known string it writes other tokens at positions that do not matter, as far as
// known strings tell, those first that were tried least there.
func (e Edits) drift(known []evolve.Known, n int, rng *rand.Rand) []string {
	d := drift{edits: e, rng: rng, follow: map[[2]int]bool{}}
	number := map[string]int{}
	for i, t := range e.Alphabet {
		number[t] = i
	}
	best, longest := math.Inf(-1), 0
	for _, k := range known {
		var codes []int
		for _, t := range e.Split(k.X) {
			codes = append(codes, number[t])
		}
		for i := 1; i < len(codes); i++ {
			d.follow[[2]int{codes[i-1], codes[i]}] = true
		}
		d.known, d.values = append(d.known, codes), append(d.values, k.Value)
		best, longest = max(best, k.Value), max(longest, len(codes))
	}
	if math.IsInf(best, -1) {
		return nil
	}
	var parents [][]int
	for i, codes := range d.known {
		if d.values[i] == best {
			parents = append(parents, codes)
		}
	}
	d.compare(longest)
	chances := make([][]distuv.Beta, len(parents))
	var children []string
	for range n {
		at := rng.IntN(len(parents))
		p := parents[at]
		if chances[at] == nil {
			chances[at] = d.matter(p)
		}
		tokens := make([]string, len(p))
		for i, code := range d.child(p, positions(chances[at])) {
			tokens[i] = e.Alphabet[code]
		}
		children = append(children, e.join(tokens))
	}
	return children
}

type drift struct {
	edits  Edits
	rng    *rand.Rand
	known  [][]int // tokens of known strings, as their numbers in the alphabet
	values []float64
	follow map[[2]int]bool // pairs of neighbours that occur
	pairs  []pair
	tried  []map[int]int // at each position, in strings of pairs
}

// pair is a known string and the one most like it among the best before it: what they differ in made the one worse than the other, or nothing of
// it did.
type pair struct {
	better, other []int
	equal         bool
}

// compare finds the pairs of one length that differ in at most half of their positions.
func (d *drift) compare(longest int) {
	d.tried = make([]map[int]int, longest)
	for i := range d.tried {
		d.tried[i] = map[int]int{}
	}
	var best []int // of the strings so far
	for i, a := range d.known {
		nearest, least := -1, len(a)/2+1
		for _, j := range best {
			if b := d.known[j]; len(b) == len(a) {
				if n := distance(a, b, least); n < least {
					nearest, least = j, n
				}
			}
		}
		if nearest >= 0 {
			b := d.known[nearest]
			p := pair{better: a, other: b, equal: d.values[i] == d.values[nearest]}
			if d.values[i] < d.values[nearest] {
				p.better, p.other = b, a
			}
			d.pairs = append(d.pairs, p)
			for k, t := range a {
				d.tried[k][t]++
			}
		}
		if len(best) > 0 && d.values[i] > d.values[best[0]] {
			best = nil
		}
		if len(best) == 0 || d.values[i] == d.values[best[0]] {
			best = append(best, i)
		}
	}
}

// distance returns in how many positions strings differ, or most + 1 if it is more than that.
func distance(a, b []int, most int) (n int) {
	for i := range a {
		if a[i] != b[i] {
			if n++; n > most {
				break
			}
		}
	}
	return n
}

// child returns p with other tokens at positions, where neighbours allow.
func (d *drift) child(p, positions []int) []int {
	c := slices.Clone(p)
	for _, at := range positions {
		var least []int
		for t := range d.edits.Alphabet {
			switch {
			case t == p[at] || at > 0 && !d.follow[[2]int{c[at-1], t}] || at < len(c)-1 && !d.follow[[2]int{t, c[at+1]}]:
			case len(least) == 0 || d.tried[at][t] < d.tried[at][least[0]]:
				least = []int{t}
			case d.tried[at][t] == d.tried[at][least[0]]:
				least = append(least, t)
			}
		}
		if len(least) > 0 {
			c[at] = least[d.rng.IntN(len(least))]
		}
	}
	return c
}

// positions returns those to write at, in ascending order: as many as make most changes without harm, by a draw of the chances that each does
// harm.
func positions(chances []distuv.Beta) []int {
	drawn, order := make([]float64, len(chances)), make([]int, len(chances))
	for i, c := range chances {
		drawn[i], order[i] = c.Rand(), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(drawn[a], drawn[b]) })
	most, n, safe := 0.0, 0, 1.0
	for i, at := range order {
		if safe *= 1 - drawn[at]; float64(i+1)*safe > most {
			most, n = float64(i+1)*safe, i+1
		}
	}
	slices.Sort(order[:n])
	return order[:n]
}

// matter returns the distribution of the chance that another token does harm, for each position of p: uniform before there are pairs. A
// pair of strings with equal values tells that none of the positions where they differ matters. Of others, some position explains why the
// one is worse: each with a responsibility that follows its chance, found by expectation maximization (a noisy or). Only positions count
// at which the better string has p's token.
func (d *drift) matter(p []int) []distuv.Beta {
	chance := slices.Repeat([]float64{0.5}, len(p))
	all := make([]distuv.Beta, len(p))
	neutral := make([]float64, len(p))
	type suspects struct {
		at     []int
		others int // positions where neither string has p's token
	}
	var worse []suspects
	for _, pair := range d.pairs {
		if len(pair.better) != len(p) {
			continue
		}
		var s suspects
		for i := range p {
			switch a, b := pair.better[i], pair.other[i]; {
			case a == b:
			case a == p[i] || pair.equal && b == p[i]:
				s.at = append(s.at, i)
			default:
				s.others++
			}
		}
		if !pair.equal && len(s.at) > 0 {
			worse = append(worse, s)
			continue
		}
		for _, i := range s.at {
			neutral[i]++
		}
	}
	const steps, other = 10, 0.3 // chance of a position that p tells nothing of
	for range steps {
		for i := range all {
			all[i] = distuv.Beta{Alpha: 1, Beta: 1 + neutral[i], Src: d.rng}
		}
		for _, s := range worse {
			none := math.Pow(1-other, float64(s.others))
			for _, i := range s.at {
				none *= 1 - chance[i]
			}
			for _, i := range s.at {
				r := min(1, chance[i]/max(1e-9, 1-none))
				all[i].Alpha += r
				all[i].Beta += 1 - r
			}
		}
		for i, c := range all {
			chance[i] = c.Alpha / (c.Alpha + c.Beta)
		}
	}
	return all
}
