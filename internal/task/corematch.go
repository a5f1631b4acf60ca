package task

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
)

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
