package molecules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// A configuration that all of the data have is kept: neither mirror images of a whole sugar nor epimers pass, while
// centers that the data have both ways, or that are new, may be either.
func TestHanded(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	var known []string
	for i, aglycon := range []string{"C", "CC", "CCC", "c2ccccc2", "Cc2ccccc2", "CCc2ccccc2"} {
		known = append(known, fmt.Sprintf("OC[C@H]1O[C@@H](O%s)[C@H](O)[C@@H](O)[C@@H]1O", aglycon))
		amine := []string{"N[C@@H](C)", "N[C@H](C)"}[i%2]
		known = append(known, fmt.Sprintf("%sc1ccc(C%s)cc1", amine, strings.ToUpper(aglycon[:1])))
		known = append(known, strings.Repeat("C", i+2)+"/C=C\\c1ccc(F)cc1")
	}
	u, err := molecules.UsualOf(t.Context(), values(known))
	if err != nil {
		t.Fatal(err)
	}
	l := molecules.Limits{Handed: u.Handed}
	for smiles, want := range map[string]string{
		"OC[C@H]1O[C@@H](OCCCC)[C@H](O)[C@@H](O)[C@@H]1O":        "",
		"OC[C@@H]1O[C@H](OCCCC)[C@@H](O)[C@H](O)[C@H]1O":         "handed", // of L-glucose
		"OC[C@H]1O[C@@H](OCCCC)[C@H](O)[C@@H](O)[C@H]1O":         "handed", // of galactose
		"OC[C@H]1O[C@H](OCCCC)[C@H](O)[C@@H](O)[C@@H]1O":         "handed", // an alpha-glucoside
		"FC[C@H]1O[C@@H](OCCCC)[C@H](O)[C@@H](O)[C@@H]1O":        "",
		"OC[C@H]1O[C@@H](OC[C@H](F)C)[C@H](O)[C@@H](O)[C@@H]1O":  "", // a new center
		"OC[C@H]1O[C@@H](OC[C@@H](F)C)[C@H](O)[C@@H](O)[C@@H]1O": "",
		"N[C@@H](C)c1ccc(CCl)cc1":                                "", // known both ways
		"N[C@H](C)c1ccc(CCl)cc1":                                 "",
		"CCCC/C=C\\c1ccc(F)cc1":                                  "",
		"CCCC/C=C/c1ccc(F)cc1":                                   "handed",
		"CCCC/C=C/C":                                             "", // of another kind
	} {
		var by string
		if err := molecule.Look(smiles, func(m *molecule.Molecule) { by = l.Refusal(m) }); err != nil {
			t.Fatal(err)
		}
		if by != want {
			t.Errorf("%s is refused by %q, want %q", smiles, by, want)
		}
	}
	var pairs []string
	for _, tail := range []string{"F", "Cl", "Br", "I", "CC", "OC", "C#N", "N(C)C", "SC", "C(=O)C", "c2ccccc2", "OCC"} {
		pairs = append(pairs, "C[C@H](O)c1ccc("+tail+")cc1", "C[C@@H](O)c1ccc("+tail+")cc1", "Cc1ccc("+tail+")cc1")
	}
	for range 20 { // whatever the order of maps
		if u, err := molecules.UsualOf(t.Context(), values(pairs)); err != nil || len(u.Handed) > 0 {
			t.Fatalf("of pairs of enantiomers %d configurations are kept, error %v", len(u.Handed), err)
		}
	}
	minority := []string{"CC(O)c1ccc(F)cc1"}
	for i, tail := range []string{"F", "Cl", "Br", "I", "CC", "OC", "C#N", "N(C)C", "SC", "C(=O)C", "c2ccccc2", "OCC"} {
		minority = append(minority, []string{"C[C@H](O)c1ccc(", "C[C@@H](O)c1ccc("}[i/10]+tail+")cc1")
	}
	if u, err := molecules.UsualOf(t.Context(), values(minority)); err != nil || len(u.Handed) > 0 {
		t.Errorf("beside two poor ones of twelve with the mirror image %d configurations are kept, error %v", len(u.Handed), err)
	}
	epimers := append(known, "OC[C@H]1O[C@H](OC)[C@H](O)[C@@H](O)[C@@H]1O")
	both, err := molecules.UsualOf(t.Context(), append([]molecules.Known{{SMILES: epimers[len(epimers)-1], Value: 9}}, values(known)...))
	if err != nil {
		t.Fatal(err)
	}
	l.Handed = both.Handed
	if err := molecule.Look("OC[C@H]1O[C@H](OCCCC)[C@H](O)[C@@H](O)[C@@H]1O", func(m *molecule.Molecule) {
		if by := l.Refusal(m); by != "" {
			t.Errorf("an anomer like the best molecule is refused by %q", by)
		}
	}); err != nil {
		t.Fatal(err)
	}
}
