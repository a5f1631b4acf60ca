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
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
)

// Export is all that a study knows. As a table it has a row for each measurement, and one for each string without any:
// means would not read back as the measurements that they are of.
type Export struct {
	Columns   Columns  // names of the columns of names, strings and scores, and the units of Others
	Unit      string   // of the scores; may be empty
	Others    []string // names of further outcomes
	Molecules bool     // the strings are SMILES
	Mutants   bool     // they are variants of a wild type
	Routes    bool     // they have routes
	Front     bool     // there are several objectives
	Made      bool     // scores are made of Others
	Forecast  []string // names of the columns of what was predicted of them
	Rows      []ExportRow
}

// ExportRow is a row of an Export.
type ExportRow struct {
	Trial       int // number of the string in the study
	Name, Input string
	Mutant      string // Input as substitutions; may be empty
	Route       string // how Input is made; may be empty
	OnFront     bool   // no other string dominates it

	Measurement int     // of the string, from 1; 0: there is none
	State       string  // one of the words below
	Score       float64 // NaN: none
	Bound       int     // 1: the true value is greater than Score; −1: it is less
	SE          float64 // standard error of Score; 0 if it is not known
	Others      map[string]float64
	OtherBounds map[string]int // of Others, as Bound; those without one are exact
	Reason      string         // why the measurement failed, or what else there is to say

	Batch                  int
	Predicted, PredictedSD float64      // NaN: it was not predicted
	Forecast               []sheet.Cell // of Export.Forecast
}

// States of rows of an export.
const (
	ExportMeasured   = "measured"
	ExportWaiting    = "waiting"
	ExportFailed     = "failed"
	ExportStruck     = "struck"     // as are those below, read back as failed: the reason says what it was
	ExportUnreadable = "unreadable" // it was measured, and the value could not be read
	ExportWithdrawn  = "withdrawn"  // it was taken back, and never measured
)

// exportFailures are the states of rows without a score that wait for none.
var exportFailures = []string{ExportFailed, ExportStruck, ExportUnreadable, ExportWithdrawn}

// The columns of an export before and after those of the user, by which it is known when it is read again.
const exportBegins = "trial"

var (
	exportEnds = []string{"measurement", "se", "state", "batch", "predicted", "predicted_sd", "reason"}

	// oldEnds are those of earlier versions, which wrote the mean of a string's measurements, their number and standard
	// deviation.
	oldEnds = []string{"measurements", "sd", "state", "batch", "predicted", "predicted_sd", "reason"}
)

// Sheet returns the table to be written. Texts with control characters, such as line ends, are quoted as in Go, but in
// a list.
func (e *Export) Sheet() *sheet.Sheet {
	users := []sheet.Column{{Name: e.Columns.ID, Kind: sheet.Names}, {Name: e.Columns.Input, Kind: sheet.Strings}, {Name: e.Columns.Score, Unit: e.Unit, Kind: sheet.Scores}}
	s := &sheet.Sheet{Molecules: e.Molecules, Quoted: true, Columns: plainColumns(exportBegins)}
	others := stats.Map(e.Others, func(name string) sheet.Column {
		c := sheet.Column{Name: name, Unit: e.Columns.OtherUnits[name]}
		if e.Made {
			c.Kind = sheet.Outcomes
		}
		return c
	})
	for _, c := range append(users, others...) {
		for c.Name == exportBegins || slices.Contains(exportEnds, c.Name) || slices.ContainsFunc(s.Columns, func(other sheet.Column) bool { return other.Name == c.Name }) {
			c.Name += "." // which tells it from others, and is the same name
		}
		s.Columns = append(s.Columns, c)
	}
	s.Columns = append(s.Columns, plainColumns(exportEnds...)...)
	own := func(names ...string) {
		for _, name := range names {
			s.Columns = append(s.Columns, sheet.Column{Name: Untaken("invbo_", name, stats.Map(s.Columns, func(c sheet.Column) string { return c.Name }))})
		}
	}
	if e.Mutants {
		own("mutant")
	}
	if e.Routes {
		own("route")
	}
	if e.Front {
		own("front")
	}
	own(e.Forecast...)
	for _, r := range e.Rows {
		row := []sheet.Cell{sheet.Number(float64(r.Trial), 0), sheet.Text(r.Name), sheet.Text(r.Input), sheet.Bounded(r.Score, r.Bound)}
		for _, name := range e.Others {
			v, ok := r.Others[name]
			if !ok {
				v = math.NaN()
			}
			row = append(row, sheet.Bounded(v, r.OtherBounds[name]))
		}
		const digits = 4
		row = append(row, positive(float64(r.Measurement)), positive(r.SE), sheet.Text(r.State), sheet.Number(float64(r.Batch), 0),
			sheet.Number(r.Predicted, digits), sheet.Number(r.PredictedSD, digits), sheet.Text(r.Reason))
		if e.Mutants {
			row = append(row, sheet.Text(r.Mutant))
		}
		if e.Routes {
			row = append(row, sheet.Text(r.Route))
		}
		if e.Front {
			row = append(row, sheet.Text(strconv.FormatBool(r.OnFront)))
		}
		row = append(row, r.Forecast...)
		s.Rows = append(s.Rows, row)
	}
	return s
}

// Untaken returns a name for a column that no other column has: two of one name could not be told apart. Prefix says
// where the column is from.
func Untaken(prefix, name string, taken []string) string {
	for slices.ContainsFunc(taken, func(other string) bool { return strings.EqualFold(other, name) }) {
		name = prefix + name
	}
	return name
}

// layout says where the columns of an export are; nil: the table is of another origin.
type layout struct {
	begins, ends int      // the first columns of its own before and after those of the user
	own          []string // names from ends on
}

// exportLayout finds the columns of an export in a header. Others may stand before them, as in an SD file, and behind them.
func exportLayout(header []string) *layout {
	const users = 3 // at least: name, string and score
	begins := slices.Index(header, exportBegins)
	for _, own := range [][]string{exportEnds, oldEnds} {
		for at := begins + 1 + users; begins >= 0 && at+len(own) <= len(header); at++ {
			if slices.Equal(header[at:at+len(own)], own) {
				return &layout{begins: begins, ends: at, own: own}
			}
		}
	}
	return nil
}

// columns returns the columns that are the export's own, with those before them.
func (l *layout) columns() (all []int) {
	if l == nil {
		return nil
	}
	for i := range l.begins + 1 {
		all = append(all, i)
	}
	for i := range l.own {
		all = append(all, l.ends+i)
	}
	return all
}

// isExport reports whether a text is an export as CSV, whose separator no content makes doubtful.
func isExport(text string) bool {
	if !strings.HasPrefix(text, exportBegins+",") {
		return false
	}
	header := head(rawfile.Scan(rawfile.Text{Begin: text}, rawfile.Comma, false), 1)
	return len(header) > 0 && exportLayout(header[0].Cells) != nil
}

// choose sets options that name no column, or the export's own, to columns of the export. Its other columns lose names
// that outcomes have.
func (l *layout) choose(g *grid, o *Options) {
	set := func(option *string, column int) {
		if *option == "" || quantity.Fold(*option) == quantity.Fold(g.header[column]) {
			*option = byIndex + strconv.Itoa(column)
		}
	}
	set(&o.ID, l.begins+1)
	set(&o.Input, l.begins+2)
	if len(o.Score) < 2 {
		o.Score = append(o.Score, "")[:1:1]
		set(&o.Score[0], l.begins+3)
	}
	if i := slices.Index(l.own, "se"); i >= 0 {
		set(&o.SE, l.ends+i)
	}
	users := map[string]bool{}
	for _, name := range g.header[l.begins+1 : l.ends] {
		users[quantity.Fold(name)] = true
	}
	g.header = slices.Clone(g.header) // of rows that may be read again
	for i, name := range g.header {
		if (i <= l.begins || i >= l.ends) && users[quantity.Fold(name)] {
			g.header[i] = ""
		}
	}
	g.headings = nil // names have changed
}

// exported adds what an export says of its row.
func (r *Record) exported(l *layout, cell func(column int) string, s numeral.Style) {
	own := func(name string) string {
		if i := slices.Index(l.own, name); i >= 0 {
			return cell(l.ends + i)
		}
		return ""
	}
	state := own("state")
	if slices.Contains(exportFailures, state) && r.State == Missing {
		r.State, r.Reason = Failed, Reason{MeasurementFailed, cmp.Or(sheet.ReadText(own("reason"), true), "failed")}
	}
	if n := readCell(own("measurement"), s); n.number >= 1 && n.number <= usage.Most {
		r.Measurement = int(n.number)
	}
	if n := readCell(own("measurements"), s); state == ExportMeasured && n.number >= 1 && n.number <= usage.Most { // of an earlier version
		if sd := readCell(own("sd"), s); sd.state == Measured {
			r.SE = sd.number / math.Sqrt(n.number)
		}
		if n.number > 1 {
			r.Of = int(n.number)
			r.annotate(fmt.Sprintf("the mean of %d measurements", r.Of))
		}
	}
}

// plainColumns returns columns of these names.
func plainColumns(names ...string) []sheet.Column {
	return stats.Map(names, func(name string) sheet.Column { return sheet.Column{Name: name} })
}

// positive returns a cell with a number to all digits; empty if it is 0.
func positive(v float64) sheet.Cell {
	if v == 0 {
		return sheet.Cell{}
	}
	return sheet.Number(v, 0)
}
