package molecule_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestPatternMatches(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smarts, smiles string
		unique               bool
		want                 [][]int
	}{
		{"atoms in the pattern's order", "[OH]C=O", "CC(=O)O", true, [][]int{{3, 1, 2}}},
		{"a symmetric one, unique", "O=C=O", "O=C=O", true, [][]int{{0, 1, 2}}},
		{"a symmetric one, both ways", "O=C=O", "O=C=O", false, [][]int{{0, 1, 2}, {2, 1, 0}}},
		{"two places", "C(=O)[OH]", "OC(=O)C(=O)O", true, [][]int{{1, 2, 0}, {3, 4, 5}}},
		{"recursive", "[$([OH]C=O)]", "CC(=O)O", true, [][]int{{3}}},
		{"aromatic or not", "c1ccccc1", "C1CCCCC1", true, [][]int{}},
		{"chirality is ignored", "[C@H](F)(Cl)Br", "[C@@H](F)(Cl)Br", true, [][]int{{0, 1, 2, 3}}},
		{"implicit hydrogens are no atoms", "[H]C", "C", true, [][]int{}},
	}
	for _, test := range tests {
		p, err := molecule.CompilePattern(test.smarts)
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, test.smiles)
		if got := p.Matches(m, test.unique); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: Matches = %v, want %v", test.name, got, test.want)
		}
		if got := p.In(m); got != (len(test.want) > 0) {
			t.Errorf("%s: In = %t", test.name, got)
		}
	}

	merged, err := molecule.CompilePatternMergeHs("[#6](-[#8]-[#1])-[#6]")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := merged.Matches(parse(t, "OCC"), true), [][]int{{1, 0, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("a pattern with a merged hydrogen: Matches = %v, want %v", got, want)
	}
	if merged.In(parse(t, "COC")) {
		t.Error("a pattern with a merged hydrogen is in an ether")
	}

	four, err := molecule.CompilePattern("*.*.*.*")
	if err != nil {
		t.Fatal(err)
	}
	decane := parse(t, "CCCCCCCCCC")
	if got := len(four.Matches(decane, false)); got != 1000 { // of 10·9·8·7
		t.Errorf("%d matches of four atoms in decane, want the first 1000", got)
	}
	if got := len(four.Matches(decane, true)); got >= 210 {
		t.Errorf("%d unique matches of four atoms in decane, want those among the first 1000, which are not all 210", got)
	}
}

func TestCompilePatternErrors(t *testing.T) {
	needRDKit(t)
	tests := []struct{ name, smarts, want string }{
		{"empty", "", "SMARTS: no atoms"},
		{"open", "[C", `SMARTS "[C": SMARTS Parse Error: syntax error`},
		{"ring", "C1CC", `SMARTS "C1CC": SMARTS Parse Error: unclosed ring`},
		{"NUL", "C\x00C", `SMARTS "C\x00C": byte 1 (0x00) is a space or not printable ASCII`},
		{"long", strings.Repeat("C", molecule.MaxPattern+1), `: 4001 bytes long; the limit is 4000`},
		{"longer than a SMILES may be", strings.Repeat("C", molecule.MaxLength) + "(", `SMARTS Parse Error: syntax error`},
	}
	for _, test := range tests {
		if _, err := molecule.CompilePattern(test.smarts); err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}
