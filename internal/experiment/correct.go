package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Correct puts what a row says in the place of a measurement of a trial: the n-th from 1, or, if n is 0, the only one.
// The error says what is wrong; what is there already is Known.
func (e *Experiment) Correct(ctx context.Context, trial, n int, r table.Record) (What, error) {
	t, m, err := e.measurement(trial, n)
	if err != nil {
		return Refused, err
	}
	names := e.names()
	if other := e.called(r.ID, names); other.ID != 0 && other.ID != t.ID {
		return Refused, usage.Errorf("%s is trial %d, and the measurement is one of trial %d; mend the one that is wrong", r.ID, other.ID, t.ID)
	}
	name := e.named(r, t, names.prefix)
	if r.State != table.Failed {
		if len(r.Others) > 0 || e.Objective != nil {
			merge(&r, m)
		}
		missing := scoreBy(e.Objective, t.Input, &r)
		if missing != "" {
			first, err := e.Spec.scoreByFirst(e.Objective, t.Input, &r)
			if err != nil {
				return Refused, err
			}
			if first {
				missing = ""
			}
		}
		if math.IsNaN(r.Score) && m.Part() && len(r.Others) > 0 { // the rest is yet to be told
			if !merge(&r, m) {
				return Known, e.addName(ctx, r, t, names.prefix)
			}
			if err := storable(r); err != nil {
				return Refused, usage.Wrap(err)
			}
			return Corrected, e.Study.Tell(ctx, study.Answer{ID: t.ID, Name: name, Measurement: m.ID, Result: oracle.Result{Others: r.Others}, OtherBounds: sides[study.Bound](r.OtherBounds), Partial: true})
		}
		if missing != "" {
			return Refused, usage.Errorf("%s is missing", missing)
		}
		if math.IsNaN(r.Score) { // only further outcomes are corrected
			r.Score, r.Bound, r.SE = m.Score, int(m.Bound), cmp.Or(r.SE, m.SE)
		}
		if math.IsNaN(r.Score) {
			return Refused, usage.Errorf("give its score, or why it failed")
		}
	}
	if err := storable(r); err != nil {
		return Refused, usage.Wrap(err)
	}
	told := measurement(r)
	told.SE = correctedSE(m, told)
	if r.State != table.Failed && !math.IsNaN(m.Score) {
		told.Reason = reasons(m.Reason, r)
	}
	if told.Others == nil && r.State != table.Failed { // of a measurement that failed nothing holds
		told.Others, told.OtherBounds = m.Others, m.OtherBounds
	}
	if r.State == table.Failed && math.IsNaN(m.Score) && m.Reason == told.Reason {
		return Known, e.addName(ctx, r, t, names.prefix)
	}
	if news := merge(&r, m); same(m, r) && !news && (r.SE == 0 || quantity.Same(r.SE, m.SE)) {
		return Known, e.addName(ctx, r, t, names.prefix)
	}
	return Corrected, e.Study.Tell(ctx, study.Answer{
		ID: t.ID, Name: name, Measurement: m.ID, Result: oracle.Result{Score: told.Score, Reason: told.Reason, Others: told.Others}, SE: told.SE, Bound: told.Bound,
		OtherBounds: told.OtherBounds,
	})
}

// ReadForm reads what people entered of trials: a row for each, with a text for each column of Filled and perhaps one
// more, which is the standard error of the score. A text means what it means in a table that is told.
func (e *Experiment) ReadForm(trials []study.Trial, rows [][]string) ([]table.Entry, error) {
	if len(e.Filled()) == 0 {
		return nil, usage.Errorf("all outcomes are computed: there is nothing to tell")
	}
	o, err := e.TableOptions()
	if err != nil {
		return nil, err
	}
	all, err := table.ReadForm(e.Filled(), rows, o)
	if err != nil {
		return nil, err
	}
	for i, t := range trials {
		r := &all[i].Record
		r.Input = cmp.Or(t.Input, t.X)
		if r.State == table.Missing && scoreBy(e.Objective, r.Input, r) == "" && e.Objective != nil {
			r.State = table.Measured
		}
	}
	return all, nil
}

// ErrStruck reports that a measurement was already struck for another reason. The first reason is kept.
var ErrStruck = errors.New("was already struck")

// Strike takes a measurement of a trial out, as Correct finds it: it was never one of that string, and says nothing of
// it. It stays in the books, with the reason, and does not count.
func (e *Experiment) Strike(ctx context.Context, trial, n int, reason string) (What, error) {
	t, m, err := e.measurement(trial, n)
	if err != nil {
		return Refused, err
	}
	result := study.Strike(cmp.Or(reason, "no reason given"))
	switch {
	case t.State == study.Pending:
		return Refused, usage.Errorf("trial %d has a part of its outcomes alone, and waits for the rest: correct what is wrong", trial)
	case m.Unreadable():
	case m.Struck() && (reason == "" || m.Reason == usage.Visible(result.Reason)):
		return Known, nil
	case m.Struck():
		at := slices.IndexFunc(t.Measurements, func(other study.Measurement) bool { return other.ID == m.ID })
		return Refused, usage.Errorf("measurement %d of trial %d %w for another reason, which is kept: %s", at+1, trial, ErrStruck, m.Reason)
	}
	return Struck, e.Study.Tell(ctx, study.Answer{ID: t.ID, Measurement: m.ID, Result: result})
}

// measurement returns the n-th measurement of a trial or, if n is 0, the only one that holds.
func (e *Experiment) measurement(trial, n int) (t study.Trial, m study.Measurement, _ error) {
	if trial < 1 || trial > len(e.All()) {
		return t, m, usage.Errorf("there is no trial %d", trial)
	}
	t = e.Page(trial-1, 1)[0]
	all, holding := t.Measurements, holding(t)
	switch {
	case len(all) == 0:
		return t, m, usage.Errorf("trial %d has no measurement", trial)
	case n < 0 || n > len(all):
		return t, m, usage.Errorf("trial %d has no measurement %d: it has %d", trial, n, len(all))
	case n == 0 && len(holding) > 1:
		return t, m, usage.Errorf("trial %d has %d measurements: say which: %s", trial, len(holding), numbered(t, holding))
	case n == 0:
		return t, all[holding[0]], nil
	}
	return t, all[n-1], nil
}

// holding returns the places of a trial's measurements that its score is made of or, without a score, that were not
// struck, or else all: a failure counts no more once there is a score, as of a proposal that was withdrawn and made
// after all.
func holding(t study.Trial) []int {
	for _, holds := range []func(study.Measurement) bool{
		func(m study.Measurement) bool { return !math.IsNaN(m.Score) || m.Part() },
		func(m study.Measurement) bool { return !m.Struck() },
	} {
		var all []int
		for i, m := range t.Measurements {
			if holds(m) {
				all = append(all, i)
			}
		}
		if all != nil {
			return all
		}
	}
	return stats.Indices(len(t.Measurements))
}

// numbered lists measurements of a trial, those at some places, by number.
func numbered(t study.Trial, places []int) (text string) {
	for at, i := range places {
		m := t.Measurements[i]
		if at > 0 {
			text += ", "
		}
		what := m.Bound.String() + short(m.Score)
		switch {
		case m.Part():
			what = "without a score yet"
		case math.IsNaN(m.Score):
			what = "failed"
		}
		text += fmt.Sprintf("%d is %s", i+1, what)
	}
	return text
}

// Numbered returns the trial that people call by a name or, if none is called that, by its number, its sequence or, in
// any notation, its mutations.
func (e *Experiment) Numbered(name string) (int, error) {
	if fits := e.fits(name, e.names()); len(fits) > 0 {
		return fits[0].ID, nil
	}
	if n, err := strconv.Atoi(name); err == nil && slices.ContainsFunc(e.Trials(), func(t study.Trial) bool { return t.ID == n }) {
		return n, nil
	}
	if e.Columns.Sequences != bioseq.None {
		if t := e.Lookup(e.read(name)); t.ID != 0 {
			return t.ID, nil
		}
	}
	return 0, usage.Errorf("%s", e.uncalled(name))
}
