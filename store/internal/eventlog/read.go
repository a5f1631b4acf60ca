package eventlog

import (
	"cmp"
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

// answer is a row of the table of answers.
type answer struct {
	change, position int
	study.Measurement
}

// read is Events.
func (l *Log) read(ctx context.Context) ([]study.Event, error) {
	tx, err := l.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: l.dialect.Isolation}) // all queries see the same moment
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var (
		events    []study.Event
		proposals []study.Proposal
		answers   []answer
		changes   int
		latest    = map[int][]study.Measurement{} // of each trial
	)
	for _, table := range []struct {
		name, order string
		row         func(*record)
	}{
		{"events", "id", func(r *record) {
			r.isNext(len(events))
			events = append(events, study.Event{Asked: r.int("asked"), Taken: r.int("taken"), Observed: r.int("observed")})
		}},
		{"snapshot", "event", func(r *record) {
			at(r, "event", events).State = append([]byte{}, r.bytes("state")...) // not nil if it is empty
		}},
		{"proposals", "id", func(r *record) {
			r.isNext(len(proposals))
			proposals = append(proposals, r.proposal())
		}},
		{"answers", "change, position", func(r *record) {
			answers = append(answers, answer{r.int("change"), r.int("position"), r.measurement()})
		}},
		{"changes", "id", func(r *record) {
			r.isNext(changes)
			changes++
			t, n := r.trial(proposals)
			if before := latest[t.ID]; n > 0 || before != nil {
				t.Measurements = resize(before, n)
				latest[t.ID] = t.Measurements
			}
			for ; len(answers) > 0 && answers[0].change == changes; answers = answers[1:] {
				a := answers[0]
				if a.position < 1 || a.position > len(t.Measurements) {
					r.err = cmp.Or(r.err, fmt.Errorf("measurement %d of %d in row %d of changes", a.position, len(t.Measurements), changes))
					return
				}
				t.Measurements[a.position-1] = a.Measurement
			}
			e := at(r, "event", events)
			e.Trials = append(e.Trials, t)
		}},
	} {
		rows, err := tx.QueryContext(ctx, l.dialect.where("SELECT * FROM "+table.name+" WHERE STUDY ORDER BY "+table.order))
		if err == nil {
			err = l.dialect.readRows(rows, table.row)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(answers) > 0 {
		return nil, &DamagedError{fmt.Errorf("row %d of changes, which has a measurement, is missing", answers[0].change)}
	}
	return events, nil
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
	r := &record{dialect: d, columns: columns, values: make([]any, len(columns))}
	into := make([]any, len(columns))
	for i := range into {
		into[i] = &r.values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if row(r); r.err != nil {
			return &DamagedError{r.err}
		}
	}
	return rows.Err()
}

// record is a row. A value that Save would not have written sets err.
type record struct {
	dialect Dialect
	columns []string
	values  []any
	err     error
}

// value returns nil for a column that a table of an older version does not have.
func (r *record) value(column string) any {
	if i := slices.Index(r.columns, column); i >= 0 {
		return r.values[i]
	}
	return nil
}

func (r *record) null(column string) bool { return r.value(column) == nil }

// fail says that a value is not what was wanted.
func (r *record) fail(column, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%v where %s should be", r.value(column), want)
	}
}

// get returns a value of a type.
func get[T any](r *record, column, want string) T {
	v, ok := r.value(column).(T)
	if !ok {
		r.fail(column, want)
	}
	return v
}

func (r *record) int(column string) int { return int(get[int64](r, column, "an integer")) }

func (r *record) float(column string) float64 {
	if r.null(column) {
		return math.NaN()
	}
	return get[float64](r, column, "a number")
}

func (r *record) bool(column string) bool {
	if v, ok := r.value(column).(int64); ok { // SQLite has no other
		return v == 1
	}
	return get[bool](r, column, "true or false")
}

func (r *record) text(column string) string {
	s, ok := r.dialect.ReadText(r.value(column))
	if !ok {
		r.fail(column, "a text")
	}
	return s
}

func (r *record) bytes(column string) []byte { return get[[]byte](r, column, "a blob") }

func (r *record) time(column string) time.Time {
	text, ok := r.value(column).(string)
	if !ok {
		return get[time.Time](r, column, "a time").UTC()
	}
	t, err := time.Parse(timeFormat, text) // SQLite has no other
	if err != nil {
		r.fail(column, "a time")
	}
	return t
}

// isNext checks the ID of a row after so many others.
func (r *record) isNext(rows int) {
	if r.int("id") != rows+1 {
		r.fail("id", strconv.Itoa(rows+1))
	}
}

// at returns the row whose ID a column holds.
func at[T any](r *record, column string, rows []T) *T {
	id := r.int(column)
	if id < 1 || id > len(rows) {
		r.fail(column, fmt.Sprintf("a number up to %d", len(rows)))
		return new(T)
	}
	return &rows[id-1]
}

func (r *record) bound() study.Bound {
	if r.null("bound") {
		return study.Exact
	}
	n := r.int("bound")
	if n < int(study.Below) || n > int(study.Above) {
		r.fail("bound", "a bound")
	}
	return study.Bound(n)
}

func (r *record) proposal() study.Proposal {
	p := study.Proposal{
		ID: r.int("trial"), Name: r.text("name"), X: r.text("x"), Kind: study.Kind(r.text("kind")), Batch: r.int("batch"),
		Mean: r.float("mean"), SD: r.float("sd"), Model: r.int("model"),
	}
	p.Input = p.X
	if !r.null("input") {
		p.Input = r.text("input")
	}
	if !r.null("latent") {
		b := r.bytes("latent")
		if len(b)%8 != 0 {
			r.fail("latent", "a blob of whole numbers of 8 bytes")
		}
		p.Latent = make([]float64, len(b)/8)
		binary.Decode(b, binary.LittleEndian, p.Latent)
	}
	if !r.null("forecast") {
		p.Forecast = &study.Forecast{}
		if err := json.Unmarshal([]byte(r.text("forecast")), p.Forecast); err != nil {
			r.fail("forecast", "a JSON object of means, deviations and a chance")
		}
	}
	return p
}

// trial returns the trial of a change, without its measurements, and their number.
func (r *record) trial(proposals []study.Proposal) (t study.Trial, measurements int) {
	state := slices.Index(states[:], r.text("state"))
	if state < 0 {
		r.fail("state", "a state")
	}
	t = study.Trial{Proposal: *at(r, "proposal", proposals), State: study.State(state), Score: r.float("score"), Bound: r.bound(), Value: r.float("value")}
	if !r.null("called") { // of what waits for its first answer
		t.Variance, t.Reason, t.Called, t.Revised = r.float("variance"), r.text("reason"), r.bool("called"), r.bool("revised")
		measurements = r.int("measurements")
	}
	return t, measurements
}

func (r *record) measurement() study.Measurement {
	m := study.Measurement{ID: r.int("id"), Score: r.float("score"), Bound: r.bound(), SE: r.float("se"), Reason: r.text("reason")}
	if !r.null("others") {
		m.Others, m.OtherBounds = r.outcomes()
	}
	return m
}

// outcomes reads further outcomes, numbers and bounds.
func (r *record) outcomes() (others map[string]float64, bounds map[string]study.Bound) {
	text, ok := r.value("others").(string)
	if !ok {
		text = string(r.bytes("others"))
	}
	var values map[string]any
	if json.Unmarshal([]byte(text), &values) != nil || values == nil {
		r.fail("others", "an object of numbers")
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
			r.fail("others", "an object of numbers and bounds")
		}
		others[name] = number
	}
	return others, bounds
}
