package analysis

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/stats"
)

// Neighbourhood is where a surrogate is looked at.
type Neighbourhood struct {
	Anchors    int       // so many of the best strings
	Sides      []float64 // of the trust region around each, as Region.Length; 0: its anchor alone
	Candidates int       // of a region
}

// RegionFit is what a surrogate m is worth within trust regions of one side. Candidates that decode to nothing, to
// what the model cannot read, or to what has no score, do not count.
type RegionFit struct {
	Error float64 // mean of |f(p(z)) − m(z)|, which Proposition 1 bounds; NaN without a candidate that counts
	Rank  float64 // mean over the regions of Spearman's correlation of m(z) and f(p(z)), over what is new to m, each thing once; NaN without three of them in a region
}

// InRegions returns, for each side, how well the emulator predicts candidates z of the trust regions around the best
// strings' latents. f is p's oracle, asked once for each string.
func (m *Emulator) InRegions(ctx context.Context, p invbo.Problem, in Neighbourhood, rng *rand.Rand) ([]RegionFit, error) {
	known := map[string]bool{}
	for _, x := range m.x {
		known[meaning(p, x)] = true
	}
	scores := map[string]float64{"": math.NaN()}
	fits := make([]RegionFit, len(in.Sides))
	for s, side := range in.Sides {
		var errors, ranks mean
		for _, i := range m.best(in.Anchors, p.Minimize) {
			z := m.z[i : i+1]
			if side > 0 {
				z = invbo.Region{Length: side}.Candidates(in.Candidates, m.z[i], rng)
			}
			x, err := m.model.Decode(ctx, z)
			if err != nil {
				return nil, fmt.Errorf("decode %d candidates: %w", len(z), err)
			}
			var at invbo.Points // what counts
			var y []float64
			for k := range z {
				score, ok := scores[x[k]]
				if !ok {
					if score, err = Score(ctx, p, x[k]); err != nil {
						return nil, err
					}
					scores[x[k]] = score
				}
				if !math.IsNaN(score) && m.model.Check(x[k]) == nil { // a Reader could not read what the model cannot
					at.Z, at.X, y = append(at.Z, z[k]), append(at.X, x[k]), append(y, score)
				}
			}
			if len(y) == 0 {
				continue
			}
			predicted, err := m.Predict(at)
			if err != nil {
				return nil, err
			}
			seen := maps.Clone(known)
			var mu, f []float64 // of what is new
			for k := range y {
				errors.add(math.Abs(y[k] - predicted.Mean[k]))
				if what := meaning(p, at.X[k]); !seen[what] {
					seen[what] = true
					mu, f = append(mu, predicted.Mean[k]), append(f, y[k])
				}
			}
			ranks.add(stats.Spearman(mu, f))
		}
		fits[s] = RegionFit{errors.value(), ranks.value()}
	}
	return fits, nil
}

// meaning is what a string stands for to p's oracle; "" if nothing.
func meaning(p invbo.Problem, x string) string {
	if p.Translate == nil {
		return x
	}
	input, err := p.Translate(x)
	if err != nil {
		return ""
	}
	return input
}

// mean is the mean of what is added and not NaN.
type mean struct{ sum, n float64 }

func (m *mean) add(v float64) {
	if !math.IsNaN(v) {
		m.sum, m.n = m.sum+v, m.n+1
	}
}

func (m *mean) value() float64 { return m.sum / m.n }

// best returns the k best strings, best first.
func (m *Emulator) best(k int, minimize bool) []int {
	value := slices.Clone(m.y)
	if minimize {
		for i := range value {
			value[i] = -value[i]
		}
	}
	return stats.TopK(value, k)
}

// Score returns p's score of a string of its model; NaN if it has none.
func Score(ctx context.Context, p invbo.Problem, x string) (float64, error) {
	input := meaning(p, x)
	if input == "" {
		return math.NaN(), nil
	}
	r, err := p.Oracle.Score(ctx, input)
	if err != nil {
		return 0, fmt.Errorf("score %q: %w", input, err)
	}
	return r.Usable().Score, nil
}
