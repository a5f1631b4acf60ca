package surrogate_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/surrogate"
)

// Before the first Fit a surrogate says so, and a Fit without data is an error.
func TestUnfitted(t *testing.T) {
	for name, s := range map[string]surrogate.Surrogate{
		"Structure": surrogate.NewStructure(func(string) (gp.Counts, error) { return gp.Counts{}, nil }),
		"Latent":    surrogate.NewLatent(),
		"Published": surrogate.NewPublished(),
		"Exact":     surrogate.NewExact(),
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		at := surrogate.Points{Z: [][]float64{{1, 2}}, X: []string{"a"}}
		unfitted := func(what string, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), "surrogate: it has not been fitted") {
				t.Errorf("%s: %s before Fit: %v", name, what, err)
			}
		}
		_, _, err := s.Predict(t.Context(), at)
		unfitted("Predict", err)
		_, err = s.Sample(1, rng)(t.Context(), at)
		unfitted("Sample", err)
		if trainable, ok := s.(surrogate.Trainable); ok {
			_, _, err := trainable.Loss(at.Z, []float64{1})
			unfitted("Loss", err)
			_, _, err = trainable.Trainer(0.1)(at.Z, []float64{1}, nil)
			unfitted("a step", err)
		}
		if err := s.Fit(t.Context(), surrogate.Data{}, rng); !errors.Is(err, gp.ErrData) {
			t.Errorf("%s: Fit without rows: %v, want gp.ErrData", name, err)
		}
	}
}
