package invbo_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
)

// standardised returns (y − mean)/deviation.
func standardised(y ...float64) []float64 {
	var mean, squares float64
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		squares += (v - mean) * (v - mean)
	}
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = (v - mean) / math.Sqrt(squares/float64(len(y)-1))
	}
	return out
}

func closeTo(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
}

func inputs(asked []study.Proposal) []string {
	var x []string
	for _, p := range asked {
		x = append(x, p.Input)
	}
	return x
}

// The initial design is aligned and fitted to, with scores in the surrogate's units; nothing is trained.
func TestTheFirstBatchIsFittedToTheInitialDesign(t *testing.T) {
	l := newLab(t, nil)
	l.ask(t)
	x := []string{"0,0", "100,0", "200,0", "300,0", "400,0", "500,0"}
	if len(l.aligned) != 1 || !slices.Equal(l.aligned[0].X, x) {
		t.Fatalf("aligned %d times, %v, want all once", len(l.aligned), l.aligned[0].X)
	}
	in := l.aligned[0]
	if slices.ContainsFunc(in.Z, func(z []float64) bool { return z != nil }) || in.Rand == nil || !in.Known("100,0") || in.Known("1,0") {
		t.Errorf("alignment of %+v, want no latents yet, and what has a score", in)
	}
	if len(l.fits) != 1 {
		t.Fatalf("%d fits, want 1", len(l.fits))
	}
	d := l.fits[0]
	if !slices.Equal(d.X, x) || !slices.Equal(d.ID, []int{0, 1, 2, 3, 4, 5}) || !closeTo(d.Y, standardised(0, 4, 2, 1, 3, -1)) || d.Variance != nil {
		t.Errorf("fitted to %+v", d)
	}
	for i, z := range d.Z {
		if !slices.Equal(z, []float64{100 * float64(i), 0}) {
			t.Errorf("latent %v of %s", z, d.X[i])
		}
	}
	if len(l.steps) != 0 {
		t.Errorf("%d training steps before anything has failed", len(l.steps))
	}
	if len(l.proposed) != 1 || len(l.proposed[0]) != 2 {
		t.Errorf("proposed %v, want the batch at once", l.proposed)
	}
}

// The anchors are the k best points, best first. The potential of each is the maximum of one draw over candidates of the
// region around it, and PAS chooses by score plus scaled potential: here the second best.
func TestEachAnchorHasItsOwnPotential(t *testing.T) {
	l := newLab(t, nil)
	// Regions of the anchors at 100, 400 and 200 promise 0, 10 and 5, at their second candidate.
	l.f = func(_ int, z []float64) float64 {
		return map[float64]float64{100: 0, 400: 10, 200: 5}[z[0]] - math.Abs(z[1]-2)
	}
	asked := l.ask(t)
	f := l.fields[0]
	if want := [][]float64{{100, 0}, {400, 0}, {200, 0}}; !slices.EqualFunc(f.Z, want, slices.Equal[[]float64]) {
		t.Errorf("anchors at %v, want the three best, %v", f.Z, want)
	}
	if !slices.Equal(f.Y, []float64{4, 3, 2}) {
		t.Errorf("scores of anchors %v, want them as they are, not transformed, best first (Eq. 8 and 9)", f.Y)
	}
	if len(l.potentials) != 1 || !slices.Equal(l.potentials[0], []float64{0, 10, 5}) {
		t.Errorf("potentials %v, want 0, 10 and 5", l.potentials)
	}
	// 4 candidates of each region, and one draw at all of them; then a draw for each string of the batch.
	if !slices.Equal(l.counts, []int{4, 4, 4, 40}) || len(l.drawn) != 2 || l.drawn[0].k != 1 || l.drawn[1].k != 2 || len(l.drawn[0].at[0].Z) != 12 {
		t.Errorf("%v candidates and %d draws", l.counts, len(l.drawn))
	}
	for i, from := range l.sources {
		want := append(slices.Clone(f.Z), []float64{400, 0})[i] // sums are 4 + 0, 3 + 2 and 2 + 1
		if !slices.Equal(from.Center, want) || from.Length != 0.8 || from.Lengthscales != nil || len(from.Data.X) != 6 || from.Model == nil {
			t.Errorf("candidates %d around %v, side %g, want around %v, side 0.8", i, from.Center, from.Length, want)
		}
	}
	if got := inputs(asked); !slices.Equal(got, []string{"400,2", "400,1"}) {
		t.Errorf("proposed %v around the second anchor", got)
	}
}

// A method's own generator and anchor are used in this, too: the incumbent alone needs no potential.
func TestAnchorsByScoreNeedNoDraw(t *testing.T) {
	l := newLab(t, func(l *lab) { l.choose = invbo.Incumbent.Choose })
	l.ask(t)
	if len(l.drawn) != 1 || !slices.Equal(l.latest().Center, []float64{100, 0}) {
		t.Errorf("%d draws and candidates around %v, want one and the incumbent", len(l.drawn), l.latest().Center)
	}
}

// Each draw picks its best candidate that decodes to a new string and that no other has picked. A proposal has the latent
// of its candidate, and a prediction in the score's own units.
func TestThompsonPicks(t *testing.T) {
	for _, minimize := range []bool{false, true} {
		l := newLab(t, func(l *lab) { l.choose = invbo.Incumbent.Choose })
		if minimize {
			p := study.Problem{Minimize: true}
			for i, x := range []string{"0,0", "100,0", "200,0", "300,0", "400,0", "500,0"} {
				p.Init = append(p.Init, study.Observation{X: x, Measurements: study.Measured(-[]float64{0, 4, 2, 1, 3, -1}[i])})
			}
			var err error
			if l.Study, err = study.New(t.Context(), p, l.Optimizer, study.Options{Budget: 10, Batch: 2}); err != nil {
				t.Fatal(err)
			}
		}
		l.candidates = func(n int, _ invbo.Source) [][]float64 {
			known, nothing, unreadable := []float64{200.2, 0.1}, []float64{5000, 0}, []float64{950, 0}
			return append([][]float64{known, nothing, unreadable, {7.3, 0}, {6.9, 0.2}, {8.4, 0}}, slices.Repeat([][]float64{{9, 9}}, n-6)...)
		}
		// The first draw likes them in their order, the second likes the fourth and then the first.
		l.f = func(k int, z []float64) float64 {
			order := [][]float64{{200.2, 5000, 950, 7.3, 6.9, 8.4}, {6.9, 7.3, 8.4, 200.2, 5000, 950}}[k]
			return -float64(slices.Index(append(order, z[0]), z[0]))
		}
		asked := l.ask(t)
		if got := inputs(asked); !slices.Equal(got, []string{"7,0", "8,0"}) { // 6.9 decodes to what the first draw has picked
			t.Fatalf("proposed %v, want 7,0 and 8,0", got)
		}
		sd := 0.0
		for _, v := range []float64{0, 4, 2, 1, 3, -1} { // of mean 1.5
			sd += (v - 1.5) * (v - 1.5) / 5
		}
		sd = math.Sqrt(sd)
		mean := 1.5 + 0.5*sd
		if minimize {
			mean = -mean
		}
		for i, p := range asked {
			if !slices.Equal(p.Latent, [][]float64{{7.3, 0}, {8.4, 0}}[i]) || p.Model != 0 || p.Kind != study.Acquired || p.Batch != 1 {
				t.Errorf("proposal %+v, want the latent of its candidate, of the model that was given", p)
			}
			if math.Abs(p.Mean-mean) > 1e-12 || math.Abs(p.SD-2*sd) > 1e-12 {
				t.Errorf("minimize %t: prediction %g ± %g, want %g ± %g", minimize, p.Mean, p.SD, mean, 2*sd)
			}
		}
	}
}

// What translates to nothing is recorded once, whichever draws pick it, and passed over.
func TestInvalidPicks(t *testing.T) {
	for _, depth := range []int{0, 40} {
		l := newLab(t, func(l *lab) {
			l.opts.Profile.Depth, l.choose = depth, invbo.Incumbent.Choose
			l.problem.Translate = func(x string) (string, error) {
				if x == "100,1" {
					return "", errors.New("stands for nothing")
				}
				return x, nil
			}
		})
		l.f = func(k int, z []float64) float64 { return -math.Abs(z[1] - float64(1+k)) } // the second draw likes 100,2
		l.ask(t)
		want := []string{"100,1", "100,2", "100,3"}
		if depth == 0 {
			want = want[:2]
		}
		var got []string
		for _, p := range l.proposed[0] {
			got = append(got, p.X)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("depth %d: proposed %v, want %v", depth, got, want)
		}
		if trials := l.Trials(); trials[6].X != "100,1" || trials[6].State != study.Invalid || trials[6].Reason != "stands for nothing" {
			t.Errorf("depth %d: trial %+v, want what is invalid, with the reason", depth, trials[6])
		}
		l.candidates = func(n int, _ invbo.Source) [][]float64 {
			return append([][]float64{{100, 1}, {100.1, 1}}, slices.Repeat([][]float64{{7, float64(len(l.sources))}}, n-2)...)
		}
		l.f = func(_ int, z []float64) float64 { return z[0] }
		asked, err := l.Ask(t.Context(), 0)
		for _, p := range slices.Concat(l.proposed[1:]...) {
			if p.X == "100,1" {
				t.Errorf("depth %d: %q is proposed again", depth, p.X)
			}
		}
		if depth == 0 != errors.Is(err, study.ErrExhausted) || depth > 0 && len(asked) != 1 {
			t.Errorf("depth %d: asked %v, %v", depth, asked, err)
		}
	}
}

// As published, with depth 0, a draw takes its best whatever that is: a known string tells the region its score, and what
// decodes to nothing is lost.
func TestPublishedPicks(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.opts.Profile.Depth, l.opts.Batch, l.choose = 0, 4, invbo.Incumbent.Choose
		l.opts.Region = invbo.RegionOptions{Length: 0.2, Grow: 1, Shrink: 1}
	})
	l.candidates = func(n int, _ invbo.Source) [][]float64 {
		return append([][]float64{{200, 0}, {5000, 0}, {7.3, 0}, {6.9, 0.2}}, slices.Repeat([][]float64{{9, 9}}, n-4)...)
	}
	l.f = func(k int, z []float64) float64 { return -math.Abs(z[0] - []float64{200, 5000, 7.3, 6.9}[k]) }
	asked := l.ask(t)
	if got := inputs(asked); !slices.Equal(got, []string{"7,0"}) {
		t.Fatalf("proposed %v, want 7,0 once", got)
	}
	l.tell(t, asked, math.NaN())
	if length := l.gauge(invbo.Length); length != 0.1 {
		t.Errorf("side %g after a known string that is no better, want 0.1", length)
	}
}

// As published, the region does not grow where a generator has fewer candidates than the batch has strings.
func TestPublishedRegionsDoNotWiden(t *testing.T) {
	for depth, want := range map[int]float64{0: 0.2, 5: 0.4} {
		l := newLab(t, func(l *lab) {
			l.opts.Profile.Depth, l.opts.Region, l.choose = depth, invbo.RegionOptions{Length: 0.2}, invbo.Incumbent.Choose
		})
		l.candidates = func(int, invbo.Source) [][]float64 { return [][]float64{{7, 7}} }
		if l.tell(t, l.ask(t), 1); l.gauge(invbo.Length) != want {
			t.Errorf("depth %d: side %g after a batch of one, want %g", depth, l.gauge(invbo.Length), want)
		}
	}
}

// What is pending is not proposed again, however many batches are asked for before the first answer.
func TestPendingStringsAreNotProposedAgain(t *testing.T) {
	l := newLab(t, nil)
	seen := map[string]bool{}
	for batch := range 5 {
		for _, p := range l.ask(t) {
			if seen[p.Input] {
				t.Errorf("batch %d: %s is proposed again", batch+1, p.Input)
			}
			seen[p.Input] = true
			if p.Batch != batch+1 {
				t.Errorf("batch %d of a proposal of the %d.", p.Batch, batch+1)
			}
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d strings in 5 batches, want 10", len(seen))
	}
}

// The VAE is updated once the search has stalled, on D^t: the latest N_q points and, of the others, the top k. It learns
// in two passes.
func TestUpdatesAreOnTheLatestAndTheBest(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience = 2 })
	l.tell(t, l.ask(t), 3.5, -5) // no better than 4: 100,1 and 100,2
	l.tell(t, l.ask(t), -6, -7)  // 100,3 and 100,4
	if len(l.steps) != 0 {
		t.Fatal("an update before the search has stalled")
	}
	asked := l.ask(t)
	want := []string{"100,3", "100,4", "100,0", "100,1", "400,0"}
	if len(l.steps) != 2 || !slices.Equal(l.steps[0], want) || !slices.Equal(l.steps[1], want) {
		t.Errorf("trained on %v, want twice on %v", l.steps, want)
	}
	if l.gauge(invbo.Updates) != 1 || asked[0].Model != 1 {
		t.Errorf("%g updates and a latent of version %d, want 1", l.gauge(invbo.Updates), asked[0].Model)
	}
	l.tell(t, asked, 2.9, -7)
	if l.ask(t); len(l.steps) != 2 {
		t.Error("another update after one batch, not two")
	}
}

// A new best puts the update off.
func TestProgressPutsTheUpdateOff(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience = 2 })
	for _, y := range []float64{3, 5, 4.9, 5.1, 5} {
		l.tell(t, l.ask(t), y, -5)
	}
	if l.ask(t); len(l.steps) != 0 {
		t.Error("an update after one batch without progress, not two")
	}
	l.tell(t, l.Pending(), 5.1, -5) // as good as the best is no progress
	if l.ask(t); len(l.steps) != 2 {
		t.Errorf("%d training steps after two batches without progress, want 2", len(l.steps))
	}
}

// After an update all points are aligned anew, from the latents that they had; or D^t alone, where the alignment says so.
func TestWhatIsAlignedAfterAnUpdate(t *testing.T) {
	for _, recent := range []bool{false, true} {
		l := newLab(t, func(l *lab) { l.opts.Patience, l.opts.Method.Align.RecentOnly = 1, recent })
		l.tell(t, l.ask(t), -5, -6)
		l.ask(t)
		want := []string{"0,0", "100,0", "200,0", "300,0", "400,0", "500,0", "100,1", "100,2"}
		if recent {
			want = []string{"100,0", "200,0", "400,0", "100,1", "100,2"}
		}
		if len(l.aligned) != 2 || !slices.Equal(l.aligned[1].X, want) {
			t.Fatalf("recent only %t: aligned %v, want %v", recent, l.aligned[len(l.aligned)-1].X, want)
		}
		for i, z := range l.aligned[1].Z {
			if before, _ := new(grid).numbers(want[i]); !slices.Equal(z, before) {
				t.Errorf("%s comes with the latent %v, want %v from before", want[i], z, before)
			}
		}
		// The decoder has moved by 1: what is aligned has moved back by that.
		for i, x := range l.fits[1].X {
			z, _ := new(grid).numbers(x)
			if slices.Contains(want, x) {
				z[0]--
			}
			if !slices.Equal(l.fits[1].Z[i], z) {
				t.Errorf("recent only %t: latent %v of %s, want %v", recent, l.fits[1].Z[i], x, z)
			}
		}
		aligned := 1.0
		if recent { // 0,0, 300,0 and 500,0 decode to their neighbours
			aligned = 5. / 8
		}
		if got := l.gauge(invbo.Aligned); got != aligned {
			t.Errorf("recent only %t: aligned %g, want %g", recent, got, aligned)
		}
	}
}

// Points with latents that decode to others are counted, with their distance.
func TestGaugesOfAlignment(t *testing.T) {
	l := newLab(t, nil)
	l.align = func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		pairs, err := invbo.Encoder.Latents(ctx, in)
		pairs[1].Z[0]++      // 101,0 for 100,0: one of 5 characters
		pairs[5].Z[1]--      // 500,-1 for 500,0: two of 6
		pairs[2].Z[0] += 0.5 // on the edge, and beyond it: 201,0 for 200,0
		return pairs, err
	}
	l.ask(t)
	if aligned, off := l.gauge(invbo.Aligned), l.gauge(invbo.Dissimilarity); aligned != 3./6 || math.Abs(off-(1./5+2./6+1./5)/6) > 1e-15 {
		t.Errorf("aligned %g, dissimilarity %g; want 3 of 6 and the mean edit distance", aligned, off)
	}
}

// A latent that was proposed before an update of the VAE is of an old version: when its answer comes after the update
// it is aligned again before it is used. Nothing is lost of the batch that it belongs to.
func TestLateAnswersAreRealigned(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience = 1 })
	first, second := l.ask(t), l.ask(t)
	l.tell(t, first, -5, -6)
	if l.ask(t); l.gauge(invbo.Updates) != 1 {
		t.Fatal("no update; the test is not about anything")
	}
	l.tell(t, second[:1], 1.5)
	l.ask(t)
	last := l.aligned[len(l.aligned)-1]
	if !slices.Equal(last.X, []string{second[0].X}) || !slices.Equal(last.Z[0], second[0].Latent) {
		t.Errorf("aligned %v at %v, want %s, from its old latent", last.X, last.Z, second[0].X)
	}
	d := l.fits[len(l.fits)-1]
	x, err := l.Model().Decode(t.Context(), d.Z)
	if err != nil || !slices.Equal(x, d.X) || !slices.Contains(x, second[0].X) {
		t.Errorf("fitted to latents that decode to %v, want %v and among them the late one (%v)", x, d.X, err)
	}
	batches := l.Status().Batches
	l.tell(t, second[1:], 1)
	if l.ask(t); l.Status().Batches != batches+1 {
		t.Error("the late batch has not ended with its last answer")
	}
}

// A resumed search has the latents of the one before, those of pending strings too: it aligns nothing anew.
func TestAResumedSearchOfTheSameModel(t *testing.T) {
	before := newLab(t, nil)
	pending := before.ask(t)
	l := newLab(t, nil)
	var err error
	if l.Study, err = study.New(t.Context(), l.problem, proposer{l.Optimizer, l}, study.Options{Budget: 1000, Batch: 2, Store: &before.store}); err != nil {
		t.Fatal(err)
	}
	l.ask(t)
	l.tell(t, pending, -5, -6)
	if l.ask(t); len(l.aligned) != 0 {
		t.Errorf("aligned %v, want nothing", l.aligned[0].X)
	}
}

// A search that only observes what an earlier one proposed has a model of its own: it aligns latents of that one's
// updates, and numbers its batches after those of that run, pending ones included.
func TestTrialsOfAnotherSearch(t *testing.T) {
	before := newLab(t, func(l *lab) { l.opts.Patience = 1 })
	before.tell(t, before.ask(t), -5, -6)
	before.tell(t, before.ask(t), -7, -8) // after the first update
	pending := before.ask(t)              // after the second

	l := newLab(t, func(l *lab) { l.opts.Patience = 1 })
	var err error
	if l.Study, err = study.New(t.Context(), l.problem, proposer{l.Optimizer, l}, study.Options{Budget: 1000, Batch: 2, Store: told{&before.store}}); err != nil {
		t.Fatal(err)
	}
	asked := l.ask(t)
	if asked[0].Batch != pending[0].Batch+1 || asked[0].Model != 0 {
		t.Errorf("proposal %+v, want one of the batch after %d and of the model that was given", asked[0], pending[0].Batch)
	}
	exact := func() {
		t.Helper()
		d := l.fits[len(l.fits)-1]
		if x, err := l.Model().Decode(t.Context(), d.Z); err != nil || !slices.Equal(x, d.X) {
			t.Errorf("fitted to latents that decode to %v, want %v (%v)", x, d.X, err)
		}
	}
	exact()
	for range 2 { // until this model has been updated as often
		l.tell(t, asked, -5, -6)
		asked = l.ask(t)
	}
	if asked[0].Model != pending[0].Model {
		t.Fatalf("version %d, and %d before; the test is not about anything", asked[0].Model, pending[0].Model)
	}
	batches := l.Status().Batches
	l.tell(t, pending, 1, 2)
	l.ask(t)
	exact()
	if last := l.aligned[len(l.aligned)-1]; !slices.Contains(last.X, pending[0].X) {
		t.Errorf("aligned %v, want the late answers among them: the other model is not this one", last.X)
	}
	if last := l.fits[len(l.fits)-1]; !slices.Contains(last.X, pending[0].X) || l.Status().Batches != batches {
		t.Errorf("fitted to %v after %d batches, want the late answers among them, and no batch of this search ended", last.X, l.Status().Batches)
	}
}

// told is a store whose trials were proposed by something else than the search that is to be resumed.
type told struct{ study.Store }

func (s told) Events(ctx context.Context) ([]study.Event, error) {
	events, err := s.Store.Events(ctx)
	for i := range events {
		events[i].Asked, events[i].Taken, events[i].State = 0, 0, nil
	}
	return events, err
}

// A latent of the model as it is stays: it is not aligned again.
func TestAnswersInTimeAreNotRealigned(t *testing.T) {
	l := newLab(t, nil)
	l.tell(t, l.ask(t), -5, -6)
	l.ask(t)
	if len(l.aligned) != 1 {
		t.Errorf("aligned %d times, want once: proposals have latents", len(l.aligned))
	}
	if d := l.fits[1]; !slices.Equal(d.Z[6], []float64{100, 1}) || !slices.Equal(d.Z[7], []float64{100, 2}) {
		t.Errorf("fitted to the latents %v, want those of the candidates", d.Z[6:])
	}
	a := study.Answer{X: "7,7"} // nobody proposed it, so it has no latent
	a.Score = 1
	if err := l.Tell(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if l.ask(t); len(l.aligned) != 2 || !slices.Equal(l.aligned[1].X, []string{"7,7"}) || l.aligned[1].Z[0] != nil {
		t.Errorf("aligned %v, want what was told", l.aligned[len(l.aligned)-1])
	}
}

// Pseudo-labels are of samples around the points in turn, with a tenth of the sides of their box for a deviation.
func TestWherePseudoLabelsAre(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience, l.opts.Method.Tuning = 1, invbo.FineTuning{ELBO: 1, Pseudo: true} })
	for range 2 {
		l.tell(t, l.ask(t), -5, -6)
	}
	l.ask(t)
	i := slices.IndexFunc(l.asked, func(at surrogate.Points) bool { return len(at.Z) > 2 })
	z := l.asked[i].Z
	const n = 10 // points: samples that are n apart are around the same one
	for j, side := range []float64{1.1 * 500, 1.1 * 4} {
		var squares float64
		for i := range len(z) - n {
			squares += (z[i+n][j] - z[i][j]) * (z[i+n][j] - z[i][j]) / 2
		}
		sd := math.Sqrt(squares / float64(len(z)-n))
		if math.Abs(sd/(0.1*side)-1) > 0.2 { // 5 deviations of that of 490 pairs
			t.Errorf("deviation %g in dimension %d, want %g", sd, j, 0.1*side)
		}
	}
}

// The region of the assembled search: its side is what candidates are drawn from.
func TestTheRegionFollowsBatches(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.opts.Region = invbo.RegionOptions{Length: 0.2, Min: 0.15, Max: 0.7, Grow: 2, Shrink: 2}
	})
	if l.gauge(invbo.Length) != 0 {
		t.Errorf("side %g before the first batch, want 0", l.gauge(invbo.Length))
	}
	best := 4.0
	for i, step := range []struct {
		good     bool
		length   float64 // of the batch
		restarts float64 // after it
	}{
		{true, 0.2, 0}, {true, 0.2, 0}, {true, 0.4, 0}, {true, 0.4, 0}, // 0.8 is more than the most
		{false, 0.7, 0}, {true, 0.7, 0}, {false, 0.7, 0}, {false, 0.7, 0},
		{false, 0.35, 0}, {false, 0.35, 0}, {false, 0.175, 0}, {false, 0.175, 1}, // 0.0875 is less than the least
		{false, 0.2, 1}, {true, 0.2, 1}, {true, 0.2, 1}, {true, 0.4, 1},
	} {
		asked := l.ask(t)
		if got := l.latest().Length; math.Abs(got-step.length) > 1e-15 {
			t.Errorf("batch %d: side %g, want %g", i+1, got, step.length)
		}
		y := best
		if step.good {
			best++
			y = best
		}
		l.tell(t, asked, -9, y)
		if got := l.gauge(invbo.Restarts); got != step.restarts {
			t.Errorf("batch %d: %g restarts, want %g", i+1, got, step.restarts)
		}
	}
}

// A region that holds nothing but known strings grows until it holds new ones.
func TestTheRegionWidensWhereNothingIsNew(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.opts.Region, l.choose = invbo.RegionOptions{Length: 0.2, Max: 1.2}, invbo.Incumbent.Choose
	})
	l.candidates = func(n int, from invbo.Source) [][]float64 {
		z := slices.Repeat([][]float64{{100, 0}}, n)
		if from.Length > 1 {
			z[7] = []float64{7, 7}
		}
		return z
	}
	if got := inputs(l.ask(t)); !slices.Equal(got, []string{"7,7"}) {
		t.Errorf("proposed %v, want what the widest region holds", got)
	}
	var lengths []float64
	for _, from := range l.sources {
		lengths = append(lengths, from.Length)
	}
	if !slices.Equal(lengths, []float64{0.2, 0.4, 0.8, 1.2}) {
		t.Errorf("sides %v, want them doubled up to 1.2", lengths)
	}
	if l.Status().Batches != 3 {
		t.Errorf("%d batches have ended, want the three without a proposal", l.Status().Batches)
	}
}

// A bounded space has TuRBO's patience: ⌈max(4, d)/q⌉ batches.
func TestPatienceInABoundedSpace(t *testing.T) {
	for _, test := range []struct{ d, batch, want int }{{2, 4, 1}, {2, 3, 2}, {9, 4, 3}, {8, 4, 2}} {
		p := bowl(t, test.d)
		opts := turbo(t)
		opts.Batch = test.batch
		opts.Region.Length = 0.5
		s, o := begin(t, p, opts, 100)
		answer(t, s, p, ask(t, s, 8)) // the initial design
		for range test.want {
			if length := o.Report().Gauge(invbo.Length); length != 0 && length != 0.5 {
				t.Errorf("%+v: side %g too early", test, length)
			}
			for _, a := range ask(t, s, test.batch) {
				bad := study.Answer{ID: a.ID}
				bad.Score = 1e6
				if err := s.Tell(t.Context(), bad); err != nil {
					t.Fatal(err)
				}
			}
		}
		if length := o.Report().Gauge(invbo.Length); length != 0.25 {
			t.Errorf("%+v: side %g, want 0.25", test, length)
		}
	}
}

// The surrogate sees the mean of replicates with its variance, in its own units.
func TestReplicates(t *testing.T) {
	l := newLab(t, nil)
	asked := l.ask(t)
	l.tell(t, asked, 6, 2)
	l.answer(t, asked[0].ID, 10) // another measurement: mean 8, variance (2·2²/1)/2 = 4
	l.ask(t)
	y := []float64{0, 4, 2, 1, 3, -1, 8, 2}
	var mean, variance float64
	for _, v := range y {
		mean += v / 8
	}
	for _, v := range y {
		variance += (v - mean) * (v - mean) / 7
	}
	check := func(name string, known float64) {
		t.Helper()
		d := l.fits[len(l.fits)-1]
		if !closeTo(d.Y, standardised(y...)) || !closeTo(d.Variance, []float64{0, 0, 0, 0, 0, 0, known / variance, 0}) {
			t.Errorf("%s: fitted to %v with the variances %v", name, d.Y, d.Variance)
		}
		if !slices.Equal(d.ID, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
			t.Errorf("%s: points %v, want no new ones", name, d.ID)
		}
	}
	check("a replicate", 4)

	first := l.Trials()[asked[0].ID-1].Measurements[0].ID
	a := study.Answer{ID: asked[0].ID, Measurement: first}
	a.Score = 7 // in place of 6: mean 8.5, variance 2·1.5²/2
	if err := l.Tell(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	l.ask(t)
	y[6] = 8.5
	mean, variance = 0, 0
	for _, v := range y {
		mean += v / 8
	}
	for _, v := range y {
		variance += (v - mean) * (v - mean) / 7
	}
	check("a correction", 2.25)
}

// A score that is corrected to a failure is gone from the surrogate, and from what is the best; a repetition brings it back.
func TestACorrectionToAFailure(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience = 1 })
	asked := l.ask(t)
	l.tell(t, asked, 100, 2) // a typing error
	first := l.Trials()[asked[0].ID-1].Measurements[0].ID
	a := study.Answer{ID: asked[0].ID, Measurement: first}
	a.Score, a.Reason = math.NaN(), "typing error"
	if err := l.Tell(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	next := l.ask(t)
	d := l.fits[1]
	if slices.Contains(d.X, asked[0].X) || len(d.X) != 7 || !slices.Equal(d.ID, []int{0, 1, 2, 3, 4, 5, 7}) {
		t.Errorf("fitted to %v, want all but the failure", d.X)
	}
	if slices.ContainsFunc(l.fields[1].Z, func(z []float64) bool { return z[1] == 1 }) {
		t.Errorf("anchors at %v, among them the failure", l.fields[1].Z)
	}
	l.tell(t, next, 5, 2) // better than 4, though not than 100
	if l.ask(t); len(l.steps) != 0 {
		t.Error("an update of the VAE after progress: the failure is still the best")
	}
	l.tell(t, l.Pending(), -5, -6)
	l.ask(t) // an update: the failure takes no place among the top 3
	if want := []string{l.Trials()[10].X, l.Trials()[11].X, next[0].X, "100,0", "400,0"}; !slices.Equal(l.steps[0], want) {
		t.Errorf("trained on %v, want %v", l.steps[0], want)
	}
	l.answer(t, asked[0].ID, 3.5)
	l.ask(t)
	if d := l.fits[len(l.fits)-1]; !slices.Contains(d.X, asked[0].X) || len(d.X) != 12 {
		t.Errorf("fitted to %v, want the repetition, too", d.X)
	}
}

// PG-LBO's updates are, from the second on, also on new strings near the best; each step draws half as many of them.
func TestPseudoLabelsFromTheSecondUpdateOn(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience, l.opts.Method.Tuning = 1, invbo.FineTuning{ELBO: 1, Pseudo: true} })
	for range 3 {
		l.tell(t, l.ask(t), -5, -6)
	}
	l.ask(t)
	if len(l.steps) != 6 {
		t.Fatalf("%d steps, want two for each of three updates", len(l.steps))
	}
	known := map[string]bool{}
	for _, trial := range l.Trials() {
		known[trial.X] = true
	}
	for i, x := range l.steps {
		if i < 2 {
			if len(x) != 5 {
				t.Errorf("step %d on %v, want D^t alone in the first update", i+1, x)
			}
			continue
		}
		if len(x) != 5+3 || slices.ContainsFunc(x[:5], func(x string) bool { return !known[x] }) || slices.ContainsFunc(x[5:], func(x string) bool { return known[x] }) {
			t.Errorf("step %d on %v, want D^t and three new strings", i+1, x)
		}
	}
}

// A score that is corrected downwards is not the region's to beat.
func TestACorrectionOfTheBest(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Region = invbo.RegionOptions{Length: 0.2, Grow: 1} })
	asked := l.ask(t)
	l.tell(t, asked, -1, -2)
	l.tell(t, l.ask(t), 100, 2)
	last := l.Trials()[len(l.Trials())-2]
	a := study.Answer{ID: last.ID, Measurement: last.Measurements[0].ID}
	a.Score = 1
	if err := l.Tell(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	l.tell(t, l.ask(t), 3.9, 2)
	if got := l.gauge(invbo.Length); got != 0.4 { // doubled by the wrong score
		t.Errorf("side %g, want 0.4: 3.9 is no better than 4", got)
	}
	l.tell(t, l.ask(t), 5, 2)
	if got := l.gauge(invbo.Length); got != 0.8 {
		t.Errorf("side %g, want 0.8: 5 is better than 4", got)
	}
}

// A score that is only known to be below something is neither an anchor nor progress; one above something is both.
func TestBoundsOfScores(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.opts.Region = invbo.RegionOptions{Length: 0.2, Grow: 1}
		l.opts.Method.Anchor = invbo.Anchor{Name: "spy", Choose: l.chooseAnchor}
		l.problem.Init[1].Measurements = []study.Measurement{{Score: 4, Bound: study.Above}}
		l.problem.Init[4].Measurements = []study.Measurement{{Score: 3, Bound: study.Below}}
	})
	tell := func(score float64, b study.Bound) {
		t.Helper()
		for i, p := range l.ask(t) {
			a := study.Answer{ID: p.ID, Bound: b}
			if a.Score = score; i > 0 {
				a.Score, a.Bound = -9, study.Exact
			}
			if err := l.Tell(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
	}
	tell(50, study.Below)
	if y := l.fields[0].Y; !slices.Equal(y, []float64{4, 2}) {
		t.Errorf("anchors with %g, want the best three without the bound from above: 4 and 2", y)
	}
	tell(60, study.Above)
	if got := l.latest().Length; got != 0.2 {
		t.Errorf("side %g after a score below 50, want 0.2", got)
	}
	tell(5, study.Exact)
	if got := l.latest().Length; got != 0.4 {
		t.Errorf("side %g after a score above 60, want 0.4", got)
	}
}

// What an alignment wants scored is proposed before the next batch, with the latent that it goes with.
func TestRecenteringProposesFirst(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience, l.opts.Method.Align.RecentOnly = 1, true })
	l.tell(t, l.ask(t), -5, -6)
	l.align = func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		pairs, err := invbo.Encoder.Latents(ctx, in)
		return append(pairs, invbo.Pair{X: "7,7", Z: []float64{6, 7}}, invbo.Pair{X: "8,8", Z: []float64{7, 8}}, invbo.Pair{X: "7,7", Z: []float64{6.1, 7}},
			invbo.Pair{X: "0,0", Z: []float64{-1.1, 0}}), err // known, and not in D^t
	}
	asked := l.ask(t)
	if got := inputs(asked); !slices.Equal(got, []string{"7,7", "8,8"}) {
		t.Fatalf("proposed %v, want what the alignment wants, each once", got)
	}
	for i, p := range asked {
		if p.Kind != study.Recentered || p.Model != 1 || p.Batch != 1 || !slices.Equal(p.Latent, []float64{float64(6 + i), float64(7 + i)}) || !math.IsNaN(p.Mean) || !math.IsNaN(p.SD) {
			t.Errorf("proposal %+v", p)
		}
	}
	length, fails := l.gauge(invbo.Length), len(l.steps)
	l.tell(t, asked, 1, 2)
	if l.gauge(invbo.Length) != length || l.Status().Batches != 1 {
		t.Error("recentering counts for the region")
	}
	next := l.ask(t)
	if len(next) != 2 || next[0].Kind != study.Acquired || len(l.steps) != fails {
		t.Errorf("then %+v, want a batch", next)
	}
	d := l.fits[len(l.fits)-1]
	at := func(x string) []float64 { return d.Z[slices.Index(d.X, x)] }
	if !slices.Equal(at("7,7"), []float64{6, 7}) || !slices.Equal(at("0,0"), []float64{-1.1, 0}) || !slices.Equal(at("300,0"), []float64{300, 0}) {
		t.Errorf("latents %v of %v, want those of the alignment, and the others as they were", d.Z, d.X)
	}
}

// An alignment does not ask for more than the budget holds.
func TestRecenteringKeepsToTheBudget(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Patience = 1 })
	p := study.Problem{Init: []study.Observation{{X: "0,0", Measurements: study.Measured(0)}, {X: "1,0", Measurements: study.Measured(1)}}}
	var err error
	if l.Study, err = study.New(t.Context(), p, proposer{l.Optimizer, l}, study.Options{Budget: 5, Batch: 2}); err != nil {
		t.Fatal(err)
	}
	l.tell(t, l.ask(t), -5, -6)
	l.align = func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		pairs, err := invbo.Encoder.Latents(ctx, in)
		for i := range 9 {
			pairs = append(pairs, invbo.Pair{X: fmt.Sprintf("7,%d", i), Z: []float64{6, float64(i)}})
		}
		return pairs, err
	}
	if got := inputs(ask(t, l.Study, 10)); !slices.Equal(got, []string{"7,0", "7,1", "7,2"}) {
		t.Errorf("asked for %v with 3 calls left, want as many", got)
	}
	if last := l.proposed[len(l.proposed)-1]; len(last) != 3 {
		t.Errorf("proposed %v with 3 calls left, want as many", last)
	}
}

// An alignment that leaves a point without a latent is an error that names it.
func TestAnAlignmentWithoutALatent(t *testing.T) {
	l := newLab(t, nil)
	l.align = func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		pairs, err := invbo.Encoder.Latents(ctx, in)
		return slices.Delete(pairs, 2, 3), err
	}
	if _, err := l.Ask(t.Context(), 0); err == nil || !strings.Contains(err.Error(), `"200,0"`) {
		t.Errorf("error %v, want one that names the string", err)
	}
}

// Errors say where they are from. The step that failed is made again with the same random numbers, and nothing has been
// counted.
func TestErrorsOfTheSlots(t *testing.T) {
	for _, test := range []struct {
		slot func(*lab) *error
		want string
	}{
		{func(l *lab) *error { return &l.failAlign }, "align 6 points"},
		{func(l *lab) *error { return &l.failFit }, "fit the surrogate to 6 points"},
		{func(l *lab) *error { return &l.failAnchor }, "choose an anchor"},
		{func(l *lab) *error { return &l.failGenerate }, "generate candidates"},
		{func(l *lab) *error { return &l.failAt }, "draw from the surrogate at "},
		{func(l *lab) *error { return &l.failPredict }, "predict 2 picks"},
		{func(l *lab) *error { return &l.failDecode }, "decode "},
	} {
		for _, rule := range []func(invbo.Field) (int, error){invbo.PotentialAware.Choose, invbo.Incumbent.Choose, invbo.Acquisition.Choose} {
			l := newLab(t, func(l *lab) { l.choose = rule })
			*test.slot(l) = errLab
			if _, err := l.Ask(t.Context(), 0); !errors.Is(err, errLab) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that says %q", err, test.want)
			}
			*test.slot(l) = nil
			whole := newLab(t, func(l *lab) { l.choose = rule })
			if got, want := fmt.Sprintf("%+v", l.ask(t)), fmt.Sprintf("%+v", whole.ask(t)); got != want {
				t.Errorf("%s: then %s, want %s", test.want, got, want)
			}
		}
	}
	l := newLab(t, func(l *lab) { l.opts.Patience = 1 })
	l.tell(t, l.ask(t), -5, -6)
	l.failDecode = errLab // the training step fails, too
	if _, err := l.Ask(t.Context(), 0); !errors.Is(err, errLab) || !strings.Contains(err.Error(), "update the VAE on 5 points") {
		t.Errorf("error %v, want one of the update", err)
	}
	if l.failDecode = nil; l.gauge(invbo.Updates) != 0 {
		t.Error("an update that failed is counted")
	}
	if l.ask(t); l.gauge(invbo.Updates) != 1 {
		t.Error("the update that failed is not made again")
	}
}

// Without an anchor there is no region: the generator's side is the first one.
func TestWithoutAnAnchor(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.opts.Method.Anchor, l.opts.Region = invbo.Anchor{}, invbo.RegionOptions{Length: 0.3, Shrink: 1}
	})
	l.candidates = func(n int, from invbo.Source) [][]float64 {
		from.Center = []float64{1, float64(len(l.sources))}
		var z [][]float64
		for i := range n {
			z = append(z, []float64{1, from.Center[1]*100 + float64(i)})
		}
		return z
	}
	for range 3 {
		l.tell(t, l.ask(t), -5, -6)
		if from := l.latest(); from.Center != nil || from.Length != 0.3 || l.gauge(invbo.Length) != 0 {
			t.Errorf("candidates around %v, side %g, want none and 0.3", from.Center, from.Length)
		}
	}
	if len(l.drawn) != 3 {
		t.Errorf("%d draws in three batches, want one each", len(l.drawn))
	}
}

// strings is a lab whose surrogate looks at strings, and has a lengthscale for each dimension.
type reads struct{ spy }

func (reads) ReadsStrings()           {}
func (reads) Lengthscales() []float64 { return []float64{1, 2} }

// All candidates are decoded for a surrogate of strings, which is given fewer of them; lengthscales shape the region.
func TestASurrogateOfStrings(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.opts.Method.Surrogate = slot(l.opts.Method.Surrogate, func(surrogate.Surrogate) surrogate.Surrogate { return reads{spy{l}} })
	})
	asked := l.ask(t)
	if !slices.Equal(l.counts, []int{4, 4, 4, 13}) { // 13 by the three anchors
		t.Errorf("%v candidates, want 13, and a third of them for each anchor", l.counts)
	}
	for _, d := range l.drawn {
		at := d.at[0]
		if x, err := l.Model().Decode(t.Context(), at.Z); err != nil || !slices.Equal(x, at.X) {
			t.Errorf("drawn at the strings %v, want %v (%v)", at.X, x, err)
		}
	}
	for _, from := range l.sources {
		if !slices.Equal(from.Lengthscales, []float64{1, 2}) {
			t.Errorf("lengthscales %v of a region, want the surrogate's", from.Lengthscales)
		}
	}
	if got := inputs(asked); !slices.Equal(got, []string{"100,1", "100,2"}) {
		t.Errorf("proposed %v", got)
	}
	few := newLab(t, func(l *lab) {
		l.opts.Profile.StringCandidates = 2
		l.opts.Method.Surrogate = slot(l.opts.Method.Surrogate, func(surrogate.Surrogate) surrogate.Surrogate { return reads{spy{l}} })
	})
	if few.ask(t); !slices.Equal(few.counts, []int{1, 1, 1, 2}) {
		t.Errorf("%v candidates, want one of each region at least", few.counts)
	}
}

// Points beyond the profile's number are left out: the best and the latest stay. What is seen again is aligned again.
func TestTheWindow(t *testing.T) {
	l := newLab(t, func(l *lab) { l.opts.Profile.Points, l.opts.Top = 4, 2 })
	l.ask(t)
	if got := l.fits[0].X; !slices.Equal(got, []string{"100,0", "300,0", "400,0", "500,0"}) {
		t.Errorf("fitted to %v, want the two best and the two latest others", got)
	}
	l.tell(t, l.Pending(), -5, 3.5)
	l.ask(t)
	if got := l.fits[1].X; !slices.Equal(got, []string{"100,0", "500,0", "100,1", "100,2"}) {
		t.Errorf("fitted to %v, want the best two, 100,2 among them, and the two latest others", got)
	}
	if len(l.aligned) != 1 {
		t.Errorf("aligned %d times, want once: no point is new to the surrogate", len(l.aligned))
	}
	// The two latest best turn out to be failures: 400,0 comes back, without its latent.
	for _, trial := range l.Trials() {
		if trial.X == "100,2" {
			a := study.Answer{ID: trial.ID, Measurement: trial.Measurements[0].ID}
			a.Score = math.NaN()
			if err := l.Tell(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
	}
	l.ask(t)
	if got := l.fits[2].X; !slices.Equal(got, []string{"100,0", "400,0", "500,0", "100,1"}) {
		t.Errorf("fitted to %v, want what is left", got)
	}
	if last := l.aligned[len(l.aligned)-1]; len(l.aligned) != 2 || !slices.Equal(last.X, []string{"400,0"}) || last.Z[0] != nil {
		t.Errorf("aligned %v, want what comes back", last.X)
	}
}

// As published, the surrogate sees all data at first and D^t afterwards, each point once.
func TestThePublishedWindow(t *testing.T) {
	for _, test := range []struct {
		scores []float64
		want   []string
	}{
		{[]float64{-5, -6}, []string{"100,1", "100,2", "100,0", "400,0", "200,0"}},
		{[]float64{3.5, -6}, []string{"100,1", "100,2", "100,0", "400,0"}},
		{[]float64{-6, 3.5}, []string{"100,1", "100,2", "100,0", "400,0"}},
	} {
		l := newLab(t, func(l *lab) { l.opts.Profile.Points = 0 })
		l.tell(t, l.ask(t), test.scores...)
		l.ask(t)
		if len(l.fits[0].X) != 6 || !slices.Equal(l.fits[1].X, test.want) {
			t.Errorf("scores %v: fitted to %v and then %v, want all, then %v", test.scores, l.fits[0].X, l.fits[1].X, test.want)
		}
	}
}

// As many points as the profile has are all seen.
func TestTheWholeWindow(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.opts.Profile.Points, l.opts.Top = 5, 2
		l.problem.Init = l.problem.Init[:5]
	})
	if l.ask(t); len(l.fits[0].X) != 5 {
		t.Errorf("fitted to %v, want all five", l.fits[0].X)
	}
}

// A Report names its phases, and counts batches that have ended.
func TestReport(t *testing.T) {
	l := newLab(t, nil)
	asked := l.ask(t)
	l.tell(t, asked[:1], 1)
	if l.Status().Batches != 0 {
		t.Error("a batch has ended before its last answer")
	}
	l.tell(t, asked[1:], math.NaN())
	r := l.Report()
	var names []string
	for _, p := range r.Phases {
		if names = append(names, p.Name); p.Name != "tune" && p.Time <= 0 || p.Name == "tune" && p.Time != 0 {
			t.Errorf("%v in phase %s", p.Time, p.Name)
		}
	}
	if l.Status().Batches != 1 || !slices.Equal(names, []string{"align", "tune", "fit", "anchor", "acquire", "decode"}) {
		t.Errorf("%d batches, phases %v", l.Status().Batches, names)
	}
}
