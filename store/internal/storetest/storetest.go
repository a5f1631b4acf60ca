// Package storetest is the test suite of stores of eventlog, beside that of study.Store.
package storetest

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

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

// Save saves events.
func Save(t *testing.T, s study.Store, events ...study.Event) {
	t.Helper()
	for _, e := range events {
		if err := s.Save(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
}

// Holds compares the events of a store, to the bit.
func Holds(t *testing.T, s study.Store, want []study.Event) {
	t.Helper()
	got, err := s.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for i := range want {
		if got, want := fmt.Sprintf("%#v", got[i]), fmt.Sprintf("%#v", want[i]); got != want { // it tells −0 from 0 and nil from empty
			t.Fatalf("event %d:\ngot  %s\nwant %s", i+1, got, want)
		}
	}
}

// Store is studytest.Store, and checks that any events come back.
func Store(t *testing.T, open func(t *testing.T) study.Store, reopen func(t *testing.T, s study.Store) study.Store) {
	studytest.Store(t, open, reopen)
	t.Run("any events", func(t *testing.T) {
		s, want := open(t), anyEvents()
		Save(t, s, want...)
		Holds(t, s, want)
		Holds(t, reopen(t, s), want)
	})
	t.Run("a large event", func(t *testing.T) {
		s, want := open(t), []study.Event{largeEvent(), {Trials: largeEvent().Trials[440:445]}}
		Save(t, s, want...)
		s = reopen(t, s)
		Holds(t, s, want)
		Save(t, s, want[1])
		Holds(t, s, append(want, want[1]))
	})
}

// largeEvent returns an event of hundreds of trials, with up to three measurements, one of which comes twice.
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
	a := study.Proposal{ID: 1, X: "[C][O]", Input: "CO", Kind: study.Acquired, Batch: 1, Mean: 0.5, SD: 0.25, Latent: []float64{1, 2}, Model: 3}
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
	Save(t, s,
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
	var got strings.Builder
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	clock := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if i > 0 {
				got.WriteByte('|')
			}
			got.WriteString(clock.ReplaceAllString(v.String, "TIME"))
		}
		got.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return got.String()
}
