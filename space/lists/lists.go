// Package lists reads strings as lists of items with a separator between them, such as lr=0.1,opt=adam or "conv3 pool
// relu", and tells what all of them keep: where items stand, how often, and in which order.
package lists

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/stats"
)

// Format says how strings are read as lists.
type Format struct {
	Separator string    // of items, with the blanks that most strings have around it; "": these are characters
	Settings  []Setting // where each item has its position; nil: items may be anywhere
	Items     int       // how many nearly all strings have; 0: the numbers differ

	core          string          // Separator without blanks
	spaced        bool            // blanks are part of the separator, as items have it without
	json          bool            // flat objects: what is between quotation marks is no separator, and lists have each key once
	before, after string          // what surrounds all, as the braces of JSON and HELM; "": nothing
	cased         bool            // items are meant to differ in case alone
	signs         map[byte]string // = or : between a key and its value, with the blanks that most have there
	keys          []string        // that lists have once each at most, in the order of most; nil: there are none
	ordered       bool            // nearly all lists have them in that order, which may matter
	narrow        bool            // there is one blank and not two between separators with blanks around them
	allKeys       bool            // nearly all lists have all of them
}

// Setting is what occurs at a position of lists.
type Setting struct {
	key    string          // before the = or : that all values have, with it; "": they have none
	values map[string]bool // items
}

// separator is one that is looked for.
type separator struct {
	core   string
	spaced bool // with blanks around it or, of commas and semicolons, behind it
	names  bool // between its items there are names, as numbers and symbols may be an expression
	varies bool // two positions at least vary, as what does not may be a unit: 100 C
}

// separators are looked for in this order, if strings are lists by several of them alike.
var separators = []separator{
	{core: "::", spaced: true}, {core: "::"}, {core: ",", spaced: true}, {core: ","}, {core: ";", spaced: true}, {core: ";"},
	{core: "||", spaced: true}, {core: "||"}, {core: "|", spaced: true}, {core: "|"}, {core: "\n"}, {core: "\t"},
	{core: "=>", spaced: true}, {core: "=>"}, {core: "->", spaced: true}, {core: ">", spaced: true}, {core: "→", spaced: true}, {core: "→"}, {core: "->"}, {core: ">"},
	{core: "/", spaced: true, names: true}, {core: "+", spaced: true, names: true}, {core: "-", spaced: true, names: true}, {core: "-b-"}, {core: "]["},
	{core: " ", varies: true}, {core: "_"}, {core: "/", names: true}, {core: "+", names: true}, {core: "-", names: true},
	{core: "~", names: true, varies: true}, {core: "&", names: true, varies: true}, {core: ":", names: true, varies: true},
}

// arrows are separators of steps, whose order is theirs.
var arrows = []string{"=>", "->", ">", "→", "\n"}

// FormatOf returns how strings are lists; ok is false if they are none. Their items are symbols or, without any, recur:
// two thirds of them at most are different. Inner is the separator between braces that surround all strings, if their
// notation says so; "": any.
//
// One string in five, or one of a few, may be no such list: see Odd. One in ten of the others may have another number
// of items, or other keys.
func FormatOf(xs, symbols []string, inner string) (f Format, ok bool) {
	const fewest, most = 3, 10_000 // strings, without an alphabet
	known := set(symbols)
	if known == nil && len(xs) < fewest {
		return f, false
	}
	if known == nil {
		xs = stats.Evenly(xs, most)
	}
	around := []Format{{}}
	if in := within(xs, known != nil || inner != ""); in.before != "" && (known == nil || inner != "") {
		if inner != "" {
			in.Separator, in.core = inner, inner
			_, ok := in.read(known, xs, 0)
			return in, ok
		}
		if around = []Format{in, {}}; in.before == "{" && strings.Contains(xs[0], `":`) {
			in.json = true
			around = []Format{in}
		}
	}
	if between := apart(xs); known == nil && between != "" {
		f = Format{Separator: between, core: between}
		if _, ok := f.read(nil, xs, 0); ok {
			f.place(nil, xs)
			return f, true
		}
	}
	least := misfit{odd: len(xs)}
	for _, f0 := range around {
		for _, s := range separators {
			g := f0
			g.core, g.spaced = s.core, s.spaced
			if g.json && s.core != "," || s.core == " " && ok && f.Items > 0 && !f.inNumbers(xs) { // strings have another one equally often
				continue
			}
			m, fits := g.of(s, known, xs)
			if fits && s.spaced { // if items have no separator without blanks, blanks do not matter
				h := f0
				h.core = s.core
				if other, fits := h.of(s, known, xs); fits && other == m && h.sameItems(g, xs) {
					g = h
				}
			}
			if fits && (!ok || m.less(least)) {
				f, least, ok = g, m, true
			}
		}
		if ok {
			break
		}
	}
	if ok {
		f.Separator, f.narrow = f.usualSeparator(xs), f.isNarrow(xs)
		f.place(known, f.regular(xs))
	}
	return f, ok
}

// slips returns how many of n strings may be wrong: one of four or more, or one in ten.
func slips(n int) int { return max(n/10, min(1, n/4)) }

// misfit says how far strings are from lists of one structure.
type misfit struct {
	odd    int  // strings that are none, whatever their keys, or that have one item where others have more
	varies bool // they have several numbers of items
	spread int  // different items beyond one at each position, if all have as many: few where positions vary on their own
}

// less reports whether lists with the misfit m are more likely meant than with another.
func (m misfit) less(other misfit) bool {
	number := map[bool]int{true: 1}
	return cmp.Or(m.odd-other.odd, number[m.varies]-number[other.varies], m.spread-other.spread) < 0
}

// of is read for a separator that is looked for.
func (f *Format) of(s separator, symbols map[string]bool, xs []string) (m misfit, ok bool) {
	most := 0
	switch {
	case symbols != nil:
	case f.json:
		most = len(xs) / 2
	default:
		most = max(len(xs)/5, slips(len(xs)))
	}
	if s.core == "||" && slices.ContainsFunc(xs, func(x string) bool { return strings.Contains(strings.ReplaceAll(x, "||", ""), "|") }) {
		return m, false // it is an empty item
	}
	without := 0
	for _, x := range xs {
		if !strings.Contains(x, s.core) || s.names && hasRatio(x, s.core) {
			without++
		}
	}
	if 2*without > len(xs) && (symbols == nil || without == len(xs)) {
		return m, false
	}
	if m, ok = f.read(symbols, xs, most); !ok || symbols != nil {
		return m, ok
	}
	regular := f.regular(xs)
	if s.names && !f.haveNames(regular) || s.varies && f.Items > 0 && f.varying(regular) < 2 {
		return m, false
	}
	return m, true
}

// inNumber matches a comma between digits: 1,4-dioxane, 0,5.
var inNumber = regexp.MustCompile("[0-9],[0-9]")

// inNumbers reports whether all separators are commas between digits.
func (f Format) inNumbers(xs []string) bool {
	return f.core == "," && !slices.ContainsFunc(xs, func(x string) bool { return len(inNumber.FindAllString(x, -1)) < strings.Count(x, ",") })
}

// hasRatio reports whether a string of several words has one of numbers between the separator, as in A:B 50:10.
func hasRatio(x, separator string) bool {
	words := strings.Fields(x)
	return len(words) > 1 && slices.ContainsFunc(words, func(word string) bool {
		numbers := strings.Split(word, separator)
		return len(numbers) > 1 && !slices.ContainsFunc(numbers, func(n string) bool { _, err := strconv.ParseFloat(n, 64); return err != nil })
	})
}

// read sets what lists have in common; ok is false if strings are no lists with the separator, of symbols; nil: of
// items that recur. Half of them have several items, and at most so many are odd.
func (f *Format) read(symbols map[string]bool, xs []string, most int) (m misfit, ok bool) {
	f.signs = f.usualSigns(xs)
	few := min(most, slips(len(xs)))
	var rows [][]string
	numbers := map[int]int{}
	for _, x := range xs {
		items, odd := f.split(x)
		if odd != "" || slices.ContainsFunc(items, func(item string) bool {
			return item == "" && !f.hasSlots() || item != "" && symbols != nil && !symbols[item]
		}) {
			if m.odd++; m.odd > most {
				return m, false
			}
			continue
		}
		rows = append(rows, items)
		numbers[len(items)]++
	}
	for n, rows := range numbers {
		if len(xs)-rows <= few && n > 1 {
			f.Items = n
		}
	}
	f.cased = symbols != nil
	m = misfit{odd: len(f.oddOf(xs)), varies: f.Items == 0}
	if f.Items == 0 {
		m.odd += numbers[1]
	}
	rows = slices.DeleteFunc(rows, func(items []string) bool {
		return f.Items > 0 && len(items) != f.Items || f.Items == 0 && slices.Contains(items, "")
	})
	f.findKeys(rows, few)
	if len(f.oddOf(xs)) > most {
		return m, false
	}
	rows = nil
	for _, x := range f.regular(xs) {
		rows = append(rows, f.Split(x))
	}
	different, separated, n, at := map[string]bool{}, 0, 0, make([]map[string]bool, f.Items)
	for i := range at {
		at[i] = map[string]bool{}
	}
	for _, items := range rows {
		if len(items) > 1 {
			separated++
		}
		for i, item := range items {
			if n++; f.Items > 0 {
				at[i][item] = true
			}
			different[item] = true
		}
	}
	for _, items := range at {
		m.spread += len(items) - 1
	}
	return m, separated > 0 && (symbols != nil || 2*separated >= len(xs) && 3*len(different) <= 2*n)
}

// regular returns the strings that are not odd.
func (f Format) regular(xs []string) []string {
	return slices.DeleteFunc(slices.Clone(xs), func(x string) bool { return f.Odd(x) != "" })
}

// oddOf returns the strings that are odd.
func (f Format) oddOf(xs []string) []string {
	return slices.DeleteFunc(slices.Clone(xs), func(x string) bool { return f.Odd(x) == "" })
}

// varying returns how many positions of lists do not have the same item in all.
func (f Format) varying(xs []string) (n int) {
	for i := range f.Items {
		if slices.ContainsFunc(xs, func(x string) bool { return f.Split(x)[i] != f.Split(xs[0])[i] }) {
			n++
		}
	}
	return n
}

// sameItems reports whether another format has the same items of all strings.
func (f Format) sameItems(other Format, xs []string) bool {
	return !slices.ContainsFunc(xs, func(x string) bool { return !slices.Equal(f.Split(x), other.Split(x)) })
}

// apart returns what separates the letters of strings that are as many letters with one separator, whichever it is:
// V/D/G/V, V:D:G:V; "": they are none. A letter may be *, for a stop.
func apart(xs []string) (separator string) {
	_, first := utf8.DecodeRuneInString(xs[0])
	n := strings.IndexFunc(xs[0][first:], unicode.IsLetter)
	if n <= 0 {
		return ""
	}
	separator = xs[0][first : first+n]
	if stop := strings.IndexByte(separator[1:], '*'); stop >= 0 { // V/*/G
		separator = separator[:1+stop]
	}
	if utf8.RuneCountInString(strings.TrimSpace(separator)) > 1 { // a,,b has an empty item
		return ""
	}
	isItem := func(item string) bool {
		r, size := utf8.DecodeRuneInString(item)
		return size == len(item) && (unicode.IsLetter(r) || r == '*')
	}
	items := strings.Count(xs[0], separator) + 1
	for _, x := range xs {
		of := strings.Split(x, separator)
		if len(of) != items || slices.ContainsFunc(of, func(item string) bool { return !isItem(item) }) {
			return ""
		}
	}
	return separator
}

// inBraces matches what stands between the outer brackets of a string: JSON, HELM, cyclo[-Leu-Ala-].
var inBraces = regexp.MustCompile(`(?s)^([^\[({]*[\[({]-?)(.*?)(-?[\])}][^\])}]*)$`)

// within returns what surrounds all strings, or nearly all, with their outer brackets; nothing if it is not the same.
func within(xs []string, all bool) (f Format) {
	count := map[[2]string]int{}
	most := max(len(xs)/5, slips(len(xs)))
	if all {
		most = 0
	}
	for _, x := range xs {
		if m := inBraces.FindStringSubmatch(x); m != nil {
			pair := [2]string{m[1], m[3]}
			if count[pair]++; count[pair] >= len(xs)-most {
				f.before, f.after = m[1], m[3]
			}
		}
	}
	return f
}

// keyValue matches an item such as opt=adam.
var keyValue = regexp.MustCompile(`^[A-Za-z_][\w.-]+=[^=]*$`)

// haveNames reports whether all items have a name and a value, or most are names, which begin with a letter and have
// several characters, and none has an operator.
func (f Format) haveNames(xs []string) bool {
	if !slices.ContainsFunc(xs, func(x string) bool {
		return slices.ContainsFunc(f.Split(x), func(item string) bool { return !keyValue.MatchString(item) })
	}) {
		return true
	}
	names, items := 0, 0
	for _, x := range xs {
		for _, item := range f.Split(x) {
			if strings.ContainsAny(item, "*^=") {
				return false
			}
			if item == "" {
				continue
			}
			if items++; len(item) > 1 && unicode.IsLetter([]rune(item)[0]) {
				names++
			}
		}
	}
	return 2*names > items
}

// set returns items as a set; nil: there are none.
func set(items []string) map[string]bool {
	if len(items) == 0 {
		return nil
	}
	in := map[string]bool{}
	for _, item := range items {
		in[item] = true
	}
	return in
}

// Place is f as other strings place items, which may be proposed, too.
func (f Format) Place(xs []string) Format {
	f.Settings = nil
	f.place(nil, xs)
	return f
}

// place sets Settings if all strings have as many items, no item occurs at two positions, and a key tells where each
// other symbol belongs.
func (f *Format) place(symbols map[string]bool, xs []string) {
	n, where := len(f.Split(xs[0])), map[string]int{}
	at, empty := make([]Setting, n), make([]bool, n)
	for _, x := range xs {
		items := f.Split(x)
		if len(items) != n {
			return
		}
		for i, item := range items {
			if k, ok := where[item]; ok && k != i && item != "" {
				return
			}
			where[item] = i
			switch s := &at[i]; {
			case item == "":
				empty[i] = true
			case s.values == nil:
				*s = Setting{keyOf(item), map[string]bool{item: true}}
			default:
				if s.values[item] = true; keyOf(item) != s.key {
					s.key = ""
				}
			}
		}
	}
	for symbol := range symbols {
		if _, ok := where[symbol]; !ok && !slices.ContainsFunc(at, func(s Setting) bool { return s.Has(symbol) }) {
			return
		}
	}
	for i := range at {
		if at[i].values == nil {
			at[i].values = map[string]bool{}
		}
		if empty[i] {
			at[i].values[""] = true
		}
	}
	f.Settings = at
}

// keyOf returns the key of lr=0.1, lr=.
func keyOf(item string) string { return item[:strings.IndexAny(item, "=:")+1] }

// Has reports whether an item is a value of the setting: it occurred there, or has its key.
func (s Setting) Has(item string) bool { return s.values[item] || s.key != "" && keyOf(item) == s.key }

// Codes returns how strings of as many letters and digits are lists of these; ok is false if they are none. Measured
// ones of letters alone may be longer.
func Codes(xs []string, measured bool) (f Format, ok bool) {
	const fewest, longest, longestLetters = 3, 12, 40
	if len(xs) < fewest {
		return f, false
	}
	n, digits := utf8.RuneCountInString(xs[0]), false
	for _, x := range xs {
		digits = digits || strings.ContainsFunc(x, unicode.IsDigit)
		if utf8.RuneCountInString(x) != n || strings.ContainsFunc(x, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return f, false
		}
	}
	if n > longest && (digits || !measured || n > longestLetters) {
		return f, false
	}
	_, ok = f.read(nil, xs, 0)
	return f, ok
}
