package selfies

import (
	"slices"
	"strings"
)

// elements are those that the Python library knows: all but nihonium, moscovium, tennessine and oganesson.
var elements = strings.Fields(`
	H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
	Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu
	Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr
	Rf Db Sg Bh Hs Mt Ds Rg Cn Fl Lv`)

func isElement(s string) bool { return slices.Contains(elements, s) }

// organic reports whether SMILES may write an element without brackets.
func organic(element string) bool {
	switch element {
	case "B", "C", "N", "O", "P", "S", "F", "Cl", "Br", "I":
		return true
	}
	return false
}

// aromaticValences returns the lower and the higher valence of an element that can have delocalized bonds, and zeros for
// other elements.
func aromaticValences(element string) (lower, higher int) {
	switch element {
	case "B", "Al":
		return 3, 3
	case "C", "Si":
		return 4, 4
	case "N", "P", "As":
		return 3, 5
	case "O", "S", "Se", "Te":
		return 2, 4
	}
	return 0, 0
}

// upper returns an element's symbol with its first letter in upper case.
func upper(symbol string) string {
	if symbol[0] >= 'a' {
		return string(rune(symbol[0]-'a'+'A')) + symbol[1:]
	}
	return symbol
}

// maxBonds returns the largest number of bonds of an atom with the given element (such as "N") and charge, at least 0,
// as in the Python library, version 2.0.0: the usual valence for organic elements, plus 1 for a charge of +1 and minus
// 1 for −1 (the reverse for boron), and 8 for everything else. Implied and explicit hydrogens are included; a double
// bond counts as two.
func maxBonds(element string, charge int) int {
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
