// Package vaetest is the test suite for implementations of vae.Tunable.
package vaetest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/invbo/invbo/vae"
)

// Run tests a model on strings that pass its Check: a few dozen of different lengths, ideally more than the model
// processes together. It does not change the model.
//
// The model must be trained well enough to reconstruct many of the strings: the test of the certificate needs
// pairs (z, x) that are exact and pairs that are not.
func Run(t *testing.T, m vae.Tunable, x []string) {
	run := func(name string, test func(*suite)) {
		t.Run(name, func(t *testing.T) {
			s := &suite{T: t, m: m, x: x}
			s.mu, s.sigma = s.encode(m, x)
			test(s)
		})
	}
	run("Check", (*suite).check)
	run("Certificate", (*suite).certificate)
	run("Losses", (*suite).losses)
	run("Gradient", (*suite).gradient)
	run("BatchIndependence", (*suite).batchIndependence)
	run("Concurrency", (*suite).concurrency)
	run("Cancel", (*suite).cancel)
	run("Tuner", (*suite).tuner)
	run("TunerRows", (*suite).tunerRows)
	run("TunerFails", (*suite).tunerFails)
	run("Clone", (*suite).clone)
}

type suite struct {
	*testing.T
	m         vae.Tunable
	x         []string
	mu, sigma [][]float64 // of x
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// near returns mu plus normal noise with the given standard deviation.
func near(rng *rand.Rand, mu [][]float64, deviation float64) [][]float64 {
	z := make([][]float64, len(mu))
	for i := range mu {
		z[i] = slices.Clone(mu[i])
		for j := range z[i] {
			z[i][j] += deviation * rng.NormFloat64()
		}
	}
	return z
}

func (t *suite) encode(m vae.Model, x []string) (mu, sigma [][]float64) {
	t.Helper()
	mu, sigma, err := m.Encode(t.Context(), x)
	if err != nil || len(mu) != len(x) || len(sigma) != len(x) {
		t.Fatalf("Encode returns %d means and %d deviations for %d strings, and the error %v", len(mu), len(sigma), len(x), err)
	}
	return mu, sigma
}

func (t *suite) decode(z [][]float64) []string {
	t.Helper()
	x, err := t.m.Decode(t.Context(), z)
	if err != nil || len(x) != len(z) {
		t.Fatalf("Decode returns %d strings for %d latents, and the error %v", len(x), len(z), err)
	}
	return x
}

func (t *suite) reconstruct(m vae.Inverter, z [][]float64, x []string, loss vae.Loss, grad [][]float64) (losses, margin []float64) {
	t.Helper()
	losses, margin, err := m.Reconstruct(t.Context(), z, x, loss, grad)
	if err != nil {
		t.Fatalf("Reconstruct: %v", err)
	}
	return losses, margin
}

func zeros(n, d int) [][]float64 {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, d)
	}
	return a
}

// check: Check accepts the strings and decoded strings, and Check and Encode refuse an invalid string.
func (t *suite) check() {
	for _, s := range t.x {
		if err := t.m.Check(s); err != nil {
			t.Errorf("Check(%q): %v", s, err)
		}
	}
	for i := range t.sigma {
		if len(t.sigma[i]) != t.m.Dim() || !(slices.Min(t.sigma[i]) >= 0 && slices.Max(t.sigma[i]) <= math.MaxFloat64) {
			t.Errorf("sigma of %q = %v: want %d finite values, none negative", t.x[i], t.sigma[i], t.m.Dim())
		}
	}
	for _, s := range t.decode(near(newRand(), zeros(200, t.m.Dim()), 1)) {
		if err := t.m.Check(s); s != "" && err != nil {
			t.Errorf("Check of the decoded %q: %v", s, err)
		}
	}
	const bad = "\x00 invalid for any model"
	if err := t.m.Check(bad); err == nil {
		t.Errorf("Check(%q) = nil", bad)
	}
	if _, _, err := t.m.Encode(t.Context(), []string{t.x[0], bad}); err == nil {
		t.Errorf("Encode(%q): no error", bad)
	}
}

// certificate: for thousands of pairs of latent and string, margin > 0 if and only if Decode gives the string.
func (t *suite) certificate() {
	rng := newRand()
	exact, inexact := 0, 0
	for pairs := 0; pairs < 2000; {
		for _, deviation := range []float64{0, 0.1, 0.3, 1} {
			z := near(rng, t.mu, deviation)
			decoded := t.decode(z)
			strings := slices.Clone(t.x) // half are x, half the decoded string, so that both cases occur
			for i, s := range decoded {
				if i%2 == 0 && s != "" {
					strings[i] = s
				}
			}
			_, margin := t.reconstruct(t.m, z, strings, vae.CrossEntropy, nil)
			for i := range z {
				if math.IsNaN(margin[i]) || (margin[i] > 0) != (decoded[i] == strings[i]) && margin[i] != 0 { // 0 is a tie
					t.Fatalf("margin = %g for %q, and its latent decodes to %q", margin[i], strings[i], decoded[i])
				}
				if margin[i] > 0 {
					exact++
				} else {
					inexact++
				}
			}
			pairs += len(z)
		}
	}
	if min(exact, inexact) < 100 {
		t.Errorf("%d pairs are exact and %d are not: too few of one kind for this test", exact, inexact)
	}
}

// losses: the losses satisfy the relations that follow from their definitions.
func (t *suite) losses() {
	z := near(newRand(), t.mu, 0.5)
	entropy, margin := t.reconstruct(t.m, z, t.x, vae.CrossEntropy, nil)
	focal, _ := t.reconstruct(t.m, z, t.x, vae.Focal, nil)
	hinge, _ := t.reconstruct(t.m, z, t.x, vae.Hinge, nil)
	for i := range z {
		if !(focal[i] >= 0 && focal[i] <= entropy[i]) {
			t.Errorf("%q: Focal = %g, cross-entropy = %g", t.x[i], focal[i], entropy[i])
		}
		if (hinge[i] == 0) != (margin[i] >= 1) || hinge[i] > max(0, 1-margin[i])+1e-6 {
			t.Errorf("%q: Hinge = %g, margin = %g", t.x[i], hinge[i], margin[i])
		}
		if margin[i] <= 0 && entropy[i] <= 0 {
			t.Errorf("%q: cross-entropy = %g, margin = %g", t.x[i], entropy[i], margin[i])
		}
	}
}

// gradient: the gradient agrees with central differences in random directions, and losses are the same without it.
func (t *suite) gradient() {
	const h = 1e-2
	rng := newRand()
	z := near(rng, t.mu, 0.5)
	for _, loss := range []vae.Loss{vae.CrossEntropy, vae.Hinge, vae.Focal} {
		grad := near(rng, zeros(len(z), t.m.Dim()), 1) // must be overwritten
		losses, margin := t.reconstruct(t.m, z, t.x, loss, grad)
		plain, plainMargin := t.reconstruct(t.m, z, t.x, loss, nil)
		if !slices.Equal(losses, plain) || !slices.Equal(margin, plainMargin) {
			t.Errorf("loss %d: losses or margins with and without a gradient differ", loss)
		}
		if loss == vae.Focal {
			continue // the factor 1 − p is constant in the gradient, but not in differences
		}
		far, all := 0, 0
		for range 4 {
			v := near(rng, zeros(len(z), t.m.Dim()), 1/math.Sqrt(float64(t.m.Dim())))
			up, _ := t.reconstruct(t.m, shift(z, v, h), t.x, loss, nil)
			down, _ := t.reconstruct(t.m, shift(z, v, -h), t.x, loss, nil)
			for i := range z {
				got, scale := 0.0, 0.0
				for j, g := range grad[i] {
					got += g * v[i][j]
					scale += g * g
				}
				want := (up[i] - down[i]) / (2 * h)
				all++
				if !(math.Abs(got-want) <= 0.02*math.Sqrt(scale)+1e-3) {
					far++
				}
			}
		}
		// Differences across a kink of a ReLU or hard sigmoid are wrong; most cross none.
		if far > all/5 {
			t.Errorf("loss %d: %d of %d directional derivatives differ from central differences", loss, far, all)
		}
	}
}

func shift(z, v [][]float64, h float64) [][]float64 {
	moved := zeros(len(z), len(z[0]))
	for i := range z {
		for j := range z[i] {
			moved[i][j] = z[i][j] + h*v[i][j]
		}
	}
	return moved
}

// batchIndependence: results are bit for bit the same for a string alone and in a batch.
func (t *suite) batchIndependence() {
	z := near(newRand(), t.mu, 0.3)
	decoded := t.decode(z)
	grad := zeros(len(z), t.m.Dim())
	losses, margin := t.reconstruct(t.m, z, t.x, vae.CrossEntropy, grad)
	for i := range t.x {
		mu1, sigma1 := t.encode(t.m, t.x[i:i+1])
		grad1 := zeros(1, t.m.Dim())
		losses1, margin1 := t.reconstruct(t.m, z[i:i+1], t.x[i:i+1], vae.CrossEntropy, grad1)
		for _, c := range []struct {
			what string
			same bool
		}{
			{"Encode's mean", slices.Equal(mu1[0], t.mu[i])},
			{"Encode's deviation", slices.Equal(sigma1[0], t.sigma[i])},
			{"Decode", t.decode(z[i : i+1])[0] == decoded[i]},
			{"the loss", losses1[0] == losses[i]},
			{"the margin", margin1[0] == margin[i]},
			{"the gradient", slices.Equal(grad1[0], grad[i])},
		} {
			if !c.same {
				t.Fatalf("%s of %q: alone and in a batch of %d differ", c.what, t.x[i], len(t.x))
			}
		}
	}
	if mu, _ := t.encode(t.m, nil); len(mu) != 0 || len(t.decode(nil)) != 0 {
		t.Error("results of an empty batch are not empty")
	}
}

// concurrency: concurrent calls give the same results. Run it with the race detector, too.
func (t *suite) concurrency() {
	want, _ := t.reconstruct(t.m, t.mu, t.x, vae.CrossEntropy, nil)
	decoded := t.decode(t.mu)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			mu2, _, err1 := t.m.Encode(t.Context(), t.x)
			decoded2, err2 := t.m.Decode(t.Context(), t.mu)
			got, _, err3 := t.m.Reconstruct(t.Context(), t.mu, t.x, vae.CrossEntropy, zeros(len(t.x), t.m.Dim()))
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Error(err)
			} else if !slices.EqualFunc(mu2, t.mu, slices.Equal) || !slices.Equal(decoded2, decoded) || !slices.Equal(got, want) {
				t.Error("results differ among goroutines")
			}
		})
	}
	wg.Wait()
}

func (t *suite) cancel() {
	cause := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(cause)
	z := zeros(len(t.x), t.m.Dim())
	_, _, encodeErr := t.m.Encode(ctx, t.x)
	_, decodeErr := t.m.Decode(ctx, z)
	_, _, reconstructErr := t.m.Reconstruct(ctx, z, t.x, vae.CrossEntropy, nil)
	_, stepErr := t.m.Clone().NewTuner(1e-3).Step(ctx, t.x, nil, 1, 1, nil, newRand())
	for name, err := range map[string]error{"Encode": encodeErr, "Decode": decodeErr, "Reconstruct": reconstructErr, "Step": stepErr} {
		if !errors.Is(err, cause) {
			t.Errorf("%s of a cancelled context: %v, want its cause", name, err)
		}
	}
}

// tuner: steps lower the loss, and the same seed gives the same weights, which another copy can take over.
func (t *suite) tuner() {
	pull := func(z [][]float64) (float64, [][]float64, error) { // pulls latents to (1, …, 1)
		loss, grad := 0.0, zeros(len(z), len(z[0]))
		for i := range z {
			for j, v := range z[i] {
				loss += (v - 1) * (v - 1) / float64(len(z))
				grad[i][j] = 2 * (v - 1) / float64(len(z))
			}
		}
		return loss, grad, nil
	}
	run := func() (first, last vae.StepLoss, c vae.Tunable) {
		c = t.m.Clone()
		u, rng := c.NewTuner(1e-3), newRand()
		for step := range 20 {
			loss, err := u.Step(t.Context(), t.x, nil, 1, 0.01, pull, rng)
			if err != nil {
				t.Fatalf("Step: %v", err)
			}
			if step == 0 {
				first = loss
			}
			last = loss
		}
		return first, last, c
	}
	first, last, c := run()
	if total := func(l vae.StepLoss) float64 { return l.Reconstruction + 0.01*l.KL + l.Latent }; !(total(last) < total(first)) {
		t.Errorf("loss after 20 steps %+v, at first %+v", last, first)
	}
	if !(last.Latent < first.Latent) {
		t.Errorf("loss on latents after 20 steps %g, at first %g", last.Latent, first.Latent)
	}
	if first.GradNorm <= 0 {
		t.Errorf("norm of the gradient = %g", first.GradNorm)
	}
	if _, _, again := run(); !slices.Equal(again.Weights(), c.Weights()) {
		t.Error("the same seed gives different weights")
	}
	other := t.m.Clone()
	other.SetWeights(c.Weights())
	mu, sigma := t.encode(c, t.x)
	if mu2, sigma2 := t.encode(other, t.x); !slices.EqualFunc(mu2, mu, slices.Equal) || !slices.EqualFunc(sigma2, sigma, slices.Equal) {
		t.Error("a copy with the same weights encodes otherwise")
	}
	losses, _ := t.reconstruct(c, mu, t.x, vae.CrossEntropy, nil)
	if losses2, _ := t.reconstruct(other, mu, t.x, vae.CrossEntropy, nil); !slices.Equal(losses2, losses) {
		t.Error("a copy with the same weights decodes otherwise")
	}
}

// quiet is a source with which NormFloat64 returns 0, so that latents do not depend on their position in a batch.
type quiet struct{}

func (quiet) Uint64() uint64 { return 0 }

// tunerRows: each string has its own weight, latent and gradient in the latent.
func (t *suite) tunerRows() {
	u := t.m.Clone().NewTuner(0) // steps compute losses and change nothing
	step := func(x []string, weight []float64, recon float64, latent vae.LatentLoss, rng *rand.Rand) vae.StepLoss {
		loss, err := u.Step(t.Context(), x, weight, recon, 0, latent, rng)
		if err != nil {
			t.Fatalf("Step: %v", err)
		}
		return loss
	}

	weight := make([]float64, len(t.x))
	for i := range weight {
		weight[i] = float64(i)
	}
	var z [][]float64
	got := step(t.x, weight, 1, func(sampled [][]float64) (float64, [][]float64, error) {
		z = sampled
		return 0, zeros(len(z), t.m.Dim()), nil
	}, newRand()).Reconstruction
	losses, _ := t.reconstruct(t.m, z, t.x, vae.CrossEntropy, nil)
	want := 0.0
	for i := range t.x {
		for j := range z[i] {
			if !(math.Abs(z[i][j]-t.mu[i][j]) <= 6*t.sigma[i][j]+1e-5) { // exceeded with probability 2·10⁻⁹
				t.Fatalf("latent of %q, dimension %d = %g, with mean %g and standard deviation %g", t.x[i], j, z[i][j], t.mu[i][j], t.sigma[i][j])
			}
		}
		want += weight[i] * losses[i] / float64(len(t.x))
	}
	if !(math.Abs(got-want) <= 1e-3*want) {
		t.Errorf("weighted cross-entropy %g, want %g", got, want)
	}

	// The gradient of a loss on one string of a batch is the gradient for that string alone.
	for i := 0; i < len(t.x); i += max(1, len(t.x)/10) {
		pull := func(i int) vae.LatentLoss {
			return func(z [][]float64) (float64, [][]float64, error) {
				grad := zeros(len(z), t.m.Dim())
				for j := range grad[i] {
					grad[i][j] = 1
				}
				return 0, grad, nil
			}
		}
		only, rng := make([]float64, len(t.x)), rand.New(quiet{})
		only[i] = float64(len(t.x))
		for _, c := range []struct {
			what         string
			batch, alone float64
		}{
			{"cross-entropy", step(t.x, only, 1, nil, rng).GradNorm, step(t.x[i:i+1], nil, 1, nil, rng).GradNorm},
			{"loss on latents", step(t.x, nil, 0, pull(i), rng).GradNorm, step(t.x[i:i+1], nil, 0, pull(0), rng).GradNorm},
		} {
			if !(math.Abs(c.batch-c.alone) <= 1e-3*c.alone) {
				t.Errorf("gradient of the %s of %q: norm %g in a batch, %g alone", c.what, t.x[i], c.batch, c.alone)
			}
		}
	}
}

// tunerFails: a gradient that is not finite, or an error of the loss on latents, leaves model and tuner unchanged.
func (t *suite) tunerFails() {
	cause := errors.New("no surrogate")
	for _, c := range []struct {
		grad float64
		err  error
	}{{math.NaN(), nil}, {math.Inf(1), nil}, {0, cause}} {
		pull := func(z [][]float64) (float64, [][]float64, error) {
			grad := zeros(len(z), t.m.Dim())
			grad[0][0] = c.grad
			return 0, grad, c.err
		}
		after := func(latents ...vae.LatentLoss) [][]float64 {
			tuned := t.m.Clone()
			u := tuned.NewTuner(1e-3)
			for _, latent := range latents {
				_, err := u.Step(t.Context(), t.x, nil, 1, 1, latent, newRand())
				if (err != nil) != (latent != nil) || latent != nil && c.err != nil && !(errors.Is(err, cause) && strings.Contains(err.Error(), "latent")) {
					t.Errorf("Step with a loss on latents that returns a gradient of %g and error %v: %v", c.grad, c.err, err)
				}
			}
			mu, _ := t.encode(tuned, t.x)
			return mu
		}
		if !slices.EqualFunc(after(pull), after(), slices.Equal) || !slices.EqualFunc(after(pull, nil), after(nil), slices.Equal) {
			t.Errorf("a gradient of %g or error %v changes later weights", c.grad, c.err)
		}
	}
}

// clone: tuning a clone changes the clone and not the model.
func (t *suite) clone() {
	c := t.m.Clone()
	if mu, _ := t.encode(c, t.x); !slices.EqualFunc(mu, t.mu, slices.Equal) {
		t.Error("a fresh clone encodes differently")
	}
	if _, err := c.NewTuner(0.1).Step(t.Context(), t.x, slices.Repeat([]float64{2}, len(t.x)), 1, 1, nil, newRand()); err != nil {
		t.Fatalf("Step: %v", err)
	}
	if mu, _ := t.encode(c, t.x); slices.EqualFunc(mu, t.mu, slices.Equal) {
		t.Error("a step does not change the clone")
	}
	if mu, _ := t.encode(t.m, t.x); !slices.EqualFunc(mu, t.mu, slices.Equal) {
		t.Error("a step on the clone changes the model")
	}
}
