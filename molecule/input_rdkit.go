//go:build rdkit && cgo

package molecule

// #cgo LDFLAGS: -lRDKitFileParsers -lRDKitMolStandardize -lRDKitDepictor
// #include "input.h"
import "C"

// blockSMILES returns a SMILES of a molblock, or the kind of error and the reason.
func blockSMILES(block string) (smiles, kind, reason string) {
	var ckind, cerr *C.char
	s := C.molecule_of_block(chars(block), C.size_t(len(block)), &ckind, &cerr)
	if s == nil {
		kind = "Exception"
		if ckind != nil {
			kind = take(ckind)
		}
		return "", kind, refusal(take(cerr))
	}
	return take(s), "", ""
}

// block returns a molblock, drawn in one of the ways 0 to 2.
func (r molRef) block(way int) (text string, _ error) {
	var cerr *C.char
	s := C.molecule_block(r.c, C.int(way), &cerr)
	if err := failure("molblock", cerr); err != nil {
		return "", err
	}
	return take(s), nil
}

func (r molRef) neutral() (smiles string, _ error) {
	var cerr *C.char
	s := C.molecule_neutral(r.c, &cerr)
	if err := failure("neutralize", cerr); err != nil {
		return "", err
	}
	return take(s), nil
}
