package surrogate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// words is a model whose latents are the numbers of each letter of "abc" in a string.
type words struct{ vae.Model }

func (words) Dim() int { return 3 }

func (words) Encode(_ context.Context, x []string) (mu, sigma [][]float64, err error) {
	for _, s := range x {
		z := make([]float64, 3)
		for j := range z {
			z[j] = float64(strings.Count(s, string("abc"[j]))) - 2
		}
		mu, sigma = append(mu, z), append(sigma, []float64{0.1, 0.1, 0.1})
	}
	return mu, sigma, nil
}

// problem returns n scored words; the score is greater for more a and less b.
func problem(n int, seed uint64) surrogate.Data {
	rng := rand.New(rand.NewPCG(seed, 0))
	var d surrogate.Data
	seen := map[string]bool{}
	for len(d.X) < n {
		var x strings.Builder
		for range 6 {
			x.WriteByte("abc"[rng.IntN(3)])
		}
		if seen[x.String()] {
			continue
		}
		seen[x.String()] = true
		d.X = append(d.X, x.String())
		d.Y = append(d.Y, 0.7*float64(strings.Count(x.String(), "a")-strings.Count(x.String(), "b")))
		d.ID = append(d.ID, len(d.ID))
	}
	d.Z, _, _ = words{}.Encode(context.Background(), d.X)
	return d
}

// part returns rows from low to high of d.
func part(d surrogate.Data, low, high int) surrogate.Data {
	d.X, d.Z, d.Y, d.ID = d.X[low:high], d.Z[low:high], d.Y[low:high], d.ID[low:high]
	if d.Variance != nil {
		d.Variance = d.Variance[low:high]
	}
	return d
}

func points(d surrogate.Data, rows ...int) surrogate.Points {
	var at surrogate.Points
	for _, i := range rows {
		at.Z, at.X = append(at.Z, d.Z[i]), append(at.X, d.X[i])
	}
	return at
}

// all makes each surrogate.
var all = map[string]func() surrogate.Surrogate{
	"latent":    func() surrogate.Surrogate { return surrogate.NewLatent() },
	"published": func() surrogate.Surrogate { return surrogate.NewPublished() },
	"exact":     func() surrogate.Surrogate { return surrogate.NewExact() },
	"structure": func() surrogate.Surrogate { return surrogate.NewStructure(surrogate.Runs(words{})) },
}

func each(t *testing.T, test func(t *testing.T, name string, s surrogate.Surrogate)) {
	for name, make := range all {
		t.Run(name, func(t *testing.T) { test(t, name, make()) })
	}
}

func fit(t *testing.T, s surrogate.Surrogate, d surrogate.Data) {
	t.Helper()
	if err := s.Fit(t.Context(), d, rand.New(rand.NewPCG(7, 8))); err != nil {
		t.Fatal(err)
	}
}

func predict(t *testing.T, s surrogate.Surrogate, at surrogate.Points) (mu, sigma2 []float64) {
	t.Helper()
	mu, sigma2, err := s.Predict(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return mu, sigma2
}

func values(t *testing.T, d surrogate.Draws, at surrogate.Points) [][]float64 {
	t.Helper()
	f, err := d(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPredictionsRankNewStrings(t *testing.T) {
	d := problem(120, 1)
	each(t, func(t *testing.T, name string, s surrogate.Surrogate) {
		least := 0.9
		if name == "published" { // twenty epochs leave it all but unfitted
			least = 0.3
		}
		fit(t, s, part(d, 0, 80))
		mu, sigma2 := predict(t, s, part(d, 80, 120).Points)
		if r := stats.Spearman(mu, d.Y[80:]); r < least {
			t.Errorf("rank correlation %.2f of predictions and scores, want at least %g", r, least)
		}
		if least := slices.Min(sigma2); !(least > 0) {
			t.Errorf("least variance %g, want one above 0", least)
		}
	})
}

// Draws scatter around the posterior mean by the posterior variance, wherever they are evaluated first.
func TestDrawsAreOfThePosterior(t *testing.T) {
	d := problem(60, 2)
	const k = 2000
	each(t, func(t *testing.T, name string, s surrogate.Surrogate) {
		fit(t, s, part(d, 0, 40))
		a, b := points(d, 41), points(d, 42, 43)
		both := points(d, 41, 42, 43)
		mu, sigma2 := predict(t, s, both)
		if l, ok := s.(*surrogate.Published); ok { // its draws are observations
			for j := range sigma2 {
				sigma2[j] += l.Noise()
			}
		}
		draws := s.Sample(k, rand.New(rand.NewPCG(1, 1)))
		successive := append(transposed(values(t, draws, a)), transposed(values(t, draws, b))...)
		joint := transposed(values(t, s.Sample(k, rand.New(rand.NewPCG(2, 2))), both))
		for _, f := range []struct {
			name string
			f    [][]float64 // (3, k)
		}{{"joint", joint}, {"successive", successive}} {
			for j := range mu {
				sd := math.Sqrt(sigma2[j])
				mean, variance := moments(f.f[j], f.f[j])
				if math.Abs(mean-mu[j]) > 5*sd/math.Sqrt(k)+1e-6 {
					t.Errorf("%s: mean %g of draws, and of the posterior %g ± %g", f.name, mean, mu[j], sd)
				}
				if math.Abs(variance/sigma2[j]-1) > 0.25 { // 5 deviations of a variance over 2,000 draws are 0.16
					t.Errorf("%s: variance %g of draws, and of the posterior %g", f.name, variance, sigma2[j])
				}
			}
		}
		for j := range 2 { // of the first point with the two after it
			_, together := moments(joint[0], joint[j+1])
			_, apart := moments(successive[0], successive[j+1])
			scale := math.Sqrt(sigma2[0] * sigma2[j+1])
			if math.Abs(together-apart) > 0.25*scale {
				t.Errorf("correlation %g of values drawn together, and %g one after the other", together/scale, apart/scale)
			}
		}
	})
}

func transposed(f [][]float64) [][]float64 {
	out := make([][]float64, len(f[0]))
	for _, row := range f {
		for j, v := range row {
			out[j] = append(out[j], v)
		}
	}
	return out
}

// moments returns the mean of a, and its covariance with b.
func moments(a, b []float64) (mean, cov float64) {
	var other float64
	n := float64(len(a))
	for i := range a {
		mean += a[i] / n
		other += b[i] / n
	}
	for i := range a {
		cov += (a[i] - mean) * (b[i] - other) / n
	}
	return mean, cov
}

// A draw that is evaluated again, among points made later, is the same function.
func TestDrawsAreFunctions(t *testing.T) {
	d := problem(60, 3)
	each(t, func(t *testing.T, name string, s surrogate.Surrogate) {
		if name == "published" {
			t.Skip("its draws are observations with noise, as in the paper's code")
		}
		fit(t, s, part(d, 0, 40))
		draws := s.Sample(3, rand.New(rand.NewPCG(1, 1)))
		first := values(t, draws, points(d, 50, 51))
		again := values(t, draws, points(d, 52, 51, 3, 50))
		for k := range first {
			if math.Abs(first[k][0]-again[k][3]) > 1e-9 || math.Abs(first[k][1]-again[k][1]) > 1e-9 {
				t.Errorf("draw %d is %v first, and %v later", k, first[k], again[k])
			}
		}
		if first[0][0] == first[1][0] || first[0][0] == first[0][1] {
			t.Errorf("draws %v, want different functions that are not constant", first)
		}
		same := values(t, s.Sample(3, rand.New(rand.NewPCG(1, 1))), points(d, 50, 51))
		if !slices.EqualFunc(first, same, slices.Equal[[]float64]) {
			t.Errorf("draws %v and %v of the same random numbers", first, same)
		}
	})
}

// A score that is known to be uncertain pulls less than one that is not, and replicates make it pull more.
func TestUncertainScoresPullLess(t *testing.T) {
	whole := problem(40, 4)
	each(t, func(t *testing.T, name string, _ surrogate.Surrogate) {
		if name == "published" {
			t.Skip("twenty epochs leave it all but unfitted")
		}
		at := func(variance float64) float64 {
			d := whole
			d.Y = slices.Clone(d.Y)
			d.Y[5] += 6 // an outlier
			if variance > 0 {
				d.Variance = make([]float64, len(d.Y))
				d.Variance[5] = variance
			}
			s := all[name]()
			fit(t, s, d)
			mu, _ := predict(t, s, points(d, 5))
			return mu[0]
		}
		uncertain, replicated, sure := at(100), at(1), at(0)
		if !(uncertain < replicated && replicated < sure) {
			t.Errorf("prediction %g of variance 100, %g of 1 and %g of 0, want them rising towards the score", uncertain, replicated, sure)
		}
	})
}

// A Fit that is interrupted leaves nothing behind: the next one is the first.
func TestAnInterruptedFitStartsOver(t *testing.T) {
	d := problem(40, 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	each(t, func(t *testing.T, name string, s surrogate.Surrogate) {
		if err := s.Fit(ctx, d, rand.New(rand.NewPCG(7, 8))); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want that it was canceled", err)
		}
		fit(t, s, d)
		whole := all[name]()
		fit(t, whole, d)
		got, _ := predict(t, s, d.Points)
		if want, _ := predict(t, whole, d.Points); !slices.Equal(got, want) {
			t.Errorf("predictions %v, want %v as of a first fit", got[:3], want[:3])
		}
	})
}

// A Fit may start from what the last one found, and follows the data.
func TestFitAgain(t *testing.T) {
	d := problem(60, 6)
	each(t, func(t *testing.T, name string, s surrogate.Surrogate) {
		fit(t, s, part(d, 0, 30))
		fit(t, s, part(d, 0, 60))
		mu, _ := predict(t, s, part(d, 30, 60).Points)
		least := 0.95
		if name == "published" {
			least = 0.3
		}
		if r := stats.Spearman(mu, d.Y[30:]); r < least {
			t.Errorf("rank correlation %.2f with data of the second fit, want at least %g", r, least)
		}
	})
}

// Surrogates of strings give each string one value, and nothing is worth less than anything.
func TestSurrogatesOfStrings(t *testing.T) {
	d := problem(40, 7)
	for _, name := range []string{"structure"} {
		s, ok := all[name]().(surrogate.StringSurrogate)
		if !ok {
			t.Fatalf("%s: no StringSurrogate", name)
		}
		s.ReadsStrings()
		fit(t, s, part(d, 0, 30))
		draws := s.Sample(3, rand.New(rand.NewPCG(3, 3)))
		at := surrogate.Points{Z: make([][]float64, 5), X: []string{d.X[35], "", d.X[36], d.X[35], ""}}
		for _, f := range values(t, draws, at) {
			if f[0] != f[3] || f[0] == f[2] || math.IsInf(f[0], 0) || math.IsInf(f[2], 0) {
				t.Errorf("%s: draw %v, want finite values, the first and the fourth the same, the third another", name, f)
			}
			if !math.IsInf(f[1], -1) || !math.IsInf(f[4], -1) {
				t.Errorf("%s: draw %v, want −Inf where nothing is decoded", name, f)
			}
		}
		nothing := values(t, draws, surrogate.Points{Z: make([][]float64, 2), X: []string{"", ""}})
		if len(nothing) != 3 || !math.IsInf(nothing[2][0], -1) || !math.IsInf(nothing[2][1], -1) {
			t.Errorf("%s: draws %v of nothing but nothing, want −Inf", name, nothing)
		}
	}
	for _, name := range []string{"latent", "published", "exact"} {
		if _, ok := all[name]().(surrogate.StringSurrogate); ok {
			t.Errorf("%s: is a StringSurrogate, and looks at latents", name)
		}
	}
}

// A continuous problem has a lengthscale for each dimension: long where the score is flat.
func TestLengthscales(t *testing.T) {
	d := problem(60, 8)
	s := surrogate.NewExact()
	fit(t, s, d)
	scales := s.Lengthscales()
	if len(scales) != 3 || !(scales[2] > scales[0] && scales[2] > scales[1]) {
		t.Errorf("lengthscales %v, want three, and the greatest of the letter that does not count", scales)
	}
	if _, ok := surrogate.Surrogate(surrogate.NewLatent()).(surrogate.Anisotropic); ok {
		t.Error("the deep kernel has no lengthscale of a latent dimension")
	}
}

// Steps of the trainer take the loss down; each returns the loss before it.
func TestTrainer(t *testing.T) {
	d := problem(40, 9)
	for _, s := range []surrogate.Trainable{surrogate.NewLatent(), surrogate.NewPublished()} {
		fit(t, s, d)
		y := make([]float64, len(d.Y))
		for i := range y {
			y[i] = -d.Y[i] // something new to learn
		}
		before, _, err := s.Loss(d.Z, y)
		if err != nil {
			t.Fatal(err)
		}
		step := s.Trainer(0.01)
		var first float64
		for i := range 50 {
			loss, grad, err := step(d.Z, y, d.ID)
			if err != nil {
				t.Fatal(err)
			}
			if len(grad) != len(y) || len(grad[0]) != 3 {
				t.Fatalf("gradient of %d latents, want %d of 3 dimensions", len(grad), len(y))
			}
			if i == 0 {
				first = loss
			}
		}
		after, _, err := s.Loss(d.Z, y)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(first-before) > 1e-9*math.Abs(before) || !(after < before-0.1) {
			t.Errorf("loss %g, %g in the first step, and %g after all; want the first two equal and the last less", before, first, after)
		}
		const h = 1e-4
		z := [][]float64{slices.Clone(d.Z[0])}
		_, grad, err := s.Loss(z, y[:1])
		if err != nil {
			t.Fatal(err)
		}
		z[0][0] += h
		up, _, _ := s.Loss(z, y[:1])
		z[0][0] -= 2 * h
		down, _, _ := s.Loss(z, y[:1])
		if want := (up - down) / (2 * h); math.Abs(grad[0][0]-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("∂loss/∂z = %g, want %g", grad[0][0], want)
		}
	}
}

// NewPublished trains as the paper's code: twenty epochs at first, and two in each later Fit.
func TestPublishedSchedule(t *testing.T) {
	d := problem(30, 10)
	s := surrogate.NewPublished()
	rng := func() *rand.Rand { return rand.New(rand.NewPCG(7, 8)) }
	r := rng()
	model, err := gp.New(d.Z, gp.Options{Inducing: 1024, Jitter: 1e-4, Features: []int{3, 3}}, r)
	if err != nil {
		t.Fatal(err)
	}
	for i, epochs := range []int{20, 2, 2} {
		if i > 0 {
			r = rng()
		}
		if err := model.Train(t.Context(), d.Z, d.Y, nil, epochs, r); err != nil {
			t.Fatal(err)
		}
		fit(t, s, d)
		if s.Noise() != model.Noise() {
			t.Errorf("fit %d: noise %g, want %g as after %d epochs", i+1, s.Noise(), model.Noise(), epochs)
		}
	}
}

// The features of a string are its runs of one to four tokens, ends included; equal strings have equal ones.
func TestRuns(t *testing.T) {
	runs := surrogate.Runs(words{})
	count := func(x string) (different int, sum uint32) {
		c, err := runs(x)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(c.IDs) {
			t.Errorf("%q: features %v, want them ascending", x, c.IDs)
		}
		for _, n := range c.N {
			sum += n
		}
		return len(c.IDs), sum
	}
	// "aaa" is ^aaa$: runs of one ^ a $, of two ^a aa a$, of three ^aa aaa aa$, of four ^aaa aaa$.
	if different, sum := count("aaa"); different != 11 || sum != 5+4+3+2 {
		t.Errorf("%d features, %d in all, want 11 and 14", different, sum)
	}
	if different, sum := count(""); different != 3 || sum != 3 {
		t.Errorf("%d features of the empty string, %d in all, want its two ends and both", different, sum)
	}
}

func TestStructureNamesWhatHasNoFeatures(t *testing.T) {
	s := surrogate.NewStructure(func(x string) (gp.Counts, error) {
		if x == "?" {
			return gp.Counts{}, errors.New("no features")
		}
		return gp.Counts{IDs: []uint64{uint64(len(x))}, N: []uint32{1}}, nil
	})
	bad := surrogate.Points{Z: make([][]float64, 3), X: []string{"aa", "?", "aaa"}}
	const want = `features of "?"`
	if err := s.Fit(t.Context(), surrogate.Data{Points: bad, Y: []float64{1, 2, 3}}, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Fit: %v, want %s", err, want)
	}
	good := surrogate.Data{Points: surrogate.Points{Z: make([][]float64, 3), X: []string{"a", "aa", "aaa"}}, Y: []float64{1, 2, 3}}
	fit(t, s, good)
	if _, _, err := s.Predict(t.Context(), bad); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Predict: %v, want %s", err, want)
	}
	if _, err := s.Sample(1, rand.New(rand.NewPCG(1, 1)))(t.Context(), bad); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("At: %v, want %s", err, want)
	}
}

// Features are counted once for each string, but a long search forgets them.
func TestStructureRemembersLately(t *testing.T) {
	var asked atomic.Int64
	s := surrogate.NewStructure(func(x string) (gp.Counts, error) {
		asked.Add(1)
		return gp.Counts{IDs: []uint64{uint64(len(x) % 7)}, N: []uint32{1}}, nil
	})
	d := surrogate.Data{Points: surrogate.Points{Z: make([][]float64, 3), X: []string{"a", "aa", "aaa"}}, Y: []float64{1, 2, 3}}
	fit(t, s, d)
	fit(t, s, d)
	if asked.Load() != 3 {
		t.Errorf("features asked for %d times, want once for each of 3 strings", asked.Load())
	}
	var many surrogate.Points
	for i := range 50_001 {
		many.X = append(many.X, fmt.Sprint(i))
	}
	predict(t, s, many)
	fit(t, s, d)
	if asked.Load() != 3+50_001+3 {
		t.Errorf("features asked for %d times, want once more for each string after 50,000 others", asked.Load())
	}
}
