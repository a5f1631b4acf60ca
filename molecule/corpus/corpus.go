// Package corpus knows which atom environments a corpus of molecules has, and so which molecules look like it.
//
// A molecule is plausible in its sense if each of its atoms, with its bonds and neighbours, is found somewhere in the
// corpus. Many molecules that score well under a formula are not: their authors' programs have never seen a chemist.
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

//go:generate go run -tags rdkit make.go $CORPUS environments.bin

// environments is what make.go finds in the corpus that the built-in model of molecules is trained on: 456,771
// molecules of ZINC-250k, ChEMBL and MoleculeNet, of at most 60 heavy atoms B C N O F Si P S Cl Br Se I.
//
//go:embed environments.bin
var environments []byte

// Environments is a set of atom environments, as molecule.Molecule.Environments numbers them.
type Environments struct {
	ids []uint64 // ascending, distinct
}

// New returns the set of ids.
func New(ids []uint64) *Environments {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return &Environments{slices.Compact(ids)}
}

// Default returns the environments of the corpus that the built-in model of molecules is trained on.
func Default() (*Environments, error) { return Read(bytes.NewReader(environments)) }

// Len returns the number of environments.
func (e *Environments) Len() int { return len(e.ids) }

// Cover reports whether e has all environments of m.
func (e *Environments) Cover(m *molecule.Molecule) bool {
	for _, id := range m.Environments() {
		if _, ok := slices.BinarySearch(e.ids, id); !ok {
			return false
		}
	}
	return true
}

// Write writes e: how many ids there are, and the difference of each from the one before it, as unsigned varints.
func (e *Environments) Write(w io.Writer) error {
	b := binary.AppendUvarint(nil, uint64(len(e.ids)))
	before := uint64(0)
	for _, id := range e.ids {
		b = binary.AppendUvarint(b, id-before)
		before = id
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("corpus: write: %w", err)
	}
	return nil
}

// Read reads what Write wrote.
func Read(r io.Reader) (*Environments, error) {
	b := bufio.NewReader(r)
	n, err := binary.ReadUvarint(b)
	if err != nil {
		return nil, fmt.Errorf("corpus: read: %w", err)
	}
	e := &Environments{}
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
		e.ids = append(e.ids, id)
	}
	return e, nil
}
