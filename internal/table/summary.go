package table

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Compound is all rows with the same Input or, without one, with the same ID.
type Compound struct {
	Input  string
	ID     string    // the first that a row has
	Rows   []int     // indices of Table.Records, those without a score too
	Scores []float64 // of rows that are Measured, or if there are none Bound
	Mean   float64   // of Scores; NaN if there are none
	SD     float64   // of Scores, with n-1; NaN if there are fewer than two
}

// Compounds groups the rows by Input, in the order of the file. Invalid rows are in none.
func (t *Table) Compounds() []Compound {
	var all []Compound
	at := map[string]int{}
	for i, r := range t.Records {
		if r.State == Invalid {
			continue
		}
		key := cmp.Or(r.Input, "\x00"+r.ID) // which may be the name of a compound alone
		j, ok := at[key]
		if !ok {
			j = len(all)
			at[key] = j
			all = append(all, Compound{Input: r.Input})
		}
		all[j].ID = cmp.Or(all[j].ID, r.ID)
		all[j].Rows = append(all[j].Rows, i)
	}
	for i := range all {
		c := &all[i]
		for _, state := range []State{Bound, Measured} {
			var scores []float64
			for _, row := range c.Rows {
				if t.Records[row].State == state {
					scores = append(scores, t.Records[row].Score)
				}
			}
			if len(scores) > 0 {
				c.Scores = scores
			}
		}
		c.Mean, c.SD = stat.MeanStdDev(c.Scores, nil)
		if len(c.Scores) < 2 {
			c.SD = math.NaN()
		}
	}
	return all
}

// Namesakes returns two rows with the same ID and another Input, if there are such.
func (t *Table) Namesakes() (a, b Record, ok bool) {
	named := map[string]Record{}
	for _, r := range t.Records {
		if r.State == Invalid || r.ID == "" {
			continue
		}
		if first, taken := named[r.ID]; taken && first.Input != r.Input {
			return first, r, true
		} else if !taken {
			named[r.ID] = r
		}
	}
	return a, b, false
}

// DropIDs leaves all rows without an ID.
func (t *Table) DropIDs() {
	t.Columns.ID = ""
	for i := range t.Records {
		t.Records[i].ID = ""
	}
}

// Counts returns how many rows have each State.
func (t *Table) Counts() map[State]int {
	n := map[State]int{}
	for _, r := range t.Records {
		n[r.State]++
	}
	return n
}

// Summary says in one line what was read. The noun is what the rows are, in the plural: compounds, sequences.
//
//	80 compounds: 3 replicated, 2 desalted, 5 without a value, line 32 invalid (no molecule: ...); columns SMILES, score pIC50; semicolons
func (t *Table) Summary(noun string) string {
	compounds := t.Compounds()
	replicated := 0
	for _, c := range compounds {
		if len(c.Scores) > 1 {
			replicated++
		}
	}
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(replicated, "replicated")
	means := 0
	for _, r := range t.Records {
		if r.Of > 0 {
			means++
		}
	}
	add(means, "with the mean of several measurements")
	changes, order := map[string]int{}, []string{}
	bounds := 0
	for _, r := range t.Records {
		if r.bound {
			bounds++
		}
		if r.changed == "" || r.State == Invalid {
			continue
		}
		if changes[r.changed]++; changes[r.changed] == 1 {
			order = append(order, r.changed)
		}
	}
	for _, change := range order {
		add(changes[change], change)
	}
	n := t.Counts()
	if t.Columns.Score != "" || t.made {
		add(n[Missing]-bounds, "without a value")
	}
	add(bounds, "with a bound, not used")
	add(n[Bound], "with a bound as the score")
	add(n[Failed], "failed")
	for _, of := range []struct {
		why  func(Record) string // empty: the record is not among them
		what string
	}{{Record.whyInvalid, "invalid"}, {Record.whyUnused, "with a cell that is not used"}, {Record.whyOdd, "of another length"}} {
		if slices.ContainsFunc(t.Records, func(r Record) bool { return of.why(r) != "" }) {
			parts = append(parts, t.lines(of.why, of.what))
		}
	}
	text := fmt.Sprintf("%d %s", len(compounds), noun)
	if len(compounds) == 1 {
		text = "1 " + strings.TrimSuffix(noun, "s")
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	list := ";"
	for _, c := range []struct{ what, name string }{{"column", t.Columns.Input}, {"score", t.Columns.Score}, {"id", t.Columns.ID}, {"standard error", t.Columns.SE}} {
		if c.name != "" {
			text += list + " " + c.what + " " + c.name
			list = ","
		}
	}
	if t.Columns.Score == "" && !t.made {
		text += ", no scores"
	}
	if t.Sequences != NoSequences {
		text += fmt.Sprintf("; %s sequences", t.Sequences)
	}
	if format := t.Format.String(); format != "" {
		text += "; " + format
	}
	switch {
	case t.Comments == 1:
		text += "; 1 comment"
	case t.Comments > 1:
		text += fmt.Sprintf("; %d lines of comments", t.Comments)
	}
	return text
}

func (r Record) whyInvalid() string {
	if r.State == Invalid {
		return r.Note
	}
	return ""
}

func (r Record) whyUnused() string {
	if r.State == Invalid {
		return ""
	}
	return r.unused
}

func (r Record) whyOdd() string { return r.odd }

// lines says which rows are what, and why the first is. Others have no reason why.
func (t *Table) lines(why func(Record) string, what string) string {
	const most = 5
	var at []string
	n, reason := 0, ""
	for _, r := range t.Records {
		because := why(r)
		if because == "" {
			continue
		}
		if n++; n == 1 {
			reason = because
		}
		if n <= most {
			at = append(at, strconv.Itoa(r.Line))
		}
	}
	if n == 1 {
		return fmt.Sprintf("line %s %s (%s)", at[0], what, reason)
	}
	if n > most {
		at = append(at, "…")
	}
	return fmt.Sprintf("%d %s (lines %s; line %s: %s)", n, what, strings.Join(at, ", "), at[0], reason)
}

// WriteReport writes what became of every row as CSV.
func (t *Table) WriteReport(w io.Writer) error {
	s := &Sheet{Columns: []Column{{Name: "line"}, {Name: "id"}, {Name: "text"}, {Name: "input"}, {Name: "score"}, {Name: "state"}, {Name: "note"}}}
	for _, r := range t.Records {
		note := r.Reason
		if note != "" && r.Note != "" {
			note += "; "
		}
		s.Rows = append(s.Rows, []Cell{Number(float64(r.Line), 0), Text(r.ID), Text(r.Text), Text(r.Input), Number(r.Score, 0), Text(string(r.State)), Text(note + r.Note)})
	}
	return s.WriteCSV(w)
}
