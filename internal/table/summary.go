package table

import (
	"cmp"
	"fmt"
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
		if len(c.Scores) < 2 {
			c.SD = math.NaN()
		}
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
	if quantity == "" || scale != "" || !u.converts(molar()) {
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

// tally counts what is said of rows, in the order of their first.
type tally struct {
	order []string
	n     map[string]int
}

func (c *tally) add(what string) {
	if c.n == nil {
		c.n = map[string]int{}
	}
	if c.n[what]++; c.n[what] == 1 {
		c.order = append(c.order, what)
	}
}

// Summary says in one line what was read. The noun is what the rows are, in the plural: compounds, sequences.
//
//	80 compounds: 3 replicated, 2 desalted, 12 with a bound, 5 without a value, line 32 invalid (no molecule: ...); column SMILES, score pIC50
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
	n := t.Counts()
	if n[Repeated] == 1 {
		parts = append(parts, "1 repeated row left out")
	} else {
		add(n[Repeated], "repeated rows left out")
	}
	var is, changed, converted, aside tally
	for _, r := range t.Records {
		switch {
		case r.State == SetAside:
			aside.add(r.Reason.Text)
		case r.State == Missing:
			is.add(string(r.Reason.Code))
		}
		if r.State == Invalid {
			continue
		}
		if r.changed != "" {
			changed.add(r.changed)
		}
		if r.State != Measured {
			continue
		}
		if r.Of > 0 {
			is.add("mean")
		}
		if r.Bound != 0 {
			is.add("bound")
		}
		if r.taken {
			is.add("bound as score")
		}
		if r.about {
			is.add("about")
		}
		if r.from != "" {
			converted.add(r.from)
		}
	}
	add(is.n["mean"], "with the mean of several measurements")
	for _, change := range changed.order {
		add(changed.n[change], change)
	}
	for _, from := range converted.order {
		add(converted.n[from], fmt.Sprintf("converted from %s to %s", from, t.Columns.Unit))
	}
	add(is.n["bound"], "with a bound")
	add(is.n["bound as score"], "with a bound as the score")
	add(is.n[string(BoundSkipped)], "with a bound, not used")
	add(is.n["about"], "approximate")
	if t.Columns.Score != "" || t.made {
		add(n[Missing]-is.n[string(BoundSkipped)], "without a value")
	}
	add(n[Failed], "failed")
	if n[SetAside] > 0 {
		parts = append(parts, setAside(aside))
	}
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
	text += t.Columns.described(t.made)
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

// described names the columns, for people.
func (c Columns) described(made bool) string {
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
	const most = 4
	all := 0
	var parts []string
	for i, reason := range reasons.order {
		all += reasons.n[reason]
		switch {
		case i == most:
			parts = append(parts, "…")
		case i < most && len(reasons.order) == 1:
			parts = append(parts, reason)
		case i < most:
			parts = append(parts, fmt.Sprintf("%d: %s", reasons.n[reason], reason))
		}
	}
	return fmt.Sprintf("%d set aside (%s)", all, strings.Join(parts, "; "))
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
			if t.Records[0].File != r.File {
				at[len(at)-1] += " of " + r.File
			}
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
