package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
)

// replicatesOf returns the columns of numbers without a use that look like further replicates of a column by their
// names: pIC50.1, pIC50_2, pIC50 (2), pIC50 rep 2 and replicate 2 of pIC50, or of pIC50 1. If one of them is called the
// first and the column has no number, it may be their mean: then there are none if its numbers lie between theirs.
func (g *grid) replicatesOf(column int, taken []int) []int {
	of, hasFirst := g.heading(column), false
	name, own := counted(of, of.Base)
	var all []int
	for _, i := range g.where(func(i int) bool {
		return g.header[i] != g.header[column] && !slices.Contains(taken, i) && g.share(i, numeral.IsValue) > 0.5
	}) {
		h := g.heading(i)
		unit := !h.Unit.IsSet() || !of.Unit.IsSet() || h.Unit.Equal(of.Unit)
		numbered, n := counted(h, name)
		again := numbered == name && (n > 0 || h.Base == of.Base) && h.Log == of.Log && slices.Equal(h.About, of.About)
		if unit && (again || numbered == "" && n > 0) {
			all, hasFirst = append(all, i), hasFirst || n == 1
		}
	}
	if own == 0 && hasFirst && g.between(column, all) {
		return nil
	}
	return all
}

// counted returns what is counted by a number at the end of a name, and the number: pic50 and 2 of pIC50 rep 2, and
// nothing and 2 of replicate 2. The number is 0 if there is none; a repeat of the name is the second.
func counted(h quantity.Heading, name string) (of string, n int) {
	const most = 12 // more are hardly replicates
	counts, last := stem(h), ""
	if len(h.Words) > 0 {
		last = h.Words[len(h.Words)-1]
	}
	n, err := strconv.Atoi(last[len(strings.TrimRight(last, "0123456789")):])
	switch rest, ok := strings.CutPrefix(h.Base, name); {
	case ok && slices.Contains([]string{"repeat", "replicate", "rep", "duplicate", "rerun"}, rest):
		return name, 2
	case counts == "" || err != nil || n < 1 || n > most:
		return h.Base, 0
	}
	for _, word := range quantity.Replicates {
		if rest, ok := strings.CutSuffix(counts, word); ok {
			return rest, n
		}
	}
	return counts, n
}

// between reports whether the numbers of a column mostly lie between those of others, as their means do.
func (g *grid) between(column int, others []int) bool {
	const rounded = 0.02 // of the mean
	style := g.style(append([]int{column}, others...)...)
	fits, rows := 0, 0
	for r := range g.dataRows() {
		value := readCell(field(r.Cells, column), styleAt(style, r, column))
		var all []float64
		for _, i := range others {
			if m := readCell(field(r.Cells, i), styleAt(style, r, i)); m.state == Measured {
				all = append(all, m.number)
			}
		}
		if value.state != Measured || len(all) == 0 {
			continue
		}
		slack := max(rounded*value.number, -rounded*value.number)
		if rows++; slices.Min(all)-slack <= value.number && value.number <= slices.Max(all)+slack {
			fits++
		}
	}
	return 10*fits >= 9*rows
}

// findReplicates says which columns look like replicates of the scores of a study's table, or of its further outcomes,
// and are not used: nobody asks which columns such a table has.
func (g *grid) findReplicates(o Options, c *columns) {
	if c.export != nil || o.Like.Score == "" && !o.Named {
		return
	}
	if len(o.Score) == 0 {
		var all []int
		for _, out := range c.scores {
			all = append(all, without(g.replicatesOf(out.column, c.taken()), all)...)
		}
		if len(all) > 0 {
			for _, i := range slices.Concat(c.columnsOfScores(), all) {
				c.replicates = append(c.replicates, g.answer(i))
			}
		}
	}
	for k, out := range c.others {
		if out.column < 0 || slices.Contains(c.columnsOfScores(), out.column) {
			continue
		}
		if like := g.replicatesOf(out.column, c.taken()); len(like) > 0 {
			c.notes = append(c.notes, fmt.Sprintf("not read as replicates of %s: %s; give each measurement a row of its own to count it", cmp.Or(field(o.Others, k), g.name(out.column)), g.list(like)))
		}
	}
}

func (c columns) columnsOfScores() []int {
	return stats.Map(c.scores, func(out outcome) int { return out.column })
}
