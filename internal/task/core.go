package task

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

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
