package molecule_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestFlat(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct{ name, smiles, want string }{
		{"none to lose", "CCO", "CCO"},
		{"centers", "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O", "OCC1OC(O)C(O)C(O)C1O"},
		{"a double bond", "F/C=C\\F", "FC=CF"},
		{"an imine, whose hydrogen is an atom only for its configuration", "[H]/N=C(\\C)CC", "CCC(C)=N"},
		{"isotopes stay", "[2H][C@H](C)O", "[2H]C(C)O"},
		{"other geometries", "C[Pt@SP1](F)(Cl)Br", "C[Pt](F)(Cl)Br"},
		{"a hydrogen of a center", "C[N@@H+](CC)CCC", "CCC[NH+](C)CC"},
	} {
		got, err := molecule.Flat(mustCanonical(t, test.smiles))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		same(t, test.name, got, test.want)
	}
	if _, err := molecule.Flat("C[C@"); err == nil {
		t.Error("no molecule has a flat form")
	}
}

func TestVaguer(t *testing.T) {
	needRDKit(t)
	const glucose = "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O"
	for _, test := range []struct {
		name, a, b string
		want       bool
	}{
		{"glucose without its anomeric center", "OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O", glucose, true},
		{"glucose without any", "OCC1OC(O)C(O)C(O)C1O", glucose, true},
		{"galactose without its anomeric center", "OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@H]1O", glucose, false},
		{"glucose itself", glucose, glucose, false},
		{"the other way round", glucose, "OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O", false},
		{"the other anomer", "OC[C@H]1O[C@H](O)[C@H](O)[C@@H](O)[C@@H]1O", glucose, false},
		{"another molecule", "OCC1OCC(O)C(O)C1O", glucose, false},
		{"the racemate of an enantiomer", "CC(N)c1ccccc1", "C[C@H](N)c1ccccc1", true},
		{"an enantiomer of an enantiomer", "C[C@@H](N)c1ccccc1", "C[C@H](N)c1ccccc1", false},
		{"half of a meso compound", "OC(C(=O)O)[C@H](O)C(=O)O", "O[C@H](C(=O)O)[C@@H](O)C(=O)O", true},
		{"the other half of a meso compound", "OC(C(=O)O)[C@@H](O)C(=O)O", "O[C@H](C(=O)O)[C@@H](O)C(=O)O", true},
		{"half of a chiral compound", "OC(C(=O)O)[C@H](O)C(=O)O", "O[C@@H](C(=O)O)[C@@H](O)C(=O)O", false},
		{"the right half of a chiral compound", "OC(C(=O)O)[C@@H](O)C(=O)O", "O[C@@H](C(=O)O)[C@@H](O)C(=O)O", true},
		{"a pseudoasymmetric center", "C[C@H](O)C(Cl)[C@@H](C)O", "C[C@H](O)[C@H](Cl)[C@@H](C)O", true},
		{"a ring without cis and trans", "CC1CCC(C)CC1", "C[C@H]1CC[C@@H](C)CC1", true},
		{"a symmetric ring with one center less", "C[C@H]1C[C@H](C)CC(C)C1", "C[C@H]1C[C@H](C)C[C@H](C)C1", true},
		{"a double bond", "FC=CCl", "F/C=C/Cl", true},
		{"the other double bond", "F/C=C\\Cl", "F/C=C/Cl", false},
		{"one of two double bonds", "FC=C/C=C/Cl", "F/C=C/C=C/Cl", true},
		{"the wrong one of two double bonds", "FC=C/C=C\\Cl", "F/C=C/C=C/Cl", false},
		{"one of two symmetric double bonds", "FC=C/C=C/F", "F/C=C/C=C\\F", true},
		{"an oxime", "CC=NO", "C/C=N/O", true},
		{"an imine", "CCC(C)=N", "[H]/N=C(\\C)CC", true},
		{"centers and double bonds", "C[C@H](O)C=CC", "C[C@H](O)/C=C/C", true},
		{"many equal substituents", "OC(C(C)(C)C)(C(F)(F)F)[C@H](F)C(C(C)(C)C)(C(C)(C)C)C(F)(F)F", "O[C@](C(C)(C)C)(C(F)(F)F)[C@H](F)C(C(C)(C)C)(C(C)(C)C)C(F)(F)F", true},
		{"many equal rings", "N[C@H](c1ccccc1)C(O)(c1ccccc1)C(c1ccccc1)(c1ccccc1)c1ccccc1", "N[C@H](c1ccccc1)[C@@](O)(c1ccccc1)C(c1ccccc1)(c1ccccc1)c1ccccc1", true},
		{"an isotope", "C[C@H](N)[13CH](O)C", "C[C@H](N)[13C@H](O)C", true},
		{"a tautomer", "C[C@H](F)c1cnc[nH]1", "C[C@H](F)c1c[nH]cn1", false},
		{"two parts", "C[C@H](F)Cl.CC(F)Cl", "C[C@H](F)Cl.C[C@H](F)Cl", true},
		{"no stereochemistry", "CCO", "OCC", false},
	} {
		got, err := molecule.Vaguer(mustCanonical(t, test.a), mustCanonical(t, test.b))
		if err != nil || got != test.want {
			t.Errorf("%s: Vaguer = %t, %v; want %t", test.name, got, err, test.want)
		}
	}
	if _, err := molecule.Vaguer("CC", "C[C@"); err == nil {
		t.Error("no error for what is no molecule")
	}
	many := "F[C@H](Cl)" + strings.Repeat("C(c1ccccc1)(c1ccccc1)", 10) + "C(F)Cl"
	if _, err := molecule.Vaguer(mustCanonical(t, many), mustCanonical(t, strings.Replace(many, "C(F)Cl", "[C@H](F)Cl", 1))); err == nil || !strings.Contains(err.Error(), "symmetries") {
		t.Errorf("%v, want an error about symmetries", err)
	}
}

// TestVaguerLaws removes and turns centers of chiral molecules: without some, a molecule is vaguer; with one turned and
// another one removed it is not, unless the removed ones can be set so that it is the same.
func TestVaguerLaws(t *testing.T) {
	needRDKit(t)
	marks := regexp.MustCompile(`@+`)
	for _, smiles := range []string{
		"OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O", "O[C@H](C(=O)O)[C@@H](O)C(=O)O", "C[C@H](O)[C@H](Cl)[C@@H](C)O", "CN1CCC[C@H]1c1cccnc1",
		"CC(C)[C@@H]1CC[C@@H](C)C[C@H]1O", "C[C@]12CC[C@@H](C1(C)C)[C@H](O)C2", "N[C@@H](Cc1ccccc1)C(=O)N[C@@H](C)C(=O)N[C@H](CO)C(=O)O",
		"OC[C@H](O)[C@@H](O)[C@H](O)[C@H](O)C=O", "CN1[C@H]2CC[C@@H]1[C@@H](C(=O)OC)[C@@H](OC(=O)c1ccccc1)C2",
	} {
		b := mustCanonical(t, smiles)
		set := marks.FindAllString(b, -1)
		write := func(set []string) string {
			i := -1
			return mustCanonical(t, marks.ReplaceAllStringFunc(b, func(string) string { i++; return set[i] }))
		}
		choices := []string{"", "@", "@@"}
		total := 1
		for range set {
			total *= len(choices)
		}
		for code := 0; code < total; code += 1 + total/100 {
			var turned []string
			var open []int
			for i, rest := 0, code; i < len(set); i, rest = i+1, rest/len(choices) {
				turned = append(turned, choices[rest%len(choices)])
				if turned[i] == "" {
					open = append(open, i)
				}
			}
			a := write(turned)
			if marksOf := marks.FindAllString(a, -1); len(marksOf) != len(set)-len(open) {
				continue // RDKit dropped more: it is vaguer than what was written
			}
			want := false
			for bits := range 1 << len(open) {
				for j, i := range open {
					turned[i] = choices[1+bits>>j&1]
				}
				want = want || write(turned) == b
			}
			if got, err := molecule.Vaguer(a, b); err != nil || got != (want && a != b) {
				t.Errorf("Vaguer(%s, %s) = %t, %v; want %t", a, b, got, err, want)
			}
		}
	}
}
