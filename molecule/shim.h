// The functions of RDKit that package molecule calls, as C. No C++ exception leaves them: where one
// arises, *error is its message, allocated by malloc as every result is, and the result is zero. A list of integers begins with
// their number.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct molecule molecule; // RDKit::RWMol; a molecule or a SMARTS query

// molecule_version returns the version of RDKit, which is not to be freed.
const char *molecule_version(void);

molecule *molecule_parse(const char *smiles, size_t length, char **error);

// molecule_query with merge makes hydrogens of the query conditions on their neighbours.
molecule *molecule_query(const char *smarts, size_t length, int merge, char **error);
void molecule_free(molecule *m);

// molecule_smiles returns RDKit's canonical SMILES, and whether it surely is that of the molecule that it is read as.
char *molecule_smiles(molecule *m, int *settled, char **error);
char *molecule_formula(molecule *m, char **error);

// molecule_descriptor returns Crippen's logP (0), TPSA (1), the molecular weight (2) or the number of rotatable bonds (3).
double molecule_descriptor(molecule *m, int which, char **error);

// Fingerprints are pairs: id, count, id, count, ... with ascending ids.
int64_t *molecule_morgan(molecule *m, unsigned radius, int roles, char **error);
int64_t *molecule_atom_pairs(molecule *m, char **error);

// molecule_graph returns the numbers of atoms, bonds, rings, configured centers and configured double bonds, then for each atom its 8
// integers, for each bond 7, for each ring its size and atoms, for each center 2 and for each double bond 4, in the order in which rdkit.go
// reads them.
int64_t *molecule_graph(molecule *m, char **error);

// molecule_kekule_graph is molecule_graph of molecule_kekule of a canonical SMILES, without hybridization and conjugation. It returns
// NULL, also without *error, for one that it cannot do this for.
int64_t *molecule_kekule_graph(const char *smiles, size_t length, char **error);

// molecule_matches returns the number of atoms of query, and then those of each match in m, one match after the other.
int64_t *molecule_matches(molecule *m, molecule *query, int unique, unsigned most, char **error);

// A screen finds which of many rules a molecule matches: SMARTS, read with or without merging hydrogens as molecule_query does, that occur
// as often as their counts, at least.
typedef struct screen screen;
screen *molecule_screen(const char **smarts, const int64_t *merge, const int64_t *counts, size_t n, char **error);
void molecule_screen_free(screen *s);

// molecule_screened returns the numbers of the rules that m matches, in ascending order, or the first one only. queries are those of the
// rules by molecule_query, which matches are counted with.
int64_t *molecule_screened(molecule *m, screen *s, molecule **queries, int all, char **error);

// molecule_stereocenters returns the numbers of atoms that are centers with a configuration and of those that could be.
int64_t *molecule_stereocenters(molecule *m, char **error);

// molecule_bridges returns the numbers of spiro atoms and of bridgeheads.
int64_t *molecule_bridges(molecule *m, char **error);

// molecule_undefined returns the atoms that could have a configuration, perhaps together with others, and have none, and -1 - i of such double bonds i.
int64_t *molecule_undefined(molecule *m, char **error);

// molecule_depict returns a copy with coordinates in the plane, Kekulé bonds and wedges.
molecule *molecule_depict(molecule *m, char **error);
char *molecule_draw(molecule *m, int size, char **error);

// molecule_kekule returns a copy without aromatic bonds; molecule_merge one that the atoms of b follow those of a in.
molecule *molecule_kekule(molecule *m, char **error);
molecule *molecule_merge(molecule *a, molecule *b, char **error);

// molecule_edit returns a SMILES of m after the edit, in the order in which rdkit.go writes it, or NULL with *error if its valences
// are wrong. The SMILES is not canonical, and may be of no molecule yet.
char *molecule_edit(molecule *m, const int64_t *edit, char **error);

// molecule_vaguer returns 1 if b is a with more configurations, else 0. It ignores isotopes and the like: both must be equal but for
// stereochemistry.
int molecule_vaguer(molecule *a, molecule *b, char **error);

// molecule_configured returns a SMILES of core with the configurations that m has where core has none, or NULL, also without *error, if a center
// has another one in m. match has the atom of m for each atom of core; -1 is a hydrogen in place of an atom *.
char *molecule_configured(molecule *core, molecule *m, const int64_t *match, char **error);

// molecule_conformer returns a conformer of a SMILES as a MOL block, hydrogens included. It gives up once *stop is not zero: before
// the next try, or after a step of the minimizer.
char *molecule_conformer(const char *smiles, size_t length, int seed, const int32_t *stop, char **error);

#ifdef __cplusplus
}
#endif
