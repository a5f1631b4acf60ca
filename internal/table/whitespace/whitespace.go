// Package whitespace trims what nobody sees around a text.
package whitespace

import (
	"strings"
	"unicode"
)

// Trim returns a text without white space and characters without width, such as byte order marks, at its beginning and end.
func Trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' })
}
