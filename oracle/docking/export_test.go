package docking

// For tests: a SMILES as a ligand (PDBQT), the affinity of Vina's poses, and temporary folders.
var (
	Prepare  = (*Oracle).prepare
	Affinity = affinity

	MakeFolder      = makeFolder
	RemoveAbandoned = removeAbandoned
)
