package molecules

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
)

// The sizes of children are mol_opt's, unless the initial molecules have others.
func TestSizes(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	chain := func(atoms int) string { return strings.Repeat("C", atoms) }
	many := func(n, atoms int) []string { return slices.Repeat([]string{chain(atoms)}, n) }
	tests := []struct {
		name   string
		init   []string
		fewest int
		size   float64 // 0: mol_opt's
	}{
		{"no molecules", nil, 6, 0},
		{"as large as mol_opt's mean", many(10, 39), 6, 0},
		{"some larger, such as GuacaMol's", append(many(9, 27), chain(54)), 6, 0},
		{"one of four larger", append(many(3, 27), chain(51)), 6, 27},
		{"a quarter larger", append(many(6, 27), many(2, 51)...), 6, 51},
		{"a peptide", append(many(99, 27), chain(92)), 6, 0},
		{"fragments", append(many(9, 8), chain(4)), 4, 0},
		{"a hydrogen molecule", []string{"[H][H]", chain(8)}, 6, 0},
	}
	for _, test := range tests {
		if o := sizes(test.init, 0); o.Fewest != test.fewest || o.Size != test.size {
			t.Errorf("%s: at least %d atoms, bound about %g; want %d and %g", test.name, o.Fewest, o.Size, test.fewest, test.size)
		}
	}
}

// Large and small molecules have children of about their size.
func TestSizesOfChildren(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	tests := []struct {
		name        string
		parents     []string
		least, most int // a quarter of the children at least has so many heavy atoms
	}{
		{"a peptide", []string{strings.Repeat("NC(C)C(=O)", 17) + "O", strings.Repeat("NCC(=O)", 17) + "O"}, 60, 100}, // 86 and 69
		{"solvents", []string{"CC#N", "CCO", "CC=O", "COC"}, 3, 5},
	}
	for _, test := range tests {
		var pairs [][2]string
		for _, p := range test.parents {
			pairs = append(pairs, [2]string{p, test.parents[0]})
		}
		space, err := New(test.parents, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat(pairs, 20), rand.New(rand.NewPCG(1, 0)))
			if err != nil {
				t.Fatal(err)
			}
			good := 0
			for _, c := range children {
				if m, err := molecule.Parse(c.X); err == nil {
					if n := m.HeavyAtoms(); n >= test.least && n <= test.most {
						good++
					}
					m.Close()
				}
			}
			if 4*good < len(children) {
				t.Errorf("%s, %s: %d of %d children have %d to %d atoms", test.name, op.Name, good, len(children), test.least, test.most)
			}
		}
	}
}

// What is known of a child does not depend on the order of its atoms when it was made, which decides how many rings a
// cage has.
func TestDescriptionsOfCages(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	cages := []string{"C1C2CC3CC1CC(C2)C3", "C12C3C4C1C5C2C3C45", "C1CC2CCC1CC2", "C1CC2CC1C1CCC21", "C12CC3C(C1)CC2C3", "C1C2C3CC4C2C1C3C4", "C1CC2C3CCC(C2C1)C3"}
	space, err := New(nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	pairs := make([][2]string, 4_000)
	for i := range pairs {
		pairs[i] = [2]string{cages[rng.IntN(len(cages))], cages[rng.IntN(len(cages))]}
	}
	different := map[string]bool{}
	for _, op := range space.Operators {
		children, err := op.Make(t.Context(), pairs, rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range children {
			if c.Description == nil || different[c.X] {
				continue
			}
			different[c.X] = true
			if want, err := space.Read(c.X); err != nil || !reflect.DeepEqual(*c.Description, want) {
				t.Errorf("the child %s is described otherwise than the molecule of that SMILES (%v)", c.X, err)
			}
		}
	}
}

// A molecule whose properties lie halfway between two steps is not described as it was made, in another order of atoms
// than that of its SMILES: a resumed search would see another molecule.
func TestUnsureDescriptions(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	pool := BuiltIn()
	kept, unsure := 0, 0
	for _, smiles := range pool.Sample(1_500, rand.New(rand.NewPCG(1, 2))) {
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatal(err)
		}
		_, sure := features(m)
		described := child(smiles, m).Description != nil
		m.Close()
		if described != sure {
			t.Errorf("%s is described: %t, and sure: %t", smiles, described, sure)
		} else if sure {
			kept++
		} else {
			unsure++
		}
	}
	if unsure == 0 || unsure > kept/100 {
		t.Errorf("%d molecules are unsure and %d are not, want few", unsure, kept)
	}
}

// BenchmarkMoleculeSurrogate predicts 1,000 molecules of the library, given n.
func BenchmarkMoleculeSurrogate(b *testing.B) {
	if err := molecule.Available(); err != nil {
		b.Skip(err)
	}
	pool := BuiltIn()
	space, err := New(nil, Options{Pool: pool})
	if err != nil {
		b.Fatal(err)
	}
	var x [][]gp.Counts
	for _, smiles := range pool.Sample(3_000, rand.New(rand.NewPCG(1, 2))) {
		d, err := space.Read(smiles)
		if err != nil {
			b.Fatal(err)
		}
		x = append(x, d.Groups)
	}
	for _, n := range []int{100, 600, 2_000} {
		m := gp.NewMixture(space.Kernels, slices.Repeat([]float64{1}, len(space.Kernels)), 0.1)
		if err := m.Add(x[:n], nil); err != nil {
			b.Fatal(err)
		}
		if err := m.Target(make([]float64, n), 0); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				m.Predict(x[2_000:])
			}
		})
	}
}

// The atoms of a SMILES are counted as those of the molecule.
func TestWritten(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	pool := BuiltIn()
	odd := []string{
		"[2H]C([2H])([2H])Oc1ccccc1", "[Na+].[O-]C(=O)c1ccccc1", "[H]O[H]", "[H][H]", "[He]", "[Hg+2]", "ClCCBr", "c1c[nH]cc1", "[13CH4]", "C[C@H](N)C(=O)O",
		"F/C=C/Cl", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", "OB(O)c1ccsc1", "C%12CCCCC%12", "[H+].[Cl-]", "[se]1cccc1", "[CH3:5]C",
	}
	for _, smiles := range append(odd, pool.Sample(2_000, rand.New(rand.NewPCG(1, 1)))...) {
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := written(smiles), m.HeavyAtoms(); got != want {
			t.Errorf("%s: %d atoms, want %d", smiles, got, want)
		}
		m.Close()
	}
}
