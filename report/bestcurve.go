package report

import (
	"io"
	"math"
)

// BestCurve shows the best score so far against the number of oracle calls. A run of Methods is the best initial score,
// then the score of each call, NaN if refused.
type BestCurve struct {
	Title    string
	Score    string // label of the vertical axis, with the unit if any
	Minimize bool
	Methods  []Method
}

// WriteSVG draws the curves.
func (c BestCurve) WriteSVG(w io.Writer) error { return c.curves().WriteSVG(w) }

// WriteCSV writes the points of the curves.
func (c BestCurve) WriteCSV(w io.Writer) error { return c.curves().WriteCSV(w) }

func (c BestCurve) curves() Curves {
	all := Curves{Title: c.Title, X: Axis{"oracle calls", "call"}, Y: Axis{c.Score, "best"}}
	for _, m := range c.Methods {
		best := Method{Name: m.Name}
		for _, run := range m.Runs {
			best.Runs = append(best.Runs, c.best(run))
		}
		all.Methods = append(all.Methods, best)
	}
	return all
}

// best returns the best score after each call.
func (c BestCurve) best(run []float64) []float64 {
	best := make([]float64, len(run))
	so := math.NaN()
	for i, y := range run {
		so = c.better(so, y)
		best[i] = so
	}
	return best
}

// better returns the better of two scores. NaN is the worst.
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
