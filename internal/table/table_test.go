package table_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

func read(t *testing.T, content string, o table.Options) *table.Table {
	t.Helper()
	tab, err := table.Read(t.Context(), strings.NewReader(content), o)
	if err != nil {
		t.Fatalf("%q: %v", usage.Shorten(content, 200), err)
	}
	return tab
}

func molecules(t *testing.T, keepSalts bool) func(string) (string, string, error) {
	t.Helper()
	normalize, err := table.Molecules(table.Strip{KeepSalts: keepSalts, KeepCharges: true})
	if err != nil {
		t.Skip(err)
	}
	return normalize
}

// letters is a Normalize that accepts what looks like a SMILES, for tests without RDKit.
func letters(text string) (string, string, error) {
	if text == "" || strings.Trim(text, "BCNOPSFIclnos()[]=#@+-123") != "" {
		return "", "", errors.New("no molecule")
	}
	return text, "", nil
}

func TestCells(t *testing.T) {
	tests := []struct {
		cell  string
		state table.State
		score float64 // if measured
		note  string  // part of it
	}{
		{"5.3", table.Measured, 5.3, ""},
		{"-5.3", table.Measured, -5.3, ""},
		{"−5.3", table.Measured, -5.3, ""},
		{"+.5", table.Measured, 0.5, ""},
		{"7.", table.Measured, 7, ""},
		{"=5.3", table.Measured, 5.3, ""},
		{"1e-3", table.Measured, 1e-3, ""},
		{"1.5E+3", table.Measured, 1500, ""},
		{"5,3", table.Measured, 5.3, ""},
		{"0,123", table.Measured, 0.123, ""},
		{"1.234", table.Measured, 1.234, ""},
		{"1,234.5", table.Measured, 1234.5, ""},
		{"1.234,5", table.Measured, 1234.5, ""},
		{"1,234,567", table.Measured, 1234567, ""},
		{"1 234,5", table.Measured, 1234.5, ""},
		{"1'234'567.5", table.Measured, 1234567.5, ""},
		{"1\u00a0234", table.Measured, 1234, ""},
		{"1,234", table.Invalid, 0, "may be 1.234 or 1234"},
		{"1,23,4", table.Invalid, 0, "not a number"},
		{"12 34", table.Invalid, 0, "not a number"},
		{"1.2.3", table.Invalid, 0, "not a number"},
		{"0x1p-2", table.Invalid, 0, "not a number"},
		{"1_000", table.Invalid, 0, "not a number"},
		{"inf", table.Invalid, 0, "not a number"},
		{"1e999", table.Invalid, 0, "too large"},
		{"12 nM", table.Measured, 12, ""},
		{"−7.2 kcal/mol", table.Measured, -7.2, ""},
		{"45%", table.Measured, 45, ""},
		{"12 parsec", table.Invalid, 0, "has a unit that is not known (parsec)"},
		{"5.3 ± 0.2", table.Measured, 5.3, ""},
		{">5.3 ± 0.2", table.Invalid, 0, "bound with an error"},
		{"#DIV/0!", table.Invalid, 0, "error of Excel"},
		{"active", table.Invalid, 0, "not a number"},
		{"", table.Missing, 0, ""},
		{"NA", table.Missing, 0, ""},
		{"n.d.", table.Missing, 0, ""},
		{"#N/A", table.Missing, 0, ""},
		{"NaN", table.Missing, 0, ""},
		{"-", table.Missing, 0, ""},
		{"?", table.Missing, 0, ""},
		{">4.5", table.Missing, 0, ">4.5 is a bound"},
		{"< 1e-3", table.Missing, 0, "bound"},
		{"≥4,5", table.Missing, 0, "bound"},
		{"greater than 4.5", table.Missing, 0, "bound"},
		{"~4.5", table.Measured, 4.5, ""},
		{"ca. 4.5", table.Measured, 4.5, ""},
		{">high", table.Invalid, 0, "not a number"},
		{"failed", table.Failed, 0, ""},
		{"Failed: precipitated", table.Failed, 0, "precipitated"},
		{"failed (no material)", table.Failed, 0, "no material"},
		{"failing", table.Invalid, 0, "not a number"},
	}
	for _, test := range tests {
		content := "smiles\tscore\nCCO\t" + test.cell + "\nCCN\tNA\nCCC\tNA\n"
		r := read(t, content, table.Options{Score: []string{"score"}, Censored: table.Skip}).Records[0]
		if r.State != test.state || test.state == table.Measured && r.Score != test.score || !strings.Contains(r.Reason.Text, test.note) {
			t.Errorf("%q: %s %g (%+v), want %s %g (%s)", test.cell, r.State, r.Score, r.Reason, test.state, test.score, test.note)
		}
		if math.IsNaN(r.Score) == (r.State == table.Measured) {
			t.Errorf("%q: %s with the score %g", test.cell, r.State, r.Score)
		}
	}
}

// TestDecimalsOfAColumn reads what is doubtful in a single cell by the other cells of its column.
func TestDecimalsOfAColumn(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name, header, others, cell string
		want                       float64
	}{
		{"commas", "smiles\tscore", "5,31 6,2 >4.5 7,1 8,25", "7,912", 7.912},
		{"points", "smiles\tscore", "5.31 6.2", "7,912", 7912},
		{"both", "smiles\tscore", "5.31 6,2", "7,912", nan},
		{"a doubtful point among commas", "smiles\tscore", "5,31 6,2", "7.912", nan},
		{"three decimals each", "smiles\tscore", "5,311 NA NA", "7,912", nan},
		{"three decimals each, with semicolons", "smiles;score", "5,311 6,222", "7,912", 7.912},
		{"points, with semicolons", "smiles;score", "5.31 6.2", "7.912", 7.912},
	} {
		separator := test.header[len("smiles"):][:1]
		content := test.header + "\n"
		for _, cell := range append(strings.Fields(test.others), test.cell) {
			content += "CCO" + separator + cell + "\n"
		}
		tab := read(t, content, table.Options{})
		r := tab.Records[len(tab.Records)-1]
		if r.Score != test.want && !(math.IsNaN(r.Score) && math.IsNaN(test.want) && r.State == table.Invalid) {
			t.Errorf("%s: %s is %g (%s), want %g", test.name, test.cell, r.Score, r.Reason.Text, test.want)
		}
	}
}

func TestColumns(t *testing.T) {
	mutants := table.Options{WildType: "MAK"}
	for _, test := range []struct {
		name, header, row string
		options           table.Options
		want              table.Columns
	}{
		{"plain", "SMILES,score", "CCO,5.3", table.Options{}, table.Columns{Input: "SMILES", Score: "score"}},
		{"case and separators", "Compound ID,Canonical_Smiles,p-IC50", "L1,CCO,5.3", table.Options{},
			table.Columns{Input: "Canonical_Smiles", Score: "p-IC50", ID: "Compound ID"}},
		{"CXSMILES", "id,CXSMILES,pEC50", "a,C[C@H](N)C(=O)O |&1:1|,5.3", table.Options{}, table.Columns{Input: "CXSMILES", Score: "pEC50", ID: "id"}},
		{"units", "name,smi,IC50 (nM),ic50_sem", "a,CCO,5.3,0.1", table.Options{},
			table.Columns{Input: "smi", Score: "IC50 (nM)", ID: "name", SE: "ic50_sem"}},
		{"a name beside SMILES", "Molecule,SMILES,y", "aspirin,CCO,5.3", table.Options{}, table.Columns{Input: "SMILES", Score: "y", ID: "Molecule"}},
		{"an assay beside descriptors", "SMILES,MW,logP,pIC50", "CCO,46.1,0.2,5.3", table.Options{}, table.Columns{Input: "SMILES", Score: "pIC50"}},
		{"a score of another name", "row,SMILES,Ki_app_7", "1,CCO,5.3\n2,CCN,5.4", table.Options{}, table.Columns{Input: "SMILES", Score: "Ki_app_7", ID: "row"}},
		{"no score", "SMILES,name", "CCO,ethanol", table.Options{}, table.Columns{Input: "SMILES", ID: "name"}},
		{"scores not to be read", "SMILES,score", "CCO,5.3", table.Options{Score: []string{table.NoScores}}, table.Columns{Input: "SMILES"}},
		{"an empty column of scores", "SMILES,pIC50", "CCO,", table.Options{}, table.Columns{Input: "SMILES", Score: "pIC50"}},
		{"scores with units", "SMILES,activity", "CCO,5 nM", table.Options{}, table.Columns{Input: "SMILES", Score: "activity"}},
		{"given, in other spelling", "a b,c,d", "CCO,5.3,L1", table.Options{Input: "A_B", Score: []string{"C"}, ID: "d"}, table.Columns{Input: "a b", Score: "c", ID: "d"}},
		{"given by number", "SMILES,score,score", "CCO,5.3,5.4", table.Options{Score: []string{"3"}}, table.Columns{Input: "SMILES", Score: "score"}},
		{"one column of text", "ligand of mine,IC50", "CCO,5.3", table.Options{}, table.Columns{Input: "ligand of mine", Score: "IC50"}},
		{"by content", "what,that,IC50", "aspirin,CCO,5.3", table.Options{Normalize: letters}, table.Columns{Input: "that", Score: "IC50", ID: "what"}},
		{"by content, of known names", "structure,molecule,IC50", "aspirin,CCO,5.3", table.Options{Normalize: letters},
			table.Columns{Input: "molecule", Score: "IC50", ID: "structure"}},
		{"ProteinGym", "mutant,mutated_sequence,DMS_score,DMS_score_bin", "A2T,MTK,0.5,1", mutants,
			table.Columns{Input: "mutated_sequence", Score: "DMS_score", ID: "mutant"}},
		{"mutants", "mutant,DMS_score", "A2T:K3R,0.5", mutants, table.Columns{Input: "mutant", Score: "DMS_score"}},
		{"a comment as header", "#smiles,score", "CCO,5.3", table.Options{}, table.Columns{Input: "smiles", Score: "score"}},
		{"a number sign as a name", "#,smiles,score", "1,CCO,5.3", table.Options{}, table.Columns{Input: "smiles", Score: "score", ID: "1"}},
		{"a title above the header", "Kinase panel\n\nsmiles,score", "CCO,5.3", table.Options{}, table.Columns{Input: "smiles", Score: "score"}},
		{"none", "CCO,5.3", "CCN,4.2", table.Options{}, table.Columns{Input: "1", Score: "2"}},
		{"none, with a name", "L1,CCO,5.3", "L2,CCN,4.2", table.Options{Normalize: letters}, table.Columns{Input: "2", Score: "3", ID: "1"}},
		{"none, numbers as names", "CCO\t17", "CCN\t35", table.Options{}, table.Columns{Input: "1", ID: "2"}},
		{"none, given by number", "CCO\t17", "CCN\t35", table.Options{Score: []string{"2"}}, table.Columns{Input: "1", Score: "2"}},
	} {
		tab := read(t, test.header+"\n"+test.row+"\n", test.options)
		got := tab.Columns
		if got = (table.Columns{Input: got.Input, Score: got.Score, ID: got.ID, SE: got.SE}); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, content string
		options       table.Options
		want          string
	}{
		{"empty", " \n\n", table.Options{}, "it is empty"},
		{"a header alone", "smiles,score\n", table.Options{}, "no rows of data"},
		{"a column that is not there", "SMILES,pIC50\nCCO,5\n", table.Options{Score: []string{"pIC5"}}, `column pIC5: there is no such column; did you mean "pIC50"?`},
		{"a column that is not there at all", "SMILES,pIC50\nCCO,5\n", table.Options{ID: "batch"}, "column batch: there is no such column; there are SMILES, pIC50"},
		{"a column twice", "SMILES,y,y\nCCO,5,6\n", table.Options{Score: []string{"y"}}, "2 columns have this name: give the number of one, 2 or 3"},
		{"a number without header", "CCO,5\n", table.Options{Score: []string{"7"}}, "give the number of the column, 1 to 2"},
		{"two columns of SMILES", "canonical_smiles,isomeric_smiles,y\nCCO,CCO,6\n", table.Options{},
			"columns canonical_smiles and isomeric_smiles may all hold the strings"},
		{"two columns of scores", "SMILES,pIC50,pKi\nCCO,5,6\n", table.Options{}, "columns pIC50 and pKi may all hold the score"},
		{"two columns of numbers", "SMILES,a,b\nCCO,5.5,6.1\n", table.Options{}, "columns a and b may all hold the score"},
		{"a misspelled name", "SMILSE,b,c,y\nCCO,a,a,6\n", table.Options{}, `no column is named SMILES or sequence; did you mean "SMILSE"?`},
		{"two columns without end", strings.Repeat("x", 1<<20) + ",b,y\nCCO,CCN,6\n", table.Options{}, "columns " + strings.Repeat("x", 199) + "… and b may all hold the strings"},
		{"a wrong name, and one without end", strings.Repeat("x", 1<<20) + ",y\nCCO,6\n", table.Options{Input: "q"}, "there are " + strings.Repeat("x", 999) + "…"},
		{"no text", "a,b\n1,2\n", table.Options{}, "no column holds strings; columns a and b may all hold the score"},
		{"mutants of nothing", "mutant,y\nA24T,6\n", table.Options{}, "column mutant holds mutants such as A24T, and the sequence that they change is not known"},
		{"a wrong rule for bounds", "SMILES,y\nCCO,6\n", table.Options{Censored: "skp"}, `bounds cannot be treated as "skp"`},
		{"a sheet of no workbook", "SMILES,y\nCCO,6\n", table.Options{Sheet: "Data"}, "it is not an Excel workbook"},
		{"old Excel", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", table.Options{}, "save it as .xlsx or CSV"},
		{"a broken workbook", "PK\x03\x04junk", table.Options{}, "the workbook cannot be read: "},
		{"binary", "ab\x00\x01cd,,\n", table.Options{}, "neither text nor a workbook"},
		{"a broken gzip", "\x1f\x8b\x08junk", table.Options{}, "gzip: "},
	} {
		_, err := table.Read(t.Context(), strings.NewReader(test.content), test.options)
		if err == nil || !strings.Contains(err.Error(), test.want) || !usage.Is(err) {
			t.Errorf("%s: %v, want a usage error with %q", test.name, err, test.want)
		}
	}
}

func TestZipBombIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks 256 MiB")
	}
	var part bytes.Buffer
	z := gzip.NewWriter(&part)
	z.Write(make([]byte, 1<<20))
	z.Close()
	bomb := bytes.NewReader(bytes.Repeat(part.Bytes(), 300))
	if _, err := table.Read(t.Context(), bomb, table.Options{}); err == nil || !strings.Contains(err.Error(), "more than 256 MiB") {
		t.Errorf("%v, want an error about more than 256 MiB", err)
	}
}

// TestText reads the same two rows in many writings.
func TestText(t *testing.T) {
	for _, test := range []struct{ name, content, separator string }{
		{"commas", "smiles,score,id\nCCO,5.3,a\nCCN,6.1,b\n", "comma"},
		{"no last line end", "smiles,score,id\nCCO,5.3,a\nCCN,6.1,b", "comma"},
		{"CRLF", "smiles,score,id\r\nCCO,5.3,a\r\nCCN,6.1,b\r\n", "comma"},
		{"CR", "smiles,score,id\rCCO,5.3,a\rCCN,6.1,b\r", "comma"},
		{"semicolons and decimal commas", "smiles;score;id\nCCO;5,3;a\nCCN;6,1;b\n", "semicolon"},
		{"no header, semicolons and decimal commas", "CCO;5,3;a\nCCN;6,1;b\n", "semicolon"},
		{"Excel's line", "sep=;\nsmiles;score;id\nCCO;5,3;a\nCCN;6,1;b\n", "semicolon"},
		{"tabs", "smiles\tscore\tid\nCCO\t5.3\ta\nCCN\t6.1\tb\n", "tab"},
		{"pipes", "smiles|score|id\nCCO|5,3|a\nCCN|6,1|b\n", "pipe"},
		{"blanks", "smiles score id\nCCO  5.3 a\nCCN  6.1 b\n", "blank"},
		{"quotes", "\"smiles\",\"score\",\"id\"\n\"CCO\",\"5,3\", \"a\"\n\"CCN\",6.1,\"b\"\n", "comma"},
		{"empty rows and comments", "\n# of March\nsmiles,score,id\n\n,,\nCCO,5.3,a\n# second plate\nCCN,6.1,b\n\n", "comma"},
		{"empty cells at the end", "smiles,score,id,\nCCO,5.3,a,,\nCCN,6.1,b,\n", "comma"},
	} {
		tab := read(t, test.content, table.Options{})
		got := ""
		for _, r := range tab.Records {
			got += fmt.Sprintln(r.Text, r.Score, r.ID, r.State)
		}
		if want := "CCO 5.3 a measured\nCCN 6.1 b measured\n"; got != want || tab.Format.Separator != test.separator {
			t.Errorf("%s: %s: %q, want %s: %q", test.name, tab.Format.Separator, got, test.separator, want)
		}
	}
}

func TestQuotes(t *testing.T) {
	for _, test := range []struct{ name, row, id string }{
		{"a separator", `"a, b"`, "a, b"},
		{"a quote", `"5"" tube"`, `5" tube`},
		{"a line end", "\"a\nb\"", "a\nb"},
		{"nothing", `""`, ""},
		{"a quote alone", `""""`, `"`},
		{"a quote inside", `5" tube`, `5" tube`},
		{"a quote that is not closed", `"a`, `"a`},
		{"a quote that is closed too early", `"a"b`, `"a"b`},
	} {
		tab := read(t, "smiles,score,id\nCCO,5.3,"+test.row+"\nCCN,6.1,\"b\"\n", table.Options{})
		if got := tab.Records[0].ID; got != test.id || len(tab.Records) != 2 || tab.Records[1].ID != "b" {
			t.Errorf("%s: %s is %q in %d records, want %q in 2", test.name, test.row, got, len(tab.Records), test.id)
		}
		if r, want := tab.Records[1], 3+strings.Count(test.row, "\n"); r.Line != want {
			t.Errorf("%s: the next row is in line %d, want %d", test.name, r.Line, want)
		}
	}
}

func TestRowsThatDoNotFit(t *testing.T) {
	long := strings.Repeat("C", 70_000)
	tab := read(t, "smiles,score\nCCO,5,3\n,5.1\nCCN\n"+long+",5\nCCC,4.5\nCCF,4.5\n", table.Options{})
	for i, want := range []struct {
		state table.State
		note  string
	}{
		{table.Invalid, "3 cells, and there are 2 columns"},
		{table.Invalid, "column smiles is empty"},
		{table.Missing, ""},
		{table.Invalid, "70000 bytes"},
		{table.Measured, ""},
	} {
		if r := tab.Records[i]; r.State != want.state || !strings.Contains(r.Reason.Text, want.note) {
			t.Errorf("line %d: %s (%s), want %s (%s)", r.Line, r.State, r.Reason.Text, want.state, want.note)
		}
	}
}

// TestLinesOfSMILES reads .smi files, whose names may contain anything.
func TestLinesOfSMILES(t *testing.T) {
	for _, test := range []struct{ name, content, text, id string }{
		{"names", "CCO ethanol\nCCN  2-amine, pure\nCCC\n", "CCO CCN CCC", "ethanol/2-amine, pure/"},
		{"names after tabs", "CCO\tethanol\nCCN\tan amine\nCCC\n", "CCO CCN CCC", "ethanol/an amine/"},
		{"a header", "SMILES Name\nCCO ethanol\nCCN an amine\n", "CCO CCN", "ethanol/an amine"},
		{"commas in most names", "CCO 1,2-a\nCCN 1,3-b\nCCC 2,4-c\n", "CCO CCN CCC", "1,2-a/1,3-b/2,4-c"},
		{"no names", "CCO\nCCN\n", "CCO CCN", "/"},
		{"a header and no names", "smiles\nCCO\nCCN\n", "CCO CCN", "/"},
		{"names in few lines", "CCO\nCCN\nCCC\nCCCC butane\n", "CCO CCN CCC CCCC", "///butane"},
	} {
		tab := read(t, test.content, table.Options{Normalize: letters, Molecules: true})
		var text, id []string
		for _, r := range tab.Records {
			text, id = append(text, r.Input), append(id, r.ID)
		}
		if strings.Join(text, " ") != test.text || strings.Join(id, "/") != test.id {
			t.Errorf("%s: %q called %q, want %q called %q", test.name, strings.Join(text, " "), strings.Join(id, "/"), test.text, test.id)
		}
	}
}

// TestStringsWithBlanks reads strings whose notation has blanks: they have no names.
func TestStringsWithBlanks(t *testing.T) {
	tab := read(t, "x + 1\nsin ( x )\n", table.Options{Normalize: func(text string) (string, string, error) { return text, "", nil }})
	if len(tab.Records) != 2 || tab.Records[1].Input != "sin ( x )" {
		t.Errorf("%+v, want sin ( x ) as the second string", tab.Records)
	}
}

func TestCensored(t *testing.T) {
	tab := read(t, "smiles,score\nCCO,>4.5\nCCO,4.7\nCCN,<3\n", table.Options{Censored: table.AsScore})
	if r := tab.Records[0]; r.State != table.Measured || r.Bound != 0 || r.Score != 4.5 || !strings.Contains(r.Note, ">4.5 is a bound, used as the score") {
		t.Errorf("%+v, want a score of 4.5 whose note names the bound", r)
	}
	tab = read(t, "smiles,score\nCCO,>4.5\nCCO,4.7\nCCN,<3\n", table.Options{})
	if all := tab.Compounds(); fmt.Sprint(all[0].Scores, all[1].Scores) != "[4.7] [3]" {
		t.Errorf("scores %g and %g, want 4.7, of the measurement alone, and 3", all[0].Scores, all[1].Scores)
	}
}

func TestCompounds(t *testing.T) {
	tab := read(t, "id,smiles,score\n,CCO,5\nb,CCN,1\na,CCO,7\nc,CCC,\nd,CCO,NA\ne,CCO,x1\n", table.Options{})
	all := tab.Compounds()
	if len(all) != 3 {
		t.Fatalf("%d compounds, want 3", len(all))
	}
	if c := all[0]; c.ID != "a" || fmt.Sprint(c.Rows, c.Scores) != "[0 2 4] [5 7]" {
		t.Errorf("%+v, want a with rows 0, 2 and 4, and scores 5 and 7", c)
	}
	if c := all[1]; fmt.Sprint(c.Scores) != "[1]" {
		t.Errorf("%+v, want the score 1", c)
	}
	if c := all[2]; len(c.Rows) != 1 || len(c.Scores) > 0 {
		t.Errorf("%+v, want a row and no score", c)
	}
}

// A table of invbo export is known by its columns, whatever those of the user are called.
func TestExport(t *testing.T) {
	header := table.ExportHeader("Cpd", "What", "7 days")
	tab := read(t, strings.Join(header, ",")+`
1,A,CCO,5.2,1,,measured,0,,,
2,B,CCN,6,4,0.2,measured,0,,,logP = 4 is not < 3
3,9,CCC,,0,,failed,1,5,0.5,insoluble
4,10,CCCC,,0,,waiting,1,5,0.5,
`, table.Options{})
	if c := tab.Columns; c.ID != "Cpd" || c.Input != "What" || c.Score != "7 days" {
		t.Errorf("columns %+v", c)
	}
	for i, want := range []table.Record{
		{State: table.Measured, Score: 5.2}, {State: table.Measured, Score: 6, Of: 4, SE: 0.1, Note: "the mean of 4 measurements"},
		{State: table.Failed, Score: math.NaN(), Reason: table.Reason{Code: table.MeasurementFailed, Text: "insoluble"}}, {State: table.Missing, Score: math.NaN(), Reason: table.Reason{Code: table.NoValue}},
	} {
		got := tab.Records[i]
		if got.State != want.State || fmt.Sprint(got.Score, got.Of, got.SE) != fmt.Sprint(want.Score, want.Of, want.SE) || got.Reason != want.Reason || got.Note != want.Note {
			t.Errorf("line %d: %+v, want %+v", got.Line, got, want)
		}
	}
	if r := read(t, "id,smiles,score,measurements,sd,state\n1,CCO,5,2,0.1,failed\n", table.Options{}).Records[0]; r.Of != 0 || r.SE != 0 || r.State != table.Measured {
		t.Errorf("a table of another origin: %+v", r)
	}
}

// A table of results may have no column of strings.
func TestNamesAlone(t *testing.T) {
	for _, test := range []struct{ content, id, want string }{
		{"ID,pIC50\nA-1,7.2\nA-2,6\n", "", "2 rows; score pIC50, id ID"},
		{"Our No,pIC50\nA-1,7.2\n,6\n", "Our No", "1 row: line 3 invalid (column Our No is empty); score pIC50, id Our No"},
		{"ID,what,pIC50\nA-1,CCO,7.2\n", "", "1 row; column what, score pIC50, id ID"},
		{"mutant,pIC50\nA1C,7.2\nA2C,7.2\n", "", "2 rows; score pIC50, id mutant"},
		{"value,pIC50\n1.5,7.2\n", "", "no column holds strings"},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Named: true, ID: test.id, Score: []string{"pIC50"}})
		got := fmt.Sprint(err)
		if err == nil {
			got = tab.Summary("rows")
		}
		if got != test.want {
			t.Errorf("%q: %s, want %s", test.content, got, test.want)
		}
	}
}

// A table of results may name compounds only.
func TestNamedRows(t *testing.T) {
	const tab = "compound,SMILES,pIC50\nA-1,,7.2\n,,6\nA-2,CCO,5\nA-3,CCN,5\n"
	for named, want := range map[bool]string{false: "invalid invalid measured measured", true: "measured invalid measured measured"} {
		got, err := table.Read(t.Context(), strings.NewReader(tab), table.Options{Named: named})
		if err != nil {
			t.Fatal(err)
		}
		var states []string
		for _, r := range got.Records {
			states = append(states, string(r.State))
		}
		if strings.Join(states, " ") != want {
			t.Errorf("named %t: %v, want %s", named, states, want)
		}
	}
}

func TestStandardErrors(t *testing.T) {
	tab := read(t, "smiles;score;sem\nCCO;5,3;0,2\nCCN;5,4;\nCCC;5,5;-1\nCCCC;;0,1\n", table.Options{})
	for i, want := range []float64{0.2, 0, 0, 0} {
		if got := tab.Records[i].SE; got != want {
			t.Errorf("line %d: standard error %g, want %g", i+2, got, want)
		}
	}
	if note := tab.Records[2].Note; !strings.Contains(note, `standard error sem "-1" is not used`) {
		t.Errorf("%q, want a note about -1", note)
	}
}

func TestMolecules(t *testing.T) {
	strip := molecules(t, false)
	for _, test := range []struct{ name, text, want, note, err string }{
		{"as it is", "OCC", "CCO", "", ""},
		{"hydrochloride", "CC(C)[NH3+].[Cl-]", "CC(C)N", "desalted (without [Cl-], and neutralized)", ""},
		{"sodium salt", "CC(=O)[O-].[Na+]", "CC(=O)O", "desalted (without [Na+], and neutralized)", ""},
		{"hydrate", "CCO.O.O", "CCO", "desalted (without O and O)", ""},
		{"hemifumarate", "CCN.CCN.OC(=O)/C=C/C(=O)O", "CCN", "desalted (without CCN and O=C(O)/C=C/C(=O)O)", ""},
		{"a counterion that is larger", "CN(C)C(=N)NC(N)=N.O=C(O)c1cc2ccccc2c(Cc2c(O)c(C(=O)O)cc3ccccc23)c1O", "CN(C)C(=N)NC(=N)N", "desalted", ""},
		{"a counterion with a charge and stereochemistry", "C[NH3+].O=C([O-])[C@H](O)[C@@H](O)C(=O)O", "CN", "desalted", ""},
		{"an acid with a base that is larger", "CNC[C@H](O)[C@@H](O)[C@H](O)[C@H](O)CO.OC(=O)Cc1ccccc1", "O=C(O)Cc1ccccc1", "desalted (without CNC[C@H](O)[C@@H](O)[C@H](O)[C@H](O)CO)", ""},
		{"an acid with an amino acid that is larger", "N=C(N)NCCC[C@H](N)C(=O)O.OC(=O)c1ccccc1O", "O=C(O)c1ccccc1O", "desalted", ""},
		{"an amino acid", "N=C(N)NCCCC(N)C(=O)O.CCCCCCCCCCCCCCCC(=O)O", "N=C(N)NCCCC(N)C(=O)O", "desalted", ""},
		{"a salt drawn with a bond", "CC(C)C(=O)O[Na]", "CC(C)C(=O)O", "desalted (without Na)", ""},
		{"two anions at a metal", "CC(=O)O[Ca]OC(C)=O", "CC(=O)O", "desalted (without Ca); desalted (without CC(=O)O)", ""},
		{"a salt drawn with a bond, and a solvent", "[K]Oc1ccc(Cl)cc1.CO", "Oc1ccc(Cl)cc1", "desalted (without K); desalted (without CO)", ""},
		{"a halide of a metal with its ligand", "Cl[Ni]Cl.CP(C)CCP(C)C", "CP(C)CCP(C)C.Cl[Ni]Cl", "kept whole (a metal complex)", ""},
		{"a halide of zinc", "Cl[Zn]Cl.CCN", "CCN", "desalted", ""},
		{"an organometal", "C[Mg]Br", "C[Mg]Br", "", ""},
		{"counterions alone", "OC(=O)c1ccccc1.CS(=O)(=O)O", "O=C(O)c1ccccc1", "desalted (without CS(=O)(=O)O)", ""},
		{"a quaternary nitrogen", "C[N+](C)(C)CCO.[Cl-]", "C[N+](C)(C)CCO", "desalted (without [Cl-])", ""},
		{"charges of a molecule of one part", "[NH3+]CC(=O)[O-]", "[NH3+]CC(=O)[O-]", "", ""},
		{"stereochemistry", "C[C@H](N)C(=O)O.Cl", "C[C@H](N)C(=O)O", "desalted (without Cl)", ""},
		{"isotopes", "[2H]C([2H])([2H])N.Cl", "[2H]C([2H])([2H])N", "desalted (without Cl)", ""},
		{"no carbon", "[Na+].[Cl-]", "[Cl-].[Na+]", "", ""},
		{"a radical", "C[N]c1ccccc1", "C[N]c1ccccc1", "radical", ""},
		{"a carbon without hydrogens", "[C]1CCCCC1", "[C]1CCCCC1", "radical", ""},
		{"brackets around what needs none", "C[NH]C", "CNC", "", ""},
		{"a phosphine oxide with a hydrogen", "C[PH](=O)c1ccccc1", "C[PH](=O)c1ccccc1", "", ""},
		{"a mixture", "c1ccsc1.c1ccoc1", "", "", "a mixture of c1ccoc1 and c1ccsc1"},
		{"a mixture of two drugs", "COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC.Cc1cc(NS(=O)(=O)c2ccc(N)cc2)no1", "", "", "a mixture of COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC and Cc1cc(NS(=O)(=O)c2ccc(N)cc2)no1: leave one, or keep salts"},
		{"a small counterion on no list", "COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC.OC(=O)C1CC1(F)F", "COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC", "desalted (without O=C(O)C1CC1(F)F)", ""},
		{"enantiomers", "C[C@H](F)Cl.C[C@@H](F)Cl", "", "", "a mixture"},
		{"CXSMILES", "C[C@H](F)Cl |$_R1;;;$|", "C[C@H](F)Cl", "CXSMILES extension left out", ""},
		{"invalid", "C1CC", "", "", "no molecule: SMILES Parse Error: unclosed ring"},
		{"a name", "aspirin", "", "", "no molecule"},
	} {
		got, note, err := strip(test.text)
		if err != nil != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) || got != test.want || !strings.HasPrefix(note, test.note) || note != "" && test.note == "" {
			t.Errorf("%s: %s, %q, %v; want %s, %q, %s", test.name, got, note, err, test.want, test.note, test.err)
		}
	}
	neutralize, err := table.Molecules(table.Strip{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, text, want string }{
		{"a zwitterion", "[NH3+][C@@H](C)C(=O)[O-]", "C[C@H](N)C(=O)O"},
		{"a cation", "CC[NH+](CC)CC", "CCN(CC)CC"},
		{"two acids", "O=C([O-])CCC(=O)O", "O=C(O)CCC(=O)O"},
		{"an acylsulfonamide", "CC(=O)[N-]S(C)(=O)=O", "CC(=O)NS(C)(=O)=O"},
		{"a salt", "C[NH+](C)C.[Cl-]", "CN(C)C"},
		{"a quaternary nitrogen", "C[N+](C)(C)CCO", "C[N+](C)(C)CCO"},
		{"a betaine", "C[N+](C)(C)CC(=O)[O-]", "C[N+](C)(C)CC(=O)[O-]"},
		{"a nitro group", "C[N+](=O)[O-]", "C[N+](=O)[O-]"},
		{"an N-oxide", "[O-][n+]1ccccc1", "[O-][n+]1ccccc1"},
		{"an azide", "CCN=[N+]=[N-]", "CCN=[N+]=[N-]"},
		{"an isonitrile", "CC[N+]#[C-]", "[C-]#[N+]CC"},
		{"a diazo compound", "CC(=O)C=[N+]=[N-]", "CC(=O)C=[N+]=[N-]"},
		{"no carbon", "[NH4+]", "[NH4+]"},
		{"a boronate", "C[B-](O)(O)O", "C[B-](O)(O)O"},
		{"no charge", "OCC", "CCO"},
		{"a sulfoxide", "C[S+]([O-])c1ccccc1", "CS(=O)c1ccccc1"},
		{"a sulfoxide with a configuration", "C[S@@+]([O-])c1ccccc1", "C[S@@](=O)c1ccccc1"},
		{"a sulfoxide that is written from its oxygen", "[O-][S@+](C)c1ccccc1", "C[S@@](=O)c1ccccc1"},
		{"a cyclic sulfoxide", "[O-][S+]1CCCC1", "O=S1CCCC1"},
		{"a phosphine oxide", "C[P+](C)([O-])c1ccccc1", "CP(C)(=O)c1ccccc1"},
		{"an azide in another spelling", "C[N-][N+]#N", "CN=[N+]=[N-]"},
		{"a sulfonium", "C[S+](C)C", "C[S+](C)C"},
		{"a sulfoxonium ylide", "C[S+](C)([O-])=C", "C=S(C)(C)=O"},
	} {
		got, note, err := neutralize(test.text)
		if again, _, _ := neutralize(got); err != nil || got != test.want || again != got {
			t.Errorf("%s: %s, then %s, %q, %v; want %s", test.name, got, again, note, err, test.want)
		}
	}
	keep := molecules(t, true)
	if got, note, err := keep("CC(=O)[O-].[Na+]"); got != "CC(=O)[O-].[Na+]" || note != "" || err != nil {
		t.Errorf("kept salt: %s, %q, %v", got, note, err)
	}
}

func TestMoleculesNeedRDKit(t *testing.T) {
	if molecule.Available() == nil {
		t.Skip("this build has RDKit")
	}
	if _, err := table.Molecules(table.Strip{}); !errors.Is(err, molecule.ErrNoRDKit) {
		t.Errorf("%v, want ErrNoRDKit", err)
	}
	if _, err := readFile(t, filepath.Join("testdata", "compounds.sdf"), table.Options{}); err == nil || !strings.Contains(err.Error(), molecule.ErrNoRDKit.Error()) {
		t.Errorf("SDF: %v, want ErrNoRDKit", err)
	}
}

// TestFiles reads whole files: what became of each row, without what was written, and the summary.
func TestFiles(t *testing.T) {
	wild := table.Options{WildType: "MAKGLVPW", Sequences: table.Detect}
	plain := func(o table.Options) func(*testing.T) table.Options {
		return func(*testing.T) table.Options { return o }
	}
	desalted := func(t *testing.T) table.Options {
		return table.Options{Normalize: molecules(t, false), Molecules: true}
	}
	for _, test := range []struct {
		file    string
		options func(*testing.T) table.Options
		noun    string
		want    string
	}{
		{"table.csv", desalted, "compounds", `
2 LAB-001 CC(=O)Oc1ccccc1C(=O)O 5.31 measured
3 LAB-002 CN1CCC[C@H]1c1cccnc1 6.2 measured
4 LAB-003 CN1CCC[C@@H]1c1cccnc1 4.75 measured
5 LAB-004 CC(C)NCC(O)COc1cccc2ccccc12 7.912 measured: desalted (without Cl)
7 LAB-005 O=C(O)c1ccccc1O - missing
8 LAB-002 CN1CCC[C@H]1c1cccnc1 6.4 measured
10 LAB-006 CC(C)Cc1ccc(C(C)C(=O)O)cc1 >4.5 measured: desalted (without [Na+], and neutralized)
11 LAB-007 - - invalid: no molecule: SMILES Parse Error: extra open parentheses
12 LAB-008 F/C=C/c1ccccc1 - missing
13 LAB-009 Cn1c(=O)c2c(ncn2C)n(C)c1=O - failed: precipitated
14 LAB-010 CN(C)C 5.1 measured: desalted (without O=C(O)CC(O)(CC(=O)O)C(=O)O)
15 LAB-011 CCOC(=O)c1ccc(N)cc1 6.02 measured
16 LAB-012 CCN(CC)CCOC(=O)c1ccc(N)cc1 7.92081875395 measured: converted from nM to pIC50
17 LAB-013 [2H]C([2H])([2H])NC - invalid: "1.234" may be 1.234 or 1234: write 1,234 or 1234
11 compounds: 1 replicated, 3 desalted, 1 converted from nM to pIC50, 1 with a bound, 2 without a value, 1 failed, 2 invalid (lines 11, 17; line 11: no molecule: SMILES Parse Error: extra open parentheses); column SMILES, score pIC50, id Compound; semicolons, decimal commas; 1 comment`},
		{"table.xlsx", plain(table.Options{}), "compounds", `
4 LAB-1 CC(=O)Oc1ccccc1C(=O)O 5.31 measured
5 LAB-2 CN1CCC[C@H]1c1cccnc1 1.234 measured
6 LAB-3 CCO.Cl 5.3 measured
7 LAB-4 CCN >4.5 measured
9 LAB-5 CCC - missing
10 LAB-6 CCCC - missing
11 LAB-1 CC(=O)Oc1ccccc1C(=O)O 5.5 measured
6 compounds: 1 replicated, 1 with a bound, 2 without a value; column SMILES, score pIC50, id Compound, standard error SEM; Excel sheet "Assay", decimal commas; 1 comment`},
		{"latin1.csv", plain(table.Options{Censored: table.AsScore}), "compounds", `
2 LAB-1 CCO 5.3 measured
3 LAB-2 CC(=O)O 1234.5 measured
5 LAB-3 CCN 0.071 measured
6 LAB-4 CCC 10 measured: >10 is a bound, used as the score
4 compounds: 1 with a bound as the score; column SMILES, score IC50 (µM), id Verbindung; semicolons, decimal commas, Windows-1252`},
		{"utf16.txt", plain(table.Options{}), "compounds", `
2 LAB-1 CCO 5.3 measured
3 LAB-2 CC(=O)O 1234.5 measured
5 LAB-3 CCN 0.071 measured
6 LAB-4 CCC >10 measured
4 compounds: 1 with a bound; column SMILES, score IC50 (µM), id Verbindung; tabs, decimal commas, UTF-16`},
		{"bom.csv.gz", plain(table.Options{}), "compounds", `
3 1 CCO 5.3 measured
4 2 CC(=O)O 6.1 measured
5 3 CCN <0.001 measured
3 compounds: 1 with a bound; column canonical_smiles, score pKi, id id, standard error pKi_sem; gzip; 1 comment`},
		{"compounds.smi", desalted, "compounds", `
1 aspirin CC(=O)Oc1ccccc1C(=O)O - missing
2 (S)-nicotine CN1CCC[C@H]1c1cccnc1 - missing
3 benzene, pure c1ccccc1 - missing
4 - CCO - missing
5 LAB-5 - - invalid: no molecule: SMILES Parse Error: unclosed ring
4 compounds: line 5 invalid (no molecule: SMILES Parse Error: unclosed ring); column 1, id 2, no scores; blanks, no header`},
		{"compounds.sdf", desalted, "compounds", `
1 LAB-1 C[C@H](N)C(=O)O 5.3 measured
25 LAB-2 CC(=O)O >4.5 measured: desalted (without [Na+], and neutralized)
49 LAB-3 - - invalid: no molecule: the molblock: Explicit valence for atom # 1 C, 6, is greater than permitted
64 LAB-4 F/C=C/F - missing
3 compounds: 1 desalted, 1 with a bound, 1 without a value, line 49 invalid (no molecule: the molblock: Explicit valence for atom # 1 C, 6, is greater than permitted); column molblock, score pIC50, id title; SDF`},
		{"variants.csv", plain(wild), "variants", `
2 A2T MTKGLVPW 0.71 measured
3 K3R:G4A MARALVPW -1.25 measured
4 A2T:K3R:G4A MTRALVPW - missing
5 WT MAKGLVPW 1 measured
6 C2T - - invalid: C2T: position 2 of the wild type is A, not C
7 G9A - - invalid: G9A: the wild type has the positions 1 to 8
8 A2del - - invalid: "A2del" is a deletion, and only substitutions are read
9 A2T MTKGLVPW 0.73 measured
4 variants: 1 replicated, 1 without a value, 3 invalid (lines 6, 7, 8; line 6: C2T: position 2 of the wild type is A, not C); column mutant, score DMS_score; protein sequences`},
		{"variants.fasta", plain(wild), "sequences", `
1 v1 MTKGLVPW - missing: final * removed
4 v2 MAKG - missing
7 v3 - - invalid: column sequence is empty
8 v4 MARKGL - missing: lower case folded
10 v5 - - invalid: position 3 is '4', which is no letter of a protein sequence
3 sequences: 1 final * removed, 1 lower case folded, 2 invalid (lines 7, 10; line 7: column sequence is empty); column sequence, id id, no scores; protein sequences; FASTA`},
	} {
		t.Run(test.file, func(t *testing.T) {
			tab, err := readFile(t, filepath.Join("testdata", test.file), test.options(t))
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, cells := range report(t, tab)[1:] {
				line, id, input, score, state, note := cells[0], cells[1], cells[3], cells[5]+cells[4], cells[8], cells[10]
				for _, cell := range []*string{&id, &input, &score} {
					if *cell == "" {
						*cell = "-"
					}
				}
				if note != "" {
					state += ": "
				}
				fmt.Fprintf(&got, "\n%s %s %s %s %s%s", line, id, input, score, state, note)
			}
			got.WriteString("\n" + tab.Summary(test.noun))
			if got.String() != test.want {
				t.Errorf("got %s\n\nwant %s", got.String(), test.want)
			}
		})
	}
}

// readFile is Read for a file.
func readFile(t *testing.T, name string, o table.Options) (*table.Table, error) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return table.Read(t.Context(), f, o)
}

// report returns the rows of WriteReport.
func report(t *testing.T, tab *table.Table) [][]string {
	t.Helper()
	var text bytes.Buffer
	if err := tab.WriteReport(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestSheets(t *testing.T) {
	file := filepath.Join("testdata", "table.xlsx")
	if _, err := readFile(t, file, table.Options{Sheet: "assay"}); err != nil {
		t.Error(err)
	}
	if _, err := readFile(t, file, table.Options{Sheet: "Assays"}); err == nil || !strings.Contains(err.Error(), `did you mean "Assay"?`) {
		t.Errorf("%v, want a suggestion", err)
	}
}

// FuzzRead checks that any file is an error or a table that accounts for every line.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.*"))
	if err != nil || len(files) == 0 {
		f.Fatalf("%d files, %v", len(files), err)
	}
	for i, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, byte(i))
	}
	for i, content := range []string{
		"sep=;\na;b\n", "\"a\n\",\"b\"\"\"\n\"", "smiles\n\"\"\"\"\n", "a\r\rb\r", "#a,b\n#1,2\n", "> <a>\n$$$$\n>b\n", ">a\n>b\nMA\n;c\n", "x|1,000\ny|1.000,0\n",
		"title\n\nsmiles,score\nC,1\nC,1,1\n", "A1C A1C\nA2C wt\n", "\xff\xfea\x00\n\x00",
	} {
		f.Add([]byte(content), byte(i))
	}
	f.Fuzz(func(t *testing.T, content []byte, options byte) {
		o := table.Options{}
		if options&1 != 0 {
			o.Normalize = letters
		}
		if options&2 != 0 {
			o.WildType, o.Sequences = "MAKGLVPW", table.Detect
		}
		if options&4 != 0 {
			o.Censored = table.AsScore
		}
		if options&8 != 0 {
			o.Input, o.Score = "1", []string{"2"}
		}
		tab, err := table.Read(t.Context(), bytes.NewReader(content), o)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") && !bytes.ContainsAny(content, "\r\n") {
				t.Errorf("%q: the error has several lines: %v", content, err)
			}
			return
		}
		states, at, lines := 0, 0, tab.Comments+tab.Empty
		for _, n := range tab.Counts() {
			states += n
		}
		if states != len(tab.Records) {
			t.Errorf("%q: %d states of %d records", content, states, len(tab.Records))
		}
		for _, r := range tab.Records {
			if r.Line <= at || r.Lines < 1 {
				t.Fatalf("%q: a record of lines %d to %d after line %d", content, r.Line, r.Line+r.Lines-1, at)
			}
			at = r.Line + r.Lines - 1
			lines += r.Lines
			if scored := r.State == table.Measured || r.State == table.Repeated; scored == math.IsNaN(r.Score) || scored && r.Input == "" || r.Bound != 0 && !scored {
				t.Errorf("%q: line %d: %+v", content, r.Line, r)
			}
		}
		if header := tab.Lines - lines; header < 0 || header > 0 && !tab.Format.Header {
			t.Errorf("%q: %d of %d lines are accounted for", content, lines, tab.Lines)
		}
		if utf8.Valid(content) && !bytes.ContainsAny(content, "\r\x00") && tab.Format.Kind != "Excel" && !tab.Format.Gzip {
			want := bytes.Count(content, []byte("\n"))
			if !bytes.HasSuffix(content, []byte("\n")) {
				want++
			}
			if tab.Lines != want {
				t.Errorf("%q: %d lines, want %d", content, tab.Lines, want)
			}
		}
		if rows := len(report(t, tab)); rows != len(tab.Records)+1 {
			t.Errorf("%q: %d rows in the report of %d records", content, rows, len(tab.Records))
		}
		tab.Summary("compounds")
	})
}

// Scores may be made of further outcomes. A row in which one failed has failed, and what cannot be read is told.
func TestScoreBy(t *testing.T) {
	const content = "name,SMILES,pIC50,logS\na,CCO,5,-1\nb,CCN,failed: insoluble,\nc,CCC,7,failed: stuck\nd,CCS,6,x\ne,CCF,>6,-2\nf,CCCl,,\ng,CCBr,2,3\n"
	tab := read(t, content, table.Options{Score: []string{table.NoScores}, Others: []string{"pIC50", "logS"}})
	tab.ScoreBy(func(r *table.Record) string {
		a, ok := r.Others["pIC50"]
		b, also := r.Others["logS"]
		if !ok || !also || r.OtherBounds != nil {
			return "an outcome"
		}
		r.Score = a + b
		return ""
	})
	var got []string
	for _, r := range tab.Records {
		got = append(got, fmt.Sprintf("%s %s %g %s", r.ID, r.State, r.Score, r.Reason.Text+r.Note))
	}
	want := []string{
		"a measured 4 ", "b failed NaN insoluble", "c failed NaN stuck", `d missing NaN logS is not used: "x" is not a number; without an outcome`,
		"e missing NaN without an outcome", "f missing NaN ", "g measured 5 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	const summary = `7 compounds: 1 with a bound of a further outcome, 2 with a part of the outcomes, 1 without a value, 2 failed, line 5 with a cell that is not used (logS is not used: "x" is not a number); column SMILES, id name`
	if got := tab.Summary("compounds"); got != summary {
		t.Errorf("%s\nwant\n%s", got, summary)
	}
}

// What was changed in a row is no part of the reason of its failure, by which the failure is known when it is told again.
func TestReason(t *testing.T) {
	normalize := func(text string) (string, string, error) {
		x, salt := strings.CutSuffix(text, ".Cl")
		if salt {
			return x, "desalted (removed Cl)", nil
		}
		return x, "", nil
	}
	export := strings.Join(table.ExportHeader("id", "SMILES", "pIC50"), ",")
	for _, test := range []struct{ name, content string }{
		{"score", "SMILES,pIC50\nCCN.Cl,failed: insoluble\nCCN,failed: insoluble\n"},
		{"further outcome", "SMILES,pIC50,logS\nCCN.Cl,,failed: insoluble\nCCN,,failed: insoluble\n"},
		{"export", export + "\n1,a,CCN.Cl,,0,,failed,1,,,insoluble\n2,b,CCN,,0,,failed,1,,,insoluble\n"},
	} {
		tab := read(t, test.content, table.Options{Score: []string{"pIC50"}, Others: []string{"logS"}, Named: true, Normalize: normalize})
		for i, note := range []string{"desalted (removed Cl)", ""} {
			if r := tab.Records[i]; r.State != table.Failed || r.Reason.Text != "insoluble" || r.Note != note {
				t.Errorf("%s: %s is %s, reason %q, note %q; want the reason insoluble and the note %q", test.name, r.Text, r.State, r.Reason, r.Note, note)
			}
		}
		if rows := report(t, tab); rows[1][10] != "insoluble; desalted (removed Cl)" || rows[2][10] != "insoluble" {
			t.Errorf("%s: the report says %q and %q", test.name, rows[1][10], rows[2][10])
		}
	}
}

// A table of names knows its column of scores when all of it failed, or is no number.
func TestNamesAndFailures(t *testing.T) {
	o := table.Options{Score: []string{"pIC50"}, Others: []string{"logS"}, Named: true}
	for _, test := range []struct{ content, want string }{
		{"name,pIC50\n8,failed: insoluble\n9,failed\n", "8 failed insoluble, 9 failed failed"},
		{"name,pIC50\n8,abc\n9,1\n", `8 invalid "abc" is not a number, 9 measured `},
		{"name,logS,pIC50\n8,7x,2\n", `8 measured logS is not used: "7x" has a unit that is not known (x)`},
	} {
		var got []string
		for _, r := range read(t, test.content, o).Records {
			got = append(got, fmt.Sprintf("%s %s %s", r.ID, r.State, r.Reason.Text+r.Note))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%q: %q, want %q", test.content, got, test.want)
		}
	}
}

// Further outcomes have the decimal sign of their table. One that is missing or a bound leaves the row's score as it is.
func TestOutcomes(t *testing.T) {
	const content = "SMILES;pIC50;logP;hERG\nCCO;5,1;2,5;>30\nCCN;5,2;;n.d.\nCCC;5,3;x;1\n"
	o := table.Options{Score: []string{"pIC50"}, Others: []string{"logp", "hERG"}}
	for _, c := range []struct {
		censored table.Censored
		want     string
	}{
		{table.Skip, "map[logp:2.5] map[] map[hERG:1]"},
		{table.AsScore, "map[hERG:30 logp:2.5] map[] map[hERG:1]"},
	} {
		o.Censored = c.censored
		tab := read(t, content, o)
		var got []string
		for i, r := range tab.Records {
			if r.State != table.Measured || math.Abs(r.Score-5.1-0.1*float64(i)) > 1e-9 {
				t.Errorf("line %d is %s with %g", r.Line, r.State, r.Score)
			}
			got = append(got, fmt.Sprint(r.Others))
		}
		if got := strings.Join(got, " "); got != c.want || !strings.Contains(tab.Records[2].Note, `logp is not used: "x" is not a number`) {
			t.Errorf("%s: %s, %q; want %s", c.censored, got, tab.Records[2].Note, c.want)
		}
	}
	bounded := read(t, "seq,score\nAB,1\nBA,2\n", table.Options{Input: "seq", Others: []string{"score"}})
	if r := bounded.Records[1]; r.Score != 2 || r.Others["score"] != 2 {
		t.Errorf("a constraint on the score: %+v, want it twice", r)
	}
	o.Others = []string{"logD"}
	if _, err := table.Read(t.Context(), strings.NewReader(content), o); !usage.Is(err) || !strings.Contains(err.Error(), `column logD: there is no such column; did you mean "logP"?`) {
		t.Errorf("error %v", err)
	}
	o.Named = true
	if _, err := table.Read(t.Context(), strings.NewReader(content), table.Options{Score: []string{table.NoScores}, Others: []string{"pH", "logD"}, Named: true}); !usage.Is(err) || !strings.Contains(err.Error(), "column pH or logD: there is no such column") {
		t.Errorf("without any column of outcomes: error %v", err)
	}
	if tab := read(t, content, o); tab.Records[0].Others != nil || tab.Records[0].Score != 5.1 {
		t.Errorf("without the column %+v", tab.Records[0])
	}
}

// Numbers of columns without a use are read as their column writes them.
func TestCarriedNumbers(t *testing.T) {
	nan := math.NaN()
	for text, want := range map[string][]float64{
		"smiles,x\nCCO,1.5\nCCN,\"12,345\"\nCCC,\"1,234.5\"\n": {1.5, 12345, 1234.5},
		"smiles;x\nCCO;1,5\nCCN;12,345\nCCC;1.234,5\n":         {1.5, 12.345, 1234.5},
		"smiles,x\nCCO,1.5\nCCN,>2\nCCC,none\n":                {1.5, nan, nan},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(text), table.Options{Molecules: true, Carry: true, Score: []string{table.NoScores}})
		if err != nil || len(tab.Carried) != 1 {
			t.Errorf("%q: carries %q, error %v", text, tab.Carried, err)
			continue
		}
		if got := tab.CarriedNumbers(0); !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// The name of a logarithm is one that a table with the numbers is read by.
func TestLogarithm(t *testing.T) {
	for name, want := range map[string]string{
		"hERG IC50 (uM)": "hERG pIC50", "Ki [nM]": "pKi", "JAK2_IC50_nM": "JAK2_pIC50", "JAK2 IC50 (nM)": "JAK2 pIC50", "IC50_nM_mean": "", "logS": "", "hERG pIC50": "", "IC50/nM": "pIC50",
	} {
		tab, err := table.Read(t.Context(), strings.NewReader("smiles,"+name+"\nCCO,5\nCCN,70\n"), table.Options{Molecules: true, Score: []string{table.NoScores}, Others: []string{name}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := tab.Logarithm(name)
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if got == "" {
			continue
		}
		tab, err = table.Read(t.Context(), strings.NewReader("smiles,"+name+"\nCCO,5\nCCN,70\n"), table.Options{Molecules: true, Score: []string{table.NoScores}, Others: []string{got}})
		if err != nil || len(tab.Records[0].Others) != 1 || tab.Records[0].Others[got] < 5 {
			t.Errorf("%s of %s: %v, error %v", got, name, tab.Records, err)
		}
	}
}

// A comma separates thousands where no other number of the column has four digits or decimals.
func TestThousands(t *testing.T) {
	for _, test := range []struct{ separator, cells, want string }{
		{"\t", "24 326 3,969 7 12 1,250 88,000", "24 326 3969 7 12 1250 88000"},
		{"\t", "24 326 3,969 7 1200 1,250 4,500", "24 326 NaN 7 1200 NaN NaN"},
		{"\t", "24 3,969 1,250 4,500", "24 NaN NaN NaN"},
		{";", "24 326 3,969 7 12 1,250 88,000", "24 326 3.969 7 12 1.25 88"},
	} {
		text := "smiles" + test.separator + "x\n"
		for i, cell := range strings.Fields(test.cells) {
			text += strings.Repeat("C", i+1) + test.separator + cell + "\n"
		}
		var got []string
		for _, r := range read(t, text, table.Options{Molecules: true, Score: []string{"x"}}).Records {
			got = append(got, fmt.Sprint(r.Score))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %s", test.cells, got, test.want)
		}
	}
}

// Columns that mark rows as not to be trusted are not used, which is said.
func TestMarks(t *testing.T) {
	for _, test := range []struct{ content, want string }{
		{"SMILES,y,Flag\nCCO,1,\nCCN,2,ok\nCCC,3,failed QC\nCCF,4,\n", `column Flag marks 1 row, as with "failed QC", and is not used`},
		{"SMILES,y,Valid\nCCO,1,TRUE\nCCN,2,TRUE\nCCC,3,FALSE\n", `column Valid marks 1 row, as with "FALSE", and is not used`},
		{"SMILES,y,Outlier\nCCO,1,0\nCCN,2,0\nCCC,3,1\n", `column Outlier marks 1 row, as with "1", and is not used`},
		{"SMILES,y,Data Validity Comment\nCCO,1,\nCCN,2,\nCCC,3,Outside typical range\n", `column Data Validity Comment marks 1 row, as with "Outside typical range", and is not used`},
		{"SMILES,y,Flag\nCCO,1,\nCCN,2,\nCCC,3,ok\n", ""},
		{"SMILES,y,Flag\nCCO,1,x\nCCN,2,x\nCCC,3,\n", ""}, // most rows
		{"SMILES,y,Used in mean\nCCO,1,Y\nCCN,2,Y\nCCC,3,N\n", `column Used in mean marks 1 row, as with "N", and is not used`},
		{"SMILES,y,Knocked out\nCCO,1,0\nCCN,2,0\nCCC,3,1\n", `column Knocked out marks 1 row, as with "1", and is not used`},
		{"SMILES,y,Archive reason\nCCO,1,\nCCN,2,\nCCC,3,Made in error\n", `column Archive reason marks 1 row, as with "Made in error", and is not used`},
		{"SMILES,y,Include in average\nCCO,1,x\nCCN,2,x\nCCC,3,\n", `column Include in average marks 1 row, as with an empty cell, and is not used`},
		{"SMILES,y,Masked\nCCO,1,FALSE\nCCN,2,FALSE\nCCC,3,TRUE\n", `column Masked marks 1 row, as with "TRUE", and is not used`},
		{"SMILES,y,Rejected\nCCO,1,no\nCCN,2,no\nCCC,3,yes\n", `column Rejected marks 1 row, as with "yes", and is not used`},
		{"SMILES,y,Used in mean\nCCO,1,Y\nCCN,2,Y\nCCC,3,Y\n", ""},
		{"SMILES,y,Comment\nCCO,1,red\nCCN,2,\nCCC,3,\n", ""},
	} {
		if got := strings.Join(read(t, test.content, table.Options{}).Notes, "\n"); !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%q: %q, want %q", test.content, got, test.want)
		}
	}
}

// Compounds that were measured as several salts may be ionic liquids.
func TestSalts(t *testing.T) {
	o := table.Options{Normalize: molecules(t, false), Molecules: true}
	const cations, want = "CCn1cc[n+](C)c1 CCCCn1cc[n+](C)c1", "2 compounds were measured as three or more different salts"
	content := "SMILES,y\n"
	for i, cation := range strings.Fields(cations) {
		for k, anion := range strings.Fields("[Cl-] F[B-](F)(F)F N#C[N-]C#N CC(=O)[O-]") {
			content += fmt.Sprintf("%s.%s,%d\n", cation, anion, 10*i+3*k)
		}
	}
	if got := strings.Join(read(t, content, o).Notes, "\n"); !strings.Contains(got, want) {
		t.Errorf("ionic liquids: %q, want %q", got, want)
	}
	if got := strings.Join(read(t, "SMILES,pIC50\nCCN.Cl,5\nCCN.OC(=O)C,6\nCCN,6\nCCCN.Cl,5\nCCCCN.Cl,6\n", o).Notes, "\n"); strings.Contains(got, "salts") {
		t.Errorf("drugs: %q", got)
	}
}

// A value far beyond a bound of the same string is said: one of them is wrong.
func TestContradictedBounds(t *testing.T) {
	for content, want := range map[string]string{
		"SMILES,pIC50\nCCO,<5\nCCO,8.9\nCCN,6\n":        "bounds that other values of the same string contradict: 1, the first in line 2",
		"SMILES,pIC50\nCCO,<5\nCCO,>7\nCCN,6\n":         "bounds that other values of the same string contradict: 1, the first in line 3",
		"SMILES,IC50 (nM)\nCCO,>10000\nCCO,12\nCCN,6\n": "bounds that other values of the same string contradict: 1, the first in line 2",
		"SMILES,pIC50\nCCO,<5\nCCO,5.3\nCCN,6\n":        "",
		"SMILES,pIC50\nCCO,>5\nCCO,8.9\nCCN,6\n":        "",
		"SMILES,IC50 (nM)\nCCO,>10000\nCCO,9000\n":      "",
		"SMILES,y\nCCO,<5\nCCO,80\nCCN,1\nCCC,100\n":    "bounds that other values of the same string contradict: 1, the first in line 2",
	} {
		if got := strings.Join(read(t, content, table.Options{}).Notes, "\n"); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

// Rows of data that look like what stands above data are not passed over.
func TestRowsThatAreNoPreamble(t *testing.T) {
	const rows = "X2,CCN,2 uM\nX3,CCC,3 nM\nX4,CCF,4 nM\n"
	for _, first := range []string{"X1,CCO,1 nM", "X1,CCO,100 nM", "X1,CCO,1e-6 M", "X1,CCO,> 1 nM"} {
		tab := read(t, "ID,SMILES,Ki\n"+first+"\n"+rows, table.Options{Normalize: letters})
		if len(tab.Records) != 4 || tab.Comments != 0 || tab.Records[0].State != table.Measured {
			t.Errorf("%s: %d rows, %d comments", first, len(tab.Records), tab.Comments)
		}
	}
	tab := read(t, "SMILES,ID,pKi\nCCO,a,5\n#N/A,b,5\nCCN,c,6\n#checked,,\n", table.Options{Normalize: letters})
	if tab.Comments != 1 || len(tab.Records) != 3 || tab.Records[1].State != table.Invalid {
		t.Errorf("an error of Excel: %d rows, %d comments", len(tab.Records), tab.Comments)
	}
}

// A header in the middle of a table is no row. What is below another one may be something else.
func TestHeaderAgain(t *testing.T) {
	const header, rows = "ID,SMILES,IC50 (nM)\n", "A,CCO,50\nB,CCN,60\n"
	tab := read(t, header+rows+"id,smiles,ic50 (nm)\nC,CCC,9\n", table.Options{Normalize: letters})
	if r := tab.Records[2]; r.State != table.Invalid || r.Reason.Code != table.HeaderAgain || len(tab.Records) != 4 {
		t.Errorf("the same header: %v", r)
	}
	for _, other := range []string{"ID,SMILES,IC50 (uM)", "ID,SMILES,pKi", "Compound,Smiles,IC50 (nM)", "ID,SMILES,Ki (nM)"} {
		_, err := table.Read(t.Context(), strings.NewReader(header+rows+other+"\nC,CCC,9\n"), table.Options{Normalize: letters})
		if err == nil || !strings.Contains(err.Error(), "line 4 is another header") {
			t.Errorf("%s: %v", other, err)
		}
	}
	words := read(t, "word,score\nabc,1\nword,2\nscore,3\n", table.Options{})
	if len(words.Records) != 3 || words.Records[1].State != table.Measured {
		t.Errorf("words: %v", words.Records)
	}
}

// Racemates of two diastereomers are taken as one, which is noted; those of one, however it is drawn, are one.
func TestRacematesOfDiastereomers(t *testing.T) {
	const cis, mirrored, trans = "NC(=O)[C@@H]1C[C@@H]1c1ccccc1", "NC(=O)[C@H]1C[C@H]1c1ccccc1", "NC(=O)[C@@H]1C[C@H]1c1ccccc1"
	for _, test := range []struct {
		second string
		noted  bool
	}{{mirrored, false}, {trans, true}} {
		tab := read(t, "ID\tSMILES\tpIC50\na\t"+cis+" |&1:3,5|\t5\nb\t"+test.second+" |&1:3,5|\t6\nc\tCCO\t7\n", table.Options{Normalize: molecules(t, false), Molecules: true})
		if noted := strings.Contains(strings.Join(tab.Notes, "\n"), "the first in lines 2 and 3"); noted != test.noted || tab.Records[0].Input != tab.Records[1].Input {
			t.Errorf("%s: %s and %s, %q", test.second, tab.Records[0].Input, tab.Records[1].Input, tab.Notes)
		}
	}
}

// Molecules of an SD file without titles are called after the property that names them; a column that says nothing
// names nothing.
func TestNamesOfPropertiesAndColumns(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	sdf := func(title, property, name string) string {
		const block = "\n  x\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n"
		return title + block + ">  <IC50 (nM)>  (1)\n5\n\n>  <" + property + ">  (1)\n" + name + "\n\n$$$$\n"
	}
	for _, test := range []struct{ text, column, id string }{
		{sdf("", "Molecule Name", "CDD-1"), "Molecule Name", "CDD-1"},
		{sdf("", "Name", "CDD-1"), "Name", "CDD-1"},
		{sdf("", "Catalog Number", "CDD-1"), "Catalog Number", "CDD-1"},
		{sdf("", "IDNUMBER", "CDD-1"), "IDNUMBER", "CDD-1"},
		{sdf("", "Corporate ID", "CDD-1"), "Corporate ID", "CDD-1"},
		{sdf("a", "Name", "CDD-1"), "title", "a"},
		{sdf("", "Remark", "CDD-1"), "", ""},
		{"ID,Name,SMILES,IC50 (nM)\n,CDD-1,C,5\n", "Name", "CDD-1"},
		{"ID,Name,SMILES,IC50 (nM)\nN/A,CDD-1,C,5\n", "Name", "CDD-1"},
		{"Compound ID,SMILES,IC50 (nM),Catalog Number\n,C,5,CDD-1\n", "Catalog Number", "CDD-1"},
	} {
		tab := read(t, test.text, table.Options{})
		if r := tab.Records[0]; tab.Columns.ID != test.column || r.ID != test.id || r.Score != 5 {
			t.Errorf("%q: %q in column %q, score %g; want %q in %q", test.text, r.ID, tab.Columns.ID, r.Score, test.id, test.column)
		}
	}
}

// A column that holds kinds of measurement says so whatever its name is, so that others than the usual one are set aside.
func TestKindsByTheirContent(t *testing.T) {
	for name, want := range map[string]string{
		"Activity Name": "20, set aside (other type), 30, 40", "Messgröße": "20, set aside (other type), 30, 40",
	} {
		tab := read(t, "SMILES,"+name+",Value (nM)\nCCO,IC50,20\nCCN,Ki,1\nCCC,IC50,30\nCCF,IC50,40\n", table.Options{})
		if got := scores(tab); !strings.HasPrefix(got, "20, ") || strings.Count(got, "(") != 1 || !strings.HasSuffix(got, ", 30, 40") || tab.Records[1].State != table.SetAside {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Columns that pandas tells apart by numbers, as they had one name, may all hold the score, as those that have one name may.
func TestNumberedNames(t *testing.T) {
	_, err := table.Read(t.Context(), strings.NewReader("SMILES,pIC50,pIC50.1\nCCO,5,5.1\nCCN,6,6.2\n"), table.Options{Scored: true})
	if q, ok := errors.AsType[*table.Question](err); !ok || len(q.Asks) != 1 || q.Asks[0].For != table.RoleScore {
		t.Errorf("%v, want a question about the score", err)
	}
	tab := read(t, "SMILES,pIC50,pIC50.1\nCCO,5,5.1\nCCN,6,6.2\n", table.Options{Score: []string{"pIC50", "pIC50.1"}})
	if got, want := scores(tab), "5, 5.1, 6, 6.2"; got != want {
		t.Errorf("replicates: %s, want %s", got, want)
	}
}

// A geometric standard deviation is a factor: its logarithm is the deviation of that of the score.
func TestGeometricDeviation(t *testing.T) {
	content := "SMILES,IC50 (nM),n,IC50 geometric SD\nCCO,100,4,1.5\nCCN,1000,1,1\n"
	tab := read(t, content, table.Options{})
	if got, want := tab.Records[0].SE, 100*math.Log(1.5)/2; math.Abs(got-want) > 1e-9 || tab.Records[1].SE != 0 {
		t.Errorf("standard errors %g and %g, want %g and none", got, tab.Records[1].SE, want)
	}
	tab = read(t, content, table.Options{Scale: "pIC50"})
	if got, want := tab.Records[0].SE, math.Log10(1.5)/2; math.Abs(got-want) > 1e-9 {
		t.Errorf("of pIC50: %g, want %g", got, want)
	}
}

// A column of numbered names is no column of strings, whatever it is called: sequences with modifications are beside
// it, or the table has none.
func TestNumberedNamesAreNoStrings(t *testing.T) {
	const none = "column Peptide looks like names, whose letters say nothing of what was measured"
	for _, test := range []struct{ name, content, want string }{
		{"MaxQuant", "Peptide,Modified sequence,Kd\nP0,_RRASVAEED_,3\nP1,_RRAS(ph)VAAEP_,4\nP2,_RRAS[Phospho (STY)]VNEEP_,5\n", "Modified sequence"},
		{"names that are not numbered", "Peptide,Annotated Sequence,Kd\nLR-14,[K].AC[+57]DEFGHIK.[L],3\nLR-2b,[K].AC[+57]DEFGHLK.[L],2\nXX-3,[K].AC[+57]DEFM[+16]IK.[L],1\n", "Annotated Sequence"},
		{"masses", "Molecule,ModSeq,Kd\nM1,PEPT(79.97)IDEKLL,3\nM2,PEPT(79.97)IDAKLL,2\nM3,PEPT(79.97)IDEKVL,2\n", "ModSeq"},
		{"words", "Protein,peptide_seq,Kd\npep-001,Ac-Nle-c[Asp-His-D-Phe-Lys]-NH2,3\npep-002,Ac-Nle-c[Asp-His-D-Trp-Lys]-NH2,2\npep-004,Ac-Nle-c[Asp-His-Phe-Lys]-NH2,1\n", "peptide_seq"},
		{"a column of another name", "Peptide,Design,Kd\nP0,MKTAYIAKQRQI,3\nP1,MKTAYIAKQRQV,4\nP2,MKTAYLAKQRQI,5\n", "Design"},
		{"alone", "Peptide,Kd\nPep_1,3\nPep_2,2\nPep_4,1\n", none},
		{"beside words", "Peptide,Batch,Kd\npep-001,north,3\npep-002,south,2\npep-003,north,1\n", none},
		{"no numbers that increase", "Peptide,Kd\nA7,3\nA2,2\nA9,1\n", "Peptide"},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Sequences: table.Detect})
		switch {
		case err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		case err == nil && tab.Columns.Input != test.want:
			t.Errorf("%s: column %s, want %s", test.name, tab.Columns.Input, test.want)
		}
	}
}

// Spellings of a kind are one; what few rows have, or contradicts the name of the scores, is none; and people may say so.
func TestKindsThatAreNone(t *testing.T) {
	for name, test := range map[string]struct{ content, kind string }{
		"spellings": {"SMILES,Type,Value (nM)\nCCO,IC50,1\nCCN,ic50,2\nCCC,IC 50,3\nCCF,IC₅₀,4\nCCS,IC50 (nM),5\n", ""},
		"few rows":  {"SMILES,IC50 (nM),Also measured\nCCO,1,Kd\nCCN,2,Ki\nCCC,3,\nCCF,4,\nCCS,5,\n", ""},
		"initials":  {"SMILES,IC50 (nM),Chemist\nCCO,1,KD\nCCN,2,KI\nCCC,3,KD\nCCF,4,KD\nCCS,5,KI\n", ""},
		"so said":   {"SMILES,Value (nM),Next step\nCCO,1,Kd\nCCN,2,Ki\nCCC,3,Ki\nCCF,4,Kd\nCCS,5,Ki\n", table.NoType},
	} {
		if got, want := scores(read(t, test.content, table.Options{Type: test.kind})), "1, 2, 3, 4, 5"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A line break in a cell of a header is a blank in the name of the column, for people and for the options that name it.
func TestNamesOnOneLine(t *testing.T) {
	const content = "Compound,SMILES,\"Inhibition\n(%) @ 100 nM\",\"hERG \r\n IC50\u00a0(µM)\"\na,CCO,12,3\nb,CCN,50,4\n"
	for _, test := range []struct {
		name string
		o    table.Options
	}{
		{"found", table.Options{Others: []string{"hERG IC50 (µM)"}}},
		{"given on one line", table.Options{Score: []string{"Inhibition (%) @ 100 nM"}, Others: []string{"hERG IC50 (µM)"}}},
		{"given as it is", table.Options{Score: []string{"Inhibition\n(%) @ 100 nM"}, Others: []string{"hERG IC50 (µM)"}}},
		{"of an earlier version's study", table.Options{Like: table.Columns{Score: "Inhibition\n(%) @ 100 nM", ID: "Compound"}.OneLine(), Others: []string{"hERG IC50 (µM)"}}},
	} {
		tab := read(t, content, test.o)
		const want = "2 compounds; column SMILES, score Inhibition (%) @ 100 nM, id Compound"
		if got := tab.Summary("compounds"); got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
		if r := tab.Records[0]; r.Score != 12 || r.Others["hERG IC50 (µM)"] != 3 {
			t.Errorf("%s: %+v, want 12 and 3", test.name, r)
		}
	}
	file, err := table.Open(strings.NewReader(content), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := file.Find("Inhibition\n(%) @ 100 nM"); name != "Inhibition (%) @ 100 nM" {
		t.Errorf("found %q", name)
	}
}
