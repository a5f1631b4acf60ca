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
)

// coding returns a test of sequences that must not be proposed as they do not keep what examples do, or the option says; nil: there is none. The
// note says what is kept because the examples do. Examples with a stop inside are controls, which say nothing of what is kept. One in ten may be no
// whole codons.
func (s SequenceOptions) coding(examples []string, kind bioseq.Kind) (forbids func(x string) bool, note string, err error) {
	nucleic := kind == bioseq.DNA || kind == bioseq.RNA
	switch {
	case s.Coding == keepNone, s.Coding == asData && (s.BothStrands || !nucleic):
		return nil, "", nil
	case !nucleic:
		return nil, "", option.Errorf("%s is for DNA and RNA, and the strings are none", option.Setting{Name: "coding", Value: s.Coding.String()})
	}
	all := slices.Clone(examples)
	if s.WildType != "" {
		all = append(all, s.WildType)
	}
	encoding := map[string][]string{} // sequences by their proteins
	starts, stops, longest, open, broken, closed := true, true, 0, 0, 0, ""
	controls, framed := 0, true // these start and stop, too
	for _, x := range all {
		protein := codons.Translate(x)
		begins, ends := strings.HasPrefix(protein, "M"), strings.HasSuffix(protein, "*")
		switch {
		case protein == "":
			broken++
			closed = x
		case codons.HasStop(protein):
			controls++
			closed = cmp.Or(closed, x)
			framed = framed && begins && ends
		default:
			open++
			encoding[protein] = append(encoding[protein], x)
			starts, stops = starts && begins, stops && ends
			longest = max(longest, len(protein))
		}
	}
	if open == 0 || 10*broken > len(all) {
		if s.Coding != asData && closed != "" {
			err = option.Errorf("%s: %s is no open reading frame, of whole codons without a stop before the last", option.Setting{Name: "coding", Value: s.Coding.String()}, usage.Shorten(closed, 60))
		}
		return nil, "", err
	}
	changes, different := 0, 0
	for _, xs := range encoding {
		slices.Sort(xs)
		xs = slices.Compact(xs)
		different += len(xs)
		for _, x := range xs[1:] {
			if len(x) == len(xs[0]) {
				changes += stats.Hamming(x, xs[0])
			}
		}
	}
	same := 2*len(encoding) <= different // all, or most, are other codons for a protein
	most := open > controls
	begun := starts && (stops && framed || most && (stops || longest >= fewCodons))
	if s.Coding == asData && !begun && !(most && (longest >= manyCodons || same && changes >= silent)) {
		return nil, "", nil
	}
	keep := s.Coding
	switch {
	case keep == asData && same && len(encoding) == 1:
		keep, note = keepProtein, "the sequences encode one protein, and so do proposals"
	case keep == asData && same:
		keep, note = keepProtein, fmt.Sprintf("the sequences encode %d proteins, and proposals one of them", len(encoding))
	case keep == asData:
		keep, note = keepFrame, "the sequences are open reading frames, and so are proposals"
	}
	return func(x string) bool {
		protein := codons.Translate(x)
		if keep == keepProtein {
			return encoding[protein] == nil
		}
		return !codons.IsOpen(protein) || starts && protein[0] != 'M' || stops && !strings.HasSuffix(protein, "*")
	}, note, nil
}

// coded is s.coding, with its note. It says which examples are controls, by their names in the design.
func (out *Space) coded(s *SequenceOptions, d Design, examples []string, kind bioseq.Kind) (forbids func(x string) bool, err error) {
	forbids, note, err := s.coding(examples, kind)
	if note != "" {
		out.Notes.Add("%s; %s lets them be any", note, option.Setting{Name: "coding", Value: string(keepNone)})
	}
	if forbids == nil {
		return nil, err
	}
	var controls []string
	for _, o := range d.Init {
		if slices.Contains(examples, o.X) && codons.HasStop(codons.Translate(o.X)) {
			controls = append(controls, cmp.Or(o.Name, usage.Shorten(o.X, 60)))
		}
	}
	if n := len(controls); n > 0 {
		const shown = 5
		out.Notes.Add("sequences with a stop before their end are taken for controls, and no proposal has one: %d (%s)", n, usage.Shorten(strings.Join(controls[:min(n, shown)], ", "), 120))
	}
	return forbids, err
}
