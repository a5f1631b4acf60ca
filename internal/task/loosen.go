package task

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
)

// widen leaves out limits from the data that nothing, or hardly anything, passes. why says why the search is hopeless
// without them, too.
func (s *screen) widen(ctx context.Context, space *Space, all Design, build func() (Space, error), hopeless func(Space) error) (why, err error) {
	narrow := func(space Space) error { return s.narrow(ctx, space, all.Strings()) }
	if all.Pool != nil { // nothing else is proposed, and the data give no limits
		return s.hopelessPool(all.Pool), nil
	}
	if why = hopeless(*space); s.options.DataLimits == nil || why == nil && narrow(*space) == nil {
		return why, nil
	}
	return s.loosen(space, build, hopeless, narrow)
}

// loosen leaves out limits from the data until the search is neither hopeless nor narrow, and builds the space anew.
// First none of them holds; then one after the other does again if it can, that which matters most first: what scores
// are without the groups of a series cannot be learnt from it. These hold even where few others have them, within
// limits of the user's. why says why the search is hopeless without any.
func (s *screen) loosen(space *Space, build func() (Space, error), hopeless, narrow func(Space) error) (why, err error) {
	full, hold, note := *s.options.DataLimits, s.dataSettings(), space.Notes
	try := func(t DataLimits) error {
		if err := s.apply(&t); err != nil {
			return err
		}
		built, err := build()
		*space = built
		space.Notes = note
		return err
	}
	kept := DataLimits{Off: full.Off, Salts: full.Salts, Warheads: full.Warheads, Open: full.Open, Configured: full.Configured, Handed: full.Handed, Deprotonated: full.Deprotonated, apart: full.apart, outlier: full.outlier}
	if err = try(kept); err != nil {
		return nil, err
	}
	if why = hopeless(*space); why != nil {
		space.Notes.Add("limits from the data do not hold, since none of the molecules that were tried passes them")
		return why, nil
	}
	var dropped []option.Setting
	again := func(l option.Setting, take func(to, from *DataLimits)) error {
		next := kept
		take(&next, &full)
		if !slices.ContainsFunc(hold, func(h option.Setting) bool { return h.Name == l.Name }) { // an option took its place, or the data gave none
			kept = next
			return nil
		}
		if err := try(next); err != nil {
			return err
		}
		if hopeless(*space) == nil && (l.Name == "require" || l.Name == "group" || narrow(*space) == nil) {
			kept = next
		} else {
			dropped = append(dropped, l)
		}
		return nil
	}
	groups := [][]string{full.Require}
	if s.options.Blocks.Given() { // which may make some of them
		groups = slices.Collect(slices.Chunk(full.Require, 1))
	}
	for _, some := range groups {
		l := option.Setting{Name: "require", Value: strings.Join(some, ",")}
		if err = again(l, func(to, _ *DataLimits) { to.Require = slices.Concat(to.Require, some) }); err != nil {
			return nil, err
		}
	}
	for _, text := range full.Points {
		l := option.Setting{Name: "group", Value: "'" + text + "'"}
		if err = again(l, func(to, _ *DataLimits) { to.Points = append(slices.Clone(to.Points), text) }); err != nil {
			return nil, err
		}
	}
	for _, b := range bounds {
		l := option.Setting{Name: b.name, Value: b.short(&full.Bounds)}
		if err = again(l, func(to, from *DataLimits) { b.take(&to.Bounds, &from.Bounds) }); err != nil {
			return nil, err
		}
	}
	if err = try(kept); err == nil && len(dropped) > 0 {
		s.noteDropped(space, dropped)
	}
	return nil, err
}

// noteDropped notes the limits from the data that do not hold.
func (s *screen) noteDropped(space *Space, dropped []option.Setting) {
	tried := "molecules"
	if s.options.Blocks.Given() {
		tried = "products of the blocks"
		if lost := slices.DeleteFunc(slices.Clone(dropped), func(l option.Setting) bool { return l.Name != "require" }); len(lost) > 0 {
			space.Notes.Add("proposals lack what nearly all of the data have, since none of the products of the blocks that were tried has it: %s", lost)
		}
		if dropped = slices.DeleteFunc(dropped, func(l option.Setting) bool { return l.Name == "require" }); len(dropped) == 0 {
			return
		}
	}
	space.Notes.Add("limits from the data that do not hold, since too few of the %s that were tried pass them: %s", tried, dropped)
}

// refused returns the limits by which molecules are refused, each with the number of those that it refuses first; nil
// if one passes, or there are no molecules. Those of known ones are limits but for a greatest similarity to these.
func (s *screen) refused(known, others []string) (by []option.Setting) {
	refused := map[string]int{}
	for i, smiles := range slices.Concat(known, others) {
		limits := s.limits
		if i < len(known) {
			limits = s.ofKnown()
		}
		by := ""
		if err := molecule.Look(smiles, func(m *molecule.Molecule) { by = limits.Refusal(m) }); err == nil && by == "" {
			return nil
		}
		refused[by]++
	}
	all := append(s.settings(), option.Setting{Name: "alerts", Value: s.options.Alerts.String()})
	tests := map[string]string{ // limits that no option sets
		"plausible": "the test of plausible molecules", "finished": "the test of protecting groups", "open": "the configurations that the data define",
		"handed":       "the configurations that all of the data have",
		"deprotonated": "the neutral amines of the data",
		"warheads":     "the number of reactive groups of the data", "salts": "the components of the data's salts",
	}
	for name := range tests {
		all = append(all, option.Setting{Name: option.Name(name)})
	}
	for _, name := range molecules.Refusals() {
		i := slices.IndexFunc(all, func(s option.Setting) bool { return string(s.Name) == name })
		if refused[name] == 0 || i < 0 {
			continue
		}
		if test, ok := tests[name]; ok {
			all[i] = option.Setting{Value: test}
		}
		all[i].Value += fmt.Sprintf(" (%d)", refused[name])
		by = append(by, all[i])
	}
	return by
}

// ofKnown returns the limits as they are tried on known molecules, which are as similar to the known ones as can be.
func (s *screen) ofKnown() molecules.Limits {
	l := s.limits
	if l.Nearest != (molecules.Range{}) {
		l.Nearest.Max = math.Inf(1)
	}
	return l
}

// narrow returns an error if hardly any child of the initial design, or molecule of the library, may be proposed, so
// that the search would soon be at its end: of very small molecules there are few that have what the design has in
// common, and the user's limits may refuse all of the design.
func (s *screen) narrow(ctx context.Context, space Space, init []string) error {
	const drawn = 2_000
	t := s.options.DataLimits
	if t == nil || len(init) == 0 || s.builds() {
		return nil
	}
	enough := 10
	if !slices.ContainsFunc(init, s.knownPasses) {
		enough = 20
	} else if t.Nearest == (Range{}) && len(t.Require) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(0, 0))
	found, err := children(ctx, space, init, enough, rng)
	if err != nil {
		return err
	}
	if len(found) >= enough {
		return nil
	}
	for _, x := range s.list.pool.Sample(drawn, rng) {
		if s.passes(x) {
			if found[x] = true; len(found) == enough {
				return nil
			}
		}
	}
	return option.Errorf("only %d molecules like the initial ones were found", len(found))
}

// children returns crosses and mutants of molecules that a search may propose, as its own operators make them. If they
// are not enough, it goes on as the search does: with those that it has found, and crosses with the library.
func children(ctx context.Context, space Space, init []string, enough int, rng *rand.Rand) (map[string]bool, error) {
	const tried, generations = 300, 4 // by each operator
	found := map[string]bool{}
	parents, partners := init, init
	for range generations {
		for _, operator := range space.Operators {
			pairs := make([][2]string, tried)
			for i := range pairs {
				pairs[i] = [2]string{parents[rng.IntN(len(parents))], partners[rng.IntN(len(partners))]}
			}
			made, err := operator.Make(ctx, pairs, rng)
			if err != nil {
				return nil, err
			}
			for _, c := range made {
				if c.X != "" && !slices.Contains(init, c.X) {
					found[c.X] = true
				}
			}
		}
		if len(found) > 0 {
			parents = slices.Sorted(maps.Keys(found))
		}
		if len(found) >= enough {
			break
		}
		if partners = parents; space.Pool != nil {
			partners = slices.Concat(parents, space.Pool(len(parents), rng))
		}
	}
	return found, nil
}

// hopeless returns an error if no molecule of the initial design may be proposed, none of a sample of the library, and
// no child of the design.
func (s *screen) hopeless(ctx context.Context, init []string) error {
	const tried = 2_000
	if slices.ContainsFunc(init, s.knownPasses) {
		return nil
	}
	drawn := s.list.pool.Sample(tried, rand.New(rand.NewPCG(0, 0)))
	by := s.refused(init, drawn)
	if by == nil {
		return nil
	}
	if len(init) > 0 {
		space, err := molecules.New(init, molecules.Options{Limits: s.limits, Pool: s.list.pool})
		if err != nil {
			return err
		}
		found, err := children(ctx, Space{Space: space}, init, 1, rand.New(rand.NewPCG(0, 0)))
		if err != nil || len(found) > 0 {
			return err
		}
	}
	return option.Errorf("none of %d initial molecules and of %d from %s passes; they are refused by %s; relax the limits, or give initial molecules that pass",
		len(init), len(drawn), s.list.source, by)
}

// hopelessPool returns an error if none of the molecules that alone may be proposed passes.
func (s *screen) hopelessPool(pool []string) error {
	const tried = 5_000
	some := stats.Evenly(pool, tried)
	by := s.refused(nil, some)
	if by == nil {
		return nil
	}
	of := "its molecules"
	if len(some) < len(pool) {
		of = fmt.Sprintf("%d of its molecules, which were tried,", len(some))
	}
	return option.Errorf("%s: none of %s passes; they are refused by %s; relax the limits", option.Name("pool"), of, by)
}
