package eventlog

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/study"
)

const selectProposals = "SELECT id, trial, name, x, input, kind, batch, mean, sd, latent, model FROM proposals"

// tables are the rows of the log, each at its ID − 1.
type tables struct {
	events    []study.Event
	proposals []study.Proposal
	trials    []study.Trial // of changes, without their measurements
	changes   []struct{ event, measurements int }
	answers   []answer // in the order of changes and positions
}

type answer struct {
	change, position int
	study.Measurement
}

// read is Events. The tables may be those of an older version, which had no further outcomes, or no bounds.
func (l *Log) read(ctx context.Context) ([]study.Event, error) {
	tx, err := l.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: l.dialect.Isolation}) // all queries see the same moment
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var events, proposals, changes int
	counts := l.dialect.where("SELECT (SELECT count(*) FROM events WHERE STUDY), (SELECT count(*) FROM proposals WHERE STUDY), (SELECT count(*) FROM changes WHERE STUDY)")
	if err := tx.QueryRowContext(ctx, counts).Scan(&events, &proposals, &changes); err != nil {
		return nil, err
	}
	t := tables{
		events: make([]study.Event, events), proposals: make([]study.Proposal, proposals),
		trials: make([]study.Trial, changes), changes: make([]struct{ event, measurements int }, changes),
	}
	inChanges, err := columns(ctx, tx, "changes")
	if err != nil {
		return nil, err
	}
	inAnswers, err := columns(ctx, tx, "answers")
	if err != nil {
		return nil, err
	}
	for _, q := range []struct {
		sql string
		row func(*record)
	}{
		{"SELECT id, asked, taken, observed FROM events WHERE (asked != 0 OR taken != 0 OR observed != 0) AND STUDY", func(r *record) {
			e := at(r, t.events)
			e.Asked, e.Taken, e.Observed = r.int(), r.int(), r.int()
		}},
		{"SELECT event, state FROM snapshot WHERE STUDY", func(r *record) {
			at(r, t.events).State = append([]byte{}, r.bytes()...) // not nil if it is empty
		}},
		{selectProposals + " WHERE STUDY", func(r *record) {
			*at(r, t.proposals) = r.proposal()
		}},
		{"SELECT id, event, id, proposal FROM changes WHERE called IS NULL AND STUDY", func(r *record) {
			at(r, t.changes).event = r.int()
			*at(r, t.trials) = study.Trial{Proposal: *at(r, t.proposals), State: study.Pending, Score: math.NaN(), Value: math.NaN()}
		}},
		{"SELECT id, event, measurements, id, proposal, state, score, " + inChanges.or("bound", "0") + `, value, variance, reason, called, revised
			FROM changes WHERE called IS NOT NULL AND STUDY`, func(r *record) {
			c := at(r, t.changes)
			c.event, c.measurements = r.int(), r.int()
			*at(r, t.trials) = study.Trial{
				Proposal: *at(r, t.proposals), State: r.state(), Score: r.float(), Bound: r.bound(), Value: r.float(), Variance: r.float(), Reason: r.text(),
				Called: r.bool(), Revised: r.bool(),
			}
		}},
		{"SELECT change, position, id, score, " + inAnswers.or("bound", "0") + ", se, reason, " + inAnswers.or("others", "NULL") + `
			FROM answers WHERE STUDY ORDER BY change, position`, func(r *record) {
			t.answers = append(t.answers, answer{r.int(), r.int(), r.measurement()})
		}},
	} {
		rows, err := tx.QueryContext(ctx, l.dialect.where(q.sql))
		if err != nil {
			return nil, err
		}
		if err := l.dialect.readRows(rows, q.row); err != nil {
			return nil, err
		}
	}
	return t.assemble()
}

// names are those of a table's columns.
type names []string

func columns(ctx context.Context, tx *sql.Tx, table string) (names, error) {
	rows, err := tx.QueryContext(ctx, "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rows.Columns()
}

// or returns a column if there is one of that name, and what stands for it otherwise.
func (n names) or(column, instead string) string {
	if slices.Contains(n, column) {
		return column
	}
	return instead
}

// assemble gives the events their trials, and these their measurements.
func (l *tables) assemble() ([]study.Event, error) {
	latest := map[int][]study.Measurement{} // of each trial
	first := 0                              // change of the event
	for i := range l.trials {
		t, c := &l.trials[i], l.changes[i]
		if i > 0 && c.event != l.changes[i-1].event {
			first = i
		}
		if c.event < 1 || c.event > len(l.events) || c.event < l.changes[first].event || first > 0 && c.event < l.changes[first-1].event {
			return nil, damaged("row %d of changes is missing or out of order", i+1)
		}
		l.events[c.event-1].Trials = l.trials[first : i+1 : i+1]
		if before := latest[t.ID]; c.measurements > 0 || before != nil {
			t.Measurements = resize(before, c.measurements)
			latest[t.ID] = t.Measurements
		}
		for ; len(l.answers) > 0 && l.answers[0].change == i+1; l.answers = l.answers[1:] {
			a := l.answers[0]
			if a.position < 1 || a.position > len(t.Measurements) {
				return nil, damaged("measurement %d of %d in row %d of changes", a.position, len(t.Measurements), i+1)
			}
			t.Measurements[a.position-1] = a.Measurement
		}
	}
	if len(l.answers) > 0 {
		return nil, damaged("row %d of changes, which has a measurement, is missing", l.answers[0].change)
	}
	return l.events, nil
}

// resize returns a copy of a list with n elements, the first ones those of the list.
func resize(list []study.Measurement, n int) []study.Measurement {
	if n < 1 {
		return nil
	}
	longer := make([]study.Measurement, n)
	copy(longer, list)
	return longer
}

// readRows calls row for every row of a query's result.
func (d Dialect) readRows(rows *sql.Rows, row func(*record)) error {
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	r := &record{dialect: d, values: make([]cell, len(columns))}
	into := make([]any, len(columns))
	for i := range into {
		into[i] = &r.values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		r.next = 0
		if row(r); r.err != nil {
			return &DamagedError{r.err}
		}
	}
	return rows.Err()
}

// record is a row whose values are taken one after the other. A value that Save would not have written sets err.
type record struct {
	dialect Dialect
	values  []cell
	next    int
	err     error
}

// cell is a value as the driver returns it. A blob is valid up to the next row: an *any would be given a copy.
type cell struct{ value any }

func (c *cell) Scan(v any) error {
	c.value = v
	return nil
}

func (r *record) value() any {
	r.next++
	return r.values[r.next-1].value
}

// fail says that the latest value is not what was wanted.
func (r *record) fail(want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%v where %s should be", r.values[r.next-1].value, want)
	}
}

// get takes a value of a type.
func get[T any](r *record, want string) T {
	v, ok := r.value().(T)
	if !ok {
		r.fail(want)
	}
	return v
}

func (r *record) int() int { return int(get[int64](r, "an integer")) }

func (r *record) float() float64 {
	switch v := r.value().(type) {
	case float64:
		return v
	case nil:
		return math.NaN()
	}
	r.fail("a number")
	return 0
}

func (r *record) bound() study.Bound {
	n := r.int()
	if n < int(study.Below) || n > int(study.Above) {
		r.fail("a bound")
	}
	return study.Bound(n)
}

func (r *record) bool() bool {
	switch v := r.value().(type) {
	case bool:
		return v
	case int64: // SQLite has no other
		return v == 1
	}
	r.fail("true or false")
	return false
}

func (r *record) text() string {
	s, ok := r.dialect.ReadText(r.value())
	if !ok {
		r.fail("a text")
	}
	return s
}

func (r *record) json() []byte {
	switch v := r.value().(type) {
	case string:
		return []byte(v)
	case []byte:
		return v
	}
	r.fail("JSON")
	return nil
}

func (r *record) bytes() []byte { return get[[]byte](r, "a blob") }

func (r *record) time() time.Time {
	switch v := r.value().(type) {
	case time.Time:
		return v.UTC()
	case string: // SQLite has no other
		if t, err := time.Parse(timeFormat, v); err == nil {
			return t
		}
	}
	r.fail("a time")
	return time.Time{}
}

// isNull reports whether the next value is NULL, and if so takes it.
func (r *record) isNull() bool {
	if r.values[r.next].value != nil {
		return false
	}
	r.next++
	return true
}

// at returns the row whose ID is the next value.
func at[T any](r *record, rows []T) *T {
	id := r.int()
	if id < 1 || id > len(rows) {
		r.fail(fmt.Sprintf("a number up to %d", len(rows)))
		return new(T)
	}
	return &rows[id-1]
}

func (r *record) state() study.State {
	name := r.text()
	i := slices.Index(states[:], name)
	if i < 0 {
		r.fail("a state")
	}
	return study.State(i)
}

// proposal reads selectProposals from its second column on.
func (r *record) proposal() study.Proposal {
	p := study.Proposal{ID: r.int(), Name: r.text(), X: r.text()}
	p.Input = p.X
	if !r.isNull() {
		p.Input = r.text()
	}
	p.Kind, p.Batch, p.Mean, p.SD = study.Kind(r.text()), r.int(), r.float(), r.float()
	if !r.isNull() {
		p.Latent = r.latent()
	}
	p.Model = r.int()
	return p
}

func (r *record) latent() []float64 {
	b := r.bytes()
	if len(b)%8 != 0 {
		r.fail("a blob of whole numbers of 8 bytes")
	}
	z := make([]float64, len(b)/8)
	for i := range z {
		z[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return z
}

func (r *record) measurement() study.Measurement {
	m := study.Measurement{ID: r.int(), Score: r.float(), Bound: r.bound(), SE: r.float(), Reason: r.text()}
	if !r.isNull() {
		m.Others, m.OtherBounds = r.outcomes()
	}
	return m
}

// outcomes reads further outcomes, numbers and bounds.
func (r *record) outcomes() (others map[string]float64, bounds map[string]study.Bound) {
	var values map[string]any
	if json.Unmarshal(r.json(), &values) != nil || values == nil {
		r.fail("an object of numbers")
	}
	others = map[string]float64{}
	for name, v := range values {
		number, ok := v.(float64)
		text, _ := v.(string)
		for _, b := range []study.Bound{study.Below, study.Above} {
			if digits, bounded := strings.CutPrefix(text, b.String()); bounded {
				if bounds == nil {
					bounds = map[string]study.Bound{}
				}
				var err error
				number, err = strconv.ParseFloat(digits, 64)
				bounds[name], ok = b, err == nil
			}
		}
		if !ok {
			r.fail("an object of numbers and bounds")
		}
		others[name] = number
	}
	return others, bounds
}
