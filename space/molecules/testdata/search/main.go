// Command search finds molecules like celecoxib among those without a nitro group and below 500 g/mol: a search of
// molecules with an oracle of one's own. It is a program outside the module, and a test builds and runs it.
//
//	go mod init example.com/search && go get github.com/invbo/invbo && go run -tags rdkit .
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

func main() {
	if err := search(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func search(ctx context.Context) error {
	celecoxib, err := molecule.Parse("Cc1ccc(cc1)-c1cc(nn1-c1ccc(cc1)S(N)(=O)=O)C(F)(F)F")
	if err != nil {
		return err // molecule.ErrNoRDKit in a build without the tag rdkit
	}
	target := celecoxib.ECFP(2)
	like := oracle.Func(func(smiles string) oracle.Result {
		m, err := molecule.Parse(smiles)
		if err != nil {
			return oracle.Result{Score: math.NaN(), Reason: err.Error()}
		}
		defer m.Close()
		return oracle.Result{Score: molecule.Tanimoto(m.ECFP(2), target)}
	})

	nitro, err := molecule.CompilePattern("[N+](=O)[O-]")
	if err != nil {
		return err
	}
	limits := molecules.Limits{Forbid: []*molecule.Pattern{nitro}, Weight: molecules.Range{Max: 500}}
	pool := molecules.BuiltIn() // or molecules.NewPool of SMILES of your own
	init, err := pool.Design(ctx, 20, rand.New(rand.NewPCG(1, 0)), limits.Feasible)
	if err != nil {
		return err
	}
	space, err := molecules.New(init, molecules.Options{Limits: limits, Pool: pool})
	if err != nil {
		return err
	}
	searcher, err := evolve.New(space, evolve.Options{Seed: 1})
	if err != nil {
		return err
	}

	problem := study.Problem{Oracle: like, Translate: molecule.Canonical, Feasible: limits.Feasible}
	for _, smiles := range init {
		problem.Init = append(problem.Init, study.Observation{X: smiles})
	}
	s, err := study.New(ctx, problem, searcher, study.Options{Budget: 40})
	if err != nil {
		return err
	}
	if err := s.Run(ctx); err != nil {
		return err
	}
	start := 0.0
	for _, t := range s.Trials()[:len(init)] {
		start = max(start, t.Score)
	}
	fmt.Printf("best of %d at the start %.2f, after %d calls %.2f: %s\n", len(init), start, s.Status().Calls, s.Best().Score, s.Best().Input)
	return nil
}
