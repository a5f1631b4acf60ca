package task

import (
	"context"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// Required is what all proposals contain: functional groups, or the SMARTS of a file. The zero value leaves it to the data.
type Required struct {
	File
	Groups []string `json:"groups,omitzero"` // names, or NoGroups alone
}

// NoGroups stands for no group, whatever the data have in common.
const NoGroups = "none"

// Set and String let a flag hold it, as NAME,NAME or FILE.
func (r *Required) Set(text string) error {
	names := groupNames()
	given := strings.Split(text, ",")
	unknown := slices.IndexFunc(given, func(name string) bool { return !slices.Contains(names, name) })
	switch {
	case text == NoGroups || unknown < 0:
		*r = Required{Groups: given}
	case strings.ContainsAny(text, `./\`) || files.Exists(text):
		*r = Required{File: File{Path: text}}
	case given[unknown] == NoGroups:
		return usage.Errorf("%s stands for no group at all; leave it or the others out", NoGroups)
	default:
		help := usage.Suggest(given[unknown], append(names, NoGroups))
		if help == "" {
			help = "; give a FILE of SMARTS, none, or some of " + strings.Join(names, ", ")
		}
		return usage.Errorf("there is no functional group and no file of the name %s%s", usage.Shorten(given[unknown], 40), help)
	}
	return nil
}

func (r *Required) String() string {
	if len(r.Groups) > 0 {
		return strings.Join(r.Groups, ",")
	}
	return r.Path
}

// Given reports whether it was chosen.
func (r Required) Given() bool { return len(r.Groups) > 0 || r.File.Given() }

// read returns the patterns.
func (r Required) read(ctx context.Context) ([]*molecule.Pattern, error) {
	if len(r.Groups) > 0 {
		return groupPatterns(r.Groups)
	}
	return readPatterns(ctx, r.File)
}

func groupNames() (names []string) {
	for _, g := range molecules.Groups() {
		names = append(names, g.Name)
	}
	return names
}

// groupPatterns returns the patterns of functional groups; of NoGroups, none.
func groupPatterns(names []string) (patterns []*molecule.Pattern, _ error) {
	for _, g := range molecules.Groups() {
		if !slices.Contains(names, g.Name) {
			continue
		}
		p, err := g.Pattern()
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}
