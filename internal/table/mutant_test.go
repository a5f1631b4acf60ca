package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// wildType is that of the mutants in these tests.
const wildType = "MKTAYIAKQRQI"

// outcomes returns what became of each row: the sequence, or why there is none.
func outcomes(tab *table.Table) []string {
	var all []string
	for _, r := range tab.Records {
		if r.State == table.Invalid {
			all = append(all, "! "+r.Reason.Text)
		} else {
			all = append(all, r.Input)
		}
	}
	return all
}

func TestColumnOfMutantsInEveryNotation(t *testing.T) {
	for _, test := range []struct{ cell, want string }{
		{"K2R", "MRTAYIAKQRQI"},
		{"['K2R', 'T3S']", "MRSAYIAKQRQI"},
		{"A:K2R,A:T3S", "MRSAYIAKQRQI"},
		{"native", wildType},
		{"-", wildType},
		{"K2del", "is a deletion"},
		{"K3R", "! K3R: position 3 of the wild type is T, not K"},
		{"p.Lys2Xaa", "position 2 is X, any amino acid"},
		{"K2X", "position 2 is X, any amino acid"},
		{"K2B", "position 2 is B, either D or N"},
		{"p.Lys2Sec", "position 2 is U, selenocysteine"},
	} {
		content := "mutant\tscore\n" + test.cell + "\t1\nK2R\t2\nT3S\t3\nA4G\t4\nWT\t5\n"
		got := outcomes(read(t, content, table.Options{WildType: wildType, Sequences: table.Detect}))[0]
		if got != test.want && (test.want == wildType || !strings.HasPrefix(got, "!") || !strings.Contains(got, test.want)) {
			t.Errorf("%s: %s, want %s", test.cell, got, test.want)
		}
	}
}

func TestColumnOfMutants(t *testing.T) {
	for _, test := range []struct {
		name, content string
		options       table.Options
		want          string // outcomes or part of the error
	}{
		{"unknown notation is an error of its row, although most rows have it", "mutant,y\nfoo1,1\nbar2,2\nK2R,3\n", table.Options{WildType: wildType, Sequences: table.Detect},
			`! "foo1" is no mutant such as K2R, K2R:T3S or p.Lys2Arg|! "bar2" is no mutant such as K2R, K2R:T3S or p.Lys2Arg|MRTAYIAKQRQI`},
		{"a column of another name is known by its cells", "what,y\nK2R,1\np.Thr3Ser,2\nfoo,3\n", table.Options{WildType: wildType, Sequences: table.Detect},
			`MRTAYIAKQRQI|MKSAYIAKQRQI|! "foo" is no mutant such as K2R, K2R:T3S or p.Lys2Arg`},
		{"changes that are refused are mutants, too", "what,y\nK2del,1\nT3del,2\nA4dup,3\n", table.Options{WildType: wildType, Sequences: table.Detect},
			`! "K2del" is a deletion, and only substitutions are read|! "T3del" is a deletion, and only substitutions are read|! "A4dup" is a duplication, and only substitutions are read`},
		{"a column of variants may hold sequences", "variant,y\nMKTAYIAKQRQI,1\nMRTAYIAKQRQI,2\n", table.Options{WildType: wildType, Sequences: table.Detect}, "MKTAYIAKQRQI|MRTAYIAKQRQI"},
		{"mutants need a wild type", "mutant,y\nK2R,1\nT3S,2\n", table.Options{}, "column mutant holds mutants such as K2R, and the sequence that they change is not known"},
		{"whatever their column is called", "what,y\nK2R,1\nT3S,2\n", table.Options{Sequences: table.Detect}, "column what holds mutants such as K2R"},
		{"a study without a wild type knows them as names", "mutant,y\nK2R,1\nT3S,2\n", table.Options{Named: true}, "|"},
		{"a study with one knows its trials by number, too", "mutant,y\nK2R,1\nP7,2\n7,3\nx,4\n", table.Options{Named: true, WildType: wildType, Sequences: table.Detect},
			`MRTAYIAKQRQI|||! "x" is no mutant such as K2R, K2R:T3S or p.Lys2Arg`},
		{"positions may count from 0", "mutant,y\nK1R,1\nT2S,2\n", table.Options{WildType: wildType, Offset: -1, Sequences: table.Detect}, "MRTAYIAKQRQI|MKSAYIAKQRQI"},
		{"positions may count from 25", "mutant,y\nK26R,1\nT27S,2\nK2R,3\nT27X,4\n", table.Options{WildType: wildType, Offset: 24, Sequences: table.Detect},
			"MRTAYIAKQRQI|MKSAYIAKQRQI|! K2R: the wild type has the positions 25 to 36|! position 27 is X, any amino acid"},
		{"MaveDB", "accession,hgvs_nt,hgvs_splice,hgvs_pro,score\nurn:1,NA,NA,p.Lys2Arg,1\nurn:2,NA,NA,_wt,2\nurn:3,NA,NA,p.Thr3Ter,3\n", table.Options{WildType: wildType, Sequences: table.Detect},
			`MRTAYIAKQRQI|MKTAYIAKQRQI|! "p.Thr3Ter" is a stop, and only substitutions are read`},
		{"MaveDB without a protein", "accession,hgvs_nt,hgvs_splice,hgvs_pro,score\nurn:1,n.1A>C,NA,NA,1\nurn:2,n.[3G>T;4T>A],NA,NA,2\nurn:3,n.=,NA,NA,3\nurn:4,n.2_3del,NA,NA,3\n",
			table.Options{WildType: "ACGTACGT", Sequences: table.Detect}, `CCGTACGT|ACTAACGT|ACGTACGT|! "n.2_3del" is a deletion, and only substitutions are read`},
		{"coding DNA", "hgvs_nt,score\nNM_004333.4:c.1A>C,1\nNM_004333.4(BRAF):c.4T>A,2\nc.4+1T>A,3\n", table.Options{WildType: "ACGTACGT", Sequences: table.Detect},
			`CCGTACGT|ACGAACGT|! "c.4+1T>A" counts along DNA or RNA, and is no change of a base such as c.76A>T`},
		{"RNA is read as the DNA that it is of", "variant,score\nr.4u>a,1\nr.5a>u,2\n", table.Options{WildType: "ACGTACGT", Sequences: table.Detect}, "ACGAACGT|ACGTTCGT"},
		{"DNA has mutants", "mutant,y\nA1C,1\nT4G,2\nG3R,3\n", table.Options{WildType: "ACGTACGT", Sequences: table.Detect}, "CCGTACGT|ACGGACGT|! position 3 is R, one of several bases"},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(test.content), test.options)
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Join(outcomes(tab), "|")
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	_, err := table.Read(t.Context(), strings.NewReader("mutant,y\nK2R,1\nT3S,2\n"), table.Options{})
	const why = "column mutant holds mutants such as K2R, and the sequence that they change is not known"
	if q, ok := errors.AsType[*table.Question](err); !ok || q.Asks[0].For != table.RoleWildType || q.Asks[0].Why != why {
		t.Errorf("error %v does not ask for the wild type of mutant and K2R", err)
	}
}

// What stands for the wild type in a column of mutants alone is noted, and means nothing beside a sequence; an empty
// cell is not filled.
func TestNamesOfTheWildType(t *testing.T) {
	const note = "column mutant: native and - are taken for the wild type"
	for _, test := range []struct{ content, want, note string }{
		{"mutant,score\nK2R,1\nT3S,2\nnative,3\n-,4\nWT,5\n", "MRTAYIAKQRQI|MKSAYIAKQRQI|" + wildType + "|" + wildType + "|" + wildType, note},
		{"mutant,score\nK2R,1\nT3S,2\n,3\n", "MRTAYIAKQRQI|MKSAYIAKQRQI|! column mutant is empty", ""},
		{"mutant,sequence,score\nK2R,MRTAYIAKQRQI,1\nT3S,MKSAYIAKQRQI,2\n-,MKTGYIAKQRQI,3\n", "MRTAYIAKQRQI|MKSAYIAKQRQI|MKTGYIAKQRQI", ""},
	} {
		tab := read(t, test.content, table.Options{WildType: wildType, Sequences: table.Detect})
		if got, note := strings.Join(outcomes(tab), "|"), strings.Join(tab.Notes, "; "); got != test.want || note != test.note {
			t.Errorf("%q: %s, notes %q; want %s, %q", test.content, got, note, test.want, test.note)
		}
	}
}

func TestMutantsAreComparedWithSequences(t *testing.T) {
	byName := read(t, "id,sequence,score\nK2R,MHTAYIAKQRQI,1\nT3S,MKSAYIAKQRQI,2\n", table.Options{WildType: wildType, Sequences: table.Detect})
	if got := outcomes(byName)[0]; got != "! position 2 of the sequence is H, and R by K2R" {
		t.Errorf("mutants in a column of another name: %s", got)
	}
	nearest := read(t, "id,sequence,nearest,score\n7,MHTAYIAKQRQI,K2R,\n8,MKSAYIAKQRQI,T3S,\n", table.Options{WildType: wildType, Sequences: table.Detect, ID: "id"})
	if got := outcomes(nearest)[0]; got != "MHTAYIAKQRQI" {
		t.Errorf("mutants that name another row's sequence: %s", got)
	}
	const agree = "K2R,MRTAYIAKQRQI,1\nT3S,MKSAYIAKQRQI,2\nWT,MKTAYIAKQRQI,3\n"
	for _, test := range []struct{ name, row, want string }{
		{"another letter", "K2R,MHTAYIAKQRQI,1", "! position 2 of the sequence is H, and R by K2R"},
		{"a letter that no mutant changes", "K2R,MRTAYIAKQRQA,1", "! position 12 of the sequence is A, and I by K2R"},
		{"a mutant that was not made", "K2R:T3S,MRTAYIAKQRQI,1", "! position 3 of the sequence is T, and S by K2R:T3S"},
		{"a changed wild type", "WT,MRTAYIAKQRQI,1", "! position 2 of the sequence is R, and K by WT"},
		{"another length", "K2R,MRTAYIAKQRQ,1", "! the sequence has 11 letters, and K2R of the wild type has 12"},
		{"a mutant that does not fit the wild type", "K3R,MKRAYIAKQRQI,1", "! K3R: position 3 of the wild type is T, not K"},
		{"HGVS", "p.[Lys2Arg;Thr3Ser],MRSAYIAKQRQI,1", "MRSAYIAKQRQI"},
		{"lower case", "k2r,mrtayiakqrqi,1", "MRTAYIAKQRQI"},
		{"no mutant", ",MRSAYIAKQRQI,1", "MRSAYIAKQRQI"},
		{"a change that cannot be read: the sequence says what it is", "K2_T3delinsRS,MRSAYIAKQRQI,1", "MRSAYIAKQRQI"},
		{"a name", "clone 7,MRSAYIAKQRQI,1", "MRSAYIAKQRQI"},
	} {
		tab := read(t, "mutant,mutated_sequence,score\n"+test.row+"\n"+agree, table.Options{WildType: wildType, Sequences: table.Detect})
		if got := outcomes(tab); got[0] != test.want || got[1] != "MRTAYIAKQRQI" || got[2] != "MKSAYIAKQRQI" || got[3] != wildType {
			t.Errorf("%s: %q, want %s and the rows below it as they are", test.name, got, test.want)
		}
	}
}

func TestMostMutantsContradictTheWildType(t *testing.T) {
	const from0 = "K1R,1\nT2S,2\nA3G,3\nY4F,4\n"
	for _, test := range []struct {
		name, rows string
		options    table.Options
		want       string // the error; empty: none
		first      []int
	}{
		{"positions from 0", from0, table.Options{WildType: wildType, Sequences: table.Detect},
			"line 2: K1R: position 1 of the wild type is M, not K; 4 of 4 rows contradict the wild type; if its first letter has position 0, 4 fit", []int{0}},
		{"positions from 1 where they begin at 25", "K26R,1\nT27S,2\nA28G:Y29F,4\n", table.Options{WildType: wildType, Sequences: table.Detect},
			"line 2: K26R: the wild type has the positions 1 to 12; 3 of 3 rows contradict the wild type; if its first letter has position 25, 3 fit", []int{25}},
		{"positions before 0", "K-1R,1\nT0S,2\nA1G,3\n", table.Options{WildType: wildType, Sequences: table.Detect}, "if its first letter has position -2, 3 fit", []int{-2}},
		{"the wrong way round", "K2R,1\nT3S,2\nA4G,3\n", table.Options{WildType: wildType, Offset: 9, Sequences: table.Detect}, "if its first letter has position 1, 3 fit", []int{1}},
		{"several positions", "A4G,1\nA4V,2\nA4S,3\n", table.Options{WildType: wildType, Offset: 9, Sequences: table.Detect}, "if its first letter has position -2 or 1, 3 fit", []int{-2, 1}},
		{"one row in ten is wrong elsewhere", "K1R,1\nT2S,2\nA3G,3\nY4F,4\nK1R,1\nT2S,2\nA3G,3\nY4F,4\nK1R,1\nW5F,4\n", table.Options{WildType: wildType, Sequences: table.Detect},
			"10 of 10 rows contradict the wild type; if its first letter has position 0, 9 fit", []int{0}},
		{"a wild type that is DNA", "K2R,1\nT3S,2\nA4G,3\n", table.Options{WildType: "ATGAAAACCGCATATATTGCAAAACAG", Sequences: table.Detect},
			"line 2: the wild type is DNA, and the mutants are of a protein (K2R: position 2 of the wild type is T, not K)", nil},
		{"another wild type", "W2R,1\nW3S,2\nK4G,3\n", table.Options{WildType: wildType, Sequences: table.Detect}, "line 2: W2R: position 2 of the wild type is K, not W; 3 of 3 rows contradict the wild type", nil},
		{"the wild type itself tells nothing", "WT,1\nWT,2\nWT,3\n" + from0, table.Options{WildType: wildType, Sequences: table.Detect}, "4 of 4 rows contradict the wild type; if its first letter has position 0, 4 fit", []int{0}},
		{"half of the rows are wrong, no more", "K2R,1\nT3S,2\nW3S,3\nW4S,4\n", table.Options{WildType: wildType, Sequences: table.Detect}, "", nil},
		{"rows that cannot be read contradict nothing", "K2R,1\nT3S,2\nfoo1,3\nK2del,4\nK2*,5\n", table.Options{WildType: wildType, Sequences: table.Detect}, "", nil},
	} {
		_, err := table.Read(t.Context(), strings.NewReader("mutant,score\n"+test.rows), test.options)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasSuffix(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if e, ok := errors.AsType[*table.WildTypeError](err); ok != (test.want != "") || ok && !slices.Equal(e.First, test.first) {
			t.Errorf("%s: %+v, want the positions %v", test.name, e, test.first)
		}
	}
	const sequences = "mutant,sequence,score\nK2R,MHTAYIAKQRQI,1\nT3S,MKAAYIAKQRQI,2\n"
	if _, err := table.Read(t.Context(), strings.NewReader(sequences), table.Options{WildType: wildType, Sequences: table.Detect}); err == nil || !strings.Contains(err.Error(), "line 2: position 2 of the sequence is H, and R by K2R; 2 of 2 rows contradict the wild type") || strings.Contains(err.Error(), "if its first letter") {
		t.Errorf("sequences that contradict their mutants: %v", err)
	}
	const unchanged = "variant,sequence,score\nc.4=,ACGTACGA,1\nc.5=,ACGTACGA,2\n"
	if _, err := table.Read(t.Context(), strings.NewReader(unchanged), table.Options{WildType: "ACGTACGT", Sequences: table.Detect}); err == nil || !strings.HasSuffix(err.Error(), "and T by c.4=; 2 of 2 rows contradict the wild type") {
		t.Errorf("sequences that differ from the wild type, and mutants without a substitution: %v", err)
	}
}

// The numbering of a large public table is found in time.
func TestNumberingOfAvGFP(t *testing.T) {
	const data = "../../../shared/data/"
	f, err := os.Open(filepath.FromSlash(data + "avgfp.csv.gz"))
	if err != nil {
		t.Skip("needs ../shared/data: ", err)
	}
	defer f.Close()
	text, err := os.ReadFile(filepath.FromSlash(data + "avgfp_wt.txt"))
	if err != nil {
		t.Skip("needs ../shared/data: ", err)
	}
	wild, err := bioseq.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.Read(t.Context(), f, table.Options{WildType: wild, Sequences: table.Detect})
	if e, ok := errors.AsType[*table.WildTypeError](err); !ok || !slices.Equal(e.First, []int{-1}) || e.Fit != e.Of {
		t.Errorf("%v, want that all rows fit if the first letter has position -1: the table counts from the serine behind the methionine, as 0", err)
	}
}

// Mutants may be spread over columns; a row that has no position may say that it is the wild type.
func TestMutantsOfThreeColumns(t *testing.T) {
	for _, test := range []struct{ header, from, to string }{
		{"pos,wt_aa,mut_aa,fitness", "K", "R"},
		{"position,wildtype,mutation,fitness", "Lys", "Arg"},
		{"aa_position,ref_aa,alt_aa,fitness", "K", "R"},
		{"site,wt,mutant,fitness", "k", "r"},
		{"pos,wt_residue,mt_residue,fitness", "K", "R"},
	} {
		text := test.header + "\n2," + test.from + "," + test.to + ",1.5\n3,T,S,0.5\n4.0,A,A,0\n,,WT,0.1\n"
		tab, err := table.Read(t.Context(), strings.NewReader(text), table.Options{WildType: wildType})
		if err != nil {
			t.Errorf("%s: %v", test.header, err)
			continue
		}
		if got, want := outcomes(tab), []string{"MRTAYIAKQRQI", "MKSAYIAKQRQI", wildType, wildType}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", test.header, got, want)
		}
		names := strings.Split(test.header, ",")
		want := fmt.Sprintf("mutants are read from columns %s, %s and %s", names[1], names[0], names[2])
		if !slices.Contains(tab.Notes, want) {
			t.Errorf("%s: notes %q, want %q", test.header, tab.Notes, want)
		}
	}
}

// A scan has stops, too. Mutations may have a column each; later columns are empty where there are fewer mutations.
func TestMutantsOfColumns(t *testing.T) {
	for text, want := range map[string][]string{
		"residue,wt,mutant,dTm\n2,LYS,ARG,0.9\n3,THR,SER,0.8\n":                                                                          {"MRTAYIAKQRQI", "MKSAYIAKQRQI"},
		"pos,wt_aa,mut_aa,n_codon,score\n2,K,R,1,0.9\n3,T,Stop,2,0.8\n3,T,Stop,2,0.5\n":                                                  {"MRTAYIAKQRQI", "! \"T3Stop\" is a stop, and only substitutions are read", "! \"T3Stop\" is a stop, and only substitutions are read"},
		"mut1,mut2,mut3,activity\nK2R,NA,NA,0.9\nK2R,T3S,NA,0.8\nT3S,-,NA,0.5\nK2R,T3S,A4G,0.7\n":                                        {"MRTAYIAKQRQI", "MRSAYIAKQRQI", "MKSAYIAKQRQI", "MRSGYIAKQRQI"},
		"mut1,mut2,mut3,mut4,mut5,mut6,mut7,mut8,mut9,mut10,activity\nK2R,T3S,A4G,Y5F,I6L,A7G,K8R,Q9E,R10K,Q11E,0.9\nK2R,,,,,,,,,,0.8\n": {"MRSGFLGREKEI", "MRTAYIAKQRQI"},
		"mut1,mut2,activity\nK2R,,0.9\nK2R,T3S,0.8\n,,0.1\n-,-,0.1\nNA,none,0.1\n":                                                       {"MRTAYIAKQRQI", "MRSAYIAKQRQI", wildType, wildType, wildType},
		"mut1,mut2,mut3,activity\nK2R,,,0.9\nK2R,T3S,,0.8\nK2R,T3S,A4G,0.7\nWT,,,0.1\n":                                                  {"MRTAYIAKQRQI", "MRSAYIAKQRQI", "MRSGYIAKQRQI", wildType},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(text), table.Options{WildType: wildType})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := outcomes(tab); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// The rows of a workbook are read more than once, and their mutants joined once. They end with their last cell.
func TestMutantsOfColumnsInWorkbook(t *testing.T) {
	for _, rows := range [][][]any{{{"mut1", "mut2", "score"}, {"K2R", "", 0.5}, {"K2R", "T3S", 1.5}}, {{"score", "mut1", "mut2"}, {0.5, "K2R"}, {1.5, "K2R", "T3S"}}} {
		f := excelize.NewFile()
		for i, row := range rows {
			if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
				t.Fatal(err)
			}
		}
		var book bytes.Buffer
		if err := f.Write(&book); err != nil {
			t.Fatal(err)
		}
		tab, err := table.Read(t.Context(), &book, table.Options{WildType: wildType})
		if err != nil || !slices.Equal(outcomes(tab), []string{"MRTAYIAKQRQI", "MRSAYIAKQRQI"}) {
			t.Errorf("%v, error %v", tab, err)
		}
	}
}

// Versions of a reference are one protein.
func TestMutantsOfVersions(t *testing.T) {
	tab, err := table.Read(t.Context(), strings.NewReader("mutant,score\nNP_004324.1:p.Lys2Arg,0.5\nNP_004324.2:p.Thr3Ser,1.5\n"), table.Options{WildType: wildType})
	if err != nil || !slices.Equal(outcomes(tab), []string{"MRTAYIAKQRQI", "MKSAYIAKQRQI"}) {
		t.Errorf("%v, error %v", tab, err)
	}
}

// Variants of several chains or proteins are not variants of one wild type.
func TestMutantsOfSeveralProteins(t *testing.T) {
	for _, cells := range [][]string{{"H:K2R,L:T3S", "H:K2R"}, {"H:K2R", "L:K2R"}, {"KA2R", "KB2R"}, {"K2R_A", "K2R_B"}, {"GFP-K2R", "T3S", "RFP-K2R"}, {"P12345:p.K2R", "Q12345:p.K2R"}, {"KA2R,TB3S", "KA2R"}} {
		text := "mutant,score\n"
		for i, cell := range cells {
			text += fmt.Sprintf("%q,%d.5\n", cell, i)
		}
		_, err := table.Read(t.Context(), strings.NewReader(text), table.Options{WildType: wildType})
		if err == nil || !strings.Contains(err.Error(), "the wild type is one") {
			t.Errorf("%q: error %v, want one that says that the wild type is one", cells, err)
		}
	}
}

// Mutants of several chains or proteins have no wild type in common, and those of one chain, or with a name each, have.
func TestMutantsOfSeveralChains(t *testing.T) {
	const why = " is a variant of %s, and others are of %s; the wild type is one: keep the rows of one of them"
	for _, test := range []struct{ name, content, want string }{
		{"chains", "mutation,chain,fitness\nWT,,0\nK2R,H,1\nK2R,L,2\nT3S,L,2\n", "line 4: K2R" + fmt.Sprintf(why, "chain L", "H")},
		{"proteins", "protein,mutation,fitness\nBLAT,K2R,1\nBLAT,T3S,2\nGFP,T3S,2\nGFP,A4G,2\n", "line 4: T3S" + fmt.Sprintf(why, "protein GFP", "BLAT")},
		{"one chain", "mutation,chain,fitness\nWT,,0\nK2R,H,1\nT3S,H,2\n", ""},
		{"a wild type of each", "mutation,chain,fitness\nWT,L,0\nK2R,H,1\nT3S,H,2\n", ""},
		{"names of variants", "protein name,mutation,fitness\nv1,K2R,1\nv2,T3S,2\nv3,A4G,2\n", ""},
		{"amounts of protein", "protein,mutation,fitness\n1.5,K2R,1\n2,T3S,2\n2,A4G,2\n1.5,A4C,2\n", ""},
	} {
		_, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{WildType: wildType, Sequences: table.Detect})
		if got := fmt.Sprint(err); got != test.want && !(err == nil && test.want == "") {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// Without a wild type, a sequence is compared with the mutant beside it by what the other rows are without theirs.
func TestMutantsAreComparedWithoutWildType(t *testing.T) {
	const agree = "K2R,MRTAYIAKQRQI,1\nT3S,MKSAYIAKQRQI,2\nK2R:T3S,MRSAYIAKQRQI,2\n"
	const rest = "MRTAYIAKQRQI|MKSAYIAKQRQI|MRSAYIAKQRQI"
	for _, test := range []struct{ name, rows, want string }{
		{"all agree", agree, rest},
		{"another letter", agree + "A4G,MKTCYIAKQRQI,3\n", rest + "|! position 4 of the sequence is C, and G by A4G"},
		{"a letter that no mutant changes", agree + "A4G,MKTGYIAKQRQA,3\n", rest + "|! position 12 of the sequence is A, and I by A4G"},
		{"another letter of the wild type", agree + "L4G,MKTGYIAKQRQI,3\n", rest + "|! L4G: position 4 of the wild type is A, not L"},
		{"a changed wild type", agree + "WT,MKTAYIAKQRQA,3\n", rest + "|! position 12 of the sequence is A, and I by WT"},
		{"another length", agree + "A4G,MKTGYIAKQRQ,3\n", rest + "|! the sequence has 11 letters, and A4G of the wild type has 12"},
		{"positions from 25", "K26R,MRTAYIAKQRQI,1\nT27S,MKSAYIAKQRQI,2\nA28G,MKTGYIAKQRQI,2\nY29F,MKTAYIAKQRQF,2\n",
			"MRTAYIAKQRQI|MKSAYIAKQRQI|MKTGYIAKQRQI|! position 29 of the sequence is Y, and F by Y29F"},
		{"two wild types", agree + "A2G,MGCAYI,3\nC3V,MAVAYI,3\n", rest + "|MGCAYI|MAVAYI"},
		{"a column that says something else", "A1C,MRTAYIAKQRQI,1\nY7S,MKSAYIAKQRQI,2\nL9G,MKTGYIAKQRQI,3\n", "MRTAYIAKQRQI|MKSAYIAKQRQI|MKTGYIAKQRQI"},
		{"names", agree + "clone 7,MKTAYIAKQRQA,3\n", rest + "|MKTAYIAKQRQA"},
	} {
		tab := read(t, "mutant,mutated_sequence,DMS_score\n"+test.rows, table.Options{Sequences: table.Detect})
		if got := strings.Join(outcomes(tab), "|"); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if noted := len(tab.Notes) > 0; noted != strings.Contains(test.want, "!") {
			t.Errorf("%s: notes %q", test.name, tab.Notes)
		}
	}
}

// Sequences whose mutations undone are one, at one offset, have that wild type.
func TestWildTypeOfMutantsAndSequences(t *testing.T) {
	const agree = "K2R,MRTAYIAKQRQI,1\nT3S,MKSAYIAKQRQI,2\nK2R:T3S,MRSAYIAKQRQI,2\n"
	for _, test := range []struct {
		name, rows, want string
		first            int
	}{
		{"from 1", agree, wildType, 1},
		{"a tag before position 1", "K2R,GSSGMRTAYIAKQRQI,1\nT3S,GSSGMKSAYIAKQRQI,2\nA4G,GSSGMKTGYIAKQRQI,2\nWT,GSSGMKTAYIAKQRQI,2\n", "GSSG" + wildType, -3},
		{"a part of the protein", "K26R,MRTAYIAKQRQI,1\nT27S,MKSAYIAKQRQI,2\nA28G,MKTGYIAKQRQI,2\n", wildType, 25},
		{"two mutants may fit by chance", "K2R,MRTAYIAKQRQI,1\nT3S,MKSAYIAKQRQI,2\n", "", 0},
		{"a row in four is wrong", agree + "A4G,MKTCYIAKQRQI,3\n", "", 0},
		{"names", "clone 1,MRTAYIAKQRQI,1\nclone 2,MKSAYIAKQRQI,2\nclone 3,MRSAYIAKQRQI,2\n", "", 0},
	} {
		tab := read(t, "mutant,mutated_sequence,DMS_score\n"+test.rows, table.Options{Sequences: table.Detect})
		if tab.WildType != test.want || tab.First != test.first {
			t.Errorf("%s: %s from %d, want %s from %d", test.name, tab.WildType, tab.First, test.want, test.first)
		}
	}
}

// Without a wild type, mutants in any notation are no text: it, or the usual notation, is asked for.
func TestMutantsInOtherNotationsAreNoText(t *testing.T) {
	const ask, write = "and the sequence that they change is not known", "without what the wild type has at the position: write K2R for 2R"
	for _, test := range []struct{ cells, want string }{
		{"['K2R']|['K2R', 'T3S']|['T3S']", ask},
		{"2_K_R|2_K_R,3_T_S|3_T_S", ask},
		{"K-2-R|K-2-R; T-3-S|T-3-S", ask},
		{"A:K2R,A:T3S|A:T3S|A:K2R", ask},
		{"K2R and T3S|K2RT3S|A4GQ8E", ask},
		{"2R|2R 3S|3S", write},
		{"{2: 'R'}|{2: 'R', 3: 'S'}|{3: 'S'}", write},
		{"2:R|2:R,3:S|3:S", write},
		{"2Arg|2Arg;3Ser|3Ser", write},
		{"pos2R|pos2R_pos3S|pos3S", write},
		{"2->R|2->R/3->S|3->S", write},
	} {
		text := "variant\tfitness\n"
		for i, cell := range strings.Split(test.cells, "|") {
			text += fmt.Sprintf("%s\t%d\n", cell, i)
		}
		_, err := table.Read(t.Context(), strings.NewReader(text), table.Options{Sequences: table.Detect})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.cells, err, test.want)
		}
	}
}

// The cells of a matrix that says what the wild type has at each position are mutants with their scores.
func TestMatrixOfMutants(t *testing.T) {
	const rest = "MATAYIAKQRQI 0.1|MRTAYIAKQRQI 0.4|MKAAYIAKQRQI 0.5"
	for _, test := range []struct{ name, content, want string }{
		{"positions and the wild type as columns", "position,wt,A,C,K,R,T\n2,K,0.1,,1,0.4,\n3,T,0.5,,,,1\n", "MATAYIAKQRQI 0.1|MKTAYIAKQRQI 1|MRTAYIAKQRQI 0.4|MKAAYIAKQRQI 0.5"},
		{"the wild type first, and no cells of it", "WT_AA;Pos;A;C;K;R;T\nK;2;0,1;;;0,4;\nT;3;0,5;;;;\n", rest},
		{"three letters", "residue,number,Ala,Cys,Lys,Arg,Thr\nLys,2,0.1,,,0.4,\nThr,3,0.5,,,,\n", rest},
		{"positions as rows", "site,A,C,K,R,T,*\nK2,0.1,,,0.4,,-3\nT3,0.5,NA,,,,-3\n", rest},
		{"an index without a name", ",A,C,K,R,T\nK2,0.1,,,0.4,\nT3,0.5,,,,\n", rest},
		{"positions as columns", "aa,K2,T3,A4\nA,0.1,0.5,\nR,0.4,,\nG,,,0.7\n", "MATAYIAKQRQI 0.1|MKAAYIAKQRQI 0.5|MRTAYIAKQRQI 0.4|MKTGYIAKQRQI 0.7"},
		{"the wild type's cells vary", "site,A,C,K,R,T\nK2,0.1,,1.1,0.4,\nT3,0.5,,,,0.9\n", "MATAYIAKQRQI 0.1|MKTAYIAKQRQI 1.1|MRTAYIAKQRQI 0.4|MKAAYIAKQRQI 0.5|MKTAYIAKQRQI 0.9"},
	} {
		tab := read(t, test.content, table.Options{WildType: wildType, Sequences: table.Detect})
		var got []string
		for _, r := range tab.Records {
			got = append(got, fmt.Sprintf("%s %g", r.Input, r.Score))
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %s, want %s", test.name, strings.Join(got, "|"), test.want)
		}
		if n := strings.Count(test.content, "\n"); tab.Lines != n {
			t.Errorf("%s: %d lines, want %d", test.name, tab.Lines, n)
		}
	}
}

// A matrix that does not is refused in one sentence, and tables with columns of such names are read.
func TestMatrix(t *testing.T) {
	for _, test := range []struct {
		name, content string
		want          bool
	}{
		{"numbers as rows, with no value of another residue than the wild type's", "pos,A,C,D,E\n1,0.1,0.2,0.3,0.4\n2,0.1,0.2,0.3,0.4\n3,0.1,,0.3,0.4\n", true},
		{"numbers as columns", ",1,2,3\nA,0.1,0.2,0.3\nC,0.1,0.2,0.3\nD,0.1,0.2,0.3\n", true},
		{"numbers of two digits as columns", "aa,10,11,12\nA,0.1,0.2,0.3\nC,0.1,0.2,0.3\nD,0.1,0.2,0.3\n", true},
		{"mutants of two columns of letters", "mutant,A,C\nK2R,0.1,0.2\nT3S,0.1,0.2\n", false},
		{"compositions", "sequence,A,C,D,E,score\nMKA,0.1,0.2,0.3,0.4,1\nMKC,0.1,0.2,0.3,0.4,2\n", false},
		{"replicates of a site", "aa,R1,R2,R3\nA,0.1,0.2,0.3\nC,0.1,0.2,0.3\nD,0.1,0.2,0.3\n", false},
	} {
		_, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{WildType: wildType, Sequences: table.Detect})
		if got := err != nil && strings.HasPrefix(err.Error(), "it is a matrix of positions and residues: make a table with a row for each mutant"); got != test.want {
			t.Errorf("%s: %v; a matrix: want %t", test.name, err, test.want)
		}
	}
}

// A given wild type says what it has at the numbers of a matrix.
func TestMatrixOfNumbers(t *testing.T) {
	o := table.Options{WildType: "MACD", Sequences: table.Detect}
	const want = "MCCD|MDCD|MECD|MAAD|MADD|MAED|MACA|MACC|MACE"
	for _, content := range []string{
		"pos,A,C,D,E\n2,,0.2,0.3,0.4\n3,0.1,,0.3,0.5\n4,0.1,0.7,,0.4\n",
		"pos,Ala,Cys,Asp,Glu\n2,,0.2,0.3,0.4\n3,0.1,,0.3,0.5\n4,0.1,0.7,,0.4\n",
	} {
		if got := strings.Join(outcomes(read(t, content, o)), "|"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	_, err := table.Read(t.Context(), strings.NewReader("pos,A,C,D,E\n2,0.1,0.2,0.3,0.4\n3,0.1,0.2,0.3,0.5\n4,0.1,0.7,0.6,0.4\n"), table.Options{Sequences: table.Detect})
	if err == nil || !strings.Contains(err.Error(), "it is a matrix of positions and residues") {
		t.Errorf("without a wild type: %v", err)
	}
}

// Positions that skip 0, as those around the start of transcription, are refused: some rows would be read at a wrong base.
func TestPositionsWithoutZero(t *testing.T) {
	o := table.Options{Sequences: table.Detect, WildType: "AACGTT", Offset: -4}
	_, err := table.Read(t.Context(), strings.NewReader("variant,y\nA-2C,1\nC-1G,1.1\nG1A,2\nT2C,1.4\nT2A,1.2\nA-3G,1\n"), o)
	if err == nil || !strings.Contains(err.Error(), "without a position 0") {
		t.Errorf("error %v", err)
	}
	o.Offset = -3
	tab := read(t, "variant,y\nA-1C,1\nC0G,1.1\nG1A,2\nT2C,1.4\nA-2G,1\n", o)
	if got := tab.Records[2]; got.Input != "AACATT" || got.State != table.Measured {
		t.Errorf("with a position 0, G1A is %q, %s", got.Input, got.State)
	}
}

// A hyphen in a column of mutants is the wild type, unless another column or the score says that it is a blank.
func TestBlanks(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"by a column", "mutant,Sample type,activity\nWT,control,1\n-,blank,0.9\nK2R,sample,1.5\n", "MKTAYIAKQRQI|set aside|MRTAYIAKQRQI"},
		{"by a name", "well,mutant,content,activity\nA1,WT,,1\nA2,-,no enzyme,0.9\nA3,none,negative control,0.9\nA4,K2R,,1.5\nA5,T3S,,1.5\nA6,A4G,,1.5\n", "MKTAYIAKQRQI|set aside|set aside|MRTAYIAKQRQI|MKSAYIAKQRQI|MKTGYIAKQRQI"},
		{"by the score", "mutant,activity\nWT,1\n-,0.01\nK2R,1.5\n", "MKTAYIAKQRQI|invalid|MRTAYIAKQRQI"},
		{"the wild type", "mutant,activity\nWT,1\n-,0.9\nK2R,1.5\n", "MKTAYIAKQRQI|MKTAYIAKQRQI|MRTAYIAKQRQI"},
		{"the only wild type", "mutant,activity\n-,0.01\nK2R,1.5\n", "MKTAYIAKQRQI|MRTAYIAKQRQI"},
		{"logarithms", "mutant,log activity\nWT,0\n-,-0.01\nK2R,1.5\n", "MKTAYIAKQRQI|MKTAYIAKQRQI|MRTAYIAKQRQI"},
		{"a wild type that is a control", "mutant,Sample type,activity\nWT,negative control,1\nK2R,sample,1.5\n", "MKTAYIAKQRQI|MRTAYIAKQRQI"},
	} {
		var got []string
		for _, r := range read(t, test.content, table.Options{WildType: wildType, Sequences: table.Detect}).Records {
			if r.State != table.Measured {
				r.Input = string(r.State)
			}
			got = append(got, r.Input)
		}
		if got := strings.Join(got, "|"); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
