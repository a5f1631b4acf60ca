package selfies

import (
	"container/heap"
	"fmt"
	"slices"
	"sort"
)

// kekulize makes delocalized bonds, given in the order they were parsed, single or double, so that each atom that lacks a
// double bond gets one: a perfect matching of these atoms. The error names an atom that cannot be matched.
//
// See R. Apodaca, "A comprehensive treatment of aromaticity in the SMILES language" (depth-first.com, 2020). A molecule
// can have many such matchings, and the SELFIES depends on the one that is found. The algorithm is therefore exactly
// that of the Python library, which can miss an augmenting path in odd rings.
func (m *molecule) kekulize(bonds [][2]int) error {
	if len(bonds) == 0 {
		return nil
	}
	lacking := make([]bool, len(m.atoms))
	for _, bond := range bonds {
		for _, i := range bond {
			a := &m.atoms[i]
			if _, higher := aromaticValences(a.element); higher == 0 {
				return fmt.Errorf("byte %d: %s cannot have aromatic bonds", a.pos, a.append(nil))
			}
			lacking[i] = a.lacksDoubleBond()
		}
	}
	g := newMatching(len(m.atoms))
	for _, bond := range bonds {
		if a, b := bond[0], bond[1]; lacking[a] && lacking[b] {
			g.neighbours[a] = append(g.neighbours[a], b)
			g.neighbours[b] = append(g.neighbours[b], a)
		}
	}
	g.greedy()
	for i := range m.atoms {
		if lacking[i] && g.mate[i] == none && !g.augment(i) {
			a := &m.atoms[i]
			return fmt.Errorf("byte %d: no way to make the aromatic bonds around this %s single and double", a.pos, a.element)
		}
	}
	for i := range m.atoms {
		a := &m.atoms[i]
		for j := range a.bonds {
			if a.bonds[j].order == delocalized {
				a.bonds[j].order = single
				if g.mate[i] == a.bonds[j].to {
					a.bonds[j].order = double
				}
			}
		}
		if g.mate[i] != none {
			a.valence++
		}
	}
	return nil
}

// lacksDoubleBond reports whether an atom needs a double bond if its delocalized bonds are taken as single.
func (a *atom) lacksDoubleBond() bool {
	lower, higher := aromaticValences(a.element)
	if a.hydrogens == implied {
		return a.valence != lower && a.valence != higher
	}
	free := higher - a.charge - int(a.hydrogens) - a.valence
	return free > 0 && free%2 == 1
}

// matching matches nodes of a graph with neighbours.
type matching struct {
	neighbours [][]int
	mate       []int    // none if not matched
	visited    []int    // the root, plus 1, of the call of augment that visited the node
	from       [][2]int // the last two nodes before each node on the path of that search
}

func newMatching(n int) *matching {
	return &matching{make([][]int, n), slices.Repeat([]int{none}, n), make([]int, n), make([][2]int, n)}
}

func (g *matching) match(a, b int) { g.mate[a], g.mate[b] = b, a }

// greedy repeatedly matches the node with the fewest free neighbours, and the lowest index among equals, with its first free
// neighbour.
func (g *matching) greedy() {
	n := len(g.mate)
	free := make([]int, n) // number of free neighbours
	var queue lowest       // free·n + i for each node i
	for i, neighbours := range g.neighbours {
		if free[i] = len(neighbours); free[i] > 0 {
			queue.Push(free[i]*n + i)
		}
	}
	heap.Init(&queue)
	for queue.Len() > 0 {
		i := heap.Pop(&queue).(int) % n
		if g.mate[i] != none || free[i] == 0 {
			continue
		}
		for _, mate := range g.neighbours[i] {
			if g.mate[mate] == none {
				g.match(i, mate)
				break
			}
		}
		for _, end := range [2]int{i, g.mate[i]} {
			for _, j := range g.neighbours[end] {
				free[j]--
				if g.mate[j] == none && free[j] > 0 {
					heap.Push(&queue, free[j]*n+j)
				}
			}
		}
	}
}

// augment matches root if it finds an augmenting path (alternately unmatched and matched bonds to another free node), by
// exchanging the bonds along the shortest one. It does not contract odd rings and can therefore miss a path.
func (g *matching) augment(root int) bool {
	g.visited[root] = root + 1
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for _, j := range g.neighbours[i] {
			mate := g.mate[j]
			switch {
			case j == root:
			case mate == none:
				g.flip(root, i, j)
				return true
			case g.visited[mate] != root+1:
				g.visited[mate], g.from[mate] = root+1, [2]int{i, j}
				queue = append(queue, mate)
			}
		}
	}
	return false
}

// flip matches the nodes along the path from root to i and on to j.
func (g *matching) flip(root, i, j int) {
	for {
		g.match(i, j)
		if i == root {
			return
		}
		i, j = g.from[i][0], g.from[i][1]
	}
}

// lowest is a heap of numbers.
type lowest struct{ sort.IntSlice }

func (q *lowest) Push(x any) { q.IntSlice = append(q.IntSlice, x.(int)) }
func (q *lowest) Pop() any {
	last := q.Len() - 1
	x := q.IntSlice[last]
	q.IntSlice = q.IntSlice[:last]
	return x
}
