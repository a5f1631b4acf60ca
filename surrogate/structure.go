package surrogate

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/vae"
)

// Features counts what a string is made of, such as the atom environments of a molecule.
type Features func(x string) (gp.Counts, error)

// Structure is an exact GP on strings, with the min-max kernel on counts of their features. An update of the VAE
// changes nothing that it knows.
type Structure struct {
	features Features
	counts   map[string]gp.Counts // of strings seen lately
	gp       *gp.MinMax
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
	c, err := s.of(d.X)
	if err != nil {
		return err
	}
	s.gp, err = gp.FitMinMax(ctx, c, d.Y, gp.MinMaxOptions{Variance: d.Variance})
	return err
}

// Predict implements Surrogate.
func (s *Structure) Predict(_ context.Context, at Points) (mu, sigma2 []float64, err error) {
	c, err := s.of(at.X)
	if err != nil {
		return nil, nil, err
	}
	mu, sigma2 = s.gp.Predict(c)
	return mu, sigma2, nil
}

// Sample implements Surrogate.
func (s *Structure) Sample(k int, rng *rand.Rand) Draws {
	draws := s.gp.Joint(k, rng)
	return ofStrings{k, func(_ context.Context, x []string) ([][]float64, error) {
		c, err := s.of(x)
		if err != nil {
			return nil, err
		}
		return draws.At(c)
	}}
}

// of returns the counts of strings.
func (s *Structure) of(x []string) ([]gp.Counts, error) {
	out := make([]gp.Counts, len(x))
	for i, x := range x {
		c, ok := s.counts[x]
		if !ok {
			var err error
			if c, err = s.features(x); err != nil {
				return nil, fmt.Errorf("features of %q: %w", x, err)
			}
			s.counts[x] = c
		}
		out[i] = c
	}
	return out, nil
}

// longestRun is the longest run of tokens that Runs counts.
const longestRun = 4

// Runs returns the features of strings of m in its tokens: every run of one to four tokens, ends included.
func Runs(m vae.Model) Features {
	split := vae.Tokens(m)
	return func(x string) (gp.Counts, error) {
		t := append(append([]string{"\x02"}, split(x)...), "\x03")
		counts := map[uint64]uint32{}
		for i := range t {
			h := fnv.New64a()
			for _, token := range t[i:min(i+longestRun, len(t))] {
				h.Write([]byte(token))
				h.Write([]byte{0})
				counts[h.Sum64()]++
			}
		}
		var c gp.Counts
		for _, id := range slices.Sorted(maps.Keys(counts)) {
			c.IDs, c.N = append(c.IDs, id), append(c.N, counts[id])
		}
		return c, nil
	}
}
