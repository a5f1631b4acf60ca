// Package evolve searches strings themselves: it finds the maximum of an acquisition function by evolution, with a surrogate
// that looks at what strings are made of. It needs no trained model.
//
// A batch is found like this (Searcher.Propose, propose.go):
//
//  1. The surrogate, a Gaussian process on counts of features, is fitted to the scored strings (model.go), and learns from scores
//     that are only known to be above or below a bound, too (censor.go). The scale of the scores is chosen by the data. So is one for each further outcome that constraints bound (outcome.go).
//  2. A population of known strings, and others such as a library, evolves for a few generations: operators make children of its
//     best members (loop.go), which are judged by the acquisition (acquisition.go). Where only given strings may be proposed, these are judged (among.go).
//  3. The best children become the batch, one after the other: each is added to the surrogate at its mean, so that the next one
//     is something else (pick.go). Every other small batch explores: of children with the same mean it prefers the one that is least like
//     the known strings, however certain the surrogate is (novelty.go).
//
// A search without a new best for long restarts (restart.go).
//
// What the search knows about the strings is a Space. Package space/tokens has that of strings over an alphabet, and
// space/molecules that of molecules.
//
// The ingredients are those of Tripp & Hernández-Lobato 2023, "Genetic algorithms are strong baselines for molecule
// generation", and Tripp et al. 2021, "A fresh look at de novo molecular design benchmarks".
package evolve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/pareto"
	"github.com/invbo/invbo/study"
)

// Space is what a Searcher needs to know about the strings of a problem. Where the problem has a Translate, both what
// is proposed and what Translate returns are strings of the space, such as spellings and their canonical form: the
// search learns from the latter.
type Space struct {
	Operators []Operator     // that make strings
	Kernels   []gp.Term      // on the groups of features
	Further   []gp.Term      // likewise, used only where scores that are left out are far more probable with them
	Far       float64        // how much greater the logarithm of their density is then, for each score; 0: 0.02
	Scales    []gp.Transform // of scores, among which the data choose unless Options say which; nil: Standardise and Log. LogDistance is added where it comes into question
	Improve   bool           // strings are sought by their expected improvement, and otherwise by their upper confidence bound
	Novelty   *gp.Term       // similarity of such groups; every other small batch seeks strings that are unlike the known ones by it. Nil: none does

	// Reference is a string that others are variants of, such as a wild type. Until it is measured, its score is taken
	// to be that of the best tenth, give or take a third of their deviation: most variants are worse, so that good ones
	// are told from it. Empty: there is none.
	Reference string

	// Read describes a string. An error says that it is not a string of the space; so does a Description that the
	// kernels cannot use. It is called from several goroutines.
	Read func(x string) (Description, error)

	// Check returns the error of Read, faster. Nil: Read is asked. It is called from several goroutines.
	Check func(x string) error

	// Compares reports whether the surrogate can compare a string with others. Other strings, such as a sequence of
	// another length where the rest are aligned, may be measured, but the search ignores them, and Read and Check are
	// not called for them. Nil: all strings.
	Compares func(x string) bool

	// Only are the strings that may be proposed, such as those that can be ordered: all are judged, of more than
	// 100,000 so many at a time, and operators make none. Nil: any string may be proposed. Names are what people call
	// them, one for each; nil: nothing.
	Only  []string
	Names []string

	// Input is study.Problem's Translate where operators work on another form of the strings, such as routes to
	// molecules: they get trials' X instead of Input, and of children with the same Input the first counts. Nil: X and
	// Input are the same to them.
	Input func(x string) string

	// Kin says that a string that is similar to failed ones probably fails, too, whatever its Risks. It takes a second
	// surrogate.
	Kin bool

	// Knows are the names of outcomes that need no measurement, such as the weight of a molecule: Description.Known has
	// them of every string. Objectives of these names have no surrogate.
	Knows []string

	// Breeds reports whether operators can make strings from x. The population leaves out known strings that they
	// cannot use; the surrogate does not. Nil: all strings.
	Breeds func(x string) bool

	// Pool returns about n strings, of a library for one, that are members of the population beside the known ones.
	// Nil: none.
	Pool func(n int, rng *rand.Rand) []string

	// Blind returns about n strings that are unlike each other. They are proposed while all scores are equal, when no
	// score tells good parents from bad ones. Nil: the population evolves as usual.
	Blind func(n int, rng *rand.Rand) []string

	// Lead is called before each batch with the best twentieth of the scored strings, and five at least: those of each
	// objective. So operators may follow what scores well. Nil: they do not.
	Lead func(best []string)

	// Drift returns at most n strings that differ from the best known ones in many places at once: those where, as
	// known strings tell, a change does no harm. With one objective, a share of each batch is of them, the larger the
	// more often they were better than all before. Nil: none.
	Drift func(known []Known, n int, rng *rand.Rand) []string
}

// Known is a string with its score, in the order of measurement.
type Known struct {
	X     string
	Value float64 // higher is better; −Inf: it violates a constraint
}

// Description is what a Searcher sees of a string.
type Description struct {
	Groups     []gp.Counts // features, at least as many groups as the kernels name; others are dropped
	Trend      []float64   // numbers that the prior's mean is linear in, with slopes that the data fit; as many for all strings
	Risks      []uint64    // features that a string that cannot be scored may owe it to; none: its failure teaches nothing
	Known      []float64   // values of Space.Knows
	Infeasible bool        // it must not be proposed; unlike study.Problem's Feasible this acts inside the loop
}

// Options are the constants of the search. A zero field takes the value in the comment.
type Options struct {
	Children    int           // in a generation; 200
	Generations int           // for a batch; 5
	Pool        int           // strings of the Space's pool in a population; 2,000; −1: none
	Window      int           // scored strings that the surrogate is fitted to, half of them the best, half the latest; 2,000
	Patience    int           // scored proposals without a new best after which a restart begins, or ends; 500; −1: never restart
	Beta        [2]float64    // range of the weight of the standard deviation in the acquisition; 0.1 to 10
	Transform   *gp.Transform // of the scores; nil: the data choose
	Fixed       *Fixed        // hyperparameters of the surrogate, with their transform; nil: they are fitted

	// Sober is for scores that people measure:
	//
	//   - A best value that may be a slip (study.Apart) is not believed until it is measured again, whatever its standard error.
	//   - With one objective, the weight of the deviation is at most 1 for strings that are expected to be more than one deviation below the best.
	//   - With one objective and scores that crowd below a ceiling, nothing is gained beyond the ceiling, and the weight of the deviation is at most 0.3.
	Sober bool

	Greedy     bool    // a batch is the top of one acquisition, with one beta; otherwise each string has its own, given those before
	Similarity float64 // greatest similarity of two strings of a batch, Tanimoto on what the first kernel compares; 0: any
	Copies     float64 // likewise, but where nothing else is left, strings may be more alike; 0: any
	Seed       uint64
}

// Fixed are hyperparameters of the surrogate, on the scale of the transformed scores. The mean of the prior is 0, and
// deviations are those of the Gaussian process, however far off its predictions were.
type Fixed struct {
	Transform gp.Transform
	Weights   []float64 // variance of each kernel
	Noise     float64   // variance of an observation
}

// Defaults returns the values of zero fields.
func Defaults() Options {
	return Options{Children: 200, Generations: 5, Pool: 2000, Window: 2000, Patience: 500, Beta: [2]float64{0.1, 10}}
}

// Searcher is a study.Searcher of strings. It is not safe for concurrent use.
type Searcher struct {
	space  Space
	opts   Options
	trials []study.Trial // that were scored or failed
	index  map[int]int   // of trials, by ID
	parts  map[int]*part // trials that have further outcomes and no score yet, by ID
	told   int           // observations of such trials
	wild   map[int]bool  // trials whose measurements contradict each other, by ID, as the latest window found them
	reason string        // why the latest string without a score has none

	reader  *reader
	model   model
	novelty *model // nil: no batch explores
	chance  chance
	viable  *viable // nil: strings are not kin
	caution float64 // how many times more what viable tells counts
	phase   phase

	constraints []study.Constraint
	outcomes    []outcome   // that they bound
	objectives  []objective // nil: there is one, the score

	best []int // of Space.Only, by the latest batch, where not all are judged

	records []Record       // of each operator, of Space.Drift if there is one, and of the pool
	maker   map[string]int // operators of proposals that have not been observed, by X

	timing struct{ fit, evolve, judge, pick time.Duration }

	sound atomic.Bool // a string was read, and its Description is as it must be
}

// part is a trial that has further outcomes and no score yet.
type part struct {
	study.Trial
	told int // Searcher.told then, which orders the parts
}

// Record says what an operator did.
type Record struct {
	Operator string // name of one, drift or library
	Made     int    // new strings, each counted once per batch: of molecules the feasible ones, and of the pool those that were drawn
	Chosen   int    // of these, proposals
	Improved int    // of these, those that were the best so far, or on the front of several objectives
}

// New returns a Searcher. The same seed and answers give the same search on any number of processors. The error names
// what is wrong with an option, or missing in the space.
func New(space Space, opts Options) (*Searcher, error) {
	d := Defaults()
	if opts.Children < 0 || opts.Generations < 0 || opts.Pool < -1 || opts.Window < 0 || opts.Patience < -1 || !(opts.Similarity >= 0 && opts.Similarity <= 1) || !(opts.Copies >= 0 && opts.Copies <= 1) {
		return nil, fmt.Errorf("evolve: children %d, generations %d, pool %d, window %d, patience %d, similarity %g and copies %g: give positive numbers, and a similarity of at most 1",
			opts.Children, opts.Generations, opts.Pool, opts.Window, opts.Patience, opts.Similarity, opts.Copies)
	}
	opts.Children = cmp.Or(opts.Children, d.Children)
	opts.Generations = cmp.Or(opts.Generations, d.Generations)
	opts.Pool = cmp.Or(opts.Pool, d.Pool)
	opts.Window = cmp.Or(opts.Window, d.Window)
	opts.Patience = cmp.Or(opts.Patience, d.Patience)
	opts.Beta = cmp.Or(opts.Beta, d.Beta)
	if !(opts.Beta[0] > 0 && opts.Beta[0] <= opts.Beta[1]) {
		return nil, fmt.Errorf("evolve: beta from %g to %g: give two positive numbers in ascending order", opts.Beta[0], opts.Beta[1])
	}
	if err := space.check(); err != nil {
		return nil, err
	}
	space.distinct()
	if f := opts.Fixed; f != nil {
		opts.Transform = &f.Transform
		if len(f.Weights) != len(space.Kernels) || slices.ContainsFunc(f.Weights, notVariance) || f.Noise == 0 || notVariance(f.Noise) {
			return nil, fmt.Errorf("evolve: fixed hyperparameters with weights %v and noise %g: give a weight of at least 0 for each of %d kernels, and noise above 0",
				f.Weights, f.Noise, len(space.Kernels))
		}
	}
	if t := opts.Transform; t != nil && !t.Valid() {
		return nil, fmt.Errorf("evolve: there is no transform %d; give one of package gp, such as gp.Standardise", *t)
	}
	shape := newShape(space)
	r := newReader(shape.checked(space.Read))
	r.check = shape.check
	s := &Searcher{space: space, opts: opts, index: map[int]int{}, parts: map[int]*part{}, maker: map[string]int{}, reader: r}
	s.model = s.surrogate()
	s.model.fixed = opts.Fixed
	for _, op := range space.Operators {
		s.records = append(s.records, Record{Operator: op.Name})
	}
	if space.Drift != nil {
		s.records = append(s.records, Record{Operator: "drift"})
	}
	s.records = append(s.records, Record{Operator: "library"})
	if t := space.Novelty; t != nil {
		s.novelty = newNovelty(*t, r)
	}
	if space.Kin {
		s.viable = s.newViable()
	}
	return s, nil
}

// named returns how many groups of features terms name.
func named(terms ...gp.Term) int {
	groups := 1
	for _, t := range terms {
		for _, g := range t.Groups {
			groups = max(groups, g+1)
		}
	}
	return groups
}

// notVariance reports whether v is negative or not finite.
func notVariance(v float64) bool { return !(v >= 0 && v <= math.MaxFloat64) }

// CheckInput implements study.InputChecker.
func (s *Searcher) CheckInput(input string) error { return s.Check(input) }

// Check returns an error if x is not a string of the space.
func (s *Searcher) Check(x string) error {
	if !s.compares(x) {
		return nil
	}
	if s.space.Check != nil && s.sound.Load() {
		return s.space.Check(x)
	}
	_, err := s.reader.read1(x)
	if err == nil {
		s.sound.Store(true)
	}
	return err
}

func (s *Searcher) compares(x string) bool { return s.space.Compares == nil || s.space.Compares(x) }

// Observe learns from trials.
func (s *Searcher) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		s.observe(t)
	}
	return nil
}

func (s *Searcher) observe(t study.Trial) {
	if t.State != study.Scored && t.Reason != "" {
		s.reason = fmt.Sprintf("; %q: %s", cmp.Or(t.Input, t.X), t.Reason)
	}
	delete(s.parts, t.ID)
	if t.State == study.Partial && s.compares(t.Input) {
		s.drop(t.ID)
		s.told++
		s.parts[t.ID] = &part{t, s.told}
	}
	before := len(s.trials)
	if (t.State == study.Scored || t.State == study.Failed) && s.compares(t.Input) {
		s.hold(t)
	}
	if t.Kind == study.Initial || t.Revised {
		return
	}
	maker, mine := s.maker[t.X]
	delete(s.maker, t.X)
	if mine && s.improves(&t, before) {
		s.records[maker].Improved++
	}
}

// hold adds a trial, or corrects it.
func (s *Searcher) hold(t study.Trial) {
	i, again := s.index[t.ID]
	if !again {
		s.index[t.ID] = len(s.trials)
		s.trials = append(s.trials, t)
		return
	}
	was := s.trials[i]
	s.trials[i] = t
	if was.State == study.Scored { // the surrogates hold the old values
		s.forget()
	}
	if was.State != t.State || was.Struck() != t.Struck() {
		s.chance = chance{} // it learns from all trials again
	}
}

// drop removes a trial whose measurement was struck, so that only further outcomes are left of it, if it is held.
func (s *Searcher) drop(id int) {
	at, held := s.index[id]
	if !held {
		return
	}
	s.trials = slices.Delete(s.trials, at, at+1)
	delete(s.index, id)
	for i := at; i < len(s.trials); i++ {
		s.index[s.trials[i].ID] = i
	}
	s.forget()
	s.chance = chance{}
}

// partial returns the trials that have further outcomes and no score yet, in the order in which they were told.
func (s *Searcher) partial() []study.Trial {
	parts := slices.SortedFunc(maps.Values(s.parts), func(a, b *part) int { return cmp.Compare(a.told, b.told) })
	trials := make([]study.Trial, len(parts))
	for i, p := range parts {
		trials[i] = p.Trial
	}
	return trials
}

// improves reports whether a trial is better than the first n or, with several objectives, is not dominated by one of them.
func (s *Searcher) improves(t *study.Trial, n int) bool {
	if s.objectives == nil {
		return t.Counts(s.constraints) && t.Value > s.incumbent(n)
	}
	values := study.Values(t, s.studied(), s.constraints)
	return !slices.ContainsFunc(values, math.IsNaN) && !slices.ContainsFunc(s.trials[:n], func(known study.Trial) bool {
		v := study.Values(&known, s.studied(), s.constraints)
		return slices.Equal(v, values) || pareto.Dominates(v, values)
	})
}

// incumbent returns the greatest value of those of the first n trials that may be the best; −Inf if there is none.
func (s *Searcher) incumbent(n int) float64 {
	best := math.Inf(-1)
	for i := range n {
		if t := &s.trials[i]; t.Value > best && t.Counts(s.constraints) {
			best = t.Value
		}
	}
	return best
}

// Records returns what each operator did so far, and last what came from the pool unchanged.
func (s *Searcher) Records() []Record { return slices.Clone(s.records) }

// Restarts is the gauge of how often the search has restarted.
const Restarts = "evolve_restarts"

// Report returns the records as gauges, made_…, chosen_… and improved_… for each operator, the restarts, and where the
// time went.
func (s *Searcher) Report() study.Report {
	var gauges []study.Gauge
	for _, r := range s.records {
		name := strings.NewReplacer(" ", "_", "-", "_").Replace(r.Operator)
		gauges = append(gauges, study.Gauge{Name: "made_" + name, Value: float64(r.Made)},
			study.Gauge{Name: "chosen_" + name, Value: float64(r.Chosen)}, study.Gauge{Name: "improved_" + name, Value: float64(r.Improved)})
	}
	gauges = append(gauges, study.Gauge{Name: Restarts, Value: float64((s.phase.Number + 1) / 2)})
	return study.Report{Gauges: gauges, Phases: []study.Phase{
		{Name: "fit", Time: s.timing.fit}, {Name: "evolve", Time: s.timing.evolve}, {Name: "judge", Time: s.timing.judge}, {Name: "pick", Time: s.timing.pick},
	}}
}

func since(total *time.Duration, began time.Time) { *total += time.Since(began) }
