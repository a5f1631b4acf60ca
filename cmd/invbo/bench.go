package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/bench"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

func benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed, methods and models",
		Long: `bench measures this program: its speed, and what its methods find. Where the time of
a run goes, phase by phase, is in its result: phase_seconds of invbo run --json.`,
		Example: `  invbo bench kernels
  invbo bench table --task expression --methods cobo,cobo+invbo --results table.jsonl`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(benchKernelsCommand(), benchPeerCommand(), benchTableCommand(), benchPMOCommand(), benchFigureCommand(), benchModelCommand(), benchCrashCommand(), crashOracleCommand())
	return c
}

func benchKernelsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kernels [KERNEL...]",
		Short: "Time the numeric kernels, and compare them with what bounds them",
		Long: `kernels times matrix product, Cholesky factorization, counts that structures have
in common, a training step of the Grammar VAE, and of the sequence VAE an iteration
of inversion, a training step and greedy decoding, on all processors. It names the
instruction set and what bounds each kernel: arithmetic, at what a loop of
multiply-adds in registers reaches on one core, times the number of processors; or
memory, at what all processors read of 16 MiB. The share is that of this bound.`,
		Example: `  invbo bench kernels
  invbo bench kernels inversion "greedy decoding"
  INVBO_SIMD=avx2 GOMAXPROCS=1 invbo bench kernels`,
		RunE: func(c *cobra.Command, args []string) error { return bench.Kernels(c.Context(), args, c.OutOrStdout()) },
	}
}

func benchPeerCommand() *cobra.Command {
	rounds := 5
	var python, script string
	c := &cobra.Command{
		Use:   "peer [KERNEL...]",
		Short: "Time the kernels side by side with PyTorch",
		Long: `peer times the kernels of invbo bench kernels here and in PyTorch, by turns in
several rounds so that both meet the same machine, and prints the median of each
and of the rounds' ratios, and the share that we reach of the bound that invbo
bench kernels shows. Both use the same number of threads. It needs
PyTorch (on Debian: apt-get install python3-torch libopenblas0-openmp) and runs
bench/peer.py of the source tree.`,
		Example: `  invbo bench peer
  invbo bench peer inversion "greedy decoding"
  GOMAXPROCS=1 invbo bench peer --rounds 9`,
		RunE: func(c *cobra.Command, args []string) error {
			return bench.Peer(c.Context(), args, python, script, rounds, c.OutOrStdout())
		},
	}
	c.Flags().SortFlags = false
	count(c.Flags(), &rounds, "rounds", "time each `N` times")
	c.Flags().StringVar(&python, "python", "/usr/bin/python3", "`FILE` of a Python with PyTorch")
	c.Flags().StringVar(&script, "script", "bench/peer.py", "`FILE` of the peer's side")
	return c
}

func benchModelCommand() *cobra.Command {
	var model modelFlags
	var inversion experiment.Inversion
	b := bench.Model{Invert: 1000, Samples: 10000}
	c := &cobra.Command{
		Use:   "model FILE",
		Short: "Measure how good a model is, on held-out strings and on samples of its prior",
		Long: `model reads strings that the model was not trained on (SMILES for molecules) and
reports how many the encoder's mean decodes to exactly, how many inversion makes
exact and in how many steps, and whether the certificate agrees with greedy
decoding on all of them. For samples of the prior it reports how many are valid,
how many are different, and, with --known, how many are not among those strings.`,
		Example: `  invbo bench model held-out.smi.gz --model molecules --known training.smi.gz`,
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return usage.Errorf("give a file of strings that the model was not trained on")
			}
			if b.Model, err = model.load(); err != nil {
				return err
			}
			if b.Inversion, err = inversion.Options(b.Model); err != nil {
				return err
			}
			b.Data.Path = args[0]
			return b.Run(c.Context(), c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.SortFlags = false
	model.add(f)
	f.Var(&b.Known, "known", "`FILE` of the strings that the model was trained on")
	count(f, &b.Invert, "invert", "invert the first `N` strings of FILE")
	count(f, &b.Samples, "samples", "draw `N` samples of the prior")
	f.Uint64Var(&b.Seed, "seed", 0, "random seed `N` of the samples")
	addInversion(f, &inversion, "")
	return c
}

// gridFlags are the flags of a table or figure of runs.
type gridFlags struct {
	*specFlags
	experiment.Grid
	seeds string
}

func (g *gridFlags) add(f *pflag.FlagSet, methods string) {
	g.Jobs, g.Say = runtime.GOMAXPROCS(0), say
	f.StringSliceVar(&g.Methods, "methods", nil, "`NAMES` of methods, separated by commas: see invbo methods (default: "+methods+")")
	f.StringVar(&g.seeds, "seeds", "0-9", "`SEEDS`: numbers and ranges, separated by commas")
	f.StringVar(&g.Results, "results", "", "`FILE` of JSON lines that finished runs are added to")
	f.BoolVar(&g.NoRuns, "no-runs", false, "run nothing: show what --results holds")
	count(f, &g.Jobs, "jobs", "carry out `N` runs at a time")
}

// complete checks the flags for tasks of these names, and carries out what is missing.
func (g *gridFlags) complete(ctx context.Context, names string, given *pflag.FlagSet) (_ [][]experiment.MethodRow, err error) {
	if g.Seeds, err = experiment.ParseSeeds(g.seeds); err != nil {
		return nil, err
	}
	g.Methods = once(g.Methods)
	methods := g.Methods
	for name := range strings.SplitSeq(names, ",") {
		t, err := task.Named(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(g.Tasks, func(other task.Task) bool { return other.Name == t.Name }) {
			continue // given twice, perhaps under both of its names
		}
		g.Tasks = append(g.Tasks, t.With(g.Options))
		if len(g.Methods) == 0 && !slices.Contains(methods, t.Method) {
			methods = append(methods, t.Method)
		}
	}
	for _, t := range g.Tasks {
		g.Task = t.Name
		if err := g.check(given, methods...); err != nil {
			return nil, err
		}
	}
	g.Spec = g.RunSpec
	return g.Complete(ctx)
}

// once returns the names in their order, each once.
func once(names []string) []string {
	var all []string
	for _, name := range names {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

func benchTableCommand() *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags()}
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
			out := c.OutOrStdout()
			rows, err := f.complete(c.Context(), f.Task, c.Flags())
			for i, rows := range rows {
				t := f.Tasks[i]
				if i > 0 {
					fmt.Fprintln(out)
				}
				if len(f.Tasks) > 1 {
					fmt.Fprintf(out, "### %s (%s)\n\n", t.Name, t.Sense())
				}
				experiment.PrintTable(out, t, rows, seconds)
			}
			return err
		},
	}
	table := newGroup("Table")
	f.add(table.FlagSet, "the task's")
	table.BoolVar(&seconds, "seconds", false, "add the mean seconds of a run, which depend on what runs at the same time")
	f.what.Lookup("task").Usage = "`NAMES` of what to search, separated by commas: see invbo tasks"
	addGroups(c, append([]flagGroup{table}, f.groups()...)...)
	return c
}

func benchPMOCommand() *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags()}
	var names []string
	budget := experiment.PMOBudget
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
error, sums over the tasks and, for 10,000 calls, published results.

Each finished run is added to --results, as by invbo bench table: the same command
continues after Ctrl-C.`,
		Example: `  invbo bench pmo --methods evolve,gbga --budget 1000 --seeds 0-2 --results pmo.jsonl
  invbo bench pmo --tasks median2,perindopril_mpo --seeds 0 --results pmo.jsonl`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			tasks, err := experiment.PMOTasksNamed(names)
			if err != nil {
				return err
			}
			if f.RunSpec, err = f.PMO(budget); err != nil {
				return err
			}
			var ours []string
			for _, t := range tasks {
				ours = append(ours, t.Task)
			}
			rows, err := f.complete(c.Context(), strings.Join(ours, ","), c.Flags())
			if rows != nil {
				experiment.PrintPMO(c.OutOrStdout(), tasks, rows, budget)
			}
			return err
		},
	}
	group := newGroup("PMO")
	group.StringSliceVar(&names, "tasks", nil, "`NAMES` of tasks, in PMO or of invbo tasks, separated by commas (default: all 20)")
	count(group.FlagSet, &budget, "budget", "oracle calls, those for the first 10 molecules included: `N`")
	count(group.FlagSet, &f.Stale, "stale", "end a run after `N` calls of which none is among its ten best; its last value holds (default: spend the budget)")
	group.AddFlag(f.method.Lookup("batch"))
	f.add(group.FlagSet, "evolve")
	f.Methods, f.seeds = []string{"evolve"}, "0-4"
	group.Lookup("seeds").DefValue = f.seeds
	addGroups(c, group)
	return c
}

func benchFigureCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "figure NAME",
		Short: "Draw a figure of the paper from runs of this program",
		Long: `figure draws an analysis of the paper as NAME.svg, with its numbers in NAME.csv, in
the folder --out. All but fit and region show runs: those that --results lacks are
carried out and added to it, as invbo bench table does.`,
		Example: `  invbo bench figure ablation --task med2 --seeds 0-4 --init guacamol_first_100.csv --results table.jsonl --out figures
  invbo bench figure fit --task expression --out figures`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, chart := range experiment.Charts() {
		c.AddCommand(chartCommand(chart))
	}
	c.AddCommand(benchFigureFitCommand(), benchFigureRegionCommand())
	return c
}

func addOut(f *pflag.FlagSet, out *string) {
	f.StringVarP(out, "out", "o", "figures", "folder `DIR` for the figure and its numbers")
}

// chartCommand returns the command that draws a figure of runs.
func chartCommand(chart experiment.Chart) *cobra.Command {
	f := gridFlags{specFlags: newSpecFlags()}
	var out string
	c := &cobra.Command{
		Use:   chart.Name + " --task NAME --results FILE [flags]",
		Short: strings.ToUpper(chart.About[:1]) + chart.About[1:] + " (" + chart.Source + ")",
		Long: fmt.Sprintf(`%s shows %s: the paper's %s.
Methods are that figure's, or any others; lines and bars are means over seeds, with
their standard errors.`, chart.Name, chart.About, chart.Source),
		Example: fmt.Sprintf("  invbo bench figure %s --task expression --seeds 0-4 --results table.jsonl --out figures", chart.Name),
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			t, err := task.Named(f.Task)
			if err != nil {
				return err
			}
			if len(f.Methods) == 0 {
				f.Methods = chart.Methods
			}
			if err := files.MakeWritable(out); err != nil {
				return err
			}
			for _, kind := range []string{".csv", ".svg"} {
				if same, err := files.Same(f.Results, filepath.Join(out, chart.Name+kind)); err != nil || same {
					return usage.Errorf("--results %s: the figure is written there; give another --out", f.Results)
				}
			}
			rows, failed := f.complete(c.Context(), t.Name, c.Flags())
			if rows == nil {
				return failed
			}
			if err := chart.Draw(out, f.Tasks[0], rows[0], c.OutOrStdout()); err != nil && failed == nil {
				return fmt.Errorf("%s: %w", f.Results, err)
			}
			return failed
		},
	}
	group := newGroup("Figure")
	f.add(group.FlagSet, strings.Join(chart.Methods, ","))
	addOut(group.FlagSet, &out)
	addGroups(c, append([]flagGroup{group}, f.groups()...)...)
	return c
}

func benchFigureFitCommand() *cobra.Command {
	s := newSpecFlags()
	var out string
	c := &cobra.Command{
		Use:   "fit --task NAME [flags]",
		Short: "What a surrogate learns from encoder and from inverted triplets (Fig. 7)",
		Long: `fit evaluates strings, gives them latents in two ways, by the encoder and by
inversion, fits a surrogate to three quarters of each, and shows its predictions
for the last quarter, with 95 % intervals, against the truth: the paper's Fig. 7.
The strings are 400 random ones of the model, or those of --init; scores are
neither ranked nor cut, whatever runs of the task do.`,
		Example: "  invbo bench figure fit --task expression --out figures",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.check(c.Flags()); err != nil {
				return err
			}
			e, err := s.BuildFit(c.Context())
			if err != nil {
				return err
			}
			if err := files.MakeWritable(out); err != nil {
				return err
			}
			return e.DrawFit(c.Context(), out, c.OutOrStdout())
		},
	}
	group := newGroup("Figure")
	addOut(group.FlagSet, &out)
	s.addOne()
	groups := []flagGroup{group}
	unused := []string{"method", "budget", "time", "batch", "top", "patience", "transform", "update-rate", "update-passes", "region-length", "region-min", "region-max", "plausible", "dim",
		"library", "max-similarity", "implausible", "forbid", "require", "max-atoms", "weight", "logp"}
	for _, g := range s.groups() {
		used := newGroup(g.title)
		g.VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(unused, f.Name) {
				used.AddFlag(f)
			}
		})
		groups = append(groups, used)
	}
	addGroups(c, groups...)
	c.Flags().Lookup("init").Usage = "initial strings: `N|FILE`, random ones or those of a file (default 400)"
	return c
}

func benchFigureRegionCommand() *cobra.Command {
	s := newSpecFlags()
	var methods []string
	var seeds, out string
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
			if err := s.check(c.Flags(), methods...); err != nil {
				return err
			}
			list, err := experiment.ParseSeeds(seeds)
			if err != nil {
				return err
			}
			if err := s.Rereadable(); err != nil {
				return err
			}
			if err := files.MakeWritable(out); err != nil {
				return err
			}
			if s.Budget == 0 {
				s.Budget = 100
			}
			return s.DrawRegion(c.Context(), once(methods), list, out, c.OutOrStdout())
		},
	}
	group := newGroup("Figure")
	group.StringSliceVar(&methods, "methods", experiment.RegionMethods, "`NAMES` of methods, separated by commas: see invbo methods")
	group.StringVar(&seeds, "seeds", "0-4", "`SEEDS`: numbers and ranges, separated by commas")
	addOut(group.FlagSet, &out)
	addGroups(c, append([]flagGroup{group}, s.groups()...)...)
	return c
}

func benchCrashCommand() *cobra.Command {
	var c bench.Crash
	cmd := &cobra.Command{
		Use:   "crash --out DIR [flags]",
		Short: "Kill runs at random moments, and see that nothing is lost",
		Long: `crash carries out searches of strings with evolve, and of an expression with CoBO and
InvBO, kills them at random moments (SIGKILL), resumes them until they end, and counts
answers that were lost or paid twice, and runs that ended with other trials than one
without kills. It ends with 1 if there are any.

The oracle of the strings is a slow program. What it was asked when a run was killed,
one call at most, it may be asked again: nobody has its answer.`,
		Example: "  invbo bench crash --kills 1000 --out crash",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := files.MakeWritable(c.Folder); err != nil {
				return err
			}
			return crash(cmd.Context(), c, cmd.OutOrStdout())
		},
	}
	f := newGroup("Flags")
	c.Kills = 100
	count(f.FlagSet, &c.Kills, "kills", "`N` kills of each search")
	f.Uint64Var(&c.Seed, "seed", 0, "random seed `N` of the moments")
	addOut(f.FlagSet, &c.Folder)
	addGroups(cmd, f)
	return cmd
}

func crash(ctx context.Context, c bench.Crash, stdout io.Writer) error {
	var err error
	if c.Program, err = os.Executable(); err != nil {
		return err
	}
	folder := c.Folder
	asked, err := filepath.Abs(filepath.Join(folder, "asked"))
	if err != nil {
		return err
	}
	damaged := false
	for _, search := range []struct {
		name, asked string
		run         []string
	}{
		{"evolve", asked, []string{"--task", "strings", "--alphabet", "ACDE", "--length", "8", "--init", "10", "--budget", "15", "--batch", "3", "--oracle-cmd", fmt.Sprintf("%q bench crash-oracle %q", c.Program, asked)}},
		{"cobo+invbo", "", []string{"--task", "expression", "--init", "20", "--budget", "20", "--patience", "2"}},
	} {
		c.Folder, c.Asked, c.Run = filepath.Join(folder, search.name), search.asked, search.run
		if err := os.MkdirAll(c.Folder, 0o755); err != nil {
			return err
		}
		d, err := c.Carry(ctx, os.Stderr)
		if err != nil {
			return fmt.Errorf("%s: %w", search.name, err)
		}
		damaged = damaged || d.Lost+d.Twice+d.Others > 0
		if _, err := fmt.Fprintf(stdout, "%s: %v\n", search.name, d); err != nil {
			return err
		}
	}
	if damaged {
		return errors.New("kills did damage")
	}
	return nil
}

// crashOracleCommand is the oracle of bench crash: it appends strings to a file, and scores them slowly.
func crashOracleCommand() *cobra.Command {
	return &cobra.Command{
		Use: "crash-oracle FILE", Hidden: true, Args: exactlyOne("a file to append to"),
		RunE: func(c *cobra.Command, args []string) error {
			log, err := os.OpenFile(args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			if err != nil {
				return err
			}
			defer log.Close()
			for lines := bufio.NewScanner(c.InOrStdin()); lines.Scan(); {
				x := lines.Text()
				fmt.Fprintln(log, x)
				time.Sleep(5 * time.Millisecond)
				fmt.Fprintln(c.OutOrStdout(), strings.Count(x, "AC")+strings.Count(x, "DE"))
			}
			return nil
		},
	}
}
