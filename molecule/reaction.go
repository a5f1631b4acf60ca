package molecule

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// A Reaction is a reaction SMARTS with one product. It is safe for concurrent use.
type Reaction struct {
	Strict bool // no product if a reactant also matches the template of another reactant

	ref      reaction
	smarts   string
	patterns []string
}

// maxReaction is the largest number of bytes of a reaction SMARTS.
const maxReaction = 4000

// CompileReaction parses a reaction SMARTS, such as [C:1](=[O:2])[OH].[NH2:3]>>[C:1](=[O:2])[N:3]. Agents, as in
// [C:1]=[O:2]>[Na+]>[C:1][O:2], are ignored. The error says what is wrong with it, or is ErrNoRDKit.
func CompileReaction(smarts string) (*Reaction, error) {
	if !available {
		return nil, ErrNoRDKit
	}
	before, after, ok := ends(smarts)
	switch {
	case !ok || strings.TrimSpace(before) == "" || strings.TrimSpace(after) == "":
		return nil, errors.New("no reaction SMARTS: write REACTANT.REACTANT>>PRODUCT")
	case len(smarts) > maxReaction:
		return nil, fmt.Errorf("reaction SMARTS of %d bytes; the limit is %d", len(smarts), maxReaction)
	case strings.ContainsFunc(smarts, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("reaction SMARTS with a character that is a blank or not printable ASCII")
	case strings.Contains(after, "."):
		return nil, errors.New("reaction SMARTS with several products: write the one that is kept")
	}
	smarts = before + ">>" + after
	ref, err := parseReaction(smarts)
	if err != nil {
		return nil, fmt.Errorf("reaction SMARTS: %w", err)
	}
	r := &Reaction{ref: ref, smarts: smarts}
	runtime.AddCleanup(r, freeReaction, ref)
	if r.patterns, err = templates(ref); err != nil {
		return nil, fmt.Errorf("reaction SMARTS: %w", err)
	}
	return r, nil
}

// ends returns the reactants and the product of a reaction SMARTS: what stands before and after its two ">", which are
// not those of dative bonds.
func ends(smarts string) (before, after string, ok bool) {
	var at []int
	for i, c := range smarts {
		if c == '>' && (i == 0 || smarts[i-1] != '-') {
			at = append(at, i)
		}
	}
	if len(at) != 2 {
		return "", "", false
	}
	return smarts[:at[0]], smarts[at[1]+1:], true
}

// SMARTS returns the reaction SMARTS without agents.
func (r *Reaction) SMARTS() string { return r.smarts }

// Reactants returns the SMARTS of the reactants in their order.
func (r *Reaction) Reactants() []string { return r.patterns }

// Run returns the canonical SMILES of the products of reactants (SMILES), in alphabetical order: none if they do not
// react, and several if they may react in several ways. Tautomers are one product, which the first of them stands for.
// The error says which reactant is no molecule, or is that of RDKit.
func (r *Reaction) Run(reactants ...string) ([]string, error) {
	if len(reactants) != len(r.patterns) {
		return nil, fmt.Errorf("%d reactants for a reaction of %d", len(reactants), len(r.patterns))
	}
	ms := make([]*Molecule, len(reactants))
	for i, smiles := range reactants {
		m, err := Parse(smiles)
		if err != nil {
			return nil, fmt.Errorf("reactant %s: %w", smiles, err)
		}
		defer m.Close()
		ms[i] = m
	}
	defer runtime.KeepAlive(r)
	raw, err := products(r.ref, ms, r.Strict)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, line := range raw {
		settled, smiles, _ := strings.Cut(line, " ")
		if settled == "1" && len(smiles) <= MaxLength {
			all = append(all, smiles)
		} else if canonical, err := Canonical(smiles); err == nil { // it may be too long
			all = append(all, canonical)
		}
	}
	slices.Sort(all) // two that were not settled may be one
	return slices.Compact(all), nil
}

// Sites are the matches of a pattern in a molecule, at most about 20 of them.
type Sites struct {
	Different int   // that symmetry does not make equal
	Size      int   // atoms of the pattern
	Atoms     []int // of the matches, one after the other
}

// First returns the atoms of the first match; none if there is no match.
func (s Sites) First() []int { return s.Atoms[:min(s.Size, len(s.Atoms))] }

// Sites returns for each pattern where m has it.
func (m *Molecule) Sites(patterns []*Pattern) []Sites {
	if len(patterns) == 0 {
		return nil
	}
	return m.sites(patterns)
}

// Cut is a bond that is cut: in each of the pieces an atom * with the map number Label takes the place of the other
// one, as in C[*:1].
type Cut struct{ Begin, End, Label int }

// Cut returns SMILES of the pieces that are left if bonds are cut. Atoms are numbered as in Graph. Configurations are
// kept. The error is RDKit's.
func (m *Molecule) Cut(bonds ...Cut) ([]string, error) {
	if len(bonds) == 0 {
		return []string{m.SMILES()}, nil
	}
	var list []int64
	for _, b := range bonds {
		list = append(list, int64(b.Begin), int64(b.End), int64(b.Label), int64(b.Label))
	}
	text, err := m.cut(list)
	if err != nil {
		return nil, err
	}
	return strings.Split(text, "."), nil
}

// Join joins pieces (SMILES) where atoms * have the same map number, as in C[*:1] and [*:1]O, and returns the canonical
// SMILES. The error says why the result is no molecule.
func Join(pieces ...string) (string, error) {
	m, err := Parse(strings.Join(pieces, "."))
	if err != nil {
		return "", err
	}
	defer m.Close()
	joined, err := m.zip()
	if err != nil {
		return "", err
	}
	return Canonical(joined)
}
