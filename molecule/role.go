package molecule

// role is a set of parts that an atom may take when its molecule binds to a protein or dissolves in water.
type role uint16

const (
	donor      role = 1 << iota // of a hydrogen bond
	acceptor                    // of one
	base                        // takes a proton in water
	acid                        // loses one
	lipophilic                  // as alkyl, chlorine, bromine, iodine and thioethers
	aromatic
	branching // in a ring, with a bond out of it or to another ring
	halogen
	hetero // no carbon

	paired       = 7                         // parts that RolePairs tells apart, the first of these
	environments = ^(lipophilic | branching) // parts that Roles tells apart
)

// Roles counts the atom environments of up to radius bonds, but tells atoms apart by their parts in binding only: hydrogen bonds, charge in water,
// aromaticity and halogens, like FCFP but by rules and hashes of its own.
func (g Graph) Roles(radius int) Counts {
	kinds := make([]uint64, len(g.Atoms))
	for i, r := range g.roles() {
		kinds[i] = uint64(r & environments)
	}
	var ids []uint64
	g.environmentsOf(kinds, radius, func(shell []uint64) { ids = append(ids, shell...) })
	return count(ids)
}

// RolePairs counts pairs of atoms at most longest bonds apart by their parts in binding and their distance, like CATS (Schneider et al. 1999):
// molecules with other scaffolds may have the same. An atom with several parts counts as each, and pairs of them in one atom have distance 0.
func (g Graph) RolePairs(longest int) Counts {
	roles := g.roles()
	table := make([]uint32, paired*paired*(longest+1)) // in the order of ids
	for i, row := range g.distances() {
		for j, d := range row[:i+1] {
			if d < 0 || d > longest {
				continue
			}
			for a := range paired {
				if roles[i]>>a&1 == 0 {
					continue
				}
				for b := range paired {
					if roles[j]>>b&1 != 0 && (i != j || b <= a) {
						table[(min(a, b)*paired+max(a, b))*(longest+1)+d]++
					}
				}
			}
		}
	}
	var c Counts
	for id, n := range table {
		if n > 0 {
			c.IDs, c.N = append(c.IDs, uint64(id)), append(c.N, n)
		}
	}
	return c
}

// Ionizable returns how many atoms lose a proton in water, and how many take one, by rules for common groups: carboxylic, phosphonic and sulfonic
// acids and acylsulfonamides; amines that are not beside a double bond or an aromatic ring, amidines and guanidines; and what has a charge.
func (g Graph) Ionizable() (acids, bases int) {
	for _, r := range g.roles() {
		if r&acid != 0 {
			acids++
		}
		if r&base != 0 {
			bases++
		}
	}
	return acids, bases
}

// roles returns the parts that each atom may take.
func (g Graph) roles() []role {
	const carbon, nitrogen, oxygen, fluorine, sulfur, chlorine, bromine, iodine = 6, 7, 8, 9, 16, 17, 35, 53
	roles := make([]role, len(g.Atoms))
	for i, a := range g.Atoms {
		near := g.near(i)
		heavy := a.Number == chlorine || a.Number == bromine || a.Number == iodine
		for bit, has := range []bool{
			(a.Number == nitrogen || a.Number == oxygen) && a.Hydrogens > 0,
			a.Number == oxygen || a.Number == nitrogen && a.Hydrogens == 0 && (near.unsaturated == 0 || a.Aromatic && a.Degree == 2),
			a.Charge > 0 && !near.opposite ||
				a.Number == nitrogen && a.Charge == 0 && !a.Aromatic && near.unsaturated == 0 && (a.Hybridization == SP3 || near.amidine),
			a.Charge < 0 && !near.opposite || a.Number == oxygen && a.Hydrogens > 0 && near.oxo > 0 ||
				a.Number == nitrogen && a.Hydrogens > 0 && near.oxo > 1 && near.sulfur,
			heavy || (a.Number == carbon && !a.Aromatic || a.Number == sulfur) && near.carbons,
			a.Aromatic,
			a.InRing && a.Degree > 2,
			heavy || a.Number == fluorine,
			a.Number != carbon,
		} {
			if has {
				roles[i] |= 1 << bit
			}
		}
		switch {
		case roles[i]&acid != 0:
			roles[i] &^= donor
		case roles[i]&base != 0:
			roles[i] = roles[i]&^acceptor | donor
		}
	}
	return roles
}

// surroundings are the neighbours of an atom.
type surroundings struct {
	unsaturated int  // those with a double bond to another atom
	oxo         int  // those with one to an oxygen
	sulfur      bool // one is sulfur
	carbons     bool // all are carbons
	opposite    bool // one has the opposite charge, as in a nitro group
	amidine     bool // one is a carbon with a double bond to the atom and a single one to a nitrogen
}

// near returns the neighbours of an atom.
func (g Graph) near(i int) surroundings {
	const carbon, nitrogen, oxygen, sulfur = 6, 7, 8, 16
	around := g.Neighbours()
	s := surroundings{carbons: true}
	for _, n := range around[i] {
		neighbour := g.Atoms[n.Atom]
		s.sulfur = s.sulfur || neighbour.Number == sulfur
		s.carbons = s.carbons && neighbour.Number == carbon
		s.opposite = s.opposite || neighbour.Charge*g.Atoms[i].Charge < 0
		var unsaturated, oxo bool
		for _, other := range around[n.Atom] {
			order, number := g.Bonds[other.Bond].Order, g.Atoms[other.Atom].Number
			switch {
			case other.Atom == i:
			case order == 2:
				unsaturated, oxo = true, oxo || number == oxygen
			case order == 1 && number == nitrogen && neighbour.Number == carbon && g.Bonds[n.Bond].Order == 2:
				s.amidine = true
			}
		}
		if unsaturated {
			s.unsaturated++
		}
		if oxo {
			s.oxo++
		}
	}
	return s
}
