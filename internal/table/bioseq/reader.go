package bioseq

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
)

// Reader reads texts as sequences of one kind. The zero Reader reads none.
type Reader struct {
	Kind        Kind
	WildType    string // that the sequences are variants of, in capital letters; may be empty
	Offset      int    // position of the first letter, minus 1: errors name positions
	BothStrands bool   // DNA or RNA and its reverse complement are one sequence; see Strand
	Aligned     bool   // sequences may have gaps, which are removed

	refuses func(letters string) bool // some of their lower case may be of D residues; nil: none is
}

// NewReader returns a Reader of texts that are sequences of a kind. They are aligned if they have one length, or a
// single one has that of the wild type, which may be empty.
func NewReader(kind Kind, texts []string, wildType string) Reader {
	all, _, _ := lettersOf(texts)
	r := Reader{Kind: kind, WildType: wildType, Aligned: aligned(all, wildType)}
	if kind == Protein {
		r.refuses = mayBeD(all, wildType)
	}
	return r
}

// Recognize returns a Reader of texts if they are sequences. No text is empty. Their name is the hint, and they are
// sequences in any case if they have a wild type. The Kind of texts that are not read as sequences is None; holds then
// says what they are, after "the column holds", and how they are searched, or is empty.
func Recognize(texts []string, hint Hint, wildType string) (r Reader, holds string) {
	all, written, coded := lettersOf(texts)
	several := func(x string) bool { return notation.ChainsOf(x) > 1 }
	if wildType != "" && !several(wildType) && 2*stats.Count(texts, several) <= len(texts) {
		return ofVariants(all, coded, wildType), ""
	}
	plain := make([]string, len(all))
	for i, letters := range all {
		plain[i] = unmixed(letters)
	}
	kind := Detect(plain, hint)
	if kind == Protein && stats.Count(all, mayBeD(all, "")) >= fewestD {
		kind = None
	}
	if kind != None && coded {
		kind = Protein
	}
	if kind == Protein && partly(texts) || coded && haveOthers(texts) { // Ac-KWKL-NH2 beside KWKL
		kind, written = None, texts
	}
	switch {
	case (kind == DNA || kind == RNA) && 2*stats.Count(all, notation.IsChimera) > len(all):
		example := written[slices.IndexFunc(all, notation.IsChimera)]
		return Reader{}, fmt.Sprintf("RNA with T, such as %s: proposals have each letter where the data do", usage.Shorten(example, 60))
	case kind == None:
		return Reader{}, describe(all, written)
	}
	return Reader{Kind: kind, Aligned: aligned(all, "")}, ""
}

// fewestD is in how many sequences lower case may stand for D residues if it does: one may be a slip.
const fewestD = 2

// ofVariants returns a Reader of bare sequences with a wild type. If coded, most are written in three-letter codes.
func ofVariants(all []string, coded bool, wildType string) Reader {
	r := Reader{Kind: kindOf(append(slices.Clone(all), wildType)), WildType: wildType, Aligned: aligned(all, wildType)}
	if r.Kind == Protein {
		if hasD := mayBeD(all, wildType); stats.Count(all, hasD) >= fewestD {
			r.refuses = hasD
		}
	}
	if coded {
		r.Kind = Protein
	}
	return r
}

// lettersOf returns the bare letters of texts that have some, and these texts, and whether most of them are written in
// three-letter codes, such as Ala-Gly.
func lettersOf(texts []string) (all, written []string, coded bool) {
	n := 0
	for _, text := range texts {
		letters, _, _ := bare(text)
		if letters == "" {
			continue
		}
		all, written = append(all, letters), append(written, text)
		if 2*len(letters) < len(withoutStrand(text)) {
			n++
		}
	}
	return all, written, 2*n > len(all)
}

// describe says what texts are that are not read as sequences, and how they are searched; empty if they are just text.
// letters are those of the texts.
func describe(letters, texts []string) string {
	modified := notation.Modified(texts) != nil
	switch {
	case degenerate(letters) && !modified:
		return "DNA with codes of several bases, which is read as text: proposals have the letters that occur"
	case modified:
		return fmt.Sprintf("nucleic acids with modifications, such as %s: proposals have the nucleotides that occur", usage.Shorten(texts[0], 60))
	case notation.HaveWords(texts):
		return "peptides whose residues hyphens separate: proposals have the residues that occur, and ends as one of them has"
	case notation.HaveParts(texts):
		return fmt.Sprintf("sequences that are more than letters, such as %s: proposals change residues, and keep ends and what separates chains",
			usage.Shorten(notation.FirstOfParts(texts), 60))
	}
	return ""
}

// Read returns the sequence of a text in capital letters, and what was changed, such as "lower case folded and blanks
// removed"; empty if nothing was. The error says which position is no letter of the sequences, and why.
func (r Reader) Read(text string) (sequence, changed string, err error) {
	sequence, changed, err = r.Kind.clean(text, r.Aligned, r.Offset+1)
	if err != nil {
		return "", "", err
	}
	if letters, _, _ := bare(text); r.refuses != nil && r.refuses(letters) {
		return "", "", errors.New("lower case among capitals may stand for D residues, here or in other rows: write capitals for L residues, or brackets in all rows, as in RR[dW]QW")
	}
	if r.BothStrands && r.Kind != Protein {
		if strand := r.Kind.Strand(sequence, r.WildType); strand != sequence {
			sequence, changed = strand, strings.TrimPrefix(changed+" and reverse complement taken", " and ")
		}
	}
	return sequence, changed, nil
}

// aligned reports whether bare sequences have one length, or a single one has that of the wild type.
func aligned(all []string, wildType string) bool {
	length := len(wildType)
	if len(all) > 1 {
		length = len(all[0])
	}
	return !slices.ContainsFunc(all, func(letters string) bool { return len(letters) != length })
}

// partly reports whether some of the strings are sequences that are more than letters, as with capped ends, beside
// others that are letters.
func partly(xs []string) bool {
	const some, share = 2, 0.05
	more := stats.Count(xs, func(x string) bool {
		_, more, ok := notation.ReadParts(x)
		return ok && more
	})
	return more >= some && float64(more) >= share*float64(len(xs)) && notation.HaveParts(xs)
}

// haveOthers reports whether some of peptides in three-letter codes, as which HaveWords finds them, have other residues
// than the usual.
func haveOthers(xs []string) bool {
	return slices.ContainsFunc(xs, func(x string) bool { return notation.OtherResidue(x) != "" }) && notation.HaveWords(xs)
}
