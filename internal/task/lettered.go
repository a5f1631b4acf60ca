package task

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/observed"
	"github.com/invbo/invbo/space/protein"
)

// lettered writes strings of tokens, such as [Aib] or mU, with one letter for each token, so that they can be aligned
// as proteins are.
type lettered struct {
	split func(x string) []string // into tokens; nil: x has none
	join  func(tokens []string) string

	typed bool     // tokens have their positions: see slots
	at    []string // letters that each position may have; nil: the examples tell
	other string   // token that stands for all that have no letter; "": there is none
	ends  bool     // the last token stands for what is around the residues, and a child has that of its first parent

	alphabet string // letters of the tokens
	tokens   map[byte]string
	letters  map[string]byte
}

// newLettered returns a lettered of tokens that are all different; nil if there are more tokens than letters. A token
// of one letter is its own.
func newLettered(tokens []string, split func(x string) []string, join func(tokens []string) string) *lettered {
	l := &lettered{split: split, join: join, tokens: map[byte]string{}, letters: map[string]byte{}}
	taken := func(b byte) bool { return slices.Contains(tokens, string(rune(b))) }
	var free []byte
	for b := byte(1); b < 0x80; b++ {
		if capital := 'A' <= b && b <= 'Z'; !capital && !taken(b) { // rules of residues name capitals
			free = append(free, b)
		}
	}
	for _, t := range tokens {
		var b byte
		if len(t) == 1 && t[0] < 0x80 {
			b = t[0]
		} else {
			if len(free) == 0 {
				return nil
			}
			b, free = free[0], free[1:]
		}
		l.tokens[b], l.letters[t] = t, b
		l.alphabet += string(rune(b))
	}
	return l
}

// encode returns x in letters; "" if it has a token without one.
func (l *lettered) encode(x string) string {
	var b strings.Builder
	for _, t := range l.split(x) {
		letter, ok := l.letters[t]
		if !ok && l.other != "" {
			letter, ok = l.letters[l.other], true
		}
		if !ok {
			return ""
		}
		b.WriteByte(letter)
	}
	return b.String()
}

func (l *lettered) encodeAll(xs []string) (all []string) {
	for _, x := range xs {
		all = append(all, l.encode(x))
	}
	return all
}

// encodeTokens returns the letters of tokens.
func (l *lettered) encodeTokens(tokens []string) (letters string) {
	for _, t := range tokens {
		letters += string(rune(l.letters[t]))
	}
	return letters
}

func (l *lettered) decode(letters string) string {
	var tokens []string
	for i := range len(letters) {
		tokens = append(tokens, l.tokens[letters[i]])
	}
	return l.join(tokens)
}

// space returns a space of strings in letters as one of the strings.
func (l *lettered) space(s evolve.Space) evolve.Space {
	operators, read, check, compares := s.Operators, s.Read, s.Check, s.Compares
	s.Operators = nil
	for _, op := range operators {
		s.Operators = append(s.Operators, evolve.Operator{Name: op.Name, Make: l.making(op.Make)})
	}
	s.Read = func(x string) (evolve.Description, error) { return read(l.encode(x)) }
	s.Check = func(x string) error {
		if check(l.encode(x)) != nil {
			return fmt.Errorf("%s is not aligned with the others", usage.Shorten(x, 60))
		}
		return nil
	}
	s.Compares = func(x string) bool { return compares(l.encode(x)) }
	if lead := s.Lead; lead != nil {
		s.Lead = func(best []string) { lead(l.encodeAll(best)) }
	}
	if s.Reference != "" {
		s.Reference = l.decode(s.Reference)
	}
	return s
}

type maker = func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error)

// making returns a maker of strings for one of strings in letters.
func (l *lettered) making(inner maker) maker {
	return func(ctx context.Context, pairs [][2]string, rng *rand.Rand) ([]evolve.Child, error) {
		coded := make([][2]string, len(pairs))
		for i, pair := range pairs {
			coded[i] = [2]string{l.encode(pair[0]), l.encode(pair[1])}
		}
		made, err := inner(ctx, coded, rng)
		for i, c := range made {
			if c.X == "" {
				continue
			}
			if last := len(c.X) - 1; l.ends {
				c.X = c.X[:last] + coded[i][0][last:]
			}
			if made[i].X = ""; l.other == "" || strings.IndexByte(c.X, l.letters[l.other]) < 0 {
				made[i].X = l.decode(c.X)
			}
		}
		return made, err
	}
}

// alignAs sets the space of strings that l can write. They have length tokens, and positions are counted along these.
// Letters in kept stay. known is how many strings are known. forbids reports whether a string, as people write it, has
// a forbidden motif; nil: none is forbidden.
func (out *Space) alignAs(l *lettered, o Options, examples, variants []string, kept string, length, known int, forbids func(x string) bool) (err error) {
	o.Forbidden = nil
	coded, at := l.encodeAll(examples), l.at
	switch {
	case at != nil:
		for i, letters := range at {
			if len(letters) > 1 {
				o.Positions = append(o.Positions, i+o.Offset+1)
			}
		}
	case o.Positions == nil:
		at = observed.Letters(coded, len(l.alphabet), l.typed, known)
	}
	if out.Space, err = o.aligned(coded, l.encodeAll(variants), l.alphabet, kept, length, at); err != nil {
		return err
	}
	out.Space = l.space(out.Space)
	out.Aligned = !slices.ContainsFunc(examples, func(x string) bool { return len(x) != len(examples[0]) })
	refuses := o.refuses(coded, l.alphabet, bioseq.None)
	out.Refuses = func(x string) option.Name {
		if forbids != nil && forbids(x) {
			return "forbid_motif"
		}
		return refuses(l.encode(x))
	}
	*out = out.proposing(func(x string) bool { return l.encode(x) == "" || forbids != nil && forbids(x) }, nil)
	return nil
}

// alignedTokens returns the space of strings of tokens, typed or not, if most strings have the same number of tokens;
// ok is false if lengths vary.
func alignedTokens(o Options, d Design, symbols []string, split func(x string) ([]string, error), typed bool) (out Space, ok bool, err error) {
	l := newLettered(inOrder(symbols), func(x string) []string {
		tokens, _ := split(x) // the notation has found no error
		return tokens
	}, func(tokens []string) string { return strings.Join(tokens, "") })
	if l == nil {
		return out, false, nil
	}
	l.typed = typed
	xs := d.Strings()
	length, others, err := o.frame(l.encodeAll(xs), bioseq.Protein)
	if length == 0 || err != nil {
		return out, false, err
	}
	other := func(x string) bool { return len(l.encode(x)) != length }
	examples := slices.DeleteFunc(slices.Clone(xs), other)
	out.WildType = o.WildType
	if others > 0 {
		out.Notes.Add("proposals have %d residues; strings of another length, which teach the search nothing unless a range of lengths is asked for: %d", length, others)
	}
	o.noteMotifs(&out, strings.Join(symbols, ""))
	variants := slices.DeleteFunc(slices.Clone(d.Pool), other)
	if err := out.alignAs(l, o, examples, variants, "", length, d.total(examples), o.forbids(bioseq.None)); err != nil {
		return Space{}, false, err
	}
	o.know(&out)
	return out, true, nil
}

// nameResidues reports whether symbols are those of sequences: residues by letters or codes, half of them at least, and
// others with names of more letters, such as [Aib].
func nameResidues(symbols []string) bool {
	n := 0
	for _, t := range symbols {
		switch {
		case strings.Contains(protein.Residues, t) && len(t) == 1, notation.IsResidue(t), notation.IsNucleotide(t):
			n++
		case len(t) == 1 && !strings.Contains(protein.Residues, strings.ToUpper(t)):
			return false
		}
	}
	return 2*n >= len(symbols)
}

// inOrder returns tokens once each, the residues of proteins first, whose properties package protein compares.
func inOrder(tokens []string) []string {
	rank := func(t string) int {
		if i := strings.Index(protein.Residues, t); i >= 0 && len(t) == 1 {
			return i
		}
		return len(protein.Residues)
	}
	tokens = slices.Compact(slices.Sorted(slices.Values(tokens)))
	slices.SortStableFunc(tokens, func(a, b string) int { return rank(a) - rank(b) })
	return tokens
}
