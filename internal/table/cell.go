package table

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// value is what a cell of numbers holds.
type value struct {
	state    State   // Measured, Missing, Failed or Invalid
	number   float64 // of Measured
	relation         // of Measured
	unit     unit    // that the cell states after the number
	reason   Reason  // of the other states
}

// decimalMark is what a column's numbers have before their decimals.
type decimalMark int

const (
	unknown decimalMark = iota
	points
	commas
	both
)

// style is how the numbers of a column are written.
type style struct {
	mark  decimalMark
	typed bool // by a program that writes points, as Excel stores numbers; text among them may still have commas
}

// readCell reads a cell of a column of numbers, such as 5.3, >4.5, about 3 or 12 nM.
func readCell(text string, s style) value {
	text = clean(text)
	if isMissing(text) {
		return value{state: Missing, reason: Reason{Code: NoValue}}
	}
	if reason, ok := failure(text); ok {
		return value{state: Failed, reason: Reason{MeasurementFailed, cmp.Or(reason, "failed")}}
	}
	digits, r := cutRelation(text)
	digits, u := cutUnit(digits)
	number, reason := parseNumber(digits, s)
	if reason.Code != "" {
		return value{state: Invalid, reason: reason}
	}
	return value{state: Measured, number: number, relation: r, unit: u}
}

// isScore reports whether a cell is a number, perhaps with a relation.
func isScore(text string) bool {
	number, _ := cutRelation(clean(text))
	_, ok := analyze(number)
	return ok
}

// isValue reports whether a cell is a number, perhaps with a relation or a unit.
func isValue(text string) bool {
	number, _ := cutRelation(clean(text))
	number, _ = cutUnit(number)
	_, ok := analyze(number)
	return ok
}

// cutUnit removes a unit after a number: 12 nM, 45%, 3.1 µg/mL.
func cutUnit(text string) (number string, u unit) {
	if _, ok := analyze(text); ok || text == "" || text[0] > '9' || len(text) > 60 {
		return text, unit{}
	}
	for i := len(text) - 1; i > 0; i-- {
		if !isDigits(text[i-1:i]) || isDigits(text[i:i+1]) {
			continue
		}
		number = clean(text[:i])
		if _, ok := analyze(number); !ok {
			continue
		}
		if u, ok := parseUnit(text[i:], false); ok {
			return number, u
		}
	}
	return text, unit{}
}

// isMissing reports whether a cell says that there is no value.
func isMissing(text string) bool {
	switch strings.ToLower(text) {
	case "", "na", "n/a", "#n/a", "#na", "<na>", "n.a.", "n.a", "nd", "n.d.", "n.d", "n/d", "nt", "n.t.", "n/t", "nan", "#nan", "null", "nil",
		"none", "-", "--", "---", "–", "—", ".", "?", "??", "tbd", "pending", "not determined", "not tested", "not measured", "not available":
		return true
	}
	return false
}

// isNaN reports whether a cell says that a program could not compute a finite value.
func isNaN(text string) bool {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

// failure returns the reason of a measurement that failed: "failed: reason".
func failure(text string) (reason string, ok bool) {
	for _, word := range []string{"failed", "failure", "fail"} {
		if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
			continue
		}
		rest := text[len(word):]
		if rest == "" || strings.ContainsAny(rest[:1], ":;,.-( ") {
			return strings.TrimSuffix(strings.TrimLeft(rest, ":;,.-( "), ")"), true
		}
	}
	return "", false
}

// numeral is a number as it is written.
type numeral struct {
	text     string      // with a point before decimals and nothing between thousands
	grouped  string      // where the mark may also separate thousands: the number if it does
	mark     decimalMark // points or commas where one is certainly before decimals; unknown otherwise
	doubtful decimalMark // the mark that may be before decimals or separate thousands; unknown if none may
}

// largest bounds scores as oracle.Largest does in a search.
const largest = 1e100

// parseNumber reads a number. The style decides what 1,234 is. A Reason with a Code says why it is none.
func parseNumber(text string, s style) (float64, Reason) {
	n, ok := analyze(text)
	if !ok {
		return 0, notNumber(text)
	}
	digits := n.text
	switch {
	case n.doubtful == points && (s.mark == commas || s.mark == both) && !s.typed, n.doubtful == commas && (s.mark == unknown || s.mark == both):
		return 0, Reason{TwoNumbers, fmt.Sprintf("%q may be %s or %s: write it in one of these ways", text, n.text, n.grouped)}
	case n.doubtful == commas && s.mark == points:
		digits = n.grouped
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.Abs(v) > largest {
		return 0, Reason{NotNumber, fmt.Sprintf("%q is too large", usage.Shorten(text, 40))}
	}
	return v, Reason{}
}

// notNumber says what a text is that is no number.
func notNumber(text string) Reason {
	end := strings.LastIndexAny(text, "0123456789") + 1
	rest := clean(text[end:])
	short := usage.Shorten(text, 40)
	switch _, ok := analyze(clean(text[:end])); {
	case strings.HasPrefix(text, "#"):
		return Reason{NotNumber, fmt.Sprintf("%q is an error of Excel", short)}
	case strings.Contains(text, "±") || strings.Contains(text, "+/-") || strings.Contains(text, "+-"):
		return Reason{WithError, fmt.Sprintf("%q is a value with its error: give the error a column of its own", short)}
	case ok && rest != "":
		return Reason{UnknownUnit, fmt.Sprintf("%q has a unit that is not known (%s)", short, usage.Shorten(rest, 20))}
	}
	return Reason{NotNumber, fmt.Sprintf("%q is not a number", short)}
}

// typographic replaces the minus, spaces and apostrophe of typesetting by those of a keyboard.
var typographic = strings.NewReplacer("\u2212", "-", "\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'")

// analyze splits a number into its parts; false if it is none. Thousands may be separated by blanks, apostrophes, or by points or
// commas where the number has two or more of these, or another mark before its decimals.
func analyze(text string) (numeral, bool) {
	if len(text) > 100 {
		return numeral{}, false
	}
	text = typographic.Replace(text)
	sign, digits := "", text
	if text != "" && (text[0] == '+' || text[0] == '-') {
		sign, digits = text[:1], text[1:]
	}
	exponent := ""
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		digits, exponent = digits[:i], digits[i:]
		power := strings.TrimLeft(exponent[1:], "+-")
		if len(exponent)-len(power) > 2 || !isDigits(power) {
			return numeral{}, false
		}
	}
	for _, blank := range []string{" ", "'"} {
		if strings.Contains(digits, blank) {
			whole, decimals := digits, ""
			if i := strings.IndexAny(digits, ".,"); i >= 0 {
				whole, decimals = digits[:i], digits[i:]
			}
			joined, ok := ungroup(whole, blank)
			if !ok {
				return numeral{}, false
			}
			if decimals == "" {
				return numeral{text: sign + joined + exponent}, true
			}
			if !isDigits(decimals[1:]) {
				return numeral{}, false
			}
			return numeral{text: sign + joined + "." + decimals[1:] + exponent, mark: markOf(decimals[:1])}, true
		}
	}
	first, last := strings.IndexAny(digits, ".,"), strings.LastIndexAny(digits, ".,")
	if first < 0 {
		return numeral{text: sign + digits + exponent}, isDigits(digits)
	}
	whole, decimals, mark := digits[:last], digits[last+1:], digits[last:last+1]
	if !isDigits(whole+decimals) && first == last {
		return numeral{}, false
	}
	plain := func(whole string) numeral {
		return numeral{text: sign + whole + "." + decimals + exponent, mark: markOf(mark)}
	}
	if first == last {
		n := plain(whole)
		if joined, ok := ungroup(digits, mark); ok && whole[0] != '0' && exponent == "" {
			n.grouped, n.doubtful, n.mark = sign+joined, n.mark, unknown
		}
		return n, true
	}
	if joined, ok := ungroup(digits, mark); ok { // 1,234,567
		return numeral{text: sign + joined + exponent, mark: points + commas - markOf(mark)}, true
	}
	other := map[string]string{".": ",", ",": "."}[mark]
	joined, ok := ungroup(whole, other) // 1,234.5
	return plain(joined), ok && (decimals == "" || isDigits(decimals))
}

func markOf(char string) decimalMark {
	if char == "," {
		return commas
	}
	return points
}

// ungroup removes the separators of thousands; false unless there is one before every three digits, and no more than
// three precede the first.
func ungroup(digits, separator string) (string, bool) {
	groups := strings.Split(digits, separator)
	for i, group := range groups {
		if !isDigits(group) || i == 0 && len(group) > 3 || i > 0 && len(group) != 3 {
			return "", false
		}
	}
	return strings.Join(groups, ""), len(groups) > 1
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// style finds out from all cells of columns how their numbers are written: as most of those that leave no doubt. Where none tells,
// commas in a file with semicolons are before decimals.
func (g *grid) style(columns ...int) style {
	const most = 3 // times as many as of the other mark
	var found [both]int
	doubtful := false
	for r := range g.again() {
		for _, c := range columns {
			if r.kind != data || r.line == g.headerLine || c < 0 || c >= len(r.cells) {
				continue
			}
			number, _ := cutRelation(r.cells[c])
			number, _ = cutUnit(number)
			if n, ok := analyze(number); ok {
				found[n.mark]++
				doubtful = doubtful || n.doubtful == commas
			}
		}
	}
	s := style{typed: g.typed}
	switch {
	case found[commas] > most*found[points], doubtful && found[points] == 0 && g.format.Separator == "semicolon":
		s.mark = commas
	case found[points] > most*found[commas]:
		s.mark = points
	case found[points] > 0:
		s.mark = both
	}
	return s
}
