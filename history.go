package invbo

import (
	"context"
	"fmt"
	"slices"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// point is a scored string with its latent.
type point struct {
	x        string
	y        float64 // larger is better; a bound is taken for the value
	below    bool    // y is a bound from above, and the point never the best
	variance float64 // known variance of y; 0 if nothing is known
	gone     bool    // its score was corrected to a failure
	latent
}

// latent is that of a point, also in snapshots.
type latent struct {
	Z            []float64 // nil: not yet aligned
	Exact, Stale bool      // Z decodes to the string; the decoder has changed since Z was found
	Miss         float64   // distance of the string from what Z decodes to; 0 if exact
}

// alignment returns the share of the surrogate's points whose latent decodes to the string, and the mean
// distance of strings from what their latents decode to, among those that need no alignment.
func (o *Optimizer) alignment() (aligned, dissimilarity float64) {
	n := 0.0
	for _, i := range o.window() {
		p := o.points[i]
		if p.Z == nil || p.Stale {
			continue
		}
		if p.Exact {
			aligned++
		}
		dissimilarity += p.Miss
		n++
	}
	return aligned / n, dissimilarity / n // NaN where there are none
}

// window returns the points that the surrogate is fitted to.
func (o *Optimizer) window() []int {
	limit := o.opts.Profile.Points
	if _, _, bounded := vae.Bounds(o.model); bounded {
		limit = o.opts.Profile.LocalPoints
	}
	if limit == 0 && o.state.Begun > 0 {
		return o.latestAndTop()
	}
	all := o.top(len(o.points))
	if limit == 0 || len(all) <= limit {
		slices.Sort(all)
		return all
	}
	// The best, with all that anchors and updates use, and then the latest: the region's surroundings
	// and what is new there.
	best := all[:min(len(all), max(limit/2, o.opts.Top))]
	set := slices.Clone(best)
	most := min(len(all), len(set)+max(limit/2, o.opts.Batch))
	for i := len(o.points) - 1; len(set) < most; i-- {
		if !o.points[i].gone && !slices.Contains(best, i) {
			set = append(set, i)
		}
	}
	slices.Sort(set)
	return set
}

// forget drops the latents of all points but a set, so that long runs take memory for strings and scores only.
// A point that the surrogate sees again later, which is rare, is aligned again.
func (o *Optimizer) forget(set []int) {
	seen := make([]bool, len(o.points))
	for _, i := range set {
		seen[i] = true
	}
	for i := range o.points {
		if !seen[i] {
			o.points[i].Z = nil
		}
	}
}

// latestAndTop returns D^t, the latest N_q and the top k points, each once.
func (o *Optimizer) latestAndTop() []int {
	var set []int
	for i := max(0, len(o.points)-o.opts.Batch); i < len(o.points); i++ {
		if !o.points[i].gone {
			set = append(set, i)
		}
	}
	for _, i := range o.top(o.opts.Top) {
		if i < len(o.points)-o.opts.Batch {
			set = append(set, i)
		}
	}
	return set
}

// top returns the k best points, best first; earlier ones first among equals.
func (o *Optimizer) top(k int) []int {
	return slices.DeleteFunc(stats.TopK(o.values(stats.Indices(len(o.points))), k), func(i int) bool { return o.points[i].gone })
}

// values returns the scores of a set of points.
func (o *Optimizer) values(set []int) []float64 {
	y := make([]float64, len(set))
	for k, i := range set {
		y[k] = o.points[i].y
	}
	return y
}

func (o *Optimizer) columns(set []int) (x []string, z [][]float64) {
	for _, i := range set {
		x, z = append(x, o.points[i].x), append(z, o.points[i].Z)
	}
	return x, z
}

// data returns a set of points as the surrogate sees them: their scores are transformed among all that it is fitted to.
func (o *Optimizer) data(set []int) surrogate.Data {
	d := surrogate.Data{ID: set}
	d.X, d.Z = o.columns(set)
	scale := o.scale()
	d.Y = scale.Apply(o.values(set))
	variance := make([]float64, len(set))
	for k, i := range set {
		if variance[k] = scale.Variance(o.points[i].variance); variance[k] > 0 {
			d.Variance = variance
		}
	}
	return d
}

// scale returns the transform of scores that the surrogate's points define.
func (o *Optimizer) scale() gp.Scale {
	return o.opts.Profile.Transform.Fit(o.values(o.window()))
}

// decode returns what latents decode to, and "" where m could not read that again: what has been scored must have a latent.
func decode(ctx context.Context, m vae.Model, z [][]float64) ([]string, error) {
	x, err := m.Decode(ctx, z)
	for i, s := range x {
		if s != "" && m.Check(s) != nil {
			x[i] = ""
		}
	}
	return x, err
}

// certify finds out which latents of the surrogate's points decode to their strings, and how far from
// them the others come.
func (o *Optimizer) certify(ctx context.Context) error {
	set := o.window()
	x, z := o.columns(set)
	if m, ok := o.model.(vae.Inverter); ok {
		_, margin, err := m.Reconstruct(ctx, z, x, o.opts.Inversion.Loss, nil)
		if err != nil {
			return fmt.Errorf("certify: %w", err)
		}
		var off []int
		for k, i := range set {
			o.points[i].Exact, o.points[i].Miss = margin[k] > 0, 0
			if margin[k] <= 0 {
				off = append(off, i)
			}
		}
		if set = off; len(set) == 0 {
			return nil
		}
		x, z = o.columns(set)
	}
	decoded, err := o.model.Decode(ctx, z)
	if err != nil {
		return fmt.Errorf("certify: %w", err)
	}
	distance := TokenDistance(o.model)
	for k, i := range set {
		p := &o.points[i]
		p.Exact, p.Miss = decoded[k] == x[k], distance(x[k], decoded[k])
	}
	return nil
}

// TokenDistance returns the Levenshtein distance of strings of m over its tokens, from 0 to 1: the paper's
// dissimilarity.
func TokenDistance(m vae.Model) func(a, b string) float64 {
	split := vae.Tokens(m)
	return func(a, b string) float64 { return stats.Levenshtein(split(a), split(b)) }
}

// squaredDistance is ‖a − b‖².
func squaredDistance(a, b []float64) float64 {
	var sum float64
	for k := range a {
		sum += (a[k] - b[k]) * (a[k] - b[k])
	}
	return sum
}

// unaligned returns the surrogate's points that have no latent, or whose decoder has changed.
func (o *Optimizer) unaligned() []int {
	return slices.DeleteFunc(o.window(), func(i int) bool { return o.points[i].Z != nil && !o.points[i].Stale })
}
