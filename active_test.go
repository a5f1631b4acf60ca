package invbo

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
)

// partlyUsed is a model of d dimensions whose encoder uses the first few, and leaves all others at the prior.
type partlyUsed struct {
	vae.Model
	d, used int
}

func (m partlyUsed) Encode(_ context.Context, x []string) (mu, sigma [][]float64, err error) {
	mu, sigma = zeros(len(x), m.d), zeros(len(x), m.d)
	for i := range x {
		for j := range m.d {
			sigma[i][j] = 1
			if j < m.used {
				sigma[i][j] = 0.6
			}
		}
	}
	return mu, sigma, nil
}

// Scores depend on two dimensions of forty. In the others latents lie as far apart as inversion and moves of candidates leave
// them: a surrogate of all dimensions sees little but that, one of active dimensions ranks what it has not seen.
func TestActiveSeesThroughUnusedDimensions(t *testing.T) {
	const d, used, n = 40, 2, 160
	rng := rand.New(rand.NewPCG(1, 2))
	z, x, y := zeros(2*n, d), make([]string, 2*n), make([]float64, 2*n)
	for i := range z {
		x[i] = strconv.Itoa(i)
		for j := range z[i] {
			z[i][j] = 2 * rng.NormFloat64()
		}
		y[i] = math.Sin(z[i][0]) - math.Abs(z[i][1])
	}
	ranking := func(s Surrogate) float64 {
		if err := s.Fit(t.Context(), Points{Z: z[:n], X: x[:n]}, y[:n], rng); err != nil {
			t.Fatal(err)
		}
		mu, _, err := s.Predict(Points{Z: z[n:]})
		if err != nil {
			t.Fatal(err)
		}
		return Spearman(mu, y[n:])
	}
	all, seen := ranking(&sparse{}), ranking(ActiveDimensions(&sparse{}, partlyUsed{d: d, used: used}))
	if seen < 0.9 || seen < all+0.1 {
		t.Errorf("rank correlation %.2f in active dimensions and %.2f in all, want at least 0.9 and 0.1 more", seen, all)
	}
}

func TestActivity(t *testing.T) {
	got := activity([][]float64{{0, 1, 0.6, 0.8, 1.2}, {0, 1, 0.6, 0, 1.1}})
	want := []float64{1, leastWeight, 0.8, math.Sqrt(0.68), leastWeight}
	if !near(got, want, 1e-12) {
		t.Errorf("activity = %v, want %v", got, want)
	}
}

// cubes is a Trainable whose loss is the sum of the cubes of what it sees.
type cubes struct{ Surrogate }

func (cubes) Fit(context.Context, Points, []float64, *rand.Rand) error { return nil }

func (cubes) Loss(z [][]float64, _ []float64) (loss float64, grad [][]float64, err error) {
	grad = zeros(len(z), len(z[0]))
	for i := range z {
		for j, v := range z[i] {
			loss += v * v * v
			grad[i][j] = 3 * v * v
		}
	}
	return loss, grad, nil
}

func (c cubes) Trainer(float64) func([][]float64, []float64) (float64, [][]float64, error) {
	return c.Loss
}

// The gradients that reach the VAE are those of its own latents.
func TestActiveGradients(t *testing.T) {
	a := ActiveDimensions(cubes{}, partlyUsed{d: 3, used: 1}).(Trainable)
	if err := a.Fit(t.Context(), Points{Z: zeros(1, 3), X: []string{"x"}}, []float64{0}, nil); err != nil {
		t.Fatal(err)
	}
	z := [][]float64{{0.5, -2, 3}}
	for name, loss := range map[string]func([][]float64, []float64) (float64, [][]float64, error){"Loss": a.Loss, "Trainer": a.Trainer(1e-3)} {
		_, grad, err := loss(z, nil)
		if err != nil {
			t.Fatal(err)
		}
		for j := range z[0] {
			const h = 1e-5
			at := func(step float64) float64 {
				moved := [][]float64{append([]float64(nil), z[0]...)}
				moved[0][j] += step
				l, _, _ := loss(moved, nil)
				return l
			}
			if want := (at(h) - at(-h)) / (2 * h); math.Abs(grad[0][j]-want) > 1e-7 {
				t.Errorf("%s: ∂/∂z%d = %g, want %g", name, j+1, grad[0][j], want)
			}
		}
	}
}

// A method that trains its surrogate finds out at the start whether it can.
func TestActiveIsTrainableOnlyIfItsSurrogateIs(t *testing.T) {
	if _, ok := ActiveDimensions(&exact{}, partlyUsed{}).(Trainable); ok {
		t.Error("the exact GP is no Trainable, and in active dimensions it is one")
	}
}

// A surrogate that reads strings has no dimensions to weigh.
func TestActiveNeedsASurrogateOfLatents(t *testing.T) {
	m, err := grammar.Expression()
	if err != nil {
		t.Fatal(err)
	}
	method, err := MethodNamed("turbo+active")
	if err != nil {
		t.Fatal(err)
	}
	profile := Fitted()
	profile.Surrogate = func(vae.Model) Surrogate { return newStructure(Problem{Model: m}) }
	if _, err := New(Problem{Model: m, Init: []Observation{{X: "x"}, {X: "sin(x)"}}}, Options{Method: method, Profile: profile}); err == nil || !strings.Contains(err.Error(), "not Active") {
		t.Errorf("error %v, want one that asks for a method that is not Active", err)
	}
}
