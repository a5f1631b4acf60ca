package gp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/simd"
)

// optimum is the optimal q(v) for given hyperparameters, with its loss.
type optimum struct {
	loss     float64   // −ELBO, nats per point
	mean     []float64 // (m)
	cov      []float64 // (m, m)
	features []float64 // (m, p): the inducing points
}

// bound returns the negated evidence lower bound of n data, in nats per point, with
// the rows that index names as inducing points and q(v) at its optimum (Titsias 2009), in the
// notation of Loss, with r = y − constant and s² the noise:
//
//	Sigma = I + AAᵀ/s²    cov = Sigma⁻¹    mean = Sigma⁻¹Ar/s²
//	−ELBO = ½(n log 2πs² + log|Sigma| + (rᵀr − (Ar)ᵀmean)/s² + (Σᵢ k(xᵢ, xᵢ) + jitter − tr AAᵀ)/s²)
//
// It writes the gradient with respect to network, constant and raw numbers to grad. Because q(v) is optimal, its own
// derivative does not contribute, and ∂/∂A is that of the bound at fixed q(v):
//
//	∂/∂A = mean(mu − r)ᵀ/s² + (cov − I)A/s²
//
// Known variances add to s². With wᵢ = s²/(s² + varianceᵢ), target i has variance
// s²/wᵢ: in the formulas above, √wᵢAᵢ, √wᵢrᵢ and wᵢ(k(xᵢ, xᵢ) + jitter) replace Aᵢ, rᵢ and k(xᵢ, xᵢ) + jitter, and −½
// Σᵢ log wᵢ is added.
//
// The optimum's cov is in g's workspace, and valid until the next call.
func (g *SVGP) bound(d data, index []int, grad Params) (*optimum, error) {
	w := &g.work
	w.reset()
	n := len(d.y)
	pr, err := g.project(w, d.x, n, nil, index)
	if err != nil {
		return nil, err
	}
	b := bounding{pr: pr, noise: g.Noise(), prior: g.Outputscale() + g.opts.Jitter, targets: weigh(d.variance, n, g.Noise())}
	if b.root != nil {
		pr.a = scaleColumns(pr.a, b.root, pr.m, n)
	}
	if err := b.optimize(w, d.y, *g.params.Constant); err != nil {
		return nil, err
	}
	b.opt.features = gather(pr.features, index, pr.p)
	dkzx, daa, dconstant, dnoise := b.gradient(w)
	g.backward(w, pr, grad, dkzx, daa, index, dconstant, b.total/float64(n)/(2*b.noise), dnoise)
	return b.opt, nil
}

// targets are the weights wᵢ of targets.
type targets struct {
	root        []float64 // √wᵢ; nil where all are 1
	total, logs float64   // Σᵢ wᵢ and Σᵢ log wᵢ
}

// weigh returns the weights of n targets with known variances; nil: 0.
func weigh(variance []float64, n int, noise float64) targets {
	if variance == nil {
		return targets{total: float64(n)}
	}
	t := targets{root: make([]float64, n)}
	for i, v := range variance {
		weight := noise / (noise + v)
		t.total += weight
		t.logs += math.Log(weight)
		t.root[i] = math.Sqrt(weight)
	}
	return t
}

// bounding is a computation of bound.
type bounding struct {
	targets
	pr           *projection // A has the columns √wᵢAᵢ
	noise, prior float64     // s² and k(xᵢ, xᵢ) + jitter

	opt   *optimum
	r     []float64 // (n): √wᵢrᵢ
	t     []float64 // (m, m): AAᵀ
	sigma []float64 // (m, m): factor of Sigma
	free  float64   // prior variance that the inducing points do not explain
}

// optimize sets the optimum, with its loss, and all that gradient needs.
func (b *bounding) optimize(w *workspace, y []float64, constant float64) error {
	n, m, a := len(y), b.pr.m, b.pr.a
	b.t = w.take(m * m)
	mul(blas.NoTrans, blas.Trans, m, m, n, a, a, b.t)
	b.sigma = w.take(m * m)
	var traceT float64
	for i, v := range b.t {
		b.sigma[i] = v / b.noise
	}
	for i := range m {
		b.sigma[i*m+i]++
		traceT += b.t[i*m+i]
	}
	if _, err := cholesky(b.sigma, m); err != nil {
		return fmt.Errorf("factorize I + AAᵀ/noise: %w", err)
	}
	b.r = make([]float64, n)
	for i, v := range y {
		b.r[i] = v - constant
	}
	if b.root != nil {
		floats.Mul(b.r, b.root)
	}
	ar := make([]float64, m)
	blas64.Gemv(blas.NoTrans, 1/b.noise, general(a, m, n), vector(b.r), 0, vector(ar))
	b.opt = &optimum{mean: append([]float64(nil), ar...), cov: inverse(w, w.copyOf(b.sigma), m)}
	solveVec(blas.NoTrans, b.sigma, b.opt.mean)
	solveVec(blas.Trans, b.sigma, b.opt.mean)

	var logdet float64
	for i := range m {
		logdet += 2 * math.Log(b.sigma[i*m+i])
	}
	b.free = b.total*b.prior - traceT
	nats := float64(n)*math.Log(2*math.Pi*b.noise) + logdet + dot(b.r, b.r)/b.noise - dot(ar, b.opt.mean) + b.free/b.noise
	b.opt.loss = (nats - b.logs) / 2 / float64(n)
	return nil
}

// gradient returns dkzx and daa as backward takes them, and the derivatives of the loss in constant and noise.
func (b *bounding) gradient(w *workspace) (dkzx, daa []float64, dconstant, dnoise float64) {
	n, m, a := len(b.r), b.pr.m, b.pr.a
	dmu := make([]float64, n) // mu − r, later divided by n·noise
	copy(dmu, b.r)
	blas64.Gemv(blas.Trans, 1, general(a, m, n), vector(b.opt.mean), -1, vector(dmu))
	c := 1 / (b.noise * float64(n))
	dnoise = b.noiseGradient(w, dmu, c)
	blas64.Scal(c, vector(dmu))
	for i, v := range dmu {
		if b.root != nil {
			v *= b.root[i]
		}
		dconstant += v
	}

	da := w.copyOf(b.opt.cov) // (cov − I)·c, to be multiplied by A and AAᵀ
	for i := range m {
		da[i*m+i]--
	}
	blas64.Scal(c, vector(da))
	daa = w.take(m * m)
	mul(blas.NoTrans, blas.NoTrans, m, m, m, da, b.t, daa)
	admu := make([]float64, m)
	blas64.Gemv(blas.NoTrans, 1, general(a, m, n), vector(dmu), 0, vector(admu))
	blas64.Ger(1, vector(b.opt.mean), vector(admu), general(daa, m, m))

	dkzx = w.take(m * n)
	solve(blas.Trans, b.pr.l, da, m, m)
	mul(blas.NoTrans, blas.NoTrans, m, n, m, da, a, dkzx)
	weights := append([]float64(nil), b.opt.mean...)
	solveVec(blas.Trans, b.pr.l, weights)
	blas64.Ger(1, vector(weights), vector(dmu), general(dkzx, m, n))
	if b.root != nil {
		dkzx = scaleColumns(dkzx, b.root, m, n)
	}
	return dkzx, daa, dconstant, dnoise
}

// noiseGradient returns the derivative of the loss in the noise, given mu − r and c = 1/(n·noise).
func (b *bounding) noiseGradient(w *workspace, dmu []float64, c float64) (dnoise float64) {
	n, m := len(dmu), b.pr.m
	if b.root == nil {
		var traceCov float64
		for i := range m {
			traceCov += b.opt.cov[i*m+i]
		}
		variance := b.free + b.noise*(float64(m)-traceCov) // Σᵢ sigma2ᵢ, as cov·AAᵀ = s²(I − cov)
		return (1 - c*(dot(dmu, dmu)+variance)) / (2 * b.noise)
	}
	whitened := w.copyOf(b.pr.a)
	solve(blas.NoTrans, b.sigma, whitened, m, n)
	_, sigma2 := moments(b.pr.a, whitened, b.opt.mean, n, 0, 0) // wᵢ·(posterior − prior variance)
	for i, e := range dmu {
		weight := b.root[i] * b.root[i]
		dnoise += weight / (2 * b.noise) * (1/float64(n) - c*(e*e+weight*b.prior+sigma2[i]))
	}
	return dnoise
}

// inducing returns the indices of at most m rows of x (n, d), divided by the lengthscale, chosen by greedy conditional
// variance (Burt et al. 2020, §4), that is by a pivoted Cholesky: each is the row where the function has the largest
// variance given those before. It stops when that is at most tolerance, as a share of the prior variance, so that
// repeats are not chosen. It chooses at least one row.
func inducing(x []float64, n, d, m int, tolerance float64) []int {
	left := make([]float64, n) // variance given the rows chosen
	for i := range left {
		left[i] = 1
	}
	norms := squaredNorms(x, n, d)
	factor := make([]float64, 0, m*n) // (chosen, n)
	column := make([]float64, m)
	var chosen []int
	for len(chosen) < m {
		best := 0
		for i, v := range left {
			if v > left[best] {
				best = i
			}
		}
		if left[best] <= tolerance && len(chosen) > 0 {
			break
		}
		k := len(chosen)
		factor = factor[:(k+1)*n]
		row := factor[k*n:]
		blas64.Gemv(blas.NoTrans, 1, general(x, n, d), vector(x[best*d:(best+1)*d]), 0, vector(row))
		for i, v := range row {
			row[i] = math.Min(0, v-(norms[i]+norms[best])/2)
		}
		simd.Exp64(row, row)
		if k > 0 {
			for j := range k {
				column[j] = -factor[j*n+best]
			}
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(column, 1, k), general(factor, k, n), 1, general(row, 1, n)) // faster than Gemv
		}
		blas64.Scal(1/math.Sqrt(left[best]), vector(row))
		for i, v := range row {
			left[i] -= v * v
		}
		left[best] = 0 // exactly, so that no row is chosen twice
		chosen = append(chosen, best)
	}
	return chosen
}
