package molecule

// Ionizable returns how many atoms lose a proton in water, and how many take one, by rules for common groups:
// carboxylic, phosphonic and sulfonic acids and acylsulfonamides; amines that are not beside a double bond, an aromatic
// ring, a nitrile or another element, amidines and guanidines; and what has a charge.
func (g Graph) Ionizable() (acids, bases int) {
	const nitrogen, oxygen = 7, 8
	around := g.Neighbours()
	for i, a := range g.Atoms {
		near := g.near(i, around)
		switch {
		case a.Degree == 0: // a counterion
		case a.Charge < 0 && !near.opposite || a.Number == oxygen && a.Hydrogens > 0 && near.oxo > 0 ||
			a.Number == nitrogen && a.Hydrogens > 0 && near.oxo > 1 && near.sulfur:
			acids++
		case a.Charge > 0 && !near.opposite,
			a.Number == nitrogen && a.Charge == 0 && !a.Aromatic && near.unsaturated == 0 && near.carbons && (a.Hybridization == SP3 || near.amidine):
			bases++
		}
	}
	return acids, bases
}

// surroundings are the neighbours of an atom.
type surroundings struct {
	unsaturated int  // those with a double bond to another atom
	oxo         int  // those with one to an oxygen
	sulfur      bool // one is sulfur
	carbons     bool // all are carbon, and none has a triple bond
	opposite    bool // one has the opposite charge, as in a nitro group
	amidine     bool // one is a carbon with a double bond to the atom and a single one to a nitrogen
}

// near returns the neighbours of an atom.
func (g Graph) near(i int, around [][]Neighbour) surroundings {
	const carbon, nitrogen, oxygen, sulfur = 6, 7, 8, 16
	s := surroundings{carbons: true}
	for _, n := range around[i] {
		neighbour := g.Atoms[n.Atom]
		s.carbons = s.carbons && neighbour.Number == carbon
		s.sulfur = s.sulfur || neighbour.Number == sulfur
		s.opposite = s.opposite || neighbour.Charge*g.Atoms[i].Charge < 0
		var unsaturated, oxo bool
		for _, other := range around[n.Atom] {
			order, number := g.Bonds[other.Bond].Order, g.Atoms[other.Atom].Number
			switch {
			case other.Atom == i:
			case order == 3:
				s.carbons = false
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
