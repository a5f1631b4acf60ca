#include "guard.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include <ForceField/Contrib.h>
#include <ForceField/ForceField.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/ForceFieldHelpers/MMFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/MMFF/Builder.h>
#include <GraphMol/ForceFieldHelpers/UFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/UFF/Builder.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SanitException.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

using namespace shim;

namespace {

// What molecule_conformer was given, for check_stop: RDKit's callback takes no argument of ours.
thread_local const int32_t *stop_flag;

bool stopped() { return __atomic_load_n(stop_flag, __ATOMIC_RELAXED); }

void check_stop(unsigned) {
  restore_interrupts(); // so that Ctrl-C reaches Go while RDKit embeds
  if (stopped()) throw std::runtime_error("stopped");
}

// Stop is a term of a force field that has no energy, and ends its minimization when molecule_conformer is to stop: with a gradient of
// zero, for of an exception RDKit's minimizer would lose its memory, which grows with the square of the atoms.
struct Stop : ForceFields::ForceFieldContrib {
  using ForceFieldContrib::ForceFieldContrib;
  mutable bool begun = false; // to RDKit, beginning with a gradient of zero is an error

  double getEnergy(double *) const override { return 0; }
  void getGrad(double *, double *gradient) const override {
    if (begun && stopped()) std::fill_n(gradient, dp_forceField->dimension() * dp_forceField->numPoints(), 0);
    begun = true;
  }
  Stop *copy() const override { return new Stop(*this); }
};

// converges minimises the energy of a force field, which it deletes, and says whether it came to an end.
bool converges(ForceFields::ForceField *made) {
  constexpr int iterations = 1000;
  std::unique_ptr<ForceFields::ForceField> field(made);
  field->contribs().push_back(ForceFields::ContribPtr(new Stop(made)));
  field->initialize();
  const bool converged = field->minimize(iterations) == 0;
  check_stop(0);
  return converged;
}

std::unique_ptr<RWMol> parse(const std::string &smiles) {
  std::unique_ptr<RWMol> m(RDKit::SmilesToMol(smiles));
  if (!m) throw std::runtime_error("RDKit does not read the SMILES " + smiles);
  for (const auto a : m->atoms()) {
    if (a->getNumRadicalElectrons()) throw std::runtime_error("a radical");
  }
  return m;
}

// relax minimises the energy of the conformer of m.
void relax(RWMol &m) {
  constexpr double everything = 100; // Å between atoms that repel each other: RDKit's default in Python, not in C++
  std::unique_ptr<RWMol> kekule(new RWMol(m)); // MMFF changes its molecule
  try {
    RDKit::MMFF::sanitizeMMFFMol(*kekule);
    RDKit::MMFF::MMFFMolProperties properties(*kekule);
    if (properties.isValid()) {
      if (!converges(RDKit::MMFF::constructForceField(*kekule, everything))) throw std::runtime_error("MMFF94 does not converge");
      m.getConformer().getPositions() = kekule->getConformer().getPositions();
      return;
    }
  } catch (const RDKit::KekulizeException &) { // of bonds that RDKit calls aromatic and MMFF94 does not
  }
  if (!RDKit::UFF::getAtomTypes(m).second) throw std::runtime_error("no force field has its parameters");
  constexpr double near = 10; // times the smallest distance of two atoms: RDKit's default
  if (!converges(RDKit::UFF::constructForceField(m, near))) throw std::runtime_error("UFF does not converge");
}

}  // namespace

extern "C" {

char *molecule_conformer(const char *smiles, size_t length, int seed, const int32_t *stop, char **error) {
  return guarded(error, [&] {
    auto m = parse(std::string(smiles, length));
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
