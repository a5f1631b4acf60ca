package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// A range of two steps of a dilution series is its geometric mean, unless it may be something else.
func TestRanges(t *testing.T) {
	const note = "ranges such as 8-16 are read as their geometric means: in 1 row"
	for _, test := range []struct{ column, cell, want string }{
		{"MIC (µM)", "8-16", "11.3137085 [" + note + "]"},
		{"MIC (µM)", "8–32", "16 [" + note + "]"},
		{"MIC (µM)", "0.5 to 1 nM", "0.000707106781 [" + note + "]"},
		{"MIC (µM)", "10 to 20", "14.1421356 [" + note + "]"},
		{"MIC (µM)", "8-64", "NaN []"},
		{"MIC (µM)", "16-8", "NaN []"},
		{"MIC (µM)", "-8-16", "NaN []"},
		{"MIC (µM)", "8-16-32", "NaN []"},
		{"MIC (µM)", ">8-16", "NaN []"},
		{"MIC (µM)", "2024-03-01", "NaN []"},
		{"yield", "2019-2021", "NaN []"},
		{"Kd (M)", "10-12", "NaN []"},
		{"pMIC", "4.5-5", "NaN []"},
	} {
		tab := read(t, fmt.Sprintf("SMILES,%s\nCCN,4\nCCO,%s\nCCC,5\n", test.column, test.cell), table.Options{Molecules: true, Score: []string{test.column}})
		if got := fmt.Sprintf("%.9g [%s]", tab.Records[1].Score, strings.Join(tab.Notes, "; ")); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.column, test.cell, got, test.want)
		}
	}
	tab := read(t, "SMILES,y,MIC\nCCO,1,8-16\n", table.Options{Molecules: true, Score: []string{"y"}, Others: []string{"MIC"}})
	if got := fmt.Sprintf("%.4g %q", tab.Records[0].Others["MIC"], tab.Notes); got != fmt.Sprintf("11.31 [%q]", note) {
		t.Errorf("a further outcome: %s", got)
	}
}
