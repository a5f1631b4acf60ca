package table_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table"
)

// offered returns the names and numbers of values of the candidates for the score that a question offers, or the score
// that is read without one.
func offered(tab *table.Table, err error) string {
	q, ok := errors.AsType[*table.Question](err)
	if !ok && err != nil {
		return err.Error()
	}
	if !ok {
		return fmt.Sprintf("%s, %d rows", tab.Columns.Filled(), len(tab.Records))
	}
	var all []string
	for _, a := range q.Asks {
		for _, c := range a.Candidates {
			text := fmt.Sprintf("%s (%d%s)", strings.Join(c.Names, " + "), c.Values, map[bool]string{true: " " + c.Unit}[c.Unit != ""])
			if c.Note != "" {
				text += " " + c.Note
			}
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

// Rows of a header are joined to names, and the question which column holds the scores is asked with these.
func TestHeadersOfSeveralRows(t *testing.T) {
	const three, rows = "IC50 (nM) CA I (2 nM), IC50 (nM) CA II (2 nM), IC50 (nM) CA IX (2 nM)", "a,CCO,5,2.5,9,x\nb,CCN,7,3.5,8,y\n"
	for _, test := range []struct{ name, content, want string }{
		{"targets below a group", "Compound,SMILES,IC50 (nM),,,Comment\n,,CA I,CA II,CA IX,\n" + rows, three},
		{"a group above targets", ",,IC50 (nM),,,\nCompound,SMILES,CA I,CA II,CA IX,Comment\n" + rows, three},
		{"a group above all", "Compound,,IC50 (nM),,,\nID,SMILES,CA I,CA II,CA IX,Comment\n" + rows, three},
		{"the group repeated", "Compound,SMILES,IC50 (nM),IC50 (nM),IC50 (nM),Comment\n,,CA I,CA II,CA IX,\n" + rows, three},
		{"as pandas writes it", "Compound,SMILES,IC50 (nM),IC50 (nM),IC50 (nM),Comment\nUnnamed: 0_level_1,Unnamed: 1_level_1,CA I,CA II,CA IX,Unnamed: 5_level_1\n" + rows, three},
		{"semicolons", "Compound;SMILES;IC50 (nM);;;Comment\n;;CA I;CA II;CA IX;\n" + strings.ReplaceAll(rows, ",", ";"), three},
		{"names, targets and units", "Compound,SMILES,IC50,,SD,Comment\n,,CA I,CA II,CA II,\n,,nM,nM,nM,\n" + rows, "IC50 CA I (2 nM), IC50 CA II (2 nM) its error is in column SD CA II"},
		{"targets above quantities", ",,CA I,,CA II,\nCompound,SMILES,IC50 (nM),Ki (nM),IC50 (nM),Comment\n" + rows, "CA I IC50 (nM) (2 nM), CA I Ki (nM) (2 nM), CA II IC50 (nM) (2 nM)"},
		{"three levels", "Compound,SMILES,Enzyme,,Cells,Comment\n,,IC50 (nM),,EC50 (nM),\n,,CA I,CA II,HEK,\n" + rows, "Enzyme IC50 (nM) CA I (2 nM), Enzyme IC50 (nM) CA II (2 nM), Cells EC50 (nM) HEK (2 nM)"},
		{"concentrations below a group", "Compound,SMILES,Inhibition (%),,,Comment\n,,10 µM,1 µM,0.1 µM,\n" + rows, "Inhibition (%) 10 µM (2 %), Inhibition (%) 1 µM (2 %), Inhibition (%) 0.1 µM (2 %)"},
		{"numbers of replicates", "Compound,SMILES,IC50 (nM),,,Comment\n,,1,2,3,\n" + rows, "IC50 (nM) 1 + IC50 (nM) 2 + IC50 (nM) 3 (6 nM) perhaps replicates"},
		{"runs", "Compound,SMILES,IC50 (nM),,,Comment\n,,run 1,run 2,run 3,\n" + rows, "IC50 (nM) run 1 + IC50 (nM) run 2 + IC50 (nM) run 3 (6 nM) perhaps replicates"},
		{"isoforms with letters", "Compound,SMILES,IC50 (nM),,,Comment\n,,MAO A,MAO B,MAO C,\n" + rows, "IC50 (nM) MAO A (2 nM), IC50 (nM) MAO B (2 nM), IC50 (nM) MAO C (2 nM)"},
		{"isoforms with numbers", "Compound,SMILES,IC50 CDK1,IC50 CDK2,IC50 CDK4,Comment\n" + rows, "IC50 CDK1 (2), IC50 CDK2 (2), IC50 CDK4 (2)"},
		{"columns beside the score without names", "Compound,SMILES,IC50 (nM),,,Comment\n" + rows, "IC50 (nM) (2 nM), 4 (2), 5 (2)"},
		{"a group of units alone", "Compound,SMILES,IC50,,,Comment\n,,nM,nM,nM,\n" + rows, "3 (2 nM) called IC50, 4 (2 nM) called IC50, 5 (2 nM) called IC50"},
		{"quantities above units", ",,IC50,Ki,,\nCompound,SMILES,(nM),[µM],pH,Comment\n" + rows, "IC50 (nM) (2 nM), Ki (µM) (2 µM)"},
		{"units without brackets", ",,IC50,Ki,,\nCompound,SMILES,nM,µM,pH,Comment\n" + rows, "IC50 (nM) (2 nM), Ki (µM) (2 µM)"},
		{"a name in one row alone", "Compound,,IC50,,MW,\n,SMILES,(nM),pH,,Comment\n" + rows, "IC50 (nM), 2 rows"},
		{"a last name in the upper row alone", ",,,,,IC50 (nM)\nCompound,SMILES,Comment,pH\na,CCO,x,7,,5\nb,CCN,y,8,,6\n", "IC50 (nM), 2 rows"},
		{"a sheet in German", "Experiment 2024-03-11,,,\nOperator: JB,,,\n,,Aktivität,Tm\nVariante,Sequenz,(U/mg),(°C)\nV0,MTYKLILNGK,\"3,7\",50\nV1,MTYKLILNGA,\"1,2\",53\nMittelwert,,\"2,4\",51\n",
			"Aktivität (U/mg) (3 U/mg), Tm (°C) (3 °C)"},

		{"a title above", "Carbonic anhydrase,,,,,\nCompound,SMILES,IC50 (nM),pH,MW,Comment\n" + rows, "IC50 (nM), 2 rows"},
		{"units below", "Compound,SMILES,IC50,pH,MW,Comment\n,,nM,,g/mol,\n" + rows, "IC50 (nM), 2 rows"},
		{"a first row without a value", "Compound,SMILES,IC50 (nM),pH,MW,Comment\nc,CCC,,n.d.,,\n" + rows, "IC50 (nM), 3 rows"},
		{"a first row without a string", "Compound,SMILES,IC50 (nM),pH,MW,Comment\n,,3,4,5,\n" + rows, "IC50 (nM), 3 rows"},
		{"a remark", "Compound,SMILES,IC50 (nM),pH,MW,Comment\n,,measured by Bob,,,\n" + rows, "IC50 (nM), 3 rows"},
	} {
		if got := offered(table.Read(t.Context(), strings.NewReader(test.content), table.Options{CSV: true, Scored: true})); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.name, got, test.want)
		}
	}
}

// Merged cells of a workbook say how far a group reaches.
func TestMergedHeaders(t *testing.T) {
	rows := [][]any{{"a", "CCO", 5, 2.5, 9, 0.5}, {"b", "CCN", 7, 3.5, 8, 1.5}}
	const two = "IC50 (nM) CA I (2 nM), IC50 (nM) CA II (2 nM), activity at pH 9 (2), Ki ratio (2)"
	for _, test := range []struct {
		name   string
		header [][]any
		ranges string
		want   string
	}{
		{"below", [][]any{{"Compound", "SMILES", "IC50 (nM)", nil, "activity at pH 9", "Ki ratio"}, {nil, nil, "CA I", "CA II"}}, "A1:A2 B1:B2 C1:D1 E1:E2 F1:F2", two},
		{"above", [][]any{{nil, nil, "IC50 (nM)"}, {"Compound", "SMILES", "CA I", "CA II", "activity at pH 9", "Ki ratio"}}, "C1:D1", two},
		{"a title above", [][]any{{"Report"}, {"Compound", "SMILES", "IC50 (nM)", nil, "activity at pH 9", "Ki ratio"}, {nil, nil, "CA I", "CA II"}}, "A1:F1 A2:A3 B2:B3 C2:D2 E2:E3 F2:F3", two},
		{"the last group", [][]any{{"Compound", "SMILES", "IC50 (nM)"}, {nil, nil, "CA I", "CA II", "CA IX", "CA XII"}}, "A1:A2 B1:B2 C1:F1",
			"IC50 (nM) CA I (2 nM), IC50 (nM) CA II (2 nM), IC50 (nM) CA IX (2 nM), IC50 (nM) CA XII (2 nM)"},
		{"concentrations", [][]any{{"Compound", "SMILES", "Inhibition at µM (%)"}, {nil, nil, 10, 3, 1, 0.3}}, "A1:A2 B1:B2 C1:F1",
			"Inhibition at µM (%) 10 (2 %), Inhibition at µM (%) 3 (2 %), Inhibition at µM (%) 1 (2 %), Inhibition at µM (%) 0.3 (2 %)"},
		{"without labels", [][]any{{"Compound", "SMILES", "IC50 (nM)"}}, "C1:F1", "3 (2 nM) called IC50 (nM), 4 (2 nM) called IC50 (nM), 5 (2 nM) called IC50 (nM), 6 (2 nM) called IC50 (nM)"},
	} {
		merge := func(f *excelize.File) (err error) {
			for r := range strings.FieldsSeq(test.ranges) {
				first, last, _ := strings.Cut(r, ":")
				err = cmp.Or(err, f.MergeCell("Data", first, last))
			}
			return err
		}
		content := book(t, merge, map[string][][]any{"Data": append(test.header, rows...)}, "Data")
		if got := offered(table.Read(t.Context(), content, table.Options{Scored: true})); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.name, got, test.want)
		}
	}
}

// A column of a group is found by its whole name and by its label; the name of the group alone is that of several.
func TestNamesOfGroups(t *testing.T) {
	const content = "Compound,SMILES,IC50 (nM),,LogD\n,,CA I,CA II,\na,CCO,5,2.5,1\nb,CCN,7,3.5,2\n"
	for _, test := range []struct {
		o    table.Options
		want string
	}{
		{table.Options{Score: []string{"IC50 (nM) CA II"}}, "IC50 (nM) CA II 2.5"},
		{table.Options{Score: []string{"ca ii"}}, "IC50 (nM) CA II 2.5"},
		{table.Options{Score: []string{"IC50"}}, "column IC50: 2 columns have this name: give the number of one, 3 or 4"},
		{table.Options{Like: table.Columns{Input: "SMILES", Score: "IC50 (nM) CA II", Unit: "nM"}, Named: true}, "IC50 (nM) CA II 2.5"},
		{table.Options{Like: table.Columns{Input: "SMILES", Score: "IC50 (nM)", Unit: "nM"}, Named: true}, "column IC50 (nM): 2 columns have this name: give the number of one, 3 or 4"},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(content), test.o)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(tab.Columns.Score, " ", tab.Records[0].Score)
		}
		if got != test.want {
			t.Errorf("%v %s: %s, want %s", test.o.Score, test.o.Like.Score, got, test.want)
		}
	}
}

// A header is found by its row with the name of the strings, though the row above has that of the score.
func TestQuantitiesAboveNames(t *testing.T) {
	const content = ",,Activity,Tm\nVariant,Sequence,(U/mg),(°C)\nV0,MTYKLILNGK,14.9,57\nV1,MTYKLILNGA,29,50\nV2,MTYKAILNGK,9,51\nmean,,12.3,55\n"
	for _, test := range []struct {
		o    table.Options
		want string
	}{
		{table.Options{Scored: true, Score: []string{"Activity"}}, "Sequence, Activity (U/mg) 14.9"},
		{table.Options{Scored: true, Score: []string{"Activity"}, Input: "Sequence"}, "Sequence, Activity (U/mg) 14.9"},
		{table.Options{Scored: true, Score: []string{"tm"}}, "Sequence, Tm (°C) 57"},
		{table.Options{Like: table.Columns{Input: "Sequence", Score: "Activity (U/mg)", Unit: "U/mg"}}, "Sequence, Activity (U/mg) 14.9"},
	} {
		test.o.Sequences = table.Detect
		tab, err := table.Read(t.Context(), strings.NewReader(content), test.o)
		if err != nil {
			t.Errorf("%v: %v", test.o.Score, err)
			continue
		}
		if got := fmt.Sprintf("%s, %s %v", tab.Columns.Input, tab.Columns.Score, tab.Records[0].Score); got != test.want {
			t.Errorf("%v: %s, want %s", test.o.Score, got, test.want)
		}
	}
}
