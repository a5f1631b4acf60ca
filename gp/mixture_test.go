package gp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/invbo/invbo/gp"
)

var bothKernels = terms(gp.Tanimoto, gp.Overlap)

// terms returns terms of a group each.
func terms(kernels ...gp.Kernel) []gp.Term {
	var all []gp.Term
	for g, k := range kernels {
		all = append(all, gp.Term{Kernel: k, Groups: []int{g}})
	}
	return all
}

// grouped returns n random structures of some groups of features, with random scores. A tenth of the groups are empty,
// some counts are large, and some features rare.
func grouped(rng *rand.Rand, n, groups int) ([][]gp.Counts, []float64) {
	x, y := make([][]gp.Counts, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = make([]gp.Counts, groups), rng.NormFloat64()
		for g := range x[i] {
			for id := uint64(0); id < 12 && rng.IntN(10) > 0; id++ {
				c := rng.IntN(4)
				if rng.IntN(20) == 0 {
					c *= 200
				}
				if c > 0 {
					x[i][g].IDs, x[i][g].N = append(x[i][g].IDs, id*7+3), append(x[i][g].N, uint32(c))
				}
			}
			if rng.IntN(4) == 0 {
				x[i][g].IDs, x[i][g].N = append(x[i][g].IDs, 1000+rng.Uint64N(20)), append(x[i][g].N, uint32(1+rng.IntN(400)))
			}
		}
	}
	return x, y
}

func mixture(t testing.TB, kernels []gp.Term, weights []float64, noise float64, x [][]gp.Counts, y, variance []float64, mean float64) *gp.Mixture {
	t.Helper()
	m := gp.NewMixture(kernels, weights, noise)
	if err := m.Add(x, variance); err != nil {
		t.Fatal(err)
	}
	if err := m.Target(y, mean); err != nil {
		t.Fatal(err)
	}
	return m
}

// overlap is the kernel as its formula has it.
func overlap(a, b gp.Counts) float64 {
	n := map[uint64]float64{}
	var totalA, totalB, least float64
	for i, id := range a.IDs {
		n[id] = float64(a.N[i])
		totalA += n[id]
	}
	for i, id := range b.IDs {
		totalB += float64(b.N[i])
		least += min(n[id], float64(b.N[i]))
	}
	switch {
	case totalA == 0 && totalB == 0:
		return 1
	case totalA == 0 || totalB == 0:
		return 0
	}
	return least / math.Sqrt(totalA*totalB)
}

// laplace is exp(−Σ |aᵢ − bᵢ| / 16) by its definition.
func laplace(a, b gp.Counts) float64 {
	difference := map[uint64]float64{}
	for i, id := range a.IDs {
		difference[id] += float64(a.N[i])
	}
	for i, id := range b.IDs {
		difference[id] -= float64(b.N[i])
	}
	var sum float64
	for _, d := range difference {
		sum += math.Abs(d)
	}
	return math.Exp(-sum / 16)
}

// together returns the counts of some groups as one.
func together(c []gp.Counts, groups []int) gp.Counts {
	if groups == nil {
		groups = []int{0}
	}
	var all gp.Counts
	for place, g := range groups {
		for i, id := range c[g].IDs {
			all.IDs, all.N = append(all.IDs, id*10+uint64(place)), append(all.N, c[g].N[i])
		}
	}
	return all
}

var formulas = map[gp.Kernel]func(a, b gp.Counts) float64{gp.Tanimoto: similarity, gp.Overlap: overlap, gp.Laplace: laplace}

// covariance is a Mixture's kernel, by the formulas.
func covariance(kernels []gp.Term, weights []float64, a, b []gp.Counts) float64 {
	var sum float64
	for i, k := range kernels {
		sum += weights[i] * formulas[k.Kernel](together(a, k.Groups), together(b, k.Groups))
	}
	return sum
}

// textbook is the posterior by dense linear algebra (Rasmussen & Williams 2006, 2.25–2.26), with the mean that maximizes the
// likelihood if it is NaN.
func textbook(t testing.TB, kernels []gp.Term, weights []float64, noise float64, x [][]gp.Counts, y, variance []float64, mean float64, at [][]gp.Counts) (mu, sigma2 []float64) {
	t.Helper()
	n := len(x)
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			k.SetSym(i, j, covariance(kernels, weights, x[i], x[j]))
		}
		v := noise
		if variance != nil {
			v += variance[i]
		}
		k.SetSym(i, i, k.At(i, i)+v)
	}
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		t.Fatal("the covariance is not positive definite")
	}
	solve := func(v []float64) *mat.VecDense {
		var w mat.VecDense
		if err := chol.SolveVecTo(&w, mat.NewVecDense(n, v)); err != nil {
			t.Fatal(err)
		}
		return &w
	}
	if math.IsNaN(mean) {
		ones := make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
		w := solve(ones)
		mean = mat.Dot(w, mat.NewVecDense(n, y)) / mat.Sum(w)
	}
	centred := make([]float64, n)
	for i := range y {
		centred[i] = y[i] - mean
	}
	alpha := solve(centred)
	for _, a := range at {
		row := make([]float64, n)
		for i := range x {
			row[i] = covariance(kernels, weights, x[i], a)
		}
		v := mat.NewVecDense(n, row)
		mu = append(mu, mean+mat.Dot(alpha, v))
		sigma2 = append(sigma2, covariance(kernels, weights, a, a)-mat.Dot(solve(row), v))
	}
	return mu, sigma2
}

// The posterior is that of the formulas, whatever the groups, known variances and mean.
func TestMixtureIsTheTextbooks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name    string
		kernels []gp.Term
		groups  int
		weights []float64
		known   bool // variances
		mean    float64
	}{
		{"a group of Tanimoto", terms(gp.Tanimoto), 1, []float64{1.5}, false, 0},
		{"a group of Overlap", terms(gp.Overlap), 1, []float64{0.7}, false, math.NaN()},
		{"both, with known variances", bothKernels, 2, []float64{1.5, 0.4}, true, math.NaN()},
		{"a group of Laplace", terms(gp.Laplace), 1, []float64{0.9}, true, math.NaN()},
		{"groups together", []gp.Term{
			{Kernel: gp.Overlap, Groups: []int{1}}, {Kernel: gp.Tanimoto, Groups: []int{0, 2}}, {Kernel: gp.Laplace}, {Kernel: gp.Overlap, Groups: []int{2, 1, 0}},
		}, 3, []float64{0.3, 0.5, 0.2, 0.4}, true, math.NaN()},
		{"three, one of them without weight", terms(gp.Overlap, gp.Tanimoto, gp.Overlap), 3, []float64{0.3, 0, 2}, true, -0.4},
		{"both on each of two", slices.Concat(terms(gp.Tanimoto, gp.Tanimoto), terms(gp.Overlap, gp.Overlap)), 2, []float64{0.3, 1, 0.8, 0.1}, true, 0.1},
	} {
		x, y := grouped(rng, 140, c.groups) // more than the first blocks of memory hold
		at, _ := grouped(rng, 12, c.groups)
		var variance []float64
		if c.known {
			for range x {
				variance = append(variance, 2*rng.Float64())
			}
		}
		m := mixture(t, c.kernels, c.weights, 0.2, x, y, variance, c.mean)
		mu, sigma2 := m.Predict(at)
		wantMu, wantSigma2 := textbook(t, c.kernels, c.weights, 0.2, x, y, variance, c.mean, at)
		near(t, c.name+": mean", mu, wantMu, 1e-9)
		near(t, c.name+": variance", sigma2, wantSigma2, 1e-9)
	}
}

func TestMixtureWithoutPointsIsThePrior(t *testing.T) {
	x, _ := grouped(rand.New(rand.NewPCG(3, 4)), 3, 2)
	m := gp.NewMixture(bothKernels, []float64{1, 2}, 0.1)
	mu, sigma2 := m.Predict(x)
	near(t, "mean", mu, []float64{0, 0, 0}, 0)
	near(t, "variance", sigma2, []float64{3, 3, 3}, 0)
	if mu, _ := m.Predict(nil); len(mu) != 0 {
		t.Errorf("%d means of nothing", len(mu))
	}
}

// Points are added one at a time, in parts or at once, and taken off again, with the same posterior.
func TestMixtureGrowsAndShrinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := grouped(rng, 135, 2)
	at, _ := grouped(rng, 10, 2)
	weights := []float64{1, 0.5}
	variance := make([]float64, len(x))
	for i := range variance {
		variance[i] = rng.Float64()
	}
	const n = 125
	once := mixture(t, bothKernels, weights, 0.1, x[:n], y[:n], variance[:n], math.NaN())
	mu, sigma2 := once.Predict(at)
	same := func(what string, m *gp.Mixture) {
		t.Helper()
		gotMu, gotSigma2 := m.Predict(at)
		near(t, what+": mean", gotMu, mu, 0)
		near(t, what+": variance", gotSigma2, sigma2, 0)
	}

	one := gp.NewMixture(bothKernels, weights, 0.1)
	for i := range n {
		if err := one.Add(x[i:i+1], variance[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.Target(y[:n], math.NaN()); err != nil {
		t.Fatal(err)
	}
	same("one at a time", one)

	if err := one.Add(x[n:], nil); err != nil {
		t.Fatal(err)
	}
	one.Truncate(len(x))
	if one.Len() != len(x) {
		t.Errorf("%d points after nothing was taken off, want %d", one.Len(), len(x))
	}
	one.Truncate(n)
	same("after Add and Truncate", one)

	b := one.Block(at)
	b.Condition(3, 0)
	b.Condition(0, 0)
	if one.Len() != n+2 {
		t.Errorf("%d points, want %d", one.Len(), n+2)
	}
	one.Truncate(n)
	same("after Condition and Truncate", one)

	if err := one.Add(x[n:], variance[n:]); err != nil {
		t.Fatal(err)
	}
	if err := one.Target(y, math.NaN()); err != nil {
		t.Fatal(err)
	}
	mu, sigma2 = mixture(t, bothKernels, weights, 0.1, x, y, variance, math.NaN()).Predict(at)
	same("grown again", one)
}

// The posterior at the points is that of Predict, also where there are further points without targets.
func TestAtPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	x, y := grouped(rng, 60, 2)
	at, _ := grouped(rng, 5, 2)
	variance := make([]float64, len(x))
	for i := range variance {
		variance[i] = rng.Float64()
	}
	m := mixture(t, bothKernels, []float64{1, 0.5}, 0.1, x, y, variance, math.NaN())
	for range 2 {
		mu, sigma2 := m.AtPoints()
		wantMu, wantSigma2 := m.Predict(x)
		near(t, "mean", mu, wantMu, 1e-9)
		near(t, "variance", sigma2, wantSigma2, 1e-9)
		m.Block(at).Condition(2, 0)
	}
}

// Conditioning on a structure adds it at its mean, with the variance of its measurement.
func TestBlockCondition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, y := grouped(rng, 20, 2)
	at, _ := grouped(rng, 8, 2)
	at[5] = at[1] // a structure that comes twice
	weights := []float64{1, 0.5}
	m := mixture(t, bothKernels, weights, 0.1, x, y, nil, 0.3)
	b := m.Block(at)
	variance := make([]float64, len(x))
	for k, i := range []int{1, 6, 1} {
		x, y, variance = append(x, at[i]), append(y, b.Mean[i]), append(variance, 0.5*float64(k))
		b.Condition(i, variance[len(x)-1])
		mu, sigma2 := mixture(t, bothKernels, weights, 0.1, x, y, variance, 0.3).Predict(at)
		near(t, "mean", b.Mean, mu, 1e-9)
		near(t, "variance", b.Variance, sigma2, 1e-9)
		mu, sigma2 = m.Predict(at)
		near(t, "mean predicted anew", mu, b.Mean, 1e-9)
		near(t, "variance predicted anew", sigma2, b.Variance, 1e-9)
	}
}

// Supposing a measurement adds it to what the block knows, until Truncate.
func TestBlockSuppose(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	x, y := grouped(rng, 20, 2)
	at, _ := grouped(rng, 8, 2)
	weights := []float64{1, 0.5}
	m := mixture(t, bothKernels, weights, 0.1, x, y, nil, 0.3)
	before, _ := m.Predict(at)
	b := m.Block(at)
	variance := make([]float64, len(x))
	for k, i := range []int{1, 6, 1} {
		x, y, variance = append(x, at[i]), append(y, float64(k)-2), append(variance, 0.5*float64(k))
		b.Suppose(i, y[len(y)-1], variance[len(x)-1])
		mu, sigma2 := mixture(t, bothKernels, weights, 0.1, x, y, variance, 0.3).Predict(at)
		near(t, "mean", b.Mean, mu, 1e-9)
		near(t, "variance", b.Variance, sigma2, 1e-9)
	}
	m.Truncate(20)
	after, _ := m.Predict(at)
	near(t, "mean after Truncate", after, before, 0)
}

// LeaveOneOut predicts each target from the others, with the mean that all of them have.
func TestLeaveOneOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	x, y := grouped(rng, 15, 2)
	weights := []float64{1, 0.5}
	variance := make([]float64, len(x))
	for i := range variance {
		variance[i] = rng.Float64()
	}
	const mean, noise = 0.2, 0.1
	mu, sigma2 := mixture(t, bothKernels, weights, noise, x, y, variance, mean).LeaveOneOut()
	for i := range x {
		others := func(v []float64) []float64 { return append(append([]float64(nil), v[:i]...), v[i+1:]...) }
		without := append(append([][]gp.Counts(nil), x[:i]...), x[i+1:]...)
		wantMu, wantSigma2 := mixture(t, bothKernels, weights, noise, without, others(y), others(variance), mean).Predict(x[i : i+1])
		near(t, "mean", mu[i:i+1], wantMu, 1e-9)
		near(t, "variance", sigma2[i:i+1], []float64{wantSigma2[0] + noise + variance[i]}, 1e-9)
	}
}

// Without noise, equal structures do not break the factorization.
func TestMixtureOfEqualStructures(t *testing.T) {
	x, _ := grouped(rand.New(rand.NewPCG(11, 12)), 2, 2)
	m := mixture(t, bothKernels, []float64{1, 1}, 0, [][]gp.Counts{x[0], x[0], x[1]}, []float64{1, 1, 2}, nil, 0)
	mu, sigma2 := m.Predict(x)
	near(t, "mean", mu, []float64{1, 2}, 1e-3)
	near(t, "variance", sigma2, []float64{0, 0}, 1e-3)
}

// A kernel is a similarity, and Mixture computes the covariances of many structures as it does those of two.
func TestKernels(t *testing.T) {
	counts := rapid.Custom(func(t *rapid.T) gp.Counts {
		n := rapid.MapOfN(rapid.Uint64Range(0, 20), rapid.Uint32Range(1, 1<<27), 0, 8).Draw(t, "counts")
		var c gp.Counts
		for id := range uint64(21) {
			if k, ok := n[id]; ok {
				c.IDs, c.N = append(c.IDs, id), append(c.N, k)
			}
		}
		return c
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := counts.Draw(t, "a"), counts.Draw(t, "b")
		for k, formula := range formulas {
			similarity := func(a, b gp.Counts) float64 { return gp.Term{Kernel: k}.Similarity([]gp.Counts{a}, []gp.Counts{b}) }
			s := similarity(a, b)
			if !(s >= 0 && s <= 1+1e-15) || s != similarity(b, a) || similarity(a, a) != 1 {
				t.Fatalf("kernel %d: %g, the other way round %g, with itself %g", k, s, similarity(b, a), similarity(a, a))
			}
			if want := formula(a, b); math.Abs(s-want) > 1e-12 {
				t.Fatalf("kernel %d: %g, want %g", k, s, want)
			}
			// after one observation of 1 with noise 1 the mean at b is half their similarity
			m := gp.NewMixture(terms(k), []float64{1}, 1)
			if err := m.Add([][]gp.Counts{{a}}, nil); err != nil {
				t.Fatal(err)
			}
			if err := m.Target([]float64{1}, 0); err != nil {
				t.Fatal(err)
			}
			if mu, _ := m.Predict([][]gp.Counts{{b}}); math.Abs(mu[0]-s/2) > 1e-12 {
				t.Fatalf("kernel %d: mean %g, want half of %g", k, mu[0], s)
			}
		}
	})
}

func TestFitMixtureFindsTheRelevantGroup(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	x, y := grouped(rng, 120, 2)
	for i := range x {
		y[i] = 100
		for k, id := range x[i][0].IDs {
			if id < 30 {
				y[i] += 10 * float64(x[i][0].N[k])
			}
		}
	}
	for _, kernel := range []gp.Kernel{gp.Tanimoto, gp.Overlap} {
		m, err := gp.FitMixture(t.Context(), terms(kernel, kernel), x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if w := m.Weights(); !(w[1] < w[0]/5) {
			t.Errorf("kernel %d: weights %g, want less of the group that does not matter", kernel, w)
		}
		if m.Noise() > m.Prior()/10 {
			t.Errorf("kernel %d: noise %g and prior %g of scores without noise", kernel, m.Noise(), m.Prior())
		}
		mu, _ := m.LeaveOneOut()
		if r := stat.Correlation(mu, y, nil); r < 0.8 {
			t.Errorf("kernel %d: correlation %.2f of targets left out with their predictions", kernel, r)
		}
	}
}

// A score that depends on the amount of one thing is learnt by Laplace, and another amount is found to be irrelevant.
func TestLaplaceLearnsAnOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	x, y := make([][]gp.Counts, 80), make([]float64, 80)
	for i := range x {
		amount := 1 + rng.IntN(60)
		y[i] = -math.Abs(float64(amount) - 23)
		x[i] = []gp.Counts{{IDs: []uint64{7}, N: []uint32{uint32(amount)}}, {IDs: []uint64{7}, N: []uint32{uint32(1 + rng.IntN(60))}}}
	}
	m, err := gp.FitMixture(t.Context(), terms(gp.Laplace, gp.Laplace), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w := m.Weights(); !(w[1] < w[0]/5) {
		t.Errorf("weights %g, want less of the amount that does not matter", w)
	}
	mu, _ := m.LeaveOneOut()
	if r := stat.Correlation(mu, y, nil); r < 0.95 {
		t.Errorf("correlation %.2f of targets left out with their predictions", r)
	}
}

// Little data, or data that say nothing, are no error.
func TestFitMixtureOfLittle(t *testing.T) {
	x, y := grouped(rand.New(rand.NewPCG(15, 16)), 6, 2)
	for _, c := range []struct {
		name string
		x    [][]gp.Counts
		y    []float64
	}{
		{"one point", x[:1], y[:1]},
		{"equal targets", x, []float64{4, 4, 4, 4, 4, 4}},
		{"equal structures", [][]gp.Counts{x[0], x[0], x[0]}, []float64{1, 2, 6}},
		{"empty structures", [][]gp.Counts{make([]gp.Counts, 2), make([]gp.Counts, 2)}, []float64{1, 2}},
	} {
		m, err := gp.FitMixture(t.Context(), bothKernels, c.x, c.y, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		mu, sigma2 := m.Predict(x)
		for i := range mu {
			if math.IsNaN(mu[i]) || math.IsInf(mu[i], 0) || !(sigma2[i] >= 0 && sigma2[i] <= m.Prior()) {
				t.Errorf("%s: %g ± √%g, prior %g", c.name, mu[i], sigma2[i], m.Prior())
			}
		}
		if c.name == "equal targets" {
			near(t, c.name, mu, c.y, 1e-5)
		}
	}
}

func TestFitMixtureErrors(t *testing.T) {
	x, y := grouped(rand.New(rand.NewPCG(17, 18)), 6, 2)
	why := errors.New("enough")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	one := [][]gp.Counts{x[0], x[1][:1]}
	for _, c := range []struct {
		name        string
		ctx         context.Context
		x           [][]gp.Counts
		y, variance []float64
		want        error
	}{
		{"nothing", t.Context(), nil, nil, nil, gp.ErrData},
		{"fewer targets", t.Context(), x, y[1:], nil, gp.ErrData},
		{"no number", t.Context(), x[:2], []float64{1, math.NaN()}, nil, gp.ErrData},
		{"fewer variances", t.Context(), x, y, y[1:], gp.ErrData},
		{"a group is missing", t.Context(), one, y[:2], nil, gp.ErrData},
		{"2³¹ features", t.Context(), [][]gp.Counts{{{IDs: []uint64{1}, N: []uint32{1 << 30}}, {IDs: []uint64{2}, N: []uint32{1 << 30}}}}, y[:1], nil, gp.ErrData},
		{"ctx", ended, x, y, nil, why},
	} {
		if _, err := gp.FitMixture(c.ctx, bothKernels, c.x, c.y, c.variance); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
	m := gp.NewMixture(bothKernels, []float64{1, 1}, 0.1)
	if err := m.Add(one, nil); !errors.Is(err, gp.ErrData) {
		t.Errorf("Add: error %v, want ErrData", err)
	}
	if err := m.Target(y, 0); !errors.Is(err, gp.ErrData) {
		t.Errorf("Target: error %v, want ErrData", err)
	}
}
