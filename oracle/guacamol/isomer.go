package guacamol

import (
	"strconv"
	"strings"

	"github.com/invbo/invbo/molecule"
)

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

// elements parses a formula without parentheses, such as C9H8O4 or C5H14NO+. The charge is ignored.
func elements(formula string) []element {
	var found []element
	for rest := formula; rest != ""; {
		if rest[0] < 'A' || rest[0] > 'Z' {
			rest = rest[1:]
			continue
		}
		e := element{symbol: rest[:1], n: 1}
		if len(rest) > 1 && 'a' <= rest[1] && rest[1] <= 'z' {
			e.symbol = rest[:2]
		}
		rest = rest[len(e.symbol):]
		if digits := len(rest) - len(strings.TrimLeft(rest, "0123456789")); digits > 0 {
			e.n, _ = strconv.Atoi(rest[:digits]) // cannot overflow: no molecule has so many atoms
			rest = rest[digits:]
		}
		found = append(found, e)
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
