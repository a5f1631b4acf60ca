package gp

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/simd"
)

// rbfGrain is the least number of exponentials for which a goroutine pays off.
const rbfGrain = 1 << 14

// rbf sets k (n, m) to the squared-exponential kernel between the rows of x (n, d) and z (m, d), both
// already divided by the lengthscale:
//
//	k(x, z) = outputscale · exp(−½‖x − z‖²)    Rasmussen & Williams 2006, (4.9)
//
// ‖x − z‖² is computed as ‖x‖² + ‖z‖² − 2xᵀz, by a matrix product. This loses digits if points are much closer to each
// other than to the origin: k has an error of about 2⁻⁵²·‖x‖² of the outputscale. Up to ‖x‖ = 10⁴ the jitter of
// covariances covers it; from 10⁶ on they may not be positive definite. log outputscale is added to the exponent, which
// saves a pass.
func rbf(k, x, z []float64, n, m, d int, outputscale float64) {
	mul(blas.NoTrans, blas.Trans, n, m, d, x, z, k)
	xx, zz := squaredNorms(x, n, d), squaredNorms(z, m, d)
	top := math.Log(outputscale)
	parallel.For(n, 1+rbfGrain/m, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := k[i*m : (i+1)*m]
			for j, xz := range row {
				e := xz - (xx[i]+zz[j])/2
				if e > 0 {
					e = 0
				}
				row[j] = e + top
			}
			simd.Exp64(row, row)
		}
	})
}

// covariance returns the kernel (m, m) between the rows of z (m, d), plus add on the diagonal.
func covariance(w *workspace, z []float64, m, d int, outputscale, add float64) []float64 {
	k := w.take(m * m)
	rbf(k, z, z, m, m, d, outputscale)
	for i := range m {
		k[i*m+i] = outputscale + add
	}
	return k
}

// rbfGrad adds to dx (n, d) and dz (m, d) the gradient of a loss with respect to the scaled points. w (n, m) is the
// gradient with respect to the kernel, multiplied element by element by the kernel. It returns the sum of w.
//
//	∂/∂xᵢ = Σⱼ wᵢⱼ(zⱼ − xᵢ)    ∂/∂zⱼ = Σᵢ wᵢⱼ(xᵢ − zⱼ)
func rbfGrad(ws *workspace, dx, dz, w, x, z []float64, n, m, d int) (total float64) {
	wz, wx, columns := ws.take(n*d), ws.take(m*d), ws.zeros(m)
	mul(blas.NoTrans, blas.NoTrans, n, d, m, w, z, wz)
	mul(blas.Trans, blas.NoTrans, m, d, n, w, x, wx)
	for i := range n {
		row := w[i*m : (i+1)*m]
		sum := floats.Sum(row)
		total += sum
		floats.Add(columns, row)
		for k := i * d; k < (i+1)*d; k++ {
			dx[k] += wz[k] - sum*x[k]
		}
	}
	for j, sum := range columns {
		for k := j * d; k < (j+1)*d; k++ {
			dz[k] += wx[k] - sum*z[k]
		}
	}
	return total
}

func squaredNorms(x []float64, n, d int) []float64 {
	s := make([]float64, n)
	for i := range s {
		row := x[i*d : (i+1)*d]
		s[i] = dot(row, row)
	}
	return s
}

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
