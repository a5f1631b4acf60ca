// Package library holds 20,000 screening molecules, to start a search from and to cross its best molecules with.
//
// They are molecules of MUV (Rohrer & Baumann 2009; PubChem BioAssay, public data, as MoleculeNet has it). They are
// drawn at random from those with usual atom environments, rings and pairs of fused rings only (see package corpus).
package library

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
)

//go:embed library.smi.gz
var file []byte

// SMILES returns the molecules as canonical SMILES (RDKit 2022.09), in alphabetical order. The slice is shared: do not
// modify it.
func SMILES() []string { return read() }

var read = sync.OnceValue(func() []string {
	var text []byte
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err == nil {
		text, err = io.ReadAll(z)
	}
	if err != nil {
		panic("library of molecules: " + err.Error())
	}
	return strings.Fields(string(text))
})
