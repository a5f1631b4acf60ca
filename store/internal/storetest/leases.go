package storetest

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
)

// Lender is a store that keeps leases.
type Lender interface {
	SaveLeases(ctx context.Context, leases []eventlog.Lease) error
	Leases(ctx context.Context) ([]eventlog.Lease, error)
}

// Leases checks that the latest lease of each trial is kept. reopen closes a store and opens it to read.
func Leases(t *testing.T, s Lender, reopen func() Lender) {
	at := time.Date(2026, 5, 4, 9, 30, 0, 125e6, time.UTC)
	first := []eventlog.Lease{{Trial: 7, Granted: at, For: time.Hour}, {Trial: 3, Granted: at, For: 1500 * time.Millisecond}}
	again := []eventlog.Lease{{Trial: 7, Granted: at.Add(-time.Minute), For: time.Second}}
	for _, leases := range [][]eventlog.Lease{first, again, nil} {
		if err := s.SaveLeases(t.Context(), leases); err != nil {
			t.Fatal(err)
		}
	}
	s = reopen()
	if got, err := s.Leases(t.Context()); err != nil || !reflect.DeepEqual(got, []eventlog.Lease{first[1], again[0]}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := s.SaveLeases(t.Context(), first); !usage.Is(err) {
		t.Errorf("to a store that is open to read: %v", err)
	}
}
