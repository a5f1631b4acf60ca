package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/study"
)

// Of fractions that are told to a study of percentages, and the reverse.
const (
	largestFraction = 1.2 // as measured: that of a control is 1 on average
	largestPercent  = 100
	fewest          = 5 // known values that say what is usual
	enough          = 3 // values that are no weak compounds by chance
)

// readings say how known values are meant, by outcome ("" for the score), where a told value may be meant otherwise.
type readings map[string]reading

// reading says how the known values of an outcome are meant: in per cent, nearly all far above 1, with the median of
// these, or as fractions of 1.
type reading struct {
	fraction bool
	median   float64
}

// otherwise reports whether a value may be a fraction in a study of percentages, or the reverse.
func (r reading) otherwise(v float64) bool {
	if r.fraction {
		return v > largestFraction && v <= largestPercent
	}
	return math.Abs(v) <= largestFraction
}

// readings returns the outcomes whose values may be meant otherwise than the known ones are.
func (e *Experiment) readings() readings { return e.readingsOf(e.knownValues()) }

func (e *Experiment) readingsOf(values map[string][]float64) readings {
	all := readings{}
	for outcome, known := range values {
		switch name, unit := e.stated(outcome); {
		case quantity.IsPercent(name, unit):
			const usual = 10 // per cent, which the median exceeds, and the share of small values does not
			small := stats.Count(known, func(v float64) bool { return math.Abs(v) <= largestFraction })
			if median := stats.Median(known); len(known) >= fewest && median >= usual && 100*small < usual*len(known) {
				all[outcome] = reading{median: median}
			}
		case quantity.MayBeFraction(name, unit):
			inside := stats.Count(known, func(v float64) bool { return v > 0 && v < 1 })
			if outside := stats.Count(known, func(v float64) bool { return v < 0 || v > 1 }); inside >= fewest && outside == 0 {
				all[outcome] = reading{fraction: true}
			}
		}
	}
	return all
}

// stated returns the name and unit of an outcome; those of the score for "".
func (e *Experiment) stated(outcome string) (name, unit string) {
	if outcome == "" {
		return e.Columns.Score, e.Columns.Unit
	}
	return outcome, e.Columns.OtherUnits[outcome]
}

// knownValues returns the values of further outcomes and, if scores are measured, of these.
func (e *Experiment) knownValues() map[string][]float64 {
	all := map[string][]float64{}
	for _, t := range e.Trials() {
		if e.Objective == nil && t.State == study.Scored && !math.IsNaN(t.Score) {
			all[""] = append(all[""], t.Score)
		}
		for _, name := range e.Spec.Asked() {
			if v := t.Outcome(name); !math.IsNaN(v) {
				all[name] = append(all[name], v)
			}
		}
	}
	return all
}

// unstated returns the outcomes, "" for the score, whose values are fractions though no unit says so, and those whose
// values may be ratios or in per cent, as no unit says which and all are small.
func (e *Experiment) unstated(values map[string][]float64) (fractions, ratios []string) {
	const most = 10
	readings := e.readingsOf(values)
	for outcome, known := range values {
		name, unit := e.stated(outcome)
		small := stats.Count(known, func(v float64) bool { return math.Abs(v) <= most }) == len(known)
		switch {
		case readings[outcome].fraction:
			fractions = append(fractions, outcome)
		case unit == "" && small && quantity.MayBeFraction(name, unit) && !quantity.ParseHeading(name).Unit.IsSet():
			ratios = append(ratios, outcome)
		}
	}
	return fractions, ratios
}

// of returns a value of a row that may be meant otherwise, as no unit is stated with it, and how the known ones are
// meant; ok is false if there is none.
func (all readings) of(r table.Record, outcome string) (v float64, known reading, ok bool) {
	known, ok = all[outcome]
	if !ok || !slices.Contains(r.Bare, outcome) {
		return 0, known, false
	}
	if v = r.Score; outcome != "" {
		v, ok = r.Others[outcome]
	}
	return v, known, ok && !math.IsNaN(v)
}

// told returns the outcomes whose told values may all be meant otherwise, and how many values these are.
func (all readings) told(rows []table.Record) map[string]int {
	outcomes := map[string]int{}
	for outcome := range all {
		n := 0
		for _, r := range rows {
			v, known, ok := all.of(r, outcome)
			switch {
			case !ok || v == 0:
			case !known.otherwise(v):
				n = math.MinInt
			default:
				n++
			}
		}
		if n > 0 {
			outcomes[outcome] = n
		}
	}
	return outcomes
}

// doubt says how a value of a row may be meant; "" if it can only be one. The outcomes are of told.
func (all readings) doubt(r table.Record, outcomes map[string]int) (text string, refused bool) {
	for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
		v, known, ok := all.of(r, outcome)
		if !ok || v == 0 {
			continue
		}
		if n := outcomes[outcome]; n >= enough {
			return known.refusal(v, n), true
		}
		text = known.remark(v)
	}
	return text, false
}

// refusal says why a value is refused that is one of n.
func (r reading) refusal(v float64, n int) string {
	if r.fraction {
		return fmt.Sprintf("%.6g may be %[1]g or, if it is in per cent, %.6g: each of the %d new values is above 1, and the known ones lie within 0 to 1; "+
			"write %% behind each, or give %% as unit if they are in per cent, and fraction as unit if they are right", v, v/100, n)
	}
	return fmt.Sprintf("%.6g may be %[1]g %% or, as a fraction, %.6g %%: none of the %d new values is far above 1, and the median of the known ones is %.3g %%; "+
		"write %% behind each, or give %% as unit if they are right", v, 100*v, n, r.median)
}

// remark says how a value is taken.
func (r reading) remark(v float64) string {
	if r.fraction {
		return fmt.Sprintf("%.6g is taken as it is, and the known values lie within 0 to 1; if it is in per cent, correct it to %.6g", v, v/100)
	}
	return fmt.Sprintf("%.6g is taken as %[1]g %%, and the median of the known values is %.3g %%; if it is a fraction, correct it to %.6g %%", v, r.median, 100*v)
}
