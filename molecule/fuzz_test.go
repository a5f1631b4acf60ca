package molecule_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// FuzzParse checks that any string is a molecule that every method can describe, or an error of one line.
func FuzzParse(f *testing.F) {
	needRDKit(f)
	for _, seed := range []string{
		"", "CC(=O)Oc1ccccc1C(=O)O", "C[C@H](N)C(=O)O", "F/C=C/F", "[Na+].[Cl-]", "[13CH4]", "[H][H]", "*", "N->[Cu]", "C%10CC%10",
		"C%(1234)CC%(1234)", "[C@TH1](F)(Cl)(Br)I", "[Fe@OH9](F)(F)(F)(F)(F)F", "C$C", "C~C", "[B]:[Cl-]", "c1ccc2c(c1)cc[nH]2", "[cH-]1cccc1", "[CH3:7]O",
		"C(", "C1CC", "CN(C)(C)(C)C", "c1cccc1", "[Xx]", "C |foo|", "C name", "C\x00C", "[999999999999C]", "\xff", strings.Repeat("(", 3000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, smiles string) {
		m, err := molecule.Parse(smiles)
		if err != nil {
			if !isLine(err) {
				t.Errorf("%q: %#v, want one line", smiles, err)
			}
			return
		}
		defer m.Close()
		describe(t, m)
		m.Pharmacophore()
		if v := m.QED(); !(0 < v && v < 1) {
			t.Errorf("%s: QED %g, want it in (0, 1)", m.SMILES(), v)
		}
		change(t, m)
	})
}

// describe calls every method of m that returns a property.
func describe(t *testing.T, m *molecule.Molecule) {
	g := m.Graph()
	if m.SMILES() == "" || m.Formula() == "" && slices.ContainsFunc(g.Atoms, func(a molecule.Atom) bool { return a.Number > 0 }) {
		t.Errorf("SMILES %q, formula %q, want none empty", m.SMILES(), m.Formula())
	}
	m.LogP()
	m.TPSA()
	m.Weight()
	m.RotatableBonds()
	m.FCFP(2)
	m.AtomPairs()
	m.Environments()
	if v := m.Bertz(); math.IsNaN(v) || math.IsInf(v, 0) {
		t.Errorf("%s: Bertz %g, want a number", m.SMILES(), v)
	}
	if m.AromaticRings() > m.Rings() || m.Atoms() < len(g.Atoms) {
		t.Errorf("%s: %d aromatic of %d rings, %d atoms", m.SMILES(), m.AromaticRings(), m.Rings(), m.Atoms())
	}
	if n := m.ECFP(0).Total(); n != len(g.Atoms) {
		t.Errorf("%s: %d features of radius 0 for %d atoms", m.SMILES(), n, len(g.Atoms))
	}
	if _, err := molecule.Draw([]molecule.Drawing{{Molecule: m, Legend: "legend"}}, 1, 100); err != nil {
		t.Error(err)
	}
}

// change calls the methods that make other molecules of m, which return a molecule or an error of one line.
func change(t *testing.T, m *molecule.Molecule) {
	last := len(m.Graph().Atoms) - 1
	makers := map[string]func() (*molecule.Molecule, error){
		"Kekule":        m.Kekule,
		"Merge":         func() (*molecule.Molecule, error) { return molecule.Merge(m, m) },
		"Edit, nothing": func() (*molecule.Molecule, error) { return m.Edit(molecule.Edit{}) },
		"Edit, an atom more": func() (*molecule.Molecule, error) {
			return m.Edit(molecule.Edit{Add: []int{6}, Link: []molecule.Link{{0, last + 1, 1}}})
		},
		"Edit, another element": func() (*molecule.Molecule, error) {
			return m.Edit(molecule.Edit{Change: []molecule.Element{{last, 7}}})
		},
		"Edit, an atom less": func() (*molecule.Molecule, error) { return m.Edit(molecule.Edit{Remove: []int{last}}) },
	}
	for name, maker := range makers {
		made, err := maker()
		if err != nil {
			if !isLine(err) {
				t.Errorf("%s: %s: %#v, want one line", m.SMILES(), name, err)
			}
			continue
		}
		describe(t, made)
		made.Close()
	}
}

// FuzzCompilePattern checks that any string is a pattern whose matches all have the same number of atoms, or an error.
func FuzzCompilePattern(f *testing.F) {
	needRDKit(f)
	for _, seed := range []string{
		"", "[#6]", "[$([N;!H0;v3]),$([n;H1;+0])]", "C(=O)[OH]", "[C@H](F)Cl", "*~*", "[!#6;R]@[R]", "c1ccccc1", "[D{2-3}]", "[$([$([C])])]", "[*:1]>>[*:2]",
		"(C).(O)", "[", "C |foo|", "C\x00", strings.Repeat("[$(", 500), "[#999]", "[R99999999999]",
	} {
		f.Add(seed)
	}
	aspirin := parse(f, "CC(=O)Oc1ccccc1C(=O)O")
	f.Fuzz(func(t *testing.T, smarts string) {
		p, err := molecule.CompilePattern(smarts)
		if err != nil {
			return
		}
		matches := p.Matches(aspirin, false)
		if got := p.In(aspirin); got != (len(matches) > 0) {
			t.Errorf("%q: In = %t, but %d matches", smarts, got, len(matches))
		}
		for _, match := range matches {
			if len(match) != len(matches[0]) {
				t.Errorf("%q: matches of %d and %d atoms", smarts, len(match), len(matches[0]))
			}
		}
	})
}
