package task

import (
	"context"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// The tasks of strings of a user's own.
const (
	OwnMolecules = "molecules"
	OwnStrings   = "strings"
)

// looked is how many strings tell whether they are molecules.
const looked = 100

// Guess returns the task of the strings of a file: OwnMolecules if most of the first ones are SMILES, as far as this build can tell,
// or OwnStrings.
func Guess(ctx context.Context, f File, columns table.Options) (string, error) {
	r, err := f.Open()
	if err != nil {
		return "", usage.Wrap(err)
	}
	defer r.Close()
	var texts []string
	columns.Molecules = true
	if molecule.Available() == nil { // which helps to tell SMILES from their names
		columns.Normalize = func(text string) (string, string, error) {
			smiles, err := molecule.Canonical(text)
			return smiles, "", err
		}
	}
	err = table.Scan(ctx, r, columns, func(r table.Record) bool {
		texts = append(texts, r.Input)
		return len(texts) < looked
	})
	if err != nil {
		return "", usage.Errorf("%s: %w", f.Source(), err)
	}
	return GuessOf(texts), nil
}

// GuessOf is Guess for given strings.
func GuessOf(texts []string) string {
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
