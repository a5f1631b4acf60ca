package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/worker"
)

// database is where the study of a run is if not in a folder.
type database struct {
	url, study string
	reconnect  time.Duration
}

// reconnect is how long a run goes on trying to reach a database that is away, unless a flag says otherwise.
const reconnect = 5 * time.Minute

// waits adds the flag for a database that is away.
func waits(to flagGroup, d *time.Duration) {
	*d = reconnect
	to.Var(option.Wait(d), "reconnect", "if the database of a study is away, try for `TIME` to reach it again")
}

// away tells that a database is away.
func (d *database) away(err error) {
	say(fmt.Sprintf("%v; trying again for up to %v", err, d.reconnect))
}

// add adds the flags that name a study in a database; away says what is done while the database is away.
func (d *database) add(to flagGroup, away string) {
	to.declare(
		&option.Option{Name: "store", Value: option.Text(&d.url), Help: "`URL` of a PostgreSQL database for the study, such as postgres://ann@db.example.org/lab; the password in PGPASSWORD or ~/.pgpass. If it is away, " + away, Table: "database"},
		&option.Option{Name: "study", Value: option.Text(&d.study), Help: "`NAME` of the study in it", Table: "database"})
}

func (d database) checkDatabase() error {
	switch {
	case d.url != "" && d.study == "":
		return usage.Errorf("--store holds studies by name; give --study NAME, too")
	case d.url == "" && d.study != "":
		return usage.Errorf("--study is the name of a study in a database; give --store URL, too")
	}
	return nil
}

// checkDatabase refuses options of a run that do not go with a database, or need one.
func (f *runFlags) checkDatabase() error {
	if err := f.database.checkDatabase(); err != nil {
		return err
	}
	switch {
	case f.url != "" && f.out != "":
		return usage.Errorf("--store and --out: give one of them; the views trials and measurements of the database show what --out holds")
	case f.workers != "" && f.workers != experiment.RemoteWorkers:
		return usage.Errorf("--workers %s: give remote, or leave it out", f.workers)
	case f.workers != "" && f.url == "":
		return usage.Errorf("--workers remote: workers find their jobs in a database; give --store URL and --study NAME")
	}
	f.RunSpec.Workers = f.workers
	return nil
}

// workerFlags is `invbo worker`.
type workerFlags struct {
	database
	task  string
	jobs  int
	lease time.Duration
	task.Options
}

func workerCommand() *cobra.Command {
	f := workerFlags{lease: time.Minute}
	what, external := newGroup("What"), newGroup("An oracle of your own")
	c := &cobra.Command{
		Use:   "worker --store URL --study NAME [flags]",
		Short: "Score strings for a study on another machine",
		Long: `worker scores strings for a run with --workers remote, until it is stopped. Any
number of workers share the jobs of a study.

Its oracle is that of the study: what invbo run was told of it is in the database,
with files such as a receptor. That includes a command of --oracle-cmd, which runs
here. Flags replace the task, or the oracle of your own.

A worker that stops gives its jobs back. The jobs of one that is silent for longer
than --lease are taken over. Each string is in the study's books once, whoever scores
it; a string whose job fails five times stops the run, which can be resumed.`,
		Example: `  invbo run --task drd3:receptor=DRD3.pdbqt,box=DRD3.txt --store postgres://ann@db.example.org/lab --study drd3 --workers remote
  invbo worker --store postgres://ann@db.example.org/lab --study drd3 --jobs 4
  invbo worker --store postgres://ann@db.example.org/lab --study strings --oracle-cmd 'python3 score.py' --oracle-protocol persistent`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if f.url == "" {
				return usage.Errorf("give the database of the study: --store URL, and --study NAME")
			}
			if err := f.checkDatabase(); err != nil {
				return err
			}
			if f.lease < time.Second {
				return usage.Errorf("--lease %v: give a time of at least 1s", f.lease)
			}
			if f.task != "" {
				t, err := task.Named(f.task)
				if err != nil {
					return err
				}
				if err := t.Refuse(option.GivenOf(declared(c.Flags()))); err != nil {
					return err
				}
			}
			return f.run(c.Context())
		},
	}
	f.database.add(what, "the worker tries to reach it for as long as it lives")
	what.declare(&option.Option{Name: "task", Value: f.TaskValue(&f.task), Help: "score for the task `NAME`, with parameters as for invbo run", Unset: "that of the study"})
	what.Var(option.Count(&f.jobs), "jobs", "`N` strings at a time (default: --oracle-jobs of the study, or 1)")
	what.DurationVar(&f.lease, "lease", f.lease, "others take over after this `TIME` of silence")
	external.declare(f.DeclareOracle()...)
	return withGroups(c, what, external)
}

func (f *workerFlags) run(ctx context.Context) error {
	s, err := postgres.Open(ctx, f.url, f.study, postgres.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer s.Close()
	spec, err := experiment.Recorded(s.Meta().Specification)
	if err != nil {
		return fmt.Errorf("%v: %w", s, err)
	}
	switch {
	case f.task != "":
		spec = experiment.RunSpec{Task: f.task, Options: f.Options}
	case f.External.Values() != (task.External{}):
		spec.External = f.External
	default:
		spec.External = called(spec.External, f.External)
	}
	jobs := cmp.Or(f.jobs, spec.OracleJobs, 1)
	spec.OracleJobs = jobs
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	o, end, err := spec.Oracle(ctx, log)
	if err != nil {
		return err
	}
	defer end()
	say(fmt.Sprintf("working for %v, %d at a time", s, jobs))
	if spec.External.Values() != (task.External{}) {
		say("the oracle is " + described(spec.External))
	}
	if err := worker.Work(ctx, s, o, worker.Options{Jobs: jobs, Lease: f.lease, Logger: log}); err != nil && ctx.Err() == nil {
		return err
	}
	return errors.New("stopped; jobs under way are for other workers")
}
