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
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// task is a problem with the model that writes its strings.
type task struct {
	study.Problem
	model vae.Model
}

// begin returns a study of a task, and its searcher.
func begin(t *testing.T, p task, opts invbo.Options, budget int) (*study.Study, *invbo.Optimizer) {
	t.Helper()
	o, err := invbo.New(p.model, opts)
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.New(t.Context(), p.Problem, o, study.Options{Budget: budget, Batch: opts.Batch})
	if err != nil {
		t.Fatal(err)
	}
	return s, o
}

// run spends a budget.
func run(t *testing.T, p task, opts invbo.Options, budget int) *study.Study {
	t.Helper()
	s, _ := begin(t, p, opts, budget)
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// trials prints all trials of a study but for the numbers of their measurements, which follow the clock.
func trials(s *study.Study) string {
	all := s.Trials()
	for i := range all {
		all[i].Measurements = nil
	}
	return fmt.Sprintf("%+v", all)
}

// ask asks for a batch.
func ask(t *testing.T, s *study.Study, n int) []study.Proposal {
	t.Helper()
	asked, err := s.Ask(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return asked
}

// answer scores what a study has asked for, and tells.
func answer(t *testing.T, s *study.Study, p task, asked []study.Proposal) {
	t.Helper()
	for _, a := range asked {
		r, err := oracle.One(t.Context(), p.Oracle, a.Input)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Tell(t.Context(), study.Answer{ID: a.ID, Result: r}); err != nil {
			t.Fatal(err)
		}
	}
}

// slow leaves out a test of whole runs with -short.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole runs: left out with -short")
	}
}

// method is MethodNamed.
func method(t *testing.T, name string) invbo.Method {
	t.Helper()
	m, err := invbo.MethodNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bowl is a continuous problem: the squared distance from (0.3, …, 0.3), to be minimized.
func bowl(t *testing.T, d int) task {
	t.Helper()
	lower, upper := make([]float64, d), make([]float64, d)
	for j := range lower {
		lower[j], upper[j] = -2, 2
	}
	m, err := vae.NewIdentity(lower, upper)
	if err != nil {
		t.Fatal(err)
	}
	start, err := m.Decode(t.Context(), vae.Prior(m, 8, rand.New(rand.NewPCG(5, 5))))
	if err != nil {
		t.Fatal(err)
	}
	p := task{model: m, Problem: study.Problem{Name: "bowl", Minimize: true, Oracle: oracle.Func(func(x string) oracle.Result {
		var sum float64
		for _, field := range strings.Fields(x) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return oracle.Result{Score: math.NaN(), Reason: err.Error()}
			}
			sum += (v - 0.3) * (v - 0.3)
		}
		return oracle.Result{Score: sum}
	})}}
	for _, x := range start {
		p.Init = append(p.Init, study.Observation{X: x})
	}
	return p
}

// turbo are options for a continuous problem that run in a moment.
func turbo(t *testing.T) invbo.Options {
	t.Helper()
	profile := invbo.Fitted()
	profile.LocalCandidates = 200
	return invbo.Options{Method: method(t, "turbo+pas"), Profile: profile, Batch: 4}
}

// slot returns a slot with a surrogate that wraps another's.
func slot(other invbo.Surrogate, wrap func(surrogate.Surrogate) surrogate.Surrogate) invbo.Surrogate {
	return func(m vae.Model, f surrogate.Features) surrogate.Surrogate { return wrap(other(m, f)) }
}

// fitted is a surrogate that remembers how many points it was fitted to at most, and what they were called.
type fitted struct {
	surrogate.Surrogate
	points int
	called map[int]string
}

func (f *fitted) Fit(ctx context.Context, d surrogate.Data, rng *rand.Rand) error {
	f.points = max(f.points, len(d.Z))
	for i, id := range d.ID {
		if before, ok := f.called[id]; ok && before != d.X[i] {
			return fmt.Errorf("%d was %s, and is %s", id, before, d.X[i])
		}
		f.called[id] = d.X[i]
	}
	return f.Surrogate.Fit(ctx, d, rng)
}

func TestTheSurrogateOfAContinuousProblemIsLocal(t *testing.T) {
	opts := turbo(t)
	opts.Top = 2
	opts.Profile.LocalPoints = 12
	spy := &fitted{called: map[int]string{}}
	opts.Method.Surrogate = slot(invbo.Latent, func(s surrogate.Surrogate) surrogate.Surrogate {
		spy.Surrogate = s
		return spy
	})
	run(t, bowl(t, 2), opts, 30)
	if spy.points != 12 {
		t.Errorf("fitted to %d of 38 points, want the 6 best and the 6 latest", spy.points)
	}
	if len(spy.called) <= 12 {
		t.Errorf("%d points had an ID in all, want more than the surrogate sees at once", len(spy.called))
	}
}

func TestRunFindsTheBottomOfABowl(t *testing.T) {
	s := run(t, bowl(t, 3), turbo(t), 60)
	status := s.Status()
	if status.InitCalls != 8 || status.Calls != 60 || len(s.Trials()) != 68 {
		t.Errorf("%d initial calls, %d calls and %d trials, want 8, 60 and 68", status.InitCalls, status.Calls, len(s.Trials()))
	}
	if best := s.Best(); best.Score > 0.05 {
		t.Errorf("best score %g, want at most 0.05", best.Score)
	}
	if aligned := status.Gauge(invbo.Aligned); aligned != 1 {
		t.Errorf("aligned %g, want 1: the identity decodes exactly", aligned)
	}
}

func TestTheSameSeedGivesTheSameTrials(t *testing.T) {
	run := func(seed uint64, threads int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		opts := turbo(t)
		opts.Seed = seed
		return trials(run(t, bowl(t, 4), opts, 24))
	}
	first := run(1, 1)
	if second := run(1, 2); second != first {
		t.Error("one thread and two gave different trials")
	}
	if other := run(2, 2); other == first {
		t.Error("another seed gave the same trials")
	}
}

// A model of an ambiguous grammar may write what it cannot read. Such strings are skipped like latents that decode to
// nothing.
func TestStringsThatTheModelCannotReadAreSkipped(t *testing.T) {
	slow(t)
	for _, name := range []string{"cobo+invbo", "cobo", "turbo+structure", "pglbo"} {
		p := fitting(t, 40)
		p.Init = slices.DeleteFunc(p.Init, func(o study.Observation) bool { return strings.Contains(o.X, "/") })
		p.model = illiterate{p.model.(vae.Tunable)}
		o, err := invbo.New(p.model, invbo.Options{Method: method(t, name), Profile: quick(invbo.Fitted()), Patience: 1})
		if err != nil {
			t.Fatal(err)
		}
		s, err := study.New(t.Context(), p.Problem, o, study.Options{Budget: 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, trial := range s.Trials() {
			if strings.Contains(trial.X, "/") {
				t.Errorf("%s: trial %q, which the model cannot read", name, trial.X)
			}
		}
	}
}

// illiterate writes strings with a slash, and cannot read them.
type illiterate struct{ vae.Tunable }

func (m illiterate) Clone() vae.Tunable { return illiterate{m.Tunable.Clone()} }

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
	return m.Tunable.Encode(ctx, x)
}

// A method without a trust region has none to report.
func TestReportWithoutARegion(t *testing.T) {
	m := method(t, "lbo")
	m.Tuning = invbo.FineTuning{}
	s := run(t, fitting(t, 20), invbo.Options{Method: m, Profile: quick(invbo.Fitted()), Region: invbo.RegionOptions{Shrink: 1, Min: 0.7}}, 60)
	if s := s.Status(); s.Gauge(invbo.Length) != 0 || s.Gauge(invbo.Restarts) != 0 {
		t.Errorf("a region of side %g, restarted %g times, of a search in the whole space", s.Gauge(invbo.Length), s.Gauge(invbo.Restarts))
	}
}

// Where too little has a score the error says why.
func TestWhyNothingHasAScore(t *testing.T) {
	p := bowl(t, 2)
	p.Oracle = oracle.Func(func(x string) oracle.Result {
		if x == p.Init[3].X {
			return oracle.Result{Score: 1}
		}
		return oracle.Result{Score: math.NaN(), Reason: "no such receptor"}
	})
	s, _ := begin(t, p, turbo(t), 8)
	err := s.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "too few strings have a score (1 of 8)") || !strings.Contains(err.Error(), "no such receptor") {
		t.Errorf("error %v, want how many have a score, and why the others have none", err)
	}
}

// An anchor of one's own that is none of the points is an error.
func TestAnchorBeyondThePoints(t *testing.T) {
	for _, beyond := range []int{-1, 8} {
		opts := turbo(t)
		opts.Method.Anchor = invbo.Anchor{Name: "mine", Choose: func(invbo.Field) (int, error) { return beyond, nil }}
		s, _ := begin(t, bowl(t, 2), opts, 8)
		if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("is point %d of 8", beyond)) {
			t.Errorf("%d: error %v", beyond, err)
		}
	}
}

// Two scores are enough for a surrogate.
func TestTwoScoresAreEnough(t *testing.T) {
	p := bowl(t, 2)
	p.Init = p.Init[:2]
	if s := run(t, p, turbo(t), 4); s.Status().Calls != 4 {
		t.Errorf("%d calls, want 4", s.Status().Calls)
	}
}

// A Propose that ended before its surrogate learned anything is made up for by the next: the run is the same.
func TestAnAskThatFailedIsMadeAgain(t *testing.T) {
	run := func(fails int) string {
		opts := turbo(t)
		opts.Method.Surrogate = slot(invbo.Latent, func(s surrogate.Surrogate) surrogate.Surrogate { return &unsteady{s, fails} })
		p := bowl(t, 2)
		s, _ := begin(t, p, opts, 12)
		for {
			asked, err := s.Ask(t.Context(), 4)
			switch {
			case errors.Is(err, errUnsteady):
				continue
			case errors.Is(err, study.ErrDone):
				return trials(s)
			case err != nil:
				t.Fatal(err)
			}
			answer(t, s, p, asked)
		}
	}
	if run(0) != run(2) {
		t.Error("after two failures the run is another")
	}
}

var errUnsteady = errors.New("unsteady")

// unsteady is a surrogate whose first Fits fail.
type unsteady struct {
	surrogate.Surrogate
	fails int
}

func (u *unsteady) Fit(ctx context.Context, d surrogate.Data, rng *rand.Rand) error {
	if u.fails--; u.fails >= 0 {
		return errUnsteady
	}
	return u.Surrogate.Fit(ctx, d, rng)
}

// An update of the VAE that ctx cuts short has changed the decoder. The next Ask makes the update, and aligns all latents.
func TestAnUpdateThatIsCutShortIsMadeUpFor(t *testing.T) {
	p := fitting(t, 20)
	ctx, cancel := context.WithCancel(t.Context())
	p.model = interrupted{p.model.(vae.Tunable), cancel}
	s, _ := begin(t, p, invbo.Options{Profile: quick(invbo.Fitted()), Top: 100, Patience: 1}, 500)
	batch := func(ctx context.Context) error {
		asked, err := s.Ask(ctx, 5)
		answer(t, s, p, asked)
		return err
	}
	var err error
	for err == nil {
		err = batch(ctx)
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the first update", err)
	}
	status := s.Status()
	if status.Gauge(invbo.Updates) != 0 || !math.IsNaN(status.Gauge(invbo.Aligned)) {
		t.Errorf("%g updates, aligned %g, want none, and no latent that is known to be right", status.Gauge(invbo.Updates), status.Gauge(invbo.Aligned))
	}
	at := status.Batches
	if err := batch(t.Context()); err != nil {
		t.Fatal(err)
	}
	status = s.Status()
	if updates, aligned := status.Gauge(invbo.Updates), status.Gauge(invbo.Aligned); updates != 1 || status.Batches != at+1 || aligned < 0.95 {
		t.Errorf("then %g updates, batch %d after %d, aligned %g; want one, the next, and all", updates, status.Batches, at, aligned)
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

func TestReportOfNothing(t *testing.T) {
	_, o := begin(t, bowl(t, 2), turbo(t), 8)
	r := o.Report()
	if !math.IsNaN(r.Gauge(invbo.Aligned)) || !math.IsNaN(r.Gauge(invbo.Dissimilarity)) || r.Gauge(invbo.Length) != 0 {
		t.Errorf("report %+v, want NaN for all that is not known", r)
	}
}

// Where latents decode to nothing, neither features nor scores are asked for.
func TestLatentsThatDecodeToNothing(t *testing.T) {
	slow(t)
	for name, updates := range map[string]float64{"pglbo+structure": 2, "cobo+invbo+structure": 0} {
		for _, profile := range []invbo.Profile{invbo.Fitted(), invbo.Published()} {
			p := fitting(t, 20)
			p.model = mute{p.model.(vae.Tunable)}
			features := func(x string) (gp.Counts, error) {
				if x == "" {
					return gp.Counts{}, errors.New("nothing has no features")
				}
				return gp.Counts{IDs: []uint64{uint64(len(x))}, N: []uint32{1}}, nil
			}
			s := run(t, p, invbo.Options{Method: method(t, name), Features: features, Profile: quick(profile), Patience: 1}, 20).Status()
			if s.Calls != 20 || s.Gauge(invbo.Updates) < updates { // pseudo-labels come with the second
				t.Errorf("%s, %s: %d calls and %g updates, want 20 and %g", name, profile.Name, s.Calls, s.Gauge(invbo.Updates), updates)
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

// Neither a batch nor recentering proposes what is infeasible, and the budget is spent. The initial design is exempt.
func TestOnlyTheFeasibleIsProposed(t *testing.T) {
	slow(t)
	const budget = 20
	forbidden := func(x string) bool { return strings.Contains(x, "sin") }
	for _, test := range []struct {
		method  string
		profile invbo.Profile
	}{{"cobo", invbo.Fitted()}, {"cobo+invbo+structure", invbo.Fitted()}, {"turbo", invbo.Published()}} {
		t.Run(test.method+", "+test.profile.Name, func(t *testing.T) {
			p, refused := fitting(t, 20), map[string]int{}
			p.Feasible = func(x string) (bool, error) {
				if forbidden(x) {
					refused[x]++
				}
				return !forbidden(x), nil
			}
			s := run(t, p, invbo.Options{Method: method(t, test.method), Profile: quick(test.profile), Patience: 1}, budget)
			initial := 0
			for _, trial := range s.Trials() {
				switch {
				case !forbidden(trial.X):
				case trial.Kind == study.Initial:
					initial++
				default:
					t.Errorf("trial %d (%s) asks for %q", trial.ID, trial.Kind, trial.X)
				}
			}
			if calls := s.Status().Calls; calls != budget {
				t.Errorf("%d calls, want %d", calls, budget)
			}
			if len(refused) == 0 || initial == 0 {
				t.Errorf("%d strings refused and %d in the initial design; the test is not about anything", len(refused), initial)
			}
			for x, n := range refused {
				if n > 1 {
					t.Errorf("whether %q is feasible was asked %d times", x, n)
				}
			}
		})
	}
}

func TestAnErrorOfFeasibleEndsARun(t *testing.T) {
	for _, profile := range []invbo.Profile{invbo.Fitted(), invbo.Published()} {
		broken := errors.New("broken")
		p, opts := bowl(t, 2), turbo(t)
		p.Feasible = func(string) (bool, error) { return true, broken }
		opts.Profile = quick(profile)
		s, _ := begin(t, p, opts, 10)
		if err := s.Run(t.Context()); !errors.Is(err, broken) {
			t.Errorf("%s: error %v, want broken", profile.Name, err)
		}
	}
}

// Strings with one translation are one to the search, and what translates to nothing is recorded and costs no call.
func TestStringsOfOneTranslationAreProposedOnce(t *testing.T) {
	slow(t)
	for _, profile := range []invbo.Profile{quick(invbo.Fitted()), quick(invbo.Published())} {
		p := bowl(t, 2)
		p.Translate = func(x string) (string, error) { // rounded to quarters
			fields := strings.Fields(x)
			for i, field := range fields {
				v, err := strconv.ParseFloat(field, 64)
				if err != nil {
					return "", err
				}
				if i == 0 && v < 0 {
					return "", errors.New("the first number is negative")
				}
				fields[i] = strconv.FormatFloat(math.Round(4*v)/4, 'g', -1, 64)
			}
			return strings.Join(fields, " "), nil
		}
		opts := turbo(t)
		opts.Profile = profile
		s, _ := begin(t, p, opts, 40)
		if err := s.Run(t.Context()); err != nil && !errors.Is(err, study.ErrExhausted) {
			t.Fatal(err)
		}
		seen, invalid := map[string]bool{}, 0
		for _, trial := range s.Trials() {
			if trial.State == study.Invalid {
				invalid++
				continue
			}
			if seen[trial.Input] {
				t.Errorf("%s: %q was proposed again, as %q", profile.Name, trial.Input, trial.X)
			}
			seen[trial.Input] = true
		}
		if invalid < 3 || len(seen) < 20 {
			t.Errorf("%s: %d invalid strings and %d others; the test is not about anything", profile.Name, invalid, len(seen))
		}
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*vae.Model, *invbo.Options)
		want   string
	}{
		{"no model", func(m *vae.Model, _ *invbo.Options) { *m = nil }, "needs a model"},
		{"a region smaller than the smallest", func(_ *vae.Model, o *invbo.Options) { o.Region.Min = 1 }, "trust region of side 0.8, from 1 "},
		{"a negative batch", func(_ *vae.Model, o *invbo.Options) { o.Batch = -1 }, "batch -1"},
		{"a negative top", func(_ *vae.Model, o *invbo.Options) { o.Top = -1 }, "top -1"},
		{"a negative patience", func(_ *vae.Model, o *invbo.Options) { o.Patience = -1 }, "patience -1"},
		{"a method that updates a model which cannot be", func(_ *vae.Model, o *invbo.Options) {
			o.Method = invbo.Method{}
		}, "take turbo"},
		{"a method without an alignment", func(_ *vae.Model, o *invbo.Options) { o.Method.Align = invbo.Alignment{} }, "set its Align"},
		{"a profile without candidates", func(_ *vae.Model, o *invbo.Options) { o.Profile.Candidates = 0 }, "0 Candidates"},
		{"a profile without candidates of anchors", func(_ *vae.Model, o *invbo.Options) { o.Profile.AnchorCandidates = 0 }, "0 AnchorCandidates"},
		{"a profile without candidates of strings", func(_ *vae.Model, o *invbo.Options) { o.Profile.StringCandidates = 0 }, "0 StringCandidates"},
		{"a negative number of points", func(_ *vae.Model, o *invbo.Options) { o.Profile.Points = -1 }, "-1 Points"},
		{"a negative number of local points", func(_ *vae.Model, o *invbo.Options) { o.Profile.LocalPoints = -1 }, "-1 LocalPoints"},
		{"a negative number of local candidates", func(_ *vae.Model, o *invbo.Options) { o.Profile.LocalCandidates = -1 }, "-1 LocalCandidates"},
		{"a negative depth", func(_ *vae.Model, o *invbo.Options) { o.Profile.Depth = -1 }, "depth -1"},
		{"more strings than candidates", func(_ *vae.Model, o *invbo.Options) { o.Batch = 201 }, "batches of 201 strings from 200 candidates"},
		{"a negative rate of inversion", func(_ *vae.Model, o *invbo.Options) { o.Inversion.Rate = -1 }, "rate -1"},
		{"a negative number of iterations", func(_ *vae.Model, o *invbo.Options) { o.Inversion.Iterations = -1 }, "for -1 iterations"},
		{"a rate of inversion that is no number", func(_ *vae.Model, o *invbo.Options) { o.Inversion.Rate = math.NaN() }, "rate NaN"},
		{"a side that is no number", func(_ *vae.Model, o *invbo.Options) { o.Region.Length = math.NaN() }, "side NaN"},
		{"no transform", func(_ *vae.Model, o *invbo.Options) { o.Profile.Transform = 77 }, "no transform 77"},
		{"a negative epsilon", func(_ *vae.Model, o *invbo.Options) { o.Inversion.Epsilon = -1 }, "to -1"},
		{"an epsilon of no distance", func(_ *vae.Model, o *invbo.Options) { o.Inversion.Epsilon = 0.1 }, "give both or neither"},
		{"updates at a negative rate", func(_ *vae.Model, o *invbo.Options) { o.Method.Tuning.Rate = -1 }, "rate -1"},
		{"updates with -1 passes", func(_ *vae.Model, o *invbo.Options) { o.Method.Tuning.Passes = -1 }, "-1 passes"},
		{"a region that shrinks after -1 batches", func(_ *vae.Model, o *invbo.Options) { o.Region.Shrink = -1 }, "halved after -1"},
		{"a region that grows after -1 batches", func(_ *vae.Model, o *invbo.Options) { o.Region.Grow = -1 }, "doubled after -1"},
		{"a region larger than the largest", func(_ *vae.Model, o *invbo.Options) { o.Region.Length = 2 }, "trust region of side 2"},
		{"a region that may vanish", func(_ *vae.Model, o *invbo.Options) { o.Region.Min = -1 }, "all above 0"},
		{"a surrogate that cannot be trained with the VAE", func(m *vae.Model, o *invbo.Options) {
			*m, o.Method = fitting(t, 2).model, method(t, "cobo")
			o.Method.Surrogate = slot(invbo.Latent, func(s surrogate.Surrogate) surrogate.Surrogate { return &fitted{Surrogate: s} })
		}, "is not Trainable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model, opts := bowl(t, 2).model, turbo(t)
			tt.change(&model, &opts)
			if _, err := invbo.New(model, opts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
		})
	}
	opts := turbo(t)
	opts.Batch, opts.Region = 200, invbo.RegionOptions{Length: 1, Min: 1, Max: 1}
	if _, err := invbo.New(bowl(t, 2).model, opts); err != nil {
		t.Errorf("batches of all candidates, and a region that never changes: %v", err)
	}
	opts.Profile = invbo.Profile{Name: "one", Candidates: 1, AnchorCandidates: 1, StringCandidates: 1, LocalCandidates: 200}
	if _, err := invbo.New(bowl(t, 2).model, opts); err != nil {
		t.Errorf("one candidate of each kind: %v", err)
	}
	opts.Profile.LocalCandidates, opts.Profile.Candidates = 0, 200
	if _, err := invbo.New(bowl(t, 2).model, opts); err != nil {
		t.Errorf("without a number of candidates for continuous problems that of the others holds: %v", err)
	}
}

// Strings that the model cannot encode are refused before anything is scored.
func TestCheckIsTheModels(t *testing.T) {
	p := bowl(t, 2)
	p.Init[2].X = "x y"
	o, err := invbo.New(p.model, turbo(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.New(t.Context(), p.Problem, o, study.Options{}); err == nil || !strings.Contains(err.Error(), "initial string 3") {
		t.Errorf("error %v, want one that names the string", err)
	}
}
