#include "guard.h"
#include "layout.h"
#include "symmetry.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <GraphMol/Chirality.h>
#include <GraphMol/Descriptors/Crippen.h>
#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/Descriptors/MolSurf.h>
#include <GraphMol/Fingerprints/AtomPairs.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>
#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>

using namespace shim;

namespace {

// syntax_error returns the first line that parse logs, or NULL with *error if parse throws.
template <typename F>
char *syntax_error(char **error, F parse) {
  return guarded<std::unique_lock<std::shared_mutex>>(error, [&] {
    std::ostringstream log;
    rdErrorLog = std::make_shared<boost::logging::rdLogger>(&log);
    try {
      delete parse();
    } catch (...) {
      rdErrorLog.reset();
      throw;
    }
    rdErrorLog.reset();
    auto line = log.str().substr(0, log.str().find('\n'));
    auto stamp = line.find("] "); // "[12:34:56] SMILES Parse Error: …"
    return copy(stamp == std::string::npos ? line : line.substr(stamp + 2));
  });
}

template <typename Fingerprint>
std::vector<int64_t> pairs(const Fingerprint &fingerprint) {
  std::vector<int64_t> v;
  for (const auto &feature : fingerprint.getNonzeroElements()) { // an ordered map
    v.push_back(feature.first);
    v.push_back(feature.second);
  }
  return v;
}

RDKit::SmilesParserParams options() {
  RDKit::SmilesParserParams params;
  params.allowCXSMILES = false;
  params.parseName = false;
  return params;
}

// graph returns what molecule_graph does.
std::vector<int64_t> graph(const ROMol &mol) {
  const auto rings = mol.getRingInfo();
  std::vector<int64_t> centers, doubles;
  for (const auto a : mol.atoms()) {
    const bool clockwise = a->getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CW;
    if (clockwise || a->getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CCW) centers.insert(centers.end(), {a->getIdx(), clockwise});
  }
  for (const auto b : mol.bonds()) {
    const bool cis = b->getStereo() == RDKit::Bond::STEREOZ || b->getStereo() == RDKit::Bond::STEREOCIS;
    const bool trans = b->getStereo() == RDKit::Bond::STEREOE || b->getStereo() == RDKit::Bond::STEREOTRANS;
    const auto &ends = b->getStereoAtoms();
    if ((cis || trans) && ends.size() == 2) doubles.insert(doubles.end(), {b->getIdx(), cis, ends[0], ends[1]});
  }
  std::vector<int64_t> v{mol.getNumAtoms(), mol.getNumBonds(), rings->numRings(), static_cast<int64_t>(centers.size() / 2),
                         static_cast<int64_t>(doubles.size() / 4)};
  for (const auto a : mol.atoms()) {
    v.insert(v.end(), {a->getAtomicNum(), a->getFormalCharge(), a->getIsotope(), a->getTotalNumHs(), a->getDegree(),
                       a->getHybridization(), a->getIsAromatic(), rings->numAtomRings(a->getIdx()) > 0});
  }
  for (const auto b : mol.bonds()) {
    v.insert(v.end(), {b->getBeginAtomIdx(), b->getEndAtomIdx(), static_cast<int64_t>(2 * b->getBondTypeAsDouble()),
                       b->getIsAromatic(), rings->numBondRings(b->getIdx()) > 0, b->getIsConjugated(),
                       b->getBondType() == RDKit::Bond::DATIVE});
  }
  for (const auto &ring : rings->atomRings()) {
    v.push_back(ring.size());
    v.insert(v.end(), ring.begin(), ring.end());
  }
  v.insert(v.end(), centers.begin(), centers.end());
  v.insert(v.end(), doubles.begin(), doubles.end());
  return v;
}

// plain returns a molecule that is not sanitized yet, or NULL if it has configurations or hydrogens that the sanitizer
// might remove, or if the syntax is wrong.
std::unique_ptr<RWMol> plain(const std::string &smiles) {
  if (smiles.find_first_of("@/\\") != std::string::npos) return nullptr;
  auto params = options();
  params.sanitize = params.removeHs = false;
  std::unique_ptr<RWMol> m(RDKit::SmilesToMol(smiles, params));
  if (m) {
    for (const auto a : m->atoms()) {
      if (a->getAtomicNum() == 1) return nullptr;
    }
  }
  return m;
}

// tautomeric reports whether the configuration of a double bond from carbon to nitrogen is lost in a tautomer, as that of an amidine.
bool tautomeric(const RDKit::Bond *b) {
  const auto c = b->getBeginAtom()->getAtomicNum() == 7 ? b->getEndAtom() : b->getBeginAtom(), n = b->getOtherAtom(c);
  if (c->getAtomicNum() != 6 || n->getAtomicNum() != 7) return false;
  if (n->getTotalNumHs() > 0) return true;
  for (const auto a : c->getOwningMol().atomNeighbors(c)) {
    if (a != n && a->getAtomicNum() == 7 && a->getTotalNumHs() > 0) return true;
  }
  return false;
}

// linear reports whether an atom has two double bonds alone, neither of which has a configuration: that of an azide, an isocyanate or an allene.
bool linear(const RDKit::Atom *a) {
  int twice = 0;
  for (const auto b : a->getOwningMol().atomBonds(a)) {
    twice += b->getBondType() == RDKit::Bond::DOUBLE;
  }
  return twice == 2 && a->getTotalDegree() == 2;
}

// tautomeric reports whether the configuration of a phosphorus is lost because it has two oxygens, or sulfurs, that differ by a hydrogen or charge.
bool tautomeric(const RDKit::Atom *p) {
  int ends = 0;
  for (const auto a : p->getOwningMol().atomNeighbors(p)) {
    ends += (a->getAtomicNum() == 8 || a->getAtomicNum() == 16) && a->getDegree() == 1;
  }
  return ends > 1;
}

}  // namespace

extern "C" {

const char *molecule_version() { return RDKit::rdkitVersion; }

molecule *molecule_parse(const char *smiles, size_t length, char **error) {
  const std::string text(smiles, length);
  auto parse = [&]() -> RWMol * {
    auto m = plain(text);
    if (!m) return RDKit::SmilesToMol(text, options());
    // What SmilesToMol does, without the search for configurations, which takes a quarter of its time.
    RDKit::MolOps::sanitizeMol(*m);
    m->setProp(RDKit::common_properties::_StereochemDone, 1, true);
    return m.release();
  };
  auto m = guarded(error, [&]() -> RWMol * {
    std::unique_ptr<RWMol> m(parse());
    if (!m) return nullptr;
    // The sanitizer takes aromatic bonds outside rings, even of [He]; molecule_atom_pairs would throw on some.
    for (const auto a : m->atoms()) RDKit::AtomPairs::getAtomCode(a);
    return m.release();
  });
  if (!m && !*error) {
    if (auto line = syntax_error(error, parse)) *error = line;
  }
  return handle(m);
}

molecule *molecule_query(const char *smarts, size_t length, int merge, char **error) {
  RDKit::SmartsParserParams params;
  params.allowCXSMILES = false;
  params.parseName = false;
  params.mergeHs = merge != 0;
  auto parse = [&] { return RDKit::SmartsToMol(std::string(smarts, length), params); };
  auto query = guarded(error, parse);
  if (!query && !*error) {
    if (auto line = syntax_error(error, parse)) *error = line;
  }
  return handle(query);
}

void molecule_free(molecule *m) { delete rd(m); }

char *molecule_smiles(molecule *m, int *settled, char **error) {
  return guarded(error, [&] {
    *settled = shim::settled(*rd(m));
    return copy(RDKit::MolToSmiles(*rd(m)));
  });
}

char *molecule_formula(molecule *m, char **error) {
  return guarded(error, [&] { return copy(RDKit::Descriptors::calcMolFormula(*rd(m))); });
}

double molecule_descriptor(molecule *m, int which, char **error) {
  return guarded(error, [&]() -> double {
    switch (which) {
    case 0:
      return RDKit::Descriptors::calcClogP(*rd(m));
    case 1:
      return RDKit::Descriptors::calcTPSA(*rd(m));
    case 2:
      return RDKit::Descriptors::calcAMW(*rd(m));
    default:
      return RDKit::Descriptors::calcNumRotatableBonds(*rd(m), RDKit::Descriptors::Strict);
    }
  });
}

int64_t *molecule_morgan(molecule *m, unsigned radius, int roles, char **error) {
  return guarded(error, [&] {
    std::vector<uint32_t> invariants;
    if (roles) {
      invariants.resize(rd(m)->getNumAtoms());
      RDKit::MorganFingerprints::getFeatureInvariants(*rd(m), invariants);
    }
    std::unique_ptr<RDKit::SparseIntVect<uint32_t>> fingerprint(
        RDKit::MorganFingerprints::getFingerprint(*rd(m), radius, roles ? &invariants : nullptr));
    return copy(pairs(*fingerprint));
  });
}

int64_t *molecule_atom_pairs(molecule *m, char **error) {
  return guarded(error, [&] {
    const unsigned longest = 10;
    std::unique_ptr<RDKit::SparseIntVect<int32_t>> fingerprint(
        RDKit::AtomPairs::getAtomPairFingerprint(*rd(m), 1, longest));
    return copy(pairs(*fingerprint));
  });
}

int64_t *molecule_graph(molecule *m, char **error) {
  return guarded(error, [&] { return copy(graph(*rd(m))); });
}

int64_t *molecule_kekule_graph(const char *smiles, size_t length, char **error) {
  return guarded(error, [&]() -> int64_t * {
    const auto m = plain(std::string(smiles, length));
    if (!m) return nullptr;
    unsigned failed;
    RDKit::MolOps::sanitizeMol(*m, failed, RDKit::MolOps::SANITIZE_CLEANUP | RDKit::MolOps::SANITIZE_PROPERTIES |
                                               RDKit::MolOps::SANITIZE_SYMMRINGS);
    RDKit::MolOps::Kekulize(*m, true); // as molecule_kekule: sanitizing may choose other bonds
    return copy(graph(*m));
  });
}

int64_t *molecule_matches(molecule *m, molecule *query, int unique, unsigned most, char **error) {
  return guarded(error, [&] {
    RDKit::SubstructMatchParameters params;
    params.uniquify = unique != 0;
    params.maxMatches = most;
    std::vector<int64_t> v{rd(query)->getNumAtoms()};
    for (const auto &match : RDKit::SubstructMatch(*rd(m), *rd(query), params)) { // (atom of query, atom of m)
      for (const auto &atoms : match) v.push_back(atoms.second);
    }
    return copy(v);
  });
}

int64_t *molecule_stereocenters(molecule *m, char **error) {
  return guarded(error, [&] {
    RWMol mol(*rd(m)); // which gets properties
    RDKit::MolOps::assignStereochemistry(mol, false, true, true);
    std::vector<int64_t> v{0, 0};
    for (const auto a : mol.atoms()) {
      if (a->hasProp(RDKit::common_properties::_CIPCode)) {
        v[0]++;
      } else if (a->hasProp(RDKit::common_properties::_ChiralityPossible)) {
        v[1]++;
      }
    }
    return copy(v);
  });
}

int64_t *molecule_undefined(molecule *m, char **error) {
  return guarded(error, [&] {
    RWMol mol(*rd(m)); // which gets properties
    RDKit::MolOps::assignStereochemistry(mol, false, true, true);
    std::vector<unsigned> bridgeheads; // of a symmetric cage may look like centers that depend on each other
    RDKit::Descriptors::calcNumBridgeheadAtoms(mol, &bridgeheads);
    std::vector<int64_t> sites;
    for (const auto &s : RDKit::Chirality::findPotentialStereo(mol)) {
      if (s.specified != RDKit::Chirality::StereoSpecified::Unspecified) continue;
      if (s.type == RDKit::Chirality::StereoType::Bond_Double) {
        const auto bond = mol.getBondWithIdx(s.centeredOn);
        if (!tautomeric(bond) && !linear(bond->getBeginAtom()) && !linear(bond->getEndAtom())) sites.push_back(-1 - int64_t(s.centeredOn));
        continue;
      }
      const auto atom = mol.getAtomWithIdx(s.centeredOn);
      const bool alone = atom->hasProp(RDKit::common_properties::_ChiralityPossible);
      if (atom->getAtomicNum() == 15) { // RDKit takes it for square, too
        if (alone && !tautomeric(atom)) sites.push_back(s.centeredOn);
        continue;
      }
      if (s.type != RDKit::Chirality::StereoType::Atom_Tetrahedral) continue;
      // Phosphonates are no centers, which RDKit takes them for: a carbon that bears two does not depend on them.
      unsigned phosphorus = 0;
      for (const auto other : mol.atomNeighbors(atom)) phosphorus += other->getAtomicNum() == 15;
      if (!alone && phosphorus > 1) continue;
      if (alone || std::find(bridgeheads.begin(), bridgeheads.end(), s.centeredOn) == bridgeheads.end()) sites.push_back(s.centeredOn);
    }
    return copy(sites);
  });
}

int64_t *molecule_bridges(molecule *m, char **error) {
  return guarded(error, [&] {
    return copy(std::vector<int64_t>{RDKit::Descriptors::calcNumSpiroAtoms(*rd(m)), RDKit::Descriptors::calcNumBridgeheadAtoms(*rd(m))});
  });
}

molecule *molecule_depict(molecule *m, char **error) {
  const auto copied = [m] {
    auto depicted = std::make_unique<RWMol>(*rd(m));
    // Coordinates depend on ranks of atoms, which molecule_parse does not always compute.
    if (!depicted->getAtomWithIdx(0)->hasProp(RDKit::common_properties::_CIPRank)) {
      RDKit::MolOps::assignStereochemistry(*depicted, true, true, true);
    }
    return depicted;
  };
  int overlapping = 0;
  const auto depicted = guarded(error, [&] {
    auto usual = copied();
    RDKit::MolDraw2DUtils::prepareMolForDrawing(*usual);
    overlapping = overlaps(*usual);
    return handle(usual.release());
  });
  if (!overlapping) return depicted;
  char *refused = nullptr;
  const auto other = guarded<std::unique_lock<std::shared_mutex>>(&refused, [&]() -> molecule * {
    auto other = copied();
    place_by_coordgen(*other);
    RDKit::MolDraw2DUtils::prepareMolForDrawing(*other);
    return overlaps(*other) < overlapping ? handle(other.release()) : nullptr;
  });
  std::free(refused);
  if (!other) return depicted;
  delete rd(depicted);
  return other;
}

char *molecule_draw(molecule *m, int size, char **error) {
  return guarded(error, [&] {
    RDKit::MolDraw2DSVG drawing(size, size);
    drawing.drawOptions().prepareMolsBeforeDrawing = false; // molecule_depict did it
    drawing.drawOptions().fixedBondLength = size / 9.0;     // at most: small molecules are no larger than others
    drawing.drawMolecule(*rd(m));
    drawing.finishDrawing();
    return copy(drawing.getDrawingText());
  });
}
}
