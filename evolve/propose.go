package evolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// tries is how often a population evolves anew, with another sample of the pool, until there is a new feasible string.
const tries = 20

// Propose returns the n new strings with the greatest acquisition that evolution finds, study.ErrExhausted if 20
// populations have none, or study.ErrNoScore if no string has a score. Other errors are those of operators, of fitting
// the surrogate, and of the ledger.
func (s *Searcher) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	before, chosen := s.phase, s.hyperparameters()
	s.enter(s.next(known.Batch()))
	batch, err := s.propose(ctx, known, n)
	if s.phase.restart() && (errors.Is(err, study.ErrExhausted) || errors.Is(err, study.ErrNoScore)) {
		s.enter(phase{s.phase.Number + 1, known.Batch()}) // other parents may have new children
		batch, err = s.propose(ctx, known, n)
	}
	if err != nil { // it will be repeated, perhaps by a resumed search, which knows nothing of this one
		s.phase = before
		s.setHyperparameters(chosen)
	}
	return batch, err
}

// hyperparameters returns the hyperparameters of the surrogates.
func (s *Searcher) hyperparameters() (all []hyperparameters) {
	for _, m := range s.surrogates() {
		all = append(all, m.hyperparameters)
	}
	return all
}

// setHyperparameters gives the surrogates what hyperparameters returned. They begin without points.
func (s *Searcher) setHyperparameters(all []hyperparameters) {
	for i, m := range s.surrogates() {
		m.hyperparameters = all[i]
		m.empty()
	}
}

// enter begins a phase, unless the search is in it.
func (s *Searcher) enter(p phase) {
	if p != s.phase {
		s.forget()
		s.phase = p
	}
}

// forget has the surrogates begin anew.
func (s *Searcher) forget() {
	for _, m := range s.surrogates() {
		m.forget()
	}
}

// surrogates returns those whose hyperparameters are fitted: of the score, of outcomes, of further objectives, and of
// which strings can be scored.
func (s *Searcher) surrogates() []*model {
	models := []*model{&s.model}
	for i := range s.outcomes {
		models = append(models, &s.outcomes[i].model)
	}
	models = append(models, s.further()...)
	if s.viable != nil {
		models = append(models, &s.viable.model)
	}
	return models
}

// search is what the strings of a batch are sought with.
type search struct {
	rng    *rand.Rand
	trials []*study.Trial // that the surrogate is fitted to
	a      acquisition
	front  *front   // of several objectives, also where the acquisition does without; nil: there is none
	pool   []string // strings of the space's pool for the first population
	made   []int    // new strings, of each record
	best   []int    // of the strings that may be proposed: what the next batch begins with

	measured, novel int // points of surrogate and novelty that stay after the batch; −1: all
}

func (s *Searcher) propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	b := &search{rng: rand.New(rand.NewPCG(s.opts.Seed, uint64(known.Batch()))), made: make([]int, len(s.records)), measured: -1, novel: -1}
	defer s.release(b)
	began := time.Now()
	if err := s.prepare(ctx, b, known, n); err != nil {
		return nil, err
	}
	since(&s.timing.fit, began)

	began = time.Now()
	judged := s.timing.judge
	found, err := s.find(ctx, b, known, n)
	if err != nil {
		return nil, fmt.Errorf("evolve: %w", err)
	}
	s.timing.evolve += time.Since(began) - (s.timing.judge - judged)

	defer since(&s.timing.pick, time.Now())
	switch {
	case len(found) == 0 && s.space.Only != nil:
		return nil, exhausted(len(s.space.Only))
	case len(found) == 0:
		return nil, study.ErrExhausted
	}
	batch, makers, err := s.pick(known, &b.a, found, n, b.rng)
	if err != nil {
		return nil, err
	}
	if s.objectives != nil {
		if err := s.forecast(b, known, batch); err != nil {
			return nil, fmt.Errorf("evolve: predict the objectives of %d strings: %w", len(batch), err)
		}
	} else {
		s.forecastOutcomes(batch)
	}
	// From here on nothing fails: a propose that fails leaves no traces but in the surrogates.
	s.best = b.best
	for o, m := range b.made {
		s.records[o].Made += m
	}
	for i, p := range batch {
		s.records[makers[i]].Chosen++
		s.maker[p.X] = makers[i]
	}
	return batch, nil
}

// release takes points that are not measured off the surrogates again.
func (s *Searcher) release(b *search) {
	if b.measured >= 0 {
		s.model.gp.Truncate(b.measured)
	}
	if b.novel >= 0 {
		s.novelty.gp.Truncate(b.novel)
	}
}

// prepare fits the surrogates to the window, and sets all of the search but made: the acquisition, to which pending
// strings are known.
func (s *Searcher) prepare(ctx context.Context, b *search, known study.Ledger, n int) error {
	var scored int
	b.trials, scored = s.window(s.phase)
	if len(b.trials) == 0 {
		return fmt.Errorf("evolve: %w, and the surrogate needs 1%s", study.ErrNoScore, s.reason)
	}
	s.model.reference = s.assumed()
	if err := s.chance.learn(ctx, s.trials, s.reader); err != nil {
		return fmt.Errorf("evolve: learn which strings fail: %w", err)
	}
	s.lead(b.trials)
	points, a := s.points(b.trials), &b.a
	*a = acquisition{beta: s.beta(b.rng), doubt: &s.model, unit: 1, improve: s.space.Improve, sober: s.opts.Sober, widen: 1, ceiling: math.Inf(1), most: math.Inf(1)}
	firstKnown := s.objectives != nil && s.objectives[0].known >= 0 // and the surrogate stands for nothing
	if s.opts.Fixed == nil && flat(points) && !firstKnown {
		a.random = b.rng
	}
	weights := s.weights(b.rng)
	b.pool = s.pool(a, b.rng)
	all, count := s.window(phase{})
	if err := s.fit(ctx, points, scored, all, count, b.pool); err != nil {
		return fmt.Errorf("evolve: fit a surrogate to %d strings: %w", len(all), err)
	}
	b.measured = s.model.gp.Len()
	if most, crowd := ceilingOf(exact(points)); a.sober && s.objectives == nil && !math.IsInf(most, 1) {
		a.ceiling, a.most, a.crowd = s.model.scale.Apply([]float64{most})[0], most, crowd
	}
	if a.improve {
		a.widen = s.model.surprise
	}
	if s.objectives == nil && s.explores(known.Batch(), n, points) {
		if err := s.explore(ctx, a, points); err != nil {
			return fmt.Errorf("evolve: compare %d strings: %w", len(points), err)
		}
		b.novel = s.novelty.gp.Len()
	}
	b.front = s.aim(all, known.Pending())
	a.front = b.front
	switch even := known.Batch()%2 == 0; {
	case a.front != nil && even && a.front.blind():
		a.front, a.random = nil, b.rng // nothing tells what changes that objective: any string may
	case a.front != nil:
		a.front.weights = weights
	}
	if a.front == nil {
		return s.condition(a, known.Pending())
	}
	return nil
}

// lead calls Space.Lead.
func (s *Searcher) lead(trials []*study.Trial) {
	const share, fewest = 0.05, 5
	if s.space.Lead == nil {
		return
	}
	values := make([][]float64, max(1, len(s.objectives))) // of each objective, or of the score alone
	xs, all := make([]string, len(trials)), study.AllValues(s.trials, s.studied(), s.constraints)
	for i, t := range trials {
		xs[i] = s.form(t)
		of := all[s.index[t.ID]]
		switch {
		case s.objectives != nil:
		case t.Violates(s.constraints) != "":
			of = []float64{math.NaN()}
		default:
			of = []float64{t.Value}
		}
		for j, v := range of {
			values[j] = append(values[j], v)
		}
	}
	var best []string
	for _, v := range values {
		best = append(best, stats.Pick(xs, stats.TopK(v, max(fewest, int(share*float64(len(v))))))...)
	}
	s.space.Lead(best)
}

// assumed returns the string whose score is assumed: the space's reference, unless its score is known, in the window or not.
func (s *Searcher) assumed() string {
	if slices.ContainsFunc(s.trials, func(t study.Trial) bool { return t.State == study.Scored && t.Input == s.space.Reference }) {
		return ""
	}
	return s.space.Reference
}

// find returns the best new strings that evolution, or a look at all that may be proposed, finds in some tries, and
// those of Space.Drift after them; none: it has found no string.
func (s *Searcher) find(ctx context.Context, b *search, known study.Ledger, n int) (found []candidate, _ error) {
	attempts := tries
	if s.space.Only != nil {
		attempts = 1 // the strings would be the same
	}
	for try := 0; try < attempts && len(found) == 0; try++ {
		if try > 0 {
			b.pool = s.pool(&b.a, b.rng)
		}
		population, err := s.populate(ctx, b, known, n)
		if err != nil {
			return nil, err
		}
		for _, c := range population {
			if len(found) == shortlist(n) {
				break
			}
			t := known.Lookup(c.x)
			if c.known || !t.State.Open() {
				continue
			}
			if s.space.Only != nil { // other strings take the places of those that pick would leave out
				ok, err := known.Feasible(t.Input)
				if err != nil {
					return nil, err
				}
				if !ok {
					continue
				}
			}
			found = append(found, c)
		}
	}
	if len(found) > 0 {
		found = append(found, s.drift(b, known)...)
	}
	return found, nil
}

// populate returns a population in which new strings are sought, best first.
func (s *Searcher) populate(ctx context.Context, b *search, known study.Ledger, n int) ([]candidate, error) {
	blind := s.blindly(&b.a)
	if blind {
		b.pool = nil
	}
	start := s.start(&b.a, b.trials, b.made, b.pool)
	switch {
	case s.space.Only != nil:
		return s.among(ctx, b, known)
	case blind:
		if found := s.blind(&b.a, n, b.made, b.rng); len(found) >= n {
			return found, nil
		}
		// Hardly any of these are within the limits, as where proposals keep what a series shares: it has children that are.
	}
	return s.evolve(ctx, &b.a, start, b.made, b.rng)
}

// forecast sets what is predicted of the objectives of a batch.
func (s *Searcher) forecast(b *search, known study.Ledger, batch []study.Proposal) error {
	s.model.gp.Truncate(b.measured)
	var xs []string
	for _, p := range batch {
		xs = append(xs, p.X)
	}
	front := b.front
	if front == nil {
		front = s.noFront()
	}
	described := s.reader.read(xs)
	expected := s.expected(described)
	forecasts, err := front.forecasts(described, expected, rand.New(rand.NewPCG(s.opts.Seed, ^uint64(known.Batch()))))
	if err != nil {
		return err
	}
	for i := range batch {
		if f := &forecasts[i]; finite(f) {
			batch[i].Forecast, batch[i].Mean, batch[i].SD = f, front.objectives[0].Own(f.Mean[0]), f.SD[0]
		}
	}
	s.forecastBounded(batch, described, expected)
	return nil
}

// forecastBounded adds to forecasts of several objectives the chance that the constraints are kept, and the outcomes
// that these bound and that are no objectives, once all have a surrogate.
func (s *Searcher) forecastBounded(batch []study.Proposal, described []*Description, expected []float64) {
	if !s.predictsOutcomes() {
		return
	}
	bounded := make([]study.Forecast, len(batch))
	for j := range s.outcomes {
		if o := &s.outcomes[j]; !slices.ContainsFunc(s.objectives, func(other objective) bool { return other.Name == o.name }) {
			mean, sd := o.model.moments(described, true)
			for i := range bounded {
				bounded[i].Mean, bounded[i].SD = append(bounded[i].Mean, mean[i]), append(bounded[i].SD, sd[i])
			}
		}
	}
	for i, b := range bounded {
		if f := batch[i].Forecast; f != nil && finite(&b) {
			f.Mean, f.SD, f.Kept = append(f.Mean, b.Mean...), append(f.SD, b.SD...), expected[i]
		}
	}
}

// predictsOutcomes reports whether there are outcomes that constraints bound, and all have a surrogate.
func (s *Searcher) predictsOutcomes() bool {
	return len(s.outcomes) > 0 && !slices.ContainsFunc(s.outcomes, func(o outcome) bool { return o.model.Weights == nil })
}

// finite reports whether a forecast can be written.
func finite(f *study.Forecast) bool {
	return !slices.ContainsFunc(slices.Concat(f.Mean, f.SD), func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) })
}

// forecastOutcomes sets what is predicted of the outcomes that constraints bound, once all have a surrogate.
func (s *Searcher) forecastOutcomes(batch []study.Proposal) {
	if !s.predictsOutcomes() {
		return
	}
	var xs []string
	for _, p := range batch {
		xs = append(xs, p.X)
	}
	described := s.reader.read(xs)
	chances := s.expected(described)
	for i := range batch {
		batch[i].Forecast = &study.Forecast{Chance: chances[i]}
	}
	for j := range s.outcomes {
		mean, sd := s.outcomes[j].model.moments(described, true)
		for i := range batch {
			f := batch[i].Forecast
			f.Mean, f.SD = append(f.Mean, mean[i]), append(f.SD, sd[i])
		}
	}
	for i := range batch {
		if !finite(batch[i].Forecast) {
			batch[i].Forecast = nil
		}
	}
}

// latestParts returns at most n strings that have further outcomes and no score yet, the latest.
func (s *Searcher) latestParts(n int) (parts []*study.Trial) {
	if n <= 0 {
		return nil
	}
	all := s.partial()
	for i := max(0, len(all)-n); i < len(all); i++ {
		parts = append(parts, &all[i])
	}
	return parts
}

// fit fits all surrogates side by side: that of the score to points, the window of a number of scored strings, and
// those of outcomes and further objectives to all, the window of count strings, and to the latest strings without a
// score. Beside them it reads strings of the pool, since fits of a few points leave processors idle.
func (s *Searcher) fit(ctx context.Context, points []point, scored int, all []*study.Trial, count int, pool []string) error {
	fits := []func() error{func() error { return s.model.fit(ctx, points, scored) }, func() error { return s.fitViable(ctx) }}
	parts := s.latestParts(s.opts.Window - len(all))
	all, count = slices.Concat(all, parts), count+len(s.parts)
	if len(s.outcomes)+len(s.objectives) > 0 { // or each of them would read all strings
		xs := make([]string, len(all))
		for i, t := range all {
			xs[i] = t.Input
		}
		s.reader.read(xs)
	}
	for i := range s.outcomes {
		fits = append(fits, func() error { return s.outcomes[i].fit(ctx, s, all, count) })
	}
	for i := range s.objectives {
		fits = append(fits, func() error { return s.objectives[i].fit(ctx, s, all, count) })
	}
	fits = append(fits, func() error {
		s.reader.describe(children(pool), &s.reader.pool)
		return nil
	})
	errs := make([]error, len(fits))
	parallel.For(len(fits), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			errs[i] = fits[i]()
		}
	})
	return cmp.Or(errs...)
}

// pool returns strings of the space's pool for a population; nil: there is none, or it is not used.
func (s *Searcher) pool(a *acquisition, rng *rand.Rand) []string {
	if s.space.Pool == nil || s.space.Only != nil || s.opts.Pool < 0 || s.blindly(a) {
		return nil
	}
	return s.space.Pool(s.opts.Pool, rng)
}

// blindly reports whether strings of Space.Blind are proposed.
func (s *Searcher) blindly(a *acquisition) bool {
	return a.random != nil && s.space.Blind != nil && s.opts.Pool >= 0
}

// blind returns feasible strings of Space.Blind, best first. It adds their number to that of the pool in made.
func (s *Searcher) blind(a *acquisition, n int, made []int, rng *rand.Rand) []candidate {
	op := len(s.records) - 1
	var drawn []Child
	seen := map[string]bool{}
	for _, x := range s.space.Blind(2*shortlist(n), rng) {
		if input := s.input(x); !seen[input] {
			seen[input] = true
			drawn = append(drawn, Child{X: x})
		}
	}
	all := s.candidates(a, drawn, &s.reader.lately, op, made)
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.value, a.value) })
	return all
}

// window returns the trials that the surrogate is fitted to in a phase: all with a score that it sees, or the best and
// the latest of them. Trials whose measurements contradict each other say nothing that it could learn. To slide rarely,
// the window grows by a quarter before it does. It also returns how many trials the phase sees.
func (s *Searcher) window(in phase) (window []*study.Trial, scored int) {
	var seen []*study.Trial
	var values []float64
	s.wild = study.Contradictory(s.trials, "")
	sees := s.sees(in)
	for i := range s.trials {
		if t := &s.trials[i]; t.State == study.Scored && sees(t) && !s.wild[t.ID] {
			seen, values = append(seen, t), append(values, t.Value)
		}
	}
	size := s.opts.Window
	if len(seen) <= size {
		return seen, len(seen)
	}
	settled := len(seen) - len(seen)%max(1, size/4) // trials when it slid last
	return append(stats.Pick(seen, bestAndLatest(values[:settled], size)), seen[settled:]...), len(seen)
}

// LeastReplicates is how many degrees of freedom a variance has at least that is believed. That of one pair, which
// agrees or does not by chance, would be taken for the noise of all strings.
const LeastReplicates = 3

// replicateVariance returns study.PooledVariance; 0 if it has too few degrees of freedom.
func replicateVariance(trials []study.Trial, contradictory map[int]bool, outcome string) float64 {
	variance, df := study.PooledVariance(trials, contradictory, outcome)
	if df < LeastReplicates {
		return 0
	}
	return variance
}

// points returns what trials say.
func (s *Searcher) points(trials []*study.Trial) []point {
	noise := replicateVariance(s.trials, s.wild, "")
	points := make([]point, len(trials))
	for i, t := range trials {
		points[i] = point{trial: t.ID, x: t.Input, y: t.Value, variance: t.Variance, bound: t.ValueBound(), batch: t.Batch}
		if _, df := t.Spread(""); noise > 0 && (df > 0 || t.Variance == 0) {
			points[i].variance = noise / float64(df+1)
		}
	}
	return s.doubtSlip(points, trials, "")
}

// believable is how many answers to proposals tell that a best score that stands apart is not like those of the strings
// around it.
const believable = 3

// doubtSlip lowers the best of points, what trials say of a further outcome or of the score, if it may be a slip: to as
// much above the second best as that is above the median. So the search follows it, as the first hit of a screen, among
// others. If it still stands apart after proposals have followed it, it is only taken to be as good as the second best,
// until it is measured again.
func (s *Searcher) doubtSlip(points []point, trials []*study.Trial, outcome string) []point {
	at, second, median := study.Apart(exact(points))
	if !s.opts.Sober || at < 0 {
		return points
	}
	at = slices.IndexFunc(points, func(p point) bool { return p.bound == study.Exact && p.y > second })
	if at < 0 { // it is a bound, beside exact scores that are all the same
		return points
	}
	of := trials[slices.IndexFunc(trials, func(t *study.Trial) bool { return t.ID == points[at].trial })]
	stated := outcome == "" && slices.ContainsFunc(of.Measurements, func(m study.Measurement) bool { return m.SE > 0 })
	if of.Times(outcome) > 1 || stated { // a standard error that is told is of several measurements
		return points
	}
	followed := 0
	for _, t := range trials {
		if t.Kind == study.Acquired && t.Batch > of.Batch {
			followed++
		}
	}
	points[at].y = second
	if followed < believable {
		points[at].y += second - median
	}
	return points
}

// described returns what strings are that can be read.
func (s *Searcher) described(pending []study.Proposal) []*Description {
	var xs []string
	for _, p := range pending {
		xs = append(xs, p.Input)
	}
	return slices.DeleteFunc(s.reader.read(xs), func(d *Description) bool { return d == nil })
}

// condition adds pending strings to the surrogate, as if measured at their means, and to the acquisition's uncertainty:
// without targets, they leave the means as they are.
func (s *Searcher) condition(a *acquisition, pending []study.Proposal) error {
	described := s.described(pending)
	add := func(m *model, variance float64) error {
		if err := m.gp.Add(m.groups(described), slices.Repeat([]float64{variance}, len(described))); err != nil {
			return fmt.Errorf("evolve: pending strings: %w", err)
		}
		return nil
	}
	if err := add(&s.model, s.model.measurement()); err != nil || a.doubt == &s.model {
		return err
	}
	return add(a.doubt, 0)
}

// start returns the first population: known strings, feasible or not, feasible ones that have no score yet, and those
// of a pool, which it adds to made. It sets the acquisition's best.
func (s *Searcher) start(a *acquisition, known []*study.Trial, made []int, pool []string) []candidate {
	mu, sigma2 := s.model.atPoints()
	if a.doubt != &s.model {
		_, sigma2 = a.doubt.atPoints()
	}
	var xs []string
	seen := map[string]bool{}
	a.best = math.Inf(-1)
	for i, t := range known {
		xs = append(xs, t.Input)
		seen[t.Input] = true
		if mu[i] > a.best && t.Violates(s.constraints) == "" {
			a.best = mu[i]
		}
	}
	library := len(s.records) - 1
	described := s.reader.read(xs)
	var values []float64
	if odds := s.kept(described); a.front != nil { // they can be scored
		values = a.frontValues(a.front.atTrials(known, described, a.beta), odds)
	} else {
		values = a.values(mu, sigma2, odds)
	}
	var start []candidate
	for i, t := range known {
		if x := s.form(t); s.space.Breeds == nil || s.space.Breeds(x) {
			start = append(start, candidate{x: x, op: library, known: true, value: values[i]})
		}
	}
	if s.space.Only != nil {
		return start
	}
	var more []string
	for _, t := range s.latestParts(s.opts.Window) {
		if x := s.form(t); s.space.Breeds == nil || s.space.Breeds(x) {
			more = append(more, x)
		}
	}
	var drawn []Child
	for _, x := range append(more, pool...) {
		if input := s.input(x); !seen[input] {
			seen[input] = true
			drawn = append(drawn, Child{X: x})
		}
	}
	start = append(start, s.candidates(a, drawn, &s.reader.pool, library, made)...)
	return start
}

// form returns a trial's string as operators have it.
func (s *Searcher) form(t *study.Trial) string {
	if s.space.Input == nil {
		return t.Input
	}
	return t.X
}

// input returns what tells strings of operators apart.
func (s *Searcher) input(x string) string {
	if s.space.Input == nil {
		return x
	}
	return s.space.Input(x)
}
