package task

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
)

// BenchmarkMoleculeSurrogate predicts 1,000 molecules of the library, given n.
func BenchmarkMoleculeSurrogate(b *testing.B) {
	if err := molecule.Available(); err != nil {
		b.Skip(err)
	}
	library, err := readCatalogue(File{})
	if err != nil {
		b.Fatal(err)
	}
	space, err := moleculeSpace(library, nil, demands{})
	if err != nil {
		b.Fatal(err)
	}
	var x [][]gp.Counts
	for _, smiles := range library.sample(3_000, rand.New(rand.NewPCG(1, 2))) {
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
