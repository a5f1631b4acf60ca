package molecule

import "slices"

// A crippenType is one of Wildman & Crippen's types of atoms (1999, table 1): what an atom of it adds to log₁₀ P, and whether an atom is of
// it. An atom has the first type that fits, in the order below. They are those of RDKit 2022.09 (Crippen.cpp, BSD-3-Clause, see NOTICE; its
// file Crippen.txt has another H2). In the comments R is a heavy atom, X one of N, O, P, S, F, Cl, Br and I, a an aromatic atom, and c, n,
// o, s are aromatic.
type crippenType struct {
	contribution float64
	fits         bool
}

// firstOf returns the contribution of the first type that fits, 0 if none does.
func firstOf(types []crippenType) float64 {
	for _, t := range types {
		if t.fits {
			return t.contribution
		}
	}
	return 0
}

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

// bondKinds are those of bonds by twice their order.
var bondKinds = [...]bondKind{2: single, 3: aromatic, 4: double, 6: triple, 8: 0}

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
		kind := bondKinds[int(2*b.Order)]
		if b.Dative {
			kind = 0
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
	return slices.ContainsFunc(bonds, func(b crippenBond) bool { return b.kind&kinds != 0 && b.to.kind&atoms != 0 && is(b.to) })
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
			return 0.123
		}
		return a.hydrogen()
	case aliC:
		return a.aliphaticCarbon()
	case aroC:
		return a.aromaticCarbon()
	case aliN:
		return a.aliphaticNitrogen()
	case aroN:
		return firstOf([]crippenType{
			{-0.3239, a.Charge == 0}, // N11: n
			{-1.119, a.cation()},     // N12: n⁺
			{-0.4806, true},          // NS
		})
	case aliO:
		return a.aliphaticOxygen()
	case aroO:
		return 0.1552 // O1
	case aliS:
		charged := a.Charge != 0 && a.Charge != 4 && -4 <= a.Charge && a.Charge <= 6 // RDKit forgets +4
		return firstOf([]crippenType{
			{-0.0024, charged || a.Charge == 0 && a.has(double, aliN|aliO|aliP|aliS)}, // S2: S±, S=N, S=O, S=P, S=S
			{0.6482, true}, // S1: other aliphatic S
		})
	case aroS:
		return 0.6237 // S3
	}
	return a.otherElement()
}

func (a *crippenAtom) aliphaticCarbon() float64 {
	carbons, ali, aro := a.n(plain, aliC), a.n(plain, aliphatics), a.n(plain, aromatics)
	x, vinyl := a.x(), a.has(double, aliC)
	polar := x == 4 && a.has(plain, polars)
	ethylene := vinyl && (a.h == 2 || a.h == 1 && ali > 0 || a.h == 0 && ali > 1 || a.n(double, aliC) > 1)
	styrene := vinyl && (aro > 0 && (ali > 0 || a.h == 1) || aro > 1 && a.has(plain, aroC))
	return firstOf([]crippenType{
		{0.1441, a.h == 4 || a.h == 3 && carbons > 0 || a.h == 2 && carbons > 1},    // C1: CH4, CH3C, CH2C2
		{0, a.h == 1 && carbons > 2 || carbons > 3},                                 // C2: CHC3, CC4
		{-0.2035, a.h == 3 && a.has(plain, polars) || a.h == 2 && polar && ali > 1}, // C3: CH3X, CH2RX
		{-0.2051, polar && (a.h == 1 && ali > 2 || a.h == 0 && ali > 3)},            // C4: CHR2X, CR3X
		{-0.2783, a.has(double, aliphatics&^aliC)},                                  // C5: C=[not C]
		{0.1551, ethylene}, // C6: C=C, aliphatic
		{0.0017, x == 2 && a.has(triple, aliphatics)}, // C7: C≡R
		{0.08452, a.h == 3 && a.has(plain, aroC)},     // C8: CH3c
		{-0.1444, a.h == 3 && aro > 0},                // C9: CH3a
		{-0.0516, a.h == 2 && x == 4 && aro > 0},      // C10: CH2Ra
		{0.1193, a.h == 1 && x == 4 && aro > 0},       // C11: CHR2a
		{-0.0967, a.h == 0 && x == 4 && aro > 0},      // C12: CR3a
		{0.264, styrene || a.has(double, aroC)},       // C26: C=C beside a, C=c
		{0.2148, x == 4 && a.has(plain, aliOther)},    // C27: CR4 with B, Si, Se, a metal, …
		{0.08129, true}, // CS: other C
	})
}

func (a *crippenAtom) aromaticCarbon() float64 {
	ring := a.n(aromatic, aromatics)
	return firstOf([]crippenType{
		{-0.5443, a.h == 0 && a.has(single, aliP|aliOther)}, // C13: c with B, Si, P, Se, a metal, …
		{0, a.has(plain, aliF|aliF<<16)},                    // C14: c–F
		{0.245, a.has(plain, aliCl|aliCl<<16)},              // C15: c–Cl
		{0.198, a.has(plain, aliBr|aliBr<<16)},              // C16: c–Br
		{0, a.has(plain, aliI|aliI<<16)},                    // C17: c–I
		{0.1581, a.h == 1},                                  // C18: cH
		{0.2955, ring > 2},                                  // C19: c of two rings
		{0.08129, ring < 2},                                 // CS
		{0.2713, a.has(single, aromatics)},                  // C20: c–a
		{0.136, a.has(single, aliC)},                        // C21: c–C
		{0.4619, a.has(single, aliN)},                       // C22: c–N
		{0.5437, a.has(single, aliO)},                       // C23: c–O
		{0.1893, a.has(single, aliS)},                       // C24: c–S
		{-0.8186, a.has(double, aliC|aliN|aliO)},            // C25: c=C, c=N, c=O
		{0.08129, true},                                     // CS
	})
}

func (a *crippenAtom) aliphaticNitrogen() float64 {
	ali, aro := a.n(plain, aliphatics), a.n(plain, aromatics)
	heavy, imine, nitrile := ali+aro, a.has(double, heavies), a.has(triple, aliphatics)
	if a.Charge == 0 {
		return firstOf([]crippenType{
			{-1.019, a.h == 2 && ali > 0},                         // N1: NH2R
			{-0.7096, a.h == 1 && ali > 1},                        // N2: NHR2
			{-1.027, a.h == 2 && aro > 0},                         // N3: NH2a
			{-0.5188, a.h == 1 && aro > 0 && heavy > 1},           // N4: NHRa
			{0.08387, a.h == 1 && imine},                          // N5: NH=R
			{0.1836, imine && heavy > 0},                          // N6: NR=R
			{-0.3187, ali > 2},                                    // N7: NR3
			{-0.4458, aro > 0 && ali > 0 && heavy > 2 || aro > 2}, // N8: NR2a, NRa2, Na3
			{0.01508, nitrile},                                    // N9: N≡R
			{-0.4806, true},                                       // NS: other N
		})
	}
	iminium := a.has(double, aliphatics) && ali > 0 && heavy > 1 || a.has(double, anyC) && a.has(double, anyN)
	return firstOf([]crippenType{
		{0.2887, a.anion()},                         // N14: N⁻
		{-0.4806, !a.cation()},                      // NS
		{-1.95, 1 <= a.h && a.h <= 3},               // N10: NH⁺, NH2⁺, NH3⁺
		{-0.3396, a.h == 0 && (ali > 3 || iminium)}, // N13: NR4⁺, NR2⁺=R, C=N⁺=N
		{0.2887, nitrile || a.n(double, aliN) > 1 && a.some(double, aliN, (*crippenAtom).anion)}, // N14: N⁺≡R, N⁻=N⁺=N
		{-0.4806, true}, // NS
	})
}

func (a *crippenAtom) aliphaticOxygen() float64 {
	ali, aro := a.n(plain, aliphatics), a.n(plain, aromatics)
	oxide := a.x() == 1 && a.anion()
	neutral := func(s *crippenAtom) bool { return s.Charge == 0 }
	carbonyl := func(is func(c *crippenAtom) bool) bool { return a.some(double, aliC, is) }
	return firstOf([]crippenType{
		{-0.2893, a.h == 1 || a.h == 2},                                   // O2: OH, OH2
		{-0.0684, ali > 1},                                                // O3: OR2
		{-0.4195, aro > 0 && ali+aro > 1},                                 // O4: ORa
		{0.0335, a.has(double, anyN|anyO) || oxide && a.has(plain, anyN)}, // O5: O=N, O⁻N, O=O
		{-0.3339, oxide && a.Charge > -3 && a.has(plain, anyS) || a.Charge == 0 && a.some(double, anyS, neutral)}, // O6: O=S, O⁻S
		{-1.326, a.Charge == -1 && a.some(plain, aliC, func(c *crippenAtom) bool { return c.has(double, aliO) })}, // O12: O⁻C=O
		{-1.189, oxide && a.has(plain, heavies&^(aliN|aliS))},                                                     // O7: O⁻ on another atom
		{0.1788, a.has(double, aroC)}, // O8: O=c
		{-0.1526, carbonyl(func(c *crippenAtom) bool { // O9: O=C with C, or H and one of C, N, O; O=C=O
			return c.h == 2 || c.h == 1 && c.has(plain, aliC|aliN|aliO) ||
				c.has(plain, aliC) && c.n(plain, aliphatics) > 1 || c.x() == 2 && c.n(double, aliO) > 1
		})},
		{0.1129, carbonyl(func(c *crippenAtom) bool { // O10: O=C with c
			return c.has(plain, aroC) && (c.h == 1 || c.has(plain, aliphatics)) ||
				c.has(plain, anyC) && c.has(plain, aromatics) && c.n(plain, aliC|aromatics) > 1
		})},
		{0.4833, carbonyl(func(c *crippenAtom) bool { return c.n(plain, heavies&^anyC) > 1 })}, // O11: O=C with two atoms that are not C
		{-0.1188, true}, // OS: other O
	})
}

// otherElement returns the contribution of halogens, phosphorus and metals.
func (a *crippenAtom) otherElement() float64 {
	const halide = -2.996 // also I⁺ and alkali cations
	neutral := map[int]float64{9: 0.4202, 17: 0.6895, 35: 0.8456, 53: 0.8857}
	switch z := a.Number; z {
	case 9, 17, 35, 53:
		return firstOf([]crippenType{{neutral[z], a.Charge == 0}, {halide, a.Charge == -1 || z == 53 && a.cation()}})
	case 3, 11, 19, 37, 55: // alkali metals
		return firstOf([]crippenType{{halide, a.Charge == 1}, {-0.3808, true}}) // Me1
	case 15:
		return 0.8612
	case 4, 12, 20, 38, 56, 5, 13, 31, 49, 81, 14, 32, 50, 82, 33, 51, 83, 34, 52, 84: // groups 2, 13, 14, 15 and 16
		return -0.3808 // Me1
	default:
		return firstOf([]crippenType{{-0.0025, 21 <= z && z <= 30 || 39 <= z && z <= 48 || 72 <= z && z <= 80}}) // Me2: d block
	}
}

// hydrogen returns the contribution of a hydrogen atom with these bonds.
func (bonds crippenBonds) hydrogen() float64 {
	hydroxyl := func(is func(o *crippenAtom) bool) bool { return bonds.some(plain, aliO, is) }
	alcohol := func(o *crippenAtom) bool {
		return o.some(plain, anyC, func(c *crippenAtom) bool { return c.kind == aroC || c.x() == 4 }) ||
			o.has(plain, heavies&^(anyC|anyN|anyO|anyS)) || o.Hydrogens+o.n(plain, aliH) > 1
	}
	acid := func(o *crippenAtom) bool {
		return o.has(plain, aliO|aliS) || o.some(plain, aliC, func(c *crippenAtom) bool { return c.has(double, anyC|anyN|aliO|aliS) })
	}
	return firstOf([]crippenType{
		{0.123, bonds.has(plain, aliH|anyC)},                                                                  // H1: H–C, H–H
		{-0.2677, hydroxyl(alcohol) || bonds.has(plain, heavies&^(anyC|anyN|anyO))},                           // H2: of alcohols and phenols, or on another element
		{0.2142, bonds.has(plain, anyN) || hydroxyl(func(o *crippenAtom) bool { return o.has(plain, anyN) })}, // H3: H–N, HO–N
		{0.298, hydroxyl(acid)}, // H4: of acids, enols, peroxides, HO–S
		{0.1125, true},          // HS: other H
	})
}
