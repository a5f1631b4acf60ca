package table

import (
	"cmp"
	"fmt"
	"slices"
)

// findRepeats makes rows Repeated that say what a row before says, as those of an export of joined tables do: the same name, string,
// score and further outcomes, and the same number of the replicate where a column has these.
func (t *Table) findRepeats() {
	type key struct {
		id, input, others, repeat string
		score, se                 float64
		bound, column             int
	}
	first := map[key]*Record{}
	for i := range t.Records {
		r := &t.Records[i]
		part := r.State == Missing && len(r.Others) > 0
		if r.State != Measured && !part || r.Of > 0 {
			continue
		}
		k := key{r.ID, r.Input, "", r.repeat, r.Score, r.SE, r.Bound, r.column}
		if part {
			k.score = 0 // NaN is no key
		}
		if len(r.Others) > 0 {
			k.others = fmt.Sprint(r.Others, r.OtherBounds) // in the order of names
		}
		before, ok := first[k]
		if !ok {
			first[k] = r
			continue
		}
		where := fmt.Sprintf("line %d", before.Line)
		if before.File != r.File {
			where += " of " + before.File
		}
		r.State, r.Reason = Repeated, Reason{SameMeasurement, where + " has the same"}
	}
}

// Conflict is a name that rows give to several strings.
type Conflict struct {
	Name  string
	Lines []int    // of the first row of each string
	Named []string // what the strings are called now; nil if they have no names any more
}

// SeparateNames gives each of the strings that share a name a name of its own, A3-1 and A3-2 for A3, and leaves the others as they
// are. A column in which most strings share their names is no column of names: all rows lose theirs.
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

// Join joins tables of the same study, whose files have names: the rows of one after those of the other.
func Join(files []string, tables ...*Table) *Table {
	joined := *tables[0]
	joined.Records = nil
	for i, t := range tables {
		for _, r := range t.Records {
			r.File = files[i]
			if r.State == Repeated { // perhaps of a row of this file; it is found again
				r.State, r.Reason = Measured, Reason{}
			}
			joined.Records = append(joined.Records, r)
		}
		if i > 0 {
			joined.Comments, joined.Empty, joined.Lines = joined.Comments+t.Comments, joined.Empty+t.Empty, joined.Lines+t.Lines
			joined.Notes = append(slices.Clone(joined.Notes), t.Notes...)
			c := &joined.Columns
			c.ID, c.SE, c.SD = cmp.Or(c.ID, t.Columns.ID), cmp.Or(c.SE, t.Columns.SE), cmp.Or(c.SD, t.Columns.SD)
		}
	}
	joined.findRepeats()
	return &joined
}

// DropIDs leaves all rows without an ID.
func (t *Table) DropIDs() {
	t.Columns.ID = ""
	for i := range t.Records {
		t.Records[i].ID = ""
	}
}
