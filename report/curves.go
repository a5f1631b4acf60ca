package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/invbo/invbo/internal/stats"
)

// Curves shows a quantity along runs: the mean over the runs of each method, with a band of one standard error if there
// are several runs. Without At, a single run is drawn as a step function.
type Curves struct {
	Title   string
	X, Y    Axis
	At      []float64 // positions of the values along X; nil: 0, 1, …
	Methods []Method
}

// Axis describes an axis of a figure.
type Axis struct {
	Label  string // with the unit, if any
	Column string // name in the CSV
}

// Method is one curve of Curves.
type Method struct {
	Name string
	Runs [][]float64 // (run, value); NaN for missing values
}

// step is a point of a curve: the mean of n values and its standard error, 0 if n is 1.
type step struct {
	x, mean, se float64
	n           int
}

// WriteSVG draws the curves.
func (c Curves) WriteSVG(w io.Writer) error {
	p, legend, err := c.plot()
	if err != nil {
		return err
	}
	return page{c.Title, []*plot.Plot{p}, legend}.writeSVG(w)
}

// plot draws the curves and returns their legend.
func (c Curves) plot() (*plot.Plot, []key, error) {
	if len(c.Methods) == 0 {
		return nil, nil, errors.New("curves: no methods to show")
	}
	p := newPlot(c.X.Label, c.Y.Label)
	var legend []key
	several := false
	for i, method := range c.Methods {
		steps, err := c.steps(method)
		if err != nil {
			return nil, nil, err
		}
		var points, upper, lower plotter.XYs
		same := func(s, t step) bool { return s.mean == t.mean && s.se == t.se }
		for j, s := range steps {
			if j > 0 && j < len(steps)-1 && same(s, steps[j-1]) && same(s, steps[j+1]) {
				continue // constant segments need only their ends
			}
			points = append(points, plotter.XY{X: s.x, Y: s.mean})
			upper = append(upper, plotter.XY{X: s.x, Y: s.mean + s.se})
			lower = append(lower, plotter.XY{X: s.x, Y: s.mean - s.se})
		}
		line := &plotter.Line{XYs: points, LineStyle: curve(i)}
		if c.At == nil && len(method.Runs) == 1 {
			line.StepStyle = plotter.PostStep
		}
		if len(method.Runs) > 1 {
			several = true
			for j := range lower { // the upper edge, then back along the lower
				upper = append(upper, lower[len(lower)-1-j])
			}
			p.Add(&plotter.Polygon{XYs: []plotter.XYs{upper}, Color: light(i)})
		}
		p.Add(line)
		legend = append(legend, key{count(method.Name, len(method.Runs)), line})
	}
	switch {
	case several:
		legend = append(legend, key{text: "mean ± standard error"})
	case len(legend) == 1: // the title suffices
		legend = nil
	}
	return p, legend, nil
}

// count appends the number of runs to a name, if there are several.
func count(name string, runs int) string {
	if runs == 1 {
		return name
	}
	return fmt.Sprintf("%s (%d runs)", name, runs)
}

// WriteCSV writes the points of the curves.
func (c Curves) WriteCSV(w io.Writer) error {
	rows := [][]string{{"method", c.X.Column, c.Y.Column, "standard_error", "runs"}}
	for _, method := range c.Methods {
		steps, err := c.steps(method)
		if err != nil {
			return err
		}
		for _, s := range steps {
			rows = append(rows, []string{method.Name, number(s.x), number(s.mean), number(s.se), strconv.Itoa(s.n)})
		}
	}
	return writeCSV(w, rows)
}

func writeCSV(w io.Writer, rows [][]string) error { return csv.NewWriter(w).WriteAll(rows) }

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// steps returns the curve of a method at the positions where all its runs have a value: a mean over a varying number of
// runs would jump.
func (c Curves) steps(m Method) ([]step, error) {
	length := 0
	for i, run := range m.Runs {
		if i == 0 || len(run) < length {
			length = len(run)
		}
	}
	if c.At != nil {
		length = min(length, len(c.At))
	}
	var steps []step
	values := make([]float64, len(m.Runs))
	for j := range length {
		for i, run := range m.Runs {
			values[i] = run[j]
		}
		s := summarize(values)
		s.x = float64(j)
		if c.At != nil {
			s.x = c.At[j]
		}
		if !math.IsNaN(s.mean) {
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("%s: %s: no position where all %d runs have a value", c.Y.Column, m.Name, len(m.Runs))
	}
	return steps, nil
}

// summarize returns the mean and its standard error.
func summarize(values []float64) step {
	mean, se := stats.MeanStdErr(values)
	if len(values) == 1 {
		se = 0
	}
	return step{mean: mean, se: se, n: len(values)}
}
