package table

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// told is what a row says, as far as it tells equal rows, to the digits that rounding does not spoil.
type told struct {
	id, input, others, repeat string
	score, se                 float64
	bound, column             int
}

// told returns what a row with a score, or with a part of the outcomes, says.
func (r *Record) told() (k told, ok bool) {
	part := r.State == Missing && len(r.Others) > 0
	if r.State != Measured && !part || r.Of > 0 {
		return k, false
	}
	k = told{r.ID, r.Input, "", r.repeat, quantity.Round(r.Score), quantity.Round(r.SE), r.Bound, r.column}
	if part {
		k.score = 0 // NaN is no key
	}
	if len(r.Others) > 0 {
		others := map[string]float64{}
		for name, v := range r.Others {
			others[name] = quantity.Round(v)
		}
		k.others = fmt.Sprint(others, r.OtherBounds) // in the order of names
	}
	return k, true
}

// findRepeats makes rows Repeated that say what a row before says, as exports of joined tables have them: the same
// name, string, score and further outcomes, and the same number of the replicate if a column has such numbers. Where
// few different scores occur, equal rows of one file are measurements instead, unless the whole file was pasted twice;
// equal rows of another file repeat them one by one.
func (t *Table) findRepeats() {
	t.equal = 0
	type place struct {
		told
		nth int // of equal rows of a file that are measurements
	}
	few := t.fewScores()
	first := map[place]*Record{}
	for rows := range t.byFile() {
		nth := map[told]int{}
		whole := period(rows)
		for i, r := range rows {
			if i%whole == 0 {
				clear(nth)
			}
			k, _ := r.told()
			at := place{told: k}
			if few && r.repeat == "" && r.Bound == 0 {
				at.nth = nth[k]
				nth[k]++
			}
			before, ok := first[at]
			if !ok {
				first[at] = r
				if at.nth > 0 {
					t.equal++
				}
				continue
			}
			where := fmt.Sprintf("line %d", before.Line)
			if before.File != r.File {
				where += " of " + before.File
			}
			r.own, r.ownReason = r.State, r.Reason
			r.State, r.Reason = Repeated, Reason{SameMeasurement, where + " has the same"}
		}
	}
}

// byFile returns the rows of each file that told is of.
func (t *Table) byFile() iter.Seq[[]*Record] {
	return func(yield func([]*Record) bool) {
		var rows []*Record
		for i := range t.Records {
			r := &t.Records[i]
			if len(rows) > 0 && rows[0].File != r.File {
				if !yield(rows) {
					return
				}
				rows = nil
			}
			if _, ok := r.told(); ok {
				rows = append(rows, r)
			}
		}
		if len(rows) > 0 {
			yield(rows)
		}
	}
}

// period returns after how many rows the rest repeats them, as in a file that was pasted twice; all, if it does not.
func period(rows []*Record) int {
	const fewest = 5 // rows that are hardly equal twice by chance
	all := stats.Map(rows, func(r *Record) told { k, _ := r.told(); return k })
	for n := fewest; n <= len(all)/2; n++ {
		if len(all)%n == 0 && slices.Equal(all[n:], all[:len(all)-n]) {
			return n
		}
	}
	return max(len(all), 1)
}

// fewScores reports whether so few different scores occur, such as 0 and 1, or counts, that equal scores of a string
// are hardly copies of a row. There are 0 and 1 only, or all are small whole numbers and a string has several, or most
// scores of one string occur with others, too.
func (t *Table) fewScores() bool {
	const small, strings, often = 20, 3, 0.1
	type pair struct{ input, score string }
	pairs := map[pair]bool{}
	with, of := map[string]int{}, map[string]int{} // strings with a score, and scores of a string
	n, flags, whole := 0, true, true
	for i := range t.Records {
		r := &t.Records[i]
		k, ok := r.told()
		if !ok || r.Bound != 0 || len(r.OtherBounds) > 0 {
			continue
		}
		p := pair{cmp.Or(r.Input, "\x00"+r.ID), fmt.Sprint(k.score, k.others)}
		if pairs[p] {
			continue
		}
		pairs[p] = true
		n++
		with[p.score]++
		of[p.input]++
		for _, v := range append(slices.Collect(maps.Values(r.Others)), k.score) {
			flags = flags && (v == 0 || v == 1)
			whole = whole && v == math.Trunc(v) && math.Abs(v) <= small
		}
	}
	several, shared, same, all := false, 0, 0, n*n // pairs of scores of different strings, and those that are equal
	for _, k := range of {
		several = several || k > 1
		all -= k * k
	}
	for _, k := range with {
		if k > 1 {
			shared += k
		}
		same += k * (k - 1)
	}
	return n > 0 && flags || whole && several ||
		len(of) >= strings && 4*shared >= 3*n && float64(same) >= often*float64(all)
}

// noteRepeats remarks on equal rows, where it matters for the score of a string whether they are measurements.
func (t *Table) noteRepeats() {
	mixed := map[string]map[float64]bool{}
	for _, r := range t.Records {
		if r.State == Measured && r.Bound == 0 {
			if mixed[r.Input] == nil {
				mixed[r.Input] = map[float64]bool{}
			}
			mixed[r.Input][r.Score] = true
		}
	}
	out, line := 0, 0
	for _, r := range t.Records {
		if r.State == Repeated && r.Bound == 0 && len(mixed[r.Input]) > 1 {
			if out++; out == 1 {
				line = r.Line
			}
		}
	}
	if out > 0 {
		t.Remarks = append(t.Remarks, fmt.Sprintf("rows that repeat an earlier string and score were left out of the mean: %d, the first in line %d; to count them, number the measurements in a column replicate", out, line))
	}
	if t.equal > 0 {
		t.Remarks = append(t.Remarks, fmt.Sprintf("rows that repeat an earlier string and score were counted as measurements, because the table has few distinct scores: %d; delete any that are copies", t.equal))
	}
}

// Conflict is a name that rows give to several strings.
type Conflict struct {
	Name  string
	Lines []int    // of the first row of each string
	Named []string // what the strings are called now; nil if they have no names any more
}

// SeparateNames gives each of the strings that share a name a name of its own, A3-1 and A3-2 for A3, and leaves the
// others as they are. A name such as N/A that strings share is none. A column in which most strings share their names
// is no column of names: all rows lose theirs.
func (t *Table) SeparateNames() []*Conflict {
	of := map[string]*Conflict{} // of all names
	place := map[[2]string]int{} // of an input among those of its name
	var conflicts []*Conflict    // of those of several strings, in the end
	for _, r := range t.Records {
		if r.State == Invalid || r.State == SetAside || r.ID == "" || r.Input == "" {
			continue
		}
		c, ok := of[r.ID]
		if !ok {
			c = &Conflict{Name: r.ID}
			of[r.ID], conflicts = c, append(conflicts, c)
		}
		if _, known := place[[2]string{r.ID, r.Input}]; !known {
			place[[2]string{r.ID, r.Input}] = len(c.Lines)
			c.Lines = append(c.Lines, r.Line)
		}
	}
	none := func(c *Conflict) bool { return len(c.Lines) > 1 && numeral.IsMissing(c.Name) } // N/A says that there is no name
	for i, r := range t.Records {
		if c := of[r.ID]; c != nil && none(c) {
			t.Records[i].ID = ""
		}
	}
	conflicts = slices.DeleteFunc(conflicts, none)
	all, shared := 0, 0
	for _, c := range conflicts {
		n := len(c.Lines)
		if all += n; n == 1 {
			continue
		}
		shared += n
		for i := range n {
			own := fmt.Sprintf("%s-%d", c.Name, i+1)
			for of[own] != nil {
				own += "'"
			}
			c.Named = append(c.Named, own)
		}
	}
	conflicts = slices.DeleteFunc(conflicts, func(c *Conflict) bool { return c.Named == nil })
	if 2*shared > all {
		for _, c := range conflicts {
			c.Named = nil
		}
		t.DropIDs()
		return conflicts
	}
	for i := range t.Records {
		r := &t.Records[i]
		if at, known := place[[2]string{r.ID, r.Input}]; known && of[r.ID].Named != nil {
			r.ID = of[r.ID].Named[at]
		}
	}
	return conflicts
}

// Join joins tables of the same study, whose files have names: the rows of one after those of the other. Rows that have
// a name and no string get the string that other rows have with that name.
func Join(files []string, tables ...*Table) *Table {
	joined := *tables[0]
	joined.Records = nil
	if i := slices.IndexFunc(tables, func(t *Table) bool { return t.Columns.Input != "" }); i >= 0 { // others have names alone
		joined.Sequences, joined.WildType, joined.First = tables[i].Sequences, tables[i].WildType, tables[i].First
	}
	for i, t := range tables {
		for _, r := range t.Records {
			r.File = files[i]
			if r.State == Repeated { // perhaps of a row of this file; it is found again
				r.State, r.Reason = r.own, r.ownReason
			}
			joined.Records = append(joined.Records, r)
		}
		if i > 0 {
			joined.Comments, joined.Empty, joined.Lines = joined.Comments+t.Comments, joined.Empty+t.Empty, joined.Lines+t.Lines
			joined.Notes = append(slices.Clone(joined.Notes), t.Notes...)
			if t.Columns.Input != "" && (t.WildType != joined.WildType || t.First != joined.First) {
				joined.WildType, joined.First = "", 0
			}
			c := &joined.Columns
			c.Input, c.ID, c.SE, c.SD = cmp.Or(c.Input, t.Columns.Input), cmp.Or(c.ID, t.Columns.ID), cmp.Or(c.SE, t.Columns.SE), cmp.Or(c.SD, t.Columns.SD)
		}
	}
	joined.nameStrings()
	joined.remark()
	return &joined
}

// WholeName returns a name without the .0 that programs give whole numbers in a column with gaps.
func WholeName(name string) string { return strings.TrimSuffix(name, ".0") }

// nameStrings sets the strings of rows with only a name, and marks rows whose string has values in other rows only.
func (t *Table) nameStrings() {
	t.takeNamed()
	valued := map[string]bool{}
	for _, r := range t.Records {
		valued[r.Input] = valued[r.Input] || r.State == Measured || r.State == Failed || len(r.Others) > 0
	}
	for i := range t.Records {
		r := &t.Records[i]
		r.elsewhere = r.State == Missing && len(r.Others) == 0 && valued[r.Input]
	}
}

// namesOfStrings returns the names of rows that have a string.
func (g *grid) namesOfStrings(c columns) map[string]bool {
	if c.id < 0 || c.input < 0 {
		return nil
	}
	names := map[string]bool{}
	for cells := range g.data() {
		if id := field(cells, c.id); id != "" && field(cells, c.input) != "" {
			names[id] = true
		}
	}
	return names
}

// adviseFilling says what to do about several rows with neither a string nor a name, which may be those of the row above.
func (t *Table) adviseFilling(c columns) {
	const several = 2
	isBare := func(r Record) bool { return r.State == Invalid && r.Reason.Code == NoString && r.ID == "" }
	if len(c.scores)+len(c.others) == 0 || stats.Count(t.Records, isBare) < several {
		return
	}
	for i := range t.Records {
		if r := &t.Records[i]; isBare(*r) {
			r.Reason.Text += ": if the row is of the string above, fill its cells down"
		}
	}
}

// takeNamed sets the strings of rows that have only a name to those that other rows have with it.
func (t *Table) takeNamed() {
	called := map[string][]string{} // different strings by name
	for _, r := range t.Records {
		if r.Input != "" && r.ID != "" && !slices.Contains(called[r.ID], r.Input) {
			called[r.ID] = append(called[r.ID], r.Input)
		}
	}
	for i := range t.Records {
		r := &t.Records[i]
		if r.Input != "" || r.ID == "" || r.Text != "" || r.State == Invalid {
			continue
		}
		xs := called[r.ID]
		if whole := WholeName(r.ID); xs == nil && called[whole] != nil {
			r.ID, xs = whole, called[whole]
		}
		switch len(xs) {
		case 1:
			r.Input = xs[0]
		case 0:
			r.State, r.Reason = Invalid, Reason{NoString, fmt.Sprintf("no row with a string is called %q", usage.Shorten(r.ID, 40))}
		default:
			r.State, r.Reason = Invalid, Reason{NoString, fmt.Sprintf("different strings are called %q", usage.Shorten(r.ID, 40))}
		}
	}
}

// DropIDs leaves all rows without an ID.
func (t *Table) DropIDs() {
	t.Columns.ID = ""
	for i := range t.Records {
		t.Records[i].ID = ""
	}
}
