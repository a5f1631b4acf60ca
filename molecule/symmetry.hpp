#include "symmetry.h"

#include <algorithm>

#include <GraphMol/RWMol.h>

using RDKit::Atom;
using RDKit::Bond;
using RDKit::ROMol;

namespace {

// mix is the finalizer of SplitMix64 (Steele, Lea & Flood 2014).
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

size_t distinct(std::vector<uint64_t> v) {
  std::sort(v.begin(), v.end());
  return std::unique(v.begin(), v.end()) - v.begin();
}

// merged reports whether an atom is a hydrogen that a SMILES usually has as a property of its neighbor.
bool merged(const Atom *a) { return a->getAtomicNum() == 1 && a->getIsotope() == 0 && a->getDegree() == 1; }

struct Link {
  unsigned to;
  uint64_t type; // a hash
};

// Neighbors are those of all atoms: those of atom i are edges[first[i]] to edges[first[i + 1] - 1].
struct Neighbors {
  std::vector<unsigned> first;
  std::vector<Link> edges;

  // It leaves out merged hydrogens.
  explicit Neighbors(const ROMol &mol) : first(mol.getNumAtoms() + 1), edges(2 * mol.getNumBonds()) {
    std::vector<const Bond *> bonds;
    for (const auto b : mol.bonds()) {
      if (merged(b->getBeginAtom()) || merged(b->getEndAtom())) continue;
      bonds.push_back(b);
      first[b->getBeginAtomIdx()]++;
      first[b->getEndAtomIdx()]++;
    }
    for (size_t i = 1; i < first.size(); i++) first[i] += first[i - 1];
    for (const auto b : bonds) {
      const auto begin = b->getBeginAtomIdx(), end = b->getEndAtomIdx();
      const auto type = mix(b->getBondType());
      edges[--first[begin]] = {end, type};
      edges[--first[end]] = {begin, type};
    }
  }

  unsigned degree(unsigned i) const { return first[i + 1] - first[i]; }
};

std::vector<uint64_t> refine(const ROMol &mol, const Neighbors &neighbors) {
  std::vector<uint64_t> color(mol.getNumAtoms());
  for (const auto a : mol.atoms()) {
    const uint64_t heavy = neighbors.degree(a->getIdx()), hydrogens = a->getTotalNumHs() + a->getDegree() - heavy;
    color[a->getIdx()] = mix(a->getAtomicNum() | uint64_t(a->getFormalCharge() & 0xff) << 8 | uint64_t(a->getIsotope()) << 16 |
                             hydrogens << 32 | heavy << 40 | uint64_t(a->getNumRadicalElectrons()) << 48);
  }
  std::vector<uint64_t> next(color.size());
  for (size_t classes = 0, n = distinct(color); n > classes && classes < color.size(); n = distinct(color)) {
    classes = n;
    for (size_t i = 0; i < color.size(); i++) {
      next[i] = mix(color[i]);
      for (auto e = neighbors.first[i]; e < neighbors.first[i + 1]; e++) {
        next[i] += mix(color[neighbors.edges[e].to] ^ neighbors.edges[e].type);
      }
    }
    color.swap(next);
  }
  return color;
}

// place returns a number that is the same for symmetric atoms, and unlike colors sees rings: of the rings that atom i is in, and of how many
// atoms of each color are how far.
uint64_t place(const ROMol &mol, const Neighbors &neighbors, const std::vector<uint64_t> &color, unsigned i) {
  uint64_t sum = 0;
  for (const auto size : mol.getRingInfo()->atomRingSizes(i)) sum += mix(size);
  std::vector<unsigned> distance(color.size()), queue{i}; // distances from 1
  distance[i] = 1;
  for (size_t next = 0; next < queue.size(); next++) {
    const auto at = queue[next];
    sum += mix(color[at] ^ distance[at]);
    for (auto e = neighbors.first[at]; e < neighbors.first[at + 1]; e++) {
      const auto to = neighbors.edges[e].to;
      if (distance[to] > 0) continue;
      distance[to] = distance[at] + 1;
      queue.push_back(to);
    }
  }
  return sum;
}

// ordinary reports whether RDKit surely reads an atom as it writes it.
bool ordinary(const ROMol &mol, const Atom *a) {
  switch (a->getAtomicNum()) {
  case 5: case 6: case 7: case 8: case 9: case 14: case 15: case 16: case 17: case 34: case 35: case 53:
    break;
  default:
    return false;
  }
  if (a->getNumRadicalElectrons() > 0 || a->hasQuery()) return false;
  if (a->getIsAromatic() || a->getAtomicNum() > 9) return true;
  // RDKit does not check the valences of atoms that only the input calls aromatic.
  double valence = a->getNumExplicitHs();
  for (const auto b : mol.atomBonds(a)) valence += b->getBondTypeAsDouble();
  switch (a->getAtomicNum() - a->getFormalCharge()) { // that of the element with as many electrons
  case 5: case 7:
    return valence <= 3;
  case 6:
    return valence <= 4;
  case 8:
    return valence <= 2;
  default:
    return valence <= 1;
  }
}

bool ordinary(const Bond *b) {
  switch (b->getBondType()) {
  case Bond::SINGLE: case Bond::DOUBLE: case Bond::TRIPLE:
    return true;
  case Bond::AROMATIC:
    return b->getBeginAtom()->getIsAromatic() && b->getEndAtom()->getIsAromatic();
  default:
    return false;
  }
}

}  // namespace

namespace shim {

std::vector<uint64_t> colors(const ROMol &mol) { return refine(mol, Neighbors(mol)); }

bool settled(const ROMol &mol) {
  for (const auto a : mol.atoms()) {
    if (!ordinary(mol, a)) return false;
  }
  for (const auto b : mol.bonds()) {
    if (!ordinary(b)) return false;
  }
  const Neighbors neighbors(mol);
  const auto color = refine(mol, neighbors);
  std::vector<std::pair<uint64_t, unsigned>> sorted; // atoms by color
  for (unsigned i = 0; i < color.size(); i++) sorted.emplace_back(color[i], i);
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> alone(color.size(), 1);
  for (size_t i = 1, first = 0; i < sorted.size(); i++) {
    if (sorted[i].first != sorted[first].first) {
      first = i;
      continue;
    }
    alone[sorted[first].second] = alone[sorted[i].second] = 0;
    // Atoms with one neighbor of the same color are as symmetric as these.
    if (neighbors.degree(sorted[i].second) > 1 &&
        place(mol, neighbors, color, sorted[i].second) != place(mol, neighbors, color, sorted[first].second)) {
      return false;
    }
  }
  // A configuration is independent of others if its atoms are alone in their classes and have neighbors of different ones.
  auto independent = [&](const Atom *a) {
    std::vector<uint64_t> around;
    for (const auto neighbor : mol.atomNeighbors(a)) around.push_back(color[neighbor->getIdx()]);
    return alone[a->getIdx()] && distinct(around) == around.size();
  };
  for (const auto a : mol.atoms()) {
    if (a->getChiralTag() != Atom::CHI_UNSPECIFIED && !independent(a)) return false;
  }
  for (const auto b : mol.bonds()) {
    if (b->getStereo() != Bond::STEREONONE && !(independent(b->getBeginAtom()) && independent(b->getEndAtom()))) return false;
  }
  return true;
}

}  // namespace shim
