package study

import (
	"math"
	"slices"
)

// ValueBound returns the bound of Value: that of Score, turned round where lower scores are better.
func (t *Trial) ValueBound() Bound {
	if math.Signbit(t.Value) != math.Signbit(t.Score) { // −Score has the other sign, 0 included
		return -t.Bound
	}
	return t.Bound
}

// Counts reports whether a trial may be the best: it has a score, keeps the constraints, and its value is not only known to be below
// something.
func (t *Trial) Counts(constraints []Constraint) bool {
	return t.State == Scored && t.ValueBound() != Below && t.Violates(constraints) == ""
}

// Better reports whether a trial that counts is better than another one that counts, or has no score. A value that is known to be above
// something counts as that, and as better than the same value if that is exact.
func (t *Trial) Better(than *Trial) bool {
	if t.Value == than.Value {
		return t.ValueBound() > than.ValueBound()
	}
	return t.Value > than.Value || math.IsNaN(than.Value) && !math.IsNaN(t.Value)
}

// Ranked returns the trials that count under constraints, the best first and the earlier one first among equals.
func Ranked(trials []Trial, constraints []Constraint) []Trial {
	var ranked []Trial
	for i := range trials {
		if trials[i].Counts(constraints) {
			ranked = append(ranked, trials[i])
		}
	}
	slices.SortStableFunc(ranked, func(a, b Trial) int {
		switch {
		case a.Better(&b):
			return -1
		case b.Better(&a):
			return 1
		}
		return 0
	})
	return ranked
}

// Ranked returns the study's trials that may be the best, the best first and the earlier one first among equals.
func (s *Study) Ranked() []Trial { return Ranked(s.Trials(), s.problem.Constraints) }
