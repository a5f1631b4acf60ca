// Package table reads a table of measured compounds or sequences as laboratories write them, and says what became of every row.
//
// Formats are told apart by content: tables with commas, semicolons, tabs or pipes, lines of SMILES with names, SD files, Excel
// workbooks (.xlsx) and FASTA, each gzipped or not, in UTF-8, UTF-16 or Windows-1252 (Latin-1). Read fails if the file as a
// whole cannot be understood: an unknown format, or columns that could be either. What is wrong with a single row is the State
// of its Record. Errors are those of package usage, and name the flags --input, --score, --id, --se, --wild-type and --sheet,
// which set the Options of these names.
package table

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/selfies"
)

// Options says what a reader cannot tell from the file. The zero value finds all columns by their names and contents.
type Options struct {
	// Columns, by name (case, blanks, punctuation and units in parentheses aside) or number from 1; empty: found by name.
	Input string // SMILES, sequences or other strings, or mutants of WildType
	Score string // or NoScores
	ID    string // name of the compound
	SE    string // standard error of the score

	Others []string // further outcomes, by the same name in Record.Others; if Named, a table may lack them

	Named    bool     // a row, or all, may have an ID and no Input: its compound is known by name. Columns may be named by a study
	WildType string   // the sequence that mutants such as A24T:K30R change, in capital letters; see ParseWildType
	Offset   int      // position of its first letter, minus 1: −1 where positions count from 0
	Sheet    string   // of an Excel workbook; empty: the first
	Censored Censored // what becomes of >4.5; empty: Skip

	// Normalize returns what the search uses for what the file has, and what it changed, for people: "desalted (removed Cl)",
	// which is counted by what comes before " (". Rows with an error are Invalid. It must be safe for concurrent use; nil
	// makes sequences of what Sequences says are such, and leaves other text as it is. See Molecules.
	Normalize func(text string) (input, note string, err error)
	Sequences Sequences // what the strings are, if Normalize is nil
	Molecules bool      // Normalize reads SMILES, and a column of SELFIES is decoded for it

	CSV        bool                  // the name of the file says so: a single letter in its first row may name a column
	NoComments bool                  // rows that begin with # are strings, or begin with a name
	Progress   func(done, total int) // is called with the number of rows that were read, and about that of all; nil: nothing is
}

// NoScores is an Options.Score for a table whose scores are not to be read.
const NoScores = "none"

// Censored says what becomes of a score that is only known to be above, below or about a value.
type Censored string

const (
	Skip      Censored = "skip"  // the row is Missing
	TakeBound Censored = "bound" // the value is the score, and the row's State is Bound
)

// State says what became of a row.
type State string

const (
	Measured State = "measured" // has a score
	Bound    State = "bound"    // has a score that is a bound: >4.5
	Missing  State = "missing"  // has no score: empty, NA, or a bound that is skipped
	Failed   State = "failed"   // the measurement failed; Reason says why
	Invalid  State = "invalid"  // cannot be used; Note says why
)

// Record is what became of a row.
type Record struct {
	Line, Lines int     // of the file or sheet that the row begins at, from 1, and how many it takes
	ID          string  // may be empty
	Text        string  // as written: a SMILES, that of an SD file's molblock, a sequence, mutants
	Input       string  // Text as Options.Normalize writes it; empty if that is not possible
	Score       float64 // NaN unless Measured or Bound
	SE          float64 // standard error of Score; 0 if it is not known
	State       State
	Of          int // measurements that Score is the mean of, in a table of invbo export of an earlier version; 0: it is one
	Measurement int // number among those of its string, in a table of invbo export; 0: it has none

	Others map[string]float64 // further outcomes that have a value; nil: none has
	NaN    bool               // the score is written as NaN or infinite, as by a program that could not compute it

	Reason string // why the measurement failed; empty: it did not
	Note   string // what was changed or is wrong, for people; may be empty

	changed string // what Normalize changed, without details
	bound   bool   // Missing, because it is a bound
	unused  string // of another column than those of the string and the score: a cell that cannot be used, and why
	odd     string // how its length differs from that of nearly all sequences

	mutants     string // as written; empty if there are none or they cannot be read
	expected    string // what they make of the wild type; empty if they do not fit it
	contradicts bool   // they fit neither the wild type nor the sequence
}

// Table is a file that was read.
type Table struct {
	Format   Format
	Columns  Columns
	Records  []Record // one for each row of data, in the order of the file
	Comments int      // lines that begin with #
	Empty    int      // lines without anything but separators
	Lines    int      // of the file or sheet: the sum of the above, and the header's

	Sequences Sequences // what the strings were found to be; not Detect

	made bool // scores were made of further outcomes
}

// Columns holds the names of the columns that were read, as the file spells them; empty for those that it does not have.
type Columns struct{ Input, Score, ID, SE string }

// Read reads a table.
func Read(ctx context.Context, r io.Reader, o Options) (*Table, error) {
	rows, err := Open(r, o)
	if err != nil {
		return nil, err
	}
	return rows.Read(ctx, o)
}

// Read reads the table. The options may differ from those that it was opened with.
func (r *Rows) Read(ctx context.Context, o Options) (*Table, error) {
	if !slices.Contains([]Censored{"", Skip, TakeBound}, o.Censored) {
		return nil, usage.Errorf("--censored %s: give %s or %s", o.Censored, Skip, TakeBound)
	}
	g := r.grid
	c, err := g.choose(o)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	s := g.style(append([]int{c.score, c.se}, c.others...)...)
	g.format.DecimalComma = s.mark == commas || s.mark == both
	t := &Table{Format: g.format, Columns: c.names(g)}
	count := func(r row) {
		t.Lines += r.lines
		switch {
		case r.line == g.headerLine:
		case r.kind == comment:
			t.Comments += r.lines
		case r.kind == empty:
			t.Empty += r.lines
		}
	}
	record := func(r row) Record {
		rec := c.record(r, g, s, o)
		rec.normalize(o.Normalize)
		return rec
	}
	about := g.about()
	err = g.each(ctx, count, record, func(some []Record) bool {
		t.Records = append(t.Records, some...)
		if o.Progress != nil {
			o.Progress(len(t.Records), max(len(t.Records), about))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	if len(t.Records) == 0 {
		return nil, usage.Errorf("it has no rows of data")
	}
	if o.Normalize == nil {
		t.sequences(o)
	}
	t.compare(o)
	if err := t.checkWildType(o); err != nil {
		return nil, usage.Wrap(err)
	}
	return t, nil
}

// record returns the Record of a row, with what is to be normalized as its Input.
func (c columns) record(r row, g *grid, s style, o Options) Record {
	cell := func(i int) string {
		if i < 0 || i >= len(r.cells) {
			return ""
		}
		return r.cells[i]
	}
	rec := Record{Line: r.line, Lines: r.lines, ID: c.text(cell(c.id)), Text: c.text(cell(c.input)), Score: math.NaN(), State: Missing}
	for _, i := range []int{c.input, c.score, c.id, c.se} {
		if size := len(cell(i)); size > maxField && !(g.blocks && i == blockColumn) {
			rec.ID, rec.Text = usage.Shorten(rec.ID, 100), usage.Shorten(rec.Text, 100)
			return rec.invalid("column %s has %d bytes; the limit is %d", g.name(i), size, maxField)
		}
	}
	if r.problem != "" {
		return rec.invalid("%s", r.problem)
	}
	if r.cut && g.whole && (len(r.cells) < g.width || strings.HasPrefix(r.cells[len(r.cells)-1], `"`)) {
		return rec.invalid("the last line is incomplete, perhaps after a crash")
	}
	if cells := len(trimEmpty(r.cells)); cells > g.width {
		return rec.invalid("the row has %d cells, and there are %d columns: quote cells that contain the separator", cells, g.width)
	}
	if g.blocks && c.input == blockColumn {
		smiles, err := molecule.BlockSMILES(rec.Text)
		if rec.Text = smiles; err != nil {
			return rec.invalid("no molecule: the molblock: %v", err)
		}
	}
	if rec.Text == "" && !(o.Named && rec.ID != "") {
		at := c.input
		if at < 0 {
			at = c.id
		}
		return rec.invalid("column %s is empty", g.name(at))
	}
	rec.Input = rec.Text
	if c.selfies && o.Molecules {
		smiles, err := selfies.Decode(rec.Text)
		if rec.Input = smiles; err != nil {
			return rec.invalid("no molecule: %v", err)
		}
	}
	if mutants := cell(c.mutant); mutants != "" {
		if c.id < 0 {
			rec.ID = mutants
		}
		if rec = rec.mutant(mutants, c.mutant == c.input, o); rec.State == Invalid {
			return rec
		}
	}
	if c.score >= 0 {
		v := readCell(cell(c.score), s)
		rec.NaN = isNaN(cell(c.score))
		rec.State, rec.Note = v.state, v.note
		switch {
		case v.state == Failed:
			rec.fail(v.note)
			rec.Note = ""
		case v.state == Bound && o.Censored != TakeBound:
			rec.State, rec.Note = Missing, fmt.Sprintf("%s is a bound, not used as the score", cell(c.score))
			rec.bound = true
		case v.state == Measured || v.state == Bound:
			rec.Score = v.value
		}
	}
	for i, at := range c.others {
		switch v := readCell(cell(at), s); {
		case v.state == Measured, v.state == Bound && o.Censored == TakeBound:
			if rec.Others == nil {
				rec.Others = map[string]float64{}
			}
			rec.Others[o.Others[i]] = v.value
		case v.state == Failed && rec.State == Missing: // there will be no score
			rec.fail(v.note)
		case v.state == Failed && rec.State == Failed:
		case v.state == Bound && o.Score == NoScores:
			rec.bound = true
			rec.annotate(fmt.Sprintf("%s %s is a bound, not used", o.Others[i], cell(at)))
		case v.state != Missing:
			rec.leave(o.Others[i], cell(at), v)
		}
	}
	if c.export != nil {
		rec.exported(c.export, cell, s)
	}
	if text := cell(c.se); text != "" && !math.IsNaN(rec.Score) {
		switch v := readCell(text, s); {
		case v.state == Measured && v.value >= 0:
			rec.SE = v.value
		case v.state != Missing:
			rec.leave("standard error "+g.name(c.se), text, v)
		}
	}
	return rec
}

// invalid returns r as Invalid, without an Input.
func (r Record) invalid(format string, args ...any) Record {
	r.State, r.Input, r.Score, r.SE, r.Of, r.Others, r.odd = Invalid, "", math.NaN(), 0, 0, nil, ""
	r.annotate(fmt.Sprintf(format, args...))
	return r
}

// leave notes that a cell is not used.
func (r *Record) leave(column, cell string, v value) {
	note := fmt.Sprintf("%s %q is not used", column, usage.Shorten(cell, 40))
	if v.state == Invalid { // whose note quotes the cell
		note = fmt.Sprintf("%s is not used: %s", column, v.note)
	}
	r.unused = cmp.Or(r.unused, note)
	r.annotate(note)
}

// text returns a cell of text as it was before it was written.
func (c columns) text(cell string) string {
	if cell = unguard(cell); c.export != nil {
		cell = unquote(cell)
	}
	return cell
}

// ScoreBy sets the scores of records from their further outcomes, where score returns one. It names those that are missing.
func (t *Table) ScoreBy(score func(others map[string]float64) (score float64, missing string)) {
	t.made = true
	for i := range t.Records {
		r := &t.Records[i]
		if r.State != Missing {
			continue
		}
		var missing string
		if r.Score, missing = score(r.Others); missing == "" {
			r.State = Measured
		} else if len(r.Others) > 0 {
			r.annotate("without " + missing)
		}
	}
}

func (r *Record) annotate(note string) {
	if r.Note != "" && note != "" {
		note = "; " + note
	}
	r.Note += note
}

// normalize turns the Input of a record into what a Normalize, which may be nil, makes of it.
func (r *Record) normalize(normalize func(string) (string, string, error)) {
	if normalize == nil || r.Input == "" {
		return
	}
	input, note, err := normalize(r.Input)
	if err != nil {
		*r = r.invalid("%v", err)
		return
	}
	r.Input = input
	r.annotate(note)
	r.changed, _, _ = strings.Cut(note, " (")
}
