//go:build rdkit && cgo

package routes_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/space/routes"
)

// Random routes from a few blocks.
func ExampleDesign() {
	set, err := reaction.BuiltIn()
	if err != nil {
		fmt.Println(err)
		return
	}
	list := []reaction.Block{{SMILES: "CC(=O)O"}, {SMILES: "O=C(O)c1ccccc1"}, {SMILES: "NCc1ccccc1"}, {SMILES: "C1COCCN1"}}
	blocks, err := set.Index(context.Background(), list, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	all := func(string) (bool, error) { return true, nil }
	design, err := routes.Design(context.Background(), blocks, 3, rand.New(rand.NewPCG(0, 0)), all)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range design {
		route, err := set.Route(x)
		fmt.Println(route.Product == reaction.Product(x), err)
	}
	// Output:
	// true <nil>
	// true <nil>
	// true <nil>
}
