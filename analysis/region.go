package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo"
)

// Neighbourhood is where a RegionError is measured.
type Neighbourhood struct {
	Anchors    int       // so many of the best strings
	Sides      []float64 // of the trust region around each, as Region.Length; 0: its anchor alone
	Candidates int       // of a region
}

// RegionError returns, for each side, the mean of |f(p(z)) − m(z)| over candidates z of the trust regions around
// the best strings' latents: what Proposition 1 bounds. Candidates that decode to nothing, or to what has no
// score, do not count; a side without any other is NaN. f is p's oracle, asked once for each string.
func (m *Emulator) RegionError(ctx context.Context, p invbo.Problem, in Neighbourhood, rng *rand.Rand) ([]float64, error) {
	known := map[string]float64{"": math.NaN()}
	mean := make([]float64, len(in.Sides))
	for s, side := range in.Sides {
		var z [][]float64
		for _, i := range m.best(in.Anchors, p.Minimize) {
			if side == 0 {
				z = append(z, m.z[i])
				continue
			}
			z = append(z, invbo.Region{Length: side}.Candidates(in.Candidates, m.z[i], rng)...)
		}
		predicted, err := m.Predict(z)
		if err != nil {
			return nil, err
		}
		x, err := m.model.Decode(ctx, z)
		if err != nil {
			return nil, fmt.Errorf("decode %d candidates: %w", len(z), err)
		}
		var sum, n float64
		for i := range z {
			y, ok := known[x[i]]
			if !ok {
				if y, err = Score(ctx, p, x[i]); err != nil {
					return nil, err
				}
				known[x[i]] = y
			}
			if !math.IsNaN(y) {
				sum, n = sum+math.Abs(y-predicted.Mean[i]), n+1
			}
		}
		mean[s] = sum / n
	}
	return mean, nil
}

// best returns the k best strings, best first.
func (m *Emulator) best(k int, minimize bool) []int {
	order := make([]int, len(m.y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if minimize {
			a, b = b, a
		}
		return cmp.Compare(m.y[b], m.y[a])
	})
	return order[:min(k, len(order))]
}

// Score returns p's score of a string of its model; NaN if it has none.
func Score(ctx context.Context, p invbo.Problem, x string) (float64, error) {
	input := x
	if p.Translate != nil {
		var err error
		if input, err = p.Translate(x); err != nil {
			return math.NaN(), nil // it stands for nothing
		}
	}
	r, err := p.Oracle.Score(ctx, input)
	if err != nil {
		return 0, fmt.Errorf("score %q: %w", input, err)
	}
	if math.IsInf(r.Score, 0) {
		return math.NaN(), nil
	}
	return r.Score, nil
}
