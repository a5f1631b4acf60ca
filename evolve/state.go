package evolve

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

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
	Viable    *hyperparameters  `json:",omitempty"` // of viable; nil: to be chosen, or strings are not kin
}

// of reports whether the hyperparameters are those of kernels like m's. Those of none are.
func (h *hyperparameters) of(m *model) bool {
	return h.Weights == nil || slices.Equal(h.Kernels, m.kinds())
}

// check returns an error if a model like m cannot have the hyperparameters. Those of other kernels are not used.
func (h *hyperparameters) check(m *model) error {
	if !h.of(m) {
		return nil
	}
	weights := h.Weights
	if weights == nil { // they are to be chosen
		weights = make([]float64, m.usual())
	}
	switch n := len(weights); {
	case n < m.usual() || n > len(m.kernels):
		return fmt.Errorf("its surrogate has %d kernels, and that of this one has %d", n, m.usual())
	case slices.ContainsFunc(weights, notVariance) || notVariance(h.Noise):
		return fmt.Errorf("its surrogate has weights %v and noise %g", h.Weights, h.Noise)
	case !h.Transform.Valid():
		return fmt.Errorf("there is no transform %d", h.Transform)
	}
	g := gp.NewMixture(m.kernels[:len(weights)], weights, h.Noise)
	return errors.Join(g.SetSites(h.Sites), g.SetRelevances(h.Relevances))
}

func (m *model) restore(h hyperparameters) error {
	if err := h.check(m); err != nil {
		return fmt.Errorf("evolve: %w: %w", study.ErrForeign, err)
	}
	m.forget()
	if h.of(m) {
		m.hyperparameters = h
	}
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
	if s.viable != nil && s.viable.model.Weights != nil {
		now.Viable = &s.viable.model.hyperparameters
	}
	return json.Marshal(now)
}

// Restore implements study.Durable. An error wraps study.ErrForeign, unless the snapshot cannot be read.
func (s *Searcher) Restore(snapshot []byte) error {
	var from state
	if err := json.Unmarshal(snapshot, &from); err != nil {
		return fmt.Errorf("evolve: read a snapshot: %w", err)
	}
	if err := s.checkState(&from); err != nil {
		return fmt.Errorf("evolve: %w: %w", study.ErrForeign, err)
	}
	models, of := s.surrogates(), slices.Concat([]hyperparameters{from.Surrogate}, from.Outcomes, from.Further)
	if s.viable != nil {
		if from.Viable == nil {
			from.Viable = new(hyperparameters)
		}
		of = append(of, *from.Viable)
	}
	restored, width := make([]model, len(models)), s.trendWidth()
	for i, m := range models {
		if n := len(of[i].Slopes); n > 0 && n != width {
			return fmt.Errorf("evolve: %w: its surrogate has %d slopes, and strings have a Trend of %d numbers", study.ErrForeign, n, width)
		}
		restored[i] = *m
		if err := restored[i].restore(of[i]); err != nil {
			return err
		}
	}
	for i, m := range models {
		*m = restored[i]
	}
	s.records, s.maker, s.phase, s.best = from.Records, from.Makers, from.Phase, from.Best
	return nil
}

// checkState returns an error if a Searcher like this one cannot have left a state.
func (s *Searcher) checkState(from *state) error {
	further := len(s.further())
	if len(from.Records) != len(s.records) || len(from.Outcomes) != len(s.outcomes) || len(from.Further) != further {
		return fmt.Errorf("it has %d operators, %d constrained outcomes and %d objectives, and this one has %d, %d and %d",
			len(from.Records)-1, len(from.Outcomes), len(from.Further)+1, len(s.records)-1, len(s.outcomes), further+1)
	}
	for _, r := range from.Records {
		if r.Made < 0 || r.Chosen < 0 || r.Improved < 0 {
			return fmt.Errorf("operator %s has the record %+v", r.Operator, r)
		}
	}
	if from.Makers == nil {
		return errors.New("it has no Makers")
	}
	for x, maker := range from.Makers {
		if maker < 0 || maker >= len(s.records) {
			return fmt.Errorf("%q is of operator %d, and this one has %d", x, maker, len(s.records)-1)
		}
	}
	if p := from.Phase; p.Number < 0 || p.First < 0 {
		return fmt.Errorf("it is in phase %d since batch %d", p.Number, p.First)
	}
	for _, i := range from.Best {
		if i < 0 || i >= len(s.space.Only) {
			return fmt.Errorf("string %d is among its best, and this one has %d", i, len(s.space.Only))
		}
	}
	return nil
}

// trendWidth returns how many numbers the Trend of strings has; 0 if no string that was observed can be read.
func (s *Searcher) trendWidth() int {
	for _, t := range s.trials {
		if d, err := s.reader.read1(t.Input); err == nil {
			return len(d.Trend)
		}
	}
	return 0
}
