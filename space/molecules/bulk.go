package molecules

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/access"
	"github.com/invbo/invbo/molecule/alerts"
)

// Known is a molecule with its value: higher is better, and NaN means that there is none.
type Known struct {
	SMILES string
	Value  float64
}

// Hardest is the SA score of a proposal at most, unless the data are hard to make themselves.
const Hardest = 4.5

// What Bulk leaves out on each side, and takes at most.
const (
	beyond       = 0.025 // of the molecules
	shareHardest = 0.05  // of the molecules, the hardest ones to make
	outlying     = 3.0   // interquartile ranges from a quartile

	heavier = 0.1 // of the weight, that the best of few molecules may have above that of the others
	harder  = 0.5 // SA score that the best molecule may have above those of hard data

	shareHard = 0.15 // of molecules harder than Hardest that make data hard: of steroids, cyclic peptides or nucleotides most are
	easy      = 3.0  // SA score that is always allowed
	easyOfFew = 4.0  // SA score that is always allowed where few molecules are known

	fewKnown = 20   // molecules, whose bulk cannot be told
	slack    = 0.25 // of the weight: of few molecules, ends are as much further out, or a ring or center
)

// How many known molecules match a rule that does not hold.
const (
	shareOfGood         = 0.2 // of the better half
	shareOfAll          = 0.5 // of all molecules, good or not
	fewestMatching      = 3   // of either at least
	fewestMatchingOfFew = 2   // of either at least, where few molecules are known
)

// Bulk returns limits within which the bulk of known molecules lie. Strings that are no molecules do not count; without
// molecules there are no limits.
//
//   - Weight, charge, rings and stereocenters: 2.5 % of the molecules are beyond either end, at least one if there are more than two, and so are all that
//     are three interquartile ranges from the quartiles. Better molecules count more, by their rank, as far as that lowers an upper end.
//   - SA score: the hardest 5 % are beyond the limit, which is at least 3, and at most 4.5 unless 15 % of the molecules are above that.
//   - Fewer than 20 molecules: limits are further out by a quarter of the weight, a ring or a center, and SA scores up to 4 are allowed.
//   - Two of the best five molecules, if there are 20: as many rings and centers as the second of them are allowed, and as high an SA score up to 4.5.
//   - The best molecule: its SA score is allowed up to 4.5, or half a unit above that of hard data, and so are its rings and centers if they are one
//     more. Of fewer than 100 molecules, weight and rings may be as low as its own, and the weight as high if that is at most a tenth above the end.
//
// off are the rules of a set, which may be nil, that the known molecules contradict: at least three molecules match
// such a rule, or two of fewer than 20, and these are a fifth of the better half or half of all. The error is ctx's
// cause.
func Bulk(ctx context.Context, known []Known, rules *alerts.Set) (l Limits, off []alerts.Rule, _ error) {
	all := make([]*properties, len(known))
	err := parallel.ForContext(ctx, len(known), 4, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m, err := molecule.Parse(known[i].SMILES)
			if err != nil {
				continue
			}
			neutral, done := judged(m)
			p := &properties{m.Weight(), access.Score(neutral), float64(m.Charge()), float64(m.Rings()), float64(centers(m)), 0, nil}
			done()
			if rules != nil {
				p.alerts = Alerts(rules, m)
			}
			all[i] = p
			m.Close()
		}
	})
	if err != nil {
		return l, nil, err
	}
	var read []Known
	for i, p := range all {
		if p != nil {
			read = append(read, known[i])
		}
	}
	all = slices.DeleteFunc(all, func(p *properties) bool { return p == nil })
	if len(all) == 0 {
		return Limits{}, nil, nil
	}
	var best *properties
	value, ranks := math.Inf(-1), ranked(read)
	for i, p := range all {
		if p.rank = ranks[i]; read[i].Value > value {
			best, value = p, read[i].Value
		}
	}
	if rules != nil {
		off = contradicted(rules, all, slices.Sorted(slices.Values(ranks))[(len(ranks)-1)/2])
	}
	if l = limitsOf(all); best == nil {
		return l, off, nil
	}
	if len(all) < many { // atoms that only make its analogs heavy enough would be bromine
		l.Weight.Min = min(l.Weight.Min, math.Floor(best.weight))
		l.Rings.Min = min(l.Rings.Min, Whole(int(best.rings), 0).Min)
		if best.weight <= (1+heavier)*l.Weight.Max {
			l.Weight.Max = max(l.Weight.Max, math.Ceil(10*best.weight)/10)
		}
	}
	hardest := best.sa
	if len(all) >= fewKnown {
		top := leading(all)
		hardest = max(hardest, twoInFive(top, func(p *properties) float64 { return p.sa }))
		l.Rings.Max = max(l.Rings.Max, Whole(0, int(twoInFive(top, func(p *properties) float64 { return p.rings }))).Max)
		l.Centers.Max = max(l.Centers.Max, Whole(0, int(twoInFive(top, func(p *properties) float64 { return p.centers }))).Max)
	}
	for _, sa := range []float64{best.sa, hardest} {
		if sa <= Hardest || l.SA.Max > Hardest && sa <= l.SA.Max+harder {
			l.SA.Max = max(l.SA.Max, sa)
		}
	}
	if best.rings < l.Rings.Max+1 {
		l.Rings.Max = max(l.Rings.Max, Whole(0, int(best.rings)).Max)
	}
	if best.centers < l.Centers.Max+1 {
		l.Centers.Max = max(l.Centers.Max, Whole(0, int(best.centers)).Max)
	}
	return l, off, nil
}

// properties are those of a known molecule.
type properties struct {
	weight, sa, charge, rings, centers float64
	rank                               float64
	alerts                             []alerts.Rule // that it matches
}

// leading returns the five molecules with the best values, or more if some have the value of the fifth.
func leading(all []*properties) []*properties {
	const n = 5
	sorted := slices.SortedStableFunc(slices.Values(all), func(a, b *properties) int { return cmp.Compare(b.rank, a.rank) })
	to := n
	for to < len(sorted) && sorted[to].rank == sorted[n-1].rank {
		to++
	}
	return sorted[:to]
}

// twoInFive returns what at least two in five of some molecules have or exceed: of five, the second greatest.
func twoInFive(some []*properties, value func(p *properties) float64) float64 {
	var values []float64
	for _, p := range some {
		values = append(values, value(p))
	}
	slices.Sort(values)
	return values[len(values)-(2*len(values)+4)/5]
}

// contradicted returns the rules that known molecules contradict, those of the better half having at least the median rank.
func contradicted(rules *alerts.Set, all []*properties, median float64) (off []alerts.Rule) {
	least := fewestMatching
	if len(all) < fewKnown {
		least = fewestMatchingOfFew
	}
	good, matches, goodMatches := 0, map[alerts.Rule]int{}, map[alerts.Rule]int{}
	for _, p := range all {
		isGood := p.rank >= median
		if isGood {
			good++
		}
		for _, r := range p.alerts {
			matches[r]++
			if isGood {
				goodMatches[r]++
			}
		}
	}
	for _, r := range rules.Rules() {
		often := goodMatches[r] >= least && float64(goodMatches[r]) >= shareOfGood*float64(good)
		if often || matches[r] >= least && float64(matches[r]) >= shareOfAll*float64(len(all)) {
			off = append(off, r)
		}
	}
	return off
}

func limitsOf(all []*properties) (l Limits) {
	ranks := make([]float64, len(all))
	for i, p := range all {
		ranks[i] = p.rank
	}
	ends := func(value func(p *properties) float64, left float64) (lower, upper float64) {
		values := make([]float64, len(all))
		for i, p := range all {
			values[i] = value(p)
		}
		return bulk(values, ranks, left)
	}
	whole := func(value func(p *properties) float64, out int) Range {
		lower, upper := ends(value, beyond)
		return Whole(int(lower)-out, int(upper)+out)
	}
	out, allowed := 0, easy
	l.Weight.Min, l.Weight.Max = ends(func(p *properties) float64 { return p.weight }, beyond)
	l.Weight = Range{math.Floor(l.Weight.Min), math.Round(l.Weight.Max*1000)/1000 + 0.0005} // weights have three decimals, but for rounding
	if len(all) < fewKnown {
		l.Weight = Range{math.Floor(l.Weight.Min * (1 - slack)), math.Ceil(l.Weight.Max * (1 + slack))}
		out, allowed = 1, easyOfFew
	}
	_, sa := ends(func(p *properties) float64 { return p.sa }, shareHardest)
	if !mostlyHard(all) {
		sa = min(sa, Hardest)
	}
	l.SA = Range{math.Inf(-1), max(allowed, sa)}
	l.Charge = whole(func(p *properties) float64 { return p.charge }, 0)
	l.Rings = whole(func(p *properties) float64 { return p.rings }, out)
	l.Rings.Min = max(l.Rings.Min, Whole(0, 0).Min)
	_, centers := ends(func(p *properties) float64 { return p.centers }, beyond)
	l.Centers = Whole(0, int(centers)+out)
	return l
}

// mostlyHard reports whether many of the molecules, or of the good ones, are harder to make than proposals should be.
// Proposals that were easier would have lost what the molecules have in common.
func mostlyHard(all []*properties) bool {
	total, above := 0.0, 0.0
	for _, p := range all {
		if total += p.rank; p.sa > Hardest {
			above += p.rank
		}
	}
	return above >= shareHard*total
}

// ranked returns the weights of molecules by their values: near 1 for the best, near 0 for the worst, and 1 for all if
// none has a value. Molecules with the same value have the same weight.
func ranked(known []Known) []float64 {
	var values []float64
	for _, k := range known {
		if !math.IsNaN(k.Value) {
			values = append(values, k.Value)
		}
	}
	slices.Sort(values)
	weights := make([]float64, len(known))
	for i, k := range known {
		if weights[i] = 1; len(values) > 0 && !math.IsNaN(k.Value) {
			below, _ := slices.BinarySearch(values, k.Value)
			above, _ := slices.BinarySearch(values, math.Nextafter(k.Value, math.Inf(1)))
			weights[i] = float64(below+above) / float64(2*len(values))
		}
	}
	return weights
}

// bulk returns the least and the greatest of values without a share of them on each side.
func bulk(values, weights []float64, left float64) (lower, upper float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	outside := min(int(math.Ceil(left*float64(n-1))), (n-1)/2) // that many on each side, and no more than half of all
	lower, upper = sorted[outside], sorted[n-1-outside]
	q1, q3 := sorted[(n-1)/4], sorted[n-1-(n-1)/4]
	if reach := outlying * (q3 - q1); reach > 0 {
		from, _ := slices.BinarySearch(sorted, q1-reach)
		to, _ := slices.BinarySearch(sorted, math.Nextafter(q3+reach, math.Inf(1)))
		lower, upper = max(lower, sorted[from]), min(upper, sorted[to-1])
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	total, passed := 0.0, 0.0
	for _, w := range weights {
		total += w
	}
	for _, i := range order { // from the greatest
		if passed += weights[i]; passed > left*total {
			upper = min(upper, values[i])
			break
		}
	}
	return lower, max(lower, upper)
}
