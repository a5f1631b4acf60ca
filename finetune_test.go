package invbo

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// recorder is a model that writes down its training steps.
type recorder struct {
	vae.Tunable
	rate  float64
	steps []recorded
}

// recorded is what a training step is given, and its loss on latents.
type recorded struct {
	x         []string
	weight    []float64
	recon, kl float64
	loss      float64
	grad      [][]float64
}

func (r *recorder) NewTuner(rate float64) vae.Tuner {
	r.rate = rate
	return r
}

func (r *recorder) Step(_ context.Context, x []string, weight []float64, recon, kl float64, latent vae.LatentLoss, _ *rand.Rand) (vae.StepLoss, error) {
	s := recorded{x: slices.Clone(x), weight: weight, recon: recon, kl: kl}
	var err error
	s.loss, s.grad, err = latent(latents(x))
	r.steps = append(r.steps, s)
	return vae.StepLoss{}, err
}

// latents returns different latents of strings of digits.
func latents(x []string) (z [][]float64) {
	for _, s := range x {
		v, err := strconv.Atoi(s)
		if err != nil {
			panic(err)
		}
		z = append(z, []float64{math.Sin(float64(v)), math.Cos(float64(v)), 0.1 * float64(v)})
	}
	return z
}

// digits returns n scored strings.
func digits(n, from int) surrogate.Data {
	var l surrogate.Data
	for i := range n {
		l.X, l.Y, l.ID = append(l.X, strconv.Itoa(from+i)), append(l.Y, math.Sin(float64(3*(from+i)))), append(l.ID, 100+i)
	}
	return l
}

// counted is a Trainable whose own loss is 3 with a gradient of ones, and that counts the steps of its trainer.
type counted struct {
	surrogate.Surrogate
	rate float64
	id   [][]int
	err  error
}

func (c *counted) Loss(z [][]float64, _ []float64) (float64, [][]float64, error) {
	return 7, ones(len(z)), c.err
}

func (c *counted) Predict(_ context.Context, at surrogate.Points) (mu, sigma2 []float64, err error) {
	return make([]float64, len(at.Z)), make([]float64, len(at.Z)), nil
}

func (c *counted) Trainer(rate float64) func(z [][]float64, y []float64, id []int) (float64, [][]float64, error) {
	c.rate = rate
	return func(z [][]float64, y []float64, id []int) (float64, [][]float64, error) {
		c.id = append(c.id, id)
		return 3, ones(len(z)), c.err
	}
}

func ones(n int) [][]float64 {
	z := zeros(n, 3)
	for i := range z {
		for j := range z[i] {
			z[i][j] = 1
		}
	}
	return z
}

// An update goes twice through the data, in steps of 64, at the published rate, down ELBO with a tenth of KL.
func TestTuneSteps(t *testing.T) {
	m, rng := &recorder{}, rand.New(rand.NewPCG(1, 2))
	data := digits(70, 0)
	if err := (FineTuning{ELBO: 2}).tune(t.Context(), m, nil, data, surrogate.Data{}, 0, rng); err != nil {
		t.Fatal(err)
	}
	if m.rate != 1e-3 || len(m.steps) != 4 {
		t.Fatalf("%d steps at rate %g, want two passes of two at 10⁻³", len(m.steps), m.rate)
	}
	for i, s := range m.steps {
		want := [][]string{data.X[:64], data.X[64:]}[i%2]
		if !slices.Equal(s.x, want) || s.recon != 2 || s.kl != 0.2 || !slices.Equal(s.weight, slices.Repeat([]float64{1}, len(want))) {
			t.Errorf("step %d on %d strings with factors %g and %g", i, len(s.x), s.recon, s.kl)
		}
		if s.loss != 0 || !near(slices.Concat(s.grad...), make([]float64, 3*len(want)), 0) {
			t.Errorf("step %d has a loss of latents, %g", i, s.loss)
		}
	}
	if err := (FineTuning{ELBO: 1, Rate: 0.5}).tune(t.Context(), m, nil, data, surrogate.Data{}, 0, rng); err != nil || m.rate != 0.5 {
		t.Errorf("rate %g, %v, want 0.5", m.rate, err)
	}
	for _, f := range []FineTuning{{ELBO: 1, Passes: 3}, {ELBO: 1, Ranked: true, Passes: 3}} {
		m.steps = nil
		if err := f.tune(t.Context(), m, nil, data, surrogate.Data{}, 0, rng); err != nil || len(m.steps) != 6 {
			t.Errorf("ranked %v: %d steps, %v, want three passes of two", f.Ranked, len(m.steps), err)
		}
	}
}

// The loss on latents is the sum of the terms with their factors; pseudo-labelled strings have a part in guidance alone.
func TestTuneLosses(t *testing.T) {
	data, pseudo := digits(9, 0), digits(20, 50)
	z := latents(data.X)
	w := promise(data.Y)
	lip, lipGrad := lipschitz(z, data.Y, w)
	dist, distGrad := spread(z)
	sum := func(factor float64, grads ...[][]float64) []float64 {
		out := zeros(9, 3)
		for _, g := range grads {
			addTo(out, g, factor)
		}
		return slices.Concat(out...)
	}
	for _, test := range []struct {
		name   string
		f      FineTuning
		loss   float64
		grad   []float64 // of the first nine
		others float64   // gradient of each of the others
	}{
		{"Lipschitz", FineTuning{Lipschitz: 2, Weighted: true}, 2 * lip, sum(2, lipGrad), 0},
		{"distance", FineTuning{Distance: 0.5}, 0.5 * dist, sum(0.5, distGrad), 0},
		{"surrogate", FineTuning{Surrogate: 4}, 12, sum(4, ones(9)), 0},
		{"guidance", FineTuning{Guidance: 0.25}, 0.25 * 2 * (7 + 7), sum(0.25, ones(9), ones(9)), 0.5},
		{"all", FineTuning{Lipschitz: 1, Distance: 1, Surrogate: 1, Weighted: true}, lip + dist + 3, sum(1, lipGrad, distGrad, ones(9)), 0},
	} {
		m, s := &recorder{}, &counted{}
		if err := test.f.tune(t.Context(), m, s, data, pseudo, 0.1, rand.New(rand.NewPCG(1, 2))); err != nil {
			t.Fatal(err)
		}
		if len(m.steps) != 2 {
			t.Fatalf("%s: %d steps, want 2", test.name, len(m.steps))
		}
		step := m.steps[0]
		if len(step.x) != 9+5 || !slices.Equal(step.x[:9], data.X) { // half as many again, drawn
			t.Fatalf("%s: a step on %v", test.name, step.x)
		}
		weights := slices.Repeat([]float64{1}, 9)
		if test.f.Weighted {
			weights = w
		}
		if !near(step.weight, share(weights, 5, 0.1), 1e-15) {
			t.Errorf("%s: weights %v", test.name, step.weight)
		}
		grad := slices.Concat(step.grad...)
		if math.Abs(step.loss-test.loss) > 1e-12 || !near(grad[:27], test.grad, 1e-12) || !near(grad[27:], slices.Repeat([]float64{test.others}, 15), 1e-12) {
			t.Errorf("%s: loss %g, want %g; gradient %v", test.name, step.loss, test.loss, grad)
		}
		if trained := test.f.Surrogate != 0; (len(s.id) == 2 && slices.Equal(s.id[0], data.ID) && s.rate == 1e-3) != trained {
			t.Errorf("%s: the surrogate is trained on %v", test.name, s.id)
		}
	}
}

// W-LBO goes once through as many points as there are, drawn by rank.
func TestTuneByRank(t *testing.T) {
	m, data := &recorder{}, digits(40, 0)
	if err := (FineTuning{ELBO: 1, Ranked: true}).tune(t.Context(), m, nil, data, surrogate.Data{}, 0, rand.New(rand.NewPCG(1, 2))); err != nil {
		t.Fatal(err)
	}
	if len(m.steps) != 1 || len(m.steps[0].x) != 40 {
		t.Fatalf("%d steps, want one pass over 40", len(m.steps))
	}
	want := draw(byRank(data.Y), 40, rand.New(rand.NewPCG(1, 2)))
	if !slices.Equal(m.steps[0].x, stats.Pick(data.X, want)) {
		t.Errorf("trained on %v, want draws by rank", m.steps[0].x)
	}
}

func TestErrorsOfLosses(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		f    FineTuning
		want string
	}{{FineTuning{Surrogate: 1}, "surrogate's loss"}, {FineTuning{Guidance: 1}, "surrogate's guidance"}} {
		err := test.f.tune(t.Context(), &recorder{}, &counted{err: broken}, digits(9, 0), surrogate.Data{}, 0, rand.New(rand.NewPCG(1, 2)))
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one of %s", err, test.want)
		}
	}
}

// promise is flat where all scores are equal, and has mean 1.
func TestPromise(t *testing.T) {
	if got := promise([]float64{2, 2, 2}); !near(got, []float64{1, 1, 1}, 1e-15) {
		t.Errorf("promise of equals = %v", got)
	}
	if got := promise([]float64{5}); !near(got, []float64{1}, 1e-15) {
		t.Errorf("promise of one = %v", got)
	}
}
