package invbo_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/invbo/invbo"
)

// A run asks for nothing that is not feasible, neither to search nor to recenter, and spends its whole budget. The
// initial data are exempt.
func TestOnlyTheFeasibleIsAskedFor(t *testing.T) {
	const budget = 40
	forbidden := func(x string) bool { return strings.Contains(x, "sin") }
	for _, test := range []struct {
		method  string
		profile invbo.Profile
	}{{"cobo", invbo.Fitted()}, {"cobo+invbo+structure", invbo.Fitted()}, {"turbo", invbo.Published()}} {
		t.Run(test.method+", "+test.profile.Name, func(t *testing.T) {
			m, err := invbo.MethodNamed(test.method)
			if err != nil {
				t.Fatal(err)
			}
			p, refused := fitting(t, 20), 0
			p.Feasible = func(x string) (bool, error) {
				if forbidden(x) {
					refused++
				}
				return !forbidden(x), nil
			}
			o, err := invbo.Run(t.Context(), p, invbo.Options{Method: m, Profile: quick(test.profile), Budget: budget, Patience: 1})
			if err != nil {
				t.Fatal(err)
			}
			initial := 0
			for _, trial := range o.Trials() {
				switch {
				case !forbidden(trial.X):
				case trial.Kind == invbo.Initial:
					initial++
				default:
					t.Errorf("trial %d (%s) asks for %q", trial.N, trial.Kind, trial.X)
				}
			}
			if calls := o.Status().OracleCalls; calls != budget {
				t.Errorf("%d calls, want %d", calls, budget)
			}
			if refused == 0 || initial == 0 {
				t.Errorf("%d strings passed over and %d to start from; the test is not about anything", refused, initial)
			}
		})
	}
}

func TestAnErrorOfFeasibleEndsARun(t *testing.T) {
	for _, profile := range []invbo.Profile{invbo.Fitted(), invbo.Published()} {
		broken := errors.New("broken")
		p, opts := bowl(t, 2), turbo(t, 10)
		p.Feasible = func(string) (bool, error) { return true, broken }
		opts.Profile = quick(profile)
		if _, err := invbo.Run(t.Context(), p, opts); !errors.Is(err, broken) {
			t.Errorf("%s: error %v, want broken", profile.Name, err)
		}
	}
}
