// Package postgres stores studies in a PostgreSQL database, by name. Each is a study.Store.
//
// The tables are in the schema invbo. A study is a log like a file of store/sqlite, in the same tables: events,
// proposals, changes, answers, snapshot, leases. They have a column study, which refers to the table studies. calls,
// results and workers are of package worker, river_* of its queue.
//
// People read the views, which show each trial as it is now:
//
//	trials        study, trial, name, state, score_bound, score, mean, sd, variance, batch, kind, x, input, reason, called, measurements, model, proposed, answered
//	measurements  study, trial, measurement, score_bound, score, se, reason, others, at
//
// Numbers come back with the same bits. A NaN is NULL, and comes back as math.NaN(). A string that is not UTF-8, has a
// zero byte in it, or begins with \x is \x and its bytes in hexadecimal digits. Slices that are empty and not nil come
// back as nil, except for a latent and a state.
//
// The process that writes to a study holds an advisory lock of the session, which ends with its connection. A pooler
// such as PgBouncer must therefore be in session mode. When the connection is lost, Save connects again (reconnect.go),
// for as long as Wait says; after that it fails until the study is opened again.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/invbo/invbo/internal/lock"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
	"github.com/invbo/invbo/study"
)

// Schema is that of all tables.
const Schema = "invbo"

// Meta is what the database holds of a study beside its events.
type Meta = eventlog.Meta

// Options configure Open.
type Options = eventlog.Options

// Lease says that a proposal was lent to a client, which is expected to answer in time.
type Lease = eventlog.Lease

// Study is a study in a database: a study.Store with Meta, SaveLeases and Leases. Its methods may be called from
// several goroutines at once.
type Study struct {
	*log
	name string // with its database, for errors
	id   int
	pool *pgxpool.Pool
	db   *sql.DB // of the pool

	patience time.Duration // see Wait
	tell     func(error)

	writing sync.Mutex // the fields below
	writer  *sql.Conn  // has the lock; nil if read-only
	locked  bool       // it has, as far as is known
	holder  string     // this process, as studies.writer has it
	events  int        // that are saved
}

type log = eventlog.Log

//go:embed migrations
var migrations embed.FS

// Create begins a new study, with the events that it has from the beginning, and opens it for writing. After an error
// there is none, unless the connection was lost while the study was committed: then it is there, with all of them.
// Create makes the tables if the database has none. It refuses a name that a study has. The URL is one of pgx, as in
// postgres://ann@db.example.org/invbo; the password may also be in PGPASSWORD or ~/.pgpass.
func Create(ctx context.Context, url, name string, m Meta, events ...study.Event) (*Study, error) {
	return start(ctx, url, name, &m, Options{Program: m.Program}, migrations, events...)
}

// Open opens a study. For writing it migrates a database of an older version; to read, such a database is left as it is.
func Open(ctx context.Context, url, name string, opts Options) (*Study, error) {
	return start(ctx, url, name, nil, opts, migrations)
}

// start opens a study, which it adds to the database if it is given what that holds of it.
func start(ctx context.Context, url, name string, m *Meta, opts Options, migrations fs.FS, events ...study.Event) (*Study, error) {
	if m != nil && (name == "" || len(name) > 100 || !eventlog.IsText(name)) {
		return nil, usage.Errorf("a study's name is a text of up to 100 bytes; give another one than %q", name)
	}
	s, err := connect(ctx, url, name)
	if err != nil {
		return nil, err
	}
	verb, begin := "open", func() error { return s.begin(ctx, name, opts.ReadOnly) }
	if m != nil {
		verb, begin = "create", func() error { return s.add(ctx, name, *m, events) }
	}
	err = s.prepare(ctx, opts, migrations)
	if err == nil {
		err = begin()
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // which the driver takes for a lost connection
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s %s: %w", verb, s.name, explain(err)), s.Close())
	}
	return s, nil
}

// add adds a study to the database, with its lock and its first events. The commit comes last, so that an error means
// that there is no study.
func (s *Study) add(ctx context.Context, name string, m Meta, events []study.Event) (err error) {
	if s.writer, err = s.db.Conn(ctx); err != nil {
		return err
	}
	tx, err := s.writer.BeginTx(context.WithoutCancel(ctx), nil) // ctx interrupts the statements, and not the commit
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	var specification any
	if m.Specification != nil {
		specification = string(m.Specification)
	}
	s.holder = lock.Self()
	const insert = "INSERT INTO studies (name, specification, program, created, writer) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id"
	err = tx.QueryRowContext(ctx, insert, name, specification, m.Program, time.Now(), s.holder).Scan(&s.id)
	if errors.Is(err, sql.ErrNoRows) {
		return usage.Errorf("it exists already; resume it, or give another name")
	}
	if err != nil {
		return err
	}
	s.log = eventlog.New(s.name, m, s.dialect(), s.db, s)
	for _, e := range events {
		if err := s.log.Insert(ctx, tx, e); err != nil {
			return err
		}
	}
	// Nobody else can have the lock, which outlives the transaction. It is taken by tx: its connection serves nothing
	// else until it ends.
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_lock($1, $2)", lockClass, s.id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	s.locked, s.events = true, len(events)
	return nil
}

// dialect is that of the study's rows.
func (s *Study) dialect() eventlog.Dialect {
	return eventlog.Dialect{
		Study: s.id, Parameter: func(n int) string { return fmt.Sprintf("$%d", n) }, Isolation: sql.LevelRepeatableRead,
		WriteText: writeText, ReadText: readText, Explain: explain, Respecify: fmt.Sprintf("UPDATE studies SET specification = $1 WHERE id = %d", s.id),
	}
}

// leastConns is how many connections a study takes at once: the writer's, that of Alone, and one for what Alone calls.
// With fewer they would wait for each other.
const leastConns = 3

// patience is how long a connection may take to begin, unless the URL says otherwise.
const patience = 10 * time.Second

// connect returns a study of a database that can be reached. No error shows the password.
func connect(ctx context.Context, address, name string) (*Study, error) {
	if u, err := url.Parse(address); err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, usage.Errorf("it is not the URL of a PostgreSQL database; give one like postgres://ann@db.example.org/invbo, with %%XX for special characters of a password")
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil { // pgx shows the URL, and what is wrong may be next to the password
		return nil, usage.Errorf("the URL of the database has settings that are unknown or wrong, such as a port that is no number; give one like postgres://ann@db.example.org:5432/invbo")
	}
	if config.MaxConns < leastConns {
		return nil, usage.Errorf("pool_max_conns=%d in the URL of the database is too few: a study takes up to %d connections at once; give as many, or leave it out", config.MaxConns, leastConns)
	}
	c := config.ConnConfig
	c.RuntimeParams["application_name"] = cmp.Or(c.RuntimeParams["application_name"], "invbo")
	// Not as parameters of the connection, which PgBouncer refuses. The lock of a machine that is gone ends within a minute.
	const settings = "SET search_path = " + Schema + "; SET synchronous_commit = on; " +
		"SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, patience)
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		ctx, cancel := context.WithTimeout(ctx, patience) // a pooler lets a client wait whose database is away
		defer cancel()
		_, err := c.Exec(ctx, settings, pgx.QueryExecModeSimpleProtocol)
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	s := &Study{
		name: fmt.Sprintf("the study %s in postgres://%s@%s:%d/%s", name, c.User, c.Host, c.Port, c.Database),
		pool: pool, db: stdlib.OpenDBFromPool(pool),
	}
	if err := pool.Ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", s.name, explain(err)), s.Close())
	}
	return s, nil
}

// prepare makes or migrates the tables, if they are to be written. It refuses those of a newer version.
func (s *Study) prepare(ctx context.Context, opts Options, migrations fs.FS) error {
	p, latest, err := eventlog.Migrations(goose.DialectPostgres, s.db, migrations, Schema+".schema_version")
	if err != nil {
		return err
	}
	version, err := s.version(ctx)
	if err != nil || version == latest {
		return err
	}
	switch {
	case version > latest:
		var program string
		if err := s.db.QueryRowContext(ctx, "SELECT program FROM studies ORDER BY id DESC LIMIT 1").Scan(&program); err != nil {
			return err
		}
		return usage.Errorf("the database's version is %d, of version %s of the program, and this program is older: it reads versions up to %d; use that version of the program, or a later one", version, program, latest)
	case opts.ReadOnly && version == 0:
		return usage.Errorf("the database holds no studies; give another one, or begin the study first")
	case opts.ReadOnly:
		return nil // it is read as it is
	}
	return s.Alone(ctx, func() error {
		if _, err := s.db.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+Schema); err != nil {
			return err
		}
		if _, err := p.Up(ctx); err != nil {
			return err
		}
		if opts.Program == "" {
			return nil
		}
		_, err := s.db.ExecContext(ctx, "UPDATE studies SET program = $1", opts.Program)
		return err
	})
}

// version returns that of the tables; 0 if there are none.
func (s *Study) version(ctx context.Context) (v int64, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM schema_version").Scan(&v)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == undefinedTable {
		return 0, nil
	}
	return v, err
}

// The locks of a database have two numbers: this one, and the ID of a study or 0.
const lockClass = 0x696e7662

// Alone calls f while no other process is in Alone, about any study of the database: for changes of tables.
func (s *Study) Alone(ctx context.Context, f func() error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // which ends the lock
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1, 0)", lockClass); err != nil {
		return err
	}
	return f()
}

// begin finds a study and, to write to it, takes its lock.
func (s *Study) begin(ctx context.Context, name string, readOnly bool) error {
	var m Meta
	err := s.pool.QueryRow(ctx, "SELECT id, specification::text, program FROM studies WHERE name = $1", name).
		Scan(&s.id, (*[]byte)(&m.Specification), &m.Program)
	if errors.Is(err, pgx.ErrNoRows) {
		return s.unknown(ctx, name)
	}
	if err != nil {
		return err
	}
	if readOnly {
		s.log = eventlog.New(s.name, m, s.dialect(), s.db, nil)
		return nil
	}
	if s.writer, err = s.db.Conn(ctx); err != nil {
		return err
	}
	s.log, s.holder = eventlog.New(s.name, m, s.dialect(), s.db, s), lock.Self()
	if err := s.lock(ctx); err != nil {
		return err
	}
	if _, err := s.writer.ExecContext(ctx, "UPDATE studies SET writer = $2 WHERE id = $1", s.id, s.holder); err != nil {
		return err
	}
	s.locked = true
	s.events, err = s.saved(ctx)
	return err
}

// lock takes the lock of the study. The database may take a moment to notice that its last holder was killed.
func (s *Study) lock(ctx context.Context) error {
	take := fmt.Sprintf("SET lock_timeout = '1s'; SELECT pg_advisory_lock(%d, %d); SET lock_timeout = 0", lockClass, s.id)
	_, err := s.writer.ExecContext(ctx, take)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == lockNotAvailable {
		var holder string
		if err := s.db.QueryRowContext(ctx, "SELECT writer FROM studies WHERE id = $1", s.id).Scan(&holder); err != nil {
			return err
		}
		return usage.Wrap(&heldError{holder})
	}
	return err
}

// heldError says which process has the lock.
type heldError struct{ holder string }

func (e *heldError) Error() string {
	return fmt.Sprintf("another process is writing to it (%s); wait until it ends", e.holder)
}

// unknown says which studies there are.
func (s *Study) unknown(ctx context.Context, name string) error {
	rows, err := s.pool.Query(ctx, "SELECT name FROM studies ORDER BY name LIMIT 100")
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return usage.Errorf("the database holds no studies; begin it first")
	}
	return usage.Errorf("there is no study of that name%s", usage.Suggest(name, names))
}

// writeText returns a string as PostgreSQL can hold it.
func writeText(s string) any {
	if eventlog.IsText(s) && !strings.HasPrefix(s, `\x`) {
		return s
	}
	return `\x` + hex.EncodeToString([]byte(s))
}

func readText(v any) (string, bool) {
	s, ok := v.(string)
	if digits, bytes := strings.CutPrefix(s, `\x`); bytes {
		b, err := hex.DecodeString(digits)
		return string(b), err == nil
	}
	return s, ok
}

// Measured returns how many measurements each input has.
func (s *Study) Measured(ctx context.Context, inputs []string) ([]int, error) {
	texts := make([]string, len(inputs))
	for i, input := range inputs {
		texts[i] = writeText(input).(string)
	}
	rows, err := s.pool.Query(ctx, `SELECT coalesce((
		SELECT c.measurements FROM proposals p JOIN changes c ON c.study = p.study AND c.proposal = p.id
		WHERE p.study = $1 AND coalesce(p.input, p.x) = w.input ORDER BY c.id DESC LIMIT 1), 0)
		FROM unnest($2::text[]) WITH ORDINALITY AS w(input, n) ORDER BY n`, s.id, texts)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// ID returns the number of the study in the column study of tables.
func (s *Study) ID() int { return s.id }

// Pool returns connections to the database, in which tables of Schema need no other name. It ends with Close.
func (s *Study) Pool() *pgxpool.Pool { return s.pool }

// String names the study and its database, without the password.
func (s *Study) String() string { return s.name }

// Close ends the connections.
func (s *Study) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	var err error
	if s.writer != nil {
		err = s.writer.Close()
	}
	err = errors.Join(err, s.db.Close())
	s.pool.Close()
	if err != nil {
		return fmt.Errorf("close %s: %w", s.name, err)
	}
	return nil
}

// Codes of PostgreSQL's errors.
const (
	undefinedTable   = "42P01"
	lockNotAvailable = "55P03"
	diskFull         = "53100"
	readOnly         = "25006"
	notPermitted     = "42501"

	tooManyConnections = "53300"
)

// explain says what to do about an error of the database. Other errors stay as they are.
func explain(err error) error {
	if _, ok := errors.AsType[*eventlog.DamagedError](err); ok {
		return usage.Errorf("its tables were changed by another program: %w; restore a backup", err)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		if away(err) {
			return fmt.Errorf("cannot connect: %w; check that the database runs, and its URL", oneLine{err})
		}
		return usage.Errorf("cannot connect: %w; check the URL, the user and the password, which PGPASSWORD or ~/.pgpass may hold", oneLine{err})
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case away(err):
		return fmt.Errorf("the connection to the database was lost: %w; open the study again", err)
	case !ok:
		return err
	case e.Code == diskFull:
		return fmt.Errorf("%w, that of the database: %w; free space and try again, what was saved before is safe", eventlog.ErrFull, err)
	case e.Code == readOnly:
		return usage.Errorf("the database is read-only: %w; give the URL of the primary server", err)
	case e.Code == notPermitted:
		return usage.Errorf("the user may not do that: %w; give the URL of another user, or let its owner grant CREATE on the database", err)
	}
	return err
}

// lost reports whether err is about a connection that is no more.
func lost(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

// oneLine is an error whose text has no line breaks. Of equal lines, one for each attempt to connect, there is one.
type oneLine struct{ error }

func (e oneLine) Error() string {
	lines := strings.Split(e.error.Error(), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(slices.Compact(lines), " ")
}

func (e oneLine) Unwrap() error { return e.error }
