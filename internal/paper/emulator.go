package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/report"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// emulator predicts scores in the latent space of a model. It shows the effect of misaligned latents on a surrogate: on its
// predictions for held-out strings (§6.2, Fig. 7) and on its errors within trust regions (Proposition 1, Fig. 9).
type emulator struct {
	model     vae.Model
	align     invbo.Alignment // without oracle calls: Encoder or Inversion
	inversion invbo.InversionOptions
	surrogate surrogate.Surrogate // of latents, or of decoded strings

	z               [][]float64 // (n, d) latents of the fitted strings
	mean, deviation float64     // of their scores, which the surrogate sees standardized
}

// latents returns the latents (n, d) of strings.
func (m *emulator) latents(ctx context.Context, x []string, rng *rand.Rand) ([][]float64, error) {
	aligned, err := m.align.Latents(ctx, invbo.Unaligned{
		Model: m.model, X: x, Z: make([][]float64, len(x)), Inversion: m.inversion, Rand: rng,
		Known: func(string) bool { return true },
	})
	if err != nil {
		return nil, fmt.Errorf("align %d strings: %w", len(x), err)
	}
	z := make([][]float64, len(x))
	for i, p := range aligned { // of the same strings: none had a latent
		z[i] = p.Z
	}
	return z, nil
}

// fit fits the surrogate to the scores y of n distinct strings. It is an error if all scores are equal.
func (m *emulator) fit(ctx context.Context, x []string, y []float64, rng *rand.Rand) (err error) {
	if m.z, err = m.latents(ctx, x, rng); err != nil {
		return err
	}
	if m.mean, m.deviation = stat.MeanStdDev(y, nil); !(m.deviation > 0) {
		return fmt.Errorf("all %d scores are %g: give different scores", len(y), m.mean)
	}
	if latent, ok := m.surrogate.(*surrogate.Latent); ok {
		latent.Inducing = len(x) // as many as the published code takes: with fewer it smooths over what it learns from
	}
	units := make([]float64, len(y))
	for i := range y {
		units[i] = (y[i] - m.mean) / m.deviation
	}
	if err := m.surrogate.Fit(ctx, surrogate.Data{Points: surrogate.Points{Z: m.z, X: x}, Y: units}, rng); err != nil {
		return fmt.Errorf("fit the surrogate to %d strings: %w", len(x), err)
	}
	return nil
}

// predict returns means with central 95 % intervals at n latents: of the latent function, as in Thompson sampling, without
// observation noise. A surrogate.StringSurrogate needs the decoded strings, too.
func (m *emulator) predict(ctx context.Context, at surrogate.Points) (p report.Predicted, _ error) {
	mu, sigma2, err := m.surrogate.Predict(ctx, at)
	if err != nil {
		return p, fmt.Errorf("predict %d latents: %w", len(at.Z), err)
	}
	const central = 1.96 // 95 % of a normal distribution are within as many standard deviations
	for i := range mu {
		half := central * math.Sqrt(max(sigma2[i], 0))
		p.Mean = append(p.Mean, m.mean+m.deviation*mu[i])
		p.Low = append(p.Low, m.mean+m.deviation*(mu[i]-half))
		p.High = append(p.High, m.mean+m.deviation*(mu[i]+half))
	}
	return p, nil
}

// predictDecoded predicts f∘p at latents, the scores of what they decode to (Fig. 7). Latents that decode to no string,
// or to one without a score, are left out.
func (m *emulator) predictDecoded(ctx context.Context, p study.Problem, z [][]float64) (predicted report.Predicted, _ error) {
	x, err := m.model.Decode(ctx, z)
	if err != nil {
		return predicted, fmt.Errorf("decode %d latents: %w", len(z), err)
	}
	at, scores, err := m.scored(ctx, p, z, x, map[string]float64{})
	if err != nil || len(scores) == 0 {
		return predicted, err
	}
	if predicted, err = m.predict(ctx, at); err != nil {
		return predicted, err
	}
	mean := predicted.Mean
	predicted.Truth, predicted.R2, predicted.Rank = scores, stat.RSquaredFrom(mean, scores, nil), stats.Spearman(mean, scores)
	return predicted, nil
}

// scored returns the latents whose strings x have a score, and that score. It adds to the known scores.
func (m *emulator) scored(ctx context.Context, p study.Problem, z [][]float64, x []string, known map[string]float64) (at surrogate.Points, scores []float64, err error) {
	for k := range z {
		if x[k] == "" {
			continue
		}
		if _, ok := known[x[k]]; !ok {
			if known[x[k]], err = score(ctx, p, x[k]); err != nil {
				return at, nil, err
			}
		}
		if y := known[x[k]]; !math.IsNaN(y) && m.model.Check(x[k]) == nil { // a StringSurrogate may need to encode it
			at.Z, at.X, scores = append(at.Z, z[k]), append(at.X, x[k]), append(scores, y)
		}
	}
	return at, scores, nil
}

// candidates is how many are evaluated in a trust region.
const candidates = 30

// inRegions returns, for each side of a Region, the mean of |f(p(z)) − m(z)| over candidates z in the trust regions
// around the latents of anchors, which are training strings; side 0 is the anchor alone. Proposition 1 bounds it; it is
// NaN without candidates. f is the oracle of p, called once per string. Candidates that decode to no string, to a
// string that the model cannot encode, or to a string without a score are skipped.
func (m *emulator) inRegions(ctx context.Context, p study.Problem, anchors []int, sides []float64, rng *rand.Rand) ([]float64, error) {
	known := map[string]float64{}
	means := make([]float64, len(sides))
	for s, side := range sides {
		var errors []float64
		for _, i := range anchors {
			z := m.z[i : i+1]
			if side > 0 {
				var err error
				if z, err = invbo.InRegion(ctx, candidates, invbo.Source{Model: m.model, Center: m.z[i], Length: side}, rng); err != nil {
					return nil, fmt.Errorf("generate candidates: %w", err)
				}
			}
			x, err := m.model.Decode(ctx, z)
			if err != nil {
				return nil, fmt.Errorf("decode %d candidates: %w", len(z), err)
			}
			at, scores, err := m.scored(ctx, p, z, x, known)
			if err != nil {
				return nil, err
			}
			if len(at.Z) == 0 {
				continue
			}
			predicted, err := m.predict(ctx, at)
			if err != nil {
				return nil, err
			}
			for k, y := range scores {
				errors = append(errors, math.Abs(y-predicted.Mean[k]))
			}
		}
		means[s] = stat.Mean(errors, nil)
	}
	return means, nil
}

// score returns the score of a string by p's oracle; NaN if there is none.
func score(ctx context.Context, p study.Problem, x string) (float64, error) {
	if p.Translate != nil {
		input, err := p.Translate(x)
		if err != nil || input == "" {
			return math.NaN(), nil
		}
		x = input
	}
	r, err := oracle.One(ctx, p.Oracle, x)
	if err != nil {
		return 0, fmt.Errorf("score %q: %w", x, err)
	}
	return r.Score, nil
}
