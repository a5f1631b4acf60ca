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

// tellPart stores the further outcomes of a row that has no score: until the rest is told if the string has no score,
// or else with the first measurement that lacks them, or as another measurement of these alone. To correct, it finds
// the measurement with other values that no row has stood for.
func (b *telling) tellPart(ctx context.Context, r table.Record, t study.Trial, missing string) (Told, error) {
	e := b.e
	if len(r.Others) == 0 {
		return e.tellReasons(ctx, r, t)
	}
	free := func(m study.Measurement) bool { return !b.correct || !b.stood[m.ID] }
	if i := slices.IndexFunc(t.Measurements, func(m study.Measurement) bool { return free(m) && Holds(m, r) }); i >= 0 {
		b.stood[t.Measurements[i].ID] = true
		return Told{Trial: t.ID, What: Known}, nil
	}
	if m, ok, err := b.changed(ctx, r, t); ok || err != nil {
		return Told{Trial: t.ID, What: Outdated, Why: now(m, r)}, err
	}
	if t.State == study.Pending || t.State.Open() || t.Struck() {
		return b.keepPart(ctx, r, t)
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
	if b.correct {
		var wrong []study.Measurement // that have such outcomes
		for _, m := range t.Measurements {
			if free(m) && contradicts(m, r) {
				wrong = append(wrong, m)
			}
		}
		switch len(wrong) {
		case 0:
		case 1:
			return Told{Trial: t.ID, What: Corrected}, tell(wrong[0])
		default:
			return Told{Trial: t.ID, What: Refused, Why: fmt.Sprintf("%d of its measurements have other values, and any of them may be meant: include all, and leave correct ones unchanged", len(wrong))}, nil
		}
	}
	for _, m := range t.Measurements {
		if !math.IsNaN(m.Score) && !contradicts(m, r) {
			return Told{Trial: t.ID, What: Completed}, tell(m)
		}
	}
	if len(e.Spec.Objectives) > 1 {
		if told, err := e.completeFailed(ctx, r, t); told {
			return Told{Trial: t.ID, What: Completed}, err
		}
	}
	if t.State == study.Scored && (e.Objective == nil || len(e.Spec.Objectives) > 1) { // they count in the means of these outcomes
		return Told{Trial: t.ID, What: Repeated}, e.Study.Tell(ctx, study.Answer{ID: t.ID, Partial: true, Result: oracle.Result{Others: r.Others}, OtherBounds: sides[study.Bound](r.OtherBounds)})
	}
	return Told{Trial: t.ID, What: Waiting, Why: fmt.Sprintf("%s is missing; nothing of this row is stored, tell %s together", missing, usage.List(e.Filled()))}, nil
}

// changed returns the measurement that a row told before it was corrected or struck, and that no row has stood for; ok
// is false if there is none, or the row is to correct.
func (b *telling) changed(ctx context.Context, r table.Record, t study.Trial) (m study.Measurement, ok bool, _ error) {
	if b.correct || len(t.Measurements) == 0 {
		return m, false, nil
	}
	history, err := b.e.History(ctx, t.ID)
	if err != nil {
		return m, false, err
	}
	for _, before := range history {
		old := before.Measurement
		told := Holds(old, r) && (!measured(r) || same(old, r))
		at := slices.IndexFunc(t.Measurements, func(m study.Measurement) bool { return m.ID == old.ID })
		if told && at >= 0 && !b.stood[old.ID] {
			b.stood[old.ID] = true
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
func (e *Experiment) tellReasons(ctx context.Context, r table.Record, t study.Trial) (Told, error) {
	for _, m := range t.Measurements {
		if math.IsNaN(m.Score) || otherReasons(r) == "" {
			continue
		}
		if reasons(m.Reason, r) == m.Reason {
			return Told{Trial: t.ID, What: Known}, nil
		}
		a := study.Answer{ID: t.ID, Measurement: m.ID, Result: oracle.Result{Score: m.Score, Reason: reasons(m.Reason, r), Others: m.Others}, SE: m.SE, Bound: m.Bound, OtherBounds: m.OtherBounds}
		return Told{Trial: t.ID, What: Completed}, e.Study.Tell(ctx, a)
	}
	if t.State == study.Scored && otherReasons(r) == "" {
		return Told{Trial: t.ID, What: Stays}, nil
	}
	return Told{Trial: t.ID, What: Waiting}, nil
}

// keepPart keeps outcomes of a string without a score until the rest is told, beside those that were told before.
func (b *telling) keepPart(ctx context.Context, r table.Record, t study.Trial) (Told, error) {
	a := study.Answer{ID: t.ID, X: t.X, Name: b.e.named(r, t, b.names.prefix), Partial: true}
	if part, kept := t.Part(); kept {
		if contradicts(part, r) && !b.correct {
			return Told{Trial: t.ID, What: Refused, Why: "a part with another value is kept; correct it, or tell all outcomes of each measurement in a row"}, nil
		}
		if news := merge(&r, part); !news {
			return Told{Trial: t.ID, What: Known}, nil
		}
		a.Measurement = part.ID
	}
	a.Others, a.OtherBounds = r.Others, sides[study.Bound](r.OtherBounds)
	if err := b.e.Study.Tell(ctx, a); err != nil {
		return Told{}, err
	}
	return Told{Trial: b.e.Lookup(t.X).ID, What: Kept}, nil
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
