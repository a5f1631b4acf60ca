package invbo

import (
	"context"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/vae"
)

// structure is a surrogate on what latents decode to: the exact GP with the min-max kernel on counts of
// features. What it knows of a string does not change when the VAE does.
type structure struct {
	features func(x string) (gp.Counts, error)
	counts   map[string]gp.Counts // of strings seen lately
	gp       *gp.MinMax
}

func newStructure(p Problem) *structure {
	features := p.Features
	if features == nil {
		features = ngrams(p.Model)
	}
	return &structure{features: features, counts: map[string]gp.Counts{}}
}

func (*structure) Reads() {}

// remembered bounds the strings whose counts are kept: tens of batches' candidates, in some 50 MB.
const remembered = 50_000

func (s *structure) Fit(ctx context.Context, at Points, y []float64, _ *rand.Rand) error {
	if len(s.counts) > remembered {
		clear(s.counts)
	}
	c, err := s.of(at.X)
	if err != nil {
		return err
	}
	s.gp, err = gp.FitMinMax(ctx, c, y, gp.MinMaxOptions{})
	return err
}

func (s *structure) Predict(at Points) (mu, sigma2 []float64, err error) {
	c, err := s.of(at.X)
	if err != nil {
		return nil, nil, err
	}
	mu, sigma2 = s.gp.Predict(c)
	return mu, sigma2, nil
}

func (s *structure) Sample(at Points, k int, rng *rand.Rand) ([][]float64, error) {
	return sampleStrings(at.X, k, func(x []string) ([][]float64, error) {
		c, err := s.of(x)
		if err != nil {
			return nil, err
		}
		return s.gp.Joint(k, rng).At(c)
	})
}

// sampleStrings draws k functions by sample at each distinct string of x once. Latents that decode to nothing are worth nothing.
func sampleStrings(x []string, k int, sample func(x []string) ([][]float64, error)) ([][]float64, error) {
	row := map[string]int{}
	var distinct []string
	for _, s := range x {
		if _, ok := row[s]; !ok && s != "" {
			row[s] = len(distinct)
			distinct = append(distinct, s)
		}
	}
	draws := make([][]float64, k)
	for i := range draws {
		draws[i] = slices.Repeat([]float64{math.Inf(-1)}, len(x))
	}
	if len(distinct) == 0 {
		return draws, nil
	}
	f, err := sample(distinct)
	if err != nil {
		return nil, err
	}
	for i := range draws {
		for j, s := range x {
			if s != "" {
				draws[i][j] = f[i][row[s]]
			}
		}
	}
	return draws, nil
}

// of returns the counts of strings.
func (s *structure) of(x []string) ([]gp.Counts, error) {
	out := make([]gp.Counts, len(x))
	for i, x := range x {
		c, ok := s.counts[x]
		if !ok {
			var err error
			if c, err = s.features(x); err != nil {
				return nil, err
			}
			s.counts[x] = c
		}
		out[i] = c
	}
	return out, nil
}

// longestRun is the longest run of tokens that ngrams counts.
const longestRun = 4

// ngrams returns the features of strings in the tokens of m, or in characters if it names none: every run of one
// to four tokens, ends included.
func ngrams(m vae.Model) func(x string) (gp.Counts, error) {
	split := tokens(m)
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

// tokens returns how strings of m are split.
func tokens(m vae.Model) func(x string) []string {
	if m, ok := m.(interface{ Tokens(x string) []string }); ok {
		return m.Tokens
	}
	return func(x string) []string {
		var t []string
		for _, r := range x {
			t = append(t, string(r))
		}
		return t
	}
}
