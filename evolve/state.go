package evolve

import (
	"encoding/json"
	"fmt"

	"github.com/invbo/invbo/gp"
)

// state is what the trials do not tell of a search.
type state struct {
	Records      []Record
	Chosen, Made []float64      // of the shares
	Makers       map[string]int // of proposals that have not been observed

	Weights   []float64
	Noise     float64
	Transform gp.Transform
	Fitted    int // points that these were fitted to
}

// Snapshot implements study.Durable.
func (s *Searcher) Snapshot() ([]byte, error) {
	if s.model.gp == nil {
		return nil, nil
	}
	return json.Marshal(state{
		Records: s.records, Chosen: s.shares.chosen, Made: s.shares.made, Makers: s.maker,
		Weights: s.model.gp.Weights(), Noise: s.model.gp.Noise(), Transform: s.model.transform, Fitted: s.model.fitted,
	})
}

// Restore implements study.Durable. The error says that the snapshot is of another search.
func (s *Searcher) Restore(snapshot []byte) error {
	var from state
	if err := json.Unmarshal(snapshot, &from); err != nil {
		return fmt.Errorf("evolve: read a snapshot: %w", err)
	}
	if n := len(s.shares.made); len(from.Records) != n+1 || len(from.Chosen) != n || len(from.Made) != n || len(from.Weights) != len(s.model.kernels) {
		return fmt.Errorf("evolve: the snapshot is of a search with %d operators and %d kernels, and this one has %d and %d", len(from.Records)-1, len(from.Weights), n, len(s.model.kernels))
	}
	s.records, s.shares, s.maker = from.Records, shares{from.Chosen, from.Made}, from.Makers
	s.model.gp, s.model.trials = gp.NewMixture(s.model.kernels, from.Weights, from.Noise), nil
	s.model.transform, s.model.fitted = from.Transform, from.Fitted
	return nil
}
