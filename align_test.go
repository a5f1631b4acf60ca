package invbo_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// expressions returns the model of arithmetic expressions and n of them.
func expressions(t *testing.T, n int) (*grammar.Model, []string) {
	t.Helper()
	m, err := grammar.Expression()
	if err != nil {
		t.Fatal(err)
	}
	x, err := cfg.RandomExpressions(rand.New(rand.NewPCG(11, 12)), n)
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// invert starts at the encoder's means, as Algorithm 1.
func invert(t *testing.T, m vae.Inverter, x []string, opts invbo.InversionOptions) []invbo.Inverted {
	t.Helper()
	mu, _, err := m.Encode(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	out, err := invbo.Invert(t.Context(), m, x, mu, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestInvertDecodesExactly(t *testing.T) {
	m, x := expressions(t, 100)
	for _, loss := range []vae.Loss{vae.CrossEntropy, vae.Focal, vae.Hinge} {
		exact := 0
		for i, v := range invert(t, m, x, invbo.InversionOptions{Loss: loss}) {
			decoded, err := m.Decode(t.Context(), [][]float64{v.Z})
			if err != nil {
				t.Fatal(err)
			}
			if v.Exact != (decoded[0] == x[i]) {
				t.Errorf("loss %d: %q: Exact is %t, but it decodes to %q", loss, x[i], v.Exact, decoded[0])
			}
			if v.Exact {
				exact++
			}
		}
		if exact < 99 {
			t.Errorf("loss %d: %d of 100 exact, want 99 %%", loss, exact)
		}
	}
}

func TestInvertStops(t *testing.T) {
	m, x := expressions(t, 40)
	for i, v := range invert(t, m, x, invbo.InversionOptions{Iterations: 1}) {
		if v.Iterations > 1 {
			t.Errorf("%q: %d iterations, want at most 1", x[i], v.Iterations)
		}
	}
	// Everything is nearer than 2: the first latents are taken.
	anything := invbo.InversionOptions{Epsilon: 2, Distance: invbo.TokenDistance(m)}
	for i, v := range invert(t, m, x, anything) {
		if v.Iterations != 0 || v.Moved != 0 {
			t.Errorf("%q: %d iterations, moved %g, want none", x[i], v.Iterations, v.Moved)
		}
	}
	near := anything
	near.Epsilon = 0.2
	for i, v := range invert(t, m, x, near) {
		decoded, err := m.Decode(t.Context(), [][]float64{v.Z})
		if err != nil {
			t.Fatal(err)
		}
		if d := near.Distance(x[i], decoded[0]); d >= near.Epsilon && v.Iterations < 1000 {
			t.Errorf("%q: stopped at %q, %g away, want less than %g", x[i], decoded[0], d, near.Epsilon)
		}
	}
}

func TestInvertDoesNotDependOnItsBatch(t *testing.T) {
	m, x := expressions(t, 12)
	all := invert(t, m, x, invbo.InversionOptions{})
	for i := range x {
		one := invert(t, m, x[i:i+1], invbo.InversionOptions{})[0]
		if one.Iterations != all[i].Iterations || one.Moved != all[i].Moved {
			t.Errorf("%q: alone %d iterations over %g, in a batch %d over %g", x[i], one.Iterations, one.Moved, all[i].Iterations, all[i].Moved)
		}
	}
}

func TestAlignments(t *testing.T) {
	m, x := expressions(t, 50)
	in := invbo.Unaligned{Model: m, X: x, Z: make([][]float64, len(x)), Rand: rand.New(rand.NewPCG(1, 1))}
	mu, _, err := m.Encode(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	for name, align := range map[string]invbo.Alignment{"encoder": invbo.Encoder, "recenter, initial": invbo.Recenter} {
		got, err := align.Latents(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(x) {
			t.Fatalf("%s: %d pairs of %d strings", name, len(got), len(x))
		}
		for i, p := range got {
			if p.X != x[i] || p.Z[0] != mu[i][0] {
				t.Errorf("%s: %+v, want %q at the encoder's mean", name, p, x[i])
			}
		}
	}

	in.Z = mu
	recentered, err := invbo.Recenter.Latents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(recentered) < 50 || len(recentered) > 100 {
		t.Errorf("recentering gave %d pairs of two passes over 50 strings", len(recentered))
	}
	known := map[string]bool{}
	for _, x := range x[:25] {
		known[x] = true
	}
	in.Known = func(x string) bool { return known[x] }
	recalled, err := invbo.RecenterKnown.Latents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(recalled) == 0 || len(recalled) > 50 {
		t.Errorf("recentering without calls gave %d pairs of two passes over 25 known strings and 25 others", len(recalled))
	}
	for _, p := range recalled {
		if !known[p.X] {
			t.Errorf("recentering without calls gave %q, whose score is not known", p.X)
		}
	}
	inverted, err := invbo.Inversion.Latents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]invbo.Pair{"recenter": recentered, "recenter-known": recalled, "inversion": inverted} {
		var z [][]float64
		for _, p := range got {
			z = append(z, p.Z)
		}
		decoded, err := m.Decode(t.Context(), z)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range got {
			if decoded[i] != p.X {
				t.Errorf("%s: %q is paired with a latent that decodes to %q", name, p.X, decoded[i])
			}
		}
	}

	// What is aligned already stays where it is.
	in.Z = make([][]float64, len(inverted))
	for i, p := range inverted {
		in.Z[i] = p.Z
	}
	again, err := invbo.Inversion.Latents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(again) != len(inverted) {
		t.Fatalf("%d pairs of %d strings", len(again), len(inverted))
	}
	for i, p := range again {
		if p.X != inverted[i].X || !slices.Equal(p.Z, inverted[i].Z) {
			t.Errorf("%q: a second inversion moves its latent", p.X)
		}
	}
}

// astray is a grid whose encoder is a little off.
type astray struct{ grid }

func (g *astray) Encode(ctx context.Context, x []string) (mu, sigma [][]float64, err error) {
	mu, sigma, err = g.grid.Encode(ctx, x)
	for i := range mu {
		mu[i][0] += 0.3
	}
	return mu, sigma, err
}

// An inversion starts at the encoder's mean or at the latent from before the update, whichever is nearer to the string.
func TestInversionStartsWhereTheLossIsLess(t *testing.T) {
	m := &astray{grid{fail: new(error)}}
	in := invbo.Unaligned{Model: m, X: []string{"1,0", "2,0", "3,0", "4,0"}, Z: [][]float64{{1.2, 0}, {2.4, 0}, nil, {9, 9}}}
	got, err := invbo.Inversion.Latents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{1.2, 0}, {2.3, 0}, {3.3, 0}, {4.3, 0}} { // all decode to their strings
		if got[i].X != in.X[i] || !slices.Equal(got[i].Z, want) {
			t.Errorf("%s at %v, want %v", got[i].X, got[i].Z, want)
		}
	}
}

// Recentering decodes two samples of q(z|x) of each string that had a latent; the others are at the encoder's mean.
func TestRecenterSamplesThePosterior(t *testing.T) {
	m := &grid{fail: new(error)}
	rng := func() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }
	in := invbo.Unaligned{Model: m, X: []string{"1,7", "2,7", "3,7"}, Z: [][]float64{{1, 7}, nil, {3, 7}}, Rand: rng()}
	got, err := invbo.Recenter.Latents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	want := []invbo.Pair{{X: "2,7", Z: []float64{2, 7}}}
	r := rng()
	for range 2 {
		for _, mean := range []float64{1, 3} {
			want = append(want, invbo.Pair{X: fmt.Sprintf("%g,7", mean), Z: []float64{mean + 0.1*r.NormFloat64(), 7 + 0.1*r.NormFloat64()}})
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("pairs %v, want %v", got, want)
	}
}

// Adam's steps, and what an inversion says of itself.
func TestInvertReports(t *testing.T) {
	m := &grid{fail: new(error)}
	got, err := invbo.Invert(t.Context(), m, []string{"5,0", "5,0"}, [][]float64{{5.2, 0}, {3.95, 0}}, invbo.InversionOptions{Rate: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if v := got[0]; !v.Exact || v.Iterations != 0 || v.Moved != 0 {
		t.Errorf("%+v, want a start that is exact", v)
	}
	// Adam's first steps are the rate: three of them lead from 3.95 to about 4.7.
	if v := got[1]; !v.Exact || v.Iterations != 3 || math.Abs(v.Moved-0.75) > 0.05 || math.Abs(v.Z[0]-3.95-v.Moved) > 1e-12 {
		t.Errorf("%+v, want three steps of about 0.25", v)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := invbo.Invert(ctx, m, []string{"5,0"}, [][]float64{{0, 0}}, invbo.InversionOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was canceled", err)
	}
}

// A margin below 10⁻³ is not certain enough, though it is exact.
func TestInvertWantsAMargin(t *testing.T) {
	m := &grid{fail: new(error)}
	for _, test := range []struct {
		start      float64
		iterations int
	}{{5.4995, 1}, {5.4985, 0}} {
		got, err := invbo.Invert(t.Context(), m, []string{"5,0"}, [][]float64{{test.start, 0}}, invbo.InversionOptions{})
		if err != nil || got[0].Iterations != test.iterations {
			t.Errorf("from %g: %+v, %v, want %d iterations", test.start, got, err, test.iterations)
		}
	}
}

// A distance ends an inversion when it falls below epsilon, and the number of iterations ends it in any case.
func TestInvertEnds(t *testing.T) {
	m := &grid{fail: new(error)}
	for _, test := range []struct {
		name string
		opts invbo.InversionOptions
		want int
	}{
		{"two iterations", invbo.InversionOptions{Rate: 0.1, Iterations: 2}, 2},
		{"a distance below epsilon", invbo.InversionOptions{Distance: func(x, decoded string) float64 { return 0.5 }, Epsilon: 0.6}, 0},
		{"a distance of epsilon", invbo.InversionOptions{Distance: func(x, decoded string) float64 { return 0.6 }, Epsilon: 0.6, Iterations: 3}, 3},
		{"once it is near", invbo.InversionOptions{Rate: 1, Epsilon: 0.5, Distance: func(x, decoded string) float64 {
			if x != "9,0" || decoded == "7,0" || decoded == "6,0" {
				return 0
			}
			return 1
		}}, 2},
	} {
		got, err := invbo.Invert(t.Context(), m, []string{"9,0"}, [][]float64{{4, 0}}, test.opts)
		if err != nil || got[0].Iterations != test.want || got[0].Exact {
			t.Errorf("%s: %+v, %v, want %d iterations", test.name, got, err, test.want)
		}
	}
}
