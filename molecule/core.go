package molecule

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Core is a part of molecules that stays as it is, with attachment points for groups. It is immutable and safe for concurrent use.
type Core struct {
	SMILES string // as it was given
	Points []Point

	query *Pattern // without the attachment points
	atoms int      // of query
	bonds int
}

// Point is an attachment point.
type Point struct {
	Label    int  // the number in [*:1]
	Number   int  // atomic number of the core's atom
	Aromatic bool // the core's atom is

	atom int // of the query
}

// Hydrogen is the group of an attachment point that has none.
func Hydrogen(label int) string { return fmt.Sprintf("[H][*:%d]", label) }

var (
	numbered = regexp.MustCompile(`\[\*:([1-9][0-9]{0,2})\]`)
	wildcard = regexp.MustCompile(`\*`)
)

// ParseCore reads a core, such as c1ccc([*:1])cc1C(=O)N[*:2]: a SMILES with attachment points. The error says what is wrong with it, or is
// ErrNoRDKit.
func ParseCore(smiles string) (*Core, error) {
	m, err := Parse(smiles)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	labels := numbered.FindAllStringSubmatch(smiles, -1)
	switch all := len(wildcard.FindAllString(smiles, -1)); {
	case all == 0:
		return nil, errors.New("it has no attachment point: write one as [*:1]")
	case all > len(labels):
		return nil, errors.New("it has an attachment point without a number: write [*:1], [*:2] and so on")
	case strings.Contains(smiles, "."):
		return nil, errors.New("it is in several pieces")
	}
	c := &Core{SMILES: smiles}
	g := m.Graph()
	at := make([]int, len(g.Atoms)) // numbers in the query
	points := map[int]int{}         // labels by atom
	for i, a := range g.Atoms {
		at[i] = c.atoms
		if a.Number != 0 {
			c.atoms++
			continue
		}
		if len(points) == len(labels) {
			return nil, errors.New("it has an atom without an element: write attachment points as [*:1]")
		}
		label, _ := strconv.Atoi(labels[len(points)][1])
		points[i] = label
		if a.Degree != 1 {
			return nil, fmt.Errorf("attachment point %d has %d bonds; it may have one", label, a.Degree)
		}
	}
	if c.atoms == 0 {
		return nil, errors.New("it has no atoms beside attachment points")
	}
	for _, b := range g.Bonds {
		begin, end := b.Begin, b.End
		if g.Atoms[end].Number != 0 {
			begin, end = end, begin
		}
		if g.Atoms[end].Number != 0 {
			c.bonds++
			continue
		}
		if b.Order != 1 {
			return nil, fmt.Errorf("attachment point %d has a bond that is not single", points[end])
		}
		c.Points = append(c.Points, Point{Label: points[end], Number: g.Atoms[begin].Number, Aromatic: g.Atoms[begin].Aromatic, atom: at[begin]})
	}
	slices.SortFunc(c.Points, func(a, b Point) int { return cmp.Compare(a.Label, b.Label) })
	for i := 1; i < len(c.Points); i++ {
		if c.Points[i].Label == c.Points[i-1].Label {
			return nil, fmt.Errorf("two attachment points have the number %d", c.Points[i].Label)
		}
	}
	ref, err := m.bare()
	if err != nil {
		return nil, err
	}
	c.query = &Pattern{ref: ref}
	runtime.AddCleanup(c.query, free, ref)
	return c, nil
}

// Groups splits a molecule (SMILES) into the core and its groups. It returns one SMILES for each of Points, with the attachment point, such as
// C[*:1]. ok is false if the molecule is not the core with groups: it has another substituent, another configuration, or a ring that closes
// over two points. If the core fits in several ways, up to 1000 of them are tried, and the groups that come first in alphabetical order are
// returned; several points of one atom have their groups in that order, hydrogens last.
func (c *Core) Groups(smiles string) (groups []string, ok bool) {
	m, err := Parse(smiles)
	if err != nil {
		return nil, false
	}
	defer m.Close()
	canonical := m.SMILES()
	tried := map[string]bool{}
	for _, match := range c.query.matches(m, false, maxMatches) {
		found, err := c.groups(m, match)
		if err != nil || groups != nil && slices.Compare(found, groups) >= 0 || tried[strings.Join(found, " ")] {
			continue
		}
		tried[strings.Join(found, " ")] = true
		if joined, err := c.Join(found); err == nil && joined == canonical {
			groups = found
		}
	}
	runtime.KeepAlive(c)
	return groups, groups != nil
}

var errOther = errors.New("not the core with groups")

// groups returns the groups where the core's atoms are those of a match.
func (c *Core) groups(m *Molecule, match []int) ([]string, error) {
	g := m.Graph()
	of := map[int]int{} // atoms of the query
	for i, atom := range match {
		of[atom] = i
	}
	free := map[int][]int{} // points of atoms of the query, by number in Points
	for i, p := range c.Points {
		free[p.atom] = append(free[p.atom], i)
	}
	var cuts []Cut
	within := 0
	for _, b := range g.Bonds {
		begin, inside := of[b.Begin]
		end, both := of[b.End]
		switch {
		case inside && both:
			within++
			continue
		case !inside && !both:
			continue
		case both:
			begin = end
		}
		if b.Order != 1 || b.InRing || len(free[begin]) == 0 {
			return nil, errOther
		}
		cuts = append(cuts, Cut{b.Begin, b.End, c.Points[free[begin][0]].Label})
		free[begin] = free[begin][1:]
	}
	if within != c.bonds {
		return nil, errOther
	}
	pieces := []string{}
	if len(cuts) > 0 {
		var err error
		if pieces, err = m.Cut(cuts...); err != nil {
			return nil, err
		}
	}
	groups := make([]string, len(c.Points))
	for i, p := range c.Points {
		groups[i] = Hydrogen(p.Label)
	}
	if len(cuts) == 1 { // both pieces have one point; of two that look like the core, either is the group
		rest := slices.DeleteFunc(slices.Clone(pieces), c.isIn)
		if len(rest) == 0 {
			rest = pieces[:1]
		}
		pieces = rest
	}
	for _, piece := range pieces {
		labels := numbered.FindAllStringSubmatch(piece, -1)
		if len(labels) != 1 {
			continue // the core
		}
		label, _ := strconv.Atoi(labels[0][1])
		i := slices.IndexFunc(c.Points, func(p Point) bool { return p.Label == label })
		groups[i] = piece
	}
	c.settle(groups)
	return groups, nil
}

// settle gives the points of one atom their groups in alphabetical order, but hydrogen last: which is which, a molecule does not say.
func (c *Core) settle(groups []string) {
	for i, p := range c.Points {
		for k := i + 1; k < len(c.Points); k++ {
			if q := c.Points[k]; q.atom == p.atom && later(groups[i], groups[k]) {
				groups[i], groups[k] = Relabel(groups[k], p.Label), Relabel(groups[i], q.Label)
			}
		}
	}
}

// later reports whether a group stands after another one at the points of an atom.
func later(group, other string) bool {
	group, other = Relabel(group, 1), Relabel(other, 1)
	if hydrogen := Hydrogen(1); group == hydrogen || other == hydrogen {
		return group == hydrogen && other != hydrogen
	}
	return group > other
}

// isIn reports whether a piece with one attachment point is the core, with hydrogen at the other points.
func (c *Core) isIn(piece string) bool {
	m, err := Parse(piece)
	if err != nil {
		return false
	}
	defer m.Close()
	return len(m.Graph().Atoms) == c.atoms+1 && c.query.In(m)
}

// Join returns the canonical SMILES of the core with groups, one for each of Points, with any number at their attachment point. The error
// says why that is no molecule.
func (c *Core) Join(groups []string) (string, error) {
	pieces := []string{c.SMILES}
	for i, p := range c.Points {
		pieces = append(pieces, Relabel(groups[i], p.Label))
	}
	return Join(pieces...)
}

// Relabel gives the attachment point of a group another number.
func Relabel(group string, label int) string {
	return numbered.ReplaceAllString(group, fmt.Sprintf("[*:%d]", label))
}
