package molecules

import (
	"iter"
	"slices"

	"github.com/invbo/invbo/genetic"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/access"
	"github.com/invbo/invbo/molecule/alerts"
	"github.com/invbo/invbo/molecule/corpus"
	"github.com/invbo/invbo/space/internal/series"
)

// Limits say which molecules may be proposed. The zero Limits allow all. Bulk returns those of known molecules.
type Limits struct {
	Usual    *corpus.Corpus        // in which all environments and rings are usual; nil: any may occur
	Alerts   *alerts.Set           // rules that no molecule may match; nil: there are none
	Forbid   []*molecule.Pattern   // none of them occurs, as structural alerts
	Require  []*molecule.Pattern   // each of them occurs
	Times    []Range               // how often each of these does; none, or the zero Range: any number of times
	Either   [][]*molecule.Pattern // one of each occurs
	MaxAtoms int                   // heavy atoms at most; 0: any number
	Weight   Range                 // molecular weight, g/mol
	LogP     Range                 // Crippen's logP
	SA       Range                 // synthetic accessibility (access.Score): 1, easy, to 10
	Charge   Range                 // sum of the formal charges; see Whole
	Rings    Range                 // rings; see Whole
	Nearest  Range                 // similarity to the most similar molecule of Known (Tanimoto, ECFP4)
	Known    *molecule.Index       // of these, as Prints has them; nil: Nearest does not hold
	Centers  Range                 // atoms that are stereocenters, with a configuration or without; see Whole
	Salts    Salts                 // what molecules of several components are made of
	Warheads Warheads              // groups that react with proteins
	Open     Range                 // atoms and double bonds without a configuration that they could have; see Whole

	Deprotonated bool // no cation has hydrogens

	Configured []string // kinds of these that must have one, as UsualOf has them, in ascending order
	Handed     []uint64 // configurations whose mirror images no molecule may have, as UsualOf has them, in ascending order

	Finished func(m *molecule.Molecule) bool // reports whether a molecule is no intermediate; nil: any may be proposed
}

// Range is a closed interval. An end that is infinite is open, and the zero Range holds all numbers.
type Range struct{ Min, Max float64 }

// Whole returns the range of the whole numbers from least to most, which is never the zero Range.
func Whole(least, most int) Range { return Range{float64(least) - 0.5, float64(most) + 0.5} }

// Holds reports whether v lies in the range.
func (r Range) Holds(v float64) bool { return r == Range{} || r.Min <= v && v <= r.Max }

// Met reports whether a molecule is within the limits. It may be called from several goroutines.
func (l Limits) Met(m *molecule.Molecule) bool { return l.Refusal(m) == "" }

// Refusal returns the name of the first limit that a molecule is not within, as Refusals has it; "" if it is within all.
func (l Limits) Refusal(m *molecule.Molecule) string {
	for name := range l.broken(m) {
		return name
	}
	return ""
}

// fit reports whether a molecule of an outline may be within the limits.
func (l Limits) fit(o genetic.Outline) bool {
	const rounding = 0.01 // of weights
	heavy, light := o.Weight > l.Weight.Max+rounding, o.Weight < l.Weight.Min-rounding
	return (l.Weight == unlimited || !heavy && !light) && l.Charge.Holds(float64(o.Charge)) && (l.Rings == unlimited || float64(o.Rings) <= l.Rings.Max)
}

// Broken returns the names of all limits that a molecule is not within.
func (l Limits) Broken(m *molecule.Molecule) []string { return slices.Collect(l.broken(m)) }

// broken yields the names of limits that a molecule is not within.
func (l Limits) broken(m *molecule.Molecule) iter.Seq[string] {
	return func(yield func(name string) bool) {
		neutral, done := judged(m)
		defer done()
		for _, limit := range limits {
			met := limit.met(l, m, neutral)
			if !met && !yield(limit.name) {
				return
			}
		}
	}
}

// Refusals returns the names of all limits, in the order in which Refusal looks at them.
func Refusals() []string {
	var names []string
	for _, limit := range limits {
		names = append(names, limit.name)
	}
	return names
}

// limits are those that take no time first. Some judge the neutral form of a molecule, which most often is m.
var limits = []struct {
	name string
	met  func(l Limits, m, neutral *molecule.Molecule) bool
}{
	{"max-atoms", func(l Limits, m, _ *molecule.Molecule) bool { return l.MaxAtoms == 0 || m.HeavyAtoms() <= l.MaxAtoms }},
	{"charge", func(l Limits, m, _ *molecule.Molecule) bool { return l.Charge.Holds(float64(m.Charge())) }},
	{"deprotonated", func(l Limits, m, _ *molecule.Molecule) bool { return !l.Deprotonated || !protonated(m) }},
	{"salts", func(l Limits, m, _ *molecule.Molecule) bool { return l.Salts.allow(m) }},
	{"rings", func(l Limits, m, _ *molecule.Molecule) bool { return l.Rings.Holds(float64(m.Rings())) }},
	{"weight", func(l Limits, m, _ *molecule.Molecule) bool {
		return l.Weight == unlimited || l.Weight.Holds(m.Weight())
	}},
	{"plausible", func(l Limits, _, neutral *molecule.Molecule) bool { return l.Usual == nil || l.Usual.Usual(neutral) }},
	{"warheads", func(l Limits, m, _ *molecule.Molecule) bool { return l.Warheads.allow(m) }},
	{"nearest", func(l Limits, m, _ *molecule.Molecule) bool {
		return l.Nearest == unlimited || l.Known == nil || l.Nearest.Holds(l.Known.Nearest(series.Print(m)))
	}},
	{"logp", func(l Limits, m, _ *molecule.Molecule) bool { return l.LogP == unlimited || l.LogP.Holds(m.LogP()) }},
	{"require", func(l Limits, m, _ *molecule.Molecule) bool {
		for i, p := range l.Require {
			if !p.In(m) || i < len(l.Times) && l.Times[i] != unlimited && !l.Times[i].Holds(float64(times(p, m))) {
				return false
			}
		}
		return !slices.ContainsFunc(l.Either, func(some []*molecule.Pattern) bool {
			return !slices.ContainsFunc(some, func(p *molecule.Pattern) bool { return p.In(m) })
		})
	}},
	{"forbid", func(l Limits, m, _ *molecule.Molecule) bool {
		return !slices.ContainsFunc(l.Forbid, func(p *molecule.Pattern) bool { return p.In(m) })
	}},
	{"finished", func(l Limits, m, _ *molecule.Molecule) bool { return l.Finished == nil || l.Finished(m) }},
	{"sa", func(l Limits, _, neutral *molecule.Molecule) bool {
		return l.SA == unlimited || access.Within(neutral, l.SA.Min, l.SA.Max)
	}},
	{"centers", func(l Limits, m, _ *molecule.Molecule) bool { return l.centersMet(m) }},
	{"open", func(l Limits, m, _ *molecule.Molecule) bool { return l.configured(m) }},
	{"handed", func(l Limits, m, _ *molecule.Molecule) bool { return l.handedAlike(m) }},
	{"alerts", func(l Limits, m, neutral *molecule.Molecule) bool {
		return l.Alerts == nil || !l.Alerts.Any(m) && (neutral == m || !l.Alerts.Any(neutral))
	}},
}

var unlimited Range // for which nothing is computed

// centersMet looks for stereocenters only if there may be too many or too few.
func (l Limits) centersMet(m *molecule.Molecule) bool {
	if l.Centers == unlimited || l.Centers.Holds(0) && l.Centers.Holds(float64(access.MaxCenters(m))) {
		return true
	}
	return l.Centers.Holds(float64(centers(m)))
}

// centers returns how many atoms are stereocenters, with a configuration or without, those included that are ones only
// if others are, as two atoms of a cyclohexane that are cis or trans.
func centers(m *molecule.Molecule) int {
	open, _ := m.UndefinedSites()
	return len(m.Graph().Centers) + len(open)
}

// configured reports whether a molecule leaves no more configurations open than it may, and none of the kinds that must
// be defined.
func (l Limits) configured(m *molecule.Molecule) bool {
	if l.Open == unlimited && len(l.Configured) == 0 {
		return true
	}
	kinds := undefinedKinds(m)
	return l.Open.Holds(float64(len(kinds))) && !slices.ContainsFunc(kinds, func(kind string) bool {
		_, must := slices.BinarySearch(l.Configured, kind)
		return must
	})
}

// Feasible is Met of a SMILES, as study.Problem has it. The error is that of molecule.Parse.
func (l Limits) Feasible(smiles string) (bool, error) {
	m, err := molecule.Parse(smiles)
	if err != nil {
		return false, err
	}
	defer m.Close()
	return l.Met(m), nil
}
