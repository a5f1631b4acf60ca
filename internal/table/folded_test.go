package table_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// A peptide in lower case beside the same letters in capitals may be its enantiomer, unless their scores agree.
func TestEnantiomers(t *testing.T) {
	const long = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVV"
	knows := func(text string) string {
		if strings.EqualFold(text, "KWKLFKKIG") {
			return "KWKLFKKIG"
		}
		return ""
	}
	nothing := func(string) string { return "" }
	for _, test := range []struct {
		name, rows string
		known      bool
		like       table.Columns
		refused    string // lines
	}{
		{"another score", "KWKLFKKIG,2\nkwklfkkig,64\nRWRLFRRIG,1\n", false, table.Columns{}, "3"},
		{"the lower case first", "kwklfkkig,64\nKWKLFKKIG,2\nRWRLFRRIG,1\n", false, table.Columns{}, "2"},
		{"the same score", "KWKLFKKIG,2\nkwklfkkig,2\nRWRLFRRIG,1\n", false, table.Columns{}, ""},
		{"all in lower case", "kwklfkkig,2\nkwklfkkig,64\nrwrlfrrig,1\n", false, table.Columns{}, ""},
		{"other letters", "KWKLFKKIG,2\nrwrlfrrig,64\nRWRLFRRIA,1\n", false, table.Columns{}, ""},
		{"a protein", long + ",2\n" + strings.ToLower(long) + ",64\n", false, table.Columns{}, ""},
		{"told to a study in capitals", "kwklfkkig,64\n", true, table.Columns{}, "2"},
		{"told to a study in lower case", "kwklfkkig,64\n", true, table.Columns{LowerCase: true}, ""},
		{"told as new", "rwrlfrrig,64\n", true, table.Columns{}, ""},
	} {
		o := table.Options{Sequences: bioseq.Protein, Like: test.like}
		if test.known {
			o.Known, o.Named = &table.Known{Called: nothing, Written: knows}, true
		}
		tab := read(t, "Sequence,MIC (uM)\n"+test.rows, o)
		refused := ""
		for _, r := range tab.Records {
			if r.State == table.Invalid {
				refused += string(rune('0' + r.Line))
				if !strings.Contains(r.Reason.Text, "lower case may stand for D residues") {
					t.Errorf("%s: %s", test.name, r.Reason.Text)
				}
			}
		}
		if refused != test.refused {
			t.Errorf("%s: lines %q are refused, want %q", test.name, refused, test.refused)
		}
		if want := test.name == "all in lower case"; want && !tab.Columns.LowerCase {
			t.Errorf("%s: the table does not say so", test.name)
		}
	}
}

// DNA among proteins, or told to a study of them, is none.
func TestNucleicAmongProteins(t *testing.T) {
	const dna = "ATGAAAACCGCGTATATTGCGCGTCAGCGTCAGATT"
	nothing := func(string) string { return "" }
	told := table.Options{Sequences: bioseq.Protein, Named: true, Known: &table.Known{Called: nothing, Written: nothing}}
	known := told
	known.Known = &table.Known{Called: nothing, Written: func(text string) string { return text }}
	for _, test := range []struct {
		name, rows string
		o          table.Options
		refused    int
	}{
		{"told", dna + ",1\n", told, 1},
		{"told in lower case", strings.ToLower(dna) + ",1\n", told, 1},
		{"RNA", strings.ReplaceAll(dna, "T", "U") + ",1\n", told, 1},
		{"all of a told table", dna + ",1\n" + dna + "AAA,2\n", told, 2},
		{"a string of the study", dna + ",1\n", known, 0},
		{"a protein", "MKTAYIAKQRQI,1\n", told, 0},
		{"silk", "GAGAGSGAGAGA,1\nGAGAGTGAGAGT,1\n", told, 0},
		{"a short peptide", "ACGT,1\n", told, 0},
		{"a row of a new table", "MKTAYIAKQRQI,1\nMRTAYIAKQRQI,2\n" + dna + ",3\n", table.Options{Sequences: table.Detect}, 1},
	} {
		refused := 0
		for _, r := range read(t, "name,sequence,activity\nv1,"+strings.ReplaceAll(strings.TrimSuffix(test.rows, "\n"), "\n", "\nv,")+"\n", test.o).Records {
			if r.State == table.Invalid && (strings.Contains(r.Reason.Text, "DNA or RNA by its letters") || strings.Contains(r.Reason.Text, "selenocysteine")) {
				refused++
			}
		}
		if refused != test.refused {
			t.Errorf("%s: %d rows are refused, want %d", test.name, refused, test.refused)
		}
	}
}

// Nucleic acids that differ in case alone are one, unless several letters do in many rows of different names and
// clearly different scores.
func TestModificationsInLowerCase(t *testing.T) {
	const others = "S8,ACGUACGGUUACGGUAA,3\nS9,ACGUACGGUUACGGUAC,9\n"
	for _, test := range []struct {
		name, rows string
		refused    bool
	}{
		{"different patterns", "S1,gcAUcgauuGcAAgcua,1\nS2,gCAucgAuugCaaGcUa,2\nS3,GCaucgAuugCaaGcUa,7\n" + others, true},
		{"patterns beside capitals", "S1,GCAUCGAUUGCAAGCUA,1\nS2,gCAucgAuugCaaGcUa,2\nS3,GCaucgAuugCaaGcUa,7\n" + others, true},
		{"one pattern beside capitals", "S1,GCAUCGAUUGCAAGCUA,1\nS2,gCAucgAuugCaaGcUa,7\n" + others, false},
		{"scores that agree", "S1,gcAUcgauuGcAAgcua,1\nS2,gCAucgAuugCaaGcUa,1.2\nS3,GCaucgAuugCaaGcUa,1.1\n" + others, false},
		{"one name", "S1,gcAUcgauuGcAAgcua,1\nS1,gCAucgAuugCaaGcUa,2\nS1,GCaucgAuugCaaGcUa,7\n" + others, false},
		{"numbers of rows", "1,gcAUcgauuGcAAgcua,1\n2,gCAucgAuugCaaGcUa,2\n3,GCaucgAuugCaaGcUa,7\n", false},
		{"no names", ",gcAUcgauuGcAAgcua,1\n,gCAucgAuugCaaGcUa,2\n,GCaucgAuugCaaGcUa,7\n" + others, false},
		{"lower case and capitals", "S1,gcaucgauugcaagcua,1\nS2,GCAUCGAUUGCAAGCUA,2\nS3,gcaucgauugcaagcua,7\n" + others, false},
		{"one letter", "S1,gCAUCGAUUGCAAGCUA,1\nS2,GCAUCGAUUGCAAGCUA,2\nS3,gCAUCGAUUGCAAGCUA,7\n" + others, false},
		{"other letters", "S1,gcAUcgauuGcAAgcua,1\nS2,gCAucgAuugCaaGcUG,2\nS3,gCAucgAuugCaaGcCG,7\n" + others, false},
		{"few of many", "S1,gcAUcgauuGcAAgcua,1\nS2,gCAucgAuugCaaGcUa,2\nS3,GCaucgAuugCaaGcUa,7\n" + strings.Repeat(others, 6), false},
	} {
		_, err := table.Read(t.Context(), strings.NewReader("id,sequence,knockdown\n"+test.rows), table.Options{Sequences: table.Detect})
		if refused := err != nil && strings.Contains(err.Error(), "lower case stands for modified nucleotides"); refused != test.refused || err != nil && !refused {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
