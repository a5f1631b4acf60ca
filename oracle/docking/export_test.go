package docking

// What the tests reach: a SMILES as a ligand (PDBQT), a conformer of it (MOL), and the affinity of Vina's poses.
var (
	Prepare  = (*Oracle).prepare
	Embed    = embed
	Affinity = affinity
)
