package task

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
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

// fixCore has the parts of a task of molecules search those with a core. Limits on proposals are those of the known
// molecules with the core.
func (p *Parts) fixCore(ctx context.Context, o CoreOptions, screen *screen) error {
	c := coreSearch{options: o, screen: screen, library: p.Library}
	if err := c.read(); err != nil {
		return err
	}
	screen.own, screen.fixed = c.plain(), c.fixed()
	if err := screen.apply(screen.options.DataLimits); err != nil {
		return err
	}
	p.Feasible = c.feasible
	p.Hopeless = nil // the library has no molecule with the core
	p.Space = func(d Design) (Space, error) { return c.space(ctx, d) }
	generate := p.Generate
	p.Generate = func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
		others, err := generate(ctx, rand.New(rand.NewPCG(rng.Uint64(), 0)), 2)
		if err != nil {
			return nil, err
		}
		begin := Design{}
		for _, x := range others {
			begin.Init = append(begin.Init, study.Observation{X: x})
		}
		space, err := c.build(ctx, begin)
		if err != nil {
			return nil, err
		}
		return p.withCore(space, rng, n)
	}
	return nil
}

// coreSearch is the search of molecules with a core.
type coreSearch struct {
	options CoreOptions
	screen  *screen
	library func(n int, rng *rand.Rand) []string
	limits  map[int]core.Limit // of groups, by the number of their point

	drawn      *molecule.Core // as it was given
	parsed     *molecule.Core // likewise, or as molecules of the data are read
	configured *molecule.Core // with the configurations that the data have, once these were asked
}

// read reads the core and the limits of its groups.
func (c *coreSearch) read() (err error) {
	if c.drawn, c.parsed, c.limits, err = c.options.read(); err != nil {
		return err
	}
	c.configured = c.parsed
	if c.options.Configured == "" {
		return nil
	}
	if c.configured, err = molecule.ParseCore(c.options.Configured); err != nil {
		return usage.Wrap(err)
	}
	if sameCore(c.configured, c.drawn) {
		c.parsed = c.drawn
	}
	return nil
}

// sameCore reports whether cores differ in configurations alone.
func sameCore(a, b *molecule.Core) bool {
	flat := func(c *molecule.Core) string {
		smiles, err := molecule.Flat(c.SMILES)
		if err == nil {
			smiles, err = molecule.Canonical(smiles)
		}
		if err != nil {
			return c.SMILES
		}
		return smiles
	}
	return flat(a) == flat(b)
}

// plain returns the core with a methyl group at each point, but for those with hydrogen; "" where that is no molecule.
func (c *coreSearch) plain(hydrogens ...int) string {
	var groups []string
	for _, point := range c.parsed.Points {
		group := fmt.Sprintf("C[*:%d]", point.Label)
		if slices.Contains(hydrogens, point.Label) {
			group = molecule.Hydrogen(point.Label)
		}
		groups = append(groups, group)
	}
	plain, _ := c.parsed.Join(groups) // "" with an error
	return plain
}

// fixed returns what all molecules with the core have anyway, and where they may differ. A group that a hydrogen at a
// point makes, such as a phenol, is of the core, and would keep the point as it is.
func (c *coreSearch) fixed() molecules.Fixed {
	var all []int
	plain := []string{c.plain()}
	for _, p := range c.parsed.Points {
		all = append(all, p.Label)
		plain = append(plain, c.plain(p.Label))
	}
	return molecules.Fixed{Plain: append(plain, c.plain(all...)), Places: func(m *molecule.Molecule) (places []molecules.Place) {
		for _, p := range c.parsed.Places(m) {
			places = append(places, molecules.Place{Atom: p.Atom, Group: p.Group, Free: len(c.limits[p.Label].Require) > 0})
		}
		return places
	}}
}

func (c *coreSearch) feasible(smiles string) (bool, error) {
	if ok, err := c.screen.feasible(smiles); !ok || err != nil {
		return false, err
	}
	_, ok := c.configured.Groups(smiles)
	return ok, nil
}

// build returns the space of molecules with the core that begins with a design.
func (c *coreSearch) build(ctx context.Context, d Design) (Space, error) {
	space, err := c.screen.molecules(d)
	if err != nil {
		return Space{}, err
	}
	limits := c.groupLimits()
	arrangement, err := core.Arrange(ctx, c.configured, c.parsed, limits, d.Strings())
	if err != nil {
		return Space{}, err
	}
	space.Core, space.Groups = c.configured, arrangement.Groups
	if space.Space, err = core.New(ctx, space.Space, c.configured, d.Strings(), core.Options{Arrangement: arrangement, Limits: limits, Sample: c.library}); err != nil {
		return Space{}, err
	}
	err = c.compareTautomers(ctx, &space, arrangement, d)
	return space, err
}

// compareTautomers has the surrogate compare molecules that are drawn as another tautomer than the arrangement draws
// them as if they were drawn as that: those of a design and, if a hydrogen of the core that moves gives its points
// other groups, all.
func (c *coreSearch) compareTautomers(ctx context.Context, space *Space, arrangement *core.Arrangement, d Design) error {
	xs := d.Strings()
	drawn := make([]string, len(xs))
	err := parallel.ForContext(ctx, len(xs), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			drawn[i], _, _ = arrangement.Draw(xs[i]) // "" without the core
		}
	})
	if err != nil {
		return err
	}
	as := map[string]string{}
	for i, x := range xs {
		if drawn[i] != "" && drawn[i] != x {
			as[x] = drawn[i]
		}
	}
	read, shifts := space.Read, c.parsed.Shifts()
	if len(as) == 0 && !shifts || read == nil {
		return nil
	}
	space.Read = func(x string) (evolve.Description, error) {
		drawn := as[x]
		if drawn == "" && shifts {
			drawn, _, _ = arrangement.Draw(x) // "" without the core
		}
		return read(cmp.Or(drawn, x))
	}
	return nil
}

// groupLimits returns the limits of groups that hold: those of the options, and what the design says.
func (c *coreSearch) groupLimits() map[int]core.Limit {
	if c.screen.options.DataLimits == nil {
		return c.limits
	}
	limits := maps.Clone(c.limits)
	for _, text := range c.screen.options.DataLimits.Points {
		common, _ := parseGroups(text) // which common wrote
		for label, l := range common {
			given := limits[label]
			given.Require = slices.Concat(given.Require, l.Require)
			limits[label] = given
		}
	}
	return limits
}

// common returns what nearly all groups of molecules with the core have in common, as parseGroups reads it, at points
// for which the options neither require nor forbid anything.
func (c *coreSearch) common(ctx context.Context, with Design) (points []string, _ error) {
	o := c.screen.options
	if !o.FromData || o.Require.String() == NoGroups || c.library == nil {
		return nil, nil
	}
	known := c.screen.known(with)
	slices.SortStableFunc(known, func(a, b molecules.Known) int { return cmp.Compare(b.Value, a.Value) }) // the best first, and NaN last
	smiles := make([]string, len(known))
	for i, k := range known {
		smiles[i] = k.SMILES
	}
	arrangement, err := core.Arrange(ctx, c.configured, c.parsed, c.limits, smiles)
	if err != nil {
		return nil, err
	}
	common, err := arrangement.Common(ctx, smiles, c.library)
	if err != nil {
		return nil, err
	}
	for _, label := range slices.Sorted(maps.Keys(common)) {
		if given := c.limits[label]; len(given.Require)+len(given.Forbid) > 0 {
			continue
		}
		points = append(points, fmt.Sprintf("%d require=%s", label, common[label]))
	}
	return points, nil
}

// space returns that of a design, with the limits and the configurations that its molecules with the core have.
func (c *coreSearch) space(ctx context.Context, d Design) (Space, error) {
	if d.Pool != nil {
		return Space{}, option.Errorf("%s and %s: give one of them", option.Name("pool"), option.Name("core"))
	}
	with, err := c.match(ctx, c.parsed, d)
	if err != nil {
		return Space{}, err
	}
	if c.options.Configured == "" && c.drawn != c.parsed { // betaines have its charges, for example
		as, err := c.match(ctx, c.drawn, d)
		if err != nil {
			return Space{}, err
		}
		if len(as.Init) > len(with.Init) {
			c.parsed, c.configured, with = c.drawn, c.drawn, as
			c.screen.own, c.screen.fixed = c.plain(), c.fixed()
			if err := c.screen.apply(c.screen.options.DataLimits); err != nil {
				return Space{}, err
			}
		}
	}
	have := 0 // molecules with the configuration
	if c.options.Configured == "" {
		if c.configured, have, err = c.screen.configure(ctx, c.parsed, with); err != nil {
			return Space{}, err
		}
	}
	if !d.Drawn {
		if c.screen.points, err = c.common(ctx, with.Design); err != nil {
			return Space{}, err
		}
	}
	hopeless := func(s Space) error { return c.hopeless(s, with.Design) }
	space, why, err := c.screen.space(ctx, with.Design, d, func() (Space, error) { return c.build(ctx, d) }, hopeless)
	if err = cmp.Or(err, why); err != nil {
		return Space{}, err
	}
	if c.options.Configured == "" {
		if c.parsed != c.drawn {
			space.Notes.Add("the core is read as the data are, without salts and charges that hydrogens take away: %s", c.parsed.SMILES)
		}
		space.noteCore(c.parsed, len(with.Init), have, len(d.Init), with.others)
		if with.tautomers > 0 {
			space.Notes.Add("of these, molecules that are drawn as another tautomer: %d; their groups are those of the core's, as which proposals are drawn", with.tautomers)
		}
		if c.screen.options.FromData && !c.screen.options.Nearest.given() {
			space.Notes.Add("%s sets no default for %s; to keep proposals similar to the data, give %s", option.Name("core"), option.Name("nearest"), option.Setting{Name: "nearest", Value: "MIN:"})
		}
	}
	return space, nil
}

// hopeless returns why no molecule with the core may be proposed, as far as those of the data with the core and some
// others tell; nil: one may.
func (c *coreSearch) hopeless(s Space, with Design) error {
	const tried = 500
	if slices.ContainsFunc(with.Strings(), func(x string) bool { return c.screen.knownPasses(x) && allowed(c.parsed, c.groupLimits(), x) }) {
		return nil
	}
	all := s.Pool(tried, rand.New(rand.NewPCG(0, 0)))
	if len(all) == 0 {
		return option.Errorf("%s: of the data and the library no groups were found within the limits; allow more", option.Name("group"))
	}
	by := c.screen.refused(nil, all)
	if by == nil {
		return nil
	}
	return option.Errorf("%s: none of %d molecules with the core passes; they are refused by %s; relax the limits", option.Name("core"), len(all), by)
}

// matches are the molecules of a design that have a core.
type matches struct {
	Design
	cores     []string                // with the configurations of each molecule
	tautomers int                     // molecules that are drawn as another tautomer
	others    map[molecule.Misfit]int // molecules of the design without the core
}

// match returns the molecules of a design with a core, those of other tautomers as that whose groups are like the
// others' at each point.
func (s *coreSearch) match(ctx context.Context, c *molecule.Core, d Design) (matches, error) {
	fits, misfits, drawn := make([]string, len(d.Init)), make([]molecule.Misfit, len(d.Init)), make([]string, len(d.Init))
	err := parallel.ForContext(ctx, len(d.Init), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			fit, why := c.Fit(d.Init[i].X)
			if why != molecule.NoMisfit {
				var ok bool
				if drawn[i], ok = c.AsDrawn(d.Init[i].X); ok {
					fit, why = c.Fit(drawn[i])
				}
			}
			fits[i], misfits[i] = fit.Core, why
		}
	})
	if err != nil {
		return matches{}, err
	}
	if c.Shifts() {
		var as []string
		for i, o := range d.Init {
			if misfits[i] == molecule.NoMisfit {
				as = append(as, cmp.Or(drawn[i], o.X))
			}
		}
		arrangement, err := core.Arrange(ctx, c, nil, s.limits, as)
		if err != nil {
			return matches{}, err
		}
		err = parallel.ForContext(ctx, len(d.Init), 4, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if other, _, ok := arrangement.Draw(d.Init[i].X); ok && other != d.Init[i].X {
					fit, _ := c.Fit(other)
					drawn[i], fits[i] = other, fit.Core
				}
			}
		})
		if err != nil {
			return matches{}, err
		}
	}
	with := matches{others: map[molecule.Misfit]int{}}
	for i, o := range d.Init {
		if misfits[i] != molecule.NoMisfit {
			with.others[misfits[i]]++
			continue
		}
		if drawn[i] != "" {
			o.X = drawn[i]
			with.tautomers++
		}
		with.Init, with.cores = append(with.Init, o), append(with.cores, fits[i])
	}
	return with, nil
}

// configure returns a core with the configuration that most of the molecules with it have, and how many have it; of
// several as frequent, that of the best molecule.
func (s *screen) configure(ctx context.Context, c *molecule.Core, with matches) (best *molecule.Core, have int, _ error) {
	const most = 5 // that are tried
	count := map[string]int{}
	for _, core := range with.cores {
		count[core]++
	}
	cores := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	if len(cores) == 1 && cores[0] == c.SMILES {
		return c, len(with.cores), nil
	}
	known, value := s.known(with.Design), math.NaN()
	best = c
	for _, smiles := range cores[:min(most, len(cores))] {
		next, err := molecule.ParseCore(smiles)
		if err != nil {
			return nil, 0, usage.Wrap(err)
		}
		has := make([]bool, len(known))
		err = parallel.ForContext(ctx, len(known), 4, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				fit, why := next.Fit(known[i].SMILES)
				has[i] = why == molecule.NoMisfit && fit.Core == next.SMILES
			}
		})
		if err != nil {
			return nil, 0, err
		}
		n, top := 0, math.NaN()
		for i, k := range known {
			if has[i] {
				n++
				if !(top >= k.Value) { // also if it is NaN
					top = k.Value
				}
			}
		}
		if n > have || n == have && cmp.Compare(top, value) > 0 {
			best, have, value = next, n, top
		}
		if have == len(known) {
			break
		}
	}
	if best.SMILES == c.SMILES {
		best = c
	}
	return best, have, nil
}

// noteCore says how many molecules of the data have the core, and why others that contain its atoms have not.
func (s *Space) noteCore(given *molecule.Core, with, have, all int, others map[molecule.Misfit]int) {
	s.Notes.Add("molecules of the data with the core: %d of %d", with, all)
	for _, other := range []struct {
		molecule.Misfit
		text string
	}{
		{molecule.OtherConfiguration, "another or no configuration; omit @, / and \\ from the core to include them"},
		{molecule.OtherForm, "other charges or isotopes, or a counterion; neutralize or desalt them to include them"},
		{molecule.OtherRing, "a ring closed over the attachment points; give a core with that ring"},
		{molecule.OtherSubstituent, "a substituent where the core has no point; add points there"},
		{molecule.OtherTautomer, "another tautomer, in which the core cannot be drawn; draw the molecules, or the core, alike"},
	} {
		if n := others[other.Misfit]; n > 0 {
			s.Notes.Add("molecules with its atoms that are not counted: %d (%s)", n, other.text)
		}
	}
	if with == 0 {
		s.Notes.Add("none of the data has the core, so that they say little of proposals: check the core; the search begins with groups from the data and the library")
	}
	if s.Core.SMILES != given.SMILES {
		s.Notes.Add("the core has the configuration of %d of %d molecules: %s", have, with, s.Core.SMILES)
	}
	if n := undefined(s.Core); n > 0 {
		as := ""
		if with > 0 {
			as = ", as most of the data do"
		}
		s.Notes.Add("stereocenters of the core that proposals leave undefined%s: %d; mark them in %s", as, n, option.Name("core"))
	}
}

// undefined returns how many centers of a core have no configuration.
func undefined(c *molecule.Core) (n int) {
	groups := make([]string, len(c.Points))
	for i := range groups { // all different
		groups[i] = strings.Repeat("C", i+1) + "[*:1]"
	}
	if smiles, err := c.Join(groups); err == nil {
		_ = molecule.Look(smiles, func(m *molecule.Molecule) { n = m.Undefined() }) // with an error there is none
	}
	return n
}

// allowed reports whether the groups of a molecule with a core are within their limits.
func allowed(c *molecule.Core, limits map[int]core.Limit, smiles string) bool {
	return slices.ContainsFunc(c.Ways(smiles), func(groups []string) bool {
		for i, p := range c.Points {
			if !limits[p.Label].Allows(groups[i]) {
				return false
			}
		}
		return true
	})
}

// withCore returns n random molecules of a space of those with a core.
func (p *Parts) withCore(space Space, rng *rand.Rand, n int) ([]string, error) {
	const each = 4 // draws for a molecule
	var found []string
	for try := 0; try < 10 && len(found) < n; try++ {
		for _, x := range space.Pool(each*n, rng) {
			ok, err := p.Feasible(x)
			if ok && err == nil && !slices.Contains(found, x) && len(found) < n {
				found = append(found, x)
			}
		}
	}
	if len(found) < n {
		return nil, option.Errorf("%s: only %d different molecules with the core were found, and %d are wanted; take fewer, or allow more groups", option.Name("core"), len(found), n)
	}
	return found, nil
}
