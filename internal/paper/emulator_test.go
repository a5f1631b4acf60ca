package paper

import (
	"context"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

// numbers is a model with one latent dimension, in which strings are decimal numbers. Latents below 0 decode to "".
type numbers struct{}

func (numbers) Dim() int           { return 1 }
func (numbers) Check(string) error { return nil }

func (numbers) Encode(_ context.Context, x []string) (mu, sigma [][]float64, err error) {
	for _, s := range x {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil, nil, err
		}
		mu, sigma = append(mu, []float64{v}), append(sigma, []float64{0})
	}
	return mu, sigma, nil
}

func (numbers) Decode(_ context.Context, z [][]float64) ([]string, error) {
	x := make([]string, len(z))
	for i := range z {
		if z[i][0] >= 0 {
			x[i] = strconv.FormatFloat(z[i][0], 'g', -1, 64)
		}
	}
	return x, nil
}

// off returns an alignment whose latents are too large by gap.
func off(gap float64) invbo.Alignment {
	return invbo.Alignment{Latents: func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		pairs, err := invbo.Encoder.Latents(ctx, in)
		for i := range pairs {
			pairs[i].Z[0] += gap
		}
		return pairs, err
	}}
}

// line is a surrogate: the straight line through its first two points, with standard deviation 1.
type line struct{ at, level, slope float64 }

func (l *line) Fit(_ context.Context, d surrogate.Data, _ *rand.Rand) error {
	l.at, l.level = d.Z[0][0], d.Y[0]
	l.slope = (d.Y[1] - d.Y[0]) / (d.Z[1][0] - d.Z[0][0])
	return nil
}

func (l *line) Predict(_ context.Context, at surrogate.Points) (mu, sigma2 []float64, err error) {
	for _, z := range at.Z {
		mu, sigma2 = append(mu, l.level+l.slope*(z[0]-l.at)), append(sigma2, 1)
	}
	return mu, sigma2, nil
}

func (l *line) Sample(int, *rand.Rand) surrogate.Draws { return nil }

// emulation returns an emulator fitted to numbers with these scores, whose latents are too large by gap.
func emulation(t *testing.T, gap float64, x []string, y []float64) *emulator {
	t.Helper()
	m := &emulator{model: numbers{}, align: off(gap), surrogate: &line{}}
	if err := m.fit(t.Context(), x, y, nil); err != nil {
		t.Fatal(err)
	}
	return m
}

// double is the score of numbers: twice the number, none below 1.
func double(x string) oracle.Result {
	v, err := strconv.ParseFloat(x, 64)
	if err != nil || v < 1 {
		return oracle.Result{Score: math.NaN(), Reason: "too small"}
	}
	return oracle.Result{Score: 2 * v}
}

// If f(x) = 2x is emulated exactly at its data, the error in the region is L₁·γ everywhere: twice the gap between strings
// and decoded latents (Proposition 1 with c = 0 and L₂ = L₃).
func TestErrorInRegionsIsTheMisalignment(t *testing.T) {
	x, y := []string{"10", "12", "11"}, []float64{20, 24, 22}
	sides := []float64{0, 0.1, 0.5}
	for _, gap := range []float64{0, 0.25, 1} {
		m := emulation(t, gap, x, y)
		p := study.Problem{Oracle: oracle.Func(double)}
		got, err := m.inRegions(t.Context(), p, []int{1, 2}, sides, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		for s, mean := range got {
			if math.Abs(mean-2*gap) > 1e-9 {
				t.Errorf("latents off by %g, side %g: error %g, want %g", gap, sides[s], mean, 2*gap)
			}
		}
	}
}

// Candidates without a score are skipped, and no string is scored twice.
func TestInRegionsCounts(t *testing.T) {
	m := emulation(t, 0, []string{"0.5", "20", "10"}, []float64{1, 40, 20})
	for _, test := range []struct {
		anchors []int
		want    string // scored
		nan     bool
	}{
		{[]int{1}, "20", false}, {[]int{1, 2}, "10 20", false}, {[]int{0}, "0.5", true}, {[]int{1, 2, 0}, "0.5 10 20", false}, {nil, "", true},
	} {
		asked := map[string]int{}
		p := study.Problem{Oracle: oracle.Func(func(x string) oracle.Result {
			asked[x]++
			return double(x)
		})}
		got, err := m.inRegions(t.Context(), p, test.anchors, []float64{0, 0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for x, n := range asked {
			if n != 1 {
				t.Errorf("%q was scored %d times", x, n)
			}
		}
		xs := slices.Sorted(maps.Keys(asked))
		if strings.Join(xs, " ") != test.want || math.IsNaN(got[0]) != test.nan {
			t.Errorf("anchors %v: scored %v, want %s; error %g", test.anchors, xs, test.want, got[0])
		}
	}
}

// A surrogate on decoded strings is unaffected by misaligned latents.
func TestInRegionsOfAReader(t *testing.T) {
	m := &emulator{model: numbers{}, align: off(3), surrogate: reader{}}
	if err := m.fit(t.Context(), []string{"10", "12", "0.5"}, []float64{20, 24, 1}, nil); err != nil {
		t.Fatal(err)
	}
	m.mean, m.deviation = 0, 2 // then the prediction is the score
	got, err := m.inRegions(t.Context(), study.Problem{Oracle: oracle.Func(double)}, []int{0, 1, 2}, []float64{0, 0.5}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != 0 || got[1] != 0 {
		t.Errorf("errors %g of a surrogate that knows the score, want 0", got)
	}
	held, err := m.predictDecoded(t.Context(), study.Problem{Oracle: oracle.Func(double)}, [][]float64{{3}, {5}, {4}})
	if err != nil || held.Rank != 1 {
		t.Errorf("rank correlation %g of held-out strings, error %v, want 1", held.Rank, err)
	}
}

// reader is a surrogate on strings that predicts the number in a string, and fails for other strings.
type reader struct{}

func (reader) ReadsStrings() {}

func (reader) Fit(context.Context, surrogate.Data, *rand.Rand) error { return nil }

func (reader) Predict(_ context.Context, at surrogate.Points) (mu, sigma2 []float64, err error) {
	for _, x := range at.X {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return nil, nil, err
		}
		mu, sigma2 = append(mu, v), append(sigma2, 1)
	}
	return mu, sigma2, nil
}

func (reader) Sample(int, *rand.Rand) surrogate.Draws { return nil }

// A failing oracle ends the experiment.
func TestInRegionsOfAnOracle(t *testing.T) {
	m := emulation(t, 0, []string{"1", "2"}, []float64{1, 2})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := m.inRegions(ctx, study.Problem{Oracle: oracle.Func(double)}, []int{1}, []float64{0}, nil)
	if err == nil || !strings.Contains(err.Error(), `score "2"`) {
		t.Errorf("error %v, want one that names the string", err)
	}
}

// The line through (1, 2) and (3, 6) predicts 2x; its intervals scale with √8, the standard deviation of the scores. It
// is compared with the scores of what latents decode to: nothing below 0, and no score at 0.5.
func TestPredict(t *testing.T) {
	p := study.Problem{Oracle: oracle.Func(func(x string) oracle.Result {
		if x == "5" {
			return oracle.Result{Score: 13}
		}
		return double(x)
	})}
	x := []string{"2", "4", "5"}
	got, err := emulation(t, 0, []string{"1", "3"}, []float64{2, 6}).predictDecoded(t.Context(), p, [][]float64{{2}, {-1}, {4}, {0.5}, {5}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Truth, []float64{4, 8, 13}) {
		t.Fatalf("true scores %v, want 4, 8 and 13", got.Truth)
	}
	half := 1.96 * math.Sqrt(8)
	for i, want := range []float64{4, 8, 10} {
		if math.Abs(got.Mean[i]-want) > 1e-9 || math.Abs(got.Low[i]-(want-half)) > 1e-9 || math.Abs(got.High[i]-(want+half)) > 1e-9 {
			t.Errorf("%s: %g from %g to %g, want %g ± %g", x[i], got.Mean[i], got.Low[i], got.High[i], want, half)
		}
	}
	mean := 25.0 / 3
	if want := 1 - 9/((4-mean)*(4-mean)+(8-mean)*(8-mean)+(13-mean)*(13-mean)); math.Abs(got.R2-want) > 1e-9 || got.Rank != 1 {
		t.Errorf("R² %g and rank correlation %g, want %g and 1", got.R2, got.Rank, want)
	}
}

func TestFitErrors(t *testing.T) {
	fails := invbo.Alignment{Latents: func(context.Context, invbo.Unaligned) ([]invbo.Pair, error) { return nil, io.EOF }}
	tests := []struct {
		name  string
		align invbo.Alignment
		y     []float64
		want  string
	}{
		{"equal scores", off(0), []float64{2, 2}, "all 2 scores are 2"},
		{"no latents", fails, []float64{1, 2}, "align 2 strings: EOF"},
	}
	for _, test := range tests {
		m := &emulator{model: numbers{}, align: test.align, surrogate: &line{}}
		if err := m.fit(t.Context(), []string{"1", "2"}, test.y, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}

// A surrogate learns the number of x in expressions from their aligned latents, but not from those of other expressions.
func TestPredictExpressions(t *testing.T) {
	m, err := grammar.Expression()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	x, err := cfg.RandomExpressions(rng, 160)
	if err != nil {
		t.Fatal(err)
	}
	count := func(s string) float64 { return float64(strings.Count(s, "x")) }
	y := make([]float64, len(x))
	for i, s := range x {
		y[i] = count(s)
	}
	problem := study.Problem{Oracle: oracle.Func(func(s string) oracle.Result { return oracle.Result{Score: count(s)} })}
	rank := func(align invbo.Alignment) float64 {
		e := &emulator{model: m, align: align, surrogate: surrogate.NewLatent()}
		if err := e.fit(t.Context(), x[:120], y[:120], rng); err != nil {
			t.Fatal(err)
		}
		z, err := e.latents(t.Context(), x[120:], rng)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.predictDecoded(t.Context(), problem, z)
		if err != nil {
			t.Fatal(err)
		}
		return p.Rank
	}
	aligned := rank(invbo.Inversion)
	misaligned := rank(invbo.Alignment{Latents: func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
		pairs, err := invbo.Encoder.Latents(ctx, in)
		return append(pairs[7:], pairs[:7]...), err // each with the latent of another
	}})
	if aligned < 0.5 || misaligned > 0.4 {
		t.Errorf("rank correlation %.2f of aligned latents, want at least 0.5; %.2f of others' latents, want at most 0.4", aligned, misaligned)
	}
}

func TestExact(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name         string
		measurements []study.Measurement
		want         float64
	}{
		{"one measurement", study.Measured(3), 3},
		{"the mean of replicates, without bounds and failures", []study.Measurement{{Score: 2}, {Score: 4}, {Score: 9, Bound: study.Above}, {Score: nan, Reason: "broken"}}, 3},
		{"only bounds", []study.Measurement{{Score: 9, Bound: study.Above}, {Score: 10, Bound: study.Below}}, nan},
		{"none", nil, nan},
	} {
		if got := exact(test.measurements); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%s: %g, want %g", test.name, got, test.want)
		}
	}
}
