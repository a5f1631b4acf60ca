// Package invbo finds strings that score well under an expensive black box, by Bayesian optimization in
// the latent space of a VAE.
//
// In: a Problem, that is a vae.Model, an oracle and strings to start from. Out: Trials, each handed to
// Options.Record before it is used. The package is the paper (Chu et al. 2024, "Inversion-based Latent
// Bayesian Optimization"): align.go is Algorithm 1, anchor.go Algorithm 2, method.go the methods as
// compositions of such parts; package gp says what to expect at a latent point. Start reading at Run and
// Optimizer.Ask.
package invbo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/vae"
)

// Options holds what a run may vary. A zero field takes the value in the comment.
type Options struct {
	Method    Method           // CoBO with InvBO
	Profile   Profile          // Fitted
	Budget    int              // oracle calls after the initial data; 500
	Batch     int              // N_q, strings asked for at a time; 5
	Top       int              // k, best points that anchors are chosen from and the VAE is updated on; 10
	Patience  int              // N_fail, batches without a new best before the VAE is updated; 10
	Inversion InversionOptions // the paper's
	Region    RegionOptions    // the method's
	Seed      uint64           // the same seed and answers give the same run

	Record func(Trial) error // is called with every trial before it is used; its error ends the run
	Watch  func(Status)      // is called after every batch
	Logger *slog.Logger      // discards
}

// Status is where a run stands.
type Status struct {
	Batch         int     // acquisitions so far
	InitCalls     int     // oracle calls for the initial data
	OracleCalls   int     // and after it
	RecenterCalls int     // those of OracleCalls that recentering took
	Budget        int     // of OracleCalls
	Best          Trial   // its Score is NaN if there is none
	Aligned       float64 // share of the surrogate's points whose latent decodes exactly to the string, of those that have one; NaN if none has
	Dissimilarity float64 // mean edit distance, from 0 to 1, of these strings from what their latents decode to; NaN if none has
	Length        float64 // of the trust region; 0 before the first batch, and without a region
	Restarts      int     // of the trust region
	Updates       int     // of the VAE
	Ranking       float64 // rank correlation of the latest proposals' predictions, of 50 at most, with their scores; NaN of fewer than three
	Timing        Timing
}

// Timing is the time spent so far, phase by phase.
type Timing struct {
	Align, Tune, Fit, Anchor, Acquire, Decode time.Duration
}

// Optimizer proposes strings and learns from their scores. It is not safe for concurrent use.
type Optimizer struct {
	problem   Problem
	opts      Options
	model     vae.Model
	surrogate Surrogate
	region    Region
	log       *slog.Logger

	points  []point        // in the order they were scored
	index   map[string]int // of points, by string of the model; refused for one that has no score
	inputs  map[string]int // the same, by what the oracle reads
	open    []proposal     // asked for, and not yet answered
	batch   *batch         // the acquisition that open belongs to; nil: none
	step    int            // counts what draws random numbers, to give each its own stream
	fails   int            // batches in a row without a new best
	dry     int            // batches in a row without a new string
	tuned   int            // oracle calls at the last update of the VAE
	ranked  [][2]float64   // predictions of acquired strings and their scores
	trials  []Trial
	started bool // the initial data are scored or asked for
	best    Trial
	status  Status

	threshold threshold // of pseudo-labels
}

// proposal is what is remembered of a string until its score comes.
type proposal struct {
	Proposal
	z         []float64
	predicted float64
}

type batch struct {
	scores []float64 // of all its strings, known ones included
	before float64   // best score before it
	picks  int       // candidates picked
	asked  bool      // it held a string that was not known
}

// ErrDone says that the budget is spent.
var ErrDone = errors.New("the budget is spent")

// patienceWhenDry is how many batches in a row may bring nothing new: enough for the region to restart
// several times.
const patienceWhenDry = 200

// ErrDry says that the search no longer finds a string that has not been scored.
var ErrDry = errors.New("200 batches in a row brought no new string that may be asked for; give more initial data or another seed, or rule out less")

// New returns an Optimizer for a Problem. Model and oracle are not called yet.
func New(p Problem, opts Options) (*Optimizer, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if opts.Budget < 0 || opts.Batch < 0 || opts.Top < 0 || opts.Patience < 0 {
		return nil, fmt.Errorf("invbo: budget %d, batch %d, top %d and patience %d must not be negative", opts.Budget, opts.Batch, opts.Top, opts.Patience)
	}
	if reflect.ValueOf(opts.Method).IsZero() {
		m, err := MethodNamed("cobo+invbo")
		if err != nil {
			return nil, err
		}
		opts.Method = m
	}
	if opts.Method.Align == nil {
		return nil, fmt.Errorf("invbo: method %q gives strings no latents; set its Align, to Inversion for one", opts.Method.Name)
	}
	if reflect.ValueOf(opts.Profile).IsZero() {
		opts.Profile = Fitted()
	}
	if err := errors.Join(opts.Profile.check(), opts.Inversion.check()); err != nil {
		return nil, fmt.Errorf("invbo: %w", err)
	}
	opts.Budget = cmp.Or(opts.Budget, 500)
	opts.Batch = cmp.Or(opts.Batch, 5)
	opts.Top = cmp.Or(opts.Top, 10)
	opts.Patience = cmp.Or(opts.Patience, 10)
	opts.Region = opts.Region.or(opts.Method.Region)
	if bounds(p.Model) != nil { // TuRBO's own patience, which the latent methods changed
		opts.Region.Shrink = cmp.Or(opts.Region.Shrink, (max(4, p.Model.Dim())+opts.Batch-1)/opts.Batch)
	}
	switch r := NewRegion(0, opts.Region).opts; {
	case r.Min <= 0 || r.Min > r.Length || r.Length > r.Max:
		return nil, fmt.Errorf("invbo: trust region of side %g, from %g to %g: give a side between the two, all above 0", r.Length, r.Min, r.Max)
	case r.Grow < 0 || r.Shrink < 0:
		return nil, fmt.Errorf("invbo: trust region doubled after %d batches and halved after %d: neither may be negative", r.Grow, r.Shrink)
	}
	o := &Optimizer{problem: p, opts: opts, model: p.Model, log: opts.Logger, index: map[string]int{}, inputs: map[string]int{}}
	if o.log == nil {
		o.log = slog.New(slog.DiscardHandler)
	}
	if opts.Method.Tuning != (FineTuning{}) {
		m, ok := p.Model.(vae.Tunable)
		if !ok {
			return nil, fmt.Errorf("invbo: method %s updates its model, and this one (%T) has nothing to update; take turbo", opts.Method.Name, p.Model)
		}
		o.model = m.Clone()
	}
	o.surrogate = opts.Method.Surrogate(p, opts.Profile, o.model)
	if _, ok := o.surrogate.(Trainable); !ok && opts.Method.Tuning.needsTrainable() {
		return nil, fmt.Errorf("invbo: method %s trains its surrogate with the VAE, and this one (%T) is no Trainable; take a method without, or give the surrogate Loss and Trainer", opts.Method.Name, o.surrogate)
	}
	if _, reads := o.surrogate.(Reader); reads && opts.Method.Active && bounds(o.model) == nil {
		return nil, fmt.Errorf("invbo: method %s weighs the dimensions of latents, and this surrogate (%T) reads strings; take a method that is not Active", opts.Method.Name, o.surrogate)
	}
	if n := o.candidateCount(); opts.Batch > n {
		return nil, fmt.Errorf("invbo: batches of %d strings from %d candidates: give a smaller batch, or a profile with more candidates", opts.Batch, n)
	}
	o.best.Score = math.NaN()
	o.status = Status{Budget: opts.Budget, Ranking: math.NaN()}
	return o, nil
}

// Run asks, scores and tells until the budget is spent, and returns the Optimizer for what it found.
// Strings of a batch are scored side by side. The error wraps ctx's cause if ctx ended the run; every
// trial until then has been recorded.
func Run(ctx context.Context, p Problem, opts Options) (*Optimizer, error) {
	if p.Oracle == nil {
		return nil, errors.New("invbo: to Run, a Problem needs an Oracle")
	}
	o, err := New(p, opts)
	if err != nil {
		return nil, err
	}
	for {
		asked, err := o.Ask(ctx)
		if errors.Is(err, ErrDone) {
			return o, nil
		}
		if err != nil {
			return o, fmt.Errorf("trial %d: ask: %w", len(o.trials)+1, err)
		}
		if err := o.score(ctx, asked); err != nil {
			return o, fmt.Errorf("trial %d: %w", len(o.trials)+1, err)
		}
	}
}

// score asks the oracle, of a batch at a time, and tells the answers in order, each as soon as those before it are in. If one of
// them ends the run, the answers that come all the same are told, too: they are paid for.
func (o *Optimizer) score(ctx context.Context, asked []Proposal) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type reply struct {
		oracle.Result
		err error
	}
	return parallel.Ordered(len(asked), o.opts.Batch, func(i int) reply {
		r, err := oracle.One(ctx, o.problem.Oracle, asked[i].Input)
		return reply{r, err}
	}, func(i int, r reply) error {
		err := r.err
		if err != nil {
			err = fmt.Errorf("score %q: %w", asked[i].X, err)
		} else {
			err = o.Tell(ctx, Answer{asked[i].X, r.Result})
		}
		if err != nil {
			cancel(err) // nobody wants to know any more
		}
		return err
	}, func(i int, r reply) {
		if r.err == nil {
			o.Tell(ctx, Answer{asked[i].X, r.Result}) // an error is one too many: the run has ended with the first
		}
	})
}

// Ask returns strings to score: the initial data first, then a batch at a time, and between them what an
// alignment wants to know. Until these have been told, it returns the rest of them. It returns ErrDone
// once the budget is spent. After another error, ctx's for one, Ask may be called again: what was cut short is done again. If the
// surrogate or the VAE had been learning, they go on from what they had learned by then, and the run is another than without.
func (o *Optimizer) Ask(ctx context.Context) ([]Proposal, error) {
	for len(o.open) == 0 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var err error
		step := o.step
		switch {
		case !o.started:
			err = o.start()
		case o.Left() <= 0:
			return nil, ErrDone
		case len(o.points) < 2:
			return nil, fmt.Errorf("invbo: %d of %d strings have a score; a surrogate needs at least 2%s", len(o.points), len(o.trials), o.whyRefused())
		case o.dry >= patienceWhenDry:
			return nil, ErrDry
		case o.due():
			err = o.tune(ctx)
		case len(o.unaligned()) > 0:
			err = o.align(ctx)
		default:
			err = o.propose(ctx)
		}
		if err != nil {
			o.step = step // with the same random numbers, the next time
			return nil, err
		}
		if len(o.open) == 0 {
			o.close(ctx)
		}
	}
	asked := make([]Proposal, len(o.open))
	for i, p := range o.open {
		asked[i] = p.Proposal
	}
	return asked, nil
}

// Tell takes scores, in any order: of strings that were asked for, or of others that the user happens
// to know. A score that is NaN, infinite or beyond ±oracle.Largest is recorded as refused; a later score of that string counts. What has a score
// already keeps it, and Tell ignores another. The error is Record's, or names a string that the model cannot
// write, or one with a score that stands for nothing.
func (o *Optimizer) Tell(ctx context.Context, answers ...Answer) error {
	for _, a := range answers {
		i := slices.IndexFunc(o.open, func(p proposal) bool { return p.X == a.X })
		var p proposal
		if i >= 0 {
			p = o.open[i]
		} else {
			if err := o.model.Check(a.X); err != nil {
				return fmt.Errorf("tell %q: %w", a.X, err)
			}
			refused := math.IsNaN(a.Usable().Score)
			input, err := o.problem.translate(a.X)
			if err != nil {
				if refused {
					continue // as it was recorded when it was proposed
				}
				return fmt.Errorf("tell %q: %w", a.X, err)
			}
			if at, ok := o.inputs[input]; ok && (at >= 0 || refused) {
				continue
			}
			// Perhaps another spelling of something that was asked for.
			if i = slices.IndexFunc(o.open, func(p proposal) bool { return p.Input == input }); i >= 0 {
				p = o.open[i]
				a.X = p.X
			} else {
				p = proposal{Proposal: Proposal{a.X, input, Told}, predicted: math.NaN()}
			}
		}
		if err := o.record(p, a, p.Kind != Told); err != nil {
			return err
		}
		if i >= 0 {
			o.open = slices.Delete(o.open, i, i+1)
		}
	}
	if len(o.open) == 0 {
		o.close(ctx)
	}
	return nil
}

// whyRefused ends a sentence with the reason why the latest string that has no score has none.
func (o *Optimizer) whyRefused() string {
	for _, t := range slices.Backward(o.trials) {
		if t.Reason != "" {
			return fmt.Sprintf("; of %q: %s", cmp.Or(t.Input, t.X), t.Reason)
		}
	}
	return ""
}

// Left returns how many oracle calls remain.
func (o *Optimizer) Left() int { return o.opts.Budget - o.status.OracleCalls }

// Best returns the best trial so far; its Score is NaN if there is none.
func (o *Optimizer) Best() Trial { return o.best }

// Model returns the run's model: the problem's, or a copy of it with all updates so far, where the method makes any.
func (o *Optimizer) Model() vae.Model { return o.model }

// Trials returns all trials so far, in the order of their answers.
func (o *Optimizer) Trials() []Trial { return slices.Clone(o.trials) }

// Status returns where the run stands.
func (o *Optimizer) Status() Status {
	s := o.status
	s.Best, s.Length = o.best, o.region.Length
	s.Aligned, s.Dissimilarity = o.alignment()
	return s
}

// start takes the initial scores that are known and asks for the others. After an error it may be called again, and goes on
// with those that are not on record.
func (o *Optimizer) start() error {
	var open []proposal
	asked := map[string]bool{}
	for _, s := range o.problem.Init {
		input, at, err := o.lookup(s.X)
		if at != unknown {
			continue
		}
		if err != nil {
			if err := o.refuse(s.X, Initial, err); err != nil {
				return err
			}
			continue
		}
		if asked[input] && !s.Scored {
			continue
		}
		p := proposal{Proposal: Proposal{s.X, input, Initial}, predicted: math.NaN()}
		if !s.Scored {
			asked[input] = true
			open = append(open, p)
			continue
		}
		open = slices.DeleteFunc(open, func(p proposal) bool { return p.Input == input }) // it is given without a score, too
		a := Answer{X: s.X}
		a.Score = s.Y
		if err := o.record(p, a, false); err != nil {
			return err
		}
	}
	o.started, o.open = true, open
	return nil
}

// refuse records a string that stands for nothing the oracle could score.
func (o *Optimizer) refuse(x string, kind Kind, reason error) error {
	a := Answer{X: x}
	a.Score, a.Reason = math.NaN(), reason.Error()
	return o.record(proposal{Proposal: Proposal{X: x, Kind: kind}, predicted: math.NaN()}, a, false)
}

// record hands a trial to Options.Record and then takes it in.
func (o *Optimizer) record(p proposal, a Answer, called bool) error {
	r := a.Result.Usable()
	t := Trial{N: len(o.trials) + 1, Kind: p.Kind, X: a.X, Input: p.Input, Score: r.Score, Reason: r.Reason, Called: called, Predicted: p.predicted}
	if p.Kind != Initial {
		t.Batch = o.status.Batch
	}
	if o.opts.Record != nil {
		if err := o.opts.Record(t); err != nil {
			return fmt.Errorf("record trial %d, %q with score %g: %w", t.N, cmp.Or(t.Input, t.X), t.Score, err)
		}
	}
	o.trials = append(o.trials, t)
	switch {
	case called && p.Kind == Initial:
		o.status.InitCalls++
	case called:
		o.status.OracleCalls++
		if p.Kind == Recentered {
			o.status.RecenterCalls++
		}
	}
	at := len(o.points)
	if math.IsNaN(t.Score) {
		at = refused
	}
	o.index[t.X] = at
	if t.Input != "" {
		o.inputs[t.Input] = at
	}
	if at == refused {
		return nil
	}
	y := o.larger(t.Score)
	o.points = append(o.points, point{x: t.X, input: t.Input, y: y, z: p.z, exact: p.z != nil})
	if !(y <= o.larger(o.best.Score)) { // so put, it holds for the first score, too
		o.best = t
	}
	if p.Kind == Told {
		o.dry = 0 // there is something new to search around
	}
	if p.Kind == Acquired {
		o.ranked = append(o.ranked, [2]float64{p.predicted, y})
		o.batch.scores = append(o.batch.scores, y)
	}
	return nil
}

// larger turns a score so that larger is better.
func (o *Optimizer) larger(score float64) float64 {
	if o.problem.Minimize {
		return -score
	}
	return score
}

// due says that the VAE is to be updated: the search has stalled, n_fail ≥ N_fail, or enough calls were made.
func (o *Optimizer) due() bool {
	f := o.opts.Method.Tuning
	if f == (FineTuning{}) {
		return false
	}
	return o.fails >= o.opts.Patience || f.Every > 0 && o.status.OracleCalls-o.tuned >= f.Every
}

// tune updates the VAE on D^t, the latest and the top k points (line 7 of the paper's "InvBO built on CoBO"), or
// on what else the method says.
func (o *Optimizer) tune(ctx context.Context) error {
	defer since(&o.status.Timing.Tune, time.Now())
	f, rng := o.opts.Method.Tuning, o.stream("tune")
	latest := o.latestAndTop()
	set := latest
	if f.Ranked {
		set = o.window()
	}
	x, _ := o.columns(set)
	var pseudo labels
	weight := pseudoWeight(o.status.Updates)
	if f.Pseudo && weight > 0 {
		var err error
		if pseudo, err = o.pseudoLabels(ctx, rng); err != nil {
			return fmt.Errorf("label strings for an update of the VAE: %w", err)
		}
	}
	// First, since an update that is cut short has changed the decoder, too.
	for i := range o.points {
		o.points[i].exact = false
		o.points[i].stale = !o.opts.Method.Latest
	}
	for _, i := range latest {
		o.points[i].stale = true
	}
	if err := f.tune(ctx, o.model.(vae.Tunable), o.surrogate, labels{x, o.units(set)}, pseudo, weight, rng); err != nil {
		return fmt.Errorf("update the VAE on %d points: %w", len(set), err)
	}
	o.fails, o.tuned = 0, o.status.OracleCalls
	o.status.Updates++
	return nil
}

// unaligned returns the surrogate's points that have no latent, or whose decoder has changed.
func (o *Optimizer) unaligned() []int {
	return slices.DeleteFunc(o.window(), func(i int) bool { return o.points[i].z != nil && !o.points[i].stale })
}

// align gives latents to the surrogate's points that have none or whose decoder has changed (lines 1 and 8).
func (o *Optimizer) align(ctx context.Context) error {
	defer since(&o.status.Timing.Align, time.Now())
	set := o.unaligned()
	x, z := o.columns(set)
	aligned, err := o.opts.Method.Align(ctx, Unaligned{
		Model: o.model, X: x, Z: z, Known: o.known, Inversion: o.opts.Inversion, Rand: o.stream("align"),
	})
	if err != nil {
		return fmt.Errorf("align %d points: %w", len(set), err)
	}
	for _, i := range set {
		o.points[i].stale = true // until all is done: an alignment that is cut short is done again
	}
	asked := map[string]bool{}
	for _, p := range aligned {
		input, at, err := o.lookup(p.X)
		switch {
		case err != nil:
			if err := o.refuse(p.X, Recentered, err); err != nil {
				return err
			}
		case at >= 0: // perhaps another string for the same input; the latent belongs to the string
			o.points[at].x, o.points[at].z = p.X, p.Z
			o.index[p.X] = at
		case at == unknown && !asked[input] && len(o.open) < o.Left():
			ok, err := o.problem.feasible(input)
			if err != nil {
				return err
			}
			if ok {
				asked[input] = true
				o.open = append(o.open, proposal{Proposal{p.X, input, Recentered}, p.Z, math.NaN()})
			}
		}
	}
	for _, i := range set {
		if p := o.points[i]; p.z == nil {
			return fmt.Errorf("align: the alignment returned no latent for %q", p.x)
		}
	}
	if err := o.certify(ctx); err != nil {
		o.open = nil
		return err
	}
	for _, i := range set {
		o.points[i].stale = false
	}
	return nil
}

// close ends what was open. If it was a batch of acquisition, region and counters learn from it.
func (o *Optimizer) close(ctx context.Context) {
	if o.batch == nil {
		return
	}
	b := o.batch
	o.batch = nil
	if o.opts.Method.Anchor != nil {
		o.region = o.region.Update(b.scores)
		if o.opts.Profile.Depth > 0 && b.picks < o.opts.Batch {
			o.region = o.region.Widen()
		}
		if o.region.Collapsed() {
			o.region = o.region.Restart(o.larger(o.best.Score))
		}
	}
	o.fails++
	if o.larger(o.best.Score) > b.before {
		o.fails = 0
	}
	o.dry++
	if b.asked {
		o.dry = 0
	}
	o.status.Restarts = o.region.Restarts
	o.status.Ranking = o.ranking()
	s := o.Status()
	o.log.InfoContext(ctx, "batch", "batch", s.Batch, "calls", s.OracleCalls, "best", s.Best.Score,
		"aligned", s.Aligned, "length", s.Length, "ranking", s.Ranking)
	if o.opts.Watch != nil {
		o.opts.Watch(s)
	}
}

// stream returns the random numbers of one use: they depend on the seed, the use and how far the run
// is, and on nothing else that happened.
func (o *Optimizer) stream(use string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(use))
	o.step++
	return rand.New(rand.NewPCG(o.opts.Seed^h.Sum64(), uint64(o.step)))
}

func since(total *time.Duration, began time.Time) { *total += time.Since(began) }
