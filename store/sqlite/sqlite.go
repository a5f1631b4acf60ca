// Package sqlite stores a study in one file, an SQLite database. It is a study.Store.
//
// The file is a log. Nothing in it changes except for the snapshot, the leases and, with another oracle, the
// specification, and the events of a study are its rows in their order:
//
//	study      one row: the specification, the version of the program, the time of creation
//	events     when each was saved, and what the searcher had been asked for and had observed
//	proposals  the strings of trials, with predictions and latents; another row if the proposal of a trial changes
//	changes    the trials of each event: their state and score from then on
//	answers    the measurements that a change added or corrected
//	snapshot   the latest state of the searcher
//	leases     which proposals a server lent to its clients, when, and for how many seconds
//
// People read the views, which show each trial as it is now, and need none of the tables:
//
//	trials        trial, name, state, score_bound, score, mean, sd, variance, batch, kind, x, input, reason, called, measurements, model, proposed, answered
//	measurements  trial, measurement, score_bound, score, se, reason, others, at
//	latents       trial, model, latent
//
// A state is one of unseen, pending, scored, failed, invalid, skipped and partial. A score_bound is > or < where the
// true score is only known to be greater or less than the score, and otherwise empty. others is a JSON object of
// numbers, and of bounds as in ">4.5"; a forecast, of several objectives or of bounded outcomes, one of means,
// deviations and a chance. Times are UTC in RFC 3339. A string that is not UTF-8, or has a zero byte in it, is a blob
// of its bytes. A latent is a blob of little-endian float64.
//
// Numbers come back with the same bits. A NaN is NULL, and comes back as math.NaN(). Columns of numbers have no type: SQLite
// would take the sign from a −0 in a column of type REAL. Slices that are empty and not nil come back as nil, except for a
// latent and a state.
//
// While a study is open, and after a crash, its latest events are in a second file, named after it with -wal at the
// end: whoever copies a study then copies both, the study first. Such a copy is whole, whatever is written in the
// meantime, if it takes no longer than half a second and what 200 MB a second take. Should a file be moved, removed or
// replaced while the study is open for writing, Save fails.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pressly/goose/v3"
	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/lock"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
	"github.com/invbo/invbo/study"
)

// Meta is what a file holds beside the events of its study.
type Meta = eventlog.Meta

// Options configure Open.
type Options = eventlog.Options

// Lease says that a proposal was lent to a client, which is expected to answer in time.
type Lease = eventlog.Lease

// Change is a measurement as it was stored at some time.
type Change = eventlog.Change

// File is a study on disk: a study.Store with Meta, SaveLeases and Leases. Its methods may be called from several
// goroutines at once.
type File struct {
	*log
	path     string
	db       *sql.DB    // with one connection
	lock     *lock.Lock // nil if read-only
	guard    guard      // not used if read-only
	rest     rest
	unlocked fs.FileInfo // of a file that is read without locks, when it was opened; nil otherwise
}

type log = eventlog.Log

// ErrFull is wrapped by errors of a disk without free space, ErrUnwritable by those of a file that the system does not
// write to.
var (
	ErrFull       = eventlog.ErrFull
	ErrUnwritable = eventlog.ErrUnwritable
)

// applicationID is in the header of each file: "invb".
const applicationID = 0x696e7662

//go:embed migrations
var migrations embed.FS

const versionTable = "schema_version" // of goose: the migrations that were applied

// Create makes the file of a study, with the events that it has from the beginning, and opens it for writing. After an
// error there is none. It refuses a path where there is a file.
func Create(ctx context.Context, path string, m Meta, events ...study.Event) (*File, error) {
	return create(ctx, path, m, events, migrations)
}

// Open opens the file of a study. For writing it migrates a file of an older version; to read, such a file is left as it is.
func Open(ctx context.Context, path string, opts Options) (*File, error) {
	return open(ctx, path, opts, migrations)
}

func create(ctx context.Context, path string, m Meta, events []study.Event, migrations fs.FS) (*File, error) {
	f := &File{}
	err := f.create(ctx, path, m, events, migrations)
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		err = context.Cause(ctx) // whose end rolled it back
	}
	return f.orClose(err, "create", path)
}

func open(ctx context.Context, path string, opts Options, migrations fs.FS) (*File, error) {
	f := &File{}
	return f.orClose(f.open(ctx, path, opts, migrations), "open", path)
}

// orClose returns f, or closes it if there is an error.
func (f *File) orClose(err error, verb, path string) (*File, error) {
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s %s: %w", verb, path, explain(err)), f.end())
	}
	return f, nil
}

func (f *File) create(ctx context.Context, path string, m Meta, events []study.Event, migrations fs.FS) error {
	folder, err := resolve(filepath.Dir(path))
	if err != nil {
		return usage.Errorf("%w; make the folder first, or give another one", err)
	}
	f.path = filepath.Join(folder, filepath.Base(path))
	if err := f.take("give another name"); err != nil {
		return err
	}
	for _, end := range []string{"", "-wal", "-journal"} { // SQLite would take the latter two for this file's
		if _, err := os.Lstat(f.path + end); err == nil {
			return usage.Errorf("%s exists already; move it away, or give another name", path+end)
		}
	}
	if err := build(ctx, f.path, m, events, migrations); err != nil {
		return err
	}
	return f.open(context.WithoutCancel(ctx), path, Options{}, migrations) // the file is there: an end of ctx would say that it is not
}

// build makes a whole file, or none.
func build(ctx context.Context, path string, m Meta, events []study.Event, migrations fs.FS) (err error) {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".invbo-new") // a name that only this function gives
	remove := func() (err error) {
		for _, end := range []string{"", "-journal", "-wal", "-shm"} {
			if failed := os.Remove(temp + end); !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
		}
		return err
	}
	if err := remove(); err != nil { // leftovers of a program that was killed here
		return err
	}
	db, err := connect(temp, "_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)") // a kill while a file changes to WAL leaves a journal, with which it cannot be read
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	if err == nil {
		err = migrate(ctx, db, migrations, "")
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "INSERT INTO study (specification, program, created) VALUES (?, ?, ?)", string(m.Specification), m.Program, time.Now().UTC().Format(time.RFC3339Nano))
	}
	plain := dialect
	plain.Explain = func(err error) error { return err } // the caller does
	l := eventlog.New(path, m, plain, db, db)
	for i := 0; i < len(events) && err == nil; i++ {
		err = l.Save(ctx, events[i])
	}
	err = errors.Join(err, db.Close())
	if err == nil {
		err = files.Replace(temp, path)
	}
	if err != nil {
		remove()
	}
	return err
}

func (f *File) open(ctx context.Context, path string, opts Options, migrations fs.FS) error {
	info, err := os.Stat(path)
	if err != nil {
		return usage.Errorf("%w; give the name of a study's file, which invbo new makes", errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() {
		return usage.Errorf("it is not a file; give the name of a study's file")
	}
	if f.path, err = resolve(path); err != nil {
		return err
	}
	if !opts.ReadOnly && f.lock == nil {
		if err := f.take("only read it, as invbo status and invbo export do"); err != nil {
			return err
		}
	}
	cut := !opts.ReadOnly && !whole(f.path) // a program was killed, perhaps while it moved the second file to the first, which is of no use alone then
	outdated, err := f.check(ctx, reading, migrations)
	if opts.ReadOnly && notWritable(err) && whole(f.path) {
		f.unlocked = info
		_, err = f.check(ctx, reading+"&immutable=1", migrations)
	}
	if err != nil {
		return err
	}
	if !opts.ReadOnly {
		err = f.connect(writing)
		if err == nil && outdated {
			err = migrate(ctx, f.db, migrations, opts.Program)
		}
		if err != nil {
			return err
		}
	}
	return f.begin(ctx, cut)
}

// check opens a file and reports whether it is of an older version. It refuses one that is not a study, or is of a
// newer version. It changes nothing: the file may be another program's.
func (f *File) check(ctx context.Context, options string, migrations fs.FS) (outdated bool, err error) {
	if err := f.connect(options); err != nil {
		return false, err
	}
	var id int
	if err := f.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return false, err
	}
	if id != applicationID {
		return false, usage.Errorf("it is not a study, but empty or a database of another program; give the name of a study's file")
	}
	_, latest, err := eventlog.Migrations(goose.DialectSQLite3, f.db, migrations, versionTable)
	if err != nil {
		return false, err
	}
	var version int64
	var program string
	const query = "SELECT max(version_id), (SELECT program FROM study) FROM " + versionTable
	if err := f.db.QueryRowContext(ctx, query).Scan(&version, &program); err != nil {
		return false, err
	}
	if version > latest {
		return false, usage.Errorf("its version is %d, written by version %s of the program, and this program is older: it reads versions up to %d; use that version of the program, or a later one", version, program, latest)
	}
	return version < latest, nil
}

// migrate makes or changes the tables. It notes the version of the program, if it is known.
func migrate(ctx context.Context, db *sql.DB, migrations fs.FS, program string) error {
	p, _, err := eventlog.Migrations(goose.DialectSQLite3, db, migrations, versionTable)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil || program == "" {
		return err
	}
	_, err = db.ExecContext(ctx, "UPDATE study SET program = ?", program)
	return err
}

// begin reads what the database holds beside events. The file is open only to read unless its lock is held. What is
// left of the second file is moved if it was cut off from the first.
func (f *File) begin(ctx context.Context, cut bool) error {
	var m Meta
	if err := f.db.QueryRowContext(ctx, "SELECT specification, program FROM study").Scan((*[]byte)(&m.Specification), &m.Program); err != nil {
		return err
	}
	var writer eventlog.DB
	if f.lock != nil {
		writer = f.db
		tx, err := f.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE study SET id = id"); err != nil { // SQLite opens a file that cannot be written all the same
			return errors.Join(err, tx.Rollback())
		}
		if err := tx.Rollback(); err != nil {
			return err
		}
	}
	d := dialect
	if writer != nil {
		f.rest = rest{db: f.db, path: f.path, every: restEvery, pause: time.Sleep}
		if cut {
			f.rest.move()
		}
		if err := f.guard.begin(f.path); err != nil {
			return err
		}
		d.Guard, d.Rest = f.guard.check, f.rest.after
	}
	f.log = eventlog.New(f.path, m, d, f.db, writer)
	return nil
}

// connect opens the file anew.
func (f *File) connect(options string) (err error) {
	if f.db != nil {
		if err := f.db.Close(); err != nil {
			return err
		}
	}
	f.db, err = connect(f.path, options)
	return err
}

// writing are the options of a connection that writes. A commit is on disk when it returns.
const writing = "mode=rw&_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"

// reading are the options of a connection that only reads.
const reading = "mode=ro&_pragma=busy_timeout(5000)"

// connect returns a database of one connection. It opens the file only when it is used.
func connect(path, options string) (*sql.DB, error) {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: p, RawQuery: "_error_rc=1&" + options}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// whole reports whether all of a study is in its file, and nothing in the second one.
func whole(path string) bool {
	info, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// resolve returns the one absolute path of what may have several by links: their lock must be the same.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	path, err = filepath.EvalSymlinks(path)
	return path, pathOnly(err)
}

// take locks a file for writing. instead is what to do where that cannot be.
func (f *File) take(instead string) (err error) {
	f.lock, err = lock.Take(f.path + ".lock")
	if by, ok := errors.AsType[*lock.HeldError](err); ok {
		return usage.Errorf("another process is writing to it (%s); wait until it ends, or %s", by.Holder, instead)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: %w; free space and try again", ErrFull, err)
	}
	if err != nil {
		return usage.Errorf("its folder must be writable: %w; change that, or %s", err, instead)
	}
	return nil
}

// dialect is that of a file. A string that is no text is a blob of its bytes.
var dialect = eventlog.Dialect{
	Parameter: func(int) string { return "?" }, // SQLite looks for $1 in a list of all names
	WriteText: func(s string) any {
		if eventlog.IsText(s) {
			return s
		}
		return []byte(s)
	},
	ReadText: func(v any) (string, bool) {
		switch v := v.(type) {
		case string:
			return v, true
		case []byte:
			return string(v), true
		}
		return "", false
	},
	Explain:   explain,
	Respecify: "UPDATE study SET specification = ?",
}

// Events returns all events that were saved, in their order. If a file that is read without locks has been written to
// since it was opened, what was read may be parts of both, which is an error.
func (f *File) Events(ctx context.Context) ([]study.Event, error) {
	events, err := f.log.Events(ctx)
	if f.unlocked != nil {
		now, statErr := os.Stat(f.path)
		if statErr == nil && (now.Size() != f.unlocked.Size() || !now.ModTime().Equal(f.unlocked.ModTime())) {
			statErr = errors.New("another program has written to it in the meantime; try again")
		}
		if statErr != nil {
			return nil, fmt.Errorf("read %s: %w", f.path, statErr)
		}
	}
	return events, err
}

// Close closes the file.
func (f *File) Close() error {
	if err := f.end(); err != nil {
		return fmt.Errorf("close %s: %w", f.path, explain(err))
	}
	return nil
}

func (f *File) end() (err error) {
	switch {
	case f.guard.overwritten:
		err = f.guard.part() // the connection stays open: to close it would write to the file
	case f.db != nil:
		err = f.db.Close()
	}
	if f.lock != nil {
		err = errors.Join(err, f.lock.Release())
	}
	return err
}

// explain says what to do about an error of SQLite. Other errors stay as they are.
func explain(err error) error {
	const damaged = "the file is damaged: %w; restore a copy, or save what can be read by: sqlite3 FILE .recover | sqlite3 NEW"
	if _, ok := errors.AsType[*eventlog.DamagedError](err); ok {
		return usage.Errorf(damaged, err)
	}
	e, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return err
	}
	switch e.Code() & 0xff { // the rest of the code says where it happened
	case codes.SQLITE_NOTADB:
		return usage.Errorf("it is not a study, or its beginning was overwritten: %w; give the name of a study's file", err)
	case codes.SQLITE_CORRUPT:
		return usage.Errorf(damaged, err)
	case codes.SQLITE_FULL:
		return fmt.Errorf("%w: %w; free space and try again, what was saved before is safe", ErrFull, err)
	case codes.SQLITE_IOERR:
		return fmt.Errorf("%w: %w; check the disk and its free space", ErrUnwritable, err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return usage.Errorf("the file or its folder cannot be written, which SQLite needs to, even to read a study that is in use or was left after a crash: %w; change their permissions, or copy the study, with its second file -wal, to another folder", unwritable{err})
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fmt.Errorf("another program, such as sqlite3, is in a transaction on the file: %w; end that, and try again", err)
	}
	return err
}

// unwritable is an ErrUnwritable with other words.
type unwritable struct{ error }

func (unwritable) Is(target error) bool { return target == ErrUnwritable }
func (u unwritable) Unwrap() error      { return u.error }

// notWritable reports whether SQLite could not make the files beside a database that it needs, even to read.
func notWritable(err error) bool {
	e, ok := errors.AsType[*driver.Error](err)
	return ok && slices.Contains([]int{codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM}, e.Code()&0xff)
}

// pathOnly leaves the operation out of an error of the system, which the caller names.
func pathOnly(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}
