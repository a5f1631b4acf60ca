package invbo

import (
	"context"
	"fmt"
	"slices"

	"github.com/invbo/invbo/vae"
)

// point is a scored string with its latent.
type point struct {
	x     string
	input string    // what the oracle reads
	y     float64   // larger is better
	z     []float64 // nil: not yet aligned
	exact bool      // z decodes to x
	miss  float64   // distance of x from what z decodes to; 0 if exact
	stale bool      // the decoder has changed since z was found
}

// What lookup returns of strings that are no point.
const (
	refused = -1 // it has no score: nothing to score, or the oracle failed
	unknown = -2
)

// lookup returns what the oracle reads for a string of the model, and the point that holds its score. The
// error says why the string stands for nothing.
func (o *Optimizer) lookup(x string) (input string, at int, err error) {
	if i, ok := o.index[x]; ok {
		if i == refused {
			return "", refused, nil
		}
		return o.points[i].input, i, nil
	}
	if input, err = o.problem.translate(x); err != nil {
		return "", unknown, err
	}
	if i, ok := o.inputs[input]; ok {
		return input, i, nil
	}
	return input, unknown, nil
}

// known says that a string has a score.
func (o *Optimizer) known(x string) bool {
	_, at, err := o.lookup(x)
	return err == nil && at >= 0
}

// alignment returns the share of the surrogate's points whose latent decodes to the string, and the mean
// distance of strings from what their latents decode to, among those that need no alignment.
func (o *Optimizer) alignment() (aligned, dissimilarity float64) {
	n := 0.0
	for _, i := range o.window() {
		p := o.points[i]
		if p.z == nil || p.stale {
			continue
		}
		if p.exact {
			aligned++
		}
		dissimilarity += p.miss
		n++
	}
	return aligned / n, dissimilarity / n // NaN where there are none
}

// rankingWindow is how many of the latest proposals Status.Ranking looks at.
const rankingWindow = 50

// ranking returns Spearman's correlation of predictions and scores over the latest proposals.
func (o *Optimizer) ranking() float64 {
	latest := o.ranked[max(0, len(o.ranked)-rankingWindow):]
	predicted, scores := make([]float64, len(latest)), make([]float64, len(latest))
	for i, r := range latest {
		predicted[i], scores[i] = r[0], r[1]
	}
	return Spearman(predicted, scores)
}

// window returns the points that the surrogate is fitted to.
func (o *Optimizer) window() []int {
	limit := o.opts.Profile.Points
	if bounds(o.model) != nil {
		limit = o.opts.Profile.LocalPoints
	}
	if limit == 0 && o.status.Batch > 0 {
		return o.latestAndTop()
	}
	all := o.top(len(o.points))
	if limit == 0 || len(all) <= limit {
		slices.Sort(all)
		return all
	}
	// The best, all that anchors and updates want among them, and then the latest: the region's
	// surroundings and what is new there.
	set := all[:min(len(all), max(limit/2, o.opts.Top))]
	in := map[int]bool{}
	for _, i := range set {
		in[i] = true
	}
	most := min(len(all), len(set)+max(limit/2, o.opts.Batch))
	for i := len(o.points) - 1; len(set) < most; i-- {
		if !in[i] {
			set = append(set, i)
		}
	}
	slices.Sort(set)
	return set
}

// forget drops the latents of all points but a set, so that long runs take memory for strings and scores only.
// One that the surrogate sees again later, which is rare, is aligned anew.
func (o *Optimizer) forget(set []int) {
	seen := make([]bool, len(o.points))
	for _, i := range set {
		seen[i] = true
	}
	for i := range o.points {
		if !seen[i] {
			o.points[i].z = nil
		}
	}
}

// latestAndTop returns D^t, the latest N_q and the top k points, each once.
func (o *Optimizer) latestAndTop() []int {
	var set []int
	for i := max(0, len(o.points)-o.opts.Batch); i < len(o.points); i++ {
		set = append(set, i)
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
	y := make([]float64, len(o.points))
	for i, p := range o.points {
		y[i] = p.y
	}
	return best(y, k)
}

func (o *Optimizer) columns(set []int) (x []string, z [][]float64) {
	for _, i := range set {
		x, z = append(x, o.points[i].x), append(z, o.points[i].z)
	}
	return x, z
}

// units returns the scores of a set of points as the surrogate sees them: transformed among all points
// that it is fitted to.
func (o *Optimizer) units(set []int) []float64 {
	window := o.window()
	y := make([]float64, len(window))
	for k, i := range window {
		y[k] = o.points[i].y
	}
	of := map[int]float64{}
	for k, u := range o.opts.Profile.Transform(y) {
		of[window[k]] = u
	}
	units := make([]float64, len(set))
	for k, i := range set {
		units[k] = of[i]
	}
	return units
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
			o.points[i].exact, o.points[i].miss = margin[k] > 0, 0
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
		p.exact, p.miss = decoded[k] == x[k], distance(x[k], decoded[k])
	}
	return nil
}
