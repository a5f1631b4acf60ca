package table

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
)

// Compound is all rows with the same Input or, without one, with the same ID.
type Compound struct {
	Input  string
	ID     string    // the first that a row has
	Rows   []int     // indices of Table.Records, those without a score too
	Scores []float64 // of rows that are Measured: those that are no bounds or, if there are none, bounds
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
		var bounds []float64
		for _, row := range c.Rows {
			switch r := t.Records[row]; {
			case r.State != Measured:
			case r.Bound != 0:
				bounds = append(bounds, r.Score)
			default:
				c.Scores = append(c.Scores, r.Score)
			}
		}
		if c.Scores == nil {
			c.Scores = bounds
		}
	}
	return all
}

// Flat reports whether several strings have a score, and all the same.
func (t *Table) Flat() bool {
	inputs, scores := map[string]bool{}, map[float64]bool{}
	for _, r := range t.Records {
		if r.State == Measured {
			inputs[r.Input], scores[r.Score] = true, true
		}
	}
	return len(inputs) > 1 && len(scores) == 1
}

// Decades returns how many powers of ten the scores span; 0 if they are not all positive, or are logarithms by their name.
func (t *Table) Decades() float64 {
	if t.Columns.Scale != "" {
		return 0
	}
	return t.decades(t.Columns.Score, func(r Record) (float64, bool) { return r.Score, true })
}

// DecadesOf is Decades of a further outcome.
func (t *Table) DecadesOf(outcome string) float64 {
	return t.decades(outcome, func(r Record) (float64, bool) {
		v, ok := r.Others[outcome]
		return v, ok
	})
}

// Valued returns how many strings have a value of an outcome.
func (t *Table) Valued(outcome string) int {
	strings := map[string]bool{}
	for _, r := range t.Records {
		if _, ok := r.Others[outcome]; ok && r.State != SetAside && r.State != Invalid {
			strings[cmp.Or(r.Input, r.ID)] = true
		}
	}
	return len(strings)
}

func (t *Table) decades(name string, value func(Record) (float64, bool)) float64 {
	least, most := math.Inf(1), 0.
	for _, r := range t.Records {
		if v, ok := value(r); ok && r.State == Measured {
			least, most = min(least, v), max(most, v)
		}
	}
	if least <= 0 || most == 0 || quantity.ParseHeading(name).Log != "" {
		return 0
	}
	return math.Log10(most / least)
}

// Logarithm returns what a further outcome that is a concentration is called as its negative logarithm, hERG pIC50 of
// hERG IC50 (µM); empty for others.
func (t *Table) Logarithm(outcome string) string {
	u, _ := quantity.ParseStated(t.Columns.OtherUnits[outcome])
	h := quantity.ParseHeading(outcome)
	for _, word := range h.Words {
		endpoint, scale := quantity.Endpoint(word)
		at := strings.Index(strings.ToLower(outcome), endpoint)
		if endpoint == "" || scale != "" || at < 0 || !u.ConvertsTo(quantity.Molar) {
			continue
		}
		for end := len(outcome); end >= at+len(endpoint); end-- { // the longest name without the unit
			if end < len(outcome) && !strings.ContainsRune(" _-/.,;:|([{", rune(outcome[end])) {
				continue
			}
			name := strings.TrimRight(outcome[:end], " _-/.,;:|([{")
			if of := quantity.ParseHeading(name); len(name) >= at+len(endpoint) && !of.Unit.IsSet() && slices.Equal(of.Words, h.Words) {
				return name[:at] + "p" + name[at:]
			}
		}
	}
	return ""
}

// PScale returns the scale that is usual for the scores, pIC50 of IC50 in nM; empty if there is none.
func (t *Table) PScale() quantity.Scale {
	endpoint, scale := quantity.Endpoint(quantity.Fold(cmp.Or(t.Columns.Type, t.Columns.Score)))
	u, _ := quantity.ParseStated(t.Columns.Unit)
	if endpoint == "" || scale != "" || !u.ConvertsTo(quantity.Molar) {
		return ""
	}
	return quantity.ScaleOf(endpoint)
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
	compounds, n := t.Compounds(), t.Counts()
	some := func(n int, what string) string { return when(n > 0, fmt.Sprintf("%d %s", n, what)) }
	measured := func(is func(r Record) bool) int {
		return stats.Count(t.Records, func(r Record) bool { return r.State == Measured && is(r) })
	}
	var changed, converted, aside tally[string]
	for _, r := range t.Records {
		if r.State == SetAside {
			aside.add(r.Reason.Text)
		}
		if r.State != Invalid && r.changed != "" {
			changed.add(r.changed)
		}
		if r.State == Measured && r.from != "" {
			converted.add(fmt.Sprintf("converted from %s to %s", r.from, cmp.Or(t.Columns.Unit, t.Columns.Score)))
		}
		if r.State != SetAside && r.State != Invalid {
			for _, how := range r.others {
				converted.add(how)
			}
		}
	}
	reasons := aside.order
	if len(reasons) > 1 {
		reasons = aside.list("%d: %s", reasons)
	}
	skipped := stats.Count(t.Records, func(r Record) bool { return r.State == Missing && r.Reason.Code == BoundSkipped })
	boundOf := func(r Record) bool { // of a further outcome; the bound of a score that is made of them is counted as the score's
		return r.bounds && !(t.made && r.State == Measured && r.Bound != 0) && r.State != Invalid && r.State != SetAside
	}
	parts := stats.Count(t.Records, func(r Record) bool { return r.State == Missing && r.Reason.Code != BoundSkipped && len(r.Others) > 0 })
	what := joined(", ",
		some(stats.Count(compounds, func(c Compound) bool { return len(c.Scores) > 1 }), "replicated"),
		when(n[Repeated] > 0, plural(n[Repeated], "repeated row left out", "repeated rows left out")),
		when(t.equal > 0, plural(t.equal, "equal row counted as a measurement", "equal rows counted as measurements")),
		some(measured(func(r Record) bool { return r.Of > 0 }), "with the mean of several measurements"),
		joined(", ", changed.list("%d %s", changed.order)...),
		joined(", ", converted.list("%d %s", converted.order)...),
		some(measured(func(r Record) bool { return r.Bound != 0 }), "with a bound"),
		some(measured(func(r Record) bool { return r.taken }), "with a bound as the score"),
		some(skipped, "with a bound, not used"),
		some(stats.Count(t.Records, boundOf), "with a bound of a further outcome"),
		some(measured(func(r Record) bool { return r.unbound }), "with a bound of a further outcome, not used"),
		some(measured(func(r Record) bool { return r.about }), "approximate"),
		some(parts, "with a part of the outcomes"),
		when(t.Columns.Score != "" || t.made, some(n[Missing]-skipped-parts-stats.Count(t.Records, func(r Record) bool { return r.elsewhere }), "without a value")),
		some(n[Failed], "failed"),
		some(n[SetAside], "set aside ("+joined("; ", firstOf(reasons, 4)...)+")"),
		t.lines(func(r Record) string { return when(r.State == Invalid, r.Reason.Text) }, "invalid"),
		t.lines(func(r Record) string { return r.unused }, "with a cell that is not used"),
		t.lines(func(r Record) string { return r.odd }, "of another "+joined("", when(t.Sequences != bioseq.None, "length"), when(t.Sequences == bioseq.None, "structure"))))
	text := plural(len(compounds), strings.TrimSuffix(noun, "s"), noun) + when(what != "", ": "+what) + t.Columns.summary(t.made)
	return joined("; ", text, when(t.Sequences != bioseq.None, string(t.Sequences)+" sequences"), t.Format.String(),
		when(t.Comments > 0, plural(t.Comments, "comment", "lines of comments")))
}

// summary names the columns, for people.
func (c Columns) summary(made bool) string {
	if c.Score == "" {
		return after("; ", joined(", ", after("column ", c.Input), joined(", ", c.others()...), after("id ", c.ID), after("standard error ", cmp.Or(c.SE, c.SD)))) + when(!made, ", no scores")
	}
	score := c.Score
	if len(c.From) > 0 && !slices.Equal(c.From, []string{c.Score}) {
		score += " of " + strings.Join(c.From, ", ")
	}
	score += when(!quantity.ParseHeading(score).Unit.IsSet(), after(" in ", c.Unit)) + when(c.Type+c.Assay != "", " ("+joined(", ", c.Type, c.Assay)+")")
	return "; " + joined(", ", after("column ", c.Input), "score "+score, joined(", ", c.others()...), after("id ", c.ID), after("standard error ", cmp.Or(c.SE, c.SD)))
}

// others names the further outcomes whose unit is known and not stated in their names.
func (c Columns) others() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(c.OtherUnits)) {
		if !quantity.ParseHeading(name).Unit.IsSet() {
			all = append(all, name+" in "+c.OtherUnits[name])
		}
	}
	return all
}

// when returns a text if something holds; "" otherwise.
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}

// after returns a text after another; "" if it is empty.
func after(before, text string) string { return when(text != "", before+text) }

// joined joins those texts that are not empty.
func joined(separator string, texts ...string) string {
	return strings.Join(without(texts, []string{""}), separator)
}

// firstOf returns the first of some texts, and … for more.
func firstOf(all []string, most int) []string {
	if len(all) > most {
		return append(slices.Clone(all[:most]), "…")
	}
	return all
}

// lines says which rows are what, and why the first is; "" if none is. Others have no reason why.
func (t *Table) lines(why func(Record) string, what string) string {
	var at []string
	reason := ""
	for _, r := range t.Records {
		because := why(r)
		if because == "" {
			continue
		}
		reason = cmp.Or(reason, because)
		at = append(at, strconv.Itoa(r.Line)+when(t.Records[0].File != r.File, " of "+r.File))
	}
	switch len(at) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("line %s %s (%s)", at[0], what, reason)
	}
	return fmt.Sprintf("%d %s (lines %s; line %s: %s)", len(at), what, strings.Join(firstOf(at, 5), ", "), at[0], reason)
}

// Changed reports whether Normalize changed more than the spelling.
func (r Record) Changed() bool { return r.changed != "" }

// Unused reports whether a cell other than that of the string or the score cannot be used; Note says why.
func (r Record) Unused() bool { return r.unused != "" }

// Refuse makes a record Invalid, as one whose string the caller cannot use.
func (t *Table) Refuse(i int, err error) { t.Records[i] = t.Records[i].invalid(BadString, "%v", err) }

// Unusable is the error of a table with mostly Invalid rows: it is hardly what it is taken for, and the other rows are
// no sample of it.
type Unusable struct {
	Rows, Invalid int
	Reason        Reason // the most frequent code, with the text of the first such row
	Line          int    // of that row
	Column        string // of the strings
	Hint          string // what to write instead; may be empty
}

func (e *Unusable) Error() string {
	return joined("; ", fmt.Sprintf("%d of %d rows cannot be used, most of them like line %d: %s", e.Invalid, e.Rows, e.Line, e.Reason.Text), e.Hint)
}

// MostlyUsable returns an *Unusable if most rows are Invalid.
func (t *Table) MostlyUsable() error {
	e := &Unusable{Column: t.Columns.Input, Hint: cmp.Or(t.classHint(), t.wordHint())}
	var codes tally[Code]
	for _, r := range t.Records {
		if r.Lines > 0 { // not a further score of a row
			e.Rows++
		}
		if r.State == Invalid {
			e.Invalid++
			codes.add(r.Reason.Code)
		}
	}
	if 2*e.Invalid <= e.Rows {
		return nil
	}
	usual := codes.usual()[0]
	like := t.first(func(r Record) bool { return r.State == Invalid && r.Reason.Code == usual })
	e.Reason, e.Line = like.Reason, like.Line
	return usage.Wrap(e)
}

// first returns the first row of a kind. There has to be one.
func (t *Table) first(is func(Record) bool) Record { return t.Records[slices.IndexFunc(t.Records, is)] }

// LeftOut says how many rows are Invalid, and why the first is; "" if none is.
func (t *Table) LeftOut() string {
	n := t.Counts()[Invalid]
	if n == 0 {
		return ""
	}
	first := t.first(func(r Record) bool { return r.State == Invalid })
	return fmt.Sprintf("%d of %d rows left out; the first is line %d: %s", n, len(t.Records), first.Line, first.Reason.Text)
}

// WriteReport writes what became of every row as CSV, with further outcomes behind. Rows with a part of the outcomes
// are partly measured.
func (t *Table) WriteReport(w io.Writer) error {
	from := 1 // the files of a table that was joined are its first column
	if len(t.Records) > 0 && t.Records[0].File != "" {
		from = 0
	}
	columns := plainColumns("file", "line", "id", "text", "input", "score", "bound", "unit", "se", "kind", "reason", "note")
	outcomes := map[string]bool{}
	for _, r := range t.Records {
		for name := range r.Others {
			outcomes[name] = true
		}
	}
	others := slices.Sorted(maps.Keys(outcomes))
	s := &sheet.Sheet{Columns: append(columns[from:], plainColumns(others...)...)}
	for _, r := range t.Records {
		kind, code := string(r.State), string(r.Reason.Code)
		if r.State == Missing && len(r.Others) > 0 {
			kind, code = "partly measured", ""
		}
		score := sheet.Number(r.Score, 0)
		row := []sheet.Cell{sheet.Text(r.File), sheet.Number(float64(r.Line), 0), sheet.Text(r.ID), sheet.Text(r.Text), sheet.Text(r.Input), score, sheet.Text(map[int]string{1: ">", -1: "<"}[r.Bound]),
			sheet.Text(when(score != sheet.Cell{} && t.Columns.Scale == "", t.Columns.Unit)), positive(r.SE),
			sheet.Text(kind), sheet.Text(code), sheet.Text(joined("; ", r.Reason.Text, r.Note))}
		for _, name := range others {
			v, known := r.Others[name]
			if !known {
				v = math.NaN()
			}
			row = append(row, sheet.Bounded(v, r.OtherBounds[name]))
		}
		s.Rows = append(s.Rows, row[from:])
	}
	return s.WriteCSV(w)
}
