package main

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/vae"
	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/sequence"
)

// model is a generative model with the notation of its strings.
type model struct {
	vae.Tunable
	notation
}

// modelFlags choose a model.
type modelFlags struct{ name, weights string }

func (f *modelFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "model", "", "`NAME` of a built-in model: expressions or molecules (default expressions)")
	flags.StringVar(&f.weights, "weights", "", "model `FILE` of your own, from invbo train or import, in place of a built-in one")
}

func (f modelFlags) load() (model, error) {
	if f.name != "" && f.weights != "" {
		return model{}, usagef("--model names a built-in model, and --weights a file with another; give one of them")
	}
	return loadModel(cmp.Or(f.name, "expressions"), f.weights)
}

// loadModel reads a file of weights, or returns the built-in model of that name if there is none. A model of molecules
// takes RDKit.
func loadModel(name, weights string) (model, error) {
	if weights != "" {
		return readModel(weights)
	}
	switch name {
	case "expressions":
		return expressionModel()
	case "molecules":
		return moleculeModel()
	}
	return model{}, usagef("there is no model %q%s", name, suggest(name, []string{"expressions", "molecules"}))
}

func expressionModel() (model, error) {
	m, err := grammar.Expression()
	return model{m, expressions()}, err
}

func moleculeModel() (model, error) {
	if err := molecule.Available(); err != nil {
		return model{}, &usageError{err}
	}
	m, err := sequence.Molecules()
	return model{m, smiles()}, err
}

// readModel reads a file of weights. Those without a mark of ours are of the published layout, over the
// paper's SELFIES.
func readModel(name string) (model, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return model{}, usagef("%w; `invbo train` makes such a file", err)
	}
	m, err := parseModel(data)
	if errors.Is(err, molecule.ErrNoRDKit) {
		return model{}, &usageError{err}
	}
	if err != nil {
		return model{}, usagef("%s: %w", name, err)
	}
	return m, nil
}

func parseModel(data []byte) (model, error) {
	format, err := formatOf(data)
	if err != nil {
		return model{}, err
	}
	if strings.HasPrefix(format, "invbo grammar") {
		m, err := grammar.Load(bytes.NewReader(data))
		return model{m, expressions()}, err
	}
	m, err := parseSequence(data)
	if err != nil {
		return model{}, err
	}
	if !isSELFIES(m.Alphabet()) {
		return model{m, sequences()}, nil
	}
	return model{m, smiles()}, molecule.Available()
}

// formatOf returns what a file of weights says that it holds; empty for one that others made.
func formatOf(data []byte) (string, error) {
	file, err := safetensors.Read(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	return file.Metadata["format"], nil
}

// parseSequence reads a transformer VAE: ours, or of the published layout over the paper's SELFIES.
func parseSequence(data []byte) (*sequence.Model, error) {
	format, err := formatOf(data)
	if err != nil {
		return nil, err
	}
	if format != "" {
		return sequence.Load(bytes.NewReader(data))
	}
	a, err := readAlphabet("")
	if err != nil {
		return nil, err
	}
	return sequence.Import(bytes.NewReader(data), a, sequence.Config{})
}

// isSELFIES says that all symbols of an alphabet are in brackets, as those of molecules are.
func isSELFIES(a *sequence.Alphabet) bool {
	return !slices.ContainsFunc(a.Symbols(), func(s string) bool { return !strings.HasPrefix(s, "[") })
}
