package evolve

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
	"gonum.org/v1/gonum/stat"
)

// lettersOf reads words as pairs of letters.
func lettersOf(x string) (Description, error) {
	if x == "" {
		return Description{}, errors.New("empty")
	}
	pairs := gp.TokenGaps(func(x string) []string { return strings.Split(x, "") }, 3)
	return Description{Groups: []gp.Counts{pairs(x)}}, nil
}

func newModel() *model {
	return &model{kernels: []gp.Term{{Kernel: gp.Overlap}}, reader: newReader(lettersOf)}
}

// scoredWords returns n points whose scores are those of score.
func scoredWords(n int, score func(x string) float64) []point {
	rng := rand.New(rand.NewPCG(1, 1))
	var points []point
	for i := range n {
		x := ""
		for range 8 {
			x += string("abcd"[rng.IntN(4)])
		}
		points = append(points, point{trial: i + 1, x: x, y: score(x)})
	}
	return points
}

func pairs(x string) float64 { return float64(strings.Count(x, "ab") + strings.Count(x, "cd")) }

// At trials, in any order, the prediction is that for their strings, whether the model was fitted to them, exactly or
// as bounds, or not.
func TestModelAtTrials(t *testing.T) {
	points := scoredWords(60, pairs)
	points[7].bound = study.Above
	m := newModel()
	m.reference = "abcdabcd" // whose score is assumed
	if err := m.fit(t.Context(), points[:50], 50); err != nil {
		t.Fatal(err)
	}
	var trials []*study.Trial
	var xs []string
	for i := range points {
		p := points[(i*7+3)%len(points)]
		trials, xs = append(trials, &study.Trial{Proposal: study.Proposal{ID: p.trial}}), append(xs, p.x)
	}
	described := m.reader.read(xs)
	mu, sigma2 := m.atTrials(trials, described)
	wantMu, wantSigma2 := m.predict(described)
	for i := range trials {
		if math.Abs(mu[i]-wantMu[i]) > 1e-8 || math.Abs(sigma2[i]-wantSigma2[i]) > 1e-8 {
			t.Errorf("trial %d: %g ± √%g, want %g ± √%g", trials[i].ID, mu[i], sigma2[i], wantMu[i], wantSigma2[i])
		}
	}
}

// Further kernels are used where they predict far better, of few points and of more than hyperparameters are fitted to,
// and not otherwise: then all is as without them. A restored model has those that were chosen.
func TestFurtherKernels(t *testing.T) {
	first := func(x string) float64 { return 3 * float64(x[0]-'a') }
	read := func(x string) (Description, error) {
		d, err := lettersOf(x[1:]) // the kernel that is always used does not see the first letter
		d.Groups = append(d.Groups, gp.Counts{IDs: []uint64{0}, N: []uint32{1 + uint32(first(x))}})
		return d, err
	}
	noise := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{60, mostFitted + 50} {
		for _, test := range []struct {
			name  string
			score func(x string) float64
			want  int // kernels
		}{
			{"told by the first letter", func(x string) float64 { return pairs(x[1:]) + first(x) }, 2},
			{"told by the others", func(x string) float64 { return pairs(x[1:]) }, 1},
			{"noise", func(string) float64 { return noise.NormFloat64() }, 1},
		} {
			points := scoredWords(n, test.score)
			usual := &model{kernels: []gp.Term{{Kernel: gp.Overlap}}, reader: newReader(read)}
			further := &model{kernels: append(slices.Clone(usual.kernels), gp.Term{Kernel: gp.Laplace, Groups: []int{1}}), further: 1, far: far, reader: newReader(read)}
			for _, m := range []*model{usual, further} {
				if err := m.fit(t.Context(), points, n); err != nil {
					t.Fatal(err)
				}
			}
			restored := &model{kernels: further.kernels, further: 1, far: far, reader: newReader(read)}
			if err := restored.restore(further.hyperparameters); err != nil {
				t.Fatal(err)
			}
			if err := restored.fit(t.Context(), points, n); err != nil {
				t.Fatal(err)
			}
			described := further.reader.read([]string{"aabcdabc", "dabababb"})
			usualMu, _ := usual.predict(described)
			mu, _ := further.predict(described)
			restoredMu, _ := restored.predict(described)
			if got := len(further.Weights); got != test.want || slices.Equal(mu, usualMu) != (test.want == 1) || !slices.Equal(mu, restoredMu) {
				t.Errorf("%d scores %s: %d kernels, want %d; predicted %g, %g without the further one, %g restored", n, test.name, got, test.want, mu, usualMu, restoredMu)
			}
		}
	}
	of := &model{kernels: make([]gp.Term, 4), further: 1}
	few := hyperparameters{Kernels: of.kinds(), Weights: []float64{1, 1}, Noise: 1}
	if err := few.check(of); err == nil {
		t.Error("a model of 3 or 4 kernels takes 2 weights")
	}
}

// Hyperparameters of other kernels, which a study has that an older program began, are fitted anew.
func TestOtherKernels(t *testing.T) {
	m := &model{kernels: []gp.Term{{Kernel: gp.Overlap}}, reader: newReader(lettersOf)}
	older := hyperparameters{Kernels: []gp.Kernel{gp.Tanimoto}, Weights: []float64{7}, Noise: 1, Fitted: 1_000}
	if err := m.restore(older); err != nil {
		t.Fatal(err)
	}
	if m.Weights != nil || m.Fitted != 0 {
		t.Errorf("the weights are %g, fitted to %d scores, want none", m.Weights, m.Fitted)
	}
	if err := m.fit(t.Context(), scoredWords(30, pairs), 30); err != nil {
		t.Fatal(err)
	}
	restored := &model{kernels: m.kernels, reader: m.reader}
	if err := restored.restore(m.hyperparameters); err != nil || !slices.Equal(restored.Weights, m.Weights) {
		t.Errorf("restored %g, %v, want %g", restored.Weights, err, m.Weights)
	}
}

func TestTransformIsChosenByTheData(t *testing.T) {
	for _, test := range []struct {
		name      string
		transform *gp.Transform
		score     func(x string) float64
		want      gp.Transform
	}{
		{"mostly equal scores", nil, func(x string) float64 { return math.Pow(100, max(0, pairs(x)-1)) - 1 }, gp.LogRanks},
		{"equal scores", nil, func(string) float64 { return 3 }, gp.LogRanks},
		{"concentrations that are minimized", nil, func(x string) float64 { return -math.Pow(4, 8-pairs(x)) }, gp.LogDistance},
		{"their logarithms", nil, func(x string) float64 { return pairs(x) - 8 }, gp.Standardise},
		{"active or not", nil, func(x string) float64 { return min(1, pairs(x)) }, gp.Standardise},
		{"fixed", new(gp.Raw), pairs, gp.Raw},
		{"fixed, and mostly equal scores", new(gp.Log), func(x string) float64 { return max(0, pairs(x)-1) }, gp.Log},
	} {
		m := newModel()
		m.given = test.transform
		if err := m.fit(t.Context(), scoredWords(40, test.score), 40); err != nil {
			t.Fatal(err)
		}
		if m.Transform != test.want {
			t.Errorf("%s: %s, want %s", test.name, m.Transform, test.want)
		}
	}
}

// Very bad scores do not keep the surrogate from telling the others apart, whether they are equal or not; other scores
// stay as they are.
func TestOutliers(t *testing.T) {
	for name, bad := range map[string]func(i int) float64{
		"a number for failures": func(int) float64 { return -999 },
		"clashes":               func(i int) float64 { return -1000 - 300*float64(i) },
	} {
		points := scoredWords(120, pairs)
		for i := 0; i < 80; i += 8 {
			points[i].y = bad(i)
		}
		m := newModel()
		if err := m.fit(t.Context(), points[:80], 80); err != nil {
			t.Fatal(err)
		}
		var xs []string
		var want []float64
		for _, p := range points[80:] {
			xs, want = append(xs, p.x), append(want, p.y)
		}
		mu, _ := m.predict(m.reader.read(xs))
		if r := stat.Correlation(mu, want, nil); r < 0.6 {
			t.Errorf("%s: correlation %.2f of predictions with scores", name, r)
		}
	}
	for _, y := range [][]float64{{1}, {0, 0, 0, 5}, {1, 2, 2, 2, 2}, {-50, 1, 2, 3, 4}} {
		points := scoredWords(len(y), pairs)
		for i := range points {
			points[i].y = y[i]
		}
		raiseOutliers(points)
		if got := scores(points); !slices.Equal(got, y) {
			t.Errorf("%g becomes %g, want it as it is", y, got)
		}
	}
}

// A model that grew point by point predicts as one fitted with the same hyperparameters from the start; so does one
// whose window slid, and one that points were taken from.
func TestModelGrows(t *testing.T) {
	points := scoredWords(60, pairs)
	m := newModel()
	if err := m.fit(t.Context(), points[:50], 50); err != nil {
		t.Fatal(err)
	}
	for _, next := range [][]point{points[:51], points[:60], points[5:60], points[5:55]} {
		if err := m.fit(t.Context(), next, len(next)); err != nil {
			t.Fatal(err)
		}
		fresh := *m
		fresh.empty()
		fresh.Fitted = len(next)
		if err := fresh.fit(t.Context(), next, len(next)); err != nil {
			t.Fatal(err)
		}
		at := m.groups(m.reader.read([]string{"abababab", "cccccccc", points[0].x}))
		mu, sigma2 := m.gp.Predict(at)
		wantMu, wantSigma2 := fresh.gp.Predict(at)
		if m.gp.Len() != len(next) || !slices.Equal(mu, wantMu) || !slices.Equal(sigma2, wantSigma2) {
			t.Errorf("%d points: %g ± √%g, want %g ± √%g", m.gp.Len(), mu, sigma2, wantMu, wantSigma2)
		}
	}
}

// Hyperparameters are chosen again when more strings are scored, also once the window is full. Hyperparameters that
// were fitted to equal scores say nothing: the first other score has them fitted again, also after a restore.
func TestFirstDifferenceIsFitted(t *testing.T) {
	points := scoredWords(40, func(string) float64 { return 0 })
	m := newModel()
	if err := m.fit(t.Context(), points, len(points)); err != nil {
		t.Fatal(err)
	}
	restored := newModel()
	if err := restored.restore(m.hyperparameters); err != nil {
		t.Fatal(err)
	}
	points = append(points, point{trial: 41, x: "abababab", y: 2})
	for _, m := range []*model{m, restored} {
		if err := m.fit(t.Context(), points, len(points)); err != nil {
			t.Fatal(err)
		}
		if m.Fitted != len(points) || m.gp.Prior() < 0.01 {
			t.Errorf("fitted to %d of %d scores, with a variance of %g", m.Fitted, len(points), m.gp.Prior())
		}
	}
}

func TestFullWindowIsFittedAgain(t *testing.T) {
	points := scoredWords(60, pairs)
	m := newModel()
	for _, step := range []struct{ scored, fitted int }{{40, 40}, {49, 40}, {50, 50}, {60, 50}} {
		if err := m.fit(t.Context(), points[step.scored-40:step.scored], step.scored); err != nil {
			t.Fatal(err)
		}
		if m.Fitted != step.fitted {
			t.Errorf("a window of 40 of %d strings: chosen for %d, want %d", step.scored, m.Fitted, step.fitted)
		}
	}
}

// A fit that ctx ends part of the way through leaves the next one as it would have been.
func TestFitIsRepeated(t *testing.T) {
	points := scoredWords(40, func(x string) float64 { return math.Exp(3 * pairs(x)) })
	want := newModel()
	if err := want.fit(t.Context(), points, len(points)); err != nil {
		t.Fatal(err)
	}
	if want.Transform == gp.Standardise {
		t.Fatal("the first transform that is tried is chosen: the test needs data for which it is another")
	}
	for after := range 200 {
		m := newModel()
		ctx := &endsAfter{Context: t.Context()}
		ctx.left.Store(int64(after))
		if err := m.fit(ctx, points, len(points)); err == nil {
			break // ctx outlived the fit
		} else if err := m.fit(t.Context(), points, len(points)); err != nil {
			t.Fatal(err)
		}
		if m.Transform != want.Transform || !slices.Equal(m.gp.Weights(), want.gp.Weights()) {
			t.Fatalf("ended at check %d of ctx: transform %s with weights %g, want %s with %g",
				after, m.Transform, m.gp.Weights(), want.Transform, want.gp.Weights())
		}
	}
}

// endsAfter is a context that ends after some looks at it.
type endsAfter struct {
	context.Context
	left atomic.Int64 // fits run side by side
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Predict fits a copy of the surrogate, and leaves the surrogate as it is.
func TestPredictLeavesTheModel(t *testing.T) {
	s := observer(t)
	for i, p := range scoredWords(20, pairs) {
		trial := study.Trial{State: study.Scored, Value: p.y}
		trial.ID, trial.Input, trial.X = i+1, p.x, p.x
		if i < 10 {
			trial.Kind, trial.Batch = study.Acquired, 1
		}
		if err := s.Observe(t.Context(), trial); err != nil {
			t.Fatal(err)
		}
	}
	window, scored := s.window(phase{1, 2}) // a restart sees those that were given
	if err := s.model.fit(t.Context(), s.points(window), scored); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(s.model.ids)
	if _, _, err := s.Predict(t.Context(), []string{"abcdabcd"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.model.ids, before) {
		t.Errorf("after Predict the model is of trials %v, want %v", s.model.ids, before)
	}
}

// The window holds the best and the latest points, all of them in order, and none that has no score any more.
func TestWindow(t *testing.T) {
	s := &Searcher{opts: Options{Window: 8}}
	rng := rand.New(rand.NewPCG(1, 1))
	slid := 0
	var before []*study.Trial
	for i := range 100 {
		s.trials = append(s.trials, study.Trial{Proposal: study.Proposal{ID: i + 1}, State: study.Scored, Value: rng.NormFloat64()})
		if i == 3 {
			s.trials[i].State = study.Failed
		}
		window, scored := s.window(phase{})
		in := map[int]bool{}
		for k, p := range window {
			in[p.ID] = true
			if k > 0 && p.ID <= window[k-1].ID || p.State != study.Scored {
				t.Errorf("point %d of %d: trial %d is out of order, or has no score", k, i, p.ID)
			}
		}
		alive := slices.DeleteFunc(slices.Clone(s.trials), func(t study.Trial) bool { return t.State != study.Scored })
		if scored != len(alive) {
			t.Errorf("%d strings have a score, want %d", scored, len(alive))
		}
		if len(window) < min(8, len(alive)) || len(window) > 8+8/4 {
			t.Errorf("%d points of %d, want 8 to 10", len(window), len(alive))
		}
		for _, p := range alive[max(0, len(alive)-4):] {
			if !in[p.ID] {
				t.Errorf("trial %d of %d, one of the latest, is not in the window", p.ID, i+1)
			}
		}
		slices.SortFunc(alive, func(a, b study.Trial) int {
			if a.Value > b.Value {
				return -1
			}
			return 1
		})
		for _, p := range alive[:min(4, len(alive))] {
			if !in[p.ID] {
				t.Errorf("trial %d of %d, one of the best, is not in the window", p.ID, i+1)
			}
		}
		if len(before) > len(window) || !slices.EqualFunc(before, window[:len(before)], func(a, b *study.Trial) bool { return a.ID == b.ID }) {
			slid++
		}
		before = window
	}
	if slid < 10 || slid > 50 {
		t.Errorf("the window slid %d times in 100 trials, want about every second time", slid)
	}
}

// ledger is a study with pending strings.
type ledger struct {
	pending []study.Proposal
	batch   int // 0: the first
}

func (l ledger) Lookup(x string) study.Trial {
	t := study.Trial{Proposal: study.Proposal{X: x, Input: x}}
	if slices.ContainsFunc(l.pending, func(p study.Proposal) bool { return p.Input == x }) {
		t.State = study.Pending
	}
	return t
}
func (l ledger) Feasible(string) (bool, error) { return true, nil }
func (l ledger) Left() int                     { return 100 }
func (l ledger) Pending() []study.Proposal     { return l.pending }
func (l ledger) Batch() int                    { return max(1, l.batch) }

// Pending strings are not proposed again, and are points of the surrogate and of the novelty while it proposes.
func TestPending(t *testing.T) {
	replace := Operator{Name: "replace", Make: func(_ context.Context, pairs [][2]string, rng *rand.Rand) ([]Child, error) {
		children := make([]Child, len(pairs))
		for i, pair := range pairs {
			x := []byte(pair[0])
			x[rng.IntN(len(x))] = "abcd"[rng.IntN(4)]
			children[i].X = string(x)
		}
		return children, nil
	}}
	for _, test := range []struct {
		name  string
		batch int
	}{{"surrogate", 1}, {"novelty", 2}} {
		t.Run(test.name, func(t *testing.T) {
			space := Space{Operators: []Operator{replace}, Kernels: []gp.Term{{Kernel: gp.Overlap}}, Novelty: &gp.Term{}, Read: lettersOf}
			s, err := New(space, Options{Children: 50, Generations: 2, Transform: new(gp.Standardise)})
			if err != nil {
				t.Fatal(err)
			}
			points := scoredWords(20, pairs)
			for _, p := range points {
				trial := study.Trial{Proposal: study.Proposal{ID: p.trial, X: p.x, Input: p.x, Kind: study.Initial}, State: study.Scored, Value: p.y}
				if err := s.Observe(t.Context(), trial); err != nil {
					t.Fatal(err)
				}
			}
			propose := func(l ledger) []study.Proposal {
				t.Helper()
				batch, err := s.Propose(t.Context(), l, 3)
				if err != nil {
					t.Fatal(err)
				}
				if n := s.model.gp.Len(); n != 20 {
					t.Errorf("%d points of the surrogate after Propose, want 20", n)
				}
				if explored := s.novelty.gp != nil; explored != (test.batch == 2) {
					t.Fatalf("batch %d explored: %v", test.batch, explored)
				} else if explored && s.novelty.gp.Len() != 20 {
					t.Errorf("%d points of the novelty after Propose, want 20", s.novelty.gp.Len())
				}
				return batch
			}
			first := propose(ledger{batch: test.batch})
			for i := range first {
				first[i].Input = first[i].X
			}
			for _, p := range propose(ledger{first, test.batch}) {
				if slices.ContainsFunc(first, func(q study.Proposal) bool { return q.X == p.X }) {
					t.Errorf("%q is pending, and proposed", p.X)
				}
			}
			described := s.reader.read([]string{first[0].X})
			a := acquisition{doubt: &s.model, widen: 1}
			if test.batch == 2 {
				a.doubt = s.novelty
			}
			look := func() (mean, variance float64) {
				mu, _ := s.model.predict(described)
				_, sigma2 := a.doubt.predict(described)
				return mu[0], sigma2[0]
			}
			mean, variance := look()
			if err := s.condition(&a, first); err != nil {
				t.Fatal(err)
			}
			if m, v := look(); math.Abs(m-mean) > 1e-9 || !(v < variance) {
				t.Errorf("%g ± √%g while it is pending, %g ± √%g before: want the same mean and less doubt", m, v, mean, variance)
			}
		})
	}
}
