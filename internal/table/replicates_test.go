package table_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// A column that looks like a replicate of the scores is named: a new study asks for it, and a table of a study says
// that it is not used.
func TestReplicatesThatAreAdded(t *testing.T) {
	known := &table.Known{Called: func(string) string { return "" }, Written: func(string) string { return "" }}
	for _, test := range []struct{ name, header, want string }{
		{"rep 2", "pIC50,pIC50 rep 2", "pIC50,pIC50 rep 2"},
		{"of pandas", "pIC50,pIC50.1", "pIC50,pIC50.1"},
		{"underscore", "pIC50,pIC50_2", "pIC50,pIC50_2"},
		{"in brackets", "pIC50,pIC50 (2)", "pIC50,pIC50 (2)"},
		{"the number alone", "pIC50,replicate 2", "pIC50,replicate 2"},
		{"repeated", "pIC50,pIC50 repeat", "pIC50,pIC50 repeat"},
		{"several", "pIC50,pIC50 rep 2,pIC50 rep 3", "pIC50,pIC50 rep 2,pIC50 rep 3"},
		{"an error", "pIC50,pIC50 SEM", ""},
		{"another target", "pIC50,pIC50 (JAK2)", ""},
		{"a mean", "pIC50,pIC50 (mean)", ""},
		{"another quantity", "pIC50,IC50_2 (nM)", ""},
		{"a setting", "pIC50,replicate", ""},
	} {
		columns := strings.Count(test.header, ",") + 1
		rows := func(values ...string) string {
			text := "compound,SMILES," + test.header + "\n"
			for i, smiles := range []string{"CCO", "CCN", "CCC"} {
				text += "C-" + string(rune('1'+i)) + "," + smiles + "," + strings.Join(values[:columns], ",") + "\n"
			}
			return text
		}
		data := rows("7.1", "7.4", "7.6")
		_, err := table.Read(t.Context(), strings.NewReader(data), table.Options{})
		q, asked := errors.AsType[*table.Question](err)
		var names []string
		if asked {
			for _, c := range q.Asks[0].Candidates {
				names = append(names, c.Names...)
			}
		}
		if test.name != "another target" && asked != (test.want != "") || !strings.HasPrefix(strings.Join(names, ","), test.want) {
			t.Errorf("%s: a new study: %v, want %s", test.name, err, test.want)
		}
		later := table.Options{Like: table.Columns{ID: "compound", Input: "SMILES", Score: "pIC50"}, Named: true, Known: known}
		if got := read(t, data, later).Replicates; strings.Join(got, ",") != test.want {
			t.Errorf("%s: told: %v, want %s", test.name, got, test.want)
		}
		later.Score = []string{"pIC50"}
		if got := read(t, data, later).Replicates; got != nil {
			t.Errorf("%s: told with the column of scores: %v", test.name, got)
		}
	}
	const means = "SMILES,score,rep1,rep2\nCCO,1.1,1.0,1.2\nCCN,2.05,2.0,2.1\nCCC,3,3,\n" // score is the mean of the others
	if tab := read(t, means, table.Options{}); tab.Columns.Score != "score" {
		t.Errorf("means: %s", tab.Columns.Score)
	}
	o := table.Options{Like: table.Columns{Input: "SMILES", Score: "pIC50"}, Named: true, Known: known, Others: []string{"hERG"}}
	if tab := read(t, "SMILES,pIC50,hERG,hERG rep 2\nCCO,7,5,5.1\nCCN,6,5,5.2\n", o); !slices.ContainsFunc(tab.Notes, func(note string) bool { return strings.HasPrefix(note, "not read as replicates of hERG: hERG rep 2") }) {
		t.Errorf("a further outcome: %q", tab.Notes)
	}
}
