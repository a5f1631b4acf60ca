package serve

import (
	"context"
	"sync"
	"time"

	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// leaseStore keeps leases beyond the end of the program.
type leaseStore interface {
	SaveLeases(ctx context.Context, leases []sqlite.Lease) error
	Leases(ctx context.Context) ([]sqlite.Lease, error)
}

// leases say until when proposals are lent. While the program runs times are compared by the monotonic clock, which nobody sets.
type leases struct {
	store leaseStore

	mu    sync.Mutex
	until map[int]time.Time // by trial
}

// restore reads the leases of an earlier process. If the clock went back since, one may have been granted in the future: it then
// begins now, so that it is as long as was asked for, and does not last for as long as the clock went back.
func restore(ctx context.Context, store leaseStore, now time.Time) (*leases, error) {
	stored, err := store.Leases(ctx)
	if err != nil {
		return nil, err
	}
	l := &leases{store: store, until: map[int]time.Time{}}
	for _, old := range stored {
		passed := max(0, now.Sub(old.Granted))
		l.until[old.Trial] = now.Add(old.For - passed)
	}
	return l, nil
}

// lent reports whether a proposal is lent.
func (l *leases) lent(trial int, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Before(l.until[trial])
}

// lend stores leases that begin now.
func (l *leases) lend(ctx context.Context, proposals []study.Proposal, now time.Time, d time.Duration) error {
	granted := make([]sqlite.Lease, len(proposals))
	for i, p := range proposals {
		granted[i] = sqlite.Lease{Trial: p.ID, Granted: now, For: d}
	}
	if err := l.store.SaveLeases(ctx, granted); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range proposals {
		l.until[p.ID] = now.Add(d)
	}
	return nil
}
