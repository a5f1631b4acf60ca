#include "guard.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

using namespace shim;

namespace {

// center is a stereocenter before an edit.
struct center {
  RDKit::Atom *atom;
  std::vector<const RDKit::Atom *> around; // in the order of its bonds, which its tag refers to
  RDKit::Atom::ChiralType tag;
};

center center_of(RWMol &mol, RDKit::Atom *atom) {
  center c{atom, {}, atom->getChiralTag()};
  for (const auto bond : mol.atomBonds(atom)) c.around.push_back(bond->getOtherAtom(atom));
  return c;
}

// keep gives the center its configuration again if one neighbor took the place of another, or none did. With a double bond it is none any more,
// unless it is sulfur or phosphorus: the parser sees to that.
void keep(RWMol &mol, center &c) {
  std::vector<const RDKit::Atom *> now;
  for (const auto bond : mol.atomBonds(c.atom)) now.push_back(bond->getOtherAtom(c.atom));
  if (now.size() != c.around.size()) return;
  std::vector<size_t> lost, fresh;
  for (size_t i = 0; i < now.size(); i++) {
    if (std::find(now.begin(), now.end(), c.around[i]) == now.end()) lost.push_back(i);
    if (std::find(c.around.begin(), c.around.end(), now[i]) == c.around.end()) fresh.push_back(i);
  }
  if (lost.size() > 1) return;
  if (!lost.empty()) c.around[lost[0]] = now[fresh[0]];
  bool odd = false;
  for (size_t i = 0; i < now.size(); i++) { // sorts now by swaps, each of which turns the order round
    if (now[i] == c.around[i]) continue;
    std::swap(now[i], *std::find(now.begin(), now.end(), c.around[i]));
    odd = !odd;
  }
  c.atom->setChiralTag(c.tag);
  if (odd) c.atom->invertChirality();
}

// root returns the atom that a SMILES begins with: a center with an implicit hydrogen would be written with the other configuration there, as of
// RDKit 2022.09. -1 stands for the first atom.
int root(const RWMol &mol) {
  int i = 0;
  for (const auto atom : mol.atoms()) {
    if (atom->getChiralTag() == RDKit::Atom::CHI_UNSPECIFIED) return i > 0 ? i : -1;
    i++;
  }
  return -1;
}

} // namespace

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
    std::vector<center> centers;
    for (const auto atom : mol.atoms()) {
      if (atom->getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CW || atom->getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CCW) centers.push_back(center_of(mol, atom));
    }
    for (; added > 0; added--) mol.addAtom(new RDKit::Atom(next()), false, true);
    for (; changed > 0; changed--) {
      const auto atom = mol.getAtomWithIdx(next());
      atom->setAtomicNum(next());
      atom->setIsotope(0);
      touched.push_back(atom);
      centers.erase(std::remove_if(centers.begin(), centers.end(), [&](const center &c) { return c.atom == atom; }), centers.end());
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
      centers.erase(std::remove_if(centers.begin(), centers.end(), [&](const center &c) { return c.atom == atom; }), centers.end());
      mol.removeAtom(atom);
    }
    for (const auto atom : touched) { // it takes the hydrogens that its new valence leaves room for
      atom->setNoImplicit(false);
      atom->setNumExplicitHs(0);
      atom->setNumRadicalElectrons(0);
      atom->setChiralTag(RDKit::Atom::CHI_UNSPECIFIED);
    }
    mol.commitBatchEdit();
    for (auto &c : centers) keep(mol, c);
    mol.clearComputedProps();
    RDKit::MolOps::cleanUp(mol); // what the sanitizer begins with: most edits end here, before anything costly
    mol.updatePropertyCache(true);
    RDKit::SmilesWriteParams params;
    params.canonical = false;
    params.rootedAtAtom = root(mol);
    return copy(RDKit::MolToSmiles(mol, params));
  });
}
}
