package nn

import (
	"math/rand/v2"

	"github.com/invbo/invbo/tensor"
)

// Dropout drops activations and attention weights during training (Srivastava et al. 2014). The zero Dropout
// drops none.
type Dropout struct {
	P    float32    // probability
	Rand *rand.Rand // source of one seed per operation; unused if P is 0
}

// Apply sets each element of x to 0 with probability P and divides the others by 1 − P.
func (d Dropout) Apply(t *tensor.Tape, x *tensor.Var) *tensor.Var {
	if d.P == 0 {
		return x
	}
	return t.Dropout(x, d.P, d.seed())
}

// seed draws the seed of an operation, or returns 0 if P is 0.
func (d Dropout) seed() uint64 {
	if d.P == 0 {
		return 0
	}
	return d.Rand.Uint64()
}
