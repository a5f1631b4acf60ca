package gp

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/simd"
)

// Layer is a layer of the network of a deep kernel (Wilson et al. 2016). It maps x (n, In) to h·sigmoid(h), h = xWᵀ +
// b.
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

// forward returns the layer's output at x (n, In) and its slope there, ∂output/∂h, (n, Out) each.
func (l Layer) forward(w *workspace, x []float64, n int) (out, slope []float64) {
	out, slope = w.take(n*l.Out), w.take(n*l.Out)
	mul(blas.NoTrans, blas.Trans, n, l.Out, l.In, x, l.Weight, out)
	for i := range n {
		floats.Add(out[i*l.Out:(i+1)*l.Out], l.Bias)
	}
	floats.ScaleTo(slope, -1, out)
	simd.Exp64(slope, slope)
	for k, h := range out {
		s := 1 / (1 + slope[k])
		out[k], slope[k] = h*s, s*(1+h*(1-s))
	}
	return out, slope
}

// backward writes the gradients of weight and bias to grad and returns that of x, given the gradient dout of the
// output. dout is overwritten.
func (l Layer) backward(w *workspace, grad Layer, x, slope, dout []float64, n int) (dx []float64) {
	floats.Mul(dout, slope)
	clear(grad.Bias)
	for i := range n {
		floats.Add(grad.Bias, dout[i*l.Out:(i+1)*l.Out])
	}
	mul(blas.Trans, blas.NoTrans, l.Out, l.In, n, dout, x, grad.Weight)
	dx = w.take(n * l.In)
	mul(blas.NoTrans, blas.NoTrans, n, l.In, l.Out, dout, l.Weight, dx)
	return dx
}

// network is a chain of layers; without layers it is the identity. With skip, the input is added to the output.
type network struct {
	layers []Layer
	skip   bool
}

// embed returns the features (n, p) of x, and for backward the input and the slope of every layer.
func (net network) embed(w *workspace, x []float64, n int) (features []float64, inputs, slopes [][]float64) {
	features = x
	for _, l := range net.layers {
		out, slope := l.forward(w, features, n)
		inputs, slopes = append(inputs, features), append(slopes, slope)
		features = out
	}
	if net.skip {
		floats.Add(features, x)
	}
	return features, inputs, slopes
}

// backward returns the gradient of the input and writes those of the layers to grad. dfeatures is overwritten.
func (net network) backward(w *workspace, grad []Layer, inputs, slopes [][]float64, dfeatures []float64, n int) []float64 {
	var around []float64
	if net.skip {
		around = w.copyOf(dfeatures)
	}
	for i := len(net.layers) - 1; i >= 0; i-- {
		dfeatures = net.layers[i].backward(w, grad[i], inputs[i], slopes[i], dfeatures, n)
	}
	if net.skip {
		floats.Add(dfeatures, around)
	}
	return dfeatures
}
