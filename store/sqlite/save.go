package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// timeFormat has the same width for all times, so that they sort as text.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// states are the names of study.State, in its order.
var states = [...]string{"unseen", "pending", "scored", "failed", "invalid", "skipped"}

// statements are those of Save.
type statements struct {
	event, proposal, pending, change, answer, forget, state *sql.Stmt // write
	latest, measured                                        *sql.Stmt // read what is known of a trial
}

func prepare(ctx context.Context, db *sql.DB) (s statements, err error) {
	for _, p := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&s.event, "INSERT INTO events (at, asked, taken, observed) VALUES (?, ?, ?, ?)"},
		{&s.proposal, "INSERT INTO proposals (trial, name, x, input, kind, batch, mean, sd, latent, model) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
		{&s.pending, "INSERT INTO changes (event, proposal, state) VALUES (?, ?, ?)"},
		{&s.change, "INSERT INTO changes (event, proposal, state, score, value, variance, reason, called, revised, measurements) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
		{&s.answer, "INSERT INTO answers (change, position, id, score, se, reason, others) VALUES (?, ?, ?, ?, ?, ?, ?)"},
		{&s.forget, "DELETE FROM snapshot"},
		{&s.state, "INSERT INTO snapshot (event, state) VALUES (?, ?)"},
		{&s.latest, selectProposals + " WHERE trial = ? ORDER BY id DESC LIMIT 1"},
		{&s.measured, `SELECT c.measurements, a.position, a.id, a.score, a.se, a.reason, a.others FROM proposals p JOIN changes c ON c.proposal = p.id
			LEFT JOIN answers a ON a.change = c.id WHERE p.trial = ? ORDER BY c.id, a.position`},
	} {
		if *p.to, err = db.PrepareContext(ctx, p.sql); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Save stores an event. It is on disk when Save returns; after an error none of it is.
func (f *File) Save(ctx context.Context, e study.Event) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f.lock == nil {
		return usage.Errorf("save to %s: it is open only to read; open it for writing", f.path)
	}
	// From here on it takes milliseconds, and is not interrupted.
	if err := f.write(context.WithoutCancel(ctx), e); err != nil {
		return fmt.Errorf("save to %s: %w", f.path, explain(err))
	}
	return nil
}

func (f *File) write(ctx context.Context, e study.Event) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	w := &writer{ctx: ctx, tx: tx}
	event := w.insert(f.save.event, time.Now().UTC().Format(timeFormat), e.Asked, e.Taken, e.Observed)
	for _, t := range e.Trials {
		if int(t.State) >= len(states) {
			return fmt.Errorf("trial %d has state %d, which has no name", t.ID, t.State)
		}
		proposal := w.proposal(f.save, t.Proposal)
		if waits(t) {
			w.insert(f.save.pending, event, proposal, states[t.State])
			continue
		}
		var before []study.Measurement
		if len(t.Measurements) > 0 {
			before = w.measured(f.save, t.ID, len(t.Measurements))
		}
		change := w.insert(f.save.change, event, proposal, states[t.State], t.Score, t.Value, t.Variance, text(t.Reason), t.Called, t.Revised, len(t.Measurements))
		for i, m := range t.Measurements {
			if i >= len(before) || !sameMeasurement(before[i], m) {
				w.insert(f.save.answer, change, i+1, m.ID, m.Score, m.SE, text(m.Reason), outcomes(m.Others))
			}
		}
	}
	if e.State != nil {
		w.insert(f.save.forget)
		w.insert(f.save.state, event, e.State)
	}
	if w.err != nil {
		return w.err
	}
	return tx.Commit()
}

// waits reports whether a trial is a proposal without anything else.
func waits(t study.Trial) bool {
	return t.State == study.Pending && math.IsNaN(t.Score) && math.IsNaN(t.Value) && math.Float64bits(t.Variance) == 0 && t.Reason == "" &&
		!t.Called && !t.Revised && len(t.Measurements) == 0
}

// writer runs the statements of a transaction, up to the first error.
type writer struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// insert runs a statement and returns the ID of the row.
func (w *writer) insert(s *sql.Stmt, values ...any) (id int64) {
	if w.err != nil {
		return 0
	}
	r, err := w.tx.StmtContext(w.ctx, s).ExecContext(w.ctx, values...)
	if err == nil {
		id, err = r.LastInsertId()
	}
	w.err = err
	return id
}

// proposal returns the row of a trial's proposal, which it writes if the latest one differs.
func (w *writer) proposal(s statements, p study.Proposal) (id int64) {
	w.read(s.latest, p.ID, func(r *record) {
		if row := r.int(); sameProposal(r.proposal(), p) {
			id = int64(row)
		}
	})
	if id > 0 {
		return id
	}
	var input, latent any
	if p.Input != p.X {
		input = text(p.Input)
	}
	if p.Latent != nil {
		latent = encode(p.Latent)
	}
	return w.insert(s.proposal, p.ID, text(p.Name), text(p.X), input, text(string(p.Kind)), p.Batch, p.Mean, p.SD, latent, p.Model)
}

// measured returns the measurements of a trial before its present change, as far as a list of n has them.
func (w *writer) measured(s statements, trial, n int) []study.Measurement {
	var list []study.Measurement
	w.read(s.measured, trial, func(r *record) {
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
func (w *writer) read(s *sql.Stmt, trial int, row func(*record)) {
	if w.err != nil {
		return
	}
	rows, err := w.tx.StmtContext(w.ctx, s).QueryContext(w.ctx, trial)
	if err == nil {
		err = readRows(rows, row)
	}
	w.err = err
}

// text returns a string as SQLite and its users can read it: as text, or else as its bytes.
func text(s string) any {
	if utf8.ValidString(s) && !strings.Contains(s, "\x00") {
		return s
	}
	return []byte(s)
}

// outcomes returns further outcomes as JSON; nil if there are none.
func outcomes(others map[string]float64) any {
	if others == nil {
		return nil
	}
	text, err := json.Marshal(others)
	if err != nil {
		return err // which no column takes
	}
	return string(text)
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
	return a.ID == b.ID && same(a.Score, b.Score) && same(a.SE, b.SE) && a.Reason == b.Reason && maps.EqualFunc(a.Others, b.Others, same)
}
