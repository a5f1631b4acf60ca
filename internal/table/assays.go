package table

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// chooseType sets the column of kinds of measurement, and the kind that is wanted: that of the Options, or that of most
// rows. Kinds that are assays are those of the Options only; beside a column of kinds they choose the rows among which
// most have the kind.
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
	folded := func(kind string) string { key, _, _ := foldKind(kind); return key }
	for _, same := range []func(a, b string) bool{strings.EqualFold, func(a, b string) bool { return folded(a) == folded(b) }} {
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
		candidates := stats.Map(kinds, func(kind string) Candidate {
			return Candidate{Names: []string{kind}, Values: has.n[kind], Least: math.Inf(1)}
		})
		q.ask(RoleType, fmt.Sprintf("column %s has several kinds of measurement: %s", g.name(c.kind), known), candidates)
	case len(kinds) > 0:
		c.wanted = kinds[0]
	}
	return nil
}

// holdsKinds reports whether the cells of a column are kinds of measurement, such as Ki and IC50, there are several,
// nearly all rows have one, and one of these is that which the name of the scores states, if it does.
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
	folded, _, _ := foldKind(kind)
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

// isAssay reports whether a column says in which of several assays something was measured. Cells without a name are of
// one, too.
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

// isSetting reports whether a column says under which conditions something was measured: temperature (°C), substrate,
// assay pH.
func (g *grid) isSetting(i int) bool {
	h := g.heading(i)
	return slices.Contains(settingNames, h.Base) || slices.Contains(settingNames, strings.Join(without(h.Words, settingWords), ""))
}

// isTimePoint reports whether a column of days counts them from a beginning, with gaps, as 1 and 7. Days without gaps
// may be those of replicates.
func (g *grid) isTimePoint(i int) bool {
	if !slices.Contains([]string{"day", "days"}, g.heading(i).Base) || g.share(i, numeral.IsDigits) < 1 {
		return false
	}
	days := slices.Compact(slices.SortedFunc(slices.Values(g.cells(i, sampled)), compareWhole))
	first, _ := strconv.Atoi(days[0])
	last, _ := strconv.Atoi(days[len(days)-1])
	return last-first >= len(days) && last < 1000
}

// isKind reports whether a column has a few words, each in several rows, or one word and empty cells, whatever its name
// is: it may say what was measured. A name of samples or of people's remarks does not.
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
	all := func(is func(cell string) bool) bool { return stats.Count(cells.order, is) == len(cells.order) }
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
		t.Records[i].settings = stats.Map(columns, func(c int) string { return usage.Shorten(field(cells, c), 60) })
		i++
	}
}

const assays = "assays"

// noteSeveral notes if values of one string are of several assays or conditions, which of says, as they are taken for
// replicates: if they are of more than a share of the strings with several values. An empty cell counts as an assay of
// its own if most of these strings have it beside another. Assays that have no string in common are noted, too. It
// returns what to ask if nearly all strings have values of the same few: these, such as those of a series of doses, are
// no replicates.
func (t *Table) noteSeveral(column, what string, share float64, of func(Record) string) *Ask {
	before := map[string]string{}
	several, again := map[string]bool{}, map[string]bool{}
	if t.mostlyBesideBlank(of) {
		filled := of
		of = func(r Record) string { return cmp.Or(filled(r), "blank") }
	}
	of = t.alike(of)
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
	if what != assays && 2*len(usual) > total { // times and readings, which hardly recur
		return nil
	}
	apart := what == assays && total >= enough && len(several) == 0 && len(usual) > 1 && len(usual) <= kinds && 10*all.n[usual[1]] >= total
	if !apart && (len(several) == 0 || float64(len(several)) < share*float64(len(again))) {
		return nil
	}
	help := fmt.Sprintf("give %s as type to take those of one", without(usual, []string{"blank"})[0])
	if t.Columns.Assay != "" {
		help = "give a table of one to take no others"
	}
	listed := strings.Join(firstOf(all.list("%[2]s (%[1]d)", usual), 5), ", ")
	if apart {
		t.Notes = append(t.Notes, fmt.Sprintf("column %s has several %s, %s, which have no string in common, and their scores are compared as if they were of one; %s", column, what, listed, help))
		return nil
	}
	t.Notes = append(t.Notes, fmt.Sprintf("column %s has several %s, %s, and scores of one string in several of them are taken as replicates, as of %d strings; %s",
		column, what, listed, len(several), help))
	const nearly = 0.9
	if len(usual) > kinds || len(several) < 2 || float64(len(several)) < nearly*float64(len(before)) || 2*all.n[usual[1]] < len(before) {
		return nil
	}
	candidates := stats.Map(without(usual, []string{"blank"}), func(value string) Candidate {
		return Candidate{Names: []string{value}, Values: all.n[value], Least: math.Inf(1)}
	})
	candidates = append(candidates, Candidate{Names: []string{NoType}, Values: total, Least: math.Inf(1), Note: "all as replicates"})
	return &Ask{RoleType, fmt.Sprintf("column %s has several %s, and nearly all strings have scores in more than one: %s", column, what, listed), candidates}
}

// alike returns a function like of that gives all spellings of a condition as the first one: 37 and 37.0, Binding and
// binding. Numbers of one unit that differ by little are readings of one condition.
func (t *Table) alike(of func(Record) string) func(Record) string {
	const little = 0.03
	first, readings := map[string]string{}, map[string][]float64{} // by foldKind; by unit
	for _, r := range t.Records {
		text := of(r)
		key, v, unit := foldKind(text)
		if _, known := first[key]; known || text == "" || r.State != Measured {
			continue
		}
		first[key] = text
		if math.IsNaN(v) {
			continue
		}
		near := slices.IndexFunc(readings[unit], func(o float64) bool { return math.Abs(o-v) <= little*max(math.Abs(o), math.Abs(v)) })
		if near >= 0 {
			first[key] = first[numberKey(readings[unit][near], unit)]
			continue
		}
		readings[unit] = append(readings[unit], v)
	}
	return func(r Record) string {
		text := of(r)
		key, _, _ := foldKind(text)
		return cmp.Or(first[key], text)
	}
}

// kindNumber matches a kind or condition that is a number, perhaps with a unit.
var kindNumber = regexp.MustCompile(`^([-+]?[0-9]+(?:[.,][0-9]+)?(?:[eE][-+]?[0-9]+)?)\s*([^0-9:]*)$`)

// foldKind returns what is the same for all spellings of a kind or condition, with its number and unit; NaN if it is none.
func foldKind(text string) (key string, v float64, unit string) {
	if m := kindNumber.FindStringSubmatch(text); m != nil {
		if v, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64); err == nil {
			unit = quantity.Fold(m[2])
			return numberKey(v, unit), v, unit
		}
	}
	return cmp.Or(quantity.Fold(text), text), math.NaN(), ""
}

func numberKey(v float64, unit string) string { return strconv.FormatFloat(v, 'g', -1, 64) + unit }

// mostlyBesideBlank reports whether most strings with several values have one with an empty cell and one with another,
// by what of returns.
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
