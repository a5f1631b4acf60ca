package routes_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/space/routes"
)

func index(t testing.TB, smiles []string) *reaction.Blocks {
	t.Helper()
	set, err := reaction.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	list := make([]reaction.Block, len(smiles))
	for i, s := range smiles {
		list[i].SMILES = s
	}
	blocks, err := set.Index(t.Context(), list, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// An initial design of ten routes.
func BenchmarkDesign(b *testing.B) {
	needRDKit(b)
	blocks := index(b, readBlocks(b))
	for i := range b.N {
		routes.Design(b.Context(), blocks, 10, rand.New(rand.NewPCG(0, uint64(i))), func(string) (bool, error) { return true, nil })
	}
}

// A child of each operator.
func BenchmarkOperators(b *testing.B) {
	needRDKit(b)
	blocks := index(b, readBlocks(b))
	products, err := molecules.New(nil, molecules.Options{})
	if err != nil {
		b.Fatal(err)
	}
	space := routes.New(products, blocks)
	rng := rand.New(rand.NewPCG(0, 0))
	parents := space.Pool(1000, rng)
	for _, op := range space.Operators {
		b.Run(op.Name, func(b *testing.B) {
			made := 0
			for i := 0; i < b.N; i += 100 {
				pairs := make([][2]string, 100)
				for k := range pairs {
					pairs[k] = [2]string{parents[rng.IntN(len(parents))], parents[rng.IntN(len(parents))]}
				}
				children, err := op.Make(context.Background(), pairs, rng)
				if err != nil {
					b.Fatal(err)
				}
				for _, c := range children {
					if c.X != "" {
						made++
					}
				}
			}
			b.ReportMetric(float64(made)/float64(b.N), "children/op")
		})
	}
}

// The index of a block.
func BenchmarkIndex(b *testing.B) {
	needRDKit(b)
	all := readBlocks(b)
	for i := 0; i < b.N; i += len(all) {
		index(b, all)
	}
}
