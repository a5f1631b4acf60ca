package molecule_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/molecule"
)

func TestCore(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, core, smiles string
		want               []string // nil: not the core with groups
	}{
		{"two groups", "c1ccc([*:1])cc1C(=O)N[*:2]", "CNC(=O)c1cccc(OC)c1", []string{"CO[*:1]", "C[*:2]"}},
		{"hydrogens", "c1ccc([*:1])cc1C(=O)N[*:2]", "NC(=O)c1ccccc1", []string{"[H][*:1]", "[H][*:2]"}},
		{"one hydrogen", "c1ccc([*:1])cc1C(=O)N[*:2]", "NC(=O)c1cccc(F)c1", []string{"F[*:1]", "[H][*:2]"}},
		{"a further substituent", "c1ccc([*:1])cc1C(=O)N[*:2]", "NC(=O)c1cc(F)cc(F)c1", nil},
		{"a substituent elsewhere", "c1ccc([*:1])cc1C(=O)N[*:2]", "NC(=O)c1ccc(F)cc1", nil},
		{"two groups on nitrogen", "c1ccc([*:1])cc1C(=O)N[*:2]", "CN(C)C(=O)c1ccccc1", nil},
		{"a ring over two points", "c1ccc([*:1])cc1C(=O)N[*:2]", "O=C1NCCc2cccc1c2", nil},
		{"without the core", "c1ccc([*:1])cc1C(=O)N[*:2]", "CCO", nil},
		{"two points of one atom", "C1CCN([*:3])CC1([*:1])[*:2]", "CC1(F)CCCNC1", []string{"C[*:1]", "F[*:2]", "[H][*:3]"}},
		{"two points of one atom, written the other way", "C1CCN([*:3])CC1([*:2])[*:1]", "C1CCNCC1(F)C", []string{"C[*:1]", "F[*:2]", "[H][*:3]"}},
		{"one group at two points of one atom", "C1CCNCC1([*:1])[*:2]", "FC1CCCNC1", []string{"F[*:1]", "[H][*:2]"}},
		{"a core with many symmetries", "CC(C)(C)c1cc([*:1])cc(C(C)(C)C)c1", "CC(C)(C)c1cc(F)cc(C(C)(C)C)c1", []string{"F[*:1]"}},
		{"its configuration", "C[C@H]([*:1])O", "C[C@H](F)O", []string{"F[*:1]"}},
		{"the other configuration", "C[C@H]([*:1])O", "C[C@@H](F)O", nil},
		{"configurations of groups", "O=C([*:1])N", "NC(=O)[C@H](C)F", []string{"C[C@H](F)[*:1]"}},
		{"a point first, and ring closures", "[*:1]N1CCN([*:2])CC1", "C1CN(c2ccccc2)CCN1C1CC1", []string{"C1CC1[*:1]", "c1ccc([*:2])cc1"}},
		{"a group as large as the core", "C1CC1[*:1]", "C1CC1C1CC1", []string{"C1CC1[*:1]"}},
		{"no configuration in the core", "CC([*:1])O", "C[C@H](F)O", []string{"F[*:1]"}},
		{"no configuration in either", "CC([*:1])O", "CC(F)O", []string{"F[*:1]"}},
		{"a configuration in the core alone", "C[C@H]([*:1])O", "CC(F)O", nil},
		{"a center that is none with these groups", "C[C@]([*:1])([*:2])O", "CC(F)(F)O", []string{"F[*:1]", "F[*:2]"}},
		{"two points of a center", "NC(=O)[C@]([*:1])([*:2])c1ccccc1", "NC(=O)[C@](C)(O)c1ccccc1", []string{"C[*:1]", "O[*:2]"}},
		{"two points of a center, the other way", "NC(=O)[C@]([*:1])([*:2])c1ccccc1", "NC(=O)[C@@](C)(O)c1ccccc1", []string{"O[*:1]", "C[*:2]"}},
		{"two points of a center, hydrogen", "NC(=O)[C@]([*:1])([*:2])c1ccccc1", "NC(=O)[C@H](O)c1ccccc1", []string{"[H][*:1]", "O[*:2]"}},
		{"two points of a center, hydrogen, the other way", "NC(=O)[C@]([*:1])([*:2])c1ccccc1", "NC(=O)[C@@H](O)c1ccccc1", []string{"O[*:1]", "[H][*:2]"}},
		{"two points of a center without a configuration", "NC(=O)C([*:1])([*:2])c1ccccc1", "NC(=O)[C@H](O)c1ccccc1", []string{"O[*:1]", "[H][*:2]"}},
		{"three points of a center", "N[C@]([*:1])([*:2])[*:3]", "N[C@](O)(C)F", []string{"C[*:1]", "F[*:2]", "O[*:3]"}},
		{"three points of a center, the other way", "N[C@]([*:1])([*:2])[*:3]", "N[C@@](O)(C)F", []string{"C[*:1]", "O[*:2]", "F[*:3]"}},
		{"a flat steroid", flatSteroid, "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2OC(C)=O", []string{"CC(=O)O[*:1]"}},
		{"17-methyltestosterone", steroid, "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@]2(C)O", []string{"O[*:1]", "C[*:2]"}},
		{"a flat nucleoside", "C([*:1])C1OC([*:2])C([*:3])([*:4])C1O", "Nc1ccn([C@@H]2O[C@H](CO)[C@@H](O)C2(F)F)c(=O)n1", []string{"O[*:1]", "Nc1ccn([*:2])c(=O)n1", "F[*:3]", "F[*:4]"}},
		{"a nucleoside with marks but at 2'", "C([*:1])[C@H]1O[C@@H]([*:2])C([*:3])([*:4])[C@@H]1O", "Cc1cn([C@@H]2O[C@H](CO)[C@@H](O)[C@@]2(C)O)c(=O)[nH]c1=O", []string{"O[*:1]", "Cc1cn([*:2])c(=O)[nH]c1=O", "C[*:3]", "O[*:4]"}},
		{"a nucleoside with a mark at 2' alone, which is no center here", "C([*:1])C1OC([*:2])[C@]([*:3])([*:4])C1O", "Nc1ccn([C@@H]2O[C@H](CO)[C@@H](O)C2(F)F)c(=O)n1", []string{"O[*:1]", "Nc1ccn([*:2])c(=O)n1", "F[*:3]", "F[*:4]"}},
		{"a double bond without a configuration", "CC([*:1])=CC[*:2]", "C/C(F)=C/CO", []string{"F[*:1]", "O[*:2]"}},
		{"a double bond, the other way", "CC([*:1])=CC[*:2]", "C/C(F)=C\\CO", []string{"F[*:1]", "O[*:2]"}},
		{"a double bond with the other configuration", "C/C([*:1])=C/C[*:2]", "C/C(F)=C\\CO", nil},
		{"cis and trans", "C1CC([*:1])CCC1[*:2]", "C[C@H]1CC[C@@H](F)CC1", []string{"C[*:1]", "F[*:2]"}},
		{"a sulfoxide", "CS(=O)[*:1]", "C[S@](=O)CC", []string{"CC[*:1]"}},
		{"a group as large as the core, with a configuration", "CC(O)[*:1]", "C[C@H](O)[C@@H](C)O", []string{"C[C@@H](O)[*:1]"}},
		{"a charge", "C[N+](C)(C)C[*:1]", "C[N+](C)(C)CC", []string{"C[*:1]"}},
	}
	for _, test := range tests {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got, ok := c.Groups(test.smiles)
		if ok != (test.want != nil) || !slices.Equal(got, test.want) {
			t.Errorf("%s: groups %q, %v, want %q", test.name, got, ok, test.want)
		}
		if !ok {
			continue
		}
		want, err := molecule.Canonical(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		checkFit(t, c, want, test.name)
	}
}

const (
	flatSteroid = "CC12CCC3C(CCC4=CC(=O)CCC34C)C1CCC2[*:1]"
	steroid     = "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@]2([*:1])[*:2]"
)

// checkFit checks that a molecule is the core of its Fit with the groups, which has all configurations that the given
// core has.
func checkFit(t testing.TB, c *molecule.Core, smiles, name string) {
	t.Helper()
	fit, why := c.Fit(smiles)
	if why != molecule.NoMisfit {
		t.Errorf("%s: %s has not the core %s: %d", name, smiles, c.SMILES, why)
		return
	}
	own, err := molecule.ParseCore(fit.Core)
	if err != nil {
		t.Fatal(err)
	}
	if joined, err := own.Join(fit.Groups); err != nil || joined != smiles {
		t.Errorf("%s: %s with groups %q is %s, %v, want %s", name, fit.Core, fit.Groups, joined, err, smiles)
	}
	if again, why := own.Fit(smiles); why != molecule.NoMisfit || again.Core != fit.Core {
		t.Errorf("%s: %s fits %s as %s", name, smiles, fit.Core, again.Core)
	}
	joined, err := c.Join(fit.Groups)
	flat, other := molecule.Flat(smiles)
	if other != nil || err != nil {
		t.Fatal(err, other)
	}
	if got, err := molecule.Flat(joined); err != nil || got != flat {
		t.Errorf("%s: joined %s, %v, want %s up to configurations", name, joined, err, smiles)
	}
}

// Parts of molecules, with and without their configurations, are cores of these.
func TestCoreOfParts(t *testing.T) {
	needRDKit(t)
	molecules := []string{
		"CC(C)OC(=O)[C@H](C)NP(=O)(OC[C@H]1O[C@@H](n2ccc(N)nc2=O)[C@](C)(O)[C@@H]1O)Oc1ccccc1",
		"C[C@]12C[C@H](O)[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@]2(O)C(=O)CO",
		"CC(C)C[C@H](NC(=O)[C@@H](N)Cc1ccccc1)C(=O)N/C=C/C(=O)O", "C[C@H]1CC[C@@H](C(=O)N[C@H](C)CO)CC1", "C[S@](=O)C[C@@H](F)C[C@](C)(O)CC",
	}
	rapid.Check(t, func(rt *rapid.T) {
		smiles, err := molecule.Canonical(rapid.SampledFrom(molecules).Draw(rt, "molecule"))
		if err != nil {
			rt.Fatal(err)
		}
		m, err := molecule.Parse(smiles)
		if err != nil {
			rt.Fatal(err)
		}
		defer m.Close()
		var bonds []molecule.Cut
		for _, b := range m.Graph().Bonds {
			if b.Order == 1 && !b.InRing {
				bonds = append(bonds, molecule.Cut{Begin: b.Begin, End: b.End})
			}
		}
		bonds = rapid.Permutation(bonds).Draw(rt, "bonds")[:rapid.IntRange(1, 4).Draw(rt, "cuts")]
		for i := range bonds {
			bonds[i].Label = i + 1
		}
		pieces, err := m.Cut(bonds...)
		if err != nil {
			rt.Fatal(err)
		}
		piece := rapid.SampledFrom(pieces).Draw(rt, "piece")
		flat, err := molecule.Flat(piece)
		if err != nil {
			rt.Fatal(err)
		}
		for _, core := range []string{piece, flat} {
			if c, err := molecule.ParseCore(core); err == nil { // otherwise it is attachment points alone
				checkFit(t, c, smiles, "part")
			}
		}
	})
}

func TestMisfit(t *testing.T) {
	needRDKit(t)
	for _, test := range []struct {
		core, smiles string
		want         molecule.Misfit
	}{
		{"C[C@H]([*:1])O", "C[C@H](F)O", molecule.NoMisfit},
		{"C[C@H]([*:1])O", "C[C@@H](F)O", molecule.OtherConfiguration},
		{"C[C@H]([*:1])O", "CC(F)O", molecule.OtherConfiguration},
		{"c1ccc([*:1])cc1C(=O)N[*:2]", "O=C1NCCc2cccc1c2", molecule.OtherRing},
		{"c1cc([*:2])c([*:3])cc1[*:1]", "c1ccc2c(c1)OCO2", molecule.OtherRing},
		{"CC([*:1])C[*:2]", "CC1CC1", molecule.OtherRing},
		{"c1ccc([*:1])cc1C(=O)N[*:2]", "NC(=O)c1ccc(F)cc1", molecule.OtherSubstituent},
		{"c1ccc([*:1])cc1C(=O)N[*:2]", "CN(C)C(=O)c1ccccc1", molecule.OtherSubstituent},
		{flatSteroid, "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CCC2=O", molecule.OtherSubstituent},
		{"CCN[*:1]", "CC[NH3+]", molecule.OtherForm},
		{"c1ccc([*:1])cc1", "Cc1ccccc1.Cl", molecule.OtherForm},
		{"c1ccc([*:1])cc1", "C[13c]1ccccc1", molecule.OtherForm},
		{"O=c1cc([*:1])cc([*:2])[nH]1", "Oc1cc(C)ccn1", molecule.OtherTautomer},
		{"c1c([*:1])ccnc1N[*:2]", "CN=c1cc[nH]cc1", molecule.NoCore},
		{"c1c([*:1])ccnc1N[*:2]", "CN=c1cc(F)cc[nH]1", molecule.OtherTautomer},
		{"c1c([*:1])n[nH]c1", "CC1=NN=CC1", molecule.NoCore},
		{"O=c1cc([*:1])ccn1[*:2]", "COc1ccccn1", molecule.NoCore},
		{"C1CCC([*:1])NC1", "Cc1ccccn1", molecule.NoCore},
		{"NC(=S)N[*:1]", "CNC(=N)S", molecule.OtherTautomer},
		{"O=C(N[*:1])c1cc([*:2])n[nH]1", "CNC(=O)c1cc(C)[nH]n1", molecule.OtherTautomer},
		{"O=C1C=CC(=O)C=C1[*:1]", "Oc1ccc(O)c(C)c1", molecule.NoCore},
		{"CN=N[*:1]", "CNNC", molecule.NoCore},
		{"[H]N([*:1])C=NC", "CN=CNC", molecule.NoMisfit},
		{"c1ccccc1[*:1]", "CCO", molecule.NoCore},
		{"c1ccccc1[*:1]", "no molecule", molecule.NoCore},
	} {
		c, err := molecule.ParseCore(test.core)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := c.Fit(test.smiles); got != test.want {
			t.Errorf("%s in %s: misfit %d, want %d", test.core, test.smiles, got, test.want)
		}
	}
}

func TestParseCoreErrors(t *testing.T) {
	needRDKit(t)
	for core, want := range map[string]string{
		"[c,n]1ccc([*:1])cc1":  "it is a SMARTS",
		"c1ccc([*:1])cc1~O":    "it is a SMARTS",
		"c1ccccc1":             "no attachment point",
		"*c1ccccc1":            "without a number",
		"[*]c1ccccc1[*:1]":     "without a number",
		"c1ccccc1[*:1].C[*:2]": "several pieces",
		"C([*:1])C[*:1]":       "two attachment points have the number 1",
		"C[*:1]C":              "2 bonds",
		"C=[*:1]":              "not single",
		"[*:1][*:2]":           "no atoms",
		"c1cccc1[*:1]":         "kekulize",
		"":                     "no atoms",
		"C([#0])C[*:1]":        "",
	} {
		if _, err := molecule.ParseCore(core); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", core, err, want)
		}
	}
}
