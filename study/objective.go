package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/pareto"
	"github.com/invbo/invbo/internal/stats"
)

// MostObjectives is how many objectives a problem may have.
const MostObjectives = pareto.MostObjectives

// Objective is an outcome that a search makes as large or as small as it can.
type Objective struct {
	Name     string   // in oracle.Result.Others
	Minimize bool     // lower values are better
	Zero     *float64 // a value that is worth nothing: the reference point's; nil: the data say
}

// ParseObjective reads an objective such as "hERG min" or "logS max zero=-6". The error says what is wrong with it.
func ParseObjective(s string) (Objective, error) {
	var o Objective
	words := strings.Fields(s)
	if last := len(words) - 1; last >= 0 && strings.Contains(words[last], "=") {
		key, text, _ := strings.Cut(words[last], "=")
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case key != "zero":
			return o, fmt.Errorf("there is no %s; write NAME max or NAME min, perhaps with zero=NUMBER", key)
		case err != nil || math.IsInf(v, 0) || math.IsNaN(v):
			return o, errors.New("want a number after zero=")
		}
		o.Zero, words = &v, words[:last]
	}
	last := len(words) - 1
	if last < 1 || words[last] != "max" && words[last] != "min" {
		return o, errors.New("write NAME max or NAME min, such as \"pIC50 max\"")
	}
	o.Name, o.Minimize = strings.Join(words[:last], " "), words[last] == "min"
	return o, nil
}

// Sense is max or min.
func (o Objective) Sense() string {
	if o.Minimize {
		return "min"
	}
	return "max"
}

// String returns the objective as ParseObjective reads it.
func (o Objective) String() string {
	s := o.Name + " " + o.Sense()
	if o.Zero != nil {
		s += fmt.Sprintf(" zero=%g", *o.Zero)
	}
	return s
}

// MarshalText and UnmarshalText let JSON and flags hold an Objective.
func (o Objective) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

func (o *Objective) UnmarshalText(text []byte) (err error) {
	*o, err = ParseObjective(string(text))
	return err
}

// Equal reports whether two objectives are the same.
func (o Objective) Equal(other Objective) bool { return o.String() == other.String() }

// Reading returns a trial's value, so that larger is better, and on which side of it the true value lies; NaN where
// nothing is known.
func (o Objective) Reading(t *Trial) (value float64, bound Bound) {
	value, bound = o.Measured(t)
	if o.Minimize {
		bound = -bound
	}
	return o.Own(value), bound
}

// Measured is Reading in the objective's own sense.
func (o Objective) Measured(t *Trial) (value float64, bound Bound) {
	favoured := Above
	if o.Minimize {
		favoured = Below
	}
	return t.readings(o.Name).value(favoured)
}

// Value returns a trial's value, so that larger is better; NaN where it is not known or only known to be below
// something. A value that is known to be above something counts as that.
func (o Objective) Value(t *Trial) float64 {
	v, bound := o.Reading(t)
	if bound == Below {
		return math.NaN()
	}
	return v
}

// Own converts a value for which larger is better to the objective's own sense.
func (o Objective) Own(value float64) float64 {
	if o.Minimize {
		return -value
	}
	return value
}

// Values returns a trial's values of objectives, so that larger is better. They are NaN if the trial has no score or
// violates a constraint.
func Values(t *Trial, objectives []Objective, constraints []Constraint) []float64 {
	values := make([]float64, len(objectives))
	counts := t.State == Scored && t.Violates(constraints) == ""
	for i, o := range objectives {
		values[i] = math.NaN()
		if counts {
			values[i] = o.Value(t)
		}
	}
	return values
}

// AllValues returns Values of each trial. A value is also NaN where the trial's measurements of that objective
// contradict each other.
func AllValues(trials []Trial, objectives []Objective, constraints []Constraint) [][]float64 {
	all := make([][]float64, len(trials))
	for i := range trials {
		all[i] = Values(&trials[i], objectives, constraints)
	}
	for j, o := range objectives {
		wild := Contradictory(trials, o.Name)
		for i := range trials {
			if wild[trials[i].ID] {
				all[i][j] = math.NaN()
			}
		}
	}
	return all
}

// Front is what trials reach of several objectives at once.
type Front struct {
	Trials      []Trial     // that no other trial dominates; best in the first objective first, earlier ones first among equals
	Values      [][]float64 // of Trials, so that larger is better
	Reference   []float64   // of the hypervolume, so that larger is better; nil: no trial has all objectives
	Hypervolume float64     // that Trials dominate above Reference
}

// FrontOf returns the Pareto front of trials that keep constraints. Those without a value of every objective are left out.
//
// The reference point is fixed early, so that hypervolumes of one study can be compared: it comes from the initial
// design or, if fewer than three of its trials have all objectives, from the first ten trials that do. Until there are
// ten, it may move. It is an objective's Zero or else half of a range below its low end. The range is from the worst
// value of the front or, if that is lower, the median of all trials, to the best value. Early fronts have few
// trade-offs, so the nadir alone would make other points worthless; and a tenth of the range, as is usual, makes the
// ends of a front worth too little to be found. Where all values are equal, the reference is 1 below them. It is 0
// instead of less for an objective that is maximized and has values above 0 and none below, such as a rate; a search
// has it lower, or the ends of a front that are 0 would be worth nothing to it.
func FrontOf(trials []Trial, objectives []Objective, constraints []Constraint) Front {
	all := AllValues(trials, objectives, constraints)
	var f Front
	members := pareto.Front(all)
	slices.SortStableFunc(members, func(a, b int) int { return slices.Compare(all[b], all[a]) })
	for _, i := range members {
		f.Trials, f.Values = append(f.Trials, trials[i]), append(f.Values, all[i])
	}
	if f.Trials == nil {
		return f
	}
	first := begun(trials, all)
	f.Reference = Reference(first, stats.Pick(first, pareto.Front(first)), objectives)
	for j, o := range objectives {
		negative := func(values []float64) bool { return values[j] < 0 }
		positive := func(values []float64) bool { return values[j] > 0 }
		if o.Zero == nil && !o.Minimize && slices.ContainsFunc(first, positive) && !slices.ContainsFunc(first, negative) {
			f.Reference[j] = max(0, f.Reference[j])
		}
	}
	f.Hypervolume = pareto.Hypervolume(f.Values, f.Reference)
	return f
}

// begun returns the values of the trials from which FrontOf has its reference point.
func begun(trials []Trial, all [][]float64) (first [][]float64) {
	const fewest, enough = 3, 10
	var complete [][]float64
	for i, values := range all {
		if slices.ContainsFunc(values, math.IsNaN) {
			continue
		}
		if trials[i].Kind == Initial {
			first = append(first, values)
		}
		if len(complete) < enough {
			complete = append(complete, values)
		}
	}
	if len(first) < fewest {
		return complete
	}
	return first
}

// Reference returns the reference point that a search has of the values of trials and of those on their front, which is
// not empty: that of FrontOf, which may be below 0.
func Reference(all, front [][]float64, objectives []Objective) []float64 {
	const share = 0.5
	reference := make([]float64, len(objectives))
	for j, o := range objectives {
		if o.Zero != nil {
			reference[j] = o.Own(*o.Zero)
			continue
		}
		column := make([]float64, 0, len(all))
		for _, p := range all {
			if !slices.ContainsFunc(p, math.IsNaN) {
				column = append(column, p[j])
			}
		}
		low, best := stats.Median(column), slices.Max(column)
		for _, p := range front {
			low = min(low, p[j])
		}
		reference[j] = low - share*(best-low)
		if low == best {
			reference[j] = low - 1
		}
	}
	return reference
}

// Hypervolumes returns the hypervolume above a reference point after each trial.
func Hypervolumes(trials []Trial, objectives []Objective, constraints []Constraint, reference []float64) []float64 {
	volumes := make([]float64, len(trials))
	var front [][]float64
	volume := 0.0
	for i, values := range AllValues(trials, objectives, constraints) {
		dominated := slices.ContainsFunc(values, math.IsNaN) || slices.ContainsFunc(front, func(p []float64) bool { return pareto.Dominates(p, values) })
		if !dominated {
			front = append(slices.DeleteFunc(front, func(p []float64) bool { return pareto.Dominates(values, p) }), values)
			volume = pareto.Hypervolume(front, reference)
		}
		volumes[i] = volume
	}
	return volumes
}

// MultiObjective is a Searcher that can make several objectives as good as possible at once. Others only see the first
// one, as the score.
type MultiObjective interface {
	Aim(objectives []Objective) // called once, before anything else, if there are several
}

// Forecast is what a string is expected to reach.
type Forecast struct {
	Mean   []float64 `json:"mean" doc:"Of each of several objectives, and then of each further outcome that constraints bound, in its own units."`
	SD     []float64 `json:"sd" doc:"Their standard deviations, with the noise of a measurement; 0 where the program computes the objective."`
	Kept   float64   `json:"kept,omitzero" doc:"With several objectives and constraints: chance of a score, and of keeping the constraints; 0 if it is not known."`
	Chance float64   `json:"chance" doc:"Of a score, of keeping the constraints and, with several objectives, of being on the front: no measured string that keeps them dominates it."`
}

// Prediction is what a search predicted of an outcome of a proposal, and what was measured then.
type Prediction struct {
	Mean, SD float64 // SD is 0 where the program computes the outcome: nothing was predicted that could be wrong
	Value    float64 // as measured, in its own units
	Bound    Bound   // the true value lies on that side of Value
}

// Prediction returns what was predicted of the score or, if j is not 0, of the j-th of several objectives. The first
// one is the score, whose predictions older studies have, too. ok is false if the search did not propose and predict
// it, or there is no value.
func (t *Trial) Prediction(objectives []Objective, j int) (p Prediction, ok bool) {
	switch {
	case t.Kind != Acquired || t.State != Scored:
		return p, false
	case j == 0:
		p = Prediction{t.Mean, t.SD, t.Score, t.Bound}
	case t.Forecast == nil:
		return p, false
	default:
		p.Mean, p.SD = t.Forecast.Mean[j], t.Forecast.SD[j]
		p.Value, p.Bound = objectives[j].Measured(t)
	}
	return p, !math.IsNaN(p.Mean) && !math.IsNaN(p.Value)
}

// CheckObjectives returns an error if objectives cannot be used together.
func CheckObjectives(objectives []Objective) error {
	if len(objectives) > MostObjectives {
		return fmt.Errorf("%d objectives; give at most %d, and bound further outcomes with constraints", len(objectives), MostObjectives)
	}
	for i, o := range objectives {
		if slices.ContainsFunc(objectives[:i], func(p Objective) bool { return strings.EqualFold(p.Name, o.Name) }) { // one column of a table
			return fmt.Errorf("two objectives are named %s; give each once", o.Name)
		}
	}
	return nil
}
