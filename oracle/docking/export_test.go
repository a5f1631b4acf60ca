package docking

// Prepare makes a ligand of a SMILES, as PDBQT; Affinity reads Vina's poses.
var (
	Prepare  = (*Oracle).prepare
	Affinity = affinity
)
