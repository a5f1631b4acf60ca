package routes_test

import (
	"bufio"
	"cmp"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/molecule/reaction"
)

var update = flag.Bool("update", false, "write bench/blocks.smi anew")

const blocksFile = "../../bench/blocks.smi"

func needRDKit(t testing.TB) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

// cuts say where molecules of the library are cut, and what the two ends become: by the text that replaces an atom * at
// the beginning of a SMILES, and elsewhere.
var cuts = []struct {
	bond        string // SMARTS of its two atoms
	first, then [2]string
}{
	{"[CX3;$(C(=O)[#6])]-!@[NX3;!$(N-[!#6])]", [2]string{"O", "O"}, [2]string{"", "[H]"}},          // acid and amine
	{"[SX4;$(S(=O)(=O)[#6])]-!@[NX3;!$(N-[!#6])]", [2]string{"Cl", "Cl"}, [2]string{"", "[H]"}},    // sulfonyl chloride and amine
	{"[c]-!@[c]", [2]string{"Br", "Br"}, [2]string{"OB(O)", "B(O)O"}},                              // aryl bromide and boronic acid
	{"[CX4;H2;$(C-c)]-!@[NX3;!$(N-[!#6]);!$(N-C=O)]", [2]string{"O=", "=O"}, [2]string{"", "[H]"}}, // aldehyde and amine
	{"[CX4;H2]-!@[OX2;$(O-c)]", [2]string{"Br", "Br"}, [2]string{"[H]", "[H]"}},                    // alkyl bromide and phenol
	{"[c]-!@[NX3;!$(N-[!#6]);!$(N-C=O)]", [2]string{"Br", "Br"}, [2]string{"[H]", "[H]"}},          // aryl bromide and amine
}

// blocksOfLibrary returns the building blocks that molecules of the built-in library can be cut into, every fourth of
// them, the most frequent ones first.
func blocksOfLibrary(t testing.TB) []string {
	all := library.SMILES()
	pieces := make([][]string, len(all)/4)
	bonds := make([]*molecule.Pattern, len(cuts))
	for i, c := range cuts {
		bonds[i] = molecule.MustCompilePattern(c.bond)
	}
	parallel.For(len(pieces), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			pieces[i] = cutUp(t, all[4*i], bonds)
		}
	})
	count := map[string]int{}
	for _, some := range pieces {
		for _, smiles := range some {
			count[smiles]++
		}
	}
	return slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
}

// cutUp returns the blocks that a molecule can be cut into at the bonds of cuts, each once. It may be called from
// several goroutines.
func cutUp(t testing.TB, smiles string, bonds []*molecule.Pattern) (blocks []string) {
	const fewest, most = 4, 16 // heavy atoms
	replace := func(piece string, by [2]string) string {
		if rest, ok := strings.CutPrefix(piece, "[*:1]"); ok {
			return by[0] + rest
		}
		return strings.Replace(piece, "[*:1]", by[1], 1)
	}
	m, err := molecule.Parse(smiles)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer m.Close()
	for i, c := range cuts {
		for _, match := range bonds[i].Matches(m, true) {
			pieces, err := m.Cut(molecule.Cut{Begin: match[0], End: match[1], Label: 1})
			if err != nil || len(pieces) != 2 {
				continue
			}
			for _, piece := range pieces {
				for _, by := range [][2]string{c.first, c.then} {
					block, err := molecule.Parse(replace(piece, by))
					if err != nil {
						continue
					}
					smiles, atoms := block.SMILES(), len(block.Graph().Atoms)
					block.Close()
					if atoms >= fewest && atoms <= most && !slices.Contains(blocks, smiles) {
						blocks = append(blocks, smiles)
					}
				}
			}
		}
	}
	return blocks
}

// bench/blocks.smi has a thousand blocks that the library gives, and that reactions take. It stays as it is if
// reactions change, so that benchmarks do.
func TestBlocksOfLibrary(t *testing.T) {
	needRDKit(t)
	if testing.Short() {
		t.Skip("long")
	}
	const n = 1000
	all := blocksOfLibrary(t)
	if *update {
		set, err := reaction.BuiltIn()
		if err != nil {
			t.Fatal(err)
		}
		var taken []string
		for _, smiles := range all {
			if places, err := set.Places(smiles); err == nil && len(places) > 0 && len(taken) < n {
				taken = append(taken, smiles)
			}
		}
		text := "# the building blocks that most molecules of the built-in library can be cut into: go test -tags rdkit ./space/routes -run Library -update\n"
		if err := os.WriteFile(blocksFile, []byte(text+strings.Join(taken, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	given := map[string]bool{}
	for _, smiles := range all {
		given[smiles] = true
	}
	have := readBlocks(t)
	for _, smiles := range have {
		if !given[smiles] {
			t.Errorf("%s: the library does not give %s", blocksFile, smiles)
		}
		delete(given, smiles) // each is there once
	}
	if len(have) != n {
		t.Errorf("%s has %d blocks, want %d", blocksFile, len(have), n)
	}
}

func readBlocks(t testing.TB) (all []string) {
	f, err := os.Open(blocksFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if !strings.HasPrefix(s.Text(), "#") {
			all = append(all, s.Text())
		}
	}
	return all
}
