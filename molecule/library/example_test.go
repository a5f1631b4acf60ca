package library_test

import (
	"fmt"

	"github.com/invbo/invbo/molecule/library"
)

func ExampleSMILES() {
	all, err := library.SMILES()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(all), all[0])
	// Output: 20000 Brc1[nH]nc2ccccc12
}
