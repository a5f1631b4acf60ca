package genetic

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/molecule"
)

func TestSplit(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		bonds        [][2]int
		near         []int // nil: it stays in one piece
	}{
		{"a chain", "CCO", [][2]int{{1, 2}}, []int{0, 1}},
		{"a chain, the other way", "CCO", [][2]int{{2, 1}}, []int{2}},
		{"a ring, once", "C1CCCCC1", [][2]int{{0, 1}}, nil},
		{"a ring, twice", "C1CCCCC1", [][2]int{{0, 1}, {2, 3}}, []int{0, 3, 4, 5}},
		{"an atom and what hangs on it", "C1CC1O", [][2]int{{1, 2}, {2, 0}}, []int{0, 1}},
		{"bonds of two rings", "C1CC1C1CC1", [][2]int{{0, 1}, {4, 5}}, nil},
	}
	for _, test := range tests {
		c, ok := split(parse(t, test.smiles).Graph(), test.bonds)
		if ok != (test.near != nil) {
			t.Errorf("%s: split = %t", test.name, ok)
		}
		if !ok {
			continue
		}
		for i, near := range c.near {
			if near != slices.Contains(test.near, i) {
				t.Errorf("%s: atom %d in the first part: %t", test.name, i, near)
			}
		}
		for _, b := range c.bonds {
			if !c.near[b[0]] || c.near[b[1]] {
				t.Errorf("%s: bond %v does not lead from the first part to the second", test.name, b)
			}
		}
	}
}

func TestJoins(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, a, b     string
		bondsA, bondsB [][2]int
		want           []string
	}{
		{"chains", "CF", "NO", [][2]int{{0, 1}}, [][2]int{{0, 1}}, []string{"CN", "CO", "FN", "FO"}},
		{"rings", "O1CC1", "N1CC1", [][2]int{{0, 1}, {0, 2}}, [][2]int{{0, 1}, {0, 2}}, []string{
			"O1CC1",           // its oxygen, the other's carbons
			"N1CC1", "N1=CC1", // the other way round; and one double bond
			"C1CCC1", "C1=CCC1", "C1=CC=C1", // the carbons of both
		}},
	}
	for _, test := range tests {
		a, b := parse(t, test.a), parse(t, test.b)
		cutA, _ := split(a.Graph(), test.bondsA)
		cutB, _ := split(b.Graph(), test.bondsB)
		both, err := molecule.Merge(a, b)
		if err != nil {
			t.Fatal(err)
		}
		made, want := map[string]bool{}, map[string]bool{}
		for _, e := range joins(cutA, cutB) {
			if m, err := both.Edit(e); err == nil {
				made[m.SMILES()] = true
			}
		}
		for _, s := range test.want {
			want[parse(t, s).SMILES()] = true
		}
		if !maps.Equal(made, want) {
			t.Errorf("%s: %s and %s become %v, want %v", test.name, test.a, test.b, slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(want)))
		}
	}
}

// TestChildren checks that a child is a molecule of the right size, whose rings pass ringsOK if those of its parents do.
func TestChildren(t *testing.T) {
	needRDKit(t)
	const most = 13
	var parents []string
	for _, s := range seeds {
		parents = append(parents, parse(t, s).SMILES())
	}
	for name, rate := range map[string]float64{"crossover": 0, "crossover and mutation": 1} {
		t.Run(name, func(t *testing.T) {
			b := mustBreeder(t, Options{Size: most + 0.5, SizeDeviation: 1e-9})
			pairs, born := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				p, q := rapid.SampledFrom(parents).Draw(t, "p"), rapid.SampledFrom(parents).Draw(t, "q")
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
				pairs++
				s := childOf(b, p, q, rate, rng)
				if s == "" {
					return
				}
				born++
				child, err := molecule.Parse(s)
				if err != nil {
					t.Fatalf("%s and %s have the child %s: %v", p, q, s, err)
				}
				defer child.Close()
				if again := child.SMILES(); again != s {
					t.Errorf("child %s, canonical SMILES %s", s, again)
				}
				if n := len(child.Graph().Atoms); n <= 5 || n > most {
					t.Errorf("child %s has %d atoms, want 6 to %d", s, n, most)
				}
				if rate < 1 && (s == p || s == q) {
					t.Errorf("child %s is a parent", s)
				}
				if !b.ringsOK(child, usualRing) && p != "C1CCCCCC1" && q != "C1CCCCCC1" {
					t.Errorf("%s and %s have the child %s, whose rings are not sound", p, q, s)
				}
			})
			if 2*born < pairs {
				t.Errorf("%d children of %d pairs", born, pairs)
			}
		})
	}
}

func TestRingsOK(t *testing.T) {
	needRDKit(t)
	b := mustBreeder(t, Options{})
	tests := []struct {
		name, smiles string
		want         bool
	}{
		{"no ring", "C=C=CC", true},
		{"benzene", "c1ccccc1", true},
		{"7 atoms", "C1CCCCCC1", false},
		{"two double bonds at an atom", "C1=C=CCCC1", false},
		{"a double bond among 3", "C1=CC1", false},
		{"a double bond among 4", "C1=CCC1", false},
		{"a double bond out of 4", "C=C1CCC1", true},
		{"a double bond among 5", "C1=CCCC1", true},
	}
	for _, test := range tests {
		if got := b.ringsOK(parse(t, test.smiles), usualRing); got != test.want {
			t.Errorf("%s: ringsOK(%s) = %t", test.name, test.smiles, got)
		}
	}
}

// childOf returns the SMILES of a child of a pool of two molecules; "" if there is none.
func childOf(b *breeder, p, q string, mutation float64, rng *rand.Rand) string {
	b.meet(context.Background(), []string{p, q})
	c := b.cross(b.parent(p), b.parent(q), mutation, rng)
	if c == nil {
		return ""
	}
	defer c.close()
	return c.smiles()
}

func BenchmarkChild(b *testing.B) {
	needRDKit(b)
	breeder := mustBreeder(b, Options{})
	rng := rand.New(rand.NewPCG(1, 0))
	for b.Loop() {
		childOf(breeder, seeds[rng.IntN(len(seeds))], seeds[rng.IntN(len(seeds))], 0.067, rng)
	}
}

// Mutants of a macrocycle are macrocycles, too; of other molecules none is.
func TestMacrocycles(t *testing.T) {
	needRDKit(t)
	b := mustBreeder(t, Options{Size: 40, SizeDeviation: 1})
	for _, test := range []struct {
		smiles string
		want   bool
	}{
		{"O=C1CCNCc2cccc(c2)OCCCCCN1", true},
		{"CCCCCCNC(=O)CCNCc1ccccc1", false},
	} {
		p, rng := b.read(test.smiles), rand.New(rand.NewPCG(0, 0))
		found := 0
		for range 50 {
			child := b.mutant(p, rng, nil)
			if child == nil {
				continue
			}
			if slices.ContainsFunc(child.molecule.Graph().Rings, func(ring []int) bool { return len(ring) >= macrocycle }) {
				found++
			}
			child.close()
		}
		if got := found > 25; got != test.want {
			t.Errorf("of 50 mutants of %s %d are macrocycles", test.smiles, found)
		}
	}
}
