package experiment

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// ScoreTable sets the scores of a table's rows to those of an objective, if there is one.
func ScoreTable(t *table.Table, o *oracle.Objective) {
	if o != nil {
		t.ScoreBy(func(r *table.Record) string { return scoreBy(o, r.Input, r) })
	}
}

// scoreBy sets the score of a row about an input that did not fail to that of an objective, if there is one, and
// returns the columns that it lacks. If it lacks none, the row has what the program computes, too.
func scoreBy(o *oracle.Objective, input string, r *table.Record) (missing string) {
	if o == nil || r.State == table.Failed {
		return ""
	}
	score, all, missing := o.Complete(input, r.Others)
	side, known := o.Side(all, r.OtherBounds)
	if missing == "" && !known {
		score, all, side, missing = math.NaN(), r.Others, 0, "a value instead of a bound of "+usage.List(slices.Sorted(maps.Keys(r.OtherBounds)))
	}
	if missing != "" {
		side = 0
	}
	r.Score, r.Bound, r.Others = score, side, all
	return missing
}

// scoreByFirst sets the score of a row that lacks other objectives to the first of several, if it has that one, and
// reports whether it has. Another one that failed counts as missing.
func (s RunSpec) scoreByFirst(o *oracle.Objective, input string, r *table.Record) (bool, error) {
	if len(s.Objectives) < 2 || len(r.Others) == 0 {
		return false, nil
	}
	others := maps.Clone(r.Others)
	if o.Compute != nil {
		computed, err := o.Compute(input)
		if err != nil {
			return false, err
		}
		maps.Copy(others, computed)
	}
	v, ok := others[s.Objectives[0].Name]
	if ok {
		r.Score, r.Bound, r.Others, r.State = v, r.OtherBounds[s.Objectives[0].Name], others, table.Measured
	}
	return ok, nil
}

// awaitScore has a row wait for its score, or for the first of several objectives, if only other outcomes failed.
func (s RunSpec) awaitScore(o *oracle.Objective, r *table.Record) {
	if r.State != table.Failed || r.Reason.Code != table.OutcomeFailed {
		return
	}
	if len(s.Objectives) > 1 {
		if _, failed := r.OtherFailed[s.Objectives[0].Name]; failed {
			return
		}
	} else if o != nil { // of all outcomes
		return
	}
	r.State, r.Reason = table.Missing, table.Reason{Code: table.NoValue}
}

// measured reports whether a row has a score, or says that the measurement failed.
func measured(r table.Record) bool { return !math.IsNaN(r.Score) || r.State == table.Failed }

// measurement returns what a measured row says.
func measurement(r table.Record) study.Measurement {
	m := study.Measurement{Score: r.Score, SE: r.SE, Bound: study.Bound(r.Bound), Others: r.Others, OtherBounds: sides[study.Bound](r.OtherBounds)}
	switch {
	case r.State == table.Failed:
		m.Reason = r.Reason.Text
	case !math.IsNaN(r.Score):
		m.Reason = otherReasons(r)
	}
	return m
}

// otherReasons says why further outcomes of a row could not be measured.
func otherReasons(r table.Record) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.OtherFailed)) {
		text := name + " failed"
		if reason := r.OtherFailed[name]; reason != "failed" {
			text += ": " + reason
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// reasons merges why further outcomes are missing: what a measurement says, except of outcomes that a row has or gives
// a reason for, and what the row says.
func reasons(of string, r table.Record) string {
	var all []string
	for text := range strings.SplitSeq(of, "; ") {
		name, _, _ := strings.Cut(text, " failed")
		_, known := r.Others[name]
		if _, again := r.OtherFailed[name]; text != "" && !known && !again {
			all = append(all, text)
		}
	}
	if text := otherReasons(r); text != "" {
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// complete returns how many measurements of a trial hold that are not of further outcomes alone.
func complete(t study.Trial) (n int) {
	for _, i := range holding(t) {
		if !t.Measurements[i].Part() {
			n++
		}
	}
	return n
}

// storable returns an error if a number of a row is none that a study keeps. A search can live with all others, however
// absurd.
func storable(r table.Record) error {
	const words = "give a number from -%g to %g"
	if !math.IsNaN(r.Score) && !(math.Abs(r.Score) <= oracle.Largest) {
		return fmt.Errorf("the score is %g; "+words, r.Score, oracle.Largest, oracle.Largest)
	}
	if !(r.SE >= 0 && r.SE <= oracle.Largest) {
		return fmt.Errorf("the standard error is %g; give a number from 0 to %g", r.SE, oracle.Largest)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Others)) {
		if v := r.Others[name]; !(math.Abs(v) <= oracle.Largest) {
			return fmt.Errorf("%s is %g; "+words, name, v, oracle.Largest, oracle.Largest)
		}
	}
	return nil
}

// Holds reports whether a measurement has all further outcomes of a row.
func Holds(m study.Measurement, r table.Record) bool {
	for name, told := range r.Others {
		if v, bound := m.Value(name); !quantity.Same(v, told) || int(bound) != r.OtherBounds[name] {
			return false
		}
	}
	return true
}

// Repeats reports whether a measurement of a trial has what a row says: its score or failure, and no other value of a
// further outcome or, if the row has further outcomes alone, all of these.
func Repeats(t study.Trial, r table.Record) bool {
	return slices.ContainsFunc(t.Measurements, func(m study.Measurement) bool {
		if !measured(r) {
			return len(r.Others) > 0 && Holds(m, r)
		}
		return same(m, r)
	})
}

// same reports whether a measurement may be that of a row, which may have further outcomes of it.
func same(m study.Measurement, r table.Record) bool {
	told := measurement(r)
	same := quantity.Same(m.Score, told.Score) && m.Bound == told.Bound || math.IsNaN(m.Score) && math.IsNaN(told.Score) && m.Reason == told.Reason
	return same && !contradicts(m, r)
}

// correctedSE returns the standard error of a measurement that is corrected: what is told or, as a value alone says
// nothing of it, the old one.
func correctedSE(old, told study.Measurement) float64 {
	if told.Bound != study.Exact || math.IsNaN(told.Score) {
		return told.SE
	}
	return cmp.Or(told.SE, old.SE)
}

// keep adds the further outcomes of a measurement to a row that failed, but for those that failed.
func keep(r *table.Record, m study.Measurement) {
	m.Others, m.OtherBounds = maps.Clone(m.Others), maps.Clone(m.OtherBounds)
	for name := range r.OtherFailed {
		delete(m.Others, name)
		delete(m.OtherBounds, name)
	}
	merge(r, m)
}

// merge adds the further outcomes of a measurement to a row that lacks them, and reports whether the row has others
// than the measurement.
func merge(r *table.Record, m study.Measurement) (news bool) {
	values, bounds := map[string]float64{}, map[string]int{}
	maps.Copy(values, m.Others)
	maps.Copy(bounds, sides[int](m.OtherBounds))
	for name, v := range r.Others {
		side := r.OtherBounds[name]
		if old, ok := values[name]; ok && quantity.Same(old, v) && bounds[name] == side {
			continue
		}
		news = true
		if values[name] = v; side == 0 {
			delete(bounds, name)
		} else {
			bounds[name] = side
		}
	}
	r.Others, r.OtherBounds = values, bounds
	return news
}

// contradicts reports whether a row has another value of an outcome than a measurement.
func contradicts(m study.Measurement, r table.Record) bool {
	for name, v := range r.Others {
		if old, ok := m.Others[name]; ok && (!quantity.Same(old, v) || int(m.OtherBounds[name]) != r.OtherBounds[name]) {
			return true
		}
	}
	return false
}

// sides returns bounds as those of another package.
func sides[To, From int | study.Bound](bounds map[string]From) map[string]To {
	if len(bounds) == 0 {
		return nil
	}
	all := make(map[string]To, len(bounds))
	for name, b := range bounds {
		all[name] = To(b)
	}
	return all
}
