package gp

// Covariance returns the covariance (n, n) of the latent function at the rows of x (n, d), row after row.
func (p *Posterior) Covariance(x [][]float64) ([]float64, error) {
	_, cov, err := p.joint(x)
	return cov, err
}

// Params returns the parameters themselves, not a copy: writing to them changes g.
func (g *SVGP) Params() Params { return g.params }
