package table_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

func TestSequencesAreCleaned(t *testing.T) {
	const rows = "MKTAYV,1\nMKTAYI,2\nMKTAYL,3\nMKTAYF,4\n"
	for _, test := range []struct{ name, cell, want, note string }{
		{"as it is", "MKTAYV", "MKTAYV", ""},
		{"lower case", "mktayv", "MKTAYV", "lower case folded"},
		{"both cases", "MKTayv", "MKTAYV", "with lower case taken for L residues"},
		{"blanks", "MKT AYV", "MKTAYV", "blanks removed"},
		{"blanks of other kinds", "MKT\u00a0A\tYV", "MKTAYV", "blanks removed"},
		{"a final stop", "MKTAYV*", "MKTAYV", "final * removed"},
		{"all of it", "mkt ayv*", "MKTAYV", "lower case folded and blanks removed and final * removed"},
		{"a gap in an alignment", "MKT-YV", "MKTYV", "gaps removed; 5 letters, and 4 of 5 sequences have 6"},
		{"a gap of another kind in an alignment", "MK..YV", "MKYV", "gaps removed; 4 letters, and 4 of 5 sequences have 6"},
		{"an ambiguous letter", "MKTAYX", "", "position 6 is X, any amino acid"},
		{"an ambiguous letter in lower case", "MKTxYV", "", "position 4 is X, any amino acid"},
		{"B", "BKTAYV", "", "position 1 is B, either D or N"},
		{"Z", "MZTAYV", "", "position 2 is Z, either E or Q"},
		{"J", "MJTAYV", "", "position 2 is J, either I or L"},
		{"U", "MUTAYV", "", "position 2 is U, selenocysteine, which is none of the 20 amino acids"},
		{"O", "MOTAYV", "", "position 2 is O, pyrrolysine, which is none of the 20 amino acids"},
		{"a stop inside", "MKT*YV", "", "position 4 is *, a stop inside the sequence"},
		{"two stops", "MKTAY**", "", "position 6 is *, a stop inside the sequence"},
		{"a digit", "MKT4YV", "", "position 4 is '4', which is no letter of a protein sequence"},
		{"a position behind a blank", "MK TA4V", "", "position 5 is '4', which is no letter of a protein sequence"},
		{"a question mark", "MKT?YV", "", "position 4 is '?', which is no letter of a protein sequence"},
		{"a letter of another alphabet", "MKTÄYV", "", "position 4 is 'Ä', which is no letter of a protein sequence"},
		{"a letter that only looks like one", "MKTAYſ", "", "position 6 is 'ſ', which is no letter of a protein sequence"},
		{"a stop alone", "*", "", "there is no sequence"},
		{"gaps alone", "------", "", "there is no sequence"},
	} {
		r := read(t, "sequence,score\n"+test.cell+",0\n"+rows, table.Options{Sequences: table.Detect}).Records[0]
		if note := r.Reason.Text + r.Note; r.Input != test.want || note != test.note || (r.State == table.Invalid) != (test.want == "") {
			t.Errorf("%s: %q is %q, %s (%s); want %q (%s)", test.name, test.cell, r.Input, r.State, note, test.want, test.note)
		}
	}
}

// Lower case among the capitals of peptides stands for D residues, which are not those of L, unless it marks what was
// mutated.
func TestLowerCaseInPeptides(t *testing.T) {
	const ls = "ARWQWRMKKLG,1\nRRWQWRMKALG,2\nRRWQFRMKKLG,3\nRRWQWRMKKLG,4\n"
	for _, test := range []struct {
		name, rows string
		sequences  bioseq.Kind
		want       string // inputs of the rows before ls; ! of one that is refused
	}{
		{"a D scan", "rRWQWRMKKLG,1\nRrWQWRMKKLG,2\n", table.Detect, "rRWQWRMKKLG RrWQWRMKKLG"},
		{"D residues that are mutated, too", "RRWQWRMaKLG,1\nRRWQWRaKKLG,2\n", table.Detect, "RRWQWRMaKLG RRWQWRaKKLG"},
		{"phosphorylated residues", "RRWQpYRMKKLG,1\nRRWQpYRMKALG,2\n", table.Detect, "RRWQpYRMKKLG RRWQpYRMKALG"},
		{"a slip", "rRWQWRMKKLG,1\n", table.Detect, "RRWQWRMKKLG"},
		{"lower case alone", "rrwqwrmkklg,4\nrrwqwrmkalg,2\n", table.Detect, "RRWQWRMKKLG RRWQWRMKALG"},
		{"lower case alone, and capitals with another score", "rrwqwrmkklg,1\nrrwqwrmkalg,2\n", table.Detect, "! RRWQWRMKALG"},
		{"told to a study of L residues", "rRWQWRMKKLG,1\n", bioseq.Protein, "!"},
	} {
		var got []string
		for _, r := range read(t, "sequence,score\n"+test.rows+ls, table.Options{Sequences: test.sequences}).Records {
			if r.State == table.Invalid {
				r.Input = "!"
			}
			got = append(got, r.Input)
		}
		if got := strings.Join(got[:len(got)-4], " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	marked := "sequence,score\nRRWQWRMKKLG,1\nRRWaWRMKKLG,2\nRRWQWRMKaLG,3\nRRWQWdMKKLG,3\n"
	tab := read(t, marked, table.Options{Sequences: table.Detect})
	if tab.Sequences != bioseq.Protein || tab.Records[1].Input != "RRWAWRMKKLG" {
		t.Errorf("mutations in lower case: %v, %s", tab.Sequences, tab.Records[1].Input)
	}
}

func TestGapsAreLettersOfNothingUnlessSequencesAreAligned(t *testing.T) {
	for _, test := range []struct {
		name, rows string
		options    table.Options
		want       string
	}{
		{"all of one length", "MK-AYV MKTAYV M-T-YV", table.Options{Sequences: table.Detect}, "MKAYV|MKTAYV|MTYV"},
		{"a stop does not count", "MK-AYV MKTAYV*", table.Options{Sequences: table.Detect}, "MKAYV|MKTAYV"},
		{"lengths that differ", "MK-AYV MKTAYVV", table.Options{Sequences: table.Detect}, "! position 3 is -, a gap, which only aligned sequences of one length may have|MKTAYVV"},
		{"three-letter codes of others", "Ala-His-Trp Ala-Nle-Trp", table.Options{Sequences: bioseq.Protein}, "AHW|! Nle is none of the 20 amino acids, and the other sequences are letters for these"},
		{"one sequence", "MK-AYV", table.Options{Sequences: bioseq.Protein}, "! position 3 is -, a gap, which only aligned sequences of one length may have"},
		{"one sequence of the wild type's length", "MK-AYIAKQRQI", table.Options{WildType: wildType, Sequences: table.Detect}, "MKAYIAKQRQI"},
	} {
		content := "sequence,score\n" + strings.ReplaceAll(test.rows, " ", ",1\n") + ",1\n"
		if got := strings.Join(outcomes(read(t, content, test.options)), "|"); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// What is recognised as sequences is read as such; other strings stay as they are.
func TestSequencesAreRecognised(t *testing.T) {
	for _, test := range []struct {
		name, column, cells string
		want                bioseq.Kind
		read                string // the first, as it is read
	}{
		{"proteins", "sequence", "mktayv MKTAYV MKTAYX", bioseq.Protein, "MKTAYV"},
		{"most of them dirty", "aa_seq", "MKTAYV* MKTAYX MKTAYV- MKTAYVB", bioseq.Protein, "MKTAYV"},
		{"proteins in lower case", "Sequence", "mktayv mktayi", bioseq.Protein, "MKTAYV"},
		{"four sites", "variant", "vdgv VDGA ADGV", bioseq.Protein, "VDGV"},
		{"peptides", "Peptide", "gigkf GIGKFL GIGK", bioseq.Protein, "GIGKF"},
		{"peptides of a few letters that DNA has, too", "peptide", "GAG CAT MKV", bioseq.Protein, "GAG"},
		{"a loop", "CDR3 (aa)", "CASSF cassy CASSL", bioseq.Protein, "CASSF"},
		{"DNA", "sequence", "acgt ACGA ACGN", bioseq.DNA, "ACGT"},
		{"DNA in lower case", "dna", "acgt acga", bioseq.DNA, "ACGT"},
		{"RNA", "guide_seq", "acguacgu ACGUACGA", bioseq.RNA, "ACGUACGU"},
		{"RNA in lower case", "RNA", "acguacgu acguacga", bioseq.RNA, "ACGUACGU"},

		{"DNA with codes in a column of another name", "construct x", "ATGGCTCTG ATGGCGCTG ATGRYKCTG", bioseq.DNA, "ATGGCTCTG"},

		{"words", "word", "apple grape peach", bioseq.None, "apple"},
		{"words in a column of sequences", "sequence", "hello world again apple grape", bioseq.None, "hello"},
		{"names of proteins", "protein", "lipase kinase amylase", bioseq.None, "lipase"},
		{"SMILES", "smiles", "ccn CCN CCC", bioseq.None, "ccn"},
		{"SMILES in a column of sequences", "sequence", "c1ccccc1 CC(C)N CC(=O)N", bioseq.None, "c1ccccc1"},
		{"tokens in brackets", "sequence", "[C][N] [C][C] [N][C]", bioseq.None, "[C][N]"},
		{"three-letter codes", "sequence", "Ala-Gly Gly-Ala ALA-ALA", bioseq.Protein, "AG"},
		{"three-letter codes with free ends", "peptide", "H-Ala-Lys-Gly-OH GlyAlaLys AKGG", bioseq.Protein, "AKG"},
		{"three-letter codes of others", "sequence", "Ala-Aib-Gly Gly-Nle-Ala", bioseq.None, "Ala-Aib-Gly"},
		{"three-letter codes with one of another residue", "peptide", "Ala-His-Trp-Arg Val-His-Trp-Arg Leu-Gln-Phe-Arg Nle-His-Trp-Arg", bioseq.None, "Ala-His-Trp-Arg"},
		{"three-letter codes with free ends and one of another residue", "peptide", "H-Ala-His-OH H-Val-His-OH H-Leu-Gln-OH H-Ala-Nal(2)-OH", bioseq.None, "H-Ala-His-OH"},
		{"letters with free ends", "peptide", "H-KWKL-OH KWKA KWRL", bioseq.Protein, "KWKL"},
		{"an alignment", "sequence", "H-KWKL HAKWKA HAKWRL", bioseq.Protein, "HKWKL"},
		{"modified ends", "peptide", "Ac-KWKL-NH2 Ac-KWKA-NH2", bioseq.None, "Ac-KWKL-NH2"},
		{"primers with codes", "primer", "ACGTNRYACGT ACGTNNNACGT ACGTACGTACG", bioseq.None, "ACGTNRYACGT"},
		{"expressions", "expression", "x*x sin(x) x+1", bioseq.None, "x*x"},
		{"letters of a run", "x", "ACDE aced DEAC", bioseq.None, "ACDE"},
		{"letters of another alphabet", "sequence", "ab-ba bbab abba", bioseq.None, "ab-ba"},
		{"letters in another case", "string", "abba ABBA AbBa", bioseq.None, "abba"},
	} {
		content := test.column + "\tscore\n" + strings.ReplaceAll(test.cells, " ", "\t1\n") + "\t1\n"
		tab := read(t, content, table.Options{Sequences: table.Detect, Input: test.column})
		if tab.Sequences != test.want || tab.Records[0].Input != test.read {
			t.Errorf("%s: %q sequences, the first is %q (%s); want %q and %q", test.name, tab.Sequences, tab.Records[0].Input, tab.Records[0].Note, test.want, test.read)
		}
		plain := read(t, content, table.Options{Input: test.column})
		if first := strings.Fields(test.cells)[0]; plain.Sequences != bioseq.None || plain.Records[0].Input != first {
			t.Errorf("%s: not to be recognised: %q sequences, the first is %q", test.name, plain.Sequences, plain.Records[0].Input)
		}
	}
}

// A few sequences with ends among many of letters alone are refused by what they have.
func TestEndsAmongSequences(t *testing.T) {
	content := "peptide,score\nKWKLFKKI,1\nKWKLFKKA,1\nKWKLFKKG,1\nKWKLFKKI-NH2,1\nAc-KWKLFKKI,1\n"
	const want = "KWKLFKKI|KWKLFKKA|KWKLFKKG|! -NH2 is more than the letters that the other sequences are|! Ac- is more than the letters that the other sequences are"
	if got := strings.Join(outcomes(read(t, content, table.Options{Sequences: bioseq.Protein})), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestNucleotides(t *testing.T) {
	for _, test := range []struct{ name, rows, want string }{
		{"DNA", "acgtacgt ACGTACGN ACGTACGR ACGUACGT ACG-ACGT ACGTACGX", "ACGTACGT|! position 8 is N, any base|! position 8 is R, one of several bases|" +
			"! position 4 is U, and most of the table is DNA: write one of T and U, or give the alphabet ACGUT for strings that have both|ACGACGT|! position 8 is 'X', which is no letter of a DNA sequence"},
		{"half of them with codes", "ATGNNKCTG ATGGCTCTG ATGRYKCTG ATGGCGCTG", "! position 4 is N, any base|ATGGCTCTG|! position 4 is R, one of several bases|ATGGCGCTG"},
		{"most of them with more codes than bases", "NNKNNKNNK NNKVHGNNK ATGGCGCTG", "! position 1 is N, any base|! position 1 is N, any base|ATGGCGCTG"},
		{"peptides of letters that are codes", "GAGAGATGA GAGKGATGA GAGSGATGA", "GAGAGATGA|GAGKGATGA|GAGSGATGA"},
		{"ends of strands", "5'-ACGTACGT-3' 5′-acgtacga-3′ 5'ACGTACGC3' 5’–ACGTACGG–3’ ACGTACTT 3'-ACGTACGT-5'", "ACGTACGT|ACGTACGA|ACGTACGC|ACGTACGG|ACGTACTT|! position 1 is '3', which is no letter of a DNA sequence"},
		{"the direction of strands", "GGUUGGUU(5'→3') (5'->3')GGUUGGUA GGUUGGUC(5'-3') 5'-GG-3'", "GGUUGGUU|GGUUGGUA|GGUUGGUC|GG"},
		{"ends of short strands", "5'-GC-3' 5'-GG-3' 5'-GA-3' 5'-TC-3'", "GC|GG|GA|TC"},
		{"RNA", "ACGUACGU acguacga ACGTACGA ACGUACGC", "ACGUACGU|ACGUACGA|! position 4 is T, and most of the table is RNA: write one of T and U, or give the alphabet ACGUT for strings that have both|ACGUACGC"},
	} {
		content := "sequence,score\n" + strings.ReplaceAll(test.rows, " ", ",1\n") + ",1\n"
		if got := strings.Join(outcomes(read(t, content, table.Options{Sequences: table.Detect})), "|"); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// The cases of ../shared/cases/proteins.
func TestDirtyTable(t *testing.T) {
	const content = "sequence,score\nMKTAYV,1\nmktayv,2\nMKT-YI,1.5\nMKTAYV*,1.2\nMKTAYX,1.1\nMKT AYF,0.9\n"
	const want = "3 sequences: 1 replicated, 1 lower case folded, 1 gaps removed, 1 final * removed, 1 blanks removed, line 6 invalid (position 6 is X, any amino acid), " +
		"line 4 of another length (5 letters, and 4 of 5 sequences have 6); column sequence, score score; protein sequences"
	if got := read(t, content, table.Options{Sequences: table.Detect}).Summary("sequences"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestOneSequenceOfAnotherLength(t *testing.T) {
	for _, test := range []struct{ name, sequences, want string }{
		{"one of five", "VDGV ADGV CDGV VDGA VDG", ": line 6 of another length (3 letters, and 4 of 5 sequences have 4)"},
		{"two of ten", "VDGV ADGV CDGV VDGA VDGC VDGD VDGE VDGF VDG VDGVV", ": 2 of another length (lines 10, 11; line 10: 3 letters, and 8 of 10 sequences have 4)"},
		{"all lengths differ", "V VD VDG VDGV", ""},
		{"half of them", "VDGV ADGV VDG ADG", ""},
		{"none", "VDGV ADGV CDGV VDGA", ""},
	} {
		tab := read(t, "sequence,score\n"+strings.ReplaceAll(test.sequences, " ", ",1\n")+",1\n", table.Options{Sequences: table.Detect})
		_, got, _ := strings.Cut(tab.Summary("sequences"), "sequences")
		if got, _, _ = strings.Cut(got, "; column"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if n := tab.Counts()[table.Measured]; n != len(tab.Records) {
			t.Errorf("%s: %d of %d rows are measured", test.name, n, len(tab.Records))
		}
	}
}

func TestReadWildType(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(">wt\nMKTAYI\n"))
	z.Close()
	for _, test := range []struct{ name, content, want, err string }{
		{"FASTA", ">sp|P12345| a protein\nMKT\nAYI*\n", "MKTAYI", ""},
		{"text", "mktayi\n", "MKTAYI", ""},
		{"text in lines and blocks", "MKT AYI\nAKQ RQI\n", "MKTAYIAKQRQI", ""},
		{"FASTA with numbered lines", ">wt\n        1 mtykl ilngk\n       11 tlkge\n", "MTYKLILNGKTLKGE", ""},
		{"numbered lines", "        1 mtykl ilngk\n       11 tlkge\n", "MTYKLILNGKTLKGE", ""},
		{"numbers behind lines", "MTYKL ILNGK 10\nTLKGE      15\n", "MTYKLILNGKTLKGE", ""},
		{"GenBank", "LOCUS       GB1  15 aa\nFEATURES             Location/Qualifiers\nORIGIN      \n        1 mtykl ilngk\r\n       11 tlkge\n//\n", "MTYKLILNGKTLKGE", ""},
		{"UniProt", "ID   GB1   Reviewed; 15 AA.\nDE   RecName: Full=G;\nSQ   SEQUENCE   15 AA;  1 MW;  0 CRC64;\n     MTYKL ILNGK\n     TLKGE\n//\n", "MTYKLILNGKTLKGE", ""},
		{"gzip", zipped.String(), "MKTAYI", ""},
		{"DNA", "acgtacgt", "ACGTACGT", ""},
		{"two sequences", ">a\nMKT\n>b\nMKA\n", "", "it holds 2 sequences: give a file with that of the wild type alone"},
		{"chains", ">H\nEVQLVES\n>L\nDIQMT\n", "EVQLVES/DIQMT", ""},
		{"chains of one record", ">ab\nEVQLVES/DIQMT\n", "EVQLVES/DIQMT", ""},
		{"chains in text", "EVQLVES:DIQMT\n", "EVQLVES:DIQMT", ""},
		{"exons", ">a\nACGTACGT\n>b\nTTGACA\n", "", "it holds 2 sequences"},
		{"no sequence", "", "", "there is no sequence"},
		{"a table", "mutant,score\nK2R,1\n", "", "position 2 is U, selenocysteine"},
		{"an ambiguous letter", ">a\nMKXA\n", "", "position 3 is X, any amino acid"},
		{"a path", "data/wt.fasta", "", "position 5 is '/', which is no letter of a protein sequence"},
	} {
		got, err := table.ReadWildType(strings.NewReader(test.content))
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %q, %v, want %q, %s", test.name, got, err, test.want, test.err)
		}
	}
}

// Strings of RNA that end in TT are no RNA alone, and no error. A few among others are refused in a sentence that says
// what to do.
func TestOverhangs(t *testing.T) {
	const a, b, c = "CAUUGCGAGUCAUUUGAUU", "UCGUAGAAAGUCAAUAUGG", "UUCUGUGUUGUUCGCGUGG"
	const letters = "each letter where the data do"
	const both = "and most of the table is RNA: write one of T and U, or give the alphabet ACGUT for strings that have both"
	for _, test := range []struct {
		name, rows, want, note string
		kind                   bioseq.Kind
	}{
		{"all", a + "TT|" + b + "TT|" + c + "TT", a + "TT|" + b + "TT|" + c + "TT", letters, bioseq.None},
		{"most", a + "TT|" + b + "TT|" + c + "UU", a + "TT|" + b + "TT|" + c + "UU", letters, bioseq.None},
		{"in lower case", a + "tt|" + b + "tt|" + c + "tt", a + "tt|" + b + "tt|" + c + "tt", letters, bioseq.None},
		{"as nucleotides of DNA", a + "dTdT|" + b + "dTdT|" + c + "dTdT", a + "dTdT|" + b + "dTdT|" + c + "dTdT", "nucleic acids with modifications, such as " + a + "dTdT", bioseq.None},
		{"a few", a + "TT|" + b + "UU|" + c + "UU", "! position 20 is T, " + both + "|" + b + "UU|" + c + "UU", "", bioseq.RNA},
		{"a few as nucleotides of DNA", a + "dTdT|" + b + "UU|" + c + "UU", "! position 20 is dT, a nucleotide of DNA: leave the overhang out of all strings, or write it in all|" + b + "UU|" + c + "UU", "", bioseq.RNA},
	} {
		tab := read(t, "sequence,y\n"+strings.ReplaceAll(test.rows, "|", ",1\n")+",2\n", table.Options{Sequences: table.Detect})
		note := strings.Join(tab.Notes, "; ")
		if got := strings.Join(outcomes(tab), "|"); got != test.want || tab.Sequences != test.kind || (note == "") != (test.note == "") || !strings.Contains(note, test.note) {
			t.Errorf("%s: %q, %s, notes %q; want %q, %q", test.name, tab.Sequences, got, note, test.want, test.note)
		}
	}
}

// Peptides with capped ends beside bare ones are one kind of strings; a slip among many bare ones is refused.
func TestCappedBesideBare(t *testing.T) {
	const bare = "KWKLFKKI,1\nRWKLFKKI,2\nKWKLFRKI,3\nKWKLFKRI,4\nKWKVFKKI,5\n"
	for _, test := range []struct {
		name, content string
		kind          bioseq.Kind
		invalid       int
	}{
		{"capped", bare + "Ac-KWKLFKKI-NH2,6\nAc-RWKLFKKI-NH2,7\n", bioseq.None, 0},
		{"amides", bare + "KWKLFKKI-NH2,6\nRWKLFKKI-NH2,7\n", bioseq.None, 0},
		{"with other residues", bare + "KWKLF[Orn]KI,6\nKWKLF[Aib]KI,7\n", bioseq.None, 0},
		{"a slip", bare + "Ac-KWKLFKKI-NH2,6\n", bioseq.Protein, 1},
		{"bare", bare, bioseq.Protein, 0},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader("sequence,score\n"+test.content), table.Options{Sequences: table.Detect})
		if err != nil {
			t.Fatal(err)
		}
		if n := tab.Counts()[table.Invalid]; tab.Sequences != test.kind || n != test.invalid {
			t.Errorf("%s: kind %v, want %v; %d invalid rows, want %d", test.name, tab.Sequences, test.kind, n, test.invalid)
		}
	}
}

func TestReadSequence(t *testing.T) {
	protein := table.Options{Sequences: bioseq.Protein, WildType: "MKTAYI"}
	dna := table.Options{Sequences: bioseq.DNA, BothStrands: true}
	for _, test := range []struct {
		o          table.Options
		text, want string
	}{
		{protein, "mrtayi", "MRTAYI"}, {protein, "K2R:T3S", "MRSAYI"}, {protein, "T3S/K2R", "MRSAYI"}, {protein, "p.Lys2Arg", "MRTAYI"}, {protein, "Lys2Arg", "MRTAYI"}, {protein, "WT", "MKTAYI"}, {protein, "MKXAYI", ""}, {protein, "K9R", ""}, {protein, "R2K", ""},
		{table.Options{Sequences: bioseq.Protein, WildType: "MKTAYI", Offset: -1}, "K1R", "MRTAYI"}, {dna, "TTACGT", "ACGTAA"}, {dna, "ACGU", ""},
	} {
		if got, err := table.ReadSequence(test.text, test.o); got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s: %q, error %v; want %q", test.text, got, err, test.want)
		}
	}
}

// Chains of a row may have blanks between them, and a wild type of several chains is one of these sequences.
func TestChainsWithBlanks(t *testing.T) {
	const rows = "Fv,score\nEVQLVESGG / DIQMTQS,1\nEVQLVESGA / DIQMTQS,2\nEVQLVESGG/DIQMTQA,3\n"
	for _, wildType := range []string{"", "EVQLVESGG/DIQMTQS"} {
		tab := read(t, rows, table.Options{CSV: true, Input: "Fv", Sequences: table.Detect, WildType: wildType})
		var all []string
		for _, r := range tab.Records {
			all = append(all, r.Input)
		}
		if got := strings.Join(all, " "); got != "EVQLVESGG/DIQMTQS EVQLVESGA/DIQMTQS EVQLVESGG/DIQMTQA" {
			t.Errorf("with the wild type %q: %s", wildType, got)
		}
	}
	_, err := table.Read(t.Context(), strings.NewReader("mutant,score\nV2A,1\nQ3A,2\n"), table.Options{WildType: "EVQLVESGG/DIQMTQS"})
	if err == nil || !strings.Contains(err.Error(), "the wild type has 2 chains") {
		t.Errorf("mutants of two chains: %v", err)
	}
}

// Short peptides are sequences whatever their column is called, in a few languages or by their content.
func TestColumnsOfPeptides(t *testing.T) {
	for _, name := range []string{"Sequence", "Séquence", "Se\u0301quence", "Secuencia", "Sequência", "Sequenz", "Sequenza", "Sekvens", "序列", "配列", "Construct"} {
		tab := read(t, "Nom,"+name+",Activité\nP1,KLAKLAKKLAKLAK,1\nP2,KLAKLAKKLAKLAR,1.5\nP3,KLAKLWKKLAKLAK,0.9\nP4,RLAKLAKKLAKLAK,2.1\n", table.Options{CSV: true, Sequences: table.Detect})
		if tab.Sequences != bioseq.Protein || tab.Columns.Input != name {
			t.Errorf("%s: column %s of kind %q", name, tab.Columns.Input, tab.Sequences)
		}
	}
}

// HELM is one notation with and without its version; where all have it, they keep it.
func TestVersionsOfHELM(t *testing.T) {
	for text, want := range map[string]string{
		"PEPTIDE1{A.K}$$$$,1\nPEPTIDE1{A.R}$$$$V2.0,2\n": "PEPTIDE1{A.K}$$$$ PEPTIDE1{A.R}$$$$", "PEPTIDE1{A.K}$$$$V2.0,1\nPEPTIDE1{A.R}$$$$V2.0,2\n": "PEPTIDE1{A.K}$$$$V2.0 PEPTIDE1{A.R}$$$$V2.0",
	} {
		tab := read(t, "HELM,pIC50\n"+text, table.Options{CSV: true, Input: "HELM", Sequences: table.Detect})
		if got := tab.Records[0].Input + " " + tab.Records[1].Input; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
