package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/numeral"
)

// key returns the column of a table that names strings of the study that it is told to: that of the study's names, one
// of a usual name, or the first; -1 if none is certain. Numbers are names only where the study has its own, as others
// count wells and rows.
func (g *grid) key(o Options) int {
	if o.Known == nil {
		return -1
	}
	own := g.find(o.Like.ID)
	if own >= 0 && g.share(own, o.Known.named) > 0 {
		return own
	}
	names := func(i int) bool {
		mutants := o.WildType != "" && g.share(i, mutation.Is) > 0.5 // which say more than names
		return i != g.find(o.Like.Input) && !mutants && g.share(i, func(cell string) bool { return !numeral.IsNumber(cell) && o.Known.named(cell) }) > 0.5
	}
	for _, usual := range idNames {
		if i := g.one(func(i int) bool { return slices.Contains(usual, g.heading(i).Base) && names(i) }); i >= 0 {
			return i
		}
	}
	if names(0) {
		return 0
	}
	return -1
}

// named reports whether the study calls a string so, or did.
func (k *Known) named(cell string) bool {
	return k.Called(cell) != "" || k.Shared != nil && k.Shared(cell)
}

// toldInputs returns the columns of strings in a table with a header that is told: those that are called so and do not
// hold names or labels, or else those whose cells are strings of the study. Other text, such as operators and wells, is
// never a string.
func (g *grid) toldInputs(o Options, c *columns, called []int) []int {
	id := c.id
	if id < 0 {
		id = g.first(idNames, called...)
	}
	named := id >= 0 && g.share(id, o.Known.named) > 0.5
	called = slices.DeleteFunc(slices.Clone(called), func(i int) bool {
		isLabel := named && g.rank(inputNames, i) == mayBeLabels && g.agreement(o, id, i) == 0
		return named && i == id || isLabel
	})
	if len(called) > 0 {
		return called
	}
	const nearly = 0.9
	all := g.where(func(i int) bool {
		mutants := o.WildType != "" && g.share(i, mutation.IsPlain) > nearly
		sequences := strings.Contains(g.heading(i).Base, "seq") && areSequences(g.cells(i, sampled))
		return i != id && (mutants || sequences || g.agreement(o, id, i) >= nearly)
	})
	if len(all) == 0 && id >= 0 && g.share(id, o.Known.named) < 1 {
		g.noteUnusual(o, id, c)
	}
	return all
}

// plainly reports whether a column whose heading says nothing plainly holds strings like those of the study: nearly all
// its cells are sequences that are no words, or molecules that are no initials.
func (g *grid) plainly(o Options, i int) bool {
	const nearly, longestWord = 0.9, 9
	switch {
	case o.Normalize != nil:
		return g.share(i, func(cell string) bool { return strings.ContainsAny(cell, "=#()[]123456789") && o.accepts(cell) }) >= nearly
	case o.Sequences != bioseq.None:
		return g.share(i, func(cell string) bool { return len(cell) > longestWord && areSequences([]string{cell}) }) >= nearly
	}
	return false
}

// noteUnusual notes the columns that may hold the strings of names that the study does not know.
func (g *grid) noteUnusual(o Options, id int, c *columns) {
	looks := o.accepts
	if o.Normalize == nil {
		looks = func(cell string) bool { return areSequences([]string{cell}) }
	}
	if all := g.where(func(i int) bool { return i != id && g.share(i, looks) > 0.5 }); len(all) > 0 {
		c.notes = append(c.notes, fmt.Sprintf("no new strings are read from %s, as the name does not say that it holds some; if it does, give it as input", g.list(all)))
	}
}

// mayBeLabels is the rank of inputNames such as protein and molecule: columns of these names may hold labels.
const mayBeLabels = 2

// agreement returns the share of a column's cells that are the string which the name in their row means or, without a
// column of names, any of the study.
func (g *grid) agreement(o Options, id, column int) float64 {
	agree, all := 0, 0
	for _, r := range g.sample[:min(len(g.sample), 100)] {
		cell, meant := field(r.Cells, column), o.Known.Called(field(r.Cells, id))
		if cell == "" || numeral.IsNumber(cell) || id >= 0 && meant == "" {
			continue
		}
		all++
		if written := o.Known.Written(cell); written != "" && (written == meant || id < 0) {
			agree++
		}
	}
	return float64(agree) / float64(max(all, 1))
}

// scores returns the least and the largest score of the study; 0 and 0 if it has none, or some are not positive.
func (k *Known) scores() (least, most float64) {
	if k == nil || k.Range == nil {
		return 0, 0
	}
	return k.Range()
}
