package report

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Fit shows a line and its target.
type Fit struct {
	X             []float64 // ascending
	Found, Target Line
	Score         float64 // of Found
}

// Line is a line of a Fit.
type Line struct {
	Name string
	Y    []float64 // at each X
}

// WriteSVG draws both. The vertical axis is the range of the target with a margin, and Found is clipped to it.
func (f Fit) WriteSVG(w io.Writer) error {
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range f.Target.Y {
		if !math.IsNaN(y) && !math.IsInf(y, 0) {
			low, high = min(low, y), max(high, y)
		}
	}
	if low > high {
		return fmt.Errorf("fit: target %s has no finite values", f.Target.Name)
	}
	room := max(0.15*(high-low), 0.5, 1e-6*max(-low, high)) // also for constants
	low, high = low-room, high+room

	p := newPlot("x", "value")
	var legend []key
	wide := curve(5) // visible behind the other
	wide.Width, wide.Dashes = vg.Points(4), nil
	thin := curve(1)
	thin.Dashes = nil
	for _, c := range []struct {
		name string
		ys   []float64
		line plotter.Line
	}{
		{"target  " + f.Target.Name, f.Target.Y, plotter.Line{LineStyle: wide}},
		{"found  " + f.Found.Name, f.Found.Y, plotter.Line{LineStyle: thin}},
	} {
		// Curves are cut far outside the axes, as infinities cannot be drawn.
		for _, c.line.XYs = range pieces(f.X, c.ys, low-10*(high-low), high+10*(high-low)) {
			line := c.line
			p.Add(&line)
		}
		legend = append(legend, key{c.name, &c.line})
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = f.X[0], f.X[len(f.X)-1], low, high
	return page{fmt.Sprintf("score %.3g (lower is better)", f.Score), []*plot.Plot{p}, legend}.writeSVG(w)
}

// WriteCSV writes the points of both.
func (f Fit) WriteCSV(w io.Writer) error {
	rows := [][]string{{"x", "found", "target"}}
	for i, x := range f.X {
		rows = append(rows, []string{number(x), number(f.Found.Y[i]), number(f.Target.Y[i])})
	}
	return writeCSV(w, rows)
}

// pieces splits a curve at NaNs and clamps it to [low, high].
func pieces(xs, ys []float64, low, high float64) []plotter.XYs {
	var all []plotter.XYs
	open := false
	for i, y := range ys {
		if math.IsNaN(y) {
			open = false
			continue
		}
		if !open {
			all, open = append(all, nil), true
		}
		last := &all[len(all)-1]
		*last = append(*last, plotter.XY{X: xs[i], Y: min(max(y, low), high)})
	}
	return all
}
