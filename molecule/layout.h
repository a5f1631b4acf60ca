#pragma once

#include "guard.h"

#include <cmath>

#include <GraphMol/Depictor/RDDepictor.h>

namespace shim {

// place_by_coordgen computes coordinates in the plane by CoordGen, if RDKit was built with it. Only a global variable selects it: the
// caller must hold log_mutex alone.
inline void place_by_coordgen(RWMol &mol) {
  struct Selected {
    Selected() { RDDepict::preferCoordGen = true; }
    ~Selected() { RDDepict::preferCoordGen = false; }
  } selected;
  RDDepict::compute2DCoords(mol);
}

// crosses reports whether two bonds of a drawing cross.
inline bool crosses(const RDGeom::Point3D &a, const RDGeom::Point3D &b, const RDGeom::Point3D &c, const RDGeom::Point3D &d) {
  const auto side = [](const RDGeom::Point3D &p, const RDGeom::Point3D &q, const RDGeom::Point3D &r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

// overlaps returns how many atoms of a drawing lie on others, and how many bonds cross.
inline int overlaps(const ROMol &mol) {
  const double close = 0.5; // of bonds of 1.5
  const auto &at = mol.getConformer().getPositions();
  int n = 0;
  for (unsigned i = 0; i < at.size(); i++) {
    for (unsigned j = 0; j < i; j++) n += std::hypot(at[i].x - at[j].x, at[i].y - at[j].y) < close;
  }
  for (const auto a : mol.bonds()) {
    for (const auto b : mol.bonds()) {
      n += a->getIdx() < b->getIdx() && crosses(at[a->getBeginAtomIdx()], at[a->getEndAtomIdx()], at[b->getBeginAtomIdx()], at[b->getEndAtomIdx()]);
    }
  }
  return n;
}

}  // namespace shim
