package report

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Predictions shows the predictions of surrogates for held-out strings against the true scores, in one panel per
// surrogate with the same axes and the line of perfect predictions.
type Predictions struct {
	Title  string
	Score  string // the predicted score, with the unit if any
	Models []Predicted
}

// Predicted holds the predictions of one surrogate for n strings.
type Predicted struct {
	Name            string
	Truth           []float64 // (n) scores
	Mean, Low, High []float64 // (n) predicted scores with their 95 % intervals
	R2              float64   // coefficient of determination; NaN if unknown
	Rank            float64   // Spearman's rank correlation
}

// WriteSVG draws the panels.
func (c Predictions) WriteSVG(w io.Writer) error {
	if len(c.Models) == 0 {
		return errors.New("predictions: no models to show")
	}
	g := page{title: c.Title}
	low, high := math.Inf(1), math.Inf(-1)
	for i, m := range c.Models {
		p := newPlot("score: "+c.Score, "prediction")
		p.Title.Text = fmt.Sprintf("%s: R² %.2f, rank correlation %.2f", m.Name, m.R2, m.Rank)
		intervals := &plotter.YErrorBars{LineStyle: draw.LineStyle{Color: light(i), Width: vg.Points(1.2)}}
		for j, y := range m.Truth {
			addBar(intervals, y, m.Mean[j], m.Low[j], m.High[j])
			low, high = min(low, y, m.Low[j]), max(high, y, m.High[j])
		}
		means := &plotter.Scatter{
			XYs: intervals.XYs, GlyphStyle: draw.GlyphStyle{Color: colour(i), Radius: vg.Points(2), Shape: draw.CircleGlyph{}},
		}
		p.Add(intervals, means)
		g.plots = append(g.plots, p)
		g.legend = append(g.legend, key{m.Name + ": mean", means})
	}
	perfect := &plotter.Line{
		XYs:       plotter.XYs{{X: low, Y: low}, {X: high, Y: high}},
		LineStyle: draw.LineStyle{Color: color.Gray{90}, Width: vg.Points(1), Dashes: []vg.Length{4, 3}},
	}
	for _, p := range g.plots {
		p.Add(perfect)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, low, high
	}
	g.legend = append(g.legend, key{"truth", perfect}, key{text: "bars: 95 % intervals"})
	return g.writeSVG(w)
}

// WriteCSV writes the points, each with R² and rank correlation of its surrogate.
func (c Predictions) WriteCSV(w io.Writer) error {
	rows := [][]string{{"model", "truth", "prediction", "low", "high", "r2", "rank_correlation"}}
	for _, m := range c.Models {
		r2, rank := number(m.R2), number(m.Rank)
		for j, y := range m.Truth {
			rows = append(rows, []string{m.Name, number(y), number(m.Mean[j]), number(m.Low[j]), number(m.High[j]), r2, rank})
		}
	}
	return writeCSV(w, rows)
}
