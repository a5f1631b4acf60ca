//go:build rdkit && cgo

package reaction_test

import (
	"context"
	"fmt"

	"github.com/invbo/invbo/molecule/reaction"
)

// A route of two steps, read from its text, with the names and prices of its blocks.
func Example() {
	set, err := reaction.BuiltIn()
	if err != nil {
		fmt.Println(err)
		return
	}
	blocks, err := set.Index(context.Background(), []reaction.Block{
		{SMILES: "OC(C)=O", Name: "A1", Price: 12.5}, {SMILES: "Nc1cccc(Br)c1", Name: "A2", Price: 3}, {SMILES: "OB(O)c1ccncc1", Name: "A3", Price: 20},
	}, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	route, err := set.Route("CC(=O)Nc1cccc(-c2ccncc2)c1 CC(=O)O Nc1cccc(Br)c1 >amide_coupling OB(O)c1ccncc1 >Suzuki_coupling")
	if err != nil {
		fmt.Println(err)
		return
	}
	steps, price := blocks.Describe(route)
	for _, s := range steps {
		fmt.Println(s.Reaction, "gives", s.Product)
	}
	fmt.Println("blocks:", price)
	// Output:
	// amide coupling gives CC(=O)Nc1cccc(Br)c1
	// Suzuki coupling gives CC(=O)Nc1cccc(-c2ccncc2)c1
	// blocks: 35.5
}
