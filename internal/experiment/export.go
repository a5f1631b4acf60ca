package experiment

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// Sheet is a table of proposals that people fill in.
type Sheet struct {
	columns   Columns
	filled    []string // columns to fill in
	proposals []study.Proposal
	kept      []study.Trial // what was told of the proposals
	prefix    string        // of the names of those without one
	nearest   []neighbour
}

// neighbour is the measured string that is most like another one.
type neighbour struct {
	study.Trial         // its ID is 0 if nothing has been measured
	similarity  float64 // of molecules the Tanimoto similarity of ECFP4, of other strings 1 − edit distance / length
}

// Sheet returns the table of proposals.
func (e *Experiment) Sheet(proposals []study.Proposal) (Sheet, error) {
	s := Sheet{columns: e.Columns, filled: e.Filled(), proposals: proposals, prefix: e.prefix()}
	for _, p := range proposals {
		s.kept = append(s.kept, e.Lookup(p.X))
	}
	like, err := e.likeness(proposals)
	if err != nil {
		return s, err
	}
	for i := range proposals {
		best := neighbour{similarity: -1}
		for _, t := range e.Trials() {
			if t.State != study.Scored {
				continue
			}
			v, err := like(i, t.Input)
			if err != nil {
				return s, err
			}
			if v > best.similarity {
				best = neighbour{t, v}
			}
		}
		s.nearest = append(s.nearest, best)
	}
	return s, nil
}

// likeness returns the similarity of the i-th proposal to a string.
func (e *Experiment) likeness(proposals []study.Proposal) (func(i int, input string) (float64, error), error) {
	if !e.Molecules() {
		return func(i int, input string) (float64, error) {
			return 1 - stats.Levenshtein([]rune(proposals[i].Input), []rune(input)), nil
		}, nil
	}
	known := map[string]molecule.Counts{}
	print := func(smiles string) (molecule.Counts, error) {
		if c, ok := known[smiles]; ok {
			return c, nil
		}
		m, err := molecule.Parse(smiles)
		if err != nil {
			return molecule.Counts{}, fmt.Errorf("%s: %w", smiles, err)
		}
		defer m.Close()
		const radius = 2 // ECFP4
		known[smiles] = m.ECFP(radius)
		return known[smiles], nil
	}
	return func(i int, input string) (float64, error) {
		a, err := print(proposals[i].Input)
		if err != nil {
			return 0, err
		}
		c, err := print(input)
		return molecule.Tanimoto(a, c), err
	}, nil
}

// Table returns the table to be written. The columns of scores and further outcomes are empty, but for what was told already: people
// fill them in.
func (s Sheet) Table() *table.Sheet {
	users := append([]string{s.columns.ID, s.columns.Input}, s.filled...)
	own := func(name string) table.Column {
		for slices.Contains(users, name) { // two columns of one name could not be told apart
			name = "invbo_" + name
		}
		return table.Column{Name: name}
	}
	t := &table.Sheet{Columns: []table.Column{
		{Name: s.columns.ID, Kind: table.Names}, {Name: s.columns.Input, Kind: table.Strings}, own("predicted"), own("predicted_sd"), own("nearest"), own("similarity"),
	}}
	for _, name := range s.filled {
		t.Columns = append(t.Columns, table.Column{Name: name, Kind: table.Scores})
	}
	for i, p := range s.proposals {
		row := []table.Cell{table.Text(name(p, s.prefix)), table.Text(p.Input), table.Number(p.Mean, digits), table.Number(p.SD, digits), {}, {}}
		if n := s.nearest[i]; n.ID > 0 {
			row[4], row[5] = table.Text(name(n.Proposal, s.prefix)), table.Number(n.similarity, 2)
		}
		for _, outcome := range s.filled {
			row = append(row, table.Number(s.kept[i].Outcome(outcome), 0))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// WriteSVG draws the proposals, if they are molecules.
func (s Sheet) WriteSVG(w io.Writer) error {
	const columns, size = 4, 250
	drawings := make([]molecule.Drawing, len(s.proposals))
	for i, p := range s.proposals {
		m, err := molecule.Parse(p.Input)
		if err != nil {
			return fmt.Errorf("draw %s: %w", p.Input, err)
		}
		defer m.Close()
		drawings[i] = molecule.Drawing{Molecule: m, Legend: fmt.Sprintf("%s: %s +- %s", name(p, s.prefix), short(p.Mean), short(p.SD))}
	}
	svg, err := molecule.Draw(drawings, min(columns, len(drawings)), size)
	if err != nil {
		return err
	}
	_, err = w.Write(svg)
	return err
}

// Export returns all that the experiment knows as a table; bestFirst puts strings with better scores before others.
func (e *Experiment) Export(bestFirst bool) *table.Sheet {
	trials, prefix := e.All(), e.prefix()
	if bestFirst {
		ranked := e.Ranked()
		has := map[int]bool{}
		for _, t := range ranked {
			has[t.ID] = true
		}
		trials = append(ranked, slices.DeleteFunc(trials, func(t study.Trial) bool { return has[t.ID] })...)
	}
	unit := e.Columns.Unit
	if e.Columns.Scale != "" {
		unit = "" // it is that of what the scores are made of
	}
	x := &table.Export{
		Columns: e.Columns.Table(), Unit: unit, Others: e.unscored(outcomes(trials)), Molecules: e.Molecules(),
	}
	for _, t := range trials {
		x.Rows = append(x.Rows, e.exportRows(t, prefix)...)
	}
	return x.Sheet()
}

// exportRows returns a row for each measurement of a trial, or one if there is none.
func (e *Experiment) exportRows(t study.Trial, prefix string) []table.ExportRow {
	row := table.ExportRow{
		Trial: t.ID, Name: name(t.Proposal, prefix), Input: t.Input, Batch: t.Batch, Predicted: t.Mean, PredictedSD: t.SD,
		Score: math.NaN(), State: table.ExportFailed, Reason: t.Reason,
	}
	if t.State == study.Pending {
		row.State = table.ExportWaiting
	}
	if len(t.Measurements) == 0 {
		return []table.ExportRow{row}
	}
	rows := make([]table.ExportRow, len(t.Measurements))
	for i, m := range t.Measurements {
		row.Measurement, row.Score, row.Bound, row.SE, row.Others, row.Reason = i+1, m.Score, int(m.Bound), m.SE, m.Others, m.Reason
		switch {
		case t.State == study.Pending:
		case math.IsNaN(m.Score):
			row.State = table.ExportFailed
		default:
			row.State, row.Reason = table.ExportMeasured, t.Violates(e.Spec.Constraints)
		}
		rows[i] = row
	}
	return rows
}

// outcomes returns the names of all further outcomes, in alphabetical order.
func outcomes(trials []study.Trial) []string {
	names := map[string]bool{}
	for _, t := range trials {
		for _, m := range t.Measurements {
			for name := range m.Others {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// digits is how many digits of predictions are shown.
const digits = 4

// short writes a number to so many digits; nothing for NaN.
func short(v float64) string { return written(v, digits) }

// number writes a score to ten digits, as no laboratory measures; nothing for NaN.
func number(v float64) string { return written(v, 10) }

// written writes a number to some digits; nothing for NaN.
func written(v float64, digits int) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// scored returns how many measurements of a trial have a score.
func scored(t study.Trial) (n int) {
	for _, m := range t.Measurements {
		if !math.IsNaN(m.Score) {
			n++
		}
	}
	return n
}
