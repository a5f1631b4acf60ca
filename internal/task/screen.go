package task

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/alerts"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/space/molecules"
)

// DataLimits is what the initial design says of proposals: limits within which the bulk of it lies, what a series has in common, and the names
// of rules for alerts that do not hold, since many of its good molecules match them.
type DataLimits struct {
	Weight  Range    `json:"weight,omitzero"`
	SA      Range    `json:"sa,omitzero"`
	Charge  Whole    `json:"charge,omitzero"`
	Rings   Whole    `json:"rings,omitzero"`
	Centers Whole    `json:"centers,omitzero"`
	Nearest Range    `json:"nearest,omitzero"`
	Require []string `json:"require,omitzero"` // groups
	Off     []string `json:"off,omitzero"`
}

// part is one of the limits from data, or two, which may be left out.
type part struct {
	names []string
	leave func(t *DataLimits)
}

// parts are all of them. The first ones are of a series.
var parts = []part{
	{[]string{"nearest"}, func(t *DataLimits) { t.Nearest = Range{} }},
	{[]string{"require"}, func(t *DataLimits) { t.Require = nil }},
	{[]string{"nearest", "require"}, func(t *DataLimits) { t.Nearest, t.Require = Range{}, nil }},
	{[]string{"charge"}, func(t *DataLimits) { t.Charge = "" }},
	{[]string{"centers"}, func(t *DataLimits) { t.Centers = "" }},
	{[]string{"rings"}, func(t *DataLimits) { t.Rings = "" }},
	{[]string{"sa"}, func(t *DataLimits) { t.SA = Range{} }},
	{[]string{"weight"}, func(t *DataLimits) { t.Weight = Range{} }},
}

const ofSeries = 3 // parts

// same reports whether the limits are those of o.
func (t *DataLimits) same(o *DataLimits) bool {
	return t.Charge == o.Charge && t.Centers == o.Centers && t.Rings == o.Rings && t.SA == o.SA && t.Weight == o.Weight &&
		t.Nearest == o.Nearest && slices.Equal(t.Require, o.Require)
}

// screen says which molecules may be proposed: by options, and where they leave it open, by the initial design.
type screen struct {
	options       Options // DataLimits are set once the initial design was asked
	list          *catalogue
	minimize      bool
	exclude, flag []alerts.Rule
	excluding     func() (*alerts.Set, error) // exclude, compiled when it is first needed
	require       []*molecule.Pattern         // of the options
	limits        molecules.Limits            // that hold
}

func newScreen(ctx context.Context, o Options, list *catalogue, minimize bool) (_ *screen, err error) {
	s := &screen{options: o, list: list, minimize: minimize}
	if s.limits.Forbid, err = readPatterns(ctx, o.Forbid); err != nil {
		return nil, option.Errorf("%s: %w", option.Name("forbid"), err)
	}
	if s.require, err = o.Require.read(ctx); err != nil {
		return nil, option.Errorf("%s: %w", option.Name("require"), err)
	}
	if r := o.Nearest; r.given() && (r.Min > 1 || r.Max < 0) {
		return nil, option.Errorf("%s: similarities are from 0 to 1", option.Setting{Name: "nearest", Value: r.String()})
	}
	if s.exclude, s.flag, err = o.Alerts.rules(); err != nil {
		return nil, err
	}
	s.excluding = sync.OnceValues(func() (*alerts.Set, error) { return alerts.Compile(s.exclude) })
	if o.Plausible {
		s.limits.Usual = corpus.Default()
	}
	return s, s.apply(o.DataLimits)
}

// apply has limits hold: those of the options, and where they leave it open, those of the design. nil: it was not asked.
func (s *screen) apply(t *DataLimits) error {
	s.options.DataLimits = t
	o, l := s.effective(), &s.limits
	l.MaxAtoms, l.Weight, l.LogP, l.SA = o.MaxAtoms, molecules.Range(o.Weight), molecules.Range(o.LogP), molecules.Range(o.SA)
	l.Charge, l.Rings, l.Centers, l.Nearest = o.Charge.limit(), o.Rings.limit(), o.Centers.limit(), molecules.Range(o.Nearest)
	if l.Require = s.require; t != nil && !s.options.Require.Given() {
		var err error
		if l.Require, err = groupPatterns(t.Require); err != nil {
			return usage.Wrap(err)
		}
	}
	if len(s.exclude) == 0 {
		return nil
	}
	all, err := s.excluding()
	if err != nil {
		return usage.Wrap(err)
	}
	l.Alerts = all.Without(s.off)
	return nil
}

// off reports whether a rule does not hold.
func (s *screen) off(r alerts.Rule) bool {
	return s.options.DataLimits != nil && slices.Contains(s.options.DataLimits.Off, r.Name)
}

// effective returns the options with what the design says.
func (s *screen) effective() Options {
	o := s.options
	if t := o.DataLimits; t != nil {
		if !o.sized() {
			o.Weight = t.Weight
		}
		if !o.SA.given() {
			o.SA = t.SA
		}
		if !o.Nearest.given() {
			o.Nearest = t.Nearest
		}
		if !o.Require.Given() {
			o.Require.Groups = t.Require
		}
		o.Charge, o.Rings, o.Centers = cmp.Or(o.Charge, t.Charge), cmp.Or(o.Rings, t.Rings), cmp.Or(o.Centers, t.Centers)
	}
	return o
}

// sized reports whether the size of proposals was given.
func (o Options) sized() bool { return o.Weight.given() || o.MaxAtoms > 0 }

// feasible is Feasible of the limits that hold when it is called.
func (s *screen) feasible(smiles string) (bool, error) { return s.limits.Feasible(smiles) }

// screens reports whether there is a limit, or may be one.
func (s *screen) screens() bool {
	return len(s.settings()) > 0 || s.options.Plausible || s.options.FromData || len(s.exclude) > 0
}

// space builds the space of a search that begins with the design all, with limits that the known molecules give; widen says which of them hold. Rules
// that the molecule own matches do not hold; "" stands for none. A search that goes on has its limits, and something that passed them. why says
// why the search is hopeless.
func (s *screen) space(ctx context.Context, known, all Design, own string, build func() (Space, error), hopeless func(Space) error) (space Space, why, err error) {
	goesOn := s.options.DataLimits != nil
	if s.options.Plausible { // what has been made can be made
		s.limits.Usual = corpus.Default().With(molecules.Kinds(all.Strings()))
	}
	if s.options.FromData && !goesOn {
		t, err := s.fromData(known, own)
		if err == nil {
			err = s.apply(t)
		}
		if err != nil {
			return Space{}, nil, err
		}
	}
	if s.effective().Nearest.given() {
		s.limits.Known = molecules.Prints(all.Strings())
	}
	if space, err = build(); err == nil && !goesOn {
		why, err = s.widen(ctx, &space, all, build, hopeless)
	}
	if err != nil {
		return Space{}, nil, err
	}
	if space.DataLimits = s.options.DataLimits; space.DataLimits != nil {
		s.noteLimits(&space, known, own, !goesOn && why == nil)
	}
	return space, why, nil
}

// widen leaves out limits from the data that nothing, or hardly anything, passes. why says why the search is hopeless without them, too.
func (s *screen) widen(ctx context.Context, space *Space, all Design, build func() (Space, error), hopeless func(Space) error) (why, err error) {
	why = hopeless(*space)
	if full := s.options.DataLimits; why != nil && full != nil {
		if why, err = s.loosen(space, parts, build, hopeless); err == nil && why != nil {
			if err = s.apply(&DataLimits{Off: full.Off}); err == nil {
				*space, err = build()
			}
			if err == nil {
				space.note("limits from the data do not hold, since none of the molecules that were tried passes them")
				why = hopeless(*space)
			}
		}
	}
	if err != nil || why != nil {
		return why, err
	}
	if narrow := func(space Space) error { return s.narrow(ctx, space, all.Strings()) }; narrow(*space) != nil {
		_, err = s.loosen(space, parts[:ofSeries], build, narrow)
	}
	return nil, err
}

// noteLimits notes what the limits from the data leave out against what a user may expect; of a search that begins all of it.
func (s *screen) noteLimits(space *Space, known Design, own string, begins bool) {
	if off := space.DataLimits.Off; len(off) > 0 {
		match := "many of the good molecules match them"
		if own != "" {
			match = "the core or " + match
		}
		space.note("alerts that do not hold, since %s: %s", match, strings.Join(off, ", "))
	}
	if !begins {
		return
	}
	if by := s.refusesBest(known); s.options.Measured && by != "" {
		space.note("the best molecule breaks the default limit %s, as may molecules like it, which are not proposed then", by)
	}
	if groups := space.DataLimits.Require; len(groups) > 0 {
		space.note("proposals keep what nearly all of the data have: %s; --require %s lets all of it change", strings.Join(groups, ", "), NoGroups)
	}
}

// loosen leaves out one of some parts of the limits, the first without which there is no trouble, and builds the space anew. If there is trouble
// without each of them, why is the last trouble.
func (s *screen) loosen(space *Space, parts []part, build func() (Space, error), trouble func(Space) error) (why, err error) {
	full, note := *s.options.DataLimits, space.Note
	for _, part := range parts { // one may be all that stands in the way
		t := full
		if part.leave(&t); t.same(&full) {
			continue
		}
		if err = s.apply(&t); err == nil {
			*space, err = build()
		}
		if err != nil {
			return nil, err
		}
		space.Note = note
		if why = trouble(*space); why == nil {
			var dropped []string
			for _, l := range (&screen{options: Options{Alerts: s.options.Alerts, DataLimits: &full}}).dataSettings() {
				if slices.Contains(part.names, string(l.Name)) {
					dropped = append(dropped, "--"+string(l.Name)+" "+l.Value)
				}
			}
			space.note("limits from the data that do not hold, since too few of the molecules that were tried pass them: %s", strings.Join(dropped, ", "))
			return nil, nil
		}
	}
	return why, nil
}

// molecules returns the space of molecules that begins with a design.
func (s *screen) molecules(d Design) (Space, error) {
	properties, err := s.options.properties()
	if err != nil {
		return Space{}, err
	}
	space, err := molecules.New(d.Strings(), molecules.Options{Limits: s.limits, Pool: s.list.pool, Knows: s.options.Computed, Properties: properties})
	return Space{Space: space}, err
}

// refusesBest returns the default limit that the best of known molecules is not within; "" if there is none.
func (s *screen) refusesBest(d Design) (by string) {
	best := molecules.Known{Value: math.Inf(-1)}
	for _, k := range s.known(d) {
		if k.Value > best.Value {
			best = k
		}
	}
	_ = molecule.Look(best.SMILES, func(m *molecule.Molecule) { // with an error there is none
		name, defaults := s.limits.Refusal(m), s.dataSettings()
		i := slices.IndexFunc(defaults, func(l option.Setting) bool { return string(l.Name) == name })
		if i < 0 {
			return
		}
		by = "--" + name + " " + defaults[i].Value
		if name == "alerts" {
			var rules []string
			for _, r := range s.limits.Alerts.In(m) {
				rules = append(rules, r.Name)
			}
			by += " (" + strings.Join(rules, ", ") + ")"
		}
	})
	return by
}

// known returns molecules with their values: higher is better.
func (s *screen) known(d Design) []molecules.Known {
	known := make([]molecules.Known, len(d.Init))
	for i, o := range d.Init {
		known[i] = molecules.Known{SMILES: o.X, Value: o.Value(s.minimize)}
	}
	return known
}

// fromData returns what known molecules say of proposals. Rules of the user's own hold.
func (s *screen) fromData(d Design, own string) (*DataLimits, error) {
	known := s.known(d)
	var mayBeOff *alerts.Set
	if len(s.exclude) > 0 && !s.options.Alerts.File.Given() {
		var err error
		if mayBeOff, err = s.excluding(); err != nil {
			return nil, usage.Wrap(err)
		}
	}
	l, off := molecules.Bulk(known, mayBeOff)
	whole := func(r molecules.Range) Whole {
		return Whole(fmt.Sprintf("%d:%d", int(math.Ceil(r.Min)), int(math.Floor(r.Max))))
	}
	t := &DataLimits{Weight: Range(l.Weight), SA: Range(l.SA)}
	if (l.Charge != molecules.Range{}) {
		t.Charge, t.Rings, t.Centers = whole(l.Charge), whole(l.Rings), whole(l.Centers)
	}
	for _, r := range off {
		t.Off = append(t.Off, r.Name)
	}
	if s.options.Core == "" && !s.options.Blocks.Given() { // these say what proposals have in common
		nearest, shared, err := molecules.Series(known)
		if err != nil {
			return nil, usage.Wrap(err)
		}
		if nearest > 0 && !s.options.Nearest.given() {
			t.Nearest = Range{nearest, math.Inf(1)}
		}
		if s.options.Require.Given() {
			shared = nil
		}
		for _, g := range shared {
			t.Require = append(t.Require, g.Name)
		}
	}
	if own == "" || mayBeOff == nil {
		return t, nil
	}
	return t, molecule.Look(own, func(m *molecule.Molecule) {
		for _, r := range mayBeOff.In(m) {
			if !slices.Contains(t.Off, r.Name) {
				t.Off = append(t.Off, r.Name)
			}
		}
	})
}

// dataSettings returns the limits that the design gave, as the options that would set them, and the alerts that hold if none were chosen.
func (s *screen) dataSettings() (all []option.Setting) {
	o, t := s.options, s.options.DataLimits
	if t == nil {
		return nil
	}
	add := func(given bool, name option.Name, value string) {
		if !given && value != "" {
			all = append(all, option.Setting{Name: name, Value: value})
		}
	}
	add(o.sized(), "weight", t.Weight.short())
	add(o.SA.given(), "sa", t.SA.short())
	add(o.Charge != "", "charge", t.Charge.short())
	add(o.Rings != "", "rings", t.Rings.short())
	add(o.Centers != "", "centers", t.Centers.short())
	add(o.Alerts.Named != NIBRAlerts, "alerts", o.Alerts.Named)
	add(o.Nearest.given(), "nearest", t.Nearest.short())
	add(o.Require.Given(), "require", strings.Join(t.Require, ","))
	return all
}

// settings returns the limits that hold, as options; those of the data to four digits.
func (s *screen) settings() (all []option.Setting) {
	o := s.effective()
	weight, sa, require := o.Weight.short(), o.SA.short(), o.Require.String()
	if require == NoGroups {
		require = ""
	}
	if s.options.sized() {
		weight = o.Weight.String()
	}
	if s.options.SA.given() {
		sa = o.SA.String()
	}
	for _, l := range []option.Setting{
		{Name: "forbid", Value: o.Forbid.Path}, {Name: "require", Value: require}, {Name: "max-atoms", Value: strconv.Itoa(o.MaxAtoms)},
		{Name: "weight", Value: weight}, {Name: "logp", Value: o.LogP.String()}, {Name: "sa", Value: sa},
		{Name: "charge", Value: string(o.Charge)}, {Name: "rings", Value: string(o.Rings)}, {Name: "centers", Value: string(o.Centers)},
		{Name: "nearest", Value: o.Nearest.String()},
	} {
		if l.Value != "" && l.Value != "0" {
			all = append(all, l)
		}
	}
	return all
}

// refused returns the limits by which molecules are refused, each with the number of those that it refuses first; nil if one passes, or there
// are no molecules.
func (s *screen) refused(tried []string) (by []option.Setting) {
	refused := map[string]int{}
	for _, smiles := range tried {
		by := ""
		if err := molecule.Look(smiles, func(m *molecule.Molecule) { by = s.limits.Refusal(m) }); err == nil && by == "" {
			return nil
		}
		refused[by]++
	}
	all := append(s.settings(), option.Setting{Name: "alerts", Value: s.options.Alerts.String()}, option.Setting{Name: "plausible"})
	for _, name := range molecules.Refusals() {
		i := slices.IndexFunc(all, func(s option.Setting) bool { return string(s.Name) == name })
		if refused[name] == 0 || i < 0 {
			continue
		}
		if all[i].Name == "plausible" {
			all[i] = option.Setting{Value: "the test of plausible molecules"}
		}
		all[i].Value += fmt.Sprintf(" (%d)", refused[name])
		by = append(by, all[i])
	}
	return by
}

// narrow returns an error if hardly any child of the initial design, or molecule of the library, has what the design has in common: of very
// small molecules there are few like them, and the search would soon be at its end.
func (s *screen) narrow(ctx context.Context, space Space, init []string) error {
	const tried, drawn, enough = 300, 2_000, 10
	if t := s.options.DataLimits; t == nil || t.Nearest == (Range{}) && len(t.Require) == 0 || len(init) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(0, 0))
	found := map[string]bool{}
	for _, operator := range space.Operators {
		pairs := make([][2]string, tried)
		for i := range pairs {
			pairs[i] = [2]string{init[rng.IntN(len(init))], init[rng.IntN(len(init))]}
		}
		made, err := operator.Make(ctx, pairs, rng)
		if err != nil {
			return err
		}
		for _, c := range made {
			if c.X != "" && !slices.Contains(init, c.X) {
				found[c.X] = true
			}
		}
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

// hopeless returns an error if no molecule of the initial design may be proposed, and none of a sample of the library.
func (s *screen) hopeless(init []string) error {
	const tried = 2_000
	if slices.ContainsFunc(init, s.passes) {
		return nil
	}
	drawn := s.list.pool.Sample(tried, rand.New(rand.NewPCG(0, 0)))
	if by := s.refused(slices.Concat(init, drawn)); by != nil {
		return option.Errorf("none of %d initial molecules and of %d from %s passes; they are refused by %s; relax the limits, or give initial molecules that pass",
			len(init), len(drawn), s.list.source, by)
	}
	return nil
}

// passes reports whether a molecule may be proposed.
func (s *screen) passes(smiles string) bool {
	ok, err := s.feasible(smiles)
	return ok && err == nil
}

// flags returns a function that names the alerts that a molecule matches: of the chosen set those that proposals may match, as they flag or are
// off; of the default set all, where none were chosen. It is nil if there shall be no alerts.
func (s *screen) flags() func(smiles string) ([]string, error) {
	if s.options.Alerts.Named == NoAlerts {
		return nil
	}
	set := sync.OnceValues(func() (*alerts.Set, error) {
		if !s.options.Alerts.Given() {
			return alerts.Compile(slices.Concat(alerts.Unstable(), alerts.NIBR()))
		}
		return alerts.Compile(slices.Concat(s.flag, slices.DeleteFunc(slices.Clone(s.exclude), func(r alerts.Rule) bool { return !s.off(r) })))
	})
	return func(smiles string) (names []string, _ error) {
		all, err := set()
		if err != nil {
			return nil, err
		}
		err = molecule.Look(smiles, func(m *molecule.Molecule) {
			for _, r := range all.In(m) {
				names = append(names, r.Name)
			}
		})
		return names, err
	}
}
