package observed

import (
	"cmp"
	"regexp"
	"strings"
)

// Bracketed reports whether strings have brackets, and all that have them balanced ones.
func Bracketed(xs []string) bool {
	const fewest = 2
	with := 0
	for _, x := range xs {
		if !Balanced(x) {
			return false
		}
		if strings.ContainsAny(x, "([{") {
			with++
		}
	}
	return with >= fewest
}

// Balanced reports whether each bracket of a string is closed by one of its kind, the last one first.
func Balanced(x string) bool {
	const opening, closing = "([{", ")]}"
	var open []int
	for i := range len(x) {
		if kind := strings.IndexByte(opening, x[i]); kind >= 0 {
			open = append(open, kind)
		}
		if kind := strings.IndexByte(closing, x[i]); kind >= 0 {
			last := len(open) - 1
			if last < 0 || open[last] != kind {
				return false
			}
			open = open[:last]
		}
	}
	return len(open) == 0
}

// name is a name of several letters beside something else, such as a function with its bracket.
var name = regexp.MustCompile(`[A-Za-z]{2,}\(|[A-Za-z]{3,}`)

// inSquare matches what is one token: [Aib].
var inSquare = regexp.MustCompile(`\[[^\]]*\]`)

// Name returns the first name of several letters, such as sin( or lac, if most strings have such a name beside other
// characters; "" if they have not.
func Name(xs []string) (first string) {
	n := 0
	for _, x := range xs {
		if found := name.FindString(inSquare.ReplaceAllString(x, "")); found != "" && found != x {
			first = cmp.Or(first, found)
			n++
		}
	}
	if 2*n <= len(xs) {
		return ""
	}
	return first
}
