//go:build rdkit && cgo

package corpus_test

import (
	"fmt"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
)

// Which molecules consist of environments and rings that are usual in the corpus of the built-in model.
func ExampleCorpus_Usual() {
	c := corpus.Default()
	for _, smiles := range []string{"CC(=O)Nc1ccc(O)cc1", "NNNNNNC"} {
		m, err := molecule.Parse(smiles)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(smiles, c.Usual(m))
		m.Close()
	}
	// Output:
	// CC(=O)Nc1ccc(O)cc1 true
	// NNNNNNC false
}
