package nn

import "github.com/invbo/invbo/tensor"

// BatchNorm normalizes columns (Ioffe & Szegedy 2015) with the constants of Keras 1: eps 10⁻³ and momentum 0.99
// for the running statistics.
type BatchNorm struct {
	Gamma, Beta    *tensor.Var // (1, c)
	Mean, Variance *tensor.Var // (1, c), running
}

const (
	batchNormEps  = 1e-3
	batchNormMove = 0.01
)

// NewBatchNorm declares a BatchNorm as name.weight, name.bias, name.mean and name.variance.
func NewBatchNorm(p *Params, name string, c int) BatchNorm {
	return BatchNorm{
		Gamma:    p.Add(name+".weight", 1, c, Constant(1)),
		Beta:     p.Add(name+".bias", 1, c, Constant(0)),
		Mean:     p.AddBuffer(name+".mean", 1, c, Constant(0)),
		Variance: p.AddBuffer(name+".variance", 1, c, Constant(1)),
	}
}

// Batch normalizes x (n, c) by its own statistics, and updates the running statistics. Use it in pre-training.
func (b BatchNorm) Batch(t *tensor.Tape, x *tensor.Var) *tensor.Var {
	y, mean, variance := t.BatchNorm(x, b.Gamma, b.Beta, batchNormEps)
	for j := range mean.Data {
		b.Mean.Data[j] += batchNormMove * (mean.Data[j] - b.Mean.Data[j])
		b.Variance.Data[j] += batchNormMove * (variance.Data[j] - b.Variance.Data[j])
	}
	return y
}

// Running normalizes x (n, c) by the running statistics. Use it everywhere else, fine-tuning included: the
// decoding of a latent must not depend on the rest of the batch.
func (b BatchNorm) Running(t *tensor.Tape, x *tensor.Var) *tensor.Var {
	return t.Normalize(x, b.Gamma, b.Beta, b.Mean, b.Variance, batchNormEps)
}
