package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Filled returns the names of the columns that people fill in, with their units: the score, unless an objective makes
// it, and further outcomes.
func (e *Experiment) Filled() (names []string) {
	if e.Objective == nil {
		names = append(names, e.Columns.Filled())
	}
	for _, outcome := range e.FilledOthers() {
		names = append(names, e.Columns.FilledOther(outcome))
	}
	return names
}

// FilledOthers returns the further outcomes that people fill in: the last columns of Filled are theirs.
func (e *Experiment) FilledOthers() []string {
	if e.Objective != nil {
		return e.Spec.Asked()
	}
	return e.unscored(e.Spec.Asked())
}

// unscored returns names of outcomes without that of the score, which a constraint may bound.
func (e *Experiment) unscored(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return strings.EqualFold(name, e.Columns.Score) })
}

// Ask returns what waits for a measurement: at least n strings, new ones among them if there were fewer. The error, that of
// study.Study.Ask, says why there are fewer.
func (e *Experiment) Ask(ctx context.Context, n int) ([]study.Proposal, error) {
	for {
		pending := e.Pending()
		if len(pending) >= n {
			return pending, nil
		}
		if _, err := e.Study.Ask(ctx, n-len(pending)); err != nil {
			return e.Pending(), err // some of them may be new
		}
	}
}

// Withdraw takes back proposals that nobody will measure, by the IDs of their trials: they count as failed
// measurements, from which the search learns. If one of them waits for no measurement, none is taken back.
func (e *Experiment) Withdraw(ctx context.Context, trials []int, reason string) ([]study.Trial, error) {
	var all []study.Trial
	var answers []study.Answer
	for _, id := range trials {
		if slices.ContainsFunc(all, func(other study.Trial) bool { return other.ID == id }) {
			continue
		}
		page := e.Page(id-1, 1)
		if len(page) == 0 || page[0].ID != id || page[0].State != study.Pending {
			return nil, usage.Errorf("trial %d waits for no measurement", id)
		}
		t := page[0]
		all = append(all, t)
		a := study.Answer{ID: t.ID, Result: oracle.Result{Score: math.NaN(), Reason: reason}}
		if part, kept := t.Part(); kept { // what is known of it counts
			var r table.Record
			merge(&r, part)
			known, err := e.Spec.scoreByFirst(e.Objective, t.Input, &r)
			if err != nil {
				return nil, err
			}
			if known {
				a.Score, a.Bound, a.Reason = r.Score, study.Bound(r.Bound), ""
			}
			a.Measurement, a.Others, a.OtherBounds = part.ID, r.Others, part.OtherBounds
		}
		answers = append(answers, a)
	}
	return all, e.Study.Tell(ctx, answers...)
}

// WithdrawAll takes back all proposals without any answer, and returns how many. The search learns nothing from them,
// and does not propose them again.
func (e *Experiment) WithdrawAll(ctx context.Context, reason string) (int, error) {
	var answers []study.Answer
	for _, p := range e.Pending() {
		if t := e.Lookup(p.X); len(t.Measurements) == 0 {
			answers = append(answers, study.Answer{ID: p.ID, Result: study.Strike(reason)})
		}
	}
	return len(answers), e.Study.Tell(ctx, answers...)
}

// Waiting returns the proposal of that name that waits for a measurement. A name that may be that of two is not guessed.
func (e *Experiment) Waiting(name string) (study.Trial, error) {
	fits := slices.DeleteFunc(e.fits(name, e.names()), func(t study.Trial) bool { return t.State != study.Pending })
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 2:
		called, numbered := usage.Shorten(fits[0].Input, 60), e.Name(fits[1].Proposal)
		return study.Trial{}, usage.Errorf("%q is %s, and trial %s is %s; give %s for the trial, or tell %s as failed", name, called, name, usage.Shorten(fits[1].Input, 60), numbered, called)
	}
	var waiting []string
	for _, p := range e.Pending() {
		waiting = append(waiting, e.Name(p))
	}
	if len(waiting) == 0 {
		return study.Trial{}, usage.Errorf("%q waits for no measurement, and nothing else does", name)
	}
	more := ""
	if n := len(waiting); n > mostWaiting {
		waiting, more = waiting[:mostWaiting], fmt.Sprintf(" and %d more", n-mostWaiting)
	}
	return study.Trial{}, usage.Errorf("%q waits for no measurement; give one of these that do: %s%s", name, strings.Join(waiting, ", "), more)
}
