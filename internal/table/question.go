package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

// Role is what a column, or another answer to a Question, is for.
type Role string

const (
	RoleInput    Role = "input"
	RoleScore    Role = "score"
	RoleID       Role = "id"
	RoleSE       Role = "se"
	RoleSD       Role = "sd"
	RoleOther    Role = "other" // Options.Others
	RoleRelation Role = "relation"
	RoleType     Role = "type"      // kind of measurement: Options.Type
	RoleUnit     Role = "unit"      // Options.Unit
	RoleScale    Role = "scale"     // Options.Scale
	RoleWildType Role = "wild type" // Options.WildType
)

// Question is the error of a table that can be understood in several ways. It asks for all that is not clear at once.
type Question struct {
	Asks []Ask // without RoleID: names are never needed
	IDs  []Candidate
	ID   string // the column of names if nothing else is said; empty: none
	Hint string // where else the answer may be, or how it is to be written; may be empty
}

// Ask is what a Question asks for.
type Ask struct {
	For        Role
	Why        string // "columns a and b may all hold the score"
	Candidates []Candidate
}

// Candidate is an answer: a column, several that look like replicates, or a type of measurement.
type Candidate struct {
	Names       []string // whole
	Values      int      // cells that hold something
	Least, Most float64  // of numbers; Least > Most if there are none
	Unit        string   // of numbers; "nM and µM" if rows have several
	Example     string   // of other cells
	SE, SD      string   // columns that look like the error of the numbers
	Note        string   // why it may not be meant
}

// Unlikely reports whether numbers look like something else than what is asked for, as Note says.
func (c Candidate) Unlikely() bool {
	return slices.Contains([]string{identifier, computed, condition, flag}, c.Note)
}

// ask adds what is to be asked for.
func (q *Question) ask(role Role, why string, candidates []Candidate) {
	q.Asks = append(q.Asks, Ask{role, why, candidates})
}

func (q *Question) Error() string {
	return joined("; ", append(stats.Map(q.Asks, func(a Ask) string { return a.Why }), q.Hint)...)
}

// String describes a candidate after its names: 80 values, 3.2 to 9.1; perhaps replicates.
func (c Candidate) String() string {
	text := plural(c.Values, "value", "values")
	switch {
	case c.Least <= c.Most:
		text += fmt.Sprintf(", %.6g to %.6g", c.Least, c.Most) + after(" ", c.Unit)
	case c.Example != "":
		text += ", such as " + c.Example
	}
	return joined("; ", text, c.Note)
}

// ColumnError is about a column, or another answer, that Options name.
type ColumnError struct {
	Role    Role
	Name    string
	Problem string // "there is no such column; did you mean ...?"

	Source  string // column that Name, a scale of it, could be made of; may be empty
	Another string // column of the same name but for what it says is measured; may be empty
	NoUnit  bool   // the scale needs a unit, and none is known
	Absent  bool   // there is no such column, and nothing that it could be made of
}

func (e *ColumnError) Error() string {
	what := "column"
	switch e.Role {
	case RoleType, RoleUnit, RoleScale:
		what = string(e.Role)
	}
	return fmt.Sprintf("%s %s: %s", what, e.Name, e.Problem)
}

// UnitError is the error of a column whose unit cannot be converted to that of the scores.
type UnitError struct{ Column, Unit, Want string }

func (e *UnitError) Error() string {
	return fmt.Sprintf("column %s is in %s, which cannot be converted to %s, the unit of the scores", e.Column, e.Unit, e.Want)
}

// answer returns what names a column: its name, or its number if others are called so, too.
func (g *grid) answer(column int) string {
	if name := g.name(column); len(g.lookup(name)) <= 1 {
		return name
	}
	return strconv.Itoa(column + 1)
}

// candidates describes columns.
func (g *grid) candidates(columns ...int) []Candidate {
	all := make([]Candidate, len(columns))
	units := make([]int, len(columns)) // columns of units
	stated := make([]tally[string], len(columns))
	for k, i := range columns {
		h := g.heading(i)
		all[k] = Candidate{Names: []string{usage.Shorten(g.answer(i), longName)}, Least: math.Inf(1), Most: math.Inf(-1), Unit: h.Unit.String()}
		if g.answer(i) != g.name(i) {
			all[k].Note = "called " + usage.Shorten(g.name(i), longName)
		}
		if units[k] = -1; h.Log == "" && !h.Unit.IsSet() {
			units[k], _ = g.companion(i, nil, g.units, unitNames)
		}
	}
	s := g.style(columns...)
	for r := range g.dataRows() {
		cells := r.Cells
		for k, i := range columns {
			c := &all[k]
			text := field(cells, i)
			m := readCell(text, styleAt(s, r, i))
			switch m.state {
			case Missing:
				continue
			case Measured:
				c.Least, c.Most = min(c.Least, m.number), max(c.Most, m.number)
				if u := unitOfRow(cells, m.unit, units[k]); u.IsSet() {
					if g.heading(i).IsOfLength() {
						u = u.Length()
					}
					stated[k].add(u.String())
				}
			case Invalid:
				c.Example = cmp.Or(c.Example, usage.Shorten(text, 60))
			}
			c.Values++
		}
	}
	for k, i := range columns {
		switch c := &all[k]; {
		case c.Example != "" && 2*g.share(i, numeral.IsValue) < 1:
			c.Least, c.Most = math.Inf(1), math.Inf(-1)
		case c.Unit == "" && g.heading(i).Log == "":
			c.Unit = strings.Join(stated[k].usual(), " and ")
		}
	}
	return all
}

// replicates describes candidates, those of one name but for a number at its end together, and errors with what they are of.
func (g *grid) replicates(columns []int) (all []Candidate) {
	const most = 12 // more are hardly replicates
	of := map[string]int{}
	for _, i := range columns {
		of[stem(g.heading(i))]++
	}
	at := map[string]int{}
	for k, c := range g.candidates(columns...) {
		c.SE, c.SD = g.name(g.errorOf(columns[k], quantity.StandardErrors)), g.name(g.errorOf(columns[k], quantity.Deviations))
		c.Note = joined("; ", c.Note, after("its error is in column ", cmp.Or(c.SE, c.SD)))
		stem := stem(g.heading(columns[k]))
		first, ok := at[stem]
		if !ok || stem == "" || of[stem] > most {
			at[stem] = len(all)
			all = append(all, c)
			continue
		}
		all[first].join(c)
	}
	return all
}

// join adds a column that may hold replicates of those of a candidate.
func (c *Candidate) join(another Candidate) {
	c.Names = append(c.Names, another.Names...)
	c.Values += another.Values
	c.Least, c.Most = min(c.Least, another.Least), max(c.Most, another.Most)
	c.Note, c.SE, c.SD = "perhaps replicates", "", ""
}

// stem returns a name without the number or letter at its end, which may count replicates; empty if there is none.
func stem(h quantity.Heading) string {
	if len(h.Words) == 0 {
		return ""
	}
	last := h.Words[len(h.Words)-1]
	before := strings.Join(h.Words[:len(h.Words)-1], "")
	letters := strings.TrimRight(last, "0123456789")
	endpoint, _ := quantity.Endpoint(last)
	switch {
	case before != "" && (letters == "" || len(last) == 1 && !strings.Contains("ivx", last)) && !ofTarget(h): // CA I and CA V are none
		return before
	case letters != last && letters != "" && endpoint == "" && (before == "" || slices.Contains(quantity.Replicates, letters)): // IC50 CDK1 and IC50 CDK2 are none
		return before + letters
	}
	return ""
}

// ofTarget reports whether the last but one word is neither a quantity nor one of replicates, though another word is a
// quantity: IC50 MAO A is not of a replicate A.
func ofTarget(h quantity.Heading) bool {
	isQuantity := func(word string) bool {
		endpoint, _ := quantity.Endpoint(word)
		return endpoint != "" || rankOf(scoreNames, word) >= 0
	}
	before := h.Words[len(h.Words)-2]
	known := isQuantity(before) || slices.Contains(slices.Concat(quantity.Replicates, runNames, dayNames, quantity.Means, quantity.Counts), before)
	return !known && slices.ContainsFunc(h.Words[:len(h.Words)-2], isQuantity)
}

// longName bounds the name of a column in a message: a file that is no table may be one long name.
const longName = 200
