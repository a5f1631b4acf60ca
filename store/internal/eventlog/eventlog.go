// Package eventlog is what stores of studies in SQL databases share: it writes the events of a study to tables, reads
// them, and keeps leases. The tables are described in package sqlite; a Dialect says what differs.
package eventlog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pressly/goose/v3"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// Meta is what a database holds of a study beside its events.
type Meta struct {
	Specification json.RawMessage
	Program       string // version of the program that created the study, or migrated its tables last
}

// Options configure how a study is opened.
type Options struct {
	ReadOnly bool   // Save fails, and nothing changes. Any number of processes may read a study while one writes to it
	Program  string // version of this program, for tables that it migrates
}

// Dialect is how a database holds one study.
type Dialect struct {
	Study     int                      // its ID in tables of several studies; 0: there are no others, and no column of that name
	Parameter func(n int) string       // the n-th parameter of a statement, from 1
	Isolation sql.IsolationLevel       // in which several queries see the same moment
	WriteText func(string) any         // what a column of text holds for a string
	ReadText  func(any) (string, bool) // the string again
	Explain   func(error) error        // says what to do about an error of the database
	Respecify string                   // the statement that replaces the specification, with one parameter

	// Guard returns an error if what is written would not be, or is not, where the study is. It is called before each
	// transaction that writes and, with committed, after it: after an error then nothing more is written. Nil: there is
	// nothing to guard against.
	Guard func(committed bool) error

	// Rest is called after each transaction that wrote and was guarded, before the next one begins. Nil: there is
	// nothing to do.
	Rest func()
}

// DB is a connection of a database, or a pool with one.
type DB interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// Log is a study.Store of one study in a database, with its leases. Its methods may be called from several goroutines
// at once; no other process may write to the study.
type Log struct {
	name    string // for errors
	meta    Meta
	dialect Dialect
	db      *sql.DB
	writer  DB // nil: the study is open only to read

	writing sync.Mutex // the database may allow one transaction at a time; it guards the fields below
	astray  error      // of Guard, after something was committed
	failed  error      // of the latest transaction that was to write
}

// Errors that the errors of writing wrap. What they are about is for an operator to mend, and the same may be written
// again then.
var (
	ErrFull       = errors.New("the disk is full")
	ErrUnwritable = errors.New("the system cannot read or write the file")
)

// New returns the Log of a study, which has a name for errors. Without a writer it is open only to read. It ends with
// db and writer.
func New(name string, m Meta, d Dialect, db *sql.DB, writer DB) *Log {
	return &Log{name: name, meta: m, dialect: d, db: db, writer: writer}
}

// Save stores an event. It is committed when Save returns; after an error none of it is, unless a connection was lost:
// then the next Open tells.
func (l *Log) Save(ctx context.Context, e study.Event) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if l.writer == nil {
		return usage.Errorf("save to %s: it is open only to read; open it for writing", l.name)
	}
	// From here on it takes milliseconds, and is not interrupted.
	if err := l.write(context.WithoutCancel(ctx), e); err != nil {
		return fmt.Errorf("save to %s: %w", l.name, l.dialect.Explain(err))
	}
	return nil
}

// Events returns all events that were saved, in their order.
func (l *Log) Events(ctx context.Context) ([]study.Event, error) {
	events, err := l.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", l.name, l.dialect.Explain(err))
	}
	return events, nil
}

// Meta returns what the database holds beside events.
func (l *Log) Meta() Meta { return l.meta }

// Respecify replaces the specification of the study.
func (l *Log) Respecify(ctx context.Context, specification json.RawMessage) error {
	if l.writer == nil {
		return usage.Errorf("change %s: it is open only to read; open it for writing", l.name)
	}
	if err := l.guarded(func() error { return l.respecify(ctx, specification) }); err != nil {
		return fmt.Errorf("change %s: %w", l.name, l.dialect.Explain(err))
	}
	l.meta.Specification = specification
	return nil
}

func (l *Log) respecify(ctx context.Context, specification json.RawMessage) error {
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	// SQLite does not write what is there already.
	for _, text := range []string{string(specification) + " ", string(specification)} {
		if _, err := tx.ExecContext(ctx, l.dialect.Respecify, text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Lease says that a proposal was lent to a client, which is expected to answer in time.
type Lease struct {
	Trial   int
	Granted time.Time // to the millisecond
	For     time.Duration
}

// SaveLeases stores leases, all or none. Each takes the place of an earlier one of its trial.
func (l *Log) SaveLeases(ctx context.Context, leases []Lease) error {
	if l.writer == nil {
		return usage.Errorf("save leases to %s: it is open only to read; open it for writing", l.name)
	}
	if err := l.saveLeases(ctx, leases); err != nil {
		return fmt.Errorf("save leases to %s: %w", l.name, l.dialect.Explain(err))
	}
	return nil
}

func (l *Log) saveLeases(ctx context.Context, leases []Lease) error {
	return l.guarded(func() error { return l.replaceLeases(ctx, leases) })
}

// guarded calls write between two calls of Guard.
func (l *Log) guarded(write func() error) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.failed = l.between(write)
	return l.failed
}

// between is guarded for a caller that holds writing.
func (l *Log) between(write func() error) error {
	if l.dialect.Guard == nil {
		return write()
	}
	if l.astray != nil {
		return l.astray
	}
	if err := l.dialect.Guard(false); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	l.astray = l.dialect.Guard(true)
	if l.astray == nil && l.dialect.Rest != nil {
		l.dialect.Rest()
	}
	return l.astray
}

// Reachable returns the error that Save would return because the database cannot be reached, or is not where the study
// is. After a transaction that failed it writes the specification anew, to see whether the next one would fail, too: of
// a full disk, for one.
func (l *Log) Reachable(ctx context.Context) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	err := l.astray
	if err == nil && l.dialect.Guard != nil {
		err = l.dialect.Guard(false)
	}
	if err == nil {
		err = l.db.PingContext(ctx)
	}
	if err == nil && l.failed != nil {
		l.failed = l.between(func() error { return l.respecify(ctx, l.meta.Specification) })
		err = l.failed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, l.dialect.Explain(err))
	}
	return nil
}

func (l *Log) replaceLeases(ctx context.Context, leases []Lease) error {
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	remove, insert := l.dialect.where("DELETE FROM leases WHERE trial = $1 AND STUDY"), l.dialect.insert("leases", 1, "trial", "granted", "seconds")
	for _, lease := range leases {
		if _, err := tx.ExecContext(ctx, remove, lease.Trial); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, insert, lease.Trial, lease.Granted.UTC().Format(timeFormat), lease.For.Seconds()); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Leases returns the latest lease of each trial that ever had one, in the order of trials.
func (l *Log) Leases(ctx context.Context) (leases []Lease, err error) {
	rows, err := l.db.QueryContext(ctx, l.dialect.where("SELECT trial, granted, seconds FROM leases WHERE STUDY ORDER BY trial"))
	if err == nil {
		err = l.dialect.readRows(rows, func(r *record) {
			leases = append(leases, Lease{Trial: r.int("trial"), Granted: r.time("granted"), For: time.Duration(r.float("seconds") * float64(time.Second))})
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read the leases of %s: %w", l.name, l.dialect.Explain(err))
	}
	return leases, nil
}

// DamagedError says that the tables hold what Save does not write.
type DamagedError struct{ error }

func (e *DamagedError) Unwrap() error { return e.error }

// IsText reports whether any database can hold s as text.
func IsText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// Migrations returns the migrations of a database, which lie in a folder of that name, and the version of the latest one.
func Migrations(dialect goose.Dialect, db *sql.DB, migrations fs.FS, versionTable string) (*goose.Provider, int64, error) {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, 0, err
	}
	p, err := goose.NewProvider(dialect, db, folder, goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, 0, err
	}
	sources := p.ListSources()
	return p, sources[len(sources)-1].Version, nil
}

// where puts the condition on the study in place of the word STUDY.
func (d Dialect) where(query string) string {
	condition := "TRUE"
	if d.Study > 0 {
		condition = fmt.Sprintf("study = %d", d.Study)
	}
	return strings.ReplaceAll(query, "STUDY", condition)
}

// insert returns the statement that adds so many rows to a table, with a parameter for each value.
func (d Dialect) insert(table string, rows int, columns ...string) string {
	study, of := "", ""
	if d.Study > 0 {
		study, of = "study, ", fmt.Sprintf("%d, ", d.Study)
	}
	values := make([]string, rows)
	parameters := make([]string, len(columns))
	for row := range values {
		for i := range columns {
			parameters[i] = d.Parameter(row*len(columns) + i + 1)
		}
		values[row] = "(" + of + strings.Join(parameters, ", ") + ")"
	}
	return "INSERT INTO " + table + " (" + study + strings.Join(columns, ", ") + ") VALUES " + strings.Join(values, ", ")
}
