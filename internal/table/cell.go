package table

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
)

// measurement is what a cell of numbers, or a row, says of an outcome.
type measurement struct {
	state    State         // Measured, Missing, Failed or Invalid; of a row also SetAside
	reason   Reason        // of the states but Measured
	number   float64       // NaN unless Measured
	relation               // of the number
	unit     quantity.Unit // that the cell states after the number or, of a row, that it was converted from

	se        float64
	spread    bool   // se is stated in the cell, after ±
	deviation bool   // a standard deviation that is stated so is not used
	onScale   bool   // se is that of the logarithm that the score is
	ranged    bool   // the number is the geometric mean of a range
	text      string // the number as it is written, with its relation
	bare      bool   // neither its cell nor its row states a unit
	taken     bool   // it is a bound that is taken for the score
	column    int    // index of its outcome
}

// no returns a measurement without a score.
func no(state State, reason Reason) measurement {
	return measurement{state: state, reason: reason, number: math.NaN()}
}

// style is how the numbers of a column are written.
type style struct {
	mark    decimalMark
	grouped bool // points separate thousands, as a number such as 1.234,5 tells
	typed   bool // the cell is stored as a number, as Excel does, or may be: points are before decimals
}

// decimalMark is what a column's numbers have before their decimals.
type decimalMark int

const (
	unknown decimalMark = iota
	points
	commas
	both
)

// readCell reads a cell of a column of numbers, such as 5.3, >4.5, about 3 or 12 nM.
func readCell(text string, s style) measurement {
	text = whitespace.Trim(text)
	if isMissing(text) {
		return no(Missing, Reason{Code: NoValue})
	}
	if reason, ok := failure(text); ok {
		return no(Failed, Reason{MeasurementFailed, cmp.Or(reason, "failed")})
	}
	n, ok := splitCell(text)
	if !ok && isFormula(text) {
		return no(Invalid, formulaReason(text))
	}
	if !ok {
		return no(Invalid, notNumber(n.written))
	}
	number, reason := n.value(s)
	if reason.Code != "" {
		return no(Invalid, reason)
	}
	m := measurement{state: Measured, number: number, relation: n.relation, unit: n.unit}
	if n.spread != nil {
		if m.se, reason = n.spread.value(s); reason.Code != "" {
			return no(Invalid, reason)
		}
		m.spread = true
	}
	return m
}

// ReadValue reads a text as the only cell of a column of scores without a unit: a number, a bound, or "failed: reason". Of another text State
// is neither Measured nor Failed.
func ReadValue(text string) Record {
	m := readCell(text, style{})
	if m.state == Measured && (m.unit != (quantity.Unit{}) || m.spread) {
		m = no(Invalid, Reason{Code: NotNumber})
	}
	return Record{State: m.state, Reason: m.reason, Score: m.number, Bound: m.bound}
}

// splitCell takes a cell apart: a number with what stands before and after it, such as >12 nM, 45%, 3.1 µg/mL or 5.3 ± 0.2. ok is false if
// it is no number.
func splitCell(text string) (n numeral, ok bool) {
	whole := enDash.ReplaceAllString(whitespace.Trim(text), "$1-$2")
	text, r := cutRelation(asNumber(whole))
	n, ok = analyze(text)
	if !ok {
		bare, _ := cutRelation(whole)
		if value, spread, both := splitError(bare); both {
			n, ok = valueWithError(value, spread)
		}
	}
	if !ok && text != "" && typographic.Replace(text)[0] <= '9' && len(text) <= 60 {
		for i := len(text) - 1; i > 0 && !ok; i-- {
			if !isDigits(text[i-1:i]) || isDigits(text[i:i+1]) {
				continue
			}
			if n, ok = analyze(whitespace.Trim(text[:i])); ok {
				n.unit, ok = quantity.ParseUnit(text[i:])
			}
		}
	}
	if !ok {
		n = numeral{written: text}
		if !strings.ContainsAny(text, "0123456789") {
			n.written = whole // no expression
		}
	}
	n.relation = r
	return n, ok
}

// enDash matches one that stands for a minus, as text processors write it: at the beginning, or after a relation.
var enDash = regexp.MustCompile(`^([<>=≤≥~\s]*)–([\d.])`)

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
	if text == "" || isDigits(text) {
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

// isScore reports whether a cell is a number, perhaps with a relation.
func isScore(text string) bool {
	number, _ := cutRelation(whitespace.Trim(text))
	_, ok := analyze(number)
	return ok
}

// isValue reports whether a cell is a number, perhaps with a relation or a unit.
func isValue(text string) bool { _, ok := splitCell(text); return ok }

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
	return slices.Contains([]string{"nan", "inf", "infinity"}, strings.ToLower(strings.TrimLeft(text, "+-")))
}

var failed = regexp.MustCompile(`(?is)^(?:failed|failure|fail)(?:[:;,.\-( ]+(.*))?$`)

// failure returns the reason of a measurement that failed: "failed: reason".
func failure(text string) (reason string, ok bool) {
	if m := failed.FindStringSubmatch(text); m != nil {
		return strings.TrimSuffix(m[1], ")"), true
	}
	return "", false
}

// numeral is a number as it is written.
type numeral struct {
	written  string      // without what stands before and after it
	text     string      // with a point before decimals and nothing between thousands
	grouped  string      // where the mark may also separate thousands: the number if it does
	groups   bool        // it has marks that certainly separate thousands
	mark     decimalMark // points or commas where one is certainly before decimals; unknown otherwise
	doubtful decimalMark // the mark that may be before decimals or separate thousands; unknown if none may

	relation               // of a cell
	unit     quantity.Unit // of a cell
	spread   *numeral      // the error after ±; nil if there is none
}

// largest bounds scores as oracle.Largest does in a search.
const largest = 1e100

// value returns the number. The style decides what 1,234 is. A Reason with a Code says why it is none.
func (n numeral) value(s style) (float64, Reason) {
	digits := n.text
	switch {
	case n.doubtful == points && s.mark == commas && s.grouped && !s.typed:
		digits = n.grouped
	case n.doubtful == points && (s.mark == commas || s.mark == both) && !s.typed, n.doubtful == commas && (s.mark == unknown || s.mark == both):
		way := "it in one of these ways"
		if s.mark == commas { // as the others are
			way = fmt.Sprintf("%s or %s", strings.Replace(n.text, ".", ",", 1), n.grouped)
		}
		if s.mark == both && n.doubtful == points && strings.HasSuffix(n.text, "0") {
			way = fmt.Sprintf("%s or %s", strings.TrimSuffix(strings.TrimRight(n.text, "0"), "."), n.grouped)
		}
		return 0, Reason{TwoNumbers, fmt.Sprintf("%q may be %s or %s: write %s", n.written, n.text, n.grouped, way)}
	case n.doubtful == commas && s.mark == points:
		digits = n.grouped
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.Abs(v) > largest {
		return 0, Reason{NotNumber, fmt.Sprintf("%q is too large", usage.Shorten(n.written, 40))}
	}
	return v, Reason{}
}

// notNumber says what a text is that is no number.
func notNumber(text string) Reason {
	end := strings.LastIndexAny(text, "0123456789") + 1
	rest := whitespace.Trim(text[end:])
	short := usage.Shorten(text, 40)
	switch _, ok := analyze(whitespace.Trim(text[:end])); {
	case strings.HasPrefix(text, "#"):
		return Reason{NotNumber, fmt.Sprintf("%q is an error of Excel", short)}
	case strings.Contains(text, "±") || strings.Contains(text, "+/-") || strings.Contains(text, "+-"):
		return Reason{WithError, fmt.Sprintf("%q is a value with its error: give the error a column of its own", short)}
	case ok && rest != "" && usage.Visible(rest) == rest:
		return Reason{UnknownUnit, fmt.Sprintf("%q has a unit that is not known (%s)", short, usage.Shorten(rest, 20))}
	}
	return Reason{NotNumber, fmt.Sprintf("%q is not a number", short)}
}

var (
	// typographic replaces the minus, spaces and apostrophe of typesetting by those of a keyboard.
	typographic = strings.NewReplacer("\u2212", "-", "\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'")

	// numbers matches the sign, the digits and the exponent of a number. Thousands may be separated by blanks, apostrophes, or by points or commas
	// where the number has two or more of these, or another mark before its decimals.
	numbers = regexp.MustCompile(`^([+-]?)(\d+[.,]?\d*|[.,]\d+|\d{1,3}(?:` +
		`(?:,\d{3})+\.\d*|(?:\.\d{3})+,\d*|(?:,\d{3}){2,}|(?:\.\d{3}){2,}|(?: \d{3})+(?:[.,]\d+)?|(?:'\d{3})+(?:[.,]\d+)?` +
		`))((?:[eE][+-]?\d+)?)$`)

	// twoNumbers matches digits whose mark may be before decimals or separate thousands.
	twoNumbers = regexp.MustCompile(`^[1-9]\d{0,2}[.,]\d{3}$`)

	separators = strings.NewReplacer(" ", "", "'", "", ".", "", ",", "")
)

// analyze takes a number apart; false if it is none.
func analyze(text string) (n numeral, ok bool) {
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
		return numeral{written: text, text: joined}, true
	}
	mark, other := points, commas
	if digits[last] == ',' {
		mark, other = commas, points
	}
	if strings.Count(digits, digits[last:last+1]) > 1 { // 1,234,567
		return numeral{written: text, text: joined, mark: other, groups: true}, true
	}
	n = numeral{written: text, text: sign + separators.Replace(digits[:last]) + "." + digits[last+1:] + exponent, mark: mark, groups: strings.ContainsAny(digits[:last], ".,")}
	if twoNumbers.MatchString(digits) && exponent == "" {
		n.grouped, n.doubtful, n.mark = joined, mark, unknown
	}
	return n, true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// decimalComma matches a number with digits behind a comma, unlike a name such as "1,".
var decimalComma = regexp.MustCompile(`\d,\d`)

// style finds out from all cells of columns how their numbers are written: as most of those that leave no doubt. Where none tells,
// commas in a file with semicolons are before decimals. In a workbook the text tells how text is written, and if it does not, the numbers.
func (g *grid) style(columns ...int) style { return g.styleBy(splitCell, columns...) }

// styleBy is style of cells that a function reads numbers of.
func (g *grid) styleBy(read func(cell string) (numeral, bool), columns ...int) style {
	isText := func(r rawfile.Row, i int) bool { return !field(r.Numbers, i) }
	s := g.styleOf(read, isText, columns)
	if s.mark == unknown && g.format.Separator != "comma" && g.doubtful(read, isText, columns) { // 2.500 beside a column with 12,5
		numbers := g.where(func(i int) bool { return g.share(i, isValue) > 0.5 && g.share(i, decimalComma.MatchString) > 0 })
		if others := g.styleOf(splitCell, isText, numbers); others.mark == commas {
			s.mark, s.grouped = commas, others.grouped
		}
	}
	if s.mark == unknown && g.format.Kind == excelKind {
		return g.styleOf(read, func(rawfile.Row, int) bool { return true }, columns)
	}
	return s
}

// of returns the style of a cell among columns of a style.
func (s style) of(r rawfile.Row, column int) style {
	s.typed = field(r.Numbers, column)
	return s
}

// doubtful reports whether the point of a number of columns may separate thousands.
func (g *grid) doubtful(read func(cell string) (numeral, bool), counts func(r rawfile.Row, column int) bool, columns []int) bool {
	for r := range g.dataRows() {
		for _, c := range columns {
			if n, ok := read(field(r.Cells, c)); ok && n.doubtful == points && counts(r, c) {
				return true
			}
		}
	}
	return false
}

// styleOf finds out how the numbers of those cells of columns are written that count.
func (g *grid) styleOf(read func(cell string) (numeral, bool), counts func(r rawfile.Row, column int) bool, columns []int) style {
	return g.format.style(func(yield func(numeral) bool) {
		for r := range g.dataRows() {
			for _, c := range columns {
				n, ok := read(field(r.Cells, c))
				if ok && counts(r, c) && !(yield(n) && (n.spread == nil || yield(*n.spread))) {
					return
				}
			}
		}
	})
}

// style finds out how numbers in a table of the format are written.
func (f Format) style(all iter.Seq[numeral]) style {
	const most = 3 // times as many as of the other mark
	const enough = 3
	var found [both]int
	plain, doubtful, pointed, round := 0, 0, 0, 0
	thousands := true // no number without a comma has four digits before its decimals
	grouped := false
	for n := range all {
		found[n.mark]++
		grouped = grouped || n.mark == commas && n.groups
		switch {
		case n.doubtful == commas:
			doubtful++
		case n.doubtful == points:
			pointed++
			if strings.HasSuffix(n.text, "0") {
				round++
			}
		case n.doubtful == unknown && n.mark == unknown && isDigits(n.text):
			plain++
			thousands = thousands && len(n.text) <= 3
		}
	}
	s := style{typed: f.Kind == excelKind, grouped: grouped && found[points] == 0}
	switch {
	case found[commas] > most*found[points], doubtful > 0 && found[points] == 0 && f.Separator == "semicolon":
		s.mark = commas
	case found[points] == 0 && found[commas] == 0 && thousands && min(doubtful, plain) >= enough: // 24, 326 and 3,969
		s.mark = points
	case found[points] == 0 && found[commas] == 0 && pointed > 0 && plain > 0 && f.Separator == "semicolon": // 800 and 1.200 where commas are decimal
		s.mark = commas
	case found[points] == 0 && found[commas] == 0 && round == pointed && round >= enough && f.Separator == "semicolon": // 12.500 and 1.750
		s.mark = both
	case found[points] > most*found[commas]:
		s.mark = points
	case found[points] > 0:
		s.mark = both
	}
	return s
}

// CarriedNumbers returns the numbers of one of the columns Carried, of each row, as they are written there; NaN where there is no exact one.
func (t *Table) CarriedNumbers(column int) []float64 {
	numerals := make([]numeral, len(t.Records))
	for i, r := range t.Records {
		if n, ok := splitCell(r.Carried[column]); ok && n.relation == (relation{}) {
			numerals[i] = n
		}
	}
	s := t.Format.style(func(yield func(numeral) bool) {
		for _, n := range numerals {
			if n.text != "" && !yield(n) {
				return
			}
		}
	})
	numbers := make([]float64, len(numerals))
	for i, n := range numerals {
		v, reason := n.value(s)
		if numbers[i] = v; n.text == "" || reason.Code != "" {
			numbers[i] = math.NaN()
		}
	}
	return numbers
}
