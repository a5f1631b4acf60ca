//go:build rdkit && cgo

// All of the shim in one translation unit: the compiler takes 5 s to read RDKit's headers, and a third of the time for all parts of what
// it takes for each of them alone.
#include "conformer.hpp"
#include "edit.hpp"
#include "input.hpp"
#include "reaction.hpp"
#include "screen.hpp"
#include "shim.hpp"
#include "stereo.hpp"
#include "symmetry.hpp"
