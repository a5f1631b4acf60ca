package invbo_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/vae"
)

// bowl is a continuous problem: the squared distance from (0.3, …, 0.3), to be minimized.
func bowl(t *testing.T, d int) invbo.Problem {
	t.Helper()
	lower, upper := make([]float64, d), make([]float64, d)
	for j := range lower {
		lower[j], upper[j] = -2, 2
	}
	m, err := vae.NewIdentity(lower, upper)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	z := make([][]float64, 8)
	for i := range z {
		for range d {
			z[i] = append(z[i], rng.Float64())
		}
	}
	x, err := m.Decode(t.Context(), z)
	if err != nil {
		t.Fatal(err)
	}
	p := invbo.Problem{Name: "bowl", Model: m, Minimize: true, Oracle: oracle.Func(func(x string) oracle.Result {
		var sum float64
		for _, field := range strings.Fields(x) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return oracle.Result{Score: math.NaN(), Reason: err.Error()}
			}
			sum += (v - 0.3) * (v - 0.3)
		}
		return oracle.Result{Score: sum}
	})}
	for _, x := range x {
		p.Init = append(p.Init, invbo.Observation{X: x})
	}
	return p
}

// turbo are options for a continuous problem that run in a moment.
func turbo(t *testing.T, budget int) invbo.Options {
	t.Helper()
	m, err := invbo.MethodNamed("turbo+pas")
	if err != nil {
		t.Fatal(err)
	}
	profile := invbo.Fitted()
	profile.LocalCandidates = 200
	return invbo.Options{Method: m, Profile: profile, Budget: budget, Batch: 4}
}

// answer scores what o has asked for, and tells.
func answer(t *testing.T, o *invbo.Optimizer, p invbo.Problem, asked []invbo.Proposal) {
	t.Helper()
	for _, a := range asked {
		r, err := oracle.One(t.Context(), p.Oracle, a.Input)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Tell(t.Context(), invbo.Answer{X: a.X, Result: r}); err != nil {
			t.Fatal(err)
		}
	}
}

// fitted is a surrogate that remembers how many points it was fitted to at most, and what they were called.
type fitted struct {
	invbo.Surrogate
	points int
	called map[int]string
}

func (f *fitted) Fit(ctx context.Context, at invbo.Points, y []float64, rng *rand.Rand) error {
	f.points = max(f.points, len(at.Z))
	for i, id := range at.ID {
		if before, ok := f.called[id]; ok && before != at.X[i] {
			return fmt.Errorf("%d was %s, and is %s", id, before, at.X[i])
		}
		f.called[id] = at.X[i]
	}
	return f.Surrogate.Fit(ctx, at, y, rng)
}

func TestTheSurrogateOfAContinuousProblemIsLocal(t *testing.T) {
	opts := turbo(t, 30)
	opts.Top = 2
	opts.Profile.LocalPoints = 12
	surrogate, spy := opts.Profile.Surrogate, &fitted{called: map[int]string{}}
	opts.Profile.Surrogate = func(m vae.Model) invbo.Surrogate {
		spy.Surrogate = surrogate(m)
		return spy
	}
	if _, err := invbo.Run(t.Context(), bowl(t, 2), opts); err != nil {
		t.Fatal(err)
	}
	if spy.points != 12 {
		t.Errorf("fitted to %d of 38 points, want the 6 best and the 6 latest", spy.points)
	}
	if len(spy.called) <= 12 {
		t.Errorf("%d points had an ID in all, want more than the surrogate sees at once", len(spy.called))
	}
}

func TestRunFindsTheBottomOfABowl(t *testing.T) {
	o, err := invbo.Run(t.Context(), bowl(t, 3), turbo(t, 60))
	if err != nil {
		t.Fatal(err)
	}
	s := o.Status()
	if s.InitCalls != 8 || s.OracleCalls != 60 || len(o.Trials()) != 68 {
		t.Errorf("%d initial calls, %d calls and %d trials, want 8, 60 and 68", s.InitCalls, s.OracleCalls, len(o.Trials()))
	}
	if best := o.Best(); best.Score > 0.05 {
		t.Errorf("best score %g, want at most 0.05", best.Score)
	}
	if s.Aligned != 1 {
		t.Errorf("aligned %g, want 1: the identity decodes exactly", s.Aligned)
	}
}

func TestTheSameSeedGivesTheSameTrials(t *testing.T) {
	run := func(seed uint64, threads int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		opts := turbo(t, 24)
		opts.Seed = seed
		o, err := invbo.Run(t.Context(), bowl(t, 4), opts)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%+v", o.Trials())
	}
	first := run(1, 1)
	if second := run(1, 2); second != first {
		t.Errorf("one thread and two gave different trials:\n%s\n%s", first, second)
	}
	if other := run(2, 2); other == first {
		t.Error("another seed gave the same trials")
	}
}

func TestEveryTrialIsRecordedBeforeItIsUsed(t *testing.T) {
	p, opts := bowl(t, 2), turbo(t, 8)
	full := errors.New("the disk is full")
	var recorded []invbo.Trial
	opts.Record = func(trial invbo.Trial) error {
		if trial.N == 11 {
			return full
		}
		recorded = append(recorded, trial)
		return nil
	}
	o, err := invbo.Run(t.Context(), p, opts)
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "trial 11") {
		t.Errorf("error %v, want one that names trial 11 and wraps %v", err, full)
	}
	if !slices.EqualFunc(o.Trials(), recorded, func(a, b invbo.Trial) bool { return a.N == b.N && a.X == b.X }) {
		t.Errorf("the optimizer knows %d trials, %d were recorded", len(o.Trials()), len(recorded))
	}
}

// A Record that fails on initial data loses none of them: the next Ask goes on with those that are not on record.
func TestInitialDataOutliveAFailedRecord(t *testing.T) {
	p, opts := fitting(t, 6), turbo(t, 8)
	for i := range 4 {
		p.Init[i].Y, p.Init[i].Scored = float64(i), true
	}
	p.Translate = func(x string) (string, error) {
		if x == p.Init[1].X {
			return "", errors.New("stands for nothing")
		}
		return x, nil
	}
	fails := true
	var recorded []string
	opts.Record = func(trial invbo.Trial) error {
		if trial.N == 3 && fails {
			fails = false
			return errors.New("the disk is full")
		}
		recorded = append(recorded, trial.X)
		return nil
	}
	o, err := invbo.New(p, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Ask(t.Context()); err == nil {
		t.Fatal("no error of a Record that failed")
	}
	asked, err := o.Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range asked {
		recorded = append(recorded, a.X)
	}
	for i, x := range recorded {
		if i >= len(p.Init) || x != p.Init[i].X {
			t.Fatalf("recorded and then asked for: %q, want all initial data once, in their order", recorded)
		}
	}
	if len(recorded) != len(p.Init) {
		t.Errorf("recorded and then asked for: %q, want all %d initial data", recorded, len(p.Init))
	}
}

// A model of an ambiguous grammar may write what it cannot read. Such strings are passed over like latents that decode to nothing.
func TestStringsThatTheModelCannotReadArePassedOver(t *testing.T) {
	for _, name := range []string{"cobo+invbo", "cobo", "turbo+reencoded", "pglbo"} {
		m, err := invbo.MethodNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		p := fitting(t, 40)
		p.Init = slices.DeleteFunc(p.Init, func(o invbo.Observation) bool { return strings.Contains(o.X, "/") })
		p.Model = illiterate{p.Model.(inverterAndTunable)}
		o, err := invbo.Run(t.Context(), p, invbo.Options{Method: m, Profile: quick(invbo.Fitted()), Budget: 20, Patience: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, trial := range o.Trials() {
			if strings.Contains(trial.X, "/") {
				t.Errorf("%s: trial %q, which the model cannot read", name, trial.X)
			}
		}
	}
}

type inverterAndTunable interface {
	vae.Inverter
	vae.Tunable
}

// illiterate writes strings with a slash, and cannot read them.
type illiterate struct{ inverterAndTunable }

func (m illiterate) Clone() vae.Tunable {
	return illiterate{m.inverterAndTunable.Clone().(inverterAndTunable)}
}

func (illiterate) Check(x string) error {
	if strings.Contains(x, "/") {
		return errors.New("a slash")
	}
	return nil
}

func (m illiterate) Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error) {
	for _, s := range x {
		if err := m.Check(s); err != nil {
			return nil, nil, fmt.Errorf("encode %q: %w", s, err)
		}
	}
	return m.inverterAndTunable.Encode(ctx, x)
}

// A method without a trust region has none to report.
func TestStatusWithoutARegion(t *testing.T) {
	m, err := invbo.MethodNamed("lbo")
	if err != nil {
		t.Fatal(err)
	}
	m.Tuning = invbo.FineTuning{}
	o, err := invbo.Run(t.Context(), fitting(t, 20), invbo.Options{Method: m, Profile: quick(invbo.Fitted()), Budget: 60, Region: invbo.RegionOptions{Shrink: 1, Min: 0.7}})
	if err != nil {
		t.Fatal(err)
	}
	if s := o.Status(); s.Length != 0 || s.Restarts != 0 {
		t.Errorf("a region of side %g, %d times begun anew, of a search in the whole space", s.Length, s.Restarts)
	}
}

func TestRefusedStringsDoNotEndARun(t *testing.T) {
	p := bowl(t, 2)
	score := p.Oracle
	var n int
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		n++
		switch n % 5 {
		case 0:
			return oracle.Result{Score: math.NaN(), Reason: "did not dock"}
		case 1:
			return oracle.Result{Score: math.Inf(1)}
		}
		r, err := oracle.One(t.Context(), score, x)
		if err != nil {
			t.Error(err)
		}
		return r
	})
	opts := turbo(t, 20)
	opts.Batch = 1 // so that the counter above has one caller at a time; the initial data come one by one, too
	o, err := invbo.Run(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	var refused int
	for _, trial := range o.Trials() {
		if math.IsNaN(trial.Score) != (trial.Reason != "") {
			t.Errorf("trial %+v: a reason goes with a NaN", trial)
		}
		if trial.Reason != "" {
			refused++
		}
	}
	if want := n / 5; refused < 2*want {
		t.Errorf("%d refused trials of %d, want at least %d", refused, n, 2*want)
	}
	if o.Status().OracleCalls != 20 {
		t.Errorf("%d oracle calls, want 20: a refusal costs what an answer does", o.Status().OracleCalls)
	}
}

func TestAnOracleErrorEndsTheRunAndLosesNothing(t *testing.T) {
	p := bowl(t, 2)
	gone := errors.New("the licence server is gone")
	p.Oracle = failing{p.Oracle, p.Init[5].X, []string{p.Init[6].X, p.Init[7].X}, gone}
	o, err := invbo.Run(t.Context(), p, turbo(t, 8))
	if !errors.Is(err, gone) {
		t.Errorf("error %v, want %v", err, gone)
	}
	if got := len(o.Trials()); got != 5 {
		t.Errorf("%d trials, want the 5 before the failure", got)
	}
}

// Answers that are in before an earlier string fails are paid for, and recorded.
func TestAnswersBehindAFailureAreRecorded(t *testing.T) {
	p := bowl(t, 2)
	gone := errors.New("the licence server is gone")
	behind := &waits{Oracle: p.Oracle, x: p.Init[0].X, err: gone}
	behind.others.Add(3)
	p.Oracle = behind
	o, err := invbo.Run(t.Context(), p, turbo(t, 8))
	if !errors.Is(err, gone) {
		t.Errorf("error %v, want %v", err, gone)
	}
	if got := len(o.Trials()); got != behind.paid {
		t.Errorf("%d trials, want the %d that were paid for", got, behind.paid)
	}
}

// waits is an Oracle that breaks down at one string, once it has scored three others.
type waits struct {
	oracle.Oracle
	x   string
	err error

	others sync.WaitGroup
	mu     sync.Mutex // of paid
	paid   int
}

func (w *waits) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	if x[0] == w.x {
		w.others.Wait()
		return nil, w.err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.paid++; w.paid <= 3 {
		defer w.others.Done()
	}
	return w.Oracle.Score(ctx, x)
}

// failing is an Oracle that breaks down at one string, and takes for others as long as it may.
type failing struct {
	oracle.Oracle
	x    string
	long []string
	err  error
}

func (f failing) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	switch {
	case x[0] == f.x:
		return nil, f.err
	case slices.Contains(f.long, x[0]):
		<-ctx.Done() // nobody wants to know any more
		return nil, context.Cause(ctx)
	}
	return f.Oracle.Score(ctx, x)
}

// What some programs answer in place of a score ends no run.
func TestAHugeScoreIsNone(t *testing.T) {
	for _, huge := range []float64{1e200, -1e300, math.Inf(1), math.MaxFloat64} {
		p := bowl(t, 2)
		whole := p.Oracle
		p.Oracle = oracle.Func(func(x string) oracle.Result {
			if x == p.Init[3].X {
				return oracle.Result{Score: huge}
			}
			r, err := oracle.One(t.Context(), whole, x)
			if err != nil {
				t.Error(err)
			}
			return r
		})
		o, err := invbo.Run(t.Context(), p, turbo(t, 8))
		if err != nil {
			t.Fatal(err)
		}
		trial := o.Trials()[3]
		if want := fmt.Sprintf("the oracle answered %g", huge); !math.IsNaN(trial.Score) || trial.Reason != want {
			t.Errorf("score %g for the reason %q, want none, for %q", trial.Score, trial.Reason, want)
		}
		p.Init[3] = invbo.Observation{X: p.Init[3].X, Y: huge, Scored: true}
		if _, err := invbo.New(p, turbo(t, 8)); err == nil || !strings.Contains(err.Error(), "leave it unscored") {
			t.Errorf("a known score of %g: error %v, want advice", huge, err)
		}
	}
}

// What is given without a score and with one has it, whichever is first.
func TestAKnownScoreIsNotAskedFor(t *testing.T) {
	p := bowl(t, 2)
	p.Init[0], p.Init[1] = invbo.Observation{X: "1 1"}, invbo.Observation{X: "1 1", Y: 1.5, Scored: true}
	p.Init[2], p.Init[3] = invbo.Observation{X: "0 1", Y: 2.5, Scored: true}, invbo.Observation{X: "0 1"}
	o, err := invbo.Run(t.Context(), p, turbo(t, 4))
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for _, trial := range o.Trials() {
		if !trial.Called {
			scores[trial.X] = trial.Score
		}
	}
	if calls := o.Status().InitCalls; calls != 4 || len(scores) != 2 || scores["1 1"] != 1.5 || scores["0 1"] != 2.5 {
		t.Errorf("%d initial calls, scores %v taken; want 4, and both that are known", calls, scores)
	}
}

// Where nothing has a score the error says why.
func TestWhyNothingHasAScore(t *testing.T) {
	p := bowl(t, 2)
	p.Oracle = oracle.Func(func(string) oracle.Result { return oracle.Result{Score: math.NaN(), Reason: "no such receptor"} })
	_, err := invbo.Run(t.Context(), p, turbo(t, 8))
	if err == nil || !strings.Contains(err.Error(), "0 of 8 strings have a score") || !strings.Contains(err.Error(), "no such receptor") {
		t.Errorf("error %v, want how many have a score, and why the others have none", err)
	}
}

// A search that found nothing to ask for goes on when it is told of something new.
func TestATellEndsADrySpell(t *testing.T) {
	p, feasible := bowl(t, 2), false
	p.Feasible = func(string) (bool, error) { return feasible, nil }
	opts := turbo(t, 8)
	opts.Profile.LocalCandidates = 20
	o, err := invbo.Run(t.Context(), p, opts)
	if !errors.Is(err, invbo.ErrDry) {
		t.Fatalf("error %v, want that nothing is left to ask for", err)
	}
	if _, err := o.Ask(t.Context()); !errors.Is(err, invbo.ErrDry) {
		t.Errorf("error %v, want the same as long as nothing is told", err)
	}
	feasible = true
	a := invbo.Answer{X: "0.25 0.25"}
	if err := o.Tell(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if asked, err := o.Ask(t.Context()); err != nil || len(asked) == 0 {
		t.Errorf("asked for %v, %v, want a batch around what was told", asked, err)
	}
}

// An Ask that ended before its surrogate learned anything is made up for by the next: the run is the same.
func TestAnAskThatFailedIsMadeAgain(t *testing.T) {
	run := func(fails int) string {
		opts := turbo(t, 12)
		surrogate := opts.Profile.Surrogate
		opts.Profile.Surrogate = func(m vae.Model) invbo.Surrogate { return &unsteady{surrogate(m), fails} }
		p := bowl(t, 2)
		o, err := invbo.New(p, opts)
		if err != nil {
			t.Fatal(err)
		}
		for o.Left() > 0 {
			asked, err := o.Ask(t.Context())
			if errors.Is(err, errUnsteady) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			answer(t, o, p, asked)
		}
		return fmt.Sprint(o.Trials())
	}
	if run(0) != run(2) {
		t.Error("after two failures the run is another")
	}
}

var errUnsteady = errors.New("unsteady")

// unsteady is a surrogate whose first Fits fail.
type unsteady struct {
	invbo.Surrogate
	fails int
}

func (u *unsteady) Fit(ctx context.Context, at invbo.Points, y []float64, rng *rand.Rand) error {
	if u.fails--; u.fails >= 0 {
		return errUnsteady
	}
	return u.Surrogate.Fit(ctx, at, y, rng)
}

// An update of the VAE that ctx cuts short has changed the decoder. The next Ask makes the update, and aligns all latents.
func TestAnUpdateThatIsCutShortIsMadeUpFor(t *testing.T) {
	p := fitting(t, 20)
	ctx, cancel := context.WithCancel(t.Context())
	p.Model = interrupted{p.Model.(vae.Tunable), cancel}
	o, err := invbo.New(p, invbo.Options{Profile: quick(invbo.Fitted()), Top: 100, Patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	batch := func(ctx context.Context) error {
		asked, err := o.Ask(ctx)
		answer(t, o, p, asked)
		return err
	}
	for err == nil && o.Left() > 0 {
		err = batch(ctx)
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the first update", err)
	}
	s := o.Status()
	if s.Updates != 0 || !math.IsNaN(s.Aligned) {
		t.Errorf("%d updates, aligned %g, want none, and no latent that is known to be right", s.Updates, s.Aligned)
	}
	at := s.Batch
	if err := batch(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s = o.Status(); s.Updates != 1 || s.Batch != at+1 || s.Aligned < 0.95 {
		t.Errorf("then %d updates, batch %d after %d, aligned %g; want one, the next, and all", s.Updates, s.Batch, at, s.Aligned)
	}
}

// interrupted is a model whose first training step cancels what is under way.
type interrupted struct {
	vae.Tunable
	cancel func()
}

func (m interrupted) Clone() vae.Tunable { return interrupted{m.Tunable.Clone(), m.cancel} }

func (m interrupted) NewTuner(rate float64) vae.Tuner {
	return interruptedTuner{m.Tunable.NewTuner(rate), m.cancel}
}

type interruptedTuner struct {
	vae.Tuner
	cancel func()
}

func (t interruptedTuner) Step(ctx context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, rng *rand.Rand) (vae.StepLoss, error) {
	defer t.cancel()
	return t.Tuner.Step(ctx, x, weight, recon, kl, latent, rng)
}

func TestStatusOfNothing(t *testing.T) {
	o, err := invbo.New(bowl(t, 2), turbo(t, 8))
	if err != nil {
		t.Fatal(err)
	}
	if s := o.Status(); !math.IsNaN(s.Best.Score) || !math.IsNaN(s.Aligned) || !math.IsNaN(s.Dissimilarity) || !math.IsNaN(s.Ranking) {
		t.Errorf("status %+v, want NaN for all that is not known", s)
	}
}

// Where latents decode to nothing, neither features nor scores are asked for.
func TestLatentsThatDecodeToNothing(t *testing.T) {
	for name, updates := range map[string]int{"pglbo+structure": 2, "cobo+invbo+structure": 0, "pglbo+reencoded": 2} {
		for _, profile := range []invbo.Profile{invbo.Fitted(), invbo.Published()} {
			m, err := invbo.MethodNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			p := fitting(t, 20)
			p.Model = mute{p.Model.(vae.Tunable)}
			p.Features = func(x string) (gp.Counts, error) {
				if x == "" {
					return gp.Counts{}, errors.New("nothing has no features")
				}
				return gp.Counts{IDs: []uint64{uint64(len(x))}, N: []uint32{1}}, nil
			}
			o, err := invbo.Run(t.Context(), p, invbo.Options{Method: m, Profile: quick(profile), Budget: 20, Patience: 1})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, profile.Name, err)
			}
			if s := o.Status(); s.OracleCalls != 20 || s.Updates < updates { // pseudo-labels come with the second
				t.Errorf("%s, %s: %d calls and %d updates, want 20 and %d", name, profile.Name, s.OracleCalls, s.Updates, updates)
			}
		}
	}
}

// mute is a model that writes nothing for half of the latents.
type mute struct{ vae.Tunable }

func (m mute) Clone() vae.Tunable { return mute{m.Tunable.Clone()} }

func (m mute) Decode(ctx context.Context, z [][]float64) ([]string, error) {
	x, err := m.Tunable.Decode(ctx, z)
	for i := range x {
		if z[i][0] > 0 {
			x[i] = ""
		}
	}
	return x, err
}

func TestCancelEndsARun(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	opts := turbo(t, 1000)
	enough := errors.New("enough")
	opts.Watch = func(s invbo.Status) {
		if s.Batch == 2 {
			cancel(enough)
		}
	}
	o, err := invbo.Run(ctx, bowl(t, 2), opts)
	if !errors.Is(err, enough) {
		t.Errorf("error %v, want the cause %v", err, enough)
	}
	if s := o.Status(); s.Batch != 2 || s.OracleCalls != 8 {
		t.Errorf("%d batches with %d calls, want 2 with 8", s.Batch, s.OracleCalls)
	}
}

func TestAskAndTell(t *testing.T) {
	p := bowl(t, 2)
	for i := range 6 {
		p.Init[i].Y, p.Init[i].Scored = float64(i), true
	}
	p.Init = append(p.Init, p.Init[7]) // twice the same string
	score := p.Oracle
	p.Oracle = nil
	o, err := invbo.New(p, turbo(t, 8))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	ask := func() []invbo.Proposal {
		t.Helper()
		asked, err := o.Ask(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return asked
	}
	tell := func(p invbo.Proposal) {
		t.Helper()
		r, err := oracle.One(ctx, score, p.X)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Tell(ctx, invbo.Answer{X: p.X, Result: r}); err != nil {
			t.Fatal(err)
		}
	}

	initial := ask()
	if len(initial) != 2 || initial[0].Kind != invbo.Initial {
		t.Fatalf("asked for %v first, want the two initial strings without a score", initial)
	}
	tell(initial[1])
	if again := ask(); !slices.Equal(again, initial[:1]) {
		t.Errorf("asked for %v, want the one that was not told", again)
	}
	tell(initial[0])

	batch := ask()
	if len(batch) != 4 || batch[0].Kind != invbo.Acquired {
		t.Fatalf("asked for %v, want a batch of 4", batch)
	}
	if err := o.Tell(ctx, invbo.Answer{X: "0.5 0.5", Result: oracle.Result{Score: 0.08}}); err != nil {
		t.Errorf("a score that was not asked for: %v", err)
	}
	if err := o.Tell(ctx, invbo.Answer{X: "five", Result: oracle.Result{Score: 1}}); err == nil {
		t.Error("a string that the model cannot write was taken")
	}
	for _, p := range batch {
		tell(p)
	}
	if got := o.Trials()[8]; got.Kind != invbo.Told || got.Called {
		t.Errorf("trial %+v, want one that was told and cost nothing", got)
	}
	for o.Left() > 0 {
		for _, p := range ask() {
			tell(p)
		}
	}
	if _, err := o.Ask(ctx); !errors.Is(err, invbo.ErrDone) {
		t.Errorf("error %v after the budget, want ErrDone", err)
	}
	if s := o.Status(); s.InitCalls != 2 || s.OracleCalls != 8 {
		t.Errorf("%d initial calls and %d others, want 2 and 8", s.InitCalls, s.OracleCalls)
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*invbo.Problem, *invbo.Options)
		want   string
	}{
		{"no model", func(p *invbo.Problem, _ *invbo.Options) { p.Model = nil }, "needs a Model"},
		{"one initial string", func(p *invbo.Problem, _ *invbo.Options) { p.Init = p.Init[:1] }, "at least 2"},
		{"an initial string the model cannot write", func(p *invbo.Problem, _ *invbo.Options) { p.Init[2].X = "x y" }, "initial string 3"},
		{"an initial score that is no number", func(p *invbo.Problem, _ *invbo.Options) {
			p.Init[1].Scored, p.Init[1].Y = true, math.NaN()
		}, "initial string 2"},
		{"a region smaller than the smallest", func(_ *invbo.Problem, o *invbo.Options) { o.Region.Min = 1 }, "trust region of side 0.8, from 1 "},
		{"a negative budget", func(_ *invbo.Problem, o *invbo.Options) { o.Budget = -1 }, "budget -1"},
		{"a method that updates a model which cannot be", func(_ *invbo.Problem, o *invbo.Options) {
			o.Method = invbo.Method{}
		}, "take turbo"},
		{"a method without an alignment", func(_ *invbo.Problem, o *invbo.Options) { o.Method.Align = nil }, "set its Align"},
		{"a profile without a surrogate", func(_ *invbo.Problem, o *invbo.Options) { o.Profile.Surrogate = nil }, "begin with Fitted()"},
		{"a profile without candidates", func(_ *invbo.Problem, o *invbo.Options) { o.Profile.Candidates = 0 }, "0 Candidates"},
		{"a negative rate of inversion", func(_ *invbo.Problem, o *invbo.Options) { o.Inversion.Rate = -1 }, "rate -1"},
		{"an epsilon of no distance", func(_ *invbo.Problem, o *invbo.Options) { o.Inversion.Epsilon = 0.1 }, "give both or neither"},
		{"a region that shrinks after -1 batches", func(_ *invbo.Problem, o *invbo.Options) { o.Region.Shrink = -1 }, "halved after -1"},
		{"a surrogate that cannot be trained with the VAE", func(p *invbo.Problem, o *invbo.Options) {
			p.Model, o.Method = fitting(t, 2).Model, invbo.Method{}
			for i := range p.Init {
				p.Init[i].X = "x"
			}
			p.Init[0].X = "1"
			o.Profile.Surrogate = func(vae.Model) invbo.Surrogate { return &fitted{} }
		}, "is no Trainable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, opts := bowl(t, 2), turbo(t, 8)
			tt.change(&p, &opts)
			if _, err := invbo.New(p, opts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
		})
	}
}

func TestAllRefusedInitialDataIsAnError(t *testing.T) {
	p := bowl(t, 2)
	p.Oracle = oracle.Func(func(string) oracle.Result { return oracle.Result{Score: math.NaN(), Reason: "no"} })
	_, err := invbo.Run(t.Context(), p, turbo(t, 8))
	if err == nil || !strings.Contains(err.Error(), "0 of 8 strings have a score") {
		t.Errorf("error %v, want one that says how many strings have a score", err)
	}
}
