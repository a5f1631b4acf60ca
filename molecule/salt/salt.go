// Package salt tells which part of a salt, solvate or cocrystal is the compound, its parent, and which are counterions
// and solvents.
//
// It needs RDKit: see package molecule.
package salt

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/invbo/invbo/molecule"
)

// Part is a part of a molecule that has no bonds to the others.
type Part struct {
	SMILES  string
	Neutral string // canonical SMILES without the charges that hydrogens can take away
	Organic bool   // has carbon
	Anion   bool   // has an aromatic anion of carbon, such as cyclopentadienide

	role   role
	atoms  int  // other than hydrogen
	metal  int  // atomic number of a part that is a single atom of a metal; 0: it is none
	halide bool // has a transition metal with bonds, and no carbon: NiCl2
}

// A role says how likely a part is the parent.
type role int

const (
	solvent role = iota
	base
	ion
	amino
	agent
	unlisted
)

var roles = map[string]role{"solvent": solvent, "base": base, "ion": ion, "amino": amino, "agent": agent}

// Split returns the parts of a canonical SMILES. It is safe for concurrent use.
func Split(smiles string) ([]Part, error) {
	if !strings.Contains(smiles, ".") {
		p, err := newPart(smiles)
		return []Part{p}, err
	}
	l, err := lists()
	if err != nil {
		return nil, err
	}
	var parts []Part
	for text := range strings.SplitSeq(smiles, ".") { // RDKit closes no ring across parts
		p, err := l.part(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// Parents returns the parts of a molecule that may be its parent, the likeliest first: parts with carbon that are on no
// list; else agents, amino acids, ions, bases or solvents, in this order. Of several such parts the one with the most
// atoms other than hydrogen is first. Without carbon, all parts may be the parent.
func Parents(parts []Part) []Part {
	sorted := slices.SortedStableFunc(slices.Values(parts), func(a, b Part) int {
		return cmp.Or(-compare(a.Organic, b.Organic), cmp.Compare(b.role, a.role), cmp.Compare(b.atoms, a.atoms))
	})
	for i, p := range sorted {
		if p.Organic != sorted[0].Organic || p.role != sorted[0].role {
			return sorted[:i]
		}
	}
	return sorted
}

// compare orders false before true.
func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Rivals reports whether another one of Parents is as likely the parent as the first one: a different one of the same
// size, or on no list and at least half as large, as in a salt of two drugs.
func (p Part) Rivals(other Part) bool {
	return other.Neutral != p.Neutral && (other.atoms == p.atoms || p.role == unlisted && 2*other.atoms >= p.atoms)
}

// IsComplex reports whether parts are a metal and its ligands: any metal with aromatic anions of carbon, or a metal
// that is not used as a counterion, or a halide of one as dihalides are drawn, with anything that has carbon.
func IsComplex(parts []Part) bool {
	has := func(f func(Part) bool) bool { return slices.ContainsFunc(parts, f) }
	return has(func(p Part) bool { return p.metal > 0 }) && has(func(p Part) bool { return p.Anion }) ||
		has(func(p Part) bool { return isNoble(p.metal) || p.halide }) && has(func(p Part) bool { return p.Organic })
}

// listed are the parts on the lists.
type listed struct {
	roles   map[string]role // by Part.Neutral without stereochemistry
	largest int             // atoms of one of them
	known   sync.Map        // Part by SMILES, of those that recur: what is on a list or has no carbon
}

//go:embed salts.tsv
var table string

// lists reads the lists when they are first needed.
var lists = sync.OnceValues(func() (*listed, error) {
	l := &listed{roles: map[string]role{}}
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		p, err := newPart(fields[1])
		flat := ""
		if err == nil {
			flat, err = molecule.Flat(p.Neutral)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields[1], err)
		}
		l.roles[flat], l.largest = roles[fields[0]], max(l.largest, p.atoms)
	}
	return l, nil
})

// part returns a part of a canonical SMILES with its role.
func (l *listed) part(smiles string) (Part, error) {
	if p, ok := l.known.Load(smiles); ok {
		return p.(Part), nil
	}
	p, err := newPart(smiles)
	if err != nil {
		return Part{}, err
	}
	p.role = unlisted
	if p.Organic && p.atoms <= l.largest {
		flat, err := molecule.Flat(p.Neutral)
		if err != nil {
			return Part{}, err
		}
		if r, ok := l.roles[flat]; ok {
			p.role = r
		}
	}
	if !p.Organic || p.role != unlisted {
		l.known.Store(smiles, p)
	}
	return p, nil
}

// newPart returns a part without its role.
func newPart(smiles string) (Part, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return Part{}, err
	}
	defer m.Close()
	p := Part{SMILES: smiles, Neutral: m.SMILES(), atoms: m.HeavyAtoms()}
	atoms := m.Graph().Atoms
	charged := false
	for _, a := range atoms {
		p.Organic = p.Organic || a.Number == 6
		p.Anion = p.Anion || a.Number == 6 && a.Aromatic && a.Charge < 0
		p.halide = p.halide || len(atoms) > 1 && isTransition(a.Number)
		charged = charged || a.Charge != 0
	}
	p.halide = p.halide && !p.Organic
	if len(atoms) == 1 && isMetal(atoms[0].Number) {
		p.metal = atoms[0].Number
	}
	if !charged {
		return p, nil
	}
	n, err := m.Neutral()
	if err != nil {
		return Part{}, err
	}
	defer n.Close()
	p.Neutral = n.SMILES()
	return p, nil
}

// isTransition reports whether an element is a transition metal but for those of the zinc group, whose halides are
// counterions.
func isTransition(number int) bool {
	return 21 <= number && number <= 29 || 39 <= number && number <= 47 || 72 <= number && number <= 79
}

// isMetal reports whether an element is a metal, by its atomic number.
func isMetal(number int) bool {
	switch {
	case number <= 2, 5 <= number && number <= 10, 14 <= number && number <= 18, 32 <= number && number <= 36, 52 <= number && number <= 54, number >= 85:
		return false
	}
	return true
}

// isNoble reports whether an element is a lanthanide, technetium, rhenium, gold or of the platinum group.
func isNoble(number int) bool {
	return 57 <= number && number <= 71 || 43 <= number && number <= 46 || 75 <= number && number <= 79
}
