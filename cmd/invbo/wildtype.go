package main

import (
	"errors"
	"os"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

// wildTypeFlags say what mutants in a table change.
type wildTypeFlags struct {
	sequence string // or the name of a file
	first    int    // position of its first letter
	position *option.Option
}

func (f *wildTypeFlags) add(to flagGroup) {
	f.first = 1
	f.position = &option.Option{Name: "first-position", Value: option.Whole(&f.first), Help: "mutants number the first letter of the wild type `N`, such as 0", Default: "1", Tasks: []string{task.OwnStrings}, Table: "strings"}
	to.declare(&option.Option{Name: "wild-type", Value: option.Text(&f.sequence), Help: "the `SEQUENCE|FILE` that a column of mutants such as A24T changes", Tasks: []string{task.OwnStrings}, Table: "strings"}, f.position)
}

// options returns the options of a table with mutants.
func (f wildTypeFlags) options() (o table.Options, err error) {
	switch {
	case f.sequence == "" && f.position != nil && f.position.Given:
		return o, usage.Errorf("--first-position numbers the letters of the wild type: give --wild-type, too")
	case f.sequence == "":
		return o, nil
	}
	o.Offset = f.first - 1
	o.WildType, err = readWildType(f.sequence)
	return o, err
}

// remedied returns an error with the flag that helps, if a table does not fit the wild type.
func remedied(err error) error {
	e, misfit := errors.AsType[*table.WildTypeError](err)
	switch _, unknown := errors.AsType[*table.MutantsError](err); {
	case unknown:
		return usage.Errorf("%w: give --wild-type SEQUENCE, or a FILE that holds it", err)
	case misfit && len(e.First) == 1:
		return usage.Errorf("%w: give --first-position %d", err, e.First[0])
	case misfit && len(e.First) > 1:
		return usage.Errorf("%w: give --first-position with the right one", err)
	case misfit:
		return usage.Errorf("%w: give --wild-type with the sequence that they change", err)
	}
	return err
}

// readWildType returns the sequence that --wild-type gives, or that of the file that it names.
func readWildType(given string) (string, error) {
	if !files.Exists(given) {
		sequence, err := table.ParseWildType(given)
		if err != nil {
			return "", usage.Errorf("--wild-type %s: there is no such file, and it is no sequence: %w", usage.Shorten(given, 60), err)
		}
		return sequence, nil
	}
	r, err := os.Open(given)
	if err != nil {
		return "", usage.Errorf("--wild-type: %w", err)
	}
	defer r.Close()
	sequence, err := table.ReadWildType(r)
	if err != nil {
		return "", usage.Errorf("--wild-type %s: %w", given, err)
	}
	return sequence, nil
}
