package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/study"
)

const selectProposals = "SELECT id, trial, name, x, input, kind, batch, mean, sd, latent, model FROM proposals"

// Events returns all events that were saved, in their order.
func (f *File) Events(ctx context.Context) ([]study.Event, error) {
	events, err := f.events(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, explain(err))
	}
	return events, nil
}

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

func (f *File) events(ctx context.Context) ([]study.Event, error) {
	tx, err := f.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // all queries see the same moment
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var events, proposals, changes int
	const counts = "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM proposals), (SELECT count(*) FROM changes)"
	if err := tx.QueryRowContext(ctx, counts).Scan(&events, &proposals, &changes); err != nil {
		return nil, err
	}
	l := tables{
		events: make([]study.Event, events), proposals: make([]study.Proposal, proposals),
		trials: make([]study.Trial, changes), changes: make([]struct{ event, measurements int }, changes),
	}
	for _, q := range []struct {
		sql string
		row func(*record)
	}{
		{"SELECT id, asked, taken, observed FROM events WHERE asked != 0 OR taken != 0 OR observed != 0", func(r *record) {
			e := at(r, l.events)
			e.Asked, e.Taken, e.Observed = r.int(), r.int(), r.int()
		}},
		{"SELECT event, state FROM snapshot", func(r *record) {
			at(r, l.events).State = append([]byte{}, r.bytes()...) // not nil if it is empty
		}},
		{selectProposals, func(r *record) {
			*at(r, l.proposals) = r.proposal()
		}},
		{"SELECT id, event, id, proposal FROM changes WHERE called IS NULL", func(r *record) {
			at(r, l.changes).event = r.int()
			*at(r, l.trials) = study.Trial{Proposal: *at(r, l.proposals), State: study.Pending, Score: math.NaN(), Value: math.NaN()}
		}},
		{`SELECT id, event, measurements, id, proposal, state, score, value, variance, reason, called, revised
			FROM changes WHERE called IS NOT NULL`, func(r *record) {
			c := at(r, l.changes)
			c.event, c.measurements = r.int(), r.int()
			*at(r, l.trials) = study.Trial{
				Proposal: *at(r, l.proposals), State: r.state(), Score: r.float(), Value: r.float(), Variance: r.float(), Reason: r.text(),
				Called: r.int() == 1, Revised: r.int() == 1,
			}
		}},
		{"SELECT change, position, id, score, se, reason, others FROM answers ORDER BY change, position", func(r *record) {
			l.answers = append(l.answers, answer{r.int(), r.int(), r.measurement()})
		}},
	} {
		if err := each(ctx, tx, q.sql, q.row); err != nil {
			return nil, err
		}
	}
	return l.assemble()
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
			return nil, damaged(fmt.Errorf("row %d of changes is missing or out of order", i+1))
		}
		l.events[c.event-1].Trials = l.trials[first : i+1 : i+1]
		if before := latest[t.ID]; c.measurements > 0 || before != nil {
			t.Measurements = resize(before, c.measurements)
			latest[t.ID] = t.Measurements
		}
		for ; len(l.answers) > 0 && l.answers[0].change == i+1; l.answers = l.answers[1:] {
			a := l.answers[0]
			if a.position < 1 || a.position > len(t.Measurements) {
				return nil, damaged(fmt.Errorf("measurement %d of %d in row %d of changes", a.position, len(t.Measurements), i+1))
			}
			t.Measurements[a.position-1] = a.Measurement
		}
	}
	if len(l.answers) > 0 {
		return nil, damaged(fmt.Errorf("row %d of changes, which has a measurement, is missing", l.answers[0].change))
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

// each calls row for every row of a query's result.
func each(ctx context.Context, tx *sql.Tx, query string, row func(*record)) error {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	return readRows(rows, row)
}

func readRows(rows *sql.Rows, row func(*record)) error {
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	r := &record{values: make([]cell, len(columns))}
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
			return damaged(r.err)
		}
	}
	return rows.Err()
}

// record is a row whose values are taken one after the other. A value that Save would not have written sets err.
type record struct {
	values []cell
	next   int
	err    error
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

func (r *record) int() int {
	n, ok := r.value().(int64)
	if !ok {
		r.fail("an integer")
	}
	return int(n)
}

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

func (r *record) text() string {
	switch v := r.value().(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	r.fail("a text")
	return ""
}

func (r *record) bytes() []byte {
	b, ok := r.value().([]byte)
	if !ok {
		r.fail("a blob")
	}
	return b
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
	m := study.Measurement{ID: r.int(), Score: r.float(), SE: r.float(), Reason: r.text()}
	if !r.isNull() {
		if err := json.Unmarshal([]byte(r.text()), &m.Others); err != nil {
			r.fail("an object of numbers")
		}
	}
	return m
}
