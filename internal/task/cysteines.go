package task

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
)

// Sequences that all have the same number of cysteines tell something by that: the cysteines are paired, or avoided. Without any or with one, few
// sequences may have it by chance.
const (
	fewPaired = 5
	fewLone   = 20
)

// keepCysteines has a space of proteins or peptides propose none with another number of cysteines than all of the data have, and notes it, unless that
// number varies, a pool is given, or a rule of residues lets a position have C.
func (o Options) keepCysteines(s Space, d Design, count func(x string) int) Space {
	xs := d.Strings()
	if len(xs) == 0 || len(d.Pool) > 0 || slices.ContainsFunc(o.Residues, func(r rule) bool { return !r.not && strings.Contains(r.letters, "C") }) {
		return s
	}
	n, few, some := count(xs[0]), fewLone, "no cysteine"
	if n > 1 {
		few = fewPaired
	}
	if len(xs) < few || slices.ContainsFunc(xs, func(x string) bool { return count(x) != n }) {
		return s
	}
	if n > 0 {
		some = fmt.Sprintf("%d cysteines", n)
	}
	s.Notes.Add("all sequences have %s, and so have proposals; a rule of %s that lets a position have C changes that", some, option.Name("residues"))
	return s.proposing(func(x string) bool { return count(x) != n }, nil)
}

// cysteines counts those of a sequence of letters, also of D residues in lower case.
func cysteines(x string) int { return strings.Count(x, "C") + strings.Count(x, "c") }

// cysteinesOfParts counts those of a sequence with ends and modified residues, and cysteineWords those of a peptide in words.
func cysteinesOfParts(x string) int {
	return len(slices.DeleteFunc(table.PartsOf(x).Letters(), func(r string) bool { return r != "C" && r != "c" }))
}

func cysteineWords(x string) int {
	return len(slices.DeleteFunc(splitWords(x), func(word string) bool {
		return !table.IsResidue(word) || !strings.Contains(word, "Cys")
	}))
}
