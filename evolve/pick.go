package evolve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/study"
)

// tries is how often a population evolves anew, with another sample of the pool, until there is a new feasible string.
const tries = 20

// shortlist returns how many of the best children a batch of n strings is picked from.
func shortlist(n int) int { return max(300, 3*n) }

// Propose returns the n new strings with the greatest acquisition that evolution finds, study.ErrExhausted if 20 populations have none, or
// study.ErrNoScore if no string has a score. Other errors are those of operators, of fitting the surrogate, and of the ledger.
func (s *Searcher) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	s.enter(s.next(known.Batch()))
	batch, err := s.propose(ctx, known, n)
	if s.phase.restart() && (errors.Is(err, study.ErrExhausted) || errors.Is(err, study.ErrNoScore)) {
		s.enter(phase{s.phase.Number + 1, known.Batch()}) // other parents may have new children
		batch, err = s.propose(ctx, known, n)
	}
	return batch, err
}

// enter begins a phase, unless the search is in it.
func (s *Searcher) enter(p phase) {
	if p != s.phase {
		s.forget()
		s.phase = p
	}
}

func (s *Searcher) propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	rng := rand.New(rand.NewPCG(s.opts.Seed, uint64(known.Batch())))
	points, scored := s.window(s.phase)
	if len(points) == 0 {
		return nil, fmt.Errorf("evolve: %w, and the surrogate needs 1%s", study.ErrNoScore, s.reason)
	}
	began := time.Now()
	if err := s.chance.relearn(ctx); err != nil {
		return nil, fmt.Errorf("evolve: learn which strings fail: %w", err)
	}
	if err := s.model.fit(ctx, points, scored); err != nil {
		return nil, fmt.Errorf("evolve: fit the surrogate to %d strings: %w", len(points), err)
	}
	defer s.model.gp.Truncate(s.model.gp.Len())
	a := acquisition{beta: s.beta(rng)}
	if s.opts.Fixed == nil && flat(points) {
		a.random = rng
	}
	if s.explores(known.Batch(), n, points) {
		if err := s.novelty.fit(points, s.model.reader, s.model.spread); err != nil {
			return nil, fmt.Errorf("evolve: compare %d strings: %w", len(points), err)
		}
		defer s.novelty.gp.Truncate(s.novelty.gp.Len())
		a.novelty = s.novelty
	}
	s.condition(&a, known.Pending())
	all, count := s.window(phase{})
	for i := range s.outcomes {
		if err := s.outcomes[i].fit(ctx, i, all, count); err != nil {
			return nil, fmt.Errorf("evolve: fit a surrogate to %d strings: %w", len(all), err)
		}
	}
	since(&s.timing.fit, began)

	began = time.Now()
	judged := s.timing.judge
	l := &loop{operators: s.space.Operators, children: s.opts.Children, generations: s.opts.Generations,
		judge: func(children []Child) ([]float64, []bool) {
			defer since(&s.timing.judge, time.Now())
			return s.judge(&a, s.model.reader.readChildren(children))
		}}
	made := make([]int, len(s.records)) // new strings, of the pool the last
	var found []candidate
	for try := 0; try < tries && len(found) == 0; try++ {
		start := s.start(&a, points, rng)
		population, born, err := l.run(ctx, start, rng)
		if err != nil {
			return nil, fmt.Errorf("evolve: %w", err)
		}
		for o, b := range born {
			made[o] += b
		}
		for _, c := range start {
			if !c.known {
				made[len(born)]++
			}
		}
		for _, c := range population {
			if len(found) == shortlist(n) {
				break
			}
			if !c.known && known.Lookup(c.x).State == study.Unseen {
				found = append(found, c)
			}
		}
	}
	s.timing.evolve += time.Since(began) - (s.timing.judge - judged)

	defer since(&s.timing.pick, time.Now())
	if len(found) == 0 {
		return nil, study.ErrExhausted
	}
	batch, picked, err := s.pick(known, &a, found, n, rng)
	if err != nil {
		return nil, err
	}
	// From here on nothing fails: a Propose that fails is repeated, and must leave no traces.
	for o, m := range made {
		s.records[o].Made += m
	}
	for i, p := range batch {
		o := picked[i].op
		if o < 0 {
			o = len(s.records) - 1
		}
		s.records[o].Chosen++
		s.maker[p.X] = o
	}
	return batch, nil
}

// window returns the points that the surrogate is fitted to in a phase: all that it sees, or the best and the latest of them. To
// slide rarely, it grows by a quarter before it does. It also returns how many the phase sees.
func (s *Searcher) window(seen phase) (window []point, scored int) {
	var points []point
	noise := s.noise()
	for _, p := range s.points {
		if !p.gone && seen.sees(p) {
			if noise > 0 && p.replicates > 0 {
				p.variance = noise / float64(p.replicates)
			}
			points = append(points, p)
		}
	}
	size := s.opts.Window
	if len(points) <= size {
		return points, len(points)
	}
	settled := len(points) - len(points)%max(1, size/4) // points when it slid last
	y := make([]float64, settled)
	for i := range y {
		y[i] = points[i].y
	}
	for _, i := range bestAndLatest(y, size) {
		window = append(window, points[i])
	}
	window = append(window, points[settled:]...)
	return window, len(points)
}

// flat reports whether all points have one score.
func flat(points []point) bool {
	return !slices.ContainsFunc(points, func(p point) bool { return p.y != points[0].y })
}

// noise returns the variance of one measurement, as the replicates of all strings tell together; 0 if there are none.
func (s *Searcher) noise() float64 {
	squares, df := 0.0, 0
	for _, p := range s.points {
		squares, df = squares+p.squares, df+p.df
	}
	return squares / float64(max(1, df))
}

// condition adds pending strings to the surrogate, as if measured at their means, and to the acquisition's novelty.
func (s *Searcher) condition(a *acquisition, pending []study.Proposal) {
	var xs []string
	for _, p := range pending {
		xs = append(xs, p.Input)
	}
	described := slices.DeleteFunc(s.model.reader.read(xs), func(d *Description) bool { return d == nil })
	b, variance := s.model.gp.Block(groups(described)), s.model.measurement()
	for i := range described {
		b.Condition(i, variance)
	}
	if a.novelty != nil {
		b := a.novelty.block(described)
		for i := range described {
			b.Condition(i, 0)
		}
	}
}

// beta draws the weight of the standard deviation.
func (s *Searcher) beta(rng *rand.Rand) float64 {
	lo, hi := math.Log(s.opts.Beta[0]), math.Log(s.opts.Beta[1])
	return math.Exp(lo + (hi-lo)*rng.Float64())
}

// acquisition is the upper confidence bound, with its distance from the best known mean shrunk by the chance that the string can
// be scored and keeps the constraints:
//
//	m + (μ + β·σ − m)·p if that is above m, m + (μ + β·σ − m)/p otherwise
//
// While no known string keeps the constraints it is that chance alone, and while all scores are equal a random share of it:
// maximizing σ alone would propose the most unusual strings.
type acquisition struct {
	beta   float64
	best   float64    // greatest posterior mean of a known string that keeps the constraints; −Inf if there is none
	random *rand.Rand // where all scores are equal; otherwise nil

	novelty *novelty // σ, in a batch that explores; nil: it is the surrogate's
}

func (a *acquisition) value(mu, sigma2, odds float64) float64 {
	switch {
	case math.IsInf(a.best, -1):
		return odds
	case a.random != nil:
		return odds * a.random.Float64()
	}
	gain := mu + a.beta*math.Sqrt(sigma2) - a.best
	if gain > 0 {
		return gain * odds
	}
	return gain / odds
}

// judge returns the acquisition at strings, and whether each is of the space and feasible.
func (s *Searcher) judge(a *acquisition, described []*Description) (values []float64, ok []bool) {
	values, ok = make([]float64, len(described)), make([]bool, len(described))
	var at []int
	var good []*Description
	for i, d := range described {
		if ok[i] = d != nil && !d.Infeasible; ok[i] {
			at, good = append(at, i), append(good, d)
		}
	}
	mu, sigma2 := s.model.gp.Predict(groups(good))
	if a.novelty != nil {
		sigma2 = a.novelty.predict(good)
	}
	odds := s.odds(good)
	for k, i := range at {
		values[i] = a.value(mu[k], sigma2[k], odds[k])
	}
	return values, ok
}

// start returns the first population: known strings, feasible or not, and feasible ones of the pool. It sets the acquisition's best.
func (s *Searcher) start(a *acquisition, points []point, rng *rand.Rand) []candidate {
	var start []candidate
	var xs []string
	seen := map[string]bool{}
	for _, p := range points {
		xs = append(xs, p.x)
		seen[p.x] = true
	}
	described := s.model.reader.read(xs)
	mu, sigma2 := s.model.atPoints()
	if a.novelty != nil {
		sigma2 = a.novelty.atPoints()
	}
	a.best = math.Inf(-1)
	for i, p := range points {
		if !p.violates {
			a.best = max(a.best, mu[i])
		}
	}
	kept := s.kept(described) // they can be scored
	for i, x := range xs {
		start = append(start, candidate{x: x, op: -1, known: true, value: a.value(mu[i], sigma2[i], kept[i])})
	}
	if s.space.Pool == nil || s.opts.Pool < 0 {
		return start
	}
	xs = nil
	for _, x := range s.space.Pool(s.opts.Pool, rng) {
		if !seen[x] {
			seen[x] = true
			xs = append(xs, x)
		}
	}
	began := time.Now()
	values, ok := s.judge(a, s.model.reader.readPool(xs))
	since(&s.timing.judge, began)
	for i, x := range xs {
		if ok[i] {
			start = append(start, candidate{x: x, op: -1, value: values[i]})
		}
	}
	return start
}

// pick returns the batch: the candidate with the greatest acquisition, and then, as if that were measured at its mean, the next
// one. Each has its own beta, so that a batch holds safe and bold ones. If it is greedy, it is the first n candidates.
func (s *Searcher) pick(known study.Ledger, a *acquisition, found []candidate, n int, rng *rand.Rand) ([]study.Proposal, []candidate, error) {
	xs := make([]string, len(found))
	for i, c := range found {
		xs[i] = c.x
	}
	described := s.model.reader.read(xs)
	odds := s.odds(described)
	block, variance := s.model.gp.Block(groups(described)), s.model.measurement()
	uncertain, unit := block, 1.0 // whose variances the acquisition weighs
	if a.novelty != nil {
		uncertain, unit = a.novelty.block(described), a.novelty.variance
	}
	alike := gp.Term{Kernel: gp.Tanimoto, Groups: s.space.Kernels[0].Groups}
	out := make([]bool, len(found))
	var batch []study.Proposal
	var picked []candidate
	for len(batch) < min(n, known.Left()) {
		if len(batch) > 0 && !s.opts.Greedy {
			a.beta = s.beta(rng)
		}
		at, most := -1, 0.0
		for i := range found {
			if v := a.value(block.Mean[i], unit*uncertain.Variance[i], odds[i]); !out[i] && (at < 0 || v > most) {
				at, most = i, v
			}
		}
		if at < 0 {
			break
		}
		out[at] = true
		ok, err := known.Feasible(known.Lookup(xs[at]).Input)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		p := study.Proposal{X: xs[at]}
		p.Mean, p.SD = s.model.scale.Inverse(block.Mean[at], math.Sqrt(block.Variance[at]))
		batch, picked = append(batch, p), append(picked, found[at])
		if !s.opts.Greedy {
			block.Condition(at, variance)
			if uncertain != block {
				uncertain.Condition(at, 0)
			}
		}
		for i := range found {
			if s.opts.Similarity > 0 && alike.Similarity(described[at].Groups, described[i].Groups) > s.opts.Similarity {
				out[i] = true
			}
		}
	}
	return batch, picked, nil
}
