package gp_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/nn"
)

// The reference values are of gpytorch 1.11; testdata/svgp_tiny.json describes every tensor and how it was made.
// svgp_dkl, with a deep kernel of the paper's size, is too large to lie here.
var goldens = []struct {
	name, path string
	features   []int
	jitter     float64
	out        string // prefix of the float64 outputs
	values     float64
	gradients  float64
}{
	{"tiny", "testdata/svgp_tiny.safetensors", nil, 1e-6, "out", 1e-8, 1e-7},
	{"deep kernel", "../../shared/golden/svgp_dkl.safetensors", []int{256, 256}, 1e-4, "out64", 1e-6, 1e-6},
}

const variational = "variational_strategy._variational_distribution."

// parameters names the tensors of p as the reference does.
func parameters(p gp.Params) map[string][]float64 {
	named := map[string][]float64{
		"variational_strategy.inducing_points": p.Inducing,
		variational + "variational_mean":       p.Mean,
		variational + "chol_variational_covar": p.Chol,
	}
	for i, name := range []string{"hidden1", "hidden2"}[:len(p.Layers)] {
		named["feature_extractor."+name+".fc.weight"] = p.Layers[i].Weight
		named["feature_extractor."+name+".fc.bias"] = p.Layers[i].Bias
	}
	return named
}

func scalars(p gp.Params) map[string]*float64 {
	return map[string]*float64{
		"mean_module.raw_constant":                 p.Constant,
		"covar_module.raw_outputscale":             p.RawOutputscale,
		"covar_module.base_kernel.raw_lengthscale": p.RawLengthscale,
		"likelihood.noise_covar.raw_noise":         p.RawNoise,
	}
}

// golden holds the tensors of a file of reference values.
type golden struct {
	t    *testing.T
	file *safetensors.File
}

func openGolden(t *testing.T, path string) golden {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("reference values %s are not here", path)
	}
	defer file.Close()
	f, err := safetensors.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return golden{t, f}
}

func (g golden) flat(name string) []float64 {
	g.t.Helper()
	v, _, err := g.file.Float64s(name)
	if err != nil {
		g.t.Fatal(err)
	}
	return v
}

func (g golden) rows(name string) [][]float64 {
	g.t.Helper()
	v, shape, err := g.file.Float64s(name)
	if err != nil {
		g.t.Fatal(err)
	}
	x := make([][]float64, shape[0])
	for i := range x {
		x[i] = v[i*shape[1] : (i+1)*shape[1]]
	}
	return x
}

// model returns an SVGP with the stored parameters.
func (g golden) model(features []int, jitter float64) *gp.SVGP {
	g.t.Helper()
	_, shape, err := g.file.Float64s("param.variational_strategy.inducing_points")
	if err != nil {
		g.t.Fatal(err)
	}
	s, err := gp.New(g.rows("in.x"), gp.Options{Inducing: shape[0], Features: features, Jitter: jitter}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		g.t.Fatal(err)
	}
	for name, p := range parameters(s.Params()) {
		copy(p, g.flat("param."+name))
	}
	for name, p := range scalars(s.Params()) {
		*p = g.flat("param." + name)[0]
	}
	return s
}

// check compares with the reference, relative to its largest magnitude.
func (g golden) check(name string, got []float64, tolerance float64) {
	g.t.Helper()
	want := g.flat(name)
	if len(got) != len(want) {
		g.t.Fatalf("%s: %d values, want %d", name, len(got), len(want))
	}
	var largest, worst float64
	for i, w := range want {
		largest = math.Max(largest, math.Abs(w))
		if d := math.Abs(got[i] - w); !(d <= worst) {
			worst = d
		}
	}
	if !(worst <= tolerance*largest) {
		g.t.Errorf("%s: off by %.2g of the largest magnitude %.3g, want at most %g", name, worst/largest, largest, tolerance)
	}
}

func TestLossGolden(t *testing.T) {
	for _, test := range goldens {
		t.Run(test.name, func(t *testing.T) {
			g := openGolden(t, test.path)
			s := g.model(test.features, test.jitter)
			loss, grad, err := s.Loss(g.rows("in.x"), g.flat("in.y"), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			g.check(test.out+".train.loss", []float64{loss}, test.values)
			for name, got := range parameters(grad.Params) {
				g.check(test.out+".grad."+name, got, test.gradients)
			}
			for name, got := range scalars(grad.Params) {
				g.check(test.out+".grad."+name, []float64{*got}, test.gradients)
			}
			var dx []float64
			for _, row := range grad.X {
				dx = append(dx, row...)
			}
			g.check(test.out+".grad_input.x", dx, test.gradients)
		})
	}
}

func TestLossOfMinibatchGolden(t *testing.T) {
	g := openGolden(t, "testdata/svgp_tiny.safetensors")
	loss, _, err := g.model(nil, 1e-6).Loss(g.rows("in.x")[:8], g.flat("in.y")[:8], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g.check("out.train.loss_first8", []float64{loss}, 1e-8)
}

func TestPosteriorGolden(t *testing.T) {
	for _, test := range goldens {
		t.Run(test.name, func(t *testing.T) {
			g := openGolden(t, test.path)
			p, err := g.model(test.features, test.jitter).Posterior()
			if err != nil {
				t.Fatal(err)
			}
			mu, sigma2, err := p.Predict(g.rows("in.x_test"))
			if err != nil {
				t.Fatal(err)
			}
			g.check(test.out+".test.f_mean", mu, test.values)
			g.check(test.out+".test.f_variance", sigma2, test.values)
			cov, err := p.Covariance(g.rows("in.x_test"))
			if err != nil {
				t.Fatal(err)
			}
			g.check(test.out+".test.f_covariance", cov, test.values)
			for i := range sigma2 {
				sigma2[i] += p.Noise()
			}
			g.check(test.out+".test.y_variance", sigma2, test.values)
		})
	}
}

func TestStepGolden(t *testing.T) {
	g := openGolden(t, "testdata/svgp_tiny.safetensors")
	s := g.model(nil, 1e-6)
	opt := &nn.Adam64{LearningRate: 0.01, Clip: 1}
	var losses, norms []float64
	for range 20 {
		loss, grad, err := s.Loss(g.rows("in.x"), g.flat("in.y"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, loss)
		norms = append(norms, s.Step(opt, grad))
	}
	loss, _, err := s.Loss(g.rows("in.x"), g.flat("in.y"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g.check("trajectory.loss", append(losses, loss), 1e-6)
	g.check("trajectory.grad_norm", norms, 1e-6)
	for name, got := range parameters(s.Params()) {
		g.check("trajectory.final."+name, got, 1e-6)
	}
	for name, got := range scalars(s.Params()) {
		g.check("trajectory.final."+name, []float64{*got}, 1e-6)
	}
}
