package report

import (
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Alignment shows, batch by batch, how many of the surrogate's points have a latent that decodes to their
// string, and how far the strings are from what their latents decode to (the paper's dissimilarity).
type Alignment struct {
	Title string
	Runs  []Batches
}

// Batches is a run in an Alignment.
type Batches struct {
	Name          string
	Aligned       []float64 // share of points, from 0 to 1, after each batch
	Dissimilarity []float64 // mean edit distance, from 0 to 1
}

// WriteSVG draws both for every run, in one colour.
func (a Alignment) WriteSVG(w io.Writer) error {
	if len(a.Runs) == 0 {
		return errors.New("alignment: no runs to show")
	}
	p := newFigure(a.Title, "batch", "share of points, distance")
	p.Y.Min, p.Y.Max = 0, 1+0.22*float64(len(a.Runs)) // room for the legend above what shares can be
	p.Y.Tick.Marker = plot.TickerFunc(func(low, high float64) []plot.Tick { return ticks{}.Ticks(low, 1) })
	p.Legend.Top = true
	for i, run := range a.Runs {
		prefix := ""
		if len(a.Runs) > 1 {
			prefix = run.Name + ": "
		}
		for j, c := range []struct {
			name   string
			values []float64
		}{{"aligned points", run.Aligned}, {"dissimilarity of strings", run.Dissimilarity}} {
			line, err := plotter.NewLine(points(c.values))
			if err != nil {
				return fmt.Errorf("alignment: %s: %w", run.Name, err)
			}
			line.LineStyle = curve(i)
			line.Dashes = dashes[j]
			p.Add(line)
			p.Legend.Add(prefix+c.name, line)
		}
	}
	return writeSVG(w, p)
}

// points lays values out from 1 on, without those that are NaN.
func points(values []float64) plotter.XYs {
	var xy plotter.XYs
	for i, v := range values {
		if !math.IsNaN(v) {
			xy = append(xy, plotter.XY{X: float64(i + 1), Y: v})
		}
	}
	return xy
}
