package task

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestRange(t *testing.T) {
	inf := math.Inf(1)
	for text, want := range map[string]Range{"250:450": {250, 450}, ":5": {-inf, 5}, "-1.5:": {-1.5, inf}, "0:": {0, inf}} {
		var r, back Range
		if err := r.Set(text); err != nil || r != want || r.String() != text {
			t.Errorf("%q is %v (%v), want %v", text, r, err, want)
		}
		if encoded, err := json.Marshal(r); err != nil || json.Unmarshal(encoded, &back) != nil || back != r {
			t.Errorf("%q comes back from %s as %v (%v)", text, encoded, back, err)
		}
	}
	for _, text := range []string{"", ":", "5", "5:3", "5:5", "a:3", "3:NaN", "1:2:3", "-inf:inf", "1:inf"} {
		var r Range
		if err := r.Set(text); err == nil || !strings.Contains(err.Error(), "give MIN:MAX") || r != (Range{}) {
			t.Errorf("%q is %v (%v), want an error", text, r, err)
		}
	}
}

// Patterns are read from files, and the options that ask for something are named.
func TestLimits(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	alerts := writeFile(t, "alerts", "# alerts\n\n[#6]-[N+](=O)[O-] nitro\nC#N\tnitrile\n")
	tab := writeFile(t, "a.csv", "name,SMARTS\nhalogen,\"[F,Cl,Br]\"\nnitrile,C#N\n")
	commas := writeFile(t, "commas", "# of halogens\n# and of others\n#\n[F,Cl,Br] halogen\n")
	hydrogen := writeFile(t, "hydrogen", "[H]OC\n")
	tests := []struct {
		name     string
		o        Options
		by       string
		feasible map[string]bool
	}{
		{"nothing asked", Options{}, "[]", map[string]bool{"CC#N": true}},
		{"alerts", Options{Forbid: alerts}, "[{forbid " + alerts.Path + "}]", map[string]bool{"Cc1ccccc1": true, "Cc1ccccc1[N+](=O)[O-]": false, "CC#N": false}},
		{"alerts of a table", Options{Forbid: tab}, "[{forbid " + tab.Path + "}]", map[string]bool{"CCBr": false, "CC#N": false, "CCI": true}},
		{"alerts with commas, below many comments", Options{Forbid: commas}, "[{forbid " + commas.Path + "}]", map[string]bool{"CCBr": false, "CCI": true}},
		{"a hydrogen required", Options{Require: Required{File: hydrogen}}, "[{require " + hydrogen.Path + "}]", map[string]bool{"CCO": true, "COC": false}},
		{"two or three acids", Options{Require: Required{Groups: []string{"2:3 carboxylic_acid", "amide"}}}, "[{require 2:3 carboxylic_acid,amide}]",
			map[string]bool{"OC(=O)CNC(=O)CC(=O)O": true, "OC(=O)CNC(=O)C": false, "OC(=O)CC(=O)O": false, "OC(=O)C(C(=O)O)CNC(=O)C(C(=O)O)CC(=O)O": false}},
		{"one of two groups", Options{Require: Required{Groups: []string{"aldehyde|nitrile", "amide"}}}, "[{require aldehyde|nitrile,amide}]", map[string]bool{"CC(=O)NCC=O": true, "CC(=O)NCC#N": true, "CC(=O)NCC": false, "CC#N": false}},
		{"a closed scaffold", Options{Require: Required{Groups: []string{"closed:*c1ccccc1O"}}}, "[{require closed:*c1ccccc1O}]", map[string]bool{"Cc1ccccc1O": true, "Cc1cccc(O)c1": false}},
		{"one of two scaffolds", Options{Require: Required{Groups: []string{"scaffold:NC1CCCCC1|OC1CCCCC1"}}}, "[{require scaffold:NC1CCCCC1|OC1CCCCC1}]", map[string]bool{"Nc1ccccc1": true, "Oc1ccccc1": true, "Cc1ccccc1": false}},
		{"one of two SMARTS", Options{Require: Required{Groups: []string{"smarts:[C,c]~[O;D1]|c1[c,n]cccc1S", "2 amide"}}}, "[{require smarts:[C,c]~[O;D1]|c1[c,n]cccc1S,2 amide}]",
			map[string]bool{"CNC(=O)CCC(=O)NC": true, "CNC(=O)C": false, "COC": false}},
		{"numbers", Options{MaxAtoms: 3, Bounds: Bounds{Weight: Range{45, math.Inf(1)}, Charge: "0"}, LogP: Range{-1, 1}}, "[{max-atoms 3} {logp -1:1} {weight 45:} {charge 0}]", map[string]bool{"CCO": true, "CO": false, "CCCO": false, "CCC": false}},
	}
	for _, test := range tests {
		s, err := newScreen(t.Context(), test.o, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.settings()); got != test.by {
			t.Errorf("%s: asked for by %s, want %s", test.name, got, test.by)
		}
		for smiles, want := range test.feasible {
			if got, err := s.feasible(smiles); err != nil || got != want {
				t.Errorf("%s: %s passes: %t (%v), want %t", test.name, smiles, got, err, want)
			}
		}
	}
	for text, want := range map[string]string{"C\n#x\n[\n": ", line 3: SMARTS \"[\"", "# C\n": "it contains no SMARTS", "name,smarts\na,C\nb,[\n": ", line 3: SMARTS \"[\""} {
		if _, err := newScreen(t.Context(), Options{Forbid: writeFile(t, "a", text)}, nil, false); err == nil || !strings.HasPrefix(err.Error(), "forbid: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A residue with a name of several letters is one position.
func TestMutationsAreCountedByResidue(t *testing.T) {
	for _, test := range []struct {
		wild, alphabet, x string
		want              float64
	}{
		{"HAEGTF", "", "HAEGTF", 0},
		{"HAEGTF", "", "HGEGTY", 2},
		{"HAEGTF", "", "H[Aib]EGTF", 1},
		{"HAEGTF", "", "H(Aib)EGT", 2},
		{"HAEGTF", "H A E G T F Y Q [Aib]", "H[Aib]EGTY", 2},
		{"HOrn-E", "H Orn - E A", "HA-E", 1},
		{"HAEGTF", "H A E G T F", "HXEGTF", 1}, // not of the alphabet
	} {
		if got := (Options{SequenceOptions: SequenceOptions{WildType: test.wild}, Alphabet: test.alphabet}).counter()(test.x); got != test.want {
			t.Errorf("%s of %s has %g mutations, want %g", test.x, test.wild, got, test.want)
		}
	}
}
