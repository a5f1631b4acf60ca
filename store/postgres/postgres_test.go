package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/invbo/invbo/internal/pgtest"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/storetest"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

var server pgtest.Server // of all tests

// crashURL is the environment variable that makes this program the child of TestKilled.
const crashURL = "INVBO_STORE_CRASH"

func TestMain(m *testing.M) {
	if address := os.Getenv(crashURL); address != "" {
		fmt.Fprintln(os.Stderr, "child of TestKilled:", saveUntilKilled(address))
		os.Exit(1)
	}
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

func meta() Meta {
	return Meta{Specification: []byte(`{"task": "med2",  "a": 1}`), Program: "v0.3.1"}
}

// must returns a study, which it closes after the test.
func must(s *Study, err error) func(*testing.T) *Study {
	return func(t *testing.T) *Study {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
}

func refuses(t *testing.T, what string, err error, want string) {
	t.Helper()
	if !usage.Is(err) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v; want one line with %q", what, err, want)
	}
}

func TestStore(t *testing.T) {
	address, studies := server.Database(t), 0
	names := map[study.Store]string{}
	storetest.Store(t, func(t *testing.T) study.Store { // all in one database
		studies++
		name := fmt.Sprint("study ", studies)
		s := must(Create(t.Context(), address, name, meta()))(t)
		names[s] = name
		return s
	}, func(t *testing.T, s study.Store) study.Store {
		if err := s.(*Study).Close(); err != nil {
			t.Fatal(err)
		}
		again := must(Open(t.Context(), address, names[s], Options{}))(t)
		names[again] = names[s]
		return again
	})
}

func TestCreateWhole(t *testing.T) {
	address := server.Database(t)
	other := must(Create(t.Context(), address, "other", meta()))(t)
	storetest.CreateWhole(t, func(ctx context.Context, events ...study.Event) (storetest.Closer, error) {
		return Create(ctx, address, "lab", meta(), events...)
	}, func() (n int) {
		if err := other.pool.QueryRow(t.Context(), "SELECT count(*) FROM studies WHERE id != $1", other.id).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	})
}

func TestViews(t *testing.T) {
	address := server.Database(t)
	s := must(Create(t.Context(), address, "lab", meta()))(t)
	storetest.Views(t, s, s.db)
	if got := storetest.Query(t, s.db, "SELECT DISTINCT study FROM trials UNION ALL SELECT DISTINCT study FROM measurements"); got != "lab\nlab\n" {
		t.Errorf("studies in the views: %q", got)
	}
	got, err := s.Measured(t.Context(), []string{"N", "CO", "unknown", "CCC", "\x00"})
	if want := "[0 2 0 1 0]"; fmt.Sprint(got) != want || err != nil {
		t.Errorf("Measured: %v, %v; want %s", got, err, want)
	}
}

func TestLeases(t *testing.T) {
	address := server.Database(t)
	other := must(Create(t.Context(), address, "other", meta()))(t)
	if err := other.SaveLeases(t.Context(), []Lease{{Trial: 1, Granted: time.Now(), For: time.Hour}}); err != nil {
		t.Fatal(err)
	}
	s := must(Create(t.Context(), address, "lab", meta()))(t)
	storetest.Leases(t, s, func() storetest.Lender {
		s.Close()
		return must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t)
	})
}

func TestHistory(t *testing.T) {
	address := server.Database(t)
	other := must(Create(t.Context(), address, "other", meta()))(t)
	if err := other.Save(t.Context(), study.Event{Trials: []study.Trial{storetest.Trial(study.Proposal{ID: 1, X: "Z"}, study.Scored, 9, study.Measurement{ID: 1, Score: 9})}}); err != nil {
		t.Fatal(err)
	}
	storetest.History(t, must(Create(t.Context(), address, "lab", meta()))(t))
}

func TestMeta(t *testing.T) {
	address := server.Database(t)
	must(Create(t.Context(), address, "none", Meta{}))(t)
	s := must(Create(t.Context(), address, "lab", meta()))(t)
	for _, s := range []*Study{s, must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t)} {
		if got, want := fmt.Sprintf("%s", s.Meta()), fmt.Sprintf("%s", meta()); got != want {
			t.Errorf("Meta: %s, want %s", got, want)
		}
	}
	if m := must(Open(t.Context(), address, "none", Options{ReadOnly: true}))(t).Meta(); m.Specification != nil {
		t.Errorf("Meta without a specification: %s", m)
	}
}

func TestOneWriterAndReaders(t *testing.T) {
	address := server.Database(t)
	writer := must(Create(t.Context(), address, "lab", meta()))(t)
	_, err := Open(t.Context(), address, "lab", Options{})
	refuses(t, "second writer", err, fmt.Sprintf(", process %d, since ", os.Getpid()))
	must(Create(t.Context(), address, "other", meta()))(t) // each has its own
	reader := must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t)
	var want []study.Event
	for i := range 5 {
		want = append(want, study.Event{Asked: i})
		studytest.Save(t, writer, want[i])
		studytest.Holds(t, reader, want)
	}
	refuses(t, "a reader saves", reader.Save(t.Context(), want[0]), "open it for writing")
	writer.Close()
	writer = must(Open(t.Context(), address, "lab", Options{}))(t)
	studytest.Save(t, writer, want[0])
	studytest.Holds(t, reader, append(want, want[0]))
}

// A writer whose connection is lost saves nothing more: another process may be writing by then.
func TestLostConnection(t *testing.T) {
	address := server.Database(t)
	s := must(Create(t.Context(), address, "lab", meta()))(t)
	studytest.Save(t, s, study.Event{Asked: 1})
	const others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"
	if _, err := must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t).pool.Exec(t.Context(), others); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := s.Save(t.Context(), study.Event{Asked: 2}); err == nil || !strings.Contains(err.Error(), "the connection to the database was lost") {
			t.Errorf("Save: %v", err)
		}
	}
	again := must(Open(t.Context(), address, "lab", Options{}))(t)
	studytest.Save(t, again, study.Event{Asked: 3})
	studytest.Holds(t, again, []study.Event{{Asked: 1}, {Asked: 3}})
}

func TestEndedContext(t *testing.T) {
	s := must(Create(t.Context(), server.Database(t), "lab", meta()))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Save(ctx, study.Event{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Save: %v", err)
	}
	if _, err := s.Events(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Events: %v", err)
	}
	studytest.Save(t, s, study.Event{Asked: 1})
	studytest.Holds(t, s, []study.Event{{Asked: 1}})
}

// A study gets along with as few connections as it may have, those of Alone included.
func TestFewConnections(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	s := must(Create(ctx, server.Database(t)+fmt.Sprintf("&pool_max_conns=%d", leastConns), "lab", meta()))(t)
	if err := s.Alone(ctx, func() error { return s.pool.Ping(ctx) }); err != nil {
		t.Error(err)
	}
}

func TestRefuses(t *testing.T) {
	empty, address := server.Database(t), server.Database(t)
	must(Create(t.Context(), address, "lab", meta()))(t)
	for _, c := range []struct{ address, name, want string }{
		{empty, "lab", "the database holds no studies"},
		{address, "lap", `did you mean "lab"?`},
		{"lab.db", "lab", "it is not the URL of a PostgreSQL database"},
		{"mysql://localhost/lab", "lab", "it is not the URL of a PostgreSQL database"},
		{"postgres://ann:se/cret@localhost/lab", "lab", "it is not the URL of a PostgreSQL database"},
		{"postgres://ann:secret@localhost/lab?sslmode=maybe", "lab", "settings that are unknown or wrong"},
		{address + "&pool_max_conns=2", "lab", "pool_max_conns=2 in the URL of the database is too few: a study takes up to 3 connections at once"},
		{address + "&password=secret&dbname=nothing", "lab", "cannot connect"},
	} {
		_, err := Open(t.Context(), c.address, c.name, Options{ReadOnly: true})
		refuses(t, "Open "+c.address, err, c.want)
		if strings.Contains(err.Error(), "cret") {
			t.Errorf("Open shows the password: %v", err)
		}
	}
	// That may be mended without another input.
	_, err := Open(t.Context(), "postgres://ann:secret@localhost:1/lab", "lab", Options{})
	if err == nil || usage.Is(err) || !strings.Contains(err.Error(), "the study lab in postgres://ann@localhost:1/lab: cannot connect") || strings.Contains(err.Error(), "secret") {
		t.Errorf("a database that is away: %v", err)
	}
	_, err = Create(t.Context(), address, "lab", meta())
	refuses(t, "Create again", err, "it exists already")
	for _, name := range []string{"", "\xff", strings.Repeat("a", 101)} {
		_, err := Create(t.Context(), address, name, meta())
		refuses(t, "Create", err, "a study's name is")
	}
}

// Several processes may begin with an empty database.
func TestCreateAtOnce(t *testing.T) {
	address := server.Database(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s, err := Create(t.Context(), address, fmt.Sprint("study ", i), meta())
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	wg.Wait()
}

// later are the migrations of a program to come.
func later(t *testing.T, statement string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{"migrations/00099_later.sql": {Data: []byte("-- +goose Up\n" + statement)}}
	names, err := fs.Glob(migrations, "migrations/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(migrations, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: data}
	}
	return all
}

const addColumn = "ALTER TABLE studies ADD COLUMN later TEXT;"

func TestNewerVersion(t *testing.T) {
	address := server.Database(t)
	must(start(t.Context(), address, "lab", &Meta{Program: "v9.1"}, Options{Program: "v9.1"}, later(t, addColumn)))(t)
	for _, opts := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(t.Context(), address, "lab", opts)
		refuses(t, "Open", err, "the database's version is 99, of version v9.1 of the program, and this program is older")
	}
	_, err := Create(t.Context(), address, "other", meta())
	refuses(t, "Create", err, "this program is older")
}

func TestOlderVersion(t *testing.T) {
	address := server.Database(t)
	s := must(Create(t.Context(), address, "lab", Meta{Program: "v0.3"}))(t)
	studytest.Save(t, s, study.Event{Asked: 3})
	s.Close()
	studytest.Holds(t, must(start(t.Context(), address, "lab", nil, Options{ReadOnly: true}, later(t, addColumn)))(t), []study.Event{{Asked: 3}})
	if _, err := start(t.Context(), address, "lab", nil, Options{}, later(t, addColumn+"\nSELECT nothing FROM nowhere;")); err == nil {
		t.Error("a migration that fails is no error")
	}
	must(Open(t.Context(), address, "lab", Options{}))(t).Close() // it is as it was
	s = must(start(t.Context(), address, "lab", nil, Options{Program: "v9.1"}, later(t, addColumn)))(t)
	studytest.Holds(t, s, []study.Event{{Asked: 3}})
	if s.Meta().Program != "v9.1" {
		t.Errorf("after the migration: %+v", s.Meta())
	}
}

// A database of a program before bounds is read as it is, and migrated when it is opened for writing.
func TestBeforeBounds(t *testing.T) {
	const version = 2
	address := server.Database(t)
	before := fstest.MapFS{}
	for name, file := range later(t, addColumn) {
		var number int
		if _, err := fmt.Sscanf(name, "migrations/%d", &number); err == nil && number <= version {
			before[name] = file
		}
	}
	s, err := connect(t.Context(), address, "lab")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.prepare(t.Context(), Options{}, before); err != nil {
		t.Fatal(err)
	}
	const create = "INSERT INTO studies (name, program, created) VALUES ('lab', 'v0.3', now())"
	for _, statement := range append([]string{create}, storetest.OldRows("1")...) {
		if _, err := s.db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	reader := must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t)
	studytest.Holds(t, reader, storetest.OldEvents())
	if now, err := reader.version(t.Context()); err != nil || now != version {
		t.Errorf("what is open to read has version %d, %v; want %d", now, err, version)
	}
	storetest.Migrated(t, must(Open(t.Context(), address, "lab", Options{}))(t))
}

func saveUntilKilled(address string) error {
	s, err := Open(context.Background(), address, "lab", Options{})
	if err != nil {
		return err
	}
	return storetest.SaveUntilKilled(context.Background(), s)
}

func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	address := server.Database(t)
	must(Create(t.Context(), address, "lab", meta()))(t).Close()
	storetest.Killed(t, 8, crashURL, address, func(_ int, holds func(study.Store)) {
		s := must(Open(t.Context(), address, "lab", Options{}))(t)
		holds(s)
		s.Close()
	})
}

func TestURLHasNoPassword(t *testing.T) {
	address := server.Database(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("tester", "secret") // which the server does not ask for
	s := must(Create(t.Context(), u.String(), "lab", meta()))(t)
	_, err = Create(t.Context(), u.String(), "lab", meta())
	if text := fmt.Sprint(s, err); strings.Contains(text, "secret") || !strings.Contains(text, "tester@") {
		t.Error(text)
	}
}
