package molecule

import "slices"

// gobbi are the families of pharmacophore points, in the order of their names in RDKit (AG, AR, BG, HA, HD, LH, RR, X),
// each a SMARTS query of one atom. From RDKit's Gobbi_Pharm2D (BSD-3-Clause, see NOTICE).
var gobbi = lazily(
	"[$([C,S](=[O,S,P])-[O;H1])]", // acidic group
	"[$([a;D3](@*)(@*)*)]",        // aromatic ring atom with a substituent
	"[$([N;H2&+0][$([C,a]);!$([C,a](=O))]),$([N;H1&+0]([$([C,a]);!$([C,a](=O))])[$([C,a]);!$([C,a](=O))]),"+
		"$([N;H0&+0]([C;!$(C(=O))])([C;!$(C(=O))])[C;!$(C(=O))]),$([N,n;X2;+0])]", // basic group
	"[$([O,S;H1;v2]-[!$(*=[O,N,P,S])]),$([O,S;H0;v2]),$([O,S;-]),"+
		"$([N&v3;H1,H2]-[!$(*=[O,N,P,S])]),$([N;v3;H0]),$([n,o,s;+0]),F]", // hydrogen-bond acceptor
	"[$([N;!H0;v3]),$([N;!H0;+1;v4]),$([O,S;H1;+0]),$([n;H1;+0])]", // hydrogen-bond donor
	"[$([C;H2,H1](!=*)[C;H2,H1][C;H2,H1][$([C;H1,H2,H3]);!$(C=*)]),"+
		"$(C([C;H2,H3])([C;H2,H3])[C;H2,H3])]", // hydrophobic
	"[$([A;D3](@*)(@*)*)]",                      // other ring atom with a substituent
	"[!#1;!#6;!#7;!#8;!#9;!#16;!#17;!#35;!#53]", // unusual atom
)

// point is a pharmacophore point; an atom may be several points.
type point struct{ family, atom int }

// points returns the pharmacophore points, sorted by family and atom.
func (m *Molecule) points() []point {
	var points []point
	for family, pattern := range gobbi() {
		for atom, is := range m.matched(pattern) {
			if is {
				points = append(points, point{family, atom})
			}
		}
	}
	return points
}

// matched reports which atoms are the first of a match.
func (m *Molecule) matched(p *Pattern) []bool {
	is := make([]bool, len(m.Graph().Atoms))
	for _, match := range p.Matches(m, true) {
		is[match[0]] = true
	}
	return is
}

// Pharmacophore returns the 2-D pharmacophore fingerprint (Gobbi & Poppinger 1998): a bit for each kind of pair and
// triangle of points that RDKit's Gobbi_Pharm2D sets a bit for. The octal digits of its id are the number of points,
// their families, and their distances in bins from 1: 2, 3, 4, 5, 6, 7, and 8 to 99 bonds; points closer or farther
// apart set no bit. Points of one family are interchangeable, and the points of a bit are on different atoms.
func (m *Molecule) Pharmacophore() Counts {
	const nearest, lastBin, farthest = 2, 8, 99
	points := m.points()
	distances := m.Graph().Distances()
	bin := func(i, j int) int { // 0: none
		d := distances[points[i].atom][points[j].atom]
		if d < nearest || d > farthest {
			return 0
		}
		return min(d, lastBin) - 1
	}
	var bits Counts
	set := func(digits ...int) {
		id := uint64(0)
		for _, d := range digits {
			id = id<<3 | uint64(d)
		}
		bits.IDs = append(bits.IDs, id)
	}
	for i, a := range points {
		for j := i + 1; j < len(points); j++ {
			ab, b := bin(i, j), points[j]
			if ab == 0 {
				continue
			}
			set(2, a.family, b.family, ab)
			for k := j + 1; k < len(points); k++ {
				ac, bc, c := bin(i, k), bin(j, k), points[k]
				if ac > 0 && bc > 0 {
					x, y, z := inOrder(a.family == b.family, b.family == c.family, ab, ac, bc)
					set(3, a.family, b.family, c.family, x, y, z)
				}
			}
		}
	}
	slices.Sort(bits.IDs)
	bits.IDs = slices.Compact(bits.IDs)
	bits.N = slices.Repeat([]uint32{1}, len(bits.IDs))
	return bits
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
