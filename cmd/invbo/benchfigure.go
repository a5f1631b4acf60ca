package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/report"
)

// chart is a figure of the paper that finished runs are enough for.
type chart struct {
	name, about, source string // source: where the paper has it
	task                string // that it is of; empty: any
	methods             []string
	knows               func(finished) bool // a run holds what the figure shows; nil: all do
	draw                func(title string, t task, rows []gridRow) figure
}

// charts returns all such figures, a row each.
func charts() []chart {
	return []chart{
		{name: "curves", about: "best score so far", source: "Fig. 4 and 5",
			methods: []string{"cobo", "cobo+invbo"}, draw: bestCurves},
		{name: "calls", about: "what oracle calls were for", source: "Fig. 3",
			methods: []string{"lolbo", "cobo", "cobo+invbo"}, draw: callBars},
		{name: "ablation", about: "inversion and potential-aware anchors", source: "Fig. 6",
			methods: []string{"cobo", "cobo+inv", "cobo+pas", "cobo+invbo"}, draw: bestCurves},
		{name: "triplets", about: "encoder or inverted triplets, both with potential-aware anchors", source: "Fig. 8",
			methods: []string{"cobo+encoder+pas", "cobo+invbo"}, draw: bestCurves},
		{name: "anchors", about: "anchor rules, all with inversion", source: "Fig. 10",
			methods: []string{"cobo+inv", "cobo+inv+random", "cobo+inv+acquisition", "cobo+invbo"}, draw: bestCurves},
		{name: "unique", about: "different strings found", source: `appendix "Exploration"`,
			methods: []string{"cobo+inv", "cobo+invbo"},
			knows:   func(r finished) bool { return r.found != nil }, draw: uniqueCurves},
		{name: "dissimilarity", about: "alignment of the surrogate's points", source: `appendix "Dissimilarity"`,
			methods: []string{"cobo", "cobo+invbo"},
			knows:   func(r finished) bool { return r.aligned != nil }, draw: alignmentCurves},
		{name: "recentering", about: "recentering with and without calls, and inversion", source: `appendix "Analysis on Recentering"`,
			methods: []string{"cobo", "cobo+recenter-known", "cobo+inv"}, draw: bestCurves},
		{name: "ackley", about: "TuRBO with potential-aware anchors", source: `appendix "Applying PAS to TuRBO"`, task: "ackley",
			methods: []string{"turbo", "turbo+pas"}, draw: bestCurves},
		{name: "time", about: "wall-clock time and what was found in it", source: "Table 6",
			methods: []string{"lbo", "wlbo", "pglbo", "turbo", "lolbo", "cobo", "cobo+invbo"},
			knows:   func(r finished) bool { return !math.IsNaN(r.best) }, draw: pacePoints},
	}
}

func bestCurves(title string, t task, rows []gridRow) figure {
	c := report.BestCurve{Title: title, Score: t.score, Minimize: t.minimize}
	for _, row := range rows {
		c.Methods = append(c.Methods, report.Method{Name: row.method, Runs: row.series(func(r finished) []float64 { return r.curve })})
	}
	return c
}

func uniqueCurves(title string, _ task, rows []gridRow) figure {
	c := report.Curves{Title: title, X: report.Axis{Label: "batch", Column: "batch"}, Y: report.Axis{Label: "different strings scored", Column: "strings"}}
	for _, row := range rows {
		c.Methods = append(c.Methods, report.Method{Name: row.method, Runs: row.series(func(r finished) []float64 {
			total := []float64{0}
			for _, n := range r.found {
				total = append(total, total[len(total)-1]+n)
			}
			return total
		})})
	}
	return c
}

func alignmentCurves(title string, _ task, rows []gridRow) figure {
	c := report.Alignment{Title: title}
	for _, row := range rows {
		for _, r := range row.runs {
			c.Runs = append(c.Runs, report.Batches{Name: row.method, Aligned: r.aligned, Dissimilarity: r.dissimilarity})
		}
	}
	return c
}

func callBars(title string, _ task, rows []gridRow) figure {
	c := report.Calls{Title: title}
	for _, row := range rows {
		c.Methods = append(c.Methods, report.CallCounts{
			Name:          row.method,
			Acquired:      row.numbers(func(r finished) float64 { return r.calls - r.recentering }),
			Recentered:    row.numbers(func(r finished) float64 { return r.recentering }),
			Improved:      row.numbers(func(r finished) float64 { return r.improved }),
			ImprovedAside: row.numbers(func(r finished) float64 { return r.improvedRecentering }),
		})
	}
	return c
}

func pacePoints(title string, t task, rows []gridRow) figure {
	c := report.Pace{Title: title, Score: t.score}
	for _, row := range rows {
		c.Methods = append(c.Methods, report.Paced{
			Name:    row.method,
			Seconds: row.numbers(func(r finished) float64 { return r.seconds }),
			Best:    row.numbers(func(r finished) float64 { return r.best }),
		})
	}
	return c
}

// numbers returns a number of each run.
func (r gridRow) numbers(of func(finished) float64) []float64 {
	all := make([]float64, len(r.runs))
	for i, run := range r.runs {
		all[i] = of(run)
	}
	return all
}

// series returns a series of numbers of each run.
func (r gridRow) series(of func(finished) []float64) [][]float64 {
	all := make([][]float64, len(r.runs))
	for i, run := range r.runs {
		all[i] = of(run)
	}
	return all
}

func benchFigureCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "figure NAME",
		Short: "Draw a figure of the paper, each from runs of this program",
		Long: `figure draws an analysis of the paper as NAME.svg, with its numbers in NAME.csv, in
the folder --out. All but fit and region show runs: those that --results lacks are
carried out and added to it, as invbo bench table does, so that figures of runs
that are there cost nothing.`,
		Example: `  invbo bench figure ablation --task med2 --seeds 0-4 --init guacamol_first_100.csv --results table.csv --out figures
  invbo bench figure fit --task expression --out figures`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, chart := range charts() {
		c.AddCommand(chart.command())
	}
	c.AddCommand(benchFigureFitCommand(), benchFigureRegionCommand())
	return c
}

// chartFlags is `invbo bench figure NAME`.
type chartFlags struct {
	grid
	out string
}

// command returns the command that draws c.
func (c chart) command() *cobra.Command {
	var f chartFlags
	task := "--task NAME "
	if c.task != "" {
		task = ""
	}
	cmd := &cobra.Command{
		Use:   c.name + " " + task + "--results FILE [flags]",
		Short: strings.ToUpper(c.about[:1]) + c.about[1:] + " (" + c.source + ")",
		Long: fmt.Sprintf(`%s shows %s: the paper's %s.
Methods are that figure's, or any others; lines and bars are means over seeds, with
their standard errors.`, c.name, c.about, c.source),
		Example: fmt.Sprintf("  invbo bench figure %s %s--seeds 0-4 --results table.csv --out figures", c.name, strings.Replace(task, "NAME", "expression", 1)),
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), c, cmd.Flags(), cmd.OutOrStdout())
		},
	}
	group := newGroup("The figure")
	f.add(group.flags, strings.Join(c.methods, ","))
	addOut(group.flags, &f.out)
	groups := f.groups()
	if c.task != "" {
		groups[0].flags.Lookup("task").Usage = "`NAME` of what to search (default " + c.task + ")"
	}
	addGroups(cmd, append([]flagGroup{group}, groups...)...)
	return cmd
}

func addOut(f *pflag.FlagSet, out *string) {
	f.StringVarP(out, "out", "o", "figures", "folder `DIR` for the figure and its numbers")
}

// run carries out what is missing, and draws.
func (f *chartFlags) run(ctx context.Context, c chart, flags *pflag.FlagSet, stdout io.Writer) error {
	if f.task == "" {
		f.task = c.task
	}
	if err := f.check(flags); err != nil {
		return err
	}
	t, err := taskNamed(f.task)
	if err != nil {
		return err
	}
	if len(f.methods) == 0 {
		f.methods = c.methods
	}
	if err := writable(f.out); err != nil {
		return err
	}
	if same, err := sameFile(f.results, filepath.Join(f.out, c.name+".csv")); err != nil || same {
		return cmp.Or(err, usagef("--results %s: the figure's own numbers go there; give another --out", f.results))
	}
	rows, failed := f.complete(ctx, []task{t})
	if rows == nil {
		return failed
	}
	known, err := c.known(rows[0], stdout)
	if err != nil && failed != nil {
		return failed // the cause: what is missing has been tried
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.results, err)
	}
	if err := draw(f.out, c.name, c.draw(t.name+": "+c.about, t, known), stdout); err != nil {
		return err
	}
	return failed
}

// known returns the rows with the runs that hold what the figure shows, and says which do not, or are missing.
func (c chart) known(rows []gridRow, stdout io.Writer) ([]gridRow, error) {
	var shown []gridRow
	for _, row := range rows {
		wanted := len(row.runs) + row.missing
		row.runs = slices.DeleteFunc(row.runs, func(r finished) bool { return c.knows != nil && !c.knows(r) })
		if row.missing = wanted - len(row.runs); row.missing > 0 {
			fmt.Fprintf(stdout, "%s: %d of %d runs\n", row.method, len(row.runs), wanted)
		}
		if len(row.runs) > 0 {
			shown = append(shown, row)
		}
	}
	if len(shown) == 0 {
		return nil, usagef("these runs say nothing of what the figure shows, since their methods have no such thing; give other methods")
	}
	return shown, nil
}

// writable makes a folder for a figure, and sees that it can be written, before anything is computed for it.
func writable(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return usagef("--out: %w; give a folder that can be written", err)
	}
	return mayWrite(out)
}

// mayWrite refuses a folder that files cannot be made in.
func mayWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".invbo.*")
	if err != nil {
		return usagef("--out: %w; give a folder that can be written", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// sameFile says that two names, of files that need not be there, are one file's, by whatever link.
func sameFile(a, b string) (bool, error) {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB), nil
	}
	a, err := filepath.Abs(a)
	if err != nil {
		return false, err
	}
	b, err = filepath.Abs(b)
	return a == b, err
}

// draw writes a figure and its numbers.
func draw(out, name string, f figure, stdout io.Writer) error {
	svg, csv := filepath.Join(out, name+".svg"), filepath.Join(out, name+".csv")
	if err := writeWhole(svg, f.WriteSVG); err != nil {
		return err
	}
	if err := writeWhole(csv, f.WriteCSV); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s, with its numbers in %s\n", svg, csv)
	return nil
}
