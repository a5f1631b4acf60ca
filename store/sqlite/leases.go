package sqlite

import (
	"context"
	"fmt"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
)

// Lease says that a proposal was lent to a client, which is expected to answer in time. Package postgres has the same.
type Lease = eventlog.Lease

// SaveLeases stores leases, all or none. Each takes the place of an earlier one of its trial.
func (f *File) SaveLeases(ctx context.Context, leases []Lease) error {
	if f.lock == nil {
		return usage.Errorf("save leases to %s: it is open only to read; open it for writing", f.path)
	}
	if err := dialect.SaveLeases(ctx, f.db, leases); err != nil {
		return fmt.Errorf("save leases to %s: %w", f.path, explain(err))
	}
	return nil
}

// Leases returns the latest lease of each trial that ever had one, in the order of trials.
func (f *File) Leases(ctx context.Context) ([]Lease, error) {
	leases, err := dialect.Leases(ctx, f.db)
	if err != nil {
		return nil, fmt.Errorf("read the leases of %s: %w", f.path, explain(err))
	}
	return leases, nil
}
