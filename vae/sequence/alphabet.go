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

// Special token ids. start occurs in no string; it keeps the published numbering of ids.
const (
	start = int32(iota)
	stop
	firstSymbol
)

// Alphabet is the set of symbols that strings consist of. No symbol is a prefix of another, so tokenization is unique.
// Token ids start at 2, in order.
type Alphabet struct {
	symbols []string
	ids     map[string]int32
	lengths []int // distinct lengths of symbols in bytes, ascending
}

// NewAlphabet returns the alphabet of the symbols, in the given order. It is an error if there are none, if one is
// empty, or if one is a prefix of another.
func NewAlphabet(symbols []string) (*Alphabet, error) {
	if len(symbols) == 0 {
		return nil, errors.New("sequence: alphabet with 0 symbols, want at least 1")
	}
	a := &Alphabet{symbols: slices.Clone(symbols), ids: map[string]int32{}}
	sorted := slices.Sorted(slices.Values(symbols))
	if sorted[0] == "" {
		return nil, errors.New("sequence: alphabet with an empty symbol")
	}
	for i, s := range sorted[1:] { // a prefix of any symbol is a prefix of its successor
		if strings.HasPrefix(s, sorted[i]) {
			return nil, fmt.Errorf("sequence: symbol %q of the alphabet begins with symbol %q: tokenization would be ambiguous", s, sorted[i])
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

// AlphabetOf returns the sorted alphabet of the symbols in data. A symbol is a bracketed group, as in SELFIES, or
// else a single character.
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
		return nil, errors.New("sequence: strings without symbols: give at least one that is not empty")
	}
	return NewAlphabet(slices.Sorted(maps.Keys(symbols)))
}

func symbolLength(x string) (int, error) {
	if x[0] == '[' {
		end := strings.IndexByte(x, ']')
		if end < 0 {
			return 0, errors.New("bracket without a closing bracket")
		}
		return end + 1, nil
	}
	r, length := utf8.DecodeRuneInString(x)
	if r == utf8.RuneError && length == 1 {
		return 0, errors.New("not UTF-8")
	}
	return length, nil
}

// Symbols returns the symbols in order of id.
func (a *Alphabet) Symbols() []string { return slices.Clone(a.symbols) }

// tokens returns the number of token ids.
func (a *Alphabet) tokens() int { return len(a.symbols) + int(firstSymbol) }

// split returns the tokens of x, then stop.
func (a *Alphabet) split(x string) ([]int32, error) {
	if x == "" {
		return nil, errors.New("empty string, which is reserved for latents that decode to no string")
	}
	tokens := make([]int32, 0, len(x)/a.lengths[0]+1)
next:
	for at := 0; at < len(x); {
		for _, n := range a.lengths {
			if id, ok := a.ids[x[at:min(at+n, len(x))]]; ok {
				tokens = append(tokens, id)
				at += n
				continue next
			}
		}
		return nil, fmt.Errorf("%s: byte %d: no symbol of the alphabet matches %s", quote(x), at, quote(x[at:]))
	}
	return append(tokens, stop), nil
}

// Tokens returns the symbols of x in order.
func (a *Alphabet) Tokens(x string) ([]string, error) {
	ids, err := a.split(x)
	if err != nil {
		return nil, err
	}
	symbols := make([]string, len(ids)-1) // without the stop
	for i := range symbols {
		symbols[i] = a.symbols[ids[i]-firstSymbol]
	}
	return symbols, nil
}

// text returns the string of tokens, which must all be symbols.
func (a *Alphabet) text(tokens []int32) string {
	var b strings.Builder
	for _, id := range tokens {
		b.WriteString(a.symbols[id-firstSymbol])
	}
	return b.String()
}

// quote returns x quoted and shortened.
func quote(x string) string {
	const most = 40
	if len(x) > most {
		return fmt.Sprintf("%q…", x[:most])
	}
	return fmt.Sprintf("%q", x)
}
