package molecule_test

import (
	"slices"
	"strings"
	"testing"

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
		if joined, err := c.Join(got); err != nil || joined != want {
			t.Errorf("%s: joined %s, %v, want %s", test.name, joined, err, want)
		}
	}
}

func TestParseCoreErrors(t *testing.T) {
	needRDKit(t)
	for core, want := range map[string]string{
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
