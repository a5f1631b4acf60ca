package eventlog

import (
	"context"
	"database/sql"
	"time"
)

// Lease says that a proposal was lent to a client, which is expected to answer in time.
type Lease struct {
	Trial   int
	Granted time.Time // to the millisecond
	For     time.Duration
}

// SaveLeases stores leases, all or none. Each takes the place of an earlier one of its trial.
func (d Dialect) SaveLeases(ctx context.Context, db DB, leases []Lease) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	key := "trial"
	if d.Study > 0 {
		key = "study, trial"
	}
	replace := d.Add("leases", "trial", "granted", "seconds") + " ON CONFLICT (" + key + ") DO UPDATE SET granted = excluded.granted, seconds = excluded.seconds"
	for _, l := range leases {
		if _, err := tx.ExecContext(ctx, replace, l.Trial, l.Granted.UTC().Format(TimeFormat), l.For.Seconds()); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Leases returns the latest lease of each trial that ever had one, in the order of trials.
func (d Dialect) Leases(ctx context.Context, db *sql.DB) (leases []Lease, err error) {
	rows, err := db.QueryContext(ctx, d.where("SELECT trial, granted, seconds FROM leases WHERE STUDY ORDER BY trial"))
	if err != nil {
		return nil, err
	}
	err = d.readRows(rows, func(r *record) {
		leases = append(leases, Lease{Trial: r.int(), Granted: r.time(), For: time.Duration(r.float() * float64(time.Second))})
	})
	return leases, err
}

func (r *record) time() time.Time {
	switch v := r.value().(type) {
	case time.Time:
		return v.UTC()
	case string: // SQLite has no other
		if t, err := time.Parse(TimeFormat, v); err == nil {
			return t
		}
	}
	r.fail("a time")
	return time.Time{}
}
