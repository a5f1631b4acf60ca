package gp

// Covariance returns the covariance (n, n) of the latent function at the rows of x (n, d), row after row.
func (p *Posterior) Covariance(x [][]float64) ([]float64, error) {
	_, cov, err := p.joint(x)
	return cov, err
}

// Params returns the parameters themselves, not a copy: writing to them changes g.
func (g *SVGP) Params() Params { return g.params }

// Outputscale returns the variance of the prior.
func (e *Exact) Outputscale() float64 { return e.kernel(e.theta).outputscale }

// Noise returns the variance of the observation noise.
func (e *Exact) Noise() float64 { return e.kernel(e.theta).noise }

// FixedExact returns an Exact of the data with these lengthscales and noise, and outputscale 1, as if they were fitted.
func FixedExact(x [][]float64, y, variance []float64, lengthscale, noise float64) (*Exact, error) {
	e := NewExact(len(x[0]), ExactOptions{Noise: Range{noise, noise}})
	for j := range e.dim {
		e.theta[j] = lengthscales.theta(lengthscale)
	}
	e.theta[e.dim] = outputscales.theta(1)
	var err error
	if e.data, err = newData(x, y, variance, nil, e.dim); err != nil {
		return nil, err
	}
	if _, err := e.likelihood(e.theta, make([]float64, len(e.theta))); err != nil {
		return nil, err
	}
	e.posterior, err = e.condition()
	return e, err
}

// Parameters returns the variances of prior and noise, and the mean.
func (g *MinMax) Parameters() (scale, noise, mean float64) { return g.scale, g.noise, g.mean }

// Scale returns the variance of the prior.
func (g *MinMax) Scale() float64 { return g.scale }

// Noise returns the variance of the observation noise, without known variances.
func (g *MinMax) Noise() float64 { return g.noise }

// Covariances returns scale times the similarity of each a to each b.
var Covariances = covariances
