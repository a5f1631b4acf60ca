package table_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// asked returns the Question that a table raises.
func asked(t *testing.T, content string, o table.Options) *table.Question {
	t.Helper()
	_, err := table.Read(t.Context(), strings.NewReader(content), o)
	q, ok := errors.AsType[*table.Question](err)
	if !ok || !usage.Is(err) {
		t.Fatalf("%q: %v, want a question", content, err)
	}
	return q
}

// written writes what a Question asks for, with the candidates.
func written(q *table.Question) string {
	var all []string
	for _, a := range q.Asks {
		text := string(a.For) + ":"
		for _, c := range a.Candidates {
			text += fmt.Sprintf(" [%s: %s]", strings.Join(c.Names, "+"), c)
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n")
}

// Numbers that are no measurements are never scores unless they are named, even as the only numbers of a table.
func TestNumbersThatAreNoScores(t *testing.T) {
	for _, name := range []string{"NSC", "CID", "SID", "molregno", "aid", "row", "well", "page", "plate", "plate_id", "year", "n", "MW", "Mol. Weight", "Molecular Weight (g/mol)",
		"Heavy Atoms", "HeavyAtomCount", "num_heavy_atoms", "logP", "cLogP", "AlogP", "XLogP3", "TPSA", "PSA", "HBD", "H-Bond Donors", "HBA (Lipinski)", "#RO5 Violations",
		"Number of Rings", "NumRotatableBonds", "QED Weighted", "Fsp3", "Vendor ID", "Compound No", "CAS number", "Unnamed: 0", "index", "Document Year", "conc (uM)", "Hill slope",
		"Plate Row", "S/N", "Cpd #", "No. of heavy atoms", "Rot. bonds", "LogD7.4 (calc)", "Mol Wt", "ExactMolWt", "LabuteASA", "fr_phenol", "PEOE_VSA1", "Formula weight",
		"n_rings", "docking rank", "timestamp", "isoelectric point", "seq length", "95% CI lower", "log conc", "IC50_SD", "predicted pIC50 x", "calc", "PUBCHEM_CID", "length", "n_mutations", "SA score"} {
		content := "SMILES," + quote(name) + "\nCCO,740\nCCN,1003\nCCC,744\nCCF,755\n"
		q := asked(t, content, table.Options{Scored: true})
		if len(q.Asks) != 1 || q.Asks[0].For != table.RoleScore || len(q.Asks[0].Candidates) > 1 {
			t.Errorf("%s: %s, want a question about the score", name, written(q))
		}
		if tab := read(t, content, table.Options{Score: []string{name}}); scores(tab) != "740, 1003, 744, 755" && !strings.Contains(name, "pIC50") {
			t.Errorf("%s, by its name: %s", name, scores(tab))
		}
		if tab := read(t, content, table.Options{}); tab.Columns.Score != "" {
			t.Errorf("%s, where scores are not needed: the score is %q", name, tab.Columns.Score)
		}
	}
}

// What is normalized by something is a measurement, and by what is none alone.
func TestNormalized(t *testing.T) {
	for _, name := range []string{
		"RFU/OD600", "GFP/OD600", "GFP_OD600", "GFP per OD600", "Miller units/OD600", "RFU / OD 600", "sfGFP OD600", "RFU (norm. to OD600)", "RFU norm. by OD600", "OD600-normalized GFP",
		"GFP normalised to OD600", "RLU/cell number", "counts per cell", "U/mg protein", "activity / total protein", "Fluc/Rluc", "signal/enzyme conc", "titer per OD", "GFP_OD600_rep1",
	} {
		if got := offered(table.Read(t.Context(), strings.NewReader("sequence,"+name+"\nCTCTATCGTTCATGG,586\nACACTAGGGCACTGG,670\nACAGTGGAATTCACC,40\n"), table.Options{CSV: true, Scored: true, Sequences: table.Detect})); got != name+", 3 rows" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, name := range []string{"OD600", "final OD600", "OD600 at harvest", "RFU/OD600 SD", "SD of RFU/OD600", "conc. per well", "dose/cell"} {
		got := offered(table.Read(t.Context(), strings.NewReader("sequence,"+name+"\nCTCTATCGTTCATGG,0.586\nACACTAGGGCACTGG,0.67\nACAGTGGAATTCACC,0.4\n"), table.Options{CSV: true, Scored: true, Sequences: table.Detect}))
		if !strings.Contains(got, "looks like an error or a condition") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Contents tell numbers of a registry and indices, too, but not from a few rows, and not those of a column that is
// known for scores.
func TestNumbersThatLookLikeIdentifiers(t *testing.T) {
	for _, test := range []struct{ name, header, cells, score string }{
		{"increasing", "foo", "3 7 12 90 91", ""},
		{"an index from 0", "foo", "0 1 2 3", ""},
		{"registry numbers in no order", "foo", "74001 12033 99412", ""},
		{"years", "foo", "1999 2004 1999 2011", ""},
		{"three small numbers", "foo", "1 2 3", "foo"},
		{"integers in no order", "foo", "3 12 7 90", "foo"},
		{"integers that repeat", "foo", "3 7 7 90", "foo"},
		{"decimals", "foo", "3.5 7.5 9.5 90.1", "foo"},
		{"a known name", "IC50", "3 7 12 90 91", "IC50"},
		{"a known name with more", "hERG IC50 (nM)", "10003 20007 30012", "hERG IC50 (nM)"},
		{"activity", "activity", "1 2 3 4 5", "activity"},
	} {
		content := "sequence," + test.header + "\n"
		for i, cell := range strings.Fields(test.cells) {
			content += fmt.Sprintf("MK%c,%s\n", 'A'+i, cell)
		}
		if tab := read(t, content, table.Options{}); tab.Columns.Score != test.score {
			t.Errorf("%s: the score is %q, want %q", test.name, tab.Columns.Score, test.score)
		}
	}
}

// Properties of the strings are known by what they are, too.
func TestNumbersThatAreDerived(t *testing.T) {
	if molecule.Available() != nil {
		t.Skip("this build has no RDKit")
	}
	for _, test := range []struct{ name, cells, score string }{
		{"weights", "46.07 45.08 44.10 48.06", ""},
		{"weights with few digits", "46.1 45.1 44.1 48.1", ""},
		{"polar surfaces", "20.23 26.02 0 0", ""},
		{"heavy atoms", "3 3 3 3", ""},
		{"what only begins as weights do", "46.1 45.1 12 7", "foo"},
		{"something else", "5.1 6.2 7.3 4", "foo"},
	} {
		content := "SMILES,foo\n"
		for i, smiles := range []string{"CCO", "CCN", "CCC", "CCF"} {
			content += smiles + "," + strings.Fields(test.cells)[i] + "\n"
		}
		if tab := read(t, content, table.Options{}); tab.Columns.Score != test.score {
			t.Errorf("%s: the score is %q, want %q", test.name, tab.Columns.Score, test.score)
		}
	}
}

// All that is not clear is asked at once, each candidate with its count and an example.
func TestQuestion(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"three SMILES", "Base_SMILES,Ligand_SMILES,Solvent_SMILES,yield\n[K+],CPC,CCO,10\n[Cs+],CCP,CCO,30\n",
			"input: [Base_SMILES: 2 values, such as [K+]] [Ligand_SMILES: 2 values, such as CPC] [Solvent_SMILES: 2 values, such as CCO]"},
		{"SMILES of partners", "reactant smiles,product smiles,y\nCCO,CC=O,10\nCCCO,CCC=O,30\n",
			"input: [reactant smiles: 2 values, such as CCO] [product smiles: 2 values, such as CC=O]"},
		{"replicates", "SMILES,rep1,rep2,rep3\nCCO,1,1.2,1.1\nCCN,2,2.1,\n", "score: [rep1+rep2+rep3: 5 values, 1 to 2.1; perhaps replicates]"},
		{"replicates, their mean and its error", "SMILES,IC50_1,IC50_2,IC50_mean,IC50_SD,n\nCCO,120,100,110,14,2\nCCN,55,65,60,7,2\n",
			"score: [IC50_1+IC50_2: 4 values, 55 to 120; perhaps replicates] [IC50_mean: 2 values, 60 to 110; its error is in column IC50_SD]"},
		{"runs and their mean, in brackets", "SMILES,pKi avg,pKi (run 1),pKi (run 2)\nCCO,6.1,6,6.2\nCCN,6.5,6.4,6.6\n",
			"score: [pKi avg: 2 values, 6.1 to 6.5] [pKi (run 1)+pKi (run 2): 4 values, 6 to 6.6; perhaps replicates]"},
		{"two scales of one", "SMILES,IC50 (nM),pIC50\nCCO,100,7\nCCN,,\nCCC,>1000,6\n", "score: [IC50 (nM): 2 values, 100 to 1000 nM] [pIC50: 2 values, 6 to 7]"},
		{"units of rows", "SMILES,standard_value,standard_units,pchembl_value\nCCO,100,nM,7\nCCN,1,uM,6\n",
			"score: [standard_value: 2 values, 1 to 100 nM and µM] [pchembl_value: 2 values, 6 to 7]"},
		{"all of it", "Base_SMILES,Ligand_SMILES,yield,ki\n[K+],CPC,5,1\n[Cs+],CCP,8,2\n", "input: [Base_SMILES: 2 values, such as [K+]] [Ligand_SMILES: 2 values, such as CPC]"},
		{"strings and scores", "a,b,u,v\nfoo,bar,1.5,7\nbaz,qux,2.5,6\n",
			"input: [a: 2 values, such as foo] [b: 2 values, such as bar]\nscore: [u: 2 values, 1.5 to 2.5] [v: 2 values, 6 to 7]"},
		{"kinds that are no quantities beside one", "SMILES,Property,Value,Unit\nCCO,IC50,12,nM\nCCO,Sol,100,uM\nCCN,IC50,15,nM\nCCN,Sol,50,uM\n", "type: [IC50: 2 values] [Sol: 2 values]"},
		{"scores and kinds", "SMILES,type,u,v\nCCO,IC50,1.5,7\nCCN,Ki,2.5,6\n", "score: [u: 2 values, 1.5 to 2.5] [v: 2 values, 6 to 7]\ntype: [IC50: 1 value] [Ki: 1 value]"},
		{"no scores", "SMILES,name,MW\nCCO,a,46.1\nCCN,b,45.1\n", "score: [MW: 2 values, 45.1 to 46.1; looks computed from the structure]"},
		{"kinetic constants", "sequence,kcat (1/s),Km (uM)\nMKA,1,100\nMKC,2,50\n", "score: [kcat (1/s): 2 values, 1 to 2 1/s] [Km (uM): 2 values, 50 to 100 µM]"},
		{"kinetic constants and their ratio", "sequence,kcat,Km,kcat/Km\nMKA,1,100,0.01\nMKC,2,50,0.04\n",
			"score: [kcat: 2 values, 1 to 2] [Km: 2 values, 50 to 100] [kcat/Km: 2 values, 0.01 to 0.04]"},
		{"a name that may be a score beside other measurements", "sequence,kcat,Tm,yield\nMKA,1,50,10\nMKC,2,51,14\n",
			"score: [kcat: 2 values, 1 to 2] [Tm: 2 values, 50 to 51] [yield: 2 values, 10 to 14]"},
		{"hits", "sequence,padj,hit\nMKA,0.01,1\nMKC,0.2,0\nMKD,0.03,1\n",
			"score: [padj: 3 values, 0.01 to 0.2; looks like an error or a condition of a measurement] [hit: 3 values, 0 to 1; says yes or no]"},
		{"names", "Compound,IC50 (nM)\npropranolol,3\natenolol,4\n", "input: [Compound: 2 values, such as propranolol]"},
		{"two replicates", "sequence,R1,R2\nMKA,1,1.1\nMKC,2,2.1\n", "score: [R1+R2: 4 values, 1 to 2.1; perhaps replicates]"},
		{"three replicates", "sequence,R1,R2,R3\nMKA,1,1.1,1\nMKC,2,2.1,2\n", "score: [R1+R2+R3: 6 values, 1 to 2.1; perhaps replicates]"},
		{"columns of one name", "SMILES,IC50,IC50\nCCO,5,7\nCCN,6,8\n", "score: [2: 2 values, 5 to 6; called IC50] [3: 2 values, 7 to 8; called IC50]"},
		{"mutants", "mutant,fitness\nA24T,1\nK3R,2\n", "wild type: [mutant: 2 values, such as A24T]"},
	} {
		if got := written(asked(t, test.content, table.Options{Scored: true})); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	long := strings.Repeat("a long name ", 8) + "(nM)"
	q := asked(t, "SMILES,"+quote(long)+",another\nCCO,1.5,2.5\nCCN,2.5,3.5\n", table.Options{})
	if got := q.Asks[0].Candidates[0].Names[0]; got != long {
		t.Errorf("the name is %q, want it whole", got)
	}
	q = asked(t, "Compound ID,Name,SMILES,u,v\nL1,x,CCO,1.5,2.5\nL2,y,CCN,2.5,3.5\n", table.Options{})
	if len(q.IDs) != 2 || q.ID != "Compound ID" || q.IDs[1].String() != "2 values, such as x" {
		t.Errorf("columns of names: %+v, default %q", q.IDs, q.ID)
	}
}

// A column that is certain is taken though others are like it.
func TestNoQuestion(t *testing.T) {
	for _, test := range []struct{ name, content, input, score string }{
		{"a mean with its deviation and number, as CDD Vault names them", "SMILES,Kinase X: IC50 (nM),Kinase X: IC50 (nM) (SD),Kinase X: IC50 (nM) (Num)\nCCO,61,6,3\nCCN,65,6,2\n", "SMILES", "Kinase X: IC50 (nM)"},
		{"SMILES beside those of something else", "SMILES,Scaffold_SMILES,pIC50\nCCO,CC,5\nCCN,CC,6\n", "SMILES", "pIC50"},
		{"one column of SMILES with another name", "OPENADMET_CANONICAL_SMILES,PXR_pEC50,dataset\nCCO,5,train\nCCN,6,test\n", "OPENADMET_CANONICAL_SMILES", "PXR_pEC50"},
		{"an empty column of SMILES", "SMILES_old,new smiles,y\n,CCO,5\n,CCN,6\n", "new smiles", "y"},
		{"a potency beside its raw data", "SMILES,Conc,Activity,IC50\nCCO,1,10,3.4\nCCN,1,20,0.5\n", "SMILES", "IC50"},
		{"measured beside predicted", "smiles,measured log S,ESOL predicted log S,MW\nCCO,-1,-1.1,46\nCCN,-2,-1.9,45\n", "smiles", "measured log S"},
		{"a likely name beside what is no measurement", "SMILES,yield,p-value,adj. p-value,FDR,OD600,yield error,CI_low,R2\nCCO,1.5,0.1,0.1,0.1,0.4,0.2,1.2,0.9\nCCN,2.5,0.1,0.1,0.1,0.4,0.2,2.2,0.9\n", "SMILES", "yield"},
		{"a name that is certain", "SMILES,activity,y,z\nCCO,1.5,0.1,2\nCCN,2.5,0.2,4\n", "SMILES", "y"},
		{"a potency beside a constant of enzymes", "SMILES,Ki,Km\nCCO,1.5,0.1\nCCN,2.5,0.2\n", "SMILES", "Ki"},
		{"a score beside sigma", "aa_seq,growth,sigma\nMKTAYIAK,1.5,0.1\nMKTAYIAR,2.5,0.2\n", "aa_seq", "growth"},
		{"sigma alone", "aa_seq,sigma\nMKTAYIAK,1.5\nMKTAYIAR,2.5\n", "aa_seq", "sigma"},
		{"a score beside its error", "SMILES,Tm_shift,Tm_shift_SD,n\nCCO,1.5,0.1,2\nCCN,2.5,0.2,2\n", "SMILES", "Tm_shift"},
	} {
		tab := read(t, test.content, table.Options{Scored: true})
		if c := tab.Columns; c.Input != test.input || c.Score != test.score {
			t.Errorf("%s: input %q and score %q, want %q and %q", test.name, c.Input, c.Score, test.input, test.score)
		}
	}
}

// Several columns of scores hold replicates: a record each, but for cells that are empty.
func TestReplicates(t *testing.T) {
	for _, test := range []struct {
		name, content string
		score         []string
		want, called  string
	}{
		{"rep1 to rep3", "sequence,rep1,rep2,rep3\nMK,1.0,1.2,1.1\nMR,2.0,2.1,\nMA,,,\n", []string{"rep1", "rep2", "rep3"}, "1, 1.2, 1.1, 2, 2.1, missing (no value)", "score"},
		{"R1 and R2", "SMILES,R1,R2\nCCO,1,1.2\nCCN,2,\n", []string{"R1", "R2"}, "1, 1.2, 2", "score"},
		{"the same twice", "SMILES,IC50_1,IC50_2\nCCO,5,5\nCCN,6,7\n", []string{"IC50_1", "IC50_2"}, "5, 5, 6, 7", "IC50"},
		{"units", "SMILES,IC50 1 (nM),IC50 2 (uM)\nCCO,5,1\nCCN,6,>2\n", []string{"IC50 1 (nM)", "IC50 2 (uM)"}, "5, 1000, 6, >2000", "IC50"},
		{"a cell that is no number", "SMILES,a,b\nCCO,5,x\nCCN,6,7\n", []string{"a", "b"}, "5, 6, 7", "score"},
		{"one that failed", "SMILES,a,b\nCCO,failed: stuck,\nCCN,6,failed\n", []string{"a", "b"}, "failed (measurement failed), 6", "score"},
	} {
		tab := read(t, test.content, table.Options{Score: test.score})
		if got := scores(tab); got != test.want || tab.Columns.Score != test.called || !slices.Equal(tab.Columns.From, test.score) {
			t.Errorf("%s: %s as %q of %q, want %s as %q", test.name, got, tab.Columns.Score, tab.Columns.From, test.want, test.called)
		}
		again := read(t, test.content, table.Options{Like: tab.Columns})
		if got := scores(again); got != test.want {
			t.Errorf("%s: as a table of the same study: %s, want %s", test.name, got, test.want)
		}
	}
	tab := read(t, "SMILES,IC50_1,IC50_2\nCCO,5,6\nCCN,6,7\n", table.Options{Score: []string{"IC50_1", "IC50_2"}})
	if later := read(t, "SMILES,IC50\nCCC,5\nCCF,6\n", table.Options{Like: tab.Columns}); scores(later) != "5, 6" {
		t.Errorf("a later table with one column: %s, want 5, 6", scores(later))
	}
	if r := tab.Records[1]; r.Line != 2 || r.Lines != 0 {
		t.Errorf("the second replicate is of line %d and takes %d, want 2 and 0", r.Line, r.Lines)
	}
}

// A standard deviation is divided by the root of the number of measurements.
func TestStandardDeviations(t *testing.T) {
	for _, test := range []struct {
		name, content string
		options       table.Options
		want          string
	}{
		{"given", "SMILES,IC50_mean,spread,n\nCCO,110,14,4\nCCN,60,7,\nCCC,60,-7,4\n", table.Options{Score: []string{"IC50_mean"}, SD: "spread"}, `7 0 (standard error spread "7" is not used: n is "") 0 (standard error spread "-7" is not used)`},
		{"by its name", "SMILES,IC50_mean,IC50_SD,n\nCCO,110,14,4\nCCN,60,,4\n", table.Options{}, "7 0"},
		{"by its name alone", "SMILES,pIC50,sd,count\nCCO,5,0.4,4\nCCN,6,0.1,1\n", table.Options{}, "0.2 0.1"},
		{"without a number", "SMILES,pIC50,sd\nCCO,5,0.4\nCCN,6,0.1\n", table.Options{}, "0 0"},
		{"given, without a number", "SMILES,pIC50,sd\nCCO,5,0.4\nCCN,6,0.1\n", table.Options{SD: "sd"}, "0.4 0.1"},
		{"0, or of no measurement", "SMILES,pIC50,sd,n\nCCO,5,0,4\nCCN,6,0.1,0\nCCC,6,0.1,\nCCF,6,0.2,4\n", table.Options{},
			`0 (standard error sd "0" is not used: it is 0) 0 (standard error sd "0.1" is not used: n is "0") 0 (standard error sd "0.1" is not used: n is "") 0.1`},
		{"a standard error of 0", "SMILES,pIC50,sem\nCCO,5,0\nCCN,6,0.1\n", table.Options{}, `0 (standard error sem "0" is not used: it is 0) 0.1`},
		{"beside a standard error", "SMILES,pIC50,sem,sd,n\nCCO,5,0.3,0.4,4\nCCN,6,0.2,0.1,1\n", table.Options{}, "0.3 0.2"},
	} {
		var got []string
		for _, r := range read(t, test.content, test.options).Records {
			got = append(got, fmt.Sprintf("%.4g", r.SE))
			if r.Note != "" {
				got = append(got, "("+r.Note+")")
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s, want %s", test.name, strings.Join(got, " "), test.want)
		}
	}
}

// A column of errors of either kind is not used, which is said.
func TestErrorsOfEitherKind(t *testing.T) {
	for header, said := range map[string]bool{"Ki (nM),Ki error": true, "pKi,pKi_err": true, "pKi,uncertainty": true, "pKi,dose": false, "pKi,pKi_sem": false} {
		tab := read(t, "SMILES,"+header+"\nCCO,5,0.5\nCCN,7,0.25\n", table.Options{Score: []string{strings.Split(header, ",")[0]}})
		if got := strings.Contains(strings.Join(tab.Notes, "\n"), "give it as se if it holds standard errors"); got != said {
			t.Errorf("%s: notes %q", header, tab.Notes)
		}
	}
}

// The error of another column of numbers is none of the score, which has none then.
func TestErrorsOfOtherColumns(t *testing.T) {
	const note = "column %s is not used: it is the error of column %s, and not of %s"
	for _, test := range []struct{ name, header, score, se, note string }{
		{"of a part of a ratio", "kcat,kcat_se,kcat/Km", "kcat/Km", "", fmt.Sprintf(note, "kcat_se", "kcat", "kcat/Km")},
		{"of a ratio's first", "binding,binding_se,binding/expression", "binding/expression", "", fmt.Sprintf(note, "binding_se", "binding", "binding/expression")},
		{"of a shorter name", "Tm (°C),Tm_se (°C),Tm onset", "Tm onset", "", fmt.Sprintf(note, "Tm_se (°C)", "Tm (°C)", "Tm onset")},
		{"of a name without brackets", "Tm,Tm_se,Tm (rel)", "Tm (rel)", "", fmt.Sprintf(note, "Tm_se", "Tm", "Tm (rel)")},
		{"in brackets", "binding,expression,SE (expression)", "binding", "", fmt.Sprintf(note, "SE (expression)", "expression", "binding")},
		{"of something", "binding,expression,SEM of expression", "binding", "", ""},

		{"its own", "kcat,kcat_se,kcat/Km", "kcat", "kcat_se", ""},
		{"its own, in brackets", "binding,expression,SE (expression)", "expression", "SE (expression)", ""},
		{"its own behind another", "Tm,Tm_se,Tm (rel),SE (Tm rel)", "Tm (rel)", "SE (Tm rel)", ""},
		{"of DiMSum", "fitness,sigma", "fitness", "sigma", ""},
		{"of DiMSum, by name", "fitness,growthrate,fitness_sigma,growthrate_sigma", "fitness", "fitness_sigma", ""},
		{"a score that is called so", "sigma,y", "sigma", "", ""},
		{"of a mean", "IC50_mean,IC50_SE,y", "IC50_mean", "IC50_SE", ""},
		{"without a name", "kcat,SE,Km", "kcat", "SE", ""},
	} {
		content := "sequence," + test.header + "\n"
		for _, sequence := range []string{"MKA", "MKC", "MKD"} {
			content += sequence + strings.Repeat(",1.5", strings.Count(test.header, ",")+1) + "\n"
		}
		tab := read(t, content, table.Options{Score: []string{test.score}})
		if got := strings.Join(tab.Notes, "\n"); tab.Columns.SE != test.se || got != test.note {
			t.Errorf("%s: the error is in column %q, %q; want %q, %q", test.name, tab.Columns.SE, got, test.se, test.note)
		}
	}
	tab := read(t, "sequence,kcat,SE,Km,SE\nMKA,1,0.1,2,0.2\nMKC,2,0.1,3,0.2\n", table.Options{Score: []string{"Km"}})
	if se := tab.Records[0].SE; se != 0.2 {
		t.Errorf("of two columns SE, a standard error of %g, want 0.2, that behind the score", se)
	}
}

// A table where most rows fail is refused with the most frequent reason.
func TestUnusable(t *testing.T) {
	for _, test := range []struct {
		name, content string
		options       table.Options
		want          string
		code          table.Code
	}{
		{"names for SMILES", "SMILES,pIC50\naspirin,5\nibuprofen,6\n", table.Options{Normalize: letters}, "2 of 2 rows cannot be used, most of them like line 2: no molecule", table.BadString},
		{"polymers", "SMILES,Tg\n*CC*,5\n*CC(*)C,6\n", table.Options{Normalize: letters}, "2 of 2 rows cannot be used, most of them like line 2: no molecule, and repeat units of polymers and R groups are not read: write what stands there, such as [H] or C", table.IsOpen},
		{"reactions", "SMILES,pIC50\nCCO>>CC=O,5\nCCCO>O>CCC=O,6\n", table.Options{Normalize: letters}, `2 of 2 rows cannot be used, most of them like line 2: "CCO>>CC=O" is a reaction, not a molecule`, table.IsReaction},
		{"bounds with errors", "SMILES,IC50\nCCO,>5 ± 1\nCCN,>6±1\nCCC,7\n", table.Options{}, `2 of 3 rows cannot be used, most of them like line 2: ">5 ± 1" is a bound with an error: write a bound or a value`, table.WithError},
		{"words", "SMILES,y\nCCO,1\nCCN,<LOD\nCCC,no expression\nCCF,insoluble\nCF,dead\nCO,Inactive\nCN,no activity\nCS,dead\nC,2\nN,lost\n", table.Options{}, `8 of 10 rows cannot be used, most of them like line 3: "<LOD" is not a number; ` +
			"if no expression, insoluble, dead and lost mean that a measurement failed, write failed: no expression and so on, from which the search learns; " +
			"for <LOD, Inactive and no activity write the limit as a bound, such as <0.1 or >100", table.NotNumber},
		{"a word in all rows", "id,SMILES,y\n10,CCO,no expression\n", table.Options{Score: []string{"y"}}, `1 of 1 rows cannot be used, most of them like line 2: "no expression" is not a number; if no expression means that a measurement failed, write failed: no expression, from which the search learns`, table.NotNumber},
		{"no mutants", "mutant,y\nK3R,4\nK3del,6\nG4del,7\n", table.Options{WildType: "MAKG"}, "2 of 3 rows cannot be used, most of them like line 3: \"K3del\" is a deletion", table.BadMutant},
		{"the most frequent", "SMILES,y\nCCO,x\nCCN,>5 ± 1\nCCC,>6 ± 1\nCCF,1\n", table.Options{}, "3 of 4 rows cannot be used, most of them like line 3: \">5 ± 1\"", table.WithError},
	} {
		err := read(t, test.content, test.options).MostlyUsable()
		e, ok := errors.AsType[*table.Unusable](err)
		if !ok || !usage.Is(err) || !strings.HasPrefix(err.Error(), test.want) || e.Reason.Code != test.code {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	if err := read(t, "SMILES,y\nCCO,x\nCCN,5\n", table.Options{}).MostlyUsable(); err != nil {
		t.Errorf("half of the rows: %v", err)
	}
}

// Words that stand for numbers are named, with what to write instead.
func TestWordsForNumbers(t *testing.T) {
	const learns = "from which the search learns"
	for _, test := range []struct{ name, rows, want string }{
		{"one word", "1,9\n2,9\ndead,9\n", "if dead means that a measurement failed, write failed: dead, " + learns},
		{"several words", "1,9\n2,9\n3,9\ndead,9\nno expression,9\nDead,9\n", "if dead and no expression mean that a measurement failed, write failed: dead and so on, " + learns},
		{"a limit", "1,9\n2,9\n> LOD,9\n", "for > LOD write the limit as a bound, such as <0.1 or >100"},
		{"in a further outcome", "1,9\n2,not folded\n", "if not folded means that a measurement failed, write failed: not folded, " + learns},
		{"other text", "1,9\n2,9\n#DIV/0!,9\n1.2.3,9\n", ""},
	} {
		tab := read(t, "SMILES,y,Tm\nCCO,"+strings.ReplaceAll(strings.TrimSpace(test.rows), "\n", "\nCCO,")+"\n", table.Options{Score: []string{"y"}, Others: []string{"Tm"}})
		if got := strings.Join(tab.Notes, "\n"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Scores in words, signs or with a times sign are refused with what to write instead.
func TestScoresInWords(t *testing.T) {
	for _, test := range []struct{ name, cells, want string }{
		{"Outcome", "Active Inactive Active", "Active and Inactive: write 1 for Active and 0 for Inactive"},
		{"Hit", "no no yes", "no and yes: write 1 for yes and 0 for no"},
		{"Activity", "+++ - + ++", "+++, + and ++: write numbers, such as 3 for +++, 2 for ++, 1 for + and 0 for -"},
		{"IC50 range", "A B B C", "B, A and C: write numbers, such as 3, 2 and 1, the best class first"},
		{"Potency", "high low low medium", "low, high and medium: write numbers, such as 3, 2 and 1, the best class first"},
		{"Fold change", "2.5x 3x 0.1x", "numbers with x: write them without it"},
		{"Fold change", "2.5-fold 3-fold", "numbers with -fold: write them without it"},
	} {
		text := "SMILES," + test.name + "\n"
		for i, cell := range strings.Fields(test.cells) {
			text += strings.Repeat("C", i+1) + "," + cell + "\n"
		}
		q := asked(t, text, table.Options{Scored: true})
		if want := "column " + test.name + " holds " + test.want; q.Hint != want {
			t.Errorf("%s: %q, want %q", test.cells, q.Hint, want)
		}
		err := read(t, text, table.Options{Score: []string{test.name}}).MostlyUsable()
		if err == nil || !strings.HasSuffix(err.Error(), "the scores are "+test.want) {
			t.Errorf("%s by name: %v, want %q", test.cells, err, test.want)
		}
	}
	if q := asked(t, "SMILES,Series,Ring\nC,A,small\nCC,B,small\nCCC,B,big\n", table.Options{Scored: true}); q.Hint != "" {
		t.Errorf("no scores: %q", q.Hint)
	}
}

// Columns of SMILES are meant to be molecules by their names, or by most cells, CXSMILES included.
func TestAreMolecules(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		text, input string
		want        bool
	}{
		{"CXSMILES,y\nC1CC |&1:1|,5\nC1CC |a:1|,6\n", "", true},
		{"structure,y\nC[C@H](N)C(=O)O |&1:1|,5\nC[C@H](F)Cl |o1:1|,6\nCCO,7\n", "structure", true},
		{"structure,y\nMKV,5\nMKL,6\n", "structure", false},
	} {
		got, err := table.AreMolecules(strings.NewReader(test.text), table.Options{Input: test.input})
		if err != nil || got != test.want {
			t.Errorf("%q: %v, %v, want %v", test.text, got, err, test.want)
		}
	}
}

// Scores of one molecule in several assays are taken for replicates, which is said; a type takes those of one.
func TestAssays(t *testing.T) {
	const several = "SMILES,Assay,IC50 (nM)\nCCO,Biochemical,12\nCCO,Cell,1200\nCCN,Biochemical,3\nCCC,Cell,30\nCCF,Biochemical,9\n"
	for _, test := range []struct {
		name, text string
		o          table.Options
		measured   int
		note       string
	}{
		{"several", several, table.Options{}, 5, "column Assay has several assays, Biochemical (3), Cell (2), and scores of one string in several of them are taken as replicates, as of 1 strings; give Biochemical as type to take those of one"},
		{"one of them", several, table.Options{Type: "cell"}, 2, ""},
		{"under any name", "SMILES,Test,IC50 (nM)\nCCO,KDR,12\nCCO,hERG,9000\nCCN,KDR,3\nCCN,hERG,30\n", table.Options{}, 4, "column Test has several values, KDR (2), hERG (2), and scores of one string in several of them are taken as replicates, as of 2 strings; give KDR as type to take those of one"},
		{"one of any name", "SMILES,Test,IC50 (nM)\nCCO,KDR,12\nCCO,hERG,9000\nCCN,KDR,3\nCCN,hERG,30\n", table.Options{Type: "KDR"}, 2, ""},
		{"batches", "SMILES,Batch,IC50 (nM)\nCCO,A,12\nCCO,B,90\nCCN,A,3\nCCN,B,30\n", table.Options{}, 4, ""},
		{"a word that few strings have several of", "SMILES,Colour,IC50 (nM)\nCCO,red,12\nCCO,blue,90\nCCN,red,3\nCCN,red,30\nCCC,blue,1\nCCC,blue,2\n", table.Options{}, 6, ""},
		{"one a string", "SMILES,Assay,IC50 (nM)\nCCO,Biochemical,12\nCCN,Cell,3\n", table.Options{}, 2, ""},
		{"replicates of one", "SMILES,Assay,IC50 (nM)\nCCO,Cell,12\nCCO,Cell,14\nCCN,Biochemical,3\n", table.Options{}, 3, ""},
		{"targets without a string in common", "SMILES,Target Name,IC50 (nM)\nC,A,1\nCC,A,2\nCCC,A,3\nCCCC,A,4\nCO,A,5\nCCO,A,6\nN,B,7\nCN,B,8\nCCN,B,9\nCCCN,B,10\n", table.Options{}, 10,
			"column Target Name has several assays, A (6), B (4), which have no string in common, and their scores are compared as if they were of one; give A as type to take those of one"},
		{"an assay without a name", "SMILES,Cell line,IC50 (nM)\nCCO,,12\nCCO,MCF7,90\nCCN,,3\nCCN,MCF7,30\n", table.Options{Type: table.NoType}, 4,
			"column Cell line has several assays, blank (2), MCF7 (2), and scores of one string in several of them are taken as replicates, as of 2 strings; give MCF7 as type to take those of one"},
		{"a wild type without a name", "SMILES,Assay Variant Mutation,IC50 (nM)\nCCO,,12\nCCO,V617F,90\nCCN,,3\nCCN,V617F,30\n", table.Options{}, 4,
			"column Assay Variant Mutation has several values, blank (2), V617F (2), and scores of one string in several of them are taken as replicates, as of 2 strings; give V617F as type to take those of one"},
		{"blank as few strings have it", "SMILES,Cell line,IC50 (nM)\nCCO,,12\nCCO,MCF7,90\nCCN,,3\nCCN,,30\nCCC,MCF7,3\nCCC,MCF7,4\n", table.Options{}, 6, ""},
		{"yes and no", "SMILES,Counterscreen,IC50 (nM)\nCCO,no,12\nCCO,yes,90\nCCN,no,3\nCCN,yes,30\n", table.Options{}, 4,
			"column Counterscreen has several values, no (2), yes (2), and scores of one string in several of them are taken as replicates, as of 2 strings; give no as type to take those of one"},
		{"called as strings may be", "SMILES,Protein,IC50 (nM)\nCCO,JAK1,12\nCCO,JAK2,90\nCCN,JAK1,3\nCCN,JAK2,30\n", table.Options{}, 4,
			"column Protein has several values, JAK1 (2), JAK2 (2), and scores of one string in several of them are taken as replicates, as of 2 strings; give JAK1 as type to take those of one"},
		{"beside kinds", "SMILES,Standard Type,Target Name,Standard Value,Standard Units\nCCO,Ki,A,12,nM\nCCO,Ki,B,1200,nM\nCCN,Ki,A,3,nM\n", table.Options{}, 3,
			"column Target Name has several assays, A (2), B (1), and scores of one string in several of them are taken as replicates, as of 1 strings; give A as type to take those of one"},
		{"one of them beside kinds", "SMILES,Standard Type,Target Name,Standard Value,Standard Units\nCCO,Ki,A,12,nM\nCCO,Ki,B,1200,nM\nCCN,IC50,B,3,nM\nCCC,IC50,B,3,nM\nCCF,IC50,B,3,nM\n", table.Options{Type: "b"}, 3, ""},
		{"as the study has it", "SMILES,Standard Type,Target Name,Standard Value,Standard Units\nCCO,Ki,A,12,nM\nCCO,Ki,B,1200,nM\nCCN,Ki,B,3,nM\n",
			table.Options{Like: table.Columns{Input: "SMILES", Score: "Standard Value", Unit: "nM", Type: "Ki", Assay: "B"}}, 2, ""},
	} {
		read := read(t, test.text, test.o)
		measured := 0
		for _, r := range read.Records {
			if r.State == table.Measured {
				measured++
			}
		}
		if got := strings.Join(read.Notes, "\n"); measured != test.measured || got != test.note {
			t.Errorf("%s: %d measured, %q, want %d, %q", test.name, measured, got, test.measured, test.note)
		}
	}
	if _, err := table.Read(t.Context(), strings.NewReader(several), table.Options{Type: "in vivo"}); err == nil || !strings.Contains(err.Error(), "no row is of this kind; there are Biochemical (3), Cell (2)") {
		t.Errorf("error %v", err)
	}
}

// Where nearly all strings have scores of several assays or conditions, such as doses, these are hardly replicates.
func TestSeveralOfEachString(t *testing.T) {
	for _, text := range []string{
		"SMILES,concentration (uM),inhibition (%)\nCCO,1,12\nCCO,10,60\nCCN,1,5\nCCN,10,40\nCCC,1,70\nCCC,10,99\n",
		"SMILES,Assay,pIC50\nCCO,1,7.1\nCCO,10,6\nCCN,1,5\nCCN,10,4\nCCC,1,7\nCCC,10,8.9\n",
	} {
		_, err := table.Read(t.Context(), strings.NewReader(text), table.Options{})
		q, ok := errors.AsType[*table.Question](err)
		if !ok || len(q.Asks) != 1 || q.Asks[0].For != table.RoleType {
			t.Errorf("%q: error %v, want a question", text, err)
			continue
		}
		var answers []string
		for _, c := range q.Asks[0].Candidates {
			answers = append(answers, c.Names[0])
		}
		if want := []string{"1", "10", table.NoType}; !slices.Equal(answers, want) {
			t.Errorf("%q: answers %q, want %q", text, answers, want)
		}
		for answer, n := range map[string]int{"10": 3, table.NoType: 6} {
			if got := read(t, text, table.Options{Type: answer}).Counts()[table.Measured]; got != n {
				t.Errorf("%q: %d measured of type %s, want %d", text, got, answer, n)
			}
		}
	}
}

// Scores of one string under several conditions are taken as replicates if few strings have them or that is said, which
// is noted with the columns that say so.
func TestConditions(t *testing.T) {
	const note = "column %s has several conditions, %s, and scores of one string in several of them are taken as replicates, as of 2 strings; give %s as type to take those of one"
	replicates := table.Options{Type: table.NoType}
	const two = "sequence,substrate,assay pH,activity\nMKA,pNPA,7,1\nMKA,pNPB,7.5,2\nMKC,pNPA,7,2\nMKC,pNPB,7.5,1\n"
	for _, test := range []struct {
		name, content string
		options       table.Options
		measured      int
		notes         []string
	}{
		{"temperatures", "sequence,temperature (°C),activity\nMKA,30,1\nMKA,60,2\nMKC,30,2\nMKC,60,1\n", replicates, 4, []string{fmt.Sprintf(note, "temperature (°C)", "30 (2), 60 (2)", "30")}},
		{"one of them", "sequence,temperature (°C),activity\nMKA,30,1\nMKA,60,2\nMKC,30,2\nMKC,60,1\n", table.Options{Type: "60"}, 2, nil},
		{"as the study has it", "sequence,temperature (°C),activity\nMKA,30,1\nMKA,60,2\nMKC,30,2\nMKC,60,1\n",
			table.Options{Like: table.Columns{Input: "sequence", Score: "activity", Type: "60"}}, 2, nil},
		{"a later table without it", "sequence,activity\nMKA,1\nMKC,2\n", table.Options{Like: table.Columns{Input: "sequence", Score: "activity", Type: "60"}}, 2, nil},
		{"two columns", two, replicates, 4, []string{fmt.Sprintf(note, "substrate", "pNPA (2), pNPB (2)", "pNPA"), fmt.Sprintf(note, "assay pH", "7 (2), 7.5 (2)", "7")}},
		{"one of the second", two, table.Options{Type: "7.5"}, 2, nil},
		{"days of a course", "sequence,day,activity\nMKA,1,1\nMKA,7,2\nMKC,1,2\nMKC,7,1\n", replicates, 4, []string{fmt.Sprintf(note, "day", "1 (2), 7 (2)", "1")}},
		{"days of replicates", "sequence,day,activity\nMKA,1,1\nMKA,2,2\nMKC,1,2\nMKC,2,1\n", table.Options{}, 4, nil},
		{"sexes", "sequence,Gender,activity\nMKA,M,1\nMKA,F,2\nMKC,M,2\nMKC,F,1\n", replicates, 4, []string{fmt.Sprintf(note, "Gender", "M (2), F (2)", "M")}},
		{"some strings", "sequence,temperature (°C),activity\nMKA,30,1\nMKA,60,2\nMKC,30,2\nMKC,60,1\nMKD,30,2\n", table.Options{}, 5, []string{fmt.Sprintf(note, "temperature (°C)", "30 (3), 60 (2)", "30")}},
		{"written in two ways", "sequence,temperature,activity\nMKA,37,1\nMKA,37.0,2\nMKC,37,2\nMKC,37.0,1\n", table.Options{}, 4, nil},
		{"readings", "sequence,temperature (°C),activity\nMKA,24.8,1\nMKA,25.0,2\nMKC,24.8,2\nMKC,25.1,1\n", table.Options{}, 4, nil},
		{"times of day", "sequence,time,activity\nMKA,9:30,1\nMKA,10:15,2\nMKC,11:20,2\nMKC,12:05,1\n", table.Options{}, 4, nil},
		{"of a spelling", "sequence,temperature,activity\nMKA,37,1\nMKA,60,2\nMKC,37.0,2\nMKC,60.0,1\n", table.Options{Type: "60"}, 2, nil},
		{"that nobody can choose from", "sequence,temperature (°C),activity\nMKA,30,1\nMKA,60,2\nMKC,30,2\nMKC,60,1\n", table.Options{Pooled: true}, 4, []string{fmt.Sprintf(note, "temperature (°C)", "30 (2), 60 (2)", "30")}},
		{"one for each string", "sequence,time (h),activity\nMKA,1,1\nMKA,1,2\nMKC,2,2\n", table.Options{}, 3, nil},
		{"the same score", "sequence,conc,activity\nMKA,1,1\nMKA,2,1\nMKC,1,2\n", table.Options{}, 2, nil},
	} {
		tab := read(t, test.content, test.options)
		if n := tab.Counts()[table.Measured]; n != test.measured || !slices.Equal(tab.Notes, test.notes) {
			t.Errorf("%s: %d measured, %q; want %d, %q", test.name, n, tab.Notes, test.measured, test.notes)
		}
	}
}
