package sequence

import (
	"bytes"
	_ "embed"
)

//go:embed weights/molecules.safetensors
var moleculeWeights []byte

// Molecules returns the built-in model of drug-like molecules as SELFIES: the compact encoder, the paper's
// decoder and alphabet. Its Training says how it was made; docs/weights.md says how good it is.
func Molecules() (*Model, error) { return Load(bytes.NewReader(moleculeWeights)) }
