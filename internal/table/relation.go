package table

import (
	"slices"
	"strings"
)

// relation is what stands between a measurement and its number.
type relation struct {
	bound int  // 1: the true value is greater; -1: less; 0: it is the number
	about bool // the number is approximate
}

type sign struct {
	text string
	relation
}

// signs lists the signs of relations, longer ones before those that they begin with.
var signs = []sign{
	{">=", relation{bound: 1}}, {"=>", relation{bound: 1}}, {">>", relation{bound: 1}}, {"<=", relation{bound: -1}}, {"=<", relation{bound: -1}},
	{"<<", relation{bound: -1}}, {"~=", relation{about: true}}, {"==", relation{}}, {">", relation{bound: 1}}, {"<", relation{bound: -1}},
	{"≥", relation{bound: 1}}, {"≧", relation{bound: 1}}, {"⩾", relation{bound: 1}}, {"≫", relation{bound: 1}}, {"≤", relation{bound: -1}},
	{"≦", relation{bound: -1}}, {"⩽", relation{bound: -1}}, {"≪", relation{bound: -1}}, {"~", relation{about: true}}, {"≈", relation{about: true}},
	{"∼", relation{about: true}}, {"≃", relation{about: true}}, {"≅", relation{about: true}}, {"=", relation{}},
}

// relationWords lists words for relations. Those of left and right censoring say where the true value is.
var relationWords = []struct {
	words string // in lower case, separated by commas
	relation
}{
	{"1,greater than,more than,above,over,gt,ge,greater,right,right-censored,right censored,lower bound,greater than or equal to", relation{bound: 1}},
	{"-1,less than,below,under,lt,le,less,left,left-censored,left censored,upper bound,less than or equal to", relation{bound: -1}},
	{"about,approx.,approx,approximately,circa,ca.,ca", relation{about: true}},
	{"0,eq,equal,equals,equal to,exact,none,no,uncensored,not censored,observed,interval", relation{}},
}

// readRelation reads a cell of a column of relations: >, '>' as ChEMBL writes it, or right-censored. An empty one is =.
func readRelation(cell string) (r relation, ok bool) {
	text := strings.ToLower(clean(strings.Trim(clean(cell), `'"()[]`)))
	if isMissing(text) {
		return relation{}, true
	}
	for _, s := range signs {
		if text == s.text {
			return s.relation, true
		}
	}
	for _, w := range relationWords {
		if slices.Contains(strings.Split(w.words, ","), text) {
			return w.relation, true
		}
	}
	return relation{}, false
}

// isSign reports whether a cell holds the sign of a relation, and nothing else.
func isSign(cell string) bool {
	text := clean(strings.Trim(clean(cell), `'"()[]`))
	return slices.ContainsFunc(signs, func(s sign) bool { return text == s.text })
}

// cutRelation removes what stands before the number of a cell: >, about, or = that says nothing.
func cutRelation(text string) (number string, r relation) {
	for _, s := range signs {
		if rest, ok := strings.CutPrefix(text, s.text); ok {
			return clean(rest), s.relation
		}
	}
	if text == "" || text[0] < 'A' { // a number
		return text, relation{}
	}
	lower := strings.ToLower(text)
	for _, w := range relationWords {
		for word := range strings.SplitSeq(w.words, ",") {
			if rest, ok := strings.CutPrefix(lower, word); ok && rest != "" && (rest[0] == ' ' || strings.HasSuffix(word, ".")) {
				return clean(text[len(word):]), w.relation
			}
		}
	}
	return text, relation{}
}

// and joins the relation of a column with that of the cell of the number; ok is false if they contradict each other.
func (r relation) and(cell relation) (joined relation, ok bool) {
	if r.bound != 0 && cell.bound != 0 && r.bound != cell.bound {
		return relation{}, false
	}
	if cell.bound != 0 {
		r.bound = cell.bound
	}
	r.about = (r.about || cell.about) && r.bound == 0
	return r, true
}
