package task

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/lists"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/vae/sequence"
)

// listsOf returns how strings are lists, of a given alphabet or of items that recur; ok is false if they are none.
func listsOf(given *sequence.Alphabet, xs []string) (l lists.Format, ok bool) {
	inner := ""
	if notation.HaveHELM(xs) {
		inner = "."
	}
	if given != nil {
		return lists.FormatOf(xs, given.Symbols(), inner)
	}
	return lists.FormatOf(xs, nil, inner)
}

// itemsOf returns the items of all strings.
func itemsOf(l lists.Format, xs []string) (items []string) {
	for _, x := range xs {
		items = append(items, l.Split(x)...)
	}
	return items
}

// listsSpace returns the space of lists. Proposals have items of the design; other strings may have others.
func listsSpace(l lists.Format, o Options, given *sequence.Alphabet, d Design) (Space, error) {
	if err := o.needAligned(); err != nil {
		return Space{}, err
	}
	xs := d.Strings()
	if l.Settings != nil && len(d.Pool) > 0 { // its values may be proposed, too
		l = l.Place(slices.Concat(xs, d.Pool))
	}
	opts := tokens.Options{
		Split: func(x string) ([]string, error) {
			if x == "" {
				return nil, errors.New("it is empty")
			}
			return l.Split(x), nil
		},
		Join: l.Join, Shortest: o.Lengths.Min, Longest: o.Lengths.Max, Open: true,
	}
	if given != nil {
		opts.Alphabet, opts.Open = given.Symbols(), false
	} else {
		opts.Alphabet = inOrder(itemsOf(l, slices.Concat(xs, d.Pool)))
	}
	if out, ok, err := alignedLists(l, o, d, opts.Alphabet); ok || err != nil {
		return out, err
	}
	space, err := tokens.New(xs, opts)
	out := Space{Space: space, Lengths: o.Lengths}
	if given == nil {
		out.Notes.Add("tokens are the items between %q, because they recur; %s sets others", l.Separator, option.Name("alphabet"))
	}
	rules := l.Rules(xs)
	out.noteRules(rules)
	return out.proposing(either(rules.Broken, o.forbids(bioseq.None)), nil), err
}

// otherItem stands for items that are not in the data, which may be measured and are not proposed.
const otherItem = "\x00"

// alignedLists returns the space of lists that all have as many items; ok is false if they have not. Settings have their own values, and other positions what
// the data leave there.
func alignedLists(l lists.Format, o Options, d Design, items []string) (out Space, ok bool, err error) {
	xs := d.Strings()
	n := len(l.Split(xs[0]))
	other := func(x string) bool { return len(l.Split(x)) != n }
	if o.Lengths != (Lengths{}) && o.Lengths != (Lengths{n, n}) || slices.ContainsFunc(xs, other) {
		return out, false, nil
	}
	code := newLettered(append([]string{otherItem}, items...), l.Split, l.Join)
	if code == nil {
		return out, false, nil
	}
	code.other = otherItem
	allowed := l.Allowed(xs, items, d.total(xs))
	if notation.HaveHELM(xs) { // of which a few are of one series: most of its monomers are meant for their positions
		if seen := l.Seen(slices.Concat(xs, d.Pool), d.total(xs)); seen != nil {
			allowed = seen
		}
	}
	for _, has := range allowed {
		code.at = append(code.at, code.encodeTokens(slices.DeleteFunc(slices.Clone(items), func(item string) bool { return !has(item) })))
	}
	variants := slices.DeleteFunc(slices.Clone(d.Pool), other)
	rules := l.Rules(xs)
	out.noteRules(rules)
	out.noteItems(l.Separator, code.at, len(items))
	err = out.alignAs(code, o, xs, variants, "", n, d.total(xs), o.forbids(bioseq.None))
	o.know(&out)
	if l.Separator == "" {
		refuseOthers(&out.Space, l, items)
	}
	return out.proposing(rules.Broken, nil), true, err
}

// noteRules notes what lists keep.
func (out *Space) noteRules(r lists.Rules) {
	var kept []string
	switch {
	case r.KeysOnce > 1:
		kept = append(kept, "each key once at most")
	case r.Once > 1:
		kept = append(kept, fmt.Sprintf("none of %d items twice", r.Once))
	}
	if r.Ordered {
		kept = append(kept, "items in the order of the data")
	}
	if len(kept) > 0 {
		out.Notes.AddText("proposals have " + strings.Join(kept, ", and "))
	}
}

// noteItems notes how lists are read, which of so many items each position may have. Of codes that may have any character anywhere it needs no word.
func (out *Space) noteItems(separator string, at []string, items int) {
	switch some := slices.ContainsFunc(at, func(letters string) bool { return len(letters) < items }); {
	case separator != "":
		out.Notes.Add("each string is read as %d items between %q; proposals have at each position what the data leave there; add items with %s", len(at), separator, option.Name("alphabet"))
	case some:
		out.Notes.Add("each string is read as %d characters; proposals have at each position what the data leave there; add others with %s", len(at), option.Name("alphabet"))
	}
}

// refuseOthers has codes with other characters be refused, as they may be slips, whatever their length.
func refuseOthers(space *evolve.Space, l lists.Format, items []string) {
	check, read, compares := space.Check, space.Read, space.Compares
	other := func(x string) error {
		for _, item := range l.Split(x) {
			if !slices.Contains(items, item) {
				return fmt.Errorf("%s: no symbol of the alphabet matches %q", usage.Shorten(x, 60), item)
			}
		}
		return nil
	}
	space.Compares = func(x string) bool { return compares(x) || other(x) != nil }
	space.Check = func(x string) error { return cmp.Or(other(x), check(x)) }
	space.Read = func(x string) (evolve.Description, error) {
		if err := other(x); err != nil {
			return evolve.Description{}, err
		}
		return read(x)
	}
}
