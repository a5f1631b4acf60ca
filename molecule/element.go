package molecule

import "strings"

// symbols are those of the elements by atomic number; 0 is any atom.
var symbols = strings.Fields(`*
	H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
	Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu
	Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr
	Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og`)

// Symbol returns the symbol of an element by its atomic number, * for 0, and whether SMILES may write it without brackets.
// It panics for other numbers than 0 to 118.
func Symbol(number int) (symbol string, organic bool) {
	switch number {
	case 0, 5, 6, 7, 8, 9, 15, 16, 17, 35, 53:
		organic = true
	}
	return symbols[number], organic
}
