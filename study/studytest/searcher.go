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
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// The suite's studies: small, but several batches.
const (
	budget = 14
	batch  = 4
)

// Searcher checks a searcher. build returns a problem, the same each time, and a new searcher for it with the same
// seed. The problem has an oracle, initial strings that a searcher can work with, and at least 40 more strings that
// the searcher finds. The suite asks for 4 strings at a time.
func Searcher(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher)) {
	new := func(t *testing.T, opts study.Options, change func(*study.Problem, *spy)) *search {
		t.Helper()
		return begin(t, build, opts, change)
	}
	s := new(t, study.Options{}, nil)
	s.finish(nil)
	base := s.trials()

	t.Run("the order of answers in a batch does not matter", func(t *testing.T) {
		for seed := range uint64(2) {
			s := new(t, study.Options{}, nil)
			s.finish(rand.New(rand.NewPCG(seed, 0)))
			same(t, s.trials(), base)
		}
	})
	t.Run("Run finds the same trials", func(t *testing.T) {
		s := new(t, study.Options{Workers: 3}, nil)
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		same(t, s.trials(), base)
	})
	t.Run("a Propose that was cancelled is made again", func(t *testing.T) {
		s := new(t, study.Options{}, func(_ *study.Problem, s *spy) { s.cancels = true })
		s.finish(nil)
		same(t, s.trials(), base)
	})
	t.Run("several asks outstanding", func(t *testing.T) {
		var first string
		for seed := range uint64(2) {
			s := new(t, study.Options{}, nil)
			s.finishWithPending(rand.New(rand.NewPCG(seed, 1)))
			if first == "" {
				first = s.trials()
			}
			same(t, s.trials(), first)
		}
	})
	t.Run("invalid, infeasible and failing strings", func(t *testing.T) {
		s := new(t, study.Options{}, func(p *study.Problem, _ *spy) {
			initial := map[string]bool{}
			for _, o := range p.Init {
				initial[o.X] = true
			}
			translate, feasible, score := p.Translate, p.Feasible, p.Oracle
			p.Translate = func(x string) (string, error) {
				if !initial[x] && hash(x)%5 == 0 {
					return "", errors.New("stands for nothing")
				}
				if translate == nil {
					return x, nil
				}
				return translate(x)
			}
			p.Feasible = func(input string) (bool, error) {
				if hash(input)%5 == 1 || feasible == nil {
					return hash(input)%5 != 1, nil
				}
				return feasible(input)
			}
			p.Oracle = oracle.Each(1, func(ctx context.Context, x string) (oracle.Result, error) {
				if hash(x)%5 == 2 {
					return oracle.Result{Score: math.NaN(), Reason: "the instrument broke"}, nil
				}
				return oracle.One(ctx, score, x)
			})
		})
		s.finish(nil)
		for _, trial := range s.Trials() {
			if trial.Kind != study.Initial && trial.State != study.Invalid && hash(trial.Input)%5 == 1 {
				t.Errorf("trial %d asks for %q, which is infeasible", trial.ID, trial.Input)
			}
		}
	})
	t.Run("replicates, corrections and external data", func(t *testing.T) {
		foreign := s.Trials()[len(s.Trials())-1] // of the first study, unknown to this one
		s := new(t, study.Options{}, nil)
		for range 3 {
			s.tell(s.ask(batch))
		}
		tell := func(a study.Answer, score float64) {
			t.Helper()
			a.Score = score
			if err := s.Tell(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		tell(study.Answer{X: foreign.X}, foreign.Score)
		s.asked[foreign.Input] = true
		trials := slices.DeleteFunc(s.Trials(), func(t study.Trial) bool { return t.State != study.Scored })
		twice, lost := trials[0], trials[1]
		tell(study.Answer{ID: twice.ID, SE: 0.5}, twice.Score+0.1)
		tell(study.Answer{ID: lost.ID, Measurement: lost.Measurements[0].ID, Result: oracle.Result{Reason: "mixed up"}}, math.NaN())
		s.tell(s.ask(batch))
		tell(study.Answer{ID: lost.ID, Measurement: lost.Measurements[0].ID}, lost.Score)
		s.finish(nil)
	})
	t.Run("a resumed study", func(t *testing.T) {
		store := &study.Memory{}
		before := new(t, study.Options{Store: store}, nil)
		for len(before.Status().Best.Measurements) == 0 || before.Status().Calls == 0 {
			before.tell(before.ask(batch))
		}
		last := before.ask(batch)
		before.tell(last[:1])
		after := new(t, study.Options{Store: store}, nil)
		if got, want := describe(after.Study), describe(before.Study); got != want {
			t.Fatalf("resumed with\n%s\nwant\n%s", got, want)
		}
		for input := range before.asked {
			after.asked[input] = true
		}
		after.spy.batch = last[0].Batch
		after.tell(after.Pending())
		after.finish(nil)
	})
}

// search is a study with what the suite remembers of it.
type search struct {
	*study.Study
	t       *testing.T
	problem study.Problem
	spy     *spy
	asked   map[string]bool // inputs
}

func begin(t *testing.T, build func(t *testing.T) (study.Problem, study.Searcher), opts study.Options, change func(*study.Problem, *spy)) *search {
	t.Helper()
	p, searcher := build(t)
	s := &search{t: t, spy: &spy{Searcher: searcher, t: t, open: map[string]int{}}, asked: map[string]bool{}}
	if change != nil {
		change(&p, s.spy)
	}
	s.problem = p
	opts.Budget, opts.Batch = budget, batch
	var err error
	if s.Study, err = study.New(t.Context(), p, s.spy.faces(), opts); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask asks for n strings, none of which was asked for before. It returns nil when the budget is spent.
func (s *search) ask(n int) []study.Proposal {
	s.t.Helper()
	proposals, err := s.Ask(s.t.Context(), n)
	if errors.Is(err, study.ErrDone) {
		return nil
	}
	if err != nil {
		s.t.Fatalf("Ask: %v", err)
	}
	if len(proposals) == 0 || len(proposals) > n {
		s.t.Errorf("asked for %d strings, got %d", n, len(proposals))
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
		if err := s.Tell(s.t.Context(), study.Answer{ID: p.ID, Result: r}); err != nil {
			s.t.Fatalf("Tell: %v", err)
		}
	}
}

// finish searches until the budget is spent. Answers of a batch come in a random order, if there is an rng.
func (s *search) finish(rng *rand.Rand) {
	s.t.Helper()
	for open := s.ask(batch); len(open) > 0; open = s.ask(batch) {
		if rng != nil {
			rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		}
		s.tell(open)
	}
	s.check()
}

// finishWithPending searches, once the initial design is answered, with two asks outstanding, and answers of each
// that come only after the next.
func (s *search) finishWithPending(rng *rand.Rand) {
	s.t.Helper()
	var late []study.Proposal
	for {
		open := slices.Clone(late)
		n := len(open)
		for range 2 {
			more := s.ask(batch / 2)
			open = append(open, more...)
			if len(more) == 0 || more[0].Kind == study.Initial {
				break
			}
		}
		if len(open) == 0 {
			break
		}
		late = nil
		if len(open) > n && open[len(open)-1].Kind != study.Initial {
			late = open[len(open)-1:]
		}
		answered := open[:len(open)-len(late)]
		rng.Shuffle(len(answered), func(i, j int) { answered[i], answered[j] = answered[j], answered[i] })
		s.tell(answered)
	}
	s.check()
}

// check holds for a study whose budget is spent.
func (s *search) check() {
	s.t.Helper()
	status := s.Status()
	if status.Calls != budget || status.Pending != 0 || s.Left() != 0 {
		s.t.Errorf("%d calls, %d pending and %d left at the end, want %d, 0 and 0", status.Calls, status.Pending, s.Left(), budget)
	}
	for x, n := range s.spy.open {
		if n > 0 {
			s.t.Errorf("%q was proposed and not observed (%d times)", x, n)
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
		t.Errorf("trials\n%s\nwant\n%s", got, want)
	}
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64() >> 7 // the low bits are those of the last character
}

// spy watches over a searcher.
type spy struct {
	study.Searcher
	t       *testing.T
	cancels bool // Propose is tried first with a context that has ended

	busy  atomic.Bool
	batch int            // greatest so far
	open  map[string]int // how often a string was proposed and not yet observed
}

// faces returns the spy with the optional methods that its searcher has.
func (s *spy) faces() study.Searcher {
	c, checks := s.Searcher.(study.Checker)
	r, reports := s.Searcher.(study.Reporter)
	switch {
	case checks && reports:
		return struct {
			*spy
			study.Checker
			study.Reporter
		}{s, c, r}
	case checks:
		return struct {
			*spy
			study.Checker
		}{s, c}
	case reports:
		return struct {
			*spy
			study.Reporter
		}{s, r}
	}
	return s
}

func (s *spy) enter() func() {
	if !s.busy.CompareAndSwap(false, true) {
		s.t.Error("two methods of the searcher at a time")
	}
	return func() { s.busy.Store(false) }
}

func (s *spy) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	defer s.enter()()
	proposals, err := s.propose(ctx, known, n)
	for _, p := range proposals {
		if p.Kind == study.Initial || p.Kind == study.External || p.Batch != 0 && p.Batch < s.batch {
			s.t.Errorf("proposal %q: kind %q and batch %d after batch %d", p.X, p.Kind, p.Batch, s.batch)
		}
		if math.IsNaN(p.Mean) != math.IsNaN(p.SD) || p.SD < 0 || math.IsInf(p.Mean, 0) || math.IsInf(p.SD, 0) {
			s.t.Errorf("proposal %q: predicted %g ± %g", p.X, p.Mean, p.SD)
		}
		s.batch = max(s.batch, p.Batch)
		s.open[p.X]++
	}
	return proposals, err
}

func (s *spy) propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	if s.cancels {
		ended, cancel := context.WithCancelCause(ctx)
		why := errors.New("enough")
		cancel(why)
		proposals, err := s.Searcher.Propose(ended, known, n)
		if err == nil { // it took no time
			return proposals, nil
		}
		if !errors.Is(err, why) {
			s.t.Errorf("cancelled Propose: %v, want an error that wraps the cause", err)
		}
	}
	return s.Searcher.Propose(ctx, known, n)
}

func (s *spy) Observe(ctx context.Context, trials ...study.Trial) error {
	defer s.enter()()
	for _, t := range trials {
		if n, mine := s.open[t.X]; mine && !t.Revised && t.Kind != study.Initial && t.Kind != study.External {
			if n == 0 {
				s.t.Errorf("%q is observed more often than it was proposed", t.X)
			}
			s.open[t.X]--
		}
	}
	return s.Searcher.Observe(ctx, trials...)
}
