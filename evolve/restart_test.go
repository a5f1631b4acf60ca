package evolve

import (
	"math"
	"slices"
	"testing"
)

func TestPhases(t *testing.T) {
	start := []point{{y: 1}, {y: 2}}
	of := func(scores ...float64) []point {
		points := slices.Clone(start)
		for _, y := range scores {
			points = append(points, point{y: y, acquired: true})
		}
		return points
	}
	for _, test := range []struct {
		name        string
		patience    int
		points      []point
		phase, from int
	}{
		{"nothing is known", 3, nil, 0, 0},
		{"the initial design does not count", 3, []point{{y: 2}, {y: 1}, {y: 1}, {y: 1}, {y: 1}}, 0, 0},
		{"nor do strings from elsewhere", 3, append(of(1, 1), point{y: 1}, point{y: 1}), 0, 0},
		{"but their best does", 3, append(of(1, 1), point{y: 7}, point{y: 6, acquired: true}), 1, 6},
		{"patience lasts", 3, of(1, 1), 0, 0},
		{"patience ends", 3, of(1, 1, 1), 1, 5},
		{"a score as good as the best is no new best", 3, of(2, 2, 2), 1, 5},
		{"a new best renews patience", 3, of(1, 1, 3, 1, 1), 0, 0},
		{"a restart has a best of its own", 3, of(9, 1, 1, 1, 3, 4, 5, 5, 5), 1, 6},
		{"what was found before a restart is beaten or not: it ends by its own best", 3, of(9, 1, 1, 1, 3, 4, 5, 5, 5, 5), 2, 0},
		{"all that is known serves after a restart", 3, of(9, 1, 1, 1, 1, 1, 1, 9, 9), 2, 0},
		{"and then there is the next one", 3, of(9, 1, 1, 1, 1, 1, 1, 9, 9, 9), 3, 12},
		{"its best is not that of the first restart", 3, of(9, 1, 1, 1, 5, 1, 1, 1, 9, 9, 9, 3, 1, 1), 3, 13},
		{"no patience is no restart", -1, of(1, 1, 1, 1, 1, 1, 1, 1), 0, 0},
		{"a string that violates a constraint is no best", 3, append(of(1, 1), point{y: 5, acquired: true, violates: true}), 1, 5},
		{"a string that has no score any more does not count", 3, append(of(1, 1), point{y: math.NaN(), acquired: true, gone: true}), 0, 0},
	} {
		s := &Searcher{opts: Options{Patience: test.patience}, points: test.points}
		if phase, from := s.now(); phase != test.phase || from != test.from {
			t.Errorf("%s: phase %d from point %d, want %d from %d", test.name, phase, from, test.phase, test.from)
		}
	}
}

// A restart looks at what was given, also since then, and at what it finds itself.
func TestWindowOfARestart(t *testing.T) {
	s := &Searcher{opts: Options{Window: 100, Patience: 2}, points: []point{
		{trial: 1}, {trial: 2, y: 1, acquired: true}, {trial: 3, acquired: true}, {trial: 4, acquired: true, gone: true},
		{trial: 5, acquired: true}, {trial: 6, y: 0.5, acquired: true}, {trial: 7},
	}}
	_, from := s.now()
	window, scored := s.window(from)
	var trials []int
	for _, p := range window {
		trials = append(trials, p.trial)
	}
	if want := []int{1, 6, 7}; !slices.Equal(trials, want) || scored != len(want) {
		t.Errorf("trials %d of %d scored, want %d", trials, scored, want)
	}
}
