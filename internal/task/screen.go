package task

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
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

// DataLimits is what the initial design says of proposals: limits within which the bulk of it lies, what a series has
// in common, and the names of rules for alerts that do not hold, since many of its good molecules match them.
type DataLimits struct {
	Bounds
	Require []string `json:"require,omitzero"` // groups, as Required has them
	Points  []string `json:"points,omitzero"`  // groups at the points of a core, as parseGroups reads them
	Off     []string `json:"off,omitzero"`

	Salts    molecules.Salts `json:"salts,omitzero"`
	Warheads int             `json:"warheads,omitzero"` // at most; 0: any number
	Open     Whole           `json:"open,omitzero"`     // configurations that are left open

	Configured []string `json:"configured,omitzero"` // kinds of atoms and double bonds that have one
	Handed     []uint64 `json:"handed,omitzero"`     // configurations whose mirror images the data do not have

	Deprotonated bool `json:"deprotonated,omitzero"` // no cation has hydrogens

	apart   string  // scaffold of nearly all of the data that the best molecule lacks
	outlier float64 // similarity of the best molecule to the nearest of a series that it is not of; 0: it is
}

// bound is one of Bounds.
type bound struct {
	name        option.Name
	given       func(b *Bounds) bool
	take        func(to, from *Bounds)
	text, short func(b *Bounds) string // short: numbers to four digits
}

// bounds are all of them, from that which matters most. That on similarity comes last: molecules that are not near a
// series still have its groups.
var bounds = []bound{
	boundOf("weight", func(b *Bounds) *Range { return &b.Weight }),
	boundOf("sa", func(b *Bounds) *Range { return &b.SA }),
	boundOf("charge", func(b *Bounds) *Whole { return &b.Charge }),
	boundOf("rings", func(b *Bounds) *Whole { return &b.Rings }),
	boundOf("centers", func(b *Bounds) *Whole { return &b.Centers }),
	boundOf("nearest", func(b *Bounds) *Range { return &b.Nearest }),
}

func boundOf[T interface {
	comparable
	String() string
	short() string
}](name option.Name, of func(b *Bounds) *T) bound {
	var open T
	return bound{
		name:  name,
		given: func(b *Bounds) bool { return *of(b) != open },
		take:  func(to, from *Bounds) { *of(to) = *of(from) },
		text:  func(b *Bounds) string { return (*of(b)).String() },
		short: func(b *Bounds) string { return (*of(b)).short() },
	}
}

// sets reports whether an option takes the place of a bound from the data.
func (o *Options) sets(b bound) bool {
	return b.given(&o.Bounds) || b.name == "weight" && o.MaxAtoms > 0
}

// screen says which molecules may be proposed: by options, and where they leave it open, by the initial design.
type screen struct {
	options       Options // DataLimits are set once the initial design was asked
	list          *catalogue
	minimize      bool
	exclude, flag []alerts.Rule
	excluding     func() (*alerts.Set, error) // exclude, compiled when it is first needed
	limits        molecules.Limits            // that hold
	points        []string                    // DataLimits.Points of a search that begins
	own           string                      // a molecule whose parts all proposals have; "": there is none
	fixed         molecules.Fixed             // likewise, with where it changes
}

func newScreen(ctx context.Context, o Options, list *catalogue, minimize bool) (_ *screen, err error) {
	s := &screen{options: o, list: list, minimize: minimize}
	if s.limits.Forbid, err = readPatterns(ctx, o.Forbid); err != nil {
		return nil, option.Errorf("%s: %w", option.Name("forbid"), err)
	}
	if err = o.Require.read(ctx, &s.limits); err != nil {
		return nil, option.Errorf("%s: %w", option.Name("require"), err)
	}
	if r := o.Nearest; r.given() && (r.Min > 1 || r.Max < 0 || r.Min < 0 && !math.IsInf(r.Min, -1) || r.Max > 1 && !math.IsInf(r.Max, 1)) {
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
	if t != nil {
		l.Salts, l.Open, l.Configured, l.Deprotonated = t.Salts, t.Open.limit(), t.Configured, t.Deprotonated
		if l.Handed = nil; s.options.Require.String() != NoGroups {
			l.Handed = t.Handed
		}
	}
	if t != nil && t.Warheads > 0 && !s.options.Require.Given() {
		var err error
		if l.Warheads, err = molecules.AtMost(t.Warheads); err != nil {
			return usage.Wrap(err)
		}
	}
	if t != nil && !s.options.Require.Given() {
		if err := setRequired(l, t.Require); err != nil {
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
	if s.ownAlerts() {
		if l.Alerts, err = molecules.Beyond(l.Alerts, s.own); err != nil {
			return usage.Wrap(err)
		}
	}
	return nil
}

// ownAlerts reports whether proposals may match rules as often as the molecule own does. Rules of the user's own hold.
func (s *screen) ownAlerts() bool {
	return s.own != "" && s.options.FromData && len(s.exclude) > 0 && !s.options.Alerts.File.Given()
}

// matchedByOwn returns the names of the rules that the molecule own matches, of those that hold.
func (s *screen) matchedByOwn() (names []string) {
	if !s.ownAlerts() {
		return nil
	}
	all, err := s.excluding()
	if err != nil {
		return nil
	}
	_ = molecule.Look(s.own, func(m *molecule.Molecule) { // with an error it matches none
		for _, r := range molecules.Alerts(all.Without(s.off), m) {
			names = append(names, r.Name)
		}
	})
	return names
}

// off reports whether a rule does not hold.
func (s *screen) off(r alerts.Rule) bool {
	if s.options.DataLimits == nil {
		return false
	}
	names := s.options.DataLimits.Off
	const earlier = "three_ring_electrophile" // one rule in studies of earlier versions
	return slices.Contains(names, r.Name) || slices.Contains([]string{"epoxide", "aziridine", "thiirane"}, r.Name) && slices.Contains(names, earlier)
}

// effective returns the options with what the design says.
func (s *screen) effective() Options {
	o := s.options
	if t := o.DataLimits; t != nil {
		for _, b := range bounds {
			if !s.options.sets(b) {
				b.take(&o.Bounds, &t.Bounds)
			}
		}
		if !o.Require.Given() {
			o.Require.Groups = t.Require
		}
	}
	return o
}

// feasible is Feasible of the limits that hold when it is called.
func (s *screen) feasible(smiles string) (bool, error) { return s.limits.Feasible(smiles) }

// screens reports whether there is a limit, or may be one.
func (s *screen) screens() bool {
	return len(s.settings()) > 0 || s.options.Plausible || s.options.FromData || len(s.exclude) > 0
}

// space builds the space of a search that begins with the design all. Its limits are those of the molecules of a
// series, if there are a few, as far as widen lets them hold; a search that goes on has its limits already. why says
// why the search is hopeless, nil if it is not.
func (s *screen) space(ctx context.Context, series, all Design, build func() (Space, error), hopeless func(Space) error) (space Space, why, err error) {
	const fewest = 3
	known, goesOn := series, s.options.DataLimits != nil
	if len(series.Init) < fewest { // too few to set limits: proposals are about as large as the others
		known = all
	}
	if all.Drawn && s.builds() { // a core or blocks say what the molecules have in common
		series = Design{}
	}
	if s.options.Plausible { // what has been made can be made
		kinds, err := molecules.Kinds(ctx, all.Strings())
		if err != nil {
			return Space{}, nil, err
		}
		s.limits.Usual = corpus.Default().With(kinds)
	}
	if s.options.FromData && !goesOn {
		t, err := s.fromData(ctx, known, series)
		if err == nil {
			err = s.apply(t)
		}
		if err != nil {
			return Space{}, nil, err
		}
	}
	if s.effective().Nearest.given() {
		if s.limits.Known, err = molecules.Prints(ctx, all.Strings()); err != nil {
			return Space{}, nil, err
		}
	}
	if space, err = build(); err == nil && !goesOn {
		if why, err = s.widen(ctx, &space, all, build, hopeless); ctx.Err() != nil { // then what was tried says nothing
			err = context.Cause(ctx)
		}
	}
	if err != nil {
		return Space{}, nil, err
	}
	if !goesOn {
		noteDative(&space, all.Strings())
	}
	if space.DataLimits = s.options.DataLimits; space.DataLimits != nil {
		s.noteLimits(&space, known, !goesOn && why == nil)
	}
	return space, why, nil
}

// noteDative notes that operators do not change molecules with dative bonds, as complexes of metals are drawn.
func noteDative(space *Space, molecules []string) {
	dative := 0
	for _, smiles := range molecules {
		if strings.Contains(smiles, "->") || strings.Contains(smiles, "<-") {
			dative++
		}
	}
	if dative > 0 {
		space.Notes.Add("dative bonds: in %d of %d molecules, which no operator changes; for proposals with other ligands write them with charges, as in [NH3+][Pt-2]", dative, len(molecules))
	}
}

// noteLimits notes what the limits from the data leave out against what a user may expect; of a search that begins all
// of it.
func (s *screen) noteLimits(space *Space, known Design, begins bool) {
	if off := space.DataLimits.Off; len(off) > 0 {
		space.Notes.Add("alerts that do not hold, since many of the good molecules match them: %s", strings.Join(off, ", "))
	}
	if own := s.matchedByOwn(); len(own) > 0 {
		space.Notes.Add("alerts that the core matches, and the rest of a proposal may not: %s", strings.Join(own, ", "))
	}
	if !begins {
		return
	}
	if s.options.Measured {
		if by := s.refusesBest(known); by != "" {
			space.Notes.Add("the best molecule breaks the default limit %s, as may molecules like it, which are not proposed then", by)
		}
		if by := s.refuseMany(known.Strings()); len(by) > 0 {
			space.Notes.Add("default limits that more than 5 %% of the data break, and molecules like these are not proposed: %s", strings.Join(by, ", "))
		}
	}
	if s := space.DataLimits.outlier; s > 0 {
		space.Notes.Add("the best molecule is unlike all others (the greatest similarity is %.2f); if it is a reference, leave out its row", s)
	}
	if apart := space.DataLimits.apart; apart != "" {
		space.Notes.Add("the best molecule lacks what nearly all others share, so that proposals may be like either; %s keeps to the others", option.Setting{Name: "require", Value: "'" + ScaffoldPrefix + apart + "'"})
	}
	groups := slices.Clone(space.DataLimits.Require)
	if len(s.limits.Handed) > 0 {
		groups = append(groups, "configurations")
	}
	if len(groups) > 0 {
		space.Notes.Add("proposals keep what nearly all of the data have: %s; %s lets all of it change", strings.Join(groups, ", "), option.Setting{Name: "require", Value: NoGroups})
	}
	if points := space.DataLimits.Points; len(points) > 0 {
		var free []option.Setting
		for _, text := range points {
			free = append(free, option.Setting{Name: "group", Value: "'" + s.options.freed(text) + "'"})
		}
		space.Notes.Add("proposals keep what nearly all groups at a point have ([#0] is the core): %s; a require of yours lets it change: %s", strings.Join(points, ", "), free)
	}
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
			for _, r := range molecules.Alerts(s.limits.Alerts, m) {
				rules = append(rules, r.Name)
			}
			by += " (" + strings.Join(rules, ", ") + ")"
		}
	})
	return by
}

// refuseMany returns the default limits that more than 5 % of molecules break, three at least, each with how many do,
// and the rules that most of these match. Of more than a thousand molecules a thousand are looked at.
func (s *screen) refuseMany(known []string) (by []string) {
	const most, share, fewest, named = 1_000, 0.05, 3, 3
	step := max(1, (len(known)+most-1)/most)
	broken, rules, looked := map[string]int{}, map[string]int{}, 0
	for i := 0; i < len(known); i += step {
		_ = molecule.Look(known[i], func(m *molecule.Molecule) { // with an error it breaks none
			looked++
			for _, name := range s.limits.Broken(m) {
				if broken[name]++; name != "alerts" {
					continue
				}
				for _, r := range molecules.Alerts(s.limits.Alerts, m) {
					rules[r.Name]++
				}
			}
		})
	}
	for _, l := range s.dataSettings() {
		if n := broken[string(l.Name)]; n >= fewest && float64(n) > share*float64(looked) {
			matched := ""
			if l.Name == "alerts" {
				names := slices.SortedFunc(maps.Keys(rules), func(a, b string) int { return cmp.Or(cmp.Compare(rules[b], rules[a]), cmp.Compare(a, b)) })
				matched = ", most by " + strings.Join(names[:min(named, len(names))], ", ")
			}
			by = append(by, fmt.Sprintf("--%s %s (%d of %d%s)", l.Name, l.Value, n, looked, matched))
		}
	}
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

// fromData returns what known molecules, and those of a series, say of proposals. Rules of the user's own hold.
func (s *screen) fromData(ctx context.Context, d, series Design) (*DataLimits, error) {
	known := s.known(d)
	var mayBeOff *alerts.Set
	if len(s.exclude) > 0 && !s.options.Alerts.File.Given() {
		var err error
		if mayBeOff, err = s.excluding(); err != nil {
			return nil, usage.Wrap(err)
		}
	}
	l, off, err := molecules.Bulk(ctx, known, mayBeOff)
	if err != nil {
		return nil, err
	}
	if d.Drawn { // by nobody: a few molecules of a library say how large a molecule is, and not what it must have
		l.Weight.Min, l.SA.Max = math.Inf(-1), max(l.SA.Max, molecules.Hardest)
	}
	whole := func(r molecules.Range) Whole {
		return Whole(fmt.Sprintf("%d:%d", int(math.Ceil(r.Min)), int(math.Floor(r.Max))))
	}
	t := &DataLimits{Bounds: Bounds{Weight: Range(l.Weight), SA: Range(l.SA)}, Points: s.points}
	if (l.Charge != molecules.Range{}) {
		if t.Charge = whole(l.Charge); !d.Drawn {
			t.Rings, t.Centers = whole(l.Rings), whole(l.Centers)
		}
	}
	for _, r := range off {
		t.Off = append(t.Off, r.Name)
	}
	if t.Salts, err = molecules.SaltsOf(ctx, known); err != nil {
		return nil, err
	}
	if !d.Drawn {
		usual, err := molecules.UsualOf(ctx, known)
		if err != nil {
			return nil, err
		}
		t.Warheads, t.Deprotonated, t.Handed = usual.Warheads, usual.Deprotonated, usual.Handed
		if (usual.Open != molecules.Range{}) {
			t.Open, t.Configured = whole(usual.Open), usual.Configured
		}
	}
	return t, s.takeSeries(ctx, t, series)
}

// builds reports whether proposals are made of a core or of building blocks.
func (s *screen) builds() bool { return s.options.Core != "" || s.options.Blocks.Given() }

// takeSeries takes what the molecules of a series have in common, but for what is fixed. With a core, proposals may be
// as far from known molecules as its groups let them.
func (s *screen) takeSeries(ctx context.Context, t *DataLimits, series Design) error {
	common, err := molecules.Series(ctx, s.known(series), s.fixed)
	if err != nil {
		return err
	}
	if common.Nearest > 0 && !s.options.Nearest.given() && s.options.Core == "" {
		t.Nearest = Range{common.Nearest, math.Inf(1)}
	}
	if s.options.Require.Given() {
		return nil
	}
	for _, g := range common.Groups {
		t.Require = append(t.Require, g.Name)
	}
	for _, scaffold := range common.Scaffolds {
		t.Require = append(t.Require, scaffoldName(scaffold))
	}
	for i, times := range common.Times {
		t.Require[i] = required(times, t.Require[i])
	}
	if len(common.Either) > 0 {
		var names []string
		for _, g := range common.Either {
			names = append(names, g.Name)
		}
		t.Require = append(t.Require, strings.Join(names, Or))
	}
	for _, smarts := range common.Generic {
		t.Require = append(t.Require, SMARTSPrefix+smarts)
	}
	if len(common.Covers) > 0 {
		t.Require = append(t.Require, SMARTSPrefix+strings.Join(common.Covers, Or))
	}
	if t.apart = common.Apart.SMILES; common.BestNearest < common.Nearest {
		t.outlier = common.BestNearest
	}
	if len(common.Cores) > 0 {
		var smiles []string
		for _, core := range common.Cores {
			smiles = append(smiles, core.SMILES)
		}
		t.Require = append(t.Require, ScaffoldPrefix+strings.Join(smiles, Or))
	}
	return nil
}

// dataSettings returns the limits that the design gave, as the options that would set them, and the alerts that hold if
// none were chosen.
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
	for _, b := range bounds {
		add(o.sets(b), b.name, b.short(&t.Bounds))
	}
	add(o.Require.Given(), "require", strings.Join(t.Require, ","))
	for _, text := range t.Points {
		add(false, "group", "'"+text+"'")
	}
	add(o.Alerts.Named != NIBRAlerts, "alerts", o.Alerts.Named)
	return all
}

// settings returns the limits that hold, as options; those of the data to four digits.
func (s *screen) settings() (all []option.Setting) {
	o := s.effective()
	add := func(name option.Name, value string) {
		if value != "" {
			all = append(all, option.Setting{Name: name, Value: value})
		}
	}
	add("forbid", o.Forbid.Path)
	if require := o.Require.String(); require != NoGroups {
		add("require", require)
	}
	if o.MaxAtoms > 0 {
		add("max-atoms", strconv.Itoa(o.MaxAtoms))
	}
	add("logp", o.LogP.String())
	for _, b := range bounds {
		text := b.text
		if !s.options.sets(b) {
			text = b.short
		}
		add(b.name, text(&o.Bounds))
	}
	return all
}

// knownPasses reports whether a known molecule is within the limits on proposals.
func (s *screen) knownPasses(smiles string) bool {
	ok, err := s.ofKnown().Feasible(smiles)
	return ok && err == nil
}

// passes reports whether a molecule may be proposed.
func (s *screen) passes(smiles string) bool {
	ok, err := s.feasible(smiles)
	return ok && err == nil
}

// flags returns a function that names the alerts that a molecule matches: of the chosen set those that proposals may
// match, as they flag or are off or the core matches them; of the default set all, where none were chosen. It is nil if
// there shall be no alerts.
func (s *screen) flags() func(smiles string) ([]string, error) {
	if s.options.Alerts.Named == NoAlerts {
		return nil
	}
	set := sync.OnceValues(func() (*alerts.Set, error) {
		if !s.options.Alerts.Given() {
			return alerts.Compile(slices.Concat(alerts.Unstable(), alerts.NIBR()))
		}
		own := s.matchedByOwn()
		return alerts.Compile(slices.Concat(s.flag, slices.DeleteFunc(slices.Clone(s.exclude), func(r alerts.Rule) bool { return !s.off(r) && !slices.Contains(own, r.Name) })))
	})
	return func(smiles string) (names []string, _ error) {
		all, err := set()
		if err != nil {
			return nil, err
		}
		err = molecule.Look(smiles, func(m *molecule.Molecule) {
			for _, r := range molecules.Alerts(all, m) {
				names = append(names, r.Name)
			}
		})
		return names, err
	}
}
