package task

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/lists"
	"github.com/invbo/invbo/vae/sequence"
)

// addedItem is an item of the alphabet that no list of the data has, or none at some position.
type addedItem struct {
	item string
	at   []int // positions from 0 where it may stand, beside those where lists have it; nil: any
}

var (
	// positioned matches an item behind the number of its position: 1:DavePhos.
	positioned = regexp.MustCompile(`^([1-9][0-9]?):(.+)$`)

	// numberItem matches an item that is a number, perhaps with a unit: 0.3, 60 C.
	numberItem = regexp.MustCompile(`^[-+]?[0-9]+(?:[.,][0-9]+)?(?:[eE][-+]?[0-9]+)?(\s*\D*)$`)
)

func separatesTokens(r rune) bool { return r == ',' || unicode.IsSpace(r) }

// mayBeItems reports whether an alphabet may name items of lists, and is no word of characters.
func mayBeItems(alphabet string) bool {
	return strings.ContainsFunc(alphabet, separatesTokens) || positioned.MatchString(alphabet)
}

// addsItems reports whether an alphabet names items beside those of lists, as most of the strings are not written in it
// alone. Given is nil if it can be nothing else.
func addsItems(alphabet string, given *sequence.Alphabet, xs []string) bool {
	if !mayBeItems(alphabet) || len(xs) == 0 {
		return false
	}
	fit := 0
	for _, x := range xs {
		if given != nil && over(given, x) == nil {
			fit++
		}
	}
	if 2*fit > len(xs) {
		return false
	}
	_, ok := spelledLists(nil, xs)
	return ok
}

// mayBeList reports whether a string may be a list of items.
func mayBeList(x string) bool {
	return strings.ContainsFunc(x, unicode.IsLetter) && strings.ContainsFunc(strings.TrimSpace(x), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// positions matches blanks before the number of a position.
var positions = regexp.MustCompile(`\s+([1-9][0-9]?:)`)

// readItems reads items of lists with commas between them or, if there is none, blanks. Items in quotation marks may
// have both. Without commas and quotation marks an item may have blanks if items of lists have such, or the text has
// positions: then another one begins at a position alone.
func readItems(text string, l lists.Format, items []string) (read []string) {
	separates := func(r rune) bool { return r == ',' }
	switch blank := slices.ContainsFunc(items, func(item string) bool { return strings.ContainsFunc(item, unicode.IsSpace) }); {
	case l.Separator == " ":
		separates = separatesTokens
	case strings.Contains(text, ","):
	case !strings.Contains(text, `"`) && (blank || positioned.MatchString(text)):
		text = positions.ReplaceAllString(text, ",$1")
	default:
		separates = separatesTokens
	}
	var item strings.Builder
	quoted := false
	for _, r := range text + "," {
		if r == '"' {
			quoted = !quoted
		}
		if r != ',' && !separates(r) || quoted {
			item.WriteRune(r)
			continue
		}
		if one := strings.TrimSpace(item.String()); one != "" {
			read = append(read, one)
		}
		item.Reset()
	}
	return read
}

// addedItems returns the items of the alphabet that no list has, and where each may stand: where the number before it
// says, where its key is or, of a number, where all items are numbers of its unit. Without that it may stand anywhere
// if all items may; known is how many lists are known.
func addedItems(l lists.Format, alphabet string, xs, items []string, known int) (added []addedItem, _ error) {
	quoted := slices.ContainsFunc(items, func(item string) bool { return strings.HasPrefix(item, `"`) })
	for _, text := range readItems(alphabet, l, items) {
		a := addedItem{item: text}
		if m := positioned.FindStringSubmatch(text); m != nil && !slices.ContainsFunc(items, func(item string) bool { return strings.HasPrefix(item, m[1]+":") }) {
			at, _ := strconv.Atoi(m[1])
			if l.Items > 0 && at > l.Items {
				return nil, option.Errorf("%s: lists have %d items", option.Setting{Name: "alphabet", Value: text}, l.Items)
			}
			if a.item = m[2]; l.Items > 0 {
				a.at = []int{at - 1}
			}
		}
		if inner := strings.Trim(a.item, `"`); !quoted && len(inner) == len(a.item)-2 {
			a.item = inner
		}
		if a.item = l.Item(a.item); slices.Contains(items, a.item) && a.at == nil || a.item == strings.TrimSpace(l.Separator) {
			continue
		}
		if len(l.Split(l.Join([]string{a.item}))) != 1 {
			return nil, option.Errorf("%s: %q would be several items of a list", option.Name("alphabet"), a.item)
		}
		added = append(added, a)
	}
	for i, a := range added {
		if a.at == nil && nameResidues(items) { // any may be anywhere
			for at := range l.Items {
				added[i].at = append(added[i].at, at)
			}
		}
		if added[i].at != nil || l.Items == 0 {
			continue
		}
		if added[i].at = placesOf(l, a.item, xs, items, known); added[i].at == nil {
			return nil, option.Errorf("%s: say at which of the %d positions %s may stand, as in %s", option.Name("alphabet"), l.Items, usage.Shorten(a.item, 40), option.Setting{Name: "alphabet", Value: "'1:" + a.item + "'"})
		}
	}
	return added, nil
}

// placesOf returns the positions, from 0, where an item may stand that no list has; nil: nothing tells.
func placesOf(l lists.Format, item string, xs, items []string, known int) (at []int) {
	var numbers []int
	unit := numberItem.FindStringSubmatch(item)
	anywhere := true
	for i, has := range l.Allowed(xs, items, known) {
		if l.Settings != nil && has(item) { // its key is there
			return []int{i}
		}
		if anywhere = anywhere && !slices.ContainsFunc(items, func(item string) bool { return !has(item) }); anywhere {
			at = append(at, i)
		}
		if unit != nil && !slices.ContainsFunc(xs, func(x string) bool {
			m := numberItem.FindStringSubmatch(l.Split(x)[i])
			return m == nil || m[1] != unit[1]
		}) {
			numbers = append(numbers, i)
		}
	}
	switch {
	case anywhere:
		return at
	case len(numbers) == 1:
		return numbers
	}
	return nil
}
