package task

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
)

// An index is made once: it is read where it is kept, made again where that is damaged, and of other blocks it is another one.
func TestIndexIsKept(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	set, err := reaction.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(t.TempDir(), "cache")
	made := 0
	index := func(price float64) *reaction.Blocks {
		t.Helper()
		list := []reaction.Block{{SMILES: "OC(C)=O", Name: "acid", Price: price}, {SMILES: "NCC1CC1"}, {SMILES: "c1ccccc1"}}
		blocks, err := indexed(context.Background(), set, list, func(smiles string) (string, error) {
			made++
			return molecule.Canonical(smiles)
		}, cache)
		if err != nil {
			t.Fatal(err)
		}
		return blocks
	}
	first := index(1)
	n := made
	if again := index(1); made != n || !reflect.DeepEqual(again, first) {
		t.Errorf("%d blocks were looked at again; the index is the same: %t", made-n, reflect.DeepEqual(again, first))
	}
	if index(2); made == n {
		t.Error("other blocks have the same index")
	}
	kept, err := filepath.Glob(filepath.Join(cache, "blocks-*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("kept are %q (%v), want two files", kept, err)
	}
	for _, name := range kept {
		if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n = made
	if again := index(1); made == n || !reflect.DeepEqual(again, first) {
		t.Error("a damaged index is used")
	}
}
