package task

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/lists"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/study"
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
	if l, ok = lists.FormatOf(xs, nil, inner); ok && (inner != "" || nameResidues(inOrder(itemsOf(l, xs)))) {
		l = l.KeepCase() // which tells residues apart
	}
	return l, ok
}

// lists returns how the strings are lists: as the first ones are, if two in three of all are such lists, or else as all are.
func (d Design) lists(given *sequence.Alphabet) (l lists.Format, ok bool) {
	xs := d.Strings()
	if d.First != nil {
		l, ok = listsOf(given, d.First)
		odd := slices.DeleteFunc(slices.Clone(xs), func(x string) bool { return l.Odd(x) == "" })
		if ok && 3*len(odd) <= len(xs) {
			return l, true
		}
	}
	return listsOf(given, xs)
}

// Alike returns how strings are written alike that are lists: as most of the known ones are or, if that is nil, most of
// the table. Strings of a table that are not over the alphabet are refused, unless it adds items to lists.
func Alike(alphabet string, known []string) table.Alike {
	if known == nil {
		return func(texts []string) (func(string) table.Spelled, []string, error) {
			spell, cased, err := writtenAlike(alphabet, texts, true)
			if err != nil {
				return nil, nil, err
			}
			return spell, cased(nil, texts), nil
		}
	}
	type written struct {
		spell func(string) table.Spelled
		cased func(known, xs []string) []string
	}
	once := sync.OnceValues(func() (written, error) {
		spell, cased, err := writtenAlike(alphabet, known, false)
		return written{spell, cased}, err
	})
	return func(texts []string) (func(string) table.Spelled, []string, error) {
		as, err := once()
		if err != nil || len(texts) == 0 {
			return as.spell, nil, err
		}
		return as.spell, as.cased(known, texts), nil
	}
}

// writtenAlike is Alike for strings that tell how lists are written, refusing others if asked to. Cased notes which
// items differ in case alone.
func writtenAlike(alphabet string, xs []string, refuses bool) (spell func(text string) table.Spelled, cased func(known, xs []string) []string, err error) {
	xs = slices.Compact(slices.Sorted(slices.Values(xs)))
	var given *sequence.Alphabet
	check := func(string) error { return nil }
	if alphabet != "" {
		given, err = readAlphabet(alphabet)
		switch adds := addsItems(alphabet, given, xs); {
		case adds:
			given = nil
		case err != nil:
			return nil, nil, err
		case refuses:
			check = func(x string) error { return over(given, x) }
		}
	}
	l, isList := spelledLists(given, slices.DeleteFunc(xs, func(x string) bool { return check(x) != nil }))
	cased = func(known, xs []string) []string {
		if !isList {
			return nil
		}
		all := l.Cased(known, xs)
		if len(all) == 0 {
			return nil
		}
		const most = 3 // that are named
		named := strings.Join(all[:min(len(all), most)], "; ")
		if n := len(all) - most; n > 0 {
			named += fmt.Sprintf("; %d more", n)
		}
		return []string{"items that differ in case alone are different ones; write them alike if they are one: " + named}
	}
	return func(text string) table.Spelled {
		s := table.Spelled{Text: text, Err: check(text)}
		if isList && s.Err == nil {
			s.Text, s.Changed = l.Spell(text)
			s.Odd, s.Folded = l.Odd(text), l.Fold(text)
		}
		return s
	}, cased, nil
}

// spelledLists is listsOf for strings that no notation of sequences reads.
func spelledLists(given *sequence.Alphabet, xs []string) (l lists.Format, ok bool) {
	sequences := given == nil && (notation.HaveParts(xs) || notation.HaveWords(xs) || notation.Modified(xs) != nil)
	if len(xs) == 0 || sequences || notation.HaveHELM(xs) || given != nil && !slices.ContainsFunc(xs, func(x string) bool { _, err := given.Tokens(x); return err != nil }) {
		return l, false
	}
	return listsOf(given, xs)
}

// itemsOf returns the items of all strings.
func itemsOf(l lists.Format, xs []string) (items []string) {
	for _, x := range xs {
		items = append(items, l.Split(x)...)
	}
	return items
}

// listsSpace returns the space of lists. Proposals have items of the design, and those that the alphabet adds; other
// strings may have others.
func listsSpace(l lists.Format, o Options, given *sequence.Alphabet, d Design) (Space, error) {
	if err := o.needAligned(); err != nil {
		return Space{}, err
	}
	if o.Lengths != (Lengths{}) && o.Lengths != (Lengths{l.Items, l.Items}) {
		l = l.AnyNumber()
	}
	var out Space
	odd := func(x string) bool { return l.Odd(x) != "" }
	if others := slices.DeleteFunc(d.Strings(), func(x string) bool { return !odd(x) }); len(others) > 0 {
		out.Notes.Add("strings of another structure, which teach the search nothing: %d; the first is %s: %s", len(others), usage.Shorten(others[0], 60), l.Odd(others[0]))
		d.Init = slices.DeleteFunc(slices.Clone(d.Init), func(o study.Observation) bool { return odd(o.X) })
	}
	d.Pool = slices.DeleteFunc(slices.Clone(d.Pool), odd)
	xs := d.Strings()
	if l.Settings != nil && len(d.Pool) > 0 { // its values may be proposed, too
		l = l.Place(slices.Concat(xs, d.Pool))
	}
	items := inOrder(itemsOf(l, slices.Concat(xs, d.Pool)))
	var added []addedItem
	if mayBeItems(o.Alphabet) {
		var err error
		if added, err = addedItems(l, o.Alphabet, xs, items, d.total(xs)); err != nil {
			return Space{}, err
		}
	}
	for _, a := range added {
		items = append(items, a.item)
	}
	if items = inOrder(items); given != nil {
		items = slices.Concat(slices.DeleteFunc(items, func(item string) bool { return item != "" }), given.Symbols())
	}
	ok, err := out.alignedLists(l, o, d, items, added)
	if err != nil {
		return Space{}, err
	}
	if !ok {
		opts := tokens.Options{
			Alphabet: slices.DeleteFunc(slices.Clone(items), func(item string) bool { return item == "" }), Join: l.Join, Shortest: o.Lengths.Min, Longest: o.Lengths.Max, Open: given == nil,
			Split: func(x string) ([]string, error) {
				if x == "" {
					return nil, errors.New("it is empty")
				}
				return l.Split(x), nil
			},
		}
		if out.Space, err = tokens.New(xs, opts); err != nil {
			return Space{}, err
		}
		out.Lengths = o.Lengths
		if given == nil {
			out.Notes.Add("tokens are the items between %q, because they recur; %s adds others", l.Separator, option.Name("alphabet"))
		}
		rules := l.Rules(xs)
		out.noteRules(rules)
		out = out.proposing(either(either(rules.Broken, odd), either(joinsAlone(l, xs), o.forbids(bioseq.None))), nil)
	}
	out.Why = l.Odd
	compares := out.Compares
	out.Compares = func(x string) bool { return !odd(x) && (compares == nil || compares(x)) }
	if l.Separator == "" { // a code with another character may be a slip, whatever its length
		refuseOthers(&out.Space, l, items)
	}
	return out, nil
}

// joinsAlone returns a test of lists that have an item among others which strings of the data have only as their single
// one, such as none.
func joinsAlone(l lists.Format, xs []string) func(x string) bool {
	joined, alone := map[string]bool{}, map[string]bool{}
	for _, x := range xs {
		of := joined
		items := l.Split(x)
		if len(items) == 1 {
			of = alone
		}
		for _, item := range items {
			of[item] = true
		}
	}
	return func(x string) bool {
		items := l.Split(x)
		return len(items) > 1 && slices.ContainsFunc(items, func(item string) bool { return alone[item] && !joined[item] })
	}
}

// otherItem stands for items that are not in the data, which may be measured and are not proposed.
const otherItem = "\x00"

// alignedLists sets the space of lists that nearly all have as many items; ok is false if they have not. Settings have
// their own values, and other positions what the data leave there.
func (out *Space) alignedLists(l lists.Format, o Options, d Design, items []string, added []addedItem) (ok bool, err error) {
	xs := d.Strings()
	if l.Items == 0 {
		return false, nil
	}
	code := newLettered(append([]string{otherItem}, items...), l.Split, l.Join)
	if code == nil {
		return false, nil
	}
	code.other = otherItem
	allowed := l.Allowed(xs, items, d.total(xs))
	if notation.HaveHELM(xs) { // a few of a series: most monomers are meant for their positions
		if seen := l.Seen(slices.Concat(xs, d.Pool), d.total(xs)); seen != nil {
			allowed = seen
		}
	}
	occurs, empty := map[string]bool{}, map[int]bool{}
	for _, x := range slices.Concat(xs, d.Pool) {
		for i, item := range l.Split(x) {
			occurs[item] = true
			empty[i] = empty[i] || item == ""
		}
	}
	for i, has := range allowed {
		at := slices.DeleteFunc(slices.Clone(items), func(item string) bool {
			k := slices.IndexFunc(added, func(a addedItem) bool { return a.item == item })
			if k >= 0 && slices.Contains(added[k].at, i) {
				return false
			}
			return !has(item) || k >= 0 && !occurs[item] || item == "" && !empty[i]
		})
		code.at = append(code.at, code.encodeTokens(at))
	}
	rules := l.Rules(xs)
	out.noteRules(rules)
	out.noteItems(l.Separator, code.at, len(items), nameResidues(items))
	err = out.alignAs(code, o, xs, d.Pool, "", l.Items, d.total(xs), o.forbids(bioseq.None))
	o.know(out)
	*out = out.proposing(rules.Broken, nil)
	return true, err
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

// noteItems notes how lists are read, which of so many items each position may have. Of codes that may have any
// character anywhere it needs no word.
func (out *Space) noteItems(separator string, at []string, items int, residues bool) {
	switch some := slices.ContainsFunc(at, func(letters string) bool { return len(letters) < items }); {
	case separator != "" && residues:
		out.Notes.Add("each string is read as %d items between %q; proposals have at each position what the data leave there; add items with %s", len(at), separator, option.Name("alphabet"))
	case separator != "":
		out.Notes.Add("each string is read as %d items between %q; proposals have at each position what the data leave there; %s adds an item at position 1", len(at), separator, option.Setting{Name: "alphabet", Value: "1:ITEM"})
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
