package gp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// aligned returns n random strings of a number of positions, over as many tokens.
func aligned(n, positions, tokens int, rng *rand.Rand) [][]Counts {
	x := make([][]Counts, n)
	for i := range x {
		x[i] = make([]Counts, 1)
		for p := range positions {
			x[i][0].IDs, x[i][0].N = append(x[i][0].IDs, Site(p, rng.IntN(tokens))), append(x[i][0].N, 1)
		}
	}
	return x
}

// someSites are sites with two distances: whether tokens are the same, and the squared difference of their numbers.
func someSites(positions, tokens int) *Sites {
	s := &Sites{Positions: positions, Tokens: tokens, Distances: [][]float64{nil, nil}}
	for a := range tokens {
		for b := range tokens {
			other := 1.0
			if a == b {
				other = 0
			}
			s.Distances[0] = append(s.Distances[0], other)
			s.Distances[1] = append(s.Distances[1], float64((a-b)*(a-b))/4)
		}
	}
	return s
}

func siteTerms(s *Sites) []Term {
	var all []Term
	for _, k := range []Kernel{SiteProduct, SiteSum, SitePairs} {
		all = append(all, Term{Kernel: k, Groups: []int{0}, Sites: s})
	}
	return all
}

// The covariance is the weighted sum of the formulas of the kernels, whichever way it is computed, and positive
// semi-definite.
func TestSiteKernels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positions, tokens, n := rapid.IntRange(1, 5).Draw(t, "positions"), rapid.IntRange(1, 4).Draw(t, "tokens"), rapid.IntRange(1, 20).Draw(t, "strings")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s := someSites(positions, tokens)
		logs := make([]float64, positions+2)
		for i := range logs {
			logs[i] = rng.NormFloat64()
		}
		weights := []float64{0.7, 0.2, 0.4}
		m := NewMixture(siteTerms(s), weights, 0.1)
		if err := m.SetSites(logs); err != nil {
			t.Fatal(err)
		}
		x := aligned(n, positions, tokens, rng)
		if err := m.Add(x, nil); err != nil {
			t.Fatal(err)
		}
		k := make([]float64, n*n)
		m.covariances(x, k)
		grams := [][]float64{make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)}
		m.sites.grams(grams, n)
		for i := range x {
			for j := range x {
				product, sum, pairs := 1.0, 0.0, 0.0
				var similar []float64
				for p := range positions {
					a, b := int(x[i][0].IDs[p]&0xff), int(x[j][0].IDs[p]&0xff)
					d := math.Exp(logs[positions])*s.Distances[0][a*tokens+b] + math.Exp(logs[positions+1])*s.Distances[1][a*tokens+b]
					v := math.Exp(-math.Exp(logs[p]) * d)
					for _, w := range similar {
						pairs += v * w / (float64(positions*(positions-1)) / 2)
					}
					similar = append(similar, v)
					product, sum = product*v, sum+v/float64(positions)
				}
				if positions == 1 {
					pairs = 1
				}
				want := weights[0]*product + weights[1]*sum + weights[2]*pairs
				inGrams := weights[0]*grams[0][i*n+j] + weights[1]*grams[1][i*n+j] + weights[2]*grams[2][i*n+j]
				for what, got := range map[string]float64{"covariances": k[i*n+j], "between": m.between(x[i], x[j]), "grams": inGrams} {
					if math.Abs(got-want) > 1e-12 {
						t.Fatalf("%s of strings %d and %d: %g, want %g", what, i, j, got, want)
					}
				}
			}
		}
		var e mat.EigenSym
		if e.Factorize(mat.NewSymDense(n, k), false) && slices.Min(e.Values(nil)) < -1e-10 {
			t.Errorf("least eigenvalue %g of the covariance", slices.Min(e.Values(nil)))
		}
	})
}

// What structures differ by is 1 less the mean of all their similarities: next to nothing for equal ones, and 1 without
// sites.
func TestSpreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	const n, positions, tokens = 9, 5, 3
	terms := siteTerms(someSites(positions, tokens))
	x := aligned(n, positions, tokens, rng)
	for name, test := range map[string]struct {
		terms []Term
		x     [][]Counts
		want  func(gram []float64) float64
	}{
		"different structures": {terms, x, func(gram []float64) float64 {
			sum := 0.0
			for i := range n {
				for j := range n {
					sum += gram[max(i, j)*n+min(i, j)]
				}
			}
			return 1 - sum/(n*n)
		}},
		"equal ones":    {terms, slices.Repeat(x[:1], n), func([]float64) float64 { return 1e-3 }},
		"without sites": {[]Term{{Kernel: Tanimoto}}, x, func([]float64) float64 { return 1 }},
	} {
		s, err := NewStructures(test.terms, test.x, make([][]float64, n))
		if err != nil {
			t.Fatal(err)
		}
		m, grams := s.parameters()
		for k, got := range m.spreads(grams, n) {
			if want := test.want(grams[k]); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: spread %g of term %d, want %g", name, got, k, want)
			}
		}
	}
}

func TestSitesGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, positions := range []int{1, 4} {
		const n, tokens = 14, 3
		x, y := aligned(n, positions, tokens, rng), normals(n, rng)
		m := NewMixture(siteTerms(someSites(positions, tokens)), []float64{1, 1, 1}, 1)
		for _, c := range x {
			m.hold(c, 0)
		}
		theta := append([]float64{-0.7, 0.2, -0.4, -1.5}, normals(positions+2, rng)...)
		loss := func(grad []float64) float64 {
			grams := [][]float64{make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)}
			v, err := mixtureLoss(new(workspace), grams, nil, m.sites, y, nil, 1.7, []float64{0.2, 0.5, 0.01}, theta, grad)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		grad := make([]float64, len(theta))
		loss(grad)
		checkGrad(t, "mixtureLoss with sites", func() float64 { return loss(make([]float64, len(theta))) }, theta, grad)
	}
}

// Scores that one position decides are learned as such: its relevance is the greatest, and other strings are predicted.
func TestFitFindsTheRelevantSite(t *testing.T) {
	const positions, tokens = 4, 5
	rng := rand.New(rand.NewPCG(23, 24))
	value := func(c Counts) float64 { return math.Sin(2 * float64(c.IDs[2]&0xff)) }
	x, others := aligned(60, positions, tokens, rng), aligned(40, positions, tokens, rng)
	y := make([]float64, len(x))
	for i := range x {
		y[i] = value(x[i][0]) + 0.02*rng.NormFloat64()
	}
	m, err := FitMixture(t.Context(), siteTerms(someSites(positions, tokens)), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if logs := m.Sites()[:positions]; slices.Max(logs) != logs[2] {
		t.Errorf("logarithms of the relevances %.2f, want the third greatest", logs)
	}
	mu, _ := m.Predict(others)
	for i := range others {
		if want := value(others[i][0]); math.Abs(mu[i]-want) > 0.1 {
			t.Errorf("string %d: predicted %.3f, want %.3f", i, mu[i], want)
		}
	}
	again := m.Empty()
	if err := again.Add(x, nil); err != nil {
		t.Fatal(err)
	}
	if err := again.Target(y, math.NaN()); err != nil {
		t.Fatal(err)
	}
	if same, _ := again.Predict(others); !slices.Equal(same, mu) {
		t.Error("a Mixture that was emptied and filled again predicts otherwise")
	}
}

func TestSitesRefuse(t *testing.T) {
	s := someSites(2, 3)
	for name, c := range map[string]Counts{
		"too few tokens":   {IDs: []uint64{Site(0, 1)}, N: []uint32{1}},
		"an unknown token": {IDs: []uint64{Site(0, 1), Site(1, 3)}, N: []uint32{1, 1}},
		"no site":          {IDs: []uint64{Site(0, 1), Site(2, 1)}, N: []uint32{1, 1}},
	} {
		if err := NewMixture(siteTerms(s), []float64{1, 1, 1}, 1).Add([][]Counts{{c}}, nil); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v, want ErrData", name, err)
		}
	}
	if err := NewMixture(siteTerms(s), []float64{1, 1, 1}, 1).SetSites([]float64{1}); !errors.Is(err, ErrData) {
		t.Errorf("parameters of other sites: error %v, want ErrData", err)
	}
	if _, err := FitMixture(context.Background(), siteTerms(s), nil, nil, nil); !errors.Is(err, ErrData) {
		t.Errorf("no strings: error %v, want ErrData", err)
	}
}
