package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/invbo/invbo/study"
)

// The queries of what record reads.
const (
	selectProposals = "SELECT id, trial, x, input, kind, batch, mean, sd, latent, model FROM proposals"
	selectChanges   = `SELECT c.id, c.event, c.proposal, c.state, c.score, c.value, c.variance, c.reason, c.called, c.revised, c.measurements,
		a.position, a.id, a.score, a.se, a.reason FROM changes c LEFT JOIN answers a ON a.change = c.id`
)

// Events returns all events that were saved, in their order.
func (f *File) Events(ctx context.Context) ([]study.Event, error) {
	events, err := f.events(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, explain(err))
	}
	return events, nil
}

func (f *File) events(ctx context.Context) ([]study.Event, error) {
	tx, err := f.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // all queries see the same moment
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var all []study.Event
	err = each(ctx, tx, "SELECT id, asked, observed FROM events ORDER BY id", func(r *record) {
		r.inOrder(len(all) + 1)
		all = append(all, study.Event{Asked: r.int(), Observed: r.int()})
	})
	if err != nil {
		return nil, err
	}
	var proposals []study.Proposal
	err = each(ctx, tx, selectProposals+" ORDER BY id", func(r *record) {
		r.inOrder(len(proposals) + 1)
		proposals = append(proposals, r.proposal())
	})
	if err != nil {
		return nil, err
	}
	latest := map[int][]study.Measurement{} // of each trial, in the change before
	row := 0                                // of changes; a change with several answers has several rows here
	err = each(ctx, tx, selectChanges+" ORDER BY c.id, a.position", func(r *record) {
		id, c := r.int(), r.change()
		if !r.within(c.event, len(all)) || !r.within(c.proposal, len(proposals)) {
			return
		}
		trials := &all[c.event-1].Trials
		if id != row {
			row = id
			c.trial.Proposal = proposals[c.proposal-1]
			c.trial.Measurements = resize(latest[c.trial.ID], c.measurements)
			*trials = append(*trials, c.trial)
			latest[c.trial.ID] = c.trial.Measurements
		}
		r.answer((*trials)[len(*trials)-1].Measurements)
	})
	if err != nil {
		return nil, err
	}
	err = each(ctx, tx, "SELECT event, state FROM snapshot", func(r *record) {
		if event := r.int(); r.within(event, len(all)) {
			all[event-1].State = append([]byte{}, r.bytes()...)
		}
	})
	return all, err
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
	r := &record{values: make([]any, len(columns))}
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
	values []any
	next   int
	err    error
}

func (r *record) value() any {
	r.next++
	return r.values[r.next-1]
}

func (r *record) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *record) int() int {
	n, ok := r.value().(int64)
	if !ok {
		r.fail("%v in place of an integer", r.values[r.next-1])
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
	r.fail("%v in place of a number", r.values[r.next-1])
	return 0
}

func (r *record) text() string {
	switch v := r.value().(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	r.fail("%v in place of a text", r.values[r.next-1])
	return ""
}

func (r *record) bytes() []byte {
	b, ok := r.value().([]byte)
	if !ok {
		r.fail("%v in place of a blob", r.values[r.next-1])
	}
	return b
}

// isNull reports whether the next value is NULL, and if so takes it.
func (r *record) isNull() bool {
	if r.values[r.next] != nil {
		return false
	}
	r.next++
	return true
}

// inOrder takes the ID of a row.
func (r *record) inOrder(want int) {
	if id := r.int(); id != want {
		r.fail("row %d comes where %d is due", id, want)
	}
}

// within reports whether a number is one of 1, …, n.
func (r *record) within(i, n int) bool {
	if i < 1 || i > n {
		r.fail("a row refers to number %d of %d", i, n)
	}
	return r.err == nil
}

// proposal reads selectProposals from the second column on.
func (r *record) proposal() study.Proposal {
	p := study.Proposal{ID: r.int(), X: r.text()}
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
		r.fail("a latent of %d bytes", len(b))
	}
	z := make([]float64, len(b)/8)
	for i := range z {
		z[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return z
}

// change is a row of changes.
type change struct {
	event, proposal int
	trial           study.Trial // without its Proposal and Measurements
	measurements    int
}

// change reads selectChanges from the second column on, up to those of answer.
func (r *record) change() change {
	c := change{event: r.int(), proposal: r.int()}
	name := r.text()
	state := slices.Index(states[:], name)
	if state < 0 {
		r.fail("state %q", name)
		state = 0
	}
	c.trial = study.Trial{
		State: study.State(state), Score: r.float(), Value: r.float(), Variance: r.float(), Reason: r.text(), Called: r.int() == 1, Revised: r.int() == 1,
	}
	c.measurements = r.int()
	return c
}

// answer reads the rest of selectChanges into the measurements of the trial, if there is one.
func (r *record) answer(of []study.Measurement) {
	if r.isNull() {
		return
	}
	if i := r.int(); r.within(i, len(of)) {
		of[i-1] = study.Measurement{ID: r.int(), Score: r.float(), SE: r.float(), Reason: r.text()}
	}
}

// resize returns a copy of a list with n elements, the first ones those of the list.
func resize(list []study.Measurement, n int) []study.Measurement {
	if n <= 0 {
		return nil
	}
	longer := make([]study.Measurement, n)
	copy(longer, list)
	return longer
}
