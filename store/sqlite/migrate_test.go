package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	driver "modernc.org/sqlite"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/storetest"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// later are the migrations of a program to come.
func later(t *testing.T, statement string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{fmt.Sprintf("migrations/%05d_later.sql", versions(t)+1): {Data: []byte("-- +goose Up\n" + statement)}}
	now, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range now {
		text, err := migrations.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = &fstest.MapFile{Data: text}
	}
	return all
}

// versions returns how many there are.
func versions(t *testing.T) int {
	t.Helper()
	all, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(all) == 0 {
		t.Fatalf("%d migrations: %v", len(all), err)
	}
	return len(all)
}

const addColumn = "ALTER TABLE study ADD COLUMN later TEXT;"

func TestNewerVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f, err := create(t.Context(), path, Meta{Program: "v9.1"}, nil, later(t, addColumn))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, opts := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(t.Context(), path, opts)
		want := fmt.Sprintf("its version is %d, written by version v9.1 of the program, and this program is older: it reads versions up to %d", versions(t)+1, versions(t))
		if !usage.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("Open: %v", err)
		}
	}
}

func TestOlderVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f, err := Create(t.Context(), path, Meta{Program: "v0.3"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Save(t.Context(), study.Event{Asked: 3}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := open(t.Context(), path, Options{ReadOnly: true}, later(t, addColumn))
	if err != nil {
		t.Fatal(err)
	}
	if events, err := reader.Events(t.Context()); err != nil || len(events) != 1 || events[0].Asked != 3 {
		t.Errorf("to read: %+v, %v", events, err)
	}
	reader.Close()
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("what is open to read is written: %v", err)
	}
	if _, err := open(t.Context(), path, Options{}, later(t, addColumn+"\nSELECT nothing FROM nowhere;")); err == nil {
		t.Error("a migration that fails is no error")
	}
	if f, err = Open(t.Context(), path, Options{}); err != nil { // it is as it was
		t.Fatal(err)
	}
	f.Close()
	if f, err = open(t.Context(), path, Options{Program: "v9.1"}, later(t, addColumn)); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events, err := f.Events(t.Context())
	if err != nil || len(events) != 1 || events[0].Asked != 3 || f.Meta().Program != "v9.1" {
		t.Errorf("after the migration: %+v, %+v, %v", events, f.Meta(), err)
	}
	if _, err := f.db.Exec("UPDATE study SET later = 'x'"); err != nil {
		t.Error(err)
	}
}

// Files of programs before bounds are read as they are, and migrated when they are opened for writing.
func TestBeforeBounds(t *testing.T) {
	for version := 1; version <= 3; version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lab.db")
			before := fstest.MapFS{}
			for name, file := range later(t, addColumn) {
				var number int
				if _, err := fmt.Sscanf(name, "migrations/%d", &number); err == nil && number <= version {
					before[name] = file
				}
			}
			db, err := connect(path, "_pragma=journal_mode(WAL)")
			if err != nil {
				t.Fatal(err)
			}
			if err := migrate(t.Context(), db, before, ""); err != nil {
				t.Fatal(err)
			}
			for _, statement := range append(storetest.OldRows(""), fmt.Sprintf("PRAGMA application_id = %d", applicationID),
				"INSERT INTO study (specification, program, created) VALUES ('{}', 'v0.3', '2026-05-04T09:30:00Z')") {
				if _, err := db.Exec(statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			old, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Open(t.Context(), path, Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			studytest.Holds(t, f, storetest.OldEvents())
			f.Close()
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, old) {
				t.Errorf("what is open to read is written: %v", err)
			}
			if f, err = Open(t.Context(), path, Options{Program: "v0.4"}); err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			storetest.Migrated(t, f)
		})
	}
}

// After a Save that failed a file counts as reachable again when it can be written.
func TestReachableAfterFailure(t *testing.T) {
	f, err := Create(t.Context(), filepath.Join(t.TempDir(), "lab.db"), Meta{Specification: []byte(`{"task": "strings"}`)})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set := func(readOnly int) {
		if _, err := f.db.Exec(fmt.Sprintf("PRAGMA query_only = %d", readOnly)); err != nil {
			t.Fatal(err)
		}
	}
	e := study.Event{Trials: []study.Trial{{Proposal: study.Proposal{ID: 1, X: "C"}}}}
	set(1)
	if err := f.Save(t.Context(), e); !errors.Is(err, ErrUnwritable) {
		t.Errorf("Save: %v", err)
	}
	if err := f.Reachable(t.Context()); !errors.Is(err, ErrUnwritable) {
		t.Errorf("Reachable after it: %v", err)
	}
	set(0)
	if err := f.Reachable(t.Context()); err != nil {
		t.Errorf("Reachable when it can be written: %v", err)
	}
	if err := f.Save(t.Context(), e); err != nil {
		t.Errorf("Save then: %v", err)
	}
	var specification string
	if err := f.db.QueryRow("SELECT specification FROM study").Scan(&specification); err != nil || specification != `{"task": "strings"}` {
		t.Errorf("the specification is %s, %v", specification, err)
	}
}

func TestFullDisk(t *testing.T) {
	f, err := Create(t.Context(), filepath.Join(t.TempDir(), "lab.db"), Meta{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pages := func(n int) {
		if _, err := f.db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", n)); err != nil {
			t.Fatal(err)
		}
	}
	pages(30)
	saved := 0
	e := study.Event{Trials: []study.Trial{{Proposal: study.Proposal{ID: 1}}}, State: make([]byte, 5000)}
	for ; err == nil; saved++ {
		if saved > 1000 {
			t.Fatal("it never fails")
		}
		e.Trials[0].X = strings.Repeat("C", 3000+saved)
		err = f.Save(t.Context(), e)
	}
	saved--
	if _, ok := errors.AsType[*driver.Error](err); !ok || !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "the disk is full") || strings.Contains(err.Error(), "\n") {
		t.Errorf("Save: %v", err)
	}
	check := func(want int) {
		t.Helper()
		events, err := f.Events(t.Context())
		if err != nil || len(events) != want {
			t.Errorf("%d events, %v; want %d", len(events), err, want)
		}
		if last := events[len(events)-1]; last.State == nil || len(last.Trials[0].X) != 3000+want-1 {
			t.Errorf("the last event has a state of %d bytes and a string of %d", len(last.State), len(last.Trials[0].X))
		}
	}
	check(saved)
	pages(1000)
	if err := f.Save(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	check(saved + 1)
}

// A program that people look into the file with may hold it locked.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f, err := Create(t.Context(), path, Meta{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other, err := connect(path, "_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.db.Exec("PRAGMA busy_timeout = 1"); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(t.Context(), study.Event{}); err == nil || !strings.Contains(err.Error(), "another program, such as sqlite3, is in a transaction") {
		t.Errorf("Save: %v", err)
	}
	tx.Rollback()
	if err := f.Save(t.Context(), study.Event{}); err != nil {
		t.Error(err)
	}
}
