//go:build rdkit && cgo

// All parts of the shim are one translation unit: reading RDKit's headers takes the compiler some 5 s, which it would spend on each part. So
// compiled, they take 19 s of CPU instead of 54 s.
#include "conformer.hpp"
#include "edit.hpp"
#include "input.hpp"
#include "reaction.hpp"
#include "screen.hpp"
#include "shim.hpp"
#include "stereo.hpp"
#include "symmetry.hpp"
