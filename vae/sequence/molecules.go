package sequence

import (
	"bytes"
	_ "embed"
)

//go:embed weights/molecules.safetensors
var moleculeWeights []byte

// Molecules returns the built-in model of drug-like molecules in SELFIES, with the compact encoder and the paper's
// decoder and alphabet. Training describes its training, docs/weights.md its quality.
func Molecules() (*Model, error) { return Load(bytes.NewReader(moleculeWeights)) }
