package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/nn"
)

// Gradient is the gradient of an SVGP's loss with respect to its parameters and to the inputs X (n, d).
type Gradient struct {
	Params
	X [][]float64
}

// projection holds the intermediate results that Loss and bound share.
type projection struct {
	n, m, p int

	features       []float64 // (n, p)
	inputs, slopes [][]float64

	x, z []float64 // (n, p), (m, p): features and inducing points, divided by the lengthscale
	kzz  []float64 // (m, m), with jitter
	kzx  []float64 // (m, n)
	l    []float64 // (m, m): LLᵀ = K(Z, Z)
	a    []float64 // (m, n): A = L⁻¹K(Z, X)
}

// project computes kernels and factors for inputs x (n, d). The inducing points have features z (m, p) or, if z is nil,
// are the rows index of x.
func (g *SVGP) project(w *workspace, x []float64, n int, z []float64, index []int) (*projection, error) {
	p := g.params.p
	pr := &projection{n: n, m: len(z) / p, p: p}
	pr.features, pr.inputs, pr.slopes = g.network().embed(w, x, n)
	pr.x = g.scaled(w, pr.features)
	if z == nil {
		pr.m = len(index)
		pr.z = gather(pr.x, index, p)
	} else {
		pr.z = g.scaled(w, z)
	}
	m := pr.m
	pr.kzz = covariance(w, pr.z, m, p, g.Outputscale(), g.opts.Jitter)
	pr.l = w.copyOf(pr.kzz)
	if _, err := cholesky(pr.l, m); err != nil {
		return nil, fmt.Errorf("K(Z, Z): %w", err)
	}
	pr.kzx = w.take(m * n)
	rbf(pr.kzx, pr.z, pr.x, m, n, p, g.Outputscale())
	pr.a = w.copyOf(pr.kzx)
	solve(blas.NoTrans, pr.l, pr.a, m, n)
	return pr, nil
}

// gather returns the rows index of x (n, p).
func gather(x []float64, index []int, p int) []float64 {
	z := make([]float64, 0, len(index)*p)
	for _, i := range index {
		z = append(z, x[i*p:(i+1)*p]...)
	}
	return z
}

// Loss returns the negated predictive log likelihood of the minibatch x (n, d), y (n), in nats per point,
//
//	−1/n Σᵢ log N(yᵢ; muᵢ, sigma2ᵢ + noise + varianceᵢ) + KL(q(v) ‖ N(0, I))/N    Jankowiak et al. 2020, (PPGPR)
//
//	A = L⁻¹K(Z, X)    mu = Aᵀmean + constant    sigma2ᵢ = k(xᵢ, xᵢ) + jitter − ‖Aᵢ‖² + ‖cholᵀAᵢ‖²
//
// and its gradient. N is the number of rows given to New. The gradient of the Cholesky factor of K(Z, Z) follows Murray
// 2016. The error wraps ErrData or ErrNotPositiveDefinite.
//
// variance (n) and id (n) are as in FitOptions. With id, the parameters' gradient is that of the loss of the rows that
// Fit does not hold out, as if the minibatch had no others, or 0 if there are none: steps between fits train neither
// the network nor anything else on held-out rows. The loss and Gradient.X are of all rows. If id is nil, all rows train.
func (g *SVGP) Loss(x [][]float64, y, variance []float64, id []int) (loss float64, grad *Gradient, err error) {
	d, err := newData(x, y, variance, id, g.dim)
	if err != nil {
		return 0, nil, err
	}
	train, held := split(id)
	if len(held) == 0 {
		return g.loss(d)
	}
	grad = &Gradient{Params: newParams(len(g.params.Mean), g.dim, g.opts.Features), X: make([][]float64, len(y))}
	for _, part := range [][]int{train, held} {
		if len(part) == 0 {
			continue
		}
		nats, of, err := g.loss(d.rows(part, g.dim))
		if err != nil {
			return 0, nil, err
		}
		share := float64(len(part)) / float64(len(y)) // each part's loss is a mean over its own rows
		loss += share * nats
		for k, i := range part {
			grad.X[i] = of.X[k]
			blas64.Scal(share, vector(grad.X[i]))
		}
		if !heldOut(id[part[0]]) {
			grad.Params = of.Params
		}
	}
	return loss, grad, nil
}

// loss is Loss where all rows train.
func (g *SVGP) loss(d data) (loss float64, grad *Gradient, err error) {
	pr, err := g.project(nil, d.x, len(d.y), g.params.Inducing, nil)
	if err != nil {
		return 0, nil, err
	}
	n, m := pr.n, pr.m
	numData := float64(g.numData)
	mean, s := g.params.Mean, tril(g.params.Chol, m)
	b := make([]float64, m*n) // cholᵀA
	copy(b, pr.a)
	blas64.Trmm(blas.Left, blas.Trans, 1, lower(s, m), general(b, m, n))
	mu, sigma2 := moments(pr.a, b, mean, n, *g.params.Constant, g.Outputscale()+g.opts.Jitter)

	grad = &Gradient{Params: newParams(m, g.dim, g.opts.Features)}
	dmu, dsigma2 := make([]float64, n), make([]float64, n)
	var dconstant, dnoise float64
	for i := range n {
		v := sigma2[i] + g.Noise()
		if d.variance != nil {
			v += d.variance[i]
		}
		r := (mu[i] - d.y[i]) / v
		loss -= logGaussian(d.y[i], mu[i], v) / float64(n)
		dmu[i] = r / float64(n)
		dsigma2[i] = (1/v - r*r) / 2 / float64(n)
		dconstant += dmu[i]
		dnoise += dsigma2[i]
	}

	// KL = ½(tr S + meanᵀmean − m − log det S)
	kl := dot(mean, mean) - float64(m)
	blas64.Gemv(blas.NoTrans, 1, general(pr.a, m, n), vector(dmu), 0, vector(grad.Mean))
	scaledA := scaleColumns(pr.a, dsigma2, m, n)
	mul(blas.NoTrans, blas.Trans, m, m, n, scaledA, b, grad.Chol)
	for i := range m {
		grad.Mean[i] += mean[i] / numData
		row, grow := s[i*m:i*m+i+1], grad.Chol[i*m:(i+1)*m]
		kl += dot(row, row) - 2*math.Log(math.Abs(row[i]))
		for j, v := range row {
			grow[j] = 2*grow[j] + v/numData
		}
		grow[i] -= 1 / (row[i] * numData)
		clear(grow[i+1:])
	}
	loss += kl / 2 / numData

	// ∂/∂A = mean dmuᵀ + 2(S − I)A·diag(dsigma2)
	da := scaleColumns(b, dsigma2, m, n)
	blas64.Trmm(blas.Left, blas.NoTrans, 2, lower(s, m), general(da, m, n))
	blas64.Axpy(-2, vector(scaledA), vector(da))
	blas64.Ger(1, vector(mean), vector(dmu), general(da, m, n))

	daa := make([]float64, m*m)
	mul(blas.NoTrans, blas.Trans, m, m, n, da, pr.a, daa)
	solve(blas.Trans, pr.l, da, m, n)
	grad.X = stats.Rows(g.backward(nil, pr, grad.Params, da, daa, nil, dconstant, dnoise, dnoise), n, g.dim)
	return loss, grad, nil
}

// moments returns mean and variance (n each) of the latent function, given A and B = cholᵀA, (m, n) each, and the prior
// variance.
func moments(a, b, mean []float64, n int, constant, prior float64) (mu, sigma2 []float64) {
	m := len(mean)
	mu, sigma2 = slices.Repeat([]float64{constant}, n), slices.Repeat([]float64{prior}, n)
	blas64.Gemv(blas.Trans, 1, general(a, m, n), vector(mean), 1, vector(mu))
	for k := range m {
		for i, v := range a[k*n : (k+1)*n] {
			w := b[k*n+i]
			sigma2[i] += w*w - v*v
		}
	}
	return mu, sigma2
}

// scaleColumns returns a (m, n) with column i multiplied by s[i].
func scaleColumns(a, s []float64, m, n int) []float64 {
	c := make([]float64, m*n)
	for k := range m {
		for i, v := range s {
			c[k*n+i] = a[k*n+i] * v
		}
	}
	return c
}

// backward backpropagates the gradient of a loss through A = L⁻¹K(Z, X) and the network: it writes the gradients of the
// parameters, except q(v), to grad, and returns that of the inputs. dkzx (m, n) = L⁻ᵀ·∂/∂A and daa (m, m) = ∂/∂A·Aᵀ are
// overwritten. If index is not nil, it names the inputs that are the inducing points. dconstant and dnoise are
// ∂/∂constant and ∂/∂noise, and dprior is ∂/∂k(x, x), summed over the inputs.
//
// The gradient of L is −tril(dkzx Aᵀ). The Cholesky backward needs the lower half of Lᵀ times that, which is the lower
// half of −daa; with Φ that half, its diagonal divided by 2, ∂/∂K(Z, Z) = L⁻ᵀ Φ(−daa) L⁻¹, symmetrized.
func (g *SVGP) backward(w *workspace, pr *projection, grad Params, dkzx, daa []float64, index []int, dconstant, dprior, dnoise float64) []float64 {
	m, n, p := pr.m, pr.n, pr.p
	dx, dz := w.zeros(n*p), w.zeros(m*p)
	for i := range m {
		for j := range i {
			daa[i*m+j] *= -0.5
			daa[j*m+i] = daa[i*m+j]
		}
		daa[i*m+i] *= -0.5
	}
	// daa is now (Φ + Φᵀ)/2
	solve(blas.Trans, pr.l, daa, m, m)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, lower(pr.l, m), general(daa, m, m))
	for i := range m {
		for j, k := range pr.kzz[i*m : (i+1)*m] {
			if i == j {
				k = g.Outputscale() // without the jitter
			}
			daa[i*m+j] *= k
		}
	}
	floats.Mul(dkzx, pr.kzx)
	sum := rbfGrad(w, dz, dx, dkzx, pr.z, pr.x, m, n, p) + rbfGrad(w, dz, dz, daa, pr.z, pr.z, m, m, p)

	l := g.Lengthscale() // of scaled points s = f/l: ∂/∂l = −Σ ∂/∂s·s/l
	dlengthscale := -(dot(dx, pr.x) + dot(dz, pr.z)) / l
	blas64.Scal(1/l, vector(dx))
	blas64.Scal(1/l, vector(dz))
	copy(grad.Inducing, dz)
	for k, i := range index {
		blas64.Axpy(1, vector(dz[k*p:(k+1)*p]), vector(dx[i*p:(i+1)*p]))
	}
	*grad.Constant = dconstant
	*grad.RawOutputscale = (sum/g.Outputscale() + dprior) * sigmoid(*g.params.RawOutputscale)
	*grad.RawLengthscale = dlengthscale * sigmoid(*g.params.RawLengthscale)
	*grad.RawNoise = dnoise * sigmoid(*g.params.RawNoise)
	return g.network().backward(w, grad.Layers, pr.inputs, pr.slopes, dx, n)
}

// Step updates the parameters by one step of opt, and returns grad's norm before clipping.
func (g *SVGP) Step(opt *nn.Adam64, grad *Gradient) (norm float64) {
	return opt.Step(g.params.flat, grad.flat)
}

// Train minimizes Loss by Adam over shuffled epochs of the data x (n, d), y (n), with a new Adam each time, as the
// paper's code does on raw scores: 20 epochs on the initial data, and 2 for updates. With a few hundred data these epochs
// leave most of the variance unexplained: see Fit. variance (n) is as in FitOptions.
//
// The error wraps ErrData, ErrNotPositiveDefinite or ctx's cause; the steps before it are kept.
func (g *SVGP) Train(ctx context.Context, x [][]float64, y, variance []float64, epochs int, rng *rand.Rand) error {
	if err := checkTargets(len(x), y, variance); err != nil {
		return err
	}
	const batch = 128 // rows per step
	opt := &nn.Adam64{LearningRate: 0.001, Clip: 1}
	for epoch := range epochs {
		for index := range slices.Chunk(rng.Perm(len(x)), batch) {
			if ctx.Err() != nil {
				return fmt.Errorf("gp: train, epoch %d: %w", epoch, context.Cause(ctx))
			}
			_, grad, err := g.Loss(stats.Pick(x, index), stats.Pick(y, index), stats.Pick(variance, index), nil)
			if err != nil {
				return fmt.Errorf("gp: train, epoch %d: %w", epoch, err)
			}
			g.Step(opt, grad)
		}
	}
	return nil
}
