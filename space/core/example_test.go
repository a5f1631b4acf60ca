//go:build rdkit && cgo

package core_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
	"github.com/invbo/invbo/space/molecules"
)

// Random benzamides, with groups of other molecules.
func ExampleNew() {
	c, err := molecule.ParseCore("c1ccc([*:1])cc1C(=O)N[*:2]")
	if err != nil {
		fmt.Println(err)
		return
	}
	known := []string{"COc1cccc(C(=O)NCc2ccccc2)c1", "CCN(CC)CCO", "CC(C)Oc1ccc(NC(C)=O)cc1"}
	products, err := molecules.New(known, molecules.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	space, err := core.New(context.Background(), products, c, known, core.Options{Limits: map[int]core.Limit{1: {MaxAtoms: 4}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	all := true
	for _, smiles := range space.Pool(20, rand.New(rand.NewPCG(0, 0))) {
		_, ok := c.Groups(smiles)
		all = all && ok
	}
	fmt.Println("all have the core:", all)
	// Output: all have the core: true
}
