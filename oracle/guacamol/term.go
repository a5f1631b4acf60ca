package guacamol

import (
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/invbo/invbo/molecule"
)

// measure computes a number for a molecule.
type measure func(*molecule.Molecule) float64

// term makes a measure. Expensive work, such as the fingerprint of a target, is done once here.
type term func() (measure, error)

func logP() (measure, error)  { return (*molecule.Molecule).LogP, nil }
func tpsa() (measure, error)  { return (*molecule.Molecule).TPSA, nil }
func bertz() (measure, error) { return (*molecule.Molecule).Bertz, nil }

func rings() (measure, error) {
	return func(m *molecule.Molecule) float64 { return float64(m.Rings()) }, nil
}

func aromaticRings() (measure, error) {
	return func(m *molecule.Molecule) float64 { return float64(m.AromaticRings()) }, nil
}

func fluorines() (measure, error) {
	return func(m *molecule.Molecule) float64 { return float64(count(elements(m.Formula()), "F")) }, nil
}

func qed() (measure, error) {
	q, err := molecule.NewQED()
	if err != nil {
		return nil, err
	}
	return q.Of, nil
}

// fingerprint computes a fingerprint for similarities.
type fingerprint func(*molecule.Molecule) molecule.Counts

func ecfp4(m *molecule.Molecule) molecule.Counts     { return m.ECFP(2) }
func ecfp6(m *molecule.Molecule) molecule.Counts     { return m.ECFP(3) }
func fcfp4(m *molecule.Molecule) molecule.Counts     { return m.FCFP(2) }
func atomPairs(m *molecule.Molecule) molecule.Counts { return m.AtomPairs() }

// similarity is the Tanimoto similarity to a target.
func similarity(target string, of fingerprint) term { return median(of, target) }

// median is the geometric mean of the similarities to targets.
func median(of fingerprint, targets ...string) term {
	return func() (measure, error) {
		wanted := make([]molecule.Counts, len(targets))
		for i, target := range targets {
			t, err := molecule.Parse(target)
			if err != nil {
				return nil, fmt.Errorf("target %s: %w", target, err)
			}
			wanted[i] = of(t)
			t.Close()
		}
		return func(m *molecule.Molecule) float64 {
			found := of(m)
			x := make([]float64, len(wanted))
			for i := range wanted {
				x[i] = molecule.Tanimoto(found, wanted[i])
			}
			return geometricMean(x)
		}, nil
	}
}

// pharmacophore is the similarity to a target in the 2-D pharmacophore fingerprint.
func pharmacophore(target string) term {
	return func() (measure, error) {
		p, err := molecule.NewPharmacophore()
		if err != nil {
			return nil, err
		}
		return similarity(target, p.Fingerprint)()
	}
}

// has is 1 if the molecule matches a SMARTS query and 0 otherwise; lacks is the opposite.
func has(smarts string) term   { return matches(smarts, 1, 0) }
func lacks(smarts string) term { return matches(smarts, 0, 1) }

func matches(smarts string, yes, no float64) term {
	return func() (measure, error) {
		p, err := molecule.CompilePattern(smarts)
		if err != nil {
			return nil, err
		}
		return func(m *molecule.Molecule) float64 {
			if p.In(m) {
				return yes
			}
			return no
		}, nil
	}
}

// arithmetic and geometric return the mean of terms.
func arithmetic(of ...term) term { return combine(of, arithmeticMean) }
func geometric(of ...term) term  { return combine(of, geometricMean) }

func combine(of []term, mean func([]float64) float64) term {
	return func() (measure, error) {
		measures := make([]measure, len(of))
		for i, term := range of {
			var err error
			if measures[i], err = term(); err != nil {
				return nil, err
			}
		}
		return func(m *molecule.Molecule) float64 {
			x := make([]float64, len(measures))
			for i, measure := range measures {
				x[i] = measure(m)
			}
			return mean(x)
		}, nil
	}
}

func arithmeticMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// geometricMean takes the root of the product, like GuacaMol, to agree with it to the last digit.
func geometricMean(x []float64) float64 {
	product := 1.0
	for _, v := range x {
		product *= v
	}
	return math.Pow(product, 1/float64(len(x)))
}

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

// isomer is the similarity of the molecule's formula to another one: the geometric mean of a Gaussian of each element's count
// (σ = 1) and one of the total number of atoms (σ = 2).
func isomer(formula string) term {
	return func() (measure, error) {
		wanted := elements(formula)
		all := 0
		for _, e := range wanted {
			all += e.n
		}
		return func(m *molecule.Molecule) float64 {
			found := elements(m.Formula())
			x := make([]float64, 0, len(wanted)+1)
			for _, e := range wanted {
				x = append(x, gaussian(float64(count(found, e.symbol)), float64(e.n), 1))
			}
			x = append(x, gaussian(float64(m.Atoms()), float64(all), 2))
			return geometricMean(x)
		}, nil
	}
}

// element is an element of a formula with its count.
type element struct {
	symbol string
	n      int
}

var symbolAndCount = regexp.MustCompile("([A-Z][a-z]?)([0-9]*)")

// elements parses a formula without parentheses, such as C9H8O4 or C5H14NO+. The charge is ignored.
func elements(formula string) []element {
	var found []element
	for _, m := range symbolAndCount.FindAllStringSubmatch(formula, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil { // no number; it cannot overflow: no molecule has so many atoms
			n = 1
		}
		found = append(found, element{m[1], n})
	}
	return found
}

// count returns the number of atoms of an element.
func count(in []element, symbol string) int {
	for _, e := range in {
		if e.symbol == symbol {
			return e.n
		}
	}
	return 0
}
