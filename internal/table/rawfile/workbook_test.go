package rawfile_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table/rawfile"
)

// book returns a workbook whose first sheet has rows of cells, after a function has changed it.
func book(t *testing.T, rows [][]any, change func(f *excelize.File) error) *rawfile.Workbook {
	t.Helper()
	f := excelize.NewFile()
	var b bytes.Buffer
	var err error
	for i, cells := range rows {
		err = cmp.Or(err, f.SetSheetRow("Sheet1", fmt.Sprint("A", i+1), &cells))
	}
	if change != nil {
		err = cmp.Or(err, change(f))
	}
	if err = cmp.Or(err, f.Write(&b), f.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := rawfile.Open(&b, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := file.OpenWorkbook()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// sheet returns the first sheet of a workbook.
func sheet(t *testing.T, w *rawfile.Workbook) rawfile.Sheet {
	t.Helper()
	s, err := w.Sheet("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A number has the digits that the file stores, between what people see before and after it; a date and a number of a
// compound are as people see them.
func TestNumbersAsShown(t *testing.T) {
	for _, test := range []struct {
		format string
		number float64
		want   string
	}{
		{"General", 7.123456, "7.123456"},
		{"0.0", 7.123456, "7.123456"},
		{"#,##0.0", 12345.678, "12345.678"},
		{"0.00E+00", 12345.678, "12345.678"},
		{"0.0;(0.0)", -7.25, "-7.25"},
		{`">"0.0`, 4.52, ">4.52"},
		{`[>10]">10";0.0`, 12.5, "12.5"}, // whether it is >10, excelize does not tell
		{`"y: "0.0`, 4.52, "4.52"},
		{"0.0%", 0.45678, "45.678%"},
		{`0.0" nM"`, 12.345, "12.345 nM"},
		{`0.0" /"`, 12.345, "12.345"},
		{"00000", 42, "00042"},
		{"yyyy\\-mm\\-dd", 44986, "2023-03-01"},
		{"hh:mm", 0.5, "12:00"},
	} {
		w := book(t, [][]any{{test.number, "7.0"}}, func(f *excelize.File) error {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &test.format})
			return cmp.Or(err, f.SetCellStyle("Sheet1", "A1", "A1", style))
		})
		r := sheet(t, w).Rows[0]
		if want := []string{test.want, "7.0"}; !slices.Equal(r.Cells, want) || !slices.Equal(r.Numbers, []bool{true, false}) {
			t.Errorf("%g as %s: %q, numbers %t; want %q", test.number, test.format, r.Cells, r.Numbers, want)
		}
	}
}

// What the cells of a sheet say besides their text: rows that are none, struck cells, formulas without values, merged
// ranges.
func TestSheet(t *testing.T) {
	w := book(t, [][]any{{"id", "score"}, {"a", 1.5}, {nil, 2}, {}, {"# by me"}, {"c", 9}, {"d"}}, func(f *excelize.File) error {
		style, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Strike: true}})
		return cmp.Or(err, f.MergeCell("Sheet1", "A2", "A4"), f.SetCellStyle("Sheet1", "A6", "B6", style), f.SetCellFormula("Sheet1", "C7", "B6/2"), f.SetCellFormula("Sheet1", "A9", "A1"))
	})
	s := sheet(t, w)
	if want := []rawfile.Range{{Left: 0, Top: 1, Right: 0, Bottom: 3}}; !slices.Equal(s.Merged, want) {
		t.Errorf("merged %v, want %v", s.Merged, want)
	}
	if want := []int{6, 6}; !slices.Equal(s.Struck, want) {
		t.Errorf("struck %v, want %v", s.Struck, want)
	}
	if s.FillMerged(2) {
		t.Error("a range that begins above the rows is filled")
	}
	if !s.FillMerged(1) {
		t.Error("a merged range is not filled")
	}
	var got []string
	for _, r := range s.Rows {
		got = append(got, fmt.Sprint(described(r), r.Formulas))
	}
	want := []string{"1+1 id|score[]", "2+1 a|1.5[]", "3+1 a|2[]", "4+1 empty []", "5+1 comment # by me[]", "6+1 empty |[]", "7+1 d||=B6/2[false false true]", "8+1 empty []", "9+1 empty [true]"}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

func TestPreviews(t *testing.T) {
	rows := [][]any{{"Report"}, {" id ", "score"}}
	for i := range 30 {
		rows = append(rows, []any{"a", i})
	}
	w := book(t, rows, func(f *excelize.File) error {
		_, err := f.NewSheet("raw")
		return cmp.Or(err, f.SetSheetVisible("raw", false))
	})
	if s := w.Sheets; len(s) != 2 || s[0].Name != "Sheet1" || s[0].Hidden || len(s[0].Rows) != 19 || !slices.Equal(s[0].Rows[0], []string{"id", "score"}) || s[1].Name != "raw" || !s[1].Hidden {
		t.Errorf("sheets %+v", s)
	}
	if _, err := w.Sheet("none"); err == nil || !strings.Contains(err.Error(), `sheet "none"`) {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

func TestBrokenWorkbooks(t *testing.T) {
	for content, want := range map[string]string{
		"PK\x03\x04": "the workbook cannot be read", "PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet": "no Excel workbook",
	} {
		f, err := rawfile.Open(strings.NewReader(content), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.OpenWorkbook(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}
