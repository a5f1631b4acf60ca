package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
)

// Lease says that a proposal was lent to a client, which is expected to answer in time.
type Lease struct {
	Trial   int
	Granted time.Time
	For     time.Duration
}

// SaveLeases stores leases, all or none. Each takes the place of an earlier one of its trial.
func (f *File) SaveLeases(ctx context.Context, leases []Lease) error {
	if f.lock == nil {
		return usage.Errorf("save leases to %s: it is open only to read; open it for writing", f.path)
	}
	err := func() error {
		tx, err := f.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback() // after a Commit it does nothing
		for _, l := range leases {
			const replace = "INSERT OR REPLACE INTO leases (trial, granted, seconds) VALUES (?, ?, ?)"
			if _, err := tx.ExecContext(ctx, replace, l.Trial, l.Granted.UTC().Format(eventlog.TimeFormat), l.For.Seconds()); err != nil {
				return err
			}
		}
		return tx.Commit()
	}()
	if err != nil {
		return fmt.Errorf("save leases to %s: %w", f.path, explain(err))
	}
	return nil
}

// Leases returns the latest lease of each trial that ever had one, in the order of trials.
func (f *File) Leases(ctx context.Context) ([]Lease, error) {
	leases, err := f.readLeases(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the leases of %s: %w", f.path, explain(err))
	}
	return leases, nil
}

func (f *File) readLeases(ctx context.Context) (leases []Lease, err error) {
	rows, err := f.db.QueryContext(ctx, "SELECT trial, granted, seconds FROM leases ORDER BY trial")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l Lease
		var granted string
		var seconds float64
		if err := rows.Scan(&l.Trial, &granted, &seconds); err != nil {
			return nil, err
		}
		if l.Granted, err = time.Parse(eventlog.TimeFormat, granted); err != nil {
			return nil, err
		}
		l.For = time.Duration(seconds * float64(time.Second))
		leases = append(leases, l)
	}
	return leases, rows.Err()
}
