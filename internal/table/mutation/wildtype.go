package mutation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/usage"
)

// IsWildType reports whether a text, such as a mutant or a name, stands for the wild type, perhaps as a control or one
// of several replicates: WT (rep 2). _sy is MaveDB's: only the DNA differs.
func IsWildType(text string) bool {
	all := strings.Join(words(usage.Shorten(text, 30)), "")
	return wildTypes.MatchString(all) || slices.Contains([]string{"p.=", "p.(=)", "c.=", "n.=", "g.=", "r.=", "=", "(=)", "_sy", "_wt"}, strings.ToLower(text))
}

var wildTypes = regexp.MustCompile(`^(?:(?:native|reference|ref|unmutated)(?:wt|wildtype)|wt|wildtype|parent|parental)(?:wt|wildtype|control|ctrl|reference|ref|replicate|rep|\d{1,2})*$`)

// StandsForWildType reports whether a text that certainly says what is mutated stands for the wild type, although
// elsewhere it may be a sequence or mean something else: native, none, WT GB1.
func StandsForWildType(text string) bool {
	const names = 2 // of the protein
	if text == "-" || text == "–" || text == "—" {
		return true
	}
	all := words(usage.Shorten(strings.ReplaceAll(strings.ToLower(text), "wild type", "wt"), 40))
	without := func(known ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(word string) bool { return slices.Contains(known, word) })
	}
	rest := without("wt", "wildtype", "pwt")
	others := without("native", "reference", "ref", "template", "none", "unmutated", "unmodified", "sequence", "protein", "control")
	switch {
	case len(all) == 0 || slices.ContainsFunc(all, func(word string) bool { return slices.Contains(notWildTypes, word) || change.MatchString(word) }):
		return false
	case len(others) == 0:
		return all[0] != "protein" && all[0] != "sequence" && all[0] != "control"
	}
	return len(rest) < len(all) && len(rest) <= names
}

// notWildTypes are words beside which WT is not the wild type.
var notWildTypes = []string{"like", "non", "not", "library", "lib", "pool", "mix", "mutant", "mutants", "variant", "variants", "del", "delta", "ins", "dup", "stop", "null", "fs",
	"deletion", "insertion", "frameshift", "revertant"}

// words returns the words of a text in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
