package report

import (
	"errors"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Operators shows along a run how many proposals each operator of an evolution made, and which of them were a new best.
type Operators struct {
	Title string
	Calls []float64 // oracle calls after each batch
	All   []Operator
}

// Operator holds totals after each batch.
type Operator struct {
	Name                   string
	Made, Chosen, Improved []float64 // different new strings; of these proposals; of these new bests
}

// WriteSVG draws the proposals as curves, with a mark at each batch with a new best.
func (o Operators) WriteSVG(w io.Writer) error {
	if len(o.All) == 0 {
		return errors.New("operators: nothing to show")
	}
	p := newPlot("oracle calls", "proposals")
	g := page{title: o.Title, plots: []*plot.Plot{p}}
	dot := draw.GlyphStyle{Color: color.Black, Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
	improved := false
	for i, op := range o.All {
		points, marks := plotter.XYs{{}}, plotter.XYs{} // from the origin
		before := 0.0
		for k, n := range op.Chosen {
			at := plotter.XY{X: o.Calls[k], Y: n}
			points = append(points, at)
			if op.Improved[k] > before {
				before, marks = op.Improved[k], append(marks, at)
			}
		}
		line := &plotter.Line{XYs: points, LineStyle: curve(i)}
		p.Add(line)
		g.legend = append(g.legend, key{op.Name, line})
		best := &plotter.Scatter{XYs: marks, GlyphStyle: dot}
		best.Color = colour(i)
		p.Add(best)
		improved = improved || len(marks) > 0
	}
	if improved {
		g.legend = append(g.legend, key{"batch with a new best", &plotter.Scatter{GlyphStyle: dot}})
	}
	return g.writeSVG(w)
}

// WriteCSV writes all totals.
func (o Operators) WriteCSV(w io.Writer) error {
	rows := [][]string{{"operator", "call", "made", "chosen", "improved"}}
	for _, op := range o.All {
		for k, call := range o.Calls {
			rows = append(rows, []string{op.Name, number(call), number(op.Made[k]), number(op.Chosen[k]), number(op.Improved[k])})
		}
	}
	return writeCSV(w, rows)
}
