package molecules_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// Molecules of one series, and others.
var (
	anilides  = []string{"CC(=O)Nc1ccccc1", "CC(=O)Nc1ccc(F)cc1", "CC(=O)Nc1ccc(Cl)cc1", "CC(=O)Nc1ccc(OC)cc1", "CCC(=O)Nc1ccc(Cl)cc1", "CC(=O)Nc1ccc(C)c(Cl)c1"}
	unrelated = []string{"CN1CCC(c2ccccc2)CC1", "CCOC(=O)c1cnn(C)c1", "Cc1ccc(S(C)(=O)=O)cc1", "OCC1CCCO1", "N#Cc1ccc2[nH]ccc2c1", "CC(C)Cc1ccc(C(C)C(=O)O)cc1"}
	inhibitor = []string{"NS(=O)(=O)c1ccccc1", "NS(=O)(=O)c1cc2cc(C#N)oc2s1", "CCCCS(N)(=O)=O", "CC(=O)Nc1nnc(S(N)(=O)=O)s1", "NS(=O)(=O)CC1CCNCC1", "NS(=O)(=O)c1cnn(C2CCCC2)c1"}
)

func TestSeries(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		name   string
		known  []string
		series bool
		shared string
	}{
		{"anilides", anilides, true, "anilide"},
		{"anilides and another molecule", append(slices.Clone(anilides), unrelated[0]), true, ""},
		{"anilides, and as many others", slices.Concat(anilides, unrelated), false, ""},
		{"unrelated molecules", unrelated, false, ""},
		{"unrelated sulfonamides", inhibitor, false, "primary_sulfonamide"}, // not sulfonamide, too
		{"many unrelated sulfonamides, and one molecule in 24 without", append([]string{"CCO"}, slices.Repeat(inhibitor, 4)[1:]...), false, "primary_sulfonamide"},
		{"many, but the best molecule has none", append(slices.Repeat(inhibitor, 4)[1:], "CCO"), false, ""},
		{"phosphines, and one in five others", []string{"CCN", "CP(C)C", "c1ccc(P(c2ccccc2)c2ccccc2)cc1", "C1CCC(P(C2CCCCC2)C2CCCCC2)CC1", "CC(C)P(CCO)C(C)C"}, false, "phosphorus"},
		{"phosphines, and one in four others", []string{"CCN", "CP(C)C", "c1ccc(P(c2ccccc2)c2ccccc2)cc1", "C1CCC(P(C2CCCCC2)C2CCCCC2)CC1"}, false, ""},
		{"two anilides", anilides[:2], false, ""},
		{"stereoisomers", []string{"CC(=O)N[C@@H](C)c1ccccc1", "CC(=O)N[C@H](C)c1ccccc1", "CC(=O)NC(C)c1ccccc1"}, false, ""},
		{"what is no molecule", append([]string{"C1CC", "anilide"}, anilides...), true, "anilide"},
		{"nothing", nil, false, ""},
	} {
		common, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		var shared []string
		for _, g := range common.Groups {
			shared = append(shared, g.Name)
		}
		if (common.Nearest > 0) != test.series || strings.Join(shared, " ") != test.shared {
			t.Errorf("%s: nearest %g, shared %q; a series: %t, shared %q are wanted", test.name, common.Nearest, shared, test.series, test.shared)
		}
	}
}

// Where nearly each molecule has one of some rare groups, such as a warhead, so do proposals.
func TestAlternatives(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	series := func(warheads ...string) (all []string) {
		for _, tail := range []string{"c1ccccc1", "C1CCCC1", "c1ccoc1", "CC(C)C", "c1ccc(F)cc1", "C1CCOCC1"} {
			for _, w := range warheads {
				all = append(all, "CC(C)CC("+w+")NC(=O)"+tail)
			}
		}
		return all
	}
	for _, test := range []struct {
		name  string
		known []string
		want  string
	}{
		{"two warheads", series("C#N", "C=O"), "aldehyde nitrile"},
		{"three warheads", series("C#N", "C=O", "C1CO1"), "aldehyde nitrile epoxide"},
		{"warheads on an amine", series("N(C)C#N", "N(C)C(=O)C=C", "N(C)S(=O)(=O)C=C"), "vinyl_sulfonyl acrylamide cyanamide"},
		{"and a tenth without", append([]string{"CC(C)CCNC(=O)c1ccccc1"}, series("C#N", "C=O")...), "aldehyde nitrile"},
		{"the best without", append(series("C#N", "C=O"), "CC(C)CCNC(=O)c1ccccc1"), ""},
		{"half without", series("C#N", "C=O", "C", "CC"), ""},
		{"one in all, which is a group of its own", series("C#N"), ""},
		{"both in one", append(series("CC#N"), series("C(C#N)C=O")...), ""},
		{"few molecules", series("C#N", "C=O")[:8], ""},
		{"usual groups", series("CO", "C(=O)NC"), ""},
	} {
		common, err := molecules.Series(t.Context(), knowns(test.known...), molecules.Fixed{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range common.Either {
			got = append(got, g.Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %s", test.name, got, test.want)
		}
	}
}

// What a series says holds for its members and for what a chemist would make next, and not for others.
func TestSeriesAsLimits(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	common, err := molecules.Series(t.Context(), knowns(anilides...), molecules.Fixed{})
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := molecules.Series(t.Context(), knowns(anilides...), molecules.Fixed{Plain: []string{"CC(=O)Nc1ccc(C)cc1"}}); err != nil || len(rest.Groups)+len(rest.Scaffolds)+len(rest.Times) > 0 {
		t.Errorf("%v and %v beside what an anilide has, error %v", rest.Groups, rest.Scaffolds, err)
	}
	prints, err := molecules.Prints(t.Context(), anilides)
	if err != nil {
		t.Fatal(err)
	}
	if common.BestNearest < common.Nearest {
		t.Errorf("the best anilide is as similar as %g to another one, less than %g", common.BestNearest, common.Nearest)
	}
	reference := append(knowns(anilides...), molecules.Known{SMILES: "CN1CCC(CC1)Oc1ncnc2[nH]ccc12", Value: 99})
	if with, err := molecules.Series(t.Context(), reference, molecules.Fixed{}); err != nil || with.BestNearest == 0 || with.BestNearest >= with.Nearest {
		t.Errorf("a reference that is no anilide has a similarity of %g, at least %g, error %v", with.BestNearest, with.Nearest, err)
	}
	l := molecules.Limits{Nearest: molecules.Range{Min: common.Nearest, Max: math.Inf(1)}, Known: prints}
	for smiles, want := range map[string]bool{
		anilides[0]: true, "CC(=O)Nc1ccc(Br)cc1": true, "CCCC(=O)Nc1ccc(Cl)cc1": true,
		"Clc1ccc(Cl)cc1Cl": false, "CCCCCCCC": false, "C1CCC(C2CCCC2)C1": false, "O=[N+]([O-])c1ccccc1": false,
	} {
		if got, err := l.Feasible(smiles); err != nil || got != want {
			t.Errorf("%s passes: %t (%v), want %t (nearest %g)", smiles, got, err, want, common.Nearest)
		}
	}
	l.Nearest = molecules.Range{Min: math.Inf(-1), Max: 0.9}
	if l.Refusal(parse(t, anilides[0])) != "nearest" || l.Refusal(parse(t, "CCO")) != "" {
		t.Error("with an upper limit, a known molecule passes, or another does not")
	}
}

func parse(t *testing.T, smiles string) *molecule.Molecule {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// Each group has its example, and precedes the groups that are a part of it.
func TestGroups(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	all := molecules.Groups()
	for i, g := range all {
		p, err := g.Pattern()
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		if !p.In(parse(t, g.Example)) {
			t.Errorf("%s does not have the group", g.Example)
		}
		for _, part := range all[i+1:] {
			if p.In(parse(t, part.Example)) {
				t.Errorf("%s is a part of %s, which follows it", g.Name, part.Name)
			}
		}
	}
}

// Where the molecules of a series have configurations, none is left open; where few have any, all may be.
func TestOpen(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	series := func(smiles ...string) (all []string) {
		for _, tail := range []string{"c1ccccc1", "C1CCCC1", "c1ccoc1", "CC(C)C", "c1ccc(F)cc1", "C1CCOCC1"} {
			for _, s := range smiles {
				all = append(all, s+tail)
			}
		}
		return all
	}
	for _, test := range []struct {
		name     string
		known    []string
		refused  []string
		accepted []string
	}{
		{"all defined", series("C[C@H](N)C(=O)N", "C[C@@H](N)C(=O)NC"), []string{"CC(N)C(=O)NCC", "C[C@H](N)C(=O)NCC(F)CC"}, []string{"C[C@H](N)C(=O)NCCF", "CCCCC"}},
		{"double bonds", series("O=C(C)/C=C/", `O=C(C)/C=C\`), []string{"O=C(C)C=CC"}, []string{"O=C(C)/C=C/C"}},
		{"one left open in each", series("C[C@H](N)C(=O)NC(C)C"), []string{"CC(N)C(=O)NC(C)CC"}, []string{"C[C@H](N)C(=O)NC(C)CC"}},
		{"none defined", series("CC(N)C(=O)N"), nil, []string{"CC(N)C(=O)NC(C)CC"}},
	} {
		usual, err := molecules.UsualOf(t.Context(), knowns(test.known...))
		if err != nil {
			t.Fatal(err)
		}
		for _, smiles := range append(test.refused, test.accepted...) {
			if err := molecule.Look(smiles, func(m *molecule.Molecule) {
				if got := (molecules.Limits{Open: usual.Open}).Met(m); got == slices.Contains(test.refused, smiles) {
					t.Errorf("%s: %s is met: %t, with %v open", test.name, smiles, got, usual.Open)
				}
			}); err != nil {
				t.Error(err)
			}
		}
	}
}
