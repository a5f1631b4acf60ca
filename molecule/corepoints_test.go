package molecule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestCoreSMILES(t *testing.T) {
	for _, test := range []struct{ text, want, problem string }{
		{"c1ccc([*:1])cc1", "c1ccc([*:1])cc1", ""},
		{"*c1cnc2[nH]ccc2n1 |$_R1;;;;;;;;;$|", "[*:1]c1cnc2[nH]ccc2n1", ""},
		{"*c1ccc(*)cc1 |$_R2;;;;;_R1;;$|", "[*:2]c1ccc([*:1])cc1", ""},
		{"*c1ccc(*)cc1 |$_AP1;;;;;_AP2;;$,(1,2,;3,4,)|", "[*:1]c1ccc([*:2])cc1", ""},
		{"*C(Cl)Br |$R1;;;$|", "[*:1]C(Cl)Br", ""},
		{"[*:1]c1ccccc1 |$_R1;;;;;;$|", "[*:1]c1ccccc1", ""},
		{"[R1]c1cc([R12])ccc1", "[*:1]c1cc([*:12])ccc1", ""},
		{"R1c1cc(R2)ccc1", "[*:1]c1cc([*:2])ccc1", ""},
		{"[1*]c1cc([2*])ccc1", "[*:1]c1cc([*:2])ccc1", ""},
		{"[R]c1ccccc1", "[*:1]c1ccccc1", ""},
		{"*c1ccccc1", "*c1ccccc1", ""},
		{"[Rh]C[Ru]C[Re]Br", "[Rh]C[Ru]C[Re]Br", ""},
		{"[cH:3]1[cH:4]cc([*:1])cc1", "[cH]1[cH]cc([*:1])cc1", ""},
		{"C[C@H](O)[*:1] |&1:1,$;;;_R1$|", "C[CH](O)[*:1]", ""},
		{"C[C@H](O)[*:1] |$;;;_R1$|", "C[C@H](O)[*:1]", ""},
		{"[R]c1cc([R])ccc1", "", "without a number"},
		{"[R1]c1cc([R])ccc1", "", "without a number"},
		{"*c1ccccc1 |$_R1;;;;;;$,RG:_R1={C* |$;_AP1$|}|", "", "a variable structure"},
		{"core.mol", "", "it is a file"},
		{"/data/my cores/core 1.SDF", "", "it is a file"},
		{"x\n\n\n  2  1  0\nM  END\n", "", "it is a file"},
	} {
		got, err := molecule.CoreSMILES(test.text)
		if problem := ""; err != nil {
			if problem = err.Error(); test.problem == "" || !strings.Contains(problem, test.problem) {
				t.Errorf("%s: %v, want %q", test.text, err, test.problem)
			}
		} else if got != test.want || test.problem != "" {
			t.Errorf("%s: %s, want %s%s", test.text, got, test.want, test.problem)
		}
	}
}

// A molecule whose other tautomer has the core is that one with groups.
func TestCoreAsDrawn(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct{ name, core, smiles, want string }{
		{"with the core", "Oc1cc([*:1])ccn1", "Oc1cc(F)ccn1", "Oc1cc(F)ccn1"},
		{"a pyridone", "Oc1cc([*:1])ccn1", "O=c1cc(F)cc[nH]1", "Oc1cc(F)ccn1"},
		{"a hydroxypyridine", "O=c1cc([*:1])cc[nH]1", "Oc1cc(F)ccn1", "O=c1cc(F)cc[nH]1"},
		{"a pyridone with a tautomer of a group", "Oc1cc([*:1])ccn1", "O=c1cc(-c2cc[nH]n2)cc[nH]1", "Oc1cc(-c2cc[nH]n2)ccn1"},
		{"N-methyl", "Oc1cc([*:1])ccn1", "O=c1cc(F)ccn1C", ""},
		{"a further substituent", "Oc1cc([*:1])ccn1", "O=c1cc(F)cc(F)[nH]1", ""},
		{"a pyrazole", "c1cc([*:1])n[nH]1", "Cc1ccn[nH]1", "Cc1cc[nH]n1"},
		{"a pyrazole with a point at nitrogen", "c1cc([*:1])nn1[*:2]", "Cc1ccn[nH]1", "Cc1cc[nH]n1"},
		{"an imidazole", "c1c([*:1])[nH]cn1", "CCc1c[nH]cn1", "CCc1cnc[nH]1"},
		{"a benzimidazole", "c1cc([*:1])cc2[nH]cnc12", "Fc1ccc2[nH]cnc2c1", "Fc1ccc2nc[nH]c2c1"},
		{"a group with a double bond to the core", "c1cc([*:1])ncc1", "CN=c1cccc[nH]1", "CNc1ccccn1"},
		{"the keto form, which is another compound", "CC(O)=C[*:1]", "CC(=O)CF", ""},
		{"a configuration of the core", "C[C@H](N)c1cc([*:1])nc(O)c1", "C[C@H](N)c1cc(F)[nH]c(=O)c1", "C[C@H](N)c1cc(O)nc(F)c1"},
		{"another one", "C[C@@H](N)c1cc([*:1])nc(O)c1", "C[C@H](N)c1cc(F)[nH]c(=O)c1", ""},
		{"one that the core has not", "CC(N)c1cc([*:1])nc(O)c1", "C[C@H](N)c1cc(F)[nH]c(=O)c1", "C[C@H](N)c1cc(O)nc(F)c1"},
		{"one of a group", "Oc1cc([*:1])ccn1", "O=c1cc([C@H](C)N)cc[nH]1", "C[C@H](N)c1ccnc(O)c1"},
		{"a charge", "Oc1cc([*:1])ccn1", "Oc1cc(F)cc[nH+]1", ""},
		{"another compound", "Oc1cc([*:1])ccn1", "CCO", ""},
	} {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		canonical := func(smiles string) string {
			if smiles == "" {
				return ""
			}
			smiles, err := molecule.Canonical(smiles)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			return smiles
		}
		got, ok := c.AsDrawn(canonical(test.smiles))
		if got != canonical(test.want) || ok != (test.want != "") {
			t.Errorf("%s: %s as %s is %q, want %q", test.name, test.smiles, test.core, got, canonical(test.want))
		}
		if _, has := c.Groups(got); ok && !has {
			t.Errorf("%s: %s has not the core %s", test.name, got, test.core)
		}
	}
}

// A core that is symmetric but for its mobile hydrogens gives a molecule several drawings, first as it is drawn, each
// with other groups.
func TestCoreDrawings(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct {
		name, core, smiles string
		want               []string // groups of the drawings; those of the first way
	}{
		{"a pyrazole", "[*:1]c1cc([*:2])[nH]n1", "Fc1cc(Cl)[nH]n1", []string{"F[*:1] Cl[*:2]", "Cl[*:1] F[*:2]"}},
		{"with equal groups", "[*:1]c1cc([*:2])[nH]n1", "Fc1cc(F)[nH]n1", []string{"F[*:1] F[*:2]"}},
		{"N-methylpyrazole", "[*:1]c1cc([*:2])n(C)n1", "Fc1cc(Cl)n(C)n1", []string{"F[*:1] Cl[*:2]"}},
		{"an imidazole", "c1nc([*:1])c([*:2])[nH]1", "Fc1nc[nH]c1Cl", []string{"F[*:1] Cl[*:2]", "Cl[*:1] F[*:2]"}},
		{"three points", "[*:1]c1nc([*:2])c([*:3])[nH]1", "Cc1nc(F)c(Cl)[nH]1", []string{"C[*:1] F[*:2] Cl[*:3]", "C[*:1] Cl[*:2] F[*:3]"}},
		{"a triazole", "[*:1]c1n[nH]c([*:2])n1", "Fc1n[nH]c(Cl)n1", []string{"F[*:1] Cl[*:2]", "Cl[*:1] F[*:2]"}},
		{"a triazole, another hydrogen", "[*:1]c1n[nH]c([*:2])n1", "Fc1nnc(Cl)[nH]1", []string{"F[*:1] Cl[*:2]", "Cl[*:1] F[*:2]"}},
		{"an amidine", "[*:1]N=C(N[*:2])c1ccccc1", "CN=C(NCC)c1ccccc1", []string{"C[*:1] CC[*:2]", "CC[*:1] C[*:2]"}},
		{"a benzimidazole", "c1([*:1])c([*:2])cc2[nH]cnc2c1", "Fc1c(Cl)cc2[nH]cnc2c1", []string{"F[*:1] Cl[*:2]", "Cl[*:1] F[*:2]"}},
		{"configurations of groups", "[*:1]c1cc([*:2])[nH]n1", "C[C@H](N)c1cc(Cl)[nH]n1", []string{"C[C@H](N)[*:1] Cl[*:2]", "Cl[*:1] C[C@H](N)[*:2]"}},
		{"a symmetric core, whose ways Ways has", "[*:1]c1ccc([*:2])cc1", "Fc1ccc(Cl)cc1", []string{"Cl[*:1] F[*:2]"}},
	} {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		smiles, err := molecule.Canonical(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		all := c.Drawings(smiles)
		for _, drawn := range all {
			groups, _ := c.Groups(drawn)
			got = append(got, strings.Join(groups, " "))
			if molecule.Family(drawn) != molecule.Family(smiles) {
				t.Errorf("%s: %s is no tautomer of %s", test.name, drawn, smiles)
			}
		}
		if first, ok := c.AsDrawn(smiles); !ok || first != all[0] {
			t.Errorf("%s: %s, but the first drawing is %s", test.name, first, all[0])
		}
		for i, groups := range test.want { // canonical groups, with their points
			var canonical []string
			for g := range strings.SplitSeq(groups, " ") {
				g, err := molecule.Canonical(g)
				if err != nil {
					t.Fatal(err)
				}
				canonical = append(canonical, g)
			}
			test.want[i] = strings.Join(canonical, " ")
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: groups %q, want %q", test.name, got, test.want)
		}
		if shifts := c.Shifts(); shifts != (len(test.want) > 1 || test.name == "with equal groups") {
			t.Errorf("%s: Shifts() = %v", test.name, shifts)
		}
	}
}
