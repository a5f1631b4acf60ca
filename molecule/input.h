// What laboratories' files need of RDKit, by the rules of shim.h.
#include "shim.h"

#ifdef __cplusplus
extern "C" {
#endif

// molecule_of_block returns the SMILES of an MDL molblock of at most `most` atoms, or NULL with *kind and *error.
char *molecule_of_block(const char *block, size_t length, unsigned most, char **kind, char **error);

// molecule_block returns the MDL molblock of a molecule that molecule_depict returned, or NULL with *error.
char *molecule_block(molecule *depicted, char **error);

// molecule_neutral returns the SMILES of m with as few charges as adding and removing hydrogens leaves, or NULL with *error.
char *molecule_neutral(molecule *m, char **error);

#ifdef __cplusplus
}
#endif
