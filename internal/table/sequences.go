package table

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
)

// Detect is an Options.Sequences: what the strings are is found out by the name of their column and by all of its cells.
const Detect bioseq.Kind = "detect"

var calledSequences, sequenceParts, sequenceWords = list("called sequence"), list("sequence part"), list("sequence word")

// ofSequences reports whether a column is called as one that holds sequences: peptide, CDR3, aa_seq, mutated_sequence.
func ofSequences(column string) bool {
	folded := quantity.Fold(withoutAccents(column))
	words := strings.FieldsFunc(strings.ToLower(column), func(r rune) bool { return !unicode.IsLetter(r) })
	return hasPart(folded, calledSequences) || hasPart(folded, sequenceParts) ||
		slices.Contains(mutantNames, folded) || len(without(words, sequenceWords)) < len(words)
}

// hasPart reports whether a name has one of some parts.
func hasPart(folded string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(folded, part) })
}

// withoutAccents returns a name of séquences as one of sequences.
func withoutAccents(name string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if 0x300 <= r && r < 0x370 {
			return -1
		}
		return r
	}, norm.NFD.String(name)))
}

// hint returns what the name of a column says of its cells.
func hint(column string) bioseq.Hint {
	switch {
	case !ofSequences(column):
		return bioseq.NoHint
	case hasPart(quantity.Fold(withoutAccents(column)), calledSequences):
		return bioseq.CalledSequences
	}
	return bioseq.OftenSequences
}

// holdsSequences reports whether a column is called as one that holds sequences, and does.
func (g *grid) holdsSequences(column int) bool {
	called := hint(g.header[column])
	return called != bioseq.NoHint && bioseq.Detect(g.cells(column, sampled), called) != bioseq.None
}

// noteChains notes that other columns than the input hold sequences that vary, too.
func (g *grid) noteChains(o Options, c *columns) {
	isChain := func(i int) bool {
		cells := g.cells(i, sampled)
		varies := slices.ContainsFunc(cells, func(cell string) bool { return cell != cells[0] })
		return varies && g.holdsSequences(i)
	}
	if o.Sequences != Detect || o.Like.Input != "" || c.input < 0 || c.mutant >= 0 || !isChain(c.input) {
		return
	}
	others := g.where(func(i int) bool { return !slices.Contains(c.taken(), i) && isChain(i) })
	for _, i := range others {
		c.notes = append(c.notes, fmt.Sprintf("column %s holds sequences, too, which have no part in the search; to search several chains, join them with / in one column", g.name(i)))
	}
}

// sequences turns the Input of all records into sequences, if that is what they are.
func (t *Table) sequences(o Options) {
	t.setRemarksAside(o)
	t.joinChains(o)
	t.dropVersions(o)
	var inputs []string
	for _, r := range t.Records {
		if r.Input != "" {
			inputs = append(inputs, r.Input)
		}
	}
	var reader bioseq.Reader
	switch o.Sequences {
	case bioseq.None:
	case Detect:
		var holds string
		reader, holds = bioseq.Recognize(inputs, hint(t.Columns.Input), o.WildType)
		if holds != "" {
			t.Notes = append(t.Notes, fmt.Sprintf("column %s holds %s", t.Columns.Input, holds))
		}
	default:
		reader = bioseq.NewReader(o.Sequences, inputs, o.WildType)
	}
	if t.Sequences = reader.Kind; t.Sequences == bioseq.None {
		return
	}
	reader.Offset, reader.BothStrands = o.Offset, o.BothStrands
	for i := range t.Records {
		r := &t.Records[i]
		if r.Input == "" {
			continue
		}
		sequence, changed, err := reader.Read(r.Input)
		if err != nil {
			*r = r.invalid(BadString, "%v", err)
			continue
		}
		r.Input, r.changed = sequence, joined(" and ", r.changed, changed)
		r.annotate(changed)
	}
	t.findOdd()
}

// joinChains takes the blanks around what separates the chains of sequences off, if most have several chains.
func (t *Table) joinChains(o Options) {
	if o.Normalize != nil || o.Molecules {
		return
	}
	filled := slices.DeleteFunc(slices.Clone(t.Records), func(r Record) bool { return r.Input == "" })
	several := stats.Count(filled, func(r Record) bool { return notation.ChainsOf(notation.JoinChains(r.Input)) > 1 })
	for i := range t.Records {
		r := &t.Records[i]
		if joined := notation.JoinChains(r.Input); 2*several > len(filled) && joined != r.Input {
			r.Input, r.changed = joined, "blanks removed"
			r.annotate(r.changed)
		}
	}
}

// dropVersions takes the version of HELM, V2.0, off strings that have it beside others that have not.
func (t *Table) dropVersions(o Options) {
	without := func(r Record) string { return notation.WithoutVersion(r.Input) }
	some := slices.ContainsFunc(t.Records, func(r Record) bool { return without(r) != r.Input })
	all := !slices.ContainsFunc(t.Records, func(r Record) bool { return r.Input != "" && without(r) == r.Input })
	for i := range t.Records {
		r := &t.Records[i]
		if x := without(*r); some && !all && x != r.Input && !o.Molecules && o.Normalize == nil {
			r.Input, r.changed = x, "version of HELM removed"
			r.annotate(r.changed)
		}
	}
}

// ReadSequence returns a sequence as a table of o.Sequences would have it, from its letters or, of variants of a wild
// type, its mutations.
func ReadSequence(text string, o Options) (string, error) {
	if o.WildType != "" && mutation.Is(text) && !isLetters(text) {
		all, err := mutation.Parse(text)
		if err != nil {
			return "", err
		}
		text, _, err = mutation.Apply(o.WildType, o.first(), all)
		if err != nil {
			return "", err
		}
	}
	text, _ = notation.CutRemark(text)
	r := bioseq.Reader{Kind: o.Sequences, WildType: o.WildType, Offset: o.Offset, BothStrands: o.BothStrands}
	sequence, _, err := r.Read(text)
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

// areChains reports whether the sequences of a file are a few chains of proteins, and no variants of each other.
func areChains(all []string) bool {
	const most = 8
	for i, x := range all {
		for _, y := range all[:i] {
			if len(x) == len(y) && x != y && 2*stats.Hamming(x, y) < len(x) {
				return false
			}
		}
	}
	joined, err := bioseq.Parse(strings.Join(all, "/"))
	return err == nil && len(all) <= most && notation.ChainsOf(joined) == len(all) && bioseq.Detect(all, bioseq.CalledSequences) == bioseq.Protein
}

// ReadWildType reads the sequence that mutants change: FASTA, of several chains, too, a file of GenBank, EMBL or
// UniProt, or text with one sequence, whose lines may be numbered. The error says where it is none.
func ReadWildType(r io.Reader) (string, error) {
	text, err := ReadText(r)
	if err != nil {
		return "", err
	}
	text = numberedLine.ReplaceAllString(flatFile.ReplaceAllString(text, "$1"), "$1")
	if rawfile.IsFASTA(text) {
		var sequences []string
		_, rows := rawfile.FASTA(rawfile.Text{Begin: text})
		for r := range rows(rawfile.Text{Begin: text}) {
			if sequence := field(r.Cells, rawfile.SequenceColumn); sequence != "" {
				sequences = append(sequences, sequence)
			}
		}
		text = strings.Join(sequences, "/") // chains
		if len(sequences) == 0 || len(sequences) > 1 && !areChains(sequences) {
			return "", fmt.Errorf("it holds %d sequences: give a file with that of the wild type alone, or with its chains", len(sequences))
		}
	}
	return bioseq.Parse(text)
}
