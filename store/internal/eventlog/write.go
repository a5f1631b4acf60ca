package eventlog

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/study"
)

// timeFormat has the same width for all times, so that they sort as text.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// states are the names of study.State, in its order.
var states = [...]string{"unseen", "pending", "scored", "failed", "invalid", "skipped", "partial"}

// tables are those with the rows of events, in the order in which they refer to each other.
var tables = []struct {
	name    string
	columns []string
}{
	{"events", []string{"id", "at", "asked", "taken", "observed"}},
	{"proposals", []string{"id", "trial", "name", "x", "input", "kind", "batch", "mean", "sd", "latent", "model", "forecast"}},
	{"changes", []string{"id", "event", "proposal", "state", "score", "bound", "value", "variance", "reason", "called", "revised", "measurements"}},
	{"answers", []string{"change", "position", "id", "score", "bound", "se", "reason", "others"}},
}

// write stores an event in one transaction.
func (l *Log) write(ctx context.Context, e study.Event) error {
	return l.guarded(func() error { return l.commit(ctx, e) })
}

func (l *Log) commit(ctx context.Context, e study.Event) error {
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	if err := l.Insert(ctx, tx, e); err != nil {
		return err
	}
	return tx.Commit()
}

// Insert stores an event in a transaction of the caller's, which commits it.
func (l *Log) Insert(ctx context.Context, tx *sql.Tx, e study.Event) error {
	t := &transaction{Log: l, ctx: ctx, tx: tx, rows: map[string][]any{}}
	const greatest = `SELECT (SELECT coalesce(max(id), 0) FROM events WHERE STUDY), (SELECT coalesce(max(id), 0) FROM proposals WHERE STUDY),
		(SELECT coalesce(max(trial), 0) FROM proposals WHERE STUDY), (SELECT coalesce(max(id), 0) FROM changes WHERE STUDY)`
	if err := tx.QueryRowContext(ctx, l.dialect.where(greatest)).Scan(&t.event, &t.proposal, &t.trial, &t.change); err != nil {
		return err
	}
	return t.write(e)
}

// transaction runs statements up to the first error.
type transaction struct {
	*Log
	ctx context.Context
	tx  *sql.Tx
	err error

	event, proposal, trial, change int              // the greatest IDs in the tables and in the transaction
	rows                           map[string][]any // of each table: values of rows that are not yet stored
}

func (w *transaction) write(e study.Event) error {
	w.event++
	w.add("events", w.event, time.Now().UTC().Format(timeFormat), e.Asked, e.Taken, e.Observed)
	for _, t := range e.Trials {
		if int(t.State) >= len(states) {
			return fmt.Errorf("trial %d has state %d, which has no name", t.ID, t.State)
		}
		isNew := t.ID > w.trial // nothing of it is stored
		w.trial = max(w.trial, t.ID)
		proposal := w.enter(t.Proposal, isNew)
		w.change++
		if waits(t) {
			w.add("changes", w.change, w.event, proposal, states[t.State], nil, 0, nil, nil, nil, nil, nil, nil)
			continue
		}
		var before []study.Measurement
		if len(t.Measurements) > 0 && !isNew {
			before = w.measurements(t.ID, len(t.Measurements))
		}
		w.add("changes", w.change, w.event, proposal, states[t.State], number(t.Score), int(t.Bound), number(t.Value), number(t.Variance), w.text(t.Reason), t.Called, t.Revised, len(t.Measurements))
		for i, m := range t.Measurements {
			if i >= len(before) || !sameMeasurement(before[i], m) {
				w.add("answers", w.change, i+1, m.ID, number(m.Score), int(m.Bound), number(m.SE), w.text(m.Reason), w.outcomes(m.Others, m.OtherBounds))
			}
		}
	}
	w.flush()
	if e.State != nil {
		w.run(w.dialect.where("DELETE FROM snapshot WHERE STUDY"))
		w.run(w.dialect.insert("snapshot", 1, "event", "state"), w.event, e.State)
	}
	return w.err
}

// waits reports whether a trial is a proposal without anything else.
func waits(t study.Trial) bool {
	return t.State == study.Pending && math.IsNaN(t.Score) && t.Bound == study.Exact && math.IsNaN(t.Value) && math.Float64bits(t.Variance) == 0 && t.Reason == "" &&
		!t.Called && !t.Revised && len(t.Measurements) == 0
}

// mostValues is how many values of a table are gathered: many rows take far less time together than one by one.
const mostValues = 2000

// add adds a row to a table.
func (w *transaction) add(table string, values ...any) {
	if len(w.rows[table]) > mostValues {
		w.flush()
	}
	w.rows[table] = append(w.rows[table], values...)
}

// flush stores the rows that were gathered.
func (w *transaction) flush() {
	for _, t := range tables {
		if n := len(w.rows[t.name]) / len(t.columns); n > 0 {
			w.run(w.dialect.insert(t.name, n, t.columns...), w.rows[t.name]...)
			w.rows[t.name] = w.rows[t.name][:0]
		}
	}
}

// run runs a statement that returns nothing.
func (w *transaction) run(statement string, values ...any) {
	if w.err == nil {
		_, w.err = w.tx.ExecContext(w.ctx, statement, values...)
	}
}

// enter returns the row of a trial's proposal, which it adds if the trial is new, or if the latest one differs.
func (w *transaction) enter(p study.Proposal, isNew bool) (id int) {
	if !isNew {
		w.read("SELECT * FROM proposals WHERE trial = $1 AND STUDY ORDER BY id DESC LIMIT 1", p.ID, func(r *record) {
			if sameProposal(r.proposal(), p) {
				id = r.int("id")
			}
		})
	}
	if id > 0 {
		return id
	}
	var input, latent, forecast any
	if p.Input != p.X {
		input = w.text(p.Input)
	}
	if p.Latent != nil {
		latent, _ = binary.Append([]byte{}, binary.LittleEndian, p.Latent) // which never fails
	}
	if p.Forecast != nil {
		text, err := json.Marshal(p.Forecast)
		w.err, forecast = cmp.Or(w.err, err), w.text(string(text))
	}
	w.proposal++
	w.add("proposals", w.proposal, p.ID, w.text(p.Name), w.text(p.X), input, w.text(string(p.Kind)), p.Batch, number(p.Mean), number(p.SD), latent, p.Model, forecast)
	return w.proposal
}

// measurements returns those of a trial before its present change, as far as a list of n has them.
func (w *transaction) measurements(trial, n int) []study.Measurement {
	const query = `SELECT c.measurements, a.* FROM (SELECT * FROM proposals WHERE trial = $1 AND STUDY) p JOIN (SELECT * FROM changes WHERE STUDY) c ON c.proposal = p.id
		LEFT JOIN (SELECT * FROM answers WHERE STUDY) a ON a.change = c.id ORDER BY c.id, a.position`
	var list []study.Measurement
	w.read(query, trial, func(r *record) {
		count := 0
		if !r.null("measurements") {
			count = r.int("measurements")
		}
		list = resize(list, count)
		if !r.null("position") {
			*at(r, "position", list) = r.measurement()
		}
	})
	return list[:min(n, len(list))]
}

// read calls row for each row about a trial.
func (w *transaction) read(query string, trial int, row func(*record)) {
	if w.flush(); w.err != nil {
		return
	}
	rows, err := w.tx.QueryContext(w.ctx, w.dialect.where(query), trial)
	if err == nil {
		err = w.dialect.readRows(rows, row)
	}
	w.err = err
}

func (w *transaction) text(s string) any { return w.dialect.WriteText(s) }

// number returns what stands for a number: NULL for NaN.
func number(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// outcomes returns further outcomes as JSON, a bound as a text such as ">4.5"; nil if there are none.
func (w *transaction) outcomes(others map[string]float64, bounds map[string]study.Bound) any {
	if others == nil {
		return nil
	}
	values := map[string]any{}
	for name, v := range others {
		values[name] = v
		if b := bounds[name]; b != study.Exact {
			values[name] = b.String() + strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(values); w.err == nil {
		w.err = err
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// same reports whether two numbers are stored as one: they have the same bits, or are NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func sameProposal(a, b study.Proposal) bool {
	bits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	return a.Name == b.Name && a.X == b.X && a.Input == b.Input && a.Kind == b.Kind && a.Batch == b.Batch && same(a.Mean, b.Mean) && same(a.SD, b.SD) &&
		(a.Latent == nil) == (b.Latent == nil) && slices.EqualFunc(a.Latent, b.Latent, bits) && a.Model == b.Model && reflect.DeepEqual(a.Forecast, b.Forecast)
}

func sameMeasurement(a, b study.Measurement) bool {
	return a.ID == b.ID && same(a.Score, b.Score) && a.Bound == b.Bound && same(a.SE, b.SE) && a.Reason == b.Reason &&
		maps.EqualFunc(a.Others, b.Others, same) && maps.Equal(a.OtherBounds, b.OtherBounds)
}
