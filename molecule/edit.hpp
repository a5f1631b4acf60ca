#include "guard.h"

#include <memory>
#include <vector>

#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

using namespace shim;

extern "C" {

molecule *molecule_kekule(molecule *m, char **error) {
  return guarded(error, [&] {
    auto kekule = std::make_unique<RWMol>(*rd(m));
    RDKit::MolOps::Kekulize(*kekule, true);
    return handle(kekule.release());
  });
}

molecule *molecule_merge(molecule *a, molecule *b, char **error) {
  return guarded(error, [&] {
    auto merged = std::make_unique<RWMol>(*rd(a));
    merged->insertMol(*rd(b));
    merged->getRingInfo()->reset(); // which knows those of a only
    std::vector<std::vector<int>> rings;
    RDKit::MolOps::symmetrizeSSSR(*merged, rings); // kept in merged
    RDKit::MolOps::Kekulize(*merged, true);
    return handle(merged.release());
  });
}

char *molecule_edit(molecule *m, const int64_t *edit, char **error) {
  return guarded(error, [&] {
    auto next = [&] { return *edit++; };
    auto added = next(), changed = next(), linked = next(), removed = next();
    RWMol mol(*rd(m));
    RDKit::MolOps::Kekulize(mol, true);
    std::vector<RDKit::Atom *> touched;
    for (; added > 0; added--) mol.addAtom(new RDKit::Atom(next()), false, true);
    for (; changed > 0; changed--) {
      const auto atom = mol.getAtomWithIdx(next());
      atom->setAtomicNum(next());
      atom->setIsotope(0);
      touched.push_back(atom);
    }
    for (; linked > 0; linked--) {
      const auto begin = next(), end = next(), order = next();
      touched.push_back(mol.getAtomWithIdx(begin));
      touched.push_back(mol.getAtomWithIdx(end));
      mol.removeBond(begin, end); // if there is one; with it goes its direction
      if (order > 0) mol.addBond(begin, end, static_cast<RDKit::Bond::BondType>(order));
    }
    mol.beginBatchEdit();
    for (; removed > 0; removed--) {
      const auto atom = mol.getAtomWithIdx(next());
      for (const auto neighbour : mol.atomNeighbors(atom)) touched.push_back(neighbour);
      mol.removeAtom(atom);
    }
    for (const auto atom : touched) { // it takes the hydrogens that its new valence leaves room for
      atom->setNoImplicit(false);
      atom->setNumExplicitHs(0);
      atom->setNumRadicalElectrons(0);
      atom->setChiralTag(RDKit::Atom::CHI_UNSPECIFIED);
    }
    mol.commitBatchEdit();
    mol.clearComputedProps();
    RDKit::MolOps::cleanUp(mol); // what the sanitizer begins with: most edits end here, before anything costly
    mol.updatePropertyCache(true);
    RDKit::SmilesWriteParams params;
    params.canonical = false;
    return copy(RDKit::MolToSmiles(mol, params));
  });
}
}
