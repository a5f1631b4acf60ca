package invbo

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"fmt"

	"github.com/invbo/invbo/vae"
)

// state is what the trials do not tell of a search.
type state struct {
	Region    Region
	Open      map[int]*batch // batches with proposals that have not been observed, by number
	Step      int            // counts uses of random numbers, to give each its own stream
	Fails     int            // batches in a row without a new best
	Tuned     int            // calls at the last update of the VAE
	Begun     int            // batches
	First     int            // number of the first batch of this run; 0 before it
	Updates   int            // of the VAE: the version of the model
	Threshold threshold      // of pseudo-labels

	// In snapshots only:
	Good, Bad int       // batches of the region
	Latents   []latent  // of the points, in their order
	Surrogate []byte    // nil: each Fit begins anew
	Weights   []float32 // of the model; nil: those that it was given
}

// every is how many batches lie between snapshots, if the VAE is not updated: a resumed search repeats those since the
// latest one.
const every = 10

// Snapshot implements study.Durable. There is one after the first batch, after each update of the VAE, and after ten
// batches without.
func (o *Optimizer) Snapshot() ([]byte, error) {
	if o.kept.begun > 0 && o.state.Updates == o.kept.updates && o.state.Begun < o.kept.begun+every {
		return nil, nil
	}
	s := o.state
	s.Good, s.Bad = s.Region.good, s.Region.bad
	for _, p := range o.points {
		s.Latents = append(s.Latents, p.latent)
	}
	var err error
	if m, ok := o.surrogate.(encoding.BinaryMarshaler); ok {
		if s.Surrogate, err = m.MarshalBinary(); err != nil {
			return nil, fmt.Errorf("invbo: snapshot of the surrogate: %w", err)
		}
	}
	if s.Updates > 0 {
		s.Weights = o.model.(vae.Tunable).Weights()
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return nil, fmt.Errorf("invbo: snapshot: %w", err)
	}
	o.kept.updates, o.kept.begun = s.Updates, s.Begun
	return b.Bytes(), nil
}

// Restore implements study.Durable. The Optimizer must have the model and the options of the one that made the
// snapshot, apart from its surrogate's state; a surrogate of one's own that continues from one Fit to the next is an
// encoding.BinaryMarshaler.
func (o *Optimizer) Restore(data []byte) error {
	var s state
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&s); err != nil {
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
	if s.Open == nil {
		s.Open = map[int]*batch{}
	}
	s.Region.opts, s.Region.good, s.Region.bad = o.opts.Region.or(Defaults().Region), s.Good, s.Bad
	s.Latents, s.Surrogate, s.Weights = nil, nil, nil
	o.state = s
	o.kept.updates, o.kept.begun = s.Updates, s.Begun
	return nil
}
