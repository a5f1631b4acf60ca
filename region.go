package invbo

import (
	"cmp"
	"fmt"
	"math"
)

// Region is TuRBO's trust region: a box around an anchor, doubled after enough good batches in a row
// and halved after enough bad ones (Eriksson et al. 2019, §2). Larger scores are better.
type Region struct {
	Length   float64 // side, as a share of the search box: the model's bounds, or ±4σ of the prior of z
	Best     float64 // best score of the data that it began with and of the batches since
	Restarts int     // how often the region collapsed and began anew

	opts      RegionOptions
	good, bad int // batches in a row that beat Best, or did not
}

// RegionOptions holds the constants of a Region. A zero field takes the value of Defaults.
type RegionOptions struct {
	Length, Min, Max float64 // side at first, at least, at most
	Grow, Shrink     int     // batches in a row before a change; Shrink in a bounded space is ⌈max(4, d)/q⌉, as TuRBO
}

// or returns o, with other's values where o has none.
func (o RegionOptions) or(other RegionOptions) RegionOptions {
	return RegionOptions{
		Length: cmp.Or(o.Length, other.Length), Min: cmp.Or(o.Min, other.Min), Max: cmp.Or(o.Max, other.Max),
		Grow: cmp.Or(o.Grow, other.Grow), Shrink: cmp.Or(o.Shrink, other.Shrink),
	}
}

// NewRegion returns the region to start with when the initial data's best score is best; NaN if they have none.
func NewRegion(best float64, opts RegionOptions) Region {
	opts = opts.or(Defaults().Region)
	return Region{Length: opts.Length, Best: best, opts: opts}
}

// check refuses constants that no region can have.
func (r Region) check() error {
	switch {
	case !(0 < r.opts.Min && r.opts.Min <= r.opts.Length && r.opts.Length <= r.opts.Max):
		return fmt.Errorf("trust region of side %g, from %g to %g: give a side between the two, all above 0", r.opts.Length, r.opts.Min, r.opts.Max)
	case r.opts.Grow < 0 || r.opts.Shrink < 0:
		return fmt.Errorf("trust region doubled after %d batches and halved after %d: neither may be negative", r.opts.Grow, r.opts.Shrink)
	}
	return nil
}

// Update returns the region after a batch. The batch is good if its best score beats Best by a
// thousandth of |Best|. NaNs are left out, and a batch without any score changes nothing: the
// decoder or the oracle is the cause, not the region.
func (r Region) Update(scores []float64) Region {
	top := math.Inf(-1)
	for _, y := range scores {
		if y > top {
			top = y
		}
	}
	if math.IsInf(top, -1) {
		return r
	}
	if math.IsNaN(r.Best) || top > r.Best+1e-3*math.Abs(r.Best) {
		r.good, r.bad = r.good+1, 0
	} else {
		r.good, r.bad = 0, r.bad+1
	}
	if !(r.Best >= top) { // written this way, it holds for the first score, too
		r.Best = top
	}
	switch {
	case r.good == r.opts.Grow:
		r.Length, r.good = min(2*r.Length, r.opts.Max), 0
	case r.bad == r.opts.Shrink:
		r.Length, r.bad = r.Length/2, 0
	}
	return r
}

// Widen returns the region twice as long: it was too small to leave the strings that are already known.
func (r Region) Widen() Region {
	r.Length, r.bad = min(2*r.Length, r.opts.Max), 0
	return r
}

// Collapsed reports whether the region is shorter than RegionOptions.Min.
func (r Region) Collapsed() bool { return r.Length < r.opts.Min }

// Restart returns the region at its first length. It succeeds only by beating best, the best score so far, as in the
// published code: that may have come from elsewhere than a batch.
func (r Region) Restart(best float64) Region {
	r.Best = max(r.Best, best)
	r.Length, r.good, r.bad, r.Restarts = r.opts.Length, 0, 0, r.Restarts+1
	return r
}
