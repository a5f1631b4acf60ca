package task

import (
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// The tasks of strings of a user's own.
const (
	OwnMolecules = "molecules"
	OwnStrings   = "strings"
)

// Guess returns the task of the strings of a file: OwnMolecules if their column says so or most of the first ones are SMILES, as far as
// this build can tell, or OwnStrings.
func Guess(f File, columns table.Options) (string, error) {
	r, err := f.Open()
	if err != nil {
		return "", usage.Wrap(err)
	}
	defer r.Close()
	molecules, err := table.AreMolecules(r, columns)
	if err != nil {
		return "", usage.Errorf("%s: %w", f.Source(), err)
	}
	if molecules {
		return OwnMolecules, nil
	}
	return OwnStrings, nil
}

// GuessOf is Guess for given strings.
func GuessOf(texts []string) string {
	const looked = 100 // at the first ones
	n := 0
	texts = texts[:min(len(texts), looked)]
	for _, text := range texts {
		if _, err := molecule.Canonical(text); err == nil {
			n++
		}
	}
	if 2*n > len(texts) {
		return OwnMolecules
	}
	return OwnStrings
}
