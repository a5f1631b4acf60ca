package molecule

// The contributions of Wildman & Crippen's atom types to log₁₀ P (1999, table 1). An atom has the first type that fits, in the order
// here and in the code below, which has the exact conditions. They are those of RDKit 2022.09 (Crippen.cpp, BSD-3-Clause, see
// NOTICE; its file Crippen.txt has another H2). In the comments R is a heavy atom, X one of N, O, P, S, F, Cl, Br and I,
// a an aromatic atom, and c, n, o, s are aromatic.
const (
	crippenC1  = 0.1441  // CH4, CH3C, CH2C2
	crippenC2  = 0.0     // CHC3, CC4
	crippenC3  = -0.2035 // CH3X, CH2RX
	crippenC4  = -0.2051 // CHR2X, CR3X
	crippenC5  = -0.2783 // C=[not C]
	crippenC6  = 0.1551  // C=C, aliphatic
	crippenC7  = 0.0017  // C≡R
	crippenC8  = 0.08452 // CH3c
	crippenC9  = -0.1444 // CH3a
	crippenC10 = -0.0516 // CH2Ra
	crippenC11 = 0.1193  // CHR2a
	crippenC12 = -0.0967 // CR3a
	crippenC13 = -0.5443 // c with B, Si, P, Se, a metal, …
	crippenC14 = 0.0     // c–F
	crippenC15 = 0.245   // c–Cl
	crippenC16 = 0.198   // c–Br
	crippenC17 = 0.0     // c–I
	crippenC18 = 0.1581  // cH
	crippenC19 = 0.2955  // c of two rings
	crippenC20 = 0.2713  // c–a
	crippenC21 = 0.136   // c–C
	crippenC22 = 0.4619  // c–N
	crippenC23 = 0.5437  // c–O
	crippenC24 = 0.1893  // c–S
	crippenC25 = -0.8186 // c=C, c=N, c=O
	crippenC26 = 0.264   // C=C beside a, C=c
	crippenC27 = 0.2148  // CR4 with B, Si, Se, a metal, …
	crippenCS  = 0.08129 // other C

	crippenH1 = 0.123   // H–C, H–H
	crippenH2 = -0.2677 // of alcohols and phenols; H on and HO on another element than C, N, O (HO: S)
	crippenH3 = 0.2142  // H–N, HO–N
	crippenH4 = 0.298   // of acids, enols, peroxides, HO–S
	crippenHS = 0.1125  // other H

	crippenN1  = -1.019  // NH2R
	crippenN2  = -0.7096 // NHR2
	crippenN3  = -1.027  // NH2a
	crippenN4  = -0.5188 // NHRa
	crippenN5  = 0.08387 // NH=R
	crippenN6  = 0.1836  // NR=R
	crippenN7  = -0.3187 // NR3
	crippenN8  = -0.4458 // NR2a, NRa2, Na3
	crippenN9  = 0.01508 // N≡R
	crippenN10 = -1.95   // NH⁺, NH2⁺, NH3⁺
	crippenN11 = -0.3239 // n
	crippenN12 = -1.119  // n⁺
	crippenN13 = -0.3396 // NR4⁺, NR2⁺=R, C=N⁺=N
	crippenN14 = 0.2887  // N⁺≡R, N⁻, N⁻=N⁺=N
	crippenNS  = -0.4806 // other N

	crippenO1  = 0.1552  // o
	crippenO2  = -0.2893 // OH, OH2
	crippenO3  = -0.0684 // OR2
	crippenO4  = -0.4195 // ORa
	crippenO5  = 0.0335  // O=N, O⁻N, O=O
	crippenO6  = -0.3339 // O=S, O⁻S
	crippenO12 = -1.326  // O⁻C=O
	crippenO7  = -1.189  // O⁻ on another atom
	crippenO8  = 0.1788  // O=c
	crippenO9  = -0.1526 // O=C with C, or H and one of C, N, O; O=C=O
	crippenO10 = 0.1129  // O=C with c
	crippenO11 = 0.4833  // O=C with two atoms that are not C
	crippenOS  = -0.1188 // other O

	crippenF   = 0.4202
	crippenCl  = 0.6895
	crippenBr  = 0.8456
	crippenI   = 0.8857
	crippenHal = -2.996 // halide, I⁺, alkali cation
	crippenP   = 0.8612
	crippenS2  = -0.0024 // S±, S=N, S=O, S=P, S=S
	crippenS1  = 0.6482  // other aliphatic S
	crippenS3  = 0.6237  // s
	crippenMe1 = -0.3808 // metals and semimetals of the s and p blocks
	crippenMe2 = -0.0025 // of the d block
)

// LogP returns Crippen's estimate of log₁₀ of the octanol-water partition coefficient (Wildman & Crippen 1999): the sum of the
// contributions of all atoms, hydrogens included. Elements without a type (*, noble gases, lanthanides, …) contribute 0.
//
// It is RDKit's value to the last bit, since the order of the sum is the same, except for very large molecules, of which RDKit
// does not type all atoms (see fullyMatched).
func (g Graph) LogP() float64 {
	atoms := g.crippenAtoms()
	sum := 0.0
	for i := range atoms {
		sum += atoms[i].contribution()
	}
	for i := range atoms {
		if a := &atoms[i]; a.Hydrogens > 0 {
			h := crippenBonds{{a, single}}.hydrogen()
			for range a.Hydrogens { // a product would round differently
				sum += h
			}
		}
	}
	return sum
}

// fullyMatched reports whether RDKit types all atoms for certain. It stops after 1000 matches of each SMARTS, and an atom matches once for
// each order of its neighbours: the central carbon of neopentane 24 times, so that the last of 42 such atoms gets another type.
// The limit here is half of that, because hydrogens match once for each order of an oxygen's or carbon's neighbours too.
func (g Graph) fullyMatched() bool {
	orders := [...]int{1, 1, 2, 6, 24}
	matches := 0
	for _, a := range g.Atoms {
		matches += orders[min(a.Degree, 4)] + a.Hydrogens
	}
	return matches <= 500
}

// A crippenAtom is an atom with what its type depends on.
type crippenAtom struct {
	Atom
	crippenBonds
	kind crippenKind
	h    int // hydrogens, including those that are atoms of the Graph
}

type crippenBonds []crippenBond

type crippenBond struct {
	to   *crippenAtom
	kind bondKind
}

// bondKind is a set of kinds of bonds. Dative, quadruple and unspecified bonds are of none: no type has them.
type bondKind uint8

const (
	single bondKind = 1 << iota
	aromatic
	double
	triple
	plain = single | aromatic // what no symbol means in SMARTS
)

// crippenKind is a set of elements, aliphatic in the lower half and aromatic in the upper.
type crippenKind uint32

const (
	aliH crippenKind = 1 << iota
	aliC
	aliN
	aliO
	aliF
	aliP
	aliS
	aliCl
	aliBr
	aliI
	aliOther // also *

	aroC, aroN, aroO, aroS = aliC << 16, aliN << 16, aliO << 16, aliS << 16
	anyC, anyN, anyO, anyS = aliC | aroC, aliN | aroN, aliO | aroO, aliS | aroS

	aliphatics = aliOther<<1 - 1 - aliH
	aromatics  = aliphatics << 16
	heavies    = aliphatics | aromatics
	polars     = aliN | aliO | aliP | aliS | aliF | aliCl | aliBr | aliI
)

var crippenKinds = [...]crippenKind{1: aliH, 6: aliC, 7: aliN, 8: aliO, 9: aliF, 15: aliP, 16: aliS, 17: aliCl, 35: aliBr, 53: aliI}

// crippenAtoms returns the atoms with their bonds.
func (g Graph) crippenAtoms() []crippenAtom {
	atoms, all := make([]crippenAtom, len(g.Atoms)), make(crippenBonds, 2*len(g.Bonds))
	for i, a := range g.Atoms {
		kind := aliOther
		if a.Number < len(crippenKinds) && crippenKinds[a.Number] != 0 {
			kind = crippenKinds[a.Number]
		}
		if a.Aromatic {
			kind <<= 16
		}
		atoms[i] = crippenAtom{Atom: a, crippenBonds: all[:0:a.Degree], kind: kind, h: a.Hydrogens}
		all = all[a.Degree:]
	}
	for _, b := range g.Bonds {
		var kind bondKind
		switch {
		case b.Dative:
		case b.Order == 1:
			kind = single
		case b.Order == 1.5:
			kind = aromatic
		case b.Order == 2:
			kind = double
		case b.Order == 3:
			kind = triple
		}
		atoms[b.Begin].bond(&atoms[b.End], kind)
		atoms[b.End].bond(&atoms[b.Begin], kind)
	}
	return atoms
}

func (a *crippenAtom) bond(to *crippenAtom, kind bondKind) {
	a.crippenBonds = append(a.crippenBonds, crippenBond{to, kind})
	if to.kind == aliH {
		a.h++
	}
}

// n counts the atoms of some kinds at bonds of some kinds.
func (bonds crippenBonds) n(kinds bondKind, atoms crippenKind) int {
	count := 0
	for _, b := range bonds {
		if b.kind&kinds != 0 && b.to.kind&atoms != 0 {
			count++
		}
	}
	return count
}

// has reports whether there is such an atom.
func (bonds crippenBonds) has(kinds bondKind, atoms crippenKind) bool {
	return bonds.n(kinds, atoms) > 0
}

// some reports whether there is such an atom for which is holds.
func (bonds crippenBonds) some(kinds bondKind, atoms crippenKind, is func(*crippenAtom) bool) bool {
	for _, b := range bonds {
		if b.kind&kinds != 0 && b.to.kind&atoms != 0 && is(b.to) {
			return true
		}
	}
	return false
}

// x counts all neighbours, like X in SMARTS.
func (a *crippenAtom) x() int { return a.Degree + a.Hydrogens }

// cation and anion report whether the charge is one that RDKit lists for N, O and I.
func (a *crippenAtom) cation() bool { return 1 <= a.Charge && a.Charge <= 3 }
func (a *crippenAtom) anion() bool  { return -3 <= a.Charge && a.Charge <= -1 }

func (a *crippenAtom) contribution() float64 {
	switch a.kind {
	case aliH:
		if a.Hydrogens > 0 { // [HH]
			return crippenH1
		}
		return a.hydrogen()
	case aliC:
		return a.aliphaticCarbon()
	case aroC:
		return a.aromaticCarbon()
	case aliN:
		return a.aliphaticNitrogen()
	case aroN:
		switch {
		case a.Charge == 0:
			return crippenN11
		case a.cation():
			return crippenN12
		}
		return crippenNS
	case aliO:
		return a.aliphaticOxygen()
	case aroO:
		return crippenO1
	case aliS:
		switch {
		case a.Charge != 0 && a.Charge != 4 && -4 <= a.Charge && a.Charge <= 6, // RDKit forgets +4
			a.Charge == 0 && a.has(double, aliN|aliO|aliP|aliS):
			return crippenS2
		}
		return crippenS1
	case aroS:
		return crippenS3
	}
	return a.otherElement()
}

func (a *crippenAtom) aliphaticCarbon() float64 {
	carbons, ali, aro := a.n(plain, aliC), a.n(plain, aliphatics), a.n(plain, aromatics)
	polar, vinyl, x := a.has(plain, polars), a.has(double, aliC), a.x()
	switch {
	case a.h == 4, a.h == 3 && carbons > 0, a.h == 2 && carbons > 1:
		return crippenC1
	case a.h == 1 && carbons > 2, carbons > 3:
		return crippenC2
	case a.h == 3 && polar, a.h == 2 && x == 4 && polar && ali > 1:
		return crippenC3
	case a.h == 1 && x == 4 && polar && ali > 2, a.h == 0 && x == 4 && polar && ali > 3:
		return crippenC4
	case a.has(double, aliphatics&^aliC):
		return crippenC5
	case vinyl && (a.h == 2 || a.h == 1 && ali > 0 || a.h == 0 && ali > 1 || a.n(double, aliC) > 1):
		return crippenC6
	case x == 2 && a.has(triple, aliphatics):
		return crippenC7
	case a.h == 3 && a.has(plain, aroC):
		return crippenC8
	case a.h == 3 && aro > 0:
		return crippenC9
	case a.h == 2 && x == 4 && aro > 0:
		return crippenC10
	case a.h == 1 && x == 4 && aro > 0:
		return crippenC11
	case a.h == 0 && x == 4 && aro > 0:
		return crippenC12
	case vinyl && aro > 0 && (ali > 0 || a.h == 1), vinyl && aro > 1 && a.has(plain, aroC), a.has(double, aroC):
		return crippenC26
	case x == 4 && a.has(plain, aliOther):
		return crippenC27
	}
	return crippenCS
}

func (a *crippenAtom) aromaticCarbon() float64 {
	ring := a.n(aromatic, aromatics)
	switch {
	case a.h == 0 && a.has(single, aliP|aliOther):
		return crippenC13
	case a.has(plain, aliF|aliF<<16):
		return crippenC14
	case a.has(plain, aliCl|aliCl<<16):
		return crippenC15
	case a.has(plain, aliBr|aliBr<<16):
		return crippenC16
	case a.has(plain, aliI|aliI<<16):
		return crippenC17
	case a.h == 1:
		return crippenC18
	case ring > 2:
		return crippenC19
	case ring < 2:
		return crippenCS
	case a.has(single, aromatics):
		return crippenC20
	case a.has(single, aliC):
		return crippenC21
	case a.has(single, aliN):
		return crippenC22
	case a.has(single, aliO):
		return crippenC23
	case a.has(single, aliS):
		return crippenC24
	case a.has(double, aliC|aliN|aliO):
		return crippenC25
	}
	return crippenCS
}

func (a *crippenAtom) aliphaticNitrogen() float64 {
	ali, aro := a.n(plain, aliphatics), a.n(plain, aromatics)
	heavy := ali + aro
	if a.Charge == 0 {
		switch {
		case a.h == 2 && ali > 0:
			return crippenN1
		case a.h == 1 && ali > 1:
			return crippenN2
		case a.h == 2 && aro > 0:
			return crippenN3
		case a.h == 1 && aro > 0 && heavy > 1:
			return crippenN4
		case a.h == 1 && a.has(double, heavies):
			return crippenN5
		case a.has(double, heavies) && heavy > 0:
			return crippenN6
		case ali > 2:
			return crippenN7
		case aro > 0 && ali > 0 && heavy > 2, aro > 2:
			return crippenN8
		case a.has(triple, aliphatics):
			return crippenN9
		}
		return crippenNS
	}
	switch {
	case a.anion():
		return crippenN14
	case !a.cation():
		return crippenNS
	case 1 <= a.h && a.h <= 3:
		return crippenN10
	case a.h == 0 && (ali > 3 || a.has(double, aliphatics) && ali > 0 && heavy > 1 || a.has(double, anyC) && a.has(double, anyN)):
		return crippenN13
	case a.has(triple, aliphatics), a.n(double, aliN) > 1 && a.some(double, aliN, (*crippenAtom).anion):
		return crippenN14
	}
	return crippenNS
}

func (a *crippenAtom) aliphaticOxygen() float64 {
	ali, aro := a.n(plain, aliphatics), a.n(plain, aromatics)
	oxide := a.x() == 1 && a.anion()
	carbonyl := func(is func(c *crippenAtom) bool) bool { return a.some(double, aliC, is) }
	switch {
	case a.h == 1 || a.h == 2:
		return crippenO2
	case ali > 1:
		return crippenO3
	case aro > 0 && ali+aro > 1:
		return crippenO4
	case a.has(double, anyN|anyO), oxide && a.has(plain, anyN):
		return crippenO5
	case oxide && a.Charge > -3 && a.has(plain, anyS),
		a.Charge == 0 && a.some(double, anyS, func(s *crippenAtom) bool { return s.Charge == 0 }):
		return crippenO6
	case a.Charge == -1 && a.some(plain, aliC, func(c *crippenAtom) bool { return c.has(double, aliO) }):
		return crippenO12
	case oxide && a.has(plain, heavies&^(aliN|aliS)):
		return crippenO7
	case a.has(double, aroC):
		return crippenO8
	case carbonyl(func(c *crippenAtom) bool {
		return c.h == 2 || c.h == 1 && c.has(plain, aliC|aliN|aliO) ||
			c.has(plain, aliC) && c.n(plain, aliphatics) > 1 || c.x() == 2 && c.n(double, aliO) > 1
	}):
		return crippenO9
	case carbonyl(func(c *crippenAtom) bool {
		return c.has(plain, aroC) && (c.h == 1 || c.has(plain, aliphatics)) ||
			c.has(plain, anyC) && c.has(plain, aromatics) && c.n(plain, aliC|aromatics) > 1
	}):
		return crippenO10
	case carbonyl(func(c *crippenAtom) bool { return c.n(plain, heavies&^anyC) > 1 }):
		return crippenO11
	}
	return crippenOS
}

func (a *crippenAtom) otherElement() float64 {
	switch z := a.Number; z {
	case 9:
		return a.halogen(crippenF)
	case 17:
		return a.halogen(crippenCl)
	case 35:
		return a.halogen(crippenBr)
	case 53:
		return a.halogen(crippenI)
	case 3, 11, 19, 37, 55: // alkali metals
		if a.Charge == 1 {
			return crippenHal
		}
		return crippenMe1
	case 15:
		return crippenP
	case 4, 12, 20, 38, 56, 5, 13, 31, 49, 81, 14, 32, 50, 82, 33, 51, 83, 34, 52, 84: // groups 2, 13, 14, 15 and 16
		return crippenMe1
	default:
		if 21 <= z && z <= 30 || 39 <= z && z <= 48 || 72 <= z && z <= 80 {
			return crippenMe2
		}
	}
	return 0
}

func (a *crippenAtom) halogen(neutral float64) float64 {
	switch {
	case a.Charge == 0:
		return neutral
	case a.Charge == -1, a.Number == 53 && a.cation():
		return crippenHal
	}
	return 0
}

// hydrogen returns the contribution of a hydrogen atom with these bonds.
func (bonds crippenBonds) hydrogen() float64 {
	hydroxyl := func(is func(o *crippenAtom) bool) bool { return bonds.some(plain, aliO, is) }
	switch {
	case bonds.has(plain, aliH|anyC):
		return crippenH1
	case hydroxyl(func(o *crippenAtom) bool {
		return o.some(plain, anyC, func(c *crippenAtom) bool { return c.kind == aroC || c.x() == 4 }) ||
			o.has(plain, heavies&^(anyC|anyN|anyO|anyS)) || o.Hydrogens+o.n(plain, aliH) > 1
	}), bonds.has(plain, heavies&^(anyC|anyN|anyO)):
		return crippenH2
	case bonds.has(plain, anyN), hydroxyl(func(o *crippenAtom) bool { return o.has(plain, anyN) }):
		return crippenH3
	case hydroxyl(func(o *crippenAtom) bool {
		return o.has(plain, aliO|aliS) || o.some(plain, aliC, func(c *crippenAtom) bool { return c.has(double, anyC|anyN|aliO|aliS) })
	}):
		return crippenH4
	}
	return crippenHS
}
