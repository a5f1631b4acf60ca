// Reactions, and molecules cut in pieces and put together, by the rules of shim.h.
#pragma once

#include "shim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct reaction reaction; // RDKit::ChemicalReaction

reaction *reaction_parse(const char *smarts, size_t length, char **error);
void reaction_free(reaction *r);

// reaction_templates returns the SMARTS of the reactants, a line each.
char *reaction_templates(reaction *r, char **error);

// reaction_run returns SMILES of the products of reactants, a line each: 1, a blank and RDKit's canonical SMILES if that surely is the one
// of the molecule that it is read as, or else 0 and so on. Products that differ in hydrogens, bond orders and configurations alone, as
// tautomers do, are one. If it is strict, there is none where a reactant could take the place of another one.
char *reaction_run(reaction *r, molecule **reactants, size_t n, int strict, char **error);

// molecule_sites returns for each query how many matches m has that symmetry does not make equal, the number of matches, both counted up to
// about 20, the number of atoms of the query, and for each match the atoms of m.
int64_t *molecule_sites(molecule *m, molecule **queries, size_t n, char **error);

// molecule_cut returns SMILES of the pieces of m, with dots between them, after n bonds were cut. A bond is its two atoms and the map
// numbers of the atoms * that are bound to them instead; 0: none.
char *molecule_cut(molecule *m, const int64_t *bonds, size_t n, char **error);

// molecule_zip returns a SMILES of the pieces in m joined where atoms * have the same map number. It is not yet that of molecule_smiles.
char *molecule_zip(molecule *m, char **error);

// molecule_bare returns a copy of m without its atoms *, as a query: it matches atoms of the same element, charge and isotope, and bonds of the
// same order, whatever hydrogens there are.
molecule *molecule_bare(molecule *m, char **error);

#ifdef __cplusplus
}
#endif
