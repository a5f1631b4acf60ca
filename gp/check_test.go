package gp_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/gp"
)

// once returns a structure of one group, with one of each feature.
func once(ids ...uint64) []gp.Counts {
	return []gp.Counts{{IDs: ids, N: slices.Repeat([]uint32{1}, len(ids))}}
}

// panics returns what f panics with, as text; "" if it does not.
func panics(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text, _ = r.(string)
			if text == "" {
				text = "not a text"
			}
		}
	}()
	f()
	return ""
}

// pairs returns a number for each pair of so many tokens.
func pairs(tokens int) []float64 { return make([]float64, tokens*tokens) }

// Terms that no Mixture can have are errors where there is one to return, and otherwise a panic that names them.
func TestTermsAreChecked(t *testing.T) {
	x := [][]gp.Counts{once(1, 2), once(2, 3), once(3, 4)}
	two := &gp.Sites{Positions: 2, Tokens: 4, Distances: [][]float64{pairs(4)}}
	for name, terms := range map[string][]gp.Term{
		"none":                             nil,
		"empty groups":                     {{Groups: []int{}}},
		"a negative group":                 {{Groups: []int{-1}}},
		"a negative group among others":    {{}, {Groups: []int{0, -1}}},
		"an unknown kernel":                {{Kernel: 99}},
		"sparse in two groups":             {{Kernel: gp.Sparse, Groups: []int{0, 1}}},
		"aligned without Sites":            {{Kernel: gp.SiteSum, Groups: []int{0}}},
		"aligned in no named group":        {{Kernel: gp.SiteSum, Sites: two}},
		"aligned in two groups":            {{Kernel: gp.SiteSum, Sites: two, Groups: []int{0, 1}}},
		"aligned at no position":           {{Kernel: gp.SiteSum, Sites: &gp.Sites{Tokens: 4}, Groups: []int{0}}},
		"aligned with too many tokens":     {{Kernel: gp.SiteSum, Sites: &gp.Sites{Positions: 2, Tokens: 257}, Groups: []int{0}}},
		"aligned with a short distance":    {{Kernel: gp.SiteSum, Sites: &gp.Sites{Positions: 2, Tokens: 4, Distances: [][]float64{pairs(3)}}, Groups: []int{0}}},
		"one aligned kernel twice":         {{Kernel: gp.SiteSum, Sites: two, Groups: []int{0}}, {Kernel: gp.SiteSum, Sites: two, Groups: []int{0}}},
		"aligned kernels of unlike groups": {{Kernel: gp.SiteSum, Sites: two, Groups: []int{0}}, {Kernel: gp.SitePairs, Sites: two, Groups: []int{1}}},
	} {
		if err := gp.CheckTerms(terms); !errors.Is(err, gp.ErrData) {
			t.Errorf("%s: CheckTerms: %v, want ErrData", name, err)
		}
		if _, err := gp.FitMixture(t.Context(), terms, x, []float64{1, 2, 3}, nil); !errors.Is(err, gp.ErrData) {
			t.Errorf("%s: FitMixture: %v, want ErrData", name, err)
		}
		if text := panics(func() { gp.NewMixture(terms, make([]float64, len(terms)), 1) }); !strings.HasPrefix(text, "gp: NewMixture: ") {
			t.Errorf("%s: NewMixture panics with %q", name, text)
		}
	}
	for name, terms := range map[string][]gp.Term{
		"the zero Term": {{}},
		"all kernels": {{Kernel: gp.Tanimoto}, {Kernel: gp.Overlap, Groups: []int{1, 0}}, {Kernel: gp.Laplace}, {Kernel: gp.Sparse, Groups: []int{1}},
			{Kernel: gp.SiteProduct, Sites: two, Groups: []int{2}}, {Kernel: gp.SiteSum, Sites: two, Groups: []int{2}}, {Kernel: gp.SitePairs, Sites: two, Groups: []int{2}}},
	} {
		if err := gp.CheckTerms(terms); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Weights and noise are checked where the Mixture is made.
func TestNewMixtureIsChecked(t *testing.T) {
	nan := math.NaN()
	for name, test := range map[string]struct {
		weights []float64
		noise   float64
	}{
		"no weights":        {nil, 1},
		"a weight too many": {[]float64{1, 1}, 1},
		"a negative weight": {[]float64{-1}, 1},
		"a NaN":             {[]float64{nan}, 1},
		"an infinite one":   {[]float64{math.Inf(1)}, 1},
		"negative noise":    {[]float64{1}, -1},
		"noise NaN":         {[]float64{1}, nan},
	} {
		if text := panics(func() { gp.NewMixture([]gp.Term{{}}, test.weights, test.noise) }); !strings.HasPrefix(text, "gp: NewMixture: ") {
			t.Errorf("%s: panics with %q", name, text)
		}
	}
	if text := panics(func() { gp.Term{Kernel: gp.SiteSum}.Similarity(once(1), once(1)) }); !strings.HasPrefix(text, "gp: Similarity: ") {
		t.Errorf("Similarity by Sites panics with %q", text)
	}
}

// Structures that are not as Counts says are refused by all that take them.
func TestCountsAreChecked(t *testing.T) {
	good := once(1, 2)
	for name, bad := range map[string]gp.Counts{
		"fewer numbers than IDs": {IDs: []uint64{1, 2}, N: []uint32{1}},
		"more numbers than IDs":  {IDs: []uint64{1}, N: []uint32{1, 2}},
		"not ascending":          {IDs: []uint64{5, 3}, N: []uint32{1, 1}},
		"not distinct":           {IDs: []uint64{3, 3}, N: []uint32{1, 1}},
		"too many features":      {IDs: []uint64{1, 2}, N: []uint32{1 << 31, 1}},
	} {
		x, y := [][]gp.Counts{good, {bad}, good}, []float64{1, 2, 3}
		_, fit := gp.FitMixture(t.Context(), []gp.Term{{}}, x, y, nil)
		_, minMax := gp.FitMinMax(t.Context(), slices.Concat(x...), y, nil)
		m := gp.NewMixture([]gp.Term{{}}, []float64{1}, 1)
		for what, err := range map[string]error{"FitMixture": fit, "FitMinMax": minMax, "Add": m.Add(x, nil)} {
			if !errors.Is(err, gp.ErrData) {
				t.Errorf("%s: %s: %v, want ErrData", name, what, err)
			}
		}
		if m.Len() != 0 {
			t.Errorf("%s: Add left %d points", name, m.Len())
		}
	}
}

// CountsOf sorts, and leaves the map as it is.
func TestCountsOf(t *testing.T) {
	c := gp.CountsOf(map[uint64]uint32{7: 2, 1 << 63: 1, 0: 3})
	if !slices.Equal(c.IDs, []uint64{0, 7, 1 << 63}) || !slices.Equal(c.N, []uint32{3, 2, 1}) || c.Check() != nil {
		t.Errorf("CountsOf: %v", c)
	}
	if c := gp.CountsOf(nil); len(c.IDs) != 0 || c.Check() != nil {
		t.Errorf("CountsOf(nil): %v", c)
	}
}

// A Mixture refuses targets and variances that it cannot compute with, and stays as it was.
func TestMixtureInputsAreChecked(t *testing.T) {
	nan := math.NaN()
	x, y := [][]gp.Counts{once(1, 2), once(2, 3), once(3, 4)}, []float64{1, 2, 3}
	m := gp.NewMixture([]gp.Term{{}}, []float64{1}, 0.1)
	if err := m.Target(nil, nan); !errors.Is(err, gp.ErrData) {
		t.Errorf("Target without points: %v, want ErrData", err)
	}
	for name, variance := range map[string][]float64{"short": {1}, "long": {1, 1, 1, 1}, "NaN": {1, nan, 1}, "negative": {1, 1, -5}, "infinite": {math.Inf(1), 1, 1}} {
		if err := m.Add(x, variance); !errors.Is(err, gp.ErrData) || m.Len() != 0 {
			t.Errorf("Add with variances that are %s: %v and %d points, want ErrData and none", name, err, m.Len())
		}
	}
	if err := m.Add([][]gp.Counts{nil}, nil); !errors.Is(err, gp.ErrData) {
		t.Errorf("Add of a structure without groups: %v, want ErrData", err)
	}
	if err := m.Add(x, []float64{0, 1, 1e100}); err != nil {
		t.Fatal(err)
	}
	if err := m.Target(y, math.Inf(1)); !errors.Is(err, gp.ErrData) {
		t.Errorf("Target with an infinite mean: %v, want ErrData", err)
	}
	if text := panics(func() { m.Predict([][]gp.Counts{{}}) }); !strings.HasPrefix(text, "gp: Predict: ") {
		t.Errorf("Predict of a structure without groups panics with %q", text)
	}
	if text := panics(func() { m.Block(x).Condition(0, nan) }); !strings.HasPrefix(text, "gp: Suppose: ") {
		t.Errorf("Condition with a NaN panics with %q", text)
	}
	if m.Truncate(-1); m.Len() != 0 {
		t.Errorf("Truncate(-1) leaves %d points", m.Len())
	}
	for name, trend := range map[string][][]float64{"short": {{1}}, "ragged": {{1, 2}, {1}, {1, 2}}, "longer later": {{1}, {1, 2}, {1}}, "NaN": {{1}, {nan}, {1}}} {
		if _, err := gp.NewStructures([]gp.Term{{}}, x, trend); !errors.Is(err, gp.ErrData) {
			t.Errorf("NewStructures with a trend that is %s: %v, want ErrData", name, err)
		}
	}
	sites := gp.NewMixture([]gp.Term{{Kernel: gp.SiteSum, Sites: &gp.Sites{Positions: 1, Tokens: 2}, Groups: []int{0}}}, []float64{1}, 1)
	for _, log := range []float64{nan, math.Inf(1), 1e6} {
		if err := sites.SetSites([]float64{log}); !errors.Is(err, gp.ErrData) {
			t.Errorf("SetSites(%g): %v, want ErrData", log, err)
		}
	}
	sparse := gp.NewMixture([]gp.Term{{Kernel: gp.Sparse}}, []float64{1}, 1)
	if err := sparse.SetRelevances([]gp.Relevances{{Features: 1, IDs: []uint64{1}, V: []float64{-1}}}); !errors.Is(err, gp.ErrData) {
		t.Errorf("SetRelevances with a negative one: %v, want ErrData", err)
	}
}

// GPs on latents refuse options and rows that they cannot use.
func TestLatentInputsAreChecked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, empty := [][]float64{{0, 0}, {1, 1}, {2, 0}}, [][]float64{{}, {}}
	for name, opts := range map[string]gp.Options{
		"negative Inducing": {Inducing: -1},
		"negative Jitter":   {Jitter: -1},
		"Jitter NaN":        {Jitter: math.NaN()},
		"a width of 0":      {Features: []int{2, 0}},
		"a negative width":  {Features: []int{-2}},
	} {
		if _, err := gp.New(x, opts, rng); err == nil || !strings.HasPrefix(err.Error(), "gp: ") {
			t.Errorf("New with %s: %v, want an error", name, err)
		}
	}
	if _, err := gp.New(empty, gp.Options{}, rng); !errors.Is(err, gp.ErrData) {
		t.Errorf("New with empty rows: %v, want ErrData", err)
	}
	if _, err := new(gp.SVGP).Posterior(); !errors.Is(err, gp.ErrData) {
		t.Errorf("Posterior of the zero SVGP: %v, want ErrData", err)
	}
	for name, e := range map[string]*gp.Exact{"NewExact(0)": gp.NewExact(0, gp.ExactOptions{}), "the zero Exact": {}} {
		for _, rows := range [][][]float64{x[:2], empty} {
			if _, err := e.Fit(t.Context(), rows, []float64{1, 2}, gp.FitOptions{}); !errors.Is(err, gp.ErrData) {
				t.Errorf("%s: Fit: %v, want ErrData", name, err)
			}
		}
	}
	if text := panics(func() { gp.NewExact(-1, gp.ExactOptions{}) }); !strings.HasPrefix(text, "gp: NewExact: ") {
		t.Errorf("NewExact(-1) panics with %q", text)
	}
	g, err := gp.New(x, gp.Options{}, rng)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Posterior()
	if err != nil {
		t.Fatal(err)
	}
	if f, err := p.Joint(-1, 0, rng).At(x); len(f) != 0 || err != nil {
		t.Errorf("no functions have the values %v, %v", f, err)
	}
	if got := gp.Transform(9).String(); got != "transform(9)" {
		t.Errorf("Transform(9) is %q", got)
	}
}
