package sequence

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Token ids that are no symbols. start is never a token of a string: it is kept for the published ids.
const (
	start = int32(iota)
	stop
	firstSymbol
)

// maxSymbols leaves each token an id of two bytes.
const maxSymbols = 1<<16 - int(firstSymbol)

// Alphabet holds the symbols that strings are made of. No symbol begins another, so that a string has one
// reading. Their token ids count from 2, in order.
type Alphabet struct {
	symbols []string
	ids     map[string]int32
	lengths []int // of the symbols in bytes, ascending, each once
}

// NewAlphabet returns the alphabet of these symbols, in this order. The error names two that clash.
func NewAlphabet(symbols []string) (*Alphabet, error) {
	if len(symbols) == 0 || len(symbols) > maxSymbols {
		return nil, fmt.Errorf("sequence: an alphabet of %d symbols: it must have from 1 to %d", len(symbols), maxSymbols)
	}
	a := &Alphabet{symbols: slices.Clone(symbols), ids: map[string]int32{}}
	sorted := slices.Sorted(slices.Values(symbols))
	if sorted[0] == "" {
		return nil, errors.New("sequence: an alphabet with an empty symbol")
	}
	for i, s := range sorted[1:] { // if any symbol begins others, it begins the next one
		if strings.HasPrefix(s, sorted[i]) {
			return nil, fmt.Errorf("sequence: symbol %q of the alphabet begins with symbol %q: a string would have two readings", s, sorted[i])
		}
	}
	for i, s := range symbols {
		a.ids[s] = firstSymbol + int32(i)
		a.lengths = append(a.lengths, len(s))
	}
	slices.Sort(a.lengths)
	a.lengths = slices.Compact(a.lengths)
	return a, nil
}

// AlphabetOf returns the alphabet of the symbols of data, sorted. A symbol is a pair of square brackets and
// what they hold, as in SELFIES, or else a character.
func AlphabetOf(data iter.Seq[string]) (*Alphabet, error) {
	symbols := map[string]bool{}
	for x := range data {
		for at := 0; at < len(x); {
			length, err := symbolLength(x[at:])
			if err != nil {
				return nil, fmt.Errorf("sequence: string %q, byte %d: %w", x, at, err)
			}
			symbols[x[at:at+length]] = true
			at += length
		}
	}
	if len(symbols) == 0 {
		return nil, errors.New("sequence: strings without symbols: give some that are not empty")
	}
	return NewAlphabet(slices.Sorted(maps.Keys(symbols)))
}

func symbolLength(x string) (int, error) {
	if x[0] == '[' {
		end := strings.IndexByte(x, ']')
		if end < 0 {
			return 0, errors.New("a bracket is not closed")
		}
		return end + 1, nil
	}
	r, length := utf8.DecodeRuneInString(x)
	if r == utf8.RuneError && length == 1 {
		return 0, errors.New("not UTF-8")
	}
	return length, nil
}

// Symbols returns the symbols in the order of their ids.
func (a *Alphabet) Symbols() []string { return slices.Clone(a.symbols) }

// tokens returns how many token ids there are.
func (a *Alphabet) tokens() int { return len(a.symbols) + int(firstSymbol) }

// equal says whether b has the same symbols in the same order.
func (a *Alphabet) equal(b *Alphabet) bool { return slices.Equal(a.symbols, b.symbols) }

// split returns the tokens of x and then the stop.
func (a *Alphabet) split(x string) ([]int32, error) {
	if x == "" {
		return nil, errors.New("the empty string, which stands for a latent that decodes to no string")
	}
	tokens := make([]int32, 0, len(x)/a.lengths[0]+1)
	for at := 0; at < len(x); {
		id, length := a.first(x[at:])
		if length == 0 {
			return nil, fmt.Errorf("%s: byte %d, at %s, begins no symbol of the alphabet", quote(x), at, quote(x[at:]))
		}
		tokens = append(tokens, id)
		at += length
	}
	return append(tokens, stop), nil
}

// first returns the token that x begins with and its length; 0 if x begins with none.
func (a *Alphabet) first(x string) (id int32, length int) {
	for _, length := range a.lengths {
		if length > len(x) {
			break
		}
		if id, ok := a.ids[x[:length]]; ok {
			return id, length
		}
	}
	return 0, 0
}

// text returns the string of tokens, which hold symbols only.
func (a *Alphabet) text(tokens []int32) string {
	var b strings.Builder
	for _, id := range tokens {
		b.WriteString(a.symbols[id-firstSymbol])
	}
	return b.String()
}

// quote quotes the beginning of x.
func quote(x string) string {
	const most = 40
	if len(x) > most {
		return fmt.Sprintf("%q…", x[:most])
	}
	return fmt.Sprintf("%q", x)
}
