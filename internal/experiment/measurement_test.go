package experiment_test

import (
	"math"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/study"
)

// A row repeats a measurement with the same score or failure unless it contradicts a further outcome, and one with
// further outcomes alone if all are known.
func TestRepeats(t *testing.T) {
	nan := math.NaN()
	tox := func(v float64) map[string]float64 { return map[string]float64{"tox": v} }
	trial := study.Trial{Measurements: []study.Measurement{{Score: 2, Others: tox(0.5)}, {Score: nan, Reason: "lost"}, {Score: nan, Others: map[string]float64{"yield": 7}}}}
	for _, test := range []struct {
		name string
		row  table.Record
		want bool
	}{
		{"the score", table.Record{State: table.Measured, Score: 2}, true},
		{"another score", table.Record{State: table.Measured, Score: 3}, false},
		{"a bound", table.Record{State: table.Measured, Score: 2, Bound: 1}, false},
		{"the score and its outcome", table.Record{State: table.Measured, Score: 2, Others: tox(0.5)}, true},
		{"the score and another outcome", table.Record{State: table.Measured, Score: 2, Others: tox(0.75)}, false},
		{"the failure", table.Record{State: table.Failed, Score: nan, Reason: table.Reason{Text: "lost"}}, true},
		{"another failure", table.Record{State: table.Failed, Score: nan, Reason: table.Reason{Text: "spilled"}}, false},
		{"nothing", table.Record{Score: nan}, false},
		{"a known outcome", table.Record{Score: nan, Others: tox(0.5)}, true},
		{"an outcome that no measurement has", table.Record{Score: nan, Others: map[string]float64{"mass": 1}}, false},
	} {
		if got := experiment.Repeats(trial, test.row); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
