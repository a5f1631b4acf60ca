package invbo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// characters is a space of strings that m can encode, by edits of their characters.
func characters(m vae.Model) invbo.Strings {
	split := func(x string) []string { return strings.Split(x, "") }
	tokens := evolve.Tokens{Alphabet: split("=yx123+*/()sinexp"), Split: split, Longest: 15}
	runs := surrogate.TokenRuns(split)
	return invbo.Strings{
		Parse: func(input string) (string, error) { return strings.TrimPrefix(input, "y="), nil },
		Show:  func(x string) (string, error) { return "y=" + x, nil },
		Space: evolve.Space{
			Operators: tokens.Operators(), Kernels: []gp.Kernel{gp.Tanimoto},
			Read: func(input string) (evolve.Description, error) {
				x, ok := strings.CutPrefix(input, "y=")
				if !ok {
					return evolve.Description{}, errors.New("no equation")
				}
				c, err := runs(x)
				return evolve.Description{Groups: []gp.Counts{c}}, errors.Join(err, m.Check(x))
			},
		}}
}

// A method of a latent space may take its batches from an evolution of strings: what it chooses gets its latent by the method's
// alignment, and draws from the prior and moves in the region are among the operators.
func TestEvolutionBesideALatentSpace(t *testing.T) {
	slow(t)
	const budget = 30
	for _, name := range []string{"cobo+invbo+evolve", "lbo+evolve"} {
		t.Run(name, func(t *testing.T) {
			p := fitting(t, 20)
			o := p.Oracle // which reads something else than the model's strings
			p.Oracle = oracle.Each(1, func(ctx context.Context, input string) (oracle.Result, error) {
				return oracle.One(ctx, o, strings.TrimPrefix(input, "y="))
			})
			p.Translate = func(x string) (string, error) { return "y=" + x, nil }
			search := func(store study.Store) *study.Study {
				o, err := invbo.New(p.model, invbo.Options{Method: method(t, name), Profile: quick(invbo.Fitted()), Patience: 1, Seed: 3, Strings: characters(p.model)})
				if err != nil {
					t.Fatal(err)
				}
				s, err := study.New(t.Context(), p.Problem, o, study.Options{Budget: budget, Workers: 1, Store: store})
				if err == nil {
					err = s.Run(t.Context())
				}
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			store := &study.Memory{}
			s := search(store)
			status := s.Status()
			if status.Calls != budget || status.Recentering != 0 {
				t.Errorf("%d calls, %d of them for recentering, want %d and 0", status.Calls, status.Recentering, budget)
			}
			if aligned := status.Gauge(invbo.Aligned); name == "cobo+invbo+evolve" && !(aligned > 0.3) { // inversion cannot write all of them
				t.Errorf("%g of the latents decode to their strings, want more", aligned)
			}
			chosen, improved := 0.0, 0.0
			for _, g := range status.Gauges {
				if strings.HasPrefix(g.Name, "chosen_") {
					chosen += g.Value
				}
				if strings.HasPrefix(g.Name, "improved_") {
					improved += g.Value
				}
			}
			if status.Gauge("made_latent") == 0 || status.Gauge("made_prior") == 0 || status.Gauge("made_replace") == 0 || chosen != budget {
				t.Errorf("gauges %v, want strings of the latent operators among those made, and %d chosen", status.Gauges, budget)
			}
			if improved == 0 {
				t.Errorf("gauges %v, want credit for what improved on the start", status.Gauges)
			}
			if status.Gauge(invbo.Updates) == 0 {
				t.Error("the VAE was never updated")
			}
			events, err := store.Events(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			begun := &study.Memory{}
			for _, e := range events[:len(events)/2] {
				if err := begun.Save(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			if resumed := search(begun); trials(resumed) != trials(s) || fmt.Sprint(resumed.Status().Gauges) != fmt.Sprint(status.Gauges) {
				t.Error("resumed halfway, the same seed gave other trials or gauges")
			}
		})
	}
}

func TestEvolutionNeedsASpace(t *testing.T) {
	p := fitting(t, 3)
	if _, err := invbo.New(p.model, invbo.Options{Method: method(t, "cobo+invbo+evolve")}); err == nil || !strings.Contains(err.Error(), "cobo+invbo+evolve") {
		t.Errorf("error %v, want one that names the method", err)
	}
}
