// Package worker scores the strings of a study on other machines. The process that runs the study has an Oracle, which
// adds jobs to a queue in the study's database and waits for the answers; processes elsewhere Work them with an oracle
// of their own.
//
// The queue is River's. A job and its answer are committed together, and the first answer to a call is the only one. An
// answer is in the database before the study knows of it: a study that was killed finds it there, and asks for nothing
// twice.
//
// A worker holds its jobs by a lease, which it prolongs while it lives. The jobs of a worker that was silent for longer
// are done by others. What it answers later counts only if there is no answer yet.
package worker

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/postgres"
)

// Oracle is an oracle.Oracle that leaves scoring to workers. Scores of one string are calls of their own: the study's
// number of measurements says which of them is meant, so that the same question finds the same answer until the study
// has stored it.
type Oracle struct {
	study *postgres.Study
	jobs  *river.Client[pgx.Tx]
	mu    sync.Mutex // one transaction at a time looks for calls without a job
}

// attempts is how often a job is tried: each attempt except the last may fail or lose its worker.
const attempts = 5

// job is the arguments of a job of River.
type job struct {
	Call  int64  `json:"call"`
	Input string `json:"input"`
}

// Kind implements river.JobArgs.
func (job) Kind() string { return "score" }

// queue is that of a study: its workers have its oracle.
func queue(s *postgres.Study) string { return fmt.Sprint("study-", s.ID()) }

// NewOracle returns the Oracle of a study that is open for writing. It makes the queue's tables if the database has none.
func NewOracle(ctx context.Context, s *postgres.Study) (*Oracle, error) {
	driver, quiet := riverpgxv5.New(s.Pool()), slog.New(slog.DiscardHandler)
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Schema: postgres.Schema, Logger: quiet})
	if err != nil {
		return nil, err
	}
	if err := s.Alone(ctx, func() error {
		_, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil)
		return err
	}); err != nil {
		return nil, fmt.Errorf("prepare %v for workers: %w", s, err)
	}
	jobs, err := river.NewClient(driver, &river.Config{
		Schema: postgres.Schema, Logger: quiet,
		FetchCooldown: river.FetchCooldownMin, // workers are told of new jobs at most this often, and look themselves only once per second
	})
	if err != nil {
		return nil, err
	}
	return &Oracle{study: s, jobs: jobs}, nil
}

// How long Score waits before it looks for answers again: first after each that arrives, then twice as long each time.
const (
	firstWait   = 5 * time.Millisecond
	longestWait = time.Second
)

// Score implements oracle.Oracle. It returns when all strings have an answer, which may take until there are workers.
// The error is that of a string for which all attempts failed; asked again, it has as many again. The end of ctx leaves
// the jobs in the queue, where a later call finds them or their answers.
func (o *Oracle) Score(ctx context.Context, x []string) (_ []oracle.Result, err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}()
	results := make([]oracle.Result, len(x))
	var inputs []string
	var open []int // of x, without an answer
	for i, x := range x {
		if !utf8.ValidString(x) || strings.Contains(x, "\x00") {
			results[i] = oracle.Result{Score: math.NaN(), Reason: "workers read text, and it is none"}
			continue
		}
		inputs, open = append(inputs, x), append(open, i)
	}
	var calls []int64
	if err := o.study.Patiently(ctx, func() (err error) {
		calls, err = o.enqueue(ctx, inputs)
		return err
	}); err != nil {
		return nil, fmt.Errorf("give %d jobs to workers: %w", len(inputs), err)
	}
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		var answers []answer
		if err := o.study.Patiently(ctx, func() (err error) {
			answers, err = o.answers(ctx, calls)
			return err
		}); err != nil {
			return nil, fmt.Errorf("read answers of workers: %w", err)
		}
		left := 0
		for k, a := range answers {
			switch {
			case a.failed != "":
				return nil, fmt.Errorf("all %d attempts of workers failed; the last one said: %s", a.attempts, a.failed)
			case a.result != nil:
				results[open[k]] = *a.result
				wait = firstWait
			default:
				calls[left], open[left] = calls[k], open[k]
				left++
			}
		}
		if calls, open = calls[:left], open[:left]; left == 0 {
			return results, nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// enqueue returns the call of each input. Those that have neither an answer nor a job under way get a job.
func (o *Oracle) enqueue(ctx context.Context, inputs []string) ([]int64, error) {
	measurements, err := o.study.Measured(ctx, inputs) // and then with the one that is asked for
	if err != nil {
		return nil, err
	}
	digests, times := make([][]byte, len(inputs)), map[string]int{}
	for i, input := range inputs {
		digest := sha256.Sum256([]byte(input))
		digests[i] = digest[:]
		times[input]++
		measurements[i] += times[input]
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	calls := make([]int64, 0, len(inputs))
	err = pgx.BeginFunc(ctx, o.study.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO calls (study, input, digest, attempt)
			SELECT $1, * FROM unnest($2::text[], $3::bytea[], $4::bigint[]) ON CONFLICT DO NOTHING`, o.study.ID(), inputs, digests, measurements); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT c.id, r.call IS NULL AND (j.id IS NULL OR j.finalized_at IS NOT NULL)
			FROM unnest($2::bytea[], $3::bigint[]) WITH ORDINALITY AS w(digest, attempt, n)
				JOIN calls c ON c.study = $1 AND c.digest = w.digest AND c.attempt = w.attempt
				LEFT JOIN results r ON r.call = c.id
				LEFT JOIN river_job j ON j.id = c.job
			ORDER BY n`, o.study.ID(), digests, measurements)
		if err != nil {
			return err
		}
		var idle []int64
		var jobs []river.InsertManyParams
		var call int64
		var needsJob bool
		if _, err := pgx.ForEachRow(rows, []any{&call, &needsJob}, func() error {
			if needsJob {
				idle = append(idle, call)
				jobs = append(jobs, river.InsertManyParams{Args: job{call, inputs[len(calls)]}, InsertOpts: &river.InsertOpts{Queue: queue(o.study), MaxAttempts: attempts}})
			}
			calls = append(calls, call)
			return nil
		}); err != nil || len(jobs) == 0 {
			return err
		}
		inserted, err := o.jobs.InsertManyTx(ctx, tx, jobs)
		if err != nil {
			return err
		}
		ids := make([]int64, len(inserted))
		for i, j := range inserted {
			ids[i] = j.Job.ID
		}
		_, err = tx.Exec(ctx, "UPDATE calls SET job = w.job FROM unnest($1::bigint[], $2::bigint[]) AS w(call, job) WHERE id = w.call", idle, ids)
		return err
	})
	return calls, err
}

// answer is what there is of a call.
type answer struct {
	result   *oracle.Result // nil: none yet
	failed   string         // the last error, if there are no more attempts
	attempts int
}

func (o *Oracle) answers(ctx context.Context, calls []int64) ([]answer, error) {
	rows, err := o.study.Pool().Query(ctx, `SELECT r.call IS NOT NULL, r.score, coalesce(r.reason, ''), r.others,
			CASE WHEN j.finalized_at IS NOT NULL OR j.id IS NULL THEN coalesce(j.errors[array_length(j.errors, 1)]->>'error', 'the job was removed') ELSE '' END, coalesce(j.attempt, 0)
		FROM unnest($1::bigint[]) WITH ORDINALITY AS w(id, n)
			JOIN calls c ON c.id = w.id
			LEFT JOIN results r ON r.call = c.id
			LEFT JOIN river_job j ON j.id = c.job
		ORDER BY n`, calls)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (a answer, err error) {
		var answered bool
		var score *float64
		var r oracle.Result
		var others []byte
		if err := row.Scan(&answered, &score, &r.Reason, &others, &a.failed, &a.attempts); err != nil || !answered {
			return a, err
		}
		if r.Score = math.NaN(); score != nil {
			r.Score = *score
		}
		if others != nil {
			err = json.Unmarshal(others, &r.Others)
		}
		return answer{result: &r}, err
	})
}
