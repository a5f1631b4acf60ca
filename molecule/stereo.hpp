#include "guard.h"
#include "symmetry.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>

using namespace shim;

namespace {

const unsigned most_symmetries = 10000; // takes about a second

// mark writes the class of each atom as its isotope, which atoms must share to match. Equal atoms with one neighbor, such as the
// fluorines of CF3, are numbered: exchanging them changes no configuration, and there are too many ways to do so.
void mark(RWMol &mol, std::map<std::pair<uint64_t, unsigned>, unsigned> &isotopes) {
  const auto color = colors(mol);
  for (const auto a : mol.atoms()) {
    std::pair<uint64_t, unsigned> key{color[a->getIdx()], 0};
    if (a->getDegree() == 1) {
      for (const auto twin : mol.atomNeighbors(*mol.atomNeighbors(a).begin())) {
        key.second += twin->getIdx() < a->getIdx() && twin->getDegree() == 1 && color[twin->getIdx()] == key.first;
      }
    }
    a->setIsotope(isotopes.emplace(key, isotopes.size() + 1).first->second);
  }
}

bool tetrahedral(const RDKit::Atom *a) {
  return a->getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CW || a->getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CCW;
}

// odd reports whether an odd number of swaps makes one order of the same numbers of the other.
bool odd(std::vector<int64_t> order, const std::vector<int64_t> &other) {
  bool swapped = false;
  for (size_t i = 0; i < order.size(); i++) {
    if (order[i] == other[i]) continue;
    std::swap(order[i], *std::find(order.begin() + i, order.end(), other[i]));
    swapped = !swapped;
  }
  return swapped;
}

const int64_t hydrogen = -1; // that is no atom

// neighbor returns the neighbor of a core's atom that matches an atom.
const RDKit::Atom *neighbor(const ROMol &core, const RDKit::Atom *of, const int64_t *match, int atom) {
  for (const auto a : core.atomNeighbors(of)) {
    if (match[a->getIdx()] == atom) return a;
  }
  throw std::logic_error("a neighbor is missing");
}

// set_double gives a double bond of a core, begin=end, the configuration of the bond that it matches, if that has one.
void set_double(RWMol &core, RDKit::Bond *bond, const ROMol &mol, const int64_t *match) {
  const auto of = mol.getBondBetweenAtoms(match[bond->getBeginAtomIdx()], match[bond->getEndAtomIdx()]);
  if (!of || of->getStereo() <= RDKit::Bond::STEREOANY || of->getStereoAtoms().size() != 2) return;
  auto ends = of->getStereoAtoms();
  if (of->getBeginAtomIdx() != match[bond->getBeginAtomIdx()]) std::swap(ends[0], ends[1]);
  bond->setStereoAtoms(neighbor(core, bond->getBeginAtom(), match, ends[0])->getIdx(), neighbor(core, bond->getEndAtom(), match, ends[1])->getIdx());
  const bool together = of->getStereo() == RDKit::Bond::STEREOZ || of->getStereo() == RDKit::Bond::STEREOCIS;
  bond->setStereo(together ? RDKit::Bond::STEREOCIS : RDKit::Bond::STEREOTRANS);
}

}  // namespace

extern "C" {

char *molecule_configured(molecule *core, molecule *m, const int64_t *match, char **error) {
  return guarded(error, [&]() -> char * {
    RWMol c(*rd(core));
    const ROMol &mol = *rd(m);
    for (const auto a : c.atoms()) {
      if (a->getAtomicNum() == 0) continue;
      const auto b = mol.getAtomWithIdx(match[a->getIdx()]);
      if (!tetrahedral(b)) continue;
      std::vector<int64_t> around, other; // implicit hydrogens are the last
      for (const auto bond : c.atomBonds(a)) around.push_back(match[bond->getOtherAtomIdx(a->getIdx())]);
      for (const auto bond : mol.atomBonds(b)) other.push_back(bond->getOtherAtomIdx(b->getIdx()));
      if (b->getTotalNumHs() == 1) other.push_back(hydrogen);
      if (around.size() < other.size()) around.push_back(hydrogen);
      if (around.size() != other.size() || !std::is_permutation(around.begin(), around.end(), other.begin())) continue;
      auto tag = b->getChiralTag();
      if (odd(around, other)) tag = tag == RDKit::Atom::CHI_TETRAHEDRAL_CW ? RDKit::Atom::CHI_TETRAHEDRAL_CCW : RDKit::Atom::CHI_TETRAHEDRAL_CW;
      if (tetrahedral(a) && a->getChiralTag() != tag) return nullptr;
      a->setChiralTag(tag);
    }
    for (const auto b : c.bonds()) {
      if (b->getBondType() == RDKit::Bond::DOUBLE && b->getStereo() <= RDKit::Bond::STEREOANY) set_double(c, b, mol, match);
    }
    RDKit::MolOps::assignStereochemistry(c, false, true);
    return copy(RDKit::MolToSmiles(c));
  });
}

int molecule_vaguer(molecule *a, molecule *b, char **error) {
  return guarded(error, [&]() -> int {
    RWMol query(*rd(a)), mol(*rd(b));
    std::map<std::pair<uint64_t, unsigned>, unsigned> isotopes;
    mark(query, isotopes);
    mark(mol, isotopes);
    RDKit::SubstructMatchParameters params;
    params.uniquify = false;
    params.maxMatches = most_symmetries;
    // RDKit looks at the configurations of whole matches only: their number is bounded here first.
    if (RDKit::SubstructMatch(mol, query, params).size() == most_symmetries) {
      throw std::length_error("more than " + std::to_string(most_symmetries) + " symmetries");
    }
    params.useChirality = true; // which allows more configurations in mol
    params.maxMatches = 1;
    return !RDKit::SubstructMatch(mol, query, params).empty();
  });
}
}
