package evolve

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// state is what the trials do not tell of a search.
type state struct {
	Records []Record
	Makers  map[string]int // of proposals that have not been observed
	Phase   phase
	Best    []int `json:",omitempty"` // of the strings that may be proposed

	Surrogate hyperparameters
	Outcomes  []hyperparameters // of those that constraints bound
	Further   []hyperparameters `json:",omitempty"` // of the objectives but the first
}

func (m *model) restore(h hyperparameters) error {
	if h.Weights != nil && len(h.Weights) != len(m.kernels) {
		return fmt.Errorf("evolve: %w: its surrogate has %d kernels, and that of this one has %d", study.ErrForeign, len(h.Weights), len(m.kernels))
	}
	if h.Weights != nil {
		g := gp.NewMixture(m.kernels, h.Weights, h.Noise)
		if err := errors.Join(g.SetSites(h.Sites), g.SetRelevances(h.Relevances)); err != nil {
			return fmt.Errorf("evolve: %w: %w", study.ErrForeign, err)
		}
	}
	m.hyperparameters = h
	m.empty()
	return nil
}

// Snapshot implements study.Durable.
func (s *Searcher) Snapshot() ([]byte, error) {
	if s.model.Weights == nil {
		return nil, nil
	}
	now := state{Records: s.records, Makers: s.maker, Phase: s.phase, Best: s.best, Surrogate: s.model.hyperparameters}
	for i := range s.outcomes {
		now.Outcomes = append(now.Outcomes, s.outcomes[i].model.hyperparameters)
	}
	for _, m := range s.further() {
		now.Further = append(now.Further, m.hyperparameters)
	}
	return json.Marshal(now)
}

// Restore implements study.Durable. An error wraps study.ErrForeign, unless the snapshot cannot be read.
func (s *Searcher) Restore(snapshot []byte) error {
	var from state
	if err := json.Unmarshal(snapshot, &from); err != nil {
		return fmt.Errorf("evolve: read a snapshot: %w", err)
	}
	further := s.further()
	if len(from.Records) != len(s.records) || len(from.Outcomes) != len(s.outcomes) || len(from.Further) != len(further) {
		return fmt.Errorf("evolve: %w: it has %d operators, %d constrained outcomes and %d objectives, and this one has %d, %d and %d",
			study.ErrForeign, len(from.Records)-1, len(from.Outcomes), len(from.Further)+1, len(s.records)-1, len(s.outcomes), len(further)+1)
	}
	if err := s.model.restore(from.Surrogate); err != nil {
		return err
	}
	for i := range s.outcomes {
		if err := s.outcomes[i].model.restore(from.Outcomes[i]); err != nil {
			return err
		}
	}
	for i, m := range further {
		if err := m.restore(from.Further[i]); err != nil {
			return err
		}
	}
	s.records, s.maker, s.phase, s.best = from.Records, from.Makers, from.Phase, from.Best
	return nil
}
