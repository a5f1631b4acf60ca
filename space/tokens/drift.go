package tokens

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/invbo/invbo/evolve"
)

// drift is evolve.Space's Drift of strings of one length: in a best known string it writes other tokens at positions
// that do not matter, as far as known strings tell, those first that were tried least there.
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
	chances := make([][]float64, len(parents))
	var children []string
	for range n {
		at := rng.IntN(len(parents))
		p := parents[at]
		if chances[at] == nil {
			chances[at] = d.matter(p)
		}
		tokens := make([]string, len(p))
		for i, code := range d.child(p, d.positions(chances[at])) {
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

// pair is a known string and the one most like it among the best before it: what they differ in made the one worse than
// the other, or nothing of it did.
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

// The constants of drift. Known strings err: a position may matter though it was changed without harm once, where the
// string had twice what matters there, and a string may be worse for other reasons than thought.
const (
	matters  = 0.5 // share of positions that matter, before there are pairs,
	strength = 40  // which counts as much as so many positions
	mistake  = 0.1 // chance that a pair tells the opposite
	caution  = 0.3 // chance that a child changes nothing that matters, at least
	sure     = 30  // parameters of the distributions that chances are drawn from, in all; fewer explore more
	rounds   = 20  // of updates of all chances
)

// positions returns those to write at, in ascending order: those that matter least by a draw of their chances, as many
// as caution allows.
func (d *drift) positions(chances []float64) []int {
	drawn, order := make([]float64, len(chances)), make([]int, len(chances))
	for i, c := range chances {
		drawn[i], order[i] = distuv.Beta{Alpha: sure * c, Beta: sure * (1 - c), Src: d.rng}.Rand(), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(drawn[a], drawn[b]) })
	n, safe := 0, 1.0
	for n < len(order) {
		if safe *= 1 - drawn[order[n]]; n > 0 && safe < caution {
			break
		}
		n++
	}
	slices.Sort(order[:n])
	return order[:n]
}

// test is what a pair tells of a string: whether any of some positions matters.
type test struct {
	at    []int
	equal bool // none does
}

// matter returns the chance that another token does harm, for each position of p. If two strings have equal values,
// none of the positions where they differ matters. Otherwise one of the positions matters at which only the better
// string has p's token. The chances are the mean-field approximation of the posterior of independent positions. The
// share of positions that matter is learnt, too.
func (d *drift) matter(p []int) []float64 {
	tests := d.tests(p)
	chances, odds := slices.Repeat([]float64{matters}, len(p)), make([]float64, len(p))
	for range rounds {
		share := (matters*strength + floats.Sum(chances)) / (strength + float64(len(p)))
		for i := range odds {
			odds[i] = math.Log(share / (1 - share))
		}
		for _, t := range tests {
			none := 1.0
			for _, i := range t.at {
				none *= 1 - chances[i]
			}
			for _, i := range t.at {
				others := min(1, none/(1-chances[i]))   // chance that no other one matters
				equal := mistake + (1-2*mistake)*others // of the pair, if i does not matter; mistake, if it does
				if t.equal {
					odds[i] += math.Log(mistake / equal)
				} else {
					odds[i] += math.Log((1 - mistake) / (1 - equal))
				}
			}
		}
		const least = 0.005
		for i, o := range odds { // halfway, or they would swing
			chances[i] = (chances[i] + min(1-least, max(least, 1/(1+math.Exp(-o))))) / 2
		}
	}
	return chances
}

// tests returns what the pairs tell of p.
func (d *drift) tests(p []int) (tests []test) {
	for _, pair := range d.pairs {
		if len(pair.better) != len(p) {
			continue
		}
		t := test{equal: pair.equal}
		for i, a := range pair.better {
			if b := pair.other[i]; a != b && (a == p[i] || pair.equal && b == p[i]) {
				t.at = append(t.at, i)
			}
		}
		if len(t.at) > 0 {
			tests = append(tests, t)
		}
	}
	return tests
}
