package experiment

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/generate"
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

	// The fitted data: n strings, their latents (n, d) and scores, which the surrogate sees standardized.
	x               []string
	z               [][]float64
	y               []float64
	mean, deviation float64 // of y
}

// latents returns the latents (n, d) of strings.
func (m *emulator) latents(ctx context.Context, x []string, rng *rand.Rand) ([][]float64, error) {
	aligned, err := m.align.Latents(ctx, invbo.Unaligned{
		Model: m.model, X: x, Z: make([][]float64, len(x)), Inversion: m.inversion, Rand: rng,
		Known: func(s string) bool { return slices.Contains(x, s) },
	})
	if err != nil {
		return nil, fmt.Errorf("align %d strings: %w", len(x), err)
	}
	of := map[string][]float64{}
	for _, p := range aligned {
		of[p.X] = p.Z
	}
	z := make([][]float64, len(x))
	for i := range x {
		if z[i] = of[x[i]]; z[i] == nil {
			return nil, fmt.Errorf("align %d strings: no latent for %q", len(x), x[i])
		}
	}
	return z, nil
}

// fit fits the surrogate to the scores y of n distinct strings. It is an error if all scores are equal.
func (m *emulator) fit(ctx context.Context, x []string, y []float64, rng *rand.Rand) (err error) {
	if m.z, err = m.latents(ctx, x, rng); err != nil {
		return err
	}
	m.x, m.y = x, y
	if m.mean, m.deviation = stat.MeanStdDev(y, nil); !(m.deviation > 0) {
		return fmt.Errorf("all %d scores are %g: give different scores", len(y), m.mean)
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

// predictHeldOut predicts the scores of strings that it was not fitted to (Fig. 7).
func (m *emulator) predictHeldOut(ctx context.Context, x []string, y []float64, rng *rand.Rand) (p report.Predicted, _ error) {
	z, err := m.latents(ctx, x, rng)
	if err != nil {
		return p, err
	}
	if p, err = m.predict(ctx, surrogate.Points{Z: z, X: x}); err != nil {
		return p, err
	}
	p.Truth, p.R2, p.Rank = y, stat.RSquaredFrom(p.Mean, y, nil), stats.Spearman(p.Mean, y)
	return p, nil
}

// neighbourhood specifies the trust regions in which a surrogate is evaluated.
type neighbourhood struct {
	anchors    int       // number of anchors, the best training strings
	sides      []float64 // of the regions, as Region.Length; 0 is the anchor alone
	candidates int       // per region
}

// regionFit is the quality of a surrogate m within trust regions of one side. Candidates that decode to no string, to
// a string that the model cannot encode, or to a string without a score are skipped.
type regionFit struct {
	err  float64 // mean of |f(p(z)) − m(z)|, which Proposition 1 bounds; NaN without candidates
	rank float64 // Spearman's correlation of m(z) and f(p(z)) over distinct strings outside the training data, averaged over regions; NaN if no region has three
}

// inRegions evaluates the emulator, for each side, at candidates z in the trust regions around the latents of the best
// training strings. f is the oracle of p, called once per string.
func (m *emulator) inRegions(ctx context.Context, p study.Problem, in neighbourhood, rng *rand.Rand) ([]regionFit, error) {
	known := map[string]bool{}
	for _, x := range m.x {
		known[translate(p, x)] = true
	}
	value := slices.Clone(m.y) // larger is better
	for i := range value {
		if p.Minimize {
			value[i] = -value[i]
		}
	}
	scores := map[string]float64{"": math.NaN()}
	fits := make([]regionFit, len(in.sides))
	for s, side := range in.sides {
		var errors, ranks []float64
		for _, i := range stats.TopK(value, in.anchors) {
			z := m.z[i : i+1]
			if side > 0 {
				cand, err := generate.Region(ctx, in.candidates, generate.Source{Model: m.model, Center: m.z[i], Length: side}, rng)
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
				if _, ok := scores[x[k]]; !ok {
					if scores[x[k]], err = score(ctx, p, x[k]); err != nil {
						return nil, err
					}
				}
				if !math.IsNaN(scores[x[k]]) && m.model.Check(x[k]) == nil { // a StringSurrogate may need to encode it
					at.Z, at.X, y = append(at.Z, z[k]), append(at.X, x[k]), append(y, scores[x[k]])
				}
			}
			if len(y) == 0 {
				continue
			}
			predicted, err := m.predict(ctx, at)
			if err != nil {
				return nil, err
			}
			seen := maps.Clone(known)
			var mu, f []float64 // of new strings
			for k := range y {
				errors = append(errors, math.Abs(y[k]-predicted.Mean[k]))
				if input := translate(p, at.X[k]); !seen[input] {
					seen[input] = true
					mu, f = append(mu, predicted.Mean[k]), append(f, y[k])
				}
			}
			if rank := stats.Spearman(mu, f); !math.IsNaN(rank) {
				ranks = append(ranks, rank)
			}
		}
		fits[s] = regionFit{stat.Mean(errors, nil), stat.Mean(ranks, nil)}
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

// score returns the score of a string by p's oracle; NaN if there is none.
func score(ctx context.Context, p study.Problem, x string) (float64, error) {
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
