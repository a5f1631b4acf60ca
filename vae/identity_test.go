package vae_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/vae"
	"pgregory.net/rapid"
)

var _ vae.Model = (*vae.Identity)(nil)

func newIdentity(t *testing.T, lower, upper []float64) *vae.Identity {
	t.Helper()
	m, err := vae.NewIdentity(lower, upper)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestIdentityDecode(t *testing.T) {
	m := newIdentity(t, []float64{-32.768, 0}, []float64{32.768, 3})
	tests := []struct {
		name string
		z    []float64
		want string
	}{
		{"corners", []float64{0, 1}, "-32.768 3"},
		{"no negative zero", []float64{0.5, 0}, "0 0"},
		{"13 and 14 decimals", []float64{1.0 / 3, 1.0 / 7}, "-10.9226666666667 0.42857142857143"},
		{"outside is clamped", []float64{-1, 1.5}, "-32.768 3"},
		{"infinities too", []float64{math.Inf(1), math.Inf(-1)}, "32.768 0"},
		{"NaN", []float64{0.5, math.NaN()}, ""},
	}
	for _, test := range tests {
		got, err := m.Decode(t.Context(), [][]float64{test.z})
		if err != nil || got[0] != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
	if _, err := m.Decode(t.Context(), [][]float64{{0, 0, 0}}); err == nil || !strings.HasPrefix(err.Error(), "vae: latent 0 has 3 dimensions") {
		t.Errorf("latent with 3 dimensions instead of 2: %v", err)
	}
	if _, _, err := m.Encode(t.Context(), []string{"1"}); err == nil || !strings.HasPrefix(err.Error(), `vae: encode "1": `) {
		t.Errorf("one number instead of 2: %v", err)
	}
}

func TestIdentityCheck(t *testing.T) {
	m := newIdentity(t, []float64{-32.768, 0}, []float64{32.768, 3})
	tests := []struct{ x, want string }{
		{"0.1 0.2", ""},
		{"-32.768 2.99999999999999", ""},
		{"1e-13 1e-14", ""},
		{"", "1 numbers, want 2"},
		{"1  2", "3 numbers, want 2"},
		{"1 a", "coordinate 1: invalid syntax"},
		{"1 3.1", "coordinate 1: 3.1 is not between 0 and 3"},
		{"NaN 1", "coordinate 0: NaN is not between"},
		{"1.0 1", "coordinate 0: write 1 instead of 1.0"},
		{"1 -0", "coordinate 1: write 0 instead of -0"},
		{"0.12345678901234 1", "coordinate 0: write 0.123456789012"},
	}
	for _, test := range tests {
		err := m.Check(test.x)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("Check(%q) = %v, want %q", test.x, err, test.want)
		}
	}
}

func TestNewIdentityErrors(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		lower, upper []float64
		want         string
	}{
		{nil, nil, "vae: box with 0 lower and 0 upper"},
		{[]float64{0}, []float64{1, 2}, "1 lower and 2 upper"},
		{[]float64{0, 1}, []float64{1, 1}, "vae: dimension 1 of the box: from 1 to 1"},
		{[]float64{0}, []float64{inf}, "not an interval"},
		{[]float64{math.NaN()}, []float64{1}, "not an interval"},
		{[]float64{-math.MaxFloat64}, []float64{math.MaxFloat64}, "not an interval"},
		{[]float64{1}, []float64{1 + 0x1p-52}, "too narrow for float64"},
		{[]float64{0}, []float64{0x1p-1074}, "too narrow for float64"},
	}
	for _, test := range tests {
		if _, err := vae.NewIdentity(test.lower, test.upper); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("NewIdentity(%g, %g): error %v, want one that contains %q", test.lower, test.upper, err, test.want)
		}
	}
}

// For any box, decoded strings pass Check, and encoding and decoding them gives the same strings.
func TestIdentityRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		m, err := vae.NewIdentity([]float64{min(a, b)}, []float64{max(a, b)})
		if err != nil {
			t.Skip(err)
		}
		u := rapid.Float64Range(0, 1).Draw(t, "u")
		x, err := m.Decode(t.Context(), [][]float64{{u}})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Check(x[0]); err != nil {
			t.Errorf("Check(%q) = %v", x[0], err)
		}
		mu, sigma, err := m.Encode(t.Context(), x)
		if err != nil || sigma[0][0] != 0 {
			t.Fatalf("Encode(%q): sigma %g, %v", x, sigma, err)
		}
		if again, err := m.Decode(t.Context(), mu); err != nil || again[0] != x[0] {
			t.Errorf("%g is decoded to %q, encoded to %g, decoded to %q, %v", u, x, mu, again, err)
		}
	})
}

// Every number with few enough decimals passes Check.
func TestIdentityDecimals(t *testing.T) {
	m := newIdentity(t, []float64{-32.768}, []float64{32.768})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-327_680_000_000_000, 327_680_000_000_000).Draw(t, "n")
		x := strconv.FormatFloat(float64(n)/1e13, 'g', -1, 64)
		if err := m.Check(x); err != nil {
			t.Errorf("Check(%q) = %v", x, err)
		}
	})
}
