package simd

import "math"

// Dropout sets dst to scale·x without the elements that chance drops, which are set to 0: element i is dropped if a
// hash of i and key, which is uniform over all uint32, is below limit. Every set of kernels drops the same elements.
func Dropout(dst, x []float32, limit uint32, scale float32, key uint64) {
	mustMatch("Dropout", len(dst), x)
	switch isa {
	case avx512:
		dropoutAVX512(dst, x, limit, scale, uint32(key), uint32(key>>32))
	case avx2:
		dropoutAVX2(dst, x, limit, scale, uint32(key), uint32(key>>32))
	default:
		dropoutGo(dst, x, limit, scale, uint32(key), uint32(key>>32))
	}
}

// dropoutGo takes no branch: none could be predicted.
func dropoutGo(dst, x []float32, limit uint32, scale float32, first, second uint32) {
	x = x[:len(dst)]
	for i, v := range x {
		dropped := uint32((int64(hash(uint32(i), first, second)) - int64(limit)) >> 32) // all ones, or 0
		dst[i] = math.Float32frombits(math.Float32bits(v*scale) &^ dropped)
	}
}

// hash is the mixer lowbias32 (Wellons 2018), into which a key goes twice, so that neighbouring keys do not give shifted
// copies of each other.
func hash(i, first, second uint32) uint32 {
	h := i + first
	h = (h ^ h>>16) * 0x7feb352d
	h += second
	h = (h ^ h>>15) * 0x846ca68b
	return h ^ h>>16
}
