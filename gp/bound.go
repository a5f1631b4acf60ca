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
	m := pr.m
	noise := g.Noise()
	prior := g.Outputscale() + g.opts.Jitter
	totalWeight, logWeights := float64(n), 0.0
	var root []float64 // √wᵢ; nil where all are 1
	if d.variance != nil {
		totalWeight, root = 0, make([]float64, n)
		for i, v := range d.variance {
			weight := noise / (noise + v)
			totalWeight += weight
			logWeights += math.Log(weight)
			root[i] = math.Sqrt(weight)
		}
		pr.a = scaleColumns(pr.a, root, m, n)
	}
	t := w.take(m * m) // AAᵀ
	mul(blas.NoTrans, blas.Trans, m, m, n, pr.a, pr.a, t)
	sigma := w.take(m * m)
	var traceT float64
	for i, v := range t {
		sigma[i] = v / noise
	}
	for i := range m {
		sigma[i*m+i]++
		traceT += t[i*m+i]
	}
	if _, err := cholesky(sigma, m); err != nil {
		return nil, fmt.Errorf("factorize I + AAᵀ/noise: %w", err)
	}

	r := make([]float64, n)
	for i, v := range d.y {
		r[i] = v - *g.params.Constant
	}
	if root != nil {
		floats.Mul(r, root)
	}
	ar := make([]float64, m)
	blas64.Gemv(blas.NoTrans, 1/noise, general(pr.a, m, n), vector(r), 0, vector(ar))
	opt := &optimum{mean: append([]float64(nil), ar...), cov: inverse(w, w.copyOf(sigma), m), features: gather(pr.features, index, pr.p)}
	solveVec(blas.NoTrans, sigma, opt.mean)
	solveVec(blas.Trans, sigma, opt.mean)

	var logdet, traceCov float64
	for i := range m {
		logdet += 2 * math.Log(sigma[i*m+i])
		traceCov += opt.cov[i*m+i]
	}
	free := totalWeight*prior - traceT // prior variance that the inducing points do not explain
	nats := float64(n)*math.Log(2*math.Pi*noise) + logdet + dot(r, r)/noise - dot(ar, opt.mean) + free/noise
	opt.loss = (nats - logWeights) / 2 / float64(n)

	dmu := make([]float64, n) // mu − r, later divided by n·noise
	copy(dmu, r)
	blas64.Gemv(blas.Trans, 1, general(pr.a, m, n), vector(opt.mean), -1, vector(dmu))
	residual := dot(dmu, dmu)
	variance := free + noise*(float64(m)-traceCov) // Σᵢ sigma2ᵢ, as cov·AAᵀ = s²(I − cov)
	c := 1 / (noise * float64(n))
	dnoise := (1 - c*(residual+variance)) / (2 * noise)
	if root != nil {
		dnoise = 0
		b := w.copyOf(pr.a)
		solve(blas.NoTrans, sigma, b, m, n)
		_, sigma2 := moments(pr.a, b, opt.mean, n, 0, 0) // wᵢ·(posterior − prior variance)
		for i, e := range dmu {
			weight := root[i] * root[i]
			dnoise += weight / (2 * noise) * (1/float64(n) - c*(e*e+weight*prior+sigma2[i]))
		}
	}
	blas64.Scal(c, vector(dmu))
	var dconstant float64
	for i, v := range dmu {
		if root != nil {
			v *= root[i]
		}
		dconstant += v
	}

	da := w.copyOf(opt.cov) // (cov − I)·c, to be multiplied by A and AAᵀ
	for i := range m {
		da[i*m+i]--
	}
	blas64.Scal(c, vector(da))
	daa := w.take(m * m)
	mul(blas.NoTrans, blas.NoTrans, m, m, m, da, t, daa)
	admu := make([]float64, m)
	blas64.Gemv(blas.NoTrans, 1, general(pr.a, m, n), vector(dmu), 0, vector(admu))
	blas64.Ger(1, vector(opt.mean), vector(admu), general(daa, m, m))

	dkzx := w.take(m * n)
	solve(blas.Trans, pr.l, da, m, m)
	mul(blas.NoTrans, blas.NoTrans, m, n, m, da, pr.a, dkzx)
	weights := append([]float64(nil), opt.mean...)
	solveVec(blas.Trans, pr.l, weights)
	blas64.Ger(1, vector(weights), vector(dmu), general(dkzx, m, n))
	if root != nil {
		dkzx = scaleColumns(dkzx, root, m, n)
	}

	g.backward(w, pr, grad, dkzx, daa, index, dconstant, totalWeight/float64(n)/(2*noise), dnoise)
	return opt, nil
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
