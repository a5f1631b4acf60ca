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
	"sync"
)

// Core is a part of molecules that stays as it is, with attachment points for groups. It is immutable and safe for
// concurrent use.
type Core struct {
	SMILES string // as CoreSMILES has it
	Points []Point

	whole    *Molecule
	query    *Pattern // without the attachment points
	skeleton *Pattern // of its tautomers, too
	mobile   int      // hydrogens and groups of its atoms but carbon, less their charges, which tautomers share
	charge   int      // of all atoms
	at       []int    // atoms of query for those of whole; −1: an attachment point
	bonds    int      // of query
	marked   bool     // it has configurations

	shifts func() bool           // what Shifts returns, found when it is first wanted
	flat   func() (*Core, error) // the core without configurations; itself if it has none
}

// Point is an attachment point.
type Point struct {
	Label    int  // the number in [*:1]
	Number   int  // atomic number of the core's atom
	Aromatic bool // the core's atom is
	Degree   int  // bonds of the core's atom, also to attachment points

	atom int // of the query
	star int // of the core
}

// Hydrogen is the group of an attachment point that has none.
func Hydrogen(label int) string { return fmt.Sprintf("[H][*:%d]", label) }

var (
	numbered = regexp.MustCompile(`\[\*:([1-9][0-9]{0,2})\]`)
	wildcard = regexp.MustCompile(`\*`)

	// smartsOnly matches what SMARTS have, and SMILES do not: lists of atoms, and any bond.
	smartsOnly = regexp.MustCompile(`\[[^\]]*[,;!&$]|~`)
)

// ParseCore reads a core, such as c1ccc([*:1])cc1C(=O)N[*:2]: a SMILES with attachment points, as CoreSMILES reads it.
// The error says what is wrong with it, or is ErrNoRDKit.
func ParseCore(text string) (*Core, error) {
	smiles, err := CoreSMILES(text)
	if err != nil {
		return nil, err
	}
	if smartsOnly.MatchString(smiles) {
		return nil, errors.New("it is a SMARTS, and a core is a SMILES, without lists of atoms: write one of them, and give each core a study of its own")
	}
	m, err := Parse(smiles)
	if err != nil {
		return nil, err
	}
	labels := numbered.FindAllStringSubmatch(smiles, -1)
	switch all := len(wildcard.FindAllString(smiles, -1)); {
	case all == 0:
		return nil, errors.New("it has no attachment point: write one as [*:1]")
	case all > len(labels):
		return nil, errUnnumbered
	case strings.Contains(smiles, "."):
		return nil, errors.New("it is in several pieces")
	}
	c := &Core{SMILES: smiles, whole: m, marked: hasStereo(smiles)}
	g := m.Graph()
	c.at = make([]int, len(g.Atoms))
	points := map[int]int{} // labels by atom
	for i, a := range g.Atoms {
		c.at[i] = i - len(points)
		if a.Number != 0 {
			continue
		}
		c.at[i] = -1
		if len(points) == len(labels) {
			return nil, errors.New("it has an atom without an element: write attachment points as [*:1]")
		}
		label, _ := strconv.Atoi(labels[len(points)][1])
		points[i] = label
		if a.Degree != 1 {
			return nil, fmt.Errorf("attachment point %d has %d bonds; it may have one", label, a.Degree)
		}
	}
	if !slices.ContainsFunc(g.Atoms, func(a Atom) bool { return a.Number > 1 }) {
		return nil, errors.New("it has no atoms beside attachment points and hydrogens")
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
		c.Points = append(c.Points, Point{Label: points[end], Number: g.Atoms[begin].Number, Aromatic: g.Atoms[begin].Aromatic, Degree: g.Atoms[begin].Degree, atom: c.at[begin], star: end})
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
	if c.skeleton, err = CompilePattern(skeletonOf(g)); err != nil {
		return nil, fmt.Errorf("its skeleton: %w", err)
	}
	for _, a := range g.Atoms {
		if a.Number > 1 {
			c.mobile += mobile(a)
			c.charge += a.Charge
		}
	}
	c.shifts = sync.OnceValue(c.findShifts)
	c.flat = sync.OnceValues(func() (*Core, error) {
		if !c.marked {
			return c, nil
		}
		return ParseCore(flatten(c.SMILES))
	})
	return c, nil
}

// mobile returns the bonds to hydrogens and other atoms, less the charge, of an atom that hydrogens may come to and go
// from: not of carbon.
func mobile(a Atom) int {
	const carbon = 6
	if a.Number == carbon {
		return 0
	}
	return a.Degree + a.Hydrogens - a.Charge
}

// form returns OtherTautomer if a molecule has the core's skeleton with as many hydrogens, OtherForm if it has as many
// but for other charges, and otherwise NoCore.
func (c *Core) form(m *Molecule) Misfit {
	why := NoCore
	for _, match := range c.skeleton.Matches(m, false) {
		switch mobile, charge := countOf(m.Graph(), match); {
		case mobile == c.mobile && charge == c.charge:
			return OtherTautomer
		case mobile == c.mobile:
			why = OtherForm
		}
	}
	return why
}

// countOf returns the mobile hydrogens and the charge of some atoms.
func countOf(g Graph, atoms []int) (hydrogens, charge int) {
	for _, i := range atoms {
		hydrogens += mobile(g.Atoms[i])
		charge += g.Atoms[i].Charge
	}
	return hydrogens, charge
}

// skeletonOf returns SMARTS of a core and of its tautomers: without the orders of bonds, and without the hydrogens of
// all atoms but carbon. All bonds close rings, so that the order of atoms does not matter.
func skeletonOf(core Graph) string {
	const hydrogen, carbon = 1, 6
	bonds, groups := make([]string, len(core.Atoms)), make([]int, len(core.Atoms))
	for i, b := range core.Bonds {
		begin, end := core.Atoms[b.Begin].Number, core.Atoms[b.End].Number
		if begin <= hydrogen {
			groups[b.End]++
		}
		if end <= hydrogen {
			groups[b.Begin]++
		}
		if begin > hydrogen && end > hydrogen {
			closure := fmt.Sprintf("~%%(%d)", i+1)
			bonds[b.Begin], bonds[b.End] = bonds[b.Begin]+closure, bonds[b.End]+closure
		}
	}
	var atoms []string
	for i, a := range core.Atoms {
		if a.Number <= hydrogen {
			continue
		}
		atom := fmt.Sprintf("#%d;D%d", a.Number, a.Degree)
		for n := range groups[i] { // they may be hydrogens
			atom += fmt.Sprintf(",D%d", a.Degree-n-1)
		}
		if a.Number == carbon {
			atom += fmt.Sprintf(";X%d", a.Degree+a.Hydrogens)
		}
		atoms = append(atoms, "["+atom+"]"+bonds[i])
	}
	return strings.Join(atoms, ".")
}

// Fit is a molecule as a core with groups.
type Fit struct {
	Core   string   // SMILES of the core, with the configurations that the molecule has where the core has none; the core's own if Join returns the molecule
	Groups []string // for each of Points, with the attachment point, such as C[*:1]
}

// Groups returns the groups of Fit; ok is false if the molecule is not the core with groups.
func (c *Core) Groups(smiles string) (groups []string, ok bool) {
	fit, why := c.Fit(smiles)
	return fit.Groups, why == NoMisfit
}

// Ways returns the groups of a molecule (SMILES) in all ways that give them to the points, first those of Fit: of a
// core that is symmetric there are several. Without any the molecule is not the core with groups.
func (c *Core) Ways(smiles string) [][]string {
	m, err := Parse(smiles)
	if err != nil {
		return nil
	}
	defer m.Close()
	defer runtime.KeepAlive(c)
	fit, _, all := c.fit(m)
	if fit.Groups == nil {
		return nil
	}
	return c.waysOf(m, fit, all)
}

// waysOf returns the groups of a Fit, and of all ways to give the points groups those that make the molecule.
func (c *Core) waysOf(m *Molecule, fit Fit, all []arrangement) [][]string {
	ways, canonical := [][]string{fit.Groups}, m.SMILES()
	for _, a := range all {
		if slices.ContainsFunc(ways, func(other []string) bool { return slices.Equal(other, a.groups) }) {
			continue
		}
		if joined, err := joinCore(fit.Core, c.Points, a.groups); err == nil && joined == canonical {
			ways = append(ways, a.groups)
		}
	}
	return ways
}

// Place is where an attachment point of a core is in a molecule.
type Place struct {
	Label int
	Atom  int // of the core
	Group int // that is bound to it; −1: a hydrogen
}

// Places returns where the points of the core are in a molecule, in all ways to match it; none if the molecule is not
// the core with groups.
func (c *Core) Places(m *Molecule) (places []Place) {
	_, _, all := c.fit(m)
	for _, a := range all {
		for _, p := range c.Points {
			place := Place{p.Label, int(a.match[slices.Index(c.at, p.atom)]), int(a.match[p.star])}
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	return places
}

// Misfit says why a molecule is not a core with groups.
type Misfit int

// The reasons, easiest to change first.
const (
	NoMisfit           Misfit = iota // it is the core with groups
	OtherConfiguration               // it has the core but for configurations
	OtherForm                        // it has the core but for charges, isotopes or a further piece, such as a counterion
	OtherRing                        // a ring that is not the core's contains core atoms, such as one over two points
	OtherSubstituent                 // a core atom has a substituent but no point for it
	OtherTautomer                    // it contains the core's atoms, but has hydrogens at others of its atoms that are not carbon
	NoCore                           // it does not contain the core's atoms
)

// Fit splits a molecule (SMILES) into the core and its groups, or says why it is not the core with groups: if the
// core's atoms match in several ways, by the first of the reasons. A center or double bond of the core without a
// configuration may have any.
//
// Only the core's configuration tells the points of one atom apart; without one, their groups are in alphabetical
// order, hydrogens last. Of up to 1000 ways to match the core, those that need no further configuration come first,
// then those whose groups come first alphabetically.
func (c *Core) Fit(smiles string) (Fit, Misfit) {
	m, err := Parse(smiles)
	if err != nil {
		return Fit{}, NoCore
	}
	defer m.Close()
	fit, why, _ := c.fit(m)
	if fit.Groups != nil {
		why = NoMisfit
	}
	return fit, why
}

// fit returns the Fit, or, if that has no groups, why there is none; and all ways to give the points groups, which may
// make another molecule.
func (c *Core) fit(m *Molecule) (best Fit, why Misfit, all []arrangement) {
	defer runtime.KeepAlive(c)
	canonical := m.SMILES()
	why = NoCore
	tried := map[string]bool{}
	try := func(core string, groups []string) { // whether they are the molecule
		key := core + " " + strings.Join(groups, " ")
		if tried[key] || best.Groups != nil && slices.Compare(groups, best.Groups) >= 0 {
			return
		}
		tried[key] = true
		switch joined, err := joinCore(core, c.Points, groups); {
		case err != nil:
		case joined == canonical:
			best = Fit{core, groups}
		case why > OtherConfiguration && sameFlat(joined, canonical):
			why = OtherConfiguration
		}
	}
	var first, others []arrangement
	for _, match := range c.query.matches(m, false, maxMatches) {
		some, reason := c.arrangements(m, match)
		if reason != NoMisfit {
			why = min(why, reason)
			continue
		}
		first, others = append(first, some[0]), append(others, some[1:]...)
		try(c.SMILES, some[0].groups)
	}
	all = slices.Concat(first, others)
	if best.Groups == nil {
		for _, a := range others {
			try(c.SMILES, a.groups)
		}
	}
	if best.Groups == nil && hasStereo(canonical) {
		for _, a := range all {
			if core, err := c.whole.configured(m, a.match); err == nil && core != "" {
				try(core, a.groups)
			}
		}
	}
	switch {
	case best.Groups == nil && len(first) > 0 && why != OtherConfiguration:
		if why = OtherForm; plain(m) && c.form(m) == OtherTautomer { // an azole, whose aromatic atoms match all the same
			why = OtherTautomer
		}
	case why == NoCore:
		why = c.form(m)
	}
	return best, why, all
}

// plain reports whether a molecule is of one piece, without charges and isotopes.
func plain(m *Molecule) bool {
	return !strings.Contains(m.SMILES(), ".") && !slices.ContainsFunc(m.Graph().Atoms, func(a Atom) bool { return a.Charge != 0 || a.Isotope != 0 })
}

func sameFlat(a, b string) bool {
	a, err := Flat(a)
	if err != nil {
		return false
	}
	b, err = Flat(b)
	return err == nil && a == b
}

// arrangement is a way to give the points of a core groups.
type arrangement struct {
	groups []string
	match  []int64 // atoms of the molecule for those of the core, also of its points; −1: hydrogen
}

// group is a group with the number 1 at its point.
type group struct {
	smiles string
	atom   int64 // that is bound to the core; −1: hydrogen
}

// arrangements returns the ways to give points their groups where the core's atoms are those of a match; first that
// with the groups of one atom in alphabetical order, hydrogens last, and others only where configurations may tell them
// apart. If there is none, it says why.
func (c *Core) arrangements(m *Molecule, match []int) ([]arrangement, Misfit) {
	of, why := c.cut(m, match, false)
	if why != NoMisfit {
		return nil, why
	}
	at := c.inOrder(of)
	var all []arrangement
	var arrange func(i int)
	arrange = func(i int) {
		switch {
		case len(all) == maxMatches:
			return
		case i == len(at):
			all = append(all, c.arrangement(match, at))
			return
		}
		arrange(i + 1)
		for k := i + 1; k < len(at) && c.marked; k++ {
			if c.Points[k].atom == c.Points[i].atom && at[k].smiles != at[i].smiles {
				at[i], at[k] = at[k], at[i]
				arrange(i + 1)
				at[i], at[k] = at[k], at[i]
			}
		}
	}
	arrange(0)
	return all, NoMisfit
}

// inOrder gives points the groups of their atoms, and hydrogens.
func (c *Core) inOrder(of map[int][]group) []group {
	at := make([]group, len(c.Points))
	for i, p := range c.Points {
		at[i] = group{Hydrogen(1), -1}
		if rest := of[p.atom]; len(rest) > 0 {
			at[i], of[p.atom] = rest[0], rest[1:]
		}
	}
	return at
}

// sortGroups brings the groups of each atom into alphabetical order.
func sortGroups(of map[int][]group) {
	for _, all := range of {
		slices.SortFunc(all, func(a, b group) int { return cmp.Or(cmp.Compare(a.smiles, b.smiles), cmp.Compare(a.atom, b.atom)) })
	}
}

func (c *Core) arrangement(match []int, at []group) arrangement {
	a := arrangement{match: make([]int64, len(c.at))}
	for i, k := range c.at {
		if k >= 0 {
			a.match[i] = int64(match[k])
		}
	}
	for i, p := range c.Points {
		a.groups = append(a.groups, Relabel(at[i].smiles, p.Label))
		a.match[p.star] = at[i].atom
	}
	return a
}

// cut returns the groups of the core's atoms, in alphabetical order, where these are the atoms of a match. With
// shifted, a double bond to a group becomes a single one: its atom takes a hydrogen.
func (c *Core) cut(m *Molecule, match []int, shifted bool) (map[int][]group, Misfit) {
	g := m.Graph()
	in := map[int]int{} // atoms of the query
	for i, atom := range match {
		in[atom] = i
	}
	free := map[int]int{} // points of atoms of the query
	for _, p := range c.Points {
		free[p.atom]++
	}
	of := map[int][]group{}
	var cuts []int64
	var bound [][2]int // atoms of the query, and of m
	within, ring, other := 0, false, false
	for _, b := range g.Bonds {
		begin, inside := in[b.Begin]
		end, both := in[b.End]
		switch {
		case inside && both:
			within++
			continue
		case !inside && !both:
			continue
		case both:
			begin, b.Begin, b.End = end, b.End, b.Begin
		}
		free[begin]--
		switch {
		case b.InRing:
			ring = true
		case free[begin] < 0:
			other = true
		case b.Order == 1:
			bound = append(bound, [2]int{begin, b.End})
			cuts = append(cuts, int64(b.Begin), int64(b.End), 0, int64(len(bound)))
		case shifted && b.Order == 2:
			smiles, ok := singly(m, b.End, in)
			other = other || !ok
			of[begin] = append(of[begin], group{smiles, int64(b.End)})
		default:
			other = true
		}
	}
	switch {
	case ring, within != c.bonds:
		return nil, OtherRing
	case other:
		return nil, OtherSubstituent
	}
	if len(cuts) > 0 {
		pieces, err := m.cut(cuts)
		if err != nil {
			return nil, NoCore
		}
		for piece := range strings.SplitSeq(pieces, ".") {
			number := numbered.FindStringSubmatch(piece)
			if number == nil {
				continue // the core
			}
			i, _ := strconv.Atoi(number[1])
			b := bound[i-1]
			of[b[0]] = append(of[b[0]], group{Relabel(piece, 1), int64(b[1])})
		}
	}
	sortGroups(of)
	return of, NoMisfit
}

// Join returns the canonical SMILES of the core with groups, one for each of Points, with any number at their
// attachment point. The error says why that is no molecule.
func (c *Core) Join(groups []string) (string, error) { return joinCore(c.SMILES, c.Points, groups) }

func joinCore(core string, points []Point, groups []string) (string, error) {
	pieces := []string{core}
	for i, p := range points {
		pieces = append(pieces, Relabel(groups[i], p.Label))
	}
	return Join(pieces...)
}

// Relabel gives the attachment point of a group another number.
func Relabel(group string, label int) string {
	return numbered.ReplaceAllString(group, fmt.Sprintf("[*:%d]", label))
}
