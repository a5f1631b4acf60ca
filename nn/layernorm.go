package nn

import "github.com/invbo/invbo/tensor"

const layerNormEps = 1e-5

// LayerNorm normalizes rows (Ba et al. 2016), with eps = 10⁻⁵.
type LayerNorm struct {
	Gamma, Beta *tensor.Var // (1, d)
}

// NewLayerNorm declares a LayerNorm as name.weight and name.bias.
func NewLayerNorm(p *Params, name string, d int) LayerNorm {
	return LayerNorm{
		Gamma: p.Add(name+".weight", 1, d, Constant(1)),
		Beta:  p.Add(name+".bias", 1, d, Constant(0)),
	}
}

// Add normalizes the rows of x + y (n, d).
func (l LayerNorm) Add(t *tensor.Tape, x, y *tensor.Var) *tensor.Var {
	return t.AddLayerNorm(x, y, l.Gamma, l.Beta, layerNormEps)
}
