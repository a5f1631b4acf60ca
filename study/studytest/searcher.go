package studytest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// The suite's studies are small, but have several batches.
const (
	budget = 14
	batch  = 4
)

// Searcher checks a searcher. build returns a problem, the same each time, and a new searcher for it with the same
// seed. The problem has an oracle, initial strings that a searcher can work with, and at least 40 more strings that
// the searcher finds. The suite asks for 4 strings at a time.
func Searcher(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher)) {
	first := begin(t, build, nil, nil)
	first.finish(nil, 0)
	base := first.trials()

	t.Run("the order of answers in a batch does not matter", func(t *testing.T) {
		s := begin(t, build, nil, nil)
		s.finish(rand.New(rand.NewPCG(1, 0)), 0)
		same(t, s.trials(), base)
	})
	t.Run("Run finds the same trials", func(t *testing.T) {
		s := begin(t, build, nil, nil)
		s.run()
		same(t, s.trials(), base)
	})
	t.Run("a cancelled Propose is repeated", func(t *testing.T) {
		s := begin(t, build, nil, nil)
		s.spy.cancels = true
		s.finish(nil, 0)
		same(t, s.trials(), base)
	})
	t.Run("several asks outstanding", func(t *testing.T) {
		first, second := begin(t, build, nil, nil), begin(t, build, nil, nil)
		first.finish(rand.New(rand.NewPCG(0, 1)), 3)
		second.finish(rand.New(rand.NewPCG(1, 1)), 3)
		same(t, second.trials(), first.trials())
	})
	t.Run("invalid, infeasible and failing strings", func(t *testing.T) {
		begin(t, build, nil, refuseSome).finish(nil, 0)
	})
	t.Run("replicates, corrections and external data", func(t *testing.T) { corrections(t, build, first.Trials()) })
	t.Run("outcomes without a score", func(t *testing.T) { partial(t, build, first.Trials()) })
	t.Run("scores that are struck beside outcomes", func(t *testing.T) { struck(t, build) })
	t.Run("bounds", func(t *testing.T) { bounds(t, build) })

	// Wherever the events of a study end, it goes on as if it had not been interrupted.
	t.Run("resumed from a snapshot", func(t *testing.T) {
		if _, s := build(t); !durable(s) {
			t.Skip("the searcher has no snapshots")
		}
		resumed(t, build)
	})
	t.Run("resumed by proposing again", func(t *testing.T) {
		resumed(t, func(t *testing.T) (study.Problem, study.Searcher) {
			p, s := build(t)
			return p, forgetful{s}
		})
	})
}

func durable(s study.Searcher) bool {
	_, ok := s.(study.Durable)
	return ok
}

// corrections searches with answers that are replicates, corrections and external data. others are the trials of
// another search.
func corrections(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher), others []study.Trial) {
	s := begin(t, build, nil, nil)
	for range 3 {
		s.tell(s.ask())
	}
	trials := slices.DeleteFunc(s.Trials(), func(t study.Trial) bool { return t.State != study.Scored })
	foreign, twice, lost := others[len(others)-1], trials[0], trials[1]
	s.asked[foreign.Input] = true
	measured := lost.Measurements[0].ID
	s.answer(study.Answer{X: foreign.X, Result: oracle.Result{Score: foreign.Score}})
	s.answer(study.Answer{ID: twice.ID, SE: 0.5, Result: oracle.Result{Score: twice.Score + 0.1}})
	s.answer(study.Answer{ID: lost.ID, Measurement: measured, Result: oracle.Result{Score: math.NaN(), Reason: "mixed up"}})
	s.tell(s.ask())
	s.answer(study.Answer{ID: lost.ID, Measurement: measured, Result: oracle.Result{Score: lost.Score}})
	s.finish(nil, 0)
}

// partial searches where some strings have outcomes and no score, and resumes that. others are the trials of another search.
func partial(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher), others []study.Trial) {
	all := &study.Memory{}
	whole := begin(t, build, all, nil)
	whole.tell(whole.ask())
	for _, known := range others[len(others)-3:] { // which may be proposed
		whole.answer(study.Answer{X: known.X, Result: oracle.Result{Others: map[string]float64{"further": 1}}, Partial: true})
	}
	whole.finish(nil, 0)
	events := events(t, all)
	for cut := len(events) / 2; cut < len(events); cut++ {
		if events[cut].Asked > 0 { // nothing is pending
			s := begin(t, build, recorded(t, events[:cut]), nil)
			s.finish(nil, 0)
			same(t, s.trials(), whole.trials())
		}
	}
}

// struck searches where scores are struck although further outcomes of their strings remain: that of a proposal before
// anything else was told, and the best score of all. Both strings may be proposed again. It resumes that.
func struck(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher)) {
	all := &study.Memory{}
	whole := begin(t, build, all, nil)
	whole.tell(whole.ask())
	asked := whole.ask()
	for asked[0].Kind == study.Initial { // a searcher hears of these once they have a score
		whole.tell(asked)
		asked = whole.ask()
	}
	further := oracle.Result{Others: map[string]float64{"further": 1}}
	first, best := asked[0], whole.Best()
	whole.answer(study.Answer{ID: first.ID, Result: further, Partial: true})
	whole.answer(study.Answer{ID: first.ID, Result: study.Strike("mixed up")})
	whole.tell(asked[1:])
	whole.answer(study.Answer{ID: best.ID, Result: further, Partial: true})
	whole.answer(study.Answer{ID: best.ID, Measurement: best.Measurements[0].ID, Result: study.Strike("mixed up")})
	want := study.Failed
	if _, models := whole.spy.Searcher.(study.Constrained); models {
		want = study.Partial
	}
	for _, t := range []study.Proposal{first, best.Proposal} {
		if got := whole.spy.latest[t.ID]; got != want {
			whole.t.Errorf("the searcher observed that %q has state %d after its score was struck, want %d", t.X, got, want)
		}
		delete(whole.asked, t.Input)
	}
	told := len(events(t, all))
	whole.finish(nil, 0)
	events := events(t, all)
	for cut := told; cut < len(events); cut++ {
		if events[cut].Asked > 0 { // nothing is pending
			s := begin(t, build, recorded(t, events[:cut]), nil)
			s.finish(nil, 0)
			same(t, s.trials(), whole.trials())
		}
	}
}

// bounds searches with answers that are bounds, and resumes that once.
func bounds(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher)) {
	all := &study.Memory{}
	begin := func(store study.Store) *search {
		s := begin(t, build, store, nil)
		s.bounded = true
		return s
	}
	whole := begin(all)
	whole.finish(nil, 0)
	if best := whole.Best(); best.ID > 0 && best.ValueBound() == study.Below {
		t.Errorf("the best is only known to be below %g", best.Value)
	}
	events := events(t, all)
	for cut := len(events) / 2; cut < len(events); cut++ {
		if events[cut].Asked > 0 { // nothing is pending
			s := begin(recorded(t, events[:cut]))
			s.finish(nil, 0)
			same(t, s.trials(), whole.trials())
			break
		}
	}
}

// resumed resumes searches with strings that are refused, by Run and by Ask and Tell.
func resumed(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher)) {
	begin := func(t *testing.T, store study.Store) *search { return begin(t, build, store, refuseSome) }
	t.Run("Run", func(t *testing.T) {
		all := &study.Memory{}
		whole := begin(t, all)
		whole.run()
		events := events(t, all)
		for cut := 1; cut < len(events); cut += 1 + len(events)/cuts {
			s := begin(t, recorded(t, events[:cut]))
			s.run()
			same(t, s.trials(), whole.trials())
		}
	})
	t.Run("Ask and Tell", func(t *testing.T) {
		all := &study.Memory{}
		whole := begin(t, all)
		whole.finish(nil, 3)
		events := events(t, all)
		for cut := 1; cut < len(events); cut++ {
			if events[cut-1].Asked == 0 {
				continue
			}
			s := begin(t, recorded(t, events[:cut]))
			var latest []study.Proposal
			for _, trial := range events[cut-1].Trials {
				if trial.State == study.Pending {
					latest = append(latest, trial.Proposal)
				}
			}
			if len(latest) == 0 { // Ask has not returned
				latest = s.ask()
			}
			s.goOn(s.Pending(), len(latest), nil, 3)
			same(t, s.trials(), whole.trials())
		}
	})
}

// cuts is about how many ends of a study the suite resumes.
const cuts = 8

// recorded returns a store of events.
func recorded(t *testing.T, events []study.Event) study.Store {
	t.Helper()
	store := &study.Memory{}
	Save(t, store, events...)
	return store
}

// refuseSome makes a fifth of a problem's strings invalid, a fifth infeasible and a fifth fail, but for the initial ones.
func refuseSome(p *study.Problem) {
	translate, score := p.Translate, p.Oracle
	initial := map[string]bool{}
	for _, o := range p.Init {
		initial[o.X] = true
	}
	p.Translate = func(x string) (string, error) {
		switch {
		case !initial[x] && hash(x) == 0:
			return "", errors.New("stands for nothing")
		case translate == nil:
			return x, nil
		}
		return translate(x)
	}
	p.Feasible = func(input string) (bool, error) { return hash(input) != 1, nil }
	p.Oracle = oracle.Each(1, func(ctx context.Context, input string) (oracle.Result, error) {
		if hash(input) == 2 {
			return oracle.Result{Score: math.NaN(), Reason: "the instrument broke"}, nil
		}
		return oracle.One(ctx, score, input)
	})
}

// hash returns a number from 0 to 4.
func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return (h.Sum64() >> 7) % 5 // the low bits are those of the last character
}

// search is a study with what the suite remembers of it.
type search struct {
	*study.Study
	t       *testing.T
	problem study.Problem
	spy     *spy
	asked   map[string]bool // inputs
	bounded bool            // a fifth of the answers are bounds from below, and a fifth from above
}

func begin(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher), store study.Store, change func(*study.Problem)) *search {
	t.Helper()
	p, searcher := build(t)
	if change != nil {
		change(&p)
	}
	hidden, forgets := searcher.(forgetful)
	if forgets {
		searcher = hidden.Searcher
	}
	s := &search{t: t, problem: p, spy: &spy{Searcher: searcher, t: t, open: map[string]int{}, latest: map[int]study.State{}}, asked: map[string]bool{}}
	var err error
	if s.Study, err = study.New(t.Context(), p, s.spy.like(!forgets), study.Options{Budget: budget, Batch: batch, Store: store}); err != nil {
		t.Fatal(err)
	}
	return s
}

// run has the study ask the oracle until the budget is spent.
func (s *search) run() {
	s.t.Helper()
	if err := s.Run(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// ask asks for a batch of strings that were not asked for before. It returns nil when the budget is spent.
func (s *search) ask() []study.Proposal {
	s.t.Helper()
	proposals, err := s.Ask(s.t.Context(), batch)
	if err != nil && !errors.Is(err, study.ErrDone) {
		s.t.Fatalf("Ask: %v", err)
	}
	for _, p := range proposals {
		if s.asked[p.Input] {
			s.t.Errorf("trial %d proposes %q, which is known or pending", p.ID, p.Input)
		}
		s.asked[p.Input] = true
	}
	return proposals
}

// tell answers proposals one by one, as the oracle does.
func (s *search) tell(proposals []study.Proposal) {
	s.t.Helper()
	for _, p := range proposals {
		r, err := oracle.One(s.t.Context(), s.problem.Oracle, p.Input)
		if err != nil {
			s.t.Fatal(err)
		}
		a := study.Answer{ID: p.ID, Result: r}
		if s.bounded {
			a.Bound = map[uint64]study.Bound{0: study.Above, 1: study.Below}[hash(p.Input)]
		}
		s.answer(a)
	}
}

func (s *search) answer(a study.Answer) {
	s.t.Helper()
	if err := s.Tell(s.t.Context(), a); err != nil {
		s.t.Fatalf("Tell: %v", err)
	}
}

// finish searches until the budget is spent. Answers between two asks come in a random order if there is an rng, and
// the latest proposals, late of them, are answered only after the next ask.
func (s *search) finish(rng *rand.Rand, late int) {
	s.t.Helper()
	more := s.ask()
	s.goOn(more, len(more), rng, late)
}

// goOn is finish after an Ask whose proposals are the last n of those that are open.
func (s *search) goOn(open []study.Proposal, n int, rng *rand.Rand, late int) {
	s.t.Helper()
	for len(open) > 0 {
		more := open[len(open)-n:]
		now := len(open)
		if len(more) > 0 && more[0].Kind != study.Initial {
			now = max(0, now-late)
		}
		if rng != nil {
			rng.Shuffle(now, func(i, j int) { open[i], open[j] = open[j], open[i] })
		}
		s.tell(open[:now])
		more = s.ask()
		open, n = append(open[now:], more...), len(more)
	}
	if status := s.Status(); status.Calls != budget || status.Pending != 0 {
		s.t.Errorf("%d calls and %d pending at the end, want %d and 0", status.Calls, status.Pending, budget)
	}
	for x, n := range s.spy.open {
		if n != 0 {
			s.t.Errorf("%q was proposed %d times more often than it was observed", x, n)
		}
	}
}

// trials describes all trials but for the numbers of their measurements, which follow the order of answers.
func (s *search) trials() string {
	var lines []string
	for _, t := range s.Trials() {
		lines = append(lines, fmt.Sprintf("%d %q %s batch %d, predicted %g ± %g: %g", t.ID, t.X, t.Kind, t.Batch, t.Mean, t.SD, t.Score))
	}
	return strings.Join(lines, "\n")
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// spy checks what a searcher proposes.
type spy struct {
	study.Searcher
	t       *testing.T
	cancels bool                // Propose is called first with a context that has ended
	open    map[string]int      // how often a string was proposed and not yet observed
	latest  map[int]study.State // that was observed, by the trial's ID
}

func (s *spy) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	var proposals []study.Proposal
	err := errors.New("not called")
	if s.cancels {
		why := errors.New("enough")
		ended, cancel := context.WithCancelCause(ctx)
		cancel(why)
		if proposals, err = s.Searcher.Propose(ended, known, n); err != nil && !errors.Is(err, why) {
			s.t.Errorf("cancelled Propose: %v, want an error that wraps the cause", err)
		}
	}
	if err != nil {
		proposals, err = s.Searcher.Propose(ctx, known, n)
	}
	for _, p := range proposals {
		if p.Kind == study.Initial || p.Kind == study.External {
			s.t.Errorf("proposal %q: kind %q", p.X, p.Kind)
		}
		if math.IsNaN(p.Mean) != math.IsNaN(p.SD) || p.SD < 0 || math.IsInf(p.Mean, 0) || math.IsInf(p.SD, 0) {
			s.t.Errorf("proposal %q: predicted %g ± %g", p.X, p.Mean, p.SD)
		}
		s.open[p.X]++
	}
	return proposals, err
}

func (s *spy) Observe(ctx context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		s.latest[t.ID] = t.State
		if _, mine := s.open[t.X]; mine && !t.Revised && t.Kind != study.Initial && t.Kind != study.External {
			s.open[t.X]--
		}
	}
	return s.Searcher.Observe(ctx, trials...)
}

// forgetful hides the snapshots of a searcher.
type forgetful struct{ study.Searcher }

// like returns the spy with the searcher's other methods: those of study.Constrained and, if they are not hidden, of
// study.Durable.
func (s *spy) like(snapshots bool) study.Searcher {
	c, models := s.Searcher.(study.Constrained)
	d, durable := s.Searcher.(study.Durable)
	durable = durable && snapshots
	switch {
	case models && durable:
		return struct {
			*spy
			study.Constrained
			study.Durable
		}{s, c, d}
	case models:
		return struct {
			*spy
			study.Constrained
		}{s, c}
	case durable:
		return struct {
			*spy
			study.Durable
		}{s, d}
	}
	return s
}

// Aim is the searcher's, if it has one.
func (s *spy) Aim(objectives []study.Objective) {
	if m, ok := s.Searcher.(study.MultiObjective); ok {
		m.Aim(objectives)
	}
}

// Check is the searcher's, if it has one.
func (s *spy) Check(x string) error {
	if c, ok := s.Searcher.(study.Checker); ok {
		return c.Check(x)
	}
	return nil
}
