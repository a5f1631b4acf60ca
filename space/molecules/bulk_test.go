package molecules_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/alerts"
	"github.com/invbo/invbo/space/molecules"
)

// knowns returns molecules with their values, the first the worst.
func knowns(smiles ...string) []molecules.Known {
	known := make([]molecules.Known, len(smiles))
	for i, s := range smiles {
		known[i] = molecules.Known{SMILES: s, Value: float64(i)}
	}
	return known
}

func TestBulk(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	chains := func(atoms ...int) (all []string) {
		for _, n := range atoms {
			all = append(all, strings.Repeat("C", n))
		}
		return all
	}
	peptide := strings.Repeat("NC(C)C(=O)", 12) + "O"
	small := chains(4, 5, 6, 7, 8, 9, 10, 11, 12)
	for _, test := range []struct {
		name    string
		known   []molecules.Known
		passes  []string
		refused map[string]string // by which limit
	}{
		{"no molecules", nil, []string{peptide, "[Na+]"}, nil},
		{"one peptide, the best", knowns(append(small, peptide)...), []string{"CCCCCC", strings.Repeat("C", 12)}, map[string]string{peptide: "weight", strings.Repeat("C", 18): "weight"}},
		{"many, and a peptide", knowns(append(slices.Concat(small, small, small), peptide)...), []string{"CCCCCC", strings.Repeat("C", 12)}, map[string]string{peptide: "weight", strings.Repeat("C", 13): "weight"}},
		{"one small, the best", knowns(append(chains(12, 12, 13, 13, 14, 14, 15, 15, 16), "CCCC")...), []string{"CCCC", "CCCCC"}, map[string]string{"CCC": "weight"}},
		{"one small, the worst", knowns(append([]string{"CCCC"}, chains(12, 12, 13, 13, 14, 14, 15, 15, 16)...)...), []string{strings.Repeat("C", 12)}, map[string]string{"CCCCC": "weight"}},
		{"one peptide, the worst", knowns(append([]string{peptide}, small...)...), []string{"CCCCCC"}, map[string]string{peptide: "weight"}},
		{"two peptides of eleven", knowns(append([]string{peptide, peptide + "C"}, small...)...), []string{"CCCCCC"}, map[string]string{peptide: "weight"}},
		{"all of one weight", knowns("CCCO", "CCOC", "CC(C)O", "CCCO"), []string{"CC(O)C", "CCCCO"}, map[string]string{"CCCCCCO": "weight", "CO": "weight"}},
		{"two molecules", knowns("CCCCO", "CCCCCCO"), []string{"CCCCCO", "CCCCCCCO"}, map[string]string{"CCCCCCCCCO": "weight", "CO": "weight"}},
		{"rings", knowns(slices.Repeat([]string{"C1CCCCC1", "CC1CCCCC1", "CCC1CCCCC1", "CCCC1CCCCC1", "CC1CCCC1"}, 4)...), []string{"CC1CCCC1"}, map[string]string{"CCCCCCC": "rings", "C1CCC2CC2C1": "rings"}},
		{"charges", knowns("C[NH3+]", "CC[NH3+]", "CCC[NH3+]", "CCCC[NH3+]", "CCCCC[NH3+]"), nil, map[string]string{"CCCN": "charge"}},
		{"a center", knowns(slices.Repeat([]string{"CC(C)(N)CC", "CCCCCN", "CC(C)CCN", "CCC(N)CC"}, 5)...), []string{"CC(C)(C)CN"}, map[string]string{"CC(N)C(C)C": "centers"}},
		{"a ring and a center more, the best", knowns(append(slices.Repeat([]string{"C1CCCCC1", "CC1CCCCC1", "CCC1CCCCC1", "CCCC1CCCCC1"}, 5), "CC(N)C1(C2CC2)CC1")...), []string{"CC(O)C1(C2CC2)CC1"}, map[string]string{"C1CC1C1(C2CC2)CC1": "rings"}},
		{"two rings more, the best", knowns(append(slices.Repeat([]string{"C1CCCCC1", "CC1CCCCC1", "CCC1CCCCC1", "CCCC1CCCCC1"}, 5), "C1CC1C1CC2CC2C1")...), nil, map[string]string{"CC1CCC2CC2C1": "rings"}},
		{"hard to make, the best", knowns(append(slices.Repeat([]string{"Cc1ccccc1", "CCc1ccccc1", "CCCc1ccccc1", "CCCCc1ccccc1"}, 5), "CC1(NO)CCOC1")...), []string{"CC1(OC)CCOC1"}, nil},
		{"no values", slices.Repeat([]molecules.Known{{SMILES: "CCCCC", Value: math.NaN()}, {SMILES: "CCCCCCC", Value: math.NaN()}}, 3), []string{"CCCCCC"}, map[string]string{peptide: "weight"}},
		{"somewhat heavier, the best", knowns(append(slices.Repeat(chains(18, 19, 20), 8), strings.Repeat("C", 21))...), []string{strings.Repeat("C", 21)}, map[string]string{strings.Repeat("C", 22): "weight"}},
		{"what is no molecule", append(knowns("CCCCC", "CCCCCC", "CCCCCCC"), molecules.Known{SMILES: "C1CC", Value: 9}), []string{"CCCCCC"}, nil},
	} {
		l, off, err := molecules.Bulk(t.Context(), test.known, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(off) > 0 {
			t.Errorf("%s: rules %v are off", test.name, off)
		}
		refusal := func(smiles string) string {
			m, err := molecule.Parse(smiles)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			return l.Refusal(m)
		}
		for _, smiles := range test.passes {
			if by := refusal(smiles); by != "" {
				t.Errorf("%s: %s is refused by %s (%+v)", test.name, smiles, by, l)
			}
		}
		for smiles, want := range test.refused {
			if by := refusal(smiles); by != want {
				t.Errorf("%s: %s is refused by %q, want %s (%+v)", test.name, smiles, by, want, l)
			}
		}
	}
}

// Of the accessibility score the limit is between 3 and 4.5, unless many molecules are harder to make; better molecules
// lower it.
func TestBulkOfAccessibility(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const hard = "CC1CC2(C)C(CCC3C4CCC(O)(C(=O)CO)C4(C)CC(O)C23)CC1=O"
	for _, test := range []struct {
		name     string
		known    []molecules.Known
		min, max float64
	}{
		{"few easy ones", knowns(slices.Repeat([]string{"CC(=O)Nc1ccccc1"}, 9)...), 4, 4},
		{"easy ones", knowns(slices.Repeat([]string{"CC(=O)Nc1ccccc1"}, 20)...), 3, 3},
		{"hard ones", knowns(slices.Repeat([]string{hard}, 9)...), 4.6, 4.7},
		{"many hard ones, the best", knowns(append(slices.Repeat([]string{"CC(=O)Nc1ccccc1"}, 21), hard, hard, hard)...), 4.6, 4.7},
		{"as many, the worst", knowns(append([]string{hard, hard, hard}, slices.Repeat([]string{"CC(=O)Nc1ccccc1"}, 21)...)...), 3, 3},
		{"some of many, the best", knowns(append(slices.Repeat([]string{"CC(=O)Nc1ccccc1"}, 56), hard, hard, hard, hard)...), 4.5, 4.5},
		{"few hard ones", knowns(append(slices.Repeat([]string{"CC(=O)Nc1ccccc1"}, 20), hard)...), 3, 3},
	} {
		l, _, err := molecules.Bulk(t.Context(), test.known, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !(test.min <= l.SA.Max && l.SA.Max <= test.max) {
			t.Errorf("%s: SA score up to %g, want %g to %g", test.name, l.SA.Max, test.min, test.max)
		}
	}
}

// What two of the best five molecules have may be proposed, and what one alone has may not.
func TestBulkOfTheBest(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const cage = "C1C2CC3CC1CC(C2)C3"
	for cages, want := range map[int]float64{1: 1.5, 2: 4.5} {
		known := knowns(append(slices.Repeat([]string{"CCCCc1ccccc1"}, 100), slices.Repeat([]string{cage}, cages)...)...)
		if l, _, err := molecules.Bulk(t.Context(), known, nil); err != nil || l.Rings.Max != want {
			t.Errorf("%d of the best five have a cage: up to %g rings, want %g", cages, l.Rings.Max, want)
		}
	}
}

// A rule that many of the good molecules match is off.
func TestBulkOfAlerts(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	rules, err := alerts.Compile([]alerts.Rule{{Name: "nitro", SMARTS: "[N+](=O)[O-]", Count: 1}, {Name: "nitrile", SMARTS: "C#N", Count: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var plain []string
	for n := range 20 {
		plain = append(plain, strings.Repeat("C", n+1))
	}
	nitro := []string{"C[N+](=O)[O-]", "CC[N+](=O)[O-]", "CCC[N+](=O)[O-]"}
	for _, test := range []struct {
		name  string
		known []molecules.Known
		off   string
	}{
		{"good nitro compounds", knowns(slices.Concat(plain[:12], nitro)...), "[nitro]"},
		{"bad ones", knowns(slices.Concat(nitro, plain)...), "[]"},
		{"two of few", knowns(slices.Concat(plain[:4], nitro[:2])...), "[nitro]"},
		{"one of few", knowns(slices.Concat(plain[:4], nitro[:1])...), "[]"},
		{"two of many", knowns(slices.Concat(plain, nitro[:2])...), "[]"},
		{"two bad ones of few", knowns(slices.Concat(nitro[:2], plain[:4])...), "[]"},
		{"half of all, bad ones", knowns(slices.Concat(nitro, plain[:3])...), "[nitro]"},
		{"few of many", knowns(slices.Concat(plain, plain, nitro)...), "[]"},
		{"what is no molecule is the best", knowns(slices.Concat(plain[:12], nitro, slices.Repeat([]string{"C1"}, 20))...), "[nitro]"},
	} {
		_, off, err := molecules.Bulk(t.Context(), test.known, rules)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range off {
			names = append(names, r.Name)
		}
		if got := fmt.Sprint(names); got != test.off {
			t.Errorf("%s: %s are off, want %s", test.name, got, test.off)
		}
	}
}
