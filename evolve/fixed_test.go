package evolve_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/space/tokens"
)

// Fixed hyperparameters have to be complete.
func TestFixedIsChecked(t *testing.T) {
	space := evolve.Space{
		Operators: tokens.Edits{Alphabet: []string{"a"}, Split: func(x string) []string { return strings.Split(x, "") }}.Operators(),
		Kernels:   []gp.Term{{Kernel: gp.Tanimoto}},
		Read:      func(string) (evolve.Description, error) { return evolve.Description{Groups: make([]gp.Counts, 1)}, nil },
		Pool:      func(int, *rand.Rand) []string { return nil },
	}
	for _, test := range []struct {
		name string
		opts evolve.Options
		ok   bool
	}{
		{"complete", evolve.Options{Fixed: &evolve.Fixed{Weights: []float64{1}, Noise: 1e-4}}, true},
		{"a weight too many", evolve.Options{Fixed: &evolve.Fixed{Weights: []float64{1, 1}, Noise: 1e-4}}, false},
		{"no noise", evolve.Options{Fixed: &evolve.Fixed{Weights: []float64{1}}}, false},
		{"no such transform", evolve.Options{Fixed: &evolve.Fixed{Transform: 77, Weights: []float64{1}, Noise: 1e-4}}, false},
	} {
		if _, err := evolve.New(space, test.opts); (err == nil) != test.ok {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
}

// A kernel of aligned strings without their sites is refused, where gp.NewMixture would panic.
func TestSitesAreChecked(t *testing.T) {
	space := evolve.Space{
		Operators: tokens.Edits{Alphabet: []string{"a"}, Split: func(x string) []string { return strings.Split(x, "") }}.Operators(),
		Kernels:   []gp.Term{{Kernel: gp.SiteSum, Groups: []int{0}}},
		Read:      func(string) (evolve.Description, error) { return evolve.Description{Groups: make([]gp.Counts, 1)}, nil },
	}
	if _, err := evolve.New(space, evolve.Options{}); err == nil || !strings.Contains(err.Error(), "needs Sites") {
		t.Errorf("error %v, want that it needs Sites", err)
	}
}
