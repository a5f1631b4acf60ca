package molecule_test

import (
	"slices"
	"testing"
)

// Circular and Pairs tell molecules apart, do not depend on how a molecule is spelled, and count what is there.
func TestFeaturesOfGraphs(t *testing.T) {
	needRDKit(t)
	for _, spellings := range [][2]string{{"CCO", "OCC"}, {"c1ccccc1C(=O)O", "OC(=O)C1=CC=CC=C1"}, {"CC(=O)Nc1ccc(O)cc1", "Oc1ccc(NC(C)=O)cc1"}} {
		a, b := parse(t, spellings[0]).Graph(), parse(t, spellings[1]).Graph()
		x, y := a.Circular(3), b.Circular(3)
		if !slices.Equal(x.IDs, y.IDs) || !slices.Equal(x.N, y.N) {
			t.Errorf("%v have different environments", spellings)
		}
		if want := 4 * len(a.Atoms); x.Total() != want {
			t.Errorf("%s: %d environments of radius 0 to 3, want %d", spellings[0], x.Total(), want)
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
		id := parse(t, s).Graph().Circular(0).IDs[0]
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
	single, double := parse(t, "CC").Graph().Circular(1), parse(t, "C=C").Graph().Circular(1)
	if slices.ContainsFunc(single.IDs, func(id uint64) bool { return slices.Contains(double.IDs, id) }) {
		t.Error("ethane and ethene share an environment")
	}
}
