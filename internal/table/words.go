package table

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// wordReason matches the Reason of a cell that holds words instead of a number.
	wordReason = regexp.MustCompile(`(?:^|: )"([^"\d]*\pL[^"\d]*)" is not a number$`)

	// limit matches words for a value that is too small or too large to be measured.
	limit = regexp.MustCompile(`(?i)^(?:[<>≤≥].*|.*\b(?:u?lod|l?lod|[lu]?loq|bld|bdl|bql|blq|aql|detection limit|limit of .*)\b.*)$`)
)

// noteWords notes how a table says that a measurement failed, where words stand for scores or further outcomes.
func (t *Table) noteWords() {
	if hint := t.wordHint(); hint != "" {
		t.Notes = append(t.Notes, hint)
	}
}

// wordHint says how a table says that a measurement failed, or what its limit is; "" if no words stand for numbers.
func (t *Table) wordHint() string {
	const shortest = 4 // letters of a word: fewer may be anything
	var words, limits []string
	add := func(reason string) {
		m := wordReason.FindStringSubmatch(reason)
		if m == nil || isNaN(m[1]) {
			return
		}
		to := &words
		switch {
		case limit.MatchString(m[1]):
			to = &limits
		case len(strings.Join(splitWords(m[1]), "")) < shortest:
			return
		}
		if !slices.ContainsFunc(*to, func(word string) bool { return strings.EqualFold(word, m[1]) }) {
			*to = append(*to, m[1])
		}
	}
	for _, r := range t.Records {
		if r.State == Invalid && r.Reason.Code == NotNumber {
			add(r.Reason.Text)
		}
		for _, unread := range r.Unread {
			add(unread)
		}
	}
	var failed, bound string
	switch len(words) {
	case 0:
	case 1:
		failed = fmt.Sprintf("if %s means that a measurement failed, write failed: %[1]s, from which the search learns", words[0])
	default:
		failed = fmt.Sprintf("if %s mean that a measurement failed, write failed: %s and so on, from which the search learns", enumerated(words), words[0])
	}
	if len(limits) > 0 {
		bound = fmt.Sprintf("for %s write the limit as a bound, such as <0.1 or >100", enumerated(limits))
	}
	return joined("; ", failed, bound)
}

// enumerated lists up to five words: a, b and c.
func enumerated(words []string) string {
	const most = 5
	switch n := len(words); {
	case n == 1:
		return words[0]
	case n > most:
		return strings.Join(words[:most], ", ") + " and others"
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}
