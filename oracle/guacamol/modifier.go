package guacamol

import (
	"fmt"
	"math"

	"github.com/invbo/invbo/molecule"
)

// gaussian returns exp(−½((x − mu)/sigma)²).
func gaussian(x, mu, sigma float64) float64 {
	d := (x - mu) / sigma
	return math.Exp(-0.5 * d * d)
}

// near, atMost and atLeast map a term to [0, 1]: by a Gaussian around mu, which atMost replaces by 1 below mu and atLeast by 1
// above.
func near(mu, sigma float64, of term) term {
	return modify(of, func(x float64) float64 { return gaussian(x, mu, sigma) })
}

func atMost(mu, sigma float64, of term) term {
	return modify(of, func(x float64) float64 { return gaussian(max(x, mu), mu, sigma) })
}

func atLeast(mu, sigma float64, of term) term {
	return modify(of, func(x float64) float64 { return gaussian(min(x, mu), mu, sigma) })
}

// upTo is proportional to the term up to full, and 1 above.
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

// nearThatOf is near with the term's value for a target molecule as mu.
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
