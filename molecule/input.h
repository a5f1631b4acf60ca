// What laboratories' files need of RDKit, by the rules of shim.h.
#pragma once

#include "shim.h"

#ifdef __cplusplus
extern "C" {
#endif

// molecule_of_block returns a SMILES of an MDL molblock, as CXSMILES if it has enhanced stereochemistry, or NULL with *error.
char *molecule_of_block(const char *block, size_t length, char **error);

// molecule_block returns an MDL molblock of a molecule, drawn in the way that has the number way, or NULL with *error. Ways are 0 to 2,
// from the usual to the safest, and 3, without configurations.
char *molecule_block(molecule *m, int way, char **error);

// molecule_neutral returns the SMILES of m with as few charges as adding and removing hydrogens leaves, or NULL with *error.
char *molecule_neutral(molecule *m, char **error);

#ifdef __cplusplus
}
#endif
