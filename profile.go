package invbo

import (
	"fmt"

	"github.com/invbo/invbo/gp"
)

// Profile says what the surrogate sees of the data, and how many candidates its draws choose from.
type Profile struct {
	Name             string
	Transform        gp.Transform // of the scores (larger is better), for the surrogate
	Points           int          // the surrogate is fitted to at most half as many of the best (k, if that is more), and as many of the latest (N_q, if that is more); 0: to all at first, then to D^t
	Candidates       int          // that a batch is picked from
	AnchorCandidates int          // of each region, for its potential

	// StringCandidates is how many candidates there are for a surrogate that looks at what they decode to: for
	// a batch, and again for the potentials of all anchors together.
	StringCandidates int

	// LocalPoints and LocalCandidates are Points and Candidates of continuous problems; of LocalCandidates
	// 0 means as many as Candidates.
	LocalPoints, LocalCandidates int

	// Depth is how many candidates each Thompson draw may go through, best first, for one that decodes
	// to a new feasible string. 0: it takes its best whatever that is, as published; a known string
	// costs no call, an invalid one is lost.
	Depth int
}

func (p Profile) check() error {
	switch {
	case p.Candidates < 1 || p.AnchorCandidates < 1 || p.StringCandidates < 1:
		return fmt.Errorf("profile %q has %d Candidates, %d AnchorCandidates and %d StringCandidates; give at least one of each, or begin with Fitted()", p.Name, p.Candidates, p.AnchorCandidates, p.StringCandidates)
	case p.Points < 0 || p.LocalPoints < 0 || p.LocalCandidates < 0 || p.Depth < 0:
		return fmt.Errorf("profile %q: %d Points, %d LocalPoints, %d LocalCandidates and depth %d must not be negative", p.Name, p.Points, p.LocalPoints, p.LocalCandidates, p.Depth)
	case !p.Transform.Valid():
		return fmt.Errorf("profile %q: there is no transform %d; give one of package gp, such as gp.Standardise", p.Name, p.Transform)
	}
	return nil
}

// Fitted is the default profile: the surrogate sees all data (up to 1,024 points), standardised. Where scores
// differ by orders of magnitude, or most are 0, gp.LogRanks is the better transform.
//
// On a continuous problem the surrogate sees 256 points. TuRBO's GP is a local one (Eriksson et al. 2019): the
// lengthscales that explain a whole run are those of its bowl, too long to tell the ripples apart that
// the region has come down to.
func Fitted() Profile {
	return Profile{
		Name: "fitted", Transform: gp.Standardise, Points: 1024, Candidates: 2000, AnchorCandidates: 100, StringCandidates: 400,
		LocalPoints: 256, LocalCandidates: 5000, Depth: 32,
	}
}

// Published is the profile of the paper's code: raw scores, all data at first and D^t afterwards. With the
// surrogate PublishedLatent, which belongs to it, a few hundred calls leave the surrogate all but unfitted.
func Published() Profile {
	return Profile{Name: "published", Transform: gp.Raw, Candidates: 5000, AnchorCandidates: 100, StringCandidates: 400}
}
