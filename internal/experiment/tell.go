package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Told is what became of a row.
type Told struct {
	table.Record
	Trial int // 0: none
	What  What
	Why   string // for people; empty where What says it all

	Odd    string   // Apart: why; empty if it has another length
	Apart  bool     // it is new, and the search cannot compare it with others: it learns nothing from it
	Doubts []string // what of the row is hardly meant, though it was taken, for people
	Called string   // what the string is called, if the row has another name, which is not used; empty otherwise
	Which  bool     // refused: it corrects one of several measurements, and does not say which
}

// Remarks says what people should know of a row that was taken.
func (t Told) Remarks() (all []string) {
	switch {
	case t.Odd != "":
		all = append(all, t.Odd+": the search learns nothing from it")
	case t.Apart:
		all = append(all, "it is of another length than the sequences that are compared: the search learns nothing from it")
	}
	if all = append(all, t.Doubts...); t.Called != "" {
		all = append(all, fmt.Sprintf("it is called %s, and keeps that name: %s is not used", t.Called, t.ID))
	}
	return all
}

// What is what may become of a row.
type What string

const (
	Added     What = "measured"
	Repeated  What = "another measurement"
	Corrected What = "corrected"
	Struck    What = "struck"
	Completed What = "further outcomes added"
	WithError What = "standard error added"
	Known     What = "known already"
	Outdated  What = "known already (corrected or struck since)"
	Kept      What = "kept until the rest is told"
	Waiting   What = "no score yet" // with Why: an outcome is missing, and nothing of the row is stored
	Stays     What = "no value (the known score stays)"
	Failed    What = "failed"
	Refused   What = "not taken"
)

// Taken reports whether the row was not refused.
func (t Told) Taken() bool { return t.What != Refused }

func (t Told) String() string {
	if t.Why == "" {
		return string(t.What)
	}
	return string(t.What) + ": " + t.Why
}

// Tell takes what a table says, all rows that can be taken. A row with the score that one of its trial's measurements
// has is known already, so that a table may be told again, even if that was corrected or struck since; with another
// score it is another measurement. If correct is set, such a row replaces the one measurement that no row repeats; it
// is refused if several are left, or the string has none. The error is that of the store; rows that are refused say so.
// Nothing is said of rows that the table leaves out.
func (e *Experiment) Tell(ctx context.Context, records []table.Record, correct bool) ([]Told, error) {
	rows := usable(records)
	all := make([]Told, len(rows))
	b := telling{e: e, names: e.names(), correct: correct, stood: map[int]bool{}, doubts: e.doubts(), readings: e.readings()}
	for i := range rows {
		rows[i].ID = e.whole(rows[i].ID, b.names)
	}
	order := b.order(rows)
	if len(b.readings) > 0 {
		b.told = b.readings.told(b.unknown(rows))
	}
	for _, i := range order {
		var err error
		if all[i], err = b.row(ctx, rows[i]); err != nil {
			return slices.DeleteFunc(all, func(t Told) bool { return t.What == "" }), fmt.Errorf("line %d: %w", rows[i].Line, err)
		}
	}
	return all, nil
}

// telling is a table that is told.
type telling struct {
	e        *Experiment
	names    names // those before the first row
	correct  bool
	of       map[string]int // rows with a measurement, by string; to correct
	stood    map[int]bool   // measurements that a row has stood for, by ID
	doubts   func(table.Record) []string
	readings readings
	told     map[string]int // see readings.told
}

// row takes a row. The error is that of the store.
func (b *telling) row(ctx context.Context, r table.Record) (Told, error) {
	e, given := b.e, r
	t, err := e.about(&r, b.names)
	part, kept := t.Part()
	if kept = kept && (b.correct || !contradicts(part, r)); kept { // with another value it is of another measurement
		merge(&r, part)
	}
	missing := scoreBy(e.Objective, t.Input, &r)
	if err == nil && (missing != "" && t.State != study.Pending || r.State == table.Failed) { // what was asked for waits for the rest
		_, err = e.Spec.scoreByFirst(e.Objective, t.Input, &r)
	}
	e.Spec.awaitScore(e.Objective, &r)
	if err == nil {
		err = storable(r)
	}
	doubt, refused := b.readings.doubt(given, b.told)
	if err == nil && refused && !Repeats(t, r) {
		err = errors.New(doubt)
	}
	if err != nil {
		return Told{Record: r, What: Refused, Why: err.Error()}, nil
	}
	var o Told
	switch {
	case r.Of > 0 && len(t.Measurements) > 0 && e.isMean(r, t):
		o = Told{Trial: t.ID, What: Known}
	case r.Of > 0 && len(t.Measurements) > 0:
		o = Told{Trial: t.ID, What: Refused, Why: fmt.Sprintf("it is the mean of %d measurements, and some of these are known; tell each of the others in a row", r.Of)}
	case b.correct && measured(r) && complete(t) > max(1, b.of[t.X]) && !Repeats(t, r):
		o = Told{What: Refused, Which: true, Why: fmt.Sprintf("it has %d measurements, and any of them may be meant: include all, and leave correct ones unchanged", complete(t))}
	case b.correct && len(t.Measurements) == 0 && (measured(r) || len(r.Others) > 0): // a name or a string may be wrong
		o = Told{What: Refused, Why: "it has no measurement to correct; tell it without correct"}
	case !measured(r):
		own := r // without the part that is kept
		own.Others, own.OtherBounds = given.Others, given.OtherBounds
		if o, err = b.tellPart(ctx, own, t, cmp.Or(missing, e.Columns.Score)); err != nil {
			return Told{}, err
		}
		if why := otherReasons(r); why != "" && o.Why == "" && (o.What == Waiting || o.What == Kept) {
			o.Why = fmt.Sprintf("not stored: %s; tell it together with the score", why)
		}
	default:
		completes := 0
		if kept {
			completes = part.ID
		}
		if o, err = b.tellRow(ctx, r, t, completes); err != nil {
			return Told{}, err
		}
		if o.Apart = o.What == Added && e.Apart(t.Input); o.Apart && e.space.Why != nil {
			o.Odd = e.space.Why(t.Input)
		}
		if o.What != Known && o.What != Outdated {
			o.Doubts = b.doubts(r)
			if doubt != "" {
				o.Doubts = append(o.Doubts, doubt)
			}
			if like, but := e.proposedAlike(t.Input); o.What == Added && like.ID != 0 {
				o.Doubts = append(o.Doubts, fmt.Sprintf("it differs in %s alone from proposal %s, which waits for its own", but, name(like.Proposal, b.names.prefix)))
			}
		} else if r.SE > 0 && !slices.ContainsFunc(t.Measurements, func(m study.Measurement) bool { return same(m, r) && number(m.SE) == number(r.SE) }) {
			o.Doubts = []string{"another standard error is known of this score, and stays; correct it to change it"}
		}
	}
	if o.What == Known {
		if err := e.addName(ctx, r, t, b.names.prefix); err != nil {
			return Told{}, err
		}
	}
	if n := e.named(r, t, b.names.prefix); o.Taken() && t.Name != "" && n != "" && n != t.Name {
		o.Called = t.Name
	}
	o.Record = r
	return o, nil
}

// unknown returns those of some rows that repeat no measurement.
func (b *telling) unknown(rows []table.Record) []table.Record {
	return slices.DeleteFunc(slices.Clone(rows), func(r table.Record) bool {
		t, err := b.e.about(&r, b.names)
		scoreBy(b.e.Objective, t.Input, &r)
		return err == nil && Repeats(t, r)
	})
}

// usable returns the rows that say something of a string.
func usable(rows []table.Record) []table.Record {
	return slices.DeleteFunc(slices.Clone(rows), func(r table.Record) bool {
		return r.State == table.SetAside || r.State == table.Repeated || r.State == table.Invalid
	})
}

// order returns the order in which rows are taken: to correct, those that repeat a measurement come first, so that
// others correct what is left. It counts the rows with a measurement of each string.
func (b *telling) order(rows []table.Record) []int {
	if !b.correct {
		return stats.Indices(len(rows))
	}
	var repeats, others []int
	b.of = map[string]int{}
	for i, r := range rows {
		t, err := b.e.about(&r, b.names)
		scoreBy(b.e.Objective, t.Input, &r)
		if err == nil && measured(r) {
			b.of[t.X]++
		}
		if err == nil && Repeats(t, r) {
			repeats = append(repeats, i)
		} else {
			others = append(others, i)
		}
	}
	return append(repeats, others...)
}

// about returns the trial that a row is about; one with a string but no ID if it is not known. It writes the row's
// string as the search does.
func (e *Experiment) about(r *table.Record, names names) (study.Trial, error) {
	fits := e.fits(r.ID, names)
	if r.Input != "" && e.Problem.Translate != nil {
		x, err := e.parts.Parse(r.Input)
		if err != nil {
			return study.Trial{}, err
		}
		r.Input = x
	}
	if r.Input == "" && len(fits) == 0 {
		r.Input = e.pool.called(r.ID)
	}
	if r.Input == "" {
		switch {
		case len(fits) == 0:
			return study.Trial{}, fmt.Errorf("there is no string, and %s", e.uncalled(r.ID))
		case len(fits) > 1 && fits[0].ID > fits[1].ID: // a sheet from before the name has the number
			return study.Trial{}, fmt.Errorf("%s is %s, and trial %s is %s; give the string, too, or %s for the trial", r.ID, usage.Shorten(fits[0].Input, 60), r.ID, usage.Shorten(fits[1].Input, 60), name(fits[1].Proposal, names.prefix))
		}
		return fits[0], nil
	}
	known := e.Lookup(r.Input)
	if t, but := e.proposedAlike(r.Input); known.State == study.Unseen && t.ID != 0 {
		if slices.ContainsFunc(fits, func(of study.Trial) bool { return of.ID == t.ID }) { // which is meant
			r.Input = t.Input
			return t, nil
		}
		if r.ID == "" {
			called := name(t.Proposal, names.prefix)
			return known, fmt.Errorf("it differs in %s alone from proposal %s, %s: if it is that one, write it so or give %s in a column %s; if not, give another name there",
				but, called, usage.Shorten(t.Input, 60), called, e.Columns.ID)
		}
	}
	isNumber := e.called(r.ID, names).ID == 0 // a new string of the user may be called as a number that names no trial any more
	switch {
	case known.State == study.Invalid:
		return known, fmt.Errorf("%s", known.Reason)
	case len(fits) > 0 && !slices.ContainsFunc(fits, func(t study.Trial) bool { return t.ID == known.ID }) && !(isNumber && known.State == study.Unseen):
		return known, fmt.Errorf("%s is %s, and this row has %s; mend the one that is wrong", r.ID, usage.Shorten(fits[0].Input, 60), usage.Shorten(r.Input, 60))
	case known.State == study.Unseen:
		return known, e.Check(r.Input)
	}
	return known, nil
}

// proposedAlike returns the trial of a proposal without a score from which a string of the user's differs in case, or
// the order of keys, alone; with ID 0 if there is none.
func (e *Experiment) proposedAlike(x string) (of study.Trial, but string) {
	if e.spelling == nil {
		return of, ""
	}
	spell, _, err := e.spelling(nil)
	if err != nil {
		return of, ""
	}
	unspaced := func(x string) string { return strings.Join(strings.Fields(x), "") }
	letters, folded := unspaced(x), spell(x).Folded
	for _, p := range e.Pending() {
		its := unspaced(p.X)
		if folded == "" || len(its) != len(letters) || p.X == x || spell(p.X).Folded != folded {
			continue
		}
		if but = "case"; !strings.EqualFold(its, letters) {
			but = "the order of its keys"
		}
		return e.Lookup(p.X), but
	}
	return of, ""
}

// All returns all trials, in the order of their IDs, those without an answer too.
func (e *Experiment) All() []study.Trial { return e.Page(0, math.MaxInt) }

// isMean reports whether a row of means is what the study has for a trial, to the digits that are exported.
func (e *Experiment) isMean(r table.Record, t study.Trial) bool {
	for name, v := range r.Others {
		if number(v) != number(t.Outcome(name)) {
			return false
		}
	}
	return e.Objective != nil || number(r.Score) == number(t.Score) // that of an objective is made of these
}

// tellRow stores the measurement of a row, which completes the part of one, unless that is 0.
func (b *telling) tellRow(ctx context.Context, r table.Record, t study.Trial, part int) (Told, error) {
	e, what := b.e, Added
	told := measurement(r)
	a := study.Answer{X: t.X, Result: oracle.Result{Score: told.Score, Reason: told.Reason, Others: told.Others}, SE: told.SE, Bound: told.Bound, OtherBounds: told.OtherBounds}
	if t.Name == "" { // another measurement may have a name of its own
		a.Name = e.named(r, t, b.names.prefix)
	}
	if part != 0 {
		a.Measurement, t.Measurements = part, nil
	}
	free := func(m study.Measurement) bool { return !b.stood[m.ID] }
	repeated := slices.IndexFunc(t.Measurements, func(m study.Measurement) bool {
		return free(m) && (same(m, r) || m.Part() && len(r.Others) > 0 && Holds(m, r))
	})
	wrong := -1
	if at := slices.IndexFunc(holding(t), func(i int) bool { return free(t.Measurements[i]) && !t.Measurements[i].Part() }); at >= 0 {
		wrong = holding(t)[at]
	}
	switch {
	case repeated >= 0:
		m := t.Measurements[repeated]
		b.stood[m.ID] = true
		withError := r.SE > 0 && number(r.SE) != number(m.SE) && (b.correct || m.SE == 0)
		news := merge(&r, m)
		if !math.IsNaN(m.Score) {
			a.Reason = reasons(m.Reason, r)
			news = news || a.Reason != m.Reason
		}
		a.Measurement, a.SE, what = m.ID, m.SE, Completed
		a.Others, a.OtherBounds = r.Others, sides[study.Bound](r.OtherBounds)
		if withError {
			a.SE = r.SE
		}
		switch {
		case news:
		case withError && m.SE > 0:
			what = Corrected
		case withError:
			what = WithError
		default:
			return Told{Trial: t.ID, What: Known}, nil
		}
	case b.correct && wrong >= 0:
		m := t.Measurements[wrong]
		a.Measurement, a.SE, what = m.ID, correctedSE(m, told), Corrected
		switch { // outcomes that it does not name stay
		case m.Struck():
		case r.State == table.Failed:
			keep(&r, m)
			a.Others, a.OtherBounds = r.Others, sides[study.Bound](r.OtherBounds)
		default:
			merge(&r, m)
			if !math.IsNaN(m.Score) {
				a.Reason = reasons(m.Reason, r)
			}
			if scoreBy(e.Objective, t.Input, &r) != "" {
				if _, err := e.Spec.scoreByFirst(e.Objective, t.Input, &r); err != nil {
					return Told{}, err
				}
			}
			a.Score, a.Bound, a.Others, a.OtherBounds = r.Score, study.Bound(r.Bound), r.Others, sides[study.Bound](r.OtherBounds)
		}
	case len(t.Measurements) > 0:
		what = Repeated
		if m, ok, err := b.changed(ctx, r, t); ok || err != nil {
			return Told{Trial: t.ID, What: Outdated, Why: now(m, r)}, err
		}
	case math.IsNaN(r.Score):
		what = Failed
	}
	if err := e.Study.Tell(ctx, a); err != nil {
		return Told{}, err
	}
	after := e.Lookup(t.X)
	b.stood[cmp.Or(a.Measurement, after.Measurements[len(after.Measurements)-1].ID)] = true
	return Told{Trial: after.ID, What: what}, nil
}

// doubts returns what table.Columns.Doubts says of rows, beside the scores that are known now.
func (e *Experiment) doubts() func(table.Record) []string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, t := range e.Trials() {
		if t.State == study.Scored && t.Bound == study.Exact {
			least, most = min(least, t.Score), max(most, t.Score)
		}
	}
	return func(r table.Record) []string { return e.Columns.Doubts(r, most-least) }
}

// Doubts says what of a row is hardly meant, for people.
func (e *Experiment) Doubts(r table.Record) []string {
	all, readings := e.doubts()(r), e.readings()
	if doubt, _ := readings.doubt(r, readings.told([]table.Record{r})); doubt != "" {
		all = append(all, doubt)
	}
	return all
}
