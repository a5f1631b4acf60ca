//go:build rdkit && cgo

#include "conformer.h"

// Not a copy of the guard: RDKit's logs are shared by the process, and so is the lock that guard.h keeps on them.
#include "../../molecule/guard.h"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/ForceFieldHelpers/UFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/UFF/UFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/SanitException.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

using namespace shim;

namespace {

// What docking_embed was given, for check_stop: RDKit's callback takes no argument of ours.
thread_local const int32_t *stop_flag;

void check_stop(unsigned) {
  if (__atomic_load_n(stop_flag, __ATOMIC_RELAXED)) throw std::runtime_error("stopped");
}

std::unique_ptr<RWMol> parse(const char *smiles) {
  std::unique_ptr<RWMol> m(RDKit::SmilesToMol(std::string(smiles)));
  if (!m) throw std::runtime_error(std::string("RDKit does not read the SMILES ") + smiles);
  for (const auto a : m->atoms()) {
    if (a->getNumRadicalElectrons()) throw std::runtime_error("a radical");
  }
  return m;
}

// relax minimises the energy of the conformer of m.
void relax(RWMol &m) {
  constexpr int iterations = 1000;
  constexpr double everything = 100; // Å between atoms that repel each other: RDKit's default in Python, not in C++
  std::unique_ptr<RWMol> kekule(new RWMol(m)); // MMFF changes its molecule
  try {
    RDKit::MMFF::sanitizeMMFFMol(*kekule);
    RDKit::MMFF::MMFFMolProperties properties(*kekule);
    if (properties.isValid()) {
      if (RDKit::MMFF::MMFFOptimizeMolecule(*kekule, iterations, "MMFF94", everything).first != 0) {
        throw std::runtime_error("MMFF94 does not converge");
      }
      m.getConformer().getPositions() = kekule->getConformer().getPositions();
      return;
    }
  } catch (const RDKit::KekulizeException &) { // of bonds that RDKit calls aromatic and MMFF94 does not
  }
  if (!RDKit::UFF::getAtomTypes(m).second) throw std::runtime_error("no force field has its parameters");
  if (RDKit::UFF::UFFOptimizeMolecule(m, iterations).first != 0) throw std::runtime_error("UFF does not converge");
}

}  // namespace

extern "C" {

char *docking_uncharge(const char *smiles, char **error) {
  return guarded(error, [&] {
    auto m = parse(smiles);
    RDKit::MolStandardize::Uncharger uncharger;
    std::unique_ptr<ROMol> neutral(uncharger.uncharge(*m));
    return copy(RDKit::MolToSmiles(*neutral));
  });
}

char *docking_embed(const char *smiles, int seed, const int32_t *stop, char **error) {
  return guarded(error, [&] {
    auto m = parse(smiles);
    RDKit::MolOps::addHs(*m);
    auto parameters = RDKit::DGeomHelpers::ETKDG;
    parameters.maxIterations = 10 * m->getNumAtoms();
    parameters.randomSeed = seed;
    parameters.callback = check_stop;
    stop_flag = stop;
    if (RDKit::DGeomHelpers::EmbedMolecule(*m, parameters) < 0) throw std::runtime_error("its atoms find no place in space");
    relax(*m);
    return copy(RDKit::MolToMolBlock(*m));
  });
}

}  // extern "C"
