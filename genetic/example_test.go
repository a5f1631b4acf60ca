//go:build rdkit && cgo

package genetic_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/molecule"
)

// Short SMILES survive.
func ExampleBreeder_Breed() {
	breeder, err := genetic.NewBreeder(genetic.Options{}, func(smiles string, _ *molecule.Molecule) string { return smiles })
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 1))
	molecules := []string{"CCCCCCCCCCO", "CC(=O)Nc1ccc(O)cc1"}
	for range 5 {
		children, err := breeder.Breed(context.Background(), molecules, 200, 0.1, rng)
		if err != nil {
			fmt.Println(err)
			return
		}
		molecules = slices.DeleteFunc(append(molecules, children...), func(smiles string) bool { return smiles == "" })
		slices.SortFunc(molecules, func(a, b string) int { return len(a) - len(b) })
		molecules = molecules[:50]
	}
	fmt.Println(len(molecules[0]))
	// Output: 6
}
