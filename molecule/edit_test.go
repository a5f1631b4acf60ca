package molecule_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
)

func TestEdit(t *testing.T) {
	needRDKit(t)
	type edit = molecule.Edit
	tests := []struct {
		name, smiles string
		edit         edit
		want         string
	}{
		{"nothing", "c1ccccc1O", edit{}, "Oc1ccccc1"},
		{"append", "c1ccccc1", edit{Add: []int{8}, Link: []molecule.Link{{0, 6, 1}}}, "Oc1ccccc1"},
		{"append to the nitrogen of pyrrole", "c1cc[nH]c1", edit{Add: []int{6}, Link: []molecule.Link{{3, 5, 1}}}, "Cn1cccc1"},
		{"insert", "CC", edit{Add: []int{8}, Link: []molecule.Link{{0, 1, 0}, {0, 2, 1}, {2, 1, 1}}}, "COC"},
		{"change an atom", "c1ccccc1", edit{Change: []molecule.Element{{0, 7}}}, "c1ccncc1"},
		{"change an isotope", "[13CH4]", edit{Change: []molecule.Element{{0, 8}}}, "O"},
		{"change a bond", "CCO", edit{Link: []molecule.Link{{2, 1, 2}}}, "CC=O"},
		{"close a ring", "CCCCCC", edit{Link: []molecule.Link{{0, 5, 1}}}, "C1CCCCC1"},
		{"open an aromatic ring", "C1=CC=CC=C1", edit{Link: []molecule.Link{{0, 1, 0}}}, "CC=CC=CC"}, // at a double bond
		{"remove", "CC(C)O", edit{Remove: []int{3}}, "CCC"},
		{"remove twice", "CC(C)O", edit{Remove: []int{3, 3, 0}}, "CC"},
		{"keep a charge", "C[N+](=O)[O-]", edit{Add: []int{6}, Link: []molecule.Link{{0, 4, 1}}}, "CC[N+](=O)[O-]"},
		{"keep a configuration elsewhere", "N[C@@H](C)C(=O)O", edit{Remove: []int{5}}, "C[C@H](N)C=O"},
		{"lose a configuration", "N[C@@H](C)C(=O)O", edit{Remove: []int{2}}, "NCC(=O)O"},
		{"keep a configuration beside a new neighbor", "N[C@@H](C)C(=O)O", edit{Add: []int{8}, Link: []molecule.Link{{1, 2, 0}, {1, 6, 1}, {6, 2, 1}}}, "CO[C@H](N)C(=O)O"},
		{"keep it where the first one is replaced", "N[C@@H](C)C(=O)O", edit{Add: []int{9}, Remove: []int{0}, Link: []molecule.Link{{1, 6, 1}}}, "C[C@H](F)C(=O)O"},
		{"keep it where the last one is replaced", "N[C@@H](C)C(=O)O", edit{Add: []int{9}, Remove: []int{3, 4, 5}, Link: []molecule.Link{{1, 6, 1}}}, "C[C@H](N)F"},
		{"keep it between four", "N[C@@](F)(C)Cl", edit{Add: []int{8}, Remove: []int{2}, Link: []molecule.Link{{1, 5, 1}}}, "C[C@@](N)(O)Cl"},
		{"lose it where two are replaced", "N[C@@H](C)C(=O)O", edit{Add: []int{9, 17}, Remove: []int{0, 2}, Link: []molecule.Link{{1, 6, 1}, {1, 7, 1}}}, "O=C(O)C(F)Cl"},
		{"lose it where a hydrogen is replaced", "N[C@@H](C)C(=O)O", edit{Add: []int{9}, Link: []molecule.Link{{1, 6, 1}}}, "CC(N)(F)C(=O)O"},
		{"keep a double bond's", "F/C=C/CC", edit{Add: []int{8}, Link: []molecule.Link{{4, 5, 1}}}, "OCC/C=C/F"},
		{"lose a double bond's", "F/C=C/C", edit{Link: []molecule.Link{{1, 2, 1}}}, "CCCF"},
		{"add any atom", "C", edit{Add: []int{0}, Link: []molecule.Link{{0, 1, 1}}}, "*C"},
		{"change into the last element", "C", edit{Change: []molecule.Element{{0, 118}}}, "[Og]"},
		{"keep the radical elsewhere", "[CH2]CC", edit{Remove: []int{2}}, "[CH2]C"},
	}
	for _, test := range tests {
		m := parse(t, test.smiles)
		got, err := m.Edit(test.edit)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		same(t, test.name, got.SMILES(), test.want)
		equal(t, test.name, "SMILES of the molecule edited", m.SMILES(), parse(t, test.smiles).SMILES())
	}
}

// A bond that is removed and added again, and an end of a chain that is replaced by the same element, give the same
// molecule, with all of its configurations.
func TestEditKeepsConfigurations(t *testing.T) {
	needRDKit(t)
	for _, smiles := range []string{
		"C[C@]12C=CC(=O)C=C1CC[C@@H]1[C@@H]2CC[C@@]2(C)[C@H]1C[C@H](O)[C@]2(O)C(=O)CO", "COC(=O)[C@H](C)NP(=O)(OC[C@H]1O[C@@H](n2ccc(=O)[nH]c2=O)[C@](F)(C)[C@@H]1O)Oc1ccccc1",
		"Cc1ncsc1-c1ccc(CNC(=O)[C@@H]2C[C@@H](O)CN2C(=O)[C@@H](NC(C)=O)C(C)(C)C)cc1", "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O", "[C@H](F)(Cl)Br", "C[S@](=O)c1ccccc1", "[C@@H]1(F)C[C@H]1Cl",
	} {
		m := parse(t, smiles)
		g, want := m.Graph(), m.SMILES()
		check := func(what string, e molecule.Edit) {
			t.Helper()
			got, err := m.Edit(e)
			if err != nil {
				t.Fatalf("%s: %s: %v", smiles, what, err)
			}
			defer got.Close()
			same(t, smiles+": "+what, got.SMILES(), want)
		}
		for _, b := range g.Bonds {
			if b.Order == 1 {
				check("a bond", molecule.Edit{Link: []molecule.Link{{b.Begin, b.End, 0}, {b.Begin, b.End, 1}}})
			}
		}
		for i, around := range g.Neighbours() {
			if len(around) == 1 && g.Bonds[around[0].Bond].Order == 1 {
				check("an end", molecule.Edit{Add: []int{g.Atoms[i].Number}, Remove: []int{i}, Link: []molecule.Link{{around[0].Atom, len(g.Atoms), 1}}})
			}
		}
	}
}

func TestEditIsNoMolecule(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		edit         molecule.Edit
		want         string
	}{
		{"valence", "CC(C)(C)C", molecule.Edit{Add: []int{6}, Link: []molecule.Link{{1, 5, 1}}}, "valence"},
		{"no atom left", "C", molecule.Edit{Remove: []int{0}}, "no atoms"},
	}
	for _, test := range tests {
		_, err := parse(t, test.smiles).Edit(test.edit)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one about %q", test.name, err, test.want)
		}
	}
}

func TestEditPanics(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name string
		edit molecule.Edit
	}{
		{"change an atom that is not there", molecule.Edit{Change: []molecule.Element{{2, 6}}}},
		{"remove one", molecule.Edit{Remove: []int{-1}}},
		{"add element 300, which is 44 in a byte", molecule.Edit{Add: []int{300}}},
		{"add element -1", molecule.Edit{Add: []int{-1}}},
		{"change into element 119", molecule.Edit{Change: []molecule.Element{{0, 119}}}},
		{"a bond to itself", molecule.Edit{Link: []molecule.Link{{1, 1, 1}}}},
		{"order 4", molecule.Edit{Link: []molecule.Link{{0, 1, 4}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("Edit did not panic")
				}
			}()
			parse(t, "CC").Edit(test.edit)
		})
	}
}

func TestKekule(t *testing.T) {
	needRDKit(t)
	m, err := parse(t, "c1cc[nH]c1").Kekule()
	if err != nil {
		t.Fatal(err)
	}
	double := 0
	for _, b := range m.Graph().Bonds {
		if b.Order == 2 {
			double++
		}
		if b.Aromatic || !b.InRing {
			t.Errorf("bond %+v of pyrrole is aromatic or in no ring", b)
		}
	}
	equal(t, "pyrrole", "double bonds", double, 2)
}

func TestMerge(t *testing.T) {
	needRDKit(t)
	benzene := parse(t, "c1ccccc1")
	m, err := molecule.Merge(benzene, benzene)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "two rings", "Rings", m.Rings(), 2)
	biphenyl, err := m.Edit(molecule.Edit{Link: []molecule.Link{{0, 6, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "joined", biphenyl.SMILES(), "c1ccc(-c2ccccc2)cc1")
}

// KekuleGraph returns the Graph of Kekule, also of molecules that it has no short way for.
func TestKekuleGraph(t *testing.T) {
	needRDKit(t)
	smiles := []string{"[2H]C([2H])O", "[H][H]", "C[C@H](N)C(=O)NCCC/C=C/F", "[NH3]->[Cu]", "C[n+]1ccc2ccccc2c1", "O=c1cc[nH]c2ccccc12", "[Na+].[Cl-]", "*c1ccccc1"}
	all := library.SMILES()
	for i := 0; i < len(all); i += 20 {
		smiles = append(smiles, all[i])
	}
	for _, s := range smiles {
		m := parse(t, s)
		got, err := molecule.KekuleGraph(m.SMILES())
		if err != nil {
			t.Fatal(err)
		}
		canonical := parse(t, m.SMILES())
		kekule, err := canonical.Kekule()
		if err != nil {
			t.Fatal(err)
		}
		want := kekule.Graph()
		for _, g := range []molecule.Graph{got, want} {
			for i := range g.Atoms {
				g.Atoms[i].Hybridization = 0
			}
			for i := range g.Bonds {
				g.Bonds[i].Conjugated = false
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("KekuleGraph(%s) = %+v\nwant %+v", m.SMILES(), got, want)
		}
		for _, m := range []*molecule.Molecule{m, canonical, kekule} {
			m.Close()
		}
	}
	for _, s := range []string{"", "C(", "CN(C)(C)C", "C C"} {
		_, err := molecule.KekuleGraph(s)
		if _, want := molecule.Parse(s); err == nil || err.Error() != want.Error() {
			t.Errorf("KekuleGraph(%q): error %v, want Parse's %v", s, err, want)
		}
	}
}
