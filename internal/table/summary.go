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

	"github.com/invbo/invbo/internal/usage"
)

// Compound is all rows with the same Input or, without one, with the same ID.
type Compound struct {
	Input  string
	ID     string    // the first that a row has
	Rows   []int     // indices of Table.Records, those without a score too
	Scores []float64 // of rows that are Measured: those that are no bounds or, if there are none, bounds
	Mean   float64   // of Scores; NaN if there are none
	SD     float64   // of Scores, with n-1; NaN if there are fewer than two
}

// Compounds groups the rows by Input, in the order of the file. Rows that are Invalid or SetAside are in none.
func (t *Table) Compounds() []Compound {
	var all []Compound
	at := map[string]int{}
	for i, r := range t.Records {
		if r.State == Invalid || r.State == SetAside {
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
		for _, bounds := range []bool{true, false} {
			var scores []float64
			for _, row := range c.Rows {
				if r := t.Records[row]; r.State == Measured && (r.Bound != 0) == bounds {
					scores = append(scores, r.Score)
				}
			}
			if len(scores) > 0 {
				c.Scores = scores
			}
		}
		c.Mean, c.SD = stat.MeanStdDev(c.Scores, nil)
	}
	return all
}

// Decades returns how many powers of ten the scores span; 0 if they are not all positive, or are logarithms by their name.
func (t *Table) Decades() float64 {
	least, most := math.Inf(1), 0.
	for _, r := range t.Records {
		if r.State == Measured {
			least, most = min(least, r.Score), max(most, r.Score)
		}
	}
	if least <= 0 || most == 0 || t.Columns.Scale != "" || parseHeading(t.Columns.Score).scale != "" {
		return 0
	}
	return math.Log10(most / least)
}

// PScale returns the scale that is usual for the scores, pIC50 of IC50 in nM; empty if there is none.
func (t *Table) PScale() Scale {
	quantity, scale := endpoint(fold(cmp.Or(t.Columns.Type, t.Columns.Score)))
	u, _ := readUnit(t.Columns.Unit)
	if quantity == "" || scale != "" || !u.converts(molar) {
		return ""
	}
	if i := strings.IndexAny(quantity, "0123456789"); i >= 0 {
		return Scale("p" + strings.ToUpper(quantity))
	}
	return Scale("p" + strings.ToUpper(quantity[:1]) + quantity[1:])
}

// Counts returns how many rows have each State.
func (t *Table) Counts() map[State]int {
	n := map[State]int{}
	for _, r := range t.Records {
		n[r.State]++
	}
	return n
}

// plural counts things: 1 value, 2 values.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Summary says in one line what was read. The noun is what the rows are, in the plural: compounds, sequences.
//
//	80 compounds: 3 replicated, 2 desalted, 12 with a bound, 5 without a value, line 32 invalid (no molecule: ...); column SMILES, score pIC50
func (t *Table) Summary(noun string) string {
	compounds := t.Compounds()
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	measured := func(is func(r Record) bool) int {
		return count(t.Records, func(r Record) bool { return r.State == Measured && is(r) })
	}
	var changed, converted, aside tally
	for _, r := range t.Records {
		if r.State == SetAside {
			aside.add(r.Reason.Text)
		}
		if r.State != Invalid && r.changed != "" {
			changed.add(r.changed)
		}
		if r.State == Measured && r.from != "" {
			converted.add(r.from)
		}
	}
	n := t.Counts()
	skipped := count(t.Records, func(r Record) bool { return r.State == Missing && r.Reason.Code == BoundSkipped })
	add(count(compounds, func(c Compound) bool { return len(c.Scores) > 1 }), "replicated")
	if n[Repeated] > 0 {
		parts = append(parts, plural(n[Repeated], "repeated row left out", "repeated rows left out"))
	}
	add(measured(func(r Record) bool { return r.Of > 0 }), "with the mean of several measurements")
	for _, change := range changed.order {
		add(changed.n[change], change)
	}
	for _, from := range converted.order {
		add(converted.n[from], fmt.Sprintf("converted from %s to %s", from, t.Columns.Unit))
	}
	add(measured(func(r Record) bool { return r.Bound != 0 }), "with a bound")
	add(measured(func(r Record) bool { return r.taken }), "with a bound as the score")
	add(skipped, "with a bound, not used")
	add(measured(func(r Record) bool { return r.about }), "approximate")
	if t.Columns.Score != "" || t.made {
		add(n[Missing]-skipped, "without a value")
	}
	add(n[Failed], "failed")
	if n[SetAside] > 0 {
		parts = append(parts, setAside(aside))
	}
	for _, of := range []struct {
		why  func(Record) string // empty: the record is not among them
		what string
	}{{Record.whyInvalid, "invalid"}, {Record.whyUnused, "with a cell that is not used"}, {func(r Record) string { return r.odd }, "of another length"}} {
		parts = append(parts, t.lines(of.why, of.what)...)
	}
	text := plural(len(compounds), strings.TrimSuffix(noun, "s"), noun)
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	text += t.Columns.summary(t.made)
	if t.Sequences != NoSequences {
		text += fmt.Sprintf("; %s sequences", t.Sequences)
	}
	if format := t.Format.String(); format != "" {
		text += "; " + format
	}
	if t.Comments > 0 {
		text += "; " + plural(t.Comments, "comment", "lines of comments")
	}
	return text
}

// summary names the columns, for people.
func (c Columns) summary(made bool) string {
	score := c.Score
	if len(c.From) > 0 && !slices.Equal(c.From, []string{c.Score}) {
		score += " of " + strings.Join(c.From, ", ")
	}
	if c.Unit != "" && parseHeading(score).unit.name == "" {
		score += " in " + c.Unit
	}
	if c.Type != "" {
		score += " (" + c.Type + ")"
	}
	if c.Score == "" {
		score = ""
	}
	text, list := "", ";"
	for _, c := range []struct{ what, name string }{{"column", c.Input}, {"score", score}, {"id", c.ID}, {"standard error", c.SE}} {
		if c.name != "" {
			text += list + " " + c.what + " " + c.name
			list = ","
		}
	}
	if c.Score == "" && !made {
		text += ", no scores"
	}
	return text
}

// setAside says how many rows are set aside, and why.
func setAside(reasons tally) string {
	all := 0
	var parts []string
	for _, reason := range reasons.order {
		all += reasons.n[reason]
		parts = append(parts, fmt.Sprintf("%d: %s", reasons.n[reason], reason))
	}
	if len(parts) == 1 {
		parts = reasons.order
	}
	return fmt.Sprintf("%d set aside (%s)", all, strings.Join(firstOf(parts, 4), "; "))
}

// firstOf returns the first of some texts, and … for more.
func firstOf(all []string, most int) []string {
	if len(all) > most {
		return append(slices.Clone(all[:most]), "…")
	}
	return all
}

func (r Record) whyInvalid() string {
	if r.State == Invalid {
		return r.Reason.Text
	}
	return ""
}

func (r Record) whyUnused() string {
	if r.State == Invalid {
		return ""
	}
	return r.unused
}

// lines says which rows are what, and why the first is; nothing if none is. Others have no reason why.
func (t *Table) lines(why func(Record) string, what string) []string {
	var at []string
	reason := ""
	for _, r := range t.Records {
		because := why(r)
		if because == "" {
			continue
		}
		reason = cmp.Or(reason, because)
		line := strconv.Itoa(r.Line)
		if t.Records[0].File != r.File {
			line += " of " + r.File
		}
		at = append(at, line)
	}
	switch len(at) {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("line %s %s (%s)", at[0], what, reason)}
	}
	return []string{fmt.Sprintf("%d %s (lines %s; line %s: %s)", len(at), what, strings.Join(firstOf(at, 5), ", "), at[0], reason)}
}

// Changed reports whether Normalize changed more than the spelling.
func (r Record) Changed() bool { return r.changed != "" }

// Unused reports whether a cell other than that of the string or the score cannot be used; Note says why.
func (r Record) Unused() bool { return r.unused != "" && r.State != Invalid }

// Refuse makes a record Invalid, as one whose string the caller cannot use.
func (t *Table) Refuse(i int, err error) { t.Records[i] = t.Records[i].invalid(BadString, "%v", err) }

// Unusable is the error of a table of which most rows are Invalid: then it is hardly what it is taken for, and the rest is no sample of it.
type Unusable struct {
	Rows, Invalid int
	Reason        Reason // the most frequent code, with the text of the first such row
	Line          int    // of that row
	Column        string // of the strings
}

func (e *Unusable) Error() string {
	return fmt.Sprintf("%d of %d rows cannot be used, most of them like line %d: %s", e.Invalid, e.Rows, e.Line, e.Reason.Text)
}

// MostlyUsable returns an *Unusable if most rows are Invalid.
func (t *Table) MostlyUsable() error {
	e := &Unusable{Column: t.Columns.Input}
	of := map[Code]int{}
	for _, r := range t.Records {
		if r.Lines > 0 { // not a further score of a row
			e.Rows++
		}
		if r.State == Invalid {
			e.Invalid++
			of[r.Reason.Code]++
		}
	}
	if 2*e.Invalid <= e.Rows {
		return nil
	}
	most := 0
	for _, r := range t.Records {
		if r.State == Invalid && of[r.Reason.Code] > most {
			most, e.Reason, e.Line = of[r.Reason.Code], r.Reason, r.Line
		}
	}
	return usage.Wrap(e)
}

// LeftOut says how many rows are Invalid, and why the first is; "" if none is.
func (t *Table) LeftOut() string {
	n := t.Counts()[Invalid]
	if n == 0 {
		return ""
	}
	first := slices.IndexFunc(t.Records, func(r Record) bool { return r.State == Invalid })
	return fmt.Sprintf("%d of %d rows left out; the first is line %d: %s", n, len(t.Records), t.Records[first].Line, t.Records[first].Reason.Text)
}

// WriteReport writes what became of every row as CSV.
func (t *Table) WriteReport(w io.Writer) error {
	s := &Sheet{}
	joined := len(t.Records) > 0 && t.Records[0].File != ""
	for _, name := range []string{"file", "line", "id", "text", "input", "score", "bound", "unit", "se", "kind", "reason", "note"} {
		if name != "file" || joined {
			s.Columns = append(s.Columns, Column{Name: name})
		}
	}
	for _, r := range t.Records {
		score, unit, se := Number(r.Score, 0), "", Cell{}
		if score != (Cell{}) && t.Columns.Scale == "" {
			unit = t.Columns.Unit
		}
		if r.SE > 0 {
			se = Number(r.SE, 0)
		}
		note := r.Reason.Text
		if note != "" && r.Note != "" {
			note += "; "
		}
		row := []Cell{Number(float64(r.Line), 0), Text(r.ID), Text(r.Text), Text(r.Input), score, Text(map[int]string{1: ">", -1: "<"}[r.Bound]), Text(unit), se,
			Text(string(r.State)), Text(string(r.Reason.Code)), Text(note + r.Note)}
		if joined {
			row = append([]Cell{Text(r.File)}, row...)
		}
		s.Rows = append(s.Rows, row)
	}
	return s.WriteCSV(w)
}
