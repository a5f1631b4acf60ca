package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/quantity"
)

// Words for what rows say of other rows, folded. Those of values may stand for a string without single measurements;
// earlier lists are preferred. Those of spreads never do. Vague words may mean something else, unless their column has
// a clear one or is called after statistics.
var (
	valueStatistics  = lists("statistic of values")
	spreadStatistics = list("statistic of spread")
	vagueStatistics  = list("vague statistic")
	statisticNames   = slices.Concat(quantity.Replicates, list("statistic"))
)

// Ranks of rows that are no statistic, and of those of spreads.
const (
	single   = -1
	ofSpread = 1 << 10
)

// ofSeveral matches what may stand behind a statistic, folded: mean of 3, mean (n = 3).
var ofSeveral = regexp.MustCompile(`(?:of)?n?\d*(?:replicates|runs|values|measurements)?$`)

// statisticOf returns the rank of the statistic that a cell names, and whether its word is clear; single if it names none.
func statisticOf(cell string) (rank int, clear bool) {
	const longest = 40 // letters
	if cell == "" || len(cell) > longest {
		return single, false
	}
	text := strings.Join(quantity.Words(cell), "")
	for _, word := range []string{text, text[:ofSeveral.FindStringIndex(text)[0]]} {
		clear = !slices.Contains(vagueStatistics, word)
		if slices.Contains(spreadStatistics, word) {
			return ofSpread, clear
		}
		if rank = rankOf(valueStatistics, word); rank >= 0 {
			return rank, clear
		}
	}
	return single, false
}

// statisticNamed splits a name such as C1 (mean) into that of another row and the statistic. If it has none, word is empty.
func statisticNamed(name string, isName func(name string) bool) (of, word string) {
	const between = " _-(:,/|"
	for i, r := range name {
		if !strings.ContainsRune(between, r) || !isName(strings.TrimRight(name[:i], between)) {
			continue
		}
		word = strings.Trim(name[i:], between+")")
		if rank, _ := statisticOf(word); rank != single {
			return strings.TrimRight(name[:i], between), word
		}
	}
	return name, ""
}

// tellStatistics returns the columns that say of rows that they are statistics of others.
func (g *grid) tellStatistics(c columns) []int {
	return g.where(func(i int) bool {
		free := i == c.id || i == c.kind || !slices.Contains(c.used, i)
		return free && slices.ContainsFunc(g.cells(i, sampled), func(cell string) bool {
			rank, clear := statisticOf(cell)
			return clear || rank != single && slices.Contains(statisticNames, g.heading(i).Base)
		})
	})
}

// setStatisticsAside sets rows aside that are the mean, the standard deviation or another statistic of other rows, as a
// column or their name says. The mean is the value of a string that has no single measurements.
func (t *Table) setStatisticsAside(g *grid, c columns) {
	if !g.format.Header || c.export != nil {
		return
	}
	called := map[string]string{} // strings by name
	for _, r := range t.Records {
		if r.ID != "" {
			called[r.ID] = cmp.Or(called[r.ID], r.Input)
		}
	}
	isName := func(name string) bool { _, ok := called[name]; return ok }
	isClear := func(r Record) bool {
		_, word := statisticNamed(r.ID, isName)
		_, clear := statisticOf(word)
		return clear
	}
	inNames := slices.ContainsFunc(t.Records, isClear)
	type statistic struct {
		rank         int
		word, string string // what the row says, and the string that it is about; empty if it does not say which
	}
	rows := make([]statistic, len(t.Records))
	best := map[string]int{} // ranks by string
	columns, least, i := g.tellStatistics(c), ofSpread, 0
	for cells := range g.data() {
		if i == len(rows) {
			break
		}
		r, s := &t.Records[i], statistic{rank: single}
		name := r.ID
		if inNames {
			name, s.word = statisticNamed(r.ID, isName)
			s.rank, _ = statisticOf(s.word)
		}
		for _, column := range columns {
			if rank, _ := statisticOf(field(cells, column)); rank != single {
				s.rank, s.word = rank, field(cells, column)
				if column == c.id {
					name = ""
				}
			}
		}
		if s.string = cmp.Or(r.Input, called[name]); s.string == "" && name != "" {
			s.string = "\x00" + name // its string is in another table
		}
		if known, ok := best[s.string]; (r.State == Measured || len(r.Others) > 0) && (!ok || s.rank < known) {
			best[s.string] = s.rank
		}
		least, rows[i] = min(least, s.rank), s
		i++
	}
	for i, s := range rows {
		known, valued := best[s.string]
		if s.rank == single || s.rank == least || s.rank != ofSpread && s.string != "" && (!valued || s.rank <= known) {
			continue
		}
		r := &t.Records[i]
		r.without(SetAside, Reason{Statistic, s.word + " of other rows"})
		r.Others, r.OtherBounds, r.OtherFailed, r.further = nil, nil, nil, nil
	}
}
