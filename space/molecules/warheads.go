package molecules

import (
	"slices"

	"github.com/invbo/invbo/molecule"
)

// warheads are the names of Groups that react with proteins. A molecule has one on purpose, and hardly two.
var warheads = []string{"acrylamide", "enone", "vinyl_sulfonyl", "propiolamide", "haloacetamide", "halomethyl_ketone", "ketoamide", "aldehyde", "epoxide", "boronic_acid", "sulfonyl_fluoride", "cyanamide"}

// Warheads is how many groups that react with proteins a molecule may have. The zero value allows any number.
type Warheads struct {
	most     int
	patterns []*molecule.Pattern
	screen   *molecule.Screen // of patterns
}

// AtMost returns Warheads of at most n groups. The error is molecule.ErrNoRDKit.
func AtMost(n int) (w Warheads, err error) {
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
	w.screen, err = molecule.NewScreen(w.patterns, nil)
	return w, err
}

// allow reports whether a molecule has no more.
func (w Warheads) allow(m *molecule.Molecule) bool { return w.screen == nil || w.count(m) <= w.most }

func (w Warheads) count(m *molecule.Molecule) (n int) {
	for _, i := range w.screen.In(m) {
		n += times(w.patterns[i], m)
	}
	return n
}
