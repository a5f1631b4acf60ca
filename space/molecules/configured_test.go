package molecules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// refusedBy returns the limit from the data that refuses a molecule.
func refusedBy(t *testing.T, u molecules.Usual, smiles string) (by string) {
	t.Helper()
	l := molecules.Limits{Open: u.Open, Configured: u.Configured, Deprotonated: u.Deprotonated}
	if err := molecule.Look(smiles, func(m *molecule.Molecule) { by = l.Refusal(m) }); err != nil {
		t.Fatal(err)
	}
	return by
}

// Centers that all of the data define stay defined, while others that they leave open, or that are new, may be open.
func TestConfigured(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	var known []string
	for i, acyl := range []string{"C", "CC", "CCC", "C(C)C", "CCCC", "c1ccccc1"} {
		known = append(known, fmt.Sprintf("%s/C=C/C(=O)N[C@@H](C)C(=O)N", acyl))
		if i < 3 { // of sulfoxides some are drawn without a configuration
			known = append(known, fmt.Sprintf("%sS(=O)CC(=O)N[C@@H](C)C(=O)NC", acyl))
		}
	}
	u, err := molecules.UsualOf(t.Context(), values(known))
	if err != nil {
		t.Fatal(err)
	}
	for smiles, want := range map[string]string{
		"CCS/C=C/C(=O)N[C@@H](C)C(=O)N":          "",
		"CCCCC=CC(=O)N[C@@H](C)C(=O)N":           "open", // a double bond
		"CCC/C=C/C(=O)NC(C)C(=O)N":               "open", // a center
		"CCCCS(=O)CC(=O)N[C@@H](C)C(=O)NC":       "",     // as in the data
		"CC(F)C/C=C/C(=O)N[C@@H](C)C(=O)N":       "",     // a new one
		"CC(F)CS(=O)CC(=O)N[C@@H](C)C(=O)NC":     "open", // beside that of a sulfoxide
		"CC[NH2+]C/C=C/C(=O)N[C@@H](C)C(=O)[O-]": "deprotonated",
	} {
		if by := refusedBy(t, u, smiles); by != want {
			t.Errorf("%s is refused by %q, want %q", smiles, by, want)
		}
	}
	u, err = molecules.UsualOf(t.Context(), values(append(known, "CCC[NH2+]C/C=C/C(=O)N[C@@H](C)C(=O)[O-]")))
	if err != nil {
		t.Fatal(err)
	}
	if by := refusedBy(t, u, "CC[NH2+]C/C=C/C(=O)N[C@@H](C)C(=O)[O-]"); by != "" {
		t.Errorf("a zwitterion among data that have one is refused by %q", by)
	}
}

func values(smiles []string) (known []molecules.Known) {
	for _, s := range slices.Sorted(slices.Values(smiles)) {
		known = append(known, molecules.Known{SMILES: s})
	}
	return known
}
