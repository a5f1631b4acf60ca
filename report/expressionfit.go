package report

import (
	"fmt"
	"io"
	"math"

	"github.com/invbo/invbo/oracle/expression"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// ExpressionFit shows an expression and its target over the interval on which package expression compares them.
type ExpressionFit struct {
	Found, Target string
	Score         float64 // of Found
}

// WriteSVG draws both. The vertical axis is the range of the target with a margin, and Found is clipped to it.
func (f ExpressionFit) WriteSVG(w io.Writer) error {
	xs, found, target, err := f.curves()
	if err != nil {
		return err
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range target {
		if !math.IsNaN(y) && !math.IsInf(y, 0) {
			low, high = min(low, y), max(high, y)
		}
	}
	if low > high {
		return fmt.Errorf("expression fit: target %s has no finite values", f.Target)
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
		{"target  " + f.Target, target, plotter.Line{LineStyle: wide}},
		{"found  " + f.Found, found, plotter.Line{LineStyle: thin}},
	} {
		// Curves are cut far outside the axes, as infinities cannot be drawn.
		for _, c.line.XYs = range pieces(xs, c.ys, low-10*(high-low), high+10*(high-low)) {
			line := c.line
			p.Add(&line)
		}
		legend = append(legend, key{c.name, &c.line})
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = expression.Lower, expression.Upper, low, high
	return page{fmt.Sprintf("score %.3g (lower is better)", f.Score), []*plot.Plot{p}, legend}.writeSVG(w)
}

// WriteCSV writes the points of both.
func (f ExpressionFit) WriteCSV(w io.Writer) error {
	xs, found, target, err := f.curves()
	if err != nil {
		return err
	}
	rows := [][]string{{"x", "found", "target"}}
	for i, x := range xs {
		rows = append(rows, []string{number(x), number(found[i]), number(target[i])})
	}
	return writeCSV(w, rows)
}

// curves evaluates both at enough points for sin(x*x), whose period at x = 10 is 0.3.
func (f ExpressionFit) curves() (xs, found, target []float64, err error) {
	const n = 2000
	for i := range n + 1 {
		xs = append(xs, expression.Lower+(expression.Upper-expression.Lower)*float64(i)/n)
	}
	if found, err = expression.Eval(f.Found, xs); err != nil {
		return nil, nil, nil, fmt.Errorf("expression fit: found %s: %w", f.Found, err)
	}
	if target, err = expression.Eval(f.Target, xs); err != nil {
		return nil, nil, nil, fmt.Errorf("expression fit: target %s: %w", f.Target, err)
	}
	return xs, found, target, nil
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
