package lists

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/invbo/invbo/space/observed"
)

// Split returns the items of a string. Those of JSON are ordered as in most strings.
func (f Format) Split(x string) []string {
	items, _ := f.split(x)
	return f.inOrder(items)
}

// Join returns the string of items.
func (f Format) Join(items []string) string {
	inner := strings.Trim(strings.Join(items, f.Separator), " ")
	if f.narrow {
		for strings.Contains(inner, f.core+"  "+f.core) {
			inner = strings.ReplaceAll(inner, f.core+"  "+f.core, f.core+" "+f.core)
		}
	}
	return f.before + inner + f.after
}

// isNarrow reports whether most empty items are written as | | where those between blanks are joined to |  |.
func (f Format) isNarrow(xs []string) bool {
	one, two := 0, 0
	for _, x := range xs {
		one += strings.Count(x, f.core+" "+f.core)
		two += strings.Count(x, f.core+"  "+f.core)
	}
	return f.core != " " && one > two
}

// areWords reports whether strings are words with blanks between them, such as sentences.
func (f Format) areWords() bool { return f.core == " " && f.Items == 0 }

// Spell returns a string as most are written, and says what it changed, for people. A string that is Odd stays, and so
// do words and the case of all.
func (f Format) Spell(x string) (spelled, changed string) {
	items, odd := f.split(x)
	if odd != "" || f.Odd(x) != "" || f.areWords() {
		return x, ""
	}
	ordered := f.inOrder(items)
	if spelled = f.Join(ordered); spelled == x {
		return x, ""
	}
	if !slices.Equal(ordered, items) {
		return spelled, "with keys in the order of the others"
	}
	return spelled, "with the blanks of the others"
}

// Fold returns the same for strings that differ in case, in blanks or, if nearly all have keys in one order, in that
// order alone.
func (f Format) Fold(x string) string {
	items := f.Split(x)
	if f.ordered {
		slices.Sort(items)
	}
	folded := strings.Join(items, "\x00")
	if f.cased {
		return folded
	}
	return strings.ToLower(folded)
}

// Odd says why a string is no list as the others are; "" if it is one. Such strings may be measured, and teach the
// search nothing.
func (f Format) Odd(x string) string {
	items, odd := f.split(x)
	switch {
	case odd != "":
		return odd
	case f.Items > 0 && len(items) != f.Items:
		return fmt.Sprintf("it has %s, and nearly all others have %d", number(len(items)), f.Items)
	case slices.Contains(items, "") && !(f.hasSlots() && f.Items > 0):
		return "it has an empty item"
	}
	has, last := map[string]int{}, -1
	reordered := false
	for _, item := range items {
		has[keyOf(item)]++
		at := slices.Index(f.keys, keyOf(item))
		reordered = reordered || at >= 0 && at < last
		last = max(last, at)
	}
	name := func(key string) string { return strings.Trim(key, `"=: `) }
	for _, key := range f.keys {
		if has[key] > 1 {
			return fmt.Sprintf("it has %s twice", name(key))
		}
	}
	for _, key := range f.keys {
		if has[key] == 0 && f.allKeys {
			return fmt.Sprintf("it has no %s, which nearly all others have", name(key))
		}
	}
	if f.ordered && reordered {
		return "it has its keys in another order than nearly all others"
	}
	return ""
}

// number returns how many items there are, for people.
func number(items int) string {
	if items == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", items)
}

// Item returns an item with the blanks that most strings have in it.
func (f Format) Item(text string) string {
	return f.sign(strings.TrimSpace(text))
}

// KeepCase returns f for lists whose items are meant to differ in case alone.
func (f Format) KeepCase() Format {
	f.cased = true
	return f
}

// AnyNumber returns f for lists that may have any number of items.
func (f Format) AnyNumber() Format {
	f.Items = 0
	return f
}

// split returns the items of a string, as they are written there but for blanks, and says why it is no list; "" if it
// is one.
func (f Format) split(x string) (items []string, odd string) {
	inner, begins := strings.CutPrefix(x, f.before)
	inner, ends := strings.CutSuffix(inner, f.after)
	if !begins || !ends {
		odd = fmt.Sprintf("it is not written between %q and %q", f.before, f.after)
	}
	items = f.cut(inner)
	for i, item := range items {
		if f.core != "" {
			item = f.sign(strings.TrimSpace(item))
		}
		switch items[i] = item; {
		case odd != "":
		case !observed.Balanced(item) || strings.Contains(item, "<"):
			odd = fmt.Sprintf("brackets of %q do not match", item)
		}
	}
	return items, odd
}

// hasSlots reports whether items between separators may be empty, as these are nothing else.
func (f Format) hasSlots() bool {
	return !f.json && slices.Contains([]string{"|", ";", ",", "\t", "/", "_"}, f.core)
}

// cut returns what stands between separators.
func (f Format) cut(inner string) (items []string) {
	switch f.core {
	case "":
		return strings.Split(inner, "")
	case " ":
		return strings.FieldsFunc(inner, func(r rune) bool { return r == ' ' })
	}
	inner = strings.Trim(inner, " ")
	from, quoted := 0, false
	for at := 0; at < len(inner); {
		switch rest := inner[at:]; {
		case f.json && rest[0] == '"':
			quoted = !quoted
			at++
		case !quoted && strings.HasPrefix(rest, f.core) && (!f.spaced || f.isSpaced(inner, at)):
			items = append(items, inner[from:at])
			at += len(f.core)
			from = at
		default:
			at++
		}
	}
	return append(items, inner[from:])
}

// isSpaced reports whether there are blanks, or ends, around the separator at a position or, of commas and semicolons,
// behind it.
func (f Format) isSpaced(inner string, at int) bool {
	before, behind := inner[:at], inner[at+len(f.core):]
	first, _ := utf8.DecodeRuneInString(behind)
	last, _ := utf8.DecodeLastRuneInString(before)
	return (behind == "" || unicode.IsSpace(first)) && (f.core == "," || f.core == ";" || before == "" || unicode.IsSpace(last))
}

// keyed matches an item with a key: lr = 0.1, "opt": "adam".
var keyed = regexp.MustCompile(`^([^=:]*[^=:\s])(\s*([=:])\s*)(.*)$`)

// usualSigns returns the = and : behind keys with the blanks that most items have there.
func (f Format) usualSigns(xs []string) map[byte]string {
	count := map[byte]map[string]int{'=': {}, ':': {}}
	for _, x := range xs {
		items, _ := f.split(x)
		for _, item := range items {
			if m := keyed.FindStringSubmatch(item); m != nil {
				count[m[3][0]][m[2]]++
			}
		}
	}
	signs := map[byte]string{}
	for sign, spellings := range count {
		if len(spellings) > 0 {
			signs[sign] = usual(spellings)
		}
	}
	return signs
}

// usual returns what is counted most often, the first in order of several.
func usual(count map[string]int) string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return count[a] - count[b] })
}

// sign returns an item with the blanks around its = or : that most have.
func (f Format) sign(item string) string {
	if len(f.signs) == 0 || !strings.ContainsAny(item, "=:") {
		return item
	}
	if m := keyed.FindStringSubmatch(item); m != nil && f.signs[m[3][0]] != "" {
		return m[1] + f.signs[m[3][0]] + m[4]
	}
	return item
}

// Cased returns items of strings that differ in case alone, with the number of strings that have each: "KRAS (8) and
// Kras (1)". These are different items. Beside known strings one of them is in none of these. Of words it returns
// nothing.
func (f Format) Cased(known, xs []string) (all []string) {
	const shortest = 3 // characters: Co and CO differ
	if f.cased || f.areWords() {
		return nil
	}
	count, isKnown := map[string]map[string]int{}, map[string]bool{}
	for _, x := range f.regular(known) {
		for _, item := range f.Split(x) {
			isKnown[item] = true
		}
	}
	for _, x := range f.regular(slices.Concat(known, xs)) {
		for item := range set(f.Split(x)) {
			lower := strings.ToLower(item)
			if count[lower] == nil {
				count[lower] = map[string]int{}
			}
			count[lower][item]++
		}
	}
	for _, lower := range slices.Sorted(maps.Keys(count)) {
		forms, news := count[lower], known == nil
		for item := range forms {
			news = news || !isKnown[item]
		}
		if !news || len(forms) < 2 || utf8.RuneCountInString(lower) < shortest {
			continue
		}
		items := slices.SortedStableFunc(slices.Values(slices.Sorted(maps.Keys(forms))), func(a, b string) int { return forms[b] - forms[a] })
		for i, item := range items {
			items[i] = fmt.Sprintf("%s (%d)", item, forms[item])
		}
		all = append(all, strings.Join(items, " and "))
	}
	return all
}

// findKeys finds the keys that lists have once each at most, and whether nearly all have them in one order. It does not
// matter in JSON alone. Steps of a procedure have theirs. Other notations than JSON have all keys in nearly all lists.
func (f *Format) findKeys(rows [][]string, most int) {
	if len(rows) == 0 || slices.Contains(arrows, f.core) {
		return
	}
	orders, twice := map[string]int{}, 0
	byOrder := map[string][]string{}
	all := map[string]bool{}
	for _, items := range rows {
		var keys []string
		for _, item := range items {
			key := keyOf(item)
			if len(key) < 2 || slices.Contains(keys, key) {
				twice++
				keys = nil
				break
			}
			keys = append(keys, key)
		}
		if keys != nil {
			order := strings.Join(keys, "\n")
			orders[order]++
			byOrder[order] = keys
		}
	}
	if twice > most && !f.json || len(orders) == 0 {
		return
	}
	longest := 0
	for _, keys := range byOrder {
		longest = max(longest, len(keys))
	}
	if f.Items > 0 {
		longest = f.Items
	}
	full := maps.Clone(orders)
	maps.DeleteFunc(full, func(order string, _ int) bool { return len(byOrder[order]) != longest })
	if len(full) == 0 {
		return
	}
	keys := slices.Clone(byOrder[usual(full)])
	complete := 0
	for order, n := range orders {
		if len(byOrder[order]) == longest && !slices.ContainsFunc(byOrder[order], func(key string) bool { return !slices.Contains(keys, key) }) {
			complete += n
		}
		for _, key := range byOrder[order] {
			all[key] = true
		}
	}
	if f.allKeys = complete >= len(rows)-most; !f.allKeys && !f.json {
		return
	}
	f.ordered = !f.json && orders[strings.Join(keys, "\n")] >= len(rows)-most
	if f.keys = keys; !f.allKeys {
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if !slices.Contains(f.keys, key) {
				f.keys = append(f.keys, key)
			}
		}
	}
}

// inOrder returns items of JSON in the order of their keys. Those with another key stay behind.
func (f Format) inOrder(items []string) []string {
	if !f.json {
		return items
	}
	rank := func(item string) int {
		if i := slices.Index(f.keys, keyOf(item)); i >= 0 {
			return i
		}
		return len(f.keys)
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b string) int { return rank(a) - rank(b) })
	return items
}

// usualSeparator returns the separator with the blanks that most strings have around it.
func (f Format) usualSeparator(xs []string) string {
	if f.core == " " || f.core == "][" {
		return f.core
	}
	spelled := regexp.MustCompile(`[ \t]*` + regexp.QuoteMeta(f.core) + `[ \t]*`)
	if f.core == "\t" {
		spelled = regexp.MustCompile(` *\t *`)
	}
	count := map[string]int{}
	for _, x := range f.regular(xs) {
		for _, s := range spelled.FindAllString(strings.TrimSuffix(strings.TrimPrefix(x, f.before), f.after), -1) {
			if s != f.core || !f.spaced {
				count[s]++
			}
		}
	}
	if len(count) == 0 {
		return f.core
	}
	return usual(count)
}
