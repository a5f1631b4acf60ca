package invbo_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle/expression"
	"github.com/invbo/invbo/study"
)

// fitting is the expression task from a few random expressions.
func fitting(t *testing.T, n int) task {
	t.Helper()
	m, x := expressions(t, n)
	o, err := expression.New("1/3+x+sin(x*x)")
	if err != nil {
		t.Fatal(err)
	}
	p := task{model: m, Problem: study.Problem{Name: "expression", Oracle: o, Minimize: true}}
	for _, x := range x {
		p.Init = append(p.Init, study.Observation{X: x})
	}
	return p
}

// quick is a profile that runs in a moment.
func quick(profile invbo.Profile) invbo.Profile {
	profile.Candidates, profile.AnchorCandidates, profile.StringCandidates, profile.LocalCandidates = 100, 20, 100, 200
	return profile
}

// Every method, as a composition, improves on its initial data, spends its budget to the last call and not
// beyond, never asks for the same string twice, and is reproducible.
func TestMethods(t *testing.T) {
	slow(t)
	const initial, budget = 20, 100 // a start so far off that a seed without luck improves, too
	methods := invbo.Methods()
	for _, name := range []string{"pglbo+structure", "cobo+invbo+structure", "cobo+recenter-known+random"} {
		methods = append(methods, method(t, name))
	}
	for _, m := range methods {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			profile := quick(invbo.Fitted())
			profile.Transform = gp.LogRanks
			run := func(budget int) *study.Study {
				return run(t, fitting(t, initial), invbo.Options{Method: m, Profile: profile, Patience: 2, Seed: 3}, budget)
			}
			o := run(budget)
			s, all := o.Status(), o.Trials()
			if s.InitCalls != initial || s.Calls != budget {
				t.Errorf("%d initial calls and %d others, want %d and %d", s.InitCalls, s.Calls, initial, budget)
			}
			start := slices.MinFunc(all[:initial], func(a, b study.Trial) int { return cmp.Compare(a.Score, b.Score) })
			if !(o.Best().Score < start.Score) {
				t.Errorf("best score %g, no better than %g at the start", o.Best().Score, start.Score)
			}
			seen := map[string]bool{}
			kinds := map[study.Kind]int{}
			for _, trial := range all {
				if seen[trial.X] {
					t.Errorf("%q was asked for twice", trial.X)
				}
				seen[trial.X] = true
				kinds[trial.Kind]++
			}
			if tuned := m.Tuning != (invbo.FineTuning{}); tuned != (s.Gauge(invbo.Updates) > 0) {
				t.Errorf("%g updates of the VAE by a method whose loss is %+v", s.Gauge(invbo.Updates), m.Tuning)
			}
			alignment, _, _, _ := m.Describe()
			if calls := kinds[study.Recentered]; calls != s.Recentering || (calls > 0) != (alignment == "recenter") {
				t.Errorf("%d calls for recentering, %d by the status, with the alignment %s", calls, s.Recentering, alignment)
			}
			const short = 40 // the VAE has been updated by then, PG-LBO's on pseudo-labels, too
			if again := trials(run(short)); !strings.HasPrefix(trials(o), strings.TrimSuffix(again, "]")) {
				t.Error("a second run, of a smaller budget, begins otherwise")
			}
		})
	}
}

// Inversion keeps everything aligned through updates of the VAE.
func TestInversionKeepsARunAligned(t *testing.T) {
	slow(t)
	p := fitting(t, 30)
	o, err := invbo.New(p.model, invbo.Options{Method: method(t, "cobo+invbo"), Profile: quick(invbo.Fitted()), Patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.New(t.Context(), p.Problem, o, study.Options{Budget: 40, Watch: func(s study.Status) {
		aligned, dissimilarity := s.Gauge(invbo.Aligned), s.Gauge(invbo.Dissimilarity)
		if aligned < 0.98 {
			t.Errorf("batch %d: aligned %g after %g updates", s.Batches, aligned, s.Gauge(invbo.Updates))
		}
		if (dissimilarity == 0) != (aligned == 1) || dissimilarity > 1-aligned {
			t.Errorf("batch %d: dissimilarity %g, aligned %g", s.Batches, dissimilarity, aligned)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if updates := s.Status().Gauge(invbo.Updates); updates < 3 {
		t.Errorf("%g updates of the VAE, want several to be aligned after", updates)
	}
}

// Without inversion, updates of the VAE leave latents that decode to other strings, and their distance shows.
func TestDissimilarityWithoutInversion(t *testing.T) {
	slow(t)
	s := run(t, fitting(t, 30), invbo.Options{Method: method(t, "cobo"), Profile: quick(invbo.Fitted()), Patience: 1}, 60).Status()
	if aligned, dissimilarity := s.Gauge(invbo.Aligned), s.Gauge(invbo.Dissimilarity); aligned == 1 || dissimilarity <= 0 || dissimilarity > 1-aligned {
		t.Errorf("aligned %g and dissimilarity %g after %g updates, want some latents off, by 1 each at most", aligned, dissimilarity, s.Gauge(invbo.Updates))
	}
}

// A surrogate of few points aligns no others: large initial data begin at once.
func TestOnlyTheSurrogatesPointsAreAligned(t *testing.T) {
	m := method(t, "turbo+invbo")
	align, most := m.Align.Latents, 0
	m.Align.Latents = func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		most = max(most, len(in.X))
		return align(ctx, in)
	}
	profile := quick(invbo.Fitted())
	profile.Points = 16
	s := run(t, fitting(t, 60), invbo.Options{Method: m, Profile: profile, Top: 12}, 20).Status()
	if want := 12 + 16/2; most != want { // the best that anchors want, and the latest
		t.Errorf("%d points aligned at once, want %d", most, want)
	}
	if aligned := s.Gauge(invbo.Aligned); aligned < 0.98 || s.Calls != 20 {
		t.Errorf("aligned %g after %d calls", aligned, s.Calls)
	}
}

func TestPublishedProfile(t *testing.T) {
	m := method(t, "cobo+invbo")
	m.Surrogate = invbo.PublishedLatent
	run := func() string {
		s := run(t, fitting(t, 30), invbo.Options{Method: m, Profile: quick(invbo.Published()), Patience: 2}, 20)
		if got := s.Status().Calls; got != 20 {
			t.Errorf("%d calls, want 20", got)
		}
		return trials(s)
	}
	if first, second := run(), run(); first != second {
		t.Error("a second run differs")
	}
}

func TestMethodNamed(t *testing.T) {
	names := map[string]bool{}
	for _, m := range invbo.Methods() {
		if names[m.Name] || m.About == "" || m.Align.Latents == nil {
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
		{"cobo+inv+random+structure", []string{"inv", "random", "side 0.8, halved after 4", "weighted ELBO + Lipschitz + distance"}},
		{"cobo+encoder+acquisition", []string{"encoder", "acquisition", "side 0.8, halved after 4", "weighted ELBO + surrogate + Lipschitz + distance"}},
		{"cobo+invbo+elbo", []string{"inv", "pas", "side 0.8, halved after 4", "ELBO"}},
		{"wlbo+elbo", []string{"encoder", "–", "whole space and around the best", "weighted ELBO, every 50 calls"}},
		{"lolbo+elbo+structure", []string{"recenter", "objective", "side 0.8, halved after 32", "ELBO"}},
		{"lolbo+recenter-known", []string{"recenter-known", "objective", "side 0.8, halved after 32", "ELBO + surrogate"}},
		{"lbo+recenter", []string{"recenter", "–", "whole space", "ELBO"}},

		{"bobo", []string{`no method "bobo"; there are lbo, `}},
		{"", []string{`no method ""; there are lbo, `}},
		{"cobo+inbo", []string{`no part "inbo" of a method; there are inv, pas, `}},
		{"cobo+invbo+evolve", []string{"method cobo+invbo+evolve: the part evolve was removed, because "}},
		{"cobo+", []string{`no part "" of a method`}},
		{"cobo+cobo", []string{`no part "cobo" of a method`}},
		{"lbo+pas", []string{"lbo has no trust region, and so no anchor that pas could choose"}},
		{"lbo+invbo", []string{"lbo has no trust region"}},
		{"cobo+inv+encoder", []string{"inv and encoder are two parts for one alignment"}},
		{"cobo+invbo+random", []string{"invbo and random are two parts for one anchor"}},
		{"cobo+structure+structure", []string{"two parts for one surrogate"}},
		{"turbo+recenter", []string{"turbo never updates its VAE"}},
		{"turbo+elbo", []string{"turbo never updates its VAE, and so has no loss that elbo could replace"}},
		{"cobo+elbo+elbo", []string{"two parts for one loss"}},
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

// A name is its parts: with a base's own parts behind it, it is the same method.
func TestABaseIsItsParts(t *testing.T) {
	run := func(name string) string {
		return trials(run(t, fitting(t, 20), invbo.Options{Method: method(t, name), Profile: quick(invbo.Fitted()), Patience: 1}, 15))
	}
	for name, same := range map[string]string{"cobo": "cobo+recenter+objective", "cobo+invbo": "cobo+pas+inv"} {
		if run(name) != run(same) {
			t.Errorf("%s and %s give different runs", name, same)
		}
	}
}

// PG-LBO has no pseudo-labels where all that its surrogate is fitted to was just told, and has no latents yet.
func TestPseudoLabelsOfWhatWasToldAlone(t *testing.T) {
	p := fitting(t, 80)
	told := p.Init[20:]
	p.Init = p.Init[:20]
	profile := quick(invbo.Fitted())
	profile.Points = 20
	s, o := begin(t, p, invbo.Options{Method: method(t, "pglbo"), Profile: profile, Top: 5, Patience: 1}, 200)
	updates := func() float64 { return o.Report().Gauge(invbo.Updates) }
	for updates() < 2 {
		best := s.Best()
		answer(t, s, p, ask(t, s, 5))
		if updates() == 1 && s.Best().X == best.X && told != nil { // without progress another update is due
			for i, x := range told {
				a := study.Answer{X: x.X}
				a.Score = -float64(i) // far better than all before
				if err := s.Tell(t.Context(), a); err != nil {
					t.Fatal(err)
				}
			}
			told = nil
		}
	}
}
