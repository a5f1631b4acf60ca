package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table"
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

// scoreBy sets the score of a row about an input that did not fail to that of an objective, if there is one, and returns the columns that it
// lacks. If it lacks none, the row has what the program computes, too.
func scoreBy(o *oracle.Objective, input string, r *table.Record) (missing string) {
	if o == nil || r.State == table.Failed {
		return ""
	}
	score, all, missing := o.Complete(input, r.Others)
	side, known := o.Side(all, r.OtherBounds)
	if missing == "" && !known {
		score, all, side, missing = math.NaN(), r.Others, 0, "a value instead of a bound of "+words(slices.Sorted(maps.Keys(r.OtherBounds)))
	}
	if missing != "" {
		side = 0
	}
	r.Score, r.Bound, r.Others = score, side, all
	return missing
}

// scoreByFirst sets the score of a row that lacks other objectives to the first of several, if it has that one, and reports whether it has. Another
// one that failed counts as missing.
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

// reasons merges why further outcomes are missing: what a measurement says, except of outcomes that a row has or gives a reason for, and what the row says.
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

// Told is what became of a row.
type Told struct {
	table.Record
	Trial int // 0: none
	What  What
	Why   string // for people; empty where What says it all

	Odd    string   // Apart: why; empty if it has another length
	Apart  bool     // it is new, and the search cannot compare it with others: it learns nothing from it
	Doubts []string // what of the row is hardly meant, though it was taken, for people
	Which  bool     // refused: it corrects one of several measurements, and does not say which
}

// Remarks says what people should know of a row that was taken.
func (t Told) Remarks() []string {
	switch {
	case t.Odd != "":
		return append([]string{t.Odd + ": the search learns nothing from it"}, t.Doubts...)
	case t.Apart:
		return append([]string{"it is of another length than the sequences that are compared: the search learns nothing from it"}, t.Doubts...)
	}
	return t.Doubts
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
		if err == nil && refused && !repeats(t, r) {
			err = errors.New(doubt)
		}
		switch {
		case err != nil:
			o.Trial, o.What, o.Why = 0, Refused, err.Error()
		case r.Of > 0 && len(t.Measurements) > 0 && e.isMean(r, t):
			o.What = Known
		case r.Of > 0 && len(t.Measurements) > 0:
			o.What, o.Why = Refused, fmt.Sprintf("it is the mean of %d measurements, some of which are known; tell each of the others in a row", r.Of)
		case correct && measured(r) && complete(t) > max(1, of[t.X]) && !repeats(t, r):
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
		all[i] = o
	}
	return all, nil
}

// unknown returns those of some rows that repeat no measurement.
func (e *Experiment) unknown(rows []table.Record, names names) []table.Record {
	return slices.DeleteFunc(slices.Clone(rows), func(r table.Record) bool {
		t, err := e.about(&r, names)
		scoreBy(e.Objective, t.Input, &r)
		return err == nil && repeats(t, r)
	})
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

// storable returns an error if a number of a row is none that a study keeps. A search can live with all others, however absurd.
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
		if err == nil && (repeats(t, r) || !measured(r) && len(r.Others) > 0 && slices.ContainsFunc(t.Measurements, func(m study.Measurement) bool { return holds(m, r) })) {
			order = append(order, i)
		} else {
			others = append(others, i)
		}
	}
	return append(order, others...), of
}

// holds reports whether a measurement has all further outcomes of a row.
func holds(m study.Measurement, r table.Record) bool { return !merge(&r, m) }

// repeats reports whether a row has what a measurement of its trial has.
func repeats(t study.Trial, r table.Record) bool {
	return slices.ContainsFunc(t.Measurements, func(m study.Measurement) bool { return same(m, r) })
}

// same reports whether a measurement may be that of a row, which may have further outcomes of it.
func same(m study.Measurement, r table.Record) bool {
	told := measurement(r)
	same := m.Score == told.Score && m.Bound == told.Bound || math.IsNaN(m.Score) && math.IsNaN(told.Score) && m.Reason == told.Reason
	return same && !contradicts(m, r)
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

// tellPart stores the further outcomes of a row that has no score: until the rest is told if the string has no score, or else with the first
// measurement that lacks them, or as another measurement of these alone. To correct, it finds the measurement with other values that no row has
// stood for.
func (e *Experiment) tellPart(ctx context.Context, r table.Record, t study.Trial, names names, missing string, stood map[int]bool, correct bool) (trial int, what What, why string, _ error) {
	if len(r.Others) == 0 {
		return e.tellReasons(ctx, r, t)
	}
	free := func(m study.Measurement) bool { return !correct || !stood[m.ID] }
	if i := slices.IndexFunc(t.Measurements, func(m study.Measurement) bool { return free(m) && holds(m, r) }); i >= 0 {
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
	return t.ID, Waiting, fmt.Sprintf("%s is missing; nothing of this row is stored, tell %s together", missing, words(e.Filled())), nil
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
		told := holds(old, r) && (!measured(r) || same(old, r))
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
	case m.Score != r.Score:
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
	repeated := slices.IndexFunc(t.Measurements, func(m study.Measurement) bool { return free(m) && (same(m, r) || m.Part() && saysAll(m, r)) })
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

// correctedSE returns the standard error of a measurement that is corrected: what is told or, as a value alone says nothing of it, the old one.
func correctedSE(old, told study.Measurement) float64 {
	if told.Bound != study.Exact || math.IsNaN(told.Score) {
		return told.SE
	}
	return cmp.Or(told.SE, old.SE)
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

// keep adds the further outcomes of a measurement to a row that failed, but for those that failed.
func keep(r *table.Record, m study.Measurement) {
	m.Others, m.OtherBounds = maps.Clone(m.Others), maps.Clone(m.OtherBounds)
	for name := range r.OtherFailed {
		delete(m.Others, name)
		delete(m.OtherBounds, name)
	}
	merge(r, m)
}

// merge adds the further outcomes of a measurement to a row that lacks them, and reports whether the row has others than the measurement.
func merge(r *table.Record, m study.Measurement) (news bool) {
	values, bounds := map[string]float64{}, map[string]int{}
	maps.Copy(values, m.Others)
	maps.Copy(bounds, sides[int](m.OtherBounds))
	for name, v := range r.Others {
		side := r.OtherBounds[name]
		if old, ok := values[name]; ok && old == v && bounds[name] == side {
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
		if old, ok := m.Others[name]; ok && (old != v || int(m.OtherBounds[name]) != r.OtherBounds[name]) {
			return true
		}
	}
	return false
}

// saysAll reports whether a measurement has all outcomes of a row, with these values.
func saysAll(m study.Measurement, r table.Record) bool {
	for name := range r.Others {
		if _, ok := m.Others[name]; !ok {
			return false
		}
	}
	return len(r.Others) > 0 && !contradicts(m, r)
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
