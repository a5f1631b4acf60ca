// Package core is the space of molecules with a fixed core, for package evolve: only the groups at its attachment
// points change. Strings of the space are canonical SMILES. A space of molecules supplies the features that molecules
// are compared by and the limits on proposals.
//
// Groups come from the known molecules with the core, and from bonds of theirs and of a library's that are cut, mostly
// where such a group was bound to an atom like the core's; they are mutated by the operators of package genetic. Bonds
// to the core between two of nitrogen, oxygen, divalent sulfur and halogens are made only where known molecules with
// the core have them.
//
// It needs RDKit: see package molecule.
package core

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/lazy"
)

// Limit says which groups an attachment point may have. The zero Limit allows all.
type Limit struct {
	MinAtoms, MaxAtoms int // heavy ones; 0: any number
	MinRings, MaxRings int // MaxRings 0: any number; −1: no rings
	Require, Forbid    []*molecule.Pattern
}

// Allows reports whether a group may be attached.
func (l Limit) Allows(group string) bool {
	m, err := molecule.Parse(group)
	if err != nil {
		return false
	}
	defer m.Close()
	most := l.MaxRings
	if most < 0 {
		most = 0
	} else if most == 0 {
		most = len(group)
	}
	switch atoms, rings := m.HeavyAtoms(), m.Rings(); {
	case atoms < l.MinAtoms, l.MaxAtoms > 0 && atoms > l.MaxAtoms, rings < l.MinRings, rings > most:
		return false
	}
	found := func(p *molecule.Pattern) bool { return p.In(m) }
	missing := func(p *molecule.Pattern) bool { return !p.In(m) }
	return !slices.ContainsFunc(l.Require, missing) && !slices.ContainsFunc(l.Forbid, found)
}

// Options say what groups there may be. The zero Options allow all up to the sizes that the known ones have, and use no
// library.
type Options struct {
	Limits      map[int]Limit                        // of attachment points, by label
	Arrangement *Arrangement                         // of the groups of the known molecules; nil: that of init
	Sample      func(n int, rng *rand.Rand) []string // n molecules of a library at random, as SMILES; nil: there is none
}

// New returns the space of molecules with a core. init are the known molecules (SMILES): those with the core are what
// the search begins with. products is the space of the molecules; its operators, Pool and Blind are not used. The error
// is molecule.ErrNoRDKit, or ctx's cause.
func New(ctx context.Context, products evolve.Space, c *molecule.Core, init []string, opts Options) (evolve.Space, error) {
	n := len(c.Points)
	d := &decorator{core: c, arrangement: opts.Arrangement, limits: make([]Limit, n), seen: map[string][]string{}, allowed: make([]map[string]bool, n), known: make([][]string, n), bonds: make([][]int, n)}
	if d.arrangement == nil {
		var err error
		if d.arrangement, err = Arrange(ctx, c, nil, opts.Limits, init); err != nil {
			return evolve.Space{}, err
		}
	}
	for i, p := range c.Points {
		d.limits[i], d.allowed[i] = opts.Limits[p.Label], map[string]bool{}
	}
	all := make([][]string, len(init))
	err := parallel.ForContext(ctx, len(init), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			all[i] = d.split(init[i])
		}
	})
	if err != nil {
		return evolve.Space{}, err
	}
	known := make([]map[string]bool, n) // of each point: groups
	for k := range known {
		known[k] = map[string]bool{}
	}
	for i, groups := range all {
		if groups == nil {
			d.others = append(d.others, init[i])
			continue
		}
		d.seen[init[i]] = groups
		for k, g := range groups {
			if !known[k][g] {
				known[k][g] = true
				d.known[k] = append(d.known[k], g)
				d.bonds[k] = append(d.bonds[k], reactive(g))
			}
		}
	}
	d.sizes()
	if opts.Sample != nil {
		const sampled = 2_000
		d.library = opts.Sample(sampled, rand.New(rand.NewPCG(0, 0)))
	}
	const largest = 40 // heavy atoms of a group that the operators of package genetic make
	breeder, err := genetic.NewBreeder(genetic.Options{Fewest: 2, Size: largest, SizeDeviation: 1}, func(smiles string, _ *molecule.Molecule) string { return smiles })
	if err != nil {
		return evolve.Space{}, err
	}
	d.fragments = sync.OnceValue(d.collect)
	space := products
	space.Operators = []evolve.Operator{
		{Name: "exchange", Make: d.operator(d.exchange)},
		{Name: "fragment", Make: d.operator(d.fragment)},
		{Name: "mutation", Make: d.changing(breeder.Mutate)},
		{Name: "rearrangement", Make: d.changing(breeder.Rearrange)},
	}
	space.Breeds = func(x string) bool { return d.groups(x) != nil }
	pool := &lazy.Pool{Make: d.random}
	space.Pool, space.Blind = pool.Sample, pool.Sample
	return space, nil
}

// decorator makes molecules. It is safe for concurrent use.
type decorator struct {
	core        *molecule.Core
	arrangement *Arrangement
	limits      []Limit
	known       [][]string // groups of each point
	bonds       [][]int    // what reactive says of them
	others      []string   // known molecules without the core
	library     []string

	fragments func() [][]string // for each point; collected when they are first wanted

	mu      sync.Mutex
	seen    map[string][]string // groups of molecules; nil: without the core
	allowed []map[string]bool   // groups of each point
}

// sizes limits groups to somewhat more atoms than the known ones have, where no limit was given.
func (d *decorator) sizes() {
	const usual, more = 8, 2
	for i, known := range d.known {
		if d.limits[i].MaxAtoms > 0 {
			continue
		}
		most := usual
		for _, g := range known {
			if m, err := molecule.Parse(g); err == nil {
				most = max(most, len(m.Graph().Atoms)-1+more)
				m.Close()
			}
		}
		d.limits[i].MaxAtoms = max(most, d.limits[i].MinAtoms)
	}
}

// remembered is how many molecules, and groups of a point, are remembered before that begins anew.
const remembered = 50_000

// groups returns the groups of a molecule; nil if it has not the core.
func (d *decorator) groups(smiles string) []string {
	d.mu.Lock()
	groups, known := d.seen[smiles]
	d.mu.Unlock()
	if known {
		return groups
	}
	groups = d.split(smiles)
	d.keep(smiles, groups)
	return groups
}

// split returns the groups of a molecule with the core, whatever configuration that has; nil if it has not the core.
func (d *decorator) split(smiles string) []string {
	groups, _ := d.arrangement.Groups(smiles) // nil without the core
	return groups
}

// reactive returns the atomic number of a group's atom at its attachment point if bonds between two such atoms are
// weak: of nitrogen, oxygen, divalent sulfur and halogens; otherwise 0.
func reactive(group string) (number int) {
	_ = molecule.Look(group, func(m *molecule.Molecule) { // with an error it is none
		g := m.Graph()
		star := slices.IndexFunc(g.Atoms, func(a molecule.Atom) bool { return a.Number == 0 })
		if star >= 0 && len(g.Neighbours()[star]) == 1 {
			a := g.Atoms[g.Neighbours()[star][0].Atom]
			number = reactiveAtom(a.Number, a.Degree)
		}
	})
	return number
}

func reactiveAtom(number, degree int) int {
	switch number {
	case 7, 8, 9, 17, 35, 53:
		return number
	case 16:
		if degree <= 2 {
			return number
		}
	}
	return 0
}

// binds reports whether a group may be bound to the core's atom at a point: with a weak bond only as in known molecules.
func (d *decorator) binds(i int, group string) bool {
	p := d.core.Points[i]
	if reactiveAtom(p.Number, p.Degree) == 0 {
		return true
	}
	number := reactive(group)
	return number == 0 || slices.Contains(d.bonds[i], number)
}

func (d *decorator) keep(smiles string, groups []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.seen) >= remembered {
		clear(d.seen)
	}
	d.seen[smiles] = groups
}

// allows reports whether a point may have a group, with any number at its attachment point.
func (d *decorator) allows(i int, group string) bool {
	d.mu.Lock()
	ok, known := d.allowed[i][group]
	d.mu.Unlock()
	if !known {
		ok = d.limits[i].Allows(group) && d.binds(i, group)
		d.mu.Lock()
		if len(d.allowed[i]) >= remembered {
			clear(d.allowed[i])
		}
		d.allowed[i][group] = ok
		d.mu.Unlock()
	}
	return ok
}

// join returns the molecule with some groups, "" if a point may not have its group or there is no such molecule.
func (d *decorator) join(groups []string) string {
	for i, g := range groups {
		if !d.allows(i, g) {
			return ""
		}
	}
	smiles, _ := d.core.Join(groups) // "" with an error
	return smiles
}

// with returns groups with another one at a point.
func (d *decorator) with(groups []string, i int, group string) []string {
	all := slices.Clone(groups)
	all[i] = molecule.Relabel(group, d.core.Points[i].Label)
	return all
}

// tries is how often a group is drawn that may be attached.
const tries = 6

// operator returns an operator that makes each child of the groups of two parents. Each child has a stream of random
// numbers of its own, so that the number of processors does not matter.
func (d *decorator) operator(child func(a, b []string, rng *rand.Rand) []string) maker[evolve.Child] {
	return func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		seed := rng.Uint64()
		children := make([]evolve.Child, len(pairs))
		err := parallel.ForContext(ctx, len(pairs), 1, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				rng := rand.New(rand.NewPCG(seed, uint64(i)))
				a, b := d.groups(pairs[i][0]), d.groups(pairs[i][1])
				if a == nil || b == nil {
					children[i].X = d.random(rng)
					continue
				}
				for try := 0; try < tries && children[i].X == ""; try++ {
					if groups := child(a, b, rng); groups != nil {
						children[i].X = d.join(groups)
					}
				}
			}
		})
		return children, err
	}
}

// exchange puts a group of b at a point of a: at the same, or, now and then, at another one.
func (d *decorator) exchange(a, b []string, rng *rand.Rand) []string {
	i := rng.IntN(len(a))
	k := i
	if rng.IntN(5) == 0 {
		k = rng.IntN(len(b))
	}
	return d.with(a, i, b[k])
}

// fragment puts a fragment at a point of a.
func (d *decorator) fragment(a, _ []string, rng *rand.Rand) []string {
	i := rng.IntN(len(a))
	g := d.draw(i, rng)
	if g == "" {
		return nil
	}
	return d.with(a, i, g)
}

// draw returns a group for a point: a known one, hydrogen, or a fragment; "" if there is none.
func (d *decorator) draw(i int, rng *rand.Rand) string {
	from := d.fragments()[i]
	switch v := rng.Float64(); {
	case (v < 0.2 || len(from) == 0) && len(d.known[i]) > 0:
		from = d.known[i]
	case v < 0.23:
		return molecule.Hydrogen(d.core.Points[i].Label)
	}
	if len(from) == 0 {
		return ""
	}
	return from[rng.IntN(len(from))]
}

// collect returns fragments for each point, of known molecules without the core and of the library. Frequent ones occur
// several times.
func (d *decorator) collect() [][]string {
	const draws = 2_000 // for a point; most are fragments
	if len(d.others)+len(d.library) == 0 {
		return make([][]string, len(d.core.Points))
	}
	all := make([][]string, len(d.core.Points))
	for i, point := range d.core.Points {
		drawn := make([]string, draws)
		parallel.For(draws, 16, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
				from := d.library
				if len(d.others) > 0 && (len(from) == 0 || rng.IntN(3) == 0) {
					from = d.others
				}
				m, err := molecule.Parse(from[rng.IntN(len(from))])
				if err != nil {
					continue
				}
				if g := cut(m, point, rng); g != "" && d.allows(i, g) {
					drawn[k] = g
				}
				m.Close()
			}
		})
		all[i] = slices.DeleteFunc(drawn, func(g string) bool { return g == "" })
	}
	return all
}

// cut returns a part of a molecule that was bound to an atom like that of a point, or, now and then, to any; "" if
// there is none.
func cut(m *molecule.Molecule, p molecule.Point, rng *rand.Rand) string {
	g := m.Graph()
	all := rng.IntN(6) == 0
	var bonds []molecule.Bond // from the part to the rest
	for _, b := range g.Bonds {
		if b.InRing || b.Order != 1 || b.Dative {
			continue
		}
		for _, at := range [][2]int{{b.Begin, b.End}, {b.End, b.Begin}} {
			if rest := g.Atoms[at[1]]; all || rest.Number == p.Number && rest.Aromatic == p.Aromatic {
				bonds = append(bonds, molecule.Bond{Begin: at[0], End: at[1]})
			}
		}
	}
	if len(bonds) == 0 {
		return ""
	}
	b := bonds[rng.IntN(len(bonds))]
	part := side(g, b.Begin, b.End)
	pieces, err := m.Cut(molecule.Cut{Begin: b.Begin, End: b.End, Label: p.Label})
	if err != nil || len(pieces) != 2 {
		return ""
	}
	// The pieces are told apart by their numbers of atoms, and by chance if these are equal.
	i := rng.IntN(2)
	if n := atoms(pieces[0]); n != atoms(pieces[1]) {
		i = 0
		if n != part+1 {
			i = 1
		}
	}
	return pieces[i]
}

// side returns the number of atoms on the side of an atom of a bond that is in no ring.
func side(g molecule.Graph, of, other int) int {
	next := make([][]int, len(g.Atoms))
	for _, b := range g.Bonds {
		next[b.Begin], next[b.End] = append(next[b.Begin], b.End), append(next[b.End], b.Begin)
	}
	seen := map[int]bool{of: true, other: true}
	n := 0
	for stack := []int{of}; len(stack) > 0; n++ {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, j := range next[i] {
			if !seen[j] {
				seen[j] = true
				stack = append(stack, j)
			}
		}
	}
	return n
}

func atoms(smiles string) int {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return 0
	}
	defer m.Close()
	return len(m.Graph().Atoms)
}

// random returns a molecule with random groups; "" if none was found.
func (d *decorator) random(rng *rand.Rand) string {
	groups := make([]string, len(d.core.Points))
	for i := range groups {
		for try := 0; try < 3*tries && (groups[i] == "" || !d.allows(i, groups[i])); try++ {
			groups[i] = ""
			if g := d.draw(i, rng); g != "" {
				groups[i] = molecule.Relabel(g, d.core.Points[i].Label)
			}
		}
		if groups[i] == "" {
			return ""
		}
	}
	return d.join(groups)
}

// capAtom is an atom that stands for the core while a group is mutated: no molecule has it otherwise.
const capAtom = "[At]"

// maker is evolve.Operator's Make, of children of some kind.
type maker[T any] = func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]T, error)

// changing returns what changes a group of the first molecule of each pair.
func (d *decorator) changing(change maker[string]) maker[evolve.Child] {
	return func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		at := make([]int, len(pairs))
		capped := make([][2]string, len(pairs))
		for k, pair := range pairs {
			groups := d.groups(pair[0])
			if groups == nil {
				continue
			}
			at[k] = rng.IntN(len(groups))
			capped[k] = [2]string{uncapped.Replace(molecule.Relabel(groups[at[k]], 1)), ""}
			capped[k][1] = capped[k][0]
		}
		changed, err := change(ctx, capped, rng)
		if err != nil {
			return nil, err
		}
		children := make([]evolve.Child, len(pairs))
		err = parallel.ForContext(ctx, len(pairs), 1, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				if strings.Count(changed[k], capAtom) != 1 {
					continue
				}
				group := recapped.Replace(changed[k])
				if group, err := molecule.Canonical(group); err == nil {
					children[k].X = d.join(d.with(d.groups(pairs[k][0]), at[k], group))
				}
			}
		})
		return children, err
	}
}

var (
	uncapped = strings.NewReplacer("[*:1]", capAtom)
	recapped = strings.NewReplacer(capAtom, "[*:1]")
)
