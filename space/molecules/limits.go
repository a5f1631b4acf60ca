package molecules

import (
	"slices"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
)

// Limits say which molecules may be proposed. The zero Limits allow all.
type Limits struct {
	Usual    *corpus.Corpus      // in which all environments and rings are usual; nil: any may occur
	Forbid   []*molecule.Pattern // of which none occurs, as structural alerts
	Require  []*molecule.Pattern // of which each occurs
	MaxAtoms int                 // heavy atoms at most; 0: any number
	Weight   Range               // molecular weight, g/mol
	LogP     Range               // Crippen's logP
}

// Range is a closed interval. An end that is infinite is open, and the zero Range holds all numbers.
type Range struct{ Min, Max float64 }

// Holds reports whether v lies in the range.
func (r Range) Holds(v float64) bool { return r == Range{} || r.Min <= v && v <= r.Max }

// Met reports whether a molecule is within the limits. It may be called from several goroutines.
func (l Limits) Met(m *molecule.Molecule) bool {
	if l.Usual != nil && !l.Usual.Usual(m) {
		return false
	}
	if l.MaxAtoms > 0 && heavyAtoms(m) > l.MaxAtoms {
		return false
	}
	var all Range // for which nothing is computed
	if l.Weight != all && !l.Weight.Holds(m.Weight()) || l.LogP != all && !l.LogP.Holds(m.LogP()) {
		return false
	}
	found := func(p *molecule.Pattern) bool { return p.In(m) }
	missing := func(p *molecule.Pattern) bool { return !p.In(m) }
	return !slices.ContainsFunc(l.Require, missing) && !slices.ContainsFunc(l.Forbid, found)
}

// Feasible is Met of a SMILES, as study.Problem has it. The error is that of molecule.Parse.
func (l Limits) Feasible(smiles string) (bool, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return false, err
	}
	defer m.Close()
	return l.Met(m), nil
}

// heavyAtoms returns the number of atoms that are not hydrogen or an isotope of it.
func heavyAtoms(m *molecule.Molecule) int {
	n := 0
	for _, a := range m.Graph().Atoms {
		if a.Number != 1 {
			n++
		}
	}
	return n
}
