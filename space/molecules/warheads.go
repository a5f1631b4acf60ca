package molecules

import (
	"slices"

	"github.com/invbo/invbo/molecule"
)

// warheads are the names of Groups that react with proteins. A molecule has one on purpose, and hardly two.
var warheads = []string{"acrylamide", "enone", "vinyl_sulfonyl", "propiolamide", "haloacetamide", "halomethyl_ketone", "ketoamide", "aldehyde", "epoxide", "boronic_acid", "sulfonyl_fluoride"}

// Warheads is how many groups that react with proteins a molecule may have. The zero value allows any number.
type Warheads struct {
	most     int
	patterns []*molecule.Pattern
}

// AtMost returns Warheads of at most n groups. The error is molecule.ErrNoRDKit.
func AtMost(n int) (w Warheads, _ error) {
	w.most = n
	for _, g := range Groups() {
		if !slices.Contains(warheads, g.Name) {
			continue
		}
		p, err := g.Pattern()
		if err != nil {
			return Warheads{}, err
		}
		w.patterns = append(w.patterns, p)
	}
	return w, nil
}

// allow reports whether a molecule has no more.
func (w Warheads) allow(m *molecule.Molecule) bool { return w.patterns == nil || w.count(m) <= w.most }

func (w Warheads) count(m *molecule.Molecule) (n int) {
	for _, p := range w.patterns {
		if p.In(m) {
			n += times(p, m)
		}
	}
	return n
}

// usualWarheads returns the greatest number of warheads that some of the molecules have; 0 if hardly any has one.
func usualWarheads(all []*molecule.Molecule) (most int, _ error) {
	const some = 0.05 // of the molecules
	w, err := AtMost(0)
	if err != nil {
		return 0, err
	}
	counts := make([]int, len(all))
	for i, m := range all {
		counts[i] = w.count(m)
	}
	slices.Sort(counts)
	return counts[int((1-some)*float64(len(counts)-1))], nil
}
