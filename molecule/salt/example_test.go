//go:build rdkit && cgo

package salt_test

import (
	"fmt"
	"log"

	"github.com/invbo/invbo/molecule/salt"
)

// The salt of a drug with embonic acid, which is the larger part, as a monohydrate.
func ExampleParents() {
	parts, err := salt.Split("CCOCCNC.O.O=C(O)c1cc2ccccc2c(Cc2c(O)c(C(=O)O)cc3ccccc23)c1O")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(salt.Parents(parts)[0].SMILES)
	// Output: CCOCCNC
}
