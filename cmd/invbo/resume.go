package main

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

// resumeFlags is `invbo resume`.
type resumeFlags struct {
	runOutput
	budget int
	time   task.Duration
	calls  task.External // how the oracle is called
}

func resumeCommand() *cobra.Command {
	var f resumeFlags
	c := &cobra.Command{
		Use:   "resume DIR [flags]",
		Short: "Go on with a run that was interrupted, or that is to have more calls",
		Long: `resume goes on with the run whose folder --out named, as if it had never been
interrupted: no call is made again whose answer had arrived, and the trials are
those that the run would have had. The options are those of the run, and DIR/study.db
holds them, with the files that they name (those of more than 32 MB must still be
where they were).

On another kind of processor, or with another version of the program, no answer is
lost either, but the search may propose something else from there on.

DIR/trials.csv and DIR/batches.csv are written anew from what DIR/study.db holds.`,
		Example: `  invbo resume out/first
  invbo resume out/first --budget 1000`,
		Args: exactlyOne("the folder of a run"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.Context(), args[0], c.OutOrStdout())
		},
	}
	what, calls, output := newGroup("What"), newGroup("An oracle of your own (default: as before)"), newGroup("Output")
	addCalls(calls.FlagSet, &f.calls)
	count(what.FlagSet, &f.budget, "budget", "oracle calls of the whole run after the initial design: `N` (default: as before)")
	duration(what.FlagSet, &f.time, "time", "end with the first batch after `TIME`, such as 5m (default: no limit)")
	f.runOutput.add(output)
	addGroups(c, what, calls, output)
	return c
}

func (f resumeFlags) run(ctx context.Context, path string, stdout io.Writer) error {
	e, d, err := experiment.Resume(ctx, path, func(s *experiment.RunSpec) {
		s.Budget = cmp.Or(f.budget, s.Budget)
		s.OracleDir = cmp.Or(f.calls.OracleDir, s.OracleDir)
		s.OracleTokenFile = cmp.Or(f.calls.OracleTokenFile, s.OracleTokenFile)
		s.OracleSize, s.OracleJobs = cmp.Or(f.calls.OracleSize, s.OracleSize), cmp.Or(f.calls.OracleJobs, s.OracleJobs)
		s.OracleTimeout, s.OracleRetries = cmp.Or(f.calls.OracleTimeout, s.OracleTimeout), cmp.Or(f.calls.OracleRetries, s.OracleRetries)
	})
	if err != nil {
		return err
	}
	defer d.Close()
	if f.calls != (task.External{}) && !slices.Contains(e.Task.Options, "oracle-cmd") {
		return usage.Errorf("how an oracle of your own is called does not apply to the task %s; leave that out", e.Task.Name)
	}
	e.Spec.Time = f.time
	say(e.Note)
	return f.carryOut(ctx, e, d, stdout)
}
