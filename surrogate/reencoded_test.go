package surrogate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/vae"
)

// table is a model whose encoder looks strings up: numbers, in rows of mean. It uses the first few dimensions, and leaves the
// others at the prior.
type table struct {
	vae.Model
	mean    [][]float64
	used    int
	encoded *int // strings so far
	fails   *error
}

func (m table) Encode(_ context.Context, x []string) (mu, sigma [][]float64, err error) {
	if *m.fails != nil {
		return nil, nil, *m.fails
	}
	*m.encoded += len(x)
	for _, s := range x {
		i, err := strconv.Atoi(s)
		if err != nil {
			return nil, nil, err
		}
		deviation := make([]float64, len(m.mean[i]))
		for j := range deviation {
			if j >= m.used {
				deviation[j] = 1
			}
		}
		mu, sigma = append(mu, m.mean[i]), append(sigma, deviation)
	}
	return mu, sigma, nil
}

// lookup returns a table of n strings in d dimensions, of which two are used, the strings and scores that depend on these two.
func lookup(n, d int, rng *rand.Rand) (m table, x []string, y []float64) {
	m = table{mean: zeros(n, d), used: 2, encoded: new(int), fails: new(error)}
	for i := range m.mean {
		for j := range m.mean[i] {
			m.mean[i][j] = rng.NormFloat64()
		}
		x = append(x, strconv.Itoa(i))
		y = append(y, math.Sin(m.mean[i][0])-math.Abs(m.mean[i][1]))
	}
	return m, x, y
}

// Latents are noise here, and what they decode to is all there is to learn from.
func TestReencodedSeesWhatLatentsDecodeTo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 80
	m, x, y := lookup(2*n, 20, rng)
	z := zeros(2*n, 20)
	for i := range z {
		for j := range z[i] {
			z[i][j] = 3 * rng.NormFloat64()
		}
	}
	s := NewReencoded(m)
	if err := s.Fit(t.Context(), Data{Points: Points{Z: z[:n], X: x[:n]}, Y: y[:n]}, rng); err != nil {
		t.Fatal(err)
	}
	at := Points{Z: z[n:], X: x[n:]}
	mu, sigma2, err := s.Predict(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	if r := stats.Spearman(mu, y[n:]); r < 0.9 {
		t.Errorf("rank correlation %.2f of predictions and scores, want at least 0.9", r)
	}
	draws, err := s.Sample(400, rng).At(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	for j := range mu {
		var mean float64
		for _, f := range draws {
			mean += f[j] / float64(len(draws))
		}
		if math.Abs(mean-mu[j]) > 5*math.Sqrt(sigma2[j]/float64(len(draws)))+0.01 {
			t.Errorf("string %s: mean of draws %.3f, and of the posterior %.3f ± %.3f", x[n+j], mean, mu[j], math.Sqrt(sigma2[j]))
		}
	}
}

// A string is encoded once between two fits, and anew after: the VAE may have been updated.
func TestReencodedFollowsTheEncoder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	m, x, y := lookup(20, 5, rng)
	s := NewReencoded(m)
	fit := func() {
		t.Helper()
		if err := s.Fit(t.Context(), Data{Points: Points{Z: zeros(10, 5), X: x[:10]}, Y: y[:10]}, rng); err != nil {
			t.Fatal(err)
		}
	}
	predict := func() float64 {
		t.Helper()
		mu, _, err := s.Predict(t.Context(), Points{X: []string{x[12], x[3], x[12]}})
		if err != nil {
			t.Fatal(err)
		}
		if mu[0] != mu[2] {
			t.Errorf("predictions %v, want the same of the same string", mu)
		}
		return mu[0]
	}
	fit()
	before := predict()
	predict()
	if *m.encoded != 11 {
		t.Errorf("%d strings encoded for 11 different ones", *m.encoded)
	}
	m.mean[12] = m.mean[0]
	fit()
	if after := predict(); after == before {
		t.Errorf("prediction %g of a string before and after the encoder moved it", after)
	}
}

// What the encoder cannot say ends the fit or the prediction, and is asked for again the next time.
func TestReencodedAfterAnError(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m, x, y := lookup(12, 5, rng)
	s := NewReencoded(m)
	data := Data{Points: Points{Z: zeros(10, 5), X: x[:10]}, Y: y[:10]}
	*m.fails = errors.New("out of order")
	if err := s.Fit(t.Context(), data, rng); !errors.Is(err, *m.fails) || !strings.Contains(err.Error(), "encode 10 strings") {
		t.Errorf("Fit: %v, want the encoder's error and of what", err)
	}
	*m.fails = nil
	if err := s.Fit(t.Context(), data, rng); err != nil {
		t.Fatal(err)
	}
	*m.fails = errors.New("out of order")
	if _, _, err := s.Predict(t.Context(), Points{X: x[10:]}); !errors.Is(err, *m.fails) {
		t.Errorf("Predict: %v, want the encoder's error", err)
	}
	if _, err := s.Sample(1, rng).At(t.Context(), Points{Z: zeros(2, 5), X: x[10:]}); !errors.Is(err, *m.fails) {
		t.Errorf("Sample: %v, want the encoder's error", err)
	}
	*m.fails = nil
	if _, _, err := s.Predict(t.Context(), Points{X: x[10:]}); err != nil {
		t.Errorf("Predict after an error: %v", err)
	}
}

func TestActivity(t *testing.T) {
	// Unused, used, less than one hundredth used, and broader than the prior.
	got := activity([][]float64{{1, 0.6, 1, 2}, {1, 0.8, 0.9999999, 1}})
	for j, want := range []float64{0.01, math.Sqrt(0.5), 0.01, 0.01} {
		if math.Abs(got[j]-want) > 1e-12 {
			t.Errorf("weight %g of dimension %d, want %g", got[j], j, want)
		}
	}
}

func zeros(n, d int) [][]float64 {
	z := make([][]float64, n)
	for i := range z {
		z[i] = make([]float64, d)
	}
	return z
}
