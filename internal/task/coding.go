package task

import (
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
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

// translate returns the protein that DNA or RNA encodes from its first letter on, a stop as *. It is empty if that is not of whole codons of the
// four letters.
func translate(x string) string {
	if len(x)%3 != 0 {
		return ""
	}
	var protein strings.Builder
	for at := 0; at < len(x); at += 3 {
		codon := 0
		for _, r := range strings.ReplaceAll(x[at:at+3], "U", "T") {
			letter := strings.IndexRune("TCAG", r)
			if letter < 0 {
				return ""
			}
			codon = 4*codon + letter
		}
		protein.WriteByte(code[codon])
	}
	return protein.String()
}

// isOpen reports whether a translation has no stop but at its end.
func isOpen(protein string) bool {
	stop := strings.IndexByte(protein, '*')
	return protein != "" && (stop < 0 || stop == len(protein)-1)
}

// Codons that sequences without a stop have if they are coding: others of that length have one, but for 1 in 4 and 1 in 100.
const (
	fewCodons  = 30  // from a start
	manyCodons = 100 // from anywhere
)

// coding returns a test of sequences that must not be proposed as they do not keep what examples do, or the option says; nil: there is none. The
// note says what is kept because the examples do.
func (s SequenceOptions) coding(examples []string, kind table.Sequences) (forbids func(x string) bool, note string, err error) {
	if s.Coding == keepNone || s.Coding == asData && s.BothStrands || kind != table.DNA && kind != table.RNA {
		if s.Coding != asData && s.Coding != keepNone {
			err = option.Errorf("%s is for DNA and RNA, and the strings are none", option.Setting{Name: "coding", Value: s.Coding.String()})
		}
		return nil, "", err
	}
	all := slices.Clone(examples)
	if s.WildType != "" {
		all = append(all, s.WildType)
	}
	var proteins []string
	starts, stops := true, true
	for _, x := range all {
		protein := translate(x)
		if !isOpen(protein) {
			if s.Coding != asData {
				err = option.Errorf("%s: %s is no open reading frame, of whole codons without a stop before the last", option.Setting{Name: "coding", Value: s.Coding.String()}, usage.Shorten(x, 60))
			}
			return nil, "", err
		}
		starts, stops = starts && protein[0] == 'M', stops && strings.HasSuffix(protein, "*")
		proteins = append(proteins, protein)
	}
	if all == nil {
		return nil, "", nil
	}
	codons := len(proteins[0])
	if s.Coding == asData && !(starts && (stops || codons >= fewCodons) || codons >= manyCodons) {
		return nil, "", nil
	}
	encoded := slices.Compact(slices.Sorted(slices.Values(proteins)))
	keep := s.Coding
	switch {
	case keep == keepProtein && len(encoded) > 1:
		return nil, "", option.Errorf("%s: the sequences encode %d proteins; %s keeps their reading frame", option.Setting{Name: "coding", Value: string(keepProtein)}, len(encoded), option.Setting{Name: "coding", Value: string(keepFrame)})
	case keep == asData && len(encoded) == 1 && len(all) > 1:
		keep, note = keepProtein, "all sequences encode one protein, and so do proposals"
	case keep == asData:
		keep, note = keepFrame, "the sequences are open reading frames, and so are proposals"
	}
	return func(x string) bool {
		protein := translate(x)
		if keep == keepProtein {
			return protein != encoded[0]
		}
		return !isOpen(protein) || starts && protein[0] != 'M' || stops && !strings.HasSuffix(protein, "*")
	}, note, nil
}

// coded is s.coding, with its note.
func (out *Space) coded(s *SequenceOptions, examples []string, kind table.Sequences) (forbids func(x string) bool, err error) {
	forbids, note, err := s.coding(examples, kind)
	if note != "" {
		out.note("%s; --coding %s lets them be any", note, keepNone)
	}
	return forbids, err
}
