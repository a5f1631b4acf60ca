package molecule

// FamilyAtoms returns the atoms of the pharmacophore points of each family.
func (m *Molecule) FamilyAtoms() [][]int {
	atoms := make([][]int, len(gobbi()))
	for _, point := range m.points() {
		atoms[point.family] = append(atoms[point.family], point.atom)
	}
	return atoms
}

// QEDProperties returns what QED combines.
func (m *Molecule) QEDProperties() [8]float64 { return m.qedProperties() }

// RDKitLogP returns LogP as RDKit computes it.
func (m *Molecule) RDKitLogP() float64 { return m.descriptor(logP) }

// CrippenLogP returns LogP as Go computes it.
func (m *Molecule) CrippenLogP() float64 { return m.graph().crippen() }

// RDKitECFP returns ECFP as RDKit computes it.
func (m *Molecule) RDKitECFP(radius int) Counts { return m.morgan(radius, false) }
