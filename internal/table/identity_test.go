package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// Rows that repeat a measurement, as those of an export of joined tables do, are one; other values are replicates.
func TestRepeatedRows(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"a row for each concentration", "Name,SMILES,Conc,IC50\nA,CCO,1,3.4\nA,CCO,10,3.4\nA,CCO,100,3.4\nB,CCN,1,0.5\nB,CCN,10,0.5\n", "3.4, =, =, 0.5, ="},
		{"a row for each target", "SMILES,target,pIC50\nCCO,JAK1,5\nCCO,JAK2,5\nCCN,JAK1,6\n", "5, =, 6"},
		{"another value", "SMILES,pIC50\nCCO,5\nCCO,5.1\nCCO,5\n", "5, 5.1, ="},
		{"another name", "ID,SMILES,pIC50\nA,CCO,5\nB,CCO,5\n", "5, 5"},
		{"another bound", "SMILES,pIC50\nCCO,>5\nCCO,5\nCCO,>5\n", ">5, 5, ="},
		{"numbers of replicates", "SMILES,replicate,pIC50\nCCO,1,5\nCCO,2,5\nCCO,2,5\n", "5, 5, ="},
		{"several units", "SMILES,value,units\nCCO,5000,nM\nCCO,5,uM\nCCN,7,nM\n", "5000, =, 7"},
		{"no value", "SMILES,pIC50\nCCO,\nCCO,\nCCN,1\n", "missing (no value), missing (no value), 1"},
	} {
		tab := read(t, test.content, table.Options{})
		if got := strings.ReplaceAll(scores(tab), "repeated (same measurement)", "="); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	tab := read(t, "Name,SMILES,Conc,IC50\nA,CCO,1,3.4\nA,CCO,10,3.4\nB,CCN,1,0.5\n", table.Options{})
	if got := tab.Summary("compounds"); got != "2 compounds: 1 repeated row left out; column SMILES, score IC50, id Name" {
		t.Error(got)
	}
	if r := tab.Records[1]; r.Reason.Text != "line 2 has the same" {
		t.Errorf("%q, want the line of the first", r.Reason.Text)
	}
	tab = read(t, "SMILES,a,b\nCCO,1,2\nCCO,1,2\nCCN,1,3\n", table.Options{Score: []string{table.NoScores}, Others: []string{"a", "b"}})
	tab.ScoreBy(func(r *table.Record) string {
		r.Score = r.Others["a"] + r.Others["b"]
		return ""
	})
	if got := scores(tab); got != "3, repeated (same measurement), 4" {
		t.Errorf("scores that are made of outcomes: %s", got)
	}
}

// Where few different scores occur, equal rows are measurements, unless all of a file is there twice.
func TestEqualMeasurements(t *testing.T) {
	for _, test := range []struct{ name, content, want, remark string }{
		{"yes and no", "x,score\naa,1\naa,1\naa,0\nab,0\nba,1\n", "1, 1, 0, 0, 1", "because the table has few distinct scores: 1; delete"},
		{"yes alone", "x,score\naa,1\naa,1\nab,1\n", "1, 1, 1", "rows that repeat an earlier string and score were counted as measurements"},
		{"counts", "x,score\naa,3\naa,3\naa,4\nab,7\nba,12\n", "3, 3, 4, 7, 12", "rows that repeat an earlier string and score were counted as measurements"},
		{"shares of four", "x,score\naa,0.5\naa,0.5\naa,0.25\nab,0.25\nba,0.75\nbb,0.75\nbc,0.5\n", "0.5, 0.5, 0.25, 0.25, 0.75, 0.75, 0.5", "rows that repeat an earlier string and score were counted as measurements"},
		{"other cells differ", "x,conc,score\naa,1,1\naa,2,1\naa,3,0\nab,1,0\n", "1, 1, 0, 0", "rows that repeat an earlier string and score were counted as measurements"},
		{"scores to two digits", "SMILES,pIC50\nCCO,6.52\nCCO,6.52\nCCO,6.1\nCCN,5.5\nCCC,7.25\n", "6.52, =, 6.1, 5.5, 7.25", "were left out of the mean: 1, the first in line 3; to count them"},
		{"nothing that changes a mean", "SMILES,pIC50\nCCO,6.52\nCCO,6.52\nCCN,5.5\nCCC,7.25\n", "6.52, =, 5.5, 7.25", ""},
		{"large whole numbers", "SMILES,IC50\nCCO,120\nCCO,120\nCCO,5000\nCCN,33\n", "120, =, 5000, 33", "were left out of the mean: 1"},
		{"bounds", "x,score\naa,>1\naa,>1\naa,0\nab,1\n", ">1, =, 0, 1", ""},
		{"numbers of replicates", "x,replicate,score\naa,1,1\naa,2,1\naa,2,1\nab,1,0\n", "1, 1, =, 0", ""},
		{"a file pasted twice", "x,score\n" + strings.Repeat("aa,1\naa,1\naa,0\nab,0\nba,1\n", 2), "1, 1, 0, 0, 1, =, =, =, =, =", "because the table has few distinct scores: 1; delete"},
	} {
		tab := read(t, test.content, table.Options{})
		if got := strings.ReplaceAll(scores(tab), "repeated (same measurement)", "="); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if got := strings.Join(tab.Remarks, "\n"); !strings.Contains(got, test.remark) || test.remark == "" && got != "" {
			t.Errorf("%s: %q, want %q", test.name, got, test.remark)
		}
	}
	const content = "x,score\naa,1\naa,1\naa,0\nab,0\n"
	tab := read(t, content, table.Options{})
	joined := table.Join([]string{"a.csv", "b.csv"}, tab, read(t, content+"aa,1\n", table.Options{}))
	if got := strings.ReplaceAll(scores(joined), "repeated (same measurement)", "="); got != "1, 1, 0, 0, =, =, =, =, 1" {
		t.Errorf("a file that goes on: %s", got)
	}
	written := read(t, "x,score\naa,7.1\nab,7.26666666666667\nac,5\n", table.Options{})
	stored := read(t, "x,score\naa,7.1000000000000005\nab,7.266666666666667\nac,5.000000001\n", table.Options{})
	if got := scores(table.Join([]string{"a.csv", "b.csv"}, written, stored)); !strings.HasPrefix(strings.ReplaceAll(got, "repeated (same measurement)", "="), "7.1, 7.26666666667, 5, =, =, 5") {
		t.Errorf("digits that a spreadsheet does not show: %s", got)
	}
	if got := tab.Summary("strings"); got != "2 strings: 1 replicated, 1 equal row counted as a measurement; column x, score score" {
		t.Error(got)
	}
}

// Of the compounds that share a name each gets one of its own, and no other compound loses its name.
func TestSeparateNames(t *testing.T) {
	for _, test := range []struct{ name, content, want, conflicts string }{
		{"two compounds", "ID,SMILES,y\nA1,CCO,5\nA2,CCN,6\nA3,CCS,7\nA3,CCF,7.5\nA5,CCC,4\n", "A1 A2 A3-1 A3-2 A5", `"A3" of lines 4, 5: A3-1 A3-2`},
		{"replicates of one", "ID,SMILES,y\nA1,CCO,5\nA2,CCN,6\nA3,CCS,7\nA3,CCF,7.5\nA3,CCS,7.1\nA5,CCC,4\nA6,CCCC,4\n", "A1 A2 A3-1 A3-2 A3-1 A5 A6", `"A3" of lines 4, 5: A3-1 A3-2`},
		{"a name that is taken", "ID,SMILES,y\nA3-1,CCO,5\nA2,CCN,6\nA3,CCS,7\nA3,CCF,7.5\n", "A3-1 A2 A3-1' A3-2", `"A3" of lines 4, 5: A3-1' A3-2`},
		{"no names", "kind,SMILES,y\nlipase,CCO,5\nlipase,CCN,6\nlipase,CCF,7\nother,CCS,7\n", "   ", `"lipase" of lines 2, 3, 4: `},
		{"rows without a name", "ID,SMILES,y\nA1,CCO,5\nA2,CCN,6\nN/A,CCS,7\nN/A,CCF,8\n-,CCC,4\n-,CCCC,4\n", "A1 A2    ", ""},
		{"none", "ID,SMILES,y\nA1,CCO,5\nA1,CCO,6\nA2,CCN,6\n", "A1 A1 A2", ""},
		{"rows without a string", "ID,SMILES,y\nA1,CCO,5\nA1,,6\nA2,CCN,6\n", "A1 A1 A2", ""},
	} {
		tab := read(t, test.content, table.Options{Named: true, ID: "1"})
		var conflicts, ids []string
		for _, c := range tab.SeparateNames() {
			conflicts = append(conflicts, fmt.Sprintf("%q of lines %s: %s", c.Name, strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Lines), " ", ", "), "[]"), strings.Join(c.Named, " ")))
		}
		for _, r := range tab.Records {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != test.want || strings.Join(conflicts, "; ") != test.conflicts {
			t.Errorf("%s: %q, %s; want %q, %s", test.name, got, strings.Join(conflicts, "; "), test.want, test.conflicts)
		}
	}
}

// Tables of one study are read as one, in one unit.
func TestJoin(t *testing.T) {
	a := read(t, "name,SMILES,IC50 (uM)\nx,CCO,1.5\ny,CCN,2\n", table.Options{})
	b := read(t, "Smiles;IC50 (nM);name\nCCC;500;z\nCCO;1500;x\nCC1;x;q\n", table.Options{Like: a.Columns})
	tab := table.Join([]string{"a.csv", "b.csv"}, a, b)
	if got := scores(tab); got != "1.5, 2, 0.5, repeated (same measurement), invalid (not a number)" {
		t.Errorf("scores %s", got)
	}
	const summary = `3 compounds: 1 repeated row left out, 1 converted from nM to µM, line 4 of b.csv invalid ("x" is not a number); column SMILES, score IC50 (uM), id name`
	if got := tab.Summary("compounds"); got != summary {
		t.Errorf("%s\nwant\n%s", got, summary)
	}
	if r := tab.Records[3]; r.Reason.Text != "line 2 of a.csv has the same" {
		t.Errorf("%q", r.Reason.Text)
	}
	if rows := report(t, tab); rows[0][0] != "file" || rows[3][0] != "b.csv" || rows[3][1] != "2" {
		t.Errorf("the report begins %v", rows[:4])
	}

	parts := table.Options{Score: []string{table.NoScores}, Others: []string{"a", "b"}}
	sum := func(r *table.Record) string {
		if len(r.Others) < 2 {
			return "no b"
		}
		r.Score = r.Others["a"] + r.Others["b"]
		return ""
	}
	a, b = read(t, "SMILES,a,b\nCCO,1,2\nCCN,1,\nCCN,1,\n", parts), read(t, "SMILES,a,b\nCCC,3,4\n", parts)
	a.ScoreBy(sum)
	b.ScoreBy(sum)
	tab = table.Join([]string{"a.csv", "b.csv"}, a, b)
	if got := scores(tab); got != "3, missing (no outcome), repeated (same measurement), 7" {
		t.Errorf("rows with a part of the outcomes: %s", got)
	}
	if got := tab.Records[2].Score; !math.IsNaN(got) {
		t.Errorf("a repeated part has score %g", got)
	}
}

// Equal scores of other wells, plates, runs or days are measurements.
func TestMeasurementsOfPlates(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"plates", "plate,well,x,score\n1,A1,aa,1.21\n2,A1,aa,1.21\n1,B2,ab,3.42\n2,B2,ab,3.5\n", "1.21, 1.21, 3.42, 3.5"},
		{"plates alone", "Plate ID,x,score\n1,aa,1.21\n2,aa,1.21\n1,ab,3.42\n", "1.21, 1.21, 3.42"},
		{"days", "assay date,x,score\n2026-01-02,aa,1.21\n2026-01-09,aa,1.21\n2026-01-09,ab,3.42\n", "1.21, 1.21, 3.42"},
		{"replicates of runs", "run,rep,x,score\n1,1,aa,1.21\n2,1,aa,1.21\n2,1,ab,3.42\n", "1.21, 1.21, 3.42"},
		{"one plate twice", "plate,well,x,score\n1,A1,aa,1.21\n1,A1,aa,1.21\n1,B2,ab,3.42\n", "1.21, repeated (same measurement), 3.42"},
	} {
		if got := scores(read(t, test.content, table.Options{Score: []string{"score"}})); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// A name stands for the string that another row has with it; rows with neither may be of the string above.
func TestStringsOfNames(t *testing.T) {
	for _, test := range []struct{ content, want string }{
		{"ID,SMILES,y\nA,CCO,1\nA,,2\nB,CCN,3\nB,,4\n", "CCO 1, CCO 2, CCN 3, CCN 4"},
		{"ID,SMILES,y\nA,,2\nA,CCO,1\n", "CCO 2, CCO 1"},
		{"ID,SMILES,y\nA,CCO,1\nB,,2\n", "CCO 1, ! column SMILES is empty"},
		{"ID,SMILES,y\nA,CCO,1\nA,CCN,2\nA,,3\n", `CCO 1, CCN 2, ! different strings are called "A"`},
		{"ID,SMILES,y\nA,CCO,1\n,,2\n,,3\n", "CCO 1, ! column SMILES is empty: if the row is of the string above, fill its cells down, ! column SMILES is empty: if the row is of the string above, fill its cells down"},
		{"ID,SMILES,y\nA,CCO,1\n,,2\n", "CCO 1, ! column SMILES is empty"},
	} {
		var got []string
		for _, r := range read(t, test.content, table.Options{Molecules: true}).Records {
			if r.State == table.Invalid {
				got = append(got, "! "+r.Reason.Text)
			} else {
				got = append(got, fmt.Sprint(r.Input, " ", r.Score))
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%q: %q, want %s", test.content, got, test.want)
		}
	}
}
