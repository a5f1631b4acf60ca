package molecule_test

import (
	"testing"

	"github.com/invbo/invbo/molecule"
)

// needRDKit skips a test in a build without it.
func needRDKit(t testing.TB) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

func parse(t testing.TB, smiles string) *molecule.Molecule {
	t.Helper()
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	return m
}
