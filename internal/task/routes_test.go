package task

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/study"
)

// An index is made once: it is read where it is kept, made again where that is damaged, and of other blocks it is
// another one.
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

// Proposals from blocks keep what the data have in common as far as the blocks can make it, and a note says what they
// cannot.
func TestBlocksKeepTheSeries(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	d := Design{}
	for i, x := range []string{"CC(=O)Nc1ccc(S(N)(=O)=O)cc1", "CCC(=O)Nc1ccc(S(N)(=O)=O)cc1", "NS(=O)(=O)c1ccc(NC(=O)C2CC2)cc1", "NS(=O)(=O)c1ccc(NC(=O)c2ccccc2)cc1", "CC(C)C(=O)Nc1ccc(S(N)(=O)=O)cc1"} {
		d.Init = append(d.Init, study.Observation{X: x, Measurements: study.Measured(float64(-i))})
	}
	own, err := Named("molecules")
	if err != nil {
		t.Fatal(err)
	}
	const acids = "OC(=O)C1CCC1\nOC(=O)c1ccncc1\nOC(=O)CCC\nOC(=O)c1ccccc1F\n"
	for _, test := range []struct {
		name, blocks, note string
		require            bool
	}{
		{"they can make it", acids + "Nc1ccc(S(N)(=O)=O)cc1\nNCc1ccccc1\n", "proposals keep what nearly all of the data have", true},
		{"they cannot", acids + "NCc1ccccc1\nC1CCNCC1\n", "proposals lack what nearly all of the data have", false},
	} {
		file := filepath.Join(t.TempDir(), "blocks.smi")
		if err := os.WriteFile(file, []byte(test.blocks), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := own.Build(t.Context(), own, Options{Measured: true, FromData: true, RouteOptions: RouteOptions{Blocks: File{Path: file}}})
		if err != nil {
			t.Fatal(err)
		}
		space, err := p.Space(d)
		if err != nil {
			t.Fatal(err)
		}
		if l := space.DataLimits; len(l.Require) > 0 != test.require || !strings.Contains(space.Notes.String(), test.note) {
			t.Errorf("%s: groups %q, notes %q", test.name, l.Require, space.Notes.String())
		}
	}
}
