package eventlog

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/invbo/invbo/study"
)

// TimeFormat has the same width for all times, so that they sort as text.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// states are the names of study.State, in its order.
var states = [...]string{"unseen", "pending", "scored", "failed", "invalid", "skipped"}

// Writer appends the events of one study. Its methods may be called from several goroutines at once.
type Writer struct {
	dialect Dialect
	db      DB
	mu      sync.Mutex
	last    int // the greatest ID of a trial that was written; −1: not known

	event, proposal, pending, change, answer, forget, state *sql.Stmt // write
	latest, measured, greatest                              *sql.Stmt // read what is known of trials
}

// DB is a connection of a database, or a pool with one.
type DB interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// NewWriter returns a Writer. It ends with db.
func (d Dialect) NewWriter(ctx context.Context, db DB) (*Writer, error) {
	w := &Writer{dialect: d, db: db, last: -1}
	for _, p := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&w.event, d.Insert("events", "at", "asked", "taken", "observed")},
		{&w.proposal, d.Insert("proposals", "trial", "name", "x", "input", "kind", "batch", "mean", "sd", "latent", "model")},
		{&w.pending, d.Insert("changes", "event", "proposal", "state")},
		{&w.change, d.Insert("changes", "event", "proposal", "state", "score", "bound", "value", "variance", "reason", "called", "revised", "measurements")},
		{&w.answer, d.Add("answers", "change", "position", "id", "score", "bound", "se", "reason", "others")},
		{&w.forget, d.where("DELETE FROM snapshot WHERE STUDY")},
		{&w.state, d.Add("snapshot", "event", "state")},
		{&w.latest, d.where(selectProposals + " WHERE trial = $1 AND STUDY ORDER BY id DESC LIMIT 1")},
		{&w.greatest, d.where("SELECT coalesce(max(trial), 0) FROM proposals WHERE STUDY")},
		{&w.measured, d.where(`SELECT c.measurements, a.position, a.id, a.score, a.bound, a.se, a.reason, a.others
			FROM (SELECT * FROM proposals WHERE trial = $1 AND STUDY) p JOIN (SELECT * FROM changes WHERE STUDY) c ON c.proposal = p.id
			LEFT JOIN (SELECT * FROM answers WHERE STUDY) a ON a.change = c.id ORDER BY c.id, a.position`)},
	} {
		var err error
		if *p.to, err = db.PrepareContext(ctx, p.sql); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Write stores an event. It is committed when Write returns; after an error none of it is.
func (w *Writer) Write(ctx context.Context, e study.Event) error {
	w.mu.Lock() // the database may allow one transaction at a time
	defer w.mu.Unlock()
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	t := &transaction{Writer: w, ctx: ctx, tx: tx, last: w.last}
	w.last = -1 // unless all goes well
	if err := t.write(e); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	w.last = t.last
	return nil
}

// transaction runs statements up to the first error.
type transaction struct {
	*Writer
	ctx  context.Context
	tx   *sql.Tx
	last int // as in Writer, the trials of the transaction included
	err  error
}

func (w *transaction) write(e study.Event) error {
	event := w.insert(w.event, time.Now().UTC().Format(TimeFormat), e.Asked, e.Taken, e.Observed)
	if w.last < 0 {
		w.last = int(w.insert(w.greatest))
	}
	for _, t := range e.Trials {
		if int(t.State) >= len(states) {
			return fmt.Errorf("trial %d has state %d, which has no name", t.ID, t.State)
		}
		isNew := t.ID > w.last // there is nothing to look for
		w.last = max(w.last, t.ID)
		proposal := w.enter(t.Proposal, isNew)
		if waits(t) {
			w.insert(w.pending, event, proposal, states[t.State])
			continue
		}
		var before []study.Measurement
		if len(t.Measurements) > 0 && !isNew {
			before = w.measurements(t.ID, len(t.Measurements))
		}
		change := w.insert(w.change, event, proposal, states[t.State], number(t.Score), int(t.Bound), number(t.Value), number(t.Variance), w.text(t.Reason), t.Called, t.Revised, len(t.Measurements))
		for i, m := range t.Measurements {
			if i >= len(before) || !sameMeasurement(before[i], m) {
				w.add(w.answer, change, i+1, m.ID, number(m.Score), int(m.Bound), number(m.SE), w.text(m.Reason), w.outcomes(m.Others, m.OtherBounds))
			}
		}
	}
	if e.State != nil {
		w.add(w.forget)
		w.add(w.state, event, e.State)
	}
	return w.err
}

// waits reports whether a trial is a proposal without anything else.
func waits(t study.Trial) bool {
	return t.State == study.Pending && math.IsNaN(t.Score) && t.Bound == study.Exact && math.IsNaN(t.Value) && math.Float64bits(t.Variance) == 0 && t.Reason == "" &&
		!t.Called && !t.Revised && len(t.Measurements) == 0
}

// insert runs a statement that returns an integer, as those of Dialect.Insert the ID of the row.
func (w *transaction) insert(s *sql.Stmt, values ...any) (id int64) {
	if w.err == nil {
		w.err = w.tx.StmtContext(w.ctx, s).QueryRowContext(w.ctx, values...).Scan(&id)
	}
	return id
}

// add runs a statement that returns nothing.
func (w *transaction) add(s *sql.Stmt, values ...any) {
	if w.err == nil {
		_, w.err = w.tx.StmtContext(w.ctx, s).ExecContext(w.ctx, values...)
	}
}

// enter returns the row of a trial's proposal, which it writes if the trial is new, or if the latest one differs.
func (w *transaction) enter(p study.Proposal, isNew bool) (id int64) {
	if !isNew {
		w.read(w.latest, p.ID, func(r *record) {
			if row := r.int(); sameProposal(r.proposal(), p) {
				id = int64(row)
			}
		})
	}
	if id > 0 {
		return id
	}
	var input, latent any
	if p.Input != p.X {
		input = w.text(p.Input)
	}
	if p.Latent != nil {
		latent = encode(p.Latent)
	}
	return w.insert(w.proposal, p.ID, w.text(p.Name), w.text(p.X), input, w.text(string(p.Kind)), p.Batch, number(p.Mean), number(p.SD), latent, p.Model)
}

// measurements returns those of a trial before its present change, as far as a list of n has them.
func (w *transaction) measurements(trial, n int) []study.Measurement {
	var list []study.Measurement
	w.read(w.measured, trial, func(r *record) {
		count := 0
		if !r.isNull() {
			count = r.int()
		}
		list = resize(list, count)
		if !r.isNull() {
			*at(r, list) = r.measurement()
		}
	})
	return list[:min(n, len(list))]
}

// read calls row for each row about a trial.
func (w *transaction) read(s *sql.Stmt, trial int, row func(*record)) {
	if w.err != nil {
		return
	}
	rows, err := w.tx.StmtContext(w.ctx, s).QueryContext(w.ctx, trial)
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

func encode(latent []float64) []byte {
	b := make([]byte, 0, 8*len(latent))
	for _, v := range latent {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// same reports whether two numbers are stored as one: they have the same bits, or are NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func sameProposal(a, b study.Proposal) bool {
	bits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	return a.Name == b.Name && a.X == b.X && a.Input == b.Input && a.Kind == b.Kind && a.Batch == b.Batch && same(a.Mean, b.Mean) && same(a.SD, b.SD) &&
		(a.Latent == nil) == (b.Latent == nil) && slices.EqualFunc(a.Latent, b.Latent, bits) && a.Model == b.Model
}

func sameMeasurement(a, b study.Measurement) bool {
	return a.ID == b.ID && same(a.Score, b.Score) && a.Bound == b.Bound && same(a.SE, b.SE) && a.Reason == b.Reason &&
		maps.EqualFunc(a.Others, b.Others, same) && maps.Equal(a.OtherBounds, b.OtherBounds)
}
