#include "guard.h"
#include "symmetry.h"

#include <map>
#include <stdexcept>
#include <string>

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

}  // namespace

extern "C" {

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
