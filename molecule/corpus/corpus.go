// Package corpus knows what atom environments and rings a corpus of molecules has, and so which molecules look like it.
//
// Many molecules that score well under a formula do not: the formula's author never had to make them.
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

// What make.go finds in the corpus that the built-in model of molecules is trained on: 456,771 molecules of ZINC-250k, ChEMBL
// and MoleculeNet, of at most 60 heavy atoms B C N O F Si P S Cl Br Se I. What is usual holds environments and rings.
var (
	//go:embed environments.bin
	environments []byte
	//go:embed usual.bin
	usual []byte
)

// UsualIn is the number of molecules of the corpus that have what is usual in it, at least.
const UsualIn = 10

// A Corpus says which molecules look like those of a corpus.
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

// Plausible reports whether each atom of m, with its bonds and neighbours, is found somewhere in the corpus. That is a weak test:
// a single odd molecule of the corpus vouches for all that share its oddity.
func (c *Corpus) Plausible(m *molecule.Molecule) bool { return c.environments.Has(m.Environments()) }

// Usual reports whether at least UsualIn molecules of the corpus have each atom of m, with its bonds and neighbours, each of its
// rings, and each pair of rings that share atoms.
func (c *Corpus) Usual(m *molecule.Molecule) bool {
	return c.usual.Has(m.Environments()) && c.usual.Has(m.RingKinds())
}

// A Set is a set of ids: of atom environments, as molecule.Molecule.Environments numbers them, and of rings, as RingKinds does.
type Set struct {
	ids []uint64 // ascending, distinct
}

// NewSet returns the set of ids.
func NewSet(ids []uint64) *Set {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return &Set{slices.Compact(ids)}
}

// Has reports whether s has all of ids.
func (s *Set) Has(ids []uint64) bool {
	for _, id := range ids {
		if _, ok := slices.BinarySearch(s.ids, id); !ok {
			return false
		}
	}
	return true
}

// Write writes s: how many ids there are, and the difference of each from the one before it, as unsigned varints.
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

// Read reads what Write wrote.
func Read(r io.Reader) (*Set, error) {
	b := bufio.NewReader(r)
	n, err := binary.ReadUvarint(b)
	if err != nil {
		return nil, fmt.Errorf("corpus: read: %w", err)
	}
	s := &Set{}
	id := uint64(0)
	for i := range n { // and not make(n): a damaged file may claim any number
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
