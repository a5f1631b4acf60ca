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

func ExampleEncode_error() {
	_, err := selfies.Encode("c1ccc(C)nc1(C)C")
	fmt.Println(err)
	// Output:
}

func ExampleConstraints() {
	hypervalent := selfies.Constraints(func(element string, charge int) int {
		if element == "I" && charge == 0 {
			return 7
		}
		return selfies.DefaultConstraints(element, charge)
	})
	const iodine = "[O][=I][Branch1][C][O][=O]" // HIO₃
	for _, decode := range []func(string) (string, error){selfies.Decode, hypervalent.Decode} {
		smiles, err := decode(iodine)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(smiles)
	}
	// Output:
	// OI
	// O=I(O)=O
}
