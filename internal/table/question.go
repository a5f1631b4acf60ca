package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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

	mutants *MutantsError // nil: the wild type is not asked for
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
	Least, Most float64  // of numbers; NaN if there are none
	Unit        string   // of numbers; "nM and µM" if rows have several
	Example     string   // of other cells
	SE, SD      string   // columns that look like the error of the numbers
	Note        string   // why it may not be meant
}

func (q *Question) Error() string {
	reasons := make([]string, len(q.Asks))
	for i, a := range q.Asks {
		reasons[i] = a.Why
	}
	return strings.Join(reasons, "; ")
}

// Unwrap returns the MutantsError if the wild type is asked for.
func (q *Question) Unwrap() error {
	if q.mutants == nil {
		return nil
	}
	return q.mutants
}

// String describes a candidate after its names: 80 values, 3.2 to 9.1; perhaps replicates.
func (c Candidate) String() string {
	text := fmt.Sprintf("%d values", c.Values)
	if c.Values == 1 {
		text = "1 value"
	}
	switch {
	case !math.IsNaN(c.Least):
		text += fmt.Sprintf(", %s to %s", short(c.Least), short(c.Most))
		if c.Unit != "" {
			text += " " + c.Unit
		}
	case c.Example != "":
		text += ", such as " + c.Example
	}
	if c.Note != "" {
		text += "; " + c.Note
	}
	return text
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// ColumnError is about a column, or another answer, that Options name.
type ColumnError struct {
	Role    Role
	Name    string
	Problem string // "there is no such column; did you mean ...?"

	Source string // column that Name, a scale of it, could be made of; may be empty
	NoUnit bool   // the scale needs a unit, and none is known
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

// candidates describes columns.
func (g *grid) candidates(columns ...int) []Candidate {
	all := make([]Candidate, len(columns))
	units := make([]int, len(columns))        // columns of units
	stated := make([][]counted, len(columns)) // units
	for k, i := range columns {
		h := g.heading(i)
		all[k] = Candidate{Names: []string{usage.Shorten(g.name(i), longName)}, Least: math.NaN(), Most: math.NaN(), Unit: h.unit.name}
		if units[k] = -1; h.scale == "" && !h.unit.isSet() {
			units[k], _ = g.companion(i, nil, g.unitColumns())
		}
	}
	s := g.style(columns...)
	for r := range g.again() {
		if r.kind != data || r.line == g.headerLine {
			continue
		}
		for k, i := range columns {
			if i < len(r.cells) && r.cells[i] != "" {
				stated[k] = all[k].add(r, i, units[k], s, stated[k])
			}
		}
	}
	for k, i := range columns {
		switch c := &all[k]; {
		case c.Example != "" && 2*g.share(i, isValue) < 1:
			c.Least, c.Most = math.NaN(), math.NaN()
		case c.Unit == "" && g.heading(i).scale == "":
			slices.SortStableFunc(stated[k], func(a, b counted) int { return b.rows - a.rows })
			c.Unit = texts(stated[k], " and ")
		}
	}
	return all
}

// add adds a row to the description of a column, and to the units that rows state.
func (c *Candidate) add(r row, column, units int, s style, stated []counted) []counted {
	v := readCell(r.cells[column], s)
	switch v.state {
	case Missing:
		return stated
	case Measured:
		if !(v.number >= c.Least) { // NaN is no number yet
			c.Least = v.number
		}
		if !(v.number <= c.Most) {
			c.Most = v.number
		}
		stated = countUnit(stated, r, v.unit, units)
	case Invalid:
		if c.Example == "" {
			c.Example = usage.Shorten(r.cells[column], 60)
		}
	}
	c.Values++
	return stated
}

// texts joins what was counted.
func texts(all []counted, by string) string {
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = c.text
	}
	return strings.Join(parts, by)
}

// longName bounds the name of a column in a message: a file that is no table may be one long name.
const longName = 200
