package molecule_test

import (
	"fmt"
	"testing"

	"github.com/invbo/invbo/molecule"
)

// Symbols are those that RDKit writes, with brackets where SMILES needs them.
func TestSymbol(t *testing.T) {
	needRDKit(t)
	for number := 1; number <= 118; number++ {
		symbol, organic := molecule.Symbol(number)
		m := parse(t, "["+symbol+"]") // without hydrogens
		atoms := m.Graph().Atoms
		if len(atoms) != 1 || atoms[0].Number != number {
			t.Errorf("[%s] is read as %+v, want element %d", symbol, atoms, number)
		}
		if got, want := m.SMILES(), fmt.Sprintf("[%s]", symbol); got != want {
			t.Errorf("element %d: RDKit writes %s, want %s", number, got, want)
		}
		_, err := molecule.Parse(symbol)
		if (err == nil) != organic {
			t.Errorf("element %d: may be written as %s: %t, RDKit: %v", number, symbol, organic, err)
		}
	}
	if symbol, organic := molecule.Symbol(0); symbol != "*" || !organic || parse(t, symbol).Graph().Atoms[0].Number != 0 {
		t.Errorf("any atom is %q, organic %t", symbol, organic)
	}
}
