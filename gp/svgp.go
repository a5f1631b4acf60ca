package gp

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// minNoise is the smallest variance of the observation noise, as in the paper's code.
const minNoise = 1e-4

// SVGP is a sparse variational GP (Hensman et al. 2015): a constant mean, a squared-exponential kernel with
// one lengthscale on the features of a network (or on x itself), Gaussian noise, and a whitened posterior
// q(v) = N(mean, chol cholᵀ) over u = Lv + constant at m inducing points, where LLᵀ = K(Z, Z).
//
// Train trains it for a few epochs of Adam, as the paper's code does; Fit trains it to convergence. An SVGP is not safe
// for concurrent use; a Posterior is.
type SVGP struct {
	params  Params
	dim     int // of x
	numData int // divisor of the KL in Loss, fixed at New
	seen    int // number of data at the last Fit that searched for a kernel from scratch
	opts    Options

	work workspace // scratch memory of bound
}

// Options holds the architecture of an SVGP. A zero field takes the value in its comment.
type Options struct {
	Inducing int     // largest number of inducing points; 1,024, and at most the number of data
	Features []int   // widths of the layers of the deep kernel; none: no network
	Skip     bool    // residual network: features are x plus the last layer, which has width d and starts at 0
	Jitter   float64 // on the diagonals of K(Z, Z) and K(X, X); 10⁻⁶
}

// Params are the parameters of an SVGP, or a gradient with respect to them. The slices share one vector.
type Params struct {
	Inducing []float64 // Z (m, p): inducing points in feature space
	Mean     []float64 // (m)
	Chol     []float64 // (m, m), lower; its upper triangle is ignored
	Layers   []Layer

	// Pointers to one number each. Outputscale and lengthscale are softplus(raw), the noise is softplus(raw) + 10⁻⁴.
	Constant, RawOutputscale, RawLengthscale, RawNoise *float64

	flat   []float64
	kernel []float64 // the layers and the four numbers, a prefix of flat
	p      int       // width of the features
}

// newParams allocates parameters for m inducing points and a network of the given widths on dim inputs.
func newParams(m, dim int, widths []int) Params {
	ps := Params{flat: make([]float64, int(paramCount(m, dim, widths))), p: dim}
	rest := ps.flat
	take := func(n int) []float64 {
		s := rest[:n:n]
		rest = rest[n:]
		return s
	}
	for _, w := range widths {
		ps.Layers = append(ps.Layers, Layer{In: ps.p, Out: w, Weight: take(w * ps.p), Bias: take(w)})
		ps.p = w
	}
	scalars := take(4)
	ps.Constant, ps.RawOutputscale, ps.RawLengthscale, ps.RawNoise = &scalars[0], &scalars[1], &scalars[2], &scalars[3]
	ps.kernel = ps.flat[:len(ps.flat)-len(rest)]
	ps.Inducing, ps.Mean, ps.Chol = take(m*ps.p), take(m), take(m*m)
	return ps
}

// paramCount returns the number of parameters, which does not overflow.
func paramCount(m, dim int, widths []int) float64 {
	count, p := 4.0, float64(dim)
	for _, w := range widths {
		count += float64(w) * (p + 1)
		p = float64(w)
	}
	return count + float64(m)*(p+1+float64(m))
}

// New returns an untrained SVGP, initialized as in the paper's code: a random network, the features of the first rows
// of x (n, d) as inducing points, the prior as posterior (with mean 10⁻³·N(0, 1)), and outputscale, lengthscale and
// noise at softplus(0). n becomes the divisor of the KL in Loss. The error wraps ErrData, except for invalid Options.
func New(x [][]float64, opts Options, rng *rand.Rand) (*SVGP, error) {
	if len(x) == 0 {
		return nil, fmt.Errorf("gp: %w: no rows to initialize the inducing points of an SVGP", ErrData)
	}
	if opts.Inducing < 0 || !isVariance(opts.Jitter) || len(opts.Features) > 0 && slices.Min(opts.Features) < 1 {
		return nil, fmt.Errorf("gp: %d inducing points, jitter %g and layers of widths %v; give none that is negative, and widths of at least 1",
			opts.Inducing, opts.Jitter, opts.Features)
	}
	opts.Inducing = cmp.Or(opts.Inducing, 1024)
	opts.Jitter = cmp.Or(opts.Jitter, 1e-6)
	dim := len(x[0])
	flat, err := flatten(x, dim)
	if err != nil {
		return nil, err
	}
	m := min(len(x), opts.Inducing)
	g := &SVGP{params: newParams(m, dim, opts.Features), dim: dim, numData: len(x), opts: opts}
	for _, l := range g.params.Layers {
		l.init(rng)
	}
	if opts.Skip {
		if g.params.p != dim || len(opts.Features) == 0 {
			return nil, fmt.Errorf("gp: Skip with %d inputs needs a last layer of that width, not layers %v", dim, opts.Features)
		}
		last := g.params.Layers[len(g.params.Layers)-1]
		clear(last.Weight)
		clear(last.Bias)
	}
	features, _, _ := g.network().embed(nil, flat[:m*dim], m)
	copy(g.params.Inducing, features)
	for i := range m {
		g.params.Mean[i] = 1e-3 * rng.NormFloat64()
		g.params.Chol[i*m+i] = 1
	}
	return g, nil
}

func (g *SVGP) network() network { return network{g.params.Layers, g.opts.Skip} }

// Outputscale returns the variance of the prior.
func (g *SVGP) Outputscale() float64 { return softplus(*g.params.RawOutputscale) }

// Lengthscale returns the kernel's lengthscale, in feature space.
func (g *SVGP) Lengthscale() float64 { return softplus(*g.params.RawLengthscale) }

// Noise returns the variance of the observation noise.
func (g *SVGP) Noise() float64 { return softplus(*g.params.RawNoise) + minNoise }

// clone returns a deep copy.
func (g *SVGP) clone() *SVGP {
	c := *g
	c.params = newParams(len(g.params.Mean), g.dim, g.opts.Features)
	copy(c.params.flat, g.params.flat)
	return &c
}

// scaled returns features (n, p) divided by the lengthscale.
func (g *SVGP) scaled(w *workspace, features []float64) []float64 {
	return floats.ScaleTo(w.take(len(features)), 1/g.Lengthscale(), features)
}

// Posterior returns the posterior under the current parameters. Later training does not change it. The error wraps
// ErrNotPositiveDefinite or, for the zero SVGP, ErrData.
func (g *SVGP) Posterior() (*Posterior, error) {
	if g.dim == 0 {
		return nil, fmt.Errorf("gp: %w: the zero SVGP has no posterior; see New", ErrData)
	}
	m := len(g.params.Mean)
	z := g.scaled(nil, g.params.Inducing)
	chol := covariance(nil, z, m, g.params.p, g.Outputscale(), g.opts.Jitter)
	added, err := cholesky(chol, m)
	if err != nil {
		return nil, fmt.Errorf("K(Z, Z): %w", err)
	}
	net := newParams(0, g.dim, g.opts.Features)
	copy(net.kernel, g.params.kernel)
	return &Posterior{
		dim: g.dim, p: g.params.p, net: network{net.Layers, g.opts.Skip}, scale: slices.Repeat([]float64{1 / g.Lengthscale()}, g.params.p),
		outputscale: g.Outputscale(), constant: *g.params.Constant, noise: g.Noise(), jitter: g.opts.Jitter,
		m: m, points: z, chol: chol, diagonal: slices.Repeat([]float64{g.opts.Jitter + added}, m),
		mean: append([]float64(nil), g.params.Mean...), s: tril(g.params.Chol, m),
	}, nil
}

// tril returns a (n, n) with its upper triangle set to 0.
func tril(a []float64, n int) []float64 {
	l := append([]float64(nil), a...)
	for i := range n {
		clear(l[i*n+i+1 : (i+1)*n])
	}
	return l
}

// logGaussian returns log N(y; mu, sigma2).
func logGaussian(y, mu, sigma2 float64) float64 {
	r := y - mu
	return -(math.Log(2*math.Pi*sigma2) + r*r/sigma2) / 2
}
