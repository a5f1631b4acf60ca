// What a molecule's graph says of symmetry.
#pragma once

#include <cstdint>
#include <vector>

#include <GraphMol/ROMol.h>

namespace shim {

// colors returns a number for each atom: equal numbers, also in different molecules, if no refinement by neighbors can tell the atoms
// apart (1-dimensional Weisfeiler-Leman). Stereochemistry is ignored, and hydrogens count as properties of their neighbors.
std::vector<uint64_t> colors(const RDKit::ROMol &mol);

// settled reports whether RDKit's canonical SMILES of mol surely does not depend on the order of its atoms, so that it is the canonical
// SMILES of what it is read as, too. RDKit breaks ties of its ranks of atoms by their order, which is wrong for atoms that look alike
// to a refinement but are not symmetric, and it may drop configurations that depend on each other.
bool settled(const RDKit::ROMol &mol);

}  // namespace shim
