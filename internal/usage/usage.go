// Package usage marks errors that the user can fix by changing the input. A command ends with exit code 2 for them.
package usage

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/stats"
)

// Most bounds counts that users give: more than anyone wants of anything, and still fits into memory.
const Most = 1_000_000

// usageError is an error in the input. Nothing has been evaluated or written.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Errorf is fmt.Errorf for an error in the input.
func Errorf(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Wrap marks err as an error in the input; nil stays nil.
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// Is reports whether err, or an error that it wraps, is an error in the input.
func Is(err error) bool {
	_, ok := errors.AsType[usageError](err)
	return ok
}

// Suggest returns what to append to an error about an unknown name: the closest name if one is close, otherwise all of them.
func Suggest(name string, names []string) string {
	if best := Nearest(name, names, 0.7); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return "; there are " + strings.Join(names, ", ")
}

// Nearest returns the closest of names, such as run to rnu, if less than a share of the letters differs; otherwise it
// is empty.
func Nearest(name string, names []string, share float64) (best string) {
	least := share
	for _, n := range names {
		d := stats.Levenshtein([]rune(strings.ToLower(name)), []rune(n))
		if d < least || d == least && len(n) < len(best) { // of the same share, fewer letters
			best, least = n, d
		}
	}
	return best
}

// Find returns the element of all that is called name. The error names the closest one, or all.
func Find[T any](kind, name string, all []T, nameOf func(T) string) (T, error) {
	names := stats.Map(all, nameOf)
	if i := slices.Index(names, name); i >= 0 {
		return all[i], nil
	}
	var none T
	return none, Errorf("there is no %s %q%s", kind, name, Suggest(name, names))
}

// Quoted quotes a name for a shell if it needs that.
func Quoted(name string) string {
	if strings.ContainsAny(name, " \t()[]{}<>|&;$`'\"*?!#~%\\") || name == "" {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

// List lists words, for people: "a, b and c".
func List(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Shorten cuts text to width runes.
func Shorten(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:max(0, width-1)]) + "…"
	}
	return text
}

// Visible returns text for a terminal: control characters, with which a text could change what is on the screen, and those that change
// the direction of writing are escaped as in Go.
func Visible(text string) string {
	return hidden.ReplaceAllStringFunc(text, func(character string) string {
		quoted := strconv.QuoteRuneToASCII([]rune(character)[0])
		return quoted[1 : len(quoted)-1]
	})
}

// hidden are control characters, those of writing from right to left, separators of lines and what is not UTF-8.
var hidden = regexp.MustCompile(`[\p{Cc}\x{061C}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}\x{2028}\x{2029}\x{FFFD}]`)

// VisibleJSON returns JSON in which the characters that Visible escapes are escaped, as JSON has it: it says the same. Those below U+0020 are
// escaped already.
func VisibleJSON(text []byte) []byte {
	return hidden.ReplaceAllFunc(text, func(character []byte) []byte {
		r, size := utf8.DecodeRune(character)
		if r < ' ' || r == utf8.RuneError && size == 1 { // between values, or no text
			return character
		}
		return fmt.Appendf(nil, `\u%04x`, r)
	})
}

// VisibleLines is Visible for a text of several lines, in which tabs stand, too.
func VisibleLines(text string) string {
	return hidden.ReplaceAllStringFunc(text, func(character string) string {
		if character == "\n" || character == "\t" {
			return character
		}
		return Visible(character)
	})
}

// secret matches names of parameters of a URL that hold secrets.
var secret = regexp.MustCompile(`(?i)key|token|secret|passw|pwd|auth|credential|signature|^sig$|session|jwt|^code$|^pass$|^pw$`)

// IsSecret reports whether a parameter of a URL of that name holds a secret.
func IsSecret(name string) bool { return secret.MatchString(name) }

// LooksSecret reports whether a value looks like a key: it is long, and has letters and digits all mixed up.
func LooksSecret(value string) bool {
	const long, changes = 20, 5
	if len(value) < long || strings.ContainsAny(value, " /") {
		return false
	}
	turns := 0 // from a letter to a digit and back
	for i := 1; i < len(value); i++ {
		if digit(value[i]) != digit(value[i-1]) {
			turns++
		}
	}
	return turns >= changes
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// WithoutSecrets masks the secrets of URLs in a text: passwords, and parameters whose names say so.
func WithoutSecrets(text string) string {
	text = passwords.ReplaceAllString(text, "${1}xxxxx@")
	return parameters.ReplaceAllStringFunc(text, func(part string) string {
		name, value, _ := strings.Cut(part[1:], "=")
		if IsSecret(name) || LooksSecret(value) {
			return part[:1] + name + "=xxxxx"
		}
		return part
	})
}

var (
	passwords  = regexp.MustCompile(`([a-z][a-z0-9+.-]*://[^:/@\s]*:)\S*@`)
	parameters = regexp.MustCompile(`[?&][A-Za-z0-9_.-]+=[^&\s"']*`)
)
