package task

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// LoadModel reads a file of weights, or returns the built-in model of that name if the file is not given. A model of
// molecules needs RDKit.
func LoadModel(name string, weights File) (Model, error) {
	if weights.Path != "" {
		return readModel(weights)
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

func readModel(weights File) (m Model, err error) {
	r, err := weights.Open()
	if err != nil {
		return Model{}, usage.Errorf("%w; `invbo model train` makes such a file", err)
	}
	defer r.Close()
	defer func() {
		if err != nil && !errors.Is(err, molecule.ErrNoRDKit) {
			err = fmt.Errorf("%s: %w", weights.Source(), err)
		}
		err = usage.Wrap(err)
	}()
	format, whole, err := formatOf(r)
	if err != nil {
		return Model{}, err
	}
	if strings.HasPrefix(format, "invbo grammar") {
		g, err := grammar.Load(whole)
		return Model{g, Verbatim("x")}, err
	}
	s, err := loadSequence(format, whole)
	if err != nil {
		return Model{}, err
	}
	if slices.ContainsFunc(s.Alphabet().Symbols(), func(s string) bool { return !strings.HasPrefix(s, "[") }) {
		return Model{s, Verbatim("x")}, nil
	}
	return Model{s, SMILES()}, molecule.Available() // SELFIES
}

// formatOf returns the format that a file of weights declares, empty for a file that this program did not write, and a
// reader of the whole file. Only the header is read, as r may be a stream and the weights large.
func formatOf(r io.Reader) (format string, whole io.Reader, err error) {
	var header bytes.Buffer
	metadata, err := safetensors.ReadMetadata(io.TeeReader(r, &header))
	return metadata["format"], io.MultiReader(&header, r), err
}

// ReadSequence reads a transformer VAE: ours, or one of the published layout over the paper's SELFIES alphabet.
func ReadSequence(r io.Reader) (*sequence.Model, error) {
	format, whole, err := formatOf(r)
	if err != nil {
		return nil, err
	}
	return loadSequence(format, whole)
}

// loadSequence is ReadSequence for a file whose format is known.
func loadSequence(format string, whole io.Reader) (*sequence.Model, error) {
	if format != "" {
		return sequence.Load(whole)
	}
	a, err := ReadAlphabet("")
	if err != nil {
		return nil, err
	}
	return sequence.Import(whole, a, sequence.Config{})
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
