package numeral_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/numeral"
)

func ExampleParse() {
	n, _ := numeral.Parse(">1.2 ± 0.3 µM")
	v, _ := n.Value(numeral.Style{})
	spread, _ := n.Spread.Value(numeral.Style{})
	fmt.Println(n.Bound, v, spread, n.Unit)
	// Output: 1 1.2 0.3 µM
}

// said returns what a numeral is: its relation, number, unit and error, or why it is no number.
func said(text string, s numeral.Style) string {
	n, ok := numeral.Parse(text)
	if !ok {
		return numeral.Explain(n.Written).Error()
	}
	v, err := n.Value(s)
	if err != nil {
		return err.Error()
	}
	of := fmt.Sprint(v)
	if n.Relation != (numeral.Relation{}) {
		of = fmt.Sprintf("%+d %t %s", n.Bound, n.About, of)
	}
	if n.Unit.IsSet() {
		of += " " + fmt.Sprint(n.Unit)
	}
	if n.Spread != nil {
		e, _ := n.Spread.Value(s)
		of += fmt.Sprint(" ± ", e)
	}
	return of
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"5.3": "5.3", " −5.3 ": "-5.3", "+.5": "0.5", "7.": "7", "=5.3": "5.3", "1.5E+3": "1500", "5,3": "5.3", "1.234": "1.234", `="150"`: "150", "150 (n=3)": "150",
		"1,234.5": "1234.5", "1.234,5": "1234.5", "1,234,567": "1.234567e+06", "1 234,5": "1234.5", "1'234'567.5": "1.2345675e+06", "1\u00a0234": "1234",
		"1.5×10^2": "150", "2 x 10³": "2000", "10⁻³": "has a unit that is not known (⁻³)",
		">4.5": "+1 false 4.5", "< 1e-3": "-1 false 0.001", "≥4,5": "+1 false 4.5", "&gt;5": "+1 false 5", "greater than 4.5": "+1 false 4.5", "ca. 4.5": "+0 true 4.5", "> –4": "+1 false -4",
		"12.5*": "12.5", ">5 nM **": "+1 false 5 nM", "12.5 †": "12.5", "7.1ᵃ": "7.1", "12.5²": "12.5", "10²": "has a unit that is not known (²)", "2x10³": "2000",
		"99 (S)": "give the excess a sign", ">99% (R)": "give the excess a sign", "97 % ee (2R,3S)": "give the excess a sign", "95 (+)": "give the excess a sign", "45%‡": "45 %", "n.d.*": "not a number",
		"12 nM": "12 nM", "45%": "45 %", "3.1 µg/mL": "3.1 µg/mL",
		"5.3 ± 0.2": "5.3 ± 0.2", "12 (± 3) nM": "12 nM ± 3", "(1.2 ± 0.3)×10^3": "1200 ± 300", "5 ± n.d.": "5", "5 ± 0.1 ± 0.2": "value with its error",
		"1.2 ± 0.3 ×10^3": "value with its error",
		"1,234":           `"1,234" may be 1.234 or 1234: write it in one of these ways`,
		"1,23,4":          "not a number", "12 34": "not a number", "0x1p-2": "not a number", "1_000": "not a number", "inf": "not a number", "1e999": "too large",
		"12 parsec": "has a unit that is not known (parsec)", "#DIV/0!": "error of Excel", "active": `"active" is not a number`, "": "not a number",
	} {
		if got := said(text, numeral.Style{}); got != want && !(strings.Contains(want, " ") && strings.Contains(got, want)) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestKindsOfErrors(t *testing.T) {
	for text, want := range map[string]numeral.Kind{
		"active": numeral.NotNumber, "12 parsec": numeral.UnknownUnit, "5 ± 0.1 ± 0.2": numeral.WithError, "#REF!": numeral.NotNumber,
	} {
		n, ok := numeral.Parse(text)
		if got := numeral.Explain(n.Written).Kind; ok || got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	n, _ := numeral.Parse("1,234")
	_, err := n.Value(numeral.Style{})
	if e, ok := errors.AsType[*numeral.Error](err); !ok || e.Kind != numeral.TwoNumbers {
		t.Errorf("1,234: %v", err)
	}
}

// What is doubtful in a cell alone is told by the style of its column, and that by its other cells.
func TestStyles(t *testing.T) {
	for _, test := range []struct {
		cells      string
		semicolons bool
		want       numeral.Style
		values     string // of 1,234 and 1.234
	}{
		{"", false, numeral.Style{}, "two, 1.234"},
		{"1.5 2.25", false, numeral.Style{Mark: numeral.Points}, "1234, 1.234"},
		{"1,5 2,25", false, numeral.Style{Mark: numeral.Commas}, "1.234, two"},
		{"1,5 2.345,5", false, numeral.Style{Mark: numeral.Commas, Grouped: true}, "1.234, 1234"},
		{"1,5 2.5", false, numeral.Style{Mark: numeral.Both}, "two, two"},
		{"1,5 2.5 3.5 4.5 5.5", false, numeral.Style{Mark: numeral.Points}, "1234, 1.234"},
		{"24 326 118 3,969 2,114 1,205", false, numeral.Style{Mark: numeral.Points}, "1234, 1.234"},
		{"24 3269 118 3,969 2,114 1,205", false, numeral.Style{}, "two, 1.234"},
		{"1,234 24", true, numeral.Style{Mark: numeral.Commas}, "1.234, two"},
		{"800 1.200", true, numeral.Style{Mark: numeral.Commas}, "1.234, two"},
		{"800 1.200", false, numeral.Style{}, "two, 1.234"},
		{"12.500 1.750 2.250", true, numeral.Style{Mark: numeral.Both}, "two, two"},
	} {
		var all []numeral.Numeral
		for cell := range strings.FieldsSeq(test.cells) {
			n, ok := numeral.ParseNumber(cell)
			if !ok {
				t.Fatal(cell)
			}
			all = append(all, n)
		}
		got := numeral.StyleOf(slices.Values(all), test.semicolons)
		var values []string
		for _, text := range []string{"1,234", "1.234"} {
			n, _ := numeral.ParseNumber(text)
			v, err := n.Value(got)
			values = append(values, map[bool]string{true: fmt.Sprint(v), false: "two"}[err == nil])
		}
		if got != test.want || strings.Join(values, ", ") != test.values {
			t.Errorf("%s, semicolons %t: %+v and %s; want %+v and %s", test.cells, test.semicolons, got, strings.Join(values, ", "), test.want, test.values)
		}
	}
	for text, want := range map[string]bool{"1.234": true, "1,234": false, "1.23": false, "0.234": false} {
		if n, _ := numeral.ParseNumber(text); n.IsPointDoubtful() != want {
			t.Errorf("the point of %s is doubtful: %t", text, !want)
		}
	}
	n, _ := numeral.ParseNumber("1.234")
	if v, err := n.Value(numeral.Style{Mark: numeral.Commas, Grouped: true, Typed: true}); v != 1.234 || err != nil {
		t.Errorf("1.234 of a cell stored as a number: %g, %v", v, err)
	}
}

func TestIs(t *testing.T) {
	for _, test := range []struct {
		name string
		is   func(cell string) bool
		yes  []string
		no   []string
	}{
		{"IsNumber", numeral.IsNumber, []string{"5", ">5", "1,5"}, []string{"5 nM", "5 ± 1", "x", ""}},
		{"IsValue", numeral.IsValue, []string{"5", ">5 nM", "5 ± 1"}, []string{"x", "5 parsec", ""}},
		{"IsDigits", numeral.IsDigits, []string{"0042"}, []string{"", "4.2", "-4"}},
		{"IsMissing", numeral.IsMissing, []string{"", "NA", "n.d.", "#N/A", "–", "Not tested"}, []string{"0", "failed", "x"}},
		{"IsNaN", numeral.IsNaN, []string{"NaN", "-inf", "+Infinity"}, []string{"", "NA", "1"}},
		{"IsSign", numeral.IsSign, []string{">", "'<='", "&gt;", "~"}, []string{"", "greater", "x"}},
		{"IsRelation", numeral.IsRelation, []string{">", "", "NA", "Greater than", "left-censored", "(=)"}, []string{"x", "5"}},
		{"IsRelated", numeral.IsRelated, []string{">5", "ca. 5", "≈1"}, []string{"=5", "5", "IC50 5"}},
	} {
		for _, cell := range test.yes {
			if !test.is(cell) {
				t.Errorf("%s(%q) = false", test.name, cell)
			}
		}
		for _, cell := range test.no {
			if test.is(cell) {
				t.Errorf("%s(%q) = true", test.name, cell)
			}
		}
	}
}

func TestFailure(t *testing.T) {
	for cell, want := range map[string]string{"failed": " true", "Failed: precipitated": "precipitated true", "failed (no material)": "no material true", "fail, lost": "lost true", "failing": " false", "5": " false"} {
		reason, ok := numeral.Failure(cell)
		if got := fmt.Sprint(reason, " ", ok); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

// The relation of a column and that of a cell may add to each other, but not contradict.
func TestRelationsTogether(t *testing.T) {
	none, greater, less, about := numeral.Relation{}, numeral.Relation{Bound: 1}, numeral.Relation{Bound: -1}, numeral.Relation{About: true}
	for _, test := range []struct {
		column, cell, want numeral.Relation
		ok                 bool
	}{
		{none, greater, greater, true}, {less, none, less, true}, {greater, greater, greater, true}, {about, none, about, true}, {about, greater, greater, true}, {greater, less, less, false},
	} {
		if got, ok := test.column.And(test.cell); got != test.want || ok != test.ok {
			t.Errorf("%+v and %+v: %+v, %t", test.column, test.cell, got, ok)
		}
	}
}
