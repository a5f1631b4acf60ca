package study

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/invbo/invbo/oracle"
)

// Kind is the reason for a proposal.
type Kind string

const (
	Initial    Kind = "initial"    // the initial design
	Acquired   Kind = "acquired"   // chosen by the acquisition
	Recentered Kind = "recentered" // asked for by an alignment
	External   Kind = "external"   // told without having been proposed
)

// State is what is known of a string.
type State uint8

const (
	Unseen  State = iota // nothing: it may be proposed
	Pending              // proposed, without an answer
	Scored               // at least one measurement has a score
	Failed               // measured, and no measurement has a score
	Invalid              // it has no translation that the oracle could score
	Skipped              // a proposal that was known, infeasible or beyond the budget: it begins no trial
	Partial              // further outcomes were measured, and the score was not: it may be proposed
)

// Open reports whether a string may be proposed.
func (s State) Open() bool { return s == Unseen || s == Partial }

// Proposal is a string to score.
type Proposal struct {
	ID    int    // number of its trial, from 1 in the order in which trials were begun
	Name  string // the user's, such as that of a compound; may be empty
	X     string // as the searcher writes it
	Input string // what the oracle reads: X, or its translation
	Kind  Kind
	Batch int // of the searcher, from 1; 0 for the initial design

	Mean, SD float64   // predicted score and its standard deviation, in the score's own units; NaN if there is none
	Forecast *Forecast // of several objectives, or bounded outcomes; nil: there are none, or nothing is predicted

	Latent []float64 // nil without a latent space
	Model  int       // version of the model that Latent belongs to
}

// Answer is a measurement of a string.
type Answer struct {
	ID            int              // of the proposal; 0: the one of X
	X             string           // read if ID is 0
	Name          string           // what the trial is called from now on; empty: as before
	Measurement   int              // ID of the measurement of that trial that this one replaces; 0: it is another one
	oracle.Result                  // a score that is not Usable is a failed measurement
	SE            float64          // standard error of Score; 0 if it is not known
	Bound         Bound            // the true score lies on that side of Score
	OtherBounds   map[string]Bound // of Others; those without one are exact
	Partial       bool             // Others are kept, and Score does not count: it was measured before, or is yet to be. An answer with this Measurement's ID completes it
}

// Measurement is one answer of an oracle about a string.
type Measurement struct {
	ID     int     // from 1, in the order in which they arrived
	Score  float64 // NaN if it failed, or is yet to be measured: see Part
	SE     float64 // standard error, Problem.Noise if it came without one; 0 if it is not known
	Bound  Bound   // the true score lies on that side of Score; Exact if it failed
	Reason string  // why it failed, or why further outcomes are missing

	Others      map[string]float64 // further outcomes by name, all finite; nil: there are none
	OtherBounds map[string]Bound   // of Others, where they are not exact; nil: all are
}

// Trial is a proposal with its measurements.
type Trial struct {
	Proposal
	State        State
	Score        float64 // mean of the exact measurements, in the problem's own units and sense, or a bound; NaN if all failed
	Bound        Bound   // the true score lies on that side of Score: no measurement is exact
	Value        float64 // Score so that larger is better: −Score if lower scores are better
	Variance     float64 // of the mean, as far as replicates or standard errors tell; 0 if nothing is known, or Score is a bound
	Reason       string  // why there is no Score
	Called       bool    // it was asked for, and counts as an oracle call
	Revised      bool    // it had an answer before the latest one
	Measurements []Measurement
}

// The reason of a measurement that was struck, or whose value could not be read, begins with one of these.
const (
	struck     = "struck: "
	unreadable = "unreadable: "
)

// Strike returns what takes the place of a measurement that was never one, as of a wrong sample: a failed one, from
// whose reason a Searcher knows that it says nothing of the string.
func Strike(reason string) oracle.Result {
	return oracle.Result{Score: math.NaN(), Reason: struck + reason}
}

// Unreadable returns the result of a measurement that was made but whose value could not be read. A Searcher treats it
// as struck.
func Unreadable(reason string) oracle.Result {
	return oracle.Result{Score: math.NaN(), Reason: unreadable + reason}
}

// Struck reports whether the measurement carries no information about the string: it was struck or is Unreadable.
func (m Measurement) Struck() bool {
	return m.Unreadable() || math.IsNaN(m.Score) && strings.HasPrefix(m.Reason, struck)
}

// Unreadable reports whether the value could not be read.
func (m Measurement) Unreadable() bool {
	return math.IsNaN(m.Score) && strings.HasPrefix(m.Reason, unreadable)
}

// Unreadable reports whether no value of the trial could be read.
func (t *Trial) Unreadable() bool {
	return len(t.Measurements) > 0 && !slices.ContainsFunc(t.Measurements, func(m Measurement) bool { return !m.Unreadable() })
}

// Struck reports whether all measurements are Struck: the trial counts as failed, and that says nothing of its string.
func (t *Trial) Struck() bool {
	return len(t.Measurements) > 0 && !slices.ContainsFunc(t.Measurements, func(m Measurement) bool { return !m.Struck() })
}

// Part reports whether the measurement has further outcomes, and its score is yet to be measured.
func (m Measurement) Part() bool {
	return math.IsNaN(m.Score) && m.Reason == "" && len(m.Others) > 0
}

// Part returns the measurement that waits for the trial's score, if there is one.
func (t *Trial) Part() (m Measurement, ok bool) {
	i := slices.IndexFunc(t.Measurements, Measurement.Part)
	if i < 0 || t.State != Pending && t.State != Partial {
		return m, false
	}
	return t.Measurements[i], true
}

// unscored returns a trial without a measurement.
func unscored(p Proposal, s State) Trial {
	return Trial{Proposal: p, State: s, Score: math.NaN(), Value: math.NaN()}
}

// summarize sets what follows from the measurements. The variance of their mean is that of their standard
// errors if all have one, and else that of their spread.
//
// Bounds say nothing beside exact measurements, which they hardly ever contradict. Of bounds alone the tightest one
// holds, and of bounds on both sides, such as >4 and <9, the one that says how good the score is at least, or, if they
// contradict each other, at most.
func (t *Trial) summarize(minimize bool) {
	t.State, t.Variance, t.Reason = Failed, 0, ""
	r, squares, known := noReadings(), 0.0, true
	part, failed := false, false
	for _, m := range t.Measurements {
		if math.IsNaN(m.Score) {
			t.Reason = cmp.Or(m.Reason, t.Reason)
			part, failed = part || m.Part(), failed || !m.Part() && !m.Struck()
			continue
		}
		r.add(m.Score, m.Bound)
		if m.Bound == Exact {
			squares += m.SE * m.SE
			known = known && m.SE > 0
		}
	}
	better := Above
	if minimize {
		better = Below
	}
	if t.Score, t.Bound = r.value(better); !math.IsNaN(t.Score) {
		t.State, t.Reason = Scored, ""
	} else if part && !failed {
		t.State, t.Reason = Partial, ""
	}
	switch {
	case r.n > 0 && known:
		t.Variance = squares / (r.n * r.n)
	case r.n > 1:
		var spread float64
		for _, m := range t.Measurements {
			if !math.IsNaN(m.Score) && m.Bound == Exact {
				spread += (m.Score - t.Score) * (m.Score - t.Score)
			}
		}
		t.Variance = spread / (r.n - 1) / r.n
	}
	t.Value = t.Score
	if minimize {
		t.Value = -t.Score
	}
}

// ValueBound returns the bound of Value: that of Score, turned round where lower scores are better.
func (t *Trial) ValueBound() Bound {
	if math.Signbit(t.Value) != math.Signbit(t.Score) { // −Score has the other sign, 0 included
		return -t.Bound
	}
	return t.Bound
}

// Counts reports whether a trial may be the best: it has a score, keeps the constraints, and its value is not only
// known to be below something.
func (t *Trial) Counts(constraints []Constraint) bool {
	return t.State == Scored && t.ValueBound() != Below && t.Violates(constraints) == ""
}

// Better reports whether a trial that counts is better than another one that counts, or has no score. A value that is
// known to be above something counts as that, and as better than the same value if that is exact.
func (t *Trial) Better(than *Trial) bool {
	if t.Value == than.Value {
		return t.ValueBound() > than.ValueBound()
	}
	return t.Value > than.Value || math.IsNaN(than.Value) && !math.IsNaN(t.Value)
}

// Ranked returns the trials that count under constraints, the best first and the earlier one first among equals.
func Ranked(trials []Trial, constraints []Constraint) []Trial {
	var ranked []Trial
	for i := range trials {
		if trials[i].Counts(constraints) {
			ranked = append(ranked, trials[i])
		}
	}
	slices.SortStableFunc(ranked, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.ValueBound(), a.ValueBound()))
	})
	return ranked
}

// Ranked returns the study's trials that may be the best, the best first and the earlier one first among equals.
func (s *Study) Ranked() []Trial { return Ranked(s.Trials(), s.problem.Constraints) }

// Status is where a study stands.
type Status struct {
	Budget      int     // of Calls
	InitCalls   int     // oracle calls for the initial design
	Calls       int     // and after it
	Batches     int     // whose proposals the searcher has all observed
	Recentering int     // those of Calls that an alignment asked for
	Pending     int     // proposals without an answer
	Violating   int     // trials with a score that violate a constraint
	Best        Trial   // of those that violate none; its Score is NaN if there is none
	Ranking     float64 // rank correlation of the latest acquired trials' predictions, of 50 at most, with their scores; NaN for fewer than three
	Report
}

// Report is a Searcher's own account of its progress.
type Report struct {
	Gauges []Gauge // its own measures, in a fixed order
	Phases []Phase // where its time went
}

// Gauge is a named number; NaN if it is not known.
type Gauge struct {
	Name  string
	Value float64
}

// Phase is a part of a searcher's work, and the time spent on it so far.
type Phase struct {
	Name string
	Time time.Duration
}

// Gauge returns the gauge with that name; NaN if there is none.
func (r Report) Gauge(name string) float64 {
	for _, g := range r.Gauges {
		if g.Name == name {
			return g.Value
		}
	}
	return math.NaN()
}
