package experiment

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Provenance is where the oracle of a resumed run is from.
type Provenance struct {
	Recorded task.External // as the store has it
	Here     bool          // this user gave it on this machine, or trusted it
	Unknown  error         // why that cannot be known; nil: it is
	InFolder bool          // the specification in the folder has another one
}

// Provenance returns where the oracle of an experiment is from that was opened to run.
func (e *Experiment) Provenance() Provenance {
	p := Provenance{Recorded: e.saved.Spec.External}
	here, err := seal(p.Recorded)
	p.Unknown = err
	p.Here = sealed(p.Recorded) == "" || e.saved.Seal != "" && err == nil && hmac.Equal([]byte(e.saved.Seal), []byte(here))
	if e.place.Folder == "" {
		return p
	}
	var spec RunSpec
	text, err := os.ReadFile(filepath.Join(e.place.Folder, specFile))
	p.InFolder = err == nil && json.Unmarshal(text, &spec) == nil && sealed(spec.External) != sealed(p.Recorded)
	return p
}

// KeepOracle has the store, and the folder, hold the oracle that the experiment was opened with, as this user's. A
// laboratory's study remains one, and its oracle is given each time.
func (e *Experiment) KeepOracle(ctx context.Context) error {
	s := e.saved
	if s.Spec.Measured {
		return nil
	}
	if now := e.Spec.External; sealed(now) != sealed(s.Spec.External) && s.Spec.External.Values() != (task.External{}) {
		s.Formers = append(slices.Clone(s.Formers), s.Spec.External)
	}
	s.Spec.External = e.Spec.External
	s.Seal, _ = seal(e.Spec.External) // as in record
	return e.respecify(ctx, s)
}

// KeepBudget has the store, and the folder, hold the budget that the experiment was opened with. A laboratory's study
// has none.
func (e *Experiment) KeepBudget(ctx context.Context) error {
	s := e.saved
	if s.Spec.Measured || s.Spec.Budget == e.Spec.Budget {
		return nil
	}
	s.Spec.Budget = e.Spec.Budget
	return e.respecify(ctx, s)
}

// respecify has the store hold another record, and the folder its specification.
func (e *Experiment) respecify(ctx context.Context, s saved) error {
	record, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := e.keeper.kept.Respecify(ctx, record); err != nil {
		return err
	}
	e.saved = s
	if e.folder == nil {
		return nil
	}
	spec := e.Spec
	spec.Budget, spec.Time, spec.External = s.Spec.Budget, s.Spec.Time, s.Spec.External
	return e.folder.json(specFile, spec)
}

// Rescored is a known string with the score that the oracle gives it now.
type Rescored struct {
	study.Trial
	Now oracle.Result
}

// fewRescored is how many known strings are scored again to try an oracle.
const fewRescored = 4

// Rescore asks the oracle about a few known strings, from the best to the worst. That counts as no call, and changes
// nothing.
func (e *Experiment) Rescore(ctx context.Context) ([]Rescored, error) {
	if err := e.scored(ctx); err != nil {
		return nil, err
	}
	known := slices.DeleteFunc(e.Ranked(), func(t study.Trial) bool { return t.Bound != study.Exact })
	var some []Rescored
	var inputs []string
	for i := range min(fewRescored, len(known)) {
		t := known[i*(len(known)-1)/max(1, min(fewRescored, len(known))-1)]
		some, inputs = append(some, Rescored{Trial: t}), append(inputs, t.Input)
	}
	if len(inputs) == 0 {
		return nil, nil
	}
	results, err := oracle.Score(ctx, e.clock.Oracle, inputs)
	if err != nil {
		return nil, fmt.Errorf("score %d known strings again: %w", len(inputs), err)
	}
	for i, r := range results {
		some[i].Now = r
	}
	return some, nil
}

// Difference returns the greatest difference of the scores from the known ones; NaN if no string has a score now.
func Difference(some []Rescored) float64 {
	greatest := math.NaN()
	for _, r := range some {
		if d := r.difference(""); !(d <= greatest) && !math.IsNaN(d) {
			greatest = d
		}
	}
	return greatest
}

// difference returns that of an outcome, or of the score if outcome is empty; NaN if one of both values is not known
// exactly.
func (r Rescored) difference(outcome string) float64 {
	if outcome == "" {
		return math.Abs(r.Now.Score - r.Score)
	}
	now, ok := r.Now.Others[outcome]
	if !ok || r.OutcomeBound(outcome) != study.Exact {
		return math.NaN()
	}
	return math.Abs(now - r.Outcome(outcome))
}

// The oracle contradicts a known value if it differs by more than manyNoises times the standard deviation of a
// measurement or, where that is not known, by more than someSpread times the deviation of the known values.
const (
	manyNoises = 6
	someSpread = 1
)

// Contradicted returns the first of the strings, which were scored again, whose score or another outcome is now clearly
// another one, with the name of that outcome, which is empty for the score.
func (e *Experiment) Contradicted(some []Rescored) (r Rescored, outcome string, found bool) {
	trials := e.Trials()
	for _, outcome := range append([]string{""}, e.Spec.Asked()...) {
		tolerance := manyNoises * study.Noise(trials, outcome)
		if outcome == "" {
			tolerance = max(tolerance, manyNoises*e.Spec.Noise)
		}
		if tolerance == 0 {
			tolerance = someSpread * stats.RobustDeviation(exactValues(trials, outcome))
		}
		for _, r := range some {
			const rounding = 1e-6
			if d := r.difference(outcome); d > max(tolerance, rounding*math.Abs(r.known(outcome))) {
				return r, outcome, true
			}
		}
	}
	return Rescored{}, "", false
}

// known returns the known value of an outcome, or of the score if outcome is empty.
func (r Rescored) known(outcome string) float64 {
	if outcome == "" {
		return r.Score
	}
	return r.Outcome(outcome)
}

// exactValues returns the values of an outcome, or of the score if outcome is empty, that are no bounds.
func exactValues(trials []study.Trial, outcome string) (values []float64) {
	for i := range trials {
		v, bound := trials[i].Score, trials[i].Bound
		if outcome != "" {
			v, bound = trials[i].Outcome(outcome), trials[i].OutcomeBound(outcome)
		}
		if bound == study.Exact && !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// String says what score was known, and what it is now.
func (r Rescored) String() string { return r.About("") }

// About says what was known of an outcome, or of the score if outcome is empty, and what is now.
func (r Rescored) About(outcome string) string {
	v, ok := r.Now.Score, true
	if outcome != "" {
		v, ok = r.Now.Others[outcome]
	}
	now := Number(v).String()
	if !ok || math.IsNaN(v) {
		now = "none"
		if outcome == "" {
			now = "no score"
		}
		if r.Now.Reason != "" {
			now += " (" + r.Now.Reason + ")"
		}
	}
	return "trial " + strconv.Itoa(r.ID) + ": " + strings.TrimLeft(outcome+" ", " ") + Number(r.known(outcome)).String() + " was known, and now it is " + now
}
