package evolve

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// A regression finds the coefficients that outcomes were drawn with, and stays finite where x separates them.
func TestLogistic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	want := []float64{3, -0.8}
	var x [][]float64
	var y []float64
	for range 4_000 {
		v := float64(rng.IntN(8))
		x = append(x, []float64{v})
		if rng.Float64() < 1/(1+math.Exp(-want[0]-want[1]*v)) {
			y = append(y, 1)
		} else {
			y = append(y, 0)
		}
	}
	for j, c := range logistic(x, y) {
		if math.Abs(c-want[j]) > 0.2 {
			t.Errorf("coefficient %d: %g, want %g", j, c, want[j])
		}
	}
	separated := logistic([][]float64{{1}, {1}, {2}, {2}, {3}, {3}}, []float64{1, 1, 1, 1, 0, 0})
	if c := separated[1]; !(c < -0.5 && c > -5) {
		t.Errorf("separated: slope %g", c)
	}
	if c := logistic([][]float64{nil, nil, nil, nil}, []float64{1, 1, 1, 0}); len(c) != 1 || math.Abs(c[0]-math.Log(3)) > 0.2 {
		t.Errorf("without a trend: %v, want about log 3", c)
	}
}

// If a string that was picked fails, so may those that are like it, by the odds of later picks; afterwards nothing is
// left of that.
func TestHedge(t *testing.T) {
	s, err := New(Space{
		Operators: []Operator{{Name: "none", Make: func(context.Context, [][2]string, *rand.Rand) ([]Child, error) { return nil, nil }}},
		Kernels:   []gp.Term{{Kernel: gp.Overlap}}, Read: lettersOf, Kin: true,
	}, Options{Window: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range scoredWords(60, pairs) {
		trial := study.Trial{State: study.Scored}
		trial.Input = p.x
		if p.y > 1 {
			trial.State = study.Failed
		}
		trial.ID = i + 1
		s.trials = append(s.trials, trial)
	}
	if err := s.fitViable(t.Context()); err != nil {
		t.Fatal(err)
	}
	described := s.reader.read([]string{"abcdabab", "abcdabad", "ddccbbaa"})
	before := s.viable.chances(described)
	h := s.hedge(described)
	odds := slices.Clone(before)
	h.fail(0, odds)
	like, unlike := odds[1]/before[1], odds[2]/before[2]
	if !(like < 0.7 && unlike > 0.9) {
		t.Errorf("had the first failed, the odds of one like it would be %.2g times what they are, of another %.2g times", like, unlike)
	}
	h.release()
	if !slices.Equal(s.viable.chances(described), before) {
		t.Error("what was supposed stays")
	}
}

// Hyperparameters are chosen again when there are a quarter more trials, also beyond those that the surrogate is fitted to.
func TestViableIsFittedAgain(t *testing.T) {
	s := observer(t)
	s.viable = s.newViable()
	words := scoredWords(mostViable+mostViable/2, pairs)
	for _, step := range []struct{ trials, fitted int }{
		{mostViable, mostViable}, {mostViable + mostViable/5, mostViable}, {mostViable + mostViable/2, mostViable + mostViable/2},
	} {
		for i := len(s.trials); i < step.trials; i++ {
			trial := study.Trial{State: study.Scored}
			trial.Input = words[i].x
			if words[i].y > 1 {
				trial.State = study.Failed
			}
			trial.ID = i + 1
			s.trials = append(s.trials, trial)
		}
		if err := s.fitViable(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.viable.model.Fitted; got != step.fitted {
			t.Errorf("%d trials: chosen for %d, want %d", step.trials, got, step.fitted)
		}
	}
}

// The chance of being scored counts more after each batch that failed for the most part, until one does not.
func TestCautious(t *testing.T) {
	tests := []struct {
		name    string
		batches []string // f: failed, s: scored; the first is given
		want    float64
	}{
		{"nothing is proposed", []string{"sfff"}, 1},
		{"a good batch", []string{"sf", "ssfs"}, 1},
		{"a bad batch", []string{"sf", "fffs"}, 2},
		{"three bad batches", []string{"sf", "ff", "fff", "ffs"}, 8},
		{"a good one in between", []string{"sf", "ff", "sss", "ffs"}, 2},
		{"one by one", []string{"sf", "f", "f", "f", "f", "f", "f", "f"}, 32},
	}
	for _, test := range tests {
		s := &Searcher{}
		for batch, results := range test.batches {
			for _, r := range results {
				trial := study.Trial{State: study.Scored}
				trial.ID, trial.Batch = len(s.trials)+1, batch
				if batch > 0 {
					trial.Kind = study.Acquired
				}
				if r == 'f' {
					trial.State = study.Failed
				}
				s.trials = append(s.trials, trial)
			}
		}
		if got := s.cautious(); got != test.want {
			t.Errorf("%s: %g, want %g", test.name, got, test.want)
		}
	}
}

// A best value that stands apart is followed at first, and no longer once what followed it is not as good; a second
// measurement is believed, and so is a score with a standard error; bounds are as they are.
func TestDoubtSlip(t *testing.T) {
	scores := []float64{70.23, 5, 5.5, 6, 6.2, 6.4, 6.9, 7.1, 7.5, 8.1, 8.48}
	read := func(sober bool, more []float64, times int) float64 {
		s := &Searcher{opts: Options{Sober: sober, Window: 100}}
		for i, v := range slices.Concat(scores, more) {
			trial := study.Trial{State: study.Scored, Measurements: []study.Measurement{{Score: v}}}
			trial.ID = i + 1
			trial.Value = v
			if i >= len(scores) {
				trial.Batch = 1
				trial.Kind = study.Acquired
			}
			if i == 0 {
				trial.Measurements = slices.Repeat(trial.Measurements, times)
			}
			s.trials = append(s.trials, trial)
		}
		trials, _ := s.window(phase{})
		return s.points(trials)[0].y
	}
	if y := read(true, nil, 1); math.Abs(y-(2*8.48-6.9)) > 1e-9 {
		t.Errorf("a slip: %g, want what is as far above 8.48 as the median is below", y)
	}
	if y := read(true, []float64{7.2, 7.3, 7.1}, 1); y != 8.48 {
		t.Errorf("a slip that was followed in vain: %g, want 8.48", y)
	}
	if y := read(true, nil, 2); y != 70.23 {
		t.Errorf("measured twice: %g", y)
	}
	if y := read(false, nil, 1); y != 70.23 {
		t.Errorf("of a program: %g", y)
	}
	if y := read(true, []float64{60, 30, 7.1}, 1); y != 70.23 {
		t.Errorf("beside others that are as good: %g", y)
	}

	// Likewise of a further outcome, whatever is known of the score; a score with a standard error is believed.
	s := &Searcher{opts: Options{Sober: true, Window: 100}}
	for i, v := range scores {
		trial := study.Trial{State: study.Scored, Value: v, Variance: 0.04, Measurements: []study.Measurement{
			{Score: v, SE: 0.2, Others: map[string]float64{"size": v}},
		}}
		trial.ID = i + 1
		s.trials = append(s.trials, trial)
	}
	trials, _ := s.window(phase{})
	o := objective{Objective: study.Objective{Name: "size"}}
	if y := s.doubtSlip(s.readings("size", trials, o.Reading), trials, "size")[0].y; math.Abs(y-(2*8.48-6.9)) > 1e-9 {
		t.Errorf("a slip in an outcome beside a standard error of the score: %g, want what is as far above 8.48 as the median is below", y)
	}
	if y := s.points(trials)[0].y; y != scores[0] {
		t.Errorf("a score with a standard error: %g, want %g", y, scores[0])
	}

	s = &Searcher{opts: Options{Sober: true, Window: 100}}
	for i, v := range []float64{70, 5, 5, 5, 5, 6, 6.1, 6.2, 6.3, 6.4, 6.5} {
		trial := study.Trial{State: study.Scored, Measurements: []study.Measurement{{Score: v}}, Score: v, Value: v}
		trial.ID = i + 1
		if v != 5 {
			trial.Bound, trial.Measurements[0].Bound = study.Above, study.Above
		}
		s.trials = append(s.trials, trial)
	}
	trials, _ = s.window(phase{})
	if y := s.points(trials)[0].y; y != 70 {
		t.Errorf("a bound: %g", y)
	}
}
