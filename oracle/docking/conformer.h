// The functions of RDKit that package docking calls, as C. A result is allocated by malloc; if it is NULL,
// *error is why, on one line, allocated likewise.
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// docking_uncharge returns a SMILES with the charges removed that hydrogens can remove.
char *docking_uncharge(const char *smiles, char **error);

// docking_embed returns a conformer as a MOL block, hydrogens included. It gives up once *stop is not
// zero: before the next try, or after a step of the minimizer.
char *docking_embed(const char *smiles, int seed, const int32_t *stop, char **error);

#ifdef __cplusplus
}
#endif
