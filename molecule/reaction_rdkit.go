//go:build rdkit && cgo

package molecule

// #cgo LDFLAGS: -lRDKitChemReactions -lRDKitChemTransforms
// #include <stdlib.h>
// #include "reaction.h"
import "C"

import (
	"runtime"
	"strings"
	"unsafe"
)

// reaction is an RDKit reaction; nil if it was freed.
type reaction = *C.reaction

func freeReaction(r reaction) { C.reaction_free(r) }

func parseReaction(smarts string) (reaction, error) {
	s, n := chars(smarts)
	return call(func(e **C.char) reaction { return C.reaction_parse(s, n, e) })
}

// lines splits a text into its lines. The last one ends with a newline, too.
func lines(s *C.char, err error) ([]string, error) {
	all, err := text(s, err)
	if err != nil || all == "" {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(all, "\n"), "\n"), nil
}

func templates(r reaction) ([]string, error) {
	return lines(call(func(e **C.char) *C.char { return C.reaction_templates(r, e) }))
}

// products returns what runs of reactants give, which nobody else uses.
func products(r reaction, reactants []*Molecule, strict bool) ([]string, error) {
	refs := handles(reactants, func(m *Molecule) handle { return m.ref })
	defer runtime.KeepAlive(reactants)
	return lines(call(func(e **C.char) *C.char {
		return C.reaction_run(r, unsafe.SliceData(refs), C.size_t(len(refs)), flag(strict), e)
	}))
}

func handles[T any](all []T, of func(T) handle) []handle {
	refs := make([]handle, len(all))
	for i, a := range all {
		refs[i] = of(a)
	}
	return refs
}

func (m *Molecule) sites(patterns []*Pattern) []Sites {
	refs := handles(patterns, func(p *Pattern) handle { return p.ref })
	defer runtime.KeepAlive(patterns)
	v := integers(must(with(m, func(m handle, e **C.char) *C.int64_t {
		return C.molecule_sites(m, unsafe.SliceData(refs), C.size_t(len(refs)), e)
	})))
	all := make([]Sites, len(patterns))
	for i := range all {
		n := v[1] * v[2]
		all[i], v = Sites{Different: v[0], Size: v[2], Atoms: v[3 : 3+n]}, v[3+n:]
	}
	return all
}

func (m *Molecule) cut(bonds []int64) (string, error) {
	list := (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(bonds)))
	return text(with(m, func(m handle, e **C.char) *C.char { return C.molecule_cut(m, list, C.size_t(len(bonds)/4), e) }))
}

func (m *Molecule) zip() (string, error) {
	return text(with(m, func(m handle, e **C.char) *C.char { return C.molecule_zip(m, e) }))
}

func (m *Molecule) bare() (handle, error) {
	return with(m, func(m handle, e **C.char) handle { return C.molecule_bare(m, e) })
}
