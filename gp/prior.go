package gp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/stat"
)

// prior is the weak prior of the hyperparameters in Fit. As shares of the variance of the targets, log noise ~ N(−4,
// 1), as in BoTorch, and log outputscale ~ N(0, 1). log lengthscale ~ N(log of the median distance between points, 1).
// The network's weights ~ N(0, 1/(3·In)), with the variance of their initial distribution.
type prior struct {
	noise, outputscale, lengthscale float64 // means of the logarithms
	n                               float64
}

// newPrior returns the prior for features (n, p) and targets y (n).
func newPrior(features, y []float64, p int) prior {
	n := len(y)
	variance := math.Max(stat.PopVariance(y, nil), minNoise)
	return prior{math.Log(variance) - 4, math.Log(variance), math.Log(medianDistance(features, n, p)), float64(n)}
}

// add returns −log p(kernel)/n, up to a constant, and adds its gradient to grad.
func (p prior) add(g *SVGP, grad Params) (loss float64) {
	normal := func(value, mean, raw float64, grad *float64) {
		e := math.Log(value) - mean
		loss += e * e / 2 / p.n
		*grad += e / value * sigmoid(raw) / p.n
	}
	normal(g.Noise(), p.noise, *g.params.RawNoise, grad.RawNoise)
	normal(g.Outputscale(), p.outputscale, *g.params.RawOutputscale, grad.RawOutputscale)
	normal(g.Lengthscale(), p.lengthscale, *g.params.RawLengthscale, grad.RawLengthscale)
	for i, l := range g.params.Layers {
		precision := 3 * float64(l.In) / p.n
		loss += precision / 2 * (dot(l.Weight, l.Weight) + dot(l.Bias, l.Bias))
		blas64.Axpy(precision, vector(l.Weight), vector(grad.Layers[i].Weight))
		blas64.Axpy(precision, vector(l.Bias), vector(grad.Layers[i].Bias))
	}
	return loss
}

// medianRows is the largest number of rows that medianDistance compares.
const medianRows = 100

// medianDistance returns the median distance between rows of x (n, d), or 1 if it is 0.
func medianDistance(x []float64, n, d int) float64 {
	stride := (n-1)/medianRows + 1
	var squares []float64
	for i := 0; i < n; i += stride {
		for j := 0; j < i; j += stride {
			var sum float64
			for k := range d {
				e := x[i*d+k] - x[j*d+k]
				sum += e * e
			}
			squares = append(squares, sum)
		}
	}
	slices.Sort(squares)
	if len(squares) == 0 || squares[len(squares)/2] == 0 {
		return 1
	}
	return math.Sqrt(squares[len(squares)/2])
}
