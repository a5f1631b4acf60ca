//go:build rdkit && cgo

package docking

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -I/usr/include/rdkit
// #cgo LDFLAGS: -lRDKitMolStandardize -lRDKitDistGeomHelpers -lRDKitForceFieldHelpers -lRDKitForceField -lRDKitFileParsers -lRDKitSmilesParse -lRDKitGraphMol -lRDKitRDGeneral
// #include <stdlib.h>
// #include "conformer.h"
import "C"

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"unsafe"
)

// uncharge returns a SMILES in which charges are neutralized by adding or removing hydrogens.
func uncharge(smiles string) (string, error) {
	in := C.CString(smiles)
	defer C.free(unsafe.Pointer(in))
	var cerr *C.char
	return result(C.docking_uncharge(in, &cerr), cerr)
}

// embed returns one conformer of a molecule, hydrogens included, as a MOL block. The search for it, which can take minutes if there
// is none, and the relaxation, which can for large molecules, stop when ctx ends.
func embed(ctx context.Context, smiles string, seed int) (mol string, err error) {
	in := C.CString(smiles)
	defer C.free(unsafe.Pointer(in))
	var stop int32
	defer context.AfterFunc(ctx, func() { atomic.StoreInt32(&stop, 1) })()
	var cerr *C.char
	out := C.docking_embed(in, C.int(seed), (*C.int32_t)(&stop), &cerr)
	return result(out, cerr)
}

// result converts the strings that C returned and frees them.
func result(out, cerr *C.char) (string, error) {
	if out == nil {
		defer C.free(unsafe.Pointer(cerr))
		return "", errors.New(strings.TrimSpace(C.GoString(cerr)))
	}
	defer C.free(unsafe.Pointer(out))
	return C.GoString(out), nil
}
