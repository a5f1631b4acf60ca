package task

import (
	"errors"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/vae/sequence"
)

// lists are strings of items with a separator between them, such as lr=0.1,opt=adam or "conv3 pool relu".
type lists struct {
	separator string
	at        []setting // where each item has its position; nil: items may be anywhere
}

// setting is what occurs at a position of lists.
type setting struct {
	key    string          // before the = or : that all values have, with it; "": they have none
	values map[string]bool // items
}

// listsOf returns how strings are lists; ok is false if they are none. Their items are of a given alphabet or, without one, recur: two thirds of them
// at most are different.
func listsOf(given *sequence.Alphabet, xs []string) (l lists, ok bool) {
	const fewest = 3 // strings, without an alphabet
	var symbols map[string]bool
	if given != nil {
		symbols = set(given.Symbols())
	} else if len(xs) < fewest || slices.ContainsFunc(xs, func(x string) bool { return strings.ContainsAny(x, "()[]{}<>") }) {
		return l, false
	}
	for _, separator := range []string{", ", ",", "; ", ";", " | ", "|", " "} {
		if l = (lists{separator: separator}); l.fit(symbols, xs) {
			l.place(symbols, xs)
			return l, true
		}
	}
	return l, false
}

func set(items []string) map[string]bool {
	in := map[string]bool{}
	for _, item := range items {
		in[item] = true
	}
	return in
}

func (l lists) split(x string) []string { return strings.Split(x, l.separator) }

func (l lists) join(items []string) string { return strings.Join(items, l.separator) }

// fit reports whether strings are lists with the separator, of symbols; nil: of items that recur.
func (l lists) fit(symbols map[string]bool, xs []string) bool {
	items, different, separated := 0, map[string]bool{}, false
	for _, x := range xs {
		of := l.split(x)
		separated = separated || len(of) > 1
		if symbols == nil && len(of) < 2 {
			return false
		}
		for _, item := range of {
			if item == "" || strings.TrimSpace(item) != item || symbols != nil && !symbols[item] {
				return false
			}
			different[item] = true
			items++
		}
	}
	return separated && (symbols != nil || 3*len(different) <= 2*items)
}

// place sets at, where all strings have as many items, none of which occurs at two positions, and a key tells where other symbols belong.
func (l *lists) place(symbols map[string]bool, xs []string) {
	n, where := len(l.split(xs[0])), map[string]int{}
	at := make([]setting, n)
	for _, x := range xs {
		items := l.split(x)
		if len(items) != n {
			return
		}
		for i, item := range items {
			if k, ok := where[item]; ok && k != i {
				return
			}
			where[item] = i
			switch s := &at[i]; {
			case s.values == nil:
				*s = setting{keyOf(item), map[string]bool{item: true}}
			default:
				if s.values[item] = true; keyOf(item) != s.key {
					s.key = ""
				}
			}
		}
	}
	for symbol := range symbols {
		if _, ok := where[symbol]; !ok && !slices.ContainsFunc(at, func(s setting) bool { return s.has(symbol) }) {
			return
		}
	}
	l.at = at
}

// keyOf returns the key of lr=0.1, lr=.
func keyOf(item string) string { return item[:strings.IndexAny(item, "=:")+1] }

// has reports whether an item is a value of the setting: it occurred there, or has its key.
func (s setting) has(item string) bool { return s.values[item] || s.key != "" && keyOf(item) == s.key }

// misplaced reports whether a string has another number of settings, or an item that is no value of the setting at its position.
func (l lists) misplaced(x string) bool {
	if l.at == nil {
		return false
	}
	items := l.split(x)
	if len(items) != len(l.at) {
		return true
	}
	for i, item := range items {
		if !l.at[i].has(item) {
			return true
		}
	}
	return false
}

// space returns the space of lists. Proposals have items of the design; other strings may have others.
func (l lists) space(o Options, given *sequence.Alphabet, d Design) (Space, error) {
	if err := o.needAligned(); err != nil {
		return Space{}, err
	}
	xs := d.Strings()
	if l.at != nil && len(d.Pool) > 0 { // its values may be proposed, too
		l.at = nil
		l.place(nil, slices.Concat(xs, d.Pool))
	}
	opts := tokens.Options{
		Split: func(x string) ([]string, error) {
			if x == "" {
				return nil, errors.New("it is empty")
			}
			return l.split(x), nil
		},
		Join: l.join, Shortest: o.Lengths.Min, Longest: o.Lengths.Max, Open: true,
	}
	if given != nil {
		opts.Alphabet, opts.Open = given.Symbols(), false
	} else {
		for _, x := range slices.Concat(xs, d.Pool) {
			opts.Alphabet = append(opts.Alphabet, l.split(x)...)
		}
		opts.Alphabet = inOrder(opts.Alphabet)
	}
	space, err := tokens.New(xs, opts)
	out := Space{Space: space, Lengths: o.Lengths}
	if l.at != nil {
		out.Notes.Add("each string is read as %d settings separated by %q; proposals combine the values that occur; %s names further ones", len(l.at), l.separator, option.Name("alphabet"))
	} else if given == nil {
		out.Notes.Add("tokens are the items between %q, because they recur; %s sets others", l.separator, option.Name("alphabet"))
	}
	return out.proposing(either(l.misplaced, o.forbids(table.NoSequences)), nil), err
}
