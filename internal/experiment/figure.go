package experiment

import (
	"strings"

	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/report"
)

// BestCurves returns the figure of the best score after each oracle call, a curve per method.
func BestCurves(title string, t task.Task, methods ...report.Method) report.Curves {
	return report.Curves{
		Title: title, X: report.Axis{Label: "oracle calls", Column: "call"}, Y: report.Axis{Label: t.Score, Column: "best"}, Methods: methods,
	}
}

// Operators returns what the operators of an evolution contributed, in total after each batch; none for other methods.
func (r Outcome) Operators() []report.Operator {
	if len(r.Batches) == 0 {
		return nil
	}
	var all []report.Operator
	for _, g := range r.Batches[0].Gauges {
		name, ok := strings.CutPrefix(g.Name, "chosen_")
		if !ok {
			continue
		}
		totals := func(of string) []float64 {
			var values []float64
			for _, b := range r.Batches {
				values = append(values, b.Gauge(of+name))
			}
			return values
		}
		all = append(all, report.Operator{
			Name: strings.ReplaceAll(name, "_", " "), Made: totals("made_"), Chosen: totals("chosen_"), Improved: totals("improved_"),
		})
	}
	return all
}

func (r Outcome) operatorCurves(title string, operators []report.Operator) task.Figure {
	o := report.Operators{Title: title, All: operators}
	for _, b := range r.Batches {
		o.Calls = append(o.Calls, float64(b.Calls))
	}
	return o
}
