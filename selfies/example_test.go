package selfies_test

import (
	"fmt"
	"log"

	"github.com/invbo/invbo/selfies"
)

func Example() {
	s, err := selfies.Encode("CC(=O)Oc1ccccc1C(=O)O") // aspirin
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s)
	smiles, err := selfies.Decode(s)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(smiles)
	// Output:
	// [C][C][=Branch1][C][=O][O][C][=C][C][=C][C][=C][Ring1][=Branch1][C][=Branch1][C][=O][O]
	// CC(=O)OC1=CC=CC=C1C(=O)O
}
