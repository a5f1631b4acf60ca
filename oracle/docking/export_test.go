package docking

// For tests: a SMILES as a ligand (PDBQT), the affinity of Vina's poses, a box, and temporary folders.
var (
	Prepare  = (*Oracle).prepare
	Affinity = affinity
	ReadBox  = readBox

	MakeFolder      = makeFolder
	RemoveAbandoned = removeAbandoned
)
