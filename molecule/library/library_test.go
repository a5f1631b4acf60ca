package library_test

import (
	"slices"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/molecule/library"
)

func TestLibrary(t *testing.T) {
	all := library.SMILES()
	if len(all) != 20_000 || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("%d molecules, want 20,000 different ones in alphabetical order", len(all))
	}
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	usual := corpus.Default()
	step := 20
	if testing.Short() {
		step = 100
	}
	for i := 0; i < len(all); i += step {
		m, err := molecule.Parse(all[i])
		if err != nil {
			t.Fatal(err)
		}
		if !usual.Usual(m) {
			t.Errorf("%s is unusual", all[i])
		}
		if s := m.SMILES(); s != all[i] {
			t.Errorf("%s is written %s", all[i], s)
		}
		m.Close()
	}
}
