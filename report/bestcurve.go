package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// BestCurve shows the best score so far against oracle calls: a staircase for a single run, the mean and a
// band of one standard error around it for several runs of one method.
type BestCurve struct {
	Title    string
	Score    string // the vertical axis, with the score's unit if it has one
	Minimize bool
	Methods  []Method
}

// Method is what a BestCurve shows as one curve.
type Method struct {
	Name string
	Runs [][]float64 // (run, oracle calls + 1): the best initial score, then that of each call; NaN if refused
}

// step is a point of a curve: the mean of the best scores of n runs after so many calls, and its standard
// error, which is 0 if n is 1.
type step struct {
	call     int
	mean, se float64
	n        int
}

// WriteSVG draws the curves.
func (c BestCurve) WriteSVG(w io.Writer) error {
	if len(c.Methods) == 0 {
		return errors.New("best curve: no methods to show")
	}
	p := newFigure(c.Title, "oracle calls", c.Score)
	p.Legend.Top = c.Minimize // where the curves do not end
	for i, method := range c.Methods {
		steps, err := c.steps(method)
		if err != nil {
			return err
		}
		points := make(plotter.XYs, len(steps))
		band := make(plotter.XYs, 2*len(steps)) // along the lower edge and back along the upper
		for j, s := range steps {
			x := float64(s.call)
			points[j] = plotter.XY{X: x, Y: s.mean}
			band[j] = plotter.XY{X: x, Y: s.mean - s.se}
			band[len(band)-1-j] = plotter.XY{X: x, Y: s.mean + s.se}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return fmt.Errorf("best curve: %s: %w", method.Name, err)
		}
		line.LineStyle = curve(i)
		line.StepStyle = plotter.PostStep
		if len(method.Runs) > 1 {
			line.StepStyle = plotter.NoStep
			area, err := plotter.NewPolygon(band)
			if err != nil {
				return fmt.Errorf("best curve: %s: %w", method.Name, err)
			}
			light := color.NRGBA(palette[i%len(palette)])
			light.A = 50
			area.Color, area.LineStyle.Width = light, vg.Length(0)
			p.Add(area)
		}
		p.Add(line)
		if len(c.Methods) > 1 || len(method.Runs) > 1 {
			p.Legend.Add(legend(method), line)
		}
	}
	return writeSVG(w, p)
}

func legend(m Method) string {
	if len(m.Runs) == 1 {
		return m.Name
	}
	return fmt.Sprintf("%s (mean ± s.e. of %d)", m.Name, len(m.Runs))
}

// WriteCSV writes the points of the curves.
func (c BestCurve) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"method", "call", "best", "standard_error", "runs"}}
	for _, method := range c.Methods {
		steps, err := c.steps(method)
		if err != nil {
			return err
		}
		for _, s := range steps {
			rows = append(rows, []string{method.Name, strconv.Itoa(s.call), number(s.mean), number(s.se), strconv.Itoa(s.n)})
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write numbers of best curve: %w", err)
	}
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// steps returns the curve of a method, from the first call after which every run has a score, to the last
// that every run made: a mean over fewer runs would jump where one ends.
func (c BestCurve) steps(m Method) ([]step, error) {
	calls := math.MaxInt
	for _, run := range m.Runs {
		calls = min(calls, len(run))
	}
	n := len(m.Runs)
	best := make([]float64, n)
	for i := range best {
		best[i] = math.NaN()
	}
	var steps []step
	for call := range calls {
		if n == 0 {
			break
		}
		sum, squares := 0.0, 0.0
		for i, run := range m.Runs {
			best[i] = c.better(best[i], run[call])
			sum += best[i]
		}
		mean := sum / float64(n)
		if math.IsNaN(mean) {
			continue
		}
		for _, b := range best {
			squares += (b - mean) * (b - mean)
		}
		s := step{call: call, mean: mean, n: n}
		if n > 1 {
			s.se = math.Sqrt(squares / float64(n-1) / float64(n))
		}
		steps = append(steps, s)
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("best curve: %s: no call after which each of its %d runs has a score", m.Name, n)
	}
	return steps, nil
}

// better returns the better of two scores; any is better than NaN.
func (c BestCurve) better(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	case c.Minimize:
		return min(a, b)
	}
	return max(a, b)
}
