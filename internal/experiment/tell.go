package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

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

// Tell takes what a table says, all rows that can be taken. A row with the score that one of its trial's measurements has is
// known already, so that a table may be told again, even if that was corrected or struck since; with another score it is another measurement. If correct is set, such a row
// replaces the one measurement that no row repeats; it is refused if several are left, or the string has none.
// The error is that of the store; rows that are refused say so. Nothing is said of rows that the table leaves out.
func (e *Experiment) Tell(ctx context.Context, records []table.Record, correct bool) ([]Told, error) {
	rows := usable(records)
	all := make([]Told, len(rows))
	stood := map[int]bool{} // measurements that a row has stood for, by ID
	names := e.names()
	for i := range rows {
		rows[i].ID = e.whole(rows[i].ID, names)
	}
	order, of := e.order(rows, names, correct)
	doubts := e.doubts()
	readings := e.readings()
	var told map[string]int
	if len(readings) > 0 {
		told = readings.told(e.unknown(rows, names))
	}
	for _, i := range order {
		r := rows[i]
		t, err := e.about(&r, names)
		part, kept := t.Part()
		if kept = kept && (correct || !contradicts(part, r)); kept { // with another value it is of another measurement
			merge(&r, part)
		}
		missing := scoreBy(e.Objective, t.Input, &r)
		if err == nil && (missing != "" && t.State != study.Pending || r.State == table.Failed) { // what was asked for waits for the rest
			_, err = e.Spec.scoreByFirst(e.Objective, t.Input, &r)
		}
		e.Spec.awaitScore(e.Objective, &r)
		o := Told{Record: r, Trial: t.ID}
		if err == nil {
			err = storable(r)
		}
		doubt, refused := readings.doubt(rows[i], told)
		if err == nil && refused && !Repeats(t, r) {
			err = errors.New(doubt)
		}
		switch {
		case err != nil:
			o.Trial, o.What, o.Why = 0, Refused, err.Error()
		case r.Of > 0 && len(t.Measurements) > 0 && e.isMean(r, t):
			o.What = Known
		case r.Of > 0 && len(t.Measurements) > 0:
			o.What, o.Why = Refused, fmt.Sprintf("it is the mean of %d measurements, some of which are known; tell each of the others in a row", r.Of)
		case correct && measured(r) && complete(t) > max(1, of[t.X]) && !Repeats(t, r):
			o.Trial, o.What, o.Which = 0, Refused, true
			o.Why = fmt.Sprintf("it has %d measurements, and any of them may be meant: include all, and leave correct ones unchanged", complete(t))
		case correct && len(t.Measurements) == 0 && (measured(r) || len(r.Others) > 0): // a name or a string may be wrong
			o.Trial, o.What, o.Why = 0, Refused, "it has no measurement to correct; tell it without correct"
		case !measured(r):
			missing = cmp.Or(missing, e.Columns.Score)
			r.Others, r.OtherBounds = rows[i].Others, rows[i].OtherBounds
			o.Trial, o.What, o.Why, err = e.tellPart(ctx, r, t, names, missing, stood, correct)
			if why := otherReasons(r); why != "" && o.Why == "" && (o.What == Waiting || o.What == Kept) {
				o.Why = fmt.Sprintf("not stored: %s; tell it together with the score", why)
			}
		default:
			completes := 0
			if kept {
				completes = part.ID
			}
			o.Trial, o.What, o.Why, err = e.tellRow(ctx, r, t, names.prefix, completes, stood, correct)
			if o.Apart = o.What == Added && e.Apart(t.Input); o.Apart && e.space.Why != nil {
				o.Odd = e.space.Why(t.Input)
			}
			if o.What != Known && o.What != Outdated {
				o.Doubts = doubts(r)
				if doubt != "" {
					o.Doubts = append(o.Doubts, doubt)
				}
				if like, but := e.proposedAlike(t.Input); o.What == Added && like.ID != 0 {
					o.Doubts = append(o.Doubts, fmt.Sprintf("it differs in %s alone from proposal %s, which waits for its own", but, name(like.Proposal, names.prefix)))
				}
			} else if r.SE > 0 && !slices.ContainsFunc(t.Measurements, func(m study.Measurement) bool { return same(m, r) && number(m.SE) == number(r.SE) }) {
				o.Doubts = []string{"another standard error is known of this score, and stays; correct it to change it"}
			}
		}
		if err == nil && o.What == Known {
			err = e.addName(ctx, r, t, names.prefix)
		}
		if err != nil && o.What != Refused {
			return slices.DeleteFunc(all, func(t Told) bool { return t.What == "" }), fmt.Errorf("line %d: %w", r.Line, err)
		}
		if n := e.named(r, t, names.prefix); o.Taken() && t.Name != "" && n != "" && n != t.Name {
			o.Called = t.Name
		}
		all[i] = o
	}
	return all, nil
}

// unknown returns those of some rows that repeat no measurement.
func (e *Experiment) unknown(rows []table.Record, names names) []table.Record {
	return slices.DeleteFunc(slices.Clone(rows), func(r table.Record) bool {
		t, err := e.about(&r, names)
		scoreBy(e.Objective, t.Input, &r)
		return err == nil && Repeats(t, r)
	})
}

// usable returns the rows that say something of a string.
func usable(rows []table.Record) []table.Record {
	return slices.DeleteFunc(slices.Clone(rows), func(r table.Record) bool {
		return r.State == table.SetAside || r.State == table.Repeated || r.State == table.Invalid
	})
}

// order returns the order in which rows are taken, and for corrections how many rows with a measurement there are of each string: those
// that repeat a measurement come first, so that others correct what is left.
func (e *Experiment) order(rows []table.Record, names names, correct bool) (order []int, of map[string]int) {
	var others []int
	of = map[string]int{}
	for i, r := range rows {
		if !correct {
			others = append(others, i)
			continue
		}
		t, err := e.about(&r, names)
		scoreBy(e.Objective, t.Input, &r)
		if err == nil && measured(r) {
			of[t.X]++
		}
		if err == nil && Repeats(t, r) {
			order = append(order, i)
		} else {
			others = append(others, i)
		}
	}
	return append(order, others...), of
}

// about returns the trial that a row is about; one with a string but no ID if it is not known. It writes the row's string as the search does.
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

// proposedAlike returns the trial of a proposal without a score from which a string of the user's differs in case, or the order of keys, alone; with ID 0 if there
// is none.
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

// tellRow stores the measurement of a row, which completes the part of one, unless that is 0. Trials without a name are called by their numbers after prefix.
func (e *Experiment) tellRow(ctx context.Context, r table.Record, t study.Trial, prefix string, part int, stood map[int]bool, correct bool) (trial int, what What, why string, _ error) {
	told := measurement(r)
	a := study.Answer{X: t.X, Result: oracle.Result{Score: told.Score, Reason: told.Reason, Others: told.Others}, SE: told.SE, Bound: told.Bound, OtherBounds: told.OtherBounds}
	if t.Name == "" { // another measurement may have a name of its own
		a.Name = e.named(r, t, prefix)
	}
	if part != 0 {
		a.Measurement, t.Measurements = part, nil
	}
	free := func(m study.Measurement) bool { return !stood[m.ID] }
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
		stood[m.ID] = true
		withError := r.SE > 0 && number(r.SE) != number(m.SE) && (correct || m.SE == 0)
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
			return t.ID, Known, "", nil
		}
	case correct && wrong >= 0:
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
					return t.ID, "", "", err
				}
			}
			a.Score, a.Bound, a.Others, a.OtherBounds = r.Score, study.Bound(r.Bound), r.Others, sides[study.Bound](r.OtherBounds)
		}
	case len(t.Measurements) > 0:
		what = Repeated
		if m, ok, err := e.changed(ctx, r, t, stood, correct); ok || err != nil {
			return t.ID, Outdated, now(m, r), err
		}
	case math.IsNaN(r.Score):
		what = Failed
	default:
		what = Added
	}
	if err := e.Study.Tell(ctx, a); err != nil {
		return t.ID, "", "", err
	}
	after := e.Lookup(t.X)
	stood[cmp.Or(a.Measurement, after.Measurements[len(after.Measurements)-1].ID)] = true
	return after.ID, what, "", nil
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
