#include "guard.h"
#include "layout.h"
#include "input.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolDraw2D/MolDraw2D.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/StereoGroup.h>
#include <GraphMol/SubstanceGroup.h>

using namespace shim;
using RDKit::Atom;
using RDKit::Bond;

namespace {

// require throws unless mol is a single, known structure.
void require(const ROMol &mol) {
  if (mol.getNumAtoms() == 0) throw std::invalid_argument("no atoms");
  for (const auto a : mol.atoms()) {
    if (a->getAtomicNum() == 0 || a->hasQuery()) {
      throw std::invalid_argument("atom " + std::to_string(a->getIdx() + 1) + " is a wildcard, an R group or a query");
    }
  }
  for (const auto b : mol.bonds()) {
    if (b->hasQuery()) throw std::invalid_argument("bond " + std::to_string(b->getIdx() + 1) + " is a query");
  }
  for (const auto &group : RDKit::getSubstanceGroups(mol)) {
    const auto type = group.getProp<std::string>("TYPE");
    if (type != "DAT" && type != "SUP" && type != "GEN") throw std::invalid_argument("a polymer or mixture (group " + type + ")");
  }
}

// extension returns the CXSMILES extension of the groups of centers whose configuration is relative or racemic: " |o1:3,&2:1,5|". It
// numbers atoms as the SMILES that was written last.
std::string extension(const ROMol &mol) {
  std::vector<unsigned> order;
  mol.getPropIfPresent(RDKit::common_properties::_smilesAtomOutputOrder, order);
  std::string text;
  int number = 0;
  for (const auto &group : mol.getStereoGroups()) {
    if (group.getGroupType() == RDKit::StereoGroupType::STEREO_ABSOLUTE) continue;
    text += text.empty() ? " |" : ",";
    text += group.getGroupType() == RDKit::StereoGroupType::STEREO_AND ? "&" : "o";
    text += std::to_string(++number);
    char separator = ':';
    for (const auto a : group.getAtoms()) {
      text += separator + std::to_string(std::find(order.begin(), order.end(), a->getIdx()) - order.begin());
      separator = ',';
    }
  }
  return text.empty() ? text : text + "|";
}

// cross marks double bonds without a configuration as such, since a drawing shows one of all that could have one: all, or those of large
// rings and those that RDKit finds. It does not look into rings, which have configurations from eight atoms on.
void cross(RWMol &mol, bool all) {
  RDKit::MolOps::findPotentialStereoBonds(mol);
  const auto rings = mol.getRingInfo();
  for (const auto b : mol.bonds()) {
    if (b->getBondType() != Bond::DOUBLE || b->getStereo() != Bond::STEREONONE) continue;
    const bool ring = rings->numBondRings(b->getIdx()) > 0;
    if (ring ? rings->minBondRingSize(b->getIdx()) < 8 : !all) continue;
    if (b->getBeginAtom()->getDegree() > 1 && b->getEndAtom()->getDegree() > 1) b->setStereo(Bond::STEREOANY);
  }
}

}  // namespace

extern "C" {

char *molecule_of_block(const char *block, size_t length, char **error) {
  return guarded(error, [&] {
    std::unique_ptr<RWMol> m(RDKit::MolBlockToMol(std::string(block, length), true, true, false));
    if (!m) throw std::invalid_argument("no atoms");
    require(*m);
    for (const auto a : m->atoms()) a->setAtomMapNum(0);
    const auto smiles = RDKit::MolToSmiles(*m);
    return copy(smiles + extension(*m));
  });
}

char *molecule_block(molecule *m, int way, char **error) {
  return guarded<std::unique_lock<std::shared_mutex>>(error, [&] {
    RWMol mol(*rd(m));
    // Coordinates depend on ranks of atoms, which molecule_parse does not always compute.
    if (!mol.getAtomWithIdx(0)->hasProp(RDKit::common_properties::_CIPRank)) {
      RDKit::MolOps::assignStereochemistry(mol, true, true, true);
    }
    if (way == 3) RDKit::MolOps::removeStereochemistry(mol);
    cross(mol, way > 0);
    if (way == 2) place_by_coordgen(mol);
    RDKit::MolDraw2DUtils::prepareMolForDrawing(mol, true, way < 2);
    return copy(RDKit::MolToMolBlock(mol));
  });
}

char *molecule_neutral(molecule *m, char **error) {
  return guarded(error, [&] {
    const ROMol &mol = *rd(m);
    std::unique_ptr<ROMol> neutral(RDKit::MolStandardize::Uncharger().uncharge(mol));
    // A hydrogen more would end the aromaticity of a cyclopentadienide, and one less makes a carbene of a cation.
    for (const auto a : mol.atoms()) {
      if (a->getAtomicNum() != 6 || a->getFormalCharge() == 0 || (a->getFormalCharge() < 0 && !a->getIsAromatic())) continue;
      const auto changed = neutral->getAtomWithIdx(a->getIdx());
      changed->setFormalCharge(a->getFormalCharge());
      changed->setNoImplicit(a->getNoImplicit());
      changed->setNumExplicitHs(a->getNumExplicitHs());
      changed->updatePropertyCache(false);
    }
    return copy(RDKit::MolToSmiles(*neutral));
  });
}
}
