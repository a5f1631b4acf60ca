//go:build rdkit && cgo

package molecule

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -I/usr/include/rdkit
// #cgo LDFLAGS: -lRDKitMolDraw2D -lRDKitFileParsers -lRDKitMolStandardize -lRDKitDepictor -lRDKitDescriptors -lRDKitFingerprints -lRDKitSmilesParse -lRDKitSubstructMatch -lRDKitGraphMol -lRDKitRDGeneral
// #include <stdlib.h>
// #include "shim.h"
// #include "input.h"
import "C"

import (
	"cmp"
	"fmt"
	"strings"
	"unsafe"
)

func available() error { return nil }

func version() string { return C.GoString(C.molecule_version()) }

// molRef is an RDKit molecule. Its methods must not be called concurrently: see Molecule.mu.
type molRef struct{ c *C.molecule }

// patternRef is an RDKit query. RDKit itself locks the state that matching changes.
type patternRef struct{ c *C.molecule }

// parse returns the molecule, or the kind of error and the reason.
func parse(smiles string) (ref molRef, kind, reason string) {
	var ckind, cerr *C.char
	ref.c = C.molecule_parse(chars(smiles), C.size_t(len(smiles)), &ckind, &cerr)
	if ref.c == nil {
		kind, reason = refused(ckind, cerr, "SmilesParseException")
	}
	return ref, kind, reason
}

// refused returns the kind of error, or else the usual one, and the reason.
func refused(ckind, cerr *C.char, usual string) (kind, reason string) {
	if kind = usual; ckind != nil {
		kind = take(ckind)
	}
	return kind, refusal(take(cerr))
}

// blockSMILES returns a SMILES of a molblock, or the kind of error and the reason.
func blockSMILES(block string) (smiles, kind, reason string) {
	var ckind, cerr *C.char
	s := C.molecule_of_block(chars(block), C.size_t(len(block)), &ckind, &cerr)
	return written(s, ckind, cerr)
}

// written returns a SMILES, or the kind of error and the reason.
func written(s, ckind, cerr *C.char) (smiles, kind, reason string) {
	if s == nil {
		kind, reason = refused(ckind, cerr, "Exception")
		return "", kind, reason
	}
	return take(s), "", ""
}

// compilePattern returns the query, or the reason why it is invalid.
func compilePattern(smarts string, mergeHs bool) (ref patternRef, reason string) {
	var cerr *C.char
	ref.c = C.molecule_query(chars(smarts), C.size_t(len(smarts)), flag(mergeHs), &cerr)
	if ref.c == nil {
		return patternRef{}, refusal(take(cerr))
	}
	return ref, ""
}

func (r molRef) free()        { C.molecule_free(r.c) }
func (r molRef) closed() bool { return r.c == nil }
func (p patternRef) free()    { C.molecule_free(p.c) }

// smiles returns RDKit's canonical SMILES, and whether it surely is that of what it is read as.
func (r molRef) smiles() (smiles string, settled bool) {
	var cerr *C.char
	var csettled C.int
	s := C.molecule_smiles(r.c, &csettled, &cerr)
	must("canonical SMILES", cerr)
	return take(s), csettled != 0
}

// vaguer reports whether b is a with more configurations.
func vaguer(a, b molRef) (bool, error) {
	var cerr *C.char
	v := C.molecule_vaguer(a.c, b.c, &cerr)
	return v != 0, failure("configurations", cerr)
}

func (r molRef) formula() string {
	var cerr *C.char
	s := C.molecule_formula(r.c, &cerr)
	must("formula", cerr)
	return take(s)
}

func (r molRef) descriptor(d descriptor) float64 {
	var cerr *C.char
	x := C.molecule_descriptor(r.c, C.int(d), &cerr)
	must("descriptor", cerr)
	return float64(x)
}

func (r molRef) morgan(radius int, roles bool) Counts {
	var cerr *C.char
	var n C.size_t
	p := C.molecule_morgan(r.c, C.unsigned(radius), flag(roles), &n, &cerr)
	must("Morgan fingerprint", cerr)
	return counts(p, n)
}

func (r molRef) atomPairs() Counts {
	var cerr *C.char
	var n C.size_t
	p := C.molecule_atom_pairs(r.c, &n, &cerr)
	must("atom pairs", cerr)
	return counts(p, n)
}

// counts converts the n integers at p and frees p.
func counts(p *C.int64_t, n C.size_t) Counts {
	defer C.free(unsafe.Pointer(p))
	pairs := unsafe.Slice(p, n)
	c := Counts{IDs: make([]uint64, len(pairs)/2), N: make([]uint32, len(pairs)/2)}
	for i := range c.IDs {
		c.IDs[i], c.N[i] = uint64(pairs[2*i]), uint32(pairs[2*i+1])
	}
	return c
}

func (r molRef) graph() Graph {
	var cerr *C.char
	var n C.size_t
	p := C.molecule_graph(r.c, &n, &cerr)
	must("graph", cerr)
	return newGraph(p, n)
}

// kekuleGraph returns false if the shim cannot do it.
func kekuleGraph(smiles string) (Graph, bool) {
	var cerr *C.char
	var n C.size_t
	p := C.molecule_kekule_graph(chars(smiles), C.size_t(len(smiles)), &n, &cerr)
	if p == nil {
		C.free(unsafe.Pointer(cerr))
		return Graph{}, false
	}
	return newGraph(p, n), true
}

// newGraph converts the n integers at p and frees p.
func newGraph(p *C.int64_t, n C.size_t) Graph {
	defer C.free(unsafe.Pointer(p))
	v := unsafe.Slice(p, n)
	next := func() int {
		i := int(v[0])
		v = v[1:]
		return i
	}
	g := Graph{Atoms: make([]Atom, next()), Bonds: make([]Bond, next()), Rings: make([][]int, next())}
	for i := range g.Atoms {
		g.Atoms[i] = Atom{Number: next(), Charge: next(), Isotope: next(), Hydrogens: next(), Degree: next(),
			Hybridization: Hybridization(next()), Aromatic: next() != 0, InRing: next() != 0}
	}
	for i := range g.Bonds {
		g.Bonds[i] = Bond{Begin: next(), End: next(), Order: float64(next()) / 2,
			Aromatic: next() != 0, InRing: next() != 0, Conjugated: next() != 0, Dative: next() != 0}
	}
	for i := range g.Rings {
		g.Rings[i] = make([]int, next())
		for j := range g.Rings[i] {
			g.Rings[i][j] = next()
		}
	}
	return g
}

func (p patternRef) matches(r molRef, unique bool, most int) [][]int {
	var cerr *C.char
	var n, size C.size_t
	atoms := C.molecule_matches(r.c, p.c, flag(unique), C.unsigned(most), &n, &size, &cerr)
	must("substructure", cerr)
	defer C.free(unsafe.Pointer(atoms))
	v := unsafe.Slice(atoms, n)
	matches := make([][]int, 0, len(v)/max(int(size), 1))
	for len(v) > 0 {
		match := make([]int, size)
		for i := range match {
			match[i] = int(v[i])
		}
		matches = append(matches, match)
		v = v[size:]
	}
	return matches
}

func (r molRef) depicted() (molRef, error) {
	var cerr *C.char
	depicted := C.molecule_depict(r.c, &cerr)
	return molRef{depicted}, failure("coordinates", cerr)
}

func draw(refs []molRef, legends []string, columns, size int) ([]byte, error) {
	molecules := make([]*C.molecule, len(refs))
	texts := make([]*C.char, len(refs))
	for i, r := range refs {
		molecules[i], texts[i] = r.c, C.CString(legends[i])
		defer C.free(unsafe.Pointer(texts[i]))
	}
	var cerr *C.char
	svg := C.molecule_draw(unsafe.SliceData(molecules), unsafe.SliceData(texts), C.size_t(len(refs)), C.int(columns), C.int(size), &cerr)
	drawing, err := text("draw", svg, cerr)
	return []byte(drawing), err
}

// block returns a molblock, drawn in one of the ways 0 to 2, or not drawn.
func (r molRef) block(way int) (string, error) {
	var cerr *C.char
	s := C.molecule_block(r.c, C.int(way), &cerr)
	return text("molblock", s, cerr)
}

func (r molRef) neutral() (smiles string, _ error) {
	var cerr *C.char
	s := C.molecule_neutral(r.c, &cerr)
	return text("neutralize", s, cerr)
}

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
	return written(s, ckind, cerr)
}

// text returns what RDKit wrote, or its error.
func text(what string, s, cerr *C.char) (string, error) {
	if err := failure(what, cerr); err != nil {
		return "", err
	}
	return take(s), nil
}

// must panics if RDKit failed, which it does not on a sanitized molecule.
func must(what string, cerr *C.char) {
	if err := failure(what, cerr); err != nil {
		panic("molecule: " + err.Error())
	}
}

// failure returns RDKit's error message as an error, or nil if there is none.
func failure(what string, cerr *C.char) error {
	if cerr == nil {
		return nil
	}
	return fmt.Errorf("RDKit: %s: %s", what, oneLine(take(cerr)))
}

// take returns a C string as a Go string and frees it.
func take(s *C.char) string {
	defer C.free(unsafe.Pointer(s))
	return C.GoString(s)
}

// chars returns a pointer to the bytes of s, which are not NUL-terminated.
func chars(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// refusal returns a parser's message, never empty, without the input that RDKit repeats in it.
func refusal(reason string) string {
	reason, _, _ = strings.Cut(oneLine(reason), " while parsing: ")
	reason, _, _ = strings.Cut(reason, " for input: ")
	return cmp.Or(reason, "RDKit gives no reason")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
