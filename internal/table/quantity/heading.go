package quantity

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// Heading is the name of a column, taken apart.
type Heading struct {
	Words []string // in lower case, without the unit and what is in brackets, but for statistics
	Base  string   // the words together, by which columns are compared
	Unit  Unit     // of the numbers; not set if the name states none
	Log   string   // "p" of pIC50, "log" of log IC50; empty: the numbers are no logarithms
	Aside []string // words in brackets
	About []string // words in brackets that say what the numbers are of, such as JAK2, human or pH 5: no unit, statistic or number of a run

	Relative   bool // Unit is Ratio as the numbers are called relative, which may be meant in per cent
	Deviations bool // the errors after ± are standard deviations; only ParseWithError sets it
	negated    bool // as -ddG of ddG
}

const longest = 200 // bytes of a name; more are no name that people write

// ParseHeading takes the name of a column apart. The unit may be in brackets, after a comma, a slash, a blank, "in" or
// an underscore, or be a % before the name: IC50 (nM), IC50/nM, IC50 in nM, IC50_ug_per_mL, % inhibition.
func ParseHeading(text string) Heading {
	text = subscripts.Replace(whitespace.Trim(text))
	if i := strings.Index(text, ".."); i > 0 && strings.HasSuffix(text, ".") && !strings.Contains(text, " ") { // as R writes IC50 (nM)
		text = text[:i] + " (" + strings.Trim(text[i:], ".") + ")"
	}
	if len(text) > longest {
		return Heading{Words: Words(text[:longest]), Base: strings.Join(Words(text), "")}
	}
	plain, brackets := cutBrackets(text)
	h := Heading{Words: Words(plain), Aside: Words(strings.Join(brackets, " "))}
	for _, content := range slices.Backward(brackets) {
		if h.Unit = h.bracketed(content); h.Unit.IsSet() {
			h.Relative = h.Unit.name == Ratio.name && !overlap(Words(content), []string{"fold", "x", "times"})
			break
		}
	}
	if !h.Unit.IsSet() {
		plain = h.trailing(plain)
		h.Words = Words(plain)
	}
	if len(h.Words) == 0 { // the name is a unit, or in brackets
		h.Words = Words(text)
	} else {
		for _, content := range brackets {
			h.Words = append(h.Words, statistic(content)...)
		}
	}
	h.Base = strings.Join(h.Words, "")
	h.negated = negation.MatchString(text)
	for _, content := range brackets {
		h.About = append(h.About, h.subject(content)...)
	}
	h.Log = logOf(h.Words, plain)
	if h.Log != "" && h.Unit.IsSet() {
		h.Unit.log, h.Unit.name = true, h.Log+" "+h.Unit.name
	}
	return h
}

// errorNamed matches what the name of a column says of the errors that its cells state: IC50 ± SD (nM), pKi (± SEM).
var errorNamed = regexp.MustCompile(`(?i)\s*[(\[]?\s*(?:±|\+/[-−–])\s*([a-z][a-z. ]*)?[)\]]?`)

// ParseWithError takes the name of a column apart that says something of errors beside the values, as IC50 ± SD (nM)
// does; ok is false if it says nothing of them.
func ParseWithError(text string) (h Heading, ok bool) {
	m := errorNamed.FindStringSubmatchIndex(text)
	if m == nil || m[0] == 0 {
		return Heading{}, false
	}
	h = ParseHeading(text[:m[0]] + " " + whitespace.Trim(text[m[1]:]))
	if m[2] >= 0 {
		words := Words(text[m[2]:m[3]])
		h.Deviations = slices.Contains(Deviations, strings.Join(words, "")) || len(words) > 0 && slices.Contains(Deviations, words[0]) // stdev of
	}
	return h, true
}

// subscripts writes IC₅₀ as IC50, and the Greek µ as the sign.
var subscripts = strings.NewReplacer("₀", "0", "₁", "1", "₂", "2", "₃", "3", "₄", "4", "₅", "5", "₆", "6", "₇", "7", "₈", "8", "₉", "9", "μ", "µ")

// negation matches the name of what is the negative of something else, and no logarithm.
var negation = regexp.MustCompile(`(?i)^[-−–]\s*(?:[a-z]|Δ)`)

// ofRun matches a content of brackets that says which measurement, and not of what: run 2, n = 3, 2026-11-30.
var ofRun = regexp.MustCompile(`(?i)^(?:(?:run|batch|week|plate|exp|expt|experiment|round|set|rep|replicate|repeat|trial|test|lot|n|date)?[ .=#_-]*\d+|[\d./-]{6,10}|(?:\d+[ .-]?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ .-]?\d*[ .-]?\d*)$`)

// subject returns the words of a content of brackets that say what the numbers are of.
func (h Heading) subject(content string) (words []string) {
	for _, piece := range strings.FieldsFunc(content, func(r rune) bool { return r == ',' || r == ';' || r == ':' }) {
		piece = withoutIn(whitespace.Trim(piece))
		if !h.piece(piece).IsSet() && !ofRun.MatchString(piece) {
			words = append(words, telling(Words(piece))...)
		}
	}
	return words
}

// telling returns the words that say of what a measurement is: neither that it is a mean, or the second one, nor how
// many those are of.
func telling(words []string) []string {
	told := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(plainWords, w) })
	if len(told) < len(words) {
		told = slices.DeleteFunc(told, func(w string) bool { return strings.Trim(w, "0123456789") == "" })
	}
	return told
}

// Differs reports whether two names that are the same but for what is in brackets are of different things: pIC50 (JAK1)
// and pIC50 (JAK2), or IC50 (nM) and a unit in brackets that is not known. One that says nothing in brackets may be of
// either.
func (h Heading) Differs(other Heading) bool {
	if h.negated != other.negated || h.IsLog() != other.IsLog() {
		return true
	}
	if len(h.About) == 0 {
		h, other = other, h
	}
	if len(other.About) == 0 { // the unit of that, beside what may be one; or no measurement at all
		return len(h.About) > 0 && other.Unit.IsSet() && !h.Unit.IsSet() || overlap(h.About, modelWords)
	}
	same := slices.Equal(sortedSet(h.About), sortedSet(other.About))
	return !same && strings.Join(h.About, "") != strings.Join(other.About, "")
}

// statistic returns the words of a content of brackets that says what of several measurements a column holds: IC50
// (SD), pKi (avg), pKi (run 2). Of others it returns none.
func statistic(content string) []string {
	words := Words(content)
	name := strings.Join(words, "")
	switch letters := strings.TrimRight(name, "0123456789"); {
	case name == "num":
		return []string{"n"} // CDD Vault
	case slices.Contains(slices.Concat(StandardErrors, Deviations, Counts, Means), name):
		return []string{name}
	case letters != name && slices.Contains(Replicates, letters):
		return []string{letters, name[len(letters):]}
	}
	return nil
}

// Fold reduces a name to letters and digits, without unit and what is in brackets: "Canonical SMILES (RDKit)" is
// canonicalsmiles.
func Fold(name string) string { return ParseHeading(name).Base }

// cutBrackets splits a name into what is outside and inside of brackets. One that begins with a bracket has none there.
func cutBrackets(text string) (plain string, brackets []string) {
	var outside strings.Builder
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case i > 0 && strings.ContainsRune("([{", r):
			if depth++; depth == 1 {
				from = i + 1
				outside.WriteByte(' ')
			}
		case depth > 0 && strings.ContainsRune(")]}", r):
			if depth--; depth == 0 {
				brackets = append(brackets, text[from:i])
			}
		case depth == 0:
			outside.WriteRune(r)
		}
	}
	if depth > 0 {
		brackets = append(brackets, text[from:])
	}
	return outside.String(), brackets
}

// AllWords returns the words of h, and those in brackets of its name, but for a unit.
func (h Heading) AllWords(name string) []string {
	_, brackets := cutBrackets(name)
	brackets = slices.DeleteFunc(brackets, func(content string) bool { return h.bracketed(content).IsSet() })
	return slices.Concat(h.Words, Words(strings.Join(brackets, " ")))
}

// Words returns the words of a name in lower case.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// bracketed reads the unit of a content of brackets: nM, in nM, IC50, nM.
func (h Heading) bracketed(content string) Unit {
	for _, piece := range strings.FieldsFunc(content, func(r rune) bool { return r == ',' || r == ';' || r == ':' }) {
		if u := h.piece(withoutIn(whitespace.Trim(piece))); u.IsSet() {
			return u
		}
	}
	return Unit{}
}

// piece reads a unit of the contents of brackets. A letter is one if the name is of what it measures.
func (h Heading) piece(text string) Unit {
	if strings.HasPrefix(text, "%") || percentOf.MatchString(text) {
		text = "%"
	}
	if foldOf.MatchString(text) {
		return Ratio
	}
	if u, ok := h.parse(text); ok && (len(text) > 1 || strings.Contains("MhLgVJ%", text) || h.fits(u)) && !h.contradicts(u) {
		return u
	}
	return Unit{}
}

// parse reads a unit. Temperatures need no degree sign where the name says that it is one.
func (h Heading) parse(text string) (Unit, bool) {
	if (text == "C" || text == "F") && h.HasAny(heatWords) {
		text = "°" + text
	}
	return parseUnit(text, h.IsOfLength())
}

// IsOfLength reports whether the numbers are lengths, such as wavelengths, so that nm is no concentration.
func (h Heading) IsOfLength() bool {
	lambda := slices.ContainsFunc(h.Words, func(w string) bool { return strings.HasPrefix(w, "λ") })
	return (lambda || h.HasAny(lengthWords)) && !h.HasEndpoint()
}

// percent matches a name that is of per cent.
var percent = regexp.MustCompile(`(?is)^(?:%(.*)|(.*)%|(?:percent|pct) (.+))$`)

const ofReference = `(?:wt|wild[ -]?type|parent|parental|native|control|ctrl|reference|ref)`

var (
	// foldOf matches what says that numbers are ratios to that of another string: fold, fold change, x WT, relative to
	// WT, ratio, WT = 1.
	foldOf = regexp.MustCompile(`(?i)^(?:(?:fold|ratio|relative)(?:[ -](?:change|increase|improvement))?|` +
		`(?:fold|x|×|times|ratio|fraction|rel\.?|relative|normali[sz]ed|norm\.?|vs\.?|versus|over|compared)(?:[ -](?:change|increase|improvement|of|to|over|vs\.?|versus|relative|the))*[ -]` + ofReference + `|` +
		ofReference + ` ?= ?1(?:[.,]0+)?)$`)

	// percentOf matches what says that they are in per cent of it.
	percentOf = regexp.MustCompile(`(?i)^(?:percent|pct|per cent) (?:of |vs\.? )?` + ofReference + `$|^` + ofReference + ` ?= ?100 ?%?$`)

	// ofAnother matches the end of a name that says either without brackets.
	ofAnother = regexp.MustCompile(`(?i)^(.+?)[ _-]+(?:in[ _-])?(fold|x|%|percent|pct)[ _-](?:change[ _-])?(?:(?:of|to|over|vs|relative to)[ _-])?` + ofReference + `$`)
)

// trailing sets the unit that ends a name, stands before it or in it, and returns the name without.
func (h *Heading) trailing(text string) string {
	for i, r := range text {
		if !strings.ContainsRune(" _-/.,;:|", r) {
			continue
		}
		before := Words(text[:i])
		ending := whitespace.Trim(strings.TrimLeft(text[i:], " _-/.,;:|"))
		named := withoutIn(ending) != ending
		ending = withoutIn(strings.ReplaceAll(ending, "_", " "))
		u, ok := h.parse(ending)
		if !ok {
			u, ok = h.parse(strings.ReplaceAll(ending, ".", "/"))
		}
		if ok && len(before) > 0 && !strings.HasPrefix(ending, "1 ") && // 1 µM is a condition
			!isCondition(before) && (named || h.clear(u, text[:i], ending)) && !h.contradicts(u) {
			h.Unit = u
			return text[:i]
		}
	}
	if m := ofAnother.FindStringSubmatch(text); m != nil {
		if h.Unit = Percent; strings.EqualFold(m[2], "fold") || strings.EqualFold(m[2], "x") {
			h.Unit = Ratio
		}
		return m[1]
	}
	if m := percent.FindStringSubmatch(text); m != nil {
		h.Unit, _ = ParseUnit("%")
		return m[1] + m[2] + m[3]
	}
	return h.inside(text)
}

// inside sets a unit between other words, IC50_nM_mean, or without anything before it, IC50nM.
func (h *Heading) inside(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" _-.,;:|", r) })
	for i, word := range words {
		if i > 0 && slices.Contains([]string{"fM", "pM", "nM", "uM", "µM", "mM"}, word) && !isCondition(Words(strings.Join(words[:i], " "))) {
			h.Unit, _ = ParseUnit(word)
			return strings.Join(slices.Delete(words, i, i+1), " ")
		}
		for at := range word {
			if endpoint, _ := Endpoint(strings.ToLower(word[:at])); endpoint == "" {
				continue
			}
			if u, ok := ParseUnit(word[at:]); ok && u.PerVolume() {
				h.Unit = u
				words[i] = word[:at]
				return strings.Join(words, " ")
			}
		}
	}
	return text
}

// withoutIn removes a preposition before a unit.
func withoutIn(text string) string {
	for _, word := range []string{"in ", "In ", "IN ", "as "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			return whitespace.Trim(rest)
		}
	}
	return text
}

// isCondition reports whether a unit after these words is that of a condition, as in "inhibition at 10 µM".
func isCondition(words []string) bool {
	if len(words) == 0 { // a mark alone, as in "# nM"
		return false
	}
	last := words[len(words)-1]
	return last == "at" || strings.Trim(last, "0123456789") == ""
}

// clear reports whether the ending of a name is certainly a unit: it is no word that may be part of a name, such as
// min, unit or cal, and no abbreviation in capitals, such as ML or MM, behind words in lower case.
func (h Heading) clear(u Unit, before, ending string) bool {
	endpoint, _ := Endpoint(strings.ToLower(ending))
	exact, _ := spellings()
	_, spelled := exact[ending]
	capitals := len(ending) > 1 && strings.Trim(ending, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && before != strings.ToUpper(before)
	switch {
	case capitals && !spelled && !h.fits(u):
		return false
	case endpoint != "" && !h.HasAny(lengthWords): // kcat/Km
		return false
	case strings.ContainsAny(ending, "/%°") || strings.Contains(ending, " "):
		return true
	case slices.Contains([]string{"unit", "units", "cell", "cells", "fraction", "frac", "fold", "bar", "cal", "ha", "au", "od"}, strings.ToLower(ending)):
		return false
	case len([]rune(ending)) == 1, u.dimension == dimension{second: 1}, u.dimension == dimension{kelvin: 1}:
		return h.fits(u)
	}
	return strings.Trim(ending, "0123456789") == ending || strings.ContainsAny(ending, "^-")
}

// fits reports whether the name says that it is of what the unit measures.
func (h Heading) fits(u Unit) bool {
	switch u.dimension {
	case dimension{second: 1}:
		return h.HasAny(timeWords)
	case dimension{kelvin: 1}:
		return h.HasAny(heatWords)
	}
	return u.dimension == Molar.dimension && h.IsConcentration()
}

// contradicts reports whether the unit cannot be that of the name: IC50 (min) is the least of several.
func (h Heading) contradicts(u Unit) bool {
	return h.IsConcentration() && (u.dimension == dimension{second: 1} || u.dimension == dimension{kelvin: 1} || u.dimension == dimension{metre: 1})
}

// IsConcentration reports whether the name is of a concentration.
func (h Heading) IsConcentration() bool {
	return h.HasEndpoint() || h.HasAny([]string{"conc", "concentration", "solubility"})
}

// HasEndpoint reports whether a word of the name is a quantity of a dose-response curve, and no part of kcat/Km.
func (h Heading) HasEndpoint() bool {
	return !h.HasAny([]string{"kcat"}) && slices.ContainsFunc(h.Words, func(w string) bool { endpoint, _ := Endpoint(w); return endpoint != "" })
}

// HasAny reports whether the name has one of some words.
func (h Heading) HasAny(words []string) bool { return overlap(h.Words, words) }

// overlap reports whether two lists have a word in common.
func overlap(some, others []string) bool {
	return slices.ContainsFunc(some, func(w string) bool { return slices.Contains(others, w) })
}

// IsLog reports whether the name says that its numbers are logarithms, in brackets, too: SE (log units).
func (h Heading) IsLog() bool { return h.Log != "" || logOf(h.Aside, "") != "" }

// logOf returns "p" or "log" of a name that says that its numbers are logarithms.
func logOf(words []string, text string) string {
	if strings.HasPrefix(strings.ToLower(text), "-log") {
		return "p"
	}
	for _, word := range words {
		if _, log := Endpoint(word); log != "" {
			return log
		}
		switch word {
		case "pchembl", "pchemblvalue":
			return "p"
		case "log", "log2", "log10", "lg", "ln", "logs", "logd", "logp", "logk":
			return "log"
		}
	}
	return ""
}

// LogBase returns the base of the logarithms that a name is of: "2", "e" or "10", which a bare log is taken for; empty
// if it is of none.
func (h Heading) LogBase() string {
	switch {
	case !h.IsLog():
		return ""
	case h.HasAny([]string{"log2"}) || slices.Contains(h.Aside, "log2"):
		return "2"
	case h.HasAny([]string{"ln"}) || slices.Contains(h.Aside, "ln"):
		return "e"
	}
	return "10"
}

// WithoutLog returns the words of a name but those that say that its numbers are logarithms.
func (h Heading) WithoutLog() []string {
	return slices.DeleteFunc(slices.Clone(h.Words), func(w string) bool { return slices.Contains([]string{"log", "log2", "log10", "lg", "ln"}, w) })
}

// Numbers returns the numbers in a name that begin a word: 1 and 50 of 1 h at 50 °C, and none of IC50.
func Numbers(name string) []string { return digits.FindAllString(name, -1) }

var digits = regexp.MustCompile(`\b\d+`)

// sortedSet returns the different words of some, in order.
func sortedSet(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }
