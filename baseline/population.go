package baseline

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/study"
)

// population holds the strings with the best scores, which parents are drawn from.
type population struct {
	size    int      // members at most
	members []member // the best first, the older first among equals
}

type member struct {
	x     string
	value float64
}

// observe adds scored strings, and removes those whose score was corrected to a failure. A score that is only known to
// be above or below something counts as that.
func (p *population) observe(trials []study.Trial) {
	for _, t := range trials {
		if t.Input == "" || t.State == study.Skipped {
			continue
		}
		known := slices.IndexFunc(p.members, func(m member) bool { return m.x == t.Input })
		switch {
		case t.State != study.Scored && known >= 0:
			p.members = slices.Delete(p.members, known, known+1)
		case t.State != study.Scored:
		case known >= 0:
			p.members[known].value = t.Value
		default:
			p.members = append(p.members, member{t.Input, t.Value})
		}
	}
	slices.SortStableFunc(p.members, func(a, b member) int { return cmp.Compare(b.value, a.value) })
	p.members = p.members[:min(len(p.members), p.size)]
}

// draw returns a member with a probability in proportion to its score; if some are negative, the least is subtracted
// from all.
func (p *population) draw(rng *rand.Rand) string {
	least, sum := min(0, p.members[len(p.members)-1].value), 0.0
	weight := func(m member) float64 { return m.value - least + 1e-10 } // if all are 0, all are equally likely
	for _, m := range p.members {
		sum += weight(m)
	}
	u := rng.Float64() * sum
	for _, m := range p.members {
		if u -= weight(m); u < 0 {
			return m.x
		}
	}
	return p.members[0].x // rounding left some of u
}

// join appends a string to a batch if it is new and feasible.
func join(batch []study.Proposal, x string, known study.Ledger) ([]study.Proposal, error) {
	e := known.Lookup(x)
	if !e.State.Open() || slices.ContainsFunc(batch, func(p study.Proposal) bool { return p.X == x }) {
		return batch, nil
	}
	if ok, err := known.Feasible(e.Input); err != nil || !ok {
		return batch, err
	}
	return append(batch, study.Proposal{X: x, Mean: math.NaN(), SD: math.NaN()}), nil
}
