package table_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table"
)

// Formulas without values, as programs write them, are no empty cells: their rows are refused, and columns of them are
// named.
func TestFormulasWithoutValues(t *testing.T) {
	formulas := func(of map[string]string, other func(*excelize.File) error) func(*excelize.File) error {
		return func(f *excelize.File) (err error) {
			for cell, formula := range of {
				err = cmp.Or(err, f.SetCellFormula("Data", cell, formula))
			}
			if other != nil {
				err = cmp.Or(err, other(f))
			}
			return err
		}
	}
	const advice = "without its value: open the workbook in Excel and save it, or write the values"
	score := table.Options{Score: []string{"pIC50"}}
	for _, test := range []struct {
		name   string
		rows   [][]any
		change func(*excelize.File) error
		o      table.Options
		want   string // states, reasons and notes, or the error
	}{
		{"of some rows", [][]any{{"id", "smiles", "pIC50"}, {"a", "CCO"}, {"b", "CCN", 6}}, formulas(map[string]string{"C2": "AVERAGE(90,92)"}, nil), score,
			`invalid: "=AVERAGE(90,92)" is a formula ` + advice + `; measured 6; []`},
		{"that look like a range", [][]any{{"id", "smiles", "pIC50"}, {"a", "CCO"}, {"b", "CCN", 6}}, formulas(map[string]string{"C2": "10-7"}, nil), score,
			`invalid: "=10-7" is a formula ` + advice + `; measured 6; []`},
		{"that are numbers", [][]any{{"id", "smiles", "pIC50"}, {"a", "CCO"}, {"b", "CCN", 6}}, formulas(map[string]string{"C2": "7.5"}, nil), score, "measured 7.5; measured 6; []"},
		{"of another column", [][]any{{"id", "smiles", "pIC50", "ratio"}, {"a", "CCO", 5}, {"b", "CCN", 6}}, formulas(map[string]string{"D2": "C2/2", "D3": "C3/2"}, nil), score,
			"measured 5; measured 6; [column ratio holds formulas without their values: open the workbook in Excel and save it, or write the values]"},
		{"of strings and names", [][]any{{"id", "smiles", "pIC50"}, {nil, "CCO", 5}, {"b", nil, 6}}, formulas(map[string]string{"A2": `"a"&ROW()`, "B3": "VLOOKUP(A3,Sheet2!A:B,2)"}, nil), score,
			`measured 5; invalid: "=VLOOKUP(A3,Sheet2!A:B,2)" is a formula ` + advice + "; []"},
		{"of the scores in a question", [][]any{{"id", "smiles", "Ki", "IC50"}, {"a", "CCO", 5}, {"b", "CCN", 6}}, formulas(map[string]string{"D2": "C2*2", "D3": "C3*2"}, nil), table.Options{},
			"columns Ki and IC50 may all hold the score; column IC50 holds formulas without their values: open the workbook in Excel and save it, or write the values"},
		{"of whole rows", [][]any{{"id", "smiles", "pIC50"}}, formulas(map[string]string{"A2": "Sheet2!A2", "B2": "Sheet2!B2", "C2": "Sheet2!C2"}, nil), score,
			"it has no rows of data, but formulas without their values: open the workbook in Excel and save it, or write the values"},
		{"of the rest of a template", [][]any{{"id", "smiles", "pIC50"}, {"a", "CCO", 5}}, formulas(map[string]string{"C3": "9-LOG10(D3)", "C4": "9-LOG10(D4)"}, nil), score, "measured 5; []"},
		{"with 0 in a workbook that is to be computed", [][]any{{"id", "smiles", "pIC50"}, {"a", "CCO", 0}, {"b", "CCN", 6}}, formulas(map[string]string{"C2": "AVERAGE(90,92)"}, func(f *excelize.File) error {
			compute := true
			return f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &compute})
		}), score, `invalid: "=AVERAGE(90,92)" is a formula ` + advice + `; measured 6; []`},
	} {
		tab, err := table.Read(t.Context(), book(t, test.change, map[string][][]any{"Data": test.rows}, "Data"), test.o)
		var got []string
		if err != nil {
			got = []string{err.Error()}
		} else {
			for _, r := range tab.Records {
				got = append(got, fmt.Sprint(r.State)+map[bool]string{true: fmt.Sprintf(" %g", r.Score), false: ": " + r.Reason.Text}[r.State == table.Measured])
			}
			got = append(got, fmt.Sprint(tab.Notes))
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.name, text, test.want)
		}
	}
}

// Of the cells of a workbook's XML those with a formula and no value are formulas. A formula that Excel computed an
// empty text of has one.
func TestFormulaCells(t *testing.T) {
	for cell, want := range map[string]string{
		`<c r="B2"><f>A1</f></c>`:                         `"=A1" is a formula`,
		`<c r="B2"><f>A1</f><v/></c>`:                     `"=A1" is a formula`,
		`<c r="B2"><f>A1</f><v></v></c>`:                  `"=A1" is a formula`,
		`<c r="B2"><f t="shared" si="0"/><v></v></c>`:     `"=()" is a formula`,
		`<c r="B2" t="str"><f>IF(A1="","",1)</f></c>`:     `"=IF(A1=`,
		`<c r="B2" t="str"><f>IF(A1="","",1)</f><v/></c>`: "",
		`<c r="B2"><f>A1</f><v>4</v></c>`:                 "",
		`<c r="B2"><f>A1</f><v>0</v></c>`:                 "",
	} {
		sheet := sheetHead + `<row r="2"><c r="A2" t="inlineStr"><is><t>CCO</t></is></c>` + cell + `</row>` +
			`<row r="3"><c r="A3" t="inlineStr"><is><t>CCN</t></is></c><c r="B3"><v>4</v></c></row>` + sheetEnd
		tab, err := table.Read(t.Context(), strings.NewReader(string(workbook(t, sheet))), table.Options{})
		if err != nil {
			t.Errorf("%s: %v", cell, err)
			continue
		}
		if got := tab.Records[0].Reason.Text; !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", cell, got, want)
		}
	}
}
