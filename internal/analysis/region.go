package analysis

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/generate"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
)

// Neighbourhood specifies the trust regions in which a surrogate is evaluated.
type Neighbourhood struct {
	Anchors    int       // number of anchors, the best training strings
	Sides      []float64 // of the regions, as Region.Length; 0 is the anchor alone
	Candidates int       // per region
}

// RegionFit is the quality of a surrogate m within trust regions of one side. Candidates that decode to no string, to
// a string that the model cannot encode, or to a string without a score are skipped.
type RegionFit struct {
	Error float64 // mean of |f(p(z)) − m(z)|, which Proposition 1 bounds; NaN without candidates
	Rank  float64 // Spearman's correlation of m(z) and f(p(z)) over distinct strings outside the training data, averaged over regions; NaN if no region has three
}

// InRegions evaluates the emulator, for each side, at candidates z in the trust regions around the latents of the best
// training strings. f is the oracle of p, called once per string.
func (m *Emulator) InRegions(ctx context.Context, p study.Problem, in Neighbourhood, rng *rand.Rand) ([]RegionFit, error) {
	known := map[string]bool{}
	for _, x := range m.x {
		known[translate(p, x)] = true
	}
	scores := map[string]float64{"": math.NaN()}
	fits := make([]RegionFit, len(in.Sides))
	for s, side := range in.Sides {
		var errors, ranks mean
		for _, i := range m.best(in.Anchors, p.Minimize) {
			z := m.z[i : i+1]
			if side > 0 {
				from := generate.Source{Model: m.model, Center: m.z[i], Length: side}
				cand, err := generate.Region(ctx, in.Candidates, from, rng)
				if err != nil {
					return nil, fmt.Errorf("generate candidates: %w", err)
				}
				z = cand.Z
			}
			x, err := m.model.Decode(ctx, z)
			if err != nil {
				return nil, fmt.Errorf("decode %d candidates: %w", len(z), err)
			}
			var at surrogate.Points // candidates with scores
			var y []float64
			for k := range z {
				score, ok := scores[x[k]]
				if !ok {
					if score, err = Score(ctx, p, x[k]); err != nil {
						return nil, err
					}
					scores[x[k]] = score
				}
				if !math.IsNaN(score) && m.model.Check(x[k]) == nil { // a StringSurrogate may need to encode it
					at.Z, at.X, y = append(at.Z, z[k]), append(at.X, x[k]), append(y, score)
				}
			}
			if len(y) == 0 {
				continue
			}
			predicted, err := m.Predict(ctx, at)
			if err != nil {
				return nil, err
			}
			seen := maps.Clone(known)
			var mu, f []float64 // of new strings
			for k := range y {
				errors.add(math.Abs(y[k] - predicted.Mean[k]))
				if input := translate(p, at.X[k]); !seen[input] {
					seen[input] = true
					mu, f = append(mu, predicted.Mean[k]), append(f, y[k])
				}
			}
			ranks.add(stats.Spearman(mu, f))
		}
		fits[s] = RegionFit{errors.value(), ranks.value()}
	}
	return fits, nil
}

// translate returns the input of p's oracle for a string; "" if there is none.
func translate(p study.Problem, x string) string {
	if p.Translate == nil {
		return x
	}
	input, err := p.Translate(x)
	if err != nil {
		return ""
	}
	return input
}

// mean is a running mean that skips NaN.
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

// Score returns the score of a string by p's oracle; NaN if there is none.
func Score(ctx context.Context, p study.Problem, x string) (float64, error) {
	input := translate(p, x)
	if input == "" {
		return math.NaN(), nil
	}
	r, err := oracle.One(ctx, p.Oracle, input)
	if err != nil {
		return 0, fmt.Errorf("score %q: %w", input, err)
	}
	return r.Score, nil
}
