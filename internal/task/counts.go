package task

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table/notation"
)

// fewCounted is how many sequences tell something by all having the same number of cysteines: these are paired, or avoided.
const fewCounted = 5

// keepCysteines has a space of proteins or peptides propose none with another number of cysteines than all of the data
// have, and notes it, unless that number varies, a pool is given, or a rule of residues lets a position have C.
func (o Options) keepCysteines(s Space, d Design, count func(x string) int) Space {
	if slices.ContainsFunc(o.Residues, func(r rule) bool { return !r.not && strings.Contains(r.letters, "C") }) {
		return s
	}
	n, ok := sameCount(d, count)
	if !ok {
		return s
	}
	some := []string{"no sequence has a cysteine, and proposals have none", "all sequences have 1 cysteine, and so have proposals", fmt.Sprintf("all sequences have %d cysteines, and so have proposals", n)}[min(n, 2)]
	s.Notes.Add("%s; a rule of %s that lets a position have C changes that", some, option.Name("residues"))
	return s.proposing(func(x string) bool { return count(x) != n }, nil)
}

// keepStaples has a space of peptides propose none with other residues for staples, or at other distances, than some of
// the data have, as keepCysteines does. staples returns these residues with their distances.
func keepStaples(s Space, d Design, staples func(x string) []string) Space {
	n, ok := sameCount(d, func(x string) int { return len(staples(x)) })
	if !ok || n < 2 {
		return s
	}
	known := map[string]bool{}
	for _, x := range d.Strings() {
		known[strings.Join(staples(x), " ")] = true
	}
	s.Notes.Add("all sequences have %d residues for staples, and proposals have the same ones at the same distances", n)
	return s.proposing(func(x string) bool { return !known[strings.Join(staples(x), " ")] }, nil)
}

// sameCount returns the number of residues that all sequences of a design have by a count. false: it varies, may be
// chance, or a pool says which sequences may be proposed.
func sameCount(d Design, count func(x string) int) (n int, ok bool) {
	xs := d.Strings()
	if len(xs) == 0 || len(d.Pool) > 0 {
		return 0, false
	}
	n = count(xs[0])
	return n, len(xs) >= fewCounted && !slices.ContainsFunc(xs, func(x string) bool { return count(x) != n })
}

// cysteines counts those of a sequence of letters, also of D residues in lower case.
func cysteines(x string) int { return strings.Count(x, "C") + strings.Count(x, "c") }

// cysteinesOfParts counts those of a sequence with ends and modified residues, and cysteineWords those of a peptide in
// words.
func cysteinesOfParts(x string) int { return countCysteines(notation.PartsOf(x).Letters()) }

func cysteineWords(x string) int { return countCysteines(splitWords(x)) }

// cysteine matches a residue that is cysteine, perhaps a D residue or protected: C, c, Cys, D-Cys, [dC], Cys(Acm).
var cysteine = regexp.MustCompile(`^\[?(?:(?:[dDL]|N-?Me)-?)*(?:[Cc]|Cys|CYS)(?:\(.*\))?\]?$`)

func countCysteines(residues []string) (n int) {
	for _, r := range residues {
		if cysteine.MatchString(r) {
			n++
		}
	}
	return n
}

// staple matches residues whose side chains a staple joins.
var staple = regexp.MustCompile(`^\[?[RSB][58]\]?$`)

func staplesOfParts(x string) []string { return staples(notation.PartsOf(x).Letters()) }

func stapleWords(x string) []string { return staples(splitWords(x)) }

// staples returns the residues for staples, each with how far behind the one before it is.
func staples(residues []string) (all []string) {
	before := -1
	for i, r := range residues {
		switch {
		case !staple.MatchString(r):
			continue
		case before < 0:
			all = append(all, r)
		default:
			all = append(all, fmt.Sprintf("%d:%s", i-before, r))
		}
		before = i
	}
	return all
}

// keepClosers has a space of peptides propose none whose rings other residues close than some of the data have there:
// in Ac-Nle-c[Asp-His-D-Phe-Lys]-NH2 side chains join Asp and Lys. closers returns these residues. A rule of residues,
// or a pool, says otherwise.
func (o Options) keepClosers(s Space, d Design, closers func(x string) []string) Space {
	if len(o.Residues) > 0 || len(d.Pool) > 0 {
		return s
	}
	known := map[int]map[string]bool{}
	for _, x := range d.Strings() {
		for i, r := range closers(x) {
			if known[i] == nil {
				known[i] = map[string]bool{}
			}
			known[i][r] = true
		}
	}
	if len(known) == 0 {
		return s
	}
	s.Notes.Add("proposals have rings that the same residues close as in the data; %s lets others", option.Name("residues"))
	return s.proposing(func(x string) bool {
		for i, r := range closers(x) {
			if !known[i][r] {
				return true
			}
		}
		return false
	}, nil)
}

// closersOfWords returns the first and last residues of rings, but of one that is the whole peptide, whose backbone may
// close it.
func closersOfWords(x string) (all []string) {
	words := splitWords(x)
	last := len(words) - 1
	if notation.IsRingEnd(words[0]) && notation.IsRingEnd(words[last]) {
		return nil
	}
	for i, word := range words {
		switch {
		case !notation.IsRingEnd(word):
		case strings.ContainsAny(word, "(["):
			all = append(all, words[i+1])
		default:
			all = append(all, words[i-1])
		}
	}
	return all
}

// closersOfParts is closersOfWords for a sequence in letters.
func closersOfParts(x string) []string {
	p := notation.PartsOf(x)
	after, _, _ := strings.Cut(p.After, " ")
	letters := p.Letters()
	opens := strings.TrimSuffix(p.Before, "-") // as c( does, and not 5(6)-FAM-
	ring := strings.HasSuffix(opens, "(") || strings.HasSuffix(opens, "[")
	if len(letters) == 0 || !ring || notation.IsRingEnd(p.Before) && notation.IsRingEnd(after) {
		return nil
	}
	return []string{letters[0], letters[len(letters)-1]}
}
