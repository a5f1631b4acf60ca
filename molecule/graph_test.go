package molecule_test

import (
	"reflect"
	"testing"

	"github.com/invbo/invbo/molecule"
	"pgregory.net/rapid"
)

func TestGraph(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		smiles string
		want   molecule.Graph
	}{
		{"[13CH3][NH3+]", molecule.Graph{
			Atoms: []molecule.Atom{
				{Number: 6, Isotope: 13, Hydrogens: 3, Degree: 1, Hybridization: molecule.SP3},
				{Number: 7, Charge: 1, Hydrogens: 3, Degree: 1, Hybridization: molecule.SP3},
			},
			Bonds: []molecule.Bond{{Begin: 0, End: 1, Order: 1}},
			Rings: [][]int{},
		}},
		{"O=C=C([2H])C#N", molecule.Graph{ // deuterium stays an atom
			Atoms: []molecule.Atom{
				{Number: 8, Degree: 1, Hybridization: molecule.SP2},
				{Number: 6, Degree: 2, Hybridization: molecule.SP},
				{Number: 6, Degree: 3, Hybridization: molecule.SP2},
				{Number: 1, Isotope: 2, Degree: 1, Hybridization: molecule.S},
				{Number: 6, Degree: 2, Hybridization: molecule.SP},
				{Number: 7, Degree: 1, Hybridization: molecule.SP},
			},
			Bonds: []molecule.Bond{
				{Begin: 0, End: 1, Order: 2, Conjugated: true},
				{Begin: 1, End: 2, Order: 2, Conjugated: true},
				{Begin: 2, End: 3, Order: 1},
				{Begin: 2, End: 4, Order: 1, Conjugated: true},
				{Begin: 4, End: 5, Order: 3, Conjugated: true},
			},
			Rings: [][]int{},
		}},
		{"c1ccoc1", molecule.Graph{
			Atoms: []molecule.Atom{
				{Number: 6, Hydrogens: 1, Degree: 2, Hybridization: molecule.SP2, Aromatic: true, InRing: true},
				{Number: 6, Hydrogens: 1, Degree: 2, Hybridization: molecule.SP2, Aromatic: true, InRing: true},
				{Number: 6, Hydrogens: 1, Degree: 2, Hybridization: molecule.SP2, Aromatic: true, InRing: true},
				{Number: 8, Degree: 2, Hybridization: molecule.SP2, Aromatic: true, InRing: true},
				{Number: 6, Hydrogens: 1, Degree: 2, Hybridization: molecule.SP2, Aromatic: true, InRing: true},
			},
			Bonds: []molecule.Bond{
				{Begin: 0, End: 1, Order: 1.5, Aromatic: true, InRing: true, Conjugated: true},
				{Begin: 1, End: 2, Order: 1.5, Aromatic: true, InRing: true, Conjugated: true},
				{Begin: 2, End: 3, Order: 1.5, Aromatic: true, InRing: true, Conjugated: true},
				{Begin: 3, End: 4, Order: 1.5, Aromatic: true, InRing: true, Conjugated: true},
				{Begin: 4, End: 0, Order: 1.5, Aromatic: true, InRing: true, Conjugated: true},
			},
			Rings: [][]int{{0, 1, 2, 3, 4}},
		}},
	}
	for _, test := range tests {
		got := parse(t, test.smiles).Graph()
		if !reflect.DeepEqual(got.Atoms, test.want.Atoms) || !reflect.DeepEqual(got.Bonds, test.want.Bonds) || !reflect.DeepEqual(got.Rings, test.want.Rings) {
			t.Errorf("Graph of %s =\n%+v, want\n%+v", test.smiles, got, test.want)
		}
	}
}

func TestBondOrder(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		want         float64
	}{
		{"quadruple", "C$C", 4},
		{"aromatic", "c1ccccc1", 1.5},
		{"dative", "N->[Cu]", 1},
		{"any", "C~C", 0},
	}
	for _, test := range tests {
		b := parse(t, test.smiles).Graph().Bonds[0]
		equal(t, test.name, "Order", b.Order, test.want)
		equal(t, test.name, "Dative", b.Dative, test.name == "dative")
	}
}

// TestDistances checks the definition of shortest paths: the distance from an atom to itself is 0, and to any other
// reachable atom it is one more than the smallest distance to its neighbours.
func TestDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "atoms")
		g := molecule.Graph{Atoms: make([]molecule.Atom, n)}
		neighbours := make([][]int, n)
		if n > 1 {
			for range rapid.IntRange(0, 15).Draw(t, "bonds") {
				begin, end := rapid.IntRange(0, n-1).Draw(t, "begin"), rapid.IntRange(0, n-1).Draw(t, "end")
				g.Bonds = append(g.Bonds, molecule.Bond{Begin: begin, End: end})
				neighbours[begin], neighbours[end] = append(neighbours[begin], end), append(neighbours[end], begin)
			}
		}
		d := g.Distances()
		for from := range n {
			for to := range n {
				least := -1 // of to's neighbours
				for _, by := range neighbours[to] {
					if d[from][by] >= 0 && (least < 0 || d[from][by] < least) {
						least = d[from][by]
					}
				}
				want := least + 1
				switch {
				case from == to:
					want = 0
				case least < 0:
					want = -1
				}
				if d[from][to] != want {
					t.Errorf("bonds %v: distance of %d and %d is %d, want %d", g.Bonds, from, to, d[from][to], want)
				}
			}
		}
	})
}
