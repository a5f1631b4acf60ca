// Package lab holds studies whose scores come from a laboratory: from tables that people fill in, over weeks. A Book is such a
// study in a file: Create it from what has been measured, Ask for what to measure next, and Tell it what came out.
package lab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// Columns are the names of the columns of the user's tables.
type Columns struct {
	Input string `json:"input"` // of the strings
	Score string `json:"score"`
	ID    string `json:"id"` // of names

	// Of how the first table was read, as in table.Columns.
	From       []string          `json:"from,omitempty"`
	Scale      table.Scale       `json:"scale,omitzero"`
	Type       string            `json:"type,omitzero"`
	Unit       string            `json:"unit,omitzero"`
	OtherUnits map[string]string `json:"other_units,omitempty"`

	KeepSalts bool `json:"keep_salts,omitzero"` // molecules are not stripped of them
}

// ColumnsOf returns what a study keeps of how its first table was read.
func ColumnsOf(c table.Columns, keepSalts bool) Columns {
	return Columns{Input: c.Input, Score: c.Score, ID: c.ID, From: c.From, Scale: c.Scale, Type: c.Type, Unit: c.Unit, OtherUnits: c.OtherUnits, KeepSalts: keepSalts}
}

// Table returns how later tables are read.
func (c Columns) Table() table.Columns {
	return table.Columns{Input: c.Input, Score: c.Score, ID: c.ID, From: c.From, Scale: c.Scale, Type: c.Type, Unit: c.Unit, OtherUnits: c.OtherUnits}
}

// Normalize returns how the strings of a table become those of a task, as for table.Options; nil: they are left as they are. The
// error is that this build has no RDKit.
func (c Columns) Normalize(name string) (func(text string) (input, note string, err error), error) {
	if isOfMolecules(name) {
		return table.Molecules(c.KeepSalts)
	}
	return nil, nil
}

// Row is what a table says of a string: a measurement, a failed one with the reason, or neither.
type Row struct {
	Line      int
	ID        string             // name, or the number of a trial; may be empty
	Input     string             // as the search writes it; may be empty if there is an ID
	Score, SE float64            // NaN: none; SE is 0 if it is not known
	Bound     int                // 1: the true value is greater than Score; -1: less; 0: it is Score
	Others    map[string]float64 // further outcomes
	Reason    string             // why the measurement failed; empty: it did not
	Of        int                // measurements that Score and Others are the means of; 0: it is one
}

// scoredBy sets the score to that of an objective, if there is one, and returns the columns that it lacks.
func (r *Row) scoredBy(o *oracle.Objective) (missing string) {
	if o == nil || r.Reason != "" {
		return ""
	}
	r.Score, missing = o.Score(r.Others)
	return missing
}

func (r Row) measured() bool { return !math.IsNaN(r.Score) || r.Reason != "" }

// Book is an open study. One process at a time may have it open to change it.
type Book struct {
	Columns     Columns
	Task        task.Task
	Objective   *oracle.Objective // that makes scores of columns; nil: Columns.Score holds them
	Constraints []study.Constraint
	Notes       []string // on what is not as it was when the study began, or could not be taken then
	*study.Study

	path string
	file *sqlite.File
}

// record is what the file holds beside the events.
type record struct {
	Columns Columns         `json:"columns"`
	Study   json.RawMessage `json:"study"`
}

// Create makes the file of a study of the task in spec, which has no oracle, from rows that have been measured. Rows without a
// measurement are left out. The error says what is missing; there is no file then.
func Create(ctx context.Context, path string, spec experiment.RunSpec, columns Columns, rows []Row) (*Book, error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	w.Write([]string{textColumn(spec.Task), "score"}) // a Buffer takes all
	different := map[string]bool{}
	objective, err := spec.Objective()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		r.scoredBy(objective)
		if !math.IsNaN(r.Score) && !different[r.Input] {
			different[r.Input] = true
			w.Write([]string{r.Input, task.Float(r.Score)})
		}
	}
	w.Flush()
	if len(different) < 2 {
		return nil, usage.Errorf("strings with a score: %d, and a search needs 2 different ones; give a table with more of them", len(different))
	}
	spec.Measured, spec.Budget = true, usage.Most
	spec.Init = experiment.Init{File: task.File{Path: "initial.csv"}.With(text.Bytes()), Score: "score"}
	e, err := spec.Build(ctx)
	if err != nil {
		return nil, err
	}
	recorded, err := e.Record()
	if err != nil {
		return nil, err
	}
	specification, err := json.Marshal(record{columns, recorded})
	if err != nil {
		return nil, err
	}
	// The file is made with all that is told, or not at all.
	events := &study.Memory{}
	first := &Book{Columns: columns}
	if err := first.begin(ctx, e, func(*Book, *sqlite.File) study.Store { return events }); err != nil {
		return nil, err
	}
	outcomes, err := first.TellRows(ctx, rows, false)
	if err != nil {
		return nil, err
	}
	told, err := events.Events(ctx)
	if err != nil {
		return nil, err
	}
	file, err := sqlite.Create(ctx, path, sqlite.Meta{Specification: specification, Program: experiment.Version(), Created: time.Now()}, told...)
	if err != nil {
		return nil, err
	}
	b := &Book{Columns: columns, path: path, file: file}
	if err := b.begin(context.WithoutCancel(ctx), e, ownStore); err != nil {
		return nil, cmp.Or(err, b.Close())
	}
	if e.Note != "" { // on the library
		b.Notes = append(b.Notes, e.Note)
	}
	var parts []Outcome
	for _, o := range outcomes {
		switch {
		case o.Trial > 0, o.What == Waiting:
		case strings.HasPrefix(o.What, Waiting):
			parts = append(parts, o)
		default:
			b.Notes = append(b.Notes, fmt.Sprintf("line %d: %s", o.Line, o.What))
		}
	}
	if len(parts) > 0 {
		b.Notes = append(b.Notes, fmt.Sprintf("rows left out, as they have a part of %s only: %d; the first is line %d", words(b.Filled()), len(parts), parts[0].Line))
	}
	return b, nil
}

// Open opens the file of a study. What is opened only to be read cannot Ask or Tell.
func Open(ctx context.Context, path string, readOnly bool) (*Book, error) {
	return open(ctx, path, readOnly, ownStore)
}

// storeOf returns the store of a book's study: the file, or what passes on to it.
type storeOf func(*Book, *sqlite.File) study.Store

func ownStore(_ *Book, f *sqlite.File) study.Store { return f }

// OpenThrough opens the file of a study for writing, with what through makes of it as the store of the study, which is not there yet.
func OpenThrough(ctx context.Context, path string, through func(*Book, *sqlite.File) study.Store) (*Book, error) {
	return open(ctx, path, false, through)
}

func open(ctx context.Context, path string, readOnly bool, through storeOf) (*Book, error) {
	file, err := sqlite.Open(ctx, path, sqlite.Options{ReadOnly: readOnly, Program: experiment.Version()})
	if err != nil {
		return nil, err
	}
	b := &Book{path: path, file: file}
	err = func() error {
		var r record
		if err := json.Unmarshal(file.Meta().Specification, &r); err != nil || r.Study == nil {
			return usage.Errorf("it is no study of a laboratory; give the file that invbo new made. A run of invbo run goes on with invbo resume")
		}
		b.Columns = r.Columns
		spec, notes, err := experiment.Recorded(r.Study)
		if err != nil {
			return err
		}
		b.Notes = notes
		e, err := spec.Build(ctx)
		if err != nil {
			return err
		}
		return b.begin(ctx, e, through)
	}()
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

func (b *Book) begin(ctx context.Context, e *experiment.Experiment, store storeOf) (err error) {
	b.Task, b.Constraints = e.Task, e.Spec.Constraints
	if b.Objective, err = e.Spec.Objective(); err != nil {
		return err
	}
	b.Study, err = e.Study(ctx, store(b, b.file))
	return err
}

// Outcomes returns the names of the columns with further outcomes: those of the objective, and those that constraints bound.
func (b *Book) Outcomes() []string { return Outcomes(b.Objective, b.Constraints) }

// Outcomes returns the names of the columns with further outcomes that an objective and constraints need.
func Outcomes(o *oracle.Objective, constraints []study.Constraint) []string {
	var names []string
	if o != nil {
		for _, p := range o.Properties {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range study.Outcomes(constraints) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Filled returns the names of the columns that people fill in: the score, unless an objective makes it, and further outcomes.
func (b *Book) Filled() []string {
	if b.Objective != nil {
		return b.Outcomes()
	}
	return append([]string{b.Columns.Table().Filled()}, b.unscored(b.Outcomes())...)
}

// unscored returns names of outcomes without that of the score, which a constraint may bound.
func (b *Book) unscored(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return strings.EqualFold(name, b.Columns.Score) })
}

// words lists names, for people.
func words(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Path returns the name of the file.
func (b *Book) Path() string { return b.path }

// Close closes the file.
func (b *Book) Close() error { return b.file.Close() }

// Propose returns what waits for a measurement: at least n strings, new ones among them if there were fewer. The error, that of
// study.Study.Ask, says why there are fewer.
func (b *Book) Propose(ctx context.Context, n int) ([]study.Proposal, error) {
	for {
		pending := b.Pending()
		if len(pending) >= n {
			return pending, nil
		}
		if _, err := b.Ask(ctx, n-len(pending)); err != nil {
			return pending, err
		}
	}
}

// Name returns what people call a trial: its name or, if it has none, its number. Where compounds of the user have numbers as names,
// a P comes before the number of a trial, so that no two strings are called the same.
func (b *Book) Name(p study.Proposal) string { return name(p, b.prefix()) }

// name is Book.Name with a known prefix.
func name(p study.Proposal, prefix string) string { return cmp.Or(p.Name, prefix+strconv.Itoa(p.ID)) }

// prefix returns what comes before the numbers of trials without a name: the shortest of nothing, P, PP and so on for which no name
// of the user looks like that.
func (b *Book) prefix() string {
	prefix, all := "", b.All()
	taken := func(t study.Trial) bool {
		number, ok := strings.CutPrefix(t.Name, prefix)
		_, err := strconv.Atoi(number)
		return ok && err == nil
	}
	for slices.ContainsFunc(all, taken) {
		prefix += "P"
	}
	return prefix
}

// Outcome says what became of a row that was told.
type Outcome struct {
	Row
	Trial int // 0: none
	What  string
}

// Taken reports whether the row was not refused.
func (o Outcome) Taken() bool { return !strings.HasPrefix(o.What, Refused) }

// What may become of a row.
const (
	Added     = "measured"
	Repeated  = "another measurement"
	Corrected = "corrected"
	Completed = "further outcomes added"
	Known     = "known already"
	Kept      = "kept until the rest is told"
	Waiting   = "no score yet"
	Failed    = "failed"
	Refused   = "not taken"
)

// TellRows takes what a table says, all rows that can be taken. A row with the score that one of its trial's measurements has is
// known already, so that a table may be told again; with another score it is another measurement. If correct is set, such rows take
// the places of the trial's measurements that no row repeats, of which there must not be more. The error is that of the file; rows
// that are refused say why in What.
func (b *Book) TellRows(ctx context.Context, rows []Row, correct bool) ([]Outcome, error) {
	outcomes := make([]Outcome, len(rows))
	told := map[int][]bool{} // measurements of a trial that a row has stood for
	names := b.names()
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	var of map[string]int // rows with a measurement, by strings
	if correct {
		order, of = b.repeatsFirst(rows, names)
	}
	for at, i := range order {
		r := rows[i]
		t, err := b.trial(r, names)
		if t.State == study.Pending && len(t.Measurements) > 0 { // a part of its outcomes is kept
			r.Others, _ = merge(t.Measurements[0].Others, r.Others)
		}
		missing := r.scoredBy(b.Objective)
		o := Outcome{Row: r}
		switch {
		case err != nil:
			o.What = Refused + ": " + err.Error()
		case r.Of > 0 && len(t.Measurements) > 0:
			if o.Trial, o.What = t.ID, Known; !b.isMean(r, t) {
				o.What = fmt.Sprintf("%s: it is the mean of %d measurements, some of which are known; tell each of the others in a row", Refused, r.Of)
			}
		case correct && r.measured() && len(t.Measurements) > max(1, of[about(t, r)]) && !repeats(t, r):
			o.What = fmt.Sprintf("%s: it has %d measurements, and this may correct any: give a row for each, with those that are right as they are", Refused, len(t.Measurements))
		case !r.measured():
			if o.Trial, o.What, err = b.tellPart(ctx, rows[i], t, cmp.Or(missing, b.Columns.Score), correct); err != nil {
				return taken(outcomes, order[:at]), fmt.Errorf("line %d: %w", r.Line, err)
			}
		default:
			if o.Trial, o.What, err = b.tell(ctx, r, t, names.prefix, told, correct); err != nil {
				return taken(outcomes, order[:at]), fmt.Errorf("line %d: %w", r.Line, err)
			}
			if now := b.Lookup(about(t, r)); r.ID != "" && now.Name == r.ID { // no other string of the table may be called so
				names.called[r.ID] = now.X
			}
		}
		outcomes[i] = o
	}
	return outcomes, nil
}

// taken returns the outcomes of some rows, in the order of the table.
func taken(outcomes []Outcome, rows []int) []Outcome {
	var all []Outcome
	for _, i := range slices.Sorted(slices.Values(rows)) {
		all = append(all, outcomes[i])
	}
	return all
}

// repeatsFirst returns the order in which corrections are taken, and how many rows with a measurement there are of each string: those
// that repeat a measurement come first, so that others correct what is left.
func (b *Book) repeatsFirst(rows []Row, names names) (order []int, of map[string]int) {
	var others []int
	of = map[string]int{}
	for i, r := range rows {
		t, err := b.trial(r, names)
		r.scoredBy(b.Objective)
		if err == nil && r.measured() {
			of[about(t, r)]++
		}
		if err == nil && repeats(t, r) {
			order = append(order, i)
		} else {
			others = append(others, i)
		}
	}
	return append(order, others...), of
}

// about returns the string that a row of a trial is about, which may be none yet.
func about(t study.Trial, r Row) string {
	if t.ID > 0 {
		return t.X
	}
	return r.Input
}

// repeats reports whether a row has what a measurement of its trial has.
func repeats(t study.Trial, r Row) bool {
	return slices.ContainsFunc(t.Measurements, r.is)
}

// is reports whether a measurement may be that of the row, which may have further outcomes of it.
func (r Row) is(m study.Measurement) bool {
	same := m.Score == r.Score || math.IsNaN(m.Score) && math.IsNaN(r.Score) && m.Reason == r.Reason
	return same && !contradicts(m.Others, r.Others)
}

// trial returns the trial that a row is about; one without an ID if it is not known.
func (b *Book) trial(r Row, names names) (study.Trial, error) {
	fits := b.called(r.ID, names)
	if r.Input == "" {
		switch len(fits) {
		case 0:
			return study.Trial{}, fmt.Errorf("there is no string, and nothing is called %q", r.ID)
		case 1:
			return fits[0], nil
		}
		return study.Trial{}, fmt.Errorf("%s is %s, and trial %s is %s; give the string, too", r.ID, usage.Shorten(fits[0].Input, 60), r.ID, usage.Shorten(fits[1].Input, 60))
	}
	known := b.Lookup(r.Input)
	isNumber := names.called[r.ID] == "" // a new string of the user may be called as a number that names no trial any more
	switch {
	case known.State == study.Invalid:
		return known, fmt.Errorf("%s", known.Reason)
	case len(fits) > 0 && !slices.ContainsFunc(fits, func(t study.Trial) bool { return t.ID == known.ID }) && !(isNumber && known.State == study.Unseen):
		return known, fmt.Errorf("%s is %s, and this row has %s; mend the one that is wrong", r.ID, usage.Shorten(fits[0].Input, 60), usage.Shorten(r.Input, 60))
	case known.State == study.Unseen:
		return known, b.Check(r.Input)
	}
	return known, nil
}

// names are the strings of trials by what people call these.
type names struct {
	called map[string]string // by Book.Name

	// Of trials without a name by their bare numbers, which Book.Name does not use while it has a prefix, but a table from before may.
	numbered map[string]string
	prefix   string
}

func (b *Book) names() names {
	n := names{called: map[string]string{}, numbered: map[string]string{}, prefix: b.prefix()}
	for _, t := range b.All() {
		n.called[name(t.Proposal, n.prefix)] = t.X
		if t.Name == "" {
			n.numbered[strconv.Itoa(t.ID)] = t.X
		}
	}
	return n
}

// called returns the trials that a name may mean: none, one, or two, of which the second has it as its number.
func (b *Book) called(name string, names names) []study.Trial {
	var fits []study.Trial
	for _, known := range []map[string]string{names.called, names.numbered} {
		x, ok := known[name]
		if !ok {
			continue
		}
		if t := b.Lookup(x); t.ID > 0 && (len(fits) == 0 || fits[0].ID != t.ID) {
			fits = append(fits, t)
		}
	}
	return fits
}

// All returns all trials, in the order of their IDs, those without an answer too.
func (b *Book) All() []study.Trial { return b.Page(0, math.MaxInt) }

// isMean reports whether a row of means is what the study has for a trial, to the digits that are exported.
func (b *Book) isMean(r Row, t study.Trial) bool {
	for name, v := range r.Others {
		if number(v) != number(t.Outcome(name)) {
			return false
		}
	}
	return b.Objective != nil || number(r.Score) == number(t.Score) // that of an objective is made of these
}

// tellPart stores the further outcomes of a row that has no score: with the first measurement that lacks them or, for a proposal
// that waits, until the rest is told.
func (b *Book) tellPart(ctx context.Context, r Row, t study.Trial, missing string, correct bool) (trial int, what string, _ error) {
	if len(r.Others) == 0 {
		return t.ID, Waiting, nil
	}
	if t.State == study.Pending {
		a := study.Answer{ID: t.ID, Result: oracle.Result{Others: r.Others}, Partial: true}
		if len(t.Measurements) > 0 {
			kept := t.Measurements[0].Others
			if contradicts(kept, r.Others) && !correct {
				return t.ID, Refused + ": a part with another value is kept; replace it with --correct, or tell all outcomes of each measurement in a row", nil
			}
			var news bool
			if a.Others, news = merge(kept, r.Others); !news {
				return t.ID, Known, nil
			}
			a.Measurement = t.Measurements[0].ID
		}
		return t.ID, Kept, b.Tell(ctx, a)
	}
	for _, m := range t.Measurements {
		others, news := merge(m.Others, r.Others)
		switch {
		case math.IsNaN(m.Score):
		case !news:
			return t.ID, Known, nil
		case !contradicts(m.Others, r.Others):
			a := study.Answer{ID: t.ID, Measurement: m.ID, Result: oracle.Result{Score: m.Score, Others: others}, SE: m.SE}
			return t.ID, Completed, b.Tell(ctx, a)
		}
	}
	return t.ID, fmt.Sprintf("%s: %s is missing; nothing of this row is stored, tell %s together", Waiting, missing, words(b.Filled())), nil
}

// tell stores the measurement of a row. Trials without a name are called by their numbers after prefix.
func (b *Book) tell(ctx context.Context, r Row, t study.Trial, prefix string, told map[int][]bool, correct bool) (trial int, what string, _ error) {
	x := r.Input
	if t.ID > 0 {
		x = t.X
	}
	a := study.Answer{X: x, Result: oracle.Result{Score: r.Score, Reason: r.Reason, Others: r.Others}, SE: r.SE}
	if _, err := strconv.Atoi(r.ID); t.ID == 0 || err != nil && r.ID != name(t.Proposal, prefix) {
		a.Name = r.ID // that of a number is the program's
	}
	if t.State == study.Pending && len(t.Measurements) > 0 { // a part of its outcomes is kept
		a.Measurement, t.Measurements = t.Measurements[0].ID, nil
	}
	stands := told[t.ID]
	for len(stands) < len(t.Measurements) {
		stands = append(stands, false)
	}
	what = Added
	for i, m := range t.Measurements {
		if r.is(m) && !stands[i] {
			stands[i] = true
			told[t.ID] = stands
			others, news := merge(m.Others, r.Others)
			if !news {
				return t.ID, Known, nil
			}
			a.Measurement, a.Others, a.SE = m.ID, others, cmp.Or(r.SE, m.SE)
			return t.ID, Completed, b.Tell(ctx, a)
		}
	}
	wrong := slices.Index(stands, false)
	switch {
	case correct && wrong >= 0:
		a.Measurement, what = t.Measurements[wrong].ID, Corrected
	case len(t.Measurements) > 0:
		what = Repeated
	case math.IsNaN(r.Score):
		what = Failed
	}
	if err := b.Tell(ctx, a); err != nil {
		return t.ID, "", err
	}
	now := b.Lookup(x)
	for len(stands) < len(now.Measurements) {
		stands = append(stands, true)
	}
	if what == Corrected {
		stands[wrong] = true
	}
	told[now.ID] = stands
	return now.ID, what, nil
}

// merge returns outcomes with those that a row adds or corrects, and whether there are such.
func merge(known, told map[string]float64) (all map[string]float64, news bool) {
	all = maps.Clone(known)
	if all == nil {
		all = map[string]float64{}
	}
	for name, v := range told {
		if old, ok := all[name]; !ok || old != v {
			all[name], news = v, true
		}
	}
	return all, news
}

// contradicts reports whether outcomes that are told have other values than those that are known.
func contradicts(known, told map[string]float64) bool {
	for name, v := range told {
		if old, ok := known[name]; ok && old != v {
			return true
		}
	}
	return false
}

// Withdraw takes back proposals that nobody will measure: they count as failed measurements, from which the search learns. If one of
// them waits for no measurement, none is taken back.
func (b *Book) Withdraw(ctx context.Context, names []string, reason string) ([]study.Trial, error) {
	var all []study.Trial
	var answers []study.Answer
	for _, name := range names {
		t, err := b.waiting(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other study.Trial) bool { return other.ID == t.ID }) {
			continue
		}
		all = append(all, t)
		a := study.Answer{ID: t.ID, Result: oracle.Result{Score: math.NaN(), Reason: reason}}
		if len(t.Measurements) > 0 { // a part of its outcomes is kept
			a.Measurement, a.Others = t.Measurements[0].ID, t.Measurements[0].Others
		}
		answers = append(answers, a)
	}
	return all, b.Tell(ctx, answers...)
}

// waiting returns the proposal of that name that waits for a measurement.
func (b *Book) waiting(name string) (study.Trial, error) {
	fits := slices.DeleteFunc(b.called(name, b.names()), func(t study.Trial) bool { return t.State != study.Pending })
	if len(fits) == 1 {
		return fits[0], nil
	}
	var waiting []string
	for _, p := range b.Pending() {
		waiting = append(waiting, b.Name(p))
	}
	if len(waiting) == 0 {
		return study.Trial{}, usage.Errorf("%q waits for no measurement, and nothing else does", name)
	}
	return study.Trial{}, usage.Errorf("%q waits for no measurement; give one of these that do: %s", name, strings.Join(waiting, ", "))
}

// textColumn is the name of the column with the strings in a table that the task reads.
func textColumn(name string) string {
	if isOfMolecules(name) {
		return "smiles"
	}
	return "x"
}

func isOfMolecules(name string) bool {
	t, err := task.Named(name)
	return err == nil && t.Oracle != nil
}

// Molecules reports whether the study's strings are molecules.
func (b *Book) Molecules() bool { return isOfMolecules(b.Task.Name) }

// AreMolecules reports whether most strings of a table are SMILES, as far as this build can tell.
func AreMolecules(rows []Row) bool {
	const looked = 100
	rows = rows[:min(len(rows), looked)]
	molecules := 0
	for _, r := range rows {
		if _, err := molecule.Canonical(r.Input); err == nil {
			molecules++
		}
	}
	return 2*molecules > len(rows)
}
