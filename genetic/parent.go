package genetic

import (
	"context"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
)

// parent is a molecule for crossover, with the places where it can be cut. Bonds are those of its Kekulé form.
type parent struct {
	smiles                           string
	kekule                           *molecule.Molecule
	chainBonds, ringBonds, ringAtoms [][]int // matches of the breeder's patterns
}

// parents maps SMILES to molecules. SMILES that RDKit wrote but cannot parse are missing.
type parents map[string]*parent

// parents returns the molecules of a pool, or only some of them if ctx has ended.
func (b *breeder) parents(ctx context.Context, pool []string) parents {
	parents := parents{}
	var distinct []*parent
	for _, s := range pool {
		if parents[s] == nil {
			parents[s] = &parent{smiles: s}
			distinct = append(distinct, parents[s])
		}
	}
	parallel.For(len(distinct), 4, func(lo, hi int) {
		for _, p := range distinct[lo:hi] {
			if ctx.Err() == nil {
				b.read(p)
			}
		}
	})
	for _, p := range distinct {
		if p.kekule == nil {
			delete(parents, p.smiles)
		}
	}
	return parents
}

// read parses p, if RDKit can.
func (b *breeder) read(p *parent) {
	m, err := molecule.Parse(p.smiles)
	if err != nil {
		return
	}
	defer m.Close()
	if p.kekule, err = m.Kekule(); err != nil {
		return
	}
	p.chainBonds = b.chainBond.Matches(p.kekule, true)
	p.ringBonds = b.ringBonds.Matches(p.kekule, true)
	p.ringAtoms = b.ringAtom.Matches(p.kekule, true)
}

func (p parents) close() {
	for _, parent := range p {
		parent.kekule.Close()
	}
}
