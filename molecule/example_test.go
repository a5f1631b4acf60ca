//go:build rdkit && cgo

package molecule_test

import (
	"fmt"

	"github.com/invbo/invbo/molecule"
)

func Example() {
	for _, smiles := range []string{"CC(=O)Oc1ccccc1C(=O)O", "O=C(O)c1ccccc1O", "CN(C)(C)(C)C"} {
		m, err := molecule.Parse(smiles)
		if err != nil {
			fmt.Println(smiles, "is no molecule:", err)
			continue
		}
		fmt.Printf("%s %s logP %.2f TPSA %.1f\n", m.SMILES(), m.Formula(), m.LogP(), m.TPSA())
		m.Close()
	}
	// Output:
	// CC(=O)Oc1ccccc1C(=O)O C9H8O4 logP 1.31 TPSA 63.6
	// O=C(O)c1ccccc1O C7H6O3 logP 1.09 TPSA 57.5
	// CN(C)(C)(C)C is no molecule: Explicit valence for atom # 1 N, 5, is greater than permitted
}

func ExampleTanimoto() {
	aspirin, _ := molecule.Parse("CC(=O)Oc1ccccc1C(=O)O")
	salicylicAcid, _ := molecule.Parse("O=C(O)c1ccccc1O")
	fmt.Printf("%.3f\n", molecule.Tanimoto(aspirin.ECFP(2), salicylicAcid.ECFP(2)))
	// Output: 0.512
}
