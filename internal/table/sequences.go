package table

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// Sequences says what the strings of a table are. Sequences are read as capital letters; other strings are left as they are.
type Sequences string

const (
	NoSequences Sequences = ""
	Detect      Sequences = "detect" // found out by the name of their column and by all of its cells
	Protein     Sequences = "protein"
	DNA         Sequences = "DNA"
	RNA         Sequences = "RNA"
)

// residues are the letters of sequences that a search may use. Others, such as X, stand for several or are rare.
var residues = map[Sequences]string{Protein: "ACDEFGHIKLMNPQRSTVWY", DNA: "ACGT", RNA: "ACGU"}

// Letters returns the letters of sequences of a kind; none for other strings.
func Letters(k Sequences) string { return residues[k] }

// KindOf returns the kind of sequences over an alphabet; NoSequences if it has another letter than proteins have.
func KindOf(alphabet string) Sequences {
	for _, k := range []Sequences{DNA, RNA, Protein} {
		if alphabet != "" && strings.Trim(alphabet, residues[k]) == "" {
			return k
		}
	}
	return NoSequences
}

// gaps are what alignments have where a sequence has no letter.
const gaps = "-."

// ambiguous are the letters of proteins that stand for others, or for rare ones.
var ambiguous = map[rune]string{'X': "any amino acid", 'B': "either D or N", 'Z': "either E or Q", 'J': "either I or L",
	'U': "selenocysteine, which is none of the 20 amino acids", 'O': "pyrrolysine, which is none of the 20 amino acids"}

// reject says why a character is not a letter of the sequences.
func (k Sequences) reject(r rune) string {
	var why string
	switch {
	case r == '*':
		why = "a stop inside the sequence"
	case strings.ContainsRune(gaps, r):
		why = "a gap, which only aligned sequences of one length may have"
	case k == Protein:
		why = ambiguous[r]
	case r == 'N':
		why = "any base"
	case strings.ContainsRune("RYSWKMBDHV", r):
		why = "one of several bases"
	case k == DNA && r == 'U', k == RNA && r == 'T':
		why = fmt.Sprintf("and most of the table is %s: write one of T and U, or give the alphabet ACGUT for strings that have both", k)
	}
	if why == "" {
		return fmt.Sprintf("%q, which is no letter of a %s sequence", r, k)
	}
	return string(r) + ", " + why
}

// strandEnds matches DNA or RNA with the ends of its strand: 5'-ACGT-3', 5′ ACG T 3′, ACGT (5'→3').
var strandEnds = func() *regexp.Regexp {
	const prime, dash = `\s*['′’´` + "`" + `]`, `\s*[-–—]?\s*`
	const both = `\(?5` + prime + `?\s*(?:→|->|-->|=>|to|-|–)\s*3` + prime + `?\)?`
	return regexp.MustCompile(`(?i)^\s*(?:` + both + `\s*:?|5` + prime + dash + `)?\s*([ACGTUN\s]+?)(?:` + dash + `3` + prime + `|\s*` + both + `)?\s*$`)
}()

// withoutStrand returns DNA or RNA without the ends of its strand, and another text as it is.
func withoutStrand(text string) string {
	if m := strandEnds.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// bare returns a sequence in letters, without blanks, unmodified ends and a final *, and whether blanks and * were there.
func bare(text string) (letters string, blanks, stop bool) {
	text = withoutStrand(text)
	letters = strings.Join(strings.Fields(text), "")
	blanks = len(letters) < len(text)
	letters, stop = strings.CutSuffix(letters, "*")
	return oneLetter(letters), blanks, stop
}

// deoxy matches a nucleotide of DNA in RNA: UUdTdT.
var deoxy = regexp.MustCompile(`^d[ACGTU]`)

// capital returns an ASCII letter as a capital, and another character as it is.
func capital(r rune) rune {
	if 'a' <= r && r <= 'z' {
		r += 'A' - 'a'
	}
	return r
}

// isMixed reports whether the letters of a protein are capitals but for some.
func isMixed(letters string) bool {
	const fewest = 3
	capitals, small := 0, 0
	for _, r := range letters {
		switch {
		case !strings.ContainsRune(residues[Protein], capital(r)):
			return false
		case capital(r) == r:
			capitals++
		default:
			small++
		}
	}
	return small > 0 && capitals >= max(fewest, small)
}

// folded returns cells with capitals for those that are mixed.
func folded(cells []string) []string {
	all := slices.Clone(cells)
	for i, letters := range cells {
		if isMixed(letters) {
			all[i] = strings.ToUpper(letters)
		}
	}
	return all
}

// peptide is how many letters a sequence has at most that may have D residues, in lower case.
const peptide = 50

// mayBeD reports whether letters in lower case among the capitals of a peptide may stand for D residues. Those that differ from the reference mark what
// was mutated, unless it has another length.
func mayBeD(letters, reference string) bool {
	if len(letters) > peptide || !isMixed(letters) {
		return false
	}
	if len(reference) != len(letters) {
		return true
	}
	for i := range len(letters) {
		if r := rune(letters[i]); capital(r) != r && capital(r) == capital(rune(reference[i])) {
			return true
		}
	}
	return false
}

// marksMutations reports whether sequences differ from a reference of the same length by letters in lower case, and hardly by capitals.
func marksMutations(all []string, reference string) bool {
	small, capitals := 0, 0
	for _, x := range all {
		if len(x) != len(reference) || !isMixed(x) && x == strings.ToLower(x) {
			continue
		}
		for i := range len(x) {
			switch r := rune(x[i]); {
			case capital(r) == capital(rune(reference[i])):
			case capital(r) != r:
				small++
			default:
				capitals++
			}
		}
	}
	return 10*capitals <= small
}

// usualLetters returns the capitals that most of sequences have at each position; "" if nine in ten have no length in common.
func usualLetters(all []string) string {
	lengths := map[int]int{}
	length := 0
	for _, x := range all {
		if lengths[len(x)]++; lengths[len(x)] > lengths[length] {
			length = len(x)
		}
	}
	if 10*lengths[length] < 9*len(all) {
		return ""
	}
	usual := make([]byte, length)
	for i := range usual {
		var times [256]int
		for _, x := range all {
			if len(x) == length {
				b := byte(capital(rune(x[i])))
				if times[b]++; times[b] > times[usual[i]] {
					usual[i] = b
				}
			}
		}
	}
	return string(usual)
}

// clean returns the sequence of a cell, whose first letter has the position first, and what was changed. Aligned sequences may have gaps.
func (k Sequences) clean(text string, aligned bool, first int) (sequence, changed string, err error) {
	letters, blanks, stop := bare(text)
	var b strings.Builder
	var folded, gap, capitals bool
	at := first - 1
	for _, r := range letters {
		at++
		upper := capital(r)
		switch {
		case strings.ContainsRune(residues[k], upper):
			folded, capitals = folded || upper != r, capitals || upper == r
			b.WriteRune(upper)
		case aligned && strings.ContainsRune(gaps, r):
			gap = true
		default:
			if p, more, _ := readParts(letters); more && k == Protein {
				return "", "", fmt.Errorf("%s is more than the letters that the other sequences are", usage.Shorten(cmp.Or(p.Before, p.After, letters), 40))
			}
			if nucleotide := deoxy.FindString(letters[min(at-first, len(letters)):]); nucleotide != "" && k != Protein {
				return "", "", fmt.Errorf("position %d is %s, a nucleotide of DNA: leave the overhang out of all strings, or write it in all", at, nucleotide)
			}
			if other := otherResidue(text); other != "" && k == Protein {
				return "", "", fmt.Errorf("%s is none of the 20 amino acids, and the other sequences are letters for these", other)
			}
			return "", "", fmt.Errorf("position %d is %s", at, k.reject(upper))
		}
	}
	if b.Len() == 0 {
		return "", "", errors.New("there is no sequence")
	}
	lower := "lower case folded"
	if k == Protein && capitals && b.Len() <= peptide { // which may stand for D residues
		lower = "with lower case taken for L residues"
	}
	strand := withoutStrand(text)
	codes := len(letters) < len(strings.TrimSuffix(strings.Join(strings.Fields(strand), ""), "*"))
	changed = joined(" and ", when(strings.ContainsAny(text, "35") && strand != text, "without 5' and 3'"), when(codes, "three-letter codes or free ends read as letters"), when(folded, lower), when(blanks, "blanks removed"), when(gap, "gaps removed"), when(stop, "final * removed"))
	return b.String(), changed, nil
}

// detectSequences returns what the bare cells of a column are: sequences if both its name and most of the cells say so, or these beyond doubt.
func detectSequences(column string, cells []string) Sequences {
	cells = mapped(cells, withoutStrand)
	if degenerate(cells) {
		return NoSequences
	}
	if !ofSequences(column) {
		return evident(cells)
	}
	const long = 8
	n, capitals, lower := len(cells), 0, 0
	for _, letters := range cells {
		usual, unusual := residueCount(letters)
		switch {
		case usual == 0:
		case len(letters) >= long && strings.Trim(strings.ToUpper(letters), "ACGTUN"+gaps) == "": // case may tell exons, or what is not coding
			capitals++
		case letters == strings.ToUpper(letters) && 3*unusual <= usual:
			capitals++
		case letters == strings.ToLower(letters) && unusual == 0:
			lower++
		}
	}
	kind := kindOf(cells)
	// Words in lower case may have letters of amino acids only. Hardly all words of a table have, but for one that is wrong.
	const few = 4
	most := 10*(capitals+lower) >= 9*n || n >= few && capitals+lower == n-1
	if 2*capitals > n || n > 0 && most && (kind != Protein || strings.Contains(quantity.Fold(column), "seq")) {
		return kind
	}
	return NoSequences
}

// evident returns what bare cells are that are sequences whatever their column is called: nearly all of them long, over the bases, or in capitals
// over the residues of proteins, most of which occur; or many short ones of one length in which nearly all residues occur.
func evident(cells []string) Sequences {
	const long, most, fewBases, fewResidues = 8, 0.9, 3, 15
	var nucleic, proteins, letters int
	used := map[rune]bool{}
	for _, cell := range cells {
		letters += len(cell)
		upper := strings.ToUpper(cell)
		if strings.Trim(upper, residues[DNA]+residues[RNA]+"N"+gaps) == "" {
			nucleic++
		}
		if usual, unusual := residueCount(cell); usual > 0 && 10*unusual <= usual && cell == upper {
			proteins++
		}
		for _, r := range upper {
			used[r] = true
		}
	}
	n := len(cells)
	occur := func(letters string) (k int) {
		for _, r := range letters {
			if used[r] {
				k++
			}
		}
		return k
	}
	const many, nearlyAllResidues = 20, 18
	switch {
	case n >= many && proteins == n && len(cells[0]) >= 3 && occur(residues[Protein]) >= nearlyAllResidues && occur("BJOUXZ") == 0 && oneLength(cells):
		return Protein // a library of a few sites
	case n < 2 || letters < long*n:
		return NoSequences
	case float64(nucleic+coded(cells)) >= most*float64(n) && occur("ACG") == fewBases:
		return kindOf(cells)
	case float64(proteins) >= most*float64(n) && occur(residues[Protein]) >= fewResidues && occur("BJOUXZ") <= 1:
		return kindOf(cells)
	}
	return NoSequences
}

var sequenceParts, sequenceWords = list("sequence part"), list("sequence word")

// ofSequences reports whether a column is called as one that holds sequences: peptide, CDR3, aa_seq, mutated_sequence.
func ofSequences(column string) bool {
	folded := quantity.Fold(column)
	words := strings.FieldsFunc(strings.ToLower(column), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(sequenceParts, func(part string) bool { return strings.Contains(folded, part) }) ||
		slices.Contains(mutantNames, folded) || len(without(words, sequenceWords)) < len(words)
}

// noteChains notes that other columns than the input hold sequences that vary, too.
func (g *grid) noteChains(o Options, c *columns) {
	isChain := func(i int) bool {
		cells := g.cells(i, sampled)
		varies := slices.ContainsFunc(cells, func(cell string) bool { return cell != cells[0] })
		return ofSequences(g.header[i]) && varies && detectSequences(g.header[i], cells) != NoSequences
	}
	if o.Sequences != Detect || o.Like.Input != "" || c.input < 0 || c.mutant >= 0 || !isChain(c.input) {
		return
	}
	others := g.where(func(i int) bool { return !slices.Contains(c.taken(), i) && isChain(i) })
	for _, i := range others {
		c.notes = append(c.notes, fmt.Sprintf("column %s holds sequences, too, which have no part in the search; to search several chains, join them with / in one column", g.name(i)))
	}
}

// residueCount counts the usual letters of sequences, and others but for gaps. Of what has more than letters, gaps and * none is usual.
func residueCount(letters string) (usual, unusual int) {
	isRNA := strings.Trim(strings.ToUpper(letters), "ACGUN"+gaps) == ""
	for _, r := range letters {
		switch upper := capital(r); {
		case isRNA && upper == 'U', strings.ContainsRune(residues[Protein], upper):
			usual++
		case 'A' <= upper && upper <= 'Z', r == '*':
			unusual++
		case !strings.ContainsRune(gaps, r):
			return 0, len(letters)
		}
	}
	return usual, unusual
}

func oneLength(cells []string) bool {
	return !slices.ContainsFunc(cells, func(x string) bool { return len(x) != len(cells[0]) })
}

// kindOf returns what bare sequences are: DNA or RNA if most consist of its letters and nearly all may, otherwise Protein.
func kindOf(cells []string) Sequences {
	var nucleic, bases, proteins, t, u int
	for _, letters := range cells {
		letters = strings.ToUpper(letters)
		switch {
		case strings.Trim(letters, "ACGTUN"+gaps) == "":
			nucleic++
			bases += len(letters)
			t += strings.Count(letters, "T")
			u += strings.Count(letters, "U")
		case strings.ContainsAny(letters, "EFILPQ"): // no code of bases
			proteins++
		}
	}
	n := len(cells)
	const short = 6 // peptides of fewer letters may by chance have those of DNA only
	switch {
	case 10*proteins > n, 2*(nucleic+coded(cells)) <= n, coded(cells) == 0 && bases < short*nucleic && nucleic < n:
		return Protein
	case u > t:
		return RNA
	}
	return DNA
}

// baseCodes are the letters of DNA and RNA with those that stand for several bases. All but B and U are residues of proteins, too.
const baseCodes = "ACGTURYSWKMBDHVN"

// coded returns how many bare cells are DNA or RNA with codes of several bases, such as ATGNNKCTG. Only cells beside them that have the bases
// alone, all four of them, tell that they are no peptides.
func coded(cells []string) int {
	const long = 8
	codes, clear, letters := 0, 0, 0
	missing := []string{"A", "C", "G", "TU"}
	for _, cell := range cells {
		upper := strings.ToUpper(cell)
		switch {
		case strings.Trim(upper, "ACGTU"+gaps) == "":
			clear, letters = clear+1, letters+len(upper)
			missing = slices.DeleteFunc(missing, func(base string) bool { return strings.ContainsAny(upper, base) })
		case strings.Trim(upper, "ACGTUN"+gaps) != "" && strings.Trim(upper, baseCodes+gaps) == "":
			codes++
		}
	}
	if letters < long*clear || len(missing) > 0 {
		return 0
	}
	return codes
}

// isChimera reports whether bare letters are of DNA and RNA, as of an siRNA that ends in TT.
func isChimera(letters string) bool {
	letters = strings.ToUpper(letters)
	return strings.Contains(letters, "T") && strings.Contains(letters, "U")
}

// degenerate reports whether bare cells are primers or probes of several sequences each: bases with codes for several of them. Peptides
// hardly have so many letters of bases.
func degenerate(cells []string) bool {
	var coded, letters, bases int
	for _, cell := range cells {
		upper := strings.ToUpper(cell)
		if strings.Trim(upper, baseCodes) != "" {
			return false
		}
		n := 0
		for _, base := range "ACGTU" {
			n += strings.Count(upper, string(base))
		}
		letters, bases = letters+len(upper), bases+n
		if n < len(upper) {
			coded++
		}
	}
	const long, most = 8, 0.7
	return 2*coded > len(cells) && letters >= long*len(cells) && float64(bases) >= most*float64(letters)
}

// sequences turns the Input of all records into sequences, if that is what they are.
func (t *Table) sequences(o Options) {
	t.setRemarksAside(o)
	kind := o.Sequences
	var all, written []string // bare, and as they are
	var inputs []string       // whatever they are
	coded := 0
	for _, r := range t.Records {
		if r.Input != "" {
			inputs = append(inputs, r.Input)
		}
		if letters, _, _ := bare(r.Input); letters != "" {
			all, written = append(all, letters), append(written, r.Input)
			if 2*len(letters) < len(withoutStrand(r.Input)) {
				coded++
			}
		}
	}
	switch {
	case kind == Detect && o.WildType != "":
		kind = kindOf(append(all, o.WildType))
	case kind == Detect:
		kind = detectSequences(t.Columns.Input, folded(all))
	}
	const some = 2 // one may be a slip
	reference, small := o.WildType, 0
	if kind == Protein && slices.ContainsFunc(all, isMixed) {
		reference = cmp.Or(reference, usualLetters(all))
		if !marksMutations(all, reference) {
			reference = ""
		}
		small = count(all, func(x string) bool { return mayBeD(x, reference) })
	}
	if o.Sequences == Detect && o.WildType == "" && small >= some {
		kind = NoSequences
	}
	if o.Sequences == Detect && kind != NoSequences && 2*coded > len(all) { // Ala-Gly
		kind = Protein
	}
	if o.Sequences == Detect && o.WildType == "" && kind == Protein && partly(inputs) { // Ac-KWKL-NH2 beside KWKL
		kind, written = NoSequences, inputs
	}
	if o.Sequences == Detect && o.WildType == "" && 2*coded > len(all) && haveOthers(inputs) {
		kind, written = NoSequences, inputs
	}
	chimeras := o.Sequences == Detect && o.WildType == "" && (kind == DNA || kind == RNA) && 2*count(all, isChimera) > len(all)
	if chimeras {
		kind = NoSequences
	}
	if t.Sequences = kind; kind == NoSequences {
		switch {
		case o.Sequences != Detect:
		case chimeras:
			t.Notes = append(t.Notes, fmt.Sprintf("column %s holds RNA with T, such as %s: proposals have each letter where the data do", t.Columns.Input, usage.Shorten(written[slices.IndexFunc(all, isChimera)], 60)))
		case degenerate(all) && Modified(written) == nil:
			t.Notes = append(t.Notes, fmt.Sprintf("column %s holds DNA with codes of several bases, which is read as text: proposals have the letters that occur", t.Columns.Input))
		case Modified(written) != nil:
			t.Notes = append(t.Notes, fmt.Sprintf("column %s holds nucleic acids with modifications, such as %s: proposals have the nucleotides that occur", t.Columns.Input, usage.Shorten(written[0], 60)))
		case HaveWords(written):
			t.Notes = append(t.Notes, fmt.Sprintf("column %s holds peptides whose residues hyphens separate: proposals have the residues that occur, and ends as one of them has", t.Columns.Input))
		case HaveParts(written):
			t.Notes = append(t.Notes, fmt.Sprintf("column %s holds sequences that are more than letters, such as %s: proposals change residues, and keep ends and what separates chains", t.Columns.Input, usage.Shorten(firstOfParts(written), 60)))
		}
		return
	}
	length := len(o.WildType)
	if len(all) > 1 {
		length = len(all[0])
	}
	aligned := !slices.ContainsFunc(all, func(letters string) bool { return len(letters) != length })
	for i := range t.Records {
		r := &t.Records[i]
		if r.Input == "" {
			continue
		}
		sequence, changed, err := kind.clean(r.Input, aligned, o.first())
		if letters, _, _ := bare(r.Input); err == nil && kind == Protein && mayBeD(letters, reference) && (small >= some || o.Sequences != Detect) {
			err = errors.New("lower case among capitals may stand for D residues, here or in other rows: write capitals for L residues, or brackets in all rows, as in RR[dW]QW")
		}
		if err != nil {
			*r = r.invalid(BadString, "%v", err)
			continue
		}
		if o.BothStrands && kind != Protein {
			if strand := Strand(sequence, o.WildType, kind); strand != sequence {
				sequence, changed = strand, joined(" and ", changed, "reverse complement taken")
			}
		}
		r.Input, r.changed = sequence, joined(" and ", r.changed, changed)
		r.annotate(changed)
	}
	t.findOdd()
}

// ReadSequence returns a sequence as a table of o.Sequences would have it, from its letters or, of variants of a wild type, its mutations.
func ReadSequence(text string, o Options) (string, error) {
	if o.WildType != "" && isPlainMutant(text) && !isLetters(text) {
		all, err := parseMutant(text)
		if err != nil {
			return "", err
		}
		text, _, err = mutate(o.WildType, o.first(), all)
		if err != nil {
			return "", err
		}
	}
	text, _ = withoutRemark(text)
	sequence, _, err := o.Sequences.clean(text, false, o.first())
	if err == nil && o.BothStrands && o.Sequences != Protein {
		sequence = Strand(sequence, o.WildType, o.Sequences)
	}
	return sequence, err
}

// findOdd notes which sequences have another length than nearly all.
func (t *Table) findOdd() {
	var lengths tally[int]
	n := 0
	for _, r := range t.Records {
		if r.Input != "" {
			lengths.add(len(r.Input))
			n++
		}
	}
	if n == 0 || 5*lengths.n[lengths.usual()[0]] < 4*n {
		return
	}
	usual := lengths.usual()[0]
	for i := range t.Records {
		if r := &t.Records[i]; r.Input != "" && len(r.Input) != usual {
			r.odd = fmt.Sprintf("%d letters, and %d of %d sequences have %d", len(r.Input), lengths.n[usual], n, usual)
			r.annotate(r.odd)
		}
	}
}

var (
	// numberedLine matches a line of a sequence with the number of its first or last letter, as GenBank and EMBL write it.
	numberedLine = regexp.MustCompile(`(?m)^[ \t]*(?:\d+[ \t]+)?([A-Za-z*-][A-Za-z*\- \t]*?)(?:[ \t]+\d+)?[ \t\r]*$`)

	// flatFile matches what stands before and behind the sequence in a file of GenBank, EMBL or UniProt.
	flatFile = regexp.MustCompile(`(?ms)\A(?:LOCUS|ID) .*^(?:ORIGIN|SQ)\b[^\n]*\n(.*?)^//.*\z`)
)

// ReadWildType reads the sequence that mutants change: FASTA, a file of GenBank, EMBL or UniProt, or text with one sequence, whose lines may be
// numbered. The error says where it is none.
func ReadWildType(r io.Reader) (string, error) {
	text, err := ReadText(r)
	if err != nil {
		return "", err
	}
	text = numberedLine.ReplaceAllString(flatFile.ReplaceAllString(text, "$1"), "$1")
	if isFASTA(text) {
		var sequences []string
		for r := range fastaRows(body{begin: text}, nil) {
			if r.cells != nil && r.cells[2] != "" {
				sequences = append(sequences, r.cells[2])
			}
		}
		if len(sequences) != 1 {
			return "", fmt.Errorf("it holds %d sequences: give a file with that of the wild type alone", len(sequences))
		}
		text = sequences[0]
	}
	return ParseWildType(text)
}

// ParseWildType returns a sequence that mutants change as capital letters without blanks and without a final *.
func ParseWildType(text string) (string, error) {
	letters, _, _ := bare(text)
	sequence, _, err := kindOf([]string{letters}).clean(text, false, 1)
	return sequence, err
}
