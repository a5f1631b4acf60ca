package table_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

var (
	nan   = math.NaN()
	tenth = 0.1
	third = tenth + 0.2 // in binary 0.30000000000000004
)

// formats are those that keep all of an export.
func formats(t testing.TB) map[string]func(*sheet.Sheet, io.Writer) error {
	all := map[string]func(*sheet.Sheet, io.Writer) error{"CSV": (*sheet.Sheet).WriteCSV, "Excel": (*sheet.Sheet).WriteExcel}
	if molecule.Available() == nil {
		all["SDF"] = (*sheet.Sheet).WriteSDF
	}
	return all
}

// readBack writes a table and reads it.
func readBack(s *sheet.Sheet, write func(*sheet.Sheet, io.Writer) error, o table.Options) (*table.Table, error) {
	var b bytes.Buffer
	if err := write(s, &b); err != nil {
		return nil, err
	}
	tab, err := table.Read(context.Background(), &b, o)
	if err != nil {
		return nil, fmt.Errorf("%w in\n%s", err, usage.Shorten(b.String(), 2000))
	}
	return tab, nil
}

// hard are texts that one format or another may change. A sheet of Excel that has both _x0041_ and _x005F_x0041_ has
// the first twice: excelize takes one for the other, and nobody has them.
var hard = []string{
	"a", "1", "007", "1E5", "1e5", "-1", "+1", "3-4", "2-Mar", "TRUE", "NA", "n.d.", "-", "?", "failed", ">4.5", "<1", "=1+1", "=HYPERLINK(\"http://x\",\"y\")", "+1+1", "@SUM(A1)",
	"-2+3", "'=1", "''=1", "'", "'a", "\"=1\"", "\" =1", "\"", "\"\"", "\"a\"", "\"a", "a\"b", "a,b", "a;b", "a|b", "a\tb", "a\nb", "a\n\nb", "a\rb", "a\r\nb", "\x1b[31mred", "\x07", "\x7f",
	"#1", "# a", "$$$$", ">  <x>", "> <reason>", "M  END", "x", "smiles", "sequence", "name", "trial", "aspirin (R)", "2,4-D", "µ-opioid", "日本", "＝1", "_x0041_",
	"\u202eabc", "a\u0085b", "a\u2028b", " a ", "a  b", "NaN", "1,234", "\\n", "a\\nb", "sep=;", "0x1", "1_000",
}

var text = rapid.OneOf(rapid.SampledFrom(hard), rapid.StringOfN(rapid.RuneFrom([]rune("ab01.,;|\t\n\r \"'=+-@#$<>_x\\\x1b\u00a0é＝")), 1, 8, -1), rapid.StringN(1, 12, -1))

// words are strings of a search: those of a CSV or workbook may be any, but white space around them.
var words = rapid.Custom(func(t *rapid.T) string {
	return strings.TrimFunc(text.Draw(t, "word"), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) + "w"
})

var number = rapid.OneOf(rapid.SampledFrom([]float64{0, 1, -1, 5.3, 7.912, third, 1.0 / 3, 1e6, 1234567, 123456789.25, 1e15, 1e21, 1e-5, 1e-300, -1e99, 12345678901234567}), rapid.Float64Range(-1e9, 1e9))

var smiles = rapid.SampledFrom([]string{"CCO", `F/C=C/F`, `F/C=C\F`, "C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O", "c1ccccc1", "[2H]OC", "C1CCCCCCC/C=C/1", "[Na+].[Cl-]", "no molecule"})

// export draws what a study knows.
func export(t *rapid.T, strings *rapid.Generator[string]) *table.Export {
	e := &table.Export{Columns: table.Columns{ID: "my name", Input: "what", Score: rapid.SampledFrom([]string{"score", "state", "-log IC50", "trial", "IC50 (nM)"}).Draw(t, "score")}}
	e.Others = rapid.SampledFrom([][]string{nil, {"logP"}, {"reason", "tox (%)", "=x"}}).Draw(t, "others")
	names := map[string]bool{}
	for trial := range rapid.IntRange(1, 6).Draw(t, "trials") {
		r := table.ExportRow{Trial: trial + 1, Name: text.Draw(t, "name"), Input: strings.Draw(t, "string"), Batch: 1, Predicted: nan, PredictedSD: nan, Score: nan}
		if names[r.Name] {
			continue
		}
		names[r.Name] = true
		n := rapid.IntRange(0, 3).Draw(t, "measurements")
		if n == 0 {
			r.State = table.ExportWaiting
			e.Rows = append(e.Rows, r)
		}
		for m := range n {
			r.Measurement, r.Score, r.Bound, r.SE, r.Others, r.Reason = m+1, nan, 0, 0, nil, ""
			if r.State = rapid.SampledFrom([]string{table.ExportMeasured, table.ExportMeasured, table.ExportFailed, table.ExportStruck, table.ExportUnreadable, table.ExportWithdrawn}).Draw(t, "state"); r.State != table.ExportMeasured {
				r.Reason = text.Draw(t, "reason")
			} else {
				r.Score, r.Bound = number.Draw(t, "value"), rapid.IntRange(-1, 1).Draw(t, "bound")
				r.SE = rapid.SampledFrom([]float64{0, 0.25, 1.0 / 3}).Draw(t, "se")
			}
			for _, name := range e.Others {
				if rapid.Bool().Draw(t, "has") {
					if r.Others == nil {
						r.Others = map[string]float64{}
					}
					r.Others[name] = number.Draw(t, name)
				}
			}
			e.Rows = append(e.Rows, r)
		}
	}
	return e
}

// Whatever a study holds, each format of an export reads back as the same rows, so that telling it changes nothing.
func TestExportsReadBack(t *testing.T) {
	for format, write := range formats(t) {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				strings := words
				if format == "SDF" {
					strings = smiles
				}
				e := export(t, strings)
				e.Molecules = format == "SDF"
				o := table.Options{Named: true, Others: e.Others}
				if rapid.Bool().Draw(t, "told") {
					o.Like = e.Columns
				}
				tab, err := readBack(e.Sheet(), write, o)
				if err != nil {
					t.Fatal(err)
				}
				if len(tab.Records) != len(e.Rows) {
					t.Fatalf("%d rows, want %d", len(tab.Records), len(e.Rows))
				}
				for i, want := range e.Rows {
					got := tab.Records[i]
					if got.ID != want.Name || got.Input != want.Input || got.Measurement != want.Measurement {
						t.Fatalf("row %d: %q, %q, measurement %d; want %q, %q, %d (%s)", i, got.ID, got.Input, got.Measurement, want.Name, want.Input, want.Measurement, got.Note)
					}
					same := got.Score == want.Score || math.IsNaN(got.Score) && math.IsNaN(want.Score)
					if !same || got.SE != want.SE || !maps.Equal(got.Others, want.Others) {
						t.Fatalf("row %d: %g ± %g, %v; want %g ± %g, %v", i, got.Score, got.SE, got.Others, want.Score, want.SE, want.Others)
					}
					state, ok := map[string]table.State{table.ExportMeasured: table.Measured, table.ExportWaiting: table.Missing}[want.State]
					if !ok {
						state = table.Failed
					}
					if got.State != state || got.Bound != want.Bound || got.Reason.Text != want.Reason {
						t.Fatalf("row %d: %s (%q) with bound %d, want %s (%q) with %d", i, got.State, got.Reason.Text, got.Bound, state, want.Reason, want.Bound)
					}
				}
			})
		})
	}
}

// A sheet of proposals, which people fill in, reads back as it was, with any separators and line ends in its names.
func TestSheetsReadBack(t *testing.T) {
	for format, write := range map[string]func(*sheet.Sheet, io.Writer) error{"CSV": (*sheet.Sheet).WriteCSV, "Excel": (*sheet.Sheet).WriteExcel} {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := &sheet.Sheet{Columns: []sheet.Column{{Name: "id", Kind: sheet.Names}, {Name: "sequence", Kind: sheet.Strings}, {Name: "predicted"}, {Name: "score", Kind: sheet.Scores}}}
				var names, strs []string
				var scores []float64
				for range rapid.IntRange(1, 5).Draw(t, "rows") {
					name, x, v := plain(text.Draw(t, "name")), plain(words.Draw(t, "string")), number.Draw(t, "score")
					names, strs, scores = append(names, name), append(strs, x), append(scores, v)
					s.Rows = append(s.Rows, []sheet.Cell{sheet.Text(name), sheet.Text(x), sheet.Number(1.5, 4), sheet.Number(v, 0)})
				}
				tab, err := readBack(s, write, table.Options{ID: "id", Input: "sequence", Score: []string{"score"}, Named: true})
				if err != nil {
					t.Fatal(err)
				}
				for i, r := range tab.Records {
					if r.ID != names[i] || r.Input != strs[i] || r.Score != scores[i] {
						t.Fatalf("row %d: %q, %q, %g (%s); want %q, %q, %g", i, r.ID, r.Input, r.Score, r.Note, names[i], strs[i], scores[i])
					}
				}
				if len(tab.Records) != len(names) {
					t.Fatalf("%d rows, want %d", len(tab.Records), len(names))
				}
			})
		})
	}
}

// plain returns text as any reader leaves it: without white space around it, and with the line ends of this system.
func plain(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\r", "r"), "\x00", "0")
	text = strings.Map(func(r rune) rune {
		if r == '\ufeff' || r == '\u200b' {
			return 'z'
		}
		return r
	}, text)
	return strings.TrimSpace(text)
}

func TestListsReadBack(t *testing.T) {
	e := &table.Export{Columns: table.Columns{ID: "compound", Input: "SMILES", Score: "pIC50"}, Rows: []table.ExportRow{
		{Name: "2,4-D; pure", Input: "CCO", Score: 5.3}, {Name: "2,4-D; pure", Input: "CCO", Score: 5.5}, {Name: "1E5", Input: "F/C=C/F", Score: 4.5, Bound: 1}, {Name: "'=1", Input: "CCN", Score: third},
		{Name: `"a"`, Input: "CCC", Score: 1}, {Name: `a "b"`, Input: "CCCC", Score: -2, Bound: -1},
		{Name: "waits", Input: "CCCN", Score: nan, State: table.ExportWaiting}, {Name: "fails", Input: "CCCO", Score: nan, State: table.ExportFailed, Reason: "x"},
	}}
	var b bytes.Buffer
	if err := e.Sheet().WriteList(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\ta \"b\"\t<-2\n") {
		t.Errorf("a quote inside a name needs no others:\n%s", b.String())
	}
	const want = "#SMILES\tcompound\tpIC50\nCCO\t2,4-D; pure\t5.3\nCCO\t2,4-D; pure\t5.5\nF/C=C/F\t1E5\t>4.5\n"
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("%s\nwant at first\n%s", b.String(), want)
	}
	for name, o := range map[string]table.Options{
		"told": {Like: e.Columns, Named: true}, "of its own": {},
	} {
		tab := read(t, b.String(), o)
		if len(tab.Records) != 6 {
			t.Fatalf("%s: %d rows, want those with a score: 6", name, len(tab.Records))
		}
		for i, r := range tab.Records {
			if w := e.Rows[i]; r.ID != w.Name || r.Input != w.Input || r.Score != w.Score {
				t.Errorf("%s: row %d: %q, %q, %g (%s); want %q, %q, %g", name, i, r.ID, r.Input, r.Score, r.Note, w.Name, w.Input, w.Score)
			}
		}
	}
	e.Rows[0].Name = "two\nlines"
	b.Reset()
	if err := e.Sheet().WriteList(&b); err != nil || strings.Count(b.String(), "\n") != 7 {
		t.Errorf("%v, want a line for each row:\n%s", err, b.String())
	}
}

// The report on a table is CSV, too, and has what the table has.
func TestFormulasOfReportsAreText(t *testing.T) {
	rows := report(t, read(t, "name,smiles,score\n=1+1,CCO,1\n", table.Options{}))
	if want := []string{"2", "'=1+1", "CCO", "CCO", "1", "", "", "", "measured", "", ""}; !slices.Equal(rows[1], want) {
		t.Errorf("%q, want %q", rows[1], want)
	}
}

// The apostrophe of others than this program stays where it protects nothing.
func TestApostrophes(t *testing.T) {
	for cell, want := range map[string]string{"'=1+1": "=1+1", "'a": "'a", "'": "'", "5'-ATP": "5'-ATP", "''=1": "'=1", "' =1": " =1", "'1": "'1", "'-x'": "-x'"} {
		if got := read(t, "name,smiles,score\n"+cell+",CCO,1\nb,CCN,2\n", table.Options{}).Records[0].ID; got != want {
			t.Errorf("%s is %q, want %q", cell, got, want)
		}
	}
}

// An SD file keeps stereochemistry by the SMILES of its properties, and has the structure for others.
func TestSDF(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	e := &table.Export{Columns: table.Columns{ID: "compound", Input: "SMILES", Score: "IC50"}, Unit: "nM", Molecules: true, Rows: []table.ExportRow{
		{Trial: 1, Name: "a\nb", Input: "C[C@H](N)C(=O)O", Measurement: 1, State: table.ExportMeasured, Score: 5.3, Predicted: 5.123456, PredictedSD: nan},
		{Trial: 2, Name: "$$$$", Input: "no molecule", Measurement: 1, State: table.ExportFailed, Score: nan, Reason: "two\n\nlines", Predicted: nan, PredictedSD: nan},
	}}
	var b bytes.Buffer
	if err := e.Sheet().WriteSDF(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\"a\\nb\"\n     RDKit", ">  <IC50 (nM)>\n5.3\n\n", ">  <predicted>\n5.123\n\n", ">  <predicted_sd>\n\n", "$$$$\n'$$$$\n", ">  <reason>\n\"two\\n\\nlines\"\n\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	structures := read(t, strings.ReplaceAll(b.String(), "<SMILES>", "<x y>"), table.Options{Input: "molblock", Score: []string{"IC50"}})
	if r := structures.Records[0]; r.Input != "C[C@H](N)C(=O)O" {
		t.Errorf("the structure is %s (%s)", r.Input, r.Note)
	}
	if r := structures.Records[1]; r.State != table.Invalid {
		t.Errorf("no molecule is %+v", r)
	}
}

// Tables that earlier versions exported still read as they did, and users' columns may be called as those of an export.
func TestExportsOfEarlierVersions(t *testing.T) {
	header := strings.Join(table.ExportHeader("id", "SMILES", "state"), ",")
	r := read(t, header+"\n1,a,CCO,6,4,0.2,measured,0,,,\n", table.Options{}).Records[0]
	if r.Score != 6 || r.Of != 4 || r.SE != 0.1 || r.Measurement != 0 || r.ID != "a" {
		t.Errorf("%+v, want the mean of 4 with its standard error", r)
	}
}

// The words of an export's own columns are not taken for relations, units or types.
func TestReasonsOfExportsAreReasons(t *testing.T) {
	for _, reason := range []string{"<", ">", "=", "nM", "IC50", "NA", "5"} {
		e := &table.Export{Columns: table.Columns{ID: "id", Input: "SMILES", Score: "IC50"}, Rows: []table.ExportRow{
			{Trial: 1, Name: "a", Input: "CCO", Measurement: 1, State: table.ExportMeasured, Score: 5, Predicted: nan, PredictedSD: nan},
			{Trial: 2, Name: "b", Input: "CCN", Measurement: 1, State: table.ExportFailed, Score: nan, Reason: reason, Predicted: nan, PredictedSD: nan},
		}}
		tab, err := readBack(e.Sheet(), (*sheet.Sheet).WriteCSV, table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := tab.Records[0], tab.Records[1]; a.State != table.Measured || a.Score != 5 || b.State != table.Failed || b.Reason.Text != reason {
			t.Errorf("%s: %+v and %+v", reason, a, b)
		}
	}
}

// A column that someone adds to an export does not hide what it is.
func TestExportWithMoreColumns(t *testing.T) {
	e := &table.Export{Columns: table.Columns{ID: "id", Input: "x", Score: "7 days"}, Rows: []table.ExportRow{{Trial: 1, Name: "2", Input: "AB", Measurement: 1, State: table.ExportFailed, Score: nan, Reason: "why", Predicted: nan, PredictedSD: nan}}}
	s := e.Sheet()
	s.Columns = append(s.Columns, sheet.Column{Name: "comment"})
	s.Rows[0] = append(s.Rows[0], sheet.Text("see, page 3"))
	tab, err := readBack(s, (*sheet.Sheet).WriteCSV, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := tab.Records[0]; r.ID != "2" || r.Input != "AB" || r.State != table.Failed || r.Reason.Text != "why" || tab.Columns.Score != "7 days" {
		t.Errorf("%+v of %+v", r, tab.Columns)
	}
	if names := slices.Collect(maps.Keys(formats(t))); len(names) < 2 {
		t.Error("formats", names)
	}
}

// The columns of an export have different names, and read back as they are, whatever those of the user are called.
func TestColumnsOfAnExportDiffer(t *testing.T) {
	e := &table.Export{
		Columns: table.Columns{ID: "mutant", Input: "sequence", Score: "front"}, Others: []string{"route", "sequence", "trial"}, Mutants: true, Routes: true, Front: true,
		Rows: []table.ExportRow{{
			Trial: 1, Name: "A", Input: "MKTAYIAK", Mutant: "WT", Measurement: 1, State: table.ExportMeasured, Score: 1.5, Others: map[string]float64{"route": 2, "sequence": 3, "trial": 4},
		}},
	}
	var b bytes.Buffer
	if err := e.Sheet().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(b.String(), "\n")
	const want = "trial,mutant,sequence,front,route,sequence.,trial.,measurement,se,state,batch,predicted,predicted_sd,reason,invbo_mutant,invbo_route,invbo_front"
	if header != want {
		t.Errorf("%s, want %s", header, want)
	}
	r := read(t, b.String(), table.Options{Others: []string{"route", "trial"}, Sequences: table.Detect}).Records[0]
	if r.ID != "A" || r.Input != "MKTAYIAK" || r.Score != 1.5 || r.Others["route"] != 2 || r.Others["trial"] != 4 {
		t.Errorf("%+v", r)
	}
}
