package core_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
)

// arranged returns the Arrangement of a core.
func arranged(t *testing.T, c, loose *molecule.Core, limits map[int]core.Limit, known []string) *core.Arrangement {
	t.Helper()
	a, err := core.Arrange(t.Context(), c, loose, limits, known)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Of a symmetric core, points have the groups that are within their limits, and otherwise like those of known molecules.
func TestArrangement(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	aryl, err := molecule.CompilePattern("c")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, core string
		limits     map[int]core.Limit
		known      []string
		smiles     string
		want       string
	}{
		{"limits", "[*:1]NC(=O)N[*:2]", map[int]core.Limit{1: {Require: []*molecule.Pattern{aryl}}, 2: {MaxAtoms: 3}}, nil, "CCCNC(=O)NCc1ccccc1", "c1ccc(C[*:1])cc1 CCC[*:2]"},
		{"limits on one atom", "[*:1]C1([*:2])CCNCC1", map[int]core.Limit{1: {MaxAtoms: 1}, 2: {Require: []*molecule.Pattern{aryl}}}, nil, "CC1(c2ccccc2)CCNCC1", "C[*:1] c1ccc([*:2])cc1"},
		{"known molecules", "[*:1]N1CCN([*:2])CC1", nil, []string{"CN1CCN(c2ccc(F)cc2)CC1", "CCN1CCN(c2ccc(Cl)cc2)CC1"}, "FC(F)(F)c1ccc(N2CCN(CCC)CC2)cc1", "CCC[*:1] FC(F)(F)c1ccc([*:2])cc1"},
		{"none fits", "[*:1]NC(=O)N[*:2]", map[int]core.Limit{1: {MaxAtoms: 1}, 2: {MaxAtoms: 1}}, nil, "CCNC(=O)NCC", "CC[*:1] CC[*:2]"},
	} {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		groups, ok := arranged(t, c, nil, test.limits, test.known).Groups(test.smiles)
		if got := strings.Join(groups, " "); !ok || got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if joined, err := c.Join(groups); err != nil || molecule.Family(joined) != molecule.Family(test.smiles) {
			t.Errorf("%s: the groups make %s, %v", test.name, joined, err)
		}
	}
	c, err := molecule.ParseCore("[*:1]NC(=O)N[*:2]")
	if err != nil {
		t.Fatal(err)
	}
	if groups, ok := arranged(t, c, nil, nil, nil).Groups("CCO"); ok {
		t.Errorf("ethanol has the groups %v of a urea", groups)
	}
}

// The groups at each point are alike, whichever tautomers the molecules of a series are drawn as, also of one that is
// told later.
func TestArrangementOfTautomers(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		name, core string
		tautomers  [2]string // AR, AMIDE and ALKYL stand for groups
	}{
		{"a pyrazole", "[*:1]c1cc([*:2])[nH]n1", [2]string{"AR1cc(AMIDE)[nH]n1", "AR1cc(AMIDE)n[nH]1"}},
		{"an imidazole", "c1nc([*:1])c([*:2])[nH]1", [2]string{"AR1nc[nH]c1AMIDE", "AR1[nH]cnc1AMIDE"}},
		{"an imidazole with three points", "[*:3]c1nc([*:1])c([*:2])[nH]1", [2]string{"AR1nc(ALKYL)[nH]c1AMIDE", "AR1[nH]c(ALKYL)nc1AMIDE"}},
		{"a pyrazole with three points", "[*:1]c1c([*:3])c([*:2])[nH]n1", [2]string{"AR1c(ALKYL)c(AMIDE)[nH]n1", "AR1c(ALKYL)c(AMIDE)n[nH]1"}},
		{"a triazole", "[*:1]c1n[nH]c([*:2])n1", [2]string{"AR1nc(AMIDE)[nH]n1", "AR1nc(AMIDE)n[nH]1"}},
		{"a triazole, drawn as none", "[*:1]c1n[nH]c([*:2])n1", [2]string{"AR1[nH]c(AMIDE)nn1", "AR1nc(AMIDE)n[nH]1"}},
		{"an amidine", "[*:1]N=C(N[*:2])C", [2]string{"AR1cccc(c1)N=C(C)NCAMIDE", "AR1cccc(c1)NC(C)=NCAMIDE"}},
		{"a benzimidazole", "c1([*:1])c([*:2])cc2[nH]cnc2c1", [2]string{"AR1cc2[nH]cnc2cc1AMIDE", "AR1cc2nc[nH]c2cc1AMIDE"}},
	} {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for i, aryl := range []string{"c2ccccc2", "c2ccc(F)cc2", "c2ccc(Cl)cc2", "c2cccc(OC)c2", "c2ccc(C)cc2", "c2ccncc2"} {
			amide, alkyl := []string{"C(=O)NC", "C(=O)NCC", "C(=O)NC3CC3"}[i%3], []string{"C", "CC"}[i%2]
			for _, tautomer := range test.tautomers {
				smiles, err := molecule.Canonical(strings.NewReplacer("AR1", "c1("+aryl+")", "AMIDE", amide, "ALKYL", alkyl).Replace(tautomer))
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, smiles)
			}
		}
		a := arranged(t, c, nil, nil, all[:len(all)-2])
		var first []string
		for i, smiles := range all {
			drawn, groups, ok := a.Draw(smiles)
			if !ok {
				t.Fatalf("%s: %s has not the core", test.name, smiles)
			}
			if i == 0 {
				first = groups
			}
			for k, g := range groups {
				if strings.Contains(g, "=") != strings.Contains(first[k], "=") || strings.Contains(g, "c") != strings.Contains(first[k], "c") {
					t.Errorf("%s: %s has %q at point %d, the first molecule %q", test.name, smiles, g, c.Points[k].Label, first[k])
				}
			}
			if joined, err := c.Join(groups); err != nil || joined != drawn || molecule.Family(drawn) != molecule.Family(smiles) {
				t.Errorf("%s: %s is drawn as %s, and its groups make %s, %v", test.name, smiles, drawn, joined, err)
			}
			if other, _, _ := a.Draw(all[i^1]); other != drawn {
				t.Errorf("%s: tautomers are drawn as %s and %s", test.name, drawn, other)
			}
		}
	}
}
