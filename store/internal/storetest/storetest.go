// Package storetest is the test suite of stores of eventlog, beside that of study.Store.
package storetest

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/eventlog"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	zero = math.Copysign(0, -1)
)

// Trial returns a trial with measurements.
func Trial(p study.Proposal, s study.State, score float64, measured ...study.Measurement) study.Trial {
	return study.Trial{Proposal: p, State: s, Score: score, Value: score, Called: s != study.Pending, Measurements: measured}
}

// Store is studytest.Store, and checks that any events come back.
func Store(t *testing.T, open func(t *testing.T) study.Store, reopen func(t *testing.T, s study.Store) study.Store) {
	studytest.Store(t, open, reopen)
	t.Run("any events", func(t *testing.T) {
		s, want := open(t), anyEvents()
		studytest.Save(t, s, want...)
		studytest.Holds(t, s, want)
		studytest.Holds(t, reopen(t, s), want)
	})
	t.Run("a large event", func(t *testing.T) {
		s, want := open(t), []study.Event{largeEvent(), {Trials: largeEvent().Trials[440:445]}}
		studytest.Save(t, s, want...)
		s = reopen(t, s)
		studytest.Holds(t, s, want)
		studytest.Save(t, s, want[1])
		studytest.Holds(t, s, append(want, want[1]))
	})
}

// Closer is a study.Store that is closed.
type Closer interface {
	study.Store
	Close() error
}

// CreateWhole checks that a study that is made with events has all of them or, wherever it is interrupted, is not
// there. It counts what is there.
func CreateWhole(t *testing.T, create func(ctx context.Context, events ...study.Event) (Closer, error), count func() int) {
	var events []study.Event
	for id := 1; id <= 4; id++ {
		p := study.Proposal{ID: id, X: strings.Repeat("A", id), Input: strings.Repeat("A", id)}
		events = append(events, study.Event{Trials: []study.Trial{{Proposal: p, State: study.Pending}}})
	}
	for looks, failed := int64(0), 0; ; looks += 3 {
		s, err := create(newCut(t.Context(), looks), events...)
		if err != nil {
			failed++
			if there := count(); !errors.Is(err, context.Canceled) || there > 0 {
				t.Fatalf("after %d looks: %v, and there are %d", looks, err, there)
			}
			continue
		}
		defer s.Close()
		if failed < 10 {
			t.Errorf("it was made after only %d interrupted attempts", failed)
		}
		studytest.Holds(t, s, events)
		studytest.Save(t, s, events[0])
		studytest.Holds(t, s, append(events, events[0]))
		return
	}
}

// cut is a context that ends when it has been looked at so many times.
type cut struct {
	context.Context
	cancel context.CancelFunc
	looks  atomic.Int64 // of several goroutines
}

func newCut(ctx context.Context, looks int64) *cut {
	c := &cut{}
	c.Context, c.cancel = context.WithCancel(ctx)
	c.looks.Store(looks)
	return c
}

func (c *cut) look() {
	if c.looks.Add(-1) < 0 {
		c.cancel()
	}
}

func (c *cut) Done() <-chan struct{} {
	c.look()
	return c.Context.Done()
}

func (c *cut) Err() error {
	c.look()
	return c.Context.Err()
}

// largeEvent returns an event of hundreds of trials with up to three measurements each. One trial comes twice.
func largeEvent() study.Event {
	var e study.Event
	for i := 1; i <= 450; i++ {
		p := study.Proposal{ID: i, X: strings.Repeat("C", i), Input: strings.Repeat("C", i), Kind: study.Initial, Mean: nan, SD: nan}
		var measured []study.Measurement
		for k := range i % 4 {
			measured = append(measured, study.Measurement{ID: 4*i + k, Score: float64(k), Bound: study.Bound(k - 1)})
		}
		e.Trials = append(e.Trials, Trial(p, study.Scored, float64(i), measured...))
	}
	again := e.Trials[6]
	again.Measurements = again.Measurements[:2:2]
	again.Revised = true
	e.Trials = append(e.Trials, again)
	return e
}

// anyEvents returns events of few different values, so that they repeat, change and take back what was there.
func anyEvents() []study.Event {
	rng := rand.New(rand.NewPCG(1, 0))
	number := func() float64 {
		return [...]float64{0, zero, 1, -2.5, 1.0 / 3, nan, inf, -inf, math.SmallestNonzeroFloat64, math.MaxFloat64, 1 << 60}[rng.IntN(11)]
	}
	bound := func() study.Bound { return study.Bound(rng.IntN(3) - 1) }
	text := func() string {
		return [...]string{"", "C", "CC", "\x00", "C\x00", "\xff\xfe", "ü", "'--", "NULL", "12", `\x31`}[rng.IntN(11)]
	}
	var events []study.Event
	for range 150 {
		e := study.Event{Asked: rng.IntN(2), Taken: rng.IntN(2), Observed: rng.IntN(3) * math.MaxInt32}
		for range rng.IntN(4) {
			p := study.Proposal{ID: 1 + rng.IntN(4), Name: text(), X: text(), Kind: study.Kind(text()), Batch: rng.IntN(2), Mean: number(), Model: rng.IntN(2)}
			if p.Input = p.X; rng.IntN(2) == 0 {
				p.Input = text()
			}
			switch rng.IntN(3) {
			case 0:
				p.Latent = []float64{}
			case 1:
				p.Latent = []float64{number(), number()}
			}
			if rng.IntN(3) == 0 {
				p.Forecast = &study.Forecast{Mean: []float64{1.0 / 3, zero}, SD: []float64{math.MaxFloat64, math.SmallestNonzeroFloat64}, Chance: float64(rng.IntN(2))}
			}
			v := study.Trial{Proposal: p, State: study.State(rng.IntN(6)), Score: number(), Bound: bound(), Value: number(), Variance: number(), Reason: text(), Called: rng.IntN(2) == 0, Revised: rng.IntN(2) == 0}
			for range rng.IntN(4) {
				m := study.Measurement{ID: rng.IntN(3), Score: number(), Bound: bound(), SE: number(), Reason: text()}
				if rng.IntN(2) == 0 {
					m.Others = map[string]float64{"ü\x00": zero, "b": 1.0 / 3}
				}
				if b := bound(); m.Others != nil && b != study.Exact {
					m.OtherBounds = map[string]study.Bound{"b": b}
				}
				v.Measurements = append(v.Measurements, m)
			}
			e.Trials = append(e.Trials, v)
			if rng.IntN(2) == 0 {
				again := Trial(p, study.Pending, nan)
				again.Called = false
				e.Trials = append(e.Trials, again)
			}
		}
		events = append(events, e)
	}
	events[100].State = []byte{}
	return events
}

// Views checks what people query. The store is empty, and the only one of the database.
func Views(t *testing.T, s study.Store, db *sql.DB) {
	a := study.Proposal{ID: 1, X: "[C][O]", Input: "CO", Kind: study.Acquired, Batch: 1, Mean: 0.5, SD: 0.25, Latent: []float64{1, 2}, Model: 3,
		Forecast: &study.Forecast{Mean: []float64{0.5, -1e-300}, SD: []float64{0.1 + 0.2, 0}, Chance: 1.0 / 3}}
	b := study.Proposal{ID: 2, X: "[N]", Input: "N", Kind: study.Acquired, Batch: 1, Mean: nan, SD: nan}
	c := study.Proposal{ID: 3, X: "CCC", Input: "CCC", Kind: study.External, Mean: nan, SD: nan}
	d := study.Proposal{ID: 4, X: "O", Input: "O", Kind: study.Initial, Mean: nan, SD: nan}
	e := study.Proposal{ID: 5, X: "S", Input: "S", Kind: study.Initial, Mean: nan, SD: nan}
	bounded := func(p study.Proposal, b study.Bound) study.Trial {
		t := Trial(p, study.Scored, 7.5, study.Measurement{ID: p.ID, Score: 7.5, Bound: b, Others: map[string]float64{"logP": 0.1}, OtherBounds: map[string]study.Bound{"logP": b}})
		t.Bound = b
		return t
	}
	moved := a
	moved.Latent = []float64{3, 4}
	pending := func(p study.Proposal) study.Trial {
		return study.Trial{Proposal: p, State: study.Pending, Score: nan, Value: nan}
	}
	studytest.Save(t, s,
		study.Event{Trials: []study.Trial{pending(a), pending(b)}, Asked: 2},
		study.Event{Trials: []study.Trial{Trial(a, study.Failed, nan, study.Measurement{ID: 1, Score: nan, Reason: "did not dock"})}},
		study.Event{Trials: []study.Trial{Trial(c, study.Scored, -1, study.Measurement{ID: 2, Score: -1})}},
		study.Event{Trials: []study.Trial{Trial(moved, study.Scored, 4, study.Measurement{ID: 1, Score: 3, SE: 0.5}, study.Measurement{ID: 3, Score: 5, Others: map[string]float64{"logP": 2.5}})}},
		study.Event{Trials: []study.Trial{bounded(d, study.Above), bounded(e, study.Below)}},
	)
	for _, q := range []struct{ query, want string }{
		{`SELECT trial, state, score_bound, score, mean, sd, batch, kind, x, input, CASE WHEN called THEN 'called' END, measurements, model, proposed, answered
			FROM trials ORDER BY trial`,
			"1|scored||4|0.5|0.25|1|acquired|[C][O]|CO|called|2|3|TIME|TIME\n2|pending|||||1|acquired|[N]|N||0|0|TIME|\n3|scored||-1|||0|external|CCC|CCC|called|1|0||TIME\n" +
				"4|scored|>|7.5|||0|initial|O|O|called|1|0||TIME\n5|scored|<|7.5|||0|initial|S|S|called|1|0||TIME\n"},
		{"SELECT trial, measurement, score_bound, score, se, reason, others, at FROM measurements ORDER BY measurement, trial",
			"1|1||3|0.5|||TIME\n3|2||-1|0|||TIME\n1|3||5|0||{\"logP\":2.5}|TIME\n4|4|>|7.5|0||{\"logP\":\">0.1\"}|TIME\n5|5|<|7.5|0||{\"logP\":\"<0.1\"}|TIME\n"},
		{"SELECT count(*) FROM proposals UNION ALL SELECT count(*) FROM answers", "6\n6\n"}, // nothing is there twice
	} {
		if got := Query(t, db, q.query); got != q.want {
			t.Errorf("%s:\n%swant\n%s", q.query, got, q.want)
		}
	}
}

// Query returns rows as lines of text, in which times are TIME.
func Query(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	clock := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var got strings.Builder
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		fields := make([]string, len(values))
		for i, v := range values {
			fields[i] = clock.ReplaceAllString(v.String, "TIME")
		}
		fmt.Fprintln(&got, strings.Join(fields, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return got.String()
}

// OldRows returns statements that write OldEvents as programs did before there were bounds. study is the ID of the
// study, or empty where tables have no such column.
func OldRows(study string) []string {
	var statements []string
	for _, rows := range []struct{ table, columns, values string }{
		{"events", "id, at, asked, taken, observed", "1, '2026-05-04T09:30:00.000Z', 0, 0, 0"},
		{"events", "id, at, asked, taken, observed", "2, '2026-05-04T09:30:01.000Z', 5, 1, 1"},
		{"events", "id, at, asked, taken, observed", "3, '2026-05-05T10:00:00.000Z', 0, 0, 0"},
		{"proposals", "id, trial, name, x, kind, batch, model", "1, 1, 'CMP-1', 'CCO', 'initial', 0, 0"},
		{"proposals", "id, trial, name, x, kind, batch, mean, sd, model", "2, 2, '', 'CCN', 'acquired', 1, 1.5, 0.25, 0"},
		{"changes", "id, event, proposal, state, score, value, variance, reason, called, revised, measurements", "1, 1, 1, 'scored', 2.5, -2.5, 0.0, '', FALSE, FALSE, 1"},
		{"changes", "id, event, proposal, state", "2, 2, 2, 'pending'"},
		{"changes", "id, event, proposal, state, score, value, variance, reason, called, revised, measurements", "3, 3, 2, 'scored', 1.75, -1.75, 0.01, '', TRUE, FALSE, 1"},
		{"answers", "change, position, id, score, se, reason", "1, 1, 1, 2.5, 0.0, ''"},
		{"answers", "change, position, id, score, se, reason", "3, 1, 2, 1.75, 0.1, ''"},
	} {
		if study != "" {
			rows.columns, rows.values = "study, "+rows.columns, study+", "+rows.values
		}
		statements = append(statements, "INSERT INTO "+rows.table+" ("+rows.columns+") VALUES ("+rows.values+")")
	}
	return statements
}

// OldEvents are those of OldRows.
func OldEvents() []study.Event {
	given := study.Proposal{ID: 1, Name: "CMP-1", X: "CCO", Input: "CCO", Kind: study.Initial, Mean: nan, SD: nan}
	asked := study.Proposal{ID: 2, X: "CCN", Input: "CCN", Kind: study.Acquired, Batch: 1, Mean: 1.5, SD: 0.25}
	return []study.Event{
		{Trials: []study.Trial{{Proposal: given, State: study.Scored, Score: 2.5, Value: -2.5, Measurements: []study.Measurement{{ID: 1, Score: 2.5}}}}},
		{Trials: []study.Trial{{Proposal: asked, State: study.Pending, Score: nan, Value: nan}}, Asked: 5, Taken: 1, Observed: 1},
		{Trials: []study.Trial{{Proposal: asked, State: study.Scored, Score: 1.75, Value: -1.75, Variance: 0.01, Called: true, Measurements: []study.Measurement{{ID: 2, Score: 1.75, SE: 0.1}}}}},
	}
}

// Migrated checks a store of OldEvents that was opened for writing: it holds them, and takes bounds.
func Migrated(t *testing.T, s study.Store) {
	t.Helper()
	studytest.Holds(t, s, OldEvents())
	revised := OldEvents()[2].Trials[0]
	revised.Revised, revised.Bound = true, study.Above
	revised.Measurements = append(revised.Measurements, study.Measurement{ID: 3, Score: 4.5, Bound: study.Above, Others: map[string]float64{"logP": math.Pi}, OtherBounds: map[string]study.Bound{"logP": study.Below}})
	e := study.Event{Trials: []study.Trial{revised}}
	studytest.Save(t, s, e)
	studytest.Holds(t, s, append(OldEvents(), e))
}

// Lender is a store that keeps leases.
type Lender interface {
	SaveLeases(ctx context.Context, leases []eventlog.Lease) error
	Leases(ctx context.Context) ([]eventlog.Lease, error)
}

// Leases checks that the latest lease of each trial is kept. reopen closes a store and opens it to read.
func Leases(t *testing.T, s Lender, reopen func() Lender) {
	at := time.Date(2026, 5, 4, 9, 30, 0, 125e6, time.UTC)
	first := []eventlog.Lease{{Trial: 7, Granted: at, For: time.Hour}, {Trial: 3, Granted: at, For: 1500 * time.Millisecond}}
	again := []eventlog.Lease{{Trial: 7, Granted: at.Add(-time.Minute), For: time.Second}}
	for _, leases := range [][]eventlog.Lease{first, again, nil} {
		if err := s.SaveLeases(t.Context(), leases); err != nil {
			t.Fatal(err)
		}
	}
	s = reopen()
	if got, err := s.Leases(t.Context()); err != nil || !reflect.DeepEqual(got, []eventlog.Lease{first[1], again[0]}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := s.SaveLeases(t.Context(), first); !usage.Is(err) {
		t.Errorf("to a store that is open to read: %v", err)
	}
}

// Historian is a store that knows what was measured, and when.
type Historian interface {
	study.Store
	History(ctx context.Context, trial int) ([]eventlog.Change, error)
	Latest(ctx context.Context) (time.Time, error)
}

// History checks that a correction is in the history of its trial beside what it replaced, and nothing of other trials is.
func History(t *testing.T, s Historian) {
	if at, err := s.Latest(t.Context()); err != nil || !at.IsZero() {
		t.Errorf("before any event the latest is at %v, %v", at, err)
	}
	p, other := study.Proposal{ID: 1, X: "A", Input: "A", Kind: study.Initial}, study.Proposal{ID: 2, X: "B", Input: "B", Kind: study.Initial}
	first, second, corrected := study.Measurement{ID: 1, Score: 1}, study.Measurement{ID: 3, Score: 4, Bound: study.Above}, study.Measurement{ID: 1, Score: 2, SE: 0.5}
	studytest.Save(t, s,
		study.Event{Trials: []study.Trial{Trial(p, study.Scored, 1, first), Trial(other, study.Scored, 7, study.Measurement{ID: 2, Score: 7})}},
		study.Event{Trials: []study.Trial{Trial(p, study.Scored, 1, first, second)}},
		study.Event{Trials: []study.Trial{Trial(p, study.Scored, 2, corrected, second)}})
	history, err := s.History(t.Context(), 1)
	if err != nil || len(history) != 3 {
		t.Fatalf("%v, %v", history, err)
	}
	for i, want := range []eventlog.Change{{Position: 1, Measurement: first}, {Position: 2, Measurement: second}, {Position: 1, Measurement: corrected}} {
		if got := history[i]; got.Position != want.Position || !reflect.DeepEqual(got.Measurement, want.Measurement) || time.Since(got.At) > time.Minute {
			t.Errorf("change %d is %+v, want %+v", i+1, got, want)
		}
	}
	if at, err := s.Latest(t.Context()); err != nil || at != history[2].At {
		t.Errorf("the latest event is at %v, %v, and the correction at %v", at, err, history[2].At)
	}
	if none, err := s.History(t.Context(), 9); err != nil || len(none) > 0 {
		t.Errorf("of no trial: %v, %v", none, err)
	}
}

func event(i int) study.Event {
	p := study.Proposal{ID: i, X: strings.Repeat("C", i%100), Input: strconv.Itoa(i), Latent: make([]float64, 32)}
	return study.Event{Asked: i, Trials: []study.Trial{Trial(p, study.Scored, float64(i), study.Measurement{ID: i, Score: float64(i)})}}
}

// SaveUntilKilled saves events beside those of a store, and prints the number of each that is saved.
func SaveUntilKilled(ctx context.Context, s study.Store) error {
	events, err := s.Events(ctx)
	if err != nil {
		return err
	}
	for i := len(events) + 1; ; i++ {
		if err := s.Save(ctx, event(i)); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

// Killed checks that what was saved is there after a kill, and that the next process opens the store at once. The test
// program, started with a variable of the environment, calls SaveUntilKilled; check opens the store after each kill,
// and calls holds with it.
func Killed(t *testing.T, kills int, variable, value string, check func(kill int, holds func(study.Store))) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	saved := 0
	for kill := range kills {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), variable+"="+value)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, left := bufio.NewScanner(out), 1+rng.IntN(30)
		for lines.Scan() { // what it printed after the kill, too
			if saved, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatal(err)
			}
			if left--; left == 0 {
				if err := child.Process.Kill(); err != nil { // it saves the next ones meanwhile
					t.Fatal(err)
				}
			}
		}
		if err := child.Wait(); err == nil || left > 0 {
			t.Fatalf("kill %d: the child ended by itself: %v", kill+1, err)
		}
		check(kill, func(s study.Store) {
			events, err := s.Events(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(events) < saved || len(events) > saved+1 {
				t.Fatalf("kill %d: Save returned for %d events, and %d are there", kill+1, saved, len(events))
			}
			var want []study.Event
			for i := range events {
				want = append(want, event(i+1))
			}
			studytest.Holds(t, s, want)
		})
	}
	t.Logf("%d kills, %d events", kills, saved)
}
