package table

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

var (
	// wordReason matches the Reason of a cell that holds words instead of a number.
	wordReason = regexp.MustCompile(`(?:^|: )"([^"\d]*\pL[^"\d]*)" is not a number$`)

	// limit matches words for a value that is too small or too large to be measured, as that of what is inactive.
	limit = regexp.MustCompile(`(?i)^(?:[<>≤≥].*|.*\b(?:u?lod|l?lod|[lu]?loq|bld|bdl|bql|blq|aql|detection limit|limit of .*)\b.*|(?:in|not |non-?)active|no (?:activity|inhibition|effect|response|binding)|n\.? ?b\.?|(?:non-?|not )bind(?:er|ing))$`)
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
		if m == nil || numeral.IsNaN(m[1]) {
			return
		}
		to := &words
		switch {
		case limit.MatchString(m[1]):
			to = &limits
		case len(strings.Join(quantity.Words(m[1]), "")) < shortest:
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
	if len(words) > most {
		words = append(slices.Clone(words[:most]), "others")
	}
	return usage.List(words)
}

var (
	// signsOfClass matches a class of activity in signs: +++, ++, + and −.
	signsOfClass = regexp.MustCompile(`^(?:\++|[-−–]+|\+/[-−–]|±|0)$`)

	// times matches a number with what says that it is a ratio: 2.5x, 3-fold.
	times = regexp.MustCompile(`(?i)^[<>~=≤≥\s]*\d[\d.,]*\s*(x|×|-?\s*fold)$`)

	yesWords, noWords, classWords = list("yes word"), list("no word"), list("class word")

	// unreadText matches the text of a cell in the Reason of a row.
	unreadText = regexp.MustCompile(`"([^"]*)" (?:is not a number|has a unit that is not known)`)
)

// classAdvice says what to write instead of scores in words, signs or with a times sign; "" of other cells. Few
// different words are classes.
func classAdvice(cells []string) string {
	const most = 8
	cells = slices.DeleteFunc(slices.Clone(cells), numeral.IsMissing)
	if len(cells) == 0 {
		return ""
	}
	all := func(is func(cell string) bool) bool { return stats.Count(cells, is) == len(cells) }
	if m := times.FindStringSubmatch(cells[0]); m != nil && all(times.MatchString) {
		return fmt.Sprintf("numbers with %s: write them without it", strings.TrimSpace(m[1]))
	}
	var classes tally[string]
	for _, cell := range cells {
		classes.add(cell)
	}
	named := enumerated(firstOf(classes.usual(), 4))
	isYes := func(cell string) bool { return slices.Contains(yesWords, strings.Join(quantity.Words(cell), "")) }
	isNo := func(cell string) bool { return slices.Contains(noWords, strings.Join(quantity.Words(cell), "")) }
	isClass := func(cell string) bool { return isWord(cell) && len(cell) <= 20 }
	switch {
	case all(signsOfClass.MatchString) && slices.ContainsFunc(cells, func(cell string) bool { return strings.HasPrefix(cell, "+") }):
		return named + ": write numbers, such as 3 for +++, 2 for ++, 1 for + and 0 for -"
	case all(func(cell string) bool { return isYes(cell) || isNo(cell) }):
		text := "write 1"
		if yes := slices.IndexFunc(cells, isYes); yes >= 0 {
			text += " for " + cells[yes]
		}
		if no := slices.IndexFunc(cells, isNo); no >= 0 {
			text += " and 0 for " + cells[no]
		}
		return named + ": " + text
	case len(classes.order) > 1 && len(classes.order) <= most && all(isClass):
		return named + ": write numbers, such as 3, 2 and 1, the best class first"
	}
	return ""
}

// wordsForScores says which columns without a use hold scores in words, by their content or, of classes, by their name
// too, and what to write instead; "" if none does.
func (g *grid) wordsForScores(c columns) string {
	var all []string
	for i := range g.header {
		cells := g.cells(i, sampled)
		if g.header[i] == "" || slices.Contains(c.taken(), i) || 2*len(cells) < len(g.sample) {
			continue
		}
		advice := classAdvice(cells)
		h := g.heading(i)
		if strings.HasSuffix(advice, "class first") && g.rank(scoreNames, i) < 0 && !h.HasEndpoint() && !h.HasAny(classWords) {
			continue
		}
		if advice != "" {
			all = append(all, fmt.Sprintf("column %s holds %s", g.name(i), advice))
		}
	}
	return strings.Join(firstOf(all, 3), "; ")
}

// classHint is classAdvice on the cells of scores if none is a number; "" if most of them are something else.
func (t *Table) classHint() string {
	var cells []string
	invalid := 0
	for _, r := range t.Records {
		switch r.State {
		case Measured:
			return ""
		case Invalid:
			invalid++
			if m := unreadText.FindStringSubmatch(r.Reason.Text); m != nil {
				cells = append(cells, m[1])
			}
		}
	}
	if 2*len(cells) <= invalid {
		return ""
	}
	return after("the scores are ", classAdvice(cells))
}
