package molecule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
)

// A screen finds what the patterns find one by one, of all kinds of queries and hydrogens, in rings and chains.
func TestScreen(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	smarts := []string{
		"C", "c", "[#6]", "[!#6]", "*", "[H]", "[#1]", "[D3]", "[X4]", "[v5]", "[R2]", "[r5]", "[x2]", "[x]", "[h1]", "[H2]", "[+]", "[-]", "[^2]", "[N;!H0]",
		"C=O", "[#6]~[#7]", "C-,=C", "c:c", "c-c", "C@C", "C!@C", "[R]-;!@[R]", "C/C=C/C", "[C;$(C(=O)N)]", "[!$(C)]", "[$(c1ccncc1),$(C#N)]", "[N,O;!$(N-C=O)]-[#6]",
		"N.O.S", "C1CC1", "*1~*~*~*~*~1", "[C@@H](N)C", "a1aaaa1", "[2H]", "[13C]", "S(=O)(=O)[N;R0]", "[!#1;!#6;!#7;!#8]", "[C;R0;X4]!@[CH2]!@[CH2]", "[z1]", "[Z2]",
	}
	var patterns []*molecule.Pattern
	var counts []int
	for i, s := range smarts {
		p, err := molecule.CompilePattern(s)
		if err != nil {
			t.Fatal(err)
		}
		patterns, counts = append(patterns, p), append(counts, 1+i%3)
	}
	screen, err := molecule.NewScreen(patterns, counts)
	if err != nil {
		t.Fatal(err)
	}
	all := library.SMILES()
	var read []string
	for i := 0; i < len(all); i += 40 {
		read = append(read, all[i])
	}
	read = append(read, "[2H]OC", "[13CH4]", "[Na+].[Cl-]", "C[N+](C)(C)C", "[H][H]", "F/C=C\\F", "C1CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", "C[C@@H](N)C(=O)O", "OS(F)(F)(F)(F)F")
	for _, smiles := range read {
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatal(err)
		}
		var want []int
		for i, p := range patterns {
			if len(p.Matches(m, true)) >= counts[i] {
				want = append(want, i)
			}
		}
		if got := screen.In(m); !slices.Equal(got, want) {
			t.Errorf("%s: patterns %v occur, want %v", smiles, got, want)
		}
		if got := screen.Any(m); got != (len(want) > 0) {
			t.Errorf("%s: any pattern occurs: %t, want %t", smiles, got, len(want) > 0)
		}
		m.Close()
	}
}

// What a screen has learnt of one molecule does not change what it finds in another: of hydrogens that are atoms, of
// large rings, and of environments with hydrogens that are merged and with ones that are not.
func TestScreenForgetsNothing(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	ring := func(n int) string { return "C1" + strings.Repeat("C", n-2) + "C1" }
	var patterns []*molecule.Pattern
	for _, smarts := range []string{"[NX3;H1]", "[r35]", "[r40]", "[$(C[H])]", "[$(O[H])]"} {
		p, err := molecule.CompilePattern(smarts)
		if err != nil {
			t.Fatal(err)
		}
		merged, err := molecule.CompilePatternMergeHs(smarts)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, p, merged)
	}
	read := []string{"CN(C)C", "CN([2H])C", ring(35), ring(40), "CO", "[2H]OC"}
	for range 2 {
		screen, err := molecule.NewScreen(patterns, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, smiles := range read {
			m, err := molecule.Parse(smiles)
			if err != nil {
				t.Fatal(err)
			}
			var want []int
			for i, p := range patterns {
				if p.In(m) {
					want = append(want, i)
				}
			}
			if got := screen.In(m); !slices.Equal(got, want) {
				t.Errorf("%s: patterns %v occur, want %v", smiles, got, want)
			}
			m.Close()
		}
		slices.Reverse(read)
	}
}

func TestScreenErrors(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	if _, err := molecule.NewScreen([]*molecule.Pattern{nil}, nil); err == nil {
		t.Error("a nil pattern is taken")
	}
	if _, err := molecule.NewScreen(nil, []int{1}); err == nil {
		t.Error("a count without a pattern is taken")
	}
	p, err := molecule.CompilePattern("[1000C]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := molecule.NewScreen([]*molecule.Pattern{p}, nil); err == nil || !strings.Contains(err.Error(), "four digits") {
		t.Errorf("error %v of an isotope that stands for an environment", err)
	}
}
