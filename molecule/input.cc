//go:build rdkit && cgo

#include "guard.h"
#include "input.h"

#include <memory>
#include <stdexcept>
#include <string>

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

using namespace shim;

extern "C" {

char *molecule_of_block(const char *block, size_t length, unsigned most, char **kind, char **error) {
  const std::string text(block, length);
  return guarded(error, [&] {
    return kinded(kind, [&]() -> char * {
      // The sanitizer takes long for what has many atoms: they are counted without it.
      std::unique_ptr<RWMol> m(RDKit::MolBlockToMol(text, false, false, false));
      if (m && m->getNumAtoms() > most) {
        throw std::length_error(std::to_string(m->getNumAtoms()) + " atoms; the limit is " + std::to_string(most));
      }
      if (m) m.reset(RDKit::MolBlockToMol(text, true, true, false));
      if (!m || m->getNumAtoms() == 0) throw std::invalid_argument("no atoms");
      return copy(RDKit::MolToSmiles(*m));
    });
  });
}

char *molecule_block(molecule *depicted, char **error) {
  return guarded(error, [&] { return copy(RDKit::MolToMolBlock(*rd(depicted), true, -1, true)); });
}

char *molecule_neutral(molecule *m, char **error) {
  return guarded(error, [&] {
    std::unique_ptr<ROMol> neutral(RDKit::MolStandardize::Uncharger().uncharge(*rd(m)));
    return copy(RDKit::MolToSmiles(*neutral));
  });
}
}
