// Package lists reads strings as lists of items with a separator between them, such as lr=0.1,opt=adam or "conv3 pool relu", and tells what all of
// them keep: where items stand, how often, and in which order.
package lists

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/invbo/invbo/space/observed"
)

// Format says how strings are read as lists.
type Format struct {
	Separator string    // of items; "": these are characters
	Settings  []Setting // where each item has its position; nil: items may be anywhere

	before, after string // what surrounds all, as the braces of JSON and HELM; "": nothing
}

// Setting is what occurs at a position of lists.
type Setting struct {
	key    string          // before the = or : that all values have, with it; "": they have none
	values map[string]bool // items
}

// separators are looked for in this order. Between operators there are names: numbers and symbols may be an expression.
var (
	separators = []string{" :: ", "::", ", ", ",", "; ", ";", " | ", "|", "\n", " > ", " → ", "→", " -> ", "->", ">", " / ", " + ", " - ", "-b-", "][", " ", "_", "/", "+", "-"}
	operators  = []string{" / ", " + ", " - ", "/", "+", "-"}
)

// FormatOf returns how strings are lists; ok is false if they are none. Their items are symbols or, without any, recur: two thirds of them at most are different.
// Inner is the separator between braces that surround all strings, if their notation says so; "": any.
func FormatOf(xs, symbols []string, inner string) (f Format, ok bool) {
	const fewest = 3 // strings, without an alphabet
	known := set(symbols)
	around := Format{}
	if known == nil || inner != "" {
		around = within(xs)
		if inner != "" && around.before != "" {
			around.Separator = inner
			return around, (known != nil || len(xs) >= fewest) && around.fit(known, xs)
		}
	}
	if known == nil && len(xs) < fewest {
		return f, false
	}
	if separator := apart(xs); known == nil && separator != "" {
		if f = (Format{Separator: separator}); f.fit(nil, xs) {
			f.place(nil, xs)
			return f, true
		}
	}
	for _, separator := range separators {
		f = around
		f.Separator = separator
		if f.fit(known, xs) && (known != nil || !slices.Contains(operators, separator) || f.haveNames(xs)) {
			f.place(known, xs)
			return f, true
		}
	}
	return f, false
}

// apart returns what separates the letters of strings that are as many letters with one separator, whichever it is: V/D/G/V, V:D:G:V; "": they are
// none. A letter may be *, for a stop.
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

// within returns what surrounds all strings, with their outer brackets; nothing if it is not the same.
func within(xs []string) (f Format) {
	for i, x := range xs {
		m := inBraces.FindStringSubmatch(x)
		if m == nil || i > 0 && (m[1] != f.before || m[3] != f.after) {
			return Format{}
		}
		f.before, f.after = m[1], m[3]
	}
	return f
}

// inner returns a string without what surrounds all.
func (f Format) inner(x string) string {
	return strings.TrimSuffix(strings.TrimPrefix(x, f.before), f.after)
}

// haveNames reports whether most items are names, which begin with a letter and have several characters, and none has an operator.
func (f Format) haveNames(xs []string) bool {
	names, items := 0, 0
	for _, x := range xs {
		for _, item := range f.Split(x) {
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

// Split returns the items of a string.
func (f Format) Split(x string) []string { return strings.Split(f.inner(x), f.Separator) }

// Join returns the string of items.
func (f Format) Join(items []string) string {
	return f.before + strings.Join(items, f.Separator) + f.after
}

// fit reports whether strings are lists with the separator, of symbols; nil: of items that recur. Half of them have several items.
func (f Format) fit(symbols map[string]bool, xs []string) bool {
	items, different, separated := 0, map[string]bool{}, 0
	for _, x := range xs {
		of := f.Split(x)
		if len(of) > 1 {
			separated++
		}
		for _, item := range of {
			if item == "" || strings.TrimSpace(item) != item || symbols != nil && !symbols[item] || symbols == nil && (!observed.Balanced(item) || strings.Contains(item, "<")) {
				return false
			}
			different[item] = true
			items++
		}
	}
	return separated > 0 && (symbols != nil || 2*separated >= len(xs) && 3*len(different) <= 2*items)
}

// Place is f as other strings place items, which may be proposed, too.
func (f Format) Place(xs []string) Format {
	f.Settings = nil
	f.place(nil, xs)
	return f
}

// place sets Settings, where all strings have as many items, none of which occurs at two positions, and a key tells where other symbols belong.
func (f *Format) place(symbols map[string]bool, xs []string) {
	n, where := len(f.Split(xs[0])), map[string]int{}
	at := make([]Setting, n)
	for _, x := range xs {
		items := f.Split(x)
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
	f.Settings = at
}

// keyOf returns the key of lr=0.1, lr=.
func keyOf(item string) string { return item[:strings.IndexAny(item, "=:")+1] }

// Has reports whether an item is a value of the setting: it occurred there, or has its key.
func (s Setting) Has(item string) bool { return s.values[item] || s.key != "" && keyOf(item) == s.key }

// Codes returns how strings of as many letters and digits are lists of these; ok is false if they are none. Measured ones of letters alone may be longer.
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
	return f, f.fit(nil, xs)
}
