//go:build rdkit && cgo

package genetic_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/genetic"
)

// Short SMILES survive.
func ExamplePopulation() {
	p, err := genetic.NewPopulation(genetic.Options{Offspring: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 1))
	molecules := []string{"CCCCCCCCCCO", "CC(=O)Nc1ccc(O)cc1"}
	for range 5 {
		fitness := make([]float64, len(molecules))
		for i, s := range molecules {
			fitness[i] = 1 / float64(len(s))
		}
		p.Admit(molecules, fitness)
		if molecules, err = p.Children(context.Background(), rng); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(len(p.Members()[0].SMILES))
	// Output: 6
}
