package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/paper"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

func benchCommand() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "bench",
		Short: "Measure methods and models",
		Long: `bench measures what methods find, and how good models are. Where the time of a run
goes, phase by phase, is in its result: phase_seconds of invbo run --json.`,
		Example: `  invbo bench table --task expression --methods cobo,cobo+invbo --results table.jsonl`,
	}, benchTableCommand(), benchPMOCommand(), benchLandscapeCommand(), benchFigureCommand(), benchModelCommand())
}

// gridFlags are the flags of a table or figure of runs.
type gridFlags struct {
	*specFlags
	paper.Grid
	seeds, results, out string
}

// addRuns adds the flags that say which runs there are. methods are those of runs that name none; none: the task's.
func (g *gridFlags) addRuns(f flagGroup, seeds string, methods ...string) {
	usual := "the task's"
	if len(methods) > 0 {
		usual = strings.Join(methods, ",")
	}
	var s experiment.RunSpec // that parameters are checked with: each run has its own
	n := s.MethodValue()
	n.Several, n.Calls = true, &g.Methods
	f.declare(&option.Option{Name: "methods", Value: n, Help: "`NAMES` of methods, separated by commas, each with its parameters: see invbo methods", Unset: usual})
	f.StringVar(&g.seeds, "seeds", seeds, "`SEEDS`: numbers and ranges, separated by commas")
	g.Methods = methods
}

// addResults adds the flags of runs that are kept.
func (g *gridFlags) addResults(f *pflag.FlagSet) {
	g.Jobs, g.Say = runtime.GOMAXPROCS(0), func(n option.Notes) { say(n.Say(flagName(f))) }
	f.StringVar(&g.results, "results", "", "`FILE` of JSON lines that finished runs are added to")
	f.BoolVar(&g.NoRuns, "no-runs", false, "run nothing: show what --results holds")
	f.Var(option.Count(&g.Jobs), "jobs", "carry out `N` runs at a time")
}

// parseSeeds reads "0-4,7" as 0 1 2 3 4 7, each once.
func parseSeeds(text string) ([]uint64, error) {
	var seeds []uint64
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, err1 := strconv.ParseUint(low, 10, 64)
		last, err2 := strconv.ParseUint(high, 10, 64)
		if err1 != nil || err2 != nil || last < first || last-first >= 10000 {
			return nil, usage.Errorf("--seeds %s: %q is neither a number nor a range such as 0-9", text, part)
		}
		for i := range last - first + 1 {
			seeds = append(seeds, first+i)
		}
	}
	slices.Sort(seeds)
	return slices.Compact(seeds), nil
}

// addOut adds the flag of a figure's folder.
func (g *gridFlags) addOut(f *pflag.FlagSet) {
	f.StringVarP(&g.out, "out", "o", "figures", "folder `DIR` for the figure and its numbers")
}

// check checks the flags for tasks of these names.
func (g *gridFlags) check(names []string, given *pflag.FlagSet) (err error) {
	if g.Seeds, err = parseSeeds(g.seeds); err != nil {
		return err
	}
	if err := g.setWildType(); err != nil {
		return err
	}
	var methods []string // each once
	for _, method := range g.Methods {
		if !slices.Contains(methods, method) {
			methods = append(methods, method)
		}
	}
	g.Methods = methods
	for _, name := range names {
		t, err := task.Named(name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(g.Tasks, func(other task.Task) bool { return other.Name == t.Name }) {
			continue // given twice, perhaps under both of its names
		}
		g.Tasks = append(g.Tasks, t.With(g.Options))
		if len(g.Methods) == 0 && !slices.Contains(methods, t.Method) {
			methods = append(methods, t.Method)
		}
	}
	ofTasks := g.flag("task").Value.(*option.Option).Parameters()
	for _, t := range g.Tasks {
		g.Task = t.Name
		ofOther := func(o *option.Option) bool { // a parameter of another task, which belongs to its runs
			return slices.Contains(ofTasks, o) && !t.Takes(o)
		}
		if err := g.Refuse(slices.DeleteFunc(option.GivenOf(declared(given)), ofOther), methods...); err != nil {
			return err
		}
	}
	g.Spec = g.RunSpec
	return nil
}

// label names a method in tables and figures: with its parameters, if they are what tells it from another.
func (g *gridFlags) label(method string) string {
	name, _, _ := strings.Cut(method, ":")
	same := func(other string) bool { return other != method && strings.HasPrefix(other+":", name+":") }
	if slices.ContainsFunc(g.Methods, same) {
		return method
	}
	return name
}

// complete carries out the runs that are missing.
func (g *gridFlags) complete(ctx context.Context) (_ [][]paper.Row, err error) {
	if g.results == "" {
		return nil, usage.Errorf("give a file for the finished runs: --results FILE.jsonl")
	}
	if g.Results, err = paper.ReadResults(g.results); err != nil {
		return nil, fmt.Errorf("--results %s: %w", g.results, err)
	}
	if note := g.Results.Note; note != "" {
		say("--results " + g.results + ": " + note)
	}
	rows, err := g.Complete(ctx)
	if errors.Is(err, paper.ErrNoRuns) {
		err = usage.Errorf("--results %s has %w; leave out --no-runs to carry them out", g.results, err)
	}
	for _, rows := range rows {
		for i := range rows {
			rows[i].Method = g.label(rows[i].Method)
		}
	}
	return rows, err
}

func benchTableCommand() *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags(option.Grid)}
	var seconds bool
	c := &cobra.Command{
		Use:   "table --task NAMES --methods NAMES --results FILE [flags]",
		Short: "Run methods over tasks and seeds, and print the mean results as a table",
		Long: `table runs every method on every task with every seed, several runs at a time, and
prints for each task the mean of the best score ± its standard error after 100,
300 and 500 calls (and at the end of another budget), in Markdown, with the
paper's results below ours where it has any. Ranking is the mean rank correlation
of the surrogate's predictions with the scores of 50 proposals; plausible, for
molecules, the share of calls whose atom environments all occur in the training
corpus.

Each finished run is added to --results, a line of JSON with its specification and
its result. Runs that are there already are not repeated, so the same command
continues after Ctrl-C. Two runs are the same if their options and the content of
their files are the same. What a program behind --oracle-cmd or --oracle-url does
is not compared: after changing it name another --results. A failed run does not
stop the others; the table says how many there are. For figures of the same runs
see invbo bench figure.`,
		Example: `  invbo bench table --task med2,valt --methods cobo,cobo+invbo --seeds 0-4 \
    --init guacamol_first_100.csv --results table.jsonl
  invbo bench table --task expression --methods cobo+invbo --seeds 0-9 \
    --init expressions.csv.gz --init-sample 100 --results table.jsonl`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(strings.Split(f.Task, ","), c.Flags()); err != nil {
				return err
			}
			out := c.OutOrStdout()
			rows, err := f.complete(c.Context())
			for i, rows := range rows {
				t := f.Tasks[i]
				if i > 0 {
					fmt.Fprintln(out)
				}
				if len(f.Tasks) > 1 {
					fmt.Fprintf(out, "### %s (%s)\n\n", t.Name, t.Sense())
				}
				paper.PrintTable(out, t, rows, seconds)
			}
			return err
		},
	}
	table := newGroup("Table")
	f.addRuns(table, "0-9")
	f.addResults(table.FlagSet)
	table.BoolVar(&seconds, "seconds", false, "add the mean seconds of a run, which depend on what runs at the same time")
	tasks := f.flag("task")
	tasks.Usage = "`NAMES` of what to search, separated by commas, each with its parameters: see invbo tasks"
	tasks.Value.(*option.Option).Value.(*option.Named).Several = true
	return withGroups(c, append([]flagGroup{table}, f.groups...)...)
}

func benchPMOCommand() *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags(option.Grid)}
	var names []string
	c := &cobra.Command{
		Use:   "pmo --methods NAMES --results FILE [flags]",
		Short: "Run methods on PMO, the benchmark of sample-efficient molecular optimization",
		Long: `pmo runs methods that search molecules themselves (evolve, ga, gbga, gp-tanimoto
and random) on 20 tasks of PMO (Gao et al. 2022); its three tasks that need a trained
classifier are left out. A run starts from 10 random molecules of the built-in
library, which count as calls. Its score is the area under the curve of the mean of
the ten best scores against the calls, taken every 100 calls, from 0 to 1. If a run
ends early, because it finds no new molecule or because of --stale, its last value
holds to the end of the budget.

The table shows the mean of each task and method over the seeds ± its standard
error, sums over the tasks and, for 10,000 calls, published results. Of these, f-RAG
also scores all of ZINC250k with the target, outside the budget.

Each finished run is added to --results, as by invbo bench table: the same command
continues after Ctrl-C.`,
		Example: `  invbo bench pmo --methods evolve,gbga --budget 1000 --seeds 0-2 --results pmo.jsonl
  invbo bench pmo --tasks median2,perindopril_mpo --seeds 0 --results pmo.jsonl`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			tasks, err := paper.PMOTasksNamed(names)
			if err != nil {
				return err
			}
			budget := f.Budget
			if f.RunSpec, err = paper.PMOSpec(f.RunSpec, budget); err != nil {
				return fmt.Errorf("--budget %d: %w", budget, err)
			}
			var ours []string
			for _, t := range tasks {
				ours = append(ours, t.Task)
			}
			if err := f.check(ours, c.Flags()); err != nil {
				return err
			}
			rows, err := f.complete(c.Context())
			if rows != nil {
				paper.PrintPMO(c.OutOrStdout(), tasks, rows, budget)
			}
			return err
		},
	}
	group := newGroup("PMO")
	group.StringSliceVar(&names, "tasks", nil, "`NAMES` of tasks, in PMO or of invbo tasks, separated by commas (default: all 20)")
	budget := f.flag("budget")
	f.Budget = paper.PMOBudget
	budget.Usage, budget.DefValue = "oracle calls, those for the first 10 molecules included: `N`", budget.Value.String()
	group.AddFlag(budget)
	group.Var(option.Count(&f.Stale), "stale", "end a run after `N` calls without a new one of its ten best, counted once scores differ; its last value holds (default: spend the budget)")
	group.AddFlag(f.flag("batch"))
	f.addRuns(group, "0-4", "evolve")
	f.addResults(group.FlagSet)
	return withGroups(c, group)
}

func benchLandscapeCommand() *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags(option.Grid)}
	initial, rounds := 96, 4
	c := &cobra.Command{
		Use:   "landscape FILE --results FILE [flags]",
		Short: "Run methods on a table of measured strings, as if it were an experiment",
		Long: `landscape takes a table of strings with scores for an experiment. A run begins with
random strings of the table, and then proposes batches, whose scores it looks up; a
string that the table does not have fails. --pool FILE, with the same table, proposes
only what it has.

The table of results shows, over the seeds, the best score as a share of the greatest
there is, the share of seeds that found that, how many of the ten best strings and
of the hundred best scores (of 1,000 strings and more) were found, the mean of the ten
best scores, and how many scores lie within one and two predicted standard deviations.
With objectives, such as 'fitness max' and 'mutations min zero=9', it shows the hypervolume.
invbo bench figure curves shows the way there.

Each finished run is added to --results, as by invbo bench table: the same command
continues after Ctrl-C.`,
		Example: `  invbo bench landscape gb1.csv.gz --seeds 0-49 --results gb1.jsonl
  invbo bench landscape gb1.csv.gz --batch 5 --rounds 77 --methods evolve,ridge --results gb1.jsonl`,
		Args: exactly(1, "a table of strings with scores"),
		RunE: func(c *cobra.Command, args []string) error {
			f.Landscape.File.Path = args[0]
			f.Task = task.LandscapeTask
			if initial < 2 {
				return usage.Errorf("--initial %d: give at least 2", initial)
			}
			f.Init.Random, f.Budget = initial, rounds*cmp.Or(f.Batch, 96)
			if err := f.check([]string{task.LandscapeTask}, c.Flags()); err != nil {
				return err
			}
			rows, err := f.complete(c.Context())
			if rows != nil {
				paper.PrintLandscape(c.OutOrStdout(), rows[0])
			}
			return remedied(err)
		},
	}
	group := newGroup("Landscape")
	group.VarP(option.Count(&initial), "initial", "", "random strings to begin with: `N`")
	group.Var(option.Count(&rounds), "rounds", "batches that are proposed: `N`")
	batch := f.flag("batch")
	batch.Usage = "propose `N` strings per batch (default 96)"
	for _, name := range []string{"batch", "wild-type", "first-position", "pool", "features", "objective"} {
		group.AddFlag(f.flag(name))
	}
	group.declare(&option.Option{Name: "score", Value: option.Text(&f.Landscape.Column), Help: "`COLUMN` of the scores", Unset: "by its name"})
	group.declare(&option.Option{Name: "minimize", Value: option.Switch(&f.Minimize), Help: "lower scores are better"})
	f.addRuns(group, "0-9", "evolve", "ridge", "ga", "random")
	f.addResults(group.FlagSet)
	return withGroups(c, group)
}

func benchFigureCommand() *cobra.Command {
	c := parent(&cobra.Command{
		Use:   "figure NAME",
		Short: "Draw a figure of the paper from runs of this program",
		Long: `figure draws an analysis of the paper as NAME.svg, with its numbers in NAME.csv, in
the folder --out. All but fit and region show runs: those that --results lacks are
carried out and added to it, as invbo bench table does.`,
		Example: `  invbo bench figure ablation --task med2 --seeds 0-4 --init guacamol_first_100.csv --results table.jsonl --out figures
  invbo bench figure fit --task expression --out figures`,
	}, benchFigureFitCommand(), benchFigureRegionCommand())
	for _, chart := range paper.Charts() {
		c.AddCommand(chartCommand(chart))
	}
	return c
}

// chartCommand returns the command that draws a figure of runs.
func chartCommand(chart paper.Chart) *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags(option.Grid)}
	c := &cobra.Command{
		Use:   chart.Name + " --task NAME --results FILE [flags]",
		Short: strings.ToUpper(chart.About[:1]) + chart.About[1:] + " (" + chart.Source + ")",
		Long: fmt.Sprintf(`%s shows %s: the paper's %s.
Methods are that figure's, or any others; lines and bars are means over seeds, with
their standard errors.`, chart.Name, chart.About, chart.Source),
		Example: fmt.Sprintf("  invbo bench figure %s --task %s --seeds 0-4 --results table.jsonl --out figures", chart.Name, cmp.Or(chart.Task, "expression")),
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check([]string{f.Task}, c.Flags()); err != nil {
				return err
			}
			if err := files.MakeWritable(f.out); err != nil {
				return err
			}
			svg, csv := paper.Files(f.out, chart.Name)
			for _, file := range []string{svg, csv} {
				if files.Same(f.results, file) {
					return usage.Errorf("--results %s: the figure is written there; give another --out", f.results)
				}
			}
			rows, failed := f.complete(c.Context())
			if rows == nil {
				return failed
			}
			if err := chart.Draw(f.out, f.Tasks[0], rows[0], c.OutOrStdout()); err != nil && failed == nil {
				return fmt.Errorf("%s: %w", f.results, err)
			}
			return failed
		},
	}
	group := newGroup("Figure")
	f.addRuns(group, "0-9", chart.Methods...)
	f.addResults(group.FlagSet)
	f.addOut(group.FlagSet)
	return withGroups(c, append([]flagGroup{group}, f.groups...)...)
}

func benchFigureFitCommand() *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags(option.Fit)}
	c := &cobra.Command{
		Use:   "fit --task NAME [flags]",
		Short: "What a surrogate learns from encoder and from inverted triplets (Fig. 7)",
		Long: `fit evaluates strings, gives them latents in two ways, by the encoder and by
inversion, fits a surrogate to three quarters of each, and shows its predictions
for the last quarter, with 95 % intervals, against the scores of what these latents
decode to: the paper's Fig. 7. The strings are 400 random ones of the model, or those of --init; scores are
neither ranked nor cut, whatever runs of the task do.`,
		Example: "  invbo bench figure fit --task expression --out figures",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.specFlags.check(c.Flags()); err != nil {
				return err
			}
			if err := files.MakeWritable(f.out); err != nil {
				return err
			}
			return paper.DrawFit(c.Context(), f.RunSpec, f.out, c.OutOrStdout())
		},
	}
	group := newGroup("Figure")
	f.addOut(group.FlagSet)
	f.flag("init").Usage = "initial strings: `N|FILE`, random ones or those of a file (default 400)"
	return withGroups(c, append([]flagGroup{group}, f.groups...)...)
}

func benchFigureRegionCommand() *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags(option.Grid)}
	c := &cobra.Command{
		Use:   "region --task NAME [flags]",
		Short: "How good a surrogate is within the trust region (Fig. 9)",
		Long: `region carries out a run of each method and seed, with 100 calls unless --budget says
otherwise, and looks at its VAE and the strings that it has evaluated. They get
latents as the method gives them to its initial design, the method's surrogate is
fitted to these and the unchanged scores, and the figure shows its mean error in
trust regions around the ten best strings by the side of the region: |score of what
a latent decodes to − prediction|, which Proposition 1 bounds (the paper's Fig. 9).

It evaluates up to 1,510 more strings for each run.`,
		Example: "  invbo bench figure region --task expression --seeds 0-2 --out figures",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if f.Budget == 0 {
				f.Budget = 100
			}
			if err := f.check([]string{f.Task}, c.Flags()); err != nil {
				return err
			}
			if err := f.Rereadable(); err != nil {
				return err
			}
			if err := files.MakeWritable(f.out); err != nil {
				return err
			}
			return paper.DrawRegion(c.Context(), f.Spec, f.Methods, f.Seeds, f.out, c.OutOrStdout())
		},
	}
	group := newGroup("Figure")
	f.addRuns(group, "0-4", paper.RegionMethods()...)
	f.addOut(group.FlagSet)
	return withGroups(c, append([]flagGroup{group}, f.groups...)...)
}
