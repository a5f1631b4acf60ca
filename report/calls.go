package report

import (
	"errors"
	"io"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
)

// Calls shows the oracle calls of methods by purpose, and how many of them gave a new best score.
type Calls struct {
	Title   string
	Methods []CallCounts
}

// CallCounts are the counts of a method's runs, without the initial data: for acquisition and for recentering (purpose,
// run).
type CallCounts struct {
	Name     string
	Calls    [2][]float64
	Improved [2][]float64 // calls that gave a new best score
}

var purposes = [2]string{"acquisition", "recentering"}

// WriteSVG draws means as bars, with standard errors.
func (c Calls) WriteSVG(w io.Writer) error {
	if len(c.Methods) == 0 {
		return errors.New("calls: no methods to show")
	}
	g := page{title: c.Title}
	for _, panel := range []struct {
		label string
		of    func(CallCounts) [2][]float64
	}{
		{"oracle calls", func(m CallCounts) [2][]float64 { return m.Calls }},
		{"calls with a new best score", func(m CallCounts) [2][]float64 { return m.Improved }},
	} {
		p := newPlot("", panel.label)
		names := make([]string, len(c.Methods))
		g.legend = nil // the same for both panels
		for k, purpose := range purposes {
			bars := &plotter.Polygon{Color: colour(k)}
			whiskers := &plotter.YErrorBars{LineStyle: plotter.DefaultLineStyle, CapWidth: plotter.DefaultCapWidth}
			for i, m := range c.Methods {
				names[i] = count(m.Name, len(m.Calls[0]))
				s := summarize(panel.of(m)[k])
				x := float64(i) + 0.34*float64(k)
				bars.XYs = append(bars.XYs, plotter.XYs{{X: x - 0.33, Y: 0}, {X: x - 0.01, Y: 0}, {X: x - 0.01, Y: s.mean}, {X: x - 0.33, Y: s.mean}})
				if s.se > 0 {
					addBar(whiskers, x-0.17, s.mean, s.mean-s.se, s.mean+s.se)
				}
			}
			p.Add(bars, whiskers)
			g.legend = append(g.legend, key{purpose, bars})
		}
		p.NominalX(names...)
		p.X.Tick.Label.Font = sans(10)
		if len(names) > 4 { // names would overlap
			p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = 0.5, text.XRight, text.YTop
		}
		p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
		p.Y.Min, p.Y.Max = 0, 1.05*max(p.Y.Max, 1)
		g.plots = append(g.plots, p)
	}
	g.legend = append(g.legend, key{text: "mean ± standard error"})
	return g.writeSVG(w)
}

// addBar adds the interval from low to high around (x, y).
func addBar(e *plotter.YErrorBars, x, y, low, high float64) {
	e.XYs = append(e.XYs, plotter.XY{X: x, Y: y})
	e.YErrors = append(e.YErrors, struct{ Low, High float64 }{y - low, high - y})
}

// WriteCSV writes the heights of the bars.
func (c Calls) WriteCSV(w io.Writer) error {
	rows := [][]string{{"method", "purpose", "calls", "calls_standard_error", "new_bests", "new_bests_standard_error", "runs"}}
	for _, m := range c.Methods {
		for k, purpose := range purposes {
			calls, improved := summarize(m.Calls[k]), summarize(m.Improved[k])
			rows = append(rows, []string{m.Name, purpose, number(calls.mean), number(calls.se), number(improved.mean), number(improved.se), strconv.Itoa(calls.n)})
		}
	}
	return writeCSV(w, rows)
}
