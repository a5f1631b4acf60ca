// Package corpus holds the atom environments and rings of a corpus of molecules, and tells which molecules consist of these.
// Many molecules that score well under a formula do not and would be hard to make.
package corpus

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/invbo/invbo/molecule"
)

//go:generate go run -tags rdkit make.go $CORPUS

// The files that make.go writes for the training data of the built-in model of molecules: 456,771 molecules of ZINC-250k, ChEMBL
// and MoleculeNet with at most 60 heavy atoms B C N O F Si P S Cl Br Se I. usual.bin holds environments and rings.
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
	environments, usual *Set
}

// Default returns the corpus that the built-in model of molecules is trained on.
func Default() (*Corpus, error) {
	all, err := Read(bytes.NewReader(environments))
	if err != nil {
		return nil, fmt.Errorf("environments: %w", err)
	}
	often, err := Read(bytes.NewReader(usual))
	if err != nil {
		return nil, fmt.Errorf("usual environments and rings: %w", err)
	}
	return &Corpus{all, often}, nil
}

// Plausible reports whether each atom of m, with its bonds and neighbours, occurs in the corpus. This is a weak test: one
// unusual molecule in the corpus makes its environments plausible.
func (c *Corpus) Plausible(m *molecule.Molecule) bool { return c.environments.Has(m.Environments()) }

// Usual reports whether each atom of m with its bonds and neighbours, each ring, and each pair of rings that share atoms occurs
// in at least UsualIn molecules of the corpus.
func (c *Corpus) Usual(m *molecule.Molecule) bool {
	return c.usual.Has(m.Environments()) && c.usual.Has(m.RingKinds())
}

// A Set is a set of ids of atom environments (see molecule.Molecule.Environments) and of rings (see RingKinds).
type Set struct {
	ids []uint64 // ascending, distinct
}

// NewSet returns the set of ids.
func NewSet(ids []uint64) *Set {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return &Set{slices.Compact(ids)}
}

// Has reports whether s contains all of ids.
func (s *Set) Has(ids []uint64) bool {
	for _, id := range ids {
		if _, ok := slices.BinarySearch(s.ids, id); !ok {
			return false
		}
	}
	return true
}

// Write writes the number of ids and the difference of each id from the previous one, as unsigned varints.
func (s *Set) Write(w io.Writer) error {
	b := binary.AppendUvarint(nil, uint64(len(s.ids)))
	before := uint64(0)
	for _, id := range s.ids {
		b = binary.AppendUvarint(b, id-before)
		before = id
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("corpus: write: %w", err)
	}
	return nil
}

// Read reads a Set written by Write.
func Read(r io.Reader) (*Set, error) {
	b := bufio.NewReader(r)
	n, err := binary.ReadUvarint(b)
	if err != nil {
		return nil, fmt.Errorf("corpus: read: %w", err)
	}
	s := &Set{}
	id := uint64(0)
	for i := range n { // not make(n): a damaged file may claim any number
		step, err := binary.ReadUvarint(b)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, fmt.Errorf("corpus: read id %d of %d: %w", i+1, n, err)
		}
		if i > 0 && step == 0 || id+step < id {
			return nil, fmt.Errorf("corpus: read id %d of %d: ids do not ascend: the file is damaged", i+1, n)
		}
		id += step
		s.ids = append(s.ids, id)
	}
	return s, nil
}
