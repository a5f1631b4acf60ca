package table

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/usage"
)

// described is a row whose mutant stands beside its sequence.
type described struct {
	record int
	cell   string
	mutation.Variant
}

// compareMutants refuses rows whose sequence contradicts the mutant beside it, in a table of sequences without a wild
// type. The wild type is what most sequences are with their substitutions undone. If nearly all are, it is the Table's.
func (t *Table) compareMutants(g *grid, c columns, o Options) {
	column := g.one(func(i int) bool {
		return i != c.input && slices.Contains(mutantNames, g.heading(i).Base) && g.share(i, mutation.Is) > 0.5
	})
	if o.WildType != "" || t.Sequences == bioseq.None || column < 0 {
		return
	}
	rows := t.described(g, column)
	wildType, first := mutation.Parent(stats.Map(rows, func(d described) mutation.Variant { return d.Variant }), o.first())
	if wildType == "" {
		return
	}
	made := variantsOf(rows, first)
	refused, fit, changed := 0, 0, 0
	o.Offset = first - 1
	for _, d := range rows {
		r := &t.Records[d.record]
		parent := mutation.Undo(d.Sequence, first, d.Substitutions)
		if parent == wildType {
			if fit++; len(d.Substitutions) > 0 {
				changed++
			}
		}
		if parent == wildType || len(made[parent]) > 1 || c.parents >= 0 { // or it is of another one, as others are, or as its row says
			continue
		}
		refused++
		expected, _, err := mutation.Apply(wildType, first, d.Substitutions)
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
		if all, err := mutation.Parse(cell); err == nil && t.Records[i].Input != "" {
			rows = append(rows, described{i, cell, mutation.Variant{Sequence: t.Records[i].Input, Substitutions: all}})
		}
	}
	return rows
}

// variantsOf returns, for each sequence that rows have with their substitutions undone, the sequences of these rows.
func variantsOf(rows []described, first int) map[string]map[string]bool {
	of := map[string]map[string]bool{}
	for _, d := range rows {
		parent := mutation.Undo(d.Sequence, first, d.Substitutions)
		if parent == "" {
			continue
		}
		if of[parent] == nil {
			of[parent] = map[string]bool{}
		}
		of[parent][d.Sequence] = true
	}
	return of
}
