package simd

import "math"

// Drop is a dropout mask: element i is set to 0 if a hash of i and Key, uniform over uint32, is below Limit. The others
// are multiplied by Scale. The zero Drop changes no element.
type Drop struct {
	Limit uint32
	Scale float32
	Key   uint64
}

// Dropout sets dst to x with d applied. The mask is the same for all instruction sets.
func Dropout(dst, x []float32, d Drop) {
	mustMatch("Dropout", len(dst), x)
	d.apply(dst, x, 0)
}

// apply is Dropout with elements numbered from first.
func (d Drop) apply(dst, x []float32, first uint32) {
	if d == (Drop{}) {
		copy(dst, x)
		return
	}
	low, high := uint32(d.Key)+first, uint32(d.Key>>32)
	dropout(dst, x, d.Limit, d.Scale, low, high)
}

// dropoutGo is branch-free, as branches on the mask are unpredictable.
func dropoutGo(dst, x []float32, limit uint32, scale float32, first, second uint32) {
	x = x[:len(dst)]
	for i, v := range x {
		dropped := uint32((int64(hash(uint32(i), first, second)) - int64(limit)) >> 32) // all ones, or 0
		dst[i] = math.Float32frombits(math.Float32bits(v*scale) &^ dropped)
	}
}

// hash is the mixer lowbias32 (Wellons 2018) with a key added twice, so that masks of close keys are not shifted copies
// of one another.
func hash(i, first, second uint32) uint32 {
	h := i + first
	h = (h ^ h>>16) * 0x7feb352d
	h += second
	h = (h ^ h>>15) * 0x846ca68b
	return h ^ h>>16
}
