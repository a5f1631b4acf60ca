package selfies

// Constraints says how many bonds an atom of an element (such as "N") and a charge can make, implied
// and explicit hydrogens included; a double bond counts two. What it returns must depend on nothing
// else, and must be 0 or more.
type Constraints func(element string, charge int) int

// DefaultConstraints are those of the Python library, version 2.0.0: the usual valence of the organic
// elements, one more for a charge of +1 (of boron, one less), one less for −1 (of boron, one more), and
// 8 for whatever is not listed.
func DefaultConstraints(element string, charge int) int {
	if charge < -1 || charge > 1 {
		return 8
	}
	switch element {
	case "B":
		return 3 - charge
	case "C":
		return 4 + charge
	case "N":
		return 3 + charge
	case "O":
		return 2 + charge
	case "P":
		return 5 + charge
	case "S":
		return 6 + charge
	case "H", "F", "Cl", "Br", "I":
		if charge == 0 {
			return 1
		}
	}
	return 8
}
