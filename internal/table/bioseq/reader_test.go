package bioseq_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
)

// read returns the sequences of a Reader, or why there is none, with what was changed in brackets.
func read(r bioseq.Reader, texts []string) string {
	var all []string
	for _, text := range texts {
		sequence, changed, err := r.Read(text)
		switch {
		case err != nil:
			sequence = "! " + err.Error()
		case changed != "":
			sequence += " (" + changed + ")"
		}
		all = append(all, sequence)
	}
	return strings.Join(all, "|")
}

func TestReader(t *testing.T) {
	protein, dna := bioseq.Protein, bioseq.DNA
	const d = "! lower case among capitals may stand for D residues, here or in other rows: write capitals for L residues, or brackets in all rows, as in RR[dW]QW"
	for _, test := range []struct {
		name, texts, want string
		reader            bioseq.Reader
	}{
		{"letters", "MKTAYV|mkt ayv*", "MKTAYV|MKTAYV (lower case folded and blanks removed and final * removed)", bioseq.Reader{Kind: protein}},
		{"positions", "MKXA", "! position 3 is X, any amino acid", bioseq.Reader{Kind: protein}},
		{"positions that begin at 25", "MKXA", "! position 27 is X, any amino acid", bioseq.Reader{Kind: protein, Offset: 24}},
		{"gaps", "MK-A", "! position 3 is -, a gap, which only aligned sequences of one length may have", bioseq.Reader{Kind: protein}},
		{"gaps of an alignment", "MK-A", "MKA (gaps removed)", bioseq.Reader{Kind: protein, Aligned: true}},
		{"both strands", "TTACGT|ttacgt|ACGTAA", "ACGTAA (reverse complement taken)|ACGTAA (lower case folded and reverse complement taken)|ACGTAA", bioseq.Reader{Kind: dna, BothStrands: true}},
		{"the strand of the wild type", "TTACGT", "TTACGT", bioseq.Reader{Kind: dna, BothStrands: true, WildType: "TTACGA"}},
		{"a protein has no strands", "TTACGT", "TTACGT", bioseq.Reader{Kind: protein, BothStrands: true}},
		{"D residues", "RrWQWRMKKLG", d, bioseq.NewReader(protein, []string{"RrWQWRMKKLG"}, "")},
		{"marks of what was mutated", "RRWaWRMKKLG", "RRWAWRMKKLG (with lower case taken for L residues)", bioseq.NewReader(protein, []string{"RRWaWRMKKLG"}, "RRWQWRMKKLG")},
		{"one length", "MK-A|MKTA", "MKA (gaps removed)|MKTA", bioseq.NewReader(protein, []string{"MK-A", "MKTA"}, "")},
		{"that of the wild type", "MK-A", "MKA (gaps removed)", bioseq.NewReader(protein, []string{"MK-A"}, "MKTA")},
	} {
		if got := read(test.reader, strings.Split(test.texts, "|")); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if _, _, err := (bioseq.Reader{}).Read("MKTA"); err == nil {
		t.Error("the zero Reader reads a text")
	}
}

func TestRecognize(t *testing.T) {
	for _, test := range []struct {
		name, texts, wildType string
		want                  bioseq.Kind
		holds, read           string // part of what they are instead, or the sequences
	}{
		{"proteins", "MKTAYV|MKTayI", "", bioseq.Protein, "", "MKTAYV|MKTAYI (with lower case taken for L residues)"},
		{"three-letter codes", "Ala-Gly|Gly-Ala", "", bioseq.Protein, "", "AG (three-letter codes or free ends read as letters)|GA (three-letter codes or free ends read as letters)"},
		{"of a wild type, whatever they look like", "acgt|ACGA", "ACGT", bioseq.DNA, "", "ACGT (lower case folded)|ACGA"},
		{"a wild type that is a protein", "ACGT", "MKTAYI", bioseq.Protein, "", "ACGT"},
		{"D residues", "RrWQWRMKKLG|rRWQWRMKKLG", "", bioseq.None, "more than letters, such as RrWQWRMKKLG", ""},
		{"ends of some", "KWKL|KWKA|Ac-KWKI-NH2|Ac-KWKV-NH2", "", bioseq.None, "such as Ac-KWKI-NH2", ""},
		{"other residues", "Ala-Nle-Trp|Val-His-Trp", "", bioseq.None, "peptides whose residues hyphens separate", ""},
		{"RNA with T", "CAUUGCGAGTT|UCGUAGAAATT", "", bioseq.None, "RNA with T, such as CAUUGCGAGTT", ""},
		{"degenerate primers", "ACGTNRYACGT|ACGTNNNACGT", "", bioseq.None, "DNA with codes of several bases", ""},
		{"modified nucleotides", "mUfUmCfGmA|mUfUmCfGmC", "", bioseq.None, "nucleic acids with modifications, such as mUfUmCfGmA", ""},
		{"text", "two words|x + y", "", bioseq.None, "", ""},
		{"nothing", "", "", bioseq.None, "", ""},
	} {
		texts := strings.FieldsFunc(test.texts, func(r rune) bool { return r == '|' })
		r, holds := bioseq.Recognize(texts, bioseq.CalledSequences, test.wildType)
		if r.Kind != test.want || !strings.Contains(holds, test.holds) || (holds == "") != (test.holds == "") {
			t.Errorf("%s: %q, holds %q; want %q, %q", test.name, r.Kind, holds, test.want, test.holds)
		}
		if got := read(r, texts); r.Kind != bioseq.None && got != test.read {
			t.Errorf("%s: %s, want %s", test.name, got, test.read)
		}
	}
}
