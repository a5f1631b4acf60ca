package reaction

import (
	"slices"

	"github.com/invbo/invbo/molecule"
)

// Finish tells final products from intermediates: a final product has no protecting group or boronic acid, and does not
// react with itself. It is safe for concurrent use.
type Finish struct {
	set     *Set  // of patterns alone
	protect []int // patterns of what it does not have
}

// NewFinish returns the Finish of products of a set. Groups that a known molecule (SMILES) has may be in products, too;
// a product may react with itself if a known molecule would, or if no reaction of the set is selective.
func (s *Set) NewFinish(known []string) *Finish {
	f := &Finish{set: &Set{}}
	f.protect = f.set.groups("unfinished")
	if s.quarrels != nil {
		f.set.setQuarrels()
	}
	f.set.screen, _ = molecule.NewScreen(f.set.patterns, nil) // nil with an error
	for _, smiles := range known {
		_ = molecule.Look(smiles, func(m *molecule.Molecule) { // with an error it has none
			sites := f.set.sites(m)
			f.protect = slices.DeleteFunc(f.protect, func(p int) bool { return sites[p].Different > 0 })
			if f.set.unstable(sites) {
				f.set.quarrels = nil
			}
		})
	}
	return f
}

// Reached reports whether a molecule may be the last product.
func (f *Finish) Reached(m *molecule.Molecule) bool {
	sites := f.set.sites(m)
	return !f.set.unstable(sites) && !slices.ContainsFunc(f.protect, func(p int) bool { return sites[p].Different > 0 })
}
