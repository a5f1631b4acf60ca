package invbo

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/stats"
)

// golden holds the reference values of testdata/misc.json.
type golden struct {
	Levenshtein struct {
		Pairs []struct {
			A, B       string
			Normalised float64
		}
	}
	Turbo struct {
		Sequence, Negative turboSequence
	}
	Weights struct {
		Cases []struct{ Y, Normalised []float64 }
	} `json:"dbas_weights"`
	Lipschitz struct {
		Cases []struct {
			Z         [][]float64
			Y, Weight []float64
			Loss      float64
			Grad      [][]float64 `json:"grad_loss_z"`
			ZLoss     float64     `json:"z_loss"`
			ZGrad     [][]float64 `json:"grad_z_loss_z"`
		}
	}
	Thompson struct {
		Cases []struct {
			Samples [][]float64
			Chosen  []int
		}
	} `json:"thompson_selection"`
}

type turboSequence struct {
	Initial struct {
		Best    float64 `json:"best_value"`
		Failure int     `json:"failure_tolerance"`
	}
	Steps []struct {
		Y       []float64
		Length  float64
		Good    int     `json:"success_counter"`
		Bad     int     `json:"failure_counter"`
		Best    float64 `json:"best_value"`
		Restart bool    `json:"restart_triggered"`
	}
}

func readGolden(t *testing.T) golden {
	t.Helper()
	text, err := os.ReadFile("testdata/misc.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	var extra struct {
		Turbo struct {
			Negative turboSequence `json:"sequence_negative_best"`
		}
	}
	if err := json.Unmarshal(text, &extra); err != nil {
		t.Fatal(err)
	}
	g.Turbo.Negative = extra.Turbo.Negative
	return g
}

func TestGoldenLevenshtein(t *testing.T) {
	g := readGolden(t)
	if len(g.Levenshtein.Pairs) != 200 {
		t.Fatalf("%d pairs, want 200", len(g.Levenshtein.Pairs))
	}
	tokens := func(s string) []string {
		if s == "" {
			return nil
		}
		return strings.Split(strings.Trim(s, "[]"), "][")
	}
	for _, p := range g.Levenshtein.Pairs {
		if got := stats.Levenshtein(tokens(p.A), tokens(p.B)); math.Abs(got-p.Normalised) > 1e-10 {
			t.Errorf("Levenshtein(%s, %s) = %g, want %g", p.A, p.B, got, p.Normalised)
		}
	}
}

func TestGoldenRegion(t *testing.T) {
	g := readGolden(t)
	for name, seq := range map[string]turboSequence{"positive": g.Turbo.Sequence, "negative best": g.Turbo.Negative} {
		t.Run(name, func(t *testing.T) {
			if len(seq.Steps) == 0 {
				t.Fatal("no steps")
			}
			r := NewRegion(seq.Initial.Best, RegionOptions{Shrink: seq.Initial.Failure})
			for i, s := range seq.Steps {
				r = r.Update(s.Y)
				if r.Length != s.Length || r.good != s.Good || r.bad != s.Bad || r.Best != s.Best || r.Collapsed() != s.Restart {
					t.Fatalf("after step %d, %v: region %+v, want %+v", i, s.Y, r, s)
				}
			}
		})
	}
}

func TestGoldenPromise(t *testing.T) {
	cases := readGolden(t).Weights.Cases
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		if got := promise(c.Y); !near(got, c.Normalised, 1e-10) {
			t.Errorf("promise(%v) = %v, want %v", c.Y, got, c.Normalised)
		}
	}
}

func TestGoldenLipschitz(t *testing.T) {
	cases := readGolden(t).Lipschitz.Cases
	if len(cases) != 3 {
		t.Fatalf("%d cases, want 3", len(cases))
	}
	for i, c := range cases {
		loss, grad := lipschitz(c.Z, c.Y, c.Weight)
		if !near([]float64{loss}, []float64{c.Loss}, 1e-10) || !near(slices.Concat(grad...), slices.Concat(c.Grad...), 1e-10) {
			t.Errorf("case %d: lipschitz = %g, %v, want %g, %v", i, loss, grad, c.Loss, c.Grad)
		}
		loss, grad = spread(c.Z)
		if !near([]float64{loss}, []float64{c.ZLoss}, 1e-10) || !near(slices.Concat(grad...), slices.Concat(c.ZGrad...), 1e-10) {
			t.Errorf("case %d: spread = %g, %v, want %g, %v", i, loss, grad, c.ZLoss, c.ZGrad)
		}
	}
}

func TestLipschitzOfEqualScoresIsZero(t *testing.T) {
	z := [][]float64{{0, 1}, {2, 0}, {1, 1}}
	loss, grad := lipschitz(z, []float64{3, 3, 3}, []float64{1, 1, 1})
	if loss != 0 || !near(slices.Concat(grad...), make([]float64, 6), 0) {
		t.Errorf("lipschitz = %g, %v, want zeros", loss, grad)
	}
	if loss, _ := lipschitz(z[:1], []float64{3}, []float64{1}); loss != 0 {
		t.Errorf("lipschitz of one point = %g, want 0", loss)
	}
}

func TestGoldenThompson(t *testing.T) {
	cases := readGolden(t).Thompson.Cases
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for i, c := range cases {
		rankings := make([][]int, len(c.Samples))
		for k, f := range c.Samples {
			rankings[k] = stats.TopK(f, len(f))
		}
		got, err := new(Optimizer).pick(nil, rankings, len(c.Samples[0]), nil) // a Profile without Depth, as published
		if err != nil || !slices.Equal(got, c.Chosen) {
			t.Errorf("case %d: picks %v, %v, want %v", i, got, err, c.Chosen)
		}
	}
}

// near says that got lies within tol of want, relative to the greatest magnitude in want.
func near(got, want []float64, tol float64) bool {
	if len(got) != len(want) {
		return false
	}
	var top float64
	for _, w := range want {
		top = max(top, math.Abs(w))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*top) {
			return false
		}
	}
	return true
}
