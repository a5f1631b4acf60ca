package invbo

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// due reports whether the VAE is to be updated: the search has stalled, n_fail ≥ N_fail, or enough calls were made.
func (o *Optimizer) due() bool {
	f := o.opts.Method.Tuning
	if f == (FineTuning{}) {
		return false
	}
	return o.state.Fails >= o.opts.Patience || f.Every > 0 && o.calls-o.state.Tuned >= f.Every
}

// tune updates the VAE on D^t, the latest and the top k points (line 7 of the paper's "InvBO built on CoBO"), or
// on what else the method says.
func (o *Optimizer) tune(ctx context.Context, books study.Ledger) error {
	defer o.since("tune", time.Now())
	f, rng := o.opts.Method.Tuning, o.stream("tune")
	latest := o.latestAndTop()
	set := latest
	if f.Ranked {
		set = o.window()
	}
	var pseudo surrogate.Data
	weight := pseudoWeight(o.state.Updates)
	if f.Pseudo && weight > 0 {
		var err error
		if pseudo, err = o.pseudoLabels(ctx, books, rng); err != nil {
			return fmt.Errorf("label strings for an update of the VAE: %w", err)
		}
	}
	// Done first: an update that is interrupted has changed the decoder, too.
	for i := range o.points {
		o.points[i].Exact = false
		o.points[i].Stale = !o.opts.Method.Align.RecentOnly
	}
	for _, i := range latest {
		o.points[i].Stale = true
	}
	d := o.data(set)
	if err := f.tune(ctx, o.model.(vae.Tunable), o.surrogate, d, pseudo, weight, rng); err != nil {
		return fmt.Errorf("update the VAE on %d points: %w", len(set), err)
	}
	o.state.Fails, o.state.Tuned = 0, o.calls
	o.state.Updates++
	return nil
}

// align gives latents to the surrogate's points that have none or whose decoder has changed (lines 1 and 8). It
// returns strings whose scores the alignment needs.
func (o *Optimizer) align(ctx context.Context, books study.Ledger) ([]study.Proposal, error) {
	defer o.since("align", time.Now())
	set := o.unaligned()
	x, z := o.columns(set)
	aligned, err := o.opts.Method.Align.Latents(ctx, Unaligned{
		Model: o.model, X: x, Z: z, Inversion: o.opts.Inversion, Rand: o.stream("align"),
		Known: func(x string) bool { return books.Lookup(x).State == study.Scored },
	})
	if err != nil {
		return nil, fmt.Errorf("align %d points: %w", len(set), err)
	}
	for _, i := range set {
		o.points[i].Stale = true // until all is done: an alignment that is interrupted is done again
	}
	p := o.picker(books, study.Recentered)
	for _, a := range aligned {
		e := books.Lookup(a.X)
		if i, ok := o.index[e.ID]; ok && e.State == study.Scored {
			o.points[i].x, o.points[i].Z = a.X, a.Z // perhaps another string for the same input; the latent belongs to the string
			continue
		}
		if _, err := p.add(a.X, a.Z); err != nil {
			return nil, err
		}
	}
	for _, i := range set {
		if p := o.points[i]; p.Z == nil {
			return nil, fmt.Errorf("align: the alignment returned no latent for %q", p.x)
		}
	}
	if err := o.certify(ctx); err != nil {
		return nil, err
	}
	for _, i := range set {
		o.points[i].Stale = false
	}
	return p.proposals(), nil
}

// acquire fits the surrogate, chooses an anchor and lets Thompson draws pick a batch of n around it (lines 10 to 12).
func (o *Optimizer) acquire(ctx context.Context, books study.Ledger, n int) ([]study.Proposal, error) {
	set := o.window()
	o.forget(set)
	d := o.data(set)
	if o.state.Begun == 0 && o.opts.Method.Anchor.Choose != nil {
		o.state.Region = NewRegion(o.best, o.opts.Region)
	}

	began := time.Now()
	if err := o.surrogate.Fit(ctx, d, o.stream("fit")); err != nil {
		return nil, fmt.Errorf("fit the surrogate to %d points: %w", len(set), err)
	}
	began = o.since("fit", began)

	from := Source{Model: o.model, Data: d, Length: o.state.Region.Length}
	if s, ok := o.surrogate.(surrogate.Anisotropic); ok {
		from.Lengthscales = s.Lengthscales()
	}
	var err error
	if from.Center, err = o.anchor(ctx, from); err != nil {
		return nil, fmt.Errorf("choose an anchor: %w", err)
	}
	began = o.since("anchor", began)

	if from.Center == nil {
		from.Length = NewRegion(o.best, o.opts.Region).Length
	}
	b := &batch{Before: o.best, Wanted: n}
	var cand surrogate.Points
	if cand.Z, err = o.opts.Method.generator()(ctx, o.candidateCount(), from, o.stream("candidates")); err != nil {
		return nil, fmt.Errorf("generate candidates: %w", err)
	}
	if err := o.read(ctx, &cand); err != nil {
		return nil, err
	}
	draws, err := o.surrogate.Sample(n, o.stream("thompson"))(ctx, cand)
	if err != nil {
		return nil, fmt.Errorf("draw from the surrogate at %d candidates: %w", len(cand.Z), err)
	}
	began = o.since("acquire", began)

	defer o.since("decode", began)
	chosen, err := o.choose(ctx, books, cand, draws, b)
	if err != nil {
		return nil, err
	}
	o.state.Begun++
	if b.Left = len(chosen); b.Left == 0 {
		o.end(b)
	} else {
		o.state.Open[books.Batch()] = b
	}
	return chosen, nil
}

// anchor returns the center of the next trust region, chosen among the k best of the surrogate's points;
// nil without a region.
func (o *Optimizer) anchor(ctx context.Context, from Source) ([]float64, error) {
	if o.opts.Method.Anchor.Choose == nil {
		return nil, nil
	}
	f := Field{Rand: o.stream("anchor")}
	top := stats.TopK(from.Data.Y, o.opts.Top)
	if best := slices.DeleteFunc(slices.Clone(top), func(i int) bool { return o.points[from.Data.ID[i]].below }); len(best) > 0 {
		top = best
	}
	for _, i := range top {
		f.Z, f.Y = append(f.Z, from.Data.Z[i]), append(f.Y, o.points[from.Data.ID[i]].y)
	}
	f.Potential = func() ([]float64, error) { return o.potential(ctx, f.Z, from) }
	i, err := o.opts.Method.Anchor.Choose(f)
	if err != nil {
		return nil, err
	}
	if i < 0 || i >= len(f.Z) {
		return nil, fmt.Errorf("the anchor of method %s is point %d of %d; Choose returns an index of Field.Z", o.opts.Method.Name, i, len(f.Z))
	}
	return f.Z[i], nil
}

// potential is Eq. 7 for each anchor of z (k, d): one function drawn from the posterior, its maximum
// over candidates in each anchor's region.
func (o *Optimizer) potential(ctx context.Context, z [][]float64, from Source) ([]float64, error) {
	rng := o.stream("potential")
	n := o.opts.Profile.AnchorCandidates
	if _, ok := o.surrogate.(surrogate.StringSurrogate); ok {
		n = max(1, o.opts.Profile.StringCandidates/len(z))
	}
	var all surrogate.Points
	ends := make([]int, len(z)) // of each region's candidates
	for i, center := range z {
		from.Center = center
		cand, err := o.opts.Method.generator()(ctx, n, from, rng)
		if err != nil {
			return nil, fmt.Errorf("generate candidates: %w", err)
		}
		all.Z = append(all.Z, cand...)
		ends[i] = len(all.Z)
	}
	if err := o.read(ctx, &all); err != nil {
		return nil, err
	}
	f, err := o.surrogate.Sample(1, rng)(ctx, all)
	if err != nil {
		return nil, fmt.Errorf("draw from the surrogate at %d candidates: %w", len(all.Z), err)
	}
	a := make([]float64, len(z))
	begin := 0
	for i, end := range ends {
		a[i] = slices.Max(f[0][begin:end])
		begin = end
	}
	return a, nil
}

// candidateCount returns how many candidates a batch is picked from.
func (o *Optimizer) candidateCount() int {
	p := o.opts.Profile
	if _, ok := o.surrogate.(surrogate.StringSurrogate); ok {
		return p.StringCandidates
	}
	if _, _, bounded := vae.Bounds(o.model); bounded && p.LocalCandidates > 0 {
		return p.LocalCandidates
	}
	return p.Candidates
}

// read decodes points for a surrogate that looks at strings.
func (o *Optimizer) read(ctx context.Context, at *surrogate.Points) error {
	if _, ok := o.surrogate.(surrogate.StringSurrogate); !ok {
		return nil
	}
	var err error
	if at.X, err = decode(ctx, o.model, at.Z); err != nil {
		return fmt.Errorf("decode %d candidates: %w", len(at.Z), err)
	}
	return nil
}

// choose decodes the candidates that the draws rank highest, and returns what each draw picks.
func (o *Optimizer) choose(ctx context.Context, books study.Ledger, cand surrogate.Points, draws [][]float64, b *batch) ([]study.Proposal, error) {
	deepest := max(b.Wanted, o.opts.Profile.Depth)
	x := map[int]string{} // by candidate
	if cand.X != nil {
		deepest = len(cand.X)
		for i, s := range cand.X {
			x[i] = s
		}
	}
	rankings := make([][]int, len(draws))
	for k, f := range draws {
		rankings[k] = stats.TopK(f, deepest)
	}
	// Decoding is slow, and the first few of each ranking mostly suffice.
	p := o.picker(books, study.Acquired)
	var picks []int
	for depth := min(b.Wanted, deepest); ; depth = min(2*depth, deepest) {
		if err := o.decode(ctx, cand.Z, rankings, depth, x); err != nil {
			return nil, err
		}
		var err error
		if picks, err = o.pick(p, rankings, depth, x); err != nil {
			return nil, err
		}
		if len(picks) == len(draws) || depth == deepest {
			break
		}
	}
	b.Picks = len(picks)
	var chosen surrogate.Points
	for _, i := range picks {
		if x[i] != "" { // empty decodings are skipped: they cost no call and do not count for the region
			chosen.Z, chosen.X = append(chosen.Z, cand.Z[i]), append(chosen.X, x[i])
		}
	}
	if len(chosen.X) == 0 {
		return p.proposals(), nil
	}
	mu, sigma2, err := o.surrogate.Predict(ctx, chosen)
	if err != nil {
		return nil, fmt.Errorf("predict %d picks: %w", len(chosen.X), err)
	}
	scale := o.scale()
	for k, s := range chosen.X {
		if known := books.Lookup(s); known.State == study.Scored {
			if known.ValueBound() != study.Below {
				b.Scores = append(b.Scores, known.Value)
			}
			continue
		}
		added, err := p.add(s, chosen.Z[k])
		if err != nil {
			return nil, err
		}
		if added != nil {
			added.Mean, added.SD = scale.Inverse(mu[k], math.Sqrt(sigma2[k]))
		}
	}
	return p.proposals(), nil
}

// decode adds to x what the first candidates of each ranking decode to.
func (o *Optimizer) decode(ctx context.Context, cand [][]float64, rankings [][]int, depth int, x map[int]string) error {
	var at []int
	var z [][]float64
	for _, ranking := range rankings {
		for _, i := range ranking[:min(depth, len(ranking))] {
			if _, ok := x[i]; !ok {
				x[i] = "" // listed once
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

// pick lets each draw of the surrogate's function, in turn, pick the first candidate of its ranking that no earlier draw
// has picked; fewer than there are draws if a ranking holds none. With a Profile of some Depth the candidate must be
// feasible and new to the study, and invalid ones are recorded.
func (o *Optimizer) pick(p *picker, rankings [][]int, depth int, x map[int]string) ([]int, error) {
	var picks []int
	inputs := map[string]bool{} // of the picks
	for _, ranking := range rankings {
		for _, i := range ranking[:min(depth, len(ranking))] {
			ok := !slices.Contains(picks, i)
			if ok && o.opts.Profile.Depth > 0 {
				var err error
				if ok, err = p.fresh(x[i], inputs); err != nil {
					return nil, err
				}
			}
			if ok {
				picks = append(picks, i)
				break
			}
		}
	}
	return picks, nil
}

// picker collects the proposals of a batch or an alignment: each input once, and no more than may be asked for.
type picker struct {
	books   study.Ledger
	like    study.Proposal // what they have in common
	most    int
	invalid []study.Proposal // the study records them first
	valid   []study.Proposal
	inputs  map[string]bool
}

func (o *Optimizer) picker(books study.Ledger, kind study.Kind) *picker {
	return &picker{
		books: books, most: books.Left(), inputs: map[string]bool{},
		like: study.Proposal{Kind: kind, Mean: math.NaN(), SD: math.NaN(), Model: o.state.Updates},
	}
}

// fresh reports whether x is feasible, new to the study and none of some inputs, to which it is then added. A string that
// translates to nothing is collected, once, to be recorded.
func (p *picker) fresh(x string, inputs map[string]bool) (bool, error) {
	if x == "" {
		return false, nil
	}
	known := p.books.Lookup(x)
	if known.State == study.Invalid && known.ID == 0 && !slices.ContainsFunc(p.invalid, func(q study.Proposal) bool { return q.X == x }) {
		q := p.like
		q.X = x
		p.invalid = append(p.invalid, q)
	}
	if !known.State.Open() || inputs[known.Input] {
		return false, nil
	}
	ok, err := p.books.Feasible(known.Input)
	inputs[known.Input] = ok
	return ok, err
}

// add collects x with its latent; it returns nil if x cannot be proposed.
func (p *picker) add(x string, z []float64) (*study.Proposal, error) {
	if ok, err := p.fresh(x, p.inputs); err != nil || !ok || len(p.valid) == p.most {
		return nil, err
	}
	q := p.like
	q.X, q.Latent = x, z
	p.valid = append(p.valid, q)
	return &p.valid[len(p.valid)-1], nil
}

func (p *picker) proposals() []study.Proposal { return slices.Concat(p.invalid, p.valid) }
