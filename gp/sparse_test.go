package gp

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// most is how often a feature occurs at most.
const most = 2

// havingSome returns n structures that have each of some features with a probability, with as many occurrences as it comes.
func havingSome(n, features int, p float64, rng *rand.Rand) [][]Counts {
	x := make([][]Counts, n)
	for i := range x {
		var c Counts
		for id := range uint64(features) {
			if rng.Float64() < p {
				c.IDs, c.N = append(c.IDs, 3*id+1), append(c.N, 1+uint32(rng.IntN(most)))
			}
		}
		x[i] = []Counts{c}
	}
	return x
}

// linear is the linear model of a term with the kernel Sparse: the posterior of the contributions of features, by dense
// linear algebra.
type linear struct {
	features int
	prior    []float64 // variances
	mean     *mat.VecDense
	cov      *mat.Dense
}

func (l linear) row(c Counts) *mat.VecDense {
	v := mat.NewVecDense(l.features, nil)
	for k, id := range c.IDs {
		for n := range c.N[k] {
			v.SetVec(int(id/3)*most+int(n), 1)
		}
	}
	return v
}

// newLinear returns the posterior given targets around 0: (Φᵀ N⁻¹ Φ + P⁻¹)⁻¹ and its product with Φᵀ N⁻¹ y.
func newLinear(features int, prior []float64, x [][]Counts, y []float64, noise []float64) linear {
	l := linear{features: features, prior: prior}
	a, b := mat.NewDense(features, features, nil), mat.NewVecDense(features, nil)
	for f, p := range prior {
		a.Set(f, f, 1/p)
	}
	for i := range x {
		row := l.row(x[i][0])
		a.RankOne(a, 1/noise[i], row, row)
		b.AddScaledVec(b, y[i]/noise[i], row)
	}
	l.cov, l.mean = new(mat.Dense), new(mat.VecDense)
	if err := l.cov.Inverse(a); err != nil {
		panic(err)
	}
	l.mean.MulVec(l.cov, b)
	return l
}

func (l linear) predict(c Counts) (mu, sigma2 float64) {
	var v mat.VecDense
	row := l.row(c)
	v.MulVec(l.cov, row)
	return mat.Dot(row, l.mean), mat.Dot(row, &v)
}

// someRelevances returns relevances of all occurrences of features but the last one.
func someRelevances(features int, rng *rand.Rand) Relevances {
	r := Relevances{Features: 7.5}
	for f := range features*most - 1 {
		r.IDs, r.V = append(r.IDs, occurrence(uint64(3*(f/most)+1), uint32(f%most))), append(r.V, math.Exp(rng.NormFloat64()))
	}
	return r
}

// A Mixture with the kernel Sparse is a linear model of the features' presence, as points come and go.
func TestSparseIsALinearModel(t *testing.T) {
	const features, n, weight, noise = 12, 30, 0.7, 0.2
	rng := rand.New(rand.NewPCG(1, 2))
	x := havingSome(n+5, features, 0.4, rng)
	r := someRelevances(features, rng)
	prior := []float64{}
	for _, v := range append(r.V, stat.Mean(r.V, nil)) {
		prior = append(prior, weight*v/r.Features)
	}
	y, variance, all := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], variance[i] = rng.NormFloat64(), rng.Float64()
		all[i] = noise + variance[i]
	}
	m := NewMixture([]Term{{Kernel: Sparse}}, []float64{weight}, noise)
	if err := m.SetRelevances([]Relevances{r}); err != nil {
		t.Fatal(err)
	}
	check := func(what string, mu, sigma2 []float64, l linear) {
		t.Helper()
		for i, at := range x[n:] {
			wantMu, wantSigma2 := l.predict(at[0])
			if math.Abs(mu[i]-wantMu) > 1e-9 || math.Abs(sigma2[i]-wantSigma2) > 1e-9 {
				t.Errorf("%s: %g and %g, want %g and %g", what, mu[i], sigma2[i], wantMu, wantSigma2)
			}
		}
	}
	hold := func(n int) {
		t.Helper()
		if err := m.Add(x[m.Len():n], variance[m.Len():n]); err != nil {
			t.Fatal(err)
		}
		if err := m.Target(y[:n], 0); err != nil {
			t.Fatal(err)
		}
	}
	mu, sigma2 := m.Predict(x[n:])
	check("without points", mu, sigma2, newLinear(features*most, prior, nil, nil, nil))
	for _, points := range []int{n, n - 7, n - 1} {
		m.Truncate(points)
		hold(points)
		mu, sigma2 = m.Predict(x[n:])
		check("points", mu, sigma2, newLinear(features*most, prior, x[:points], y[:points], all[:points]))
	}
	hold(n)
	b := m.Block(x[n:])
	given := newLinear(features*most, prior, append(x[:n:n], x[n+2]), append(y[:n:n], b.Mean[2]), append(all[:n:n], noise+0.3))
	b.Condition(2, 0.3)
	check("a block that is conditioned", b.Mean, b.Variance, given)
	m.Truncate(n)
	before, varianceBefore := m.Before([]int{20}, []int{15})
	wantMu, wantSigma2 := newLinear(features*most, prior, x[:15], y[:15], all[:15]).predict(x[20][0])
	if math.Abs(before[0]-wantMu) > 1e-9 || math.Abs(varianceBefore[0]-wantSigma2-all[20]) > 1e-9 {
		t.Errorf("before: %g and %g, want %g and %g", before[0], varianceBefore[0], wantMu, wantSigma2+all[20])
	}
	again := m.Empty()
	if err := again.Add(x[:n], variance); err != nil {
		t.Fatal(err)
	}
	if err := again.Target(y, 0); err != nil {
		t.Fatal(err)
	}
	mu, sigma2 = again.Predict(x[n:])
	wantMus, wantSigma2s := m.Predict(x[n:])
	for i := range mu {
		if mu[i] != wantMus[i] || sigma2[i] != wantSigma2s[i] {
			t.Errorf("with the parameters of another one: %g and %g, want %g and %g", mu[i], sigma2[i], wantMus[i], wantSigma2s[i])
		}
	}
}

// Relevances follow from the posterior of the contributions, v = (ν + E[θ²]/p)/(ν + 1) with the prior variance p of v = 1.
func TestSparseFit(t *testing.T) {
	const features, n, weight, noise = 10, 25, 0.7, 0.2
	rng := rand.New(rand.NewPCG(3, 4))
	x := havingSome(n, features, 0.5, rng)
	m := NewMixture([]Term{{Kernel: Sparse}}, []float64{weight}, noise)
	if err := m.SetRelevances([]Relevances{someRelevances(features, rng)}); err != nil {
		t.Fatal(err)
	}
	y, all := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], all[i] = rng.NormFloat64(), noise
	}
	if err := m.Add(x, nil); err != nil {
		t.Fatal(err)
	}
	if err := m.Target(y, 0); err != nil {
		t.Fatal(err)
	}
	s := m.sparse[0]
	unit := weight / s.features
	at := func(f int) int { return s.index(occurrence(uint64(3*(f/most)+1), uint32(f%most))) }
	prior := make([]float64, features*most)
	for f := range prior {
		prior[f] = unit * s.v[at(f)]
	}
	l := newLinear(features*most, prior, x, y, all)
	k := make([]float64, n*n)
	s.gram(k)
	for i := range k {
		k[i] *= weight
	}
	addNoise(k, n, noise, nil)
	if _, err := cholesky(k, n); err != nil {
		t.Fatal(err)
	}
	s.fit(weight, inverse(nil, k, n), m.alpha)
	for f := range prior {
		mean := l.mean.AtVec(f)
		want := (freedom + (mean*mean+l.cov.At(f, f))/unit) / (freedom + 1)
		if got := s.v[at(f)]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("feature %d: relevance %g, want %g", f, got, want)
		}
	}
}

// Of many features the few that matter are found, and what others say is not believed.
func TestFitMixtureFindsTheRelevantFeatures(t *testing.T) {
	const features, n = 400, 120
	matter := map[uint64]float64{3*5 + 1: 2, 3*77 + 1: -1.5, 3*300 + 1: 1}
	rng := rand.New(rand.NewPCG(5, 6))
	x := havingSome(2*n, features, 0.25, rng)
	y := make([]float64, 2*n)
	for i := range x {
		for _, id := range x[i][0].IDs {
			y[i] += matter[id]
		}
	}
	miss := map[Kernel]float64{}
	for _, k := range []Kernel{Overlap, Sparse} {
		m, err := FitMixture(t.Context(), []Term{{Kernel: k}}, x[:n], y[:n], nil)
		if err != nil {
			t.Fatal(err)
		}
		mu, _ := m.Predict(x[n:])
		for i, mu := range mu {
			miss[k] += (mu - y[n+i]) * (mu - y[n+i]) / n / stat.Variance(y, nil)
		}
		if k != Sparse {
			continue
		}
		r := m.Relevances()[0]
		for i, id := range r.IDs {
			if r.V[i] > 10 != (matter[id] != 0) { // the first occurrence matters
				t.Errorf("feature %d, which contributes %g, has the relevance %g", id, matter[id], r.V[i])
			}
		}
	}
	if !(miss[Sparse] < 0.1 && miss[Overlap] > 0.5) {
		t.Errorf("share of the variance that is not predicted: %g, and %g where all features are alike", miss[Sparse], miss[Overlap])
	}
}

func TestRelevancesRefused(t *testing.T) {
	m := NewMixture([]Term{{Kernel: Sparse}}, []float64{1}, 1)
	for _, r := range [][]Relevances{{}, {{Features: 1, IDs: []uint64{1}}}, {{}}, {{Features: math.NaN()}}} {
		if err := m.SetRelevances(r); !errors.Is(err, ErrData) {
			t.Errorf("%+v: error %v, want ErrData", r, err)
		}
	}
}
