package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// NoRelation is an Options.Relation for a table whose numbers are all exact, NoColumn an SE or SD for one whose scores
// have no such column, and NoType a Type for one whose rows are all of the same kind.
const (
	NoRelation = "none"
	NoColumn   = "none"
	NoType     = "none"
)

// companion returns which of some columns, relations or units, belongs to a column of numbers; -1 if none does. Words
// are those by which such a column is known; the rest of its name may name the column of numbers. Of several columns
// the nearest is taken. owner is the column of the numbers whose logarithms the column holds, if the companion is named
// after that; otherwise -1.
func (g *grid) companion(score int, taken, companions []int, words []string) (column, owner int) {
	column, owner = -1, -1
	best := 0                                                              // 3: of this column by its name, 2: of any, 1: of the number whose logarithm this column holds
	distance := func(i int) int { return max(2*(i-score)+1, 2*(score-i)) } // what is before a number is nearer
	for _, i := range companions {
		if slices.Contains(taken, i) || i == score {
			continue
		}
		of := without(g.heading(i).Words, slices.Concat(words, []string{"result", "results", "assay", "data", "the", "of"}))
		kind, named := 2, -1
		switch other := g.numbersNamed(of, i); {
		case len(of) > 0 && subset(of, g.heading(score).Words):
			kind = 3
		case other >= 0 && g.isLogOf(score, other):
			kind, named = 1, other
		case other >= 0:
			continue
		}
		if kind > best || kind == best && distance(i) < distance(column) {
			best, column, owner = kind, i, named
		}
	}
	return column, owner
}

// isLogOf reports whether a column holds the negative logarithms of another, as far as their names say: pIC50 of IC50
// (nM), pChEMBL value of Standard Value.
func (g *grid) isLogOf(column, other int) bool {
	log, linear := g.heading(column), g.heading(other)
	if log.Log != "p" || linear.Log != "" {
		return false
	}
	quantities := func(h quantity.Heading) (words []string) {
		for _, w := range without(h.Words, []string{"value", "mean", "standard", "published", "pchembl", "pchemblvalue", "standardvalue", "publishedvalue"}) {
			if endpoint, _ := quantity.Endpoint(w); endpoint != "" {
				w = endpoint
			}
			words = append(words, w)
		}
		return words
	}
	return slices.Equal(quantities(log), quantities(linear))
}

// valueOf reports whether another column of numbers than one has these words as its name, and perhaps value.
func (g *grid) valueOf(words []string, but int) bool {
	exactly := func(i int) bool { return slices.Equal(without(g.heading(i).Words, []string{"value"}), words) }
	return !exactly(but) && g.one(func(i int) bool { return i != but && exactly(i) && g.share(i, numeral.IsValue) > 0.5 }) >= 0
}

// numbersNamed returns the column of numbers that has all words in its name; -1 if there are no words, or no such column.
func (g *grid) numbersNamed(words []string, but int) int {
	return g.one(func(i int) bool {
		return len(words) > 0 && i != but && subset(words, g.heading(i).Words) && g.share(i, numeral.IsValue) > 0.5
	})
}

// isRelation reports whether a column holds relations: by its content alone, or by its name and content.
func (g *grid) isRelation(i int) bool {
	h, cells := g.heading(i), g.cells(i, sampled)
	if len(cells) == 0 {
		return false
	}
	compares := func(cell string) bool {
		r, _, ok := numeral.ParseRelation(cell)
		comparing := strings.Contains(cell, "than") || slices.Contains([]string{"above", "below", "größer", "kleiner", "groesser"}, strings.ToLower(cell))
		return ok && r.Bound != 0 && comparing
	}
	abbreviates := func(cell string) bool {
		return slices.Contains([]string{"gt", "lt", "ge", "le"}, strings.ToLower(cell))
	}
	if !h.HasAny(relationNames) && len(h.Words) > 0 && g.alwaysBounds(i) { // of something else, such as a change
		return false
	}
	if slices.ContainsFunc(cells, func(cell string) bool { return compares(cell) || abbreviates(cell) }) && g.share(i, numeral.IsRelation) == 1 { // greater than
		return true
	}
	if !h.HasAny(relationNames) && !numeral.IsSign(cells[0]) {
		return false
	}
	numbers := g.share(i, numeral.IsValue) == 1 // 1, 0 and -1 are censoring from the right, none and from the left
	return g.share(i, numeral.IsRelation) >= 0.9 && (g.share(i, numeral.IsSign) == 1 || h.HasAny(relationNames) && !numbers || h.HasAny(censorNames) && slices.Contains(cells, "-1"))
}

// alwaysBounds reports whether hardly any of many rows has an empty cell in a column, or one that says that a number is
// exact.
func (g *grid) alwaysBounds(i int) bool {
	const many, share = 6, 0.75
	bounds := stats.Count(g.cells(i, sampled), func(cell string) bool { r, _, ok := numeral.ParseRelation(cell); return ok && r.Bound != 0 })
	return bounds >= many && float64(bounds) > share*float64(len(g.sample))
}

// isCensored reports whether a column says that numbers are bounds, but not on which side the true values are.
func (g *grid) isCensored(i int) bool {
	yes, no := []string{"1", "true", "yes", "y", "t"}, []string{"0", "false", "no", "n", "f"}
	set := func(cell string) bool { return slices.Contains(yes, strings.ToLower(cell)) }
	flag := func(cell string) bool { return set(cell) || slices.Contains(no, strings.ToLower(cell)) }
	return g.heading(i).HasAny(censorNames) && g.share(i, flag) == 1 && g.share(i, set) > 0
}

// chooseRelations sets the columns of relations.
func (g *grid) chooseRelations(o Options, c *columns, q *Question) error {
	if o.Relation == NoRelation {
		return nil
	}
	given, err := g.named(RoleRelation, o.Relation, "")
	if err != nil {
		return err
	}
	if given >= 0 {
		for i := range c.scores {
			c.scores[i].relations = given
		}
		return nil
	}
	g.noteRelations(c)
	taken := c.taken()
	for _, outcomes := range [][]outcome{c.scores, c.others} {
		for i := range outcomes {
			out := &outcomes[i]
			if out.column < 0 {
				continue
			}
			var owner int
			out.relations, owner = g.companion(out.column, taken, g.relations, relationNames)
			h := g.heading(out.column)
			out.flipped = owner >= 0 || out.relations >= 0 && h.Log == "p" && g.linear(out.column) && !g.heading(out.relations).HasAny(h.Words)
		}
	}
	if i := g.one(func(i int) bool { return len(c.scores) > 0 && !slices.Contains(taken, i) && g.isCensored(i) }); i >= 0 {
		const why = "column %s says which scores are bounds, but not whether the true values are above or below; > and < would"
		q.ask(RoleRelation, fmt.Sprintf(why, g.name(i)), g.candidates(i))
	}
	return nil
}

// noteRelations notes a column whose name says that it holds relations, and whose cells are not understood as such
// though some are.
func (g *grid) noteRelations(c *columns) {
	for _, i := range g.where(func(i int) bool { return g.heading(i).HasAny(relationNames) && !slices.Contains(g.relations, i) }) {
		cells := g.cells(i, sampled)
		if at := slices.IndexFunc(cells, func(cell string) bool { return !numeral.IsRelation(cell) }); at >= 0 && g.share(i, numeral.IsRelation) > 0.1 {
			c.notes = append(c.notes, fmt.Sprintf("column %s is not read as relations: %q is none; relations are >, <, =, greater than and so on", g.name(i), usage.Shorten(cells[at], 20)))
		}
	}
}

// linear reports whether the table also has the numbers whose negative logarithms are in a column.
func (g *grid) linear(column int) bool {
	return g.one(func(i int) bool {
		h := g.heading(i)
		endpoint, _ := quantity.Endpoint(h.Base)
		return i != column && h.Log == "" && (endpoint != "" || h.Base == "standardvalue" || h.Base == "publishedvalue") && g.share(i, numeral.IsValue) > 0.5
	}) >= 0
}
