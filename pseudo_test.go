package invbo

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

func TestThreshold(t *testing.T) {
	var got threshold
	for _, c := range []struct {
		variance []float64
		want     threshold
	}{
		{[]float64{0.5, 1.5}, 1},   // the first samples' mean
		{[]float64{1, 2, 3}, 1.1},  // 0.9 · 1 + 0.1 · 2
		{[]float64{0.1}, 1},        // 0.9 · 1.1 + 0.1 · 0.1
		{[]float64{11, 11, 11}, 2}, // 0.9 · 1 + 0.1 · 11
	} {
		got = got.next(c.variance)
		if math.Abs(float64(got-c.want)) > 1e-15 {
			t.Fatalf("after variances %v: threshold %g, want %g", c.variance, got, c.want)
		}
	}
}

func TestPseudoWeight(t *testing.T) {
	for updates, want := range []float64{0, 0.1, 0.13, 0.169, 0.2197, 0.28561, 0.371293, 0.4826809, 0.62748517, 0.75, 0.75} {
		if got := pseudoWeight(updates); math.Abs(got-want) > 1e-15 {
			t.Errorf("after %d updates: weight %g, want %g", updates, got, want)
		}
	}
}

func TestSides(t *testing.T) {
	if got, want := sides([][]float64{{0, 5, 1}, {-2, 5, 3}, {1, 5, 2}}), []float64{3.3, 0, 2.2}; !near(got, want, 1e-15) {
		t.Errorf("sides = %v, want %v", got, want)
	}
}

// searched returns a study in the middle of a run of a method, before its next proposals, and its searcher.
func searched(t *testing.T, method string) (*study.Study, *Optimizer) {
	t.Helper()
	model, err := grammar.Expression()
	if err != nil {
		t.Fatal(err)
	}
	m, err := MethodNamed(method)
	if err != nil {
		t.Fatal(err)
	}
	profile := Fitted()
	profile.Candidates, profile.StringCandidates = 100, 100
	p := study.Problem{Oracle: oracle.Func(func(x string) oracle.Result { // sines in few characters
		return oracle.Result{Score: float64(strings.Count(x, "sin")) - 0.1*float64(len(x))}
	})}
	start, err := cfg.RandomExpressions(rand.New(rand.NewPCG(2, 3)), 40)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range start {
		p.Init = append(p.Init, study.Observation{X: x})
	}
	o, err := New(model, Options{Method: m, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.New(t.Context(), p, o, study.Options{Budget: 30})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, o
}

// Pseudo-labels are the surrogate's opinion of new strings, also when it looks at structure, and what is not
// sure enough has none.
func TestPseudoLabels(t *testing.T) {
	for _, method := range []string{"pglbo", "pglbo+structure"} {
		s, o := searched(t, method)
		rng := func() *rand.Rand { return rand.New(rand.NewPCG(4, 5)) }
		found, err := o.pseudoLabels(t.Context(), s, rng())
		if err != nil {
			t.Fatal(err)
		}
		if n := len(found.X); n == 0 || n > pseudoSamples || n != len(found.Y) {
			t.Fatalf("%s: %d strings with %d labels of %d samples", method, n, len(found.Y), pseudoSamples)
		}
		seen := map[string]bool{"": true}
		for _, x := range found.X {
			if e := s.Lookup(x); seen[x] || e.State != study.Unseen {
				t.Errorf("%s: %q is no new string: %+v", method, x, e)
			}
			seen[x] = true
		}
		if !slices.IsSortedFunc(found.Y, func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Errorf("%s: labels %v are not best first", method, found.Y)
		}
		if method == "pglbo+structure" {
			mu, _, err := o.surrogate.Predict(t.Context(), surrogate.Points{X: found.X})
			if err != nil || !near(found.Y, mu, 1e-12) {
				t.Errorf("labels %v, but the surrogate says %v of the strings (%v)", found.Y, mu, err)
			}
		}

		o.state.Threshold = 1e-300 // the samples' own mean is a tenth of the next
		fewer, err := o.pseudoLabels(t.Context(), s, rng())
		if err != nil {
			t.Fatal(err)
		}
		if len(fewer.X) >= len(found.X) {
			t.Errorf("%s: %d strings below a tenth of the mean variance, %d below the mean", method, len(fewer.X), len(found.X))
		}
	}
}

func TestByRank(t *testing.T) {
	k := 1e-3 * 4
	sum := 1/k + 1/(k+1) + 1/(k+2) + 1/(k+3)
	want := []float64{1 / (k + 2) / sum, 1 / k / sum, 1 / (k + 3) / sum, 1 / (k + 1) / sum}
	if got := byRank([]float64{0, 7, -1, 0.5}); !near(got, want, 1e-15) {
		t.Errorf("byRank = %v, want %v", got, want)
	}
	if got := byRank([]float64{2, 2}); !(got[0] > got[1]) {
		t.Errorf("byRank of equals = %v, want more for the first", got)
	}
}

// Draws are as frequent as they should be: within five deviations, which a right one misses once in a million.
func TestDraw(t *testing.T) {
	p := []float64{0.5, 0, 0.125, 0.375}
	const n = 10_000
	count := make([]float64, len(p))
	for _, i := range draw(p, n, rand.New(rand.NewPCG(1, 2))) {
		count[i]++
	}
	for i := range p {
		if off := math.Abs(count[i] - n*p[i]); off > 5*math.Sqrt(n*p[i]*(1-p[i])) {
			t.Errorf("%d is drawn %g times of %d, want about %g", i, count[i], n, n*p[i])
		}
	}
	if got := draw([]float64{1}, 3, rand.New(rand.NewPCG(1, 2))); !slices.Equal(got, []int{0, 0, 0}) {
		t.Errorf("of one, %v are drawn", got)
	}
}

// The mean of all losses by the shared weights is that of the first, weighted, plus that of the others times
// their weight.
func TestShare(t *testing.T) {
	w := []float64{0.5, 1.5, 1}
	losses := []float64{3, 1, 2, 10, 20}
	all := share(w, 2, 0.1)
	var got float64
	for i, l := range losses {
		got += all[i] * l / float64(len(losses))
	}
	if want := (0.5*3+1.5*1+2)/3 + 0.1*(10+20)/2; math.Abs(got-want) > 1e-15 {
		t.Errorf("mean loss %g, want %g", got, want)
	}
}

// guidance is its closed form, up to a constant, and its gradient that of finite differences.
func TestGuidance(t *testing.T) {
	const d, labelled = 3, 4
	rng := rand.New(rand.NewPCG(7, 8))
	draws := func(n int) (z [][]float64, y []float64) {
		z = zeros(n, d)
		for i := range z {
			for k := range z[i] {
				z[i][k] = rng.NormFloat64()
			}
			y = append(y, math.Sin(2*z[i][0])+0.3*z[i][1])
		}
		return z, y
	}
	s := surrogate.NewLatent()
	train, y := draws(30)
	if err := s.Fit(t.Context(), surrogate.Data{Points: surrogate.Points{Z: train}, Y: y}, rng); err != nil {
		t.Fatal(err)
	}
	closed := func(z [][]float64, y []float64) float64 {
		mu, sigma2, err := s.Predict(t.Context(), surrogate.Points{Z: z})
		if err != nil {
			t.Fatal(err)
		}
		var g float64
		for i := range z {
			v := sigma2[i] + s.Noise()
			if i < labelled {
				g += ((y[i]-mu[i])*(y[i]-mu[i])/v + math.Log(v)) / labelled
			} else {
				g += math.Log(v) / float64(len(z)-labelled)
			}
		}
		return g
	}
	z, target := draws(labelled + 3)
	other, _ := draws(labelled + 3)
	for _, n := range []int{labelled + 3, labelled} { // with pseudo-labelled strings, and without
		z, other, target := z[:n], other[:n], target[:labelled]
		g, grad, err := guidance(t.Context(), s, z, target)
		if err != nil {
			t.Fatal(err)
		}
		at, _, err := guidance(t.Context(), s, other, target)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := g-at, closed(z, target)-closed(other, target); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%d latents: guidance differs by %g, the closed form by %g", n, got, want)
		}
		const h = 1e-5
		for i := range z {
			for k := range z[i] {
				before := z[i][k]
				z[i][k] = before + h
				up := closed(z, target)
				z[i][k] = before - h
				down := closed(z, target)
				z[i][k] = before
				if want := (up - down) / (2 * h); math.Abs(grad[i][k]-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%d latents: ∂G/∂z[%d][%d] = %g, want %g", n, i, k, grad[i][k], want)
				}
			}
		}
	}
}

// W-LBO's VAE is updated at fixed calls, however well the search goes.
func TestUpdatesByCalls(t *testing.T) {
	_, o := searched(t, "lbo")
	o.opts.Method.Tuning.Every = 20
	for _, c := range []struct {
		fails, tuned int
		want         bool
	}{{0, 11, false}, {0, 10, true}, {10, 30, true}, {9, 30, false}} {
		o.state.Fails, o.state.Tuned = c.fails, c.tuned
		if got := o.due(); got != c.want {
			t.Errorf("after 30 calls, the last update at %d and %d bad batches: due is %t", c.tuned, c.fails, got)
		}
	}
}
