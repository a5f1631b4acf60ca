//go:build rdkit && cgo

package molecule

// #include "shim.h"
import "C"

import "unsafe"

func (r molRef) kekule() (molRef, error) {
	var cerr *C.char
	c := C.molecule_kekule(r.c, &cerr)
	return molRef{c}, failure("Kekulé form", cerr)
}

func (r molRef) merge(other molRef) (molRef, error) {
	var cerr *C.char
	c := C.molecule_merge(r.c, other.c, &cerr)
	return molRef{c}, failure("merge", cerr)
}

// edit returns the SMILES of the edited molecule, or the kind of error and the reason.
func (r molRef) edit(e Edit) (smiles, kind, reason string) {
	v := []int64{int64(len(e.Add)), int64(len(e.Change)), int64(len(e.Link)), int64(len(e.Remove))}
	for _, number := range e.Add {
		v = append(v, int64(number))
	}
	for _, c := range e.Change {
		v = append(v, int64(c.Atom), int64(c.Number))
	}
	for _, l := range e.Link {
		v = append(v, int64(l.Begin), int64(l.End), int64(l.Order))
	}
	for _, atom := range e.Remove {
		v = append(v, int64(atom))
	}
	var ckind, cerr *C.char
	s := C.molecule_edit(r.c, (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(v))), &ckind, &cerr)
	if s == nil {
		kind = "Exception"
		if ckind != nil {
			kind = take(ckind)
		}
		return "", kind, refusal(take(cerr))
	}
	return take(s), "", ""
}
