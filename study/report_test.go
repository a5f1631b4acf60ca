package study_test

import (
	"fmt"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// reporter reports how many trials it has observed.
type reporter struct {
	fresh
	reports int
}

func (r *reporter) Report() study.Report {
	r.reports++
	return study.Report{Gauges: []study.Gauge{{Name: "observed", Value: float64(len(r.seen))}}}
}

// The searcher reports a few times while it observes many trials, as what is reported may depend on all of them; Watch
// is told of its report after the batch.
func TestReports(t *testing.T) {
	const n = 300
	r := &reporter{}
	var watched []float64
	store := &study.Memory{}
	open := func() *study.Study {
		t.Helper()
		design := make([]study.Observation, n)
		for i := range design {
			design[i] = study.Observation{X: fmt.Sprint("known ", i), Measurements: study.Measured(float64(i))}
		}
		watch := func(s study.Status) { watched = append(watched, s.Report.Gauge("observed")) }
		st, err := study.New(t.Context(), study.Problem{Init: design}, r, study.Options{Batch: 3, Store: store, Watch: watch})
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	few := func(what string) {
		t.Helper()
		if r.reports > 10 {
			t.Errorf("%s: %d reports, want a few", what, r.reports)
		}
		r.reports = 0
	}
	st := open()
	asked := ask(t, st, 3)
	few("the initial design is observed")
	for _, p := range asked {
		tell(t, st, p.X, 1)
	}
	if len(watched) != 1 || watched[0] != n+3 {
		t.Errorf("Watch is told that %v trials were observed, want %d at the end of a batch", watched, n+3)
	}
	r.reports = 0
	for i := range n {
		if err := st.Tell(t.Context(), study.Answer{X: fmt.Sprint("told ", i), Result: oracle.Result{Score: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	few("strings are told one by one")
	r = &reporter{}
	st = open()
	ask(t, st, 3)
	few("the study is resumed")
	if got := st.Status().Report.Gauge("observed"); got != 2*n+3 {
		t.Errorf("after Ask %g trials are reported as observed, want %d", got, 2*n+3)
	}
}
