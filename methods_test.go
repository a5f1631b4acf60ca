package invbo_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/vae"
)

// fitting is the expression task from a few random expressions.
func fitting(t *testing.T, n int) invbo.Problem {
	t.Helper()
	m, x := expressions(t, n)
	o, err := expression.New("1/3+x+sin(x*x)")
	if err != nil {
		t.Fatal(err)
	}
	p := invbo.Problem{Name: "expression", Model: m, Oracle: o, Minimize: true}
	for _, x := range x {
		p.Init = append(p.Init, invbo.Observation{X: x})
	}
	return p
}

// quick is a profile that runs in a moment.
func quick(profile invbo.Profile) invbo.Profile {
	profile.Candidates, profile.AnchorCandidates, profile.ReadCandidates = 100, 20, 100
	return profile
}

// Every method, as a composition, improves on its initial data, spends its budget to the last call and not
// beyond, never asks for the same string twice, and is reproducible.
func TestMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("dozens of runs: left out with -short")
	}
	const initial, budget = 20, 100 // a start so far off that a seed without luck improves, too
	methods := invbo.Methods()
	for _, name := range []string{"pglbo+structure", "cobo+invbo+structure", "cobo+invbo+active", "cobo+invbo+reencoded", "cobo+recenter-known+random"} {
		m, err := invbo.MethodNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		methods = append(methods, m)
	}
	for _, m := range methods {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			profile := quick(invbo.Fitted())
			profile.Transform = invbo.LogRanks
			run := func(budget int) *invbo.Optimizer {
				o, err := invbo.Run(t.Context(), fitting(t, initial), invbo.Options{
					Method: m, Profile: profile, Budget: budget, Patience: 2, Seed: 3,
				})
				if err != nil {
					t.Fatal(err)
				}
				return o
			}
			o := run(budget)
			s, trials := o.Status(), o.Trials()
			if s.InitCalls != initial || s.OracleCalls != budget {
				t.Errorf("%d initial calls and %d others, want %d and %d", s.InitCalls, s.OracleCalls, initial, budget)
			}
			start := slices.MinFunc(trials[:initial], func(a, b invbo.Trial) int { return compare(a.Score, b.Score) })
			if !(o.Best().Score < start.Score) {
				t.Errorf("best score %g, no better than %g at the start", o.Best().Score, start.Score)
			}
			seen := map[string]bool{}
			kinds := map[invbo.Kind]int{}
			for _, trial := range trials {
				if seen[trial.X] {
					t.Errorf("%q was asked for twice", trial.X)
				}
				seen[trial.X] = true
				kinds[trial.Kind]++
			}
			if tuned := m.Tuning != (invbo.FineTuning{}); tuned != (s.Updates > 0) {
				t.Errorf("%d updates of the VAE by a method whose loss is %+v", s.Updates, m.Tuning)
			}
			alignment, _, _, _ := m.Describe()
			if calls := kinds[invbo.Recentered]; calls != s.RecenterCalls || (calls > 0) != (alignment == "recenter") {
				t.Errorf("%d calls for recentering, %d by the status, with the alignment %s", calls, s.RecenterCalls, alignment)
			}
			const short = 40 // the VAE has been updated by then, PG-LBO's on pseudo-labels, too
			if again := run(short).Trials(); fmt.Sprint(again) != fmt.Sprint(trials[:len(again)]) {
				t.Error("a second run, of a smaller budget, begins otherwise")
			}
		})
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Inversion keeps everything aligned through updates of the VAE.
func TestInversionKeepsARunAligned(t *testing.T) {
	m, err := invbo.MethodNamed("cobo+invbo")
	if err != nil {
		t.Fatal(err)
	}
	o, err := invbo.Run(t.Context(), fitting(t, 30), invbo.Options{
		Method: m, Profile: quick(invbo.Fitted()), Budget: 60, Patience: 1,
		Watch: func(s invbo.Status) {
			if s.Aligned < 0.98 {
				t.Errorf("batch %d: aligned %g after %d updates", s.Batch, s.Aligned, s.Updates)
			}
			if (s.Dissimilarity == 0) != (s.Aligned == 1) || s.Dissimilarity > 1-s.Aligned {
				t.Errorf("batch %d: dissimilarity %g, aligned %g", s.Batch, s.Dissimilarity, s.Aligned)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Status().Updates < 3 {
		t.Errorf("%d updates of the VAE, want several to be aligned after", o.Status().Updates)
	}
}

// Without inversion, updates of the VAE leave latents that decode to other strings, and their distance shows.
func TestDissimilarityWithoutInversion(t *testing.T) {
	m, err := invbo.MethodNamed("cobo")
	if err != nil {
		t.Fatal(err)
	}
	o, err := invbo.Run(t.Context(), fitting(t, 30), invbo.Options{Method: m, Profile: quick(invbo.Fitted()), Budget: 60, Patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	if s := o.Status(); s.Aligned == 1 || s.Dissimilarity <= 0 || s.Dissimilarity > 1-s.Aligned {
		t.Errorf("aligned %g and dissimilarity %g after %d updates, want some latents off, by 1 each at most", s.Aligned, s.Dissimilarity, s.Updates)
	}
}

// A surrogate of few points aligns no others: large initial data begin at once.
func TestOnlyTheSurrogatesPointsAreAligned(t *testing.T) {
	m, err := invbo.MethodNamed("turbo+invbo")
	if err != nil {
		t.Fatal(err)
	}
	align, most := m.Align, 0
	m.Align = func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		most = max(most, len(in.X))
		return align(ctx, in)
	}
	profile := quick(invbo.Fitted())
	profile.Points = 16
	p := fitting(t, 60)
	o, err := invbo.Run(t.Context(), p, invbo.Options{Method: m, Profile: profile, Budget: 20, Top: 12})
	if err != nil {
		t.Fatal(err)
	}
	if want := 12 + 16/2; most != want { // the best that anchors want, and the latest
		t.Errorf("%d points aligned at once, want %d", most, want)
	}
	if s := o.Status(); s.Aligned < 0.98 || s.OracleCalls != 20 {
		t.Errorf("aligned %g after %d calls", s.Aligned, s.OracleCalls)
	}
}

func TestPublishedProfile(t *testing.T) {
	run := func() string {
		o, err := invbo.Run(t.Context(), fitting(t, 30), invbo.Options{Profile: quick(invbo.Published()), Budget: 20, Patience: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Status().OracleCalls; got != 20 {
			t.Errorf("%d calls, want 20", got)
		}
		return fmt.Sprint(o.Trials())
	}
	if first, second := run(), run(); first != second {
		t.Error("a second run differs")
	}
}

func TestMethodNamed(t *testing.T) {
	names := map[string]bool{}
	for _, m := range invbo.Methods() {
		if names[m.Name] || m.About == "" || m.Align == nil {
			t.Errorf("row %+v: every method has a name of its own, an alignment and a line for people", m)
		}
		names[m.Name] = true
		if got, err := invbo.MethodNamed(m.Name); err != nil || got.Name != m.Name {
			t.Errorf("MethodNamed(%q) = %q, %v", m.Name, got.Name, err)
		}
	}
	tests := []struct {
		name string
		want []string // what Describe says, or in the error
	}{
		{"lbo", []string{"encoder", "–", "whole space", "ELBO"}},
		{"wlbo+inv", []string{"inv", "–", "whole space and around the best", "weighted ELBO, every 50 calls"}},
		{"pglbo", []string{"encoder", "–", "whole space", "weighted ELBO + pseudo-labels + guidance, every 50 calls"}},
		{"pglbo+structure", []string{"encoder", "–", "whole space", "weighted ELBO + pseudo-labels, every 50 calls"}},
		{"turbo+inv", []string{"inv", "objective", "side 0.8, halved after 4", "none"}},
		{"lolbo", []string{"recenter", "objective", "side 0.8, halved after 32", "ELBO + surrogate"}},
		{"cobo+pas", []string{"recenter", "pas", "side 0.8, halved after 32", "weighted ELBO + surrogate + Lipschitz + distance"}},
		{"cobo+invbo", []string{"inv", "pas", "side 0.8, halved after 4", "weighted ELBO + surrogate + Lipschitz + distance"}},
		{"cobo+pas+inv", []string{"inv", "pas", "side 0.8, halved after 4", "weighted ELBO + surrogate + Lipschitz + distance"}},
		{"cobo+invbo+reencoded", []string{"inv", "pas", "side 0.8, halved after 4", "weighted ELBO + Lipschitz + distance"}},
		{"cobo+inv+random+structure", []string{"inv", "random", "side 0.8, halved after 4", "weighted ELBO + Lipschitz + distance"}},
		{"cobo+encoder+acquisition", []string{"encoder", "acquisition", "side 0.8, halved after 4", "weighted ELBO + surrogate + Lipschitz + distance"}},
		{"lolbo+recenter-known", []string{"recenter-known", "objective", "side 0.8, halved after 32", "ELBO + surrogate"}},
		{"lbo+recenter", []string{"recenter", "–", "whole space", "ELBO"}},

		{"bobo", []string{`no method "bobo"; there are lbo, `}},
		{"", []string{`no method ""; there are lbo, `}},
		{"cobo+inbo", []string{`no part "inbo" of a method; there are inv, pas, `}},
		{"cobo+", []string{`no part "" of a method`}},
		{"cobo+cobo", []string{`no part "cobo" of a method`}},
		{"lbo+pas", []string{"lbo has no trust region, and so no anchor that pas could choose"}},
		{"lbo+invbo", []string{"lbo has no trust region"}},
		{"cobo+inv+encoder", []string{"inv and encoder are two parts for one alignment"}},
		{"cobo+invbo+random", []string{"invbo and random are two parts for one anchor rule"}},
		{"cobo+active+structure", []string{"active and structure are two parts for one surrogate"}},
		{"cobo+active+reencoded", []string{"active and reencoded are two parts for one surrogate"}},
		{"cobo+structure+structure", []string{"two parts for one surrogate"}},
		{"turbo+recenter", []string{"turbo never updates its VAE"}},
	}
	for _, tt := range tests {
		m, err := invbo.MethodNamed(tt.name)
		if err != nil {
			if len(tt.want) > 1 || !strings.Contains(err.Error(), tt.want[0]) {
				t.Errorf("MethodNamed(%q): error %v, want %q", tt.name, err, tt.want)
			}
			continue
		}
		alignment, anchor, region, tuning := m.Describe()
		if got := []string{alignment, anchor, region, tuning}; !slices.Equal(got, tt.want) {
			t.Errorf("MethodNamed(%q) is %q, want %q", tt.name, got, tt.want)
		}
	}
}

// candidates is a surrogate that looks at where the candidates of the first batch lie: around one of the data, which leaves
// some of their coordinates as they are there, or anywhere.
type candidates struct {
	invbo.Trainable
	z        [][]float64
	y        []float64
	around   map[int]int // by the rank of its score, best first
	anywhere int
}

func (c *candidates) Fit(ctx context.Context, at invbo.Points, y []float64, rng *rand.Rand) error {
	c.z, c.y = at.Z, y
	return c.Trainable.Fit(ctx, at, y, rng)
}

func (c *candidates) Sample(at invbo.Points, k int, rng *rand.Rand) ([][]float64, error) {
	for _, z := range at.Z {
		i := slices.IndexFunc(c.z, func(data []float64) bool {
			for j := range z {
				if z[j] == data[j] {
					return true
				}
			}
			return false
		})
		if i < 0 {
			c.anywhere++
			continue
		}
		rank := 0
		for _, y := range c.y {
			if y > c.y[i] {
				rank++
			}
		}
		c.around[rank]++
	}
	return c.Trainable.Sample(at, k, rng)
}

// W-LBO looks around its best data and all over the prior, half and half, and LS-BO and PG-LBO all over the prior.
func TestWhereMethodsWithoutARegionLook(t *testing.T) {
	for name, near := range map[string]int{"lbo": 0, "pglbo": 0, "wlbo": 50} {
		m, err := invbo.MethodNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		profile := quick(invbo.Fitted())
		surrogate, spy := profile.Surrogate, &candidates{around: map[int]int{}}
		profile.Surrogate = func(m vae.Model) invbo.Surrogate {
			spy.Trainable = surrogate(m).(invbo.Trainable)
			return spy
		}
		if _, err := invbo.Run(t.Context(), fitting(t, 20), invbo.Options{Method: m, Profile: profile, Budget: 5}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for rank, c := range spy.around {
			if n += c; rank >= 4 {
				t.Errorf("%s: %d candidates are around the %d. of 20 data, want the best four alone", name, c, rank+1)
			}
		}
		if n != near || spy.anywhere != 100-near {
			t.Errorf("%s: %d candidates around data and %d anywhere, want %d and %d", name, n, spy.anywhere, near, 100-near)
		}
	}
}

// A name is its parts: with a base's own parts behind it, it is the same method.
func TestABaseIsItsParts(t *testing.T) {
	run := func(name string) string {
		m, err := invbo.MethodNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		o, err := invbo.Run(t.Context(), fitting(t, 20), invbo.Options{Method: m, Profile: quick(invbo.Fitted()), Budget: 15, Patience: 1})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(o.Trials())
	}
	for name, same := range map[string]string{"cobo": "cobo+recenter+objective", "cobo+invbo": "cobo+pas+inv"} {
		if run(name) != run(same) {
			t.Errorf("%s and %s give different runs", name, same)
		}
	}
}

// PG-LBO has no pseudo-labels where all that its surrogate is fitted to was just told, and has no latents yet.
func TestPseudoLabelsOfWhatWasToldAlone(t *testing.T) {
	m, err := invbo.MethodNamed("pglbo")
	if err != nil {
		t.Fatal(err)
	}
	p := fitting(t, 80)
	told := p.Init[20:]
	p.Init = p.Init[:20]
	profile := quick(invbo.Fitted())
	profile.Points = 20
	o, err := invbo.New(p, invbo.Options{Method: m, Profile: profile, Budget: 200, Top: 5, Patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	for o.Status().Updates < 2 {
		best := o.Best()
		asked, err := o.Ask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		answer(t, o, p, asked)
		if o.Status().Updates == 1 && o.Best().X == best.X && told != nil { // without progress another update is due
			for i, x := range told {
				a := invbo.Answer{X: x.X}
				a.Score = -float64(i) // far better than all before
				if err := o.Tell(t.Context(), a); err != nil {
					t.Fatal(err)
				}
			}
			told = nil
		}
	}
}
