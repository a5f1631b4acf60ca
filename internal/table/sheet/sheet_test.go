package sheet_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

var (
	nan   = math.NaN()
	tenth = 0.1
	third = tenth + 0.2 // in binary 0.30000000000000004
)

// Numbers of a user's columns, which are text to us, are numbers to a spreadsheet.
func TestNumbersOfOthers(t *testing.T) {
	s := &sheet.Sheet{Columns: []sheet.Column{{Name: "zs"}, {Name: "n"}}}
	s.Rows = [][]sheet.Cell{{sheet.Text("-1.02"), sheet.Text("-1,94")}, {sheet.Text("+3e-4"), sheet.Text("-7")}}
	var b bytes.Buffer
	if err := s.WriteCSV(&b); err != nil || b.String() != "zs,n\n-1.02,\"-1,94\"\n+3e-4,-7\n" {
		t.Errorf("%v: %q", err, b.String())
	}
}

// A spreadsheet takes no cell for a formula, and numbers stay numbers.
func TestFormulasAreText(t *testing.T) {
	formulas := []string{"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\"=1", "'=1", "＝1", "=HYPERLINK(\"http://x\",\"y\")", "-5a", "-5-1"}
	s := &sheet.Sheet{Columns: []sheet.Column{{Name: "=name"}, {Name: "-log IC50"}}}
	for _, text := range formulas {
		s.Rows = append(s.Rows, []sheet.Cell{sheet.Text(text), sheet.Number(-5, 0)})
	}
	var b bytes.Buffer
	if err := s.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if strings.ContainsAny(strings.TrimLeft(row[0], " \"\t\r")[:1], "=+-@＝") || row[0][0] != '\'' {
			t.Errorf("a spreadsheet takes %q for a formula", row[0])
		}
		if row[1] != "-5" && row[1] != "'-log IC50" {
			t.Errorf("the number is %q, want -5", row[1])
		}
	}
	b.Reset()
	if err := s.WriteExcel(&b); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := range formulas {
		for column, want := range map[string]excelize.CellType{"A": excelize.CellTypeSharedString, "B": excelize.CellTypeUnset} {
			cell := fmt.Sprintf("%s%d", column, i+2)
			kind, err := f.GetCellType("Sheet1", cell)
			formula, also := f.GetCellFormula("Sheet1", cell)
			if err != nil || also != nil || kind != want || formula != "" {
				t.Errorf("%s: type %d, formula %q, %v, %v; want type %d and none", cell, kind, formula, err, also, want)
			}
		}
	}
}

func TestNumbersAreWritten(t *testing.T) {
	for _, test := range []struct {
		cell sheet.Cell
		want string
	}{
		{sheet.Number(5.3, 0), "5.3"}, {sheet.Number(third, 0), "0.30000000000000004"}, {sheet.Number(1e6, 0), "1000000"}, {sheet.Number(123456789.5, 0), "123456789.5"},
		{sheet.Number(1e-4, 0), "0.0001"}, {sheet.Number(1e-5, 0), "1e-05"}, {sheet.Number(1e15, 0), "1e+15"}, {sheet.Number(0, 0), "0"}, {sheet.Number(-7, 0), "-7"},
		{sheet.Number(1234.5678, 4), "1235"}, {sheet.Number(nan, 0), ""}, {sheet.Number(nan, 4), ""}, {sheet.Bounded(4.5, 1), ">4.5"}, {sheet.Bounded(-4.5, -1), "<-4.5"}, {sheet.Bounded(4.5, 0), "4.5"},
		{sheet.Bounded(nan, 1), ""}, {sheet.Text(""), ""}, {sheet.Cell{}, ""},
	} {
		var b bytes.Buffer
		s := &sheet.Sheet{Columns: []sheet.Column{{Name: "a"}, {Name: "b"}}, Rows: [][]sheet.Cell{{sheet.Text("x"), test.cell}}}
		if err := s.WriteCSV(&b); err != nil || b.String() != "a,b\nx,"+test.want+"\n" {
			t.Errorf("%q, %v, want %q", b.String(), err, test.want)
		}
	}
}

func TestUnitsOfHeaders(t *testing.T) {
	for _, test := range []struct{ name, unit, want string }{
		{"IC50", "nM", "IC50 (nM)"}, {"IC50", "", "IC50"}, {"IC50 (nM)", "nM", "IC50 (nM)"}, {"IC50 [nM]", "nM", "IC50 [nM]"}, {"IC50_nM", "nM", "IC50_nM"}, {"Standard Value", "uM", "Standard Value (uM)"},
		{"MIC (ug/mL)", "µg/mL", "MIC (ug/mL)"}, {"Kd (uM)", "µM", "Kd (uM)"}, {"Kd_uM", "µM", "Kd_uM"}, {"Kd_mol/L", "M", "Kd_mol/L"}, {"Kd (nM)", "µM", "Kd (nM) (µM)"},
	} {
		var b bytes.Buffer
		if err := (&sheet.Sheet{Columns: []sheet.Column{{Name: test.name, Unit: test.unit}}}).WriteCSV(&b); err != nil || b.String() != test.want+"\n" {
			t.Errorf("%s in %s: %q, %v, want %s", test.name, test.unit, b.String(), err, test.want)
		}
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	s := &sheet.Sheet{Columns: []sheet.Column{{Name: "SMILES", Kind: sheet.Strings}, {Name: "id", Kind: sheet.Names}, {Name: "score", Kind: sheet.Scores}},
		Rows: [][]sheet.Cell{{sheet.Text("CCO"), sheet.Text("a"), sheet.Number(1, 0)}, {sheet.Text("CCN")}}}
	for ending, want := range map[string]string{".csv": "SMILES,id,score\nCCO,a,1\nCCN,,\n", ".txt": "SMILES,id,score\n", ".SMI": "#SMILES\tid\tscore\nCCO\ta\t1\n", ".xlsx": "PK\x03\x04"} {
		name := filepath.Join(dir, "table"+ending)
		if err := s.WriteFile(name); err != nil {
			t.Errorf("%s: %v", ending, err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(got, []byte(want)) {
			t.Errorf("%s: %q, %v, want %q", ending, usage.Shorten(string(got), 100), err, want)
		}
	}
	for ending, want := range map[string]string{".xls": "tables are written as .csv", ".tsv": "tables are written as .csv", ".sdf": "an SD file holds molecules, and the strings are others"} {
		err := s.WriteFile(filepath.Join(dir, "no"+ending))
		if err == nil || !strings.Contains(err.Error(), want) || !usage.Is(err) {
			t.Errorf("%s: %v, want an error with %q", ending, err, want)
		}
	}
	if s.Molecules = true; molecule.Available() != nil {
		if err := s.WriteFile(filepath.Join(dir, "no.sdf")); !usage.Is(err) {
			t.Errorf("an SD file without RDKit: %v", err)
		}
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 4 {
		t.Errorf("%d files, %v, want 4", len(all), err)
	}
}

func TestTooMuchForExcel(t *testing.T) {
	s := &sheet.Sheet{Columns: []sheet.Column{{Name: "x"}}, Rows: [][]sheet.Cell{{sheet.Text(strings.Repeat("x", 40_000))}}}
	if err := s.WriteExcel(io.Discard); !usage.Is(err) || !strings.Contains(err.Error(), "column x of row 2 is too long for a cell of Excel: write CSV") {
		t.Errorf("a long cell: %v", err)
	}
}

// A writer's error is not lost.
func TestWritersFail(t *testing.T) {
	s := &sheet.Sheet{Columns: []sheet.Column{{Name: "SMILES", Kind: sheet.Strings}}, Rows: [][]sheet.Cell{{sheet.Text("CCO")}}, Molecules: true}
	broken := errors.New("broken")
	all := map[string]func(*sheet.Sheet, io.Writer) error{"CSV": (*sheet.Sheet).WriteCSV, "Excel": (*sheet.Sheet).WriteExcel, "list": (*sheet.Sheet).WriteList}
	if molecule.Available() == nil {
		all["SDF"] = (*sheet.Sheet).WriteSDF
	}
	for format, write := range all {
		if err := write(s, failing{broken}); !errors.Is(err, broken) {
			t.Errorf("%s: error %v", format, err)
		}
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

func TestVisible(t *testing.T) {
	s := &sheet.Sheet{Columns: []sheet.Column{{Name: "a\x1b[2J"}}, Rows: [][]sheet.Cell{{sheet.Text("\x1b]0;x\x07µ\u202e\u009b")}, {sheet.Number(1, 0)}}}
	var b bytes.Buffer
	if err := s.Visible().WriteCSV(&b); err != nil || b.String() != `a\x1b[2J`+"\n"+`\x1b]0;x\aµ\u202e\u009b`+"\n1\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if s.Columns[0].Name != "a\x1b[2J" {
		t.Error("the table itself has changed")
	}
}

// What a spreadsheet would run begins with an apostrophe; numbers, also those of a point, stay as they are.
func TestGuarded(t *testing.T) {
	cells := []string{"=1+1", "-cmd|x", "+C", "@SUM(A1)", " =1", "-1.5", "-20.5 31.7e-3", "CCO", ""}
	want := []string{"'=1+1", "'-cmd|x", "'+C", "'@SUM(A1)", "' =1", "-1.5", "-20.5 31.7e-3", "CCO", ""}
	got := sheet.Guarded(cells)
	for i := range cells {
		if got[i] != want[i] {
			t.Errorf("%q is written as %q, want %q", cells[i], got[i], want[i])
		}
	}
}

// Text reads back as it was, but where it would be quoted and was not.
func TestReadText(t *testing.T) {
	for _, test := range []struct {
		cell   string
		quoted bool
		want   string
	}{
		{"'=1+1", false, "=1+1"}, {"'a", false, "'a"}, {"5'-ATP", true, "5'-ATP"}, {`"a\tb"`, true, "a\tb"}, {`"a\tb"`, false, `"a\tb"`}, {`"\x1b[31mred"`, false, "\x1b[31mred"}, {`'"=1"`, true, "=1"}, {"", true, ""},
	} {
		if got := sheet.ReadText(test.cell, test.quoted); got != test.want {
			t.Errorf("%q (quoted: %v) is %q, want %q", test.cell, test.quoted, got, test.want)
		}
	}
}
