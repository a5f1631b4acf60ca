package table_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// Strings of a table that is told are in a column that says so, or in one of strings that the study has; its other text
// is none.
func TestKnownStrings(t *testing.T) {
	called := map[string]string{"V1": "MKTAY", "V2": "MKTAC", "3": "MKTAW", "31": "MKTAF", "M38": "MKTAH"}
	proteins := table.Options{Like: table.Columns{Input: "sequence", ID: "name", Score: "activity"}, Sequences: bioseq.Protein, Named: true}
	mutants := proteins
	mutants.WildType = "MKTAY"
	input := proteins
	input.Input = "clone"
	for _, test := range []struct {
		name, content string
		o             table.Options
		ids, texts    string // of the rows
		err           string
	}{
		{"operators", "name,operator,activity\nN1,ALICE,2\nV1,CARL,3\n", proteins, "N1 V1", " ", ""},
		{"wells", "name,well,activity\nV1,A1,2\nV2,B2,3\n", proteins, "V1 V2", " ", ""},
		{"a usual name", "compound,comment,activity\nV1,LEAD,2\nN2,LAST,3\n", proteins, "V1 N2", " ", ""},
		{"an unusual first name", "probe,comment,activity\nV1,LEAD,2\nV2,LAST,3\n", proteins, "V1 V2", " ", ""},
		{"names under a heading of strings", "variant,activity\nM38,2\n", proteins, "M38", "", ""},
		{"names under a heading of mutants", "variant,activity\nM38,2\nK2R,3\nK2A,3\n", mutants, "M38 K2R K2A", "  ", ""},
		{"a target", "name,protein,activity\nV1,KINASE,2\nV2,KINASE,3\n", proteins, "V1 V2", " ", ""},
		{"a label of new strings", "name,protein,activity\nN1,MKTAL,2\nN2,MKTAV,3\n", proteins, "N1 N2", "MKTAL MKTAV", ""},
		{"a heading of strings", "name,peptide seq,activity\nN1,MKTAL,2\n", proteins, "N1", "MKTAL", ""},
		{"the study's strings", "name,clone,activity\nV1,MKTAY,2\nV2,MKTAC,3\n", proteins, "V1 V2", "MKTAY MKTAC", ""},
		{"strings of others", "name,clone,activity\nV1,MKTAC,2\nV2,MKTAY,3\n", proteins, "V1 V2", " ", ""},
		{"a column that is given", "name,clone,activity\nN1,MKTAL,2\n", input, "N1", "MKTAL", ""},
		{"wells by number", "name,no,operator,activity\nN1,3,ALICE,2\nN2,31,ALICE,3\n", proteins, "N1 N2", " ", ""},
		{"sequences alone", "clone,activity\nMKTAYIAKQR,2\nMKTAYIAKQW,3\n", proteins, " ", "MKTAYIAKQR MKTAYIAKQW", ""},
		{"text alone", "operator,activity\nALICE,2\n", proteins, "", "", "operator may be something else"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.o.Known = &table.Known{Called: func(name string) string { return called[name] }, Written: func(text string) string {
				for _, x := range called {
					if x == text {
						return x
					}
				}
				return ""
			}}
			got, err := table.Read(t.Context(), strings.NewReader(test.content), test.o)
			if test.err != "" {
				if q := (*table.Question)(nil); !errors.As(err, &q) || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("%v, want a question with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var ids, texts []string
			for _, r := range got.Records {
				text := r.Text
				if got.Columns.Input == "variant" {
					text = ""
				}
				ids, texts = append(ids, r.ID), append(texts, text)
			}
			if strings.Join(ids, " ") != test.ids || strings.Join(texts, " ") != test.texts {
				t.Errorf("names %q and strings %q, want %q and %q", ids, texts, test.ids, test.texts)
			}
		})
	}
}
