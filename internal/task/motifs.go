package task

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/codons"
)

func parseMotif(text string) (string, error) {
	_, err := regexp.Compile(text)
	return text, err
}

// forbids returns a test of strings that must not be proposed, by their motifs; nil: there are none. Sequences are
// searched without regard to case, and nucleic acids with T and U alike; if both strands are one string, on either.
func (s SequenceOptions) forbids(kind bioseq.Kind) func(x string) bool {
	var motifs []*regexp.Regexp
	for _, m := range s.Forbidden {
		if kind != bioseq.None {
			m = "(?i)" + m
		}
		motifs = append(motifs, regexp.MustCompile(m)) // parseMotif has
	}
	if motifs == nil {
		return nil
	}
	has := func(x string) bool {
		return slices.ContainsFunc(motifs, func(m *regexp.Regexp) bool { return m.MatchString(x) })
	}
	alike := strings.NewReplacer("T", "U", "U", "T")
	nucleic := kind == bioseq.DNA || kind == bioseq.RNA
	return func(x string) bool {
		forms := []string{x}
		if s.BothStrands {
			forms = append(forms, kind.ReverseComplement(x))
		}
		return slices.ContainsFunc(forms, func(x string) bool { return has(x) || nucleic && has(alike.Replace(x)) })
	}
}

// noteMotifs says which motifs match nothing, as they name a character that no sequence has.
func (s SequenceOptions) noteMotifs(out *Space, alphabet string) {
	has := func(r rune) bool {
		return strings.ContainsRune(alphabet, r) || strings.ContainsRune(alphabet, unicode.ToUpper(r))
	}
	if strings.Trim(alphabet, "ACGTU") == "" {
		alphabet = "ACGTU" // T and U are alike
	}
	for _, motif := range s.Forbidden {
		parsed, err := syntax.Parse(motif, syntax.Perl)
		if err != nil { // parseMotif has
			continue
		}
		if odd := needless(parsed, has); odd != 0 {
			meant := ". stands for any letter, and [^P] for any but P"
			if odd < utf8.RuneSelf && codons.Bases(byte(odd)) != "" && alphabet == "ACGTU" {
				meant = fmt.Sprintf("write [%s] for %c", codons.Bases(byte(odd)), odd)
			}
			out.Notes.Add("the motif %s matches nothing, as no sequence has %c; %s", motif, odd, meant)
		}
	}
}

// noteOwnMotifs says which motifs the wild type has itself: all proposals have to change them.
func (s SequenceOptions) noteOwnMotifs(out *Space, kind bioseq.Kind) {
	for _, motif := range s.Forbidden {
		var at []string
		for _, m := range regexp.MustCompile("(?i)"+motif).FindAllStringIndex(out.WildType, -1) {
			if m[0] < m[1] {
				at = append(at, strconv.Itoa(m[0]+s.Offset+1))
			}
		}
		if len(at) > 0 {
			format, args := "the wild type has the motif %s itself, at position %s, so that all proposals have to change it", []any{motif, usage.Shorten(strings.Join(at, ", "), 40)}
			if kind == bioseq.Protein {
				format, args = format+"; %s forbids new ones alone, as of cysteine", append(args, option.Setting{Name: "residues", Value: "'!C'"})
			}
			out.Notes.Add(format, args...)
		}
	}
}

// needless returns a character that all matches of an expression have, and that has reports no sequence has; 0: there
// is none.
func needless(e *syntax.Regexp, has func(r rune) bool) rune {
	switch e.Op {
	case syntax.OpLiteral:
		for _, r := range e.Rune {
			if !has(r) {
				return r
			}
		}
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range e.Sub {
			if odd := needless(sub, has); odd != 0 {
				return odd
			}
		}
	case syntax.OpRepeat:
		if e.Min > 0 {
			return needless(e.Sub[0], has)
		}
	}
	return 0
}
