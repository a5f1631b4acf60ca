package table

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/table/whitespace"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/selfies"
)

// State says what became of a row.
type State string

const (
	Measured State = "measured"  // has a score, which may be a bound
	Missing  State = "missing"   // has no score
	Failed   State = "failed"    // the measurement failed
	SetAside State = "set aside" // is about something else, or left out as Options say
	Repeated State = "repeated"  // says what a row before says, as exports of joined tables do
	Invalid  State = "invalid"   // cannot be used
)

// Reason says why a row is in its State.
type Reason struct {
	Code Code
	Text string // for people; may be empty
}

// Code is a kind of Reason.
type Code string

const (
	// Of Missing.
	NoValue      Code = "no value"      // the cell is empty, NA or so
	BoundSkipped Code = "bound skipped" // the score is a bound, and Options.Censored is Skip
	NoOutcome    Code = "no outcome"    // a score is made of outcomes, and one of them is missing

	// Of Failed.
	MeasurementFailed Code = "measurement failed"
	OutcomeFailed     Code = "outcome failed" // a further one, and there is no score

	// Of SetAside.
	BoundDropped Code = "bound dropped" // the score is a bound, and Options.Censored is Drop
	OtherType    Code = "other type"    // another kind of measurement than Columns.Type
	OtherUnit    Code = "other unit"    // a unit that cannot be converted to Columns.Unit
	NoUnit       Code = "no unit"       // in a table that states units row by row
	Statistic    Code = "statistic"     // the mean of other rows, or their standard deviation

	// Of Repeated.
	SameMeasurement Code = "same measurement"

	// Of Invalid.
	NoString    Code = "no string"             // the cell of the string is empty
	BadString   Code = "bad string"            // Options.Normalize refuses it
	BadMutant   Code = "bad mutant"            // it does not fit Options.WildType
	IsReaction  Code = "reaction"              // instead of a molecule
	IsOpen      Code = "open"                  // a molecule with an open place, such as *CC* of a polymer
	BadRow      Code = "bad row"               // it has too many cells, or one that is too long
	NotNumber        = Code(numeral.NotNumber) // the score
	TwoNumbers       = Code(numeral.TwoNumbers)
	WithError        = Code(numeral.WithError)
	UnknownUnit      = Code(numeral.UnknownUnit)
	FormulaCell Code = "formula"      // of a workbook, without its value
	BadRelation Code = "bad relation" // none of <, =, > and so on, or it contradicts the cell of the score
	NotPositive Code = "not positive" // and it is a concentration, or its logarithm is the score

	NoConcentration Code = "no concentration" // a pIC50 of 650
	HeaderAgain     Code = "header again"
	AnotherHeader   Code = "another header" // with other columns
)

// reader makes the Records of rows.
type reader struct {
	g           *grid
	c           columns
	s           numeral.Style
	o           Options
	rawfile.Row // that is read

	carried []int           // columns of Table.Carried
	named   map[string]bool // names of rows with a string, which rows without one may have
}

// isHeader reports whether a row of a table with a header has names of columns: where the strings are and where a score
// is, and no value. same: they are those of the header.
func (r reader) isHeader() (again, same bool) {
	g, c := r.g, r.c
	if !g.format.Header || c.input < 0 || len(c.scores) == 0 || g.blocks || g.format.Kind == "FASTA" {
		return false, false
	}
	const longest = 40 // letters of a name
	input := field(r.Cells, c.input)
	if len(input) > longest || quantity.Fold(input) != quantity.Fold(g.header[c.input]) && rankOf(inputNames, quantity.Fold(input)) < 0 || slices.ContainsFunc(r.Cells, numeral.IsValue) {
		return false, false
	}
	score := c.scores[0].column
	base := quantity.ParseHeading(field(r.Cells, score)).Base
	if base == "" || base != g.heading(score).Base && rankOf(scoreNames, base) < 0 {
		return false, false
	}
	for i, name := range g.header {
		if !strings.EqualFold(plainName(field(r.Cells, i)), name) {
			return true, false
		}
	}
	return true, true
}

// record returns the Record, with what is to be normalized as its Input.
func (r reader) record(from rawfile.Row) Record {
	g, c, o := r.g, r.c, r.o
	r.Row = from
	rec := Record{Line: from.Line, Lines: from.Lines, trimmed: from.Trimmed, ID: r.text(c.id), Text: r.text(c.input), Score: math.NaN(), State: Missing, repeat: c.repeat(r.Cells), assay: usage.Shorten(field(r.Cells, c.assay), 60)}
	for _, i := range r.carried {
		rec.Carried = append(rec.Carried, r.text(i))
	}
	for _, i := range c.used {
		if size := len(field(r.Cells, i)); size > rawfile.MaxCell && !(g.blocks && i == rawfile.MolblockColumn) {
			rec.ID, rec.Text = usage.Shorten(rec.ID, 100), usage.Shorten(rec.Text, 100)
			return rec.invalid(BadRow, "column %s has %d bytes; the limit is %d", g.name(i), size, rawfile.MaxCell)
		}
	}
	switch n, width := len(rawfile.TrimEmpty(r.Cells)), len(g.header); {
	case from.Problem != "":
		return rec.invalid(BadRow, "%s", from.Problem)
	case from.Cut && g.whole && (len(r.Cells) < width || strings.HasPrefix(r.Cells[len(r.Cells)-1], `"`)):
		return rec.invalid(BadRow, "the last line is incomplete, perhaps after a crash")
	case n > width:
		return rec.invalid(BadRow, "the row has %d cells, and there are %d columns: quote cells that contain the separator", n, width)
	}
	if again, same := r.isHeader(); same {
		return rec.invalid(HeaderAgain, "it is the header again")
	} else if again {
		return rec.invalid(AnotherHeader, "%s", strings.Join(without(rawfile.TrimEmpty(r.Cells), []string{""}), ", "))
	}
	if g.blocks && c.input == rawfile.MolblockColumn {
		smiles, err := molecule.BlockSMILES(rec.Text)
		if rec.Text = smiles; err != nil {
			return rec.invalid(BadString, "no molecule: the molblock: %v", err)
		}
	}
	if field(r.Formulas, c.input) {
		return rec.invalid(FormulaCell, "%s", formulaReason(rec.Text).Text)
	}
	if field(r.Formulas, c.id) {
		rec.leave(fmt.Sprintf("%s is not used: %s", g.name(c.id), formulaReason(rec.ID).Text))
		rec.ID = ""
	}
	mutants := field(r.Cells, c.mutant)
	if c.background < 0 && mutation.StandsForWildType(mutants) && !mutation.IsWildType(mutants) {
		if at := r.blank(); at >= 0 {
			rec.without(SetAside, Reason{OtherType, fmt.Sprintf("%s is %s", g.name(at), usage.Shorten(field(r.Cells, at), 40))})
			return rec
		}
	}
	if c.background >= 0 {
		all, err := onBackground(mutants, field(r.Cells, c.background), o)
		if err != nil {
			return rec.invalid(BadMutant, "%v", err)
		}
		if mutants = all; c.id == c.mutant {
			rec.ID = all
		}
	}
	if rec.Text == "" && mutants == "" && !(o.Named && rec.ID != "") && !r.named[rec.ID] {
		return rec.invalid(NoString, "column %s is empty", cmp.Or(g.name(c.input), g.name(c.id)))
	}
	rec.Input = rec.Text
	if c.parents >= 0 {
		if err := r.mutate(&rec); err != nil {
			return rec.invalid(BadMutant, "%v", err)
		}
	}
	if c.stereo >= 0 && r.isRacemic() && strings.Contains(rec.Input, "@") {
		rec.Input, rec.racemic = strings.ReplaceAll(rec.Input, "@", ""), true
		rec.annotate(fmt.Sprintf("without configuration, as %s is %q", g.name(c.stereo), usage.Shorten(field(r.Cells, c.stereo), 40)))
	}
	if smiles, name, named := strings.Cut(rec.Text, " "); named && o.Molecules && !strings.HasPrefix(whitespace.Trim(name), "|") { // as in a line of a .smi file
		switch name = whitespace.Trim(name); {
		case rec.ID == "" || rec.ID == name:
			rec.Input, rec.ID = smiles, name
		case o.Normalize != nil && o.accepts(name): // two molecules, and only one was measured
		default:
			rec.Input = smiles
			rec.leave(fmt.Sprintf("%q after the SMILES is not used", usage.Shorten(name, 40)))
		}
	}
	if c.selfies && o.Molecules {
		smiles, err := selfies.Decode(rec.Text)
		if rec.Input = smiles; err != nil {
			return rec.invalid(BadString, "no molecule: %v", err)
		}
	}
	if mutants != "" {
		if c.id < 0 {
			rec.ID, rec.Unnamed = mutants, true
		}
		if rec = rec.mutant(mutants, c.mutant == c.input, o); rec.State == Invalid {
			return rec
		}
	}
	if !c.isAmong(r.Cells) {
		rec.without(SetAside, Reason{OtherType, fmt.Sprintf("%s is not %s", cmp.Or(usage.Shorten(field(r.Cells, c.among), 40), "no name"), c.amongValue)})
		return rec
	}
	if k := g.kinds; k != nil && k.of(field(r.Cells, k.column)) < 0 {
		rec.without(SetAside, Reason{OtherType, fmt.Sprintf("%s is not %s", cmp.Or(usage.Shorten(field(r.Cells, k.column), 40), "no kind"), k.list())})
		return rec
	}
	if kind := field(r.Cells, c.kind); c.wanted != "" && c.spelled(kind) != c.wanted {
		rec.without(SetAside, Reason{OtherType, fmt.Sprintf("%s is not %s", cmp.Or(usage.Shorten(kind, 40), "no kind"), c.wanted)})
		return rec
	}
	r.readScores(&rec)
	if rec.State != Invalid && rec.State != SetAside {
		r.readOthers(&rec)
	}
	if c.export != nil {
		cell := func(i int) string { return field(r.Cells, i) }
		rec.exported(c.export, cell, r.s)
		rec.repeat = fmt.Sprintf("%s/%d", cell(c.export.begins), rec.Measurement) // of one string several may be equal
	}
	return rec
}

// blank returns the column by which a row is of a blank or a negative control; -1 if none says so.
func (r reader) blank() int {
	return r.g.one(func(i int) bool {
		return i != r.c.mutant && i != r.c.input && blanks.MatchString(field(r.Cells, i))
	})
}

// blanks matches a cell that says that nothing was measured that makes a difference.
var blanks = regexp.MustCompile(`(?i)^(?:blanks?(?: well| control)?|empty(?: well| vector)?|no (?:enzyme|protein|cells?|template|dna|plasmid)(?: control)?|(?:neg\.?|negative)(?: ?-?(?:control|ctrl))?|` +
	`buffer(?: only| control)?|medium(?: only)?|media(?: only)?|background|mock|ntc)$`)

// text returns a cell of text as it was before it was written.
func (r reader) text(column int) string {
	return sheet.ReadText(field(r.Cells, column), r.c.export != nil)
}

// readScores sets the score of a record, and the further ones of replicates.
func (r reader) readScores(rec *Record) {
	rest := no(Missing, Reason{Code: NoValue}) // the first that is no score, unless another one says more
	var all []measurement
	var failed []string
	for i, out := range r.c.scores {
		rec.NaN = rec.NaN || numeral.IsNaN(field(r.Cells, out.column))
		m := out.measure(r.Cells, styleAt(r.s, r.Row, out.column), func(m *measurement, u quantity.Unit) { r.readError(rec, out, m, u) }).censored(r.o.Censored)
		m.column, m.bare = i, m.bare && r.o.Unit == ""
		switch {
		case m.state == Measured:
			all = append(all, m)
		case rest.state == Missing && rest.reason.Code == NoValue:
			rest = m
		}
		if m.state == Failed {
			failed = append(failed, fmt.Sprintf("%s is not used: %s", r.g.name(out.column), measurementFailed(m.reason.Text)))
		}
		if m.state == Invalid && len(r.c.scores) > 1 {
			rec.leave(fmt.Sprintf("%s is not used: %s", r.g.name(out.column), m.reason.Text))
		}
	}
	if len(all) == 0 {
		rec.without(rest.state, rest.reason)
		return
	}
	for _, note := range failed { // beside others that did not
		rec.leave(note)
	}
	rec.take(all[0], r.converted(r.c.scores[all[0].column]))
	rec.further = append(rec.further, all[1:]...)
}

// measurementFailed says that a measurement failed, and why.
func measurementFailed(reason string) string {
	if reason == "failed" {
		return "the measurement failed"
	}
	return "the measurement failed: " + usage.Shorten(reason, 100)
}

// converted returns what the numbers of a column are converted to: a unit, or the logarithm that it is called after.
func (r reader) converted(out outcome) string { return cmp.Or(out.want.String(), r.g.name(out.column)) }

// take sets the score of a record to a measurement, which may have been converted to a unit.
func (r *Record) take(m measurement, to string) {
	r.State, r.Reason = Measured, Reason{}
	r.Score, r.Bound, r.SE, r.about, r.taken, r.column = m.number, m.Bound, m.se, m.About, m.taken, m.column
	r.Bare = without(r.Bare, []string{""})
	if m.bare {
		r.Bare = append(r.Bare, "")
	}
	r.spread, r.deviation, r.divided, r.footnote = m.spread, m.deviation, m.divided, m.footnote
	if r.ranged = m.ranged; m.ranged {
		r.annotate(fmt.Sprintf("%s is a range, read as its geometric mean", m.text))
	}
	if m.taken {
		r.annotate(m.text + " is a bound, used as the score")
	}
	if m.unit.IsSet() {
		r.from = m.unit.String()
		r.annotate(fmt.Sprintf("converted from %s to %s", r.from, to))
	}
}

// readOthers sets the further outcomes of a record.
func (r reader) readOthers(rec *Record) {
	for i, out := range r.c.others {
		if out.column < 0 {
			continue
		}
		name, cell := r.o.Others[i], field(r.Cells, out.column)
		shared := slices.ContainsFunc(r.c.scores, func(score outcome) bool { return score.column == out.column }) // what it says is counted with the score
		m := out.measure(r.Cells, styleAt(r.s, r.Row, out.column), nil)
		switch {
		case m.state == Measured && m.Bound != 0 && (r.o.Censored == Skip || r.o.Censored == Drop):
			rec.annotate(fmt.Sprintf("%s %s is a bound, not used", name, cell))
			rec.unbound = rec.unbound || !shared
			if len(r.c.scores) == 0 {
				rec.Reason = Reason{BoundSkipped, ""}
			}
		case m.state == Measured:
			if rec.Others == nil {
				rec.Others = map[string]float64{}
			}
			rec.Others[name] = m.number
			if m.bare {
				rec.Bare = append(rec.Bare, name)
			}
			rec.spreads, rec.ranged, rec.footnote = rec.spreads || m.spread, rec.ranged || m.ranged, rec.footnote || m.footnote
			if m.unit.IsSet() {
				how := fmt.Sprintf("%s converted from %s to %s", name, m.unit, r.converted(out))
				if !shared {
					rec.others = append(rec.others, how)
				}
				rec.annotate(how)
			}
			if m.Bound == 0 || r.o.Censored == AsScore {
				break
			}
			if rec.OtherBounds == nil {
				rec.OtherBounds = map[string]int{}
			}
			rec.OtherBounds[name] = m.Bound
			rec.bounds = rec.bounds || !shared
		case m.state == Failed:
			rec.OtherFailed = with(rec.OtherFailed, name, m.reason.Text)
			if rec.State == Missing {
				rec.State, rec.Reason = Failed, Reason{OutcomeFailed, m.reason.Text}
			}
		case m.state != Missing:
			rec.leave(fmt.Sprintf("%s is not used: %s", name, m.reason.Text))
			rec.Unread = append(rec.Unread, fmt.Sprintf("%s: %s", name, m.reason.Text))
		}
	}
}

// readError sets the standard error of a measurement that has unit u to what the row states in a column of errors, or
// else after ±. It has the unit of its cell or of its column, or else that of the measurement. One that cannot be
// brought to it is left out.
func (r reader) readError(rec *Record, out outcome, m *measurement, u quantity.Unit) {
	r.readSpread(rec, out, m)
	at := max(r.c.se, r.c.sd) // only one of them is a column
	cell, name := field(r.Cells, at), r.g.name(at)
	e := readCell(cell, styleAt(r.s, r.Row, at))
	if e.state == Missing {
		return
	}
	m.se, m.spread, m.deviation, m.divided = 0, false, false, false
	leave := func(why string) {
		rec.leave(fmt.Sprintf("standard error %s %q is not used%s", name, usage.Shorten(cell, 40), why))
	}
	if e.state != Measured || e.number < 0 || e.Bound != 0 || e.spread {
		leave("")
		return
	}
	if e.number == 0 {
		leave(": it is 0")
		return
	}
	h := r.g.heading(at)
	own, scores := h.Unit, r.g.heading(out.column).IsLog()
	if h.HasAny(geometricWords) { // it is a factor, whose logarithm is the deviation of that of the score
		if e.number <= 1 {
			leave(": a geometric standard deviation is a factor above 1")
			return
		}
		if e.number, own = math.Abs(m.number)*math.Log(e.number), (quantity.Unit{}); scores {
			e.number /= math.Abs(m.number) * math.Ln10
		}
	}
	if e.unit.IsSet() {
		own = e.unit
	}
	isLog := own.IsLog() || !own.IsSet() && h.IsLog()
	switch {
	case isLog && !scores && out.scale == "":
		leave(": it is that of a logarithm, and the score is none")
		return
	case isLog:
		m.onScale = true
	case own.IsSet() && scores:
		leave(fmt.Sprintf(": it is in %s, and the score is a logarithm", own))
		return
	case own.IsSet() && u.IsSet() && !own.ConvertsTo(u):
		leave(fmt.Sprintf(": it is in %s, and the score in %s", own, u))
		return
	case own.IsSet() && u.IsSet():
		e.number = own.DifferenceTo(u, e.number)
	}
	switch n := r.measurements(); {
	case r.c.sd < 0 || r.c.n < 0: // as if of one
		m.se = e.number
	case n.state == Measured && n.number >= 1:
		m.se = e.number / math.Sqrt(n.number)
	default:
		leave(fmt.Sprintf(": %s is %q", r.g.name(r.c.n), usage.Shorten(field(r.Cells, r.c.n), 40)))
	}
}

// measurements reads of how many measurements a row says that its deviation is.
func (r reader) measurements() measurement {
	return readCell(field(r.Cells, r.c.n), styleAt(r.s, r.Row, r.c.n))
}

// readSpread brings the error that the cell of a measurement states to a standard error, if there is one.
func (r reader) readSpread(rec *Record, out outcome, m *measurement) {
	if !m.spread {
		return
	}
	if r.o.SE == NoColumn {
		m.se, m.spread = 0, false
		return
	}
	if m.se == 0 {
		rec.leave(fmt.Sprintf("the error of %q is not used: it is 0", usage.Shorten(m.text, 40)))
		return
	}
	if !r.g.heading(out.column).Deviations {
		return
	}
	if n := r.measurements(); n.state == Measured && n.number >= 1 {
		m.se, m.divided = m.se/math.Sqrt(n.number), true
		return
	}
	if n := measurementsOf(r.g.header[out.column]); n >= 1 {
		m.se, m.divided = m.se/math.Sqrt(n), true
		return
	}
	m.se, m.spread, m.deviation = 0, false, true
}

// isRacemic reports whether a row says that its compound, which is drawn as one stereoisomer, is a mixture of it and
// its mirror image.
func (r reader) isRacemic() bool {
	cell := field(r.Cells, r.c.stereo)
	yes := slices.Contains([]string{"yes", "y", "true", "1", "x"}, strings.ToLower(cell))
	return isRacemic(cell) || yes && r.g.heading(r.c.stereo).HasAny([]string{"racemic", "racemate", "rac"})
}

var (
	racemicWords = regexp.MustCompile(`(?i)rac[eé]m|рацемат|mixture of .*mers|mers? mixture|meric mixture|1:1 mixture|^\(?rac(?:\.|\)|-| |$)|^\W*(?:±|\+\s*/\s*[-−–])\W*$|^\W*(?:dl|[rs]\s*[/,]\s*[rs]|and ?1|&1|ee:? 0 ?%|0 ?% ee)\W*$`)

	// resolved matches what says that a compound was a racemate, or how its centres are to each other: it stays as it
	// is drawn.
	resolved = regexp.MustCompile(`(?i)\bnon|\bnot\b|\bwas\b|separat|resol|\bex\b|\bfrom\b|peak|elut|isomer [12ab]\b|enantiomer [12ab]\b|\bcis\b|\btrans\b|\bsyn\b|\banti\b|erythro|threo|\bendo\b|\bexo\b`)
)

// isRacemic reports whether a cell says that a compound is a mixture of stereoisomers of all configurations.
func isRacemic(cell string) bool {
	return racemicWords.MatchString(cell) && !resolved.MatchString(cell)
}

// invalid returns r as Invalid, without an Input.
func (r Record) invalid(code Code, format string, args ...any) Record {
	r.without(Invalid, Reason{code, fmt.Sprintf(format, args...)})
	r.Input, r.Of, r.Others, r.OtherBounds, r.further, r.odd = "", 0, nil, nil, nil, ""
	return r
}

// without leaves r in a State without a score.
func (r *Record) without(state State, reason Reason) {
	r.State, r.Reason, r.Score, r.Bound, r.SE = state, reason, math.NaN(), 0, 0
	if state == Invalid {
		r.unused = ""
	}
}

// leave notes that a cell is not used.
func (r *Record) leave(note string) {
	if r.unused == "" || !strings.Contains(r.Note, note) {
		r.annotate(note)
	}
	r.unused = cmp.Or(r.unused, note)
}

func (r *Record) annotate(note string) {
	r.Note = joined("; ", r.Note, note)
}

// normalize turns the Input of a record into what a Normalize, which may be nil, makes of it.
func (r *Record) normalize(normalize func(string) (string, string, error)) {
	if normalize == nil || r.Input == "" {
		return
	}
	input, note, err := normalize(r.Input)
	switch {
	case err != nil && strings.Count(r.Input, ">") == 2 && !strings.Contains(r.Input, " "):
		*r = r.invalid(IsReaction, "%q is a reaction, not a molecule", usage.Shorten(r.Input, 60))
	case err != nil && openPlace.MatchString(r.Input):
		*r = r.invalid(IsOpen, "%v, and repeat units of polymers and R groups are not read: write what stands there, such as [H] or C", err)
	case err != nil:
		*r = r.invalid(BadString, "%v", err)
	default:
		r.Input = input
		r.annotate(note)
		if r.changed, _, _ = strings.Cut(note, " ("); r.racemic {
			r.changed = racemic
		}
	}
}

// openPlace matches a SMILES with an atom that stands for any.
var openPlace = regexp.MustCompile(`^[^\s*]*\*[^\s]*$`)

// spread makes records of the further scores of rows.
func (t *Table) spread() {
	if !slices.ContainsFunc(t.Records, func(r Record) bool { return len(r.further) > 0 }) {
		return
	}
	var all []Record
	for _, r := range t.Records {
		further := r.further
		r.further = nil
		all = append(all, r)
		for _, m := range further {
			another := r
			another.Lines, another.Note, another.from, another.others, another.changed, another.unused = 0, "", "", nil, "", ""
			another.take(m, cmp.Or(t.Columns.Unit, t.Columns.Score))
			all = append(all, another)
		}
	}
	t.Records = all
}
