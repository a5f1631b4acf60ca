package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
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

// WriteCSV writes the table. The columns of scores and further outcomes are empty, but for what was told already: people fill them in.
func (s Sheet) WriteCSV(w io.Writer) error { return csv.NewWriter(w).WriteAll(s.rows()) }

// WriteExcel writes the same as an Excel workbook.
func (s Sheet) WriteExcel(w io.Writer) error { return writeExcel(w, s.rows(), s.columns) }

func (s Sheet) rows() [][]string {
	rows := [][]string{append([]string{s.columns.ID, s.columns.Input, "predicted", "sd", "nearest", "similarity"}, s.filled...)}
	for i, p := range s.proposals {
		row := []string{name(p, s.prefix), p.Input, short(p.Mean), short(p.SD), "", ""}
		for _, outcome := range s.filled {
			row = append(row, number(s.kept[i].Outcome(outcome)))
		}
		if n := s.nearest[i]; n.ID > 0 {
			row[4], row[5] = name(n.Proposal, s.prefix), strconv.FormatFloat(n.similarity, 'f', 2, 64)
		}
		rows = append(rows, row)
	}
	return rows
}

// writeExcel writes a table with a header as an Excel workbook of one sheet.
func writeExcel(w io.Writer, rows [][]string, columns Columns) error {
	const sheet = "Sheet1" // of a new workbook
	f := excelize.NewFile()
	defer f.Close()
	text := []string{columns.ID, columns.Input, "nearest", "reason"} // although it may look like a number
	for i, row := range rows {
		cells := make([]any, len(row))
		for j, cell := range row {
			if len(cell) > excelize.TotalCellChars {
				return usage.Errorf("%s of row %d is too long for a cell of Excel; give a name that ends in .csv", rows[0][j], i+1)
			}
			v, err := strconv.ParseFloat(cell, 64)
			switch {
			case cell == "":
			case err == nil && i > 0 && !slices.Contains(text, rows[0][j]):
				cells[j] = v
			default:
				cells[j] = cell
			}
		}
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &cells); err != nil {
			return err
		}
	}
	return f.Write(w)
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

// short writes a number to four digits; nothing for NaN.
func short(v float64) string { return written(v, 4) }

// WriteAll writes all trials as CSV.
func (e *Experiment) WriteAll(w io.Writer) error { return csv.NewWriter(w).WriteAll(e.rows()) }

// WriteExcel writes all trials as an Excel workbook.
func (e *Experiment) WriteExcel(w io.Writer) error { return writeExcel(w, e.rows(), e.Columns) }

func (e *Experiment) rows() [][]string {
	all, prefix := e.All(), e.prefix()
	outcomes := e.unscored(outcomes(all))
	rows := [][]string{table.ExportHeader(append([]string{e.Columns.ID, e.Columns.Input, e.Columns.Score}, outcomes...)...)}
	for _, t := range all {
		digits := -1 // all, so that a single measurement is known when it is read again
		if len(t.Measurements) > 1 {
			digits = 10
		}
		row := []string{strconv.Itoa(t.ID), name(t.Proposal, prefix), t.Input, written(t.Score, digits)}
		for _, outcome := range outcomes {
			row = append(row, written(t.Outcome(outcome), digits))
		}
		n, sd := spread(t)
		reason := t.Reason
		if t.State == study.Scored {
			reason = t.Violates(e.Spec.Constraints)
		}
		rows = append(rows, append(row, strconv.Itoa(n), short(sd), stateOf(t), strconv.Itoa(t.Batch), short(t.Mean), short(t.SD), reason))
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

// WriteList writes the strings of Ranked, each with its name and score.
func (e *Experiment) WriteList(w io.Writer) error {
	prefix := e.prefix()
	for _, t := range e.Ranked() {
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", t.Input, name(t.Proposal, prefix), number(t.Score)); err != nil {
			return err
		}
	}
	return nil
}

// WriteSDF writes the molecules of Ranked as an SD file, each with its name, number, score and predictions as properties.
func (e *Experiment) WriteSDF(w io.Writer) error {
	if !e.Molecules() {
		return usage.Errorf("an SD file is of molecules, and this study is of other strings; give a name that ends in .csv or .smi")
	}
	prefix := e.prefix()
	for _, t := range e.Ranked() {
		block, err := func() (string, error) {
			m, err := molecule.Parse(t.Input)
			if err != nil {
				return "", err
			}
			defer m.Close()
			return m.Block()
		}()
		if err != nil {
			return fmt.Errorf("write %s: %w", t.Input, err)
		}
		_, rest, _ := strings.Cut(block, "\n") // the first line is the name
		called := name(t.Proposal, prefix)
		text := oneLine(called) + "\n" + rest
		for _, p := range [][2]string{
			{e.Columns.ID, called}, {e.Columns.Input, t.Input}, {e.Columns.Score, number(t.Score)}, {"trial", strconv.Itoa(t.ID)},
			{"predicted", short(t.Mean)}, {"predicted_sd", short(t.SD)},
		} {
			if p[1] != "" {
				text += fmt.Sprintf(">  <%s>\n%s\n\n", strings.Map(noAngles, oneLine(p[0])), oneLine(p[1]))
			}
		}
		if _, err := io.WriteString(w, text+"$$$$\n"); err != nil {
			return err
		}
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// noAngles drops what ends the name of a property.
func noAngles(r rune) rune {
	if r == '<' || r == '>' {
		return -1
	}
	return r
}

// number writes a score to ten digits, as no laboratory measures; nothing for NaN.
func number(v float64) string { return written(v, 10) }

// written writes a number to some digits, or if they are -1 to all that it has; nothing for NaN.
func written(v float64, digits int) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

func stateOf(t study.Trial) string {
	switch t.State {
	case study.Pending:
		return table.ExportWaiting
	case study.Scored:
		return table.ExportMeasured
	}
	return table.ExportFailed
}

// spread returns how many measurements of a trial have a score, and their standard deviation, that of a single one being its standard
// error; NaN if that is not known.
func spread(t study.Trial) (n int, sd float64) {
	var scores []float64
	single := math.NaN()
	for _, m := range t.Measurements {
		if !math.IsNaN(m.Score) {
			scores = append(scores, m.Score)
			if single = math.NaN(); m.SE > 0 {
				single = m.SE
			}
		}
	}
	if len(scores) == 1 {
		return 1, single
	}
	return len(scores), stat.StdDev(scores, nil)
}
