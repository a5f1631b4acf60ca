package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo"
)

// runFlags are the flags of `invbo run` beyond its spec.
type runFlags struct {
	seeds, out               string
	overwrite, json, verbose bool
}

func runCommand() *cobra.Command {
	var s spec
	var f runFlags
	c := &cobra.Command{
		Use:   "run --task NAME [flags]",
		Short: "Search for the best string of a task",
		Long: `run scores some strings to start from, and then spends its budget of oracle calls
on strings that it expects to be better. Evaluating the initial data is counted
apart (init_calls), and repeats of a known string cost nothing.

--init takes a number of random strings or a file: a string a line (SMILES for
molecules, a name may follow), or CSV with a header: a column smiles, x, string
or the task's own name for it; scores, if known, in a column score or named like
the task. Scored rows cost no call; rows whose score is NaN are left out. Files
may be gzipped.

--out DIR receives trials.csv (every evaluation, as it happens), batches.csv,
result.json, curve.svg (best score so far), alignment.svg (of latents with their
strings) and a picture of what was found: molecules.svg or, for expression,
fit.svg; each figure with its data as CSV. The same flags and seed give the same
trials.csv on any number of processors. Ctrl-C ends a run cleanly; to go on from
what it has paid for, give its trials.csv to --init.

With --time a run takes as many batches as fit, one at least, and its trials are
the first of those that it would have without. With --seeds every seed has a
folder of its own in --out: seed-0, seed-1, …; a line for each and the mean ± its
standard error are printed.`,
		Example: `  invbo run --task med2 --out out/first
  invbo run --task osmb --init molecules.smi --budget 200 --seed 7
  invbo run --task expression --target 'sin(x*x)+2' --out out/curve
  invbo run --task med2 --init molecules.smi --time 10m --seeds 0-9 --out out/ten
  invbo run --task ackley --dim 40 --method turbo+pas --json`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.check(c.Flags()); err != nil {
				return err
			}
			if !c.Flags().Changed("seeds") {
				return run(c.Context(), s, f, c.OutOrStdout())
			}
			if c.Flags().Changed("seed") {
				return usagef("--seed and --seeds: give one of them")
			}
			return runSeeds(c.Context(), s, f, c.OutOrStdout())
		},
	}
	groups := s.groups()
	s.addOne(groups)
	groups[0].flags.StringVar(&f.seeds, "seeds", "", "a run for each of these `SEEDS`, such as 0-9 or 1,3,5, on all processors")
	output := newGroup("What to show and keep")
	flags := output.flags
	flags.StringVarP(&f.out, "out", "o", "", "folder `DIR` for the results (default: nothing is written)")
	flags.BoolVar(&f.overwrite, "overwrite", false, "write over a run that --out holds, all of its files")
	flags.BoolVar(&f.json, "json", false, "print the result as one line of JSON")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log every batch to standard error")
	addGroups(c, append(groups, output)...)
	return c
}

// run carries out `invbo run` with one seed.
func run(ctx context.Context, s spec, f runFlags, stdout io.Writer) error {
	e, err := s.experiment(ctx)
	if err != nil {
		return err
	}
	var d *folder
	if f.out != "" {
		if d, err = newFolder(f.out, f.overwrite, e.parts.notation); err != nil {
			return err
		}
		defer d.close()
	}
	v := e.show(f.verbose)
	e.options.Logger = logger(f.verbose)
	r, err := e.into(ctx, d, s.own)
	v.stop()
	if err != nil {
		err = fmt.Errorf("%w%s", err, s.kept(d, r))
	}
	if f.json {
		return errors.Join(err, json.NewEncoder(stdout).Encode(r.summary))
	}
	r.print(stdout)
	if d != nil {
		fmt.Fprintf(stdout, "Files   in %s: %s\n", d.path, strings.Join(d.names, " "))
	}
	return err
}

// into runs e and writes what it finds to d, unless that is nil.
func (e experiment) into(ctx context.Context, d *folder, f taskFlags) (result, error) {
	if d != nil {
		show := e.options.Record
		e.options.Record = func(t invbo.Trial) error {
			if err := d.record(t); err != nil {
				return err
			}
			return show(t)
		}
	}
	r, err := e.run(ctx)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("stopped after %d of %d oracle calls", r.OracleCalls, r.Budget)
	}
	if d != nil {
		saveErr := r.save(d, f)
		if err != nil && saveErr != nil {
			return r, fmt.Errorf("%w; %w", err, saveErr)
		}
		err = cmp.Or(err, saveErr)
	}
	return r, err
}

// logger returns nil, which discards, unless batches are to be logged.
func logger(verbose bool) *slog.Logger {
	if !verbose {
		return nil
	}
	return slog.New(slog.NewTextHandler(os.Stderr, nil))
}

// kept says what is left of a run that ended early.
func (s spec) kept(d *folder, r result) string {
	if d == nil {
		return "; nothing was written, since --out was not given"
	}
	path := filepath.Join(d.path, trialsFile)
	return fmt.Sprintf("; all %d evaluations are in %s: to go on from them, %s", len(r.trials), path, s.goOn(path))
}

// goOn says which flags start a run from trials. Those that chose among the rows of another file would drop some that are
// paid for.
func (s spec) goOn(trials string) string {
	if s.initSkip > 0 || s.initSample > 0 {
		return fmt.Sprintf("give --init %s in place of --init, --init-skip and --init-sample, and another --out", trials)
	}
	return fmt.Sprintf("give --init %s and another --out", trials)
}
