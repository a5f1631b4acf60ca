package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// The error after ± is the standard error of the score, unless a column of errors states another. A unit is that of
// both numbers.
func TestValuesWithErrors(t *testing.T) {
	const one = "1 cell states an error after ±, taken as the standard error"
	for _, test := range []struct {
		name, columns, row string
		options            table.Options
		want               string // score, standard error and note; or why the row is invalid
	}{
		{"blanks", "y", "12000 ± 1000", table.Options{}, "12000 1000 " + one},
		{"a footnote", "y", "5.3*", table.Options{}, "5.3 0 1 row has a mark that refers to a footnote, such as *, which is left out: look at what the footnote says"},
		{"no blanks", "y", "5.3±0.2", table.Options{}, "5.3 0.2 " + one},
		{"ASCII", "y", "5.3+/-0.2", table.Options{}, "5.3 0.2 " + one},
		{"ASCII with blanks", "y", "-5.3 +/- 0.2", table.Options{}, "-5.3 0.2 " + one},
		{"shorter", "y", "5.3 +- 0.2", table.Options{}, "5.3 0.2 " + one},
		{"in brackets", "y", "5.3 (± 0.2)", table.Options{}, "5.3 0.2 " + one},
		{"both in brackets", "y", "(5.3 ± 0.2)", table.Options{}, "5.3 0.2 " + one},
		{"decimal commas", "y", "5,3 ± 0,2", table.Options{}, "5.3 0.2 " + one},
		{"thousands by the decimals of the error", "y", "1,234 ± 0.5", table.Options{}, "1234 0.5 " + one},
		{"about", "y", "~5.3 ± 0.2", table.Options{}, "5.3 0.2 " + one},
		{"with the number of measurements", "y", "5.3 ± 0.2 (n=3)", table.Options{}, "5.3 0.2 " + one},
		{"powers of ten", "y", "1.2e-6 ± 3e-7", table.Options{}, "1.2e-06 3e-07 " + one},
		{"a power of ten of both", "y", "(1.2 ± 0.3) × 10^3", table.Options{}, "1200 300 " + one},
		{"a unit behind both", "Ki (uM)", "12 ± 3 nM", table.Options{}, "0.012 0.003 " + one},
		{"a unit before the error", "Ki (uM)", "12 nM ± 3", table.Options{}, "0.012 0.003 " + one},
		{"a unit each", "Ki (uM)", "12 nM ± 3 nM", table.Options{}, "0.012 0.003 " + one},
		{"a unit behind brackets", "Ki (uM)", "(12 ± 3) nM", table.Options{}, "0.012 0.003 " + one},
		{"a unit behind the error in brackets", "Ki (uM)", "12 (±3) nM", table.Options{}, "0.012 0.003 " + one},
		{"on a scale", "Ki (nM)", "100 ± 23.02585093", table.Options{Scale: "pKi"}, "7 0.1 " + one},
		{"of a logarithm", "pKi", "7 ± 0.1", table.Options{}, "7 0.1 " + one},
		{"a concentration where logarithms are", "pKi", "100 ± 23.02585093 nM", table.Options{}, "7 0.1 " + one},
		{"a column of errors", "y|sem", "5.3 ± 0.2|0.4", table.Options{}, "5.3 0.4 "},
		{"a column of errors without one", "y|sem", "5.3 ± 0.2|", table.Options{}, "5.3 0.2 " + one},
		{"no standard errors", "y", "5.3 ± 0.2", table.Options{SE: table.NoColumn}, "5.3 0 "},
		{"an error that is not known", "y", "5.3 ± nd", table.Options{}, "5.3 0 "},
		{"an error of 0", "y", "5.3 ± 0", table.Options{}, "5.3 0 "},
		{"named", "pKi ± SEM", "5.3 ± 0.2", table.Options{}, "5.3 0.2 " + one},
		{"named before the unit", "Ki ± SE (uM)", "12 ± 3 nM", table.Options{}, "0.012 0.003 " + one},
		{"standard deviations of means", "pKi (mean ± SD, n = 4)", "5.3 ± 0.2", table.Options{}, "5.3 0.1 1 cell states a standard deviation after ±, which is divided by the square root of the number of measurements"},
		{"standard deviations in words", "pKi (mean ± stdev of 4)", "5.3 ± 0.2", table.Options{}, "5.3 0.1 1 cell states a standard deviation after ±, which is divided by the square root of the number of measurements"},
		{"standard deviations", "pKi (± SD)", "5.3 ± 0.2", table.Options{}, "5.3 0 1 cell states a standard deviation after ±, which is not used: standard deviations count beside a column n of how many measurements each is of"},
		{"standard deviations of several", "pKi ± s.d.|n", "5.3 ± 0.2|4", table.Options{}, "5.3 0.1 1 cell states a standard deviation after ±, which is divided by the square root of the number of measurements"},
		{"a further outcome", "y|Tm", "5|50 ± 2", table.Options{Others: []string{"Tm"}, Score: []string{"y"}}, "5 0 1 row has a cell of further outcomes with an error after ±, which is not used"},

		{"a bound", "y", "> 5 ± 1", table.Options{}, `"> 5 ± 1" is a bound with an error: write a bound or a value`},
		{"a bound by its column", "relation|y", ">|5 ± 1", table.Options{}, `">5 ± 1" is a bound with an error: write a bound or a value`},
		{"two errors", "y", "5 ± 1 ± 2", table.Options{}, `"5 ± 1 ± 2" is a value with its error: give the error a column of its own`},
		{"no value", "y", "± 2", table.Options{}, `"± 2" is a value with its error: give the error a column of its own`},
		{"a negative error", "y", "5 ± -2", table.Options{}, `"5 ± -2" is a value with its error: give the error a column of its own`},
		{"units that differ", "Ki (nM)", "12 nM ± 5%", table.Options{}, `"12 nM ± 5%" is a value with its error: give the error a column of its own`},
		{"a power of ten of either", "y", "1.2 ± 0.3 × 10^3", table.Options{}, `"1.2 ± 0.3e3" is a value with its error: give the error a column of its own`},
	} {
		tab := read(t, "smiles|"+test.columns+"\nCCO|"+test.row+"\n", test.options)
		r := tab.Records[0]
		got := fmt.Sprintf("%.10g %.8g %s", r.Score, r.SE, strings.Join(tab.Notes, "; "))
		if math.IsNaN(r.Score) {
			got = r.Reason.Text
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
