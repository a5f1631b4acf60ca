package molecule_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// A molecule has the same configurations however it is written, and none of its mirror image's.
func TestConfigurations(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct {
		name          string
		same          []string // writings of one molecule
		mirrored      string
		distinguished int // radii at which the neighbours' environments tell the configuration
	}{
		{"an amine", []string{"C[C@H](N)c1ccccc1", "N[C@@H](C)c1ccccc1", "c1ccccc1[C@@H](N)C", "[C@@H](C)(N)c1ccccc1"}, "C[C@@H](N)c1ccccc1", 3},
		{"a quaternary center", []string{"CC[C@](C)(F)Cl", "C[C@](F)(CC)Cl", "Cl[C@@](F)(CC)C"}, "CC[C@@](C)(F)Cl", 3},
		{"a center in a ring", []string{"O[C@H]1CCCNC1", "C1C[C@H](O)CNC1", "N1CCC[C@H](O)C1"}, "O[C@@H]1CCCNC1", 2},
		{"trans in a ring", []string{"C[C@H]1CC[C@H](O)CC1", "O[C@H]1CC[C@H](C)CC1", "C1C[C@@H](C)CC[C@@H]1O"}, "C[C@H]1CC[C@@H](O)CC1", 3},
		{"cis in a ring", []string{"C[C@H]1C[C@@H](O)C1", "O[C@H]1C[C@@H](C)C1"}, "C[C@H]1C[C@H](O)C1", 3},
		{"a sulfoxide", []string{"C[S@](=O)CC", "CC[S@@](=O)C"}, "C[S@@](=O)CC", 3},
		{"a double bond", []string{"C/C=C/Cl", "Cl/C=C/C", `C\C=C\Cl`}, "C/C=C\\Cl", 3},
		{"a double bond with three groups", []string{"C/C(F)=C/Cl", "Cl/C=C(/C)F"}, "C/C(F)=C\\Cl", 3},
	} {
		canonical, err := molecule.Canonical(test.same[0])
		if err != nil {
			t.Fatal(err)
		}
		of := configurations(t, test.same[0])
		if n := len(of.IDs); n != test.distinguished {
			t.Errorf("%s: %d configurations, want %d", test.name, n, test.distinguished)
		}
		for _, smiles := range append(test.same[1:], canonical) {
			if c, err := molecule.Canonical(smiles); err != nil || c != canonical {
				t.Errorf("%s: %s is %s, %v, want %s", test.name, smiles, c, err, canonical)
			}
			if got := configurations(t, smiles); !slices.Equal(got.IDs, of.IDs) || !slices.Equal(got.N, of.N) {
				t.Errorf("%s: %s has %v, and %s %v", test.name, smiles, got, test.same[0], of)
			}
		}
		for _, id := range configurations(t, test.mirrored).IDs {
			if slices.Contains(of.IDs, id) {
				t.Errorf("%s: the mirror image has the same configuration", test.name)
			}
		}
	}
	if c := configurations(t, "CC(N)c1ccccc1"); len(c.IDs) != 0 {
		t.Errorf("without configurations: %v", c)
	}
	near, far := configurations(t, "C[C@H](N)c1ccccc1"), configurations(t, "C[C@H](N)c1ccc(F)cc1") // analogs share what is near
	if !slices.ContainsFunc(near.IDs, func(id uint64) bool { return slices.Contains(far.IDs, id) }) {
		t.Error("analogs share no configuration")
	}
}

func configurations(t *testing.T, smiles string) molecule.Counts {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return m.Graph().Configurations(3)
}
