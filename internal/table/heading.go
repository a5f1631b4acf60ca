package table

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Heading is the name of a column, taken apart.
type Heading struct {
	words []string // in lower case, without the unit and what is in brackets, but for statistics
	base  string   // the words together, by which columns are compared
	unit  unit
	log   string   // "p" of pIC50, "log" of log IC50; empty: the numbers are no logarithms
	aside []string // words in brackets
	about []string // words in brackets that say what the numbers are of, such as JAK2, human or pH 5: no unit, statistic or number of a run

	deviations bool // the errors after ± are standard deviations; see parseWithError
	negated    bool // as -ddG of ddG
}

const longest = 200 // bytes of a name; more are no name that people write

// parseHeading takes the name of a column apart. The unit may be in brackets, after a comma, a slash, a blank, "in" or an underscore,
// or be a % before the name: IC50 (nM), IC50/nM, IC50 in nM, IC50_ug_per_mL, % inhibition.
func parseHeading(text string) Heading {
	text = subscripts.Replace(clean(text))
	if i := strings.Index(text, ".."); i > 0 && strings.HasSuffix(text, ".") && !strings.Contains(text, " ") { // as R writes IC50 (nM)
		text = text[:i] + " (" + strings.Trim(text[i:], ".") + ")"
	}
	if len(text) > longest {
		return Heading{words: splitWords(text[:longest]), base: strings.Join(splitWords(text), "")}
	}
	plain, brackets := cutBrackets(text)
	h := Heading{words: splitWords(plain), aside: splitWords(strings.Join(brackets, " "))}
	for _, content := range slices.Backward(brackets) {
		if h.unit = h.bracketed(content); h.unit.isSet() {
			break
		}
	}
	if !h.unit.isSet() {
		plain = h.trailing(plain)
		h.words = splitWords(plain)
	}
	if len(h.words) == 0 { // the name is a unit, or in brackets
		h.words = splitWords(text)
	} else {
		for _, content := range brackets {
			h.words = append(h.words, statistic(content)...)
		}
	}
	h.base = strings.Join(h.words, "")
	h.negated = negation.MatchString(text)
	for _, content := range brackets {
		h.about = append(h.about, h.subject(content)...)
	}
	h.log = scaleOf(h.words, plain)
	if h.log != "" && h.unit.isSet() {
		h.unit.log, h.unit.name = true, h.log+" "+h.unit.name
	}
	return h
}

// errorNamed matches what the name of a column says of the errors that its cells state: IC50 ± SD (nM), pKi (± SEM).
var errorNamed = regexp.MustCompile(`(?i)\s*[(\[]?\s*(?:±|\+/[-−–])\s*([a-z][a-z. ]*)?[)\]]?`)

// parseWithError takes the name of a column of values with errors apart, as parseHeading does without what it says of these; ok is false if it says nothing
// of them.
func parseWithError(text string) (h Heading, ok bool) {
	m := errorNamed.FindStringSubmatchIndex(text)
	if m == nil || m[0] == 0 {
		return Heading{}, false
	}
	h = parseHeading(text[:m[0]] + " " + clean(text[m[1]:]))
	if m[2] >= 0 {
		words := splitWords(text[m[2]:m[3]])
		h.deviations = slices.Contains(sdWords, strings.Join(words, "")) || len(words) > 0 && slices.Contains(sdWords, words[0]) // stdev of
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
		piece = withoutIn(clean(piece))
		if !h.piece(piece).isSet() && !ofRun.MatchString(piece) {
			words = append(words, telling(splitWords(piece))...)
		}
	}
	return words
}

// telling returns the words that say of what a measurement is: neither that it is a mean, or the second one, nor how many those are of.
func telling(words []string) []string {
	told := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(plainWords, w) })
	if len(told) < len(words) {
		told = slices.DeleteFunc(told, func(w string) bool { return strings.Trim(w, "0123456789") == "" })
	}
	return told
}

// differs reports whether two names that are the same but for what is in brackets are of different things: pIC50 (JAK1) and pIC50 (JAK2), or IC50 (nM) and
// a unit in brackets that is not known. One that says nothing in brackets may be of either.
func (h Heading) differs(other Heading) bool {
	if h.negated != other.negated || h.isLog() != other.isLog() {
		return true
	}
	if len(h.about) == 0 {
		h, other = other, h
	}
	if len(other.about) == 0 { // the unit of that, beside what may be one; or no measurement at all
		return len(h.about) > 0 && other.unit.isSet() && !h.unit.isSet() || share(h.about, modelWords)
	}
	same := slices.Equal(distinct(h.about), distinct(other.about))
	return !same && strings.Join(h.about, "") != strings.Join(other.about, "")
}

// statistic returns the words of a content of brackets that says what of several measurements a column holds: IC50 (SD), pKi (avg), pKi (run 2). Of
// others it returns none.
func statistic(content string) []string {
	words := splitWords(content)
	name := strings.Join(words, "")
	switch letters := strings.TrimRight(name, "0123456789"); {
	case name == "num":
		return []string{"n"} // CDD Vault
	case slices.Contains(slices.Concat(seNames, sdWords, countNames, meanWords), name):
		return []string{name}
	case letters != name && slices.Contains(replicateNames, letters):
		return []string{letters, name[len(letters):]}
	}
	return nil
}

// fold reduces a name to letters and digits, without unit and what is in brackets: "Canonical SMILES (RDKit)" is canonicalsmiles.
func fold(name string) string { return parseHeading(name).base }

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

// beside returns the words in brackets of a name, but for a unit.
func (h Heading) beside(name string) []string {
	_, brackets := cutBrackets(name)
	brackets = slices.DeleteFunc(brackets, func(content string) bool { return h.bracketed(content).isSet() })
	return splitWords(strings.Join(brackets, " "))
}

// splitWords returns the words of a name in lower case.
func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// bracketed reads the unit of a content of brackets: nM, in nM, IC50, nM.
func (h Heading) bracketed(content string) unit {
	for _, piece := range strings.FieldsFunc(content, func(r rune) bool { return r == ',' || r == ';' || r == ':' }) {
		if u := h.piece(withoutIn(clean(piece))); u.isSet() {
			return u
		}
	}
	return unit{}
}

// piece reads a unit of the contents of brackets. A letter is one if the name is of what it measures.
func (h Heading) piece(text string) unit {
	if strings.HasPrefix(text, "%") {
		text = "%"
	}
	if u, ok := h.parse(text); ok && (len(text) > 1 || strings.Contains("MhLgVJ%", text) || h.fits(u)) && !h.contradicts(u) {
		return u
	}
	return unit{}
}

// parse reads a unit. Temperatures need no degree sign where the name says that it is one.
func (h Heading) parse(text string) (unit, bool) {
	if (text == "C" || text == "F") && h.any(heatWords) {
		text = "°" + text
	}
	return parse(text, h.any(lengthWords))
}

// percent matches a name that is of per cent.
var percent = regexp.MustCompile(`(?is)^(?:%(.*)|(.*)%|(?:percent|pct) (.+))$`)

// trailing sets the unit that ends a name, stands before it or in it, and returns the name without.
func (h *Heading) trailing(text string) string {
	for i, r := range text {
		if !strings.ContainsRune(" _-/.,;:|", r) {
			continue
		}
		before := splitWords(text[:i])
		ending := clean(strings.TrimLeft(text[i:], " _-/.,;:|"))
		named := withoutIn(ending) != ending
		ending = withoutIn(strings.ReplaceAll(ending, "_", " "))
		u, ok := h.parse(ending)
		if !ok {
			u, ok = h.parse(strings.ReplaceAll(ending, ".", "/"))
		}
		if ok && len(before) > 0 && !strings.HasPrefix(ending, "1 ") && // 1 µM is a condition
			!isCondition(before) && (named || h.clear(u, text[:i], ending)) && !h.contradicts(u) {
			h.unit = u
			return text[:i]
		}
	}
	if m := percent.FindStringSubmatch(text); m != nil {
		h.unit, _ = parseUnit("%")
		return m[1] + m[2] + m[3]
	}
	return h.inside(text)
}

// inside sets a unit between other words, IC50_nM_mean, or without anything before it, IC50nM.
func (h *Heading) inside(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" _-.,;:|", r) })
	for i, word := range words {
		if i > 0 && slices.Contains([]string{"fM", "pM", "nM", "uM", "µM", "mM"}, word) && !isCondition(splitWords(strings.Join(words[:i], " "))) {
			h.unit, _ = parseUnit(word)
			return strings.Join(slices.Delete(words, i, i+1), " ")
		}
		for at := range word {
			if quantity, _ := endpoint(strings.ToLower(word[:at])); quantity == "" {
				continue
			}
			if u, ok := parseUnit(word[at:]); ok && u.perVolume() {
				h.unit = u
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
			return clean(rest)
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

// clear reports whether the ending of a name is certainly a unit: it is no word that may be part of a name, such as min, unit or cal, and no
// abbreviation in capitals, such as ML or MM, behind words in lower case.
func (h Heading) clear(u unit, before, ending string) bool {
	quantity, _ := endpoint(strings.ToLower(ending))
	exact, _ := spellings()
	_, spelled := exact[ending]
	capitals := len(ending) > 1 && strings.Trim(ending, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && before != strings.ToUpper(before)
	switch {
	case capitals && !spelled && !h.fits(u):
		return false
	case quantity != "" && !h.any(lengthWords): // kcat/Km
		return false
	case strings.ContainsAny(ending, "/%°") || strings.Contains(ending, " "):
		return true
	case slices.Contains([]string{"unit", "units", "cell", "cells", "fraction", "frac", "bar", "cal", "ha", "au", "od"}, strings.ToLower(ending)):
		return false
	case len([]rune(ending)) == 1, u.dimension == dimension{second: 1}, u.dimension == dimension{kelvin: 1}:
		return h.fits(u)
	}
	return strings.Trim(ending, "0123456789") == ending || strings.ContainsAny(ending, "^-")
}

// fits reports whether the name says that it is of what the unit measures.
func (h Heading) fits(u unit) bool {
	switch u.dimension {
	case dimension{second: 1}:
		return h.any(timeWords)
	case dimension{kelvin: 1}:
		return h.any(heatWords)
	}
	return u.dimension == molar.dimension && h.concentration()
}

// contradicts reports whether the unit cannot be that of the name: IC50 (min) is the least of several.
func (h Heading) contradicts(u unit) bool {
	return h.concentration() && (u.dimension == dimension{second: 1} || u.dimension == dimension{kelvin: 1} || u.dimension == dimension{metre: 1})
}

func (h Heading) concentration() bool {
	return h.endpoint() || h.any([]string{"conc", "concentration", "solubility"})
}

// endpoint reports whether a word of the name is a quantity of a dose-response curve, and no part of kcat/Km.
func (h Heading) endpoint() bool {
	return !h.any([]string{"kcat"}) && slices.ContainsFunc(h.words, func(w string) bool { quantity, _ := endpoint(w); return quantity != "" })
}

// any reports whether the name has one of some words.
func (h Heading) any(words []string) bool { return share(h.words, words) }

// share reports whether two lists have a word in common.
func share(some, others []string) bool {
	return slices.ContainsFunc(some, func(w string) bool { return slices.Contains(others, w) })
}

// isLog reports whether the name says that its numbers are logarithms, in brackets, too: SE (log units).
func (h Heading) isLog() bool { return h.log != "" || scaleOf(h.aside, "") != "" }

// scaleOf returns "p" or "log" of a name that says that its numbers are logarithms.
func scaleOf(words []string, text string) string {
	if strings.HasPrefix(strings.ToLower(text), "-log") {
		return "p"
	}
	for _, word := range words {
		if _, scale := endpoint(word); scale != "" {
			return scale
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
