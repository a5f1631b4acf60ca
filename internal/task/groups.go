package task

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// Required is what all proposals contain: functional groups and scaffolds, or the SMARTS of a file. The zero value
// leaves it to the data.
type Required struct {
	File
	Groups []string `json:"groups,omitzero"` // names, and scaffolds as ScaffoldPrefix and their SMILES, each behind a Whole if it occurs so often; or NoGroups alone
}

// ScaffoldPrefix begins the name of a scaffold, ClosedPrefix that of a closed one, and SMARTSPrefix a SMARTS. Or
// separates several of a kind: one of them occurs.
const (
	ScaffoldPrefix = "scaffold:"
	ClosedPrefix   = "closed:"
	SMARTSPrefix   = "smarts:"
	Or             = "|"
)

// cutPrefix splits what begins the name of a scaffold from its SMILES; ok: it is one.
func cutPrefix(name string) (smiles string, closed, ok bool) {
	if smiles, ok = strings.CutPrefix(name, ScaffoldPrefix); ok {
		return smiles, false, true
	}
	smiles, ok = strings.CutPrefix(name, ClosedPrefix)
	return smiles, ok, ok
}

// scaffoldName returns the name of a scaffold.
func scaffoldName(s molecules.Scaffold) string {
	if s.Closed {
		return ClosedPrefix + s.SMILES
	}
	return ScaffoldPrefix + s.SMILES
}

// splitRequired splits a list at its commas, but for those in the brackets of SMARTS.
func splitRequired(text string) (all []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth == 0:
			all, from = append(all, text[from:i]), i+1
		}
	}
	return append(all, text[from:])
}

// NoGroups stands for no group, whatever the data have in common.
const NoGroups = "none"

// Set and String let a flag hold it, as NAME,NAME or FILE.
func (r *Required) Set(text string) error {
	names := groupNames()
	all := splitRequired(text)
	given := make([]string, len(all)) // without how often
	for i := range all {
		all[i] = strings.Join(strings.Fields(all[i]), " ")
		given[i] = all[i]
		if at := len(all[i]) - len(strings.TrimLeft(all[i], "0123456789:")); at > 0 { // a blank may follow
			times, name := all[i][:at], strings.TrimSpace(all[i][at:])
			all[i] = times + " " + name
			if err := new(Whole).Set(times); err != nil {
				return usage.Errorf("how often %s occurs: %w", name, err)
			}
			switch least, _, _ := Whole(times).ends(); {
			case least < 1:
				return usage.Errorf("what is required occurs at least once: leave %s out", name)
			case strings.Contains(name, Or):
				return usage.Errorf("of several groups or scaffolds one is enough, however often; leave %s out", times)
			}
			given[i] = name
		}
	}
	for _, name := range given {
		if some, ok := strings.CutPrefix(name, SMARTSPrefix); ok {
			for smarts := range strings.SplitSeq(some, Or) {
				if _, err := molecule.CompilePattern(smarts); err != nil && !errors.Is(err, molecule.ErrNoRDKit) {
					return usage.Wrap(err)
				}
			}
		}
	}
	isUnknown := func(group string) bool { return !slices.Contains(names, group) }
	unknown := slices.IndexFunc(given, func(name string) bool {
		smiles, _, scaffold := cutPrefix(name)
		return slices.ContainsFunc(strings.Split(name, Or), isUnknown) && (!scaffold || smiles == "") && !strings.HasPrefix(name, SMARTSPrefix)
	})
	switch {
	case text == NoGroups || unknown < 0:
		*r = Required{Groups: all}
	case given[unknown] == ScaffoldPrefix, given[unknown] == ClosedPrefix:
		return usage.Errorf("%s stands before the SMILES of a scaffold, such as %[1]sc1ccc2ncncc2c1", given[unknown])
	case strings.ContainsAny(text, `./\`) || files.Exists(text):
		*r = Required{File: File{Path: text}}
	case given[unknown] == NoGroups:
		return usage.Errorf("%s stands for no group at all; leave it or the others out", NoGroups)
	default:
		some := strings.Split(given[unknown], Or)
		name := some[slices.IndexFunc(some, isUnknown)]
		help := usage.Suggest(name, append(names, NoGroups))
		if help == "" {
			help = "; give a FILE of SMARTS, none, " + ScaffoldPrefix + "SMILES, or some of " + strings.Join(names, ", ")
		}
		return usage.Errorf("there is no functional group and no file of the name %s%s", usage.Shorten(name, 40), help)
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

// read sets what limits require.
func (r Required) read(ctx context.Context, l *molecules.Limits) (err error) {
	if len(r.Groups) > 0 {
		return setRequired(l, r.Groups)
	}
	l.Require, err = readPatterns(ctx, r.File)
	return err
}

func groupNames() (names []string) {
	for _, g := range molecules.Groups() {
		names = append(names, g.Name)
	}
	return names
}

// setRequired has groups and scaffolds be required; NoGroups asks for none.
func setRequired(l *molecules.Limits, names []string) error {
	l.Require, l.Times, l.Either = nil, nil, nil
	all := molecules.Groups()
	for _, name := range names {
		times, name := cutTimes(name)
		var some []*molecule.Pattern
		if scaffolds, closed, ok := cutPrefix(name); ok {
			for smiles := range strings.SplitSeq(scaffolds, Or) {
				p, err := molecules.Scaffold{SMILES: smiles, Closed: closed}.Pattern()
				if err != nil {
					return usage.Errorf("the scaffold %s: %w", usage.Shorten(smiles, 40), err)
				}
				some = append(some, p)
			}
		} else if texts, ok := strings.CutPrefix(name, SMARTSPrefix); ok {
			for smarts := range strings.SplitSeq(texts, Or) {
				p, err := molecule.CompilePattern(smarts)
				if err != nil {
					return usage.Wrap(err)
				}
				some = append(some, p)
			}
		} else {
			for group := range strings.SplitSeq(name, Or) {
				i := slices.IndexFunc(all, func(g molecules.Group) bool { return g.Name == group })
				if i < 0 {
					continue // NoGroups
				}
				p, err := all[i].Pattern()
				if err != nil {
					return err
				}
				some = append(some, p)
			}
		}
		switch len(some) {
		case 0: // NoGroups
		case 1:
			l.Require, l.Times = append(l.Require, some[0]), append(l.Times, times.limit())
		default:
			l.Either = append(l.Either, some)
		}
	}
	return nil
}

// required returns a group that occurs so often, as Required has it.
func required(times molecules.Range, name string) string {
	least := int(math.Ceil(times.Min))
	switch most := times.Max; {
	case !math.IsInf(most, 1):
		return Whole(fmt.Sprintf("%d:%d", least, int(most))).short() + " " + name
	case least > 1:
		return fmt.Sprintf("%d: %s", least, name)
	}
	return name
}

// cutTimes splits how often a group occurs, empty for once at least, from its name.
func cutTimes(group string) (times Whole, name string) {
	if before, after, ok := strings.Cut(group, " "); ok {
		return Whole(before), after
	}
	return "", group
}
