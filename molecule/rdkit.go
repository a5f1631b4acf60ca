//go:build rdkit && cgo

package molecule

// #cgo CXXFLAGS: -std=c++20 -O2 -g0 -I/usr/include/rdkit
// #cgo LDFLAGS: -lRDKitMolDraw2D -lRDKitFileParsers -lRDKitMolStandardize -lRDKitDepictor -lRDKitDescriptors -lRDKitFingerprints -lRDKitDistGeomHelpers -lRDKitForceFieldHelpers -lRDKitForceField -lRDKitSmilesParse -lRDKitSubstructMatch -lRDKitGraphMol -lRDKitRDGeneral
// #include <stdlib.h>
// #include "shim.h"
// #include "input.h"
import "C"

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

const available = true

// Version returns the version of RDKit, such as 2022.09.3; "" without it. Canonical SMILES differ between versions, and
// so do runs.
func Version() string { return C.GoString(C.molecule_version()) }

// handle is an RDKit molecule or query; nil if it was freed.
type handle = *C.molecule

func free(h handle) { C.molecule_free(h) }

// call returns what a function of the shim does. The error is the exception that RDKit threw, on one line and without
// the input, which parsers repeat in it.
func call[T any](function func(exception **C.char) T) (T, error) {
	var exception *C.char
	result := function(&exception)
	if exception == nil {
		return result, nil
	}
	reason := strings.Join(strings.Fields(take(exception)), " ")
	reason, _, _ = strings.Cut(reason, " while parsing: ")
	reason, _, _ = strings.Cut(reason, " for input: ")
	return result, errors.New(cmp.Or(reason, "RDKit gives no reason"))
}

// with is call with a molecule, which is locked.
func with[T any](m *Molecule, function func(m handle, exception **C.char) T) (T, error) {
	defer m.lock()()
	return call(func(e **C.char) T { return function(m.ref, e) })
}

// lock locks m for a call into RDKit and returns the function that unlocks it.
func (m *Molecule) lock() (unlock func()) {
	m.mu.Lock()
	if m.ref == nil {
		m.mu.Unlock()
		panic("molecule: used after Close")
	}
	return func() {
		m.mu.Unlock()
		runtime.KeepAlive(m)
	}
}

// must panics if RDKit failed, which it does not on a sanitized molecule.
func must[T any](result T, err error) T {
	if err != nil {
		panic("molecule: RDKit: " + err.Error())
	}
	return result
}

// take returns a C string as a Go string and frees it.
func take(s *C.char) string {
	defer C.free(unsafe.Pointer(s))
	return C.GoString(s)
}

// text takes a C string unless there is an error.
func text(s *C.char, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return take(s), nil
}

// integers returns a list of integers and frees it.
func integers(list *C.int64_t) []int {
	defer C.free(unsafe.Pointer(list))
	all := unsafe.Slice(list, 1+*list)
	v := make([]int, len(all)-1)
	for i := range v {
		v[i] = int(all[1+i])
	}
	return v
}

// chars returns a pointer to the bytes of s, which are not NUL-terminated.
func chars(s string) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

func parse(smiles string) (handle, error) {
	s, n := chars(smiles)
	return call(func(e **C.char) handle { return C.molecule_parse(s, n, e) })
}

func compilePattern(smarts string, mergeHs bool) (handle, error) {
	s, n := chars(smarts)
	return call(func(e **C.char) handle { return C.molecule_query(s, n, flag(mergeHs), e) })
}

// blockSMILES returns a SMILES of a molblock.
func blockSMILES(block string) (string, error) {
	s, n := chars(block)
	return text(call(func(e **C.char) *C.char { return C.molecule_of_block(s, n, e) }))
}

// rdkitSMILES returns RDKit's canonical SMILES, and whether it surely is that of what it is read as.
func (m *Molecule) rdkitSMILES() (smiles string, settled bool) {
	var csettled C.int
	s := must(with(m, func(m handle, e **C.char) *C.char { return C.molecule_smiles(m, &csettled, e) }))
	return take(s), csettled != 0
}

// vaguer reports whether b is m with more configurations.
func (m *Molecule) vaguer(b *Molecule) (bool, error) {
	more, err := with(m, func(m handle, e **C.char) C.int { return C.molecule_vaguer(m, b.ref, e) })
	return more != 0, err
}

// configured returns a SMILES of m, a core, with the configurations that b has where m has none; "" if b has another
// one where m has one. match has the atom of b for each atom of m, −1 for a hydrogen.
func (m *Molecule) configured(b *Molecule, match []int64) (smiles string, err error) {
	list := (*C.int64_t)(unsafe.SliceData(match))
	s, err := with(m, func(m handle, e **C.char) *C.char { return C.molecule_configured(m, b.ref, list, e) })
	if s == nil {
		return "", err
	}
	return text(s, err)
}

func (m *Molecule) formula() string {
	return take(must(with(m, func(m handle, e **C.char) *C.char { return C.molecule_formula(m, e) })))
}

func (m *Molecule) descriptor(d descriptor) float64 {
	return float64(must(with(m, func(m handle, e **C.char) C.double { return C.molecule_descriptor(m, C.int(d), e) })))
}

func (m *Molecule) morgan(radius int, roles bool) Counts {
	return pairs(must(with(m, func(m handle, e **C.char) *C.int64_t { return C.molecule_morgan(m, C.unsigned(radius), flag(roles), e) })))
}

func (m *Molecule) atomPairs() Counts {
	return pairs(must(with(m, func(m handle, e **C.char) *C.int64_t { return C.molecule_atom_pairs(m, e) })))
}

// pairs returns a list of ids, each followed by its count.
func pairs(list *C.int64_t) (c Counts) {
	for pair := range slices.Chunk(integers(list), 2) {
		c.IDs, c.N = append(c.IDs, uint64(uint32(pair[0]))), append(c.N, uint32(pair[1]))
	}
	return c
}

func (m *Molecule) readGraph() Graph {
	return newGraph(must(with(m, func(m handle, e **C.char) *C.int64_t { return C.molecule_graph(m, e) })))
}

// kekuleGraph returns false if the shim cannot do it.
func kekuleGraph(smiles string) (Graph, bool) {
	s, n := chars(smiles)
	list, err := call(func(e **C.char) *C.int64_t { return C.molecule_kekule_graph(s, n, e) })
	if err != nil || list == nil {
		return Graph{}, false
	}
	return newGraph(list), true
}

// newGraph returns the graph of a list of integers, and frees it.
func newGraph(list *C.int64_t) Graph {
	defer C.free(unsafe.Pointer(list))
	v := unsafe.Slice(list, 1+*list)[1:]
	next := func() int {
		i := v[0]
		v = v[1:]
		return int(i)
	}
	g := Graph{Atoms: make([]Atom, next()), Bonds: make([]Bond, next()), Rings: make([][]int, next())}
	centers, doubles := next(), next()
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
	for range centers {
		g.Centers = append(g.Centers, Center{Atom: next(), Clockwise: next() != 0})
	}
	for range doubles {
		g.DoubleBonds = append(g.DoubleBonds, DoubleBond{Bond: next(), Cis: next() != 0, Ends: [2]int{next(), next()}})
	}
	g.around = g.Neighbours()
	return g
}

// matches returns the atoms of m for those of the pattern, of each match. RDKit itself locks the state of patterns that
// this changes.
func (p *Pattern) matches(m *Molecule, unique bool, most int) [][]int {
	v := integers(must(with(m, func(m handle, e **C.char) *C.int64_t {
		return C.molecule_matches(m, p.ref, flag(unique), C.unsigned(most), e)
	})))
	return slices.AppendSeq([][]int{}, slices.Chunk(v[1:], v[0]))
}

// screenHandle is a screen of RDKit queries.
type screenHandle = *C.screen

// newScreen returns the screen of SMARTS with these counts; hydrogens are merged where merge is not 0.
func newScreen(smarts []string, merge, counts []int64) (screenHandle, error) {
	texts := make([]*C.char, len(smarts))
	for i, s := range smarts {
		texts[i] = C.CString(s)
		defer C.free(unsafe.Pointer(texts[i]))
	}
	return call(func(e **C.char) screenHandle {
		return C.molecule_screen(unsafe.SliceData(texts), (*C.int64_t)(unsafe.SliceData(merge)), (*C.int64_t)(unsafe.SliceData(counts)), C.size_t(len(texts)), e)
	})
}

func freeScreen(s screenHandle) { C.molecule_screen_free(s) }

func (m *Molecule) screened(s screenHandle, queries []handle, all bool) []int {
	return integers(must(with(m, func(m handle, e **C.char) *C.int64_t {
		return C.molecule_screened(m, s, unsafe.SliceData(queries), flag(all), e)
	})))
}

func (m *Molecule) stereocenters() (defined, undefined int) {
	v := integers(must(with(m, func(m handle, e **C.char) *C.int64_t { return C.molecule_stereocenters(m, e) })))
	return v[0], v[1]
}

func (m *Molecule) undefined() []int {
	return integers(must(with(m, func(m handle, e **C.char) *C.int64_t { return C.molecule_undefined(m, e) })))
}

func (m *Molecule) bridges() (spiro, bridgeheads int) {
	v := integers(must(with(m, func(m handle, e **C.char) *C.int64_t { return C.molecule_bridges(m, e) })))
	return v[0], v[1]
}

func (m *Molecule) depicted() (handle, error) {
	return with(m, func(m handle, e **C.char) handle { return C.molecule_depict(m, e) })
}

// draw returns a drawing that was depicted as SVG, in a square of size pixels.
func (m *Molecule) draw(size int) (string, error) {
	return text(with(m, func(m handle, e **C.char) *C.char { return C.molecule_draw(m, C.int(size), e) }))
}

// block returns a molblock, drawn in one of the ways 0 to 2, or not drawn.
func (m *Molecule) block(way int) (string, error) {
	return text(with(m, func(m handle, e **C.char) *C.char { return C.molecule_block(m, C.int(way), e) }))
}

func (m *Molecule) neutral() (smiles string, _ error) {
	return text(with(m, func(m handle, e **C.char) *C.char { return C.molecule_neutral(m, e) }))
}

func (m *Molecule) kekule() (handle, error) {
	return with(m, func(m handle, e **C.char) handle { return C.molecule_kekule(m, e) })
}

// merge returns the atoms of m followed by those of b, which nobody else may use.
func (m *Molecule) merge(b *Molecule) (handle, error) {
	return with(m, func(m handle, e **C.char) handle { return C.molecule_merge(m, b.ref, e) })
}

func (m *Molecule) edited(e Edit) (smiles string, _ error) {
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
	list := (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(v)))
	return text(with(m, func(m handle, e **C.char) *C.char { return C.molecule_edit(m, list, e) }))
}

func conformer(ctx context.Context, smiles string, seed int) (mol string, _ error) {
	s, n := chars(smiles)
	var stop int32
	defer context.AfterFunc(ctx, func() { atomic.StoreInt32(&stop, 1) })()
	return text(call(func(e **C.char) *C.char { return C.molecule_conformer(s, n, C.int(seed), (*C.int32_t)(&stop), e) }))
}
