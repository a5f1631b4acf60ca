package molecule

import "fmt"

// Pharmacophore computes 2-D pharmacophore fingerprints (Gobbi & Poppinger 1998) as RDKit's Gobbi_Pharm2D does: a bit for
// each kind of pair and triangle of pharmacophore points, with the binned numbers of bonds between them.
type Pharmacophore struct {
	families [pharmacophoreFamilies]*Pattern

	// Bits are numbered by families first, then by distances: the first bit of each pair or triangle of families, and the
	// offset of each combination of distances.
	pair     [pharmacophoreFamilies][pharmacophoreFamilies]int
	triangle [pharmacophoreFamilies][pharmacophoreFamilies][pharmacophoreFamilies]int
	sides    [distanceBins][distanceBins][distanceBins]int
	size     int
}

// pharmacophoreFamilies is the number of kinds of points.
const pharmacophoreFamilies = 8

// gobbi returns the families in the order of their names in RDKit (AG, AR, BG, HA, HD, LH, RR, X), each a
// SMARTS query of one atom. From RDKit's Gobbi_Pharm2D (BSD-3-Clause, see NOTICE).
func gobbi() [pharmacophoreFamilies]string {
	return [...]string{
		"[$([C,S](=[O,S,P])-[O;H1])]", // acidic group
		"[$([a;D3](@*)(@*)*)]",        // aromatic ring atom with a substituent
		"[$([N;H2&+0][$([C,a]);!$([C,a](=O))]),$([N;H1&+0]([$([C,a]);!$([C,a](=O))])[$([C,a]);!$([C,a](=O))])," +
			"$([N;H0&+0]([C;!$(C(=O))])([C;!$(C(=O))])[C;!$(C(=O))]),$([N,n;X2;+0])]", // basic group
		"[$([O,S;H1;v2]-[!$(*=[O,N,P,S])]),$([O,S;H0;v2]),$([O,S;-])," +
			"$([N&v3;H1,H2]-[!$(*=[O,N,P,S])]),$([N;v3;H0]),$([n,o,s;+0]),F]", // hydrogen-bond acceptor
		"[$([N;!H0;v3]),$([N;!H0;+1;v4]),$([O,S;H1;+0]),$([n;H1;+0])]", // hydrogen-bond donor
		"[$([C;H2,H1](!=*)[C;H2,H1][C;H2,H1][$([C;H1,H2,H3]);!$(C=*)])," +
			"$(C([C;H2,H3])([C;H2,H3])[C;H2,H3])]", // hydrophobic
		"[$([A;D3](@*)(@*)*)]",                      // other ring atom with a substituent
		"[!#1;!#6;!#7;!#8;!#9;!#16;!#17;!#35;!#53]", // unusual atom
	}
}

// Distances are binned: 2, 3, 4, 5, 6, 7, and 8 to 99 bonds. Points closer or farther apart set no bit.
const (
	distanceBins    = 7
	nearestDistance = 2
	lastBinFrom     = 8
	tooFar          = 100
)

// distanceBin returns the bin of a distance in bonds, −1 if there is none.
func distanceBin(distance int) int {
	switch {
	case distance < nearestDistance || distance >= tooFar:
		return -1
	case distance >= lastBinFrom:
		return distanceBins - 1
	}
	return distance - nearestDistance
}

// NewPharmacophore returns a Pharmacophore, which is safe for concurrent use. The error is ErrNoRDKit.
func NewPharmacophore() (*Pharmacophore, error) {
	p := &Pharmacophore{}
	for i, smarts := range gobbi() {
		var err error
		if p.families[i], err = CompilePattern(smarts); err != nil {
			return nil, fmt.Errorf("pharmacophore: %w", err)
		}
	}
	p.number()
	return p, nil
}

// number numbers the bits: pairs before triangles, families in non-descending order, and distances in lexical order without
// those that violate the triangle inequality even at the bounds of their bins.
func (p *Pharmacophore) number() {
	for f := range pharmacophoreFamilies {
		for g := f; g < pharmacophoreFamilies; g++ {
			p.pair[f][g] = p.size
			p.size += distanceBins
		}
	}
	triangles := 0
	for a := range distanceBins {
		for b := range distanceBins {
			for c := range distanceBins {
				if closes(a, b, c) && closes(b, c, a) && closes(c, a, b) {
					p.sides[a][b][c] = triangles
					triangles++
				}
			}
		}
	}
	for f := range pharmacophoreFamilies {
		for g := f; g < pharmacophoreFamilies; g++ {
			for h := g; h < pharmacophoreFamilies; h++ {
				p.triangle[f][g][h] = p.size
				p.size += triangles
			}
		}
	}
}

// closes reports whether the shortest third side of its bin forms a triangle with the longest two others of theirs (upper
// bounds are exclusive, as in RDKit).
func closes(one, other, third int) bool {
	above := func(bin int) int {
		if bin == distanceBins-1 {
			return tooFar
		}
		return bin + nearestDistance + 1
	}
	return above(one)+above(other) >= third+nearestDistance
}

// point is a pharmacophore point; an atom may be several points.
type point struct{ family, atom int }

// points returns the points of m, sorted by family and atom.
func (p *Pharmacophore) points(m *Molecule) []point {
	var points []point
	for family, pattern := range p.families {
		isPoint := make([]bool, len(m.Graph().Atoms))
		for _, match := range pattern.Matches(m, true) {
			isPoint[match[0]] = true
		}
		for atom, is := range isPoint {
			if is {
				points = append(points, point{family, atom})
			}
		}
	}
	return points
}

// Fingerprint returns the bits that RDKit sets for m, as a binary fingerprint. Points of one family are interchangeable, and
// the points of a bit are on different atoms.
func (p *Pharmacophore) Fingerprint(m *Molecule) Counts {
	points := p.points(m)
	distances := m.Graph().Distances()
	bins := make([][]int, len(points))
	for i, a := range points {
		bins[i] = make([]int, len(points))
		for j, b := range points {
			bins[i][j] = distanceBin(distances[a.atom][b.atom])
		}
	}

	set := make([]bool, p.size)
	for i, a := range points {
		for j := i + 1; j < len(points); j++ {
			ab := bins[i][j]
			if ab < 0 {
				continue
			}
			b := points[j]
			set[p.pair[a.family][b.family]+ab] = true
			for k := j + 1; k < len(points); k++ {
				ac, bc := bins[i][k], bins[j][k]
				if ac < 0 || bc < 0 {
					continue
				}
				c := points[k]
				x, y, z := inOrder(a.family == b.family, b.family == c.family, ab, ac, bc)
				set[p.triangle[a.family][b.family][c.family]+p.sides[x][y][z]] = true
			}
		}
	}
	var c Counts
	for bit, is := range set {
		if is {
			c.IDs, c.N = append(c.IDs, uint64(bit)), append(c.N, 1)
		}
	}
	return c
}

// inOrder returns the sides ab, ac, bc of a triangle in canonical order, so that swapping two points of one family changes
// nothing: larger sides come first.
func inOrder(aIsB, bIsC bool, ab, ac, bc int) (x, y, z int) {
	if bIsC && ab < ac {
		ab, ac = ac, ab
	}
	if aIsB && ac < bc {
		ac, bc = bc, ac
	}
	if aIsB && bIsC && ab < ac {
		ab, ac = ac, ab
	}
	return ab, ac, bc
}
