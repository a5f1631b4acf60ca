package experiment

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

// Sheet returns a table of proposals. The columns of scores and further outcomes are empty, but for what was told
// already: people fill them in.
func (e *Experiment) Sheet(proposals []study.Proposal) (*sheet.Sheet, error) {
	filled, prefix, facts := e.Filled(), e.prefix(), e.facts(proposals)
	t := &sheet.Sheet{Molecules: e.Molecules(), Columns: []sheet.Column{{Name: e.Columns.ID, Kind: sheet.Names}, {Name: e.Columns.Input, Kind: sheet.Strings}}}
	taken := append([]string{e.Columns.ID, e.Columns.Input}, filled...)
	for _, f := range facts {
		for _, name := range f.columns {
			name = table.Untaken(f.prefix, name, taken)
			taken = append(taken, name)
			t.Columns = append(t.Columns, sheet.Column{Name: name})
		}
	}
	for _, name := range filled {
		t.Columns = append(t.Columns, sheet.Column{Name: name, Kind: sheet.Scores})
	}
	for _, p := range proposals {
		row := []sheet.Cell{sheet.Text(name(p, prefix)), sheet.Text(p.Input)}
		for _, f := range facts {
			cells, err := f.cells(p)
			if err != nil {
				return nil, err
			}
			cells = cells[:min(len(cells), len(f.columns))]
			row = append(append(row, cells...), make([]sheet.Cell, len(f.columns)-len(cells))...)
		}
		kept, others := e.Lookup(p.X), e.FilledOthers()
		row = append(row, make([]sheet.Cell, len(filled)-len(others))...) // of what waits there is no score
		for _, outcome := range others {
			row = append(row, e.Columns.EnteredOther(outcome, kept.Outcome(outcome), int(kept.OutcomeBound(outcome))))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// facts are what columns of a sheet say of a proposal.
type facts struct {
	prefix  string // of columns whose names are taken
	columns []string
	cells   func(p study.Proposal) ([]sheet.Cell, error) // of the first columns; the others stay empty
}

// facts returns what a sheet says of proposals, in the order of its columns.
func (e *Experiment) facts(proposals []study.Proposal) (all []facts) {
	add := func(cells func(p study.Proposal) ([]sheet.Cell, error), columns ...string) {
		all = append(all, facts{"invbo_", columns, cells})
	}
	if wildType, _ := e.WildType(); wildType != "" {
		add(func(p study.Proposal) ([]sheet.Cell, error) {
			mutant := e.Mutant(p.Input)
			return []sheet.Cell{sheet.Text(mutant), mutations(mutant)}, nil
		}, "mutant", "mutations")
	}
	front := len(e.Spec.Objectives) > 1
	if !front {
		add(func(p study.Proposal) ([]sheet.Cell, error) {
			return []sheet.Cell{sheet.Number(p.Mean, digits), sheet.Number(p.SD, digits)}, nil
		}, "predicted", "predicted_sd")
	}
	if front || slices.ContainsFunc(proposals, func(p study.Proposal) bool { return p.Forecast != nil }) {
		add(func(p study.Proposal) ([]sheet.Cell, error) { return e.expected(p), nil }, e.forecasts()...)
	}
	trials, prefix := e.Trials(), e.prefix()
	add(func(p study.Proposal) ([]sheet.Cell, error) {
		near, similarity, err := e.nearest(p.Input, trials)
		if err != nil || near.ID == 0 {
			return nil, err
		}
		return []sheet.Cell{sheet.Text(name(near.Proposal, prefix)), sheet.Number(similarity, 2)}, nil
	}, "nearest", "similarity")
	if e.Molecules() {
		columns := []string{"weight", "sa", "undefined_centers"}
		if e.parts.Flags != nil {
			columns = append(columns, "alerts")
		}
		add(func(p study.Proposal) ([]sheet.Cell, error) {
			of, err := e.properties(p.Input)
			cells := []sheet.Cell{sheet.Number(of.weight, digits), sheet.Number(of.sa, 2), sheet.Number(float64(of.undefined), 0), sheet.Text(strings.Join(of.alerts, "; "))}
			return cells[:len(columns)], err
		}, columns...)
	}
	if e.pool != nil {
		all = append(all, facts{"pool_", e.pool.columns, func(p study.Proposal) ([]sheet.Cell, error) { return texts(e.pool.rows[p.X]), nil }})
	}
	if core := e.space.Core; core != nil {
		var columns []string
		for _, p := range core.Points {
			columns = append(columns, groupName(p))
		}
		add(func(p study.Proposal) ([]sheet.Cell, error) {
			if groups, ok := e.space.Groups(p.Input); ok {
				return texts(groups), nil
			}
			return nil, nil
		}, columns...)
	}
	if e.Routes() {
		add(func(p study.Proposal) ([]sheet.Cell, error) { return e.Route(p).cells(), nil }, "steps", "blocks_price", "route")
	}
	return all
}

func texts(all []string) (cells []sheet.Cell) {
	for _, text := range all {
		cells = append(cells, sheet.Text(text))
	}
	return cells
}

// properties are those of a molecule that people look at before they make it.
type properties struct {
	weight, sa float64
	undefined  int      // stereocenters and double bonds without a configuration
	alerts     []string // that it matches
}

// String writes the numbers for a legend.
func (p properties) String() string {
	text := fmt.Sprintf("%.0f g/mol, SA %.1f", p.weight, p.sa)
	if p.undefined > 0 {
		text += fmt.Sprintf(", %d undefined stereo", p.undefined)
	}
	return text
}

func (e *Experiment) properties(smiles string) (p properties, _ error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return p, fmt.Errorf("%s: %w", smiles, err)
	}
	defer m.Close()
	p.weight, p.sa = m.Weight(), molecules.Accessibility(m)
	if p.undefined = m.Undefined(); e.parts.Flags != nil {
		p.alerts, err = e.parts.Flags(smiles)
	}
	return p, err
}

// mutations returns how many mutations a mutant has; an empty cell for an empty mutant.
func mutations(mutant string) sheet.Cell {
	switch mutant {
	case "":
		return sheet.Cell{}
	case mutation.WildType:
		return sheet.Number(0, 0)
	}
	return sheet.Number(float64(1+strings.Count(mutant, ":")), 0)
}

// nearest returns which of trials with a score is most like a string, and its similarity; the ID is 0 if none has a score.
func (e *Experiment) nearest(input string, trials []study.Trial) (near study.Trial, similarity float64, _ error) {
	e.compared.Do(func() { e.alike = e.likeness() })
	similarity = -1
	for t := range pointers(trials) {
		if t.State != study.Scored {
			continue
		}
		v, err := e.alike(input, t.Input)
		if err != nil {
			return near, 0, err
		}
		if v > similarity {
			near, similarity = *t, v
		}
	}
	return near, similarity, nil
}

// likeness returns a function for the similarity of two strings: of molecules the Tanimoto similarity of ECFP4, of
// aligned sequences of one length the share of positions with the same letter, and of other strings 1 − edit distance /
// length. It remembers fingerprints, and may be called from several goroutines.
func (e *Experiment) likeness() func(a, b string) (float64, error) {
	switch {
	case e.space.Aligned:
		return func(a, b string) (float64, error) {
			if len(a) != len(b) { // residues with names of several letters, or another length
				return 1 - stats.Levenshtein([]rune(a), []rune(b)), nil
			}
			return identity(a, b), nil
		}
	case !e.Molecules():
		return func(a, b string) (float64, error) { return 1 - stats.Levenshtein([]rune(a), []rune(b)), nil }
	}
	trials := e.Trials()
	prints := make([]molecule.Counts, len(trials))
	parallel.For(len(trials), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if trials[i].State == study.Scored {
				prints[i], _ = ecfp4(trials[i].Input) // an error occurs again
			}
		}
	})
	known := map[string]molecule.Counts{}
	for i, t := range trials {
		if prints[i].IDs != nil {
			known[t.Input] = prints[i]
		}
	}
	var mu sync.Mutex // of known
	print := func(smiles string) (molecule.Counts, error) {
		mu.Lock()
		defer mu.Unlock()
		c, ok := known[smiles]
		if ok {
			return c, nil
		}
		c, err := ecfp4(smiles)
		if err == nil {
			known[smiles] = c
		}
		return c, err
	}
	return func(a, b string) (float64, error) {
		first, err := print(a)
		if err != nil {
			return 0, err
		}
		second, err := print(b)
		return molecule.Tanimoto(first, second), err
	}
}

func ecfp4(smiles string) (molecule.Counts, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return molecule.Counts{}, fmt.Errorf("%s: %w", smiles, err)
	}
	defer m.Close()
	return m.ECFP(2), nil
}

// identity returns the share of positions at which sequences of one length have the same letter.
func identity(a, b string) float64 {
	return 1 - float64(stats.Hamming(a, b))/float64(len(a))
}

// Draw draws proposals that are molecules, as SVG. Below each is its name with the prediction, what properties has of
// it, and the measured molecule that is most like it.
func (e *Experiment) Draw(w io.Writer, proposals []study.Proposal) error {
	const columns, size = 4, 300
	prefix, trials := e.prefix(), e.Trials()
	drawings := make([]molecule.Drawing, len(proposals))
	for i, p := range proposals {
		m, err := molecule.Parse(p.Input)
		if err != nil {
			return fmt.Errorf("draw %s: %w", p.Input, err)
		}
		defer m.Close()
		of, err := e.properties(p.Input)
		if err != nil {
			return err
		}
		near, similarity, err := e.nearest(p.Input, trials)
		if err != nil {
			return err
		}
		predicted := within(p.Mean, p.SD)
		switch {
		case p.Forecast == nil:
		case len(e.Spec.Objectives) > 1: // a line for each objective, whose names may be long
			var lines []string
			for i, o := range e.Spec.Objectives {
				lines = append(lines, usage.Shorten(o.Name, longestName)+" "+within(p.Forecast.Mean[i], p.Forecast.SD[i]))
			}
			if p.Forecast.Kept > 0 {
				lines = append(lines, fmt.Sprintf("chance of the constraints %.2f", p.Forecast.Kept))
			}
			predicted = strings.Join(lines, "\n")
		default:
			predicted += fmt.Sprintf("\nchance of the constraints %.2f", p.Forecast.Chance)
		}
		legend := fmt.Sprintf("%s: %s\n%s", name(p, prefix), predicted, of)
		if near.ID > 0 {
			legend += fmt.Sprintf("\n%.2f like %s", similarity, usage.Shorten(name(near.Proposal, prefix), 30))
		}
		for _, alert := range of.alerts {
			legend += "\n" + alert
		}
		drawings[i] = molecule.Drawing{Molecule: m, Legend: legend}
	}
	svg, err := molecule.Draw(drawings, min(columns, len(drawings)), size)
	if err != nil {
		return err
	}
	_, err = w.Write(svg)
	return err
}

// Export returns all that the experiment knows as a table; bestFirst puts strings with better scores before others.
func (e *Experiment) Export(bestFirst bool) *sheet.Sheet {
	trials := e.All()
	if bestFirst {
		ranked := e.Ranked()
		has := map[int]bool{}
		for _, t := range ranked {
			has[t.ID] = true
		}
		trials = append(ranked, slices.DeleteFunc(trials, func(t study.Trial) bool { return has[t.ID] })...)
	}
	return e.ExportOf(trials)
}

// ExportOf returns what Export does of some trials.
func (e *Experiment) ExportOf(trials []study.Trial) *sheet.Sheet {
	prefix := e.prefix()
	unit := e.Columns.Unit
	if e.Columns.Scale != "" {
		unit = "" // it is that of what the scores are made of
	}
	wildType, _ := e.WildType()
	columns, others := e.Columns.Columns, outcomes(trials)
	if e.Objective == nil {
		others = e.unscored(others)
	} else if slices.ContainsFunc(others, func(name string) bool { return strings.EqualFold(name, columns.Score) }) {
		columns.Score = "made_score" // of the outcomes; one of them has the usual name
	}
	x := &table.Export{
		Made: e.Objective != nil, Mutants: wildType != "", Routes: e.Routes(),
		Columns: columns, Unit: unit, Others: others, Molecules: e.Molecules(),
	}
	front := e.Spec.Front(trials)
	x.Front = front != nil
	forecast := x.Front || slices.ContainsFunc(trials, func(t study.Trial) bool { return t.Forecast != nil })
	if forecast {
		x.Forecast = e.forecasts()
	}
	on := onFront(front)
	for _, t := range trials {
		rows := e.exportRows(t, prefix)
		for i := range rows {
			if rows[i].OnFront = on[t.ID]; forecast {
				rows[i].Forecast = e.expected(t.Proposal)
			}
		}
		x.Rows = append(x.Rows, rows...)
	}
	return x.Sheet()
}

// exportRows returns a row for each measurement of a trial, or one if there is none.
func (e *Experiment) exportRows(t study.Trial, prefix string) []table.ExportRow {
	row := table.ExportRow{
		Trial: t.ID, Name: name(t.Proposal, prefix), Input: t.Input, Mutant: e.Mutant(t.Input), Batch: t.Batch, Predicted: t.Mean, PredictedSD: t.SD,
		Score: math.NaN(), State: table.ExportFailed, Reason: t.Reason,
	}
	row.Route = e.Route(t.Proposal).Text()
	if t.State == study.Pending {
		row.State = table.ExportWaiting
	}
	if len(t.Measurements) == 0 {
		return []table.ExportRow{row}
	}
	rows := make([]table.ExportRow, len(t.Measurements))
	for i, m := range t.Measurements {
		row.Measurement, row.Score, row.Bound, row.SE, row.Reason = i+1, m.Score, int(m.Bound), m.SE, m.Reason
		row.Others, row.OtherBounds = m.Others, sides[int](m.OtherBounds)
		switch {
		case t.State == study.Pending, m.Part() && t.State != study.Scored:
			row.State = table.ExportWaiting
		case m.Part(): // of outcomes alone
			row.State = table.ExportMeasured
		case m.Unreadable():
			row.State = table.ExportUnreadable
		case m.Struck():
			if row.State = table.ExportStruck; Failure(&t) == table.ExportWithdrawn {
				row.State = table.ExportWithdrawn
			}
		case math.IsNaN(m.Score):
			row.State = table.ExportFailed
		default:
			row.State, row.Reason = table.ExportMeasured, cmp.Or(t.Violates(e.Spec.Constraints), m.Reason)
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

// within writes a mean and its standard deviation, such as 9.6 ± 1.1: the deviation to two digits, and the mean to as
// many decimals. A deviation of 0 is left out, as the mean is known.
func within(mean, sd float64) string {
	if !(sd > 0 && sd <= math.MaxFloat64) {
		return short(mean)
	}
	decimals := max(0, 1-int(math.Floor(math.Log10(sd))))
	if decimals > 6 || sd >= 1e6 {
		return short(mean) + " ± " + written(sd, 2)
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, mean, decimals, sd)
}

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
