package molecule

// A Graph is the molecular graph as perceived by RDKit. Atoms are numbered from 0 in the order of the SMILES, without the
// hydrogens that RDKit made implicit.
type Graph struct {
	Atoms []Atom
	Bonds []Bond
	Rings [][]int // atoms of each ring, in ring order: the symmetrized smallest set of smallest rings
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

// Hybridization is the hybridization of an atom's orbitals, as perceived by RDKit.
type Hybridization int

// The hybridizations, in RDKit's order.
const (
	Unspecified Hybridization = iota
	S
	SP
	SP2
	SP3
	SP2D
	SP3D
	SP3D2
	OtherHybridization
)

// Distances returns the number of bonds on a shortest path between each pair of atoms, −1 if there is no path.
func (g Graph) Distances() [][]int {
	n := len(g.Atoms)
	neighbours, all := make([][]int, n), make([]int, 4*n)
	for i := range neighbours { // few atoms have more than four
		neighbours[i] = all[4*i : 4*i : 4*i+4]
	}
	for _, b := range g.Bonds {
		neighbours[b.Begin] = append(neighbours[b.Begin], b.End)
		neighbours[b.End] = append(neighbours[b.End], b.Begin)
	}
	flat := make([]int, n*n)
	for i := range flat {
		flat[i] = -1
	}
	distances := make([][]int, n)
	queue := make([]int, 0, n)
	for from := range n {
		row := flat[from*n : (from+1)*n]
		row[from] = 0
		queue = append(queue[:0], from)
		for head := 0; head < len(queue); head++ {
			at := queue[head]
			for _, to := range neighbours[at] {
				if row[to] < 0 {
					row[to] = row[at] + 1
					queue = append(queue, to)
				}
			}
		}
		distances[from] = row
	}
	return distances
}

func (g Graph) aromaticRings() int {
	aromatic := map[[2]int]bool{}
	for _, b := range g.Bonds {
		aromatic[[2]int{b.Begin, b.End}] = b.Aromatic
		aromatic[[2]int{b.End, b.Begin}] = b.Aromatic
	}
	count := 0
	for _, ring := range g.Rings {
		all := true
		for i, a := range ring {
			all = all && aromatic[[2]int{a, ring[(i+1)%len(ring)]}]
		}
		if all {
			count++
		}
	}
	return count
}

func (g Graph) atoms() int {
	count := len(g.Atoms)
	for _, a := range g.Atoms {
		count += a.Hydrogens
	}
	return count
}
