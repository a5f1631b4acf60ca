//go:build rdkit && cgo

package molecules_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

// A search for a molecule with a polar surface of 80 Å², from three drugs. testdata/search is a whole program, with a
// pool and limits.
func ExampleNew() {
	surface := oracle.Func(func(smiles string) oracle.Result {
		m, err := molecule.Parse(smiles)
		if err != nil {
			return oracle.Result{Reason: err.Error()}
		}
		defer m.Close()
		return oracle.Result{Score: max(m.TPSA()-80, 80-m.TPSA())}
	})
	drugs := []string{"CC(=O)Nc1ccc(O)cc1", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "CN1CCCC1c1cccnc1"}
	problem := study.Problem{Oracle: surface, Minimize: true, Translate: molecule.Canonical}
	for _, smiles := range drugs {
		problem.Init = append(problem.Init, study.Observation{X: smiles})
	}
	space, err := molecules.New(drugs, molecules.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	searcher, err := evolve.New(space, evolve.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	s, err := study.New(ctx, problem, searcher, study.Options{Budget: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("within 5 Å² of the target:", s.Best().Score < 5)
	// Output: within 5 Å² of the target: true
}

func ExampleLimits() {
	nitro, err := molecule.CompilePattern("[N+](=O)[O-]")
	if err != nil {
		fmt.Println(err)
		return
	}
	limits := molecules.Limits{Forbid: []*molecule.Pattern{nitro}, MaxAtoms: 12, LogP: molecules.Range{Min: 0, Max: 3}}
	for _, smiles := range []string{"CC(=O)Nc1ccc(O)cc1", "Cc1ccccc1[N+](=O)[O-]", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "OCC(O)CO"} {
		ok, err := limits.Feasible(smiles)
		fmt.Println(smiles, ok, err)
	}
	// Output:
	// CC(=O)Nc1ccc(O)cc1 true <nil>
	// Cc1ccccc1[N+](=O)[O-] false <nil>
	// CC(C)Cc1ccc(cc1)C(C)C(=O)O false <nil>
	// OCC(O)CO false <nil>
}

func ExamplePool() {
	pool := molecules.NewPool([]string{"OCC", "C1CC", "N(C)C"}, nil) // of any spelling; the second is no molecule
	fmt.Println(len(pool.Sample(10, rand.New(rand.NewPCG(1, 0)))))
	// Output: 2
}
