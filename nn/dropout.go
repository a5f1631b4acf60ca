package nn

import (
	"math/rand/v2"

	"github.com/invbo/invbo/tensor"
)

// Dropout sets values, those of attention among them, to 0 while a network is trained (Srivastava et al. 2014). The zero Dropout sets none.
type Dropout struct {
	P    float32    // the share of values
	Rand *rand.Rand // says which
}

// Apply returns x with its values dropped, or divided by 1 − P.
func (d Dropout) Apply(t *tensor.Tape, x *tensor.Var) *tensor.Var {
	if d.P == 0 {
		return x
	}
	return t.Dropout(x, d.P, d.seed())
}

// seed returns the seed of an operation; any, without drawing it, if nothing is dropped.
func (d Dropout) seed() uint64 {
	if d.P == 0 {
		return 0
	}
	return d.Rand.Uint64()
}
