package molecules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/space/molecules"
)

// Two series are told apart where they have a small part in common, which is no more required than the rest of either.
// A rare part, such as a sugar, stays.
func TestSeveralSeries(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	groups := strings.Fields("F Cl Br C CC OC C#N C(F)(F)F")
	series := func(patterns ...string) (all []string) {
		for _, group := range groups {
			for _, pattern := range patterns {
				all = append(all, strings.ReplaceAll(pattern, "R", group))
			}
		}
		return all
	}
	quinazoline, urea := "COc1cc2ncnc(Nc3cccc(R)c3)c2cc1OC", "CNC(=O)c1cc(Oc2ccc(NC(=O)Nc3cccc(R)c3)cc2)ccn1"
	purine, pyrimidine := "NC1=NC=NC2=C1N=C(R)N2C1OC(CO)C(O)C1", "O=C1NC(=O)C(R)=CN1C1OC(CO)C(O)C1"
	for _, test := range []struct {
		name                   string
		known                  []string
		cores, scaffolds, rest int
		refused, allowed       string
	}{
		{"kinase inhibitors", series(quinazoline, urea), 2, 0, 0, "CC(=O)Nc1cccc(Nc2ncccn2)c1", "COc1cc2ncnc(Nc3cccc(I)c3)c2cc1OC"},
		{"nucleosides", series(purine, pyrimidine), 2, 1, 0, "OCC1OC(CC1O)n1ccnc1", "O=C1NC(=O)C(CCC)=CN1C1OC(CO)C(O)C1"},
		// These have the same rings, and substituents tell them apart. What else both have in common is a part of each.
		{"ureas", series("CC(C)(C)c1cc(NC(=O)Nc2cccc(R)c2)n(-c2ccc(C)cc2)n1", urea), 2, 1, 0, "CNC(=O)Nc1cccc(CC)c1", "CC(C)(C)c1cc(NC(=O)Nc2cccc(CC)c2)n(-c2ccc(C)cc2)n1"},
		{"opioids and neuroleptics", series("CCC(=O)N(c1cccc(R)c1)C1CCN(CCc2ccccc2)CC1", "O=C(CCCN1CCC(O)(c2cccc(R)c2)CC1)c1ccc(F)cc1"), 2, 1, 0, "Brc1ccc(C2CCN(CCc3ccccc3)CC2)cc1", "CCC(=O)N(c1cccc(I)c1)C1CCN(CCc2ccccc2)CC1"},
		{"one series", series(quinazoline), 0, 1, 0, "CC(=O)Nc1cccc(Nc2ncccn2)c1", "COc1cc2ncnc(Nc3cccc(I)c3)c2cc1OC"},
	} {
		c, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Cores) != test.cores || len(c.Scaffolds) != test.scaffolds || len(c.Generic)+len(c.Covers) != test.rest {
			t.Errorf("%s: cores %s, scaffolds %s, %q, %q", test.name, written(c.Cores), written(c.Scaffolds), c.Generic, c.Covers)
		}
		var either []*molecule.Pattern
		for _, s := range slices.Concat(c.Cores, c.Scaffolds) {
			p, err := s.Pattern()
			if err != nil {
				t.Fatal(err)
			}
			either = append(either, p)
		}
		l := molecules.Limits{Either: [][]*molecule.Pattern{either[:max(1, test.cores)]}}
		if l.Met(parse(t, test.refused)) || !l.Met(parse(t, test.allowed)) {
			t.Errorf("%s: %s or %s", test.name, test.refused, test.allowed)
		}
	}
}

// Molecules of a few series have one of their cores each.
func TestCores(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	series := func(pattern, groups string) (all []string) {
		for _, group := range strings.Fields(groups) {
			all = append(all, strings.ReplaceAll(pattern, "R", group))
		}
		return all
	}
	pyrroles := series("O=C(NR)c1cn(C)c2ncc(F)cc12", "C CC C9CC9 CCO c9ccc(F)cc9")
	sulfonamides := series("O=S(=O)(NR)c1ccc(C)cc1", "CC CCC C9CCCC9 c9ccccn9 CCOC c9nccs9")
	diverse := library.SMILES()[:60]
	for _, test := range []struct {
		name  string
		known []string
		want  string
	}{
		{"two series", slices.Concat(sulfonamides, pyrroles), "CNC(=O)c1cn(C)c2ncc(F)cc12 CNS(=O)(=O)c1ccc(C)cc1"},
		{"the best of the other", slices.Concat(pyrroles, sulfonamides), "CNC(=O)c1cn(C)c2ncc(F)cc12 CNS(=O)(=O)c1ccc(C)cc1"},
		{"one series", pyrroles, ""},
		{"one series with two rings as substituents", slices.Concat(series("O=C(NR)c1cn(C)c2nc(N9CCNCC9)ccc12", "C CC CCC CCO CCF"), series("O=C(NR)c1cn(C)c2nc(N9CCCC9)ccc12", "C CC CCC CCO CCF")), ""},
		{"two series and another molecule of six", slices.Concat(sulfonamides[:3], pyrroles[:2], []string{"CCO"}), ""},
		{"the best is something else", append(slices.Concat(sulfonamides, pyrroles, sulfonamides, pyrroles), "CCOC1CCCC1"), ""},
		{"the worst is something else", append([]string{"CCOC1CCCC1"}, slices.Concat(sulfonamides, pyrroles, sulfonamides, pyrroles)...), "CNC(=O)c1cn(C)c2ncc(F)cc12 CNS(=O)(=O)c1ccc(C)cc1"},
		{"different molecules", diverse, ""},
	} {
		common, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		if got := written(common.Cores); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	var either []*molecule.Pattern
	for _, smiles := range []string{"NC1CCCCC1", "OC1CCCCC1"} {
		p, err := molecules.Scaffold{SMILES: smiles}.Pattern()
		if err != nil {
			t.Fatal(err)
		}
		either = append(either, p)
	}
	for smiles, want := range map[string]bool{"Nc1ccccc1": true, "COc1ccccc1": true, "Cc1ccccc1": false} {
		if got := (molecules.Limits{Either: [][]*molecule.Pattern{either}}).Met(parse(t, smiles)); got != want {
			t.Errorf("%s has one of two cores: %t, want %t", smiles, got, want)
		}
	}
}
