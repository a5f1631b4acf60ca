package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// runFlags is `invbo run`.
type runFlags struct {
	*specFlags
	runOutput
	database
	out, workers string
	overwrite    bool
}

func runCommand() *cobra.Command {
	f := runFlags{specFlags: newSpecFlags(option.Run)}
	c := &cobra.Command{
		Use:   "run {--task NAME | FILE.toml} [flags]",
		Short: "Search for the best string of a task",
		Long: `run evaluates an initial design, and then spends its budget of oracle calls on
candidates that the method proposes. Calls for the initial design are counted
separately (init_calls). No string is evaluated twice.

--init is a number of random strings, or a file: one string per line (SMILES for
molecules, optionally followed by a name), or any table that invbo new reads, such as
CSV, Excel, FASTA and SD files. Lines may contain blanks, commas and so on; where they
may be rows of a table as well, a header is asked for. Known scores in a column score,
or one named like the task, cost no call; with the task strings their column may have
another name, which is said. --score names a column, or none: all strings are
evaluated. Rows whose score is NaN are skipped. Files may be gzipped.

The task strings has no oracle of its own: --oracle-cmd runs in the shell for each
batch, one at a time, reads a string per line and writes a line for each of them, a
score, or NaN and a reason after a comma. --oracle-protocol has other ways,
--oracle-url asks a service, and invbo score --oracle-cmd tries either on a file.

Tasks and methods have parameters of their own, which follow their names: --task
ehrlich:length=32,motifs=4. A value with a comma is put in quotation marks:
--task "docking:receptor='a,b.pdbqt',box=box.txt". invbo tasks and invbo methods list
the parameters.

FILE.toml is a study file: it holds options, and flags override it. --write makes one
with every option, those of other flags set. Its paths are relative to its folder,
in which its oracle's command runs, too.

--out DIR receives spec.json (what was run; of a study file spec.toml is a copy),
trials.csv (a line per evaluation, written at once), batches.csv (a line per batch),
result.json, curve.svg (best score so far), alignment.svg (of latents with their
strings) and a picture of the best: for expression fit.svg, for molecules
molecules.svg, the best twelve of different scaffolds; each figure with its data as
CSV, the latter portfolio.csv. In CSV files a text that a spreadsheet would take for
a formula, such as -x, begins with an apostrophe, which --init leaves out.
The same options and seed give the same trials.csv on any number of processors.
Ctrl-C stops a run cleanly. After that, or a crash, invbo resume DIR goes on as if
nothing had happened: DIR/study.db holds every answer of the oracle. To start another
run from the evaluations of this one: --init DIR/trials.csv.

With --time a run ends after the batch in which the time runs out. To carry out runs
with several seeds, or several methods: invbo bench table.`,
		Example: `  invbo run --task strings --init strings.csv --oracle-cmd 'python3 score.py' --out out/strings
  invbo run --task strings --init strings.csv --write study.toml
  invbo run study.toml --budget 200 --out out/study
  invbo run --task med2 --out out/first
  invbo run --task osmb --init assay.csv --score pIC50 --budget 200 --out out/assay
  invbo run --task osmb --library catalogue.smi.gz --forbid alerts.smarts --logp :4
  invbo run --task expression:target='sin(x*x)+2' --out out/curve
  invbo run --task ackley:dim=40 --method turbo+pas:region_length=0.4 --json
  invbo run --task med2 --init molecules.smi --time 10m --out out/ten`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.fromFile(c, args, func() error {
				if t, err := task.Named(f.Task); err == nil {
					f.Method = cmp.Or(f.Method, t.Method) // which options are checked against
				}
				if err := f.check(c.Flags(), f.Method); err != nil {
					return err
				}
				if err := f.checkDatabase(); err != nil {
					return err
				}
				if f.Minimize && f.Desirable() {
					return errDesirable
				}
				return f.run(c.Context(), c.Flags(), c.OutOrStdout())
			})
		},
	}
	output := newGroup("Output")
	output.declare(
		&option.Option{Name: "out", Short: "o", Value: option.Text(&f.out), Help: "folder `DIR` for the results", Unset: "nothing is written", Table: "output"},
		&option.Option{Name: "overwrite", Value: option.Switch(&f.overwrite), Help: "replace a run that --out holds, with all of its files", Table: "output"})
	f.runOutput.add(output)
	where := newGroup("Database")
	f.database.add(where, "the run waits for it, up to --reconnect TIME (5m)")
	waits(where, &f.database.reconnect)
	where.Lookup("reconnect").Hidden = true // the help of --store says it
	where.declare(&option.Option{Name: "workers", Value: option.Text(&f.workers), Help: "remote: leave the scores to invbo worker, on any machines", Unset: "this process asks the oracle", Table: "database"})
	return withGroups(c, append(slices.Clone(f.groups), output, where, f.writeGroup())...)
}

// run carries out `invbo run`.
func (f runFlags) run(ctx context.Context, given *pflag.FlagSet, stdout io.Writer) (err error) {
	p, err := f.Build(ctx)
	if err != nil {
		return explained(err, given)
	}
	e, err := experiment.Create(ctx, experiment.Place{Folder: f.out, URL: f.url, Study: f.study}, p, experiment.Options{Replace: f.overwrite, Run: true, Logger: logger(f.verbose), Patience: f.reconnect, Away: f.away})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	say(p.Notes.Say(flagName(given)))
	sayLimits(p, given)
	return f.runOutput.carryOut(ctx, e, stdout)
}

// runOutput is how a run is shown.
type runOutput struct{ json, verbose bool }

func (f *runOutput) add(to flagGroup) {
	to.declare(
		&option.Option{Name: "json", Value: option.Switch(&f.json), Help: "print specification and result as one line of JSON", Table: "output"},
		&option.Option{Name: "verbose", Short: "v", Value: option.Switch(&f.verbose), Help: "log every batch to standard error", Table: "output"})
}

// carryOut carries out a run, or what is left of it, and prints what it found.
func (f runOutput) carryOut(ctx context.Context, e *experiment.Experiment, stdout io.Writer) error {
	v := view{Display: progress.New(e.Task.Name+" ", e.Spec.Budget, f.verbose), constraints: e.Spec.Constraints}
	if e.Task.Is(task.KindOwn) {
		v.silent = time.AfterFunc(time.Minute, func() { v.Say("invbo: " + silence(e.Spec.External)) })
		defer v.silent.Stop()
	}
	r, err := e.Run(ctx, experiment.Observer{Begun: v.count, Trial: v.trial, Batch: v.batch})
	v.Stop()
	if err != nil {
		kept := "nothing was written, since --out was not given"
		switch place := e.Place(); {
		case errors.Is(err, sqlite.ErrAstray):
			kept = "the answers before that are in the file"
		case place.URL != "":
			kept = goOn(err, len(r.Trials), place.String(), "another --study")
		case r.Discarded:
			kept = "nothing was scored, and nothing is kept"
		case place.Folder != "":
			kept = goOn(err, len(r.Trials), place.String(), "another --out, or --overwrite")
		case place.File != "":
			kept = goOn(err, len(r.Trials), place.String(), "another oracle")
		}
		_, called := errors.AsType[*study.CallError](err)
		if called && e.Place() != (experiment.Place{}) && !r.Discarded && !usage.Is(err) && e.Task.Is(task.KindOwn) && e.Spec.Workers == "" && !e.Spec.OracleSkip {
			kept += "; to record such strings as failed and continue, add --oracle-skip"
		}
		err = fmt.Errorf("%w; %s", err, kept)
	}
	if f.json {
		text, failed := json.Marshal(experiment.Line{Spec: e.Spec, Result: r.Result})
		if failed == nil {
			_, failed = stdout.Write(append(usage.VisibleJSON(text), '\n'))
		}
		return errors.Join(err, failed)
	}
	printOutcome(stdout, r)
	if len(r.Files) > 0 {
		fmt.Fprintf(stdout, "Files   in %s: %s\n", e.Place(), strings.Join(r.Files, " "))
	}
	return err
}

// silence says that an oracle has not answered for a minute, and what may be wrong with a program that never will.
func silence(e task.External) string {
	text := "the oracle has not answered its first call for a minute; Ctrl-C ends the run, and keeps the answers so far"
	if e.Persists() {
		text += "; a program that goes on running must flush its output after each line (Python: print(answer, flush=True))"
	}
	return text
}

// goOn says what to do after a run that failed with err and kept n evaluations: resume it or, where the same answers or
// options would give the same error again, begin another.
func goOn(err error, n int, resume, other string) string {
	if errors.Is(err, study.ErrNoScore) {
		return fmt.Sprintf("invbo resume would find the same: mend what gives the scores, and run again with %s", other)
	}
	if usage.Is(err) {
		return fmt.Sprintf("then run again with %s", other)
	}
	return fmt.Sprintf("all %d evaluations are kept: to go on, invbo resume %s", n, usage.Quoted(resume))
}

// logger returns nil, which discards, unless batches are to be logged.
func logger(verbose bool) *slog.Logger {
	if !verbose {
		return nil
	}
	return slog.New(slog.NewTextHandler(os.Stderr, nil))
}

// printOutcome writes what was found, for people.
func printOutcome(w io.Writer, r experiment.Outcome) {
	best := r.Top(r.Task.Listed, nil)
	if len(best) == 0 && r.Violating > 0 {
		fmt.Fprintf(w, "No string keeps the constraints %v; %d have a score and violate them.\n", r.Spec.Constraints, r.Violating)
		return
	}
	if len(best) == 0 {
		fmt.Fprintf(w, "No evaluation gave a score%s.\n", mostly(r))
		return
	}
	front := r.Spec.Front(r.Trials)
	if front != nil {
		fmt.Fprint(w, experiment.FrontText(front, r.Spec.Objectives, experiment.MostOnFront, func(t study.Trial) string { return r.Shown(t.Input) }))
		best = best[:1]
	} else {
		fmt.Fprintf(w, "Best    %s\n", r.Shown(r.Best))
		fmt.Fprintf(w, "Score   %s%v  (%s; %s)\n", r.BestBound, r.BestScore, r.Task.Score, r.Task.Sense())
	}
	if n, equal := r.Equal(); equal && front == nil {
		fmt.Fprintf(w, "Note    all %d scores are equal: there was nothing to learn from; use an initial design with different scores (--init), or a larger --budget\n", n)
	}
	if r.Task.Optimum != nil {
		regret := experiment.Number(math.Abs(*r.Task.Optimum - float64(r.BestScore))).String()
		if regret == "0" {
			regret += ": the optimum was found"
		}
		fmt.Fprintf(w, "Regret  %s\n", regret)
	}
	if r.Exempt {
		allowed := "none that passes has a score"
		if t := r.Allowed; t != nil {
			allowed = fmt.Sprintf("the best that passes has %v: %s", experiment.Number(t.Score), usage.Visible(t.Input))
		}
		fmt.Fprintf(w, "Note    an initial molecule, which need not pass the tests of proposals (--require and others); %s\n", allowed)
	}
	for i, t := range best[1:] {
		fmt.Fprintf(w, "%d.      %s%v  %s\n", i+2, t.Bound, experiment.Number(t.Score), r.Shown(t.Input))
	}
	if r.Expected != "" {
		fmt.Fprintf(w, "Expected best, since scores are noisy: %s, %v with sd %.2g\n", r.Shown(r.Expected), r.ExpectedMean, float64(r.ExpectedSD))
	}
	note := func(format string, n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(format, n)
	}
	fmt.Fprintf(w, "Calls   %d%s, and %d for the initial design%s%s\n", r.OracleCalls, note(" (%d of them for recentering)", r.Recentering), r.InitCalls,
		note("; %d gave no score"+strings.ReplaceAll(mostly(r), "%", "%%"), r.Failed), note("; %d violate a constraint", r.Violating))
	if !math.IsNaN(float64(r.Plausible)) {
		fmt.Fprintf(w, "Plausible: %.0f %% of evaluated molecules, %.0f %% of the best ten\n", 100*r.Plausible, 100*r.PlausibleTop)
	}
	fmt.Fprintf(w, "Time    %.1f s, with %s, seed %d%s\n", r.Seconds, r.Spec.Method, r.Spec.Seed, early(r))
	if operators := r.Operators(); len(operators) > 0 {
		if r.EvolveRestarts > 0 {
			fmt.Fprintf(w, "Restarts: %d (after %d calls without a new best)\n", r.EvolveRestarts, evolve.Defaults().Patience)
		}
		var did []string
		for _, o := range operators {
			verb := "made"
			if o.Name == "library" {
				verb = "drew"
			}
			did = append(did, fmt.Sprintf("%s %s %s, chosen %s, improved %s", o.Name, verb, humanize.Comma(o.Made), humanize.Comma(o.Chosen), humanize.Comma(o.Improved)))
		}
		fmt.Fprintf(w, "Operators: %s\n", strings.Join(did, "; "))
	}
}

// mostly says, after "no score", why evaluations of a run have none: the most frequent reason, the first among equals.
func mostly(r experiment.Outcome) string {
	n, reason := map[string]int{}, ""
	for _, t := range r.Trials {
		if t.Reason == "" {
			continue
		}
		if n[t.Reason]++; n[t.Reason] > n[reason] {
			reason = t.Reason
		}
	}
	if reason == "" {
		return ""
	}
	return " (most often: " + usage.Shorten(reason, 80) + ")"
}

// early says why a run ended before its budget was spent.
func early(r experiment.Outcome) string {
	switch r.Ended {
	case experiment.OutOfTime:
		return fmt.Sprintf("; time ran out after %d of %d calls", r.OracleCalls, r.Spec.Budget)
	case experiment.Exhausted:
		return fmt.Sprintf("; it found no new string after %d of %d calls", r.OracleCalls, r.Spec.Budget)
	}
	return ""
}

// view shows how far a run is.
type view struct {
	*progress.Display
	constraints    []study.Constraint
	initial, calls int
	best           study.Trial // its ID is 0 before there is one
	state          []string    // of the search
	silent         *time.Timer // says that the oracle has not answered; nil: it is the program's own
}

// trial shows an evaluation.
func (v *view) trial(t study.Trial) {
	if v.silent != nil {
		v.silent.Stop()
	}
	v.count([]study.Trial{t})
	v.show()
}

// show shows the best and what the search does.
func (v *view) show() {
	best := ""
	if v.best.ID > 0 {
		best = fmt.Sprintf("best %v  %s", experiment.Number(v.best.Score), usage.Shorten(v.best.Input, 60))
	}
	v.Set(v.calls, append([]string{best}, v.state...)...)
}

// count counts evaluations. The best is kept here, since the search learns of it only when its batch is complete.
func (v *view) count(trials []study.Trial) {
	for _, t := range trials {
		switch {
		case t.Kind == study.Initial:
			v.initial++
			v.state = []string{fmt.Sprintf("initial design: %d strings", v.initial)}
		case t.Called:
			v.calls++
		}
		if t.Counts(v.constraints) && (v.best.ID == 0 || t.Better(&v.best)) {
			v.best = t
		}
	}
}

// batch describes the search after a batch.
func (v *view) batch(s study.Status) {
	v.state = nil
	switch aligned := s.Gauge(invbo.Aligned); {
	case !math.IsNaN(aligned):
		v.state = []string{fmt.Sprintf("aligned %.0f %%  region %.3g  restarts %.0f  VAE updates %.0f",
			100*aligned, s.Gauge(invbo.Length), s.Gauge(invbo.Restarts), s.Gauge(invbo.Updates))}
	case s.Gauge(evolve.Restarts) > 0:
		v.state = []string{fmt.Sprintf("restarts %.0f", s.Gauge(evolve.Restarts))}
	}
	v.show()
}
