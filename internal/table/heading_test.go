package table_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// The name of an outcome may say that lower values are better.
func TestLowerIsBetter(t *testing.T) {
	for name, want := range map[string][2]bool{
		"IC50 (nM)": {true, false}, "k_inact/KI (M-1 s-1)": {}, "Ki": {true, false}, "logIC50": {true, false}, "log Ki": {true, false}, "pIC50": {}, "CC50": {}, "logP": {}, "activity": {},
		"docking score": {false, true}, "Vina (kcal/mol)": {false, true}, "ΔG": {false, true}, "dG": {false, true}, "glycine": {},
	} {
		if got := [2]bool{table.Potency(name), table.Energy(name)}; got != want {
			t.Errorf("%s is a potency, an energy: %v, want %v", name, got, want)
		}
	}
}

// A line break in a cell of a header is a blank in the name of the column, for people and for the options that name it.
func TestNamesOnOneLine(t *testing.T) {
	const content = "Compound,SMILES,\"Inhibition\n(%) @ 100 nM\",\"hERG \r\n IC50\u00a0(µM)\"\na,CCO,12,3\nb,CCN,50,4\n"
	for _, test := range []struct {
		name string
		o    table.Options
	}{
		{"found", table.Options{Others: []string{"hERG IC50 (µM)"}}},
		{"given on one line", table.Options{Score: []string{"Inhibition (%) @ 100 nM"}, Others: []string{"hERG IC50 (µM)"}}},
		{"given as it is", table.Options{Score: []string{"Inhibition\n(%) @ 100 nM"}, Others: []string{"hERG IC50 (µM)"}}},
		{"of an earlier version's study", table.Options{Like: table.Columns{Score: "Inhibition\n(%) @ 100 nM", ID: "Compound"}.OneLine(), Others: []string{"hERG IC50 (µM)"}}},
	} {
		tab := read(t, content, test.o)
		const want = "2 compounds; column SMILES, score Inhibition (%) @ 100 nM, id Compound"
		if got := tab.Summary("compounds"); got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
		if r := tab.Records[0]; r.Score != 12 || r.Others["hERG IC50 (µM)"] != 3 {
			t.Errorf("%s: %+v, want 12 and 3", test.name, r)
		}
	}
	file, err := table.Open(strings.NewReader(content), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := file.Find("Inhibition\n(%) @ 100 nM"); name != "Inhibition (%) @ 100 nM" {
		t.Errorf("found %q", name)
	}
}
