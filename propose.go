package invbo

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo/vae"
)

// propose fits the surrogate, chooses an anchor and lets Thompson draws pick a batch around it (lines
// 10 to 12).
func (o *Optimizer) propose(ctx context.Context) error {
	clock := &o.status.Timing
	set := o.window()
	o.forget(set)
	x, z := o.columns(set)
	y := o.units(set)
	if o.status.Batch == 0 && o.opts.Method.Anchor != nil {
		o.region = NewRegion(o.larger(o.best.Score), o.opts.Region)
	}

	began := time.Now()
	if err := o.surrogate.Fit(ctx, Points{z, x, set}, y, o.stream("fit")); err != nil {
		return fmt.Errorf("fit the surrogate to %d points: %w", len(set), err)
	}
	since(&clock.Fit, began)

	began = time.Now()
	center, err := o.anchor(ctx, z, y)
	if err != nil {
		return fmt.Errorf("choose an anchor: %w", err)
	}
	since(&clock.Anchor, began)

	began = time.Now()
	n := o.candidateCount()
	rng := o.stream("candidates")
	var near [][]float64
	if center == nil && o.opts.Method.FromData {
		near = o.nearGood(n/2, z, y, rng)
	}
	cand, err := o.read(ctx, append(near, o.candidates(n-len(near), center, rng)...))
	if err != nil {
		return err
	}
	draws, err := o.surrogate.Sample(cand, o.opts.Batch, o.stream("thompson"))
	if err != nil {
		return fmt.Errorf("draw from the surrogate at %d candidates: %w", len(cand.Z), err)
	}
	since(&clock.Acquire, began)

	defer since(&clock.Decode, time.Now())
	o.status.Batch++
	o.batch = &batch{before: o.larger(o.best.Score)}
	if err := o.choose(ctx, cand, draws); err != nil { // it was none: the next Ask proposes anew
		o.status.Batch--
		o.batch, o.open = nil, nil
		return err
	}
	return nil
}

// anchor returns the centre of the next trust region, chosen among the k best of the surrogate's points;
// nil without a region.
func (o *Optimizer) anchor(ctx context.Context, z [][]float64, y []float64) ([]float64, error) {
	if o.opts.Method.Anchor == nil {
		return nil, nil
	}
	f := Field{Rand: o.stream("anchor")}
	for _, i := range best(y, o.opts.Top) {
		f.Z, f.Y = append(f.Z, z[i]), append(f.Y, y[i])
	}
	f.Potential = func() ([]float64, error) { return o.potential(ctx, f.Z) }
	i, err := o.opts.Method.Anchor(f)
	if err != nil {
		return nil, err
	}
	return f.Z[i], nil
}

// potential is Eq. 7 for each anchor of z (k, d): one function drawn from the posterior, its maximum
// over candidates in each anchor's region.
func (o *Optimizer) potential(ctx context.Context, z [][]float64) ([]float64, error) {
	rng := o.stream("potential")
	n := o.opts.Profile.AnchorCandidates
	if _, ok := o.surrogate.(Reader); ok {
		n = max(1, o.opts.Profile.ReadCandidates/len(z))
	}
	var cand [][]float64
	for _, center := range z {
		cand = append(cand, o.candidates(n, center, rng)...)
	}
	at, err := o.read(ctx, cand)
	if err != nil {
		return nil, err
	}
	f, err := o.surrogate.Sample(at, 1, rng)
	if err != nil {
		return nil, fmt.Errorf("draw from the surrogate at %d candidates: %w", len(cand), err)
	}
	a := make([]float64, len(z))
	for i := range a {
		a[i] = slices.Max(f[0][i*n : (i+1)*n])
	}
	return a, nil
}

// candidates returns n points of the trust region around center, or of the whole space if that is nil.
func (o *Optimizer) candidates(n int, center []float64, rng *rand.Rand) [][]float64 {
	bounds := bounds(o.model)
	if center == nil {
		z := zeros(n, o.model.Dim())
		for i := range z {
			for j := range z[i] {
				if bounds != nil {
					z[i][j] = bounds.lower[j] + rng.Float64()*(bounds.upper[j]-bounds.lower[j])
				} else {
					z[i][j] = rng.NormFloat64()
				}
			}
		}
		return z
	}
	var scales []float64
	if s, ok := o.surrogate.(anisotropic); ok {
		scales = evenVolume(s.Lengthscales())
	}
	return candidates(n, around(center, o.region.Length, bounds, scales), center, rng)
}

// candidateCount returns how many candidates a batch is picked from.
func (o *Optimizer) candidateCount() int {
	p := o.opts.Profile
	if _, ok := o.surrogate.(Reader); ok {
		return p.ReadCandidates
	}
	if bounds(o.model) != nil {
		return cmp.Or(p.LocalCandidates, p.Candidates)
	}
	return p.Candidates
}

// nearGood returns n points, each of a region of the first size around one of the best fifth of latents z with scores y.
func (o *Optimizer) nearGood(n int, z [][]float64, y []float64, rng *rand.Rand) [][]float64 {
	bounds, length := bounds(o.model), NewRegion(0, o.opts.Region).Length
	good := best(y, max(1, len(y)/5))
	var near [][]float64
	for range n {
		center := z[good[rng.IntN(len(good))]]
		near = append(near, candidates(1, around(center, length, bounds, nil), center, rng)...)
	}
	return near
}

// bounds returns the box that a model's latents lie in; nil if they are unbounded.
func bounds(m vae.Model) *box {
	b, ok := m.(interface {
		Bounds() (lower, upper []float64)
	})
	if !ok {
		return nil
	}
	lower, upper := b.Bounds()
	return &box{lower, upper}
}

// choose decodes the candidates that the draws rank highest, and asks for what each draw picks.
func (o *Optimizer) choose(ctx context.Context, cand Points, draws [][]float64) error {
	deepest := max(o.opts.Batch, o.opts.Profile.Depth)
	x := map[int]string{} // by candidate
	if cand.X != nil {
		deepest = len(cand.X)
		for i, s := range cand.X {
			x[i] = s
		}
	}
	rankings := make([][]int, len(draws))
	for k, f := range draws {
		rankings[k] = best(f, deepest)
	}
	// Decoding is dear, and the first few of each ranking mostly suffice.
	var picks []int
	for depth := min(o.opts.Batch, deepest); ; depth = min(2*depth, deepest) {
		if err := o.decode(ctx, cand.Z, rankings, depth, x); err != nil {
			return err
		}
		var err error
		if picks, err = o.pick(rankings, depth, x); err != nil {
			return err
		}
		if len(picks) == len(draws) || depth == deepest {
			break
		}
	}
	o.batch.picks = len(picks)
	var chosen Points
	for _, i := range picks {
		if x[i] != "" { // nothing costs nothing, and says nothing of the region
			chosen.Z, chosen.X = append(chosen.Z, cand.Z[i]), append(chosen.X, x[i])
		}
	}
	if len(chosen.X) == 0 {
		return nil
	}
	mu, _, err := o.surrogate.Predict(chosen)
	if err != nil {
		return fmt.Errorf("predict %d picks: %w", len(chosen.X), err)
	}
	for k, s := range chosen.X {
		input, known, err := o.lookup(s)
		switch {
		case err != nil:
			if err := o.refuse(s, Acquired, err); err != nil {
				return err
			}
		case known >= 0:
			o.batch.scores = append(o.batch.scores, o.points[known].y)
		case known == unknown && len(o.open) < o.Left() && !slices.ContainsFunc(o.open, func(p proposal) bool { return p.Input == input }):
			// Without a Depth, pick has not looked.
			if ok, err := o.problem.feasible(input); err != nil {
				return err
			} else if !ok {
				continue
			}
			o.batch.asked = true
			o.open = append(o.open, proposal{Proposal{s, input, Acquired}, chosen.Z[k], mu[k]})
		}
	}
	return nil
}

// read returns candidates as the surrogate wants them.
func (o *Optimizer) read(ctx context.Context, z [][]float64) (Points, error) {
	at := Points{Z: z}
	if _, ok := o.surrogate.(Reader); !ok {
		return at, nil
	}
	var err error
	if at.X, err = decode(ctx, o.model, z); err != nil {
		return at, fmt.Errorf("decode %d candidates: %w", len(z), err)
	}
	return at, nil
}

// decode adds to x what the first candidates of each ranking decode to.
func (o *Optimizer) decode(ctx context.Context, cand [][]float64, rankings [][]int, depth int, x map[int]string) error {
	var at []int
	var z [][]float64
	for _, ranking := range rankings {
		for _, i := range ranking[:min(depth, len(ranking))] {
			if _, ok := x[i]; !ok {
				x[i] = "" // named once
				at, z = append(at, i), append(z, cand[i])
			}
		}
	}
	if len(z) == 0 {
		return nil
	}
	decoded, err := decode(ctx, o.model, z)
	if err != nil {
		return fmt.Errorf("decode %d candidates: %w", len(z), err)
	}
	for k, i := range at {
		x[i] = decoded[k]
	}
	return nil
}

// pick lets each draw pick among the first candidates of its ranking. With a Profile of some Depth these
// must be feasible and new to the oracle, and what stands for nothing is put on record.
func (o *Optimizer) pick(rankings [][]int, depth int, x map[int]string) ([]int, error) {
	first := make([][]int, len(rankings))
	for k, ranking := range rankings {
		first[k] = ranking[:min(depth, len(ranking))]
	}
	picked := map[string]bool{} // by what the oracle reads
	var failed error
	picks := thompson(first, func(i int) bool {
		switch {
		case o.opts.Profile.Depth == 0 || failed != nil:
			return true
		case x[i] == "":
			return false
		}
		input, at, err := o.lookup(x[i])
		if err != nil {
			failed = o.refuse(x[i], Acquired, err)
			return false
		}
		if at != unknown || picked[input] {
			return false
		}
		if picked[input], failed = o.problem.feasible(input); failed != nil {
			return false
		}
		return picked[input]
	})
	return picks, failed
}
