package invbo

import (
	"fmt"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/vae"
)

// Profile says what the surrogate is, what it sees of the data, and how its draws are used.
type Profile struct {
	Name             string
	Transform        func(y []float64) []float64 // of the scores (larger is better), for the surrogate
	Points           int                         // the surrogate is fitted to at most half as many of the best (k, if that is more), and as many of the latest (N_q, if that is more); 0: to all at first, then to D^t
	Candidates       int                         // of the trust region that a batch is picked from
	AnchorCandidates int                         // of each region, for its potential

	// ReadCandidates is how many candidates there are for a surrogate that reads what they decode to: of
	// the region a batch is picked from, and again of all anchors' regions together.
	ReadCandidates int

	// LocalPoints and LocalCandidates are Points and Candidates of continuous problems; of LocalCandidates
	// 0 means as many as Candidates.
	LocalPoints, LocalCandidates int

	// Depth is how many candidates each Thompson draw may go through, best first, for one that decodes
	// to a string not yet scored. 0: it takes its best whatever that is, as published; a known string
	// costs nothing, an invalid one is lost.
	Depth int

	// Surrogate makes the surrogate of a run over the latents of m.
	Surrogate func(m vae.Model) Surrogate
}

func (p Profile) check() error {
	switch {
	case p.Surrogate == nil || p.Transform == nil:
		return fmt.Errorf("profile %q needs a Surrogate and a Transform; begin with Fitted() and change what you like", p.Name)
	case p.Candidates < 1 || p.AnchorCandidates < 1 || p.ReadCandidates < 1:
		return fmt.Errorf("profile %q has %d Candidates, %d AnchorCandidates and %d ReadCandidates; give at least one of each", p.Name, p.Candidates, p.AnchorCandidates, p.ReadCandidates)
	case p.Points < 0 || p.LocalPoints < 0 || p.LocalCandidates < 0 || p.Depth < 0:
		return fmt.Errorf("profile %q: %d Points, %d LocalPoints, %d LocalCandidates and depth %d must not be negative", p.Name, p.Points, p.LocalPoints, p.LocalCandidates, p.Depth)
	}
	return nil
}

// Fitted is the default profile: the surrogate sees all data (up to 1,024 points), standardised, is fitted
// until it explains them, and its draws are functions without observation noise. Where scores differ by
// orders of magnitude, or most are 0, LogRanks is the better transform.
//
// Of a continuous problem the surrogate sees 256 points. TuRBO's GP is a local one (Eriksson et al. 2019): the
// lengthscales that explain a whole run are those of its bowl, and leave nothing to tell the ripples apart that
// the region has come down to.
func Fitted() Profile {
	return Profile{
		Name: "fitted", Transform: gp.Standardise.Apply, Points: 1024, Candidates: 2000, AnchorCandidates: 100, ReadCandidates: 400, LocalPoints: 256, LocalCandidates: 5000, Depth: 32,
		Surrogate: func(m vae.Model) Surrogate {
			if bounds(m) != nil {
				return newExact()
			}
			return &sparse{}
		},
	}
}

// Published is the profile of the paper's code: raw scores, twenty epochs at first and two after each
// batch at a learning rate of 10⁻³, observation noise in every draw. With a few hundred calls that
// leaves the surrogate all but unfitted.
func Published() Profile {
	return Profile{
		Name: "published", Transform: gp.Raw.Apply, Candidates: 5000, AnchorCandidates: 100, ReadCandidates: 400,
		Surrogate: func(m vae.Model) Surrogate {
			if bounds(m) != nil {
				return newExact()
			}
			return &sparse{published: true}
		},
	}
}

// LogRanks returns 1 − log(rank)/log n for each score, scaled to mean 0 and variance 1: nothing but the
// order counts, and it counts most among the best.
func LogRanks(y []float64) []float64 { return gp.LogRanks.Apply(y) }
