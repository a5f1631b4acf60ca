package surrogate

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/vae"
)

// Features counts what a string is made of, such as the atom environments of a molecule. It is called from several
// goroutines at once.
type Features func(x string) (gp.Counts, error)

// Structure is an exact GP on strings, with the min-max kernel on counts of their features. An update of the VAE
// changes nothing that it knows.
type Structure struct {
	features Features
	counts   map[string]gp.Counts // of strings seen lately
	gp       *gp.MinMax
	data     Data // of the latest Fit; X, Y and Variance
}

// NewStructure returns a Structure over features of strings.
func NewStructure(features Features) *Structure {
	return &Structure{features: features, counts: map[string]gp.Counts{}}
}

// ReadsStrings implements StringSurrogate.
func (*Structure) ReadsStrings() {}

// remembered bounds the strings whose counts are kept: the candidates of tens of batches, in some 50 MB.
const remembered = 50_000

// Fit implements Surrogate.
func (s *Structure) Fit(ctx context.Context, d Data, _ *rand.Rand) error {
	if len(s.counts) > remembered {
		clear(s.counts)
	}
	c, err := s.of(ctx, d.X)
	if err != nil {
		return err
	}
	model, err := gp.FitMinMax(ctx, c, d.Y, d.Variance)
	if err != nil {
		return err
	}
	s.gp, s.data = model, Data{Points: Points{X: d.X}, Y: d.Y, Variance: d.Variance}
	return nil
}

// MarshalBinary returns the data of the latest Fit.
func (s *Structure) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(s.data)
	return b.Bytes(), err
}

// UnmarshalBinary fits to the data that were marshalled. The error wraps gp.ErrData.
func (s *Structure) UnmarshalBinary(data []byte) error {
	var d Data
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&d); err != nil {
		return fmt.Errorf("surrogate: %w: a stored state: %w", gp.ErrData, err)
	}
	if len(d.X) == 0 {
		return nil
	}
	return s.Fit(context.Background(), d, nil)
}

// Predict implements Surrogate.
func (s *Structure) Predict(ctx context.Context, at Points) (mu, sigma2 []float64, err error) {
	if s.gp == nil {
		return nil, nil, errNoFit
	}
	c, err := s.of(ctx, at.X)
	if err != nil {
		return nil, nil, err
	}
	mu, sigma2 = s.gp.Predict(c)
	return mu, sigma2, nil
}

// Sample implements Surrogate. Each distinct string is evaluated once in a call, and -Inf stands for latents that
// decode to nothing.
func (s *Structure) Sample(k int, rng *rand.Rand) Draws {
	if s.gp == nil {
		return noDraws
	}
	draws := s.gp.Joint(k, rng)
	return func(ctx context.Context, at Points) ([][]float64, error) {
		row := map[string]int{}
		var distinct []string
		for _, x := range at.X {
			if _, ok := row[x]; !ok && x != "" {
				row[x] = len(distinct)
				distinct = append(distinct, x)
			}
		}
		values := make([][]float64, k)
		for i := range values {
			values[i] = slices.Repeat([]float64{math.Inf(-1)}, len(at.X))
		}
		if len(distinct) == 0 {
			return values, nil
		}
		c, err := s.of(ctx, distinct)
		if err != nil {
			return nil, err
		}
		f, err := draws.At(c)
		if err != nil {
			return nil, err
		}
		for i := range values {
			for j, x := range at.X {
				if x != "" {
					values[i][j] = f[i][row[x]]
				}
			}
		}
		return values, nil
	}
}

// of returns the counts of strings.
func (s *Structure) of(ctx context.Context, x []string) ([]gp.Counts, error) {
	out, errs := make([]gp.Counts, len(x)), make([]error, len(x))
	err := parallel.ForContext(ctx, len(x), 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var ok bool
			if out[i], ok = s.counts[x[i]]; !ok {
				out[i], errs[i] = s.features(x[i])
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("features of %q: %w", x[i], err)
		}
		s.counts[x[i]] = out[i]
	}
	return out, nil
}

// Runs returns the features of strings of m in its tokens: every run of one to four tokens, ends included.
func Runs(m vae.Model) Features {
	runs := gp.TokenRuns(vae.Tokens(m))
	return func(x string) (gp.Counts, error) { return runs(x), nil }
}
