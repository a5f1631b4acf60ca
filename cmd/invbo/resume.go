package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
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
	trust  bool
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
workers if the run had them.

A study names the command or service that scores, which resume shows before it asks.
Of a study that was made by another user, on another machine or by an earlier version,
and where DIR/spec.json says otherwise, look at it first, and give --trust-oracle.
With --oracle-cmd or --oracle-url another oracle goes on from here, when it has scored
a few known strings again: the differences are shown. One that contradicts the known
scores, by six standard deviations of the noise or, if that is not known, by the spread
of the known scores, is refused unless --trust-oracle is given.`,
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
	calls.BoolVar(&f.trust, "trust-oracle", false, "ask the oracle that the study names although it was given elsewhere, or go on with another one that contradicts known scores")
	what.Var(option.Count(&f.budget), "budget", "oracle calls of the whole run after the initial design: `N` (default: as before)")
	what.Var(option.Time(&f.time), "time", "end with the first batch after `TIME`, such as 5m (default: no limit)")
	f.runOutput.add(output)
	where := newGroup("Database")
	f.database.add(where, "the run waits for it, up to --reconnect TIME (5m)")
	waits(where, &f.database.reconnect)
	return withGroups(c, what, calls, output, where)
}

func (f resumeFlags) run(ctx context.Context, args []string, stdout io.Writer) (err error) {
	at := experiment.Place{URL: f.url, Study: f.study}.String()
	if f.url == "" {
		at = args[0]
	}
	e, err := experiment.Open(ctx, at, experiment.Options{Run: true, Change: f.change, Logger: logger(f.verbose), Patience: f.reconnect, Away: f.away})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if f.calls != (task.External{}) && !e.Task.Is(task.KindOwn) {
		return usage.Errorf("how an oracle of your own is called does not apply to the task %s; leave that out", e.Task.Name)
	}
	say(strings.Join(e.Notes, "\n"))
	if calls := e.Study.Status().Calls; f.budget > 0 && f.budget < calls {
		return usage.Errorf("the run has made %d calls, and --budget %d is of the whole run; give more than %d", calls, f.budget, calls)
	}
	if err := f.try(ctx, e); err != nil {
		return err
	}
	if err := e.KeepBudget(ctx); err != nil {
		return err
	}
	return f.carryOut(ctx, e, stdout)
}

// try shows the oracle of the user's own that a run is about to ask. One that the user has not given on this machine is
// refused unless it is trusted, and another one than before has to score a few known strings first.
func (f resumeFlags) try(ctx context.Context, e *experiment.Experiment) error {
	now, remote := e.Spec.External, e.Spec.Workers == experiment.RemoteWorkers
	given := f.calls.Values() != (task.External{})
	switch {
	case now.Values() == (task.External{}):
		return nil
	case remote && given:
		return usage.Errorf("its scores are those of workers, which have the oracle: end them, and start invbo worker with --oracle-cmd or --oracle-url")
	case remote:
		return nil
	}
	say("the oracle is " + described(now))
	from := e.Provenance()
	// What is given now is the user's own; a folder or a token of the study's would go with it.
	recorded := !given || now.OracleDir != "" && f.calls.OracleDir == "" || now.OracleTokenFile != "" && f.calls.OracleTokenFile == ""
	switch {
	case f.trust || !recorded:
	case from.InFolder:
		return usage.Errorf("%s names another oracle than %s, so that one of them was changed; look at both, and give --trust-oracle to ask this one", filepath.Join(e.Place().Folder, "spec.json"), e.Place())
	case from.Unknown != nil && !e.Spec.Measured:
		return usage.Errorf("whether you gave this oracle cannot be known (%v): mend that or, if you know the oracle, give --trust-oracle to ask it", from.Unknown)
	case !from.Here && !e.Spec.Measured:
		return usage.Errorf("the oracle was given by another user, on another machine or to an earlier version of the program, and could do anything; look at it, and give --trust-oracle to ask it")
	}
	if given {
		if err := f.rescore(ctx, e); err != nil {
			return err
		}
	}
	if f.trust || given {
		return e.KeepOracle(ctx)
	}
	return nil
}

// described says what an oracle of the user's own is, for people.
func described(e task.External) string {
	text := "the service " + e.OracleURL
	if e.OracleCmd != "" {
		text = "the command " + e.OracleCmd
		if e.OracleDir != "" {
			text += "  (in " + e.OracleDir + ")"
		}
	}
	if e.OracleTokenFile != "" {
		text += "  (which gets the token in " + e.OracleTokenFile + ")"
	}
	return usage.Visible(text)
}

// rescore has another oracle than before score known strings, and shows the differences. One that contradicts what is
// known is refused unless it is trusted.
func (f resumeFlags) rescore(ctx context.Context, e *experiment.Experiment) error {
	again, err := e.Rescore(ctx)
	if err != nil || len(again) == 0 {
		return err
	}
	for _, r := range again {
		say(usage.Visible(r.String()))
	}
	difference := experiment.Difference(again)
	if math.IsNaN(difference) {
		return fmt.Errorf("the oracle scores none of %d known strings; mend it, or give another one", len(again))
	}
	if r, outcome, found := e.Contradicted(again); found && !f.trust {
		anew := "FILE --score none, where FILE is what invbo export writes"
		if folder := e.Place().Folder; folder != "" {
			anew = filepath.Join(folder, experiment.TrialsFile) + " --score none"
		}
		return usage.Errorf("the oracle contradicts known scores (%s), and nothing was changed: to rescore every string, start a new run with --init %s; to mix known and new scores, give --trust-oracle", usage.Visible(r.About(outcome)), anew)
	}
	say(fmt.Sprintf("the greatest difference is %v; the search goes on with both the known scores and the new ones", experiment.Number(difference)))
	return nil
}

// change sets what may be another than it was: the budget and the time, and the oracle or how it is called.
func (f resumeFlags) change(s *experiment.RunSpec) error {
	switch given := f.calls.Values() != (task.External{}); {
	case s.Measured && given: // a laboratory's study gets an oracle
		s.Measured, s.Budget = false, 0
	case s.Measured:
		return usage.Errorf("its scores are told: give it an oracle with --oracle-cmd or --oracle-url, or go on with invbo ask")
	}
	s.Budget, s.Time = cmp.Or(f.budget, s.Budget), f.time
	s.External = called(s.External, f.calls)
	return nil
}

// called returns an oracle of the user's own with options on how it is called; zero ones are as before, as far as they
// apply to another oracle.
func called(e, calls task.External) task.External {
	switch {
	case calls.OracleURL != "": // which has a protocol of its own
		e.OracleCmd, e.OracleURL, e.OracleProtocol = calls.OracleCmd, calls.OracleURL, ""
	case calls.OracleCmd != "":
		e.OracleCmd, e.OracleURL = calls.OracleCmd, ""
	}
	if calls.OracleProtocol != "" {
		e.OracleProtocol, e.OracleProperty = calls.OracleProtocol, ""
	}
	e.OracleProperty = cmp.Or(calls.OracleProperty, e.OracleProperty)
	e.OracleDir = cmp.Or(calls.OracleDir, e.OracleDir)
	e.OracleTokenFile = cmp.Or(calls.OracleTokenFile, e.OracleTokenFile)
	e.OracleSize, e.OracleJobs = cmp.Or(calls.OracleSize, e.OracleSize), cmp.Or(calls.OracleJobs, e.OracleJobs)
	e.OracleTimeout, e.OracleRetries = cmp.Or(calls.OracleTimeout, e.OracleTimeout), cmp.Or(calls.OracleRetries, e.OracleRetries)
	e.OracleSkip = calls.OracleSkip || e.OracleSkip
	return e
}
