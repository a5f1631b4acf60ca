package library_test

import (
	"fmt"

	"github.com/invbo/invbo/molecule/library"
)

func ExampleSMILES() {
	all := library.SMILES()
	fmt.Println(len(all), all[0])
	// Output: 20000 Brc1[nH]nc2ccccc12
}
