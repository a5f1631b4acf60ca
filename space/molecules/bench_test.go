package molecules

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/molecule/library"
)

// The surrogate of molecules, fitted to 500: what a molecule of the library takes.
func BenchmarkMolecules(b *testing.B) {
	if err := molecule.Available(); err != nil {
		b.Skip(err)
	}
	pool := library.SMILES()
	const points, predicted = 500, 200
	var read []*molecule.Molecule
	var x [][]gp.Counts
	for _, smiles := range pool[:points+predicted] {
		m, err := molecule.Parse(smiles)
		if err != nil {
			b.Fatal(err)
		}
		defer m.Close()
		groups, _ := features(m)
		read, x = append(read, m), append(x, groups)
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

// A generation of evolve: children of 500 molecules, their checks, features, and predictions of a surrogate of these 500.
func BenchmarkGeneration(b *testing.B) {
	if err := molecule.Available(); err != nil {
		b.Skip(err)
	}
	pool := library.SMILES()
	usual := corpus.Default()
	space, err := New(nil, Options{Limits: Limits{Usual: usual}})
	if err != nil {
		b.Fatal(err)
	}
	const points, children = 500, 200
	known := pool[:points]
	var x [][]gp.Counts
	for _, smiles := range known {
		d, err := space.Read(smiles)
		if err != nil {
			b.Fatal(err)
		}
		x = append(x, d.Groups)
	}
	weights := make([]float64, len(space.Kernels))
	for i := range weights {
		weights[i] = 1
	}
	surrogate := gp.NewMixture(space.Kernels, weights, 0.1)
	if err := surrogate.Add(x, nil); err != nil {
		b.Fatal(err)
	}
	if err := surrogate.Target(make([]float64, points), 0); err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	made, feasible := 0, 0
	for b.Loop() {
		var born []evolve.Child
		for _, op := range space.Operators {
			pairs := make([][2]string, children/len(space.Operators))
			for i := range pairs {
				pairs[i] = [2]string{known[rng.IntN(points)], known[rng.IntN(points)]}
			}
			made, err := op.Make(b.Context(), pairs, rng)
			if err != nil {
				b.Fatal(err)
			}
			born = append(born, made...)
		}
		born = slices.DeleteFunc(born, func(c evolve.Child) bool { return c.X == "" })
		groups := make([][]gp.Counts, len(born))
		parallel.For(len(born), 4, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if d := born[i].Description; d != nil {
					groups[i] = d.Groups
				} else if d, err := space.Read(born[i].X); err == nil && !d.Infeasible {
					groups[i] = d.Groups
				}
			}
		})
		made += len(born)
		var some [][]gp.Counts
		for _, g := range groups {
			if g != nil {
				some = append(some, g)
			}
		}
		feasible += len(some)
		surrogate.Predict(some)
	}
	b.ReportMetric(float64(made)/b.Elapsed().Seconds(), "children/s")
	b.ReportMetric(float64(feasible)/b.Elapsed().Seconds(), "feasible/s")
}
