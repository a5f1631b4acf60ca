package postgres

import (
	"context"
	"fmt"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
)

// Lease says that a proposal was lent to a client, which is expected to answer in time. Package sqlite has the same.
type Lease = eventlog.Lease

// SaveLeases stores leases, all or none. Each takes the place of an earlier one of its trial.
func (s *Study) SaveLeases(ctx context.Context, leases []Lease) error {
	if s.log == nil {
		return usage.Errorf("save leases to %s: it is open only to read; open it for writing", s.name)
	}
	if err := s.dialect.SaveLeases(ctx, s.db, leases); err != nil {
		return fmt.Errorf("save leases to %s: %w", s.name, explain(err))
	}
	return nil
}

// Leases returns the latest lease of each trial that ever had one, in the order of trials.
func (s *Study) Leases(ctx context.Context) ([]Lease, error) {
	leases, err := s.dialect.Leases(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the leases of %s: %w", s.name, explain(err))
	}
	return leases, nil
}
