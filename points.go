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
	input = x
	if o.problem.Translate != nil {
		if input, err = o.problem.Translate(x); err != nil {
			return "", unknown, err
		}
	}
	if i, ok := o.inputs[input]; ok {
		return input, i, nil
	}
	return input, unknown, nil
}

// aligned returns the share of the surrogate's points whose latent decodes to the string.
func (o *Optimizer) aligned() float64 {
	set := o.window()
	exact := 0
	for _, i := range set {
		if o.points[i].exact {
			exact++
		}
	}
	return float64(exact) / float64(max(1, len(set)))
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
	return spearman(predicted, scores)
}

// window returns the points that the surrogate is fitted to.
func (o *Optimizer) window() []int {
	limit := o.opts.Profile.Points
	if limit == 0 && o.status.Batch > 0 {
		return o.latestAndTop()
	}
	all := o.top(len(o.points))
	if limit == 0 || len(all) <= limit {
		slices.Sort(all)
		return all
	}
	// Half of them the best, half the latest of the others: the region's surroundings and what is new there.
	set := all[:limit/2]
	in := map[int]bool{}
	for _, i := range set {
		in[i] = true
	}
	for i := len(o.points) - 1; len(set) < limit; i-- {
		if !in[i] {
			set = append(set, i)
		}
	}
	slices.Sort(set)
	return set
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

// certify finds out which latents decode to their strings.
func (o *Optimizer) certify(ctx context.Context) error {
	all := make([]int, len(o.points))
	for i := range all {
		all[i] = i
	}
	x, z := o.columns(all)
	if m, ok := o.model.(vae.Inverter); ok {
		_, margin, err := m.Reconstruct(ctx, z, x, o.opts.Inversion.Loss, nil)
		if err != nil {
			return fmt.Errorf("certify: %w", err)
		}
		for i := range o.points {
			o.points[i].exact = margin[i] > 0
		}
		return nil
	}
	decoded, err := o.model.Decode(ctx, z)
	if err != nil {
		return fmt.Errorf("certify: %w", err)
	}
	for i := range o.points {
		o.points[i].exact = decoded[i] == x[i]
	}
	return nil
}
