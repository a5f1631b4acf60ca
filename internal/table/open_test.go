package table_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

const pubChem = `PUBCHEM_RESULT_TAG,PUBCHEM_SID,PUBCHEM_CID,PUBCHEM_EXT_DATASOURCE_SMILES,PUBCHEM_ACTIVITY_OUTCOME,PUBCHEM_ACTIVITY_SCORE,PUBCHEM_ACTIVITY_URL,PUBCHEM_ASSAYDATA_COMMENT,Qualifier,IC50,Efficacy
RESULT_TYPE,,,,,,,,STRING,FLOAT,FLOAT
RESULT_DESCR,,,,,,,,Activity Qualifier,Half maximal inhibitory concentration 50%,Max efficacy
RESULT_UNIT,,,,,,,,,MICROMOLAR,PERCENT
RESULT_IS_ACTIVE_CONCENTRATION,,,,,,,,,TRUE,
1,4240001,101,CCOc1ccccc1,Active,40,,,=,12.5,80
2,4240002,102,CCNc1ccccc1,Active,60,,,=,3.2,91
3,4240003,103,CCSc1ccccc1,Inactive,0,,,>,100,3
4,4240004,104,CCCc1ccccc1,Inconclusive,,,,,,12
5,4240005,,,Active,40,,,=,7.1,55
`

// The rows above the data of PubChem are none, and say in which units the columns are.
func TestPubChem(t *testing.T) {
	tab := read(t, pubChem, table.Options{Scored: true})
	if got := scores(tab); got != "12.5, 3.2, >100, missing (no value), invalid (no string)" {
		t.Errorf("scores %s", got)
	}
	const summary = "4 compounds: 1 with a bound, 1 without a value, line 10 invalid (column PUBCHEM_EXT_DATASOURCE_SMILES is empty); " +
		"column PUBCHEM_EXT_DATASOURCE_SMILES, score IC50 in µM, id PUBCHEM_CID; PubChem; 4 lines of comments"
	if got := tab.Summary("compounds"); got != summary {
		t.Errorf("%s\nwant\n%s", got, summary)
	}
	efficacy := read(t, pubChem, table.Options{Score: []string{"Efficacy"}, Relation: table.NoRelation})
	if got := scores(efficacy); !strings.HasPrefix(got, "80, 91, 3, 12, ") || efficacy.Columns.Unit != "%" {
		t.Errorf("Efficacy is %s in %s", got, efficacy.Columns.Unit)
	}
	later := read(t, "SMILES,IC50 (nM)\nCCBr,500\nCCCl,800\n", table.Options{Like: tab.Columns})
	if got := scores(later); got != "0.5, 0.8" {
		t.Errorf("a later table in nM: %s, want 0.5, 0.8", got)
	}
	if _, err := table.Read(t.Context(), strings.NewReader(strings.Join(strings.SplitAfter(pubChem, "\n")[:5], "")), table.Options{}); err == nil {
		t.Error("PubChem's rows above the data are taken for data")
	}
}

const chEMBL = `"Molecule ChEMBL ID";"Molecule Name";"Molecular Weight";"#RO5 Violations";"AlogP";"Smiles";"Standard Type";"Standard Relation";"Standard Value";"Standard Units";"Comment";"Uo Units";"Potential Duplicate";"Assay Type";"Document Year"
"CHEMBL1";"";"122.16";"0";"2.1";"CCOc1ccccc1";"IC50";"'='";"120";"nM";"";"UO_0000065";"False";"B";"2004"
"CHEMBL2";"";"121.18";"0";"2.2";"CCNc1ccccc1";"IC50";"'<'";"0.1";"nM";"";"UO_0000065";"False";"B";"2004"
"CHEMBL3";"";"138.23";"0";"2.9";"CCSc1ccccc1";"IC50";"'>'";"10000";"nM";"";"UO_0000065";"False";"B";"2011"
"CHEMBL4";"";"120.19";"0";"2.8";"CCCc1ccccc1";"IC50";"'='";"55";"uM";"";"UO_0000064";"False";"B";"2011"
"CHEMBL5";"";"134.22";"0";"3.2";"CCCCc1ccccc1";"Inhibition";"'='";"7";"%";"";"UO_0000187";"False";"B";"2011"
"CHEMBL6";"";"134.22";"0";"3.2";"CCCCCc1ccccc1";"IC50";"";"";"";"Not Active";"";"False";"B";"2011"
`

// An export of ChEMBL: semicolons, relations in quotes, kinds and units of rows.
func TestChEMBL(t *testing.T) {
	tab := read(t, chEMBL, table.Options{Scored: true})
	if got := scores(tab); got != "120, <0.1, >10000, 55000, set aside (other type), missing (no value)" {
		t.Errorf("scores %s", got)
	}
	const summary = "5 compounds: 1 converted from µM to nM, 2 with a bound, 1 without a value, 1 set aside (Inhibition is not IC50); " +
		"column Smiles, score Standard Value in nM (IC50), id Molecule ChEMBL ID; semicolons"
	if got := tab.Summary("compounds"); got != summary {
		t.Errorf("%s\nwant\n%s", got, summary)
	}
	inhibition := read(t, chEMBL, table.Options{Type: "inhibition"})
	if got := scores(inhibition); !strings.HasSuffix(got, "7, set aside (other type)") || inhibition.Columns.Unit != "%" {
		t.Errorf("Inhibition is %s in %q", got, inhibition.Columns.Unit)
	}
	rows := report(t, tab)
	for i, want := range []string{
		"line,id,text,input,score,bound,unit,se,kind,reason,note",
		"2,CHEMBL1,CCOc1ccccc1,CCOc1ccccc1,120,,nM,,measured,,",
		"3,CHEMBL2,CCNc1ccccc1,CCNc1ccccc1,0.1,<,nM,,measured,,",
		"4,CHEMBL3,CCSc1ccccc1,CCSc1ccccc1,10000,>,nM,,measured,,",
		"5,CHEMBL4,CCCc1ccccc1,CCCc1ccccc1,55000,,nM,,measured,,converted from µM to nM",
		"6,CHEMBL5,CCCCc1ccccc1,CCCCc1ccccc1,,,,,set aside,other type,Inhibition is not IC50",
		"7,CHEMBL6,CCCCCc1ccccc1,CCCCCc1ccccc1,,,,,missing,no value,",
	} {
		if got := strings.Join(rows[i], ","); got != want {
			t.Errorf("row %d of the report: %s, want %s", i, got, want)
		}
	}
}

// The first row is a header where its cells are not like those below it, whatever the columns are called and however
// messy the scores are.
func TestHeaderByContent(t *testing.T) {
	for _, test := range []struct{ name, content, input, score, first string }{
		{"per cent", "clone,CDR3,binding\na,MKTAYIAKQRQI,78%\nb,MKTAYIAKQRQV,45%\n", "CDR3", "binding", "MKTAYIAKQRQI"},
		{"units", "clone,VHH,IC50\na,MKTAYIAKQRQI,78 nM\nb,MKTAYIAKQRQV,45 nM\n", "VHH", "IC50", "MKTAYIAKQRQI"},
		{"short sequences", "clone,CDR-H3,% binding\na,ARDYW,78%\nb,ARDFW,45%\n", "CDR-H3", "% binding", "ARDYW"},
		{"other strings", "sgRNA,target,PAM,indel %\nGACGTTACGGATCCATGCAT,EMX1,AGG,78%\nGACGTTACGGATCCATGCAC,EMX1,TGG,45%\n", "sgRNA", "indel %", "GACGTTACGGATCCATGCAT"},
		{"bounds and no values", "clone,CDR3,binding\na,MKTAYIAKQRQI,>78\nb,MKTAYIAKQRQV,n.d.\nc,MKTAYIAKQRQL,n.d.\n", "CDR3", "binding", "MKTAYIAKQRQI"},
		{"about", "clone,CDR3,binding\na,MKTAYIAKQRQI,~78%\nb,MKTAYIAKQRQV,failed\n", "CDR3", "binding", "MKTAYIAKQRQI"},
		{"values with errors", "clone,CDR3,binding,y\na,MKTAYIAKQRQI,78 ± 2,n.d.\nb,MKTAYIAKQRQV,45 ± 3,n.d.\n", "CDR3", "y", "MKTAYIAKQRQI"},
		{"no scores", "clone,CDR3\na,MKTAYIAKQRQI\nb,MKTAYIAKQRQV\n", "CDR3", "", "MKTAYIAKQRQI"},
		{"a concentration as a name", "clone,loop seq,10 nM\na,MKTAYIAKQRQI,7.5\nb,MKTAYIAKQRQV,4.5\n", "loop seq", "10 nM", "MKTAYIAKQRQI"},
		{"a quantity in per cent", "promoter,expression\nMKTAYIAKQRQI,78%\nMKTAYIAKQRQV,45%\n", "promoter", "expression", "MKTAYIAKQRQI"},
		{"sequences of another name beside mutants", "id,mut_seq,mutations,score\nb,MKSAYIAKQRQI,T3S,2\nc,MKTAYIAKQRQV,I12V,3\n", "mut_seq", "score", "MKSAYIAKQRQI"},
		{"names in a column of mutants", "variant,CDR3,binding\nv1,MKTAYIAKQRQI,78%\nv2,MKTAYIAKQRQV,45%\n", "CDR3", "binding", "MKTAYIAKQRQI"},
		{"names in a column of proteins", "protein,CDR3,binding\nlipase 1,MKTAYIAKQRQI,78%\nlipase 2,MKTAYIAKQRQV,45%\n", "CDR3", "binding", "MKTAYIAKQRQI"},

		{"no header, per cent", "a,MKTAYIAKQRQI,78%\nb,MKTAYIAKQRQV,45%\n", "2", "3", "MKTAYIAKQRQI"},
		{"no header, no value", "a,MKTAYIAKQRQI,n.d.\nb,MKTAYIAKQRQV,45\n", "2", "3", "MKTAYIAKQRQI"},
		{"no header, a word for a value", "MKTAYIAKQRQI,no expression\nMKTAYIAKQRQV,45\nMKTAYIAKQRQL,46\n", "1", "2", "MKTAYIAKQRQI"},
		{"no header, short sequences", "K1,ARDYW,7.8\nK2,ARDFW,4.5\nK3,ARDLW,4.1\n", "2", "3", "ARDYW"},
	} {
		tab := read(t, test.content, table.Options{Sequences: table.Detect})
		if c := tab.Columns; c.Input != test.input || c.Score != test.score || tab.Records[0].Input != test.first {
			t.Errorf("%s: input %q, score %q, the first is %q; want %q, %q and %q", test.name, c.Input, c.Score, tab.Records[0].Input, test.input, test.score, test.first)
		}
	}
	change := read(t, "amino acid change,residual activity (%)\nK2R,78%\nT3S,45%\n", table.Options{Sequences: table.Detect, WildType: wildType})
	if got := strings.Join(outcomes(change), "|"); got != "MRTAYIAKQRQI|MKSAYIAKQRQI" {
		t.Errorf("mutants in a column of another name: %s", got)
	}
	molecules := read(t, "CCO insoluble\nCCN 5\nCCC 6\n", table.Options{Normalize: letters})
	if len(molecules.Records) != 3 {
		t.Errorf("%d molecules, want 3: the first line has one, too", len(molecules.Records))
	}
	listed := read(t, "CCO ethanol\nCCC propane\n0bad mol\nCCN ethylamine\nCCCC butane\n", table.Options{Normalize: letters, Score: []string{table.NoScores}})
	if len(listed.Records) != 5 {
		t.Errorf("%d molecules, want 5: a line of a list that says mol is no header", len(listed.Records))
	}
	protein := read(t, "protein,mutation,fitness\nBLAT,K2R,1\nBLAT,T3S,2\n", table.Options{Sequences: table.Detect, WildType: wildType})
	if protein.Columns.Input != "mutation" {
		t.Errorf("the strings are in column %s beside the name of the protein, want mutation", protein.Columns.Input)
	}
}

// An abbreviation in capitals at the end of a name is no unit, unless the whole name is in capitals or says what it
// measures.
func TestUnitsInCapitals(t *testing.T) {
	for name, unit := range map[string]string{"ddG_ML": "", "binding_MM": "", "titer_mL": "mL", "VOLUME_ML": "mL", "IC50_NM": "nM"} {
		tab := read(t, "sequence,"+name+"\nMKA,1.5\nMKC,2.5\n", table.Options{})
		if tab.Columns.Unit != unit {
			t.Errorf("%s is in %q, want %q", name, tab.Columns.Unit, unit)
		}
	}
}
