//go:build rdkit && cgo

package genetic_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/genetic"
)

// The options are those with which an acquisition function over molecules is maximized.
func ExampleEvolve() {
	short := func(_ context.Context, smiles []string) ([]float64, error) {
		fit := make([]float64, len(smiles))
		for i, s := range smiles {
			fit[i] = 1 / float64(len(s))
		}
		return fit, nil
	}
	start := []string{"CCCCCCCCCCO", "CC(=O)Nc1ccc(O)cc1"}
	population, err := genetic.Evolve(context.Background(), start, short, genetic.Options{Generations: 5, Offspring: 200}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(population[0].SMILES))
	// Output: 6
}
