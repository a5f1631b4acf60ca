package invbo_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/surrogate"
	"github.com/invbo/invbo/vae"
)

// grid is a model whose strings are pairs of whole numbers, "3,-1": what a latent of two dimensions, and the shift of
// the decoder, is rounded to. An update of two passes moves the decoder by 1: then latents from before decode to
// neighbours. From 900 on it cannot read what it writes, and from 1000 on it writes nothing.
type grid struct {
	shift float64
	steps *[][]string // strings of each training step
	fail  *error      // of training and decoding
}

func (g *grid) Dim() int { return 2 }

func (g *grid) Check(x string) error {
	v, err := g.numbers(x)
	if err == nil && v[0] >= 900 {
		return errors.New("too far to the right")
	}
	return err
}

func (g *grid) numbers(x string) (v []float64, err error) {
	v = make([]float64, 2)
	_, err = fmt.Sscanf(x, "%f,%f", &v[0], &v[1])
	return v, err
}

func (g *grid) Encode(_ context.Context, x []string) (mu, sigma [][]float64, err error) {
	for _, s := range x {
		z, err := g.numbers(s)
		if err != nil {
			return nil, nil, err
		}
		z[0] -= g.shift
		mu, sigma = append(mu, z), append(sigma, []float64{0.1, 0.1})
	}
	return mu, sigma, nil
}

func (g *grid) Decode(_ context.Context, z [][]float64) ([]string, error) {
	x := make([]string, len(z))
	for i, z := range z {
		if a := math.Round(z[0] + g.shift); a < 1000 {
			x[i] = fmt.Sprintf("%g,%g", a, math.Round(z[1]))
		}
	}
	return x, *g.fail
}

func (g *grid) Reconstruct(_ context.Context, z [][]float64, x []string, _ vae.Loss, grad [][]float64) (losses, margin []float64, err error) {
	for i := range z {
		want, err := g.numbers(x[i])
		if err != nil {
			return nil, nil, err
		}
		a, b := z[i][0]+g.shift-want[0], z[i][1]-want[1]
		losses, margin = append(losses, a*a+b*b), append(margin, 0.5-max(math.Abs(a), math.Abs(b)))
		if grad != nil {
			grad[i][0], grad[i][1] = 2*a, 2*b
		}
	}
	return losses, margin, nil
}

func (g *grid) Clone() vae.Tunable { return &grid{g.shift, g.steps, g.fail} }

func (g *grid) Weights() []float32     { return []float32{float32(g.shift)} }
func (g *grid) SetWeights(w []float32) { g.shift = float64(w[0]) }

func (g *grid) NewTuner(float64) vae.Tuner { return gridTuner{g} }

type gridTuner struct{ *grid }

func (g gridTuner) Step(_ context.Context, x []string, _ []float64, _, _ float64, _ vae.LatentLoss, _ *rand.Rand) (vae.StepLoss, error) {
	*g.steps = append(*g.steps, slices.Clone(x))
	g.shift += 0.5
	return vae.StepLoss{}, *g.fail
}

// lab is a search whose slots write down what they are given, and do as they are told.
type lab struct {
	steps [][]string // of training

	// decoding, aligning and so on end with these errors, if they are not nil
	failDecode, failAlign, failFit, failAnchor, failGenerate, failAt, failPredict error

	aligned []invbo.Unaligned
	align   func(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error)

	fits   []surrogate.Data
	drawn  []*draws
	asked  []surrogate.Points // for predictions
	mu     float64            // predictions, in transformed units
	sigma2 float64
	f      func(k int, z []float64) float64 // what the k-th of a number of draws is at a latent

	fields     []invbo.Field
	potentials [][]float64
	choose     func(invbo.Field) (int, error)

	sources    []invbo.Source
	counts     []int // of candidates that were asked for, one for each source
	candidates func(n int, from invbo.Source) [][]float64

	proposed [][]study.Proposal

	opts    invbo.Options
	problem study.Problem
	store   study.Memory
	*study.Study
	*invbo.Optimizer
}

// proposer is an Optimizer whose proposals are written down.
type proposer struct {
	*invbo.Optimizer
	*lab
}

func (p proposer) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	proposed, err := p.Optimizer.Propose(ctx, known, n)
	p.lab.proposed = append(p.lab.proposed, proposed)
	return proposed, err
}

func (p proposer) Observe(ctx context.Context, trials ...study.Trial) error {
	return p.Optimizer.Observe(ctx, trials...)
}

func (p proposer) Check(x string) error { return p.Optimizer.Check(x) }
func (p proposer) Report() study.Report { return p.Optimizer.Report() }

var errLab = errors.New("out of order")

// newLab returns a lab before its first batch: six strings with scores, batches of two, the three best for anchors.
func newLab(t *testing.T, change func(*lab)) *lab {
	t.Helper()
	l := &lab{align: invbo.Encoder.Latents, choose: invbo.PotentialAware.Choose, mu: 0.5, sigma2: 4}
	// Draws prefer candidates that the generator lists first.
	l.f = func(_ int, z []float64) float64 { return -z[1] }
	// Candidates lie 1, 2, 3, … above the center: all are new.
	l.candidates = func(n int, from invbo.Source) [][]float64 {
		var z [][]float64
		for i := range n {
			z = append(z, []float64{from.Center[0], from.Center[1] + float64(i+1)})
		}
		return z
	}
	profile := invbo.Fitted()
	profile.Candidates, profile.AnchorCandidates, profile.StringCandidates, profile.Depth = 40, 4, 13, 40
	l.opts = invbo.Options{
		Method: invbo.Method{
			Name: "lab", Align: invbo.Alignment{Name: "spy", Latents: l.alignStrings}, Anchor: invbo.Anchor{Name: "spy", Choose: l.chooseAnchor},
			Surrogate: func(vae.Model, surrogate.Features) surrogate.Surrogate { return l.asSurrogate() },
			Generate:  l.generate, Tuning: invbo.FineTuning{ELBO: 1},
		},
		Profile: profile, Batch: 2, Top: 3, Patience: 1000,
	}
	for i, x := range []string{"0,0", "100,0", "200,0", "300,0", "400,0", "500,0"} {
		l.problem.Init = append(l.problem.Init, study.Observation{X: x, Measurements: study.Measured([]float64{0, 4, 2, 1, 3, -1}[i])})
	}
	if change != nil {
		change(l)
	}
	var err error
	if l.Optimizer, err = invbo.New(&grid{steps: &l.steps, fail: &l.failDecode}, l.opts); err != nil {
		t.Fatal(err)
	}
	if l.Study, err = study.New(t.Context(), l.problem, proposer{l.Optimizer, l}, study.Options{Budget: 1000, Batch: l.opts.Batch, Store: &l.store}); err != nil {
		t.Fatal(err)
	}
	return l
}

// ask asks for a batch.
func (l *lab) ask(t *testing.T) []study.Proposal {
	t.Helper()
	return ask(t, l.Study, 0)
}

// tell answers proposals with scores.
func (l *lab) tell(t *testing.T, asked []study.Proposal, scores ...float64) {
	t.Helper()
	for i, p := range asked {
		l.answer(t, p.ID, scores[i])
	}
}

func (l *lab) answer(t *testing.T, id int, score float64) {
	t.Helper()
	a := study.Answer{ID: id}
	a.Score = score
	if err := l.Tell(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

func (l *lab) gauge(name string) float64 { return l.Report().Gauge(name) }

func (l *lab) alignStrings(ctx context.Context, in invbo.Unaligned) ([]invbo.Pair, error) {
	l.aligned = append(l.aligned, in)
	pairs, err := l.align(ctx, in)
	return pairs, errors.Join(err, l.failAlign)
}

func (l *lab) chooseAnchor(f invbo.Field) (int, error) {
	l.fields = append(l.fields, f)
	potential := f.Potential
	f.Potential = func() ([]float64, error) {
		a, err := potential()
		l.potentials = append(l.potentials, a)
		return a, err
	}
	i, err := l.choose(f)
	return i, errors.Join(err, l.failAnchor)
}

func (l *lab) generate(_ context.Context, n int, from invbo.Source, _ *rand.Rand) ([][]float64, error) {
	l.sources, l.counts = append(l.sources, from), append(l.counts, n)
	return l.candidates(n, from), l.failGenerate
}

// latest returns the source of the latest candidates: those of a batch.
func (l *lab) latest() invbo.Source { return l.sources[len(l.sources)-1] }

// asSurrogate returns the lab's surrogate.
func (l *lab) asSurrogate() surrogate.Surrogate { return spy{l} }

type spy struct{ *lab }

func (s spy) Fit(_ context.Context, d surrogate.Data, _ *rand.Rand) error {
	s.fits = append(s.fits, d)
	return s.failFit
}

func (s spy) Predict(_ context.Context, at surrogate.Points) (mu, sigma2 []float64, err error) {
	s.asked = append(s.asked, at)
	return slices.Repeat([]float64{s.mu}, len(at.Z)), slices.Repeat([]float64{s.sigma2}, len(at.Z)), s.failPredict
}

func (s spy) Sample(k int, _ *rand.Rand) surrogate.Draws {
	d := &draws{lab: s.lab, k: k}
	s.drawn = append(s.drawn, d)
	return d.values
}

// draws are k functions that write down where they are evaluated.
type draws struct {
	*lab
	k  int
	at []surrogate.Points
}

func (d *draws) values(_ context.Context, at surrogate.Points) ([][]float64, error) {
	d.at = append(d.at, at)
	f := make([][]float64, d.k)
	for k := range f {
		for _, z := range at.Z {
			f[k] = append(f[k], d.f(k, z))
		}
	}
	return f, d.failAt
}
