package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// NoRelation is an Options.Relation for a table whose numbers are all exact, NoColumn an SE or SD for one whose scores have no such column, and NoType a Type
// for one whose rows are all of the same kind.
const (
	NoRelation = "none"
	NoColumn   = "none"
	NoType     = "none"
)

// companion returns which of some columns, relations or units, belongs to a column of numbers; -1 if none does. Words are those by which such a column is
// known; the rest of its name may name the column of numbers. Of several columns the nearest is taken. owner is the column of the numbers whose logarithms
// the column holds, if the companion is named after that; otherwise -1.
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

// isLogOf reports whether a column holds the negative logarithms of another, as far as their names say: pIC50 of IC50 (nM), pChEMBL value of Standard Value.
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

// alwaysBounds reports whether hardly any of many rows has an empty cell in a column, or one that says that a number is exact.
func (g *grid) alwaysBounds(i int) bool {
	const many, share = 6, 0.75
	bounds := count(g.cells(i, sampled), func(cell string) bool { r, _, ok := numeral.ParseRelation(cell); return ok && r.Bound != 0 })
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

// noteRelations notes a column whose name says that it holds relations, and whose cells are not understood as such though some are.
func (g *grid) noteRelations(c *columns) {
	for _, i := range g.where(func(i int) bool { return g.heading(i).HasAny(relationNames) && !slices.Contains(g.relations, i) }) {
		cells := g.cells(i, sampled)
		if at := slices.IndexFunc(cells, func(cell string) bool { return !numeral.IsRelation(cell) }); at >= 0 && g.share(i, numeral.IsRelation) > 0.1 {
			c.notes = append(c.notes, fmt.Sprintf("column %s is not read as relations: %q is none; relations are >, <, =, greater than and so on", g.name(i), usage.Shorten(cells[at], 20)))
		}
	}
}

// linear reports whether the table has numbers of which a column holds the negative logarithms.
func (g *grid) linear(column int) bool {
	return g.one(func(i int) bool {
		h := g.heading(i)
		endpoint, _ := quantity.Endpoint(h.Base)
		return i != column && h.Log == "" && (endpoint != "" || h.Base == "standardvalue" || h.Base == "publishedvalue") && g.share(i, numeral.IsValue) > 0.5
	}) >= 0
}

// chooseType sets the column of kinds of measurement, and the kind that is wanted: that of the Options, or that of most rows. Kinds that are
// assays are those of the Options only; beside a column of kinds they choose the rows among which most have the kind.
func (g *grid) chooseType(o Options, c *columns, q *Question) error {
	if g.kinds != nil || o.Type == NoType {
		return nil
	}
	taken, wanted := c.taken(), cmp.Or(o.Type, o.Like.Type)
	c.kind = g.one(func(i int) bool {
		base := g.heading(i).Base
		return !slices.Contains(taken, i) && slices.Contains(typeNames, base) && (base == "standardtype" || o.Known != nil || g.share(i, isQuantity) > 0) && g.share(i, numeral.IsValue) <= 0.5
	})
	if c.kind < 0 && o.Known == nil { // whatever its name is
		c.kind = g.one(func(i int) bool { return !slices.Contains(taken, i) && g.holdsKinds(i, c) })
	}
	all := g.where(func(i int) bool { // assays and conditions
		return !slices.Contains(taken, i) && i != c.kind && (g.isAssay(i) || g.isSetting(i) || g.isTimePoint(i) || g.isKind(i) || o.Known != nil && i != c.id)
	})
	holding := func(value string) int {
		return g.one(func(i int) bool { return value != "" && slices.Contains(all, i) && g.has(i, value) })
	}
	of := func(value string) int { // where it is, or else what a told table says instead
		if i := holding(value); i >= 0 || value == "" || o.Known == nil {
			return i
		}
		return g.one(func(i int) bool { return slices.Contains(all, i) && g.namesAssay(i) && g.filled(i) })
	}
	switch {
	case c.kind < 0:
		c.kind = of(wanted)
		if c.kind < 0 && o.Type != "" && len(all) > 0 {
			c.kind = all[0]
		}
	case o.Type != "" && !g.has(c.kind, o.Type) && holding(o.Type) >= 0:
		c.among, c.amongValue, wanted = holding(o.Type), o.Type, ""
	case o.Type == "":
		c.among, c.amongValue = of(o.Like.Assay), o.Like.Assay
	}
	switch {
	case c.kind < 0 && o.Type != "":
		return &ColumnError{Role: RoleType, Name: o.Type, Problem: "no column says what kinds of measurement there are"}
	case c.kind < 0 || o.noScores():
		return nil
	}
	var has tally[string]
	for cells := range g.data() {
		if kind := field(cells, c.kind); kind != "" && c.isAmong(cells) {
			has.add(c.spelled(usage.Shorten(kind, 60)))
		}
	}
	kinds := has.usual()
	known := strings.Join(firstOf(has.list("%[2]s (%[1]d)", kinds), 10), ", ")
	for _, same := range []func(a, b string) bool{strings.EqualFold, func(a, b string) bool { return quantity.Fold(a) == quantity.Fold(b) }} {
		for _, kind := range kinds {
			if wanted != "" && same(kind, wanted) {
				c.wanted = kind
				return nil
			}
		}
	}
	switch {
	case wanted != "":
		return &ColumnError{Role: RoleType, Name: wanted, Problem: "no row is of this kind; there are " + known}
	case len(kinds) > 1 && 2*has.n[kinds[1]] > has.n[kinds[0]]:
		candidates := mapped(kinds, func(kind string) Candidate {
			return Candidate{Names: []string{kind}, Values: has.n[kind], Least: math.Inf(1)}
		})
		q.ask(RoleType, fmt.Sprintf("column %s has several kinds of measurement: %s", g.name(c.kind), known), candidates)
	case len(kinds) > 0:
		c.wanted = kinds[0]
	}
	return nil
}

// holdsKinds reports whether the cells of a column are kinds of measurement, such as Ki and IC50, there are several, nearly all rows have one, and one of these
// is that which the name of the scores states, if it does.
func (g *grid) holdsKinds(i int, c *columns) bool {
	isEndpoint := func(cell string) bool { endpoint, _ := quantity.Endpoint(quantity.Fold(cell)); return endpoint != "" }
	if !g.format.Header || g.heading(i).HasAny(sampleWords) || 10*g.blanks(i) > len(g.sample) || !g.several(i) || g.share(i, isEndpoint) <= 0.5 || g.share(i, isQuantity) < 1 {
		return false
	}
	return !slices.ContainsFunc(c.scores, func(out outcome) bool {
		h := g.heading(out.column)
		same := func(cell string) bool {
			q, _ := quantity.Endpoint(quantity.Fold(cell))
			return slices.ContainsFunc(h.Words, func(w string) bool { of, _ := quantity.Endpoint(w); return of == q && q != "" })
		}
		return h.HasEndpoint() && g.share(i, same) == 0
	})
}

// spelled returns a kind of measurement as the first row spells it: IC50, ic50, IC 50 and IC₅₀ are one.
func (c *columns) spelled(kind string) string {
	if known, ok := c.spellings[kind]; ok {
		return known
	}
	if c.spellings == nil {
		c.spellings, c.kinds = map[string]string{}, map[string]string{}
	}
	folded := cmp.Or(quantity.Fold(kind), kind)
	known, ok := c.kinds[folded]
	if !ok {
		known = kind
		c.kinds[folded] = kind
	}
	if len(c.spellings) < mostSpellings { // to read a name takes longer than to find it
		c.spellings[kind] = known
	}
	return known
}

const mostSpellings = 1000

// isAmong reports whether a row is of the assay that is wanted beside a kind of measurement.
func (c *columns) isAmong(cells []string) bool {
	return c.among < 0 || strings.EqualFold(field(cells, c.among), c.amongValue)
}

// isAssay reports whether a column says in which of several assays something was measured. Cells without a name are of one, too.
func (g *grid) isAssay(i int) bool {
	return g.namesAssay(i) && (g.several(i) || g.filled(i) && g.blanks(i) > 0)
}

func (g *grid) namesAssay(i int) bool { return slices.Contains(assayNames, g.heading(i).Base) }

// several reports whether a column has cells that differ.
func (g *grid) several(i int) bool {
	cells := g.cells(i, sampled)
	return slices.ContainsFunc(cells, func(cell string) bool { return cell != cells[0] })
}

// blanks counts the empty cells of a column.
func (g *grid) blanks(i int) int { return len(g.sample) - len(g.cells(i, sampled)) }

// isSetting reports whether a column says under which conditions something was measured: temperature (°C), substrate, assay pH.
func (g *grid) isSetting(i int) bool {
	h := g.heading(i)
	return slices.Contains(settingNames, h.Base) || slices.Contains(settingNames, strings.Join(without(h.Words, settingWords), ""))
}

// isTimePoint reports whether a column of days counts them from a beginning, with gaps, as 1 and 7. Days without gaps may be those of replicates.
func (g *grid) isTimePoint(i int) bool {
	if !slices.Contains([]string{"day", "days"}, g.heading(i).Base) || g.share(i, numeral.IsDigits) < 1 {
		return false
	}
	days := slices.Compact(slices.SortedFunc(slices.Values(g.cells(i, sampled)), compareWhole))
	first, _ := strconv.Atoi(days[0])
	last, _ := strconv.Atoi(days[len(days)-1])
	return last-first >= len(days) && last < 1000
}

// isKind reports whether a column has a few words, each in several rows, or one word and empty cells, whatever its name is: it may say what was
// measured. A name of samples or of people's remarks does not.
func (g *grid) isKind(i int) bool {
	const most = 12
	h := g.heading(i)
	if !g.format.Header || h.HasAny(sampleWords) || g.rank(idNames[:2], i) >= 0 || g.share(i, numeral.IsValue) > 0 {
		return false
	}
	var cells tally[string]
	for _, cell := range g.cells(i, math.MaxInt) {
		if cells.add(cell); len(cells.order) > most {
			return false
		}
	}
	isUnit := func(cell string) bool { _, ok := unitCell(cell); return ok }
	all := func(is func(cell string) bool) bool { return count(cells.order, is) == len(cells.order) }
	return (len(cells.order) > 1 || len(cells.order) == 1 && g.blanks(i) > 1) &&
		all(func(cell string) bool { return cells.n[cell] > 1 }) && !all(isUnit) && !all(numeral.IsRelation)
}

// has reports whether a cell of a column is a text, whatever its case.
func (g *grid) has(column int, text string) bool {
	for cells := range g.data() {
		if strings.EqualFold(field(cells, column), text) {
			return true
		}
	}
	return false
}

// setSettings keeps the cells of columns of conditions, which are not used otherwise, with the records of their rows.
func (t *Table) setSettings(g *grid, columns []int) {
	if len(columns) == 0 {
		return
	}
	i := 0
	for cells := range g.data() {
		if i == len(t.Records) {
			return
		}
		t.Records[i].settings = mapped(columns, func(c int) string { return usage.Shorten(field(cells, c), 60) })
		i++
	}
}

const assays = "assays"

// noteSeveral notes if values of one string are of several assays or conditions, which of says, as they are taken for replicates: if they are of
// more than a share of the strings with several values. An empty cell counts as an assay of its own if most of these strings have it beside another.
// Assays that have no string in common are noted, too.
func (t *Table) noteSeveral(column, what string, share float64, of func(Record) string) {
	before := map[string]string{}
	several, again := map[string]bool{}, map[string]bool{}
	if t.mostlyBesideBlank(of) {
		filled := of
		of = func(r Record) string { return cmp.Or(filled(r), "blank") }
	}
	const kinds, enough = 12, 10 // values at most, as more are hardly different things, and measurements
	var all tally[string]
	total := 0
	for _, r := range t.Records {
		value := of(r)
		if r.State != Measured || value == "" {
			continue
		}
		all.add(value)
		total++
		if known, ok := before[r.Input]; ok {
			again[r.Input] = true
			if known != value {
				several[r.Input] = true
			}
		}
		before[r.Input] = value
	}
	usual := all.usual()
	apart := what == assays && total >= enough && len(several) == 0 && len(usual) > 1 && len(usual) <= kinds && 10*all.n[usual[1]] >= total
	if !apart && (len(several) == 0 || float64(len(several)) < share*float64(len(again))) {
		return
	}
	help := fmt.Sprintf("give %s as type to take those of one", without(usual, []string{"blank"})[0])
	if t.Columns.Assay != "" {
		help = "give a table of one to take no others"
	}
	listed := strings.Join(firstOf(all.list("%[2]s (%[1]d)", usual), 5), ", ")
	if apart {
		t.Notes = append(t.Notes, fmt.Sprintf("column %s has several %s, %s, which have no string in common, and their scores are compared as if they were of one; %s", column, what, listed, help))
		return
	}
	t.Notes = append(t.Notes, fmt.Sprintf("column %s has several %s, %s, and scores of one string in several of them are taken as replicates, as of %d strings; %s",
		column, what, listed, len(several), help))
}

// mostlyBesideBlank reports whether most strings with several values have one with an empty cell and one with another, by what of returns.
func (t *Table) mostlyBesideBlank(of func(Record) string) bool {
	rows, blanks := map[string]int{}, map[string]int{}
	for _, r := range t.Records {
		if r.State == Measured {
			rows[r.Input]++
			if of(r) == "" {
				blanks[r.Input]++
			}
		}
	}
	again, beside := 0, 0
	for x, n := range rows {
		if n > 1 {
			again++
		}
		if 0 < blanks[x] && blanks[x] < n {
			beside++
		}
	}
	return beside > 0 && 2*beside >= again
}

// isQuantity reports whether a cell names a kind of measurement: IC50, pKi, % inhibition.
func isQuantity(cell string) bool {
	h := quantity.ParseHeading(cell)
	return h.HasEndpoint() || h.HasAny(quantityWords)
}

// tally counts values, in the order of their first.
type tally[T comparable] struct {
	order []T
	n     map[T]int
}

func (c *tally[T]) add(value T) {
	if c.n == nil {
		c.n = map[T]int{}
	}
	if c.n[value]++; c.n[value] == 1 {
		c.order = append(c.order, value)
	}
}

// usual returns the values, the most frequent first.
func (c *tally[T]) usual() []T {
	return slices.SortedStableFunc(slices.Values(c.order), func(a, b T) int { return c.n[b] - c.n[a] })
}

// list writes some of the values, each with its number before it.
func (c *tally[T]) list(format string, values []T) []string {
	return mapped(values, func(v T) string { return fmt.Sprintf(format, c.n[v], v) })
}

// isUnits reports whether a column holds units: by its name and content, or by its content alone if that is certain.
func (g *grid) isUnits(i int) bool {
	isUnit := func(cell string) bool { _, ok := quantity.ParseUnit(cell); return ok }
	switch h := g.heading(i); {
	case slices.Contains(unitNames, h.Base): // whatever the others are: rows in these are set aside
		return g.share(i, isUnit) > 0
	case h.HasAny(unitNames):
		return g.share(i, isUnit) > 0.5
	}
	certain := func(cell string) bool {
		u, ok := quantity.ParseUnit(cell)
		return ok && len(cell) > 1 && (u.PerVolume() || strings.Contains(cell, "/"))
	}
	first := g.cells(i, 1)
	return len(first) > 0 && certain(first[0]) && g.share(i, certain) == 1
}

// chooseUnits sets the units of the outcomes, and what they are converted to: the unit of the study, of the Options or of the first column.
func (g *grid) chooseUnits(o Options, c *columns) error {
	given, errGiven := readUnit(o.Unit)
	target, err := readUnit(o.Like.Unit)
	if err := cmp.Or(errGiven, err, checkScale(o.Scale)); err != nil {
		return err
	}
	study := o.Like.Score != ""
	if !study {
		target = given
	} else if h := quantity.ParseHeading(o.Like.Score); !target.IsSet() && h.Unit.Equal(quantity.Ratio) && !h.Relative && o.Like.Scale == "" { // of earlier versions
		target = h.Unit
	}
	for i := range c.scores {
		out := &c.scores[i]
		name := g.name(out.column)
		if out.scale, err = g.scaleOf(out.column, o); err != nil {
			return err
		}
		if study && out.scale == "" && o.Like.Scale == "" {
			if err := g.sameScale(out.column, o.Like); err != nil {
				return err
			}
		}
		if out.scale == "" && (o.Scale != "" || o.Like.Scale != "") { // the column holds what is made of others
			out.molarLog = c.export == nil && quantity.IsMolarLog(name, "")
			continue
		}
		wanted := target
		switch {
		case wanted.IsSet():
		case i > 0: // replicates have one unit
			wanted = c.scores[0].want
		case len(o.Score) > 0 && !study: // "IC50 (uM)" of a column in nM
			wanted = quantity.ParseHeading(o.Score[0]).Unit
		}
		g.stateUnits(out, *c)
		if named := g.heading(out.column).Unit; out.byRow && named.IsSet() && !wanted.IsSet() && !study && named.String() != out.stated.String() {
			wanted = named
			c.notes = append(c.notes, fmt.Sprintf("the name of column %s says %s, and most of its rows say %s: their numbers are converted to %s", name, named, out.stated, named))
		}
		switch {
		case study && !target.IsSet() && given.IsSet() && out.stated.ConvertsTo(given): // the study's, which states none
			wanted = given
		case out.byRow || !given.IsSet():
		case !out.stated.IsSet():
			out.stated = given
		case study && !out.stated.Equal(given):
			return &ColumnError{Role: RoleUnit, Name: given.String(), Problem: fmt.Sprintf("column %s is in %s", name, out.stated)}
		}
		wanted = o.asFraction("", *out, wanted)
		if !wanted.IsSet() && study && !given.IsSet() && o.isUndecided("", *out) {
			return &ColumnError{Role: RoleUnit, Name: quantity.Percent.String(), Problem: fmt.Sprintf("the numbers of column %s are in %%, and the study states no unit of %s, whose values may be ratios: give fraction as unit if they are, or %% if they are in per cent", name, o.Like.Score)}
		}
		switch {
		case !wanted.IsSet() && study && out.stated.IsSet() && o.Scale == "":
			c.notes = append(c.notes, fmt.Sprintf("the study states no unit; the numbers of column %s, in %s, are taken as they are", name, out.stated))
		case wanted.IsSet() && !out.stated.IsSet() && !out.byRow:
			c.notes = append(c.notes, fmt.Sprintf("column %s states no unit; its numbers are taken to be in %s", name, wanted))
		}
		if err := g.convert(out, wanted); err != nil {
			return err
		}
		if out.scale.IsNegative() && !out.want.ConvertsTo(quantity.Molar) {
			problem := "the unit of column " + name + " is not known"
			if out.want.IsSet() {
				problem = fmt.Sprintf("column %s is in %s, which is no molar concentration", name, out.want)
			}
			return &ColumnError{Role: RoleScale, Name: string(out.scale), Problem: problem, NoUnit: !out.want.IsSet()}
		}
	}
	for i := range c.others {
		out := &c.others[i]
		if out.column < 0 {
			continue
		}
		wanted := quantity.ParseHeading(o.Others[i]).Unit
		if !wanted.IsSet() {
			likewise := o.Like.OtherUnits[o.Others[i]]
			if out.scale != "" {
				likewise = o.Like.OtherFrom[o.Others[i]].Unit
			}
			wanted, err = readUnit(likewise)
		}
		g.stateUnits(out, *c)
		if out.byRow && !wanted.IsSet() && out.stated.IsSet() {
			c.notes = append(c.notes, fmt.Sprintf("numbers of %s, and limits on it, are in %s, as most of its cells are; for another unit, name it %q", o.Others[i], out.stated, o.Others[i]+" (UNIT)"))
		}
		wanted = o.asFraction(o.Others[i], *out, wanted)
		if err := cmp.Or(err, g.convert(out, wanted)); err != nil {
			return err
		}
		if out.scale != "" && !out.want.ConvertsTo(quantity.Molar) {
			return &ColumnError{Role: RoleOther, Name: o.Others[i], Problem: fmt.Sprintf("there is no such column, and column %s, which it could be made of, states no molar concentration as its unit", g.name(out.column))}
		}
	}
	return nil
}

// convert sets the unit that an outcome's numbers are converted to: one that is wanted, or else their own.
func (g *grid) convert(out *outcome, wanted quantity.Unit) error {
	if out.want = wanted; !wanted.IsSet() {
		out.want = out.stated
	}
	if out.stated.IsSet() && !out.stated.ConvertsTo(out.want) {
		return &UnitError{Column: g.name(out.column), Unit: out.stated.String(), Want: wanted.String()}
	}
	if out.byRow { // a row that states no unit has that of the column's name
		out.stated = g.heading(out.column).Unit
	}
	return nil
}

// readUnit reads a unit that Options or a study state; "" is none.
func readUnit(text string) (quantity.Unit, error) {
	u, ok := quantity.ParseStated(text)
	if !ok && text != "" {
		return u, &ColumnError{Role: RoleUnit, Name: text, Problem: "it is not known; units are written as nM, µg/mL, kcal/mol or %"}
	}
	return u, nil
}

// stateUnits finds out in which units an outcome's numbers are: stated is that of the column's name or, if that has none and rows state their
// own, of most rows. Beside a column of units, the name's is only that of rows without one.
func (g *grid) stateUnits(out *outcome, c columns) {
	h := g.heading(out.column)
	out.log = h.Log != ""
	out.stated = h.Unit
	out.positive = c.export == nil && h.Log == "" && (!h.Unit.IsSet() || h.Unit.PerVolume()) && (h.HasEndpoint() || c.wanted != "" && quantity.ParseHeading(c.wanted).HasEndpoint() && quantity.ParseHeading(c.wanted).Log == "")
	if h.Log != "" { // of a logarithm cells state none, or they hold what it is made of
		out.negative = h.Log == "p"
		out.molarLog = c.export == nil && out.scale == "" && quantity.IsMolarLog(g.name(out.column), "")
		return
	}
	out.units, _ = g.companion(out.column, c.taken(), g.units, unitNames)
	if out.units >= 0 && h.Unit.IsSet() && g.valueOf(without(g.heading(out.units).Words, unitNames), out.column) {
		out.units = -1 // Standard Units are those of Standard Value, and not of PubChem Standard Value, which states its own
	}
	var units tally[string]
	numbers, rows := 0, 0
	for cells := range g.data() {
		n, ok := numeral.Parse(field(cells, out.column))
		if !ok || c.wanted != "" && c.spelled(field(cells, c.kind)) != c.wanted || !c.isAmong(cells) {
			continue
		}
		numbers++
		out.percents = out.percents || n.Unit.Equal(quantity.Percent)
		if u := unitOfRow(cells, n.Unit, out.units); u.IsSet() {
			units.add(u.String())
			rows++
		}
	}
	if rows > 0 && out.units >= 0 || 2*rows > numbers {
		if out.byRow = true; !h.Unit.IsSet() || out.units >= 0 {
			out.stated, _ = quantity.ParseUnit(units.usual()[0])
		}
	}
}

// unitOfRow returns the unit of a number: that of its cell, or that in the column of units of its row.
func unitOfRow(cells []string, u quantity.Unit, units int) quantity.Unit {
	if !u.IsSet() {
		u, _ = quantity.ParseUnit(field(cells, units))
	}
	return u
}

// sameScale returns an error if a column holds logarithms and the scores of a study, which are what its tables state, are none, or the reverse.
func (g *grid) sameScale(column int, like Columns) error {
	name, h, scores := g.name(column), g.heading(column), quantity.ParseHeading(like.Score)
	linear := func(h quantity.Heading) bool { return h.HasEndpoint() || h.Unit.IsSet() }
	switch {
	case h.Log == scores.Log && h.LogBase() == scores.LogBase():
	case h.Log == "" && h.IsLog() && !scores.IsLog():
		return &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("it holds logarithms, and %s, the score of the study, is none; convert them first", like.Score)}
	case h.Log != "" && scores.Log != "":
		return &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("its logarithms are not those of %s, the scores of the study", like.Score)}
	case h.Log != "" && (linear(scores) || like.Unit != "" || slices.Equal(h.WithoutLog(), scores.Words)):
		return &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("it holds logarithms, and %s, the score of the study, is none; convert them first", like.Score)}
	case scores.Log != "" && linear(h):
		e := &ColumnError{Role: RoleScore, Name: name, Problem: fmt.Sprintf("it holds no logarithms, and %s, the score of the study, is one; convert its numbers first", like.Score)}
		if endpoint, scale := quantity.Endpoint(scores.Base); scale == "p" && endpoint == h.Base {
			e.Role, e.Name, e.Source, e.Problem = RoleScale, like.Score, name, fmt.Sprintf("column %s holds no logarithms", name)
		}
		return e
	}
	return nil
}

// scaleOf returns the scale that the numbers of a column are to be brought to; none if they are on it.
func (g *grid) scaleOf(column int, o Options) (quantity.Scale, error) {
	h, scale := g.heading(column), cmp.Or(o.Scale, o.Like.Scale)
	if scale == "" || o.Like.Score != "" && h.Base == quantity.Fold(o.Like.Score) || h.Base == quantity.Fold(scale.Name("")) {
		return "", nil
	}
	if h.Log != "" {
		return "", &ColumnError{Role: RoleScale, Name: string(scale), Problem: fmt.Sprintf("column %s holds logarithms", g.name(column))}
	}
	var quantities []string
	for _, word := range append([]string{h.Base}, h.Words...) {
		if endpoint, _ := quantity.Endpoint(word); endpoint != "" {
			quantities = append(quantities, endpoint)
		}
	}
	if len(quantities) > 0 && scale.IsNegative() && !slices.Contains(quantities, scale.Endpoint()) {
		return "", &ColumnError{Role: RoleScale, Name: string(scale), Problem: fmt.Sprintf("column %s is another quantity, whose scale is %s", g.name(column), quantity.ScaleOf(quantities[0]))}
	}
	return scale, nil
}

// asFraction returns the unit that the numbers of an outcome are converted to, a fraction if the study's are such and those of the table are in %.
func (o Options) asFraction(outcome string, out outcome, wanted quantity.Unit) quantity.Unit {
	if !wanted.IsSet() && o.Known != nil && slices.Contains(o.Known.Fractions, outcome) && (out.percents || out.stated.Equal(quantity.Percent)) {
		return quantity.Fraction
	}
	return wanted
}

// isUndecided reports whether the numbers of an outcome are in %, and the study's may be ratios or in per cent.
func (o Options) isUndecided(outcome string, out outcome) bool {
	return o.Known != nil && slices.Contains(o.Known.Ratios, outcome) && (out.percents || out.stated.Equal(quantity.Percent))
}
