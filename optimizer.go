// Package invbo finds strings that score well under an expensive black box, by Bayesian optimization in
// the latent space of a VAE.
//
// The package is the paper (Chu et al. 2024, "Inversion-based Latent Bayesian Optimization"): align.go is Algorithm 1,
// anchor.go Algorithm 2, method.go the methods as compositions of slots. An Optimizer is the study.Searcher of such a
// method; package study counts calls and keeps trials. Start reading at Optimizer.Propose.
package invbo

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// Options holds what a search may vary. A zero field takes the value of Defaults, or the one in the comment.
type Options struct {
	Method    Method             // CoBO with InvBO
	Profile   Profile            // Fitted
	Features  surrogate.Features // of strings, for a surrogate on structure; runs of one to four tokens
	Batch     int                // N_q, strings that the study asks for at a time
	Top       int                // k, best points that anchors are chosen from and the VAE is updated on
	Patience  int                // N_fail, batches without a new best before the VAE is updated
	Inversion InversionOptions
	Region    RegionOptions // the method's, and then that of Defaults
	Seed      uint64        // the same seed and answers give the same search
}

// Defaults returns the values of zero fields: the paper's, and those of the published InvBO for the region.
func Defaults() Options {
	return Options{
		Profile: Fitted(), Batch: 5, Top: 10, Patience: 10,
		Inversion: InversionOptions{Rate: 0.1, Iterations: 1000},
		Region:    RegionOptions{Length: 0.8, Min: 0x1p-7, Max: 1.6, Grow: 10, Shrink: 4},
	}
}

// Optimizer is a searcher of a latent space. It is not safe for concurrent use.
type Optimizer struct {
	opts      Options
	model     vae.Model
	surrogate surrogate.Surrogate
	state     state

	points []point                      // scored strings, in the order in which they were observed
	index  map[int]int                  // of points, by trial
	best   float64                      // greatest value so far; NaN before the first
	trials int                          // observed
	reason string                       // why the latest string without a score has none
	calls  int                          // observed proposals
	kept   struct{ updates, begun int } // at the latest snapshot
	timing map[string]time.Duration     // spent so far, by phase
}

// batch is an acquisition, also in snapshots.
type batch struct {
	Scores []float64 // of all its strings, known ones included
	Before float64   // greatest value before it
	Picks  int       // candidates picked
	Wanted int       // candidates that were to be picked
	Left   int       // proposals that have not been observed
}

// New returns an Optimizer over the latent space of a model. The model is not called yet, and not changed:
// a method that updates its VAE works on a copy.
func New(m vae.Model, opts Options) (*Optimizer, error) {
	if opts.Batch < 0 || opts.Top < 0 || opts.Patience < 0 {
		return nil, fmt.Errorf("invbo: batch %d, top %d and patience %d must not be negative", opts.Batch, opts.Top, opts.Patience)
	}
	if m == nil {
		return nil, fmt.Errorf("invbo: New needs a model")
	}
	if reflect.ValueOf(opts.Method).IsZero() {
		var err error
		if opts.Method, err = MethodNamed("cobo+invbo"); err != nil {
			return nil, err
		}
	}
	if opts.Method.Align.Latents == nil {
		return nil, fmt.Errorf("invbo: method %q gives strings no latents; set its Align, to Inversion for one", opts.Method.Name)
	}
	if reflect.ValueOf(opts.Profile).IsZero() {
		opts.Profile = Fitted()
	}
	defaults := Defaults()
	opts.Batch = cmp.Or(opts.Batch, defaults.Batch)
	opts.Top = cmp.Or(opts.Top, defaults.Top)
	opts.Patience = cmp.Or(opts.Patience, defaults.Patience)
	opts.Region = opts.Region.or(opts.Method.Region)
	if _, _, bounded := vae.Bounds(m); bounded { // TuRBO's own patience, which the latent methods changed
		opts.Region.Shrink = cmp.Or(opts.Region.Shrink, (max(4, m.Dim())+opts.Batch-1)/opts.Batch)
	}
	if err := cmp.Or(opts.Profile.check(), opts.Inversion.check(), NewRegion(0, opts.Region).check()); err != nil {
		return nil, fmt.Errorf("invbo: %w", err)
	}
	o := &Optimizer{opts: opts, model: m, index: map[int]int{}, best: math.NaN(), timing: map[string]time.Duration{}}
	o.state.Open = map[int]*batch{}
	if t := opts.Method.Tuning; !(t.Rate >= 0 && t.Passes >= 0) {
		return nil, fmt.Errorf("invbo: updates of the VAE at rate %g with %d passes: neither may be negative", t.Rate, t.Passes)
	}
	if opts.Method.Tuning != (FineTuning{}) {
		tunable, ok := m.(vae.Tunable)
		if !ok {
			return nil, fmt.Errorf("invbo: method %s updates its model, and this one (%T) has nothing to update; take turbo", opts.Method.Name, m)
		}
		o.model = tunable.Clone()
	}
	o.surrogate = opts.Method.NewSurrogate(o.model, opts.Features)
	if _, ok := o.surrogate.(surrogate.Trainable); !ok && (opts.Method.Tuning.Surrogate != 0 || opts.Method.Tuning.Guidance != 0) {
		return nil, fmt.Errorf("invbo: method %s trains its surrogate with the VAE, and this one (%T) is not Trainable; set Tuning.Surrogate and Tuning.Guidance to 0", opts.Method.Name, o.surrogate)
	}
	if n := o.candidateCount(); opts.Batch > n {
		return nil, fmt.Errorf("invbo: batches of %d strings from %d candidates: give a smaller batch, or a profile with more candidates", opts.Batch, n)
	}
	return o, nil
}

// Check returns nil if the model can encode x.
func (o *Optimizer) Check(x string) error { return o.model.Check(x) }

// Model returns the search's model: the one it was given, or a copy with all updates so far.
func (o *Optimizer) Model() vae.Model { return o.model }

// Propose returns the next batch of at most n strings, or, after an update of the VAE, the strings whose
// scores an alignment needs (lines 3 to 12 of the paper's "InvBO built on CoBO").
//
// What is pending needs no other treatment than to be left out: a Thompson draw from the posterior is a draw
// given the pending scores, averaged over what these may be (Kandasamy et al. 2018).
func (o *Optimizer) Propose(ctx context.Context, books study.Ledger, n int) (wanted []study.Proposal, err error) {
	if scored := len(o.top(len(o.points))); scored < 2 {
		return nil, fmt.Errorf("invbo: %w (%d of %d), and the surrogate needs 2%s", study.ErrNoScore, scored, o.trials, o.reason)
	}
	if o.state.First == 0 {
		o.state.First = books.Batch()
	}
	step := o.state.Step
	defer func() {
		if err != nil {
			o.state.Step = step // the random numbers of a step that fails are used again by the next: it is then the same search
		}
	}()
	if o.due() {
		if err := o.tune(ctx, books); err != nil {
			return nil, err
		}
		step = o.state.Step
	}
	if len(o.unaligned()) > 0 {
		if wanted, err := o.align(ctx, books); err != nil || len(wanted) > 0 {
			return wanted, err
		}
		step = o.state.Step
	}
	return o.acquire(ctx, books, n)
}

// Observe takes in trials. The region and the counters learn from a batch when all its proposals are observed.
func (o *Optimizer) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		o.observe(t)
	}
	return nil
}

func (o *Optimizer) observe(t study.Trial) {
	at, again := o.index[t.ID]
	if t.State != study.Skipped && !t.Revised {
		o.trials++
	}
	switch {
	case t.State == study.Scored:
		o.learn(t)
	case again:
		o.points[at].y = math.Inf(-1) // corrected to a failure
		o.points[at].gone = true
	case t.Reason != "":
		o.reason = fmt.Sprintf("; %q: %s", cmp.Or(t.Input, t.X), t.Reason)
	}
	if t.Revised {
		o.revise()
		return
	}
	if t.Called && t.Kind != study.Initial {
		o.calls++
	}
	b := o.state.Open[t.Batch]
	if t.Kind != study.Acquired || b == nil {
		return
	}
	if t.State == study.Scored && t.ValueBound() != study.Below {
		b.Scores = append(b.Scores, t.Value)
	}
	if b.Left--; b.Left == 0 {
		delete(o.state.Open, t.Batch)
		o.end(b)
	}
}

// learn enters a scored trial into the points, or a new mean of its measurements. The surrogates of latents take a
// score that is only known to be above or below something for that value; one from above is no progress, and no anchor
// unless there is no other.
func (o *Optimizer) learn(t study.Trial) {
	i, again := o.index[t.ID]
	if !again {
		i = len(o.points)
		o.index[t.ID] = i
		// Versions of an earlier run's model are not those of this one, but for the model that both were given.
		stale := t.Model != o.state.Updates || t.Model > 0 && t.Batch < o.state.First
		o.points = append(o.points, point{x: t.X, latent: latent{Z: t.Latent, Exact: t.Latent != nil && !stale, Stale: stale}})
	}
	p := &o.points[i]
	p.y, p.below, p.variance, p.gone = t.Value, t.ValueBound() == study.Below, t.Variance, false
	if !p.below && !(p.y <= o.best) { // written this way, it holds for the first score, too
		o.best = p.y
	}
}

// revise finds the greatest value again: it may have been the one that was corrected.
func (o *Optimizer) revise() {
	o.best = math.NaN()
	for _, p := range o.points {
		if !p.gone && !p.below && !(p.y <= o.best) {
			o.best = p.y
		}
	}
	if o.best < o.state.Region.Best {
		o.state.Region.Best = o.best
	}
}

// end closes a batch: region and counters learn from it.
func (o *Optimizer) end(b *batch) {
	if o.opts.Method.Anchor.Choose != nil {
		o.state.Region = o.state.Region.Update(b.Scores)
		if o.opts.Profile.Depth > 0 && b.Picks < b.Wanted {
			o.state.Region = o.state.Region.Widen()
		}
		if o.state.Region.Collapsed() {
			o.state.Region = o.state.Region.Restart(o.best)
		}
	}
	o.state.Fails++
	if o.best > b.Before {
		o.state.Fails = 0
	}
}

// Names of the gauges that Report gives.
const (
	Aligned       = "aligned_fraction" // share of the surrogate's points whose latent decodes exactly to the string, of those that have one
	Dissimilarity = "dissimilarity"    // mean edit distance, from 0 to 1, of these strings from what their latents decode to
	Length        = "region_length"    // of the trust region; 0 before the first batch, and without a region
	Restarts      = "restarts"         // of the trust region
	Updates       = "vae_updates"
)

// Report says where the search stands. Gauges are NaN where they are not known.
func (o *Optimizer) Report() study.Report {
	aligned, dissimilarity := o.alignment()
	r := study.Report{Gauges: []study.Gauge{
		{Name: Aligned, Value: aligned}, {Name: Dissimilarity, Value: dissimilarity}, {Name: Length, Value: o.state.Region.Length},
		{Name: Restarts, Value: float64(o.state.Region.Restarts)}, {Name: Updates, Value: float64(o.state.Updates)},
	}}
	for _, phase := range []string{"align", "tune", "fit", "anchor", "acquire", "decode"} {
		r.Phases = append(r.Phases, study.Phase{Name: phase, Time: o.timing[phase]})
	}
	return r
}

// stream returns the random numbers of one use: they depend on the seed, the use and how far the search
// is, and on nothing else that happened.
func (o *Optimizer) stream(use string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(use))
	o.state.Step++
	return rand.New(rand.NewPCG(o.opts.Seed^h.Sum64(), uint64(o.state.Step)))
}

// since adds the time since began to a phase, and returns the time.
func (o *Optimizer) since(phase string, began time.Time) time.Time {
	now := time.Now()
	o.timing[phase] += now.Sub(began)
	return now
}
