package table

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// refusals says what changes are that are no substitutions, by their mark in HGVS, the first that is found.
var refusals = []struct{ mark, what string }{
	{"fs", "a frameshift"}, {"delins", "a deletion with an insertion"}, {"ins", "an insertion"}, {"del", "a deletion"}, {"dup", "a duplication"},
	{"ext", "an extension"}, {"ter", "a stop"}, {"stop", "a stop"}, {"*", "a stop"}, {"?", "an unknown change"}, {"p.0", "no protein at all"},
}

// isWildType reports whether a cell of mutants stands for the wild type, perhaps as a control or one of several replicates: WT (rep 2).
// _sy is MaveDB's: only the DNA differs.
func isWildType(cell string) bool {
	words := strings.Join(quantity.Words(usage.Shorten(cell, 30)), "")
	return wildTypes.MatchString(words) || slices.Contains([]string{"p.=", "p.(=)", "c.=", "n.=", "g.=", "r.=", "=", "(=)", "_sy", "_wt"}, strings.ToLower(cell))
}

// NamesWildType reports whether a name says that a sequence is the wild type, such as WT, wild-type control, or parent.
func NamesWildType(name string) bool { return name != "" && isWildType(name) }

var wildTypes = regexp.MustCompile(`^(?:(?:native|reference|ref|unmutated)(?:wt|wildtype)|wt|wildtype|parent|parental)(?:wt|wildtype|control|ctrl|reference|ref|replicate|rep|\d{1,2})*$`)

// standsForWildType reports whether a cell of a column that certainly holds mutants stands for the wild type, although elsewhere it may be a
// sequence or mean something else: native, none, WT GB1.
func standsForWildType(cell string) bool {
	const names = 2 // of the protein
	if cell == "-" || cell == "–" || cell == "—" {
		return true
	}
	words := quantity.Words(usage.Shorten(strings.ReplaceAll(strings.ToLower(cell), "wild type", "wt"), 40))
	rest := without(words, []string{"wt", "wildtype", "pwt"})
	plain := without(words, []string{"native", "reference", "ref", "template", "none", "unmutated", "unmodified", "sequence", "protein", "control"})
	switch {
	case len(words) == 0 || slices.ContainsFunc(words, func(word string) bool { return slices.Contains(notWildTypes, word) || change.MatchString(word) }):
		return false
	case len(plain) == 0:
		return words[0] != "protein" && words[0] != "sequence" && words[0] != "control"
	}
	return len(rest) < len(words) && len(rest) <= names
}

// notWildTypes are words beside which WT is not the wild type.
var notWildTypes = []string{"like", "non", "not", "library", "lib", "pool", "mix", "mutant", "mutants", "variant", "variants", "del", "delta", "ins", "dup", "stop", "null", "fs",
	"deletion", "insertion", "frameshift", "revertant"}

// parseMutant reads the substitutions of a cell, none for the wild type:
//
//	K2R   p.Lys2Arg   p.(Lys2Arg)   p.[Lys2Arg;Thr3Ser]   K2R:T3S   K2R,T3S   K2R-T3S   K2R_T3S   Lys2=   K2>R   2K>R   WT   p.=
//	GFP-K2R   KA2R and K2R_A (of chain A)   A:K2R,A:T3S   K2 -> R   K 2 R   K-2-R   2_K_R   K2R†   K2R (n=2)
//	['K2R', 'T3S']   K2R and T3S   K2RT3S
//	n.3G>A   c.[76A>T;83G>C] (of a wild type that is DNA or RNA)
//
// It compares no letter with a wild type. The error says what the cell is instead, such as a deletion.
func parseMutant(cell string) ([]substitution, error) {
	all, _, err := parseVariant(cell)
	return all, err
}

// parseVariant is parseMutant, and returns the chains or the protein that the cell names; empty if it names none.
func parseVariant(cell string) (all []substitution, of string, err error) {
	if all, of, err = parseNamed(cell); err == nil {
		return all, of, nil
	}
	if usual := usualNotation(cell); usual != cell {
		if all, of, err := parseNamed(usual); err == nil {
			return all, of, nil
		}
	}
	if isWithoutWildType(cell) {
		err = fmt.Errorf("%q does not say what the wild type has at the position: write K2R for 2R", usage.Shorten(cell, 40))
	}
	return nil, "", err
}

// usualNotation returns changes that a program prints as a list, or whose letters and position are apart, in the usual notation.
func usualNotation(cell string) string {
	bare := withoutListMarks(cell)
	if bare != "" && isDigits(bare[:1]) {
		return positionFirst.ReplaceAllString(bare, "$1$3$2$4")
	}
	return inPieces.ReplaceAllString(bare, "$1$2$3$4")
}

// withoutListMarks returns the items of a list that a program prints, and another text as it is.
func withoutListMarks(cell string) string {
	if !strings.ContainsAny(cell, `'"‘“`) {
		return cell
	}
	return clean(listMarks.ReplaceAllString(cell, ""))
}

// isWithoutWildType reports whether a cell has positions and what becomes of them alone.
func isWithoutWildType(cell string) bool {
	return withoutWildType.MatchString(strings.Trim(listMarks.ReplaceAllString(cell, ""), " ,;"))
}

// parseNamed reads the substitutions of a cell in the usual notation, with the chains or the protein that it names.
func parseNamed(cell string) (all []substitution, of string, err error) {
	if all, err = parseChanges(cell); err == nil {
		return all, version.ReplaceAllString(strings.Trim(reference.FindString(cell), ":(p."), ""), nil
	}
	for _, chain := range []*regexp.Regexp{ofChain, chainBehind} {
		if all, err := parseChanges(chain.ReplaceAllString(cell, "$1$3")); err == nil {
			var chains []string
			for _, m := range chain.FindAllStringSubmatch(cell, -1) {
				chains = append(chains, m[2])
			}
			slices.Sort(chains)
			return all, strings.Join(slices.Compact(chains), " and "), nil
		}
	}
	if m := ofProtein.FindStringSubmatch(cell); m != nil {
		first := change.FindStringSubmatch(m[1]) // K2-:T3S has a deletion, and no protein K2
		if all, err := parseChanges(m[2]); err == nil && (first == nil || aminoAcid(first[1]) == 0) {
			return all, strings.Trim(m[1], " _:-"), nil
		}
	}
	if all, of, ok := parseOfEach(cell); ok {
		return all, of, nil
	}
	return nil, "", err
}

// parseOfEach reads several substitutions, each of which has its chain or the name of the protein before it.
func parseOfEach(cell string) (all []substitution, of string, ok bool) {
	var names []string
	for _, m := range ofEach.FindAllStringSubmatch(cell, -1) {
		name := m[2][len(chainWord.FindString(m[2])):]
		if first := change.FindStringSubmatch(name); first != nil && aminoAcid(first[1]) != 0 { // K2del:T3S
			return nil, "", false
		}
		names = append(names, strings.Trim(name, " :_./-"))
	}
	all, err := parseChanges(ofEach.ReplaceAllString(cell, "$1$3"))
	if err != nil || len(names) < 2 || len(names) < len(all) {
		return nil, "", false
	}
	slices.Sort(names)
	return all, strings.Join(slices.Compact(names), " and "), true
}

// parseChanges reads the substitutions of a cell that has nothing beside them.
func parseChanges(cell string) ([]substitution, error) {
	if isWildType(cell) {
		return nil, nil
	}
	if strings.Contains(cell, "];[") || strings.Contains(cell, "(;)") { // of two alleles
		return nil, refuseMutant(cell)
	}
	if nucleic.MatchString(cell) {
		return parseNucleic(cell)
	}
	const edges = " ()[],;:/|+&_"
	if runTogether.MatchString(cell) {
		cell = strings.Join(oneOf.FindAllString(cell, -1), ":")
	}
	bare := apart.ReplaceAllString(footnote.ReplaceAllString(counted.ReplaceAllString(cell, ""), ""), "$1$2$3")
	rest := strings.Trim(arrow.ReplaceAllString(reference.ReplaceAllString(bare, "p."), "$2$1$3"), edges)
	rest = strings.Trim(strings.TrimPrefix(rest, "p."), edges)
	var all []substitution
	for m := change.FindStringSubmatch(rest); m != nil; m = change.FindStringSubmatch(rest) {
		s := substitution{text: strings.TrimLeft(strings.TrimPrefix(m[0], "p."), "(["), from: aminoAcid(m[1]), to: aminoAcid(m[3])}
		s.position, _ = strconv.Atoi(m[2]) // at most seven digits
		if s.to == '=' {
			s.to = s.from
		}
		if s.to == '-' {
			return nil, fmt.Errorf("%s is a deletion, and only substitutions are read", s.text)
		}
		if s.from == 0 || s.to == 0 || s.to == '*' {
			break
		}
		all = append(all, s)
		if rest = rest[len(m[0]):]; rest == "" {
			return all, nil
		}
		separator := between.FindString(rest)
		if separator == "" {
			break
		}
		rest = rest[len(separator):]
	}
	return nil, refuseMutant(cell)
}

// parseNucleic reads the substitutions of a cell that counts along DNA or RNA.
func parseNucleic(cell string) (all []substitution, _ error) {
	along, rest, _ := strings.Cut(cell[strings.Index(cell, ":")+1:], ".")
	for change := range strings.SplitSeq(strings.Trim(rest, "[]()"), ";") {
		m := ofBase.FindStringSubmatch(strings.TrimSpace(change))
		if m == nil {
			return nil, refuseMutant(cell)
		}
		if m[2] == "" {
			continue
		}
		s := substitution{text: along + "." + m[0], from: strings.ToUpper(m[2])[0], to: strings.ToUpper(m[3])[0], nucleic: true}
		s.position, _ = strconv.Atoi(m[1]) // at most seven digits
		all = append(all, s)
	}
	return all, nil
}

// aminoAcid returns the letter of an amino acid from the letter, or what stands for one, or the code of three; 0 if it is another word.
func aminoAcid(code string) byte {
	code = strings.ToUpper(code)
	if len(code) == 1 {
		return code[0]
	}
	return aminoAcids[code]
}

// refuseMutant says what a cell is in which not all is a substitution.
func refuseMutant(cell string) error {
	short, lower := usage.Shorten(cell, 40), strings.ToLower(cell)
	if strings.ContainsAny(cell, "0123456789?") {
		for _, r := range refusals {
			if strings.Contains(lower, r.mark) {
				return fmt.Errorf("%q is %s, and only substitutions are read", short, r.what)
			}
		}
	}
	if nucleic.MatchString(cell) {
		return fmt.Errorf("%q counts along DNA or RNA, and is no change of a base such as c.76A>T", short)
	}
	return fmt.Errorf("%q is no mutant such as K2R, K2R:T3S or p.Lys2Arg", short)
}

// isMutant reports whether a cell holds mutants or stands for the wild type. Changes that are no substitutions are mutants, too.
func isMutant(cell string) bool {
	_, err := parseMutant(cell)
	return err == nil || unread.MatchString(reference.ReplaceAllString(cell, "p.")) || nucleic.MatchString(cell)
}
