package task

import (
	"encoding/json"
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

func TestDemands(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	nitro := "# alerts\n\n[#6]-[N+](=O)[O-] nitro\nC#N\tnitrile\n"
	tests := []struct {
		name   string
		o      Options
		smiles string
		want   bool
	}{
		{"nothing asked", Options{}, "CCO", true},
		{"without alerts", Options{Forbid: writeFile(t, "a", nitro)}, "Cc1ccccc1", true},
		{"the first alert", Options{Forbid: writeFile(t, "a", nitro)}, "Cc1ccccc1[N+](=O)[O-]", false},
		{"the last alert", Options{Forbid: writeFile(t, "a", nitro)}, "CC#N", false},
		{"an alert of a table", Options{Forbid: writeFile(t, "a.csv", "name,SMARTS\nhalogen,\"[F,Cl,Br]\"\nnitrile,C#N\n")}, "CCBr", false},
		{"none of a table", Options{Forbid: writeFile(t, "a.tsv", "name\tsmarts\tmin\nhalogen\t[F,Cl,Br]\t1\n")}, "CCI", true},
		{"commas in a line", Options{Forbid: writeFile(t, "a", "[F,Cl,Br] halogen\n")}, "CCF", false},
		{"more comments than alerts", Options{Forbid: writeFile(t, "a", "# of halogens\n# and of others\n#\nCl\n")}, "CCCl", false},
		{"an alert with a hydrogen", Options{Forbid: writeFile(t, "a", "n1(ccc(c1)-[#1])-[#6]\n")}, "Cn1cccc1", false},
		{"an alert without that hydrogen", Options{Forbid: writeFile(t, "a", "n1(ccc(c1)-[#1])-[#6]\n")}, "Cn1cc(C)c(C)c1", true},
		{"a hydrogen required", Options{Require: writeFile(t, "a", "[H]OC\n")}, "CCO", true},
		{"a hydrogen required that is missing", Options{Require: writeFile(t, "a", "[H]OC\n")}, "COC", false},
		{"both required", Options{Require: writeFile(t, "a", "c1ccccc1\nO\n")}, "Oc1ccccc1", true},
		{"one of two required", Options{Require: writeFile(t, "a", "c1ccccc1\nO\n")}, "Cc1ccccc1", false},
		{"as many atoms", Options{MaxAtoms: 3}, "CCO", true},
		{"an atom too many", Options{MaxAtoms: 3}, "CCCO", false},
		{"deuterium is no heavy atom", Options{MaxAtoms: 1}, "[2H]C", true},
		{"its weight", Options{Weight: Range{46, 47}}, "CCO", true}, // 46.07
		{"too heavy", Options{Weight: Range{math.Inf(-1), 46}}, "CCO", false},
		{"too light", Options{Weight: Range{47, math.Inf(1)}}, "CCO", false},
		{"its logP", Options{LogP: Range{1.6, 1.7}}, "c1ccccc1", true}, // 1.6866
		{"too polar", Options{LogP: Range{2, 3}}, "c1ccccc1", false},
	}
	for _, test := range tests {
		d, err := test.o.demands(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m, err := molecule.Parse(test.smiles)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.met(m); got != test.want {
			t.Errorf("%s: %s passes: %t, want %t", test.name, test.smiles, got, test.want)
		}
		m.Close()
	}
	for text, want := range map[string]string{"C\n#x\n[\n": ", line 3: SMARTS \"[\"", "# C\n": "it contains no SMARTS", "name,smarts\na,C\nb,[\n": ", line 3: SMARTS \"[\""} {
		if _, err := (Options{Forbid: writeFile(t, "a", text)}).demands(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "--forbid: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
