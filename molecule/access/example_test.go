//go:build rdkit && cgo

package access_test

import (
	"fmt"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/access"
)

func ExampleScore() {
	for _, smiles := range []string{"CC(=O)Nc1ccc(O)cc1", "OC1CC2C3CCC4(C)C(CCC4C3CCC2(C)CC1)C(=O)C=C"} {
		m, err := molecule.Parse(smiles)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.1f\n", access.Score(m))
		m.Close()
	}
	// Output:
	// 1.4
	// 4.5
}
