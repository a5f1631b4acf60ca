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
	graph    molecule.Graph
	molecule *molecule.Molecule // nil if it has no stereochemistry, and so is all in graph
	largest  int                // atoms of the largest ring of a child; see allowed
}

// edit returns the molecule of a sketch of k.
func (k kekule) edit(s *sketch) (*molecule.Molecule, error) {
	if k.molecule != nil {
		return k.molecule.Edit(s.edit)
	}
	return molecule.Parse(s.smiles())
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
	both := kekule{graph: molecule.Graph{
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

// parents maps SMILES to molecules. SMILES that RDKit wrote but cannot parse map to nil.
type parents map[string]*parent

// remembered bounds the parents that a breeder keeps, at some 10 kB each.
const remembered = 2_000

// parents returns the molecules of a pool, or only some of them if ctx has ended.
func (b *breeder) parents(ctx context.Context, pool []string) parents {
	if len(b.known) > remembered {
		b.known = nil
	}
	if b.known == nil {
		b.known = parents{}
	}
	var fresh []string
	for _, s := range pool {
		if _, ok := b.known[s]; !ok {
			b.known[s] = nil
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
		if b.known[s] = read[i]; ctx.Err() != nil {
			delete(b.known, s)
		}
	}
	return b.known
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
