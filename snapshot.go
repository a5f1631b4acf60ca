package invbo

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"fmt"
	"io"

	"github.com/invbo/invbo/vae"
)

// snapshot is the state of an Optimizer. Options and the model that it was made with are not in it.
type snapshot struct {
	Points       []savedPoint
	Index        map[int]int
	Open         map[int]savedBatch
	Best         float64
	Trials       int
	Reason       string
	Step         int
	Calls        int
	Fails        int
	Tuned        int
	Begun, Ended int
	Updates      int
	Threshold    float64
	Region       Region
	Good, Bad    int
	Surrogate    []byte // nil before the first batch, and for a surrogate without a state of its own
	Model        []byte // nil before the first update
}

type savedPoint struct {
	X                  string
	Y, Variance, Miss  float64
	Z                  []float64
	Exact, Stale, Gone bool
}

type savedBatch struct {
	Scores              []float64
	Before              float64
	Picks, Wanted, Left int
}

// Snapshot writes what a resumed search needs beside its trials: latents, region, counters, surrogate and, after
// an update, the model's weights. The surrogate must be an encoding.BinaryMarshaler, as those of package
// surrogate are, and a model that was updated a vae.Storable.
func (o *Optimizer) Snapshot(w io.Writer) error {
	s := snapshot{
		Index: o.index, Open: map[int]savedBatch{}, Best: o.best, Trials: o.trials, Reason: o.reason, Step: o.step,
		Calls: o.calls, Fails: o.fails, Tuned: o.tuned, Begun: o.batches.begun, Ended: o.batches.ended, Updates: o.updates,
		Threshold: float64(o.threshold), Region: o.region, Good: o.region.good, Bad: o.region.bad,
	}
	for _, p := range o.points {
		s.Points = append(s.Points, savedPoint{X: p.x, Y: p.y, Variance: p.variance, Z: p.z, Miss: p.miss, Exact: p.exact, Stale: p.stale, Gone: p.gone})
	}
	for i, b := range o.open {
		s.Open[i] = savedBatch{b.scores, b.before, b.picks, b.wanted, b.left}
	}
	if o.batches.begun > 0 {
		m, ok := o.surrogate.(encoding.BinaryMarshaler)
		if !ok {
			return fmt.Errorf("invbo: snapshot: the surrogate (%T) cannot be stored; give it MarshalBinary", o.surrogate)
		}
		var err error
		if s.Surrogate, err = m.MarshalBinary(); err != nil {
			return fmt.Errorf("invbo: snapshot of the surrogate: %w", err)
		}
	}
	if o.updates > 0 {
		m, ok := o.model.(vae.Storable)
		if !ok {
			return fmt.Errorf("invbo: snapshot: the model (%T) cannot be stored; give it Save and Load", o.model)
		}
		var weights bytes.Buffer
		if err := m.Save(&weights); err != nil {
			return fmt.Errorf("invbo: snapshot of the model: %w", err)
		}
		s.Model = weights.Bytes()
	}
	return gob.NewEncoder(w).Encode(s)
}

// Restore returns an Optimizer, made with the same model and options as the one that wrote a snapshot, to the same state.
func (o *Optimizer) Restore(r io.Reader) error {
	var s snapshot
	if err := gob.NewDecoder(r).Decode(&s); err != nil {
		return fmt.Errorf("invbo: restore: %w", err)
	}
	if s.Model != nil {
		m, ok := o.model.(vae.Storable)
		if !ok {
			return fmt.Errorf("invbo: restore: the snapshot holds an updated model, and this one (%T) has no Load", o.model)
		}
		model, err := m.Load(bytes.NewReader(s.Model))
		if err != nil {
			return fmt.Errorf("invbo: restore the model: %w", err)
		}
		o.model = model
		o.surrogate = o.opts.Method.NewSurrogate(o.model, o.opts.Features)
	}
	if s.Surrogate != nil {
		m, ok := o.surrogate.(encoding.BinaryUnmarshaler)
		if !ok {
			return fmt.Errorf("invbo: restore: the surrogate (%T) cannot be stored; give it UnmarshalBinary", o.surrogate)
		}
		if err := m.UnmarshalBinary(s.Surrogate); err != nil {
			return fmt.Errorf("invbo: restore the surrogate: %w", err)
		}
	}
	o.points, o.open, o.index = nil, map[int]*batch{}, map[int]int{}
	for _, p := range s.Points {
		o.points = append(o.points, point{x: p.X, y: p.Y, variance: p.Variance, z: p.Z, miss: p.Miss, exact: p.Exact, stale: p.Stale, gone: p.Gone})
	}
	for i, b := range s.Open {
		o.open[i] = &batch{b.Scores, b.Before, b.Picks, b.Wanted, b.Left}
	}
	for id, i := range s.Index {
		o.index[id] = i
	}
	o.best, o.trials, o.reason, o.step = s.Best, s.Trials, s.Reason, s.Step
	o.calls, o.fails, o.tuned, o.updates = s.Calls, s.Fails, s.Tuned, s.Updates
	o.batches.begun, o.batches.ended = s.Begun, s.Ended
	o.threshold = threshold(s.Threshold)
	if s.Begun > 0 && o.opts.Method.Anchor.Choose != nil {
		o.region = NewRegion(s.Region.Best, o.opts.Region)
		o.region.Length, o.region.Restarts, o.region.good, o.region.bad = s.Region.Length, s.Region.Restarts, s.Good, s.Bad
	}
	return nil
}
