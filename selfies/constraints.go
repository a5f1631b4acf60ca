package selfies

// Constraints returns the largest number of bonds of an atom with the given element (such as "N") and charge, at least 0.
// Implied and explicit hydrogens are included; a double bond counts as two. It must be a pure function.
type Constraints func(element string, charge int) int

// DefaultConstraints are those of the Python library, version 2.0.0: the usual valence for organic elements, plus 1 for a
// charge of +1 and minus 1 for −1 (the reverse for boron), and 8 for everything else.
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
