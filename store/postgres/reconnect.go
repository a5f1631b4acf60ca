package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/invbo/invbo/store/internal/eventlog"
	"github.com/invbo/invbo/study"
)

// How long a process waits before it tries again to reach a database that is away: first, and then twice as long each time.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 10 * time.Second
)

// Wait has the study go on for a time to try to reach a database that is away, instead of an error at once. away is
// told when that begins, and may be nil. It is called before the study is used.
func (s *Study) Wait(patience time.Duration, away func(error)) { s.patience, s.tell = patience, away }

// BeginTx implements eventlog.DB, on the connection that holds the lock.
func (s *Study) BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error) {
	return s.writer.BeginTx(ctx, opts)
}

// Save stores an event: see study.Store. If the database is away, it tries again for as long as Wait says; an event
// whose commit was not confirmed is not stored twice.
func (s *Study) Save(ctx context.Context, e study.Event) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return s.log.Save(ctx, e) // the error is that it is open only to read
	}
	saved := false
	err := s.patiently(ctx, func(again bool) error {
		if again || !s.locked {
			if err := s.reconnect(ctx); err != nil {
				return err
			}
			n, err := s.saved(ctx)
			if err != nil {
				return err
			}
			if saved = n == s.events+1; saved { // it was committed when the connection was lost
				return nil
			}
		}
		err := s.log.Save(ctx, e)
		saved = err == nil
		return err
	})
	if saved {
		s.events++
	}
	return err
}

// SaveLeases stores leases, as Save stores events.
func (s *Study) SaveLeases(ctx context.Context, leases []eventlog.Lease) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return s.log.SaveLeases(ctx, leases) // likewise
	}
	return s.patiently(ctx, func(again bool) error {
		if again || !s.locked {
			if err := s.reconnect(ctx); err != nil {
				return err
			}
		}
		return s.log.SaveLeases(ctx, leases) // twice is the same as once
	})
}

// Patiently calls f until the database is not away, for as long as Wait says, and returns its error: for queries that
// may be repeated.
func (s *Study) Patiently(ctx context.Context, f func() error) error {
	return s.patiently(ctx, func(bool) error { return f() })
}

func (s *Study) patiently(ctx context.Context, f func(again bool) error) error {
	err := f(false)
	if !away(err) || s.patience <= 0 {
		return err
	}
	if s.tell != nil {
		s.tell(explain(err))
	}
	end := time.Now().Add(s.patience)
	for pause := firstPause; away(err); pause = min(2*pause, longestPause) {
		left := time.Until(end)
		if left <= 0 {
			return fmt.Errorf("%w; it was away for %v", err, s.patience)
		}
		select {
		case <-time.After(min(pause, left)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		err = f(true)
	}
	return err
}

// errTaken is that another process has written to the study while the database was away.
var errTaken = errors.New("another process has gone on with it while the connection was lost; end one of the two")

// reconnect takes a new connection for the writer, with the lock, unless another process had that meanwhile.
func (s *Study) reconnect(ctx context.Context) error {
	if s.locked && s.writer.PingContext(ctx) == nil {
		return nil // another query had failed
	}
	s.locked = false
	s.writer.Close() // the error is that it is lost
	w, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	s.writer = w
	var writer string
	err = s.lock(ctx)
	if err == nil {
		err = s.writer.QueryRowContext(ctx, "SELECT writer FROM studies WHERE id = $1", s.id).Scan(&writer)
	}
	switch {
	case holds(err, s.holder):
		return errStale
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("%s is not in the database any more", s.name)
	case err != nil:
		return err
	case writer != s.holder:
		return fmt.Errorf("%s: %w", s.name, errTaken)
	}
	s.locked = true
	return nil
}

// errStale is that the database has not noticed yet that the former connection of this process was lost.
var errStale = errors.New("the connection to the database was lost, and the database has not noticed yet")

// holds reports whether an error is that a process of that name has the lock.
func holds(err error, name string) bool {
	held, ok := errors.AsType[*heldError](err)
	return ok && held.holder == name
}

// saved returns how many events the database has.
func (s *Study) saved(ctx context.Context) (n int, err error) {
	err = s.writer.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM events WHERE study = $1", s.id).Scan(&n)
	return n, err
}

// away reports whether an error says that the database cannot be reached now, and may be later.
func away(err error) bool {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return false
	case errors.Is(err, errStale):
		return true
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		// It ends or begins, an administrator ended the connection, or there was no connection, also of a pooler.
		return strings.HasPrefix(e.Code, "57P") || strings.HasPrefix(e.Code, "08") || e.Code == tooManyConnections
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	return lost(err)
}
