package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/invbo/invbo/store/internal/storetest"
	"github.com/invbo/invbo/store/sqlite"
)

func TestLeases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f := create(t, path)
	storetest.Leases(t, f, func() storetest.Lender {
		closed(t, f)
		return open(t, path, sqlite.Options{ReadOnly: true})
	})
}

func TestHistory(t *testing.T) { storetest.History(t, create(t, filepath.Join(t.TempDir(), "lab.db"))) }
