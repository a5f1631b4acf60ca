package docking

// For tests: a SMILES as a ligand (PDBQT), a conformer of it (MOL), the affinity of Vina's poses, and temporary folders.
var (
	Prepare  = (*Oracle).prepare
	Embed    = embed
	Affinity = affinity

	MakeFolder      = makeFolder
	RemoveAbandoned = removeAbandoned
)
