package task

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/selfies"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/sequence"
)

// Model is a generative model with the notation of its strings.
type Model struct {
	vae.Tunable
	Notation
}

// The names of the built-in models.
const (
	ExpressionModel = "expressions"
	MoleculeModel   = "molecules"
)

// LoadModel reads a file of weights, or returns the built-in model of that name if the file is not given. A model of molecules
// needs RDKit.
func LoadModel(name string, weights File) (Model, error) {
	if weights.Path != "" {
		return readModel(weights.Path)
	}
	switch name {
	case ExpressionModel:
		m, err := grammar.Expression()
		return Model{m, Verbatim("x")}, err
	case MoleculeModel:
		if err := molecule.Available(); err != nil {
			return Model{}, usage.Wrap(err)
		}
		m, err := sequence.Molecules()
		return Model{m, SMILES()}, err
	}
	return Model{}, usage.Errorf("there is no model %q%s", name, usage.Suggest(name, []string{ExpressionModel, MoleculeModel}))
}

func readModel(path string) (m Model, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Model{}, usage.Errorf("%w; `invbo model train` makes such a file", err)
	}
	defer func() {
		if err != nil && !errors.Is(err, molecule.ErrNoRDKit) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		err = usage.Wrap(err)
	}()
	format, err := formatOf(data)
	if err != nil {
		return Model{}, err
	}
	if strings.HasPrefix(format, "invbo grammar") {
		g, err := grammar.Load(bytes.NewReader(data))
		return Model{g, Verbatim("x")}, err
	}
	s, err := ParseSequence(data)
	if err != nil {
		return Model{}, err
	}
	if slices.ContainsFunc(s.Alphabet().Symbols(), func(s string) bool { return !strings.HasPrefix(s, "[") }) {
		return Model{s, Verbatim("x")}, nil
	}
	return Model{s, SMILES()}, molecule.Available() // SELFIES
}

// formatOf returns the format that a file of weights declares; empty for a file that this program did not write.
func formatOf(data []byte) (string, error) {
	file, err := safetensors.Read(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	return file.Metadata["format"], nil
}

// ParseSequence reads a transformer VAE: ours, or one of the published layout over the paper's SELFIES alphabet.
func ParseSequence(data []byte) (*sequence.Model, error) {
	format, err := formatOf(data)
	if err != nil {
		return nil, err
	}
	if format != "" {
		return sequence.Load(bytes.NewReader(data))
	}
	a, err := ReadAlphabet("")
	if err != nil {
		return nil, err
	}
	return sequence.Import(bytes.NewReader(data), a, sequence.Config{})
}

// ReadAlphabet reads a file of symbols, one per line. Without a name it returns the SELFIES alphabet.
func ReadAlphabet(name string) (*sequence.Alphabet, error) {
	symbols := selfies.DefaultAlphabet()
	if name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		lines := strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
		symbols = strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	}
	a, err := sequence.NewAlphabet(symbols)
	if err != nil {
		return nil, option.Errorf("%s: %w", option.Name("alphabet"), err)
	}
	return a, nil
}
