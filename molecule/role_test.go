package molecule_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Roles tells apart what binds differently, and nothing else.
func TestRoles(t *testing.T) {
	needRDKit(t)
	for _, c := range []struct {
		a, b string // single atoms, or the first atoms
		same bool
	}{
		{"Cl", "Br", true}, {"F", "I", true}, {"Cl", "C", false},
		{"OC=O", "[O-]C=O", true}, {"NC", "[NH3+]C", true}, {"NC=O", "NC", false}, {"O", "COC", false}, {"CN", "CO", false},
		{"c1ccccc1", "C1CCCCC1", false}, {"c1ccccc1", "C1=CCCCC1", false},
	} {
		role := func(smiles string) []uint64 { return parse(t, smiles).Graph().Roles(0).IDs }
		if got := slices.Equal(role(c.a), role(c.b)); got != c.same {
			t.Errorf("%s and %s: same roles %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

func TestIonizable(t *testing.T) {
	needRDKit(t)
	for smiles, want := range map[string]string{
		"CCO": "0 0", "Oc1ccccc1": "0 0", "Nc1ccccc1": "0 0", "CC(=O)NC": "0 0", "CS(=O)(=O)NC": "0 0", "C[N+](=O)[O-]": "0 0", "c1ccncc1": "0 0", "OC=C": "0 0",
		"CC(=O)O": "1 0", "CC(=O)[O-]": "1 0", "CS(=O)(=O)O": "1 0", "CP(=O)(O)O": "2 0", "CC(=O)NS(C)(=O)=O": "1 0", "ONC(C)=O": "0 0",
		"CNC": "0 1", "C[NH2+]C": "0 1", "C[N+](C)(C)C": "0 1", "CN1CCNCC1": "0 2", "CC(=N)N": "0 1", "NC(=N)NC": "0 1", "c1ccccc1CN": "0 1", "C1COCCN1c1ccccc1": "0 0",
		"NCC(=O)O": "1 1", "[NH3+]CC(=O)[O-]": "1 1",
	} {
		acids, bases := parse(t, smiles).Graph().Ionizable()
		if got := fmt.Sprint(acids, bases); got != want {
			t.Errorf("%s has %s acids and bases, want %s", smiles, got, want)
		}
	}
}

// Molecules with other scaffolds share pairs of parts in binding; what binds otherwise does not.
func TestRolePairs(t *testing.T) {
	needRDKit(t)
	pairs := func(smiles string) molecule.Counts { return parse(t, smiles).Graph().RolePairs(10) }
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"OCCCN", "NCCCO", true}, {"OCCCN", "OCC(C)CN", false}, {"OCCCN", "OCCCCN", false}, {"Clc1ccccc1", "Brc1ccccc1", true}, {"Clc1ccccc1", "Fc1ccccc1", false},
		{"CCC(=O)O", "CCC(=O)[O-]", true}, {"C", "CC", false},
	} {
		if got := molecule.Tanimoto(pairs(c.a), pairs(c.b)) == 1; got != c.same {
			t.Errorf("%s and %s have the same pairs: %v, want %v", c.a, c.b, got, c.same)
		}
	}
	hops := molecule.Tanimoto(pairs("O=C(O)c1ccc(CN2CCCCC2)cc1"), pairs("O=C(O)c1ccc(CN2CCCC2)o1"))
	if other := molecule.Tanimoto(pairs("O=C(O)c1ccc(CN2CCCCC2)cc1"), pairs("COc1ccc(CC2CCCCC2)cc1")); hops <= other {
		t.Errorf("an acid and a base on a ring are as similar to another such, %.2f, as to an ether, %.2f", hops, other)
	}
	if got := pairs("CC.CC").Total(); got != 2*pairs("CC").Total() {
		t.Errorf("%d pairs of two molecules, want none between them", got)
	}
}
