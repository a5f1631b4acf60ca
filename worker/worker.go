package worker

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/invbo/invbo/internal/lock"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/postgres"
)

// Options configure Work. A zero field takes the value in the comment.
type Options struct {
	Jobs   int           // at a time; 1
	Lease  time.Duration // after which others take over the jobs of a process that is silent; 1 min
	Wait   time.Duration // before the second attempt at a job that failed, doubled before each further one up to a minute; 1 s
	Logger *slog.Logger  // told of attempts that failed; discards
}

// longestStop bounds the time that giving jobs back may take.
const longestStop = 10 * time.Second

// forever is longer than any job takes.
const forever = 10 * 365 * 24 * time.Hour

// Work works the jobs of a study with an oracle until ctx ends, and returns its cause. Jobs under way are then given
// back at once, when the oracle returns.
//
// An error of the oracle is an attempt that failed: the job is tried again, perhaps elsewhere, unless the error is
// oracle.Permanent. An answer is kept until the database takes it.
func Work(ctx context.Context, s *postgres.Study, o oracle.Oracle, opts Options) (err error) {
	opts.Jobs = max(1, opts.Jobs)
	opts.Lease = cmp.Or(opts.Lease, time.Minute)
	opts.Wait = cmp.Or(opts.Wait, time.Second)
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	p := &process{id: rand.Text(), name: lock.Self(), study: s, oracle: o, opts: opts}
	workers := river.NewWorkers()
	river.AddWorker(workers, p)
	client, err := river.NewClient(riverpgxv5.New(s.Pool()), &river.Config{
		ID: p.id, Schema: postgres.Schema, Queues: map[string]river.QueueConfig{queue(s): {MaxWorkers: opts.Jobs}}, Workers: workers,
		FetchCooldown: 10 * time.Millisecond, FetchPollInterval: min(time.Second, max(opts.Wait, 10*time.Millisecond)), // which finds jobs to try again
		Logger:     opts.Logger,
		JobTimeout: -1, RescueStuckJobsAfter: forever, // a job may take days; leases tell whether it goes on
	})
	if err != nil {
		return err
	}
	if err := p.prolong(ctx); err != nil {
		return fmt.Errorf("work for %v: %w", s, err)
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("work for %v: %w", s, err)
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(opts.Lease / 3):
			if err := p.prolong(ctx); err != nil && ctx.Err() == nil {
				opts.Logger.WarnContext(ctx, "lease is not prolonged", "error", err)
			}
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestStop) // the database may be gone
	defer cancel()
	err = client.StopAndCancel(last)
	if err == nil {
		_, err = p.study.Pool().Exec(last, "DELETE FROM workers WHERE id = $1", p.id)
	}
	if err != nil {
		return fmt.Errorf("%w; jobs under way are given back when the lease is over, since %w", context.Cause(ctx), err)
	}
	return context.Cause(ctx)
}

// process is a worker of River.
type process struct {
	river.WorkerDefaults[job]
	id, name string
	study    *postgres.Study
	oracle   oracle.Oracle
	opts     Options
}

// prolong says that the process lives, and gives the jobs of processes that do not back to the queue. A job that has
// ended as many processes as it has attempts fails.
func (p *process) prolong(ctx context.Context) error {
	if _, err := p.study.Pool().Exec(ctx, `INSERT INTO workers (id, study, name, lease) VALUES ($1, $2, $3, now() + $4)
		ON CONFLICT (id) DO UPDATE SET lease = excluded.lease`, p.id, p.study.ID(), p.name, p.opts.Lease); err != nil {
		return err
	}
	if _, err := p.study.Pool().Exec(ctx, `UPDATE river_job j SET
			state = CASE WHEN attempt < max_attempts THEN 'available' ELSE 'discarded' END::river_job_state,
			scheduled_at = now(),
			finalized_at = CASE WHEN attempt < max_attempts THEN NULL ELSE now() END,
			errors = array_append(errors, jsonb_build_object('at', now(), 'attempt', attempt, 'error', 'its worker was silent for too long', 'trace', ''))
		WHERE queue = $1 AND state = 'running'
			AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = j.attempted_by[array_length(j.attempted_by, 1)] AND w.lease > now())`, queue(p.study)); err != nil {
		return err
	}
	_, err := p.study.Pool().Exec(ctx, "DELETE FROM workers WHERE study = $1 AND lease < now() - interval '1 day'", p.study.ID())
	return err
}

// NextRetry implements river.Worker.
func (p *process) NextRetry(j *river.Job[job]) time.Time { return time.Now().Add(p.pause(j.Attempt)) }

// pause returns how long to wait after that many attempts.
func (p *process) pause(attempts int) time.Duration {
	wait := p.opts.Wait
	for i := 1; i < attempts && wait < time.Minute; i++ {
		wait *= 2
	}
	return min(wait, time.Minute)
}

// Work implements river.Worker.
func (p *process) Work(ctx context.Context, j *river.Job[job]) error {
	if j.Attempt > 1 { // the process that was silent may have answered since
		var answered bool
		if err := p.study.Pool().QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM results WHERE call = $1)", j.Args.Call).Scan(&answered); err != nil || answered {
			return err
		}
	}
	r, err := oracle.One(ctx, p.oracle, j.Args.Input)
	switch {
	case err != nil && ctx.Err() != nil:
		return river.JobSnooze(0) // back to the queue
	case err != nil && oracle.IsPermanent(err):
		return river.JobCancel(err)
	case err != nil:
		return err
	}
	for n := 1; ; n++ {
		err := p.answer(context.WithoutCancel(ctx), j, r)
		if e, ok := errors.AsType[*pgconn.PgError](err); err == nil || ok && strings.HasPrefix(e.Code, "23") { // its study was removed
			return err
		}
		p.opts.Logger.WarnContext(ctx, "answer is not stored, and will be again", "input", j.Args.Input, "score", r.Score, "error", err)
		select {
		case <-time.After(p.pause(n)):
		case <-ctx.Done():
			return err
		}
	}
}

// answer stores the first answer to a call, and completes the job.
func (p *process) answer(ctx context.Context, j *river.Job[job], r oracle.Result) error {
	var others []byte
	if r.Others != nil {
		finite := maps.Clone(r.Others) // JSON has no others, and a study keeps none
		maps.DeleteFunc(finite, func(_ string, v float64) bool { return math.IsNaN(v - v) })
		var err error
		if others, err = json.Marshal(finite); err != nil {
			return err
		}
	}
	var score *float64
	if !math.IsNaN(r.Score) {
		score = &r.Score
	}
	reason := strings.ReplaceAll(strings.ToValidUTF8(r.Reason, "\uFFFD"), "\x00", "\uFFFD")
	return pgx.BeginFunc(ctx, p.study.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO results (call, score, reason, others, worker) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
			j.Args.Call, score, reason, others, p.name); err != nil {
			return err
		}
		if _, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, j); !errors.Is(err, rivertype.ErrNotFound) {
			return err
		}
		return nil
	})
}
