package paper

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/report"
)

// Chart is a figure of the paper that finished runs are enough for.
type Chart struct {
	Name, About, Source string // Source: where the paper has it
	Task                string // that it is an example of; "": expression
	Methods             []string
	knows               func(experiment.Result) bool // a run has what the figure shows; nil: all do
	draw                func(title string, t task.Task, rows []Row) task.Figure
}

// Charts returns all such figures, a row each.
func Charts() []Chart {
	return []Chart{
		{Name: "curves", About: "best score so far", Source: "Fig. 4 and 5",
			Methods: []string{"cobo", "cobo+invbo"}, draw: bestCurves},
		{Name: "calls", About: "what oracle calls were spent on", Source: "Fig. 3",
			Methods: []string{"lolbo", "cobo", "cobo+invbo"}, draw: callBars},
		{Name: "ablation", About: "inversion and potential-aware anchors", Source: "Fig. 6",
			Methods: []string{"cobo", "cobo+inv", "cobo+pas", "cobo+invbo"}, draw: bestCurves},
		{Name: "triplets", About: "encoder or inverted triplets, both with potential-aware anchors", Source: "Fig. 8",
			Methods: []string{"cobo+encoder+pas", "cobo+invbo"}, draw: bestCurves},
		{Name: "anchors", About: "anchor rules, all with inversion", Source: "Fig. 10",
			Methods: []string{"cobo+inv", "cobo+inv+random", "cobo+inv+acquisition", "cobo+invbo"}, draw: bestCurves},
		{Name: "unique", About: "different strings found", Source: `appendix "Exploration"`,
			Methods: []string{"cobo+inv", "cobo+invbo"},
			knows:   func(r experiment.Result) bool { return r.NewStrings != nil }, draw: uniqueCurves},
		{Name: "dissimilarity", About: "alignment of the surrogate's points", Source: `appendix "Dissimilarity"`,
			Methods: []string{"cobo+encoder+pas", "cobo+invbo"},
			knows:   func(r experiment.Result) bool { return r.Alignments != nil }, draw: alignmentCurves},
		{Name: "recentering", About: "recentering with and without calls, and inversion", Source: `appendix "Analysis on Recentering"`,
			Methods: []string{"cobo", "cobo+recenter-known", "cobo+inv"}, draw: bestCurves},
		{Name: "ackley", About: "TuRBO with potential-aware anchors", Source: `appendix "Applying PAS to TuRBO"`,
			Task: "ackley", Methods: []string{"turbo", "turbo+pas"}, draw: bestCurves},
	}
}

// curve returns a curve of the row's runs.
func (r Row) curve(of func(experiment.Result) []float64) report.Method {
	return report.Method{Name: r.Method, Runs: stats.Map(r.Runs, of)}
}

func bestCurves(title string, t task.Task, rows []Row) task.Figure {
	c := experiment.BestCurves(title, t)
	for _, row := range rows {
		c.Methods = append(c.Methods, row.curve(func(r experiment.Result) []float64 { return r.BestAfter(row.Budget) }))
	}
	return c
}

func uniqueCurves(title string, _ task.Task, rows []Row) task.Figure {
	c := report.Curves{Title: title, X: report.Axis{Label: "batch", Column: "batch"}, Y: report.Axis{Label: "different strings scored", Column: "strings"}}
	for _, row := range rows {
		c.Methods = append(c.Methods, row.curve(func(r experiment.Result) []float64 {
			return append([]float64{0}, floats.CumSum(make([]float64, len(r.NewStrings)), r.NewStrings)...)
		}))
	}
	return c
}

func alignmentCurves(title string, _ task.Task, rows []Row) task.Figure {
	c := report.Alignment{Title: title}
	for _, row := range rows {
		c.Aligned = append(c.Aligned, row.curve(func(r experiment.Result) []float64 { return r.Alignments }))
		c.Dissimilarity = append(c.Dissimilarity, row.curve(func(r experiment.Result) []float64 { return r.Dissimilarities }))
	}
	return c
}

func callBars(title string, _ task.Task, rows []Row) task.Figure {
	c := report.Calls{Title: title}
	for _, row := range rows {
		counts := report.CallCounts{Name: row.Method}
		for _, r := range row.Runs {
			for k, purpose := range [2]struct{ calls, improved int }{
				{r.OracleCalls - r.Recentering, r.ImprovedByAcquisition}, {r.Recentering, r.ImprovedByRecentering},
			} {
				counts.Calls[k] = append(counts.Calls[k], float64(purpose.calls))
				counts.Improved[k] = append(counts.Improved[k], float64(purpose.improved))
			}
		}
		c.Methods = append(c.Methods, counts)
	}
	return c
}

// Draw writes the figure of a task's rows to the folder out. Runs without what it shows are left out, and stdout says
// how many.
func (c Chart) Draw(out string, t task.Task, rows []Row, stdout io.Writer) error {
	var shown []Row
	for _, row := range rows {
		row.Runs = slices.DeleteFunc(slices.Clone(row.Runs), func(r experiment.Result) bool { return c.knows != nil && !c.knows(r) })
		if len(row.Runs) < row.Wanted {
			fmt.Fprintf(stdout, "%s: %s runs\n", row.Method, row.count())
		}
		if len(row.Runs) > 0 {
			shown = append(shown, row)
		}
	}
	if len(shown) == 0 {
		return usage.Errorf("these runs have nothing that the figure could show; give other methods")
	}
	return draw(out, c.Name, c.draw(t.Name+": "+c.About, t, shown), stdout)
}

// Files returns the names of the files that a figure is written to: the picture and its numbers.
func Files(out, figure string) (svg, csv string) {
	return filepath.Join(out, figure+".svg"), filepath.Join(out, figure+".csv")
}

// draw writes a figure and its numbers.
func draw(out, name string, f task.Figure, stdout io.Writer) error {
	svg, csv := Files(out, name)
	if err := files.WriteWhole(svg, f.WriteSVG); err != nil {
		return err
	}
	if err := files.WriteWhole(csv, f.WriteCSV); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s, with its numbers in %s\n", svg, csv)
	return nil
}
