package genetic

import (
	"cmp"
	"math/rand/v2"
	"sync"

	"github.com/invbo/invbo/molecule"
)

// attempts is the number of attempts at a crossover, at a kind of cut within it, and at a mutation.
const attempts = 10

// breeder makes children. Its methods meet and remember must not be called while another one runs; all others may be
// called from several goroutines.
type breeder struct {
	opts      Options
	mutations []mutation
	places    []query // where each mutation applies

	rearrangements []mutation
	sites          []query // where each of them applies

	chainBond, ringBonds, ringAtom query // where crossover cuts
	allene, strained               query // must not occur in rings

	known    lately[*parent] // by SMILES; nil: RDKit cannot read it
	made     lately[outcome] // of edits
	sketches sync.Pool       // of *sketch
}

const (
	chainBond = "*-;!@*"
	ringBonds = "[R]@[R]@[R]@[R]"
	ringAtom  = "[R]@[R;!D2]@[R]"
	allene    = "[R]=[R]=[R]"
	strained  = "[r3,r4]=[r3,r4]"
)

func newBreeder(opts Options) (*breeder, error) {
	d := Defaults()
	opts.Fewest = cmp.Or(opts.Fewest, d.Fewest)
	opts.Size = cmp.Or(opts.Size, d.Size)
	opts.SizeDeviation = cmp.Or(opts.SizeDeviation, d.SizeDeviation)
	b := &breeder{
		opts: opts, mutations: mutations(), rearrangements: rearrangements(),
		chainBond: newQuery(chainBond), ringBonds: newQuery(ringBonds), ringAtom: newQuery(ringAtom),
		allene: newQuery(allene), strained: newQuery(strained),
	}
	for _, m := range b.mutations {
		b.places = append(b.places, newQuery(m.smarts))
	}
	for _, m := range b.rearrangements {
		b.sites = append(b.sites, newQuery(m.smarts))
	}
	return b, molecule.Available()
}

// cross returns a cross of two molecules, which mutates with a probability, or nil if there is none.
func (b *breeder) cross(p, q *parent, mutation float64, rng *rand.Rand) *child {
	c := b.crossover(p, q, rng, nil)
	if c == nil || rng.Float64() >= mutation {
		return c
	}
	defer c.close()
	return b.choose(b.mutate(c.molecule, rng), nil)
}

// choose returns c if it is wanted; otherwise it closes it and returns nil.
func (b *breeder) choose(c *child, r *recall) *child {
	switch {
	case c == nil || c.molecule == nil && c.canon == "":
		return nil
	case c.molecule == nil:
		return c
	case b.opts.Wanted != nil && !b.opts.Wanted(c.molecule):
		r.put(c.edit, outcome{})
		c.close()
		return nil
	}
	if r != nil {
		r.put(c.edit, outcome{smiles: c.molecule.SMILES()})
	}
	return c
}

// first applies the edits to a Kekulé form in random order and returns the first result that has the right size and
// passes ringsOK if rings are to be looked at, or nil. Each acceptable result is equally likely, as if all were
// computed and one drawn.
func (b *breeder) first(k kekule, edits []molecule.Edit, rings bool, rng *rand.Rand, r *recall) *child {
	s, _ := b.sketches.Get().(*sketch)
	if s == nil {
		s = &sketch{}
	}
	defer b.sketches.Put(s)
	for _, i := range rng.Perm(len(edits)) {
		e := edits[i]
		atoms := len(k.graph.Atoms) + len(e.Add) - len(e.Remove)
		if atoms < b.opts.Fewest || float64(atoms) >= b.opts.Size+b.opts.SizeDeviation*rng.NormFloat64() {
			continue
		}
		s.largest = k.largest
		if s.draw(k.graph, e); s.impossible() || b.opts.Fits != nil && !b.opts.Fits(s.outline()) || rings && s.strained() {
			continue
		}
		text := k.text(s)
		name := k.name(s, text, rings)
		if o, known := r.get(name); known {
			if o.impossible {
				continue
			}
			return &child{edit: name, canon: o.smiles}
		}
		m, err := k.edit(s, text)
		if err == nil { // otherwise it is invalid, mostly because of valences
			if !rings || b.ringsOK(m, k.largest) {
				return &child{edit: name, molecule: m}
			}
			m.Close()
		}
		r.put(name, outcome{impossible: true})
	}
	return nil
}

// The numbers of atoms of rings: usual ones have at most six, macrocycles at least nine.
const (
	usualRing  = 6
	macrocycle = 9
)

// largestRing returns how many atoms the largest ring of a child of g may have: children of macrocycles are
// macrocycles, too, with up to an atom more.
func largestRing(g molecule.Graph) int {
	largest := usualRing
	for _, ring := range g.Rings {
		if len(ring) >= macrocycle {
			largest = max(largest, len(ring)+1)
		}
	}
	return largest
}

// allowed reports whether a child may have a ring of some size where its largest ring is limited.
func allowed(ring, largest int) bool {
	return ring <= usualRing || ring >= macrocycle && ring <= largest
}

// ringsOK reports whether all rings have an allowed size, no ring atom has two double bonds, and rings of 3 or 4 atoms
// have no double bond.
func (b *breeder) ringsOK(m *molecule.Molecule, largest int) bool {
	for _, ring := range m.Graph().Rings {
		if !allowed(len(ring), largest) {
			return false
		}
	}
	around := surroundingsOf(m.Graph())
	return len(b.allene.in(around)) == 0 && len(b.strained.in(around)) == 0
}
