package storetest

import (
	"math"
	"testing"

	"github.com/invbo/invbo/study"
)

// OldRows returns statements that write OldEvents as programs did before there were bounds. study is the ID of the study, or empty
// where tables have no such column.
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
	Holds(t, s, OldEvents())
	revised := OldEvents()[2].Trials[0]
	revised.Revised, revised.Bound = true, study.Above
	revised.Measurements = append(revised.Measurements, study.Measurement{ID: 3, Score: 4.5, Bound: study.Above, Others: map[string]float64{"logP": math.Pi}, OtherBounds: map[string]study.Bound{"logP": study.Below}})
	e := study.Event{Trials: []study.Trial{revised}}
	Save(t, s, e)
	Holds(t, s, append(OldEvents(), e))
}
