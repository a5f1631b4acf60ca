#include "guard.h"
#include "reaction.h"
#include "symmetry.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <GraphMol/ChemReactions/Reaction.h>
#include <GraphMol/ChemReactions/ReactionParser.h>
#include <GraphMol/ChemReactions/SanitizeRxn.h>
#include <GraphMol/ChemTransforms/MolFragmenter.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmartsWrite.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>
#include <GraphMol/new_canon.h>

namespace shim {

inline RDKit::ChemicalReaction *rd(reaction *r) { return reinterpret_cast<RDKit::ChemicalReaction *>(r); }

}  // namespace shim

using namespace shim;
using RDKit::ChemicalReaction;

namespace {

// skeleton returns a text that molecules have in common which differ in hydrogens, charges, bond orders and configurations alone.
std::string skeleton(const ROMol &mol) {
  RWMol s(mol);
  for (const auto a : s.atoms()) {
    a->setIsAromatic(false);
    a->setFormalCharge(0);
    a->setNoImplicit(true);
    a->setNumExplicitHs(0);
    a->setNumRadicalElectrons(0);
    a->setChiralTag(RDKit::Atom::CHI_UNSPECIFIED);
  }
  for (const auto b : s.bonds()) {
    b->setBondType(RDKit::Bond::SINGLE);
    b->setIsAromatic(false);
    b->setStereo(RDKit::Bond::STEREONONE);
    b->setBondDir(RDKit::Bond::NONE);
  }
  s.updatePropertyCache(false);
  return RDKit::MolToSmiles(s);
}

std::string lines(const std::vector<std::string> &all) {
  std::string text;
  for (const auto &line : all) text += line + "\n";
  return text;
}

// finished returns the SMILES of a product, or "" if it is no molecule.
std::string finished(RWMol &product) {
  try {
    for (const auto a : product.atoms()) a->setAtomMapNum(0);
    RDKit::MolOps::sanitizeMol(product);
    RDKit::MolOps::assignStereochemistry(product, true, true);
    return RDKit::MolToSmiles(product);
  } catch (const std::exception &) { // a valence that is too large, or a ring that cannot be aromatic
    return "";
  }
}

}  // namespace

extern "C" {

reaction *reaction_parse(const char *smarts, size_t length, char **error) {
  return guarded(error, [&] {
    std::unique_ptr<ChemicalReaction> r(RDKit::RxnSmartsToChemicalReaction(std::string(smarts, length)));
    RDKit::RxnOps::fixHs(*r); // molecules have no explicit hydrogens, which templates may ask for
    r->initReactantMatchers();
    return reinterpret_cast<reaction *>(r.release());
  });
}

void reaction_free(reaction *r) { delete rd(r); }

char *reaction_templates(reaction *r, char **error) {
  return guarded(error, [&] {
    std::vector<std::string> all;
    for (const auto &t : rd(r)->getReactants()) all.push_back(RDKit::MolToSmarts(*t));
    return copy(lines(all));
  });
}

char *reaction_run(reaction *r, molecule **reactants, size_t n, int strict, char **error) {
  return guarded(error, [&] {
    const unsigned most = 100;
    const auto &templates = rd(r)->getReactants();
    RDKit::MatchVectType match;
    for (size_t i = 0; strict && i < n; i++) {
      for (size_t k = 0; k < n; k++) {
        if (i != k && RDKit::SubstructMatch(*shim::rd(reactants[i]), *templates[k], match)) return copy(std::string());
      }
    }
    RDKit::MOL_SPTR_VECT given;
    for (size_t i = 0; i < n; i++) given.emplace_back(shim::rd(reactants[i]), [](ROMol *) {}); // the caller frees them
    std::map<std::string, std::shared_ptr<RWMol>> distinct; // by SMILES
    for (const auto &products : rd(r)->runReactants(given, most)) {
      auto product = std::make_shared<RWMol>(*products[0]);
      const auto smiles = finished(*product);
      if (!smiles.empty()) distinct.emplace(smiles, product);
    }
    std::vector<std::string> all;
    std::set<std::string> skeletons;
    for (const auto &product : distinct) { // the first SMILES stands for its tautomers
      if (distinct.size() == 1 || skeletons.insert(skeleton(*product.second)).second) all.push_back((settled(*product.second) ? "1 " : "0 ") + product.first);
    }
    return copy(lines(all));
  });
}

int64_t *molecule_sites(molecule *m, molecule **queries, size_t n, char **error) {
  return guarded(error, [&] {
    RDKit::SubstructMatchParameters params;
    params.uniquify = true;
    params.maxMatches = 20;
    std::vector<unsigned> ranks;
    std::vector<int64_t> v;
    for (size_t i = 0; i < n; i++) {
      const auto matches = RDKit::SubstructMatch(*shim::rd(m), *shim::rd(queries[i]), params);
      std::set<std::vector<unsigned>> different;
      if (matches.size() > 1 && ranks.empty()) RDKit::Canon::rankMolAtoms(*shim::rd(m), ranks, false);
      for (size_t k = 0; matches.size() > 1 && k < matches.size(); k++) {
        std::vector<unsigned> of;
        for (const auto &atoms : matches[k]) of.push_back(ranks[atoms.second]);
        std::sort(of.begin(), of.end());
        different.insert(of);
      }
      v.push_back(matches.size() > 1 ? different.size() : matches.size());
      v.push_back(matches.size());
      v.push_back(shim::rd(queries[i])->getNumAtoms());
      for (const auto &match : matches) {
        for (const auto &atoms : match) v.push_back(atoms.second);
      }
    }
    return copy(v);
  });
}

char *molecule_cut(molecule *m, const int64_t *bonds, size_t n, char **error) {
  return guarded(error, [&] {
    RWMol mol(*shim::rd(m));
    std::vector<unsigned> cut;
    std::vector<std::pair<unsigned, unsigned>> labels;
    for (size_t i = 0; i < n; i++, bonds += 4) {
      const auto bond = mol.getBondBetweenAtoms(bonds[0], bonds[1]);
      if (!bond) throw std::runtime_error("no bond between two atoms");
      cut.push_back(bond->getIdx());
      const bool along = static_cast<int64_t>(bond->getBeginAtomIdx()) == bonds[0];
      labels.emplace_back(bonds[along ? 3 : 2], bonds[along ? 2 : 3]); // RDKit begins with the number at the end of the bond
    }
    std::unique_ptr<RWMol> pieces(static_cast<RWMol *>(RDKit::MolFragmenter::fragmentOnBonds(mol, cut, true, &labels)));
    for (const auto a : pieces->atoms()) {
      if (a->getAtomicNum() != 0) continue;
      a->setAtomMapNum(a->getIsotope());
      a->setIsotope(0);
    }
    RDKit::MolOps::sanitizeMol(*pieces);
    RDKit::MolOps::assignStereochemistry(*pieces, true, true);
    return copy(RDKit::MolToSmiles(*pieces));
  });
}

char *molecule_zip(molecule *m, char **error) {
  return guarded(error, [&] {
    const auto joined = RDKit::molzip(*shim::rd(m));
    RWMol mol(*joined);
    RDKit::MolOps::sanitizeMol(mol);
    RDKit::MolOps::assignStereochemistry(mol, true, true);
    return copy(RDKit::MolToSmiles(mol));
  });
}

molecule *molecule_bare(molecule *m, char **error) {
  return guarded(error, [&] {
    auto bare = std::make_unique<RWMol>(*shim::rd(m));
    bare->beginBatchEdit();
    for (const auto a : bare->atoms()) {
      if (a->getAtomicNum() == 0) bare->removeAtom(a);
    }
    bare->commitBatchEdit();
    return handle(bare.release());
  });
}
}
