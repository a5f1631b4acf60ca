package table

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/usage"
)

// described is a row whose mutant stands beside its sequence.
type described struct {
	record int
	cell   string
	all    []substitution
}

// compareMutants refuses rows whose sequence contradicts the mutant beside it, in a table of sequences without a wild type. The wild type
// is what most sequences are with their substitutions undone. If nearly all are, it is the Table's.
func (t *Table) compareMutants(g *grid, c columns, o Options) {
	column := g.one(func(i int) bool {
		return i != c.input && slices.Contains(mutantNames, g.heading(i).Base) && g.share(i, isMutant) > 0.5
	})
	if o.WildType != "" || t.Sequences == NoSequences || column < 0 {
		return
	}
	rows := t.described(g, column)
	wildType, first := t.undone(rows, o.first())
	if wildType == "" {
		return
	}
	parents := t.parents(rows, first)
	refused, fit, changed := 0, 0, 0
	o.Offset = first - 1
	for _, d := range rows {
		r := &t.Records[d.record]
		if undo(r.Input, first, d.all) == wildType {
			if fit++; len(d.all) > 0 {
				changed++
			}
		}
		if parent := undo(r.Input, first, d.all); parent == wildType || len(parents[parent]) > 1 { // or it is of another one, as others are
			continue
		}
		refused++
		expected, _, err := mutate(wildType, first, d.all)
		if err != nil {
			*r = r.invalid(BadMutant, "%v", err)
			continue
		}
		r.expected, r.mutants = expected, d.cell
		r.compare(o)
		r.mutants, r.contradicts = "", false // no wild type was given that it could contradict
	}
	const enough = 3 // mutants that hardly fit by chance
	if changed >= enough && 10*fit >= 9*len(rows) {
		t.WildType, t.First = wildType, first
	}
	if refused > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s contradicting column %s: the sequences with their mutations undone are %s",
			plural(refused, "row is refused as", "rows are refused as"), g.name(column), usage.Shorten(wildType, 60)))
	}
}

// described returns the rows with a sequence and a mutant that can be read.
func (t *Table) described(g *grid, column int) (rows []described) {
	i := -1
	for cells := range g.data() {
		if i++; i == len(t.Records) {
			break
		}
		cell := field(cells, column)
		if all, err := parseMutant(cell); err == nil && t.Records[i].Input != "" {
			rows = append(rows, described{i, cell, all})
		}
	}
	return rows
}

// undone returns the sequence that most rows have with their substitutions undone, and the position of its first letter: first, or another
// one that fits. It is empty if there is no such sequence.
func (t *Table) undone(rows []described, first int) (wildType string, at int) {
	const looked = 200 // rows, for other positions
	if wildType = t.usualParent(rows, first); wildType != "" {
		return wildType, first
	}
	i := slices.IndexFunc(rows, func(d described) bool { return len(d.all) > 0 })
	if i < 0 {
		return "", 0
	}
	sequence, s := t.Records[rows[i].record].Input, rows[i].all[0]
	for k := range len(sequence) {
		at = s.position - k
		if sequence[k] == s.to && t.usualParent(rows[:min(len(rows), looked)], at) != "" {
			return t.usualParent(rows, at), at
		}
	}
	return "", 0
}

// usualParent returns the sequence that more than half of the rows have with their substitutions undone; empty if there is none.
func (t *Table) usualParent(rows []described, first int) string {
	var of tally[string]
	for _, d := range rows {
		of.add(undo(t.Records[d.record].Input, first, d.all))
	}
	if all := of.usual(); len(all) > 0 && 2*of.n[all[0]] > len(rows) {
		return all[0]
	}
	return ""
}

// parents returns the sequences that rows have with their substitutions undone, each with those that it was made of.
func (t *Table) parents(rows []described, first int) map[string]map[string]bool {
	of := map[string]map[string]bool{}
	for _, d := range rows {
		input := t.Records[d.record].Input
		parent := undo(input, first, d.all)
		if parent == "" {
			continue
		}
		if of[parent] == nil {
			of[parent] = map[string]bool{}
		}
		of[parent][input] = true
	}
	return of
}

// undo returns a sequence without substitutions that it has; empty if it lacks one.
func undo(sequence string, first int, all []substitution) string {
	letters := []byte(sequence)
	for _, s := range all {
		at := s.position - first
		if at < 0 || at >= len(letters) || letters[at] != s.to {
			return ""
		}
		letters[at] = s.from
	}
	return string(letters)
}
