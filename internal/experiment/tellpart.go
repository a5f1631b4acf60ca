package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// tellPart stores the further outcomes of a row that has no score: until the rest is told if the string has no score, or else with the first
// measurement that lacks them, or as another measurement of these alone. To correct, it finds the measurement with other values that no row has
// stood for.
func (e *Experiment) tellPart(ctx context.Context, r table.Record, t study.Trial, names names, missing string, stood map[int]bool, correct bool) (trial int, what What, why string, _ error) {
	if len(r.Others) == 0 {
		return e.tellReasons(ctx, r, t)
	}
	free := func(m study.Measurement) bool { return !correct || !stood[m.ID] }
	if i := slices.IndexFunc(t.Measurements, func(m study.Measurement) bool { return free(m) && Holds(m, r) }); i >= 0 {
		stood[t.Measurements[i].ID] = true
		return t.ID, Known, "", nil
	}
	if m, ok, err := e.changed(ctx, r, t, stood, correct); ok || err != nil {
		return t.ID, Outdated, now(m, r), err
	}
	if t.State == study.Pending || t.State.Open() || t.Struck() {
		return e.keepPart(ctx, r, t, names, correct)
	}
	tell := func(m study.Measurement) error {
		all := r
		merge(&all, m)
		a := study.Answer{ID: t.ID, Measurement: m.ID, Result: oracle.Result{Score: m.Score, Reason: m.Reason}, SE: m.SE, Bound: m.Bound, Partial: m.Part()}
		if !math.IsNaN(m.Score) {
			a.Reason = reasons(m.Reason, all)
		}
		if e.Objective != nil && !math.IsNaN(m.Score) && scoreBy(e.Objective, t.Input, &all) == "" {
			a.Score, a.Bound = all.Score, study.Bound(all.Bound)
		}
		a.Others, a.OtherBounds = all.Others, sides[study.Bound](all.OtherBounds)
		return e.Study.Tell(ctx, a)
	}
	if correct {
		var wrong []study.Measurement // that have such outcomes
		for _, m := range t.Measurements {
			if free(m) && contradicts(m, r) {
				wrong = append(wrong, m)
			}
		}
		switch len(wrong) {
		case 0:
		case 1:
			return t.ID, Corrected, "", tell(wrong[0])
		default:
			return t.ID, Refused, fmt.Sprintf("%d of its measurements have other values, and any of them may be meant: include all, and leave correct ones unchanged", len(wrong)), nil
		}
	}
	for _, m := range t.Measurements {
		if !math.IsNaN(m.Score) && !contradicts(m, r) {
			return t.ID, Completed, "", tell(m)
		}
	}
	if len(e.Spec.Objectives) > 1 {
		if told, err := e.completeFailed(ctx, r, t); told {
			return t.ID, Completed, "", err
		}
	}
	if t.State == study.Scored && (e.Objective == nil || len(e.Spec.Objectives) > 1) { // they count in the means of these outcomes
		return t.ID, Repeated, "", e.Study.Tell(ctx, study.Answer{ID: t.ID, Partial: true, Result: oracle.Result{Others: r.Others}, OtherBounds: sides[study.Bound](r.OtherBounds)})
	}
	return t.ID, Waiting, fmt.Sprintf("%s is missing; nothing of this row is stored, tell %s together", missing, usage.List(e.Filled())), nil
}

// changed returns the measurement that a row told before it was corrected or struck, and that no row has stood for; ok is false if there is none, or the
// row is to correct.
func (e *Experiment) changed(ctx context.Context, r table.Record, t study.Trial, stood map[int]bool, correct bool) (m study.Measurement, ok bool, _ error) {
	if correct || len(t.Measurements) == 0 {
		return m, false, nil
	}
	history, err := e.History(ctx, t.ID)
	if err != nil {
		return m, false, err
	}
	for _, before := range history {
		old := before.Measurement
		told := Holds(old, r) && (!measured(r) || same(old, r))
		at := slices.IndexFunc(t.Measurements, func(m study.Measurement) bool { return m.ID == old.ID })
		if told && at >= 0 && !stood[old.ID] {
			stood[old.ID] = true
			return t.Measurements[at], true, nil
		}
	}
	return m, false, nil
}

// now says what a measurement is now that a row told before.
func now(m study.Measurement, r table.Record) string {
	switch {
	case math.IsNaN(m.Score):
		return m.Reason
	case !quantity.Same(m.Score, r.Score):
		return "its score is " + m.Bound.String() + short(m.Score) + " now"
	}
	return ""
}

// tellReasons adds the reasons why outcomes of a row failed to a measurement that has none of them.
func (e *Experiment) tellReasons(ctx context.Context, r table.Record, t study.Trial) (trial int, what What, why string, _ error) {
	for _, m := range t.Measurements {
		if math.IsNaN(m.Score) || otherReasons(r) == "" {
			continue
		}
		if reasons(m.Reason, r) == m.Reason {
			return t.ID, Known, "", nil
		}
		a := study.Answer{ID: t.ID, Measurement: m.ID, Result: oracle.Result{Score: m.Score, Reason: reasons(m.Reason, r), Others: m.Others}, SE: m.SE, Bound: m.Bound, OtherBounds: m.OtherBounds}
		return t.ID, Completed, "", e.Study.Tell(ctx, a)
	}
	if t.State == study.Scored && otherReasons(r) == "" {
		return t.ID, Stays, "", nil
	}
	return t.ID, Waiting, "", nil
}

// keepPart keeps outcomes of a string without a score until the rest is told, beside those that were told before.
func (e *Experiment) keepPart(ctx context.Context, r table.Record, t study.Trial, names names, correct bool) (trial int, what What, why string, _ error) {
	a := study.Answer{ID: t.ID, X: t.X, Name: e.named(r, t, names.prefix), Partial: true}
	if part, kept := t.Part(); kept {
		if contradicts(part, r) && !correct {
			return t.ID, Refused, "a part with another value is kept; correct it, or tell all outcomes of each measurement in a row", nil
		}
		if news := merge(&r, part); !news {
			return t.ID, Known, "", nil
		}
		a.Measurement = part.ID
	}
	a.Others, a.OtherBounds = r.Others, sides[study.Bound](r.OtherBounds)
	if err := e.Study.Tell(ctx, a); err != nil {
		return t.ID, "", "", err
	}
	return e.Lookup(t.X).ID, Kept, "", nil
}

// completeFailed adds outcomes to a measurement that failed, but for some of several objectives; false: there is none.
func (e *Experiment) completeFailed(ctx context.Context, r table.Record, t study.Trial) (told bool, _ error) {
	for _, m := range t.Measurements {
		if !math.IsNaN(m.Score) || m.Struck() || contradicts(m, r) {
			continue
		}
		all := r
		merge(&all, m)
		a := study.Answer{ID: t.ID, Measurement: m.ID, Result: oracle.Result{Score: m.Score, Reason: m.Reason}}
		first, err := e.Spec.scoreByFirst(e.Objective, t.Input, &all)
		if err != nil {
			return true, err
		}
		if first {
			a.Score, a.Bound, a.Reason = all.Score, study.Bound(all.Bound), ""
		}
		a.Others, a.OtherBounds = all.Others, sides[study.Bound](all.OtherBounds)
		return true, e.Study.Tell(ctx, a)
	}
	return false, nil
}
