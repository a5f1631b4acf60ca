package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/numeral"
)

// refuseFolded refuses peptides in lower case that are another row's, or one of the study's, in capitals, unless all
// scores agree: lower case may stand for D residues. A table or a study whose peptides are mostly in lower case writes
// all so.
func (t *Table) refuseFolded(o Options) {
	if t.Sequences != bioseq.Protein {
		return
	}
	type other struct {
		line  int
		score float64
	}
	capitals, small := map[string][]other{}, []int{}
	if 2*stats.Count(t.Records, func(r Record) bool { return strings.HasPrefix(r.Input, "M") }) > len(t.Records) {
		return // translated proteins, however short
	}
	for i, r := range t.Records {
		switch letters := strings.Join(strings.Fields(r.Text), ""); {
		case r.Input == "" || len(r.Input) > notation.LongestPeptide || !strings.EqualFold(letters, r.Input):
		case letters == strings.ToLower(letters):
			small = append(small, i)
		default:
			capitals[r.Input] = append(capitals[r.Input], other{r.Line, r.Score})
		}
	}
	t.Columns.LowerCase = 2*len(small) > len(t.Records)
	for _, i := range small {
		r := &t.Records[i]
		where := ""
		if o.Known != nil && !o.Like.LowerCase && r.Text != "" && o.Known.Written(r.Input) != "" {
			where = "the study has the same letters in capitals"
		}
		for _, c := range capitals[r.Input] {
			if c.score != r.Score && r.State == Measured {
				where = fmt.Sprintf("line %d has the same letters in capitals and another score", c.line)
				break
			}
		}
		if where != "" {
			*r = r.invalid(BadString, "lower case may stand for D residues, as %s: write capitals for L residues, or brackets in all rows, as in RR[dW]QW", where)
		}
	}
}

// refuseCased refuses nucleic acids of different names and clearly different scores that differ in the case of several
// letters alone, if these are many of a table: lower case may stand for modifications. A number is no name. Of a new
// study that is an error, as its alphabet can tell them apart.
func (t *Table) refuseCased(o Options) error {
	if t.Sequences != bioseq.DNA && t.Sequences != bioseq.RNA {
		return nil
	}
	const (
		several = 2   // letters
		clear   = 0.1 // of the range of scores
		fewest  = 3   // rows
		share   = 0.25
	)
	least, most, usable := math.Inf(1), math.Inf(-1), 0
	for _, r := range t.Records {
		if r.Input != "" {
			usable++
		}
		if r.State == Measured {
			least, most = min(least, r.Score), max(most, r.Score)
		}
	}
	of := map[string][]int{}
	conflicts := map[int]int{} // rows, and another one each
	letters := func(i int) string { return strings.Join(strings.Fields(t.Records[i].Text), "") }
	differ := func(i, j int) bool {
		a, b := letters(i), letters(j)
		uniform := func(x string) bool { return x == strings.ToLower(x) || x == strings.ToUpper(x) }
		r, s := t.Records[i], t.Records[j]
		if uniform(a) && uniform(b) || r.ID == s.ID || !(math.Abs(r.Score-s.Score) > clear*(most-least)) {
			return false
		}
		n := 0
		for k := range min(len(a), len(b)) {
			if a[k] != b[k] {
				n++
			}
		}
		return n >= several
	}
	for i, r := range t.Records {
		if r.Input == "" || r.ID == "" || numeral.IsNumber(r.ID) || !strings.EqualFold(letters(i), r.Input) {
			continue
		}
		if k := slices.IndexFunc(of[r.Input], func(j int) bool { return differ(i, j) }); k >= 0 {
			conflicts[i] = of[r.Input][k]
			if _, ok := conflicts[of[r.Input][k]]; !ok {
				conflicts[of[r.Input][k]] = i
			}
		}
		const compared = 20 // rows that a row is compared with
		if len(of[r.Input]) < compared {
			of[r.Input] = append(of[r.Input], i)
		}
	}
	if len(conflicts) < fewest || float64(len(conflicts)) < share*float64(usable) {
		return nil
	}
	for _, i := range slices.Sorted(maps.Keys(conflicts)) {
		r, other := &t.Records[i], t.Records[conflicts[i]].Line
		if alphabet := t.Sequences.Letters() + strings.ToLower(t.Sequences.Letters()); o.Known == nil {
			return option.Errorf("lines %d and %d have the same letters in another case, as have %d rows in all: if lower case stands for modified nucleotides, give %s; if not, write capitals",
				r.Line, other, len(conflicts), option.Setting{Name: "alphabet", Value: alphabet})
		}
		*r = r.invalid(BadString, "line %d has the same letters in another case, and lower case may stand for modified nucleotides: write capitals if it does not", other)
	}
	return nil
}

// refuseNucleic refuses DNA and RNA among proteins. A string of the study is none.
func (t *Table) refuseNucleic(o Options) {
	looks := func(r Record) bool { return looksNucleic(r.Input) }
	if t.Sequences != bioseq.Protein || looksNucleic(o.WildType) || o.Known == nil && 2*stats.Count(t.Records, looks) > len(t.Records) {
		return
	}
	for i := range t.Records {
		if r := &t.Records[i]; looks(*r) && (o.Known == nil || o.Known.Written(r.Input) == "") {
			*r = r.invalid(BadString, "it is DNA or RNA by its letters, and the other sequences are proteins: give what it is translated to")
		}
	}
}

// looksNucleic reports whether a sequence in capital letters is hardly a protein's: it has all bases, and nothing else.
func looksNucleic(sequence string) bool {
	const fewest = 9
	thymine := strings.ContainsAny(sequence, "TU")
	return len(sequence) >= fewest && thymine && strings.Trim(sequence, "ACGTU") == "" &&
		strings.Contains(sequence, "A") && strings.Contains(sequence, "C") && strings.Contains(sequence, "G")
}
