package table

import (
	"html"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/whitespace"
)

// relation is what stands between a measurement and its number.
type relation struct {
	bound int  // 1: the true value is greater; -1: less; 0: it is the number
	about bool // the number is approximate
}

// relations lists signs, longer ones before those that they begin with, and words in lower case. Left-censored is: the true value is less.
var relations = []struct {
	relation
	signs, words string
}{
	{relation{bound: 1}, ">= => >> > ≥ ≧ ⩾ ≫",
		"1,greater than,more than,above,over,gt,ge,greater,right,right-censored,right censored,lower bound,greater than or equal to,größer,größer als,groesser,groesser als,supérieur à,supérieur,mayor que,mayor,大于"},
	{relation{bound: -1}, "<= =< << < ≤ ≦ ⩽ ≪",
		"-1,less than,below,under,lt,le,less,left,left-censored,left censored,upper bound,less than or equal to,kleiner,kleiner als,inférieur à,inférieur,menor que,menor,小于"},
	{relation{about: true}, "~= ~ ≈ ∼ ≃ ≅", "about,approx.,approx,approximately,circa,ca.,ca"},
	{relation{}, "== =", "0,no,eq,equal,equals,equal to,in range,within range,gleich,exact,none,no,uncensored,not censored,observed,interval"},
}

// readRelation reads a cell of a column of relations: >, '>' as ChEMBL writes it, right-censored; empty is =. sign says that it is no word.
func readRelation(cell string) (r relation, sign, ok bool) {
	text := strings.ToLower(whitespace.Trim(strings.Trim(whitespace.Trim(html.UnescapeString(cell)), `'"()[]`)))
	if isMissing(text) {
		return relation{}, false, true
	}
	for _, of := range relations {
		if sign = slices.Contains(strings.Fields(of.signs), text); sign || slices.Contains(strings.Split(of.words, ","), text) {
			return of.relation, sign, true
		}
	}
	return relation{}, false, false
}

// isRelation reports whether a cell holds a relation.
func isRelation(cell string) bool { _, _, ok := readRelation(cell); return ok }

// isSign reports whether a cell holds the sign of a relation, and nothing else.
func isSign(cell string) bool { _, sign, _ := readRelation(cell); return sign }

// cutRelation removes what stands before the number of a cell: >, about, or = that says nothing.
func cutRelation(text string) (number string, r relation) {
	if text == "" || '0' <= text[0] && text[0] <= '9' {
		return text, relation{}
	}
	if text[0] == '&' { // &gt;
		text = html.UnescapeString(text)
	}
	for _, of := range relations {
		for sign := range strings.FieldsSeq(of.signs) {
			if rest, ok := strings.CutPrefix(text, sign); ok {
				return whitespace.Trim(rest), of.relation
			}
		}
	}
	if text[0] < 'A' {
		return text, relation{}
	}
	lower := strings.ToLower(text)
	for _, of := range relations {
		for word := range strings.SplitSeq(of.words, ",") {
			if rest, ok := strings.CutPrefix(lower, word); ok && rest != "" && (rest[0] == ' ' || strings.HasSuffix(word, ".")) {
				return whitespace.Trim(text[len(word):]), of.relation
			}
		}
	}
	return text, relation{}
}

// isRelated reports whether a cell begins with a relation, and one that says more than =.
func isRelated(cell string) bool { _, r := cutRelation(cell); return r != (relation{}) }

// and joins the relation of a column with that of the cell of the number; ok is false if they contradict each other.
func (r relation) and(cell relation) (joined relation, ok bool) {
	if cell.bound == 0 {
		cell.bound = r.bound
	}
	joined = relation{cell.bound, (r.about || cell.about) && cell.bound == 0}
	return joined, r.bound*cell.bound >= 0
}
