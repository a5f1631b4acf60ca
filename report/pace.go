package report

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Pace shows the wall-clock time of runs against the best scores that they found.
type Pace struct {
	Title   string
	Score   string // label of the vertical axis, with the unit if any
	Methods []Paced
}

// Paced holds the runs of a method.
type Paced struct {
	Name          string
	Seconds, Best []float64 // wall-clock time and best score of each run
}

// WriteSVG draws a point for each method, with standard errors in both directions.
func (c Pace) WriteSVG(w io.Writer) error {
	if len(c.Methods) == 0 {
		return errors.New("pace: no methods to show")
	}
	p := newPlot("seconds per run", c.Score)
	var legend []key
	for i, m := range c.Methods {
		seconds, best := summarize(m.Seconds), summarize(m.Best)
		at := struct {
			plotter.XYs
			plotter.XErrors
			plotter.YErrors
		}{
			plotter.XYs{{X: seconds.mean, Y: best.mean}},
			plotter.XErrors{{Low: seconds.se, High: seconds.se}},
			plotter.YErrors{{Low: best.se, High: best.se}},
		}
		point, err := plotter.NewScatter(at)
		if err != nil {
			return fmt.Errorf("pace: %s: %w", m.Name, err)
		}
		shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.RingGlyph{}}
		point.GlyphStyle = draw.GlyphStyle{Color: colour(i), Radius: vg.Points(4), Shape: shapes[i%len(shapes)]}
		across, err := plotter.NewXErrorBars(at)
		if err != nil {
			return fmt.Errorf("pace: %s: %w", m.Name, err)
		}
		along, err := plotter.NewYErrorBars(at)
		if err != nil {
			return fmt.Errorf("pace: %s: %w", m.Name, err)
		}
		across.Color, along.Color = colour(i), colour(i)
		p.Add(across, along, point)
		legend = append(legend, key{count(m.Name, seconds.n), point})
	}
	room := 0.05 * (p.Y.Max - p.Y.Min)
	p.Y.Min, p.Y.Max = p.Y.Min-room, p.Y.Max+room
	p.X.Min, p.X.Max = 0, 1.05*p.X.Max
	legend = append(legend, key{text: "mean ± standard error"})
	return page{c.Title, []*plot.Plot{p}, legend}.writeSVG(w)
}

// WriteCSV writes the points.
func (c Pace) WriteCSV(w io.Writer) error {
	rows := [][]string{{"method", "seconds", "seconds_standard_error", "best", "best_standard_error", "runs"}}
	for _, m := range c.Methods {
		seconds, best := summarize(m.Seconds), summarize(m.Best)
		rows = append(rows, []string{m.Name, number(seconds.mean), number(seconds.se), number(best.mean), number(best.se), strconv.Itoa(seconds.n)})
	}
	return writeCSV(w, rows)
}
