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

func ExampleConstraints() {
	hypervalent := selfies.Constraints(func(element string, charge int) int {
		if element == "I" && charge == 0 {
			return 7
		}
		return selfies.DefaultConstraints(element, charge)
	})
	for _, c := range []selfies.Constraints{selfies.DefaultConstraints, hypervalent} {
		smiles, err := c.Decode("[O][I][=Branch1][C][=O][=O]") // iodic acid
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(smiles)
	}
	// Output:
	// OI
	// OI(=O)=O
}
