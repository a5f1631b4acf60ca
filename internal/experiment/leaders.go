package experiment

import (
	"slices"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

const mostLeaders = 10

// Leaders are the ten best scores of a run. RunSpec.Stale counts calls by them, and PMO's score is made of their mean.
type Leaders struct {
	Calls int // oracle calls, those for the initial design included

	top   []float64 // ascending; larger is better
	fresh bool      // one was found since the latest call of Stale
	last  int       // Calls when Stale learnt of the latest one
}

// Take counts a trial, and keeps its score if it is among the ten best.
func (l *Leaders) Take(t study.Trial) {
	if t.Called {
		l.Calls++
	}
	if t.Counts(nil) && (len(l.top) < mostLeaders || t.Value > l.top[0]) {
		at, _ := slices.BinarySearch(l.top, t.Value)
		l.top = slices.Insert(l.top, at, t.Value)
		l.top = l.top[max(0, len(l.top)-mostLeaders):]
		l.fresh = true
	}
}

// Stale returns the number of calls since a batch had one of the ten best. It is called after each batch, so that the result does
// not depend on the order of the answers within a batch.
func (l *Leaders) Stale() int {
	if l.fresh {
		l.fresh, l.last = false, l.Calls
	}
	return l.Calls - l.last
}

// Mean returns the mean of the ten best; 0 without a score.
func (l *Leaders) Mean() float64 {
	if len(l.top) == 0 {
		return 0
	}
	m, _ := stats.MeanStdErr(l.top)
	return m
}
