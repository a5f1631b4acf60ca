package molecule_test

import (
	"slices"
	"testing"
)

// Shells, Roles and Pairs tell molecules apart, do not depend on how a molecule is spelled, and count what is there.
func TestFeaturesOfGraphs(t *testing.T) {
	needRDKit(t)
	for _, spellings := range [][2]string{{"CCO", "OCC"}, {"c1ccccc1C(=O)O", "OC(=O)C1=CC=CC=C1"}, {"CC(=O)Nc1ccc(O)cc1", "Oc1ccc(NC(C)=O)cc1"}} {
		a, b := parse(t, spellings[0]).Graph(), parse(t, spellings[1]).Graph()
		x, y := append(a.Shells(3), a.Roles(0)), append(b.Shells(3), b.Roles(0))
		if len(x) != 5 || len(y) != 5 {
			t.Fatalf("%v: %d and %d shells, want 5", spellings, len(x), len(y))
		}
		for r := range x {
			if !slices.Equal(x[r].IDs, y[r].IDs) || !slices.Equal(x[r].N, y[r].N) {
				t.Errorf("%v have different environments of radius %d", spellings, r)
			}
			if x[r].Total() != len(a.Atoms) {
				t.Errorf("%s: %d environments of radius %d, want one for each of %d atoms", spellings[0], x[r].Total(), r, len(a.Atoms))
			}
		}
		if r, s := a.Roles(2), b.Roles(2); !slices.Equal(r.IDs, s.IDs) || !slices.Equal(r.N, s.N) || r.Total() != 3*len(a.Atoms) {
			t.Errorf("%v have different roles", spellings)
		}
		p, q := a.Pairs(10), b.Pairs(10)
		if !slices.Equal(p.IDs, q.IDs) || !slices.Equal(p.N, q.N) {
			t.Errorf("%v have different pairs", spellings)
		}
		if n := len(a.Atoms); p.Total() != n*(n-1)/2 {
			t.Errorf("%s: %d pairs of %d atoms, which are all close", spellings[0], p.Total(), n)
		}
	}
	seen := map[uint64]string{}
	for _, s := range []string{"C", "N", "[NH4+]", "[13CH4]", "O", "[OH-]"} { // an atom each
		id := parse(t, s).Graph().Shells(0)[0].IDs[0]
		if other, ok := seen[id]; ok {
			t.Errorf("%s and %s have one environment", s, other)
		}
		seen[id] = s
	}
	long := parse(t, "CCCCCCCCCCCC").Graph()
	if near, all := long.Pairs(1).Total(), long.Pairs(11).Total(); near != 11 || all != 66 {
		t.Errorf("%d pairs of neighbours and %d in all of dodecane, want 11 and 66", near, all)
	}
	if got := parse(t, "C.C").Graph().Pairs(10).Total(); got != 0 {
		t.Errorf("%d pairs of unconnected atoms", got)
	}
	single, double := parse(t, "CC").Graph().Shells(1)[1], parse(t, "C=C").Graph().Shells(1)[1]
	if slices.ContainsFunc(single.IDs, func(id uint64) bool { return slices.Contains(double.IDs, id) }) {
		t.Error("ethane and ethene share an environment")
	}
}

// Roles tells apart what binds differently, and nothing else.
func TestRoles(t *testing.T) {
	needRDKit(t)
	for _, c := range []struct {
		a, b string // single atoms, or the first atoms
		same bool
	}{
		{"Cl", "Br", true}, {"F", "I", true}, {"Cl", "C", false},
		{"O", "[OH-]", true}, {"O", "COC", false}, {"CN", "CO", false},
		{"c1ccccc1", "C1CCCCC1", false}, {"c1ccccc1", "C1=CCCCC1", false},
	} {
		role := func(smiles string) []uint64 { return parse(t, smiles).Graph().Roles(0).IDs }
		if got := slices.Equal(role(c.a), role(c.b)); got != c.same {
			t.Errorf("%s and %s: same roles %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

func TestComposition(t *testing.T) {
	needRDKit(t)
	got := parse(t, "CC(=O)[O-].[Na+]").Graph().Composition()
	if !slices.Equal(got.IDs, []uint64{1, 6, 8, 11}) || !slices.Equal(got.N, []uint32{3, 2, 2, 1}) {
		t.Errorf("sodium acetate is %v of %v", got.N, got.IDs)
	}
}

func TestFlexible(t *testing.T) {
	needRDKit(t)
	for smiles, want := range map[string]int{"CC": 0, "CCC": 0, "CCCC": 1, "C1CCCCC1": 0, "c1ccccc1-c1ccccc1": 1, "CC=CC": 0, "CCC=CCC": 2, "CC#CC": 0, "CCOC(=O)C": 2} {
		if got := parse(t, smiles).Graph().Flexible(); got != want {
			t.Errorf("%s has %d flexible bonds, want %d", smiles, got, want)
		}
	}
}
