package molecule

import (
	"iter"
	"slices"
	"strings"
)

// A Graph is the molecular graph as perceived by RDKit. Atoms are numbered from 0 in the order of the SMILES, without the
// hydrogens that RDKit made implicit.
type Graph struct {
	Atoms []Atom
	Bonds []Bond
	Rings [][]int // atoms of each ring, in ring order: the symmetrized smallest set of smallest rings

	Centers     []Center     // with a configuration
	DoubleBonds []DoubleBond // likewise

	around [][]Neighbour // what Neighbours returns, of a molecule's graph, which asks for it several times; nil: it is computed
}

// An Atom of a Graph.
type Atom struct {
	Number        int // atomic number; 0 for *
	Charge        int // formal
	Isotope       int // mass number; 0 if not given
	Hydrogens     int // implicit and explicit ones that are not atoms of the Graph
	Degree        int // bonds in the Graph
	Hybridization Hybridization
	Aromatic      bool
	InRing        bool
}

// A Bond of a Graph joins the atoms Begin and End.
type Bond struct {
	Begin, End int
	Order      float64 // 1, 2, 3, 4; 1.5 if aromatic; 1 if dative; 0 if unspecified, as ~
	Aromatic   bool
	InRing     bool
	Conjugated bool
	Dative     bool
}

// A Center is an atom of a Graph with a tetrahedral configuration.
type Center struct {
	Atom      int
	Clockwise bool // seen from the neighbour of its first bond, those of the others are in clockwise order; an implicit hydrogen is last
}

// A DoubleBond is a bond of a Graph with a configuration.
type DoubleBond struct {
	Bond int
	Cis  bool
	Ends [2]int // neighbours of the bond's atoms, Begin and End, that are cis or trans
}

// Hybridization is the hybridization of an atom's orbitals, as perceived by RDKit.
type Hybridization int

// The hybridizations of most atoms, with RDKit's numbers.
const (
	S Hybridization = iota + 1
	SP
	SP2
	SP3
)

// A Neighbour of an atom in a Graph, and the bond to it.
type Neighbour struct{ Atom, Bond int }

// Neighbours returns the neighbours of each atom, in the order of bonds. Like a molecule's Graph, they are not to be
// modified.
func (g Graph) Neighbours() [][]Neighbour {
	if g.around != nil {
		return g.around
	}
	around, all := make([][]Neighbour, len(g.Atoms)), make([]Neighbour, 2*len(g.Bonds))
	for i, a := range g.Atoms {
		around[i], all = all[:0:a.Degree], all[a.Degree:]
	}
	for i, b := range g.Bonds {
		around[b.Begin] = append(around[b.Begin], Neighbour{b.End, i})
		around[b.End] = append(around[b.End], Neighbour{b.Begin, i})
	}
	return around
}

// Distances returns the number of bonds on a shortest path between each pair of atoms, −1 if there is no path.
func (g Graph) Distances() [][]int {
	distances := make([][]int, len(g.Atoms))
	for from, row := range g.distances() {
		distances[from] = slices.Clone(row)
	}
	return distances
}

// distances yields each atom with a row of Distances, which holds until the next one.
func (g Graph) distances() iter.Seq2[int, []int] {
	n, around := len(g.Atoms), g.Neighbours()
	return func(yield func(int, []int) bool) {
		row, queue := make([]int, n), make([]int, 0, n)
		for from := range n {
			for i := range row {
				row[i] = -1
			}
			row[from] = 0
			queue = append(queue[:0], from)
			for head := 0; head < len(queue); head++ {
				at := queue[head]
				for _, to := range around[at] {
					if row[to.Atom] < 0 {
						row[to.Atom] = row[at] + 1
						queue = append(queue, to.Atom)
					}
				}
			}
			if !yield(from, row) {
				return
			}
		}
	}
}

// ringBonds yields the bonds of a ring by number: the bond i is between its atoms i and i + 1.
func (g Graph) ringBonds(ring []int) iter.Seq2[int, *Bond] {
	around := g.Neighbours()
	return func(yield func(int, *Bond) bool) {
		for i, a := range ring {
			for _, to := range around[a] {
				if to.Atom == ring[(i+1)%len(ring)] && !yield(i, &g.Bonds[to.Bond]) {
					return
				}
			}
		}
	}
}

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
