package numeral

import (
	"html"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// Relation is what stands between a measurement and its number.
type Relation struct {
	Bound int  // 1: the true value is greater; -1: less; 0: it is the number
	About bool // the number is approximate
}

// relations lists signs, longer ones before those that they begin with, and words in lower case. Left-censored is: the
// true value is less.
var relations = []struct {
	Relation
	signs, words string
}{
	{Relation{Bound: 1}, ">= => >> > ≥ ≧ ⩾ ≫",
		"1,greater than,more than,above,over,gt,ge,greater,right,right-censored,right censored,lower bound,greater than or equal to,größer,größer als,groesser,groesser als,supérieur à,supérieur,mayor que,mayor,大于"},
	{Relation{Bound: -1}, "<= =< << < ≤ ≦ ⩽ ≪",
		"-1,less than,below,under,lt,le,less,left,left-censored,left censored,upper bound,less than or equal to,kleiner,kleiner als,inférieur à,inférieur,menor que,menor,小于"},
	{Relation{About: true}, "~= ~ ≈ ∼ ≃ ≅", "about,approx.,approx,approximately,circa,ca.,ca"},
	{Relation{}, "== =", "0,no,eq,equal,equals,equal to,in range,within range,gleich,exact,none,no,uncensored,not censored,observed,interval"},
}

// ParseRelation reads a cell of a column of relations: >, '>' as ChEMBL writes it, right-censored; empty is =. sign
// says that it is no word.
func ParseRelation(cell string) (r Relation, sign, ok bool) {
	text := strings.ToLower(whitespace.Trim(strings.Trim(whitespace.Trim(html.UnescapeString(cell)), `'"()[]`)))
	if IsMissing(text) {
		return Relation{}, false, true
	}
	for _, of := range relations {
		if sign = slices.Contains(strings.Fields(of.signs), text); sign || slices.Contains(strings.Split(of.words, ","), text) {
			return of.Relation, sign, true
		}
	}
	return Relation{}, false, false
}

// IsRelation reports whether a cell holds a relation.
func IsRelation(cell string) bool { _, _, ok := ParseRelation(cell); return ok }

// IsSign reports whether a cell holds the sign of a relation, and nothing else.
func IsSign(cell string) bool { _, sign, _ := ParseRelation(cell); return sign }

// cutRelation removes what stands before the number of a cell: >, about, or = that says nothing.
func cutRelation(text string) (number string, r Relation) {
	if text == "" || '0' <= text[0] && text[0] <= '9' {
		return text, Relation{}
	}
	if text[0] == '&' { // &gt;
		text = html.UnescapeString(text)
	}
	for _, of := range relations {
		for sign := range strings.FieldsSeq(of.signs) {
			if rest, ok := strings.CutPrefix(text, sign); ok {
				return whitespace.Trim(rest), of.Relation
			}
		}
	}
	if text[0] < 'A' {
		return text, Relation{}
	}
	lower := strings.ToLower(text)
	for _, of := range relations {
		for word := range strings.SplitSeq(of.words, ",") {
			if rest, ok := strings.CutPrefix(lower, word); ok && rest != "" && (rest[0] == ' ' || strings.HasSuffix(word, ".")) {
				return whitespace.Trim(text[len(word):]), of.Relation
			}
		}
	}
	return text, Relation{}
}

// IsRelated reports whether a cell begins with a relation, and one that says more than =.
func IsRelated(cell string) bool { _, r := cutRelation(cell); return r != (Relation{}) }

// And joins the relation of a column with that of the cell of the number; ok is false if they contradict each other.
func (r Relation) And(cell Relation) (joined Relation, ok bool) {
	if cell.Bound == 0 {
		cell.Bound = r.Bound
	}
	joined = Relation{cell.Bound, (r.About || cell.About) && cell.Bound == 0}
	return joined, r.Bound*cell.Bound >= 0
}
