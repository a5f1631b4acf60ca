package routes_test

import (
	"bufio"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

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

// cuts say where molecules of the library are cut, and what the two ends become: by the text that replaces an atom * at the beginning of a
// SMILES, and elsewhere.
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

// blocksOfLibrary returns n building blocks that molecules of the built-in library can be cut into, in the order of the library.
func blocksOfLibrary(t testing.TB, n int) []string {
	set, err := reaction.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	seen := map[string]bool{}
	replace := func(piece string, by [2]string) string {
		if rest, ok := strings.CutPrefix(piece, "[*:1]"); ok {
			return by[0] + rest
		}
		return strings.Replace(piece, "[*:1]", by[1], 1)
	}
	all := library.SMILES()
	for i := 0; i < len(all) && len(blocks) < n; i++ {
		m, err := molecule.Parse(all[i*7%len(all)]) // the library is in alphabetical order
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cuts {
			pattern := molecule.MustCompilePattern(c.bond)
			for _, match := range pattern.Matches(m, true) {
				pieces, err := m.Cut(molecule.Cut{Begin: match[0], End: match[1], Label: 1})
				if err != nil || len(pieces) != 2 {
					continue
				}
				for _, piece := range pieces {
					for _, by := range [][2]string{c.first, c.then} {
						smiles, err := molecule.Canonical(replace(piece, by))
						if err != nil || seen[smiles] || strings.Contains(smiles, "*") {
							continue
						}
						block, err := molecule.Parse(smiles)
						if err != nil {
							continue
						}
						atoms := len(block.Graph().Atoms)
						block.Close()
						places, err := set.Places(smiles)
						if err == nil && len(places) > 0 && atoms >= 4 && atoms <= 16 && len(blocks) < n {
							seen[smiles] = true
							blocks = append(blocks, smiles)
						}
					}
				}
			}
		}
		m.Close()
	}
	return blocks
}

// bench/blocks.smi is what the library gives.
func TestBlocksOfLibrary(t *testing.T) {
	needRDKit(t)
	const n = 1000
	blocks := blocksOfLibrary(t, n)
	if *update {
		text := "# building blocks that molecules of the built-in library can be cut into: go test -tags rdkit ./space/routes -run Library -update\n"
		if err := os.WriteFile(blocksFile, []byte(text+strings.Join(blocks, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have := readBlocks(t); len(blocks) != n || !slices.Equal(have, blocks) {
		t.Errorf("%s has %d blocks, and the library gives %d others", blocksFile, len(have), len(blocks))
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
