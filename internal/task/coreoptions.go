package task

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
)

// CoreOptions say which part of molecules stays, and which groups it may have.
type CoreOptions struct {
	Core   string   `json:"core,omitzero"`   // SMILES with attachment points
	Groups []string `json:"groups,omitzero"` // limits of points, as parseGroups reads them

	Configured string `json:"configured,omitzero"` // Core as the initial design has it: with its configurations and charges; empty: it was not asked

	DataStrip table.Strip `json:"-"` // how molecules of the data are read, and the core with them
}

// declare declares the options.
func (c *CoreOptions) declare() []*option.Option {
	all := []*option.Option{
		{Name: "core", Value: option.Text(&c.Core), Help: "propose only molecules that are the core in `SMILES` with groups at its points, such as 'c1ccc([*:1])cc1C(=O)N[*:2]'"},
		{Name: "group", Value: option.List(&c.Groups, checkGroups), Help: "which groups a point of the core may have: its number and `LIMITS`, such as '1 max_atoms=8'; others are min_atoms, min_rings, max_rings, and require and forbid with a SMARTS", Unset: "up to two atoms more than those known at the point, or 8"},
	}
	for _, o := range all {
		o.Tasks, o.Methods, o.Table, o.Commands = []string{KindMolecules}, []string{"evolve"}, "molecules", option.Run|option.Grid|option.New
	}
	return all
}

func checkGroups(text string) (string, error) {
	_, err := parseGroups(text)
	return text, err
}

// parseGroups reads limits of points: 1 max_atoms=8 2 max_rings=0.
func parseGroups(text string) (map[int]core.Limit, error) {
	limits := map[int]core.Limit{}
	var said []string // limits of the point
	label, limited := 0, true
	for _, field := range strings.Fields(text) {
		key, value, assigns := strings.Cut(field, "=")
		if strings.Contains(key, ",") {
			return nil, byBlanks(field)
		}
		if !assigns {
			n, err := strconv.Atoi(key)
			if _, again := limits[n]; err != nil || n < 1 || again || !limited {
				return nil, usage.Errorf("give the number of an attachment point and its limits, such as '1 max_atoms=8'")
			}
			label, limits[n], limited, said = n, core.Limit{}, false, nil
			continue
		}
		if label == 0 {
			return nil, usage.Errorf("give the number of an attachment point first, such as '1 %s'", field)
		}
		l := limits[label]
		limited = true
		number := func(to *int, least int) error {
			if strings.Contains(value, ",") {
				return byBlanks(field)
			}
			n, err := strconv.Atoi(value)
			if err != nil || n < least || n > usage.Most {
				return usage.Errorf("%s: give a whole number from %d", field, least)
			}
			*to = n
			return nil
		}
		pattern := func(to *[]*molecule.Pattern) error {
			p, err := molecule.CompilePatternMergeHs(value)
			if err != nil {
				return usage.Errorf("%s: %w", key, err)
			}
			*to = append(*to, p)
			return nil
		}
		if key != "require" && key != "forbid" && slices.Contains(said, key) {
			return nil, usage.Errorf("%s: it is given twice for attachment point %d", key, label)
		}
		said = append(said, key)
		var err error
		switch key {
		case "min_atoms":
			err = number(&l.MinAtoms, 0)
		case "max_atoms":
			err = number(&l.MaxAtoms, 1)
		case "min_rings":
			err = number(&l.MinRings, 0)
		case "max_rings":
			if err = number(&l.MaxRings, 0); l.MaxRings == 0 {
				l.MaxRings = -1 // none
			}
		case "require":
			err = pattern(&l.Require)
		case "forbid":
			err = pattern(&l.Forbid)
		default:
			err = usage.Errorf("%s: a group has no limit of this name%s", key, usage.Suggest(key, []string{"min_atoms", "max_atoms", "min_rings", "max_rings", "require", "forbid"}))
		}
		if err == nil && (l.MaxAtoms > 0 && l.MinAtoms > l.MaxAtoms || l.MaxRings > 0 && l.MinRings > l.MaxRings || l.MaxRings < 0 && l.MinRings > 0) {
			err = usage.Errorf("%s: the maximum is below the minimum", field)
		}
		if err != nil {
			return nil, err
		}
		limits[label] = l
	}
	if len(limits) == 0 || !limited {
		return nil, usage.Errorf("give the number of an attachment point and its limits, such as '1 max_atoms=8'")
	}
	return limits, nil
}

func byBlanks(field string) error {
	return usage.Errorf("%s: separate limits by blanks, such as '1 max_atoms=8 max_rings=1'", field)
}

// freed returns what --group says of the point of a limit, and that anything may be there.
func (c CoreOptions) freed(limit string) string {
	freed := strings.Fields(limit)[:1]
	for _, text := range c.Groups {
		of := ""
		for _, field := range strings.Fields(text) {
			if !strings.Contains(field, "=") {
				of = field
			} else if of == freed[0] {
				freed = append(freed, field)
			}
		}
	}
	return strings.Join(append(freed, "require=*"), " ")
}

// read returns the core, as it is drawn and as molecules of a table are read, and the limits of its groups. Both cores
// are one if they do not differ.
func (c CoreOptions) read() (drawn, parsed *molecule.Core, _ map[int]core.Limit, _ error) {
	drawn, err := molecule.ParseCore(c.Core)
	parsed = drawn
	strip := c.DataStrip
	if c.Configured != "" { // which tells
		strip = table.Strip{}
	}
	if text := likeData(c.Core, strip); text != "" {
		switch read, unread := molecule.ParseCore(text); {
		case unread != nil:
		case err != nil: // the core is of several pieces
			parsed = read
			drawn, err = molecule.ParseCore(text)
		case !sameCore(drawn, read):
			parsed = read
		}
	}
	if err != nil {
		return nil, nil, nil, option.Errorf("%s: %w", option.Setting{Name: "core", Value: c.Core}, err)
	}
	limits := map[int]core.Limit{}
	for _, text := range c.Groups {
		some, err := parseGroups(text)
		if err != nil {
			return nil, nil, nil, option.Errorf("%s: %w", option.Setting{Name: "group", Value: text}, err)
		}
		for _, label := range slices.Sorted(maps.Keys(some)) {
			if !slices.ContainsFunc(parsed.Points, func(p molecule.Point) bool { return p.Label == label }) {
				return nil, nil, nil, option.Errorf("%s: %s has no attachment point %d", option.Setting{Name: "group", Value: text}, option.Name("core"), label)
			}
			if _, again := limits[label]; again {
				return nil, nil, nil, option.Errorf("%s: the limits of attachment point %d are given twice", option.Setting{Name: "group", Value: text}, label)
			}
			limits[label] = some[label]
		}
	}
	return drawn, parsed, limits, nil
}

// likeData returns a core as molecules of a table are read: without counterions and charges that hydrogens can take
// away; "" if it cannot be read so.
func likeData(text string, strip table.Strip) string {
	normalize, err := table.Molecules(strip)
	if err != nil {
		return ""
	}
	smiles, err := molecule.CoreSMILES(text)
	if err != nil {
		return ""
	}
	const first = 200 // isotope: methyl groups with the next ones stand for the points
	var points []string
	filled := corePoint.ReplaceAllStringFunc(smiles, func(point string) string {
		points = append(points, point)
		return fmt.Sprintf("[%dCH3]", first+len(points))
	})
	read, _, err := normalize(filled)
	if err != nil {
		return ""
	}
	for i, point := range points {
		methyl := fmt.Sprintf("[%dCH3]", first+1+i)
		if !strings.Contains(read, methyl) {
			return ""
		}
		read = strings.Replace(read, methyl, point, 1)
	}
	return read
}

// corePoint matches an attachment point.
var corePoint = regexp.MustCompile(`\[\*:\d+\]`)
