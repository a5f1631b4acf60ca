package molecules

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/space/internal/chance"
	"github.com/invbo/invbo/space/internal/series"
)

// What Series takes for a series, and a group for one of all its molecules.
const (
	fewestOfSeries = 3    // molecules, and molecules with one of Either
	apart          = 0.1  // of the molecules of a series may be less alike to the others
	intruders      = 0.01 // of other molecules may be more alike to the series
	many           = 100  // molecules, from which the surrogate learns itself how far a series reaches
	substantial    = 12   // atoms of a part that says what molecules are
	mostOfAll      = 0.8  // of the molecules have an element that other molecules hardly ever have
)

// elements are the names of Groups that are an element.
var elements = []string{"phosphorus", "boron", "silicon", "selenium", "metal"}

//go:embed groups.tsv
var groups string

// Group is a functional group.
type Group struct {
	Name    string
	SMARTS  string
	Example string // a molecule that has it, and little else
}

// Groups returns the functional groups that are looked for. Those that others are a part of follow them.
func Groups() (all []Group) {
	rows := strings.Split(strings.TrimSpace(groups), "\n")
	for _, row := range rows[1:] {
		cells := strings.Split(row, "\t")
		all = append(all, Group{cells[0], cells[1], cells[2]})
	}
	return all
}

// Pattern compiles the SMARTS. The error is molecule.ErrNoRDKit.
func (g Group) Pattern() (*molecule.Pattern, error) { return molecule.CompilePattern(g.SMARTS) }

// Common is what known molecules of one series have in common: what is proposed should have it, too.
type Common struct {
	// Nearest is how similar a proposal should be to the most similar one of them (Tanimoto, ECFP4), halfway between
	// what nine in ten of them reach and what one in a hundred other molecules exceeds. It is 0 where there is no such
	// gap, as the molecules are no series, and for 100 molecules and more, which teach the surrogate how far a series
	// reaches.
	Nearest float64

	// BestNearest is how similar the best of them is to the most similar other one, where Nearest is not 0.
	BestNearest float64

	// Groups are the functional groups that nearly all molecules have, the best included, and not by chance: the data
	// do not tell what scores are without them. Groups that are a part of others are left out.
	Groups []Group

	// Either are two to five rare functional groups such that nearly each molecule has one of them, the best included,
	// and hardly any has two, as the warheads of a series are; nil: there are none.
	Either []Group

	// Scaffolds are larger parts of the molecules that are the same in nearly all of them. They are Closed if
	// they are ends that a linker joins, or there are twenty molecules.
	Scaffolds []Scaffold

	// Generic are larger parts, as SMARTS, whose atoms and bonds vary in a few ways, and that say more than the scaffolds.
	Generic []string

	// Covers are two to five such parts that hardly any other molecule has, so that nearly each molecule has one of
	// them, the best included. There are none where the molecules have cores, or a part of twelve atoms in common.
	Covers []string

	// Apart is the largest scaffold of nearly all molecules that the best one lacks, where that is why there are no
	// Scaffolds.
	Apart Scaffold

	// Cores are up to four scaffolds such that nearly each molecule has one of them, and the best, too. Of 100
	// molecules and more there are none.
	Cores []Scaffold

	// Times is how often a molecule should have each of Groups and then of Scaffolds: linkers, for example, have two
	// acids. Nearly all known molecules have it at least so often, the best included. The upper end is what they have
	// of a scaffold; groups have none, as one more may be a substituent.
	Times []Range
}

// Fixed is a part that all proposals have, such as a core. The zero Fixed is none.
type Fixed struct {
	Plain  []string                           // molecules (SMILES) of the part and little else
	Places func(m *molecule.Molecule) []Place // where a molecule bears what may change; nil: nowhere
}

// Series says what the known molecules have in common, but for what a part has anyway, and for what would keep its
// places as they are. Of more than a thousand molecules a thousand are looked at. Strings that are no molecules do not
// count. The error is molecule.ErrNoRDKit, or wraps ctx's cause.
func Series(ctx context.Context, known []Known, fixed Fixed) (c Common, _ error) {
	m, err := compare(ctx, known)
	if err != nil {
		return c, err
	}
	defer m.close()
	if len(m.known) < fewestOfSeries {
		return c, nil
	}
	if len(m.known) < many {
		prints := printsOf(m.known)
		if c.Nearest = gap(prints, printsOf(m.library)); c.Nearest > 0 {
			c.BestNearest = nearest(series.Print(m.best), prints)
		}
	}
	groups, err := c.findGroups(ctx, m)
	if err != nil {
		return c, fmt.Errorf("look for groups: %w", err)
	}
	largest, err := c.findParts(ctx, m)
	if err != nil {
		return c, err
	}
	if largest < substantial && len(c.Cores) == 0 {
		for _, p := range groups {
			m.library = series.Having(p, m.library) // from here on, others with the same groups
		}
		if err := c.findOther(ctx, m); err != nil {
			return c, err
		}
	}
	if fixed.Places != nil {
		c.Generic, c.Covers = nil, nil // which the fixed part says more exactly
		if err := c.open(ctx, fixed, m.best, m.known); err != nil {
			return c, fmt.Errorf("look for what may change of molecules such as %s: %w", m.best.SMILES(), err)
		}
	}
	counted, err := c.findTimes(ctx, m, groups)
	if err != nil {
		return c, fmt.Errorf("count groups: %w", err)
	}
	plain, err := series.Parse(ctx, fixed.Plain)
	if err != nil {
		return c, fmt.Errorf("read the fixed part: %w", err)
	}
	defer series.CloseAll(plain)
	c.leaveOut(plain, counted)
	return c, nil
}

// compared are the molecules of a series and others.
type compared struct {
	best    *molecule.Molecule
	scored  bool                 // best has a value, greater than all others
	known   []*molecule.Molecule // the best first
	library []*molecule.Molecule // those of no series

	opened []*molecule.Molecule
}

// compare reads known molecules and, if they are enough, a library. The caller closes them.
func compare(ctx context.Context, known []Known) (m compared, err error) {
	if m.known, err = series.Parse(ctx, some(bestFirst(known))); err != nil {
		return m, fmt.Errorf("read the molecules: %w", err)
	}
	m.opened = m.known
	if len(m.known) < fewestOfSeries {
		return m, nil
	}
	if m.library, err = series.Parse(ctx, series.Others(BuiltIn().Sample)); err != nil {
		m.close()
		return m, fmt.Errorf("read the library: %w", err)
	}
	m.opened = slices.Concat(m.known, m.library)
	if m.best, m.scored = bestOf(known); m.scored {
		m.opened = append(m.opened, m.best)
	} else {
		m.best = m.known[0]
	}
	return m, nil
}

func (m compared) close() { series.CloseAll(m.opened) }

// findGroups sets Groups and Either, and returns the patterns of Groups.
func (c *Common) findGroups(ctx context.Context, m compared) (found []*molecule.Pattern, err error) {
	all := Groups()
	patterns := make([]*molecule.Pattern, len(all))
	for i, g := range all {
		if patterns[i], err = g.Pattern(); err != nil {
			return nil, err
		}
	}
	for i, g := range all {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		have, least := len(series.Having(patterns[i], m.known)), chance.NearlyAll
		if slices.Contains(elements, g.Name) {
			least = mostOfAll
		}
		if float64(have) < least*float64(len(m.known)) || m.scored && !patterns[i].In(m.best) {
			continue
		}
		if slices.ContainsFunc(c.Groups, func(s Group) bool { return has(s.Example, patterns[i]) }) {
			continue
		}
		if series.Rare(patterns[i], m.library, have) {
			c.Groups, found = append(c.Groups, g), append(found, patterns[i])
		}
	}
	c.Either = alternatives(all, patterns, m.best, m.known, m.library)
	return found, nil
}

// findParts sets Scaffolds, Generic and Cores. largest is how many atoms the largest part has that nearly all molecules
// share.
func (c *Common) findParts(ctx context.Context, m compared) (largest int, err error) {
	if c.Scaffolds, err = scaffolds(ctx, m.best, m.known, m.library); err != nil {
		return 0, fmt.Errorf("look for what molecules have in common with %s: %w", m.best.SMILES(), err)
	}
	if c.Generic, largest, err = generics(ctx, m.best, m.known, m.library, c.Scaffolds); err != nil {
		return 0, fmt.Errorf("look for what varies in few ways in molecules such as %s: %w", m.best.SMILES(), err)
	}
	if c.Scaffolds, err = closeScaffolds(ctx, c.Scaffolds, m.best, m.known); err != nil {
		return 0, fmt.Errorf("look for where molecules such as %s differ: %w", m.best.SMILES(), err)
	}
	ofVaried := largest
	for _, s := range c.Scaffolds {
		largest = max(largest, s.size())
	}
	if largest > 0 {
		if c.Cores, err = severalSeries(ctx, m.known, m.library, largest); err != nil {
			return 0, fmt.Errorf("look for several series among %d molecules: %w", len(m.known), err)
		}
	}
	switch {
	case c.Cores != nil: // what else all have is a part of these, or may be alike by chance
		if c.Scaffolds, err = rarest(c.Scaffolds, m.library); err != nil {
			return 0, fmt.Errorf("compare scaffolds with the library: %w", err)
		}
		c.Generic, c.Either = nil, nil
	case len(m.known) < many && ofVaried < leastScaffold: // what cores have besides a large part of all are substituents
		if c.Cores, err = coresBeside(ctx, m.known, m.library, c.Scaffolds); err != nil {
			return 0, fmt.Errorf("look for the cores of %d molecules: %w", len(m.known), err)
		}
	}
	return largest, nil
}

// rarest returns the scaffolds that hardly any molecule of a library has.
func rarest(some []Scaffold, library []*molecule.Molecule) (kept []Scaffold, _ error) {
	for _, s := range some {
		p, err := s.Pattern()
		if err != nil {
			return nil, err
		}
		if float64(len(series.Having(p, library))) <= rareCover*float64(len(library)) {
			kept = append(kept, s)
		}
	}
	return kept, nil
}

// hasParts reports whether findParts found any.
func (c *Common) hasParts() bool { return len(c.Scaffolds)+len(c.Generic)+len(c.Cores) > 0 }

// findOther sets Covers, or else Apart.
func (c *Common) findOther(ctx context.Context, m compared) (err error) {
	least := chance.NearlyAll
	if c.hasParts() { // they are one series, each molecule of which counts
		least = nearlyEach
	}
	if c.Covers, err = covers(ctx, m.best, m.known, m.library, least); err != nil {
		return fmt.Errorf("look for one of a few parts of molecules such as %s: %w", m.best.SMILES(), err)
	}
	switch {
	case len(c.Covers) > 0: // which say more
		c.Either = nil
	case !c.hasParts() && len(m.known) > leastAny:
		next := m.known[1]
		found, err := scaffolds(ctx, next, m.known, m.library)
		if err != nil {
			return fmt.Errorf("look for what molecules have in common with %s: %w", next.SMILES(), err)
		}
		for _, s := range found {
			if s.large() && len(s.SMILES) > len(c.Apart.SMILES) {
				c.Apart = s
			}
		}
	}
	return nil
}

// findTimes sets Times, and returns the pattern of each. groups are those of Groups.
func (c *Common) findTimes(ctx context.Context, m compared, groups []*molecule.Pattern) ([]*molecule.Pattern, error) {
	patterns := slices.Clone(groups)
	for _, s := range c.Scaffolds {
		p, err := s.Pattern()
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, p)
	}
	for i, p := range patterns {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		times := timesOf(p, m.best, m.known, m.library)
		if i < len(groups) {
			times.Max = math.Inf(1)
		}
		c.Times = append(c.Times, times)
	}
	return patterns, nil
}

// leaveOut leaves out what one of some molecules has anyway: groups and scaffolds as often as is wanted. patterns are
// those of Times.
func (c *Common) leaveOut(plain []*molecule.Molecule, patterns []*molecule.Pattern) {
	var left Common
	for i, p := range patterns {
		switch {
		case slices.ContainsFunc(plain, func(m *molecule.Molecule) bool { return c.Times[i].Holds(float64(times(p, m))) }):
			continue
		case i < len(c.Groups):
			left.Groups = append(left.Groups, c.Groups[i])
		default:
			left.Scaffolds = append(left.Scaffolds, c.Scaffolds[i-len(c.Groups)])
		}
		left.Times = append(left.Times, c.Times[i])
	}
	c.Groups, c.Scaffolds, c.Times = left.Groups, left.Scaffolds, left.Times
	for _, m := range plain {
		inPlain := func(smarts string) bool {
			p, err := molecule.CompilePattern(smarts)
			return err == nil && p.In(m)
		}
		c.Generic = slices.DeleteFunc(c.Generic, inPlain)
		if slices.ContainsFunc(c.Covers, inPlain) {
			c.Covers = nil
		}
	}
}

// alternatives returns Common's Either: the set of groups such that the most molecules have one, and the smallest such.
func alternatives(all []Group, patterns []*molecule.Pattern, best *molecule.Molecule, known, library []*molecule.Molecule) (either []Group) {
	const (
		fewestKnown = 10  // molecules: fewer may share groups by chance
		usual       = 0.1 // of the molecules have each of the groups
		both        = 0.1 // of the molecules have two at most
		rarest      = 0.2 // of the library have one of them at most
		largestSet  = 5
	)
	if len(known) < fewestKnown {
		return nil
	}
	type group struct {
		Group
		known, library []bool // that have it
		n              int    // known ones of these
		best           bool
	}
	in := func(p *molecule.Pattern, all []*molecule.Molecule) (has []bool, n int) {
		has = make([]bool, len(all))
		for i, m := range all {
			if has[i] = p.In(m); has[i] {
				n++
			}
		}
		return has, n
	}
	var some []group
	for i, g := range all {
		of := group{Group: g, best: patterns[i].In(best)}
		others := 0
		of.known, of.n = in(patterns[i], known)
		share := float64(of.n) / float64(len(known))
		if of.n < fewestOfSeries || share < usual || share >= chance.NearlyAll {
			continue
		}
		if of.library, others = in(patterns[i], library); float64(others) <= rarest*float64(len(library)) {
			some = append(some, of)
		}
	}
	most := 0
	try := func(set ...group) {
		one, two, others, sum := 0, 0, 0, 0
		for _, g := range set {
			sum += g.n
		}
		if float64(sum) < chance.NearlyAll*float64(len(known)) { // which spares most sets of a large table the look
			return
		}
		for i := range known {
			switch n := stats.Count(set, func(g group) bool { return g.known[i] }); {
			case n > 1:
				two++
				one++
			case n == 1:
				one++
			}
		}
		for i := range library {
			if slices.ContainsFunc(set, func(g group) bool { return g.library[i] }) {
				others++
			}
		}
		inBest := slices.ContainsFunc(set, func(g group) bool { return g.best })
		n := float64(len(known))
		if !inBest || float64(one) < chance.NearlyAll*n || float64(two) > both*n || float64(others) > rarest*float64(len(library)) || one <= most {
			return
		}
		most, either = one, nil
		for _, g := range set {
			either = append(either, g.Group)
		}
	}
	var choose func(set, left []group, size int)
	choose = func(set, left []group, size int) {
		if len(set) == size {
			try(set...)
			return
		}
		for i, g := range left {
			choose(append(slices.Clone(set), g), left[i+1:], size)
		}
	}
	for size := 2; size <= largestSet; size++ { // of sets that cover as many the smallest
		choose(nil, some, size)
	}
	return either
}

// timesOf returns how often nearly all molecules have a pattern at least, the best included, and not by chance, and how
// often one has it at most.
func timesOf(p *molecule.Pattern, best *molecule.Molecule, all, library []*molecule.Molecule) Range {
	counts := func(all []*molecule.Molecule) []int {
		counts := make([]int, len(all))
		parallel.For(len(all), 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				counts[i] = times(p, all[i])
			}
		})
		return counts
	}
	known, others := counts(all), counts(library)
	above := func(counts []int, n int) int {
		return stats.Count(counts, func(c int) bool { return c >= n })
	}
	least := 1
	for n := 2; n <= times(p, best) && float64(above(known, n)) >= chance.NearlyAll*float64(len(known)); n++ {
		if chance.Rare(float64(above(others, n))/float64(max(1, len(others))), above(known, n)) {
			least = n
		}
	}
	return Whole(least, max(least, slices.Max(known)))
}

// times returns how often a molecule has a pattern: matches that share half of their atoms, or one that is no carbon,
// are one. The acids of malonic acid, whose pattern has the carbon beside, are two.
func times(p *molecule.Pattern, m *molecule.Molecule) int {
	atoms := m.Graph().Atoms
	var kept [][]int
	for _, match := range p.Matches(m, true) {
		if !slices.ContainsFunc(kept, func(other []int) bool {
			shared := 0
			for _, i := range match {
				if slices.Contains(other, i) {
					if shared++; atoms[i].Number != 6 {
						return true
					}
				}
			}
			return 2*shared >= len(match)
		}) {
			kept = append(kept, match)
		}
	}
	return len(kept)
}

// bestOf returns the molecule with the greatest value, which the caller closes; nil if none has one.
func bestOf(known []Known) (best *molecule.Molecule, scored bool) {
	valued := slices.DeleteFunc(slices.Clone(known), func(k Known) bool { return math.IsNaN(k.Value) })
	slices.SortStableFunc(valued, func(a, b Known) int { return cmp.Compare(b.Value, a.Value) })
	for _, k := range valued {
		if m, err := molecule.Parse(k.SMILES); err == nil { // a string that is no molecule does not count
			return m, true
		}
	}
	return nil, false
}

// some returns at most a thousand of the known molecules, evenly: what nearly all have in common, these have, and a
// table may have many.
func some(smiles []string) []string { return stats.Evenly(smiles, 1_000) }

// Kinds returns the environments and rings of known molecules (SMILES), for corpus.Corpus.With: of more than a thousand
// those of a thousand. Strings that are no molecules have none. The error is ctx's cause.
func Kinds(ctx context.Context, smiles []string) ([]uint64, error) {
	smiles = some(smiles)
	kinds := make([][]uint64, len(smiles))
	err := parallel.ForContext(ctx, len(smiles), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_ = molecule.Look(smiles[i], func(m *molecule.Molecule) {
				neutral, done := judged(m)
				defer done()
				kinds[i] = corpus.Kinds(neutral)
			})
		}
	})
	return slices.Concat(kinds...), err
}

// has reports whether a molecule has a pattern.
func has(smiles string, p *molecule.Pattern) (ok bool) {
	err := molecule.Look(smiles, func(m *molecule.Molecule) { ok = p.In(m) })
	return ok && err == nil
}

// Prints returns what molecules (SMILES) are compared by, for Limits.Known. Strings that are no molecules are left out;
// nil: all are. The error is ctx's cause.
func Prints(ctx context.Context, smiles []string) (*molecule.Index, error) {
	read, err := series.Parse(ctx, smiles)
	if err != nil {
		return nil, err
	}
	defer series.CloseAll(read)
	if len(read) == 0 {
		return nil, nil
	}
	return molecule.NewIndex(printsOf(read)), nil
}

func printsOf(all []*molecule.Molecule) []molecule.Counts {
	prints := make([]molecule.Counts, len(all))
	parallel.For(len(all), 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			prints[i] = series.Print(all[i])
		}
	})
	return prints
}

// bestFirst returns the SMILES of molecules, those with the greatest values first, and those without one last.
func bestFirst(known []Known) (smiles []string) {
	known = slices.Clone(known)
	slices.SortStableFunc(known, func(a, b Known) int { return cmp.Compare(b.Value, a.Value) })
	for _, k := range known {
		smiles = append(smiles, k.SMILES)
	}
	return smiles
}

// nearest returns the greatest similarity to others: molecules that differ in more than configurations.
func nearest(c molecule.Counts, all []molecule.Counts) (most float64) {
	for _, other := range all {
		if s := molecule.Tanimoto(c, other); s < 1 {
			most = max(most, s)
		}
	}
	return most
}

// gap returns a similarity that most of the known molecules exceed with another one, and few others with any; 0 if
// there is none.
func gap(prints, library []molecule.Counts) float64 {
	var within, beyond, weights []float64
	for _, c := range prints {
		within, weights = append(within, nearest(c, prints)), append(weights, 1)
	}
	reached, _ := bulk(within, weights, apart)
	known := molecule.NewIndex(prints)
	for _, c := range library {
		beyond = append(beyond, known.Nearest(c))
	}
	slices.Sort(beyond)
	exceeded := beyond[int((1-intruders)*float64(len(beyond)-1))]
	if reached <= exceeded {
		return 0
	}
	return math.Floor(50*(reached+exceeded)) / 100
}
