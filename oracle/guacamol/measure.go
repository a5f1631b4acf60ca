package guacamol

import (
	"math"
	"regexp"
	"strconv"

	"github.com/invbo/invbo/molecule"
)

// measure computes a number for a molecule. What makes one does the expensive work once, such as the fingerprint of a
// target.
type measure func(*molecule.Molecule) float64

func logP(m *molecule.Molecule) float64          { return m.LogP() }
func tpsa(m *molecule.Molecule) float64          { return m.TPSA() }
func qed(m *molecule.Molecule) float64           { return m.QED() }
func bertz(m *molecule.Molecule) float64         { return m.Bertz() }
func rings(m *molecule.Molecule) float64         { return float64(m.Rings()) }
func aromaticRings(m *molecule.Molecule) float64 { return float64(m.AromaticRings()) }
func fluorines(m *molecule.Molecule) float64     { return float64(count(elements(m.Formula()), "F")) }

// fingerprint computes a fingerprint for similarities.
type fingerprint func(*molecule.Molecule) molecule.Counts

func ecfp4(m *molecule.Molecule) molecule.Counts         { return m.ECFP(2) }
func ecfp6(m *molecule.Molecule) molecule.Counts         { return m.ECFP(3) }
func fcfp4(m *molecule.Molecule) molecule.Counts         { return m.FCFP(2) }
func atomPairs(m *molecule.Molecule) molecule.Counts     { return m.AtomPairs() }
func pharmacophore(m *molecule.Molecule) molecule.Counts { return m.Pharmacophore() }

// parse returns a target, which is a molecule.
func parse(target string) *molecule.Molecule {
	m, err := molecule.Parse(target)
	if err != nil {
		panic("guacamol: " + target + ": " + err.Error())
	}
	return m
}

// similarity is the geometric mean of the Tanimoto similarities to targets.
func similarity(of fingerprint, targets ...string) measure {
	wanted := make([]molecule.Counts, len(targets))
	for i, target := range targets {
		t := parse(target)
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
	}
}

// has is 1 if the molecule matches a SMARTS query and 0 otherwise; lacks is the opposite.
func has(smarts string) measure   { return matches(smarts, 1, 0) }
func lacks(smarts string) measure { return matches(smarts, 0, 1) }

func matches(smarts string, yes, no float64) measure {
	p := molecule.MustCompilePattern(smarts)
	return func(m *molecule.Molecule) float64 {
		if p.In(m) {
			return yes
		}
		return no
	}
}

// arithmetic and geometric return the mean of measures.
func arithmetic(of ...measure) measure { return combine(of, arithmeticMean) }
func geometric(of ...measure) measure  { return combine(of, geometricMean) }

func combine(of []measure, mean func([]float64) float64) measure {
	return func(m *molecule.Molecule) float64 {
		x := make([]float64, len(of))
		for i, measure := range of {
			x[i] = measure(m)
		}
		return mean(x)
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

// near, atMost and atLeast map a measure to [0, 1]: by a Gaussian around mu, which atMost replaces by 1 below mu and
// atLeast by 1 above.
func near(mu, sigma float64, of measure) measure {
	return func(m *molecule.Molecule) float64 { return gaussian(of(m), mu, sigma) }
}

func atMost(mu, sigma float64, of measure) measure {
	return func(m *molecule.Molecule) float64 { return gaussian(max(of(m), mu), mu, sigma) }
}

func atLeast(mu, sigma float64, of measure) measure {
	return func(m *molecule.Molecule) float64 { return gaussian(min(of(m), mu), mu, sigma) }
}

// upTo is proportional to a measure up to full, and 1 above.
func upTo(full float64, of measure) measure {
	return func(m *molecule.Molecule) float64 { return min(of(m)/full, 1) }
}

// nearThatOf is near with the measure of a target as mu.
func nearThatOf(target string, sigma float64, of measure) measure {
	t := parse(target)
	defer t.Close()
	return near(of(t), sigma, of)
}

// isomer is the similarity of the molecule's formula to another one: the geometric mean of a Gaussian of each element's
// count (σ = 1) and one of the total number of atoms (σ = 2).
func isomer(formula string) measure {
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
