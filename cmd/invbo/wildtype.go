package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

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
}

func (f *wildTypeFlags) add(to flagGroup) {
	f.first = 1
	to.declare(
		&option.Option{Name: "wild-type", Value: option.Text(&f.sequence), Help: "the `SEQUENCE|FILE` that a column of mutants such as A24T changes", Tasks: []string{task.OwnStrings}, Table: "strings"},
		&option.Option{Name: "first-position", Value: option.Whole(&f.first), Help: "mutants number the first letter of the wild type `N`, such as 0", Default: "1", Tasks: []string{task.OwnStrings}, Table: "strings"})
}

// options returns the options of a table with mutants.
func (f wildTypeFlags) options(given *pflag.FlagSet) (o table.Options, err error) {
	if f.sequence == "" && isGiven(given, "first-position") {
		return o, usage.Errorf("--first-position numbers the letters of the wild type: give --wild-type, too")
	}
	if f.sequence == "" {
		return o, nil
	}
	o.Offset = f.first - 1
	o.WildType, err = readWildType(f.sequence)
	return o, err
}

// remedied is an error with wildTypeRemedy.
func remedied(err error) error {
	if remedy := wildTypeRemedy(err); remedy != "" {
		return usage.Errorf("%w%s", err, remedy)
	}
	return err
}

// wildTypeRemedy says which flag helps if a table does not fit the wild type; empty if that is not what is wrong.
func wildTypeRemedy(err error) string {
	asked := func(a table.Ask) bool { return a.For == table.RoleWildType }
	if q, ok := errors.AsType[*table.Question](err); ok && slices.ContainsFunc(q.Asks, asked) {
		return ": give --wild-type SEQUENCE, or a FILE that holds it"
	}
	if e, ok := errors.AsType[*table.WildTypeError](err); ok && len(e.First) == 1 {
		return fmt.Sprintf(": give --first-position %d", e.First[0])
	} else if ok && len(e.First) > 1 {
		return ": give --first-position with the right one"
	} else if ok {
		return ": give --wild-type with the sequence that they change"
	}
	return ""
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
