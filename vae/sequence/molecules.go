package sequence

import (
	"bytes"
	_ "embed"
	"io"
)

//go:embed weights/molecules.safetensors
var moleculeWeights []byte

// MoleculesFile returns the file that Molecules reads.
func MoleculesFile() io.Reader { return bytes.NewReader(moleculeWeights) }

// Molecules returns the built-in model of drug-like molecules in SELFIES, with the compact encoder and the paper's
// decoder and alphabet. Training describes its training, docs/weights.md its quality.
func Molecules() (*Model, error) { return Load(MoleculesFile()) }
