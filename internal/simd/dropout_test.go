package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// All instruction sets give the same bits as dropoutGo.
func TestDropout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		x, key, limit := fenced(normals[float32](rng, n)), rng.Uint64(), rng.Uint32()
		want := make([]float32, n)
		dropoutGo(want, x.x, limit, 1.5, uint32(key), uint32(key>>32))
		for i, w := range want {
			if keep := hash(uint32(i), uint32(key), uint32(key>>32)) >= limit; w != where(keep, x.x[i]*1.5) {
				t.Errorf("element %d of %d = %g, kept %t", i, n, w, keep)
			}
		}
		dst := fenced(want)
		eachISA(t, func(name string) {
			Dropout(dst.x, x.x, Drop{limit, 1.5, key})
			for i, w := range want {
				if dst.x[i] != w {
					t.Errorf("%s, n=%d: element %d = %g, want %g", name, n, i, dst.x[i], w)
				}
			}
			dst.check(t, name)
		})
	}
}

// Flipping any bit of the number flips each bit of the hash with probability ½, within five standard deviations plus the
// known bias of the mixer.
func TestHashAvalanche(t *testing.T) {
	const n = 4096
	rng := rand.New(rand.NewPCG(3, 4))
	for bit := range 32 {
		var changes [32]float64
		for range n {
			i, first, second := rng.Uint32(), rng.Uint32(), rng.Uint32()
			for d, j := hash(i, first, second)^hash(i^1<<bit, first, second), 0; j < 32; j++ {
				changes[j] += float64(d >> j & 1)
			}
		}
		for j, c := range changes {
			if share := c / n; math.Abs(share-0.5) > 5*0.5/math.Sqrt(n)+0.01 {
				t.Errorf("flipping bit %d flips bit %d with probability %g", bit, j, share)
			}
		}
	}
}
