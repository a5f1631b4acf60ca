package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/vae"
)

// Inversion holds the constants of Algorithm 1. Zero fields take the library's values.
type Inversion struct {
	Loss       string  `json:"loss,omitzero"` // of losses
	Rate       float64 `json:"rate,omitzero"`
	Iterations int     `json:"iterations,omitzero"`
	Distance   string  `json:"distance,omitzero"` // exact, levenshtein or tanimoto; empty: exact, or levenshtein with an epsilon
	Epsilon    float64 `json:"epsilon,omitzero"`  // 0: none
}

// losses returns the names of the losses, by their values.
func losses() []string {
	return []string{vae.CrossEntropy: "cross-entropy", vae.Focal: "focal", vae.Hinge: "hinge"}
}

// The library's defaults of an inversion. They stand here too because InversionOptions resolves its zero fields out of sight.
const (
	defaultRate       = 0.1
	defaultIterations = 1000
)

// canonical leaves out what is the library's default.
func (f Inversion) canonical() Inversion {
	if f.Loss == losses()[0] {
		f.Loss = ""
	}
	if f.Rate == defaultRate {
		f.Rate = 0
	}
	if f.Iterations == defaultIterations {
		f.Iterations = 0
	}
	return f
}

// Options checks the constants for a model and the notation of its strings.
func (f Inversion) Options(m vae.Model, n task.Notation) (invbo.InversionOptions, error) {
	loss := slices.Index(losses(), cmp.Or(f.Loss, losses()[0]))
	if loss < 0 {
		return invbo.InversionOptions{}, usage.Errorf("there is no loss %q%s", f.Loss, usage.Suggest(f.Loss, losses()))
	}
	if !(f.Rate >= 0) || f.Iterations < 0 {
		return invbo.InversionOptions{}, usage.Errorf("an inversion's rate %g and iterations %d must be above 0", f.Rate, f.Iterations)
	}
	distance, err := f.distance(m, n)
	if err != nil {
		return invbo.InversionOptions{}, err
	}
	return invbo.InversionOptions{Loss: vae.Loss(loss), Rate: f.Rate, Iterations: f.Iterations, Distance: distance, Epsilon: f.Epsilon}, nil
}

// distance returns the distance between strings; nil asks for exact inversion.
func (f Inversion) distance(m vae.Model, n task.Notation) (func(x, decoded string) float64, error) {
	const exact, levenshtein, tanimoto = "exact", "levenshtein", "tanimoto"
	name := cmp.Or(f.Distance, exact)
	if f.Distance == "" && f.Epsilon != 0 {
		name = levenshtein
	}
	var distance func(x, decoded string) float64
	switch name {
	case exact:
		if f.Epsilon != 0 {
			return nil, usage.Errorf("an inversion's epsilon needs a distance: levenshtein or tanimoto, not exact")
		}
		return nil, nil
	case levenshtein:
		distance = invbo.TokenDistance(m)
	case tanimoto:
		if n.Translate == nil {
			return nil, usage.Errorf("tanimoto is a distance between molecules; for these strings use levenshtein")
		}
		distance = task.Dissimilarity(n)
	default:
		return nil, usage.Errorf("there is no distance %q%s", name, usage.Suggest(name, []string{exact, levenshtein, tanimoto}))
	}
	if !(f.Epsilon > 0 && f.Epsilon <= 1) {
		return nil, usage.Errorf("an inversion's epsilon %g: give a number above 0 and up to 1 with the distance %s", f.Epsilon, name)
	}
	return distance, nil
}

// InversionSummary describes the outcome of inversions in one line.
func InversionSummary(inverted []invbo.Inverted) string {
	exact := 0
	var iterations, moved []float64
	for _, v := range inverted {
		if v.Exact {
			exact++
		}
		iterations = append(iterations, float64(v.Iterations))
		moved = append(moved, v.Moved)
	}
	return fmt.Sprintf("%d of %d exact; median %g iterations, at most %g; median distance moved %.3g",
		exact, len(inverted), stats.Median(iterations), slices.Max(iterations), stats.Median(moved))
}
