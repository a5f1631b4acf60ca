package genetic

import (
	"context"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// kekule is a molecule with single and double bonds in place of aromatic ones.
type kekule struct {
	smiles   string // of the molecules that it is of
	graph    molecule.Graph
	molecule *molecule.Molecule // nil if it has no stereochemistry, and so is all in graph
	largest  int                // atoms of the largest ring of a child; see allowed
}

// text returns a SMILES of a sketch of k, "" where configurations are kept.
func (k kekule) text(s *sketch) string {
	if k.molecule != nil {
		return ""
	}
	return s.smiles()
}

// edit returns the molecule of a sketch of k, which text returned the SMILES of.
func (k kekule) edit(s *sketch, text string) (*molecule.Molecule, error) {
	if k.molecule != nil {
		return k.molecule.Edit(s.edit)
	}
	return molecule.Parse(text)
}

// close frees memory that only one user of k has.
func (k kekule) close() {
	if k.molecule != nil {
		k.molecule.Close()
	}
}

// stereo reports whether a SMILES has configurations.
func stereo(smiles string) bool { return strings.ContainsAny(smiles, `@/\`) }

// parent is a molecule for crossover, with the places where it can be cut.
type parent struct {
	smiles                           string
	graph                            molecule.Graph // of its Kekulé form
	chainBonds, ringBonds, ringAtoms [][]int        // matches of the breeder's patterns
}

// form returns the Kekulé form as a molecule, which the caller closes. The atoms are numbered as in graph.
func (p *parent) form() (*molecule.Molecule, error) {
	m, err := molecule.Parse(p.smiles)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Kekule()
}

// merge returns a molecule of two unconnected parts, the atoms of q following those of p. The caller closes it.
func (p *parent) merge(q *parent) (kekule, error) {
	n := len(p.graph.Atoms)
	both := kekule{smiles: p.smiles + " " + q.smiles, graph: molecule.Graph{
		Atoms: slices.Concat(p.graph.Atoms, q.graph.Atoms),
		Bonds: slices.Concat(p.graph.Bonds, q.graph.Bonds),
	}, largest: max(largestRing(p.graph), largestRing(q.graph))}
	for i := len(p.graph.Bonds); i < len(both.graph.Bonds); i++ {
		both.graph.Bonds[i].Begin += n
		both.graph.Bonds[i].End += n
	}
	if !stereo(p.smiles) && !stereo(q.smiles) {
		return both, nil
	}
	first, err := p.form()
	if err != nil {
		return both, err
	}
	defer first.Close()
	second, err := q.form()
	if err != nil {
		return both, err
	}
	defer second.Close()
	both.molecule, err = molecule.Merge(first, second)
	return both, err
}

// Parents that are remembered, and up to twice as many, at some 10 kB each.
const rememberedParents = 1_000

// meet reads the molecules of a pool that are not remembered, or only some of them if ctx has ended.
func (b *breeder) meet(ctx context.Context, pool []string) {
	b.known.age(rememberedParents)
	var fresh []string
	for _, s := range pool {
		p, ok := b.known.get(s)
		if b.known.put(s, p); !ok {
			fresh = append(fresh, s)
		}
	}
	read := make([]*parent, len(fresh))
	parallel.For(len(fresh), 4, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			read[i] = b.read(fresh[i])
		}
	})
	for i, s := range fresh {
		if b.known.put(s, read[i]); ctx.Err() != nil {
			delete(b.known.recent, s)
		}
	}
}

// parent returns a molecule that the breeder has met; nil: RDKit cannot read it, or it was not met.
func (b *breeder) parent(smiles string) *parent {
	p, _ := b.known.get(smiles)
	return p
}

// read returns the parent of a SMILES, or nil if RDKit cannot read it.
func (b *breeder) read(smiles string) *parent {
	graph, err := molecule.KekuleGraph(smiles)
	if err != nil {
		return nil
	}
	around := surroundingsOf(graph)
	return &parent{
		smiles: smiles, graph: graph,
		chainBonds: unique(b.chainBond.in(around)), ringBonds: unique(b.ringBonds.in(around)), ringAtoms: unique(b.ringAtom.in(around)),
	}
}
