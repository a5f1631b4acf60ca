package numeral

import (
	"regexp"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// plusMinus matches what stands between a value and its error.
var plusMinus = regexp.MustCompile(`\s*(?:±|\+/[-−–]|\+[-−])\s*`)

// splitError splits a cell into a value and its error: 12 ± 3 nM, 12 (± 3) nM, (1.2 ± 0.3)×10^3. What follows brackets
// belongs to both.
func splitError(text string) (value, spread string, ok bool) {
	if !strings.ContainsAny(text, "±+") {
		return "", "", false
	}
	at := plusMinus.FindStringIndex(text)
	if at == nil {
		return "", "", false
	}
	value, spread = text[:at[0]], text[at[1]:]
	around, opened := strings.CutPrefix(value, "(")
	before, inside := strings.CutSuffix(value, "(")
	if !opened && !inside {
		return value, spread, true
	}
	within, behind, closed := strings.Cut(spread, ")")
	if opened {
		return around + behind, within + behind, closed
	}
	return whitespace.Trim(before) + behind, within + behind, closed
}

// valueWithError reads a value with its error. A unit that only one of them has is that of both. ok is false if they
// are no two numbers, or leave in doubt what belongs to both.
func valueWithError(value, spread string) (n Numeral, ok bool) {
	n, ok = Parse(value)
	if !ok || n.Relation != (Relation{}) || n.Spread != nil {
		return n, false
	}
	if IsMissing(whitespace.Trim(spread)) && spread != "" { // of a single measurement
		return n, true
	}
	e, ok := Parse(spread)
	switch {
	case !ok || e.Relation != (Relation{}) || e.Spread != nil || strings.HasPrefix(e.Text, "-"):
		return n, false
	case hasPower(spread) && !hasPower(value): // 1.2 ± 0.3 ×10^3
		return n, false
	case !n.Unit.IsSet():
		n.Unit = e.Unit
	case e.Unit.IsSet() && !e.Unit.Equal(n.Unit):
		return n, false
	}
	n.Spread = &e
	return n, true
}

// hasPower reports whether a text has a power of ten in typesetting.
func hasPower(text string) bool {
	return exponent.MatchString(superscript.Replace(raisedTo.ReplaceAllString(text, "10^$1")))
}
