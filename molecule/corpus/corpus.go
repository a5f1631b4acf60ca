// Package corpus holds the atom environments and rings of a corpus of molecules, and tells which molecules consist of these.
// Many molecules that score well under a formula do not and would be hard to make.
package corpus

import (
	_ "embed"
	"encoding/binary"
	"slices"

	"github.com/invbo/invbo/molecule"
)

//go:generate go run -tags rdkit make.go $CORPUS

// The files that make.go writes for the training data of the built-in model of molecules: 456,771 molecules of
// ZINC-250k, ChEMBL and MoleculeNet with at most 60 heavy atoms B C N O F Si P S Cl Br Se I. usual.bin holds
// environments and rings.
var (
	//go:embed environments.bin
	environments []byte
	//go:embed usual.bin
	usual []byte
)

// UsualIn is the smallest number of molecules of the corpus that a usual environment or ring occurs in.
const UsualIn = 10

// A Corpus tells which molecules resemble those of a corpus.
type Corpus struct {
	environments, usual []uint64 // ids of atom environments and rings, ascending and distinct
}

// Default returns the corpus that the built-in model of molecules is trained on.
func Default() *Corpus { return &Corpus{read(environments), read(usual)} }

// Plausible reports whether each atom of m, with its bonds and neighbours, occurs in the corpus. This is a weak test: one
// unusual molecule in the corpus makes its environments plausible.
func (c *Corpus) Plausible(m *molecule.Molecule) bool { return holds(c.environments, m.Environments()) }

// Usual reports whether each atom of m with its bonds and neighbours, each ring, and each pair of rings that share
// atoms occurs in at least UsualIn molecules of the corpus.
func (c *Corpus) Usual(m *molecule.Molecule) bool {
	return holds(c.usual, m.Environments()) && holds(c.usual, m.RingKinds())
}

// Kinds returns the environments and rings of a molecule, for With.
func Kinds(m *molecule.Molecule) []uint64 { return slices.Concat(m.Environments(), m.RingKinds()) }

// With returns a corpus in which some Kinds are usual, too, however rare they are.
func (c *Corpus) With(kinds []uint64) *Corpus {
	usual := slices.Concat(c.usual, kinds)
	slices.Sort(usual)
	return &Corpus{c.environments, slices.Compact(usual)}
}

// holds reports whether a corpus contains all of ids.
func holds(corpus, ids []uint64) bool {
	for _, id := range ids {
		if _, ok := slices.BinarySearch(corpus, id); !ok {
			return false
		}
	}
	return true
}

// Format returns a file of ids (see molecule.Molecule.Environments and RingKinds): the difference of each of them from
// the one before it in ascending order, as unsigned varints. Their number comes first.
func Format(ids []uint64) []byte {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	b := binary.AppendUvarint(nil, uint64(len(ids)))
	before := uint64(0)
	for _, id := range ids {
		b = binary.AppendUvarint(b, id-before)
		before = id
	}
	return b
}

// read returns the ids of a file written by Format, in ascending order.
func read(file []byte) []uint64 {
	n, size := binary.Uvarint(file)
	ids := make([]uint64, n)
	id := uint64(0)
	for i := range ids {
		file = file[size:]
		var step uint64
		step, size = binary.Uvarint(file)
		id += step
		ids[i] = id
	}
	return ids
}
