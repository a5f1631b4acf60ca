package molecule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestReaction(t *testing.T) {
	needRDKit(t)
	const amide = "[#6:1][C:2](=[O:3])[OX2H1].[NX3;H2,H1;!$(NC=O):4]>>[#6:1][C:2](=[O:3])[N:4]"
	tests := []struct {
		name, smarts string
		reactants    []string
		want         []string
	}{
		{"one product", amide, []string{"CC(=O)O", "NC1CC1"}, []string{"CC(=O)NC1CC1"}},
		{"no product", amide, []string{"CC(=O)OC", "NC1CC1"}, nil},
		{"two sites give two products", amide, []string{"CC(=O)O", "NCCNC"}, []string{"CC(=O)N(C)CCN", "CNCCNC(C)=O"}},
		{"symmetric sites give one", amide, []string{"CC(=O)O", "NCCN"}, []string{"CC(=O)NCCN"}},
		{"configurations stay", amide, []string{"C[C@H](F)C(=O)O", "NC"}, []string{"CNC(=O)[C@H](C)F"}},
		{"explicit hydrogens", "[C:1](=[O:2])[O][H].[NX3:3]([H])[H]>>[C:1](=[O:2])[N:3][H]", []string{"CC(=O)O", "NC1CC1"}, []string{"CC(=O)NC1CC1"}},
		{"explicit hydrogens that a reactant lacks", "[C:1](=[O:2])[O][H].[NX3:3]([H])[H]>>[C:1](=[O:2])[N:3]", []string{"CC(=O)O", "CNC"}, nil},
		{"explicit hydrogens with numbers", "[C:1]([H:4])([H])[O:2][H]>>[C:1]([H:4])=[O:2]", []string{"CCO"}, []string{"CC=O"}},
		{"agents are ignored", "[#6:1][C:2](=[O:3])[OX2H1].[NX3;H2:4]>[Na+].[OH-]>[#6:1][C:2](=[O:3])[N:4]", []string{"CC(=O)O", "NC1CC1"}, []string{"CC(=O)NC1CC1"}},
		{"dative bonds", "[N:1].[Pd:2]>>[N:1]->[Pd:2]", []string{"N", "Cl[Pd]Cl"}, []string{"N->[Pd](Cl)Cl"}},
		{"a product with wrong valences is none", "[C:1]>>[C:1](F)(F)(F)(F)F", []string{"C"}, nil},
	}
	for _, test := range tests {
		r, err := molecule.CompileReaction(test.smarts)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got, err := r.Run(test.reactants...)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: products %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

func TestReactionTautomersAreOneProduct(t *testing.T) {
	needRDKit(t)
	r, err := molecule.CompileReaction("[NH2:11][c:12]:[c:13][NH2:14].[#6:1][CX3H1:2]=O>>[#6:1]-[c:2]1:[n:11]:[c:12]:[c:13]:[nH:14]:1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Run("Cc1ccc(N)c(N)c1", "CC=O")
	if err != nil || len(got) != 1 {
		t.Errorf("products %q, %v, want one of two tautomers", got, err)
	}
}

func TestCompileReactionErrors(t *testing.T) {
	needRDKit(t)
	for smarts, want := range map[string]string{
		"":                     "no reaction SMARTS",
		"C.C":                  "no reaction SMARTS",
		">>C":                  "no reaction SMARTS",
		"[C:1]>>[C:1].[O]":     "several products",
		"[C:1]>[C:1]":          "no reaction SMARTS",
		"[C:1]->[C:1]":         "no reaction SMARTS",
		"[C:1]>>[C:1]>>[C:1]":  "no reaction SMARTS",
		"[C:1]>[Pd]>":          "no reaction SMARTS",
		"[C:1>>[C:1]":          "reaction SMARTS",
		"[C:1] .[N:2]>>[C:1]N": "a blank",
	} {
		if _, err := molecule.CompileReaction(smarts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", smarts, err, want)
		}
	}
}

func TestRunErrors(t *testing.T) {
	needRDKit(t)
	r, err := molecule.CompileReaction("[C:1]=[O:2]>>[C:1][O:2]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run("CC=O", "C"); err == nil {
		t.Error("two reactants for a reaction of one: no error")
	}
	if _, err := r.Run("C1"); err == nil || !strings.Contains(err.Error(), "C1") {
		t.Errorf("error %v, want one that names the reactant", err)
	}
}

func TestSites(t *testing.T) {
	needRDKit(t)
	amine, acid := molecule.MustCompilePattern("[NX3;H2]"), molecule.MustCompilePattern("C(=O)[OX2H1]")
	for smiles, want := range map[string][]int{"NCCN": {1, 0}, "NCC(N)C": {2, 0}, "NCC(=O)O": {1, 1}, "CC": {0, 0}} {
		m := parse(t, smiles)
		for i, sites := range m.Sites([]*molecule.Pattern{amine, acid}) {
			if sites.Different != want[i] || len(sites.First()) != sites.Size*min(1, want[i]) {
				t.Errorf("%s: pattern %d has sites %+v, want %d different ones", smiles, i, sites, want[i])
			}
		}
	}
	malonic := parse(t, "OC(=O)CC(=O)O")
	if got := malonic.Sites([]*molecule.Pattern{acid})[0]; got.Different != 1 || !slices.Equal(got.Atoms, []int{1, 2, 0, 4, 5, 6}) {
		t.Errorf("sites of two equal acids %+v", got)
	}
}

func TestCutAndJoin(t *testing.T) {
	needRDKit(t)
	m := parse(t, "C[C@H](O)c1ccccc1")
	g := m.Graph()
	for _, b := range g.Bonds {
		if b.InRing {
			continue
		}
		pieces, err := m.Cut(molecule.Cut{b.Begin, b.End, 3})
		if err != nil || len(pieces) != 2 {
			t.Fatalf("bond %d-%d: pieces %q, %v, want two", b.Begin, b.End, pieces, err)
		}
		for _, p := range pieces {
			if !strings.Contains(p, "[*:3]") {
				t.Errorf("piece %s has no [*:3]", p)
			}
		}
		if got, err := molecule.Join(pieces...); err != nil || got != m.SMILES() {
			t.Errorf("%q joined are %s, %v, want %s", pieces, got, err, m.SMILES())
		}
	}
	if _, err := m.Cut(molecule.Cut{0, 5, 1}); err == nil {
		t.Error("no error for a bond that is not there")
	}
}
