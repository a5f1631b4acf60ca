package molecules_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/alerts"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/space/molecules"
)

func TestRange(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		r    molecules.Range
		v    float64
		want bool
	}{
		{molecules.Range{}, 7, true}, {molecules.Range{}, -7, true}, {molecules.Range{Min: 1, Max: 2}, 1, true}, {molecules.Range{Min: 1, Max: 2}, 2, true},
		{molecules.Range{Min: 1, Max: 2}, 2.1, false}, {molecules.Range{Min: -inf, Max: 2}, -1e9, true}, {molecules.Range{Min: 1, Max: inf}, 0, false},
		{molecules.Range{Min: 1, Max: 2}, math.NaN(), false},
	} {
		if got := test.r.Holds(test.v); got != test.want {
			t.Errorf("%v holds %g: %t, want %t", test.r, test.v, got, test.want)
		}
	}
}

func TestLimits(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	patterns := func(smarts ...string) []*molecule.Pattern {
		var all []*molecule.Pattern
		for _, s := range smarts {
			p, err := molecule.CompilePatternMergeHs(s)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
		return all
	}
	usual := corpus.Default()
	rules := patterns("[#6]-[N+](=O)[O-]", "C#N")
	tests := []struct {
		name   string
		l      molecules.Limits
		smiles string
		want   bool
	}{
		{"nothing asked", molecules.Limits{}, "CCO", true},
		{"without alerts", molecules.Limits{Forbid: rules}, "Cc1ccccc1", true},
		{"the first alert", molecules.Limits{Forbid: rules}, "Cc1ccccc1[N+](=O)[O-]", false},
		{"the last alert", molecules.Limits{Forbid: rules}, "CC#N", false},
		{"an alert with a hydrogen", molecules.Limits{Forbid: patterns("n1(ccc(c1)-[#1])-[#6]")}, "Cn1cccc1", false},
		{"an alert without that hydrogen", molecules.Limits{Forbid: patterns("n1(ccc(c1)-[#1])-[#6]")}, "Cn1cc(C)c(C)c1", true},
		{"a hydrogen required", molecules.Limits{Require: patterns("[H]OC")}, "CCO", true},
		{"a hydrogen required that is missing", molecules.Limits{Require: patterns("[H]OC")}, "COC", false},
		{"both required", molecules.Limits{Require: patterns("c1ccccc1", "O")}, "Oc1ccccc1", true},
		{"one of two required", molecules.Limits{Require: patterns("c1ccccc1", "O")}, "Cc1ccccc1", false},
		{"as many atoms", molecules.Limits{MaxAtoms: 3}, "CCO", true},
		{"an atom too many", molecules.Limits{MaxAtoms: 3}, "CCCO", false},
		{"deuterium is no heavy atom", molecules.Limits{MaxAtoms: 1}, "[2H]C", true},
		{"its weight", molecules.Limits{Weight: molecules.Range{Min: 46, Max: 47}}, "CCO", true}, // 46.07
		{"too heavy", molecules.Limits{Weight: molecules.Range{Min: math.Inf(-1), Max: 46}}, "CCO", false},
		{"too light", molecules.Limits{Weight: molecules.Range{Min: 47, Max: math.Inf(1)}}, "CCO", false},
		{"its logP", molecules.Limits{LogP: molecules.Range{Min: 1.6, Max: 1.7}}, "c1ccccc1", true}, // 1.6866
		{"too polar", molecules.Limits{LogP: molecules.Range{Min: 2, Max: 3}}, "c1ccccc1", false},
		{"no center", molecules.Limits{Centers: molecules.Whole(0, 0)}, "OC1CCCCC1", true},
		{"centers that depend on each other", molecules.Limits{Centers: molecules.Whole(0, 0)}, "OC1CCC(N)CC1", false},
		{"as many centers", molecules.Limits{Centers: molecules.Whole(0, 2)}, "OC1CCC(N)CC1", true},
		{"a center too many", molecules.Limits{Centers: molecules.Whole(0, 2)}, "OC1CCC(N[C@H](C)F)CC1", false},
		{"a usual molecule", molecules.Limits{Usual: usual}, "CC(=O)Nc1ccc(O)cc1", true},
		{"a chain of nitrogens", molecules.Limits{Usual: usual}, "NNNNNNC", false},
	}
	for _, test := range tests {
		if got, err := test.l.Feasible(test.smiles); err != nil || got != test.want {
			t.Errorf("%s: %s passes: %t (%v), want %t", test.name, test.smiles, got, err, test.want)
		}
	}
	if ok, err := (molecules.Limits{}).Feasible("C1CC"); ok || err == nil {
		t.Errorf("what is no molecule passes: %t (%v), want an error", ok, err)
	}
}

// The accessibility score, alerts and usual environments are those of the molecule of the usual isotopes without
// charges that hydrogens can take away; as it is drawn it may match an alert, too. Permanent charges stay.
func TestLimitsOfPlainForms(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	unstable, err := alerts.Compile(alerts.Unstable())
	if err != nil {
		t.Fatal(err)
	}
	l := molecules.Limits{Usual: corpus.Default(), Alerts: unstable, SA: molecules.Range{Min: math.Inf(-1), Max: 3}}
	for _, test := range []struct {
		plain, drawn string
		alerts       bool
	}{
		{"CCC(CN)CC(=O)O", "CCC(C[NH3+])CC(=O)[O-]", false},
		{"CCNN", "CC[NH2+]N", true},
		{"CC(=O)CC(=O)O", "CC(=O)CC(=O)[O-]", true},
		{"CNC=CC", "C[NH2+]C=CC", true},
		{"CCC(CC(=O)O)CNN(C)C", "CCC(CC(=O)[O-])C[NH2+]N(C)C", true},
		{"CC(=O)OCC[N+](C)(C)C", "CC(=O)OCC[N+](C)(C)C", false},
		{"C[N+](C)(C)C=C", "C[N+](C)(C)C=C", true},
		{"Oc1ccc(OC)cc1", "Oc1ccc(OC([2H])([2H])[2H])cc1", false},
		{"CCC(C(=O)O)c1ccccc1", "[13CH3][13CH2]C([2H])([13C](=O)[O-])c1ccccc1", false},
		{"CNC=CC", "CNC([2H])=CC", true},
		{"C=CCc1ccccc1", "[2H]/C=C/Cc1ccccc1", false},
	} {
		var broken [2][]string
		for i, smiles := range []string{test.plain, test.drawn} {
			m, err := molecule.Parse(smiles)
			if err != nil {
				t.Fatal(err)
			}
			broken[i] = l.Broken(m)
			if l.Met(m) != (len(broken[i]) == 0) || l.Refusal(m) != slices.Concat(broken[i], []string{""})[0] {
				t.Errorf("%s breaks %q, but the first is %q", smiles, broken[i], l.Refusal(m))
			}
			m.Close()
		}
		if !slices.Equal(broken[0], broken[1]) || slices.Contains(broken[0], "alerts") != test.alerts {
			t.Errorf("%s breaks %q and %s %q; alerts are wanted: %t", test.plain, broken[0], test.drawn, broken[1], test.alerts)
		}
	}
	if ok, err := l.Feasible("[NH3+]CCC[O-]"); ok || err != nil {
		t.Errorf("an alkoxide is within the limits (%v)", err)
	}
	zwitterions := slices.Repeat([]molecules.Known{{SMILES: "CCC(C[NH3+])CC(=O)[O-]"}}, 20)
	if l, _, err := molecules.Bulk(t.Context(), zwitterions, nil); err != nil || l.SA.Max != 3 {
		t.Errorf("SA score up to %g for zwitterions, want 3", l.SA.Max)
	}
}

// Without RDKit the space says so.
func TestNewWithoutRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := molecules.New(nil, molecules.Options{}); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("error %v, want ErrNoRDKit", err)
	}
}
