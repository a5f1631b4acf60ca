package table_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// Tables that are told to a study have its columns, in any spelling and unit, or a part of them.
func TestTablesOfAStudy(t *testing.T) {
	nanomolar := table.Columns{Input: "seq", ID: "name", Score: "IC50", Unit: "nM"}
	replicates := table.Columns{Input: "seq", ID: "name", Score: "rep", From: []string{"rep1", "rep2"}}
	for _, test := range []struct {
		name, content string
		like          table.Columns
		others        []string
		scores        []float64 // NaN: none
		err           string
	}{
		{"the score with its unit", "name,seq,IC50 (nM)\na,ACD,7\n", nanomolar, nil, []float64{7}, ""},
		{"the score in another unit", "name,seq,IC50 (uM)\na,ACD,7\n", nanomolar, nil, []float64{7000}, ""},
		{"the score without a unit", "name,seq,ic50\na,ACD,7\n", nanomolar, nil, []float64{7}, ""},
		{"another score", "name,seq,Ki (nM)\na,ACD,7\n", nanomolar, nil, nil, "there is no such column"},
		{"a part of the outcomes", "name,seq,logP\na,ACD,7\n", nanomolar, []string{"logP"}, []float64{math.NaN()}, ""},
		{"neither the score nor an outcome", "name,seq,weight\na,ACD,7\n", nanomolar, []string{"logP"}, nil, "there is no such column"},
		{"replicates", "name,seq,rep1,rep2\na,ACD,1,2\nb,ACE,3,\n", replicates, nil, []float64{1, 2, 3}, ""},
		{"one of the replicates", "name,seq,rep2\na,ACD,5\n", replicates, nil, []float64{5}, ""},
		{"a score for replicates", "name,seq,rep\na,ACD,5\n", replicates, nil, []float64{5}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Like: test.like, Others: test.others})
			if test.err != "" {
				if column := (*table.ColumnError)(nil); !errors.As(err, &column) || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("%v, want a column error with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var scores []float64
			for _, r := range got.Records {
				scores = append(scores, r.Score)
			}
			if !slices.EqualFunc(scores, test.scores, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
				t.Errorf("scores %v, want %v", scores, test.scores)
			}
			if len(test.others) > 0 && got.Records[0].Others["logP"] != 7 {
				t.Errorf("other outcomes %v", got.Records[0].Others)
			}
		})
	}
}

// Numbers that leave their marks in doubt are written as those of the study's own table, and refused if that does not
// tell either.
func TestNumbersAsInTheStudy(t *testing.T) {
	const first = "seq;score\nACD;1.020,5\nACE;1.500\nACF;850\n"
	grouped := read(t, first, table.Options{Sequences: bioseq.Protein}).Columns
	commas := read(t, "seq;score\nACD;20,5\nACE;1,5\n", table.Options{Sequences: bioseq.Protein}).Columns
	if !grouped.DecimalComma || !grouped.Grouped || !commas.DecimalComma || commas.Grouped {
		t.Fatalf("columns %+v and %+v", grouped, commas)
	}
	points := read(t, "seq,score\nACD,20.5\nACE,1.5\n", table.Options{Sequences: bioseq.Protein}).Columns
	nothing := func(string) string { return "" }
	thousands := points
	thousands.ID = "thousands"
	for _, test := range []struct {
		name, content string
		like          table.Columns
		scores        []float64 // NaN: refused
		reason        string
	}{
		{"two with points", "seq;score\nACG;1.500\nACH;2.250\n", grouped, []float64{1500, 2250}, ""},
		{"three with points", "seq;score\nACG;1.500\nACH;2.250\nACI;1.125\n", grouped, []float64{1500, 2250, 1125}, ""},
		{"beside a plain one", "seq;score\nACG;1.500\nACH;850\n", grouped, []float64{1500, 850}, ""},
		{"between tabs", "seq\tscore\nACG\t1.500\nACH\t1,125\n", grouped, []float64{1500, 1.125}, ""},
		{"without groups in the study", "seq;score\nACG;1.500\n", commas, []float64{math.NaN()}, "may be"},
		{"points certainly", "seq;score\nACG;1.500\nACH;2.5\n", grouped, []float64{1.5, 2.5}, ""},
		{"between commas", "seq,score\nACG,1.500\n", grouped, []float64{1.5}, ""},
		{"round between semicolons", "seq;score\nACG;1.500\nACH;2.250\n", points, []float64{math.NaN(), math.NaN()}, "may be"},
		{"not round between semicolons", "seq;score\nACG;1.523\nACH;2.250\n", points, []float64{1.523, 2.25}, ""},
		{"points between commas", "seq,score\nACG,1.500\n", points, []float64{1.5}, ""},
		{"a comma between commas", "seq,score\nACG,\"1,100\"\n", grouped, []float64{math.NaN()}, "may be"},
		{"far below the study's scores", "seq;score\nACG;3.523\nACH;5.251\n", thousands, []float64{math.NaN(), math.NaN()}, "may be"},
		{"far below between commas", "seq,score\nACG,3.523\n", thousands, []float64{math.NaN()}, "may be"},
		{"not far below", "seq,score\nACG,935.523\n", thousands, []float64{935.523}, ""},
	} {
		o := table.Options{Sequences: bioseq.Protein, Named: true, Like: test.like, Known: &table.Known{Called: nothing, Written: nothing}}
		if test.like.ID == "thousands" {
			o.Known.Range = func() (least, most float64) { return 800, 2500 }
		}
		got := read(t, test.content, o)
		for i, r := range got.Records {
			if want := test.scores[i]; r.Score != want && !(math.IsNaN(r.Score) && math.IsNaN(want) && strings.Contains(r.Reason.Text, test.reason)) {
				t.Errorf("%s: %s is %g (%s), want %g", test.name, r.Text, r.Score, r.Reason.Text, want)
			}
		}
	}
}

// A column of the strings is none of the scores, and a cell of a replicate that cannot be read is said.
func TestColumnsOfScores(t *testing.T) {
	for _, score := range []string{"seq", "name2"} {
		_, err := table.Read(t.Context(), strings.NewReader("seq,rep1\nACD,1\n"), table.Options{Input: "seq", Score: []string{score}})
		if column := (*table.ColumnError)(nil); !errors.As(err, &column) || column.Role != table.RoleScore {
			t.Errorf("--score %s: %v", score, err)
		}
	}
	got := read(t, "seq,rep1,rep2\nACD,1,high\nACE,2,3\n", table.Options{Input: "seq", Score: []string{"rep1", "rep2"}})
	if note := got.Records[0].Note; got.Records[0].Score != 1 || !strings.Contains(note, "rep2 is not used") {
		t.Errorf("score %v, note %q", got.Records[0].Score, note)
	}
	one := read(t, "seq,rep1\nACD,high\nACE,2\n", table.Options{Input: "seq", Score: []string{"rep1"}})
	if r := one.Records[0]; r.State != table.Invalid || r.Note != "" {
		t.Errorf("state %v, note %q: the reason says it once", r.State, r.Note)
	}
}

// The first column may hold anything.
func TestFirstColumns(t *testing.T) {
	named := read(t, "err,seq,rep1,rep2\n0.5,ACD,1,2\n0.5,ACE,2,3\n", table.Options{Input: "seq", Score: []string{"rep1", "rep2"}, SE: "err"})
	if r := named.Records[0]; r.SE != 0.5 {
		t.Errorf("standard error %g of the first column, want 0.5", r.SE)
	}
	_, err := table.Read(t.Context(), strings.NewReader("activity_sd,sequence,activity,yield\n0.5,ACD,1,2\n0.5,ACE,2,3\n0.7,ACC,3,4\n"), table.Options{Scored: true})
	var q *table.Question
	if !errors.As(err, &q) {
		t.Fatalf("%v, want a question", err)
	}
	for _, c := range q.Asks[0].Candidates {
		if c.Names[0] == "activity" && c.SD != "activity_sd" {
			t.Errorf("the deviation of activity is in %q, want activity_sd", c.SD)
		}
	}
	for _, header := range []string{"sequence,score", "score,sequence"} {
		row := "ACD,1"
		if strings.HasPrefix(header, "score") {
			row = "1,ACD"
		}
		if got := read(t, header+"\n"+row+"\n"+row+"\n", table.Options{Scored: true}); got.Records[0].Text != "ACD" || got.Records[0].Score != 1 {
			t.Errorf("%s: %+v", header, got.Records[0])
		}
	}
}

// A header is one by the names that are known, though no column below it is mostly of numbers.
func TestHeaderAboveFailures(t *testing.T) {
	like := table.Columns{Input: "word", Score: "score", ID: "name"}
	got := read(t, "code,yield,purity\na,failed: lost,failed: lost\nb,,failed: lost\nc,2,\n", table.Options{Like: table.Columns{Score: "score"}, Others: []string{"yield", "purity"}, ID: "code", Named: true})
	if len(got.Records) != 3 || got.Records[0].State != table.Failed || got.Records[2].Others["yield"] != 2 {
		t.Errorf("%+v", got.Records)
	}
	got = read(t, "name,purity\na,failed: lost\nb,\n", table.Options{Like: like, Others: []string{"yield", "purity"}, Named: true})
	if len(got.Records) != 2 || got.Records[0].ID != "a" {
		t.Errorf("%+v", got.Records)
	}
}

// Small letters are residues, the first and the last of the alphabet, too.
func TestLettersOfSequences(t *testing.T) {
	got := read(t, ">one\nAZaz\nzzAA\n>two\naAzZ\n", table.Options{})
	if len(got.Records) != 2 || got.Records[0].Text != "AZazzzAA" || got.Records[1].Text != "aAzZ" {
		t.Errorf("%+v", got.Records)
	}
	clean := read(t, "sequence,score\naay,1\nMAY,2\nmkv,3\n", table.Options{Sequences: table.Detect})
	for i, want := range []string{"AAY", "MAY", "MKV"} {
		if got := clean.Records[i].Input; got != want {
			t.Errorf("%s is read as %s", want, got)
		}
	}
}

// Metals with what they bind are no salts.
func TestComplexes(t *testing.T) {
	strip := molecules(t, false)
	for text, whole := range map[string]bool{
		"[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1":          true, // ferrocene
		"[Na+].c1cc[cH-]c1":                       true,
		"[Ti+4].c1cc[cH-]c1.[Cl-].[Cl-].[Cl-]":    true,
		"[Pt+2].NCCN.[Cl-].[Cl-]":                 true,
		"[Gd+3].CC(=O)[O-].CC(=O)[O-].CC(=O)[O-]": true,
		"[Ru+2].c1ccncc1.[Cl-].[Cl-]":             true,
		"[Au+].CCS":                               true,
		"[Zn+2].CCN.[Cl-].[Cl-]":                  false,
		"[K+].CC(=O)[O-]":                         false,
		"[Ca+2].CC(=O)[O-].CC(=O)[O-]":            false,
		"[Br-].C[n+]1ccccc1":                      false,
		"[I-].C[n+]1ccccc1":                       false,
	} {
		got, note, err := strip(text)
		if err != nil || strings.Contains(got, ".") != whole {
			t.Errorf("%s: %s, %q, %v; kept whole: want %t", text, got, note, err, whole)
		}
	}
}

// The numbering of mutants is found even if they change the first or the last letter alone.
func TestNumberingOfEnds(t *testing.T) {
	for _, test := range []struct{ mutants, want string }{
		{"M11A\nM11C\nM11D", "11"}, {"Y15A\nY15C\nY15D", "11"},
	} {
		_, err := table.Read(t.Context(), strings.NewReader("mutant,score\n"+strings.ReplaceAll(test.mutants, "\n", ",1\n")+",2\n"), table.Options{WildType: "MKTAY"})
		if err == nil || !strings.Contains(err.Error(), "if its first letter has position "+test.want+", 3 fit") {
			t.Errorf("%q: %v, want position %s", test.mutants, err, test.want)
		}
	}
}

// Standard errors and deviations of later tables are those of the same columns: a deviation is none of the mean.
func TestErrorsOfLaterTables(t *testing.T) {
	const first, later = "SMILES,Ki (nM),%s,n\nCCO,300,10,4\nCCN,20,2,4\n", "SMILES,Ki (nM),%s,n\nCCC,300,10,4\n"
	for _, test := range []struct {
		column string
		o      table.Options
		se     float64
	}{
		{"SD", table.Options{}, 5},
		{"SEM", table.Options{}, 10},
		{"my spread", table.Options{SD: "my spread"}, 5},
		{"my error", table.Options{SE: "my error"}, 10},
	} {
		like := read(t, strings.ReplaceAll(first, "%s", test.column), test.o).Columns
		if got := read(t, strings.ReplaceAll(later, "%s", test.column), table.Options{Like: like}).Records[0].SE; got != test.se {
			t.Errorf("%s: a standard error of %g in a later table, want %g", test.column, got, test.se)
		}
	}
}

// A measurement that failed in one of several columns of replicates is said beside the others.
func TestFailedReplicates(t *testing.T) {
	got := read(t, "seq,rep1,rep2\nACD,failed: bubble,2\nACE,failed,failed\nACF,1,2\n", table.Options{Score: []string{"rep1", "rep2"}}).Records
	if r := got[0]; r.Score != 2 || r.Note != "rep1 is not used: the measurement failed: bubble" || got[1].State != table.Failed || got[2].Note != "" {
		t.Errorf("%+v", got)
	}
}
