package table_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// A peptide in lower case beside the same letters in capitals may be its enantiomer, unless their scores agree.
func TestEnantiomers(t *testing.T) {
	const long = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVV"
	knows := func(text string) string {
		if strings.EqualFold(text, "KWKLFKKIG") {
			return "KWKLFKKIG"
		}
		return ""
	}
	nothing := func(string) string { return "" }
	for _, test := range []struct {
		name, rows string
		known      bool
		like       table.Columns
		refused    string // lines
	}{
		{"another score", "KWKLFKKIG,2\nkwklfkkig,64\nRWRLFRRIG,1\n", false, table.Columns{}, "3"},
		{"the lower case first", "kwklfkkig,64\nKWKLFKKIG,2\nRWRLFRRIG,1\n", false, table.Columns{}, "2"},
		{"the same score", "KWKLFKKIG,2\nkwklfkkig,2\nRWRLFRRIG,1\n", false, table.Columns{}, ""},
		{"all in lower case", "kwklfkkig,2\nkwklfkkig,64\nrwrlfrrig,1\n", false, table.Columns{}, ""},
		{"other letters", "KWKLFKKIG,2\nrwrlfrrig,64\nRWRLFRRIA,1\n", false, table.Columns{}, ""},
		{"a protein", long + ",2\n" + strings.ToLower(long) + ",64\n", false, table.Columns{}, ""},
		{"told to a study in capitals", "kwklfkkig,64\n", true, table.Columns{}, "2"},
		{"told to a study in lower case", "kwklfkkig,64\n", true, table.Columns{LowerCase: true}, ""},
		{"told as new", "rwrlfrrig,64\n", true, table.Columns{}, ""},
	} {
		o := table.Options{Sequences: bioseq.Protein, Like: test.like}
		if test.known {
			o.Known, o.Named = &table.Known{Called: nothing, Written: knows}, true
		}
		tab := read(t, "Sequence,MIC (uM)\n"+test.rows, o)
		refused := ""
		for _, r := range tab.Records {
			if r.State == table.Invalid {
				refused += string(rune('0' + r.Line))
				if !strings.Contains(r.Reason.Text, "lower case may stand for D residues") {
					t.Errorf("%s: %s", test.name, r.Reason.Text)
				}
			}
		}
		if refused != test.refused {
			t.Errorf("%s: lines %q are refused, want %q", test.name, refused, test.refused)
		}
		if want := test.name == "all in lower case"; want && !tab.Columns.LowerCase {
			t.Errorf("%s: the table does not say so", test.name)
		}
	}
}
