package numeral

import (
	"regexp"
	"slices"
	"strings"
)

// IsMissing reports whether a cell says that there is no value.
func IsMissing(text string) bool {
	switch strings.ToLower(text) {
	case "", "na", "n/a", "#n/a", "#na", "<na>", "n.a.", "n.a", "nd", "n.d.", "n.d", "n/d", "nt", "n.t.", "n/t", "nan", "#nan", "null", "nil",
		"none", "-", "--", "---", "–", "—", ".", "?", "??", "tbd", "pending", "not determined", "not tested", "not measured", "not available":
		return true
	}
	return false
}

// IsNaN reports whether a cell says that a program could not compute a finite value.
func IsNaN(text string) bool {
	return slices.Contains([]string{"nan", "inf", "infinity"}, strings.ToLower(strings.TrimLeft(text, "+-")))
}

var failed = regexp.MustCompile(`(?is)^(?:failed|failure|fail)(?:[:;,.\-( ]+(.*))?$`)

// Failure returns the reason of a cell that says that a measurement failed, such as "failed: reason"; it may be empty.
// ok is false for other cells.
func Failure(text string) (reason string, ok bool) {
	if m := failed.FindStringSubmatch(text); m != nil {
		return strings.TrimSuffix(m[1], ")"), true
	}
	return "", false
}
