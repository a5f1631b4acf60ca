package table_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// Relations in a column of their own are bounds, as those in a cell are.
func TestRelations(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"standard_relation", "smiles,standard_relation,standard_value\nCCO,=,120\nCCN,<,0.1\nCCC,>,10000\n", "120, <0.1, >10000"},
		{"quoted", "Smiles;Standard Relation;Standard Value\nCCO;\"'='\";120\nCCN;\"'<'\";0.1\nCCC;\"'>='\";10000\n", "120, <0.1, >10000"},
		{"relation", "SMILES,relation,Ki (nM)\nCCO,,120\nCCN,<=,0.1\nCCC,>>,10000\n", "120, <0.1, >10000"},
		{"Qualifier", "SMILES,Qualifier,IC50\nCCO,=,120\nCCN,≤,0.1\nCCC,≥,10000\n", "120, <0.1, >10000"},
		{"Operator, after the number", "SMILES,pIC50,Operator\nCCO,5,=\nCCN,4,<\nCCC,9,>\n", "5, <4, >9"},
		{"Censoring, in words", "SMILES,pIC50,Censoring\nCCO,5,none\nCCN,4,left\nCCC,9,right\n", "5, <4, >9"},
		{"censoring, as numbers", "SMILES,pIC50,censoring\nCCO,5,0\nCCN,4,-1\nCCC,9,1\n", "5, <4, >9"},
		{"words", "SMILES,modifier,pIC50\nCCO,equal to,5\nCCN,less than,4\nCCC,greater than,9\n", "5, <4, >9"},
		{"a sign as its name", "SMILES,>,pIC50\nCCO,=,5\nCCN,<,4\nCCC,>,9\n", "5, <4, >9"},
		{"no name that is known", "SMILES,flag,pIC50\nCCO,,5\nCCN,<,4\nCCC,>,9\n", "5, <4, >9"},
		{"entities", "SMILES,Standard Relation,pIC50\nCCO,=,5\nCCN,&lt;,4\nCCC,&gt;,9\nCCF,=,&gt;5\n", "5, <4, >9, >5"},
		{"abbreviations under any name", "SMILES,flag,pIC50\nCCO,EQ,5\nCCN,LT,4\nCCC,GT,9\n", "5, <4, >9"},
		{"typographic minus", "SMILES,logS\nCCO,–6.1\nCCN,>–4\nCCC,-3\n", "-6.1, >-4, -3"},
		{"of an off-target", "SMILES,pIC50,hERG operator,hERG IC50 (µM)\nCCO,5,>,10\nCCN,6,>,30\nCCC,7,=,2\n", "5, 6, 7"},
		{"of what is not a relation", "SMILES,pIC50,Potency vs lead\nCCO,5,below\nCCN,6,above\nCCC,7,above\nCCS,5,below\nCCF,6,above\nCCCl,7,above\nCCBr,7,above\n", "5, 6, 7, 5, 6, 7, 7"},
		{"in German", "SMILES,Vorzeichen,pIC50\nCCO,,5\nCCN,kleiner,4\nCCC,größer als,9\n", "5, <4, >9"},
		{"out of range", "SMILES,out of range,pIC50\nCCO,no,5\nCCN,below,4\nCCC,above,9\n", "5, <4, >9"},
		{"approximately", "SMILES,relation,pIC50\nCCO,~,5\nCCN,≈,4\nCCC,about,9\n", "5, 4, 9"},
		{"cells as well", "SMILES,relation,pIC50\nCCO,=,>5\nCCN,<,<4\nCCC,>,<9\nCCF,=,1\nCCS,=,2\n", ">5, <4, invalid (bad relation), 1, 2"},
		{"not understood", "SMILES,relation,pIC50\nCCO,=,5\nCCN,=,4\nCCC,=,1\nCCC,=,2\nCCC,=,3\nCCC,>,4\nCCC,=,5\nCCC,=,6\nCCC,=,7\nCCC,#,9\n", "5, 4, 1, 2, 3, >4, 5, 6, 7, invalid (bad relation)"},
		{"people who operate", "SMILES,pIC50,Operator\nCCO,5,Müller\nCCN,>4,Weiß\n", "5, >4"},
		{"of the score among several", "SMILES,Ki,Ki_relation,IC50,IC50_relation\nCCO,1,>,5,=\nCCN,2,<,4,>\n", "5, >4"},
		{"of another column alone", "SMILES,Ki,Ki_relation,IC50\nCCO,1,>,5\nCCN,2,<,4\n", "5, 4"},
		{"the nearest", "SMILES,rel,LogD,qualifier,IC50\nCCO,>,1,=,5\nCCN,<,2,>,4\n", "5, >4"},
		{"of another column by its name", "SMILES,standard_relation,standard_value,IC50\nCCO,>,10000,5\nCCN,=,10,4\n", "5, 4"},
	} {
		o := table.Options{}
		if strings.Contains(test.content, "IC50") {
			o.Score = []string{map[bool]string{true: "pIC50", false: "IC50"}[strings.Contains(test.content, "pIC50")]}
		}
		tab := read(t, test.content, o)
		if got := scores(tab); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// A column whose name says that it holds relations, and whose cells do not, is named; people are none.
func TestRelationsNotUnderstood(t *testing.T) {
	for content, noted := range map[string]bool{
		"SMILES,Operator,pIC50\nCCO,exact,5\nCCN,upper,4\nCCC,lower,9\n": true,
		"SMILES,Operator,pIC50\nCCO,Ann,5\nCCN,Bob,4\nCCC,Ann,9\n":       false,
	} {
		tab := read(t, content, table.Options{})
		if got := strings.Contains(strings.Join(tab.Notes, "\n"), `column Operator is not read as relations: "upper" is none`); got != noted {
			t.Errorf("%q: notes %q", content, tab.Notes)
		}
	}
}

// A column that compares in words says so whatever its name is.
func TestRelationsByTheirWords(t *testing.T) {
	tab := read(t, "SMILES,Ki (nM),Call\nCCO,10000,greater than\nCCN,5,equal to\nCCC,1,less than\n", table.Options{})
	if got, want := scores(tab), ">10000, 5, <1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The relation of IC50 is the opposite one for pIC50.
func TestRelationOfALogarithm(t *testing.T) {
	for _, test := range []struct{ name, content, score, want string }{
		{"ChEMBL", "Smiles,Standard Relation,Standard Value,Standard Units,pChEMBL Value\nCCO,'>',10000,nM,5\nCCN,'=',10,nM,8\n", "pChEMBL Value", "<5, 8"},
		{"one for both", "SMILES,qualifier,IC50 (nM),pIC50\nCCO,>,10000,5\nCCN,=,10,8\n", "pIC50", "<5, 8"},
		{"of the logarithm by its name", "SMILES,IC50 (nM),pIC50 qualifier,pIC50\nCCO,10000,<,5\nCCN,10,=,8\n", "pIC50", "<5, 8"},
		{"of the logarithm alone", "SMILES,qualifier,pIC50\nCCO,<,5\nCCN,=,8\n", "pIC50", "<5, 8"},
	} {
		if got := scores(read(t, test.content, table.Options{Score: []string{test.score}})); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestCensoredRows(t *testing.T) {
	const content = "SMILES,relation,pIC50\nCCO,=,5\nCCN,<,4\nCCC,~,9\n"
	for _, test := range []struct {
		rule    table.Censored
		want    string
		summary string
	}{
		{table.Keep, "5, <4, 9", "3 rows: 1 with a bound, 1 approximate;"},
		{table.AsScore, "5, 4, 9", "3 rows: 1 with a bound as the score, 1 approximate;"},
		{table.Skip, "5, missing (bound skipped), 9", "3 rows: 1 with a bound, not used, 1 approximate;"},
		{table.Drop, "5, set aside (bound dropped), 9", "2 rows: 1 approximate, 1 set aside (<4 is a bound);"},
	} {
		tab := read(t, content, table.Options{Censored: test.rule})
		if got := scores(tab); got != test.want || !strings.HasPrefix(tab.Summary("rows"), test.summary) {
			t.Errorf("%q: %s; %s; want %s; %s", test.rule, got, tab.Summary("rows"), test.want, test.summary)
		}
	}
	tab := read(t, content, table.Options{Relation: table.NoRelation})
	if got := scores(tab); got != "5, 4, 9" {
		t.Errorf("without relations: %s, want 5, 4, 9", got)
	}
	tab = read(t, "SMILES,pIC50,what,flag\nCCO,5,<,=\nCCN,4,=,>\n", table.Options{Relation: "what"})
	if got := scores(tab); got != "<5, 4" {
		t.Errorf("with a column of relations that is named: %s, want <5, 4", got)
	}
}

// A column that says which scores are bounds, but not on which side, is no reason to take bounds for scores.
func TestCensoringWithoutASide(t *testing.T) {
	for _, content := range []string{"SMILES,pIC50,censored\nCCO,5,0\nCCN,4,1\n", "SMILES,pIC50,Is censored\nCCO,5,FALSE\nCCN,4,TRUE\n"} {
		_, err := table.Read(t.Context(), strings.NewReader(content), table.Options{})
		q, ok := errors.AsType[*table.Question](err)
		if !ok || len(q.Asks) != 1 || q.Asks[0].For != table.RoleRelation {
			t.Errorf("%q: %v, want a question about the relation", content, err)
		}
		if tab := read(t, content, table.Options{Relation: table.NoRelation}); scores(tab) != "5, 4" {
			t.Errorf("%q, without relations: %s", content, scores(tab))
		}
	}
	if tab := read(t, "SMILES,pIC50,censored\nCCO,5,0\nCCN,4,0\n", table.Options{}); scores(tab) != "5, 4" {
		t.Errorf("nothing is censored: %s, want 5, 4", scores(tab))
	}
}

// Rows of other kinds of measurement are set aside; kinds that are nearly as frequent are asked for.
func TestTypes(t *testing.T) {
	const several = "SMILES,Standard Type,Standard Value\nCCO,IC50,1\nCCN,IC50,2\nCCC,Ki,3\nCCF,Ki,4\nCCS,Inhibition,5\n"
	const chiefly = "SMILES,Standard Type,Standard Value\nCCO,IC50,1\nCCN,IC50,2\nCCC,Ki,3\nCCF,,4\n"
	for _, test := range []struct{ name, content, kind, want string }{
		{"one is that of most rows", chiefly, "", "1, 2, set aside (other type), set aside (other type)"},
		{"one is given", several, "ki", "set aside (other type), set aside (other type), 3, 4, set aside (other type)"},
		{"none is given", several, "", "column Standard Type has several kinds of measurement: IC50 (2), Ki (2), Inhibition (1)"},
		{"another is given", several, "EC50", "type EC50: no row is of this kind; there are IC50 (2), Ki (2), Inhibition (1)"},
		{"of a table without", "SMILES,score\nCCO,1\nCCN,2\n", "IC50", "type IC50: no column says what kinds of measurement there are"},
		{"another name", "SMILES,Activity Type,value\nCCO,IC50,1\nCCN,IC50,2\nCCC,% Inhibition,3\n", "", "1, 2, set aside (other type)"},
		{"types of something else", "SMILES,type,value\nCCO,binder,1\nCCN,decoy,2\n", "", "1, 2"},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Type: test.kind})
		got := fmt.Sprint(err)
		if err == nil {
			got = scores(tab)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	study := read(t, chiefly, table.Options{})
	if tab := read(t, strings.ReplaceAll(several, "IC50,2", "Ki,2"), table.Options{Like: study.Columns}); scores(tab) != "1"+strings.Repeat(", set aside (other type)", 4) {
		t.Errorf("the kind of the study: %s", scores(tab))
	}
}

// Bounds and values contradict each other only if they are of one string, or of one name where rows have no string.
func TestBoundsOfNames(t *testing.T) {
	for content, contradicted := range map[string]bool{
		"id,pIC50\n41,7.1\n42,>9\n": false, "id,pIC50\n41,7.1\n41,>9\n": true,
		"id,SMILES,pIC50\na,CCO,7.1\nb,CCN,>9\n": false, "id,SMILES,pIC50\na,CCO,7.1\nb,CCO,>9\n": true,
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(content), table.Options{Score: []string{"pIC50"}, Named: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(tab.Notes, "\n"), "contradict"); got != contradicted {
			t.Errorf("%q: notes %q, want a contradiction: %t", content, tab.Notes, contradicted)
		}
	}
}

// A bound in one cell is counted once, though its column is a further outcome and holds the scores, or makes them. So
// is a conversion.
func TestBoundsAreCountedOnce(t *testing.T) {
	made := func(tab *table.Table) {
		tab.ScoreBy(func(r *table.Record) string {
			if _, ok := r.Others["IC50"]; !ok {
				return "IC50"
			}
			r.Score, r.Bound = r.Others["IC50"], r.OtherBounds["IC50"]
			return ""
		})
	}
	none := []string{table.NoScores}
	for _, test := range []struct {
		name, content string
		o             table.Options
		change        func(*table.Table)
		want          string // the beginning of the summary
	}{
		{"the score is made of it", "id,SMILES,IC50,logS\na,CCO,<0.5,-2\nb,CCN,3,-3\n", table.Options{Score: none, Others: []string{"IC50", "logS"}}, made, "2 rows: 1 with a bound; column"},
		{"two bounds of a row", "id,SMILES,IC50,logS\na,CCO,<0.5,<-8\nb,CCN,3,-3\n", table.Options{Score: none, Others: []string{"IC50", "logS"}}, made, "2 rows: 1 with a bound; column"},
		{"a row for each", "id,SMILES,IC50,logS\na,CCO,<0.5,-2\nb,CCN,3,<-8\n", table.Options{Score: none, Others: []string{"IC50", "logS"}}, made,
			"2 rows: 1 with a bound, 1 with a bound of a further outcome; column"},
		{"a constraint on the score", "id,SMILES,IC50\na,CCO,<0.5\nb,CCN,3\n", table.Options{Score: []string{"IC50"}, Others: []string{"IC50"}}, nil, "2 rows: 1 with a bound; column"},
		{"a constraint on another column", "id,SMILES,IC50,logS\na,CCO,<0.5,-2\nb,CCN,3,<-8\n", table.Options{Score: []string{"IC50"}, Others: []string{"logS"}}, nil,
			"2 rows: 1 with a bound, 1 with a bound of a further outcome; column"},
		{"a conversion", "id,SMILES,IC50 (nM)\na,CCO,5 uM\nb,CCN,3\n", table.Options{Score: []string{"IC50 (nM)"}, Others: []string{"IC50 (nM)"}}, nil, "2 rows: 1 converted from µM to nM; column"},
	} {
		tab := read(t, test.content, test.o)
		if test.change != nil {
			test.change(tab)
		}
		if got := tab.Summary("rows"); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
