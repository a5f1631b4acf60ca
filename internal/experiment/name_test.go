package experiment_test

import (
	"strconv"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/study"
)

// A row whose score is known already gives its string a name, once: to tell a table again changes nothing, however it
// calls its rows.
func TestNameOfKnownRow(t *testing.T) {
	rows := words()
	rows[0].ID = ""
	b, path := create(t, rows)
	row := rows[0]
	for _, test := range []struct{ id, name string }{{"X1", "X1"}, {"X1", "X1"}, {"X2", "X1"}} {
		row.ID = test.id
		before := b.Latest()
		if got := tell(t, b, false, row); got != "1 known already" {
			t.Errorf("told %s: %s", test.id, got)
		}
		if got := b.Page(0, 1)[0]; got.Name != test.name || len(got.Measurements) != 1 || got.Score != row.Score {
			t.Errorf("after %s: %+v, want the name %s", test.id, got, test.name)
		}
		if now := b.Latest(); test.id == "X2" && now != before {
			t.Errorf("told again, %d events are stored", now-before)
		}
	}
	if got := reopen(t, b, path).Page(0, 1)[0].Name; got != "X1" {
		t.Errorf("reopened, it is called %q", got)
	}
}

// To correct a further outcome leaves the score a bound, with its standard error.
func TestCorrectOutcomeOfBound(t *testing.T) {
	b, _ := create(t, words(), study.Constraint{Outcome: "toxicity", Op: "<", Bound: 1})
	row := with(table.Record{Input: "ACDEAD", State: table.Measured, Score: 10000, Bound: 1, SE: 3}, 0.5)
	tell(t, b, false, row)
	if _, err := b.Correct(t.Context(), 7, 1, with(table.Record{State: table.Measured, Score: nan}, 0.25)); err != nil {
		t.Fatal(err)
	}
	if m := b.Page(6, 1)[0].Measurements[0]; m.Score != 10000 || m.Bound != study.Above || m.SE != 3 || m.Others["toxicity"] != 0.25 {
		t.Errorf("corrected: %+v", m)
	}
}

// A table that corrects a score to a failure leaves the outcomes that it does not name; a measurement that is corrected
// to a failure has none.
func TestCorrectToFailure(t *testing.T) {
	failed := table.Record{Input: "ACDEAD", Score: nan, State: table.Failed, Reason: table.Reason{Text: "dead"}}
	also := failed
	also.OtherFailed = map[string]string{"toxicity": "dead"}
	told := func(r table.Record) func(*experiment.Experiment) error {
		return func(b *experiment.Experiment) error {
			_, err := b.Tell(t.Context(), []table.Record{r}, true)
			return err
		}
	}
	for _, test := range []struct {
		name string
		want int // outcomes
		how  func(*experiment.Experiment) error
	}{
		{"told", 1, told(failed)},
		{"told with the outcome", 0, told(also)},
		{"corrected", 0, func(b *experiment.Experiment) error {
			_, err := b.Correct(t.Context(), 7, 1, failed)
			return err
		}},
	} {
		b, _ := create(t, words(), study.Constraint{Outcome: "toxicity", Op: "<", Bound: 1})
		tell(t, b, false, with(table.Record{Input: "ACDEAD", State: table.Measured, Score: 3}, 0.5))
		if err := test.how(b); err != nil {
			t.Fatal(err)
		}
		m := b.Page(6, 1)[0].Measurements
		if len(m) != 1 || m[0].Reason != "dead" || len(m[0].Others) != test.want {
			t.Errorf("%s: %+v, want a failure with %d outcomes", test.name, m, test.want)
		}
	}
}

// A part that waits for the rest can be corrected, and is no measurement to strike.
func TestCorrectPart(t *testing.T) {
	b, _ := create(t, words(), study.Constraint{Outcome: "toxicity", Op: "<", Bound: 1})
	asked, err := b.Ask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	id := asked[0].ID
	part := func(v float64) table.Record { return with(table.Record{Input: asked[0].Input, Score: nan}, v) }
	tell(t, b, false, part(0.5))
	if what, err := b.Correct(t.Context(), id, 0, part(0.25)); err != nil || what != experiment.Corrected {
		t.Errorf("%s, %v", what, err)
	}
	if got := b.Lookup(asked[0].X); got.State != study.Pending || got.Measurements[0].Others["toxicity"] != 0.25 {
		t.Errorf("corrected: %+v", got)
	}
	if what, err := b.Strike(t.Context(), id, 0, "wrong well"); err == nil {
		t.Errorf("the part of a proposal was struck: %s", what)
	}
}

// A measured compound keeps its name when it is measured under another one, and a proposal its number when it gets a name.
func TestNamesAreKept(t *testing.T) {
	b, _ := create(t, words())
	row := words()[0]
	was := b.Page(0, 1)[0].Name
	row.ID, row.Score = "another", row.Score+1
	if got := tell(t, b, false, row); got != "1 another measurement" {
		t.Errorf("told under another name: %s", got)
	}
	if got := b.Page(0, 1)[0].Name; got != was || was == "" {
		t.Errorf("a compound is called %q, and was %q", got, was)
	}
	proposed, err := b.Ask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	p := proposed[0]
	if got := tell(t, b, false, table.Record{ID: "REG-1", Input: p.Input, State: table.Measured, Score: 1}); got != strconv.Itoa(p.ID)+" measured" {
		t.Errorf("told as REG-1: %s", got)
	}
	if got := tell(t, b, false, table.Record{ID: strconv.Itoa(p.ID), State: table.Measured, Score: 2}); got != strconv.Itoa(p.ID)+" another measurement" {
		t.Errorf("told by its number: %s", got)
	}
}

// Studies of versions that kept the charges of ions go on keeping them.
func TestStudiesThatKeptCharges(t *testing.T) {
	if strip := (experiment.Columns{}).Strip(); !strip.KeepCharges || strip.KeepSalts {
		t.Errorf("columns of an earlier version: %+v", strip)
	}
	if strip := (experiment.Columns{Neutral: true}).Strip(); strip.KeepCharges {
		t.Errorf("columns of this version: %+v", strip)
	}
}
