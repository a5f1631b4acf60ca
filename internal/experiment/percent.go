package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/study"
)

// Of fractions that are told to a study of percentages.
const (
	largestFraction = 1.2 // as measured: that of a control is 1 on average
	fewest          = 5   // known values that say what is usual
	enough          = 3   // values that are no weak compounds by chance
)

// fractions are outcomes in per cent, and "" for the score, nearly all known values of which are far above 1, with the median of these.
type fractions map[string]float64

// fractions returns the outcomes of which a value of at most 1 may be a fraction.
func (e *Experiment) fractions() fractions {
	all := fractions{}
	trials := e.Trials()
	add := func(outcome string, value func(study.Trial) float64) {
		var known []float64
		small := 0
		for _, t := range trials {
			if v := value(t); !math.IsNaN(v) {
				known = append(known, v)
				if math.Abs(v) <= largestFraction {
					small++
				}
			}
		}
		const usual = 10 // per cent, which the median exceeds, and the share of small values does not
		if median := stats.Median(known); len(known) >= fewest && median >= usual && 100*small < usual*len(known) {
			all[outcome] = median
		}
	}
	if e.Objective == nil && table.IsPercent(e.Columns.Score, e.Columns.Unit) {
		add("", func(t study.Trial) float64 {
			if t.State != study.Scored {
				return math.NaN()
			}
			return t.Score
		})
	}
	for _, name := range e.Spec.Asked() {
		if table.IsPercent(name, e.Columns.OtherUnits[name]) {
			add(name, func(t study.Trial) float64 { return t.Outcome(name) })
		}
	}
	return all
}

// of returns a value of a row that may be a fraction, as no unit is stated with it, and the median of those that are known; ok is false if there is none.
func (f fractions) of(r table.Record, outcome string) (v, median float64, ok bool) {
	median, known := f[outcome]
	if !known || !slices.Contains(r.Bare, outcome) {
		return 0, 0, false
	}
	if v = r.Score; outcome != "" {
		v, ok = r.Others[outcome]
	}
	return v, median, (ok || outcome == "") && !math.IsNaN(v)
}

// told returns those of the outcomes all told values of which may be fractions, and how many values these are.
func (f fractions) told(rows []table.Record) map[string]int {
	all := map[string]int{}
	for outcome := range f {
		n := 0
		for _, r := range rows {
			v, _, ok := f.of(r, outcome)
			switch {
			case !ok:
			case math.Abs(v) > largestFraction:
				n = math.MinInt
			case v != 0:
				n++
			}
		}
		if n > 0 {
			all[outcome] = n
		}
	}
	return all
}

// doubt says how a value of a row may be meant; "" if it can only be one. The outcomes are of told.
func (f fractions) doubt(r table.Record, outcomes map[string]int) (text string, refused bool) {
	for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
		n := outcomes[outcome]
		v, median, ok := f.of(r, outcome)
		if !ok || v == 0 {
			continue
		}
		percent := fmt.Sprintf("%.6g %%", 100*v)
		if n >= enough {
			return fmt.Sprintf("%.6g may be %[1]g %% or, as a fraction, %s: none of the %d new values is far above 1, and the median of the known ones is %.3g %%; "+
				"write %% behind each, or give %% as unit if they are right", v, percent, n, median), true
		}
		text = fmt.Sprintf("%.6g is taken as %[1]g %%, and the median of the known values is %.3g %%; if it is a fraction, correct it to %s", v, median, percent)
	}
	return text, false
}
