package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// placeParents finds the sequences of parents that mutants beside them change: those of the column of strings, if
// nearly all mutants fit these as they are and do not tell how they were made.
func (g *grid) placeParents(o Options, c *columns, _ *Question) error {
	if c.input < 0 || c.mutant == c.input || o.Normalize != nil || !areSequences(g.cells(c.input, sampled)) {
		return nil
	}
	mutants := c.mutant
	if mutants < 0 {
		holds := func(i int) bool {
			return i != c.input && !slices.Contains(c.numbers(), i) && g.share(i, mutation.Is) > 0.5
		}
		if mutants = g.one(func(i int) bool { return slices.Contains(mutantNames, g.heading(i).Base) && holds(i) }); mutants < 0 {
			mutants = g.one(holds)
		}
	}
	if mutants < 0 {
		return nil
	}
	if first, ok := g.fitParents(o, c.input, mutants); ok {
		c.parents, c.changes, c.parentFirst = c.input, mutants, first
		c.notes = append(c.notes, fmt.Sprintf("column %s holds the sequences that the mutants of column %s change, not the mutated ones", g.name(c.input), g.name(mutants)))
	}
	return nil
}

// fitParents reports whether a column holds the sequences that mutants of another change, and the position of their
// first letters. One row is enough if the study knows its sequence; otherwise it takes two, as one may fit by chance.
func (g *grid) fitParents(o Options, sequences, mutants int) (first int, ok bool) {
	const looked, nearly, enough = 1000, 0.9, 2
	type row struct {
		parent string
		all    []mutation.Substitution
	}
	var rows []row
	known := 0
	for cells := range g.data() {
		parent := parentSequence(field(cells, sequences))
		all, err := mutation.Parse(field(cells, mutants))
		if err != nil || len(all) == 0 || parent == "" {
			continue
		}
		if parent == o.WildType || o.Known != nil && o.Known.Written(parent) != "" {
			known++
		}
		if rows = append(rows, row{parent, all}); len(rows) == looked {
			break
		}
	}
	fits := func(first int) bool {
		made, unmade := 0, 0
		for _, r := range rows {
			if _, _, err := mutation.Apply(r.parent, first, r.all); err == nil {
				made++
			} else if mutation.Undo(r.parent, first, r.all) != "" {
				unmade++
			}
		}
		return float64(made) >= nearly*float64(len(rows)) && unmade == 0
	}
	if len(rows) < enough && known < len(rows) || len(rows) == 0 {
		return 0, false
	}
	if fits(o.first()) {
		return o.first(), true
	}
	if distinct := distinct(stats.Map(rows, func(r row) string { return r.parent })); len(distinct) > 1 || len(rows) <= enough {
		return 0, false
	}
	places, _ := mutation.Numbering(rows[0].parent, stats.Map(rows, func(r row) []mutation.Substitution { return r.all }))
	if len(places) == 1 && fits(places[0]) {
		return places[0], true
	}
	return 0, false
}

// parentSequence returns a cell as a sequence whose letters mutants change; empty if it is none.
func parentSequence(cell string) string {
	letters := strings.ToUpper(strings.TrimSuffix(strings.Join(strings.Fields(cell), ""), "*"))
	if strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return letters
}

// mutate makes the Input of a row, a parent's sequence, that of its mutant.
func (r reader) mutate(rec *Record) error {
	cell, parent := field(r.Cells, r.c.changes), parentSequence(rec.Input)
	if parent == "" || numeral.IsMissing(cell) || mutation.StandsForWildType(cell) {
		return nil
	}
	all, err := mutation.Parse(cell)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		rec.Input, _, err = mutation.Apply(parent, r.c.parentFirst, all)
	}
	return err
}

// placeBackground finds a column of mutants that those of a row are added to: Background, Parent.
func (g *grid) placeBackground(o Options, c *columns, _ *Question) error {
	if c.mutant < 0 || o.WildType == "" {
		return nil
	}
	isMutant := func(cell string) bool {
		return mutation.Is(cell) || mutation.IsWildType(cell) || mutation.StandsForWildType(cell) || numeral.IsMissing(cell)
	}
	c.background = g.one(func(i int) bool {
		return i != c.mutant && i != c.input && g.isBackground(i) && g.share(i, isMutant) > 0.9
	})
	if c.background < 0 {
		return nil
	}
	if c.id == c.background {
		c.id = -1
	}
	if g.share(c.background, mutation.Is) > 0 {
		c.notes = append(c.notes, fmt.Sprintf("the mutations of column %s are added to those of column %s", g.name(c.mutant), g.name(c.background)))
	}
	return nil
}

// isBackground reports whether a column is called as one that says what mutants were made of.
func (g *grid) isBackground(i int) bool {
	return slices.Contains(backgroundNames, g.heading(i).Base) || slices.Contains(backgroundNames, quantity.Fold(g.header[i]))
}

// onBackground returns the mutants of a row that are added to those of its background, in the usual notation; those
// that the background has already are not added.
func onBackground(cell, background string, o Options) (string, error) {
	if numeral.IsMissing(background) || mutation.IsWildType(background) || mutation.StandsForWildType(background) {
		return cell, nil
	}
	before, err := mutation.Parse(background)
	if err != nil || len(before) == 0 {
		return cell, err
	}
	after, err := mutation.Parse(cell)
	if err != nil && !mutation.StandsForWildType(cell) && !numeral.IsMissing(cell) {
		return cell, nil // for the reader of mutants to say
	}
	parent, _, err := mutation.Apply(o.WildType, o.first(), before)
	if err != nil {
		return "", fmt.Errorf("background %s: %w", usage.Shorten(background, 40), err)
	}
	after = slices.DeleteFunc(after, func(s mutation.Substitution) bool {
		return slices.ContainsFunc(before, s.Equal)
	})
	sequence, _, err := mutation.Apply(parent, o.first(), after)
	if err != nil {
		return "", fmt.Errorf("on background %s, which stands for the wild type: %w", usage.Shorten(background, 40), err)
	}
	return mutation.Format(o.WildType, o.first(), sequence), nil
}

// areCumulative reports whether a column names the rows that others were made of, and these list all mutations: those
// of their background, too.
func (g *grid) areCumulative(c *columns, column int) bool {
	if c.id < 0 || c.id == c.mutant {
		return false
	}
	of := map[string][]mutation.Substitution{}
	for cells := range g.data() {
		if all, err := mutation.Parse(field(cells, c.mutant)); err == nil {
			of[field(cells, c.id)] = all
		}
	}
	for cells := range g.data() {
		name := field(cells, column)
		before, known := of[name]
		if numeral.IsMissing(name) || mutation.IsWildType(name) {
			continue
		}
		all, err := mutation.Parse(field(cells, c.mutant))
		lacks := func(s mutation.Substitution) bool { return !slices.ContainsFunc(all, s.Equal) }
		if !known || err == nil && slices.ContainsFunc(before, lacks) {
			return false
		}
	}
	return true
}
