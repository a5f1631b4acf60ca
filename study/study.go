// Package study runs searches for strings that score well. It counts oracle calls, finds duplicates, and stores
// proposals and answers, in the same way for every method of search.
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
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/oracle"
)

// A Searcher proposes what to score next. It needs to remember only what it learns from: the Study counts calls,
// finds duplicates and reports every trial, in a fixed order. A Searcher always maximizes: where lower scores are
// better, the Study negates them. A Study calls one method at a time.
type Searcher interface {
	// Propose returns a batch of about n proposals: fewer if it finds no more, perhaps none, and more if it works in
	// larger batches, which the Study hands out n at a time. A proposal has X, Mean and SD of Trial.Value, and perhaps
	// Kind (default Acquired), Latent and Model. Each proposal is observed: with its measurements, or as Invalid or
	// Skipped. ErrExhausted says that there is nothing left to propose. After another error Propose may be called again.
	Propose(ctx context.Context, known Ledger, n int) ([]Proposal, error)

	// Observe learns from trials, those of an earlier run included if the study was resumed. A trial is observed
	// again, as Revised, when a measurement is added or corrected, and again unchanged after an error.
	Observe(ctx context.Context, trials ...Trial) error
}

// Checker is a Searcher that cannot use every string. The error says what is wrong with x, and where. Check is called
// from several goroutines.
type Checker interface {
	Check(x string) error
}

// InputChecker is a Searcher that learns from what Problem.Translate returns, and cannot use every such input.
// CheckInput is called from several goroutines.
type InputChecker interface {
	CheckInput(input string) error
}

// Durable is a Searcher whose state can be kept, so that a resumed study need not repeat the search so far. Without it the
// study asks the searcher again for all that it proposed, which takes as long as the first time.
type Durable interface {
	// Snapshot returns what Restore needs beside the trials that were observed so far, after a Propose; nil if there is
	// none to keep now.
	Snapshot() ([]byte, error)

	// Restore is called with a snapshot after a new searcher observed the same trials in the same order. It then
	// behaves as the searcher that made the snapshot. After ErrForeign it continues with what it has observed; after
	// another error the study cannot continue.
	Restore(state []byte) error
}

// ErrForeign is wrapped by the error of a Durable that cannot use a snapshot, as it is of another version that searched
// otherwise, and is as it was before.
var ErrForeign = errors.New("the snapshot is of another search")

// Reporter is a Searcher that reports on itself.
type Reporter interface {
	Report() Report
}

// Ledger is what a Searcher may read of the Study while it proposes.
type Ledger interface {
	Lookup(x string) Trial               // what is known of a string; with State and Input only if it has no trial
	Feasible(input string) (bool, error) // Problem.Feasible, asked once for each input; false for a known string with less detail
	Left() int                           // oracle calls that are neither made nor pending
	Pending() []Proposal                 // proposed and without an answer, in the order of their IDs
	Batch() int                          // number of the next batch, from 1; a resumed study continues that of the earlier run
}

// Problem is the objective with its initial design. Its functions are called from several goroutines.
type Problem struct {
	Name     string        // for logs
	Oracle   oracle.Oracle // used by Run; Ask and Tell need none
	Minimize bool          // lower scores are better
	Init     []Observation // the initial design: at least two different strings; what is measured is not asked for

	// Translate turns a searcher's string into what the oracle reads, where these differ: SELFIES into
	// SMILES. Strings with one translation are duplicates. An error says why x is invalid: it is recorded
	// as a trial without a score, which costs no call. Nil: the oracle reads x itself.
	Translate func(x string) (string, error)

	// Feasible reports whether an input may be proposed. Infeasible inputs are skipped and cost no call. The
	// initial design is exempt. An error ends the run. Nil: everything is feasible.
	Feasible func(input string) (bool, error)

	// Vaguer reports whether an input is a known one with less detail, such as a molecule without the stereochemistry
	// of one that was measured, or the same thing written otherwise, such as its tautomer. Vaguer inputs are not
	// proposed, but may be told. Nil: there are none.
	//
	// Vaguer compares only inputs with the same Family. Family is called for every known string, so it should be fast;
	// it may group inputs that are unrelated. Nil: all have the same.
	Family func(input string) string
	Vaguer func(input, known string) bool

	// Constraints bound further outcomes that the oracle reports. The best string is the best one that keeps them all.
	Constraints []Constraint

	// Objectives are made as good as possible at once, two to four of them; none: the score is the only one. The score
	// is the first one then, which Minimize agrees with.
	Objectives []Objective

	// Noise is the standard error of a score that comes without one; 0: it is not known.
	Noise float64
}

// Observation is a string of the initial design. Of several whose input is the same, only the first one counts.
type Observation struct {
	X    string
	Name string // of its trial; may be empty

	Checked bool // the searcher can use X, which it need not be asked

	// Measurements are known, and cost no call, unless an outcome is missing that a constraint bounds; failed ones have
	// a Reason, and those that have no score yet have Others. None: the oracle is asked. Their IDs do not matter.
	Measurements []Measurement
}

// Value returns the Trial.Value that the measurements make; NaN if none has a score.
func (o Observation) Value(minimize bool) float64 {
	t := Trial{Measurements: o.Measurements}
	t.summarize(minimize)
	return t.Value
}

// Measured returns a single exact measurement, for an Observation.
func Measured(score float64) []Measurement { return []Measurement{{Score: score}} }

// Options configure a Study. A zero field takes the value in the comment.
type Options struct {
	Budget  int // oracle calls after the initial design; 500
	Batch   int // proposals that the searcher is asked for at a time; 5
	Workers int // oracle calls that Run makes at a time; Batch
	PerCall int // strings in one call of the oracle; 1, so that each answer is stored when it arrives
	Ahead   int // proposals that the searcher is asked for at most where Ask is called again and again for few (ahead.go); as many as those

	Store  Store        // holds every event before it is used; memory
	Logger *slog.Logger // discards

	// Watch is called after every batch of the searcher; a resumed study calls it again for batches since the latest
	// snapshot. It must not call Ask, Begin, BestExpected or Run: they would deadlock.
	Watch func(Status)
}

// Study is a search with its trials. Its methods may be called from several goroutines at once.
type Study struct {
	problem  Problem
	opts     Options
	searcher Searcher

	wanted  atomic.Int64 // proposals that calls of Ask wait for
	running atomic.Bool  // Run is

	searching sync.Mutex  // one method of searcher at a time, and the fields below; locked before mu
	past      []Event     // of an earlier run, which the searcher has not observed yet
	failed    error       // of resume
	started   bool        // what is known of the initial design is recorded
	initial   []Trial     // what Problem.Init begins, up to then
	queue     []Proposal  // proposals not yet handed out: the initial design's, then the searcher's
	ahead     bool        // queue holds what nobody has asked for yet
	stride    int         // proposals that the searcher was asked for last
	known     int         // of told, what the searcher had observed when it last proposed
	observed  int         // and what it has observed now
	asked     int         // proposals that the searcher was asked for since the latest event that holds some
	taken     int         // proposals of the searcher taken from the queue since then
	seen      int         // events that the searcher has observed
	empty     int         // calls of Propose in a row without a new string
	open      map[int]int // acquired proposals that the searcher has not observed, by batch
	reported  int         // batches that Watch was told of

	mu       sync.Mutex     // the fields below
	saved    int            // events in the store
	trials   []Trial        // by ID − 1, pending ones included
	pending  int            // trials without an answer
	spent    int            // of the budget, those that are pending included
	byX      map[string]int // ID by X
	byInput  map[string]int // ID by Input
	byName   map[string]int // ID by Name, of the latest trial that has it
	feasible map[string]bool
	families map[string][]string // inputs of the first so many trials, by Problem.Family
	grouped  int                 // so many
	measured int                 // measurements so far, to number them
	batch    int                 // number of the latest
	ended    int                 // batches whose proposals the searcher has all observed
	unseen   []Trial             // recorded, and not yet observed by the searcher
	news     bool                // a measurement was recorded since the last call of Propose
	told     int                 // events of measurements
	report   Report              // the searcher's latest
}

// ErrDone is the error of Ask when the budget is spent or pending.
var ErrDone = errors.New("the budget is spent")

// ErrNoScore is the error of a search that has too few scores to propose by. It comes again until there are others.
var ErrNoScore = errors.New("too few strings have a score")

// ErrExhausted is the error of a search that finds no new feasible string.
var ErrExhausted = errors.New("the search finds no new feasible string; add initial data, take another seed, or forbid less")

// patience is how many calls of Propose in a row may bring nothing new: enough for a trust region to restart several times.
const patience = 200

// New returns a Study. Neither oracle nor searcher are called yet, except for Check. A store that holds events is
// replayed: its trials are known, and before the first proposal the searcher, which has to be new, is brought to where
// it was. Given the same options the search goes on as if it had never been interrupted.
func New(ctx context.Context, p Problem, s Searcher, opts Options) (*Study, error) {
	if s == nil {
		return nil, errors.New("study: New needs a Searcher")
	}
	if opts.Budget < 0 || opts.Batch < 0 || opts.Workers < 0 || opts.PerCall < 0 || opts.Ahead < 0 {
		return nil, fmt.Errorf("study: budget %d, batch %d, workers %d, strings per call %d and proposals ahead %d must not be negative", opts.Budget, opts.Batch, opts.Workers, opts.PerCall, opts.Ahead)
	}
	opts.Budget = cmp.Or(opts.Budget, 500)
	opts.Batch = cmp.Or(opts.Batch, 5)
	opts.Workers = cmp.Or(opts.Workers, opts.Batch)
	opts.PerCall = cmp.Or(opts.PerCall, 1)
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if p.Name != "" {
		opts.Logger = opts.Logger.With("problem", p.Name)
	}
	if opts.Store == nil {
		opts.Store = &Memory{}
	}
	st := blank(p, s, opts)
	if c, ok := s.(Constrained); ok {
		c.Constrain(slices.Clone(p.Constraints))
	}
	if m, ok := s.(MultiObjective); ok && len(p.Objectives) > 1 {
		m.Aim(slices.Clone(p.Objectives))
	}
	if err := st.replay(ctx); err != nil {
		return nil, fmt.Errorf("study: replay the store: %w", err)
	}
	if err := st.check(); err != nil {
		return nil, err
	}
	st.takeReport()
	return st, nil
}

// blank returns a study without trials.
func blank(p Problem, s Searcher, opts Options) *Study {
	return &Study{
		problem: p, opts: opts, searcher: s, byX: map[string]int{}, byInput: map[string]int{}, byName: map[string]int{}, feasible: map[string]bool{},
		families: map[string][]string{}, open: map[int]int{},
	}
}

// check returns an error if the problem cannot be used. Of the initial design it looks at what the store does not hold.
func (s *Study) check() error {
	if n := s.problem.Noise; !(n >= 0) || math.IsInf(n, 1) {
		return fmt.Errorf("study: noise %g; give the standard deviation of a measurement, or 0 if it is not known", n)
	}
	for _, c := range s.problem.Constraints {
		if _, err := ParseConstraint(c.String()); err != nil {
			return fmt.Errorf("study: %w", err)
		}
	}
	if err := CheckObjectives(s.problem.Objectives); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	if o := s.problem.Objectives; len(o) > 0 && o[0].Minimize != s.problem.Minimize {
		return fmt.Errorf("study: Minimize is %t, and the first objective is %s", s.problem.Minimize, o[0])
	}
	s.initial = make([]Trial, len(s.problem.Init))
	unusable := make([]error, len(s.initial))
	parallel.For(len(s.initial), 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.initial[i], unusable[i] = s.prepare(s.problem.Init[i])
		}
	})
	inputs := map[string]bool{}
	for i, t := range s.initial {
		if unusable[i] != nil {
			return fmt.Errorf("study: initial string %d, %q: %w", i+1, t.X, unusable[i])
		}
		inputs[cmp.Or(t.Input, t.X)] = true // an invalid one has no input, and is recorded with the reason
	}
	if len(inputs) < 2 {
		return fmt.Errorf("study: %d different initial strings; give at least 2", len(inputs))
	}
	return nil
}

// prepare returns what an observation begins: a trial that is Invalid, has its measurements, or waits for the oracle.
// The error says why it cannot be used.
func (s *Study) prepare(o Observation) (Trial, error) {
	known := s.Lookup(o.X)
	t := unscored(Proposal{X: o.X, Name: o.Name, Input: known.Input, Kind: Initial, Mean: math.NaN(), SD: math.NaN()}, known.State)
	t.Reason = known.Reason
	if known.ID > 0 && known.X == o.X {
		return t, nil
	}
	if !o.Checked {
		if err := s.usable(o.X, t.Input, t.State != Invalid); err != nil {
			return t, err
		}
	}
	for _, m := range o.Measurements {
		if failed := math.IsNaN(m.Score) && m.Reason != ""; !failed && !m.Part() && !(math.Abs(m.Score) <= oracle.Largest) { // written this way, NaN fails
			return t, fmt.Errorf("score %g; leave it unscored or out", m.Score)
		}
		m, err := s.checked(m)
		if err != nil {
			return t, err
		}
		if t.State != Invalid {
			t.Measurements = append(t.Measurements, m)
		}
	}
	return t, nil
}

// family is Family, or its default.
func (p *Problem) family(input string) string {
	if p.Vaguer == nil || p.Family == nil {
		return ""
	}
	return p.Family(input)
}

// vaguer reports whether an input is one of some known ones of its family with less detail.
func (p *Problem) vaguer(input string, known []string) bool {
	return p.Vaguer != nil && slices.ContainsFunc(known, func(k string) bool { return k != input && p.Vaguer(input, k) })
}

// translate is Translate, or its default.
func (p *Problem) translate(x string) (string, error) {
	if p.Translate == nil {
		return x, nil
	}
	return p.Translate(x)
}

// observe resumes an earlier run, once, passes recorded trials to the searcher, and takes its report. The caller holds
// searching.
func (s *Study) observe(ctx context.Context) error {
	if err := s.resume(ctx); err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	err := s.inform(ctx)
	s.takeReport()
	return err
}

// inform passes recorded trials to the searcher, in the order of their IDs, and calls Watch for batches that end. Trials
// that the searcher fails to observe are passed again the next time. The caller holds searching.
func (s *Study) inform(ctx context.Context) error {
	for {
		s.mu.Lock()
		unseen, saved, told := s.unseen, s.saved, s.told
		s.unseen = nil
		s.mu.Unlock()
		if len(unseen) == 0 {
			break
		}
		slices.SortStableFunc(unseen, func(a, b Trial) int { return a.ID - b.ID })
		for i, t := range unseen {
			if !s.sees(t) {
				continue
			}
			if err := s.searcher.Observe(ctx, s.shown(t)); err != nil {
				s.mu.Lock()
				s.unseen = append(unseen[i:], s.unseen...)
				s.mu.Unlock()
				return fmt.Errorf("observe trial %d, %q: %w", t.ID, t.X, err)
			}
			if t.Kind == Acquired && !t.Revised && s.open[t.Batch] > 0 {
				s.answered(t.Batch)
			}
			s.watch(ctx)
		}
		s.seen, s.observed = saved, told
	}
	s.watch(ctx) // a batch without a new string has no trial
	return nil
}

// answered counts a proposal of a batch that the searcher has observed.
func (s *Study) answered(batch int) {
	s.open[batch]--
	if s.open[batch] > 0 {
		return
	}
	delete(s.open, batch)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended++
}

// watch logs, and calls Watch, if a batch has ended.
func (s *Study) watch(ctx context.Context) {
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	if ended == s.reported {
		return
	}
	s.reported = ended
	s.takeReport()
	status := s.Status()
	s.opts.Logger.InfoContext(ctx, "batch", "batch", ended, "calls", status.Calls, "best", status.Best.Score, "ranking", status.Ranking)
	if s.opts.Watch != nil {
		s.opts.Watch(status)
	}
}

// takeReport keeps the searcher's report for Status, which may be called while the searcher proposes. A report may take
// longer the more trials there are: one for each of many trials would take too long.
func (s *Study) takeReport() {
	if r, ok := s.searcher.(Reporter); ok {
		report := r.Report()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.report = report
	}
}

// Lookup returns the trial of a string of the searcher, or that of another string with the same translation. If there is
// none, State is Unseen, or Invalid with a Reason, and ID is 0.
func (s *Study) Lookup(x string) Trial {
	if t, ok := s.trial(s.byX, x); ok {
		return t
	}
	input, err := s.problem.translate(x)
	if err != nil {
		t := unscored(Proposal{X: x}, Invalid)
		t.Reason = err.Error()
		return t
	}
	if t, ok := s.trial(s.byInput, input); ok {
		return t
	}
	return unscored(Proposal{X: x, Input: input}, Unseen)
}

// trial returns the trial under a key of byX, byInput or byName.
func (s *Study) trial(ids map[string]int, key string) (t Trial, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := ids[key]
	if ok {
		t = s.trials[id-1]
	}
	return t, ok
}

// Feasible reports whether an input may be proposed: whether it is feasible for the problem, which is asked once for
// each input, and no known string with less detail.
func (s *Study) Feasible(input string) (bool, error) {
	if s.problem.vaguer(input, s.family(input)) {
		return false, nil
	}
	if s.problem.Feasible == nil {
		return true, nil
	}
	s.mu.Lock()
	ok, known := s.feasible[input]
	s.mu.Unlock()
	if known {
		return ok, nil
	}
	ok, err := s.problem.Feasible(input)
	if err != nil {
		return false, fmt.Errorf("is %q feasible: %w", input, err)
	}
	s.mu.Lock()
	s.feasible[input] = ok
	s.mu.Unlock()
	return ok, nil
}

// family returns the inputs of trials that an input is to be compared with by Problem.Vaguer.
func (s *Study) family(input string) []string {
	if s.problem.Vaguer == nil {
		return nil
	}
	key := s.problem.family(input)
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; s.grouped < len(s.trials); s.grouped++ { // with trials that are new since the last time
		if known := s.trials[s.grouped].Input; known != "" {
			key := s.problem.family(known)
			s.families[key] = append(s.families[key], known)
		}
	}
	return s.families[key]
}

// Left returns how many oracle calls are neither made nor pending.
func (s *Study) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opts.Budget - s.spent
}

// Batch returns the number of the searcher's next batch.
func (s *Study) Batch() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.batch + 1
}

// Pending returns the proposals without an answer, in the order of their IDs.
func (s *Study) Pending() []Proposal {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []Proposal
	for i := range s.trials {
		if t := &s.trials[i]; t.State == Pending {
			open = append(open, t.Proposal)
		}
	}
	return open
}

// Trials returns all trials with an answer, in the order of their IDs.
func (s *Study) Trials() []Trial {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.trials), func(t Trial) bool { return t.State == Pending })
}

// Page returns at most n trials, those that were begun after the trial with an ID, in the order of their IDs. Unlike
// Trials it also returns those without an answer, as Pending.
func (s *Study) Page(after, n int) []Trial {
	s.mu.Lock()
	defer s.mu.Unlock()
	after = min(max(after, 0), len(s.trials))
	n = min(max(n, 0), len(s.trials)-after)
	return slices.Clone(s.trials[after : after+n])
}

// Called returns the latest trial with a name; Unseen if there is none.
func (s *Study) Called(name string) Trial {
	if t, ok := s.trial(s.byName, name); ok {
		return t
	}
	return Trial{State: Unseen}
}

// Len returns the number of trials that were begun, which is the ID of the latest.
func (s *Study) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.trials)
}

// Names returns the names that trials have, in no order.
func (s *Study) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.byName))
}

// Best returns the best trial of those that violate no constraint, the first among equals; its Score is NaN if there is
// none.
func (s *Study) Best() Trial { return s.Status().Best }

// rankingWindow is how many of the latest acquired trials Status.Ranking looks at.
const rankingWindow = 50

// Status returns where the study stands. Its Report is of the latest proposals, or of the latest batch that ended if
// that was later.
func (s *Study) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := Status{
		Budget: s.opts.Budget, Batches: s.ended, Report: s.report,
		Best: Trial{Score: math.NaN(), Value: math.NaN()},
	}
	var predicted, scores []float64 // the latest first
	for i := range s.trials {
		t := &s.trials[len(s.trials)-1-i]
		if t.Counts(s.problem.Constraints) && !st.Best.Better(t) { // the first among equals
			st.Best = *t
		}
		if t.State == Scored && t.Violates(s.problem.Constraints) != "" {
			st.Violating++
		}
		// An SD of 0 is no reason to leave a prediction out: a Searcher may return means alone, and they can be ranked.
		if p, ok := t.Prediction(nil, 0); ok && p.Bound == Exact && len(scores) < rankingWindow {
			predicted, scores = append(predicted, p.Mean), append(scores, p.Value)
		}
		switch {
		case t.State == Pending:
			st.Pending++
		case t.Called && t.Kind == Initial:
			st.InitCalls++
		case t.Called:
			st.Calls++
			if t.Kind == Recentered {
				st.Recentering++
			}
		}
	}
	st.Ranking = stats.Spearman(predicted, scores)
	return st
}
