package task

import (
	"errors"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/vae/sequence"
)

// lists are strings of items with a separator between them, such as lr=0.1,opt=adam or "conv3 pool relu".
type lists struct {
	separator string
	at        []map[string]bool // items by position, where each item has one; nil: items may be anywhere
}

// listsOf returns how strings are lists; ok is false if they are none. Their items are of a given alphabet or, without one, recur: two thirds of them
// at most are different.
func listsOf(given *sequence.Alphabet, xs []string) (l lists, ok bool) {
	const fewest = 3 // strings, without an alphabet
	if given == nil && (len(xs) < fewest || slices.ContainsFunc(xs, func(x string) bool { return strings.ContainsAny(x, "()[]{}<>") })) {
		return l, false
	}
	for _, separator := range []string{", ", ",", "; ", ";", " | ", "|", " "} {
		if l = (lists{separator: separator}); l.fit(given, xs) {
			l.place(xs)
			return l, true
		}
	}
	return l, false
}

func (l lists) split(x string) []string { return strings.Split(x, l.separator) }

func (l lists) join(items []string) string { return strings.Join(items, l.separator) }

// fit reports whether strings are lists with the separator.
func (l lists) fit(given *sequence.Alphabet, xs []string) bool {
	items, different, separated := 0, map[string]bool{}, false
	for _, x := range xs {
		of := l.split(x)
		separated = separated || len(of) > 1
		if given == nil && len(of) < 2 {
			return false
		}
		for _, item := range of {
			if item == "" || strings.TrimSpace(item) != item || given != nil && !slices.Contains(given.Symbols(), item) {
				return false
			}
			different[item] = true
			items++
		}
	}
	return separated && (given != nil || 3*len(different) <= 2*items)
}

// place sets at, where all strings have as many items, none of which occurs at two positions: they are settings, and an item is a value of one.
func (l *lists) place(xs []string) {
	n, where := len(l.split(xs[0])), map[string]int{}
	at := make([]map[string]bool, n)
	for i := range at {
		at[i] = map[string]bool{}
	}
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
			at[i][item] = true
		}
	}
	l.at = at
}

// misplaced reports whether a string has an item that belongs to another position.
func (l lists) misplaced(x string) bool {
	items := l.split(x)
	if l.at == nil {
		return false
	}
	for i, item := range items {
		for k, known := range l.at {
			if k != i && known[item] {
				return true
			}
		}
	}
	return len(items) != len(l.at)
}

// space returns the space of lists. Proposals have items of the design; other strings may have others.
func (l lists) space(o Options, given *sequence.Alphabet, d Design) (Space, error) {
	if err := o.needAligned(); err != nil {
		return Space{}, err
	}
	xs := d.Strings()
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
		out.note("each string is taken for %d settings with %q between them, and proposals are combinations of the values that occur; --alphabet names other tokens", len(l.at), l.separator)
	} else if given == nil {
		out.note("tokens are what is between %q, as these recur; --alphabet names others", l.separator)
	}
	return out.proposing(either(l.misplaced, o.forbids(table.NoSequences)), nil), err
}
