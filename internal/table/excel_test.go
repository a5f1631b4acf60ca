package table_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table"
)

// workbook returns an .xlsx workbook with a sheet of the given XML.
func workbook(t *testing.T, sheet string) []byte {
	t.Helper()
	const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + relations + `">` +
			`<sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="rId1" Type="` + relations + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", sheet},
	} {
		w, err := z.Create(part.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(part.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	sheetHead = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
		`<row r="1"><c r="A1" t="inlineStr"><is><t>smiles</t></is></c><c r="B1" t="inlineStr"><is><t>score</t></is></c></row>`
	sheetRow = `<row r="2"><c r="A2" t="inlineStr"><is><t>CCO</t></is></c><c r="B2"><v>5.2999999999999998</v></c></row>`
	sheetEnd = `</sheetData></worksheet>`
)

func TestSheet(t *testing.T) {
	tab, err := table.Read(t.Context(), bytes.NewReader(workbook(t, sheetHead+sheetRow+sheetEnd)), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := tab.Records[0]; r.Text != "CCO" || r.Score != 5.3 || r.Line != 2 {
		t.Errorf("%+v, want CCO with 5.3 in row 2", r)
	}
}

// Cells of numbers are as people see them, with the digits that the file stores.
func TestFormattedCells(t *testing.T) {
	for _, test := range []struct {
		format string // of Excel
		number float64
		want   string // state, bound and score
	}{
		{"General", 7.123456, "measured 0 7.123456"},
		{"0.0", 7.123456, "measured 0 7.123456"},
		{"#,##0.0", 12345.678, "measured 0 12345.678"},
		{"0.00E+00", 12345.678, "measured 0 12345.678"},
		{`_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)`, 7.123456, "measured 0 7.123456"},
		{`">"0.0`, 4.52, "measured 1 4.52"},
		{`"< "0`, 4.52, "measured -1 4.52"},
		{"0.0%", 0.45678, "measured 0 45.678"},
		{`0.0" nM"`, 12.345, "measured 0 12.345"},
		{`[>10]">10";0.0`, 8.345, "measured 0 8.345"},
		{"d-mmm-yy", 44986, "invalid 0 NaN"},
		{"m/d/yyyy", 44986, "invalid 0 NaN"},
		{"hh:mm", 0.5, "invalid 0 NaN"},
		{"[$-409]mmm-yy;@", 44986, "invalid 0 NaN"},
	} {
		f := excelize.NewFile()
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &test.format})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := cmp.Or(
			f.SetSheetRow("Sheet1", "A1", &[]any{"smiles", "score"}), f.SetSheetRow("Sheet1", "A2", &[]any{"CCO", test.number}),
			f.SetSheetRow("Sheet1", "A3", &[]any{"CCN", 6.5}), f.SetCellStyle("Sheet1", "B2", "B3", style), f.Write(&b), f.Close(),
		); err != nil {
			t.Fatal(err)
		}
		tab, err := table.Read(t.Context(), &b, table.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.format, err)
			continue
		}
		r := tab.Records[0]
		if got := fmt.Sprint(r.State, " ", r.Bound, " ", r.Score); got != test.want {
			t.Errorf("%g as %s: %s (%s), want %s", test.number, test.format, got, r.Reason, test.want)
		}
	}
}

// Of several sheets the first is read that has a table of strings; numbers of compounds keep their zeros.
func TestSheetWithData(t *testing.T) {
	f := excelize.NewFile()
	zeros := "00000"
	style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &zeros})
	if err != nil {
		t.Fatal(err)
	}
	_, second := f.NewSheet("Data")
	var b bytes.Buffer
	if err := cmp.Or(second, f.SetSheetRow("Sheet1", "A1", &[]any{"Project X", "by me"}), f.SetSheetRow("Data", "A1", &[]any{"Compound ID", "SMILES", "pIC50"}),
		f.SetSheetRow("Data", "A2", &[]any{42, "CCO", 7.5}), f.SetSheetRow("Data", "A3", &[]any{43, "CCN", 6.5}), f.SetCellStyle("Data", "A2", "A3", style), f.Write(&b), f.Close()); err != nil {
		t.Fatal(err)
	}
	tab, err := table.Read(t.Context(), &b, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := tab.Records[0]; len(tab.Records) != 2 || r.ID != "00042" || r.Text != "CCO" || r.Score != 7.5 || tab.Format.Sheet != "Data" {
		t.Errorf("sheet %s, %d records, %+v; want 00042, CCO and 7.5 first in the sheet Data", tab.Format.Sheet, len(tab.Records), r)
	}
}

// TestSparseSheets reads workbooks whose few cells are far from the others, which take memory that the file does not
// tell of.
func TestSparseSheets(t *testing.T) {
	far := `<row r="3"><c r="XFD3"><v>1</v></c></row>`
	if _, err := table.Read(t.Context(), bytes.NewReader(workbook(t, sheetHead+sheetRow+far+sheetEnd)), table.Options{}); err == nil || !strings.Contains(err.Error(), "too many cells") {
		t.Errorf("a cell in the last column: %v, want an error about too many cells", err)
	}
	last := `<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>CCN</t></is></c></row>`
	tab, err := table.Read(t.Context(), bytes.NewReader(workbook(t, sheetHead+sheetRow+last+sheetEnd)), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := tab.Records[1]; len(tab.Records) != 2 || r.Line != 1_048_576 {
		t.Errorf("%d records, %+v, want two, with the last row", len(tab.Records), r)
	}
}

// FuzzSheet checks that any sheet is an error or a table that accounts for every row.
func FuzzSheet(f *testing.F) {
	f.Add(sheetHead + sheetRow + sheetEnd)
	for _, row := range []string{
		`<row r="3"><c r="A3" t="s"><v>7</v></c></row>`, `<row r="0"><c r="A0"><v>1</v></c></row>`, `<row r="-1"/>`, `<row r="9999999"/>`, `<row><c/><c><v>x</v></c></row>`,
		`<row r="3"><c r="ZZZZ3"><v>1</v></c></row>`, `<row r="3"><c r="B3" t="e"><v>#N/A</v></c></row>`, `<row r="3"><c r="B3" s="99"><f>A1</f><v>4</v></c></row>`,
		`<row r="2"><c r="B9"><v>4</v></c></row><row r="1"/>`, `<row`,
	} {
		f.Add(sheetHead + sheetRow + row + sheetEnd)
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		tab, err := table.Read(t.Context(), bytes.NewReader(workbook(t, sheet)), table.Options{})
		if err != nil {
			return
		}
		if n := len(tab.Records) + tab.Comments + tab.Empty; n != tab.Lines && n+1 != tab.Lines {
			t.Errorf("%q: %d of %d rows are accounted for", sheet, n, tab.Lines)
		}
	})
}

// book returns an .xlsx workbook with sheets of rows, after a function has changed it.
func book(t *testing.T, change func(f *excelize.File) error, sheets map[string][][]any, names ...string) *bytes.Buffer {
	t.Helper()
	f := excelize.NewFile()
	err := f.SetSheetName("Sheet1", names[0])
	for _, name := range names {
		_, added := f.NewSheet(name)
		err = cmp.Or(err, added)
		for i, cells := range sheets[name] {
			err = cmp.Or(err, f.SetSheetRow(name, fmt.Sprintf("A%d", i+1), &cells))
		}
	}
	if change != nil {
		err = cmp.Or(err, change(f))
	}
	var b bytes.Buffer
	if err = cmp.Or(err, f.Write(&b), f.Close()); err != nil {
		t.Fatal(err)
	}
	return &b
}

// Numbers in text cells of a workbook are written as those of the column are; cells of numbers are what they are.
func TestTextCells(t *testing.T) {
	for _, test := range []struct {
		cells []any
		want  string
	}{
		{[]any{"239,9", "> 10.000", "10.000", "2,0"}, "239.9 NaN NaN 2"},
		{[]any{"239,9", "> 10.000", "10.000", "1.234,5"}, "239.9 10000 10000 1234.5"},
		{[]any{"239,9", "10.000", "1.234.567"}, "239.9 10000 1.234567e+06"},
		{[]any{"239,9", "1.234,5", "10.000", "12.5"}, "239.9 1234.5 NaN 12.5"},
		{[]any{"239,9", "2,0", 10.123, 1.5}, "239.9 2 10.123 1.5"},
		{[]any{239.9, 1.5, "> 10.123", 2}, "239.9 1.5 10.123 2"},
		{[]any{239.9, 1.5, "> 10,000", 2}, "239.9 1.5 10000 2"},
		{[]any{"239.9", "1.5", "10,000", "10.123"}, "239.9 1.5 10000 10.123"},
	} {
		rows := [][]any{{"smiles", "score"}}
		for i, cell := range test.cells {
			rows = append(rows, []any{strings.Repeat("C", i+1), cell})
		}
		tab, err := table.Read(t.Context(), book(t, nil, map[string][][]any{"Data": rows}, "Data"), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range tab.Records {
			got = append(got, fmt.Sprint(r.Score))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, want %s", test.cells, got, test.want)
		}
	}
}

// Of a workbook the first visible sheet with a table is read; what others hold is said.
func TestOtherSheets(t *testing.T) {
	data := func(score float64) [][]any {
		return [][]any{{"ID", "SMILES", "IC50 (nM)"}, {"A1", "CCO", score}, {"A2", "CCN", 8}}
	}
	structures := [][]any{{"ID", "SMILES", "MW"}, {"A1", "CCO", 46}, {"A2", "CCN", 45}}
	results := [][]any{{"ID", "IC50 (nM)", "Date"}, {"A1", 7, "x"}, {"A2", 8, "x"}}
	hide := func(f *excelize.File) error { f.SetActiveSheet(1); return f.SetSheetVisible("raw", false) }
	for _, test := range []struct {
		name   string
		change func(*excelize.File) error
		sheets map[string][][]any
		order  []string
		o      table.Options
		sheet  string
		text   string // of notes or the error
	}{
		{"the first is hidden", hide, map[string][][]any{"raw": data(1), "final": data(7)}, []string{"raw", "final"}, table.Options{}, "final", ""},
		{"a hidden one by name", hide, map[string][][]any{"raw": data(1), "final": data(7)}, []string{"raw", "final"}, table.Options{Sheet: "raw"}, "raw", ""},
		{"two batches", nil, map[string][][]any{"Batch 1": data(1), "Batch 2": data(7)}, []string{"Batch 1", "Batch 2"}, table.Options{}, "Batch 1",
			`sheet "Batch 1" is read alone, and "Batch 2" with the same columns is not: give its name as sheet to read another, or put all rows on one sheet`},
		{"one of two", nil, map[string][][]any{"Batch 1": data(1), "Batch 2": data(7)}, []string{"Batch 1", "Batch 2"}, table.Options{Sheet: "Batch 2"}, "Batch 2", ""},
		{"another table", nil, map[string][][]any{"Data": data(1), "Plates": {{"Plate", "Z'", "date"}, {1, 0.7, "x"}}}, []string{"Data", "Plates"}, table.Options{}, "Data", ""},
		{"structures and results", nil, map[string][][]any{"Structures": structures, "Results": results}, []string{"Structures", "Results"}, table.Options{Scored: true}, "",
			`sheet "Results" has a column IC50 (nM): save that sheet as a file of its own, and give both files`},
		{"results by name", nil, map[string][][]any{"Structures": structures, "Results": results}, []string{"Structures", "Results"}, table.Options{Score: []string{"IC50 (nM)"}}, "",
			`sheet "Results" has a column IC50 (nM): save that sheet as a file of its own, and give both files`},
		{"results alone", nil, map[string][][]any{"Structures": structures, "Results": results}, []string{"Structures", "Results"}, table.Options{Sheet: "Results", Normalize: letters, Molecules: true}, "",
			`sheet "Structures" has a column SMILES: save that sheet as a file of its own, and give both files`},
		{"scores elsewhere", nil, map[string][][]any{"Structures": structures, "All": data(1)}, []string{"Structures", "All"}, table.Options{Scored: true}, "",
			`sheet "All" has a column IC50 (nM) beside strings: give its name as sheet to read that`},
	} {
		tab, err := table.Read(t.Context(), book(t, test.change, test.sheets, test.order...), test.o)
		sheet, text := "", ""
		if err != nil {
			text = err.Error()
		} else {
			sheet, text = tab.Format.Sheet, strings.Join(tab.Notes, "\n")
		}
		if sheet != test.sheet || !strings.HasSuffix(text, test.text) || (text == "") != (test.text == "") {
			t.Errorf("%s: sheet %q, %q; want %q, %q", test.name, sheet, text, test.sheet, test.text)
		}
	}
}

// What people write beside a table is no part of its rows.
func TestCellsBesideATable(t *testing.T) {
	for _, test := range []struct {
		rows [][]any
		want string // scores and notes
	}{
		{[][]any{{"smiles", "score"}, {"CCO", 1}, {"CCN", 2, "repeat"}, {"CCC", 3, nil, "ask Tom"}, {"CCF", 4}},
			"[1 2 3 4] [cells beside the table, which no heading is above, are not used: in 2 rows, the first in row 3]"},
		{[][]any{{"smiles", "score"}, {"CCO", 1}, {"CCN", 2}, {nil, nil, nil, "Legend: red is bad"}, {"CCC", 3}, {"CCF", 4}},
			"[1 2 3 4] [cells beside the table, which no heading is above, are not used: in 1 row, the first in row 4]"},
		{[][]any{{"smiles", "score"}, {"CCO", 1, "a"}, {"CCN", 2, "b"}, {"CCC", 3}},
			"[1 2 3] [cells beside the table, which no heading is above, are not used: in 2 rows, the first in row 2]"},
		{[][]any{{"Project", nil, nil, "confidential"}, {"smiles", "score"}, {"CCO", 1}, {"CCN", 2}}, "[1 2] []"},
	} {
		tab, err := table.Read(t.Context(), book(t, nil, map[string][][]any{"Data": test.rows}, "Data"), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var scores []float64
		for _, r := range tab.Records {
			scores = append(scores, r.Score)
		}
		if got := fmt.Sprint(scores, " ", tab.Notes); got != test.want {
			t.Errorf("%v: %s, want %s", test.rows, got, test.want)
		}
	}
}

// A merged range of several rows holds the value of each.
func TestMergedCells(t *testing.T) {
	merge := func(ranges ...string) func(*excelize.File) error {
		return func(f *excelize.File) (err error) {
			for _, r := range ranges {
				first, last, _ := strings.Cut(r, ":")
				err = cmp.Or(err, f.MergeCell("Data", first, last))
			}
			return err
		}
	}
	for _, test := range []struct {
		ranges []string
		rows   [][]any
		want   string // names, strings and scores
	}{
		{[]string{"A2:A3", "B2:B3", "B4:B5"}, [][]any{{"ID", "smiles", "score"}, {"a", "CCO", 1}, {nil, nil, 2}, {"b", "CCN", 3}, {"b", nil, 4}}, "a CCO 1, a CCO 2, b CCN 3, b CCN 4"},
		{[]string{"C2:C3"}, [][]any{{"ID", "smiles", "score"}, {"a", "CCO", 1.25}, {"b", "CCN"}}, "a CCO 1.25, b CCN 1.25"},
		{[]string{"A1:A2", "B1:B2", "A3:A4", "B3:B4"}, [][]any{{"ID", "smiles", "score"}, {nil, nil, "nM"}, {"a", "CCO", 1}, {nil, nil, 2}}, "a CCO 1, a CCO 2"},
		{[]string{"A1:C1", "A3:A5"}, [][]any{{"Report"}, {"ID", "smiles", "score"}, {"a", "CCO", 1}, {nil, "CCN", 2}, {}}, "a CCO 1, a CCN 2"},
	} {
		tab, err := table.Read(t.Context(), book(t, merge(test.ranges...), map[string][][]any{"Data": test.rows}, "Data"), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range tab.Records {
			got = append(got, fmt.Sprint(r.ID, " ", r.Text, " ", r.Score))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%v: %q, want %s", test.ranges, got, test.want)
		}
	}
}

// Cells that people struck through have no value, and a row of them is none.
func TestStruckCells(t *testing.T) {
	f := excelize.NewFile()
	style, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Strike: true}})
	for i, row := range [][]any{{"smiles", "score"}, {"CCO", 5}, {"CCN", 99}, {"CCC", 98}, {"CCF", 4}} {
		err = cmp.Or(err, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row))
	}
	err = cmp.Or(err, f.SetCellStyle("Sheet1", "B3", "B3", style), f.SetCellStyle("Sheet1", "A4", "B4", style))
	var b bytes.Buffer
	if err = cmp.Or(err, f.Write(&b)); err != nil {
		t.Fatal(err)
	}
	tab, err := table.Read(t.Context(), &b, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range tab.Records {
		rows = append(rows, fmt.Sprintf("%s %g %s", r.Text, r.Score, r.State))
	}
	const want = "CCO 5 measured, CCN NaN missing, CCF 4 measured"
	if got := strings.Join(rows, ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if notes := strings.Join(tab.Notes, "\n"); !strings.Contains(notes, "3 cells are struck through, and read as empty; the first is in row 3") {
		t.Errorf("notes %q", notes)
	}
}

// A date is no score, whatever its format shows of it.
func TestDatesForScores(t *testing.T) {
	const sentence = "is a date, as Excel makes of what looks like one, such as 7.1: format the cell as a number, and enter the number again"
	for _, cell := range []string{"7-Jan", "1.Jul", "Jan 07", "7. Mai", "07/01/2024", "1.7.2024", "2024-07-01", "2024-07-01 00:00:00"} {
		tab := read(t, "SMILES;pIC50\nCCO;6.1\nCCN;"+cell+"\n", table.Options{Score: []string{"pIC50"}})
		if r := tab.Records[1]; r.State != table.Invalid || r.Reason.Text != fmt.Sprintf("%q %s", cell, sentence) {
			t.Errorf("%s: %s %+v", cell, r.State, r.Reason)
		}
	}
	for format, want := range map[string]string{
		"d.m": "invalid (not a number)", "dd": "invalid (not a number)", "[$-407]d.mm": "invalid (not a number)", "mm": "invalid (not a number)",
		"[h]": "1105440", "0.00": "46060", `#,##0.0_);[Red]\-#,##0.0`: "46060",
	} {
		content := book(t, func(f *excelize.File) error {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
			if err != nil {
				return err
			}
			return f.SetCellStyle("A", "B3", "B3", style)
		}, map[string][][]any{"A": {{"SMILES", "score"}, {"CCO", 6.1}, {"CCN", 46060}}}, "A")
		tab, err := table.Read(t.Context(), content, table.Options{Score: []string{"score"}})
		if err != nil {
			t.Fatal(err)
		}
		r := tab.Records[1]
		if got := scores(tab); got != "6.1, "+want {
			t.Errorf("%s: %s %s, want %s", format, got, r.Reason.Text, want)
		}
		if r.State == table.Invalid && !strings.Contains(r.Reason.Text, sentence) {
			t.Errorf("%s: %s", format, r.Reason.Text)
		}
	}
}
