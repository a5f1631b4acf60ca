package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/quantity"
)

// A field is read as the column of its name, whatever else is in the form.
func TestForm(t *testing.T) {
	plain := table.Columns{Input: "seq", ID: "name", Score: "activity"}
	potency := table.Columns{Input: "seq", ID: "name", Score: "pIC50", From: []string{"IC50 (nM)"}, Scale: "pIC50", Unit: "nM"}
	logarithm := table.Columns{Input: "seq", ID: "name", Score: "log10 IC50 (nM)", From: []string{"IC50 (nM)"}, Scale: quantity.Log10, Unit: "nM"}
	replicates := table.Columns{Input: "seq", ID: "name", Score: "IC50", From: []string{"IC50_1", "IC50_2"}, Unit: "nM"}
	for _, test := range []struct {
		cell string
		like table.Columns
		want string // score, or what is wrong
	}{
		{"6.5", plain, "6.5"},
		{"6,25", plain, "6.25"},
		{"6,250", plain, `"6,250" may be 6.250 or 6250: write it in one of these ways`},
		{"> 4.5", plain, ">4.5"},
		{"failed: lost", plain, "failed: lost"},
		{"5 nM", plain, `"5 nM" has a unit (nM), and the column has none`},
		{"n.d.", plain, `"n.d." is no value`},
		{"inf", plain, `"inf" is not a number`},
		{"1/2", plain, `"1/2" is not a number`},
		{"5\x00", plain, `"5\x00" is not a number`},
		{"5\xff", plain, "\"5\\xff\" is not a number"},
		{"1e101", plain, `"1e101" is too large`},
		{"100", potency, "7"},
		{"0.1 uM", potency, "7"},
		{"<1", potency, ">9"},
		{"0", potency, "0 has no logarithm"},
		{"5 mg", potency, "it is in mg, not nM"},
		{"5 parsecs", potency, `"5 parsecs" has a unit that is not known (parsecs)`},
		{"1000", logarithm, "3"},
		{"-1", logarithm, "-1 has no logarithm"},
		{"2 uM", replicates, "2000"},
	} {
		got, err := table.ReadForm([]string{test.like.Filled()}, [][]string{{test.cell}}, table.Options{Like: test.like})
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", test.cell, got, err)
			continue
		}
		said := ""
		switch e := got[0]; {
		case len(e.Problems) > 0:
			said = e.Problems[0].Text
		case e.State == table.Failed:
			said = "failed: " + e.Reason.Text
		case e.State == table.Measured:
			said = map[int]string{1: ">", -1: "<"}[e.Bound] + fmt.Sprint(e.Score)
		}
		if said != test.want {
			t.Errorf("%s %q: %q, want %q", test.like.Filled(), test.cell, said, test.want)
		}
	}
}

// Rows of a form are a table: what is wrong with a cell is said of its field, and a cell says nothing of other rows but
// the decimal mark.
func TestFormOfRows(t *testing.T) {
	like := table.Columns{Input: "seq", ID: "name", Score: "activity"}
	got, err := table.ReadForm([]string{"activity", "logP"}, [][]string{
		{"nM", ""}, {"6,250", "1"}, {"6,25", ""}, {"", ""}, {"5", "failed: lost"}, {"5", ">3"}, {"5", "2", "1"}, {"5", "", "much"}, {"", "high"},
	}, table.Options{Like: like, Others: []string{"logP"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`map[0:"nM" is not a number]`, "6.25 map[logP:1]", "6.25 map[]", "NaN map[]", "5 map[]", "5 map[logP:3] map[logP:1]", "5 ± 1 map[logP:2]",
		`map[2:"much" is no standard error]`, `map[1:"high" is not a number]`,
	} {
		e := got[i]
		said := fmt.Sprint(e.Score, e.Others)
		if e.OtherBounds != nil {
			said += fmt.Sprint(" ", e.OtherBounds)
		}
		if e.SE > 0 {
			said = fmt.Sprintf("%g ± %g %v", e.Score, e.SE, e.Others)
		}
		if len(e.Problems) > 0 {
			all := map[int]string{}
			for field, reason := range e.Problems {
				all[field] = reason.Text
			}
			said = fmt.Sprint(all)
		}
		if said != want {
			t.Errorf("row %d: %s, want %s", i+1, said, want)
		}
	}
}

// A score is shown as it was entered, and what is shown is read as the score.
func TestEntered(t *testing.T) {
	for _, scale := range []quantity.Scale{"", quantity.Log10, "pIC50"} {
		like := table.Columns{Score: "activity", Unit: "nM"}
		if scale != "" {
			like = table.Columns{Score: scale.Name("IC50 (nM)"), From: []string{"IC50 (nM)"}, Scale: scale, Unit: "nM"}
		}
		for _, text := range []string{"100", "20", "0.3", "123.456789", "1234567", ">10000", "<0.05", "7.7e-09", "333.3"} {
			read := func(text string) table.Entry {
				got, err := table.ReadForm([]string{like.Filled()}, [][]string{{text}}, table.Options{Like: like})
				if err != nil || len(got[0].Problems) > 0 {
					t.Fatalf("%s: %v, %v", text, got, err)
				}
				return got[0]
			}
			e := read(text)
			if shown := like.Entered(e.Score, e.Bound).String(); shown != text {
				t.Errorf("on the scale %q, %s is shown as %s", scale, text, shown)
			}
		}
	}
	// Scores that no program of ours reads from a concentration are shown all the same.
	like := table.Columns{Score: "pIC50", From: []string{"IC50 (nM)"}, Scale: "pIC50", Unit: "nM"}
	if shown := like.Entered(7.1234567890123456, 0).String(); !strings.HasPrefix(shown, "75.25") {
		t.Errorf("shown as %s", shown)
	}
	for _, score := range []float64{math.NaN(), 1e9, -1e9} {
		if shown := like.Entered(score, 0).String(); shown != "" {
			t.Errorf("%g is shown as %s", score, shown)
		}
	}
}
