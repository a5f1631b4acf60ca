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

// Required is what all proposals contain: functional groups and scaffolds, or the SMARTS of a file. The zero value leaves it to the data.
type Required struct {
	File
	Groups []string `json:"groups,omitzero"` // names, and scaffolds as ScaffoldPrefix and their SMILES; or NoGroups alone
}

// ScaffoldPrefix begins the name of a scaffold.
const ScaffoldPrefix = "scaffold:"

// NoGroups stands for no group, whatever the data have in common.
const NoGroups = "none"

// Set and String let a flag hold it, as NAME,NAME or FILE.
func (r *Required) Set(text string) error {
	names := groupNames()
	given := strings.Split(text, ",")
	for i := range given {
		given[i] = strings.TrimSpace(given[i])
	}
	unknown := slices.IndexFunc(given, func(name string) bool {
		smiles, scaffold := strings.CutPrefix(name, ScaffoldPrefix)
		return !slices.Contains(names, name) && (!scaffold || smiles == "")
	})
	switch {
	case text == NoGroups || unknown < 0:
		*r = Required{Groups: given}
	case given[unknown] == ScaffoldPrefix:
		return usage.Errorf("%s stands before the SMILES of a scaffold, such as %sc1ccc2ncncc2c1", ScaffoldPrefix, ScaffoldPrefix)
	case strings.ContainsAny(text, `./\`) || files.Exists(text):
		*r = Required{File: File{Path: text}}
	case given[unknown] == NoGroups:
		return usage.Errorf("%s stands for no group at all; leave it or the others out", NoGroups)
	default:
		help := usage.Suggest(given[unknown], append(names, NoGroups))
		if help == "" {
			help = "; give a FILE of SMARTS, none, " + ScaffoldPrefix + "SMILES, or some of " + strings.Join(names, ", ")
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

// groupPatterns returns the patterns of functional groups and scaffolds; of NoGroups, none.
func groupPatterns(names []string) (patterns []*molecule.Pattern, _ error) {
	all := molecules.Groups()
	for _, name := range names {
		var p *molecule.Pattern
		var err error
		if smiles, ok := strings.CutPrefix(name, ScaffoldPrefix); ok {
			if p, err = (molecules.Scaffold{SMILES: smiles}).Pattern(); err != nil {
				return nil, usage.Errorf("the scaffold %s: %w", usage.Shorten(smiles, 40), err)
			}
		} else if i := slices.IndexFunc(all, func(g molecules.Group) bool { return g.Name == name }); i >= 0 {
			if p, err = all[i].Pattern(); err != nil {
				return nil, err
			}
		} else {
			continue // NoGroups
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}
