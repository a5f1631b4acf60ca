package guacamol

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/molecule"
)

// gaussian is 1 at x = mu, and exp(−½((x − mu)/sigma)²) elsewhere.
func gaussian(x, mu, sigma float64) float64 {
	d := (x - mu) / sigma
	return math.Exp(-0.5 * d * d)
}

// near, atMost and atLeast turn a term into a share of 1: a Gaussian around mu, the lower half of it or the upper
// half being 1.
func near(mu, sigma float64, of term) term {
	return modify(of, func(x float64) float64 { return gaussian(x, mu, sigma) })
}

func atMost(mu, sigma float64, of term) term {
	return modify(of, func(x float64) float64 { return gaussian(max(x, mu), mu, sigma) })
}

func atLeast(mu, sigma float64, of term) term {
	return modify(of, func(x float64) float64 { return gaussian(min(x, mu), mu, sigma) })
}

// upTo rises in proportion to the term, and is 1 from full on.
func upTo(full float64, of term) term {
	return modify(of, func(x float64) float64 { return min(x/full, 1) })
}

func modify(of term, by func(float64) float64) term {
	return func() (measure, error) {
		x, err := of()
		if err != nil {
			return nil, err
		}
		return func(m *molecule.Molecule) float64 { return by(x(m)) }, nil
	}
}

// nearThatOf is near the term's value for a target.
func nearThatOf(target string, sigma float64, of term) term {
	return func() (measure, error) {
		x, err := of()
		if err != nil {
			return nil, err
		}
		t, err := molecule.Parse(target)
		if err != nil {
			return nil, fmt.Errorf("target %s: %w", target, err)
		}
		defer t.Close()
		return near(x(t), sigma, of)()
	}
}
