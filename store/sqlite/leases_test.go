package sqlite

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/usage"
)

func TestLeases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f, err := Create(t.Context(), path, Meta{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 5, 4, 9, 30, 0, 125e6, time.UTC)
	first := []Lease{{Trial: 7, Granted: at, For: time.Hour}, {Trial: 3, Granted: at, For: 1500 * time.Millisecond}}
	again := []Lease{{Trial: 7, Granted: at.Add(-time.Minute), For: time.Second}}
	for _, leases := range [][]Lease{first, again, nil} {
		if err := f.SaveLeases(t.Context(), leases); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	if f, err = Open(t.Context(), path, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := f.Leases(t.Context()); err != nil || !reflect.DeepEqual(got, []Lease{first[1], again[0]}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := f.SaveLeases(t.Context(), first); !usage.Is(err) {
		t.Errorf("to a file that is open to read: %v", err)
	}
}
