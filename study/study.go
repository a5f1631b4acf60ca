// Package study keeps the books of a search for strings that score well: every method asks and tells
// through a Study, so that calls are counted, duplicates found and answers kept by one set of rules.
//
// A Study owns the budget, the initial design, duplicates (by what the oracle reads), feasibility,
// pending proposals, replicates and trials, and drives a Searcher. Run asks the oracle itself; Ask and
// Tell are for oracles that are not programs. Start reading at Study.Run and Searcher.
package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/oracle"
)

// A Searcher proposes what to score next. It keeps no books: the Study tells it every trial, in a fixed
// order. It always maximizes: where lower scores are better, the Study turns the sign. A Study calls one
// method at a time.
type Searcher interface {
	// Propose returns at most n proposals, perhaps none, from the searcher's X, Kind, Batch, Mean, SD,
	// Latent and Model. Mean and SD are those of Trial.Value. Every proposal is observed: with its
	// measurements, or as Invalid or Skipped. ErrExhausted says that there is nothing left to propose.
	// After another error Propose may be called again.
	Propose(ctx context.Context, books Ledger, n int) ([]Proposal, error)

	// Observe learns from trials. A trial is observed again when a measurement is added or corrected.
	Observe(ctx context.Context, trials ...Trial) error
}

// Checker is a Searcher that cannot work with every string. The error says where x is wrong and why.
type Checker interface {
	Check(x string) error
}

// Reporter is a Searcher that reports on itself.
type Reporter interface {
	Report() Report
}

// Ledger is what a Searcher may read in the books while it proposes.
type Ledger interface {
	Lookup(x string) Entry               // what is known of a string
	Feasible(input string) (bool, error) // Problem.Feasible, asked once for each input
	Left() int                           // oracle calls that are neither made nor pending
	Pending() []Proposal                 // proposed and without an answer, in the order of their IDs
}

// Problem is what to search, and for what.
type Problem struct {
	Name     string        // for logs
	Oracle   oracle.Oracle // used by Run; Ask and Tell need none
	Minimize bool          // lower scores are better
	Init     []Observation // the initial design: at least two different strings

	// Translate turns a searcher's string into what the oracle reads, where these differ: SELFIES into
	// SMILES. Strings with one translation are duplicates. An error says why x is invalid: it is recorded
	// as a trial without a score, which costs no call. Nil: the oracle reads x itself.
	Translate func(x string) (string, error)

	// Feasible reports whether an input may be proposed. Infeasible inputs are skipped and cost no call. The
	// initial design is exempt. An error ends the run. Nil: everything is feasible.
	Feasible func(input string) (bool, error)
}

// Observation is a string of the initial design.
type Observation struct {
	X      string
	Y      float64 // its score
	Scored bool    // Y is known and costs no call; otherwise the oracle is asked
}

// Options holds what a Study may vary. A zero field takes the value in the comment.
type Options struct {
	Budget  int // oracle calls after the initial design; 500
	Batch   int // proposals that Run asks for at a time; 5
	Workers int // oracle calls that Run makes at a time; Batch
	PerCall int // strings in one call of the oracle; 1, so that each answer is stored when it arrives

	Store  Store        // holds every event before it is used; memory
	Watch  func(Status) // is called after every batch of the searcher
	Logger *slog.Logger // discards
}

// Study is a search and its books. Its methods may be called from several goroutines at once.
type Study struct {
	problem  Problem
	opts     Options
	searcher Searcher

	searching sync.Mutex    // one method of searcher at a time; locked before books
	design    []Observation // of the initial design, not yet handed out
	started   bool
	reported  int // batches that Watch was told of

	books    sync.Mutex
	trials   []Trial        // by ID − 1, pending ones included
	byX      map[string]int // ID by X
	byInput  map[string]int // ID by Input
	feasible map[string]bool
	measured int     // measurements so far, to number them
	untold   []Trial // recorded, and not yet observed
	empty    int     // proposals in a row that brought no new string
}

// ErrDone says that the budget is spent, or pending.
var ErrDone = errors.New("the budget is spent")

// ErrExhausted says that the search no longer finds a new feasible string.
var ErrExhausted = errors.New("the search finds no new feasible string; add initial data, take another seed, or forbid less")

// patience is how many proposals in a row may be empty: enough for a trust region to restart several times.
const patience = 200

// New returns a Study. Neither oracle nor searcher are called yet, except for Check. A store that holds
// events is replayed: its trials are known, and are observed before the first proposal.
func New(ctx context.Context, p Problem, s Searcher, opts Options) (*Study, error) {
	if opts.Budget < 0 || opts.Batch < 0 || opts.Workers < 0 || opts.PerCall < 0 {
		return nil, fmt.Errorf("study: budget %d, batch %d, workers %d and strings per call %d must not be negative", opts.Budget, opts.Batch, opts.Workers, opts.PerCall)
	}
	opts.Budget = cmp.Or(opts.Budget, 500)
	opts.Batch = cmp.Or(opts.Batch, 5)
	opts.Workers = cmp.Or(opts.Workers, opts.Batch)
	opts.PerCall = cmp.Or(opts.PerCall, 1)
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.Store == nil {
		opts.Store = &Memory{}
	}
	st := &Study{
		problem: p, opts: opts, searcher: s,
		byX: map[string]int{}, byInput: map[string]int{}, feasible: map[string]bool{},
	}
	if err := st.check(); err != nil {
		return nil, err
	}
	if err := st.replay(ctx); err != nil {
		return nil, fmt.Errorf("study: replay the store: %w", err)
	}
	return st, nil
}

// check refuses an initial design that cannot be used.
func (s *Study) check() error {
	inputs := map[string]bool{}
	for i, o := range s.problem.Init {
		if c, ok := s.searcher.(Checker); ok {
			if err := c.Check(o.X); err != nil {
				return fmt.Errorf("study: initial string %d, %q: %w", i+1, o.X, err)
			}
		}
		if o.Scored && !(math.Abs(o.Y) <= oracle.Largest) { // written this way, NaN fails
			return fmt.Errorf("study: initial string %d, %q: score %g; leave it unscored or out", i+1, o.X, o.Y)
		}
		if len(inputs) < 2 {
			input, err := s.problem.translate(o.X)
			if err != nil {
				input = o.X // it is recorded as invalid later, with the reason
			}
			inputs[input] = true
		}
	}
	if len(inputs) < 2 {
		return fmt.Errorf("study: %d different initial strings; give at least 2", len(inputs))
	}
	return nil
}

// translate is Translate, or its default.
func (p *Problem) translate(x string) (string, error) {
	if p.Translate == nil {
		return x, nil
	}
	return p.Translate(x)
}

// Ask returns at most n new proposals (n < 1: as many as a batch has): the initial design first, then
// what the searcher proposes. They are pending until they are told; Ask may be called again before, and
// never returns a pending string again. It returns ErrDone once the budget is spent or pending, and
// ErrExhausted if the searcher finds nothing new. After another error, ctx's for one, Ask may be called again.
func (s *Study) Ask(ctx context.Context, n int) ([]Proposal, error) {
	if n < 1 {
		n = s.opts.Batch
	}
	s.searching.Lock()
	defer s.searching.Unlock()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if len(s.design) > 0 {
		return s.askDesign(ctx, n)
	}
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := s.observe(ctx); err != nil {
			return nil, err
		}
		if s.Left() <= 0 {
			return nil, ErrDone
		}
		if s.barren(0) >= patience {
			return nil, fmt.Errorf("%d proposals in a row: %w", patience, ErrExhausted)
		}
		proposed, err := s.searcher.Propose(ctx, s, n)
		if err != nil {
			return nil, err
		}
		admitted, err := s.admit(ctx, proposed)
		if err != nil {
			return nil, err
		}
		if err := s.observe(ctx); err != nil {
			return nil, err
		}
		if len(admitted) > 0 {
			return admitted, nil
		}
		s.barren(1)
	}
}

// barren adds to the number of proposals in a row that brought no new string, and returns it.
func (s *Study) barren(more int) int {
	s.books.Lock()
	defer s.books.Unlock()
	s.empty += more
	return s.empty
}

// begin records what is known of the initial design, once. After an error it goes on where it stopped.
func (s *Study) begin(ctx context.Context) error {
	if s.started {
		return nil
	}
	var design []Observation
	at := map[string]int{} // in design, by input
	for _, o := range s.problem.Init {
		e := s.Lookup(o.X)
		_, again := at[e.Input]
		switch {
		case e.State == Invalid && e.ID == 0:
			if err := s.refuse(ctx, Proposal{X: o.X, Kind: Initial, Mean: math.NaN(), SD: math.NaN()}, e.Err); err != nil {
				return err
			}
		case e.State != Unseen:
		case o.Scored:
			if again { // the same string was given without its score before
				design[at[e.Input]].X = ""
			}
			p := Proposal{X: o.X, Input: e.Input, Kind: Initial, Mean: math.NaN(), SD: math.NaN()}
			if err := s.record(ctx, p, Answer{Result: oracle.Result{Score: o.Y}}, false); err != nil {
				return err
			}
		case !again:
			at[e.Input] = len(design)
			design = append(design, o)
		}
	}
	s.design = slices.DeleteFunc(design, func(o Observation) bool { return o.X == "" })
	s.started = true
	return nil
}

// askDesign hands out the next n strings of the initial design.
func (s *Study) askDesign(ctx context.Context, n int) ([]Proposal, error) {
	n = min(n, len(s.design))
	s.books.Lock()
	defer s.books.Unlock()
	proposals := make([]Proposal, n)
	for i, o := range s.design[:n] {
		input, err := s.problem.translate(o.X)
		if err != nil {
			return nil, fmt.Errorf("translate %q again: %w", o.X, err)
		}
		proposals[i] = Proposal{ID: len(s.trials) + 1 + i, X: o.X, Input: input, Kind: Initial, Mean: math.NaN(), SD: math.NaN()}
	}
	if err := s.hold(ctx, proposals); err != nil {
		return nil, err
	}
	s.design = s.design[n:]
	return proposals, nil
}

// admit gives IDs to those of the searcher's proposals that are new, feasible and within the budget, and
// records those that are invalid. All others are skipped.
func (s *Study) admit(ctx context.Context, proposed []Proposal) ([]Proposal, error) {
	var admitted []Proposal
	left := s.Left()
	inputs := map[string]bool{}
	for _, p := range proposed {
		if s.problem.Minimize {
			p.Mean = -p.Mean
		}
		e := s.Lookup(p.X)
		p.Input = e.Input
		ok := e.State == Unseen && !inputs[p.Input] && len(admitted) < left
		if ok {
			var err error
			if ok, err = s.Feasible(p.Input); err != nil {
				return nil, err
			}
		}
		switch {
		case ok:
			inputs[p.Input] = true
			admitted = append(admitted, p)
		case e.State == Invalid && e.ID == 0:
			if err := s.refuse(ctx, p, e.Err); err != nil {
				return nil, err
			}
		default:
			s.tell(Trial{Proposal: p, State: Skipped, Score: math.NaN(), Value: math.NaN()})
		}
	}
	if len(admitted) == 0 {
		return nil, nil
	}
	s.books.Lock()
	defer s.books.Unlock()
	for i := range admitted {
		admitted[i].ID = len(s.trials) + 1 + i
	}
	return admitted, s.hold(ctx, admitted)
}

// hold stores proposals that are to be handed out, and makes them pending. The books are locked.
func (s *Study) hold(ctx context.Context, proposals []Proposal) error {
	if err := s.opts.Store.Save(ctx, Event{Proposals: proposals}); err != nil {
		return fmt.Errorf("store %d proposals: %w", len(proposals), err)
	}
	for _, p := range proposals {
		s.enter(Trial{Proposal: p, State: Pending, Score: math.NaN(), Value: math.NaN()})
	}
	s.empty = 0
	return nil
}

// observe tells the searcher what was recorded, and Watch of the batches that this ended. searching is locked.
func (s *Study) observe(ctx context.Context) error {
	for {
		s.books.Lock()
		untold := s.untold
		s.untold = nil
		s.books.Unlock()
		if len(untold) == 0 {
			break
		}
		for _, t := range untold {
			if err := s.searcher.Observe(ctx, t); err != nil {
				return fmt.Errorf("observe trial %d, %q: %w", t.ID, t.X, err)
			}
			s.watch(ctx)
		}
	}
	s.watch(ctx) // a batch without a new string has no trial
	return nil
}

// watch logs, and calls Watch, once for each batch that the searcher has ended.
func (s *Study) watch(ctx context.Context) {
	r, ok := s.searcher.(Reporter)
	if !ok {
		return
	}
	if n := r.Report().Batches; n > s.reported {
		s.reported = n
		status := s.Status()
		s.opts.Logger.InfoContext(ctx, "batch", "batch", n, "calls", status.Calls, "best", status.Best.Score, "ranking", status.Ranking)
		if s.opts.Watch != nil {
			s.opts.Watch(status)
		}
	}
}

// Tell takes answers, in any order: to proposals, by ID or string, or for strings that were not proposed.
// Each is stored before it is used. A string that has a score already gets another measurement; an
// answer with a Measurement's ID replaces that measurement. A score that is NaN, infinite or beyond
// ±oracle.Largest is a failed measurement.
//
// The error is the store's or the searcher's, or names a string that the searcher cannot use or that
// cannot be translated.
func (s *Study) Tell(ctx context.Context, answers ...Answer) error {
	for _, a := range answers {
		p, err := s.find(a)
		if err != nil {
			return err
		}
		if err := s.record(ctx, p, a, p.Kind != External); err != nil {
			return err
		}
	}
	// While another goroutine's Ask proposes, the answers wait in the books: they are stored already.
	if !s.searching.TryLock() {
		return nil
	}
	defer s.searching.Unlock()
	return s.observe(ctx)
}

// find returns the proposal that an answer belongs to, which is known or, with ID 0, External.
func (s *Study) find(a Answer) (Proposal, error) {
	id := a.ID
	if id == 0 {
		e := s.Lookup(a.X)
		switch {
		case e.ID != 0:
			id = e.ID
		case e.State == Invalid:
			return Proposal{}, fmt.Errorf("tell %q: %w", a.X, e.Err)
		default:
			if c, ok := s.searcher.(Checker); ok {
				if err := c.Check(a.X); err != nil {
					return Proposal{}, fmt.Errorf("tell %q: %w", a.X, err)
				}
			}
			return Proposal{X: a.X, Input: e.Input, Kind: External, Mean: math.NaN(), SD: math.NaN()}, nil
		}
	}
	s.books.Lock()
	defer s.books.Unlock()
	if id < 1 || id > len(s.trials) {
		return Proposal{}, fmt.Errorf("tell trial %d: there are %d; give the ID of a proposal, or its string", id, len(s.trials))
	}
	return s.trials[id-1].Proposal, nil
}

// Lookup returns what the books hold on a string of the searcher, or on another string with the same translation.
func (s *Study) Lookup(x string) Entry {
	s.books.Lock()
	id, ok := s.byX[x]
	s.books.Unlock()
	if !ok {
		input, err := s.problem.translate(x)
		if err != nil {
			return Entry{State: Invalid, Err: err}
		}
		s.books.Lock()
		id, ok = s.byInput[input]
		s.books.Unlock()
		if !ok {
			return Entry{State: Unseen, Input: input}
		}
	}
	s.books.Lock()
	defer s.books.Unlock()
	t := s.trials[id-1]
	return Entry{State: t.State, ID: id, Input: t.Input, Value: t.Value}
}

// Feasible is Problem.Feasible, which is asked once for each input.
func (s *Study) Feasible(input string) (bool, error) {
	if s.problem.Feasible == nil {
		return true, nil
	}
	s.books.Lock()
	ok, known := s.feasible[input]
	s.books.Unlock()
	if known {
		return ok, nil
	}
	ok, err := s.problem.Feasible(input)
	if err != nil {
		return false, fmt.Errorf("is %q feasible: %w", input, err)
	}
	s.books.Lock()
	s.feasible[input] = ok
	s.books.Unlock()
	return ok, nil
}

// Left returns how many oracle calls are neither made nor pending.
func (s *Study) Left() int {
	s.books.Lock()
	defer s.books.Unlock()
	left := s.opts.Budget
	for _, t := range s.trials {
		if t.Kind != Initial && (t.Called || t.State == Pending) {
			left--
		}
	}
	return left
}

// Pending returns the proposals without an answer, in the order of their IDs.
func (s *Study) Pending() []Proposal {
	s.books.Lock()
	defer s.books.Unlock()
	var open []Proposal
	for _, t := range s.trials {
		if t.State == Pending {
			open = append(open, t.Proposal)
		}
	}
	return open
}

// Trials returns all trials with an answer, in the order of their IDs.
func (s *Study) Trials() []Trial {
	s.books.Lock()
	defer s.books.Unlock()
	return slices.DeleteFunc(slices.Clone(s.trials), func(t Trial) bool { return t.State == Pending })
}

// Best returns the best trial, the first among equals; its Score is NaN if nothing has a score.
func (s *Study) Best() Trial {
	best := Trial{Score: math.NaN(), Value: math.NaN()}
	for _, t := range s.Trials() {
		if t.State == Scored && !(t.Value <= best.Value) {
			best = t
		}
	}
	return best
}

// Status returns where the study stands.
func (s *Study) Status() Status {
	st := Status{Budget: s.opts.Budget, Best: s.Best(), Ranking: s.ranking(), Pending: len(s.Pending())}
	for _, t := range s.Trials() {
		switch {
		case t.Called && t.Kind == Initial:
			st.InitCalls++
		case t.Called:
			st.Calls++
			if t.Kind == Recentered {
				st.Recentering++
			}
		}
	}
	if r, ok := s.searcher.(Reporter); ok {
		st.Report = r.Report()
	}
	return st
}

// rankingWindow is how many of the latest acquired trials Status.Ranking looks at.
const rankingWindow = 50

// ranking returns Spearman's correlation of predictions and scores over the latest acquired trials.
func (s *Study) ranking() float64 {
	var predicted, scores []float64
	for _, t := range slices.Backward(s.Trials()) {
		if len(scores) == rankingWindow {
			break
		}
		if t.Kind == Acquired && t.State == Scored && !math.IsNaN(t.Mean) {
			predicted, scores = append(predicted, t.Mean), append(scores, t.Score)
		}
	}
	return stats.Spearman(predicted, scores)
}
