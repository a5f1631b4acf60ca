package task

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/tokens"
	"github.com/invbo/invbo/vae/sequence"
)

// lists are strings of items with a separator between them, such as lr=0.1,opt=adam or "conv3 pool relu"; without one the items are characters.
type lists struct {
	before, after string // what surrounds all, as the braces of JSON and HELM; "": nothing
	separator     string
	at            []setting // where each item has its position; nil: items may be anywhere
}

// setting is what occurs at a position of lists.
type setting struct {
	key    string          // before the = or : that all values have, with it; "": they have none
	values map[string]bool // items
}

// separators are looked for in this order. Between operators there are names: numbers and symbols may be an expression.
var (
	separators = []string{" :: ", "::", ", ", ",", "; ", ";", " | ", "|", "\n", " > ", " → ", "→", " -> ", "->", ">", " / ", " + ", " - ", "-b-", "][", " ", "_", "/", "+", "-"}
	operators  = []string{" / ", " + ", " - ", "/", "+", "-"}
)

// listsOf returns how strings are lists; ok is false if they are none. Their items are of a given alphabet or, without one, recur: two thirds of them
// at most are different.
func listsOf(given *sequence.Alphabet, xs []string) (l lists, ok bool) {
	const fewest = 3 // strings, without an alphabet
	var symbols map[string]bool
	around := lists{}
	if given != nil {
		symbols = set(given.Symbols())
	} else {
		around = braced(xs)
		if table.HaveHELM(xs) && around.before != "" {
			around.separator = "."
			return around, len(xs) >= fewest && around.fit(nil, xs)
		}
		if len(xs) < fewest {
			return l, false
		}
	}
	for _, separator := range separators {
		l = around
		l.separator = separator
		if l.fit(symbols, xs) && (symbols != nil || !slices.Contains(operators, separator) || l.haveNames(xs)) {
			l.place(symbols, xs)
			return l, true
		}
	}
	return l, false
}

// inBraces matches what stands between the outer brackets of a string: JSON, HELM, cyclo[-Leu-Ala-].
var inBraces = regexp.MustCompile(`(?s)^([^\[({]*[\[({]-?)(.*?)(-?[\])}][^\])}]*)$`)

// braced returns what surrounds all strings, with their outer brackets; nothing if it is not the same.
func braced(xs []string) (l lists) {
	for i, x := range xs {
		m := inBraces.FindStringSubmatch(x)
		if m == nil || i > 0 && (m[1] != l.before || m[3] != l.after) {
			return lists{}
		}
		l.before, l.after = m[1], m[3]
	}
	return l
}

// inner returns a string without what surrounds all.
func (l lists) inner(x string) string {
	return strings.TrimSuffix(strings.TrimPrefix(x, l.before), l.after)
}

// haveNames reports whether most items are names, which begin with a letter and have several characters, and none has an operator.
func (l lists) haveNames(xs []string) bool {
	names, items := 0, 0
	for _, x := range xs {
		for _, item := range l.split(x) {
			if strings.ContainsAny(item, "*^=") {
				return false
			}
			if items++; len(item) > 1 && unicode.IsLetter([]rune(item)[0]) {
				names++
			}
		}
	}
	return 2*names > items
}

func set(items []string) map[string]bool {
	in := map[string]bool{}
	for _, item := range items {
		in[item] = true
	}
	return in
}

func (l lists) split(x string) []string { return strings.Split(l.inner(x), l.separator) }

func (l lists) join(items []string) string {
	return l.before + strings.Join(items, l.separator) + l.after
}

// fit reports whether strings are lists with the separator, of symbols; nil: of items that recur. Half of them have several items.
func (l lists) fit(symbols map[string]bool, xs []string) bool {
	items, different, separated := 0, map[string]bool{}, 0
	for _, x := range xs {
		of := l.split(x)
		if len(of) > 1 {
			separated++
		}
		for _, item := range of {
			if item == "" || strings.TrimSpace(item) != item || symbols != nil && !symbols[item] || symbols == nil && (!balanced(item) || strings.Contains(item, "<")) {
				return false
			}
			different[item] = true
			items++
		}
	}
	return separated > 0 && (symbols != nil || 2*separated >= len(xs) && 3*len(different) <= 2*items)
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
	if out, ok, err := l.aligned(o, d, opts.Alphabet); ok || err != nil {
		return out, err
	}
	space, err := tokens.New(xs, opts)
	out := Space{Space: space, Lengths: o.Lengths}
	if given == nil {
		out.Notes.Add("tokens are the items between %q, because they recur; %s sets others", l.separator, option.Name("alphabet"))
	}
	broken, note := l.breaks(xs)
	out.Notes.AddText(note)
	return out.proposing(either(broken, o.forbids(table.NoSequences)), nil), err
}

// breaks returns a test of lists that break what strings xs keep, and not by chance; nil: they keep nothing. note says what they keep:
//   - no item, or key, is twice in a list;
//   - some item, or key, is in all lists;
//   - two items are always in one order.
func (l lists) breaks(xs []string) (broken func(x string) bool, note string) {
	item := func(item string) string { return item }
	xs = stats.Evenly(xs, mostSlots)
	counts, once := l.counts(xs, item)
	keys, keysOnce := l.counts(xs, keyOf)
	ordered := l.order(stats.Evenly(xs, mostOrdered))
	var said []string
	switch {
	case keysOnce > 1:
		said = append(said, "each key once at most")
	case once > 1:
		said = append(said, fmt.Sprintf("none of %d items twice", once))
	}
	if ordered != nil {
		said = append(said, "items in the order of the data")
	}
	if len(said) > 0 {
		note = "proposals have " + strings.Join(said, ", and ")
	}
	return either(either(counts, keys), ordered), note
}

// mostOrdered is how many lists the order of items is taken from at most, and longestOrdered how many items they have.
const (
	mostOrdered    = 300
	longestOrdered = 40
)

// lackedByChance is the chance below which what is in all lists is taken to be needed: such lists are few.
const lackedByChance = 1e-3

// counts returns a test of lists that have something twice which no string xs has twice, or lack what all have, and not by chance: items, or what of
// returns of each; "" is nothing. It also returns how many things are in no list twice.
func (l lists) counts(xs []string, of func(item string) string) (miscounted func(x string) bool, once int) {
	total, least, most := map[string]int{}, map[string]int{}, map[string]int{}
	count := func(x string) map[string]int {
		n := map[string]int{}
		for _, item := range l.split(x) {
			if thing := of(item); thing != "" {
				n[thing]++
			}
		}
		return n
	}
	all := make([]map[string]int, len(xs))
	for i, x := range xs {
		all[i] = count(x)
		for thing, k := range all[i] {
			total[thing] += k
		}
	}
	n, never := float64(len(xs)), 0.0 // logarithm of the chance that nothing is twice in a string
	lengths := 0
	for _, x := range xs {
		lengths += len(l.split(x))
	}
	length := float64(lengths) / n
	for _, thing := range slices.Sorted(maps.Keys(total)) { // in one order, as sums are rounded
		k := total[thing]
		least[thing] = len(xs)
		for _, count := range all {
			least[thing], most[thing] = min(least[thing], count[thing]), max(most[thing], count[thing])
		}
		mean := float64(k) / n
		if most[thing] == 1 {
			never += n * (math.Log1p(mean) - mean)
		}
		if n*math.Log(1-math.Pow(1-min(mean/length, 1), length)) > math.Log(lackedByChance) {
			least[thing] = 0
		}
	}
	maps.DeleteFunc(least, func(_ string, k int) bool { return k == 0 })
	maps.DeleteFunc(most, func(_ string, k int) bool { return k > 1 || never > math.Log(byChance) })
	if len(least) == 0 && len(most) == 0 {
		return nil, 0
	}
	return func(x string) bool {
		n := count(x)
		for thing, k := range n {
			if k > 1 && most[thing] == 1 {
				return true
			}
		}
		for thing := range least {
			if n[thing] == 0 {
				return true
			}
		}
		return false
	}, len(most)
}

// order returns a test of lists that have two items the other way round than all strings xs that have both; nil: items have no order.
func (l lists) order(xs []string) (reversed func(x string) bool) {
	if l.at != nil || slices.ContainsFunc(xs, func(x string) bool { return len(l.split(x)) > longestOrdered }) {
		return nil // their places tell, or there are too many pairs
	}
	before := map[[2]string]int{}
	pairs := func(x string, do func(pair [2]string) bool) bool {
		items := l.split(x)
		for i := range items {
			for j := range i {
				if items[j] != items[i] && do([2]string{items[j], items[i]}) {
					return true
				}
			}
		}
		return false
	}
	again := 0.0 // how often a pair was seen again, of which half were the other way round by chance
	for _, x := range xs {
		reversed := pairs(x, func(pair [2]string) bool {
			if before[[2]string{pair[1], pair[0]}] > 0 {
				return true
			}
			if before[pair]++; before[pair] > 1 {
				again++
			}
			return false
		})
		if reversed {
			return nil
		}
	}
	if again*math.Ln2 < -math.Log(byChance) {
		return nil
	}
	return func(x string) bool {
		return pairs(x, func(pair [2]string) bool { return before[[2]string{pair[1], pair[0]}] > 0 })
	}
}

// codesOf returns how strings of as many letters and digits are lists of these; ok is false if they are none. Measured ones of letters alone may be longer.
func codesOf(xs []string, measured bool) (l lists, ok bool) {
	const fewest, longest, longestLetters = 3, 12, 40
	if len(xs) < fewest {
		return l, false
	}
	n, digits := utf8.RuneCountInString(xs[0]), false
	for _, x := range xs {
		digits = digits || strings.ContainsFunc(x, unicode.IsDigit)
		if utf8.RuneCountInString(x) != n || strings.ContainsFunc(x, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return l, false
		}
	}
	if n > longest && (digits || !measured || n > longestLetters) {
		return l, false
	}
	return l, l.fit(nil, xs)
}

// otherItem stands for items that are not in the data, which may be measured and are not proposed.
const otherItem = "\x00"

// allowed returns which items may be at each position of lists with as many of them. Those that are in no list may be at any, unless a key says where.
func (l lists) allowed(xs, items []string, known int) (all []func(item string) bool) {
	for _, s := range l.at {
		all = append(all, s.has)
	}
	if l.at != nil {
		return all
	}
	rows, seen := make([][]string, len(xs)), map[string]bool{}
	for i, x := range xs {
		rows[i] = l.split(x)
		for _, item := range rows[i] {
			seen[item] = true
		}
	}
	of := slots(rows, len(items), true)
	if combinations(of, known+1) <= known {
		of = nil
	}
	for i := range rows[0] {
		all = append(all, func(item string) bool { return of == nil || of[i] == nil || of[i][item] || !seen[item] })
	}
	return all
}

// aligned returns the space of lists that all have as many items; ok is false if they have not. Settings have their own values, and other positions what
// the data leave there.
func (l lists) aligned(o Options, d Design, items []string) (out Space, ok bool, err error) {
	xs := d.Strings()
	n := len(l.split(xs[0]))
	other := func(x string) bool { return len(l.split(x)) != n }
	if o.Lengths != (Lengths{}) && o.Lengths != (Lengths{n, n}) || slices.ContainsFunc(xs, other) {
		return out, false, nil
	}
	code := newLettered(append([]string{otherItem}, items...), l.split, l.join)
	if code == nil {
		return out, false, nil
	}
	code.other = otherItem
	for _, has := range l.allowed(xs, items, d.total(xs)) {
		code.at = append(code.at, code.encodeTokens(slices.DeleteFunc(slices.Clone(items), func(item string) bool { return !has(item) })))
	}
	variants := slices.DeleteFunc(slices.Clone(d.Pool), other)
	broken, note := l.breaks(xs)
	out.Notes.AddText(note)
	l.noteItems(&out, code.at, len(items))
	err = out.alignAs(code, o, xs, variants, "", n, d.total(xs), o.forbids(table.NoSequences))
	o.know(&out)
	if l.separator == "" {
		l.refuseOthers(&out.Space, items)
	}
	return out.proposing(broken, nil), true, err
}

// noteItems notes how lists are read, which of so many items each position may have. Of codes that may have any character anywhere it needs no word.
func (l lists) noteItems(out *Space, at []string, items int) {
	switch some := slices.ContainsFunc(at, func(letters string) bool { return len(letters) < items }); {
	case l.separator != "":
		out.Notes.Add("each string is read as %d items between %q; proposals have at each position what the data leave there; add items with %s", len(at), l.separator, option.Name("alphabet"))
	case some:
		out.Notes.Add("each string is read as %d characters; proposals have at each position what the data leave there; add others with %s", len(at), option.Name("alphabet"))
	}
}

// refuseOthers has codes with other characters be refused, as they may be slips, whatever their length.
func (l lists) refuseOthers(space *evolve.Space, items []string) {
	known, check, read, compares := set(items), space.Check, space.Read, space.Compares
	other := func(x string) error {
		for _, item := range l.split(x) {
			if !known[item] {
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
