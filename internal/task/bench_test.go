package task

import (
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
)

// The surrogate of molecules, fitted to 500: what a molecule of the library takes.
func BenchmarkMolecules(b *testing.B) {
	if err := molecule.Available(); err != nil {
		b.Skip(err)
	}
	pool, err := library.SMILES()
	if err != nil {
		b.Fatal(err)
	}
	const points, predicted = 500, 200
	var read []*molecule.Molecule
	var x [][]gp.Counts
	for _, smiles := range pool[:points+predicted] {
		m, err := molecule.Parse(smiles)
		if err != nil {
			b.Fatal(err)
		}
		defer m.Close()
		read, x = append(read, m), append(x, features(m))
	}
	terms := comparisons()
	weights := make([]float64, len(terms))
	for i := range weights {
		weights[i] = 1
	}
	surrogate := gp.NewMixture(terms, weights, 0.1)
	if err := surrogate.Add(x[:points], nil); err != nil {
		b.Fatal(err)
	}
	if err := surrogate.Target(make([]float64, points), 0); err != nil {
		b.Fatal(err)
	}
	per := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*predicted), "µs/molecule")
	}
	b.Run("features", func(b *testing.B) {
		for b.Loop() {
			for _, m := range read[:predicted] {
				features(m)
			}
		}
		per(b)
	})
	b.Run("predict", func(b *testing.B) {
		for b.Loop() {
			surrogate.Predict(x[points:])
		}
		per(b)
	})
}
