package paper

import (
	"io"
	"math"

	"github.com/invbo/invbo/internal/experiment"
)

// PrintLandscape writes what methods found on a landscape in Markdown: the best score as a share of the greatest, mean
// ± standard error over seeds, the share of seeds that found the best string, how many of the ten best and of the
// hundred best scores were found (the latter of 1,000 strings and more), the mean of the ten best scores that were
// found, and the shares of the scores of proposals within one and two predicted deviations.
//
// Of several objectives it writes the hypervolume.
func PrintLandscape(w io.Writer, rows []Row) {
	if len(rows[0].spec.Objectives) > 1 {
		printColumns(w, rows, frontColumns())
		return
	}
	columns := []column{
		{title: "best / maximum", of: func(r experiment.Result) float64 { return float64(r.BestScore / r.Optimum) }, form: "%.3f", error: true},
		{title: "found the maximum", of: func(r experiment.Result) float64 {
			if r.BestScore == r.Optimum {
				return 1
			}
			return 0
		}, form: "%.2f"},
		{title: "of the ten best", of: func(r experiment.Result) float64 { return float64(r.TopFound) }, form: "%.1f", error: true},
		{title: "of the hundred best", of: func(r experiment.Result) float64 { return share(experiment.Number(r.HundredFound)) }, form: "%.1f", error: true},
		{title: "mean of the ten best found", of: func(r experiment.Result) float64 { return float64(r.TopMean) }, form: "%.3f", error: true},
		{title: "within ± sd, ± 2 sd", of: func(r experiment.Result) float64 { return share(r.Within1) }, form: "%.2f"},
	}
	table := [][]string{{"method", "runs"}}
	for _, c := range columns {
		table[0] = append(table[0], c.title)
	}
	second := column{of: func(r experiment.Result) float64 { return share(r.Within2) }, form: "%.2f"}
	for _, row := range rows {
		cells := []string{row.Method, row.count()}
		for _, c := range columns {
			cells = append(cells, c.text(row.Runs))
		}
		cells[len(cells)-1] += ", " + second.text(row.Runs)
		table = append(table, cells)
	}
	writeMarkdown(w, table)
}

// share returns a share. 0 means that it is not known, and becomes NaN.
func share(n experiment.Number) float64 {
	if n == 0 {
		return math.NaN()
	}
	return float64(n)
}
