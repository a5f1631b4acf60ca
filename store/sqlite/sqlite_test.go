package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

func meta() sqlite.Meta {
	return sqlite.Meta{Specification: []byte(`{"task":"med2"}`), Program: "v0.3.1", Created: time.Date(2026, 5, 4, 9, 30, 0, 123456789, time.UTC)}
}

func create(t *testing.T, path string) *sqlite.File {
	t.Helper()
	f, err := sqlite.Create(t.Context(), path, meta())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func open(t *testing.T, path string, opts sqlite.Options) *sqlite.File {
	t.Helper()
	f, err := sqlite.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestStore(t *testing.T) {
	paths := map[study.Store]string{}
	studytest.Store(t, func(t *testing.T) study.Store {
		path := filepath.Join(t.TempDir(), "lab.db")
		f := create(t, path)
		paths[f] = path
		return f
	}, func(t *testing.T, s study.Store) study.Store {
		path := paths[s]
		if err := s.(*sqlite.File).Close(); err != nil {
			t.Fatal(err)
		}
		f := open(t, path, sqlite.Options{})
		paths[f] = path
		return f
	})
}
