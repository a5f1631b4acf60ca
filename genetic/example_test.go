//go:build rdkit && cgo

package genetic_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evaluate"
	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/oracle/guacamol"
)

func ExampleRun() {
	druglike, err := guacamol.New("qed")
	if err != nil {
		fmt.Println(err)
		return
	}
	ledger, err := genetic.Run(context.Background(), evaluate.Problem{
		Oracle: druglike,
		Init:   []invbo.Observation{{X: "CC(=O)Nc1ccc(O)cc1"}, {X: "CC(C)Cc1ccc(cc1)C(C)C(=O)O"}, {X: "CN1CCCC1c1cccnc1"}},
	}, genetic.RunOptions{Options: evaluate.Options{Budget: 100}})
	if err != nil {
		fmt.Println(err)
		return
	}
	start := 0.0
	for _, t := range ledger.Trials() {
		if t.Kind == invbo.Initial {
			start = max(start, t.Score)
		}
	}
	fmt.Println(len(ledger.Trials()), ledger.Best().Score > start)
	// Output: 103 true
}

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
