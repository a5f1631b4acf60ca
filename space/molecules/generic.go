package molecules

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/internal/series"
)

// What a generic substructure may have.
const (
	mostKinds  = 3    // kinds of an atom: an element, aromatic or not
	mostLost   = 0.03 // of the molecules that have the part may lack what it grows by: the others tell what may be there instead
	nearlyEach = 0.95 // of the molecules have it
	usualRing  = 0.1  // of a library may have one with a ring: what nearly all of the data have is there on purpose
	mostHosts  = 200  // molecules that it is grown on
	mostPlaces = 200  // in a molecule
)

// A generic substructure is a connected part of a molecule whose atoms and bonds may be of each kind that is seen there
// in other molecules, such as [c,n] in a ring that is a quinoline or a naphthyridine. It is grown atom by atom, with
// all places where each molecule has it.
type generic struct {
	of    *skeleton
	atoms []int // of the molecule
	kinds [][]kind
	alone []bool // atoms that bear nothing but hydrogen beside the part
	bonds []genericBond
	hosts []host

	pattern *molecule.Pattern
	others  int // molecules of the library that have it
}

// genericBond joins two atoms of a generic substructure, which are numbered as in its atoms.
type genericBond struct {
	from, to int
	orders   orders
}

// kind is an element, aromatic or not.
type kind struct {
	number   int
	aromatic bool
}

// orders is a set of bond orders.
type orders uint8

const (
	single orders = 1 << iota
	double
	triple
	aromaticOrder
	otherOrder
)

// skeleton is what growth looks at of a molecule.
type skeleton struct {
	graph  molecule.Graph
	around [][]molecule.Neighbour
	kinds  []kind
	orders []orders // of bonds
}

func skeletonOf(m *molecule.Molecule) *skeleton {
	g := m.Graph()
	s := &skeleton{graph: g, around: g.Neighbours(), kinds: make([]kind, len(g.Atoms)), orders: make([]orders, len(g.Bonds))}
	for i, a := range g.Atoms {
		s.kinds[i] = kind{a.Number, a.Aromatic}
	}
	for i, b := range g.Bonds {
		switch {
		case b.Aromatic:
			s.orders[i] = aromaticOrder
		case b.Order == 1 && !b.Dative:
			s.orders[i] = single
		case b.Order == 2:
			s.orders[i] = double
		case b.Order == 3:
			s.orders[i] = triple
		default:
			s.orders[i] = otherOrder
		}
	}
	return s
}

func skeletons(all []*molecule.Molecule) []*skeleton {
	made := make([]*skeleton, len(all))
	parallel.For(len(all), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			made[i] = skeletonOf(all[i])
		}
	})
	return made
}

// host is a molecule with the places where it has a substructure: for each its atoms, in the order of those of the
// substructure.
type host struct {
	of     *skeleton
	places [][]int
}

// bond returns the number of the bond between two atoms; −1: there is none.
func (s *skeleton) bond(i, j int) int {
	for _, n := range s.around[i] {
		if n.Atom == j {
			return n.Bond
		}
	}
	return -1
}

// seed returns the substructure of one atom, with the molecules that have an atom of its kind.
func (s *skeleton) seed(atom int, all []*skeleton) generic {
	g := generic{of: s, atoms: []int{atom}, kinds: [][]kind{{s.kinds[atom]}}, alone: []bool{false}}
	g.hosts = hostsOf(s.kinds[atom], all)
	return g
}

func hostsOf(k kind, all []*skeleton) (hosts []host) {
	for _, other := range all {
		h := host{of: other}
		for i, at := range other.kinds {
			if at == k && len(h.places) < mostPlaces {
				h.places = append(h.places, []int{i})
			}
		}
		if len(h.places) > 0 {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// step is what a substructure may grow by: an atom beside it, or a bond that closes a ring.
type step struct {
	from  int // in the atoms of the substructure
	atom  int // of the molecule; −1: no atom is new
	to    int // in the atoms of the substructure, where a bond closes a ring
	bond  int // of the molecule
	kinds []kind
	orders
}

// steps returns what the substructure may grow by, the bonds first.
func (g *generic) steps() (all []step) {
	var atoms []step
	for k, i := range g.atoms {
		for _, n := range g.of.around[i] {
			j := slices.Index(g.atoms, n.Atom)
			switch {
			case j < 0:
				atoms = append(atoms, step{from: k, atom: n.Atom, bond: n.Bond})
			case k < j && !slices.ContainsFunc(g.bonds, func(b genericBond) bool { return b.from == k && b.to == j || b.from == j && b.to == k }):
				all = append(all, step{from: k, atom: -1, to: j, bond: n.Bond})
			}
		}
	}
	return append(all, atoms...)
}

// exact returns the step as the molecule has it.
func (g *generic) exact(s step) step {
	s.orders = g.of.orders[s.bond]
	if s.atom >= 0 {
		s.kinds = []kind{g.of.kinds[s.atom]}
	}
	return s
}

// after returns the places of a host after a step.
func (s step) after(h host) host {
	next := host{of: h.of}
	if s.atom < 0 {
		for _, place := range h.places {
			if b := h.of.bond(place[s.from], place[s.to]); b >= 0 && s.orders&h.of.orders[b] != 0 {
				next.places = append(next.places, place)
			}
		}
		return next
	}
	var all []int // of all places, which saves most of the time
	for _, place := range h.places {
		for _, n := range h.of.around[place[s.from]] {
			if s.takes(seen{h.of.kinds[n.Atom], h.of.orders[n.Bond]}) && !slices.Contains(place, n.Atom) {
				at := len(all)
				all = append(append(all, place...), n.Atom)
				next.places = append(next.places, all[at:len(all):len(all)])
			}
		}
	}
	next.places = stats.Evenly(next.places, mostPlaces)
	return next
}

// hostsAfter returns the hosts that are left after a step.
func (s step) hostsAfter(hosts []host) []host {
	next := make([]host, len(hosts))
	parallel.For(len(hosts), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			next[i] = s.after(hosts[i])
		}
	})
	return slices.DeleteFunc(next, func(h host) bool { return len(h.places) == 0 })
}

// take returns the substructure after a step.
func (g generic) take(s step, hosts []host) generic {
	g.hosts = hosts
	to := s.to
	if s.atom >= 0 {
		to = len(g.atoms)
		g.atoms = append(slices.Clone(g.atoms), s.atom)
		g.kinds = append(slices.Clone(g.kinds), s.kinds)
		g.alone = append(slices.Clone(g.alone), false)
	}
	g.bonds = append(slices.Clone(g.bonds), genericBond{s.from, to, s.orders})
	return g
}

// seen is an atom that hosts have at a place, with the bond to it. A bond that closes a ring has no kind.
type seen struct {
	kind
	orders
}

// options returns what a host has where a step leads.
func (s step) options(h host) (all []seen) {
	add := func(o seen) {
		if !slices.Contains(all, o) {
			all = append(all, o)
		}
	}
	for _, place := range h.places {
		if s.atom < 0 {
			if b := h.of.bond(place[s.from], place[s.to]); b >= 0 {
				add(seen{orders: h.of.orders[b]})
			}
			continue
		}
		for _, n := range h.of.around[place[s.from]] {
			if !slices.Contains(place, n.Atom) {
				add(seen{h.of.kinds[n.Atom], h.of.orders[n.Bond]})
			}
		}
	}
	return all
}

// takes reports whether a step leads to what is seen.
func (s step) takes(o seen) bool {
	return s.orders&o.orders != 0 && (s.atom < 0 || slices.Contains(s.kinds, o.kind))
}

// alike reports whether an atom of two kinds is the same to a chemist outside a ring that is known as a whole.
func alike(a, b kind) bool { return a.number == b.number || a.aromatic && b.aromatic }

// widened returns a step with as few further kinds as let enough hosts take it; ok: they do. Outside rings the kinds
// are alike.
func (g *generic) widened(s step, enough int, inRing bool) (_ step, ok bool) {
	s = g.exact(s)
	options := make([][]seen, len(g.hosts))
	parallel.For(len(g.hosts), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			options[i] = s.options(g.hosts[i])
		}
	})
	for {
		var counts []seen // of hosts that do not take the step
		numbers := map[seen]int{}
		left := 0
		for _, has := range options {
			if slices.ContainsFunc(has, s.takes) {
				continue
			}
			left++
			for _, o := range has {
				if numbers[o]++; numbers[o] == 1 {
					counts = append(counts, o)
				}
			}
		}
		if len(g.hosts)-left >= enough {
			return s, true
		}
		most, chosen := 1, seen{}
		for _, o := range counts {
			if n := numbers[o]; n > most && (s.atom < 0 || inRing || alike(s.kinds[0], o.kind)) {
				most, chosen = n, o
			}
		}
		if most < 2 {
			return s, false
		}
		s.orders |= chosen.orders
		if s.atom >= 0 && !slices.Contains(s.kinds, chosen.kind) {
			if s.kinds = append(s.kinds, chosen.kind); len(s.kinds) > mostKinds {
				return s, false
			}
		}
	}
}

// grow adds rings, atoms and bonds as long as least molecules have the substructure, and nearly all of those that have
// it before: first what is the same in all of them, of that whole rings or what is beside them.
func (g generic) grow(least int, ringsFirst bool) generic {
	refused := map[string]bool{}
	for {
		enough := max(least, len(g.hosts)-int(mostLost*float64(len(g.hosts))))
		if len(g.hosts) < enough {
			return g
		}
		next, kinds := g, mostKinds+1
		try := func(key string, grown func() (generic, int, bool)) bool {
			if refused[key] {
				return false
			}
			to, n, ok := grown()
			if refused[key] = !ok; ok && n < kinds {
				next, kinds = to, n
			}
			return kinds <= 1
		}
		rings := func() bool {
			for i, ring := range g.of.graph.Rings {
				inside := stats.Count(ring, func(i int) bool { return slices.Contains(g.atoms, i) })
				if inside > 0 && inside < len(ring) && try(fmt.Sprint("ring", i), func() (generic, int, bool) { return g.ring(ring, enough) }) {
					return true
				}
			}
			return false
		}
		bonds := func() bool {
			return slices.ContainsFunc(g.steps(), func(s step) bool {
				return try(fmt.Sprint("bond", s.bond), func() (generic, int, bool) { return g.along(s, enough, false) })
			})
		}
		if ringsFirst {
			_ = rings() || bonds()
		} else {
			_ = bonds() || rings()
		}
		if kinds > mostKinds {
			return g
		}
		g = next
	}
}

// along returns the substructure after a step, and how many kinds its new atom has.
func (g generic) along(s step, enough int, inRing bool) (_ generic, kinds int, ok bool) {
	if s, ok = g.widened(s, enough, inRing); !ok {
		return g, 0, false
	}
	hosts := s.hostsAfter(g.hosts)
	return g.take(s, hosts), len(s.kinds), len(hosts) >= enough
}

// ring returns the substructure with a whole ring, and how many kinds its new atoms have at most.
func (g generic) ring(ring []int, enough int) (_ generic, kinds int, ok bool) {
	for {
		at := slices.IndexFunc(g.steps(), func(s step) bool {
			return slices.Contains(ring, g.atoms[s.from]) && (s.atom < 0 && slices.Contains(ring, g.atoms[s.to]) || slices.Contains(ring, s.atom))
		})
		if at < 0 {
			return g, kinds, true
		}
		next, n, ok := g.along(g.steps()[at], enough, true)
		if !ok {
			return g, 0, false
		}
		g, kinds = next, max(kinds, n)
	}
}

// trim leaves out ends that say little: of several kinds, which a series varies, unless all are aromatic, and carbons
// of aromatic rings that are not there as a whole.
func (g generic) trim() generic {
	for {
		end := -1
		for k, kinds := range g.kinds {
			var bonds []genericBond
			for _, b := range g.bonds {
				if b.from == k || b.to == k {
					bonds = append(bonds, b)
				}
			}
			varied := len(kinds) > 1 && slices.ContainsFunc(kinds, func(k kind) bool { return !k.aromatic })
			open := func(b genericBond) bool {
				return b.orders == aromaticOrder && slices.ContainsFunc(kinds, func(k kind) bool { return k.number == 6 })
			}
			if len(bonds) == 1 && (varied || open(bonds[0])) {
				end = k
			}
		}
		if end < 0 {
			return g
		}
		g = g.without(end)
	}
}

// without returns the substructure without one of its ends. The hosts stay: they have the rest.
func (g generic) without(end int) generic {
	g.atoms = slices.Delete(slices.Clone(g.atoms), end, end+1)
	g.kinds = slices.Delete(slices.Clone(g.kinds), end, end+1)
	g.alone = slices.Delete(slices.Clone(g.alone), end, end+1)
	var bonds []genericBond
	for _, b := range g.bonds {
		if b.from == end || b.to == end {
			continue
		}
		if b.from > end {
			b.from--
		}
		if b.to > end {
			b.to--
		}
		bonds = append(bonds, b)
	}
	g.bonds = bonds
	hosts := make([]host, len(g.hosts))
	for i, h := range g.hosts {
		hosts[i] = host{of: h.of}
		for _, place := range h.places {
			hosts[i].places = append(hosts[i].places, slices.Delete(slices.Clone(place), end, end+1))
		}
	}
	g.hosts = hosts
	return g
}

// close marks the atoms with a hydrogen that are no carbon and bear nothing else in nearly all molecules: an acid is no
// ester.
func (g generic) close() generic {
	g.alone = slices.Clone(g.alone)
	for k, i := range g.atoms {
		a := g.of.graph.Atoms[i]
		if a.Number == 6 || len(g.kinds[k]) > 1 || a.Aromatic || a.Hydrogens == 0 && a.Charge >= 0 {
			continue
		}
		var hosts []host
		for _, h := range g.hosts {
			next := host{of: h.of}
			for _, place := range h.places {
				if len(h.of.around[place[k]]) == a.Degree {
					next.places = append(next.places, place)
				}
			}
			if len(next.places) > 0 {
				hosts = append(hosts, next)
			}
		}
		if len(hosts) >= len(g.hosts)-int(mostLost*float64(len(g.hosts))) {
			g.hosts, g.alone[k] = hosts, true
		}
	}
	return g
}

// smarts writes the substructure as SMARTS.
func (g generic) smarts() string {
	around := make([][]int, len(g.atoms)) // bonds
	for i, b := range g.bonds {
		around[b.from], around[b.to] = append(around[b.from], i), append(around[b.to], i)
	}
	other := func(b, k int) int { return g.bonds[b].from + g.bonds[b].to - k }
	order := make([]int, len(g.atoms)) // in which atoms are written, from 1; 0: not yet
	used := make([]bool, len(g.bonds)) // bonds of the tree
	closures := map[int]int{}          // the number of a bond that closes a ring
	next := 0
	var visit func(k int)
	visit = func(k int) {
		next++
		order[k] = next
		for _, b := range around[k] {
			if order[other(b, k)] == 0 {
				used[b] = true
				visit(other(b, k))
			}
		}
	}
	visit(0)
	for b := range g.bonds {
		if !used[b] {
			closures[b] = len(closures) + 1
		}
	}
	var text strings.Builder
	var write func(k int)
	write = func(k int) {
		text.WriteString(g.atom(k))
		for _, b := range around[k] {
			if n := closures[b]; n > 0 {
				text.WriteString(g.bond(b))
				if n > 9 {
					text.WriteByte('%')
				}
				fmt.Fprint(&text, n)
			}
		}
		var branches []int
		for _, b := range around[k] {
			if used[b] && order[other(b, k)] > order[k] {
				branches = append(branches, b)
			}
		}
		for i, b := range branches {
			if i < len(branches)-1 {
				text.WriteByte('(')
			}
			text.WriteString(g.bond(b))
			write(other(b, k))
			if i < len(branches)-1 {
				text.WriteByte(')')
			}
		}
	}
	write(0)
	return text.String()
}

// atom returns the SMARTS of an atom.
func (g generic) atom(k int) string {
	var all []string
	bare := len(g.kinds[k]) == 1 && !g.alone[k]
	for _, of := range g.kinds[k] {
		symbol, organic := molecule.Symbol(of.number)
		if of.aromatic {
			symbol = strings.ToLower(symbol)
		}
		if !organic {
			symbol, bare = fmt.Sprintf("#%d", of.number), false
		}
		all = append(all, symbol)
	}
	text := strings.Join(all, ",")
	if g.alone[k] {
		text += fmt.Sprintf(";D%d", g.of.graph.Atoms[g.atoms[k]].Degree)
	}
	if bare {
		return text
	}
	return "[" + text + "]"
}

// bond returns the SMARTS of a bond; empty is single or aromatic.
func (g generic) bond(i int) string {
	b := g.bonds[i]
	may := func(k int) bool { return slices.ContainsFunc(g.kinds[k], func(of kind) bool { return of.aromatic }) }
	both := may(b.from) && may(b.to)
	switch b.orders {
	case single:
		if both {
			return "-"
		}
		return ""
	case aromaticOrder, single | aromaticOrder:
		return ""
	case double:
		return "="
	case triple:
		return "#"
	}
	return "~"
}

// generics returns generic substructures, as SMARTS, that nearly all molecules have, the best included, and few of a
// library. Those of scaffolds are left out. largest is the number of atoms of the largest that has a ring; 0: there is
// none.
func generics(ctx context.Context, best *molecule.Molecule, all, library []*molecule.Molecule, shared []Scaffold) (found []string, largest int, _ error) {
	// A further part that shares atoms is taken if it tells half of the library that is left from the known molecules,
	// and as many are left.
	const fewestTold = 10
	of, looked, err := looks(best, all, shared)
	if err != nil {
		return nil, 0, err
	}
	var grown []generic
	tried := make([]bool, len(of.graph.Atoms))
	for _, i := range of.seeds() {
		for _, ringsFirst := range []bool{true, false} {
			if tried[i] && (ringsFirst || of.kinds[i].number == 6) {
				continue
			}
			if ctx.Err() != nil {
				return nil, 0, context.Cause(ctx)
			}
			g := of.seed(i, looked).grow(int(math.Ceil(nearlyEach*float64(len(looked)))), ringsFirst).trim()
			for _, k := range g.atoms {
				tried[k] = true
			}
			if len(g.atoms) < leastMotif {
				continue
			}
			if len(all) >= fewClosed {
				g = g.close()
			}
			if g.pattern, err = molecule.CompilePattern(g.smarts()); err != nil {
				return nil, 0, err
			}
			g.others = len(series.Having(g.pattern, library))
			if g.pattern.In(best) && float64(len(series.Having(g.pattern, all))) >= chance.NearlyAll*float64(len(all)) && float64(g.others) <= g.usual()*float64(len(library)) {
				grown = append(grown, g)
			}
		}
	}
	slices.SortStableFunc(grown, func(a, b generic) int {
		return cmp.Or(a.others-b.others, b.exactly()+len(b.bonds)-a.exactly()-len(a.bonds))
	})
	taken := map[int]bool{} // atoms of best
	var pieces []string
	for _, g := range grown {
		with := series.Having(g.pattern, library)
		tells := len(library) >= fewestTold && 2*len(with) <= len(library)
		if slices.ContainsFunc(g.atoms, func(i int) bool { return taken[i] }) && !tells {
			continue
		}
		for _, i := range g.atoms {
			taken[i] = true
		}
		library = with
		if !isIn(shared, g.pattern) && !slices.ContainsFunc(pieces, func(smiles string) bool { return has(smiles, g.pattern) }) {
			if found = append(found, g.smarts()); g.ringed() {
				largest = max(largest, len(g.atoms))
			}
		}
		pieces = append(pieces, g.piece(best))
	}
	return found, largest, nil
}

// looks returns what is looked at of the best molecule, and of some of those that have what all share.
func looks(best *molecule.Molecule, all []*molecule.Molecule, shared []Scaffold) (*skeleton, []*skeleton, error) {
	for _, s := range shared {
		p, err := s.Pattern()
		if err != nil {
			return nil, nil, err
		}
		all = series.Having(p, all)
	}
	return skeletonOf(best), skeletons(stats.Evenly(all, mostHosts)), nil
}

// usual returns the share of a library that may have the substructure: of a chain it is smaller.
func (g generic) usual() float64 {
	if g.ringed() {
		return usualRing
	}
	return motifs
}

// ringed reports whether the substructure has a whole ring.
func (g generic) ringed() bool { return len(g.bonds) >= len(g.atoms) }

// piece returns the substructure as its molecule has it (SMILES).
func (g generic) piece(m *molecule.Molecule) string {
	var e molecule.Edit
	for i := range g.of.graph.Atoms {
		if !slices.Contains(g.atoms, i) {
			e.Remove = append(e.Remove, i)
		}
	}
	rest, err := m.Edit(e)
	if err != nil {
		return ""
	}
	defer rest.Close()
	return rest.SMILES()
}

// seeds returns where substructures begin: at atoms that are no carbon, and then at rings.
func (s *skeleton) seeds() (all []int) {
	for i, k := range s.kinds {
		if k.number != 6 {
			all = append(all, i)
		}
	}
	for _, ring := range s.graph.Rings {
		all = append(all, ring[0])
	}
	return all
}

// exactly returns how many atoms are of one kind.
func (g generic) exactly() int {
	return stats.Count(g.kinds, func(kinds []kind) bool { return len(kinds) == 1 })
}
