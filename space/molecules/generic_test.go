package molecules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/space/molecules"
)

// filled returns the patterns with each group in the place of R, the patterns first.
func filled(groups string, patterns ...string) (all []string) {
	for _, group := range strings.Fields(groups) {
		for _, pattern := range patterns {
			all = append(all, strings.ReplaceAll(pattern, "R", group))
		}
	}
	return all
}

// What varies in few ways in a series does so in proposals, and what is beside it stays.
func TestGeneric(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const amines = "N9CCNCC9 N9CCOCC9 N9CCC(N)C9 N9CCCC9 NC N9CCN(C)CC9 N9CCC(O)CC9"
	quinolones := filled(amines, "O=C(O)c1cn(C8CC8)c2nc(R)c(F)cc2c1=O", "O=C(O)c1cn(CC)c2cc(R)c(F)cc2c1=O", "O=C(O)c1cn(C8CC8)c2c(OC)c(R)c(F)cc2c1=O")
	statins := filled("c9ccccc9 c9ccc(F)cc9 c9ccc(Cl)cc9 c9ccc(C)cc9 c9cccc(F)c9", "CC(C)c1nc(C)nc(R)c1C=CC(O)CC(O)CC(=O)O", "CC(C)n1c(CCC(O)CC(O)CC(=O)O)c(R)c2ccccc12",
		"Cc1nc2ccccc2c(R)c1C=CC(O)CC(O)CC(=O)O", "CC(C)c1cc(C)nc(R)c1CCC(O)CC(O)CC(=O)O")
	donors := filled("N#C CC(=O) CS(=O)(=O) FC(F)(F) c8cncnc8", "Rc1ccc(cc1)-n1c2ccccc2c2ccccc12", "Rc1ccc(cc1)N(c2ccccc2)c2ccccc2", "Rc1ccc(cc1)N1c2ccccc2Oc2ccccc12",
		"Rc1ccc(cc1)N1c2ccccc2C(C)(C)c2ccccc12")
	for _, test := range []struct {
		name     string
		known    []string
		accepted []string
		refused  []string
	}{
		{"a ring atom", quinolones, []string{"O=C(O)c1cn(CC)c2c(C#N)c(NCC)c(F)cc2c1=O", "O=C(O)c1cn(CCO)c2nc(N(C)C)c(F)cc2c1=O"},
			[]string{"O=C(O)c1cn(CC)c2cc(N9CCNCC9)c(Cl)cc2c1=O", "COC(=O)c1cn(CC)c2c(C(=O)O)c(NC)c(F)cc2c1=O"}},
		{"the order of a linker's bond", statins, []string{"CC(C)c1nc(N)nc(-c2ccccc2)c1CCC(O)CC(O)CC(=O)O"}, []string{"CC(C)c1nc(N)nc(-c2ccccc2)c1CC(O)CC(O)CC(=O)O", "CC(C)C=CC(O)CC(O)CC(=O)O"}},
		{"an amine in rings or not", donors, []string{"FC(F)(F)c1ccc(cc1)N1c2ccccc2Sc2ccccc12"}, []string{"FC(F)(F)c1ccc(cc1)-c1ccccc1", "CN(C)c1ccc(cc1)C#N"}},
		{"what is exact is a scaffold", filled(amines, "CC(=O)c1cc2ccccc2nc1R", "CC(=O)c1cc2cc(F)ccc2nc1R", "CC(=O)c1cc2cc(C)ccc2nc1R"), []string{"C"}, nil},
		{"a library", stats.Evenly(library.SMILES(), 300), []string{"C"}, nil},
	} {
		common, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		var l molecules.Limits
		for _, smarts := range common.Generic {
			p, err := molecule.CompilePattern(smarts)
			if err != nil {
				t.Fatal(err)
			}
			l.Require = append(l.Require, p)
		}
		for _, smiles := range slices.Concat(test.accepted, test.refused) {
			if got := l.Met(parse(t, smiles)); got == slices.Contains(test.refused, smiles) {
				t.Errorf("%s: %s has %q: %t", test.name, smiles, common.Generic, got)
			}
		}
		if test.refused == nil && len(common.Generic)+len(common.Covers) > 0 {
			t.Errorf("%s: %q and %q, want none", test.name, common.Generic, common.Covers)
		}
	}
}

// Where no part is common to all molecules, nearly each has one of a few, and a group of a library is none.
func TestCovers(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const tails = "c8ccc(Cl)cc8 CCCc8ccccc8 c8ccncc8 Oc8ccc(F)cc8 CCOC C8CCCCC8 c8cccc(C)c8 Cc8ccco8"
	const aryls = "c8ccc(Cl)cc8 c8ccncc8 c8cccc(C)c8 c8ccc(F)cc8 c8ccccc8C c8ccc(C)cc8C c8cnccn8 c8ccsc8"
	inhibitors := filled(tails, "O=C(NO)CCCR", "O=C(NO)C=Cc1ccc(R)cc1", "Nc1ccccc1NC(=O)CCCCR", "Nc1ccccc1NC(=O)c1ccc(R)cc1")
	for _, test := range []struct {
		name     string
		known    []string
		want     int
		accepted []string
		refused  []string
	}{
		{"two binders of zinc", inhibitors, 2, []string{"O=C(NO)CC1CC1", "Nc1ccccc1NC(=O)C1CC1"}, []string{"O=C(NC)c1cccc(N)c1", "Nc1cc(-c2cccnc2)nc(SCC(=O)N2CCCCC2)n1"}},
		{"three kinds of group on a benzyl ether, which all have", filled(aryls, "COC=C(C(=O)OC)c1ccccc1COR", "CON=C(C(=O)NC)c1ccccc1COR", "COC(=O)N(OC)c1ccccc1COR"), 2,
			[]string{"COC=C(C(=O)OC)c1ccccc1COc1ccc(I)cc1", "CON=C(C(=O)NC)c1ccccc1COc1ccc(I)cc1"}, []string{"CCCc1ccccc1COc1ccc(Cl)cc1", "CC(=O)Nc1ccccc1COc1ccc(Cl)cc1"}},
		{"and other molecules", slices.Concat(inhibitors, stats.Evenly(library.SMILES(), 12)), 0, nil, nil},
		{"few molecules", inhibitors[:12], 0, nil, nil},
		{"a library", stats.Evenly(library.SMILES(), 300), 0, nil, nil},
	} {
		common, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		if len(common.Covers) != test.want {
			t.Errorf("%s: %q, want %d", test.name, common.Covers, test.want)
			continue
		}
		var either []*molecule.Pattern
		for _, smarts := range common.Covers {
			p, err := molecule.CompilePattern(smarts)
			if err != nil {
				t.Fatal(err)
			}
			either = append(either, p)
		}
		for _, smiles := range slices.Concat(test.accepted, test.refused) {
			if got := (molecules.Limits{Either: [][]*molecule.Pattern{either}}).Met(parse(t, smiles)); got == slices.Contains(test.refused, smiles) {
				t.Errorf("%s: %s has one of %q: %t", test.name, smiles, common.Covers, got)
			}
		}
	}
}
