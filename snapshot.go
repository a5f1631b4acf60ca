package invbo

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"fmt"
	"maps"

	"github.com/invbo/invbo/vae"
)

// snapshot is what the trials do not tell of a search.
type snapshot struct {
	Latents   []latent // of the points, in their order
	Region    Region
	Good, Bad int // batches of the region
	Open      map[int]*batch

	Step, Fails, Tuned, Begun, First, Updates int
	Threshold                                 threshold

	Surrogate []byte    // nil: each Fit begins anew
	Weights   []float32 // of the model; nil: those that it was given
}

// every is how many batches lie between snapshots, if the VAE is not updated: a resumed search repeats those since the latest one.
const every = 10

// Snapshot implements study.Durable. There is one after the first batch, after each update of the VAE, and after ten batches without.
func (o *Optimizer) Snapshot() ([]byte, error) {
	if o.kept.begun > 0 && o.updates == o.kept.updates && o.begun < o.kept.begun+every {
		return nil, nil
	}
	s := snapshot{
		Region: o.region, Good: o.region.good, Bad: o.region.bad, Open: o.open,
		Step: o.step, Fails: o.fails, Tuned: o.tuned, Begun: o.begun, First: o.first, Updates: o.updates, Threshold: o.threshold,
	}
	for _, p := range o.points {
		s.Latents = append(s.Latents, p.latent)
	}
	var err error
	if m, ok := o.surrogate.(encoding.BinaryMarshaler); ok {
		if s.Surrogate, err = m.MarshalBinary(); err != nil {
			return nil, fmt.Errorf("invbo: snapshot of the surrogate: %w", err)
		}
	}
	if o.updates > 0 {
		s.Weights = o.model.(vae.Tunable).Weights()
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return nil, fmt.Errorf("invbo: snapshot: %w", err)
	}
	o.kept.updates, o.kept.begun = o.updates, o.begun
	return b.Bytes(), nil
}

// Restore implements study.Durable. The Optimizer must have the model and the options of the one that made the snapshot, apart from
// its surrogate's state; a surrogate of one's own that continues from one Fit to the next is an encoding.BinaryMarshaler.
func (o *Optimizer) Restore(state []byte) error {
	var s snapshot
	if err := gob.NewDecoder(bytes.NewReader(state)).Decode(&s); err != nil {
		return fmt.Errorf("invbo: read a snapshot: %w", err)
	}
	if len(s.Latents) != len(o.points) {
		return fmt.Errorf("invbo: the snapshot is of a search with %d scored strings, and this one has %d", len(s.Latents), len(o.points))
	}
	if s.Weights != nil {
		m, ok := o.model.(vae.Tunable)
		if !ok || len(m.Weights()) != len(s.Weights) {
			return fmt.Errorf("invbo: the snapshot is of a model with %d weights, and this one (%T) is another", len(s.Weights), o.model)
		}
		m.SetWeights(s.Weights)
	}
	if m, ok := o.surrogate.(encoding.BinaryUnmarshaler); ok {
		if err := m.UnmarshalBinary(s.Surrogate); err != nil {
			return fmt.Errorf("invbo: restore the surrogate: %w", err)
		}
	}
	for i, l := range s.Latents {
		o.points[i].latent = l
	}
	maps.Copy(o.open, s.Open)
	opts := o.opts.Region.or(Defaults().Region)
	o.region = s.Region
	o.region.opts, o.region.good, o.region.bad = opts, s.Good, s.Bad
	o.step, o.fails, o.tuned, o.begun, o.first, o.updates, o.threshold = s.Step, s.Fails, s.Tuned, s.Begun, s.First, s.Updates, s.Threshold
	o.kept.updates, o.kept.begun = o.updates, o.begun
	return nil
}
