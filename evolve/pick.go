package evolve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// shortlist returns how many of the best children a batch of n strings is picked from.
func shortlist(n int) int { return max(300, 3*n) }

// sure is how many proposals a batch by expected improvement has at least for the first to be that with the greatest
// mean: what is known to be good is combined, however much is unknown about others. A fifth of a search would be too
// much for that.
const sure = 8

// pick returns the batch, and the records of the operators that made it: the candidate with the greatest acquisition,
// and then, as if that were measured at its mean, the next one. Each has its own beta, so that a batch holds safe and
// bold ones; those of Space.Drift have none. If it is greedy, it is the first n candidates.
func (s *Searcher) pick(known study.Ledger, a *acquisition, found []candidate, n int, rng *rand.Rand) (batch []study.Proposal, makers []int, _ error) {
	p, err := s.picker(known, a, found, rng)
	if err != nil {
		return nil, nil, err
	}
	defer p.hedge.release()
	for len(batch) < min(n, known.Left()) {
		at := p.next(len(batch) == 0, a.improve && n >= sure)
		if at < 0 && slices.Contains(p.copies, true) {
			clear(p.copies)
			at = p.next(false, false)
		}
		if at < 0 {
			break
		}
		for i, input := range p.inputs { // drift and operators may have found the same string
			p.out[i] = p.out[i] || input == p.inputs[at]
		}
		ok, err := known.Feasible(p.inputs[at])
		if err != nil {
			return nil, nil, err
		}
		if ok {
			batch, makers = append(batch, p.take(at)), append(makers, found[at].op)
		}
	}
	if len(batch) == 0 && s.opts.Similarity > 0 {
		return nil, nil, fmt.Errorf("all that is left is more alike than %g to proposals that wait: %w", s.opts.Similarity, study.ErrExhausted)
	}
	return batch, makers, nil
}

// picker picks strings of a batch from candidates.
type picker struct {
	*Searcher
	a         *acquisition
	rng       *rand.Rand
	found     []candidate
	inputs    []string // of the candidates, as trials have them
	described []*Description
	odds      []float64
	out       []bool // candidates that were picked or refused, or that are too similar to those picked
	copies    []bool // candidates that come into question where nothing else does, as they are hardly different from those picked

	block, doubt  *gp.Block // of the surrogate, and of the acquisition's uncertainty
	unconditioned []float64 // variances before the batch
	variance      float64   // of a measurement
	joint         *gains    // of several objectives; nil: there is one
	hedge         *hedge    // nil: nothing is known of what fails
}

func (s *Searcher) picker(known study.Ledger, a *acquisition, found []candidate, rng *rand.Rand) (*picker, error) {
	xs := make([]string, len(found))
	for i, c := range found {
		xs[i] = c.x
	}
	p := &picker{Searcher: s, a: a, rng: rng, found: found, described: s.reader.read(xs), out: make([]bool, len(found)), copies: make([]bool, len(found))}
	for _, x := range xs {
		p.inputs = append(p.inputs, known.Lookup(x).Input)
	}
	p.odds = s.odds(p.described)
	p.hedge = s.hedge(p.described)
	p.block, p.variance = s.model.block(p.described), s.model.measurement()
	p.unconditioned = slices.Clone(p.block.Variance)
	p.doubt = p.block
	if a.doubt != &s.model {
		p.doubt = a.doubt.block(p.described)
	}
	if s.differing() { // proposals that wait are of the same sheet
		for _, d := range s.described(known.Pending()) {
			p.leaveOut(d)
		}
	}
	if a.front != nil {
		var err error
		if p.joint, err = a.front.draw(p.described, rng); err != nil {
			return nil, fmt.Errorf("evolve: draw objectives: %w", err)
		}
	}
	return p, nil
}

// differing reports whether the strings of a batch must differ.
func (s *Searcher) differing() bool { return s.opts.Similarity > 0 || s.opts.Copies > 0 }

// leaveOut takes out the candidates that are too similar to a string.
func (p *picker) leaveOut(d *Description) {
	alike := gp.Term{Kernel: gp.Tanimoto, Groups: p.space.Kernels[0].Groups}
	for i := range p.found {
		k := alike.Similarity(d.Groups, p.described[i].Groups)
		p.out[i] = p.out[i] || p.opts.Similarity > 0 && k > p.opts.Similarity
		p.copies[i] = p.copies[i] || p.opts.Copies > 0 && k > p.opts.Copies
	}
}

// next returns the candidate to be picked next, with a new beta unless it is the first of the batch, which may be that
// with the greatest mean; −1: there is none.
func (p *picker) next(first, surely bool) int {
	a := p.a
	if !first && !p.opts.Greedy {
		a.beta = p.beta(p.rng)
	}
	value := func(i int) float64 { return a.value(p.block.Mean[i], p.doubt.Variance[i], p.odds[i]) }
	if first && surely && a.random == nil && !math.IsInf(a.best, -1) {
		value = func(i int) float64 { return likely(p.block.Mean[i]-a.best, p.odds[i]) }
	}
	if p.joint != nil {
		a.front.weights = p.weights(p.rng)
		mean := p.joint.mean(a.front)
		value = func(i int) float64 { return mean[i] * p.odds[i] } // of equal ones, such as those without a gain, the first counts
	}
	best := func(of func(op int) bool) int {
		at, most := -1, 0.0
		for i, c := range p.found {
			if v := value(i); !p.out[i] && !p.copies[i] && of(c.op) && (at < 0 || v > most) {
				at, most = i, v
			}
		}
		return at
	}
	drifted := slices.ContainsFunc(p.found, func(c candidate) bool { return p.drifted(c.op) })
	drifts, beta := drifted && p.drifts(p.rng), a.beta
	if drifts { // they explore by themselves
		a.beta = 0
	}
	at := best(func(op int) bool { return p.drifted(op) == drifts })
	a.beta = beta
	if at < 0 {
		at = best(func(int) bool { return true })
	}
	return at
}

// take returns the proposal of a candidate, which later ones are picked beside.
func (p *picker) take(at int) study.Proposal {
	taken := study.Proposal{X: p.found[at].x}
	if p.space.Names != nil {
		taken.Name = p.space.Names[p.found[at].at]
	}
	taken.Mean, taken.SD = p.model.scale.Inverse(p.block.Mean[at], p.model.surprise*math.Sqrt(p.unconditioned[at]+p.model.Noise+p.variance))
	if !math.IsInf(p.a.most, 1) {
		sd := taken.SD
		taken.Mean, taken.SD = below(p.a.most, taken.Mean, sd)
		taken.SD = max(taken.SD, min(sd, p.a.crowd)) // where the ceiling is, is not known better
	}
	switch {
	case p.opts.Greedy:
	case p.joint != nil:
		p.joint.add(at)
	default:
		p.block.Condition(at, p.variance)
		if p.doubt != p.block {
			p.doubt.Condition(at, 0)
		}
	}
	if p.hedge != nil && !p.opts.Greedy {
		p.hedge.fail(at, p.odds)
	}
	if p.differing() {
		p.leaveOut(p.described[at])
	}
	return taken
}
