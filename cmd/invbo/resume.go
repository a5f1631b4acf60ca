package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

// resumeFlags is `invbo resume`.
type resumeFlags struct {
	runOutput
	database
	budget int
	time   task.Duration
	calls  task.External // how the oracle is called
}

func resumeCommand() *cobra.Command {
	var f resumeFlags
	c := &cobra.Command{
		Use:   "resume {DIR | --store URL --study NAME} [flags]",
		Short: "Go on with a run that was interrupted, or that is to have more calls",
		Long: `resume goes on with the run whose folder --out named, as if it had never been
interrupted: no call is made again whose answer had arrived, and the trials are
those that the run would have had. The options are those of the run, and DIR/study.db
holds them, with the files that they name (those of more than 32 MB must still be
where they were).

On another kind of processor, or with another version of the program, no answer is
lost either, but the search may propose something else from there on.

DIR/trials.csv and DIR/batches.csv are written anew from what DIR/study.db holds.

With --store and --study it goes on with a study in a PostgreSQL database, with remote
workers if the run had them.`,
		Example: `  invbo resume out/first
  invbo resume out/first --budget 1000
  invbo resume --store postgres://ann@db.example.org/lab --study first`,
		Args: func(c *cobra.Command, args []string) error {
			if f.url != "" {
				return atMost(0)(c, args)
			}
			return exactly(1, "the folder of a run")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.checkDatabase(); err != nil {
				return err
			}
			return f.run(c.Context(), args, c.OutOrStdout())
		},
	}
	what, calls, output := newGroup("What"), newGroup("An oracle of your own (default: as before)"), newGroup("Output")
	calls.declare(f.calls.DeclareOracle()...)
	what.Var(option.Count(&f.budget), "budget", "oracle calls of the whole run after the initial design: `N` (default: as before)")
	what.Var(option.Time(&f.time), "time", "end with the first batch after `TIME`, such as 5m (default: no limit)")
	f.runOutput.add(output)
	where := newGroup("Database")
	f.database.add(where)
	return withGroups(c, what, calls, output, where)
}

func (f resumeFlags) run(ctx context.Context, args []string, stdout io.Writer) (err error) {
	at := experiment.Place{URL: f.url, Study: f.study}.String()
	if f.url == "" {
		at = args[0]
	}
	e, err := experiment.Open(ctx, at, experiment.Options{Run: true, Change: f.change, Logger: logger(f.verbose)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if f.calls != (task.External{}) && !e.Task.Is(task.KindOwn) {
		return usage.Errorf("how an oracle of your own is called does not apply to the task %s; leave that out", e.Task.Name)
	}
	say(strings.Join(e.Notes, "\n"))
	return f.carryOut(ctx, e, stdout)
}

// change sets what may be another than it was: the budget and the time, and the oracle or how it is called.
func (f resumeFlags) change(s *experiment.RunSpec) error {
	switch given := f.calls.Values() != (task.External{}); {
	case s.Measured && given: // a laboratory's study gets an oracle
		s.Measured, s.Budget = false, 0
	case s.Measured:
		return usage.Errorf("its scores are told: give it an oracle with --oracle-cmd or --oracle-url, or go on with invbo ask")
	case given:
		return usage.Errorf("it has an oracle, whose scores another one need not have; leave --oracle-cmd and --oracle-url out, or begin another run with --init")
	}
	s.Budget, s.Time = cmp.Or(f.budget, s.Budget), f.time
	s.External = called(s.External, f.calls)
	return nil
}

// called returns an oracle of the user's own with options on how it is called, of which zero ones are as before.
func called(e, calls task.External) task.External {
	if v := calls.Values(); v != (task.External{}) {
		e.OracleCmd, e.OracleURL, e.OracleProtocol, e.OracleProperty = v.OracleCmd, v.OracleURL, v.OracleProtocol, v.OracleProperty
	}
	e.OracleDir = cmp.Or(calls.OracleDir, e.OracleDir)
	e.OracleTokenFile = cmp.Or(calls.OracleTokenFile, e.OracleTokenFile)
	e.OracleSize, e.OracleJobs = cmp.Or(calls.OracleSize, e.OracleSize), cmp.Or(calls.OracleJobs, e.OracleJobs)
	e.OracleTimeout, e.OracleRetries = cmp.Or(calls.OracleTimeout, e.OracleTimeout), cmp.Or(calls.OracleRetries, e.OracleRetries)
	return e
}
