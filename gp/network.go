package gp

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/simd"
)

// A Layer of the feature network of a deep kernel (Wilson et al. 2016) maps x (n, in) to h·sigmoid(h), h = xWᵀ + b.
type Layer struct {
	In, Out int
	Weight  []float64 // (Out, In)
	Bias    []float64 // (Out)
}

// init draws weight and bias from U(±1/√In), as PyTorch's Linear does.
func (l Layer) init(rng *rand.Rand) {
	bound := 1 / math.Sqrt(float64(l.In))
	for _, p := range [][]float64{l.Weight, l.Bias} {
		for i := range p {
			p[i] = bound * (2*rng.Float64() - 1)
		}
	}
}

// forward returns the layer's sum h and its output, (n, Out) each.
func (l Layer) forward(w *workspace, x []float64, n int) (h, out []float64) {
	h, out = w.take(n*l.Out), w.take(n*l.Out)
	mul(blas.NoTrans, blas.Trans, n, l.Out, l.In, x, l.Weight, h)
	for i := range n {
		blas64.Axpy(1, vector(l.Bias), vector(h[i*l.Out:(i+1)*l.Out]))
	}
	sigmoids(out, h)
	floats.Mul(out, h)
	return h, out
}

// backward writes the gradient of weight and bias to grad and returns that of x, given the gradient dout of
// the output; dout is used up.
func (l Layer) backward(w *workspace, grad Layer, x, h, dout []float64, n int) (dx []float64) {
	s := w.take(n * l.Out)
	sigmoids(s, h)
	for k, s := range s {
		dout[k] *= s * (1 + h[k]*(1-s))
	}
	clear(grad.Bias)
	for i := range n {
		blas64.Axpy(1, vector(dout[i*l.Out:(i+1)*l.Out]), vector(grad.Bias))
	}
	mul(blas.Trans, blas.NoTrans, l.Out, l.In, n, dout, x, grad.Weight)
	dx = w.take(n * l.In)
	mul(blas.NoTrans, blas.NoTrans, n, l.In, l.Out, dout, l.Weight, dx)
	return dx
}

// sigmoids sets s = 1/(1 + exp(−h)).
func sigmoids(s, h []float64) {
	floats.ScaleTo(s, -1, h)
	simd.Exp64(s, s)
	for i, e := range s {
		s[i] = 1 / (1 + e)
	}
}

// network is a chain of layers; the empty one is the identity. With skip, its input is added to its output.
type network struct {
	layers []Layer
	skip   bool
}

// embed returns the features (n, last Out) of x, and what backward needs: every layer's input and sum.
func (net network) embed(w *workspace, x []float64, n int) (features []float64, inputs, sums [][]float64) {
	features = x
	for _, l := range net.layers {
		h, out := l.forward(w, features, n)
		inputs, sums = append(inputs, features), append(sums, h)
		features = out
	}
	if net.skip {
		floats.Add(features, x)
	}
	return features, inputs, sums
}

// backward returns the gradient of the input, and writes those of the layers to grad; dfeatures is used up.
func (net network) backward(w *workspace, grad []Layer, inputs, sums [][]float64, dfeatures []float64, n int) []float64 {
	var around []float64
	if net.skip {
		around = w.copyOf(dfeatures)
	}
	for i := len(net.layers) - 1; i >= 0; i-- {
		dfeatures = net.layers[i].backward(w, grad[i], inputs[i], sums[i], dfeatures, n)
	}
	if net.skip {
		floats.Add(dfeatures, around)
	}
	return dfeatures
}
