package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/codons"
)

// Coding is what proposals of coding DNA or RNA keep.
type Coding string

const (
	asData      Coding = ""        // what the data keep
	keepProtein Coding = "protein" // what they encode
	keepFrame   Coding = "frame"   // an open reading frame, with its start and stop
	keepNone    Coding = "none"
)

// Set, String and Type let a flag hold it.
func (c *Coding) Set(text string) error {
	if !slices.Contains([]Coding{keepProtein, keepFrame, keepNone}, Coding(text)) {
		return usage.Errorf("%q is none of %s, %s and %s", text, keepProtein, keepFrame, keepNone)
	}
	*c = Coding(text)
	return nil
}

func (c Coding) String() string { return string(c) }
func (Coding) Type() string     { return "string" }

// What sequences must have to be taken for coding ones: others have that, but for 1 in 4, 1 in 100 and 1 in 1,000.
const (
	fewCodons  = 30  // from a start without a stop
	manyCodons = 100 // from anywhere
	silent     = 7   // changes, together, that leave the protein as it is

	shortestGene = 10 // codons, between flanks
)

// kept is what proposals of coding sequences keep. The zero kept is nothing.
type kept struct {
	forbids func(x string) bool // proposals that do not keep it; nil: there are none
	note    string              // what is kept because the examples do; may be empty

	reading
	distinct bool // sequences differ in their proteins alone, so that one of each protein is enough
}

// coding returns what proposals keep because examples do, or as the option says. Examples with a stop inside are
// controls, which say nothing of what is kept. One in ten may be no whole codons. Where sequences as a whole are no
// open reading frames, it is the one in them that counts.
func (s SequenceOptions) coding(examples []string, kind bioseq.Kind) (kept, error) {
	nucleic := kind == bioseq.DNA || kind == bioseq.RNA
	switch {
	case s.Coding == keepNone, s.Coding == asData && (s.BothStrands || !nucleic):
		return kept{}, nil
	case !nucleic:
		return kept{}, option.Errorf("%s is for DNA and RNA, and the strings are none", option.Setting{Name: "coding", Value: s.Coding.String()})
	}
	all := slices.Clone(examples)
	if s.WildType != "" {
		all = append(all, s.WildType)
	}
	r := readCoding(all, gene{})
	keep, found := r.keeps()
	if !found || !r.begins || s.Coding != asData && !r.usable() {
		if g := readCoding(all, geneOf(all)); g.inside != (gene{}) {
			inner, shows := g.shows()
			if shows && (!found || inner == keepProtein && keep != keepProtein) || s.Coding != asData && !r.usable() && g.usable() {
				r, keep, found = g, inner, true
			}
		}
	}
	if !r.usable() {
		var err error
		if s.Coding != asData && r.closed != "" {
			err = option.Errorf("%s: %s is no open reading frame, of whole codons without a stop before the last, and has none that the sequences share", option.Setting{Name: "coding", Value: s.Coding.String()}, usage.Shorten(r.closed, 60))
		}
		return kept{}, err
	}
	k := kept{reading: r}
	switch {
	case s.Coding != asData:
		keep = s.Coding
	case !found:
		return kept{}, nil
	default:
		k.note = r.note(keep)
	}
	k.distinct = keep == keepFrame && r.different == len(r.encoding) && r.different > 1
	k.forbids = func(x string) bool {
		protein := r.translate(x)
		if keep == keepProtein {
			return r.encoding[protein] == nil
		}
		return !codons.IsOpen(protein) || r.starts && protein[0] != 'M' || r.stops && !strings.HasSuffix(protein, "*")
	}
	return k, nil
}

// repeats reports whether a sequence encodes a known protein with other codons.
func (k kept) repeats(x string) bool {
	known := k.encoding[k.translate(x)]
	return known != nil && !slices.Contains(known, k.inside.of(x))
}

// reading is what sequences encode.
type reading struct {
	inside   gene
	encoding map[string][]string // coding parts by their proteins, each once

	starts, stops bool   // all start, or stop at their end
	framed        bool   // the controls start and stop, too
	begins        bool   // all, and the controls, start with their first letter
	longest       int    // residues
	open          int    // sequences without a stop inside
	controls      int    // sequences with one
	broken        int    // sequences that are no whole codons
	closed        string // the first that is not open
	different     int    // coding parts
	changes       int    // letters, together, that leave the protein as it is
}

// readCoding reads sequences, or a gene that is in them.
func readCoding(all []string, inside gene) reading {
	r := reading{inside: inside, encoding: map[string][]string{}, starts: true, stops: true, framed: true, begins: true}
	for _, x := range all {
		protein := r.translate(x)
		begins, ends := strings.HasPrefix(protein, "M"), strings.HasSuffix(protein, "*")
		r.begins = r.begins && begins
		switch {
		case protein == "":
			r.broken++
			r.closed = x
		case codons.HasStop(protein):
			r.controls++
			r.closed = cmp.Or(r.closed, x)
			r.framed = r.framed && begins && ends
		default:
			r.open++
			r.encoding[protein] = append(r.encoding[protein], inside.of(x))
			r.starts, r.stops = r.starts && begins, r.stops && ends
			r.longest = max(r.longest, len(protein))
		}
	}
	for protein, xs := range r.encoding {
		slices.Sort(xs)
		xs = slices.Compact(xs)
		r.encoding[protein] = xs
		r.different += len(xs)
		for _, x := range xs[1:] {
			if len(x) == len(xs[0]) {
				r.changes += stats.Hamming(x, xs[0])
			}
		}
	}
	if 10*r.broken > len(all) {
		r.open = 0
	}
	return r
}

// translate returns the protein that a sequence, or the gene in it, encodes.
func (r reading) translate(x string) string { return codons.Translate(r.inside.of(x)) }

// usable reports whether most sequences are whole codons, and some have no stop inside.
func (r reading) usable() bool { return r.open > 0 }

// same reports whether all sequences, or most, are other codons for a protein.
func (r reading) same() bool { return 2*len(r.encoding) <= r.different }

// keeps returns what whole sequences keep; ok is false if they need not be coding ones.
func (r reading) keeps() (keep Coding, ok bool) {
	most := r.open > r.controls
	begun := r.starts && (r.stops && r.framed || most && (r.stops || r.longest >= fewCodons))
	ok = r.usable() && (begun || most && (r.longest >= manyCodons || r.same() && r.changes >= silent))
	if r.same() {
		return keepProtein, ok
	}
	return keepFrame, ok
}

// shows is keeps of a gene inside sequences: one that differs in codons alone, or is long, and most of the sequences.
func (r reading) shows() (keep Coding, ok bool) {
	const share = 0.9
	all := float64(r.open+r.controls+r.broken) * share
	switch {
	case !r.usable() || float64(r.open+r.controls) < all || r.open <= r.controls:
		return keepFrame, false
	case r.same():
		return keepProtein, r.changes >= silent
	}
	return keepFrame, r.longest >= manyCodons && float64(r.open) >= all && r.inside.most
}

// note says what the data have and proposals keep.
func (r reading) note(keep Coding) string {
	if r.inside != (gene{}) {
		where := "the sequences have an open reading frame"
		if r.inside.length > 0 {
			where += fmt.Sprintf(" from letter %d to %d", r.inside.before+1, r.inside.length-r.inside.after)
		}
		switch {
		case keep == keepFrame:
			return where + ", and so have proposals"
		case len(r.encoding) == 1:
			return where + " that encodes one protein, and so have proposals"
		}
		return fmt.Sprintf("%s that encodes %d proteins, and that of proposals encodes one of them", where, len(r.encoding))
	}
	switch {
	case keep == keepFrame:
		return "the sequences are open reading frames, and so are proposals"
	case len(r.encoding) == 1:
		return "the sequences encode one protein, and so do proposals"
	}
	return fmt.Sprintf("the sequences encode %d proteins, and proposals one of them", len(r.encoding))
}

// gene says where sequences have a gene between flanks, such as a 5' UTR. The zero gene is the whole of a sequence.
type gene struct {
	length        int // of sequences, where the gene has its place; 0: it is the longest open reading frame
	before, after int // letters of the flanks
	longest       bool
	most          bool // it is at least half of the sequences
}

// geneOf returns the gene that most sequences have at one place or, if their lengths differ, somewhere; the zero gene
// if there is none in flanks.
func geneOf(all []string) gene {
	places := map[gene]int{}
	inner, letters, total := 0, 0, 0
	for _, x := range all {
		from, to := codons.Longest(x)
		if to-from < 3*shortestGene {
			from, to = 0, 0
		}
		if to > from && (from > 0 || to < len(x)) {
			inner++
		}
		letters, total = letters+to-from, total+len(x)
		places[gene{length: len(x), before: from, after: len(x) - to}]++
	}
	most := 2*letters >= total
	for place, n := range places {
		if flanked := place.before+place.after > 0; flanked && 2*n > len(all) && place.before+place.after < place.length {
			place.most = most
			return place
		}
	}
	if 2*inner > len(all) {
		return gene{longest: true, most: most}
	}
	return gene{}
}

// of returns the gene in a sequence; "": it has none.
func (g gene) of(x string) string {
	switch {
	case g.longest:
		from, to := codons.Longest(x)
		return x[from:to]
	case g.length > 0 && len(x) != g.length:
		return ""
	}
	return x[g.before : len(x)-g.after]
}

// canonical returns a function that writes coding sequences of one length so that each protein has one: a known protein
// as it is known, and each other with the codons of the reference, or those that differ least from these. allows
// reports whether a letter may stand at a place.
func (k kept) canonical(reference string, kind bioseq.Kind, allows func(at int, letter byte) bool) func(x string) string {
	letters := kind.Letters()
	if !k.distinct || k.inside.longest || reference == "" || len(letters) != 4 {
		return nil
	}
	var all []string // codons
	for _, a := range letters {
		for _, b := range letters {
			for _, c := range letters {
				all = append(all, string([]rune{a, b, c}))
			}
		}
	}
	return func(x string) string {
		protein := k.translate(x)
		if protein == "" || len(x) != len(reference) {
			return x
		}
		known := k.encoding[protein]
		coding := k.inside.of(x)
		out := []byte(x)
		for at := 0; at < len(coding); at += 3 {
			from := k.inside.before + at
			if known != nil {
				copy(out[from:], known[0][at:at+3])
				continue
			}
			best, least := coding[at:at+3], 4
			for _, codon := range all {
				n := stats.Hamming(codon, reference[from:from+3])
				if n < least && codons.Translate(codon) == protein[at/3:at/3+1] && allows(from, codon[0]) && allows(from+1, codon[1]) && allows(from+2, codon[2]) {
					best, least = codon, n
				}
			}
			copy(out[from:], best)
		}
		return string(out)
	}
}

// coded is s.coding, with its note. It says which examples are controls, by their names in the design.
func (out *Space) coded(s *SequenceOptions, d Design, examples []string, kind bioseq.Kind) (k kept, err error) {
	k, err = s.coding(examples, kind)
	if k.note != "" {
		out.Notes.Add("%s; %s lets them be any", k.note, option.Setting{Name: "coding", Value: string(keepNone)})
	}
	if k.forbids == nil {
		return kept{}, err
	}
	if k.distinct = k.distinct && len(d.Pool) == 0; k.distinct {
		k.forbids = either(k.forbids, k.repeats)
	}
	var controls []string
	for _, o := range d.Init {
		if slices.Contains(examples, o.X) && codons.HasStop(k.translate(o.X)) {
			controls = append(controls, cmp.Or(o.Name, usage.Shorten(o.X, 60)))
		}
	}
	if n := len(controls); n > 0 {
		const shown = 5
		out.Notes.Add("sequences with a stop before their end are taken for controls, and no proposal has one: %d (%s)", n, usage.Shorten(strings.Join(controls[:min(n, shown)], ", "), 120))
	}
	return k, err
}
