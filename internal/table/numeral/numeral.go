// Package numeral reads cells of numbers: numbers as people and programs write them, with relations, units and errors,
// and what stands for a number that is missing. Whether 1,234 has decimals or thousands is up to the other cells of its
// column: its Style.
package numeral

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
)

// Numeral is a number as it is written, with what stands before and after it.
type Numeral struct {
	Written  string // without what stands before and after it
	Text     string // with a point before decimals and nothing between thousands
	grouped  string // where the mark may also separate thousands: the number if it does
	groups   bool   // it has marks that certainly separate thousands
	mark     Mark   // points or commas where one is certainly before decimals; unknown otherwise
	doubtful Mark   // the mark that may be before decimals or separate thousands; unknown if none may

	Relation               // before it
	Unit     quantity.Unit // behind it
	Spread   *Numeral      // the error after ±; nil if there is none
	Footnote bool          // a mark behind it refers to one, as in 12.5*
}

// Parse takes a cell apart: a number with what stands before and after it, such as >12 nM, 45%, 3.1 µg/mL or 5.3 ± 0.2.
// ok is false if it is no number; Written is then what Explain is asked about.
func Parse(text string) (n Numeral, ok bool) {
	whole := enDash.ReplaceAllString(whitespace.Trim(text), "$1-$2")
	if bare := footnote.ReplaceAllString(whole, "$1$2"); bare != whole && !power.MatchString(whole) {
		if n, ok = Parse(bare); ok {
			n.Footnote = true
			return n, true
		}
	}
	text, r := cutRelation(asNumber(whole))
	n, ok = ParseNumber(text)
	if !ok {
		bare, _ := cutRelation(whole)
		if value, spread, both := splitError(bare); both {
			n, ok = valueWithError(value, spread)
		}
	}
	if !ok && text != "" && typographic.Replace(text)[0] <= '9' && len(text) <= 60 {
		for i := len(text) - 1; i > 0 && !ok; i-- {
			if !IsDigits(text[i-1:i]) || IsDigits(text[i:i+1]) {
				continue
			}
			if n, ok = ParseNumber(whitespace.Trim(text[:i])); ok {
				n.Unit, ok = quantity.ParseUnit(text[i:])
			}
		}
	}
	if !ok {
		n = Numeral{Written: text}
		if !strings.ContainsAny(text, "0123456789") {
			n.Written = whole // no expression
		}
	}
	n.Relation = r
	return n, ok
}

// enDash matches one that stands for a minus, as text processors write it: at the beginning, or after a relation.
var enDash = regexp.MustCompile(`^([<>=≤≥~\s]*)–([\d.])`)

// footnote matches marks behind a number or its unit, as in 12.5*, 3 nM†† and 7.1ᵃ; power matches what has an exponent there.
var (
	footnote = regexp.MustCompile(`([\d.%\pL)])\s*(?:[*†‡§¶]+|[ᵃᵇᶜᵈᵉᶠᵍ]+)$|(\d)[¹²³⁴⁵⁶⁷⁸⁹]$`)
	power    = regexp.MustCompile(`(?:^|\D)10[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+$`)
)

var (
	quoted   = regexp.MustCompile(`^="(.*)"$`)                     // as Excel exports numbers that are to stay text
	counted  = regexp.MustCompile(`(?i)\s*\(\s*n\s*=\s*\d+\s*\)$`) // 150 (n=3)
	raisedTo = regexp.MustCompile(`10([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)`)
	exponent = regexp.MustCompile(`(\d)\s*[x×·*]\s*10(?:(?:\^|\*\*|e|E)\(?([+\-−]?\d+)\)?|([+\-−]\d+))`) // not 5×103, which may be either
)

// superscript replaces the exponents of typesetting.
var superscript = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁻", "-", "⁺", "+")

// asNumber rewrites 150 (n=3), ="150" and 1.5×10^2 as numbers.
func asNumber(text string) string {
	if text == "" || IsDigits(text) {
		return text
	}
	if m := quoted.FindStringSubmatch(text); m != nil {
		text = whitespace.Trim(m[1])
	}
	text = counted.ReplaceAllString(text, "")
	if plain := superscript.Replace(raisedTo.ReplaceAllString(text, "10^$1")); exponent.MatchString(plain) {
		return strings.ReplaceAll(exponent.ReplaceAllString(plain, "${1}e$2$3"), "−", "-")
	}
	return text
}

// IsNumber reports whether a cell is a number, perhaps with a relation.
func IsNumber(text string) bool {
	number, _ := cutRelation(whitespace.Trim(text))
	_, ok := ParseNumber(number)
	return ok
}

// IsValue reports whether a cell is a number, perhaps with a relation or a unit.
func IsValue(text string) bool { _, ok := Parse(text); return ok }

// Error says why a text is no number that can be read.
type Error struct {
	Kind Kind
	Text string // for people
}

func (e *Error) Error() string { return e.Text }

// Kind is a kind of Error.
type Kind string

const (
	NotNumber   Kind = "not a number"
	TwoNumbers  Kind = "ambiguous"       // 1,234 may be two numbers
	WithError   Kind = "value and error" // >5.3 ± 0.2
	UnknownUnit Kind = "unknown unit"
)

// IsPointDoubtful reports whether the point of a number, such as 1.234, may separate thousands.
func (n Numeral) IsPointDoubtful() bool { return n.doubtful == Points }

// HasPoint reports whether the number certainly has a point before its decimals.
func (n Numeral) HasPoint() bool { return n.mark == Points }

// largest bounds scores as oracle.Largest does in a search.
const largest = 1e100

// Value returns the number, of at most 1e100. The style decides what 1,234 is. The error is an *Error.
func (n Numeral) Value(s Style) (float64, error) {
	digits := n.Text
	switch {
	case n.doubtful == Points && s.Mark == Commas && s.Grouped && !s.Typed:
		digits = n.grouped
	case n.doubtful == Points && (s.Mark == Commas || s.Mark == Both) && !s.Typed, n.doubtful == Commas && (s.Mark == Unknown || s.Mark == Both):
		way := "it in one of these ways"
		if s.Mark == Commas { // as the others are
			way = fmt.Sprintf("%s or %s", strings.Replace(n.Text, ".", ",", 1), n.grouped)
		}
		if s.Mark == Both && n.doubtful == Points && strings.HasSuffix(n.Text, "0") {
			way = fmt.Sprintf("%s or %s", strings.TrimSuffix(strings.TrimRight(n.Text, "0"), "."), n.grouped)
		}
		return 0, &Error{TwoNumbers, fmt.Sprintf("%q may be %s or %s: write %s", n.Written, n.Text, n.grouped, way)}
	case n.doubtful == Commas && s.Mark == Points:
		digits = n.grouped
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.Abs(v) > largest {
		return 0, &Error{NotNumber, fmt.Sprintf("%q is too large", usage.Shorten(n.Written, 40))}
	}
	return v, nil
}

// dates matches a date as spreadsheets show it: 7-Jan, 1.Jul, Jan 07, 07/01/2024, 1.7.2024, 2024-07-01 00:00:00.
var dates = func() *regexp.Regexp {
	const (
		month = `(?:jan|feb|mar|m[äa]r|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\pL*\.?`
		gap   = `[-./ ]{0,2}`
		time  = `(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?`
	)
	return regexp.MustCompile(`(?i)^(?:\d{1,2}` + gap + month + `(?:` + gap + `\d{2,4})?|` + month + gap + `\d{1,4}|\d{1,2}([-/.])\d{1,2}[-/.](?:\d{4}|\d{2})|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})` + time + `$`)
}()

// ErrDate returns the error of a cell that is a date instead of a number.
func ErrDate(text string) *Error {
	return &Error{NotNumber, fmt.Sprintf("%q is a date, as Excel makes of what looks like one, such as 7.1: format the cell as a number, and enter the number again", usage.Shorten(text, 40))}
}

// excess matches that of an enantiomer with its configuration: 99 (S), (R)-98.5%, 97 % (2R,3S), 95 (+).
var excess = func() *regexp.Regexp {
	const of = `(?:\((?:\d{0,2}[RS](?:[,/ ]+\d{0,2}[RS])*|[DLdl]|[+−–-])\)|[RS])`
	const number = `[<>~≥≤]?\s*\d+(?:[.,]\d+)?\s*%?\s*(?:ee|e\.e\.)?`
	return regexp.MustCompile(`^(?:` + number + `[\s,;]*` + of + `|` + of + `[\s:,-]*` + number + `)$`)
}()

// Explain says what a text is that is no number.
func Explain(text string) *Error {
	end := strings.LastIndexAny(text, "0123456789") + 1
	rest := whitespace.Trim(text[end:])
	short := usage.Shorten(text, 40)
	switch _, ok := ParseNumber(whitespace.Trim(text[:end])); {
	case dates.MatchString(text):
		return ErrDate(text)
	case excess.MatchString(text):
		return &Error{NotNumber, fmt.Sprintf("%q names an enantiomer, and the two are opposite: give the excess a sign in all rows, such as 99 for one and -99 for the other", short)}
	case strings.HasPrefix(text, "#"):
		return &Error{NotNumber, fmt.Sprintf("%q is an error of Excel", short)}
	case strings.Contains(text, "±") || strings.Contains(text, "+/-") || strings.Contains(text, "+-"):
		return &Error{WithError, fmt.Sprintf("%q is a value with its error: give the error a column of its own", short)}
	case ok && rest != "" && usage.Visible(rest) == rest:
		return &Error{UnknownUnit, fmt.Sprintf("%q has a unit that is not known (%s)", short, usage.Shorten(rest, 20))}
	}
	return &Error{NotNumber, fmt.Sprintf("%q is not a number", short)}
}

var (
	// typographic replaces the minus, spaces and apostrophe of typesetting by those of a keyboard.
	typographic = strings.NewReplacer("\u2212", "-", "\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'")

	// numbers matches the sign, the digits and the exponent of a number. Thousands may be separated by blanks,
	// apostrophes, or by points or commas where the number has two or more of these, or another mark before its
	// decimals.
	numbers = regexp.MustCompile(`^([+-]?)(\d+[.,]?\d*|[.,]\d+|\d{1,3}(?:` +
		`(?:,\d{3})+\.\d*|(?:\.\d{3})+,\d*|(?:,\d{3}){2,}|(?:\.\d{3}){2,}|(?: \d{3})+(?:[.,]\d+)?|(?:'\d{3})+(?:[.,]\d+)?` +
		`))((?:[eE][+-]?\d+)?)$`)

	// twoNumbers matches digits whose mark may be before decimals or separate thousands.
	twoNumbers = regexp.MustCompile(`^[1-9]\d{0,2}[.,]\d{3}$`)

	separators = strings.NewReplacer(" ", "", "'", "", ".", "", ",", "")
)

// ParseNumber is Parse for a number alone.
func ParseNumber(text string) (n Numeral, ok bool) {
	if text == "" || len(text) > 100 || 'A' <= text[0] && text[0] <= 'z' {
		return n, false
	}
	m := numbers.FindStringSubmatch(typographic.Replace(text))
	if m == nil {
		return n, false
	}
	sign, digits, exponent := m[1], m[2], m[3]
	joined := sign + separators.Replace(digits) + exponent
	last := strings.LastIndexAny(digits, ".,")
	if last < 0 {
		return Numeral{Written: text, Text: joined}, true
	}
	mark, other := Points, Commas
	if digits[last] == ',' {
		mark, other = Commas, Points
	}
	if strings.Count(digits, digits[last:last+1]) > 1 { // 1,234,567
		return Numeral{Written: text, Text: joined, mark: other, groups: true}, true
	}
	n = Numeral{Written: text, Text: sign + separators.Replace(digits[:last]) + "." + digits[last+1:] + exponent, mark: mark, groups: strings.ContainsAny(digits[:last], ".,")}
	if twoNumbers.MatchString(digits) && exponent == "" {
		n.grouped, n.doubtful, n.mark = joined, mark, Unknown
	}
	return n, true
}

// IsDigits reports whether a text has digits, and nothing else.
func IsDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
