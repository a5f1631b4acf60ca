package molecule

// FamilyAtoms returns the atoms of the pharmacophore points of each family.
func (p *Pharmacophore) FamilyAtoms(m *Molecule) [][]int {
	atoms := make([][]int, len(p.families))
	for _, point := range p.points(m) {
		atoms[point.family] = append(atoms[point.family], point.atom)
	}
	return atoms
}

// Properties returns what Of combines.
func (q *QED) Properties(m *Molecule) [8]float64 { return q.properties(m) }

// RDKitLogP returns LogP as RDKit computes it.
func (m *Molecule) RDKitLogP() float64 { return m.descriptor(logP) }
