package invbo_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo"
)

func TestRegion(t *testing.T) {
	nan := math.NaN()
	rising := func(n int) (batches [][]float64) {
		for i := range n {
			batches = append(batches, []float64{float64(i + 1)})
		}
		return batches
	}
	tests := []struct {
		name    string
		opts    invbo.RegionOptions
		batches [][]float64
		want    float64 // Length after them
	}{
		{"ten good batches double", invbo.RegionOptions{Length: 0.3}, rising(10), 0.6},
		{"nine do not", invbo.RegionOptions{Length: 0.3}, rising(9), 0.3},
		{"and then it takes ten more", invbo.RegionOptions{Length: 0.3}, rising(19), 0.6},
		{"up to 1.6", invbo.RegionOptions{}, rising(20), 1.6},
		{"or what is the most", invbo.RegionOptions{Max: 1}, rising(10), 1},
		{"four bad ones halve", invbo.RegionOptions{}, [][]float64{{-1}, {0}, {-1, -2}, {-1}}, 0.4},
		{"a NaN is left out", invbo.RegionOptions{}, [][]float64{{nan, -1}, {-1}, {-1}, {-1}}, 0.4},
		{"no score at all changes nothing", invbo.RegionOptions{}, [][]float64{{}, {nan}, {}, {}}, 0.8},
		{"a good one between them begins anew", invbo.RegionOptions{}, [][]float64{{-1}, {-1}, {-1}, {1}, {-1}}, 0.8},
		{"and so does a bad one", invbo.RegionOptions{Grow: 2}, [][]float64{{1}, {-1}, {2}}, 0.8},
		{"the best of a batch counts", invbo.RegionOptions{Grow: 1}, [][]float64{{-1, 1, nan, -2}}, 1.6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := invbo.NewRegion(0, tt.opts)
			for _, y := range tt.batches {
				r = r.Update(y)
			}
			if r.Length != tt.want {
				t.Errorf("Length = %g, want %g", r.Length, tt.want)
			}
		})
	}
}

// A good batch beats the best by more than a thousandth of its magnitude.
func TestAGoodBatch(t *testing.T) {
	if r := invbo.NewRegion(math.NaN(), invbo.RegionOptions{Grow: 1}).Update([]float64{-5}); r.Length != 1.6 || r.Best != -5 {
		t.Errorf("the first score is no success: %+v", r)
	}
	for _, test := range []struct {
		best, y, want float64 // Length
	}{{10, 10.02, 1.6}, {10, 10.005, 0.8}, {-10, -9.98, 1.6}, {-10, -9.995, 0.8}, {0, 1e-9, 1.6}, {0, 0, 0.8}, {1000, 1001, 0.8}} {
		r := invbo.NewRegion(test.best, invbo.RegionOptions{Grow: 1}).Update([]float64{test.y})
		if r.Length != test.want || r.Best != max(test.best, test.y) {
			t.Errorf("%g after %g: %+v, want side %g", test.y, test.best, r, test.want)
		}
	}
}

func TestRestart(t *testing.T) {
	r := invbo.NewRegion(0, invbo.RegionOptions{Min: 0.4, Shrink: 1}).Update([]float64{-1})
	if r.Collapsed() {
		t.Errorf("a region of side %g, which is the least, has collapsed", r.Length)
	}
	if r = r.Update([]float64{-1}); !r.Collapsed() {
		t.Errorf("a region of side %g below 0.4 has not collapsed", r.Length)
	}
	if r = r.Restart(3); r.Length != 0.8 || r.Restarts != 1 || r.Collapsed() || r.Best != 3 {
		t.Errorf("restarted region = %+v, want the first side, and 3 to beat", r)
	}
	if r = r.Restart(2); r.Best != 3 || r.Restarts != 2 {
		t.Errorf("restarted region = %+v, want 3 to beat", r)
	}
}

// A wider region, and one that is restarted, count anew.
func TestWidenAndRestartCountAnew(t *testing.T) {
	bad, good := []float64{-1}, []float64{9}
	opts := invbo.RegionOptions{Length: 0.2, Shrink: 2, Grow: 2}
	if r := invbo.NewRegion(0, opts).Update(bad).Widen().Update(bad); r.Length != 0.4 {
		t.Errorf("side %g after a bad batch, widening and a bad batch, want 0.4", r.Length)
	}
	if r := invbo.NewRegion(0, opts).Update(bad).Restart(0).Update(bad); r.Length != 0.2 {
		t.Errorf("side %g after a bad batch, restart and a bad batch, want 0.2", r.Length)
	}
	if r := invbo.NewRegion(0, opts).Update(good).Restart(0).Update([]float64{99}); r.Length != 0.2 {
		t.Errorf("side %g after a good batch, restart and a good batch, want 0.2", r.Length)
	}
	if r := invbo.NewRegion(0, invbo.RegionOptions{Length: 0.2, Max: 0.3}).Widen(); r.Length != 0.3 {
		t.Errorf("side %g, want 0.3 at most", r.Length)
	}
}
