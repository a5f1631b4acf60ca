package genetic

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// attempts is how often a crossover, a way of cutting in it, and a mutation are tried.
const attempts = 10

// fewest is the number of atoms that are too few.
const fewest = 5

// breeder makes children. It never changes and is used by several goroutines.
type breeder struct {
	opts      Options
	mutations []mutation
	places    []*molecule.Pattern // of each mutation

	chainBond, ringBonds, ringAtom *molecule.Pattern // where crossover cuts
	allene, strained               *molecule.Pattern // what no ring must have
}

// newBreeder compiles the patterns. The error is molecule.ErrNoRDKit.
func newBreeder(opts Options) (*breeder, error) {
	b := &breeder{opts: opts, mutations: mutations()}
	compile := func(to **molecule.Pattern, smarts string) error {
		var err error
		*to, err = molecule.CompilePattern(smarts)
		return err
	}
	err := cmp.Or(
		compile(&b.chainBond, "*-;!@*"),
		compile(&b.ringBonds, "[R]@[R]@[R]@[R]"),
		compile(&b.ringAtom, "[R]@[R;!D2]@[R]"),
		compile(&b.allene, "[R]=[R]=[R]"),
		compile(&b.strained, "[r3,r4]=[r3,r4]"),
	)
	b.places = make([]*molecule.Pattern, len(b.mutations))
	for i, m := range b.mutations {
		err = cmp.Or(err, compile(&b.places[i], m.smarts))
	}
	return b, err
}

// offspring returns the children of n pairs of parents, fewer than n if some have none.
func (b *breeder) offspring(ctx context.Context, pool []string, n int, rng *rand.Rand) ([]string, error) {
	seed := rng.Uint64()
	parents := b.parents(ctx, pool)
	defer parents.close()
	born := make([]string, n)
	parallel.For(n, 1, func(i, _ int) {
		if ctx.Err() == nil {
			rng := rand.New(rand.NewPCG(seed, uint64(i))) // a child's own, whoever makes it
			born[i] = b.child(parents[pool[rng.IntN(len(pool))]], parents[pool[rng.IntN(len(pool))]], rng)
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return slices.DeleteFunc(born, func(s string) bool { return s == "" }), nil
}

// child returns a child of two molecules, or "" if there is none.
func (b *breeder) child(p, q *parent, rng *rand.Rand) string {
	if p == nil || q == nil {
		return ""
	}
	m := b.crossover(p, q, rng)
	if m == nil {
		return ""
	}
	defer m.Close()
	if rng.Float64() >= b.opts.Mutation {
		return m.SMILES()
	}
	mutant := b.mutate(m, rng)
	if mutant == nil {
		return ""
	}
	defer mutant.Close()
	return mutant.SMILES()
}

// first returns the first molecule, in random order, that one of the edits makes of m, has the right size and
// passes ok; nil if there is none. So each that would pass is as likely as any other, as if all were made.
func (b *breeder) first(m *molecule.Molecule, edits []molecule.Edit, ok func(*molecule.Molecule) bool, rng *rand.Rand) *molecule.Molecule {
	for _, i := range rng.Perm(len(edits)) {
		e := edits[i]
		atoms := len(m.Graph().Atoms) + len(e.Add) - len(e.Remove)
		if atoms <= fewest || float64(atoms) >= b.opts.Size+b.opts.SizeDeviation*rng.NormFloat64() {
			continue
		}
		if impossible(m.Graph(), e) {
			continue
		}
		child, err := m.Edit(e)
		if err != nil {
			continue // no molecule, mostly for its valences
		}
		if ok(child) {
			return child
		}
		child.Close()
	}
	return nil
}

// largestRing is the number of atoms of the largest ring that is made.
const largestRing = 6

// ringsOK says whether no ring has more than 6 atoms, none has two double bonds at one atom, and none of 3 or 4
// atoms has a double bond.
func (b *breeder) ringsOK(m *molecule.Molecule) bool {
	for _, ring := range m.Graph().Rings {
		if len(ring) > largestRing {
			return false
		}
	}
	return !b.allene.In(m) && !b.strained.In(m)
}
