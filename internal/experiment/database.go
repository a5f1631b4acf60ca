package experiment

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/worker"
)

// Begin stores the experiment as a new study in a PostgreSQL database. The study is to be closed.
func (e *Experiment) Begin(ctx context.Context, url, name string) (*postgres.Study, error) {
	record, err := e.Record()
	if err != nil {
		return nil, err
	}
	s, err := postgres.Create(ctx, url, name, postgres.Meta{Specification: record, Program: Version(), Created: time.Now()})
	if err != nil {
		return nil, err
	}
	return s, e.attach(ctx, s)
}

// ResumeStudy is Resume for a study in a PostgreSQL database.
func ResumeStudy(ctx context.Context, url, name string, change func(*RunSpec)) (*Experiment, *postgres.Study, error) {
	s, err := postgres.Open(ctx, url, name, postgres.Options{Program: Version()})
	if err != nil {
		return nil, nil, err
	}
	e, err := restore(ctx, s.Meta().Specification, change)
	if err != nil {
		s.Close()
		return nil, nil, fmt.Errorf("%v: %w", s, err)
	}
	return e, s, e.attach(ctx, s)
}

// attach makes a study the store of the experiment. It closes it after an error.
func (e *Experiment) attach(ctx context.Context, s *postgres.Study) error {
	e.store = s
	if e.Spec.Workers != RemoteWorkers {
		return nil
	}
	o, err := worker.NewOracle(ctx, s, worker.OracleOptions{})
	if err == nil {
		e.remote, err = e.Spec.combine(o)
	}
	if err != nil {
		s.Close()
	}
	return err
}

// Oracle returns the oracle of a specification as a worker asks it, and how to end what it starts. Properties are combined where the
// study is.
func (s RunSpec) Oracle(ctx context.Context, log *slog.Logger) (o oracle.Oracle, end func(), err error) {
	t, err := task.Named(s.Task)
	if err != nil {
		return nil, nil, err
	}
	if err := t.Available(); err != nil {
		return nil, nil, err
	}
	s.Weights, s.Library = task.File{}, task.File{} // which only the search reads
	parts, err := t.Build(ctx, t.With(s.Options), s.Options)
	if err != nil {
		return nil, nil, err
	}
	if parts.Close == nil {
		parts.Close = func() {}
	}
	return s.External.Patient(parts.Oracle, log), parts.Close, nil
}
