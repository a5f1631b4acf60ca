package evolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/study"
)

// model is a surrogate: a gp.Mixture over the features of strings, fitted to transformed scores. Scores that are bounds
// have no part in the choice of the scale; how they enter is told in censor.go.
type model struct {
	kernels   []gp.Term
	further   int     // of them, the last, which are used where scores are far more probable with them
	far       float64 // by so much
	reader    *reader
	reference string         // whose score is assumed; empty: there is none, or it is known
	given     *gp.Transform  // of the scores; nil: the data choose
	among     []gp.Transform // these; nil: Standardise and Log
	fixed     *Fixed         // nil: hyperparameters are fitted

	hyperparameters
	gp       *gp.Mixture
	assumed  bool      // the first point is the reference, with a score that is assumed
	ids      []int     // trials of the points that it was fitted to
	order    []int     // of these points: the exact ones first
	trials   []int     // of its exact points, in their order
	variance []float64 // of its exact points
	trends   [][]float64
	scale    gp.Scale // of the scores
	spread   float64  // variance of the transformed scores
	surprise float64  // of proposals: how much larger than predicted their deviations are
}

// hyperparameters are those of a surrogate.
type hyperparameters struct {
	Kernels    []gp.Kernel // of all kernels, which may differ from those of a study that an older program began
	Weights    []float64   // of the usual kernels, and of some further ones; none: they are to be chosen
	Noise      float64
	Sites      []float64       `json:",omitempty"` // gp.Mixture.Sites
	Relevances []gp.Relevances `json:",omitempty"` // gp.Mixture.Relevances
	Slopes     []float64       `json:",omitempty"` // of the trend
	Transform  gp.Transform
	Fitted     int  // scored strings when these were chosen, in the window or not
	Flat       bool // their scores were equal: the others say nothing
}

const (
	mostFitted  = 600  // points that hyperparameters are fitted to
	mostAtSites = 400  // the same for aligned strings, with hyperparameters for each position
	fewer       = 2    // inverse of the share of these that tells which transform is best
	growth      = 1.25 // by which the data grow until hyperparameters are fitted again
)

// mostScore bounds the scores that a surrogate sees, so that products of their squares are finite. No measurement is as
// large.
const mostScore = 1e30

// surrogate returns a new one for the space.
func (s *Searcher) surrogate() model {
	return model{kernels: s.space.kernels(), further: len(s.space.Further), far: cmp.Or(s.space.Far, far), reader: s.reader, given: s.opts.Transform, among: s.space.Scales}
}

// point is a string with a score, or an outcome, as a surrogate sees it.
type point struct {
	trial       int
	x           string
	y, variance float64
	bound       study.Bound // y is only known to lie on that side
	batch       int         // that it was proposed in; 0: it was not
	features    []gp.Counts
	trend       []float64
}

// empty leaves no points.
func (m *model) empty() {
	weights := m.Weights
	if weights == nil { // before the first fit
		weights = make([]float64, m.usual())
	}
	m.gp, m.trials, m.variance, m.trends = gp.NewMixture(m.kernels[:len(weights)], weights, m.Noise), nil, nil, nil
	if err := m.gp.SetSites(m.Sites); err != nil {
		panic(err) // they are of a Mixture with these kernels; restore has checked them
	}
	if err := m.gp.SetRelevances(m.Relevances); err != nil {
		panic(err)
	}
}

// usual returns how many kernels are always used.
func (m *model) usual() int { return len(m.kernels) - m.further }

// kinds returns the kernels, without what they compare.
func (m *model) kinds() (all []gp.Kernel) {
	for _, t := range m.kernels {
		all = append(all, t.Kernel)
	}
	return all
}

// forget has the next fit begin anew.
func (m *model) forget() { m.hyperparameters = hyperparameters{} }

// fit fits the model to points, the window of a number of scored strings. Points that follow those of the last fit are
// added to it; hyperparameters and transform are chosen again when a quarter more strings are scored, and once scores
// differ.
//
// Where the scores and their standard errors are such that rounding leaves no covariance, only the order of the scores
// is learnt from.
func (m *model) fit(ctx context.Context, points []point, scored int) error {
	err := m.fitScores(ctx, points, scored)
	if m.fixed != nil || !errors.Is(err, gp.ErrNotPositiveDefinite) && !errors.Is(err, gp.ErrData) {
		return err
	}
	ranks, given := gp.LogRanks, m.given
	m.given = &ranks
	defer func() { m.given = given }()
	m.forget()
	points = slices.Clone(points)
	for i := range points {
		points[i].variance = 0
	}
	return m.fitScores(ctx, points, scored)
}

func (m *model) fitScores(ctx context.Context, points []point, scored int) error {
	points, equal := slices.Clone(points), flat(points)
	m.ids = nil // a copy of the model may have the others
	for _, p := range points {
		m.ids = append(m.ids, p.trial)
	}
	points = m.assume(points)
	xs := make([]string, len(points))
	for i, p := range points {
		xs[i] = p.x
	}
	described := m.reader.read(xs)
	if i := slices.Index(described, nil); i >= 0 {
		_, err := m.reader.read1(xs[i])
		return fmt.Errorf("read %q: %w", xs[i], err)
	}
	for i, features := range m.groups(described) {
		points[i].features, points[i].trend = features, described[i].Trend
		if equal {
			points[i].bound = study.Exact
		}
		points[i].y = min(max(points[i].y, -mostScore), mostScore)
	}
	if m.given == nil && !multiplies(exact(points)) {
		raiseOutliers(points)
	}
	if m.Weights == nil || float64(scored) >= growth*float64(m.Fitted) || m.Flat && !equal {
		h, conditioned, err := m.choose(ctx, points)
		if err != nil {
			return err
		}
		h.Kernels, h.Fitted, h.Flat = m.kinds(), scored, equal
		m.hyperparameters = h
		m.empty()
		if conditioned != nil {
			o := observe(points, m.Transform.Fit(exact(points)), m.Slopes)
			m.gp, m.trials, m.variance = conditioned, o.trials(), o.variance
		}
	}
	m.scale = m.Transform.Fit(exact(points))
	o := observe(points, m.scale, m.Slopes)
	trials := o.trials()
	n := min(len(m.trials), m.gp.Len())
	m.gp.Truncate(n)
	if n > len(trials) || !slices.Equal(m.trials, trials[:n]) || !slices.Equal(m.variance[:n], o.variance[:n]) { // the scale of the scores may have changed
		m.empty()
	}
	mean := math.NaN() // the best
	if m.fixed != nil {
		mean = 0
	}
	m.spread = o.spread()
	m.order, m.trials, m.variance, m.trends = o.order, trials, o.variance[:o.exact], nil
	for _, p := range o.points {
		m.trends = append(m.trends, p.trend)
	}
	if _, _, err := o.condition(ctx, m.gp, mean); err != nil {
		return err
	}
	m.surprise = 1
	if m.fixed == nil {
		m.surprise = m.surprised(o.points[:o.exact])
	}
	return nil
}

// How far predictions of proposals are off is learnt from the latest of them, and from what is expected, as if it had
// been seen in one more batch.
const (
	optimism = 1.8  // errors of proposals are that many times those of random strings
	lessFar  = 0.65 // while there are no proposals, they are so many times those of the best known strings, if that is more
	fewest   = 10   // strings of that batch, and best known strings
	observed = 100  // the latest proposals
)

// surprised returns the factor of the surrogate's deviations, so that nine in ten of proposals lie within two of them:
// by the errors of predictions for the latest proposals among the exact points, each given what was known when its
// batch was proposed. What is proposed is what the surrogate thinks too well of, so that these errors are larger than
// those of random strings, which the hyperparameters are fitted to. Errors in a batch go together, so that one batch
// says little, however large.
func (m *model) surprised(exact []point) float64 {
	var points, known []int
	for k := len(exact) - 1; k >= 0 && len(points) < observed; k-- {
		if exact[k].batch == 0 {
			continue
		}
		before := k
		for before > 0 && exact[before-1].batch >= exact[k].batch {
			before--
		}
		points, known = append(points, k), append(known, before)
	}
	var errors []float64
	mu, sigma2 := m.gp.Before(points, known)
	for i, e := range m.errors(stats.Pick(exact, points), mu) {
		errors = append(errors, e/math.Sqrt(sigma2[i]))
	}
	size := fewest
	if len(points) > 0 {
		size = max(size, points[0]+1-known[0])
	}
	expected := optimism
	if len(points) == 0 {
		expected = m.expected(exact)
	}
	for i := range size {
		errors = append(errors, expected*math.Sqrt2*math.Erfinv((float64(i)+0.5)/float64(size)))
	}
	return most(errors) / 2
}

// most returns what nine in ten of some errors do not exceed.
func most(errors []float64) float64 {
	slices.Sort(errors)
	at := 0.9*float64(len(errors)) - 0.5 // between the middles of two steps
	k := int(at)
	next := min(k+1, len(errors)-1)
	return errors[k] + (at-float64(k))*(errors[next]-errors[k])
}

// expected returns how many times as large as predicted errors of proposals are, before any is known. Where a few good
// strings stand out, the surrogate is about as wrong about the next ones: nine in ten of the errors of the best tenth,
// each left out, tell how wrong.
func (m *model) expected(exact []point) float64 {
	mu, sigma2 := m.gp.LeaveOneOut()
	var errors []float64
	all := m.errors(exact, mu)
	for _, i := range stats.TopK(scores(exact), max(fewest, len(exact)/10)) {
		errors = append(errors, all[i]/math.Sqrt(sigma2[i]))
	}
	if len(errors) == 0 {
		return optimism
	}
	return max(optimism, lessFar*most(errors))
}

// errors returns how far the transformed scores of points are from these predictions without the trend.
func (m *model) errors(points []point, mu []float64) []float64 {
	errors := m.scale.Apply(scores(points))
	for i, p := range points {
		errors[i] = math.Abs(errors[i] - m.trend(p.trend) - mu[i])
	}
	return errors
}

// groups returns the features that the kernels name.
func (m *model) groups(described []*Description) [][]gp.Counts {
	n := named(m.kernels...)
	all := make([][]gp.Counts, len(described))
	for i, d := range described {
		all[i] = d.Groups[:min(n, len(d.Groups))]
	}
	return all
}

// trend returns what a trend adds to the mean.
func (m *model) trend(t []float64) float64 { return along(m.Slopes, t) }

// along returns the value of a trend with these slopes.
func along(slopes, t []float64) (mean float64) {
	for i, slope := range slopes {
		mean += slope * t[i]
	}
	return mean
}

// predict returns the posterior mean and variance at strings, on the transformed scale.
func (m *model) predict(described []*Description) (mu, sigma2 []float64) {
	mu, sigma2 = m.gp.Predict(m.groups(described))
	for i, d := range described {
		mu[i] += m.trend(d.Trend)
	}
	return mu, sigma2
}

// block returns strings that can be conditioned on.
func (m *model) block(described []*Description) *gp.Block {
	b := m.gp.Block(m.groups(described))
	for i, d := range described {
		b.Mean[i] += m.trend(d.Trend)
	}
	return b
}

// assume puts the reference before points, if its score has to be assumed.
func (m *model) assume(points []point) []point {
	const decile, share = 0.9, 1.0 / 3
	m.assumed = m.reference != ""
	if !m.assumed {
		return points
	}
	known := slices.Sorted(slices.Values(exact(points)))
	_, deviation := stat.MeanStdDev(known, nil)
	if len(known) < 2 {
		deviation = 0
	}
	p := point{x: m.reference, y: known[int(decile*float64(len(known)))], variance: share * share * deviation * deviation}
	return append([]point{p}, points...)
}

// atPoints returns the posterior mean and variance at the points that the model was fitted to, without the assumed one.
func (m *model) atPoints() (mu, sigma2 []float64) {
	mu, sigma2 = make([]float64, len(m.order)), make([]float64, len(m.order))
	mean, variance := m.gp.AtPoints()
	for k, i := range m.order {
		mu[i], sigma2[i] = mean[k]+m.trend(m.trends[k]), variance[k]
	}
	if m.assumed {
		return mu[1:], sigma2[1:]
	}
	return mu, sigma2
}

// atTrials returns the posterior mean and variance at trials: at points that the model was fitted to in far less time
// than predict.
func (m *model) atTrials(trials []*study.Trial, described []*Description) (mu, sigma2 []float64) {
	at := map[int]int{}
	for i, id := range m.ids {
		at[id] = i
	}
	mean, variance := m.atPoints()
	mu, sigma2 = make([]float64, len(trials)), make([]float64, len(trials))
	var others []int
	for i, t := range trials {
		if k, ok := at[t.ID]; ok {
			mu[i], sigma2[i] = mean[k], variance[k]
		} else {
			others = append(others, i)
		}
	}
	mean, variance = m.predict(stats.Pick(described, others))
	for k, i := range others {
		mu[i], sigma2[i] = mean[k], variance[k]
	}
	return mu, sigma2
}

// flat reports whether all points have one score.
func flat(points []point) bool {
	return !slices.ContainsFunc(points, func(p point) bool { return p.y != points[0].y })
}

// exact returns the scores that are no bounds, or all scores if those do not differ.
func exact(points []point) []float64 {
	var all, e []float64
	for _, p := range points {
		all = append(all, p.y)
		if p.bound == study.Exact {
			e = append(e, p.y)
		}
	}
	if len(e) > 0 && slices.Min(e) < slices.Max(e) {
		return e
	}
	return all
}

// measurement returns the known variance that a measurement typically has, the median, on the transformed scale; 0 if
// it is not known.
func (m *model) measurement() float64 {
	if len(m.variance) == 0 {
		return 0
	}
	return stats.Median(m.variance)
}

// choose fits the hyperparameters to points, or some of many, on each transform and with each set of kernels, and
// returns those under which scores of the better half are most probable when they are left out. The GP holds all
// points, in their order, or is nil: they are too many, or some are bounds.
func (m *model) choose(ctx context.Context, points []point) (best hyperparameters, conditioned *gp.Mixture, _ error) {
	if m.fixed != nil {
		return hyperparameters{Weights: m.fixed.Weights, Noise: m.fixed.Noise, Transform: m.fixed.Transform}, nil, nil
	}
	total := len(points)
	n := mostFitted
	if slices.ContainsFunc(m.kernels, func(t gp.Term) bool { return t.Sites != nil }) {
		n = mostAtSites
	}
	points = stats.Pick(points, bestAndLatest(scores(points), n))
	measured := exact(points)
	candidates := m.among
	if candidates == nil {
		candidates = []gp.Transform{gp.Standardise, gp.Log}
	}
	if multiplies(measured) {
		candidates = append(slices.Clone(candidates), gp.LogDistance)
	}
	if len(measured) < fewExact || binary(measured) {
		candidates = []gp.Transform{gp.Standardise}
	}
	switch {
	case m.given != nil:
		candidates = []gp.Transform{*m.given}
	case degenerate(measured):
		candidates = []gp.Transform{gp.LogRanks}
	}
	kernels := []int{m.usual()}
	for n := m.usual() + 1; n <= len(m.kernels); n++ {
		if tells(m.kernels[n-1], points) {
			kernels = append(kernels, n)
		}
	}
	few := stats.Pick(points, bestAndLatest(scores(points), n/fewer))
	if len(candidates)*len(kernels) > 1 && len(points) > len(few) && !degenerate(exact(few)) {
		f, err := m.fitOn(ctx, few, candidates, kernels)
		if err != nil {
			return best, nil, err
		}
		candidates, kernels = []gp.Transform{f.Transform}, []int{len(f.Weights)}
	}
	f, err := m.fitOn(ctx, points, candidates, kernels)
	if err != nil {
		return best, nil, err
	}
	if len(points) == total && !slices.ContainsFunc(points, func(p point) bool { return p.bound != study.Exact }) {
		conditioned = f.gp
	}
	return f.hyperparameters, conditioned, nil
}

// tells reports whether a kernel sees a feature of any point.
func tells(t gp.Term, points []point) bool {
	return slices.ContainsFunc(points, func(p point) bool {
		return slices.ContainsFunc(t.Groups, func(group int) bool { return group < len(p.features) && len(p.features[group].IDs) > 0 })
	})
}

// fitted is a fit of hyperparameters.
type fitted struct {
	hyperparameters
	gp      *gp.Mixture
	density float64 // of the better half of the scores when they are left out: how bad the bad ones are does not matter
	whole   float64 // of all exact scores, but for the slope of the transform
	exact   int     // how many these are
	err     error
}

// far is how much greater the logarithm of the density has to be, for each score, for further kernels to be used,
// unless the space says: what more of them explain is often chance, and then the surrogate is certain of what it does
// not know.
const far = 0.02

// fitOn fits hyperparameters to points on each of some transforms with the first so many kernels, and returns the fit
// with the greatest density. Of several numbers of kernels, each further one counts only on the best transform, and if
// its density is far greater.
func (m *model) fitOn(ctx context.Context, points []point, candidates []gp.Transform, kernels []int) (best fitted, _ error) {
	measured := exact(points)
	first := observe(points, candidates[0].Fit(measured), nil) // the others differ in targets and variances alone
	structures, err := gp.NewStructures(m.kernels[:kernels[len(kernels)-1]], first.x, first.trend)
	if err != nil {
		return fitted{}, err
	}
	// What is away from a reference is for the worse on average, however many good strings were measured. Where that
	// has no score, these are all that is known.
	structures.Falling = !m.assumed
	fits := make([]fitted, len(candidates))
	parallel.For(len(candidates), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			fits[i] = m.fitWith(ctx, points, candidates[i], structures, kernels[0])
		}
	})
	best = fits[0]
	for _, f := range fits {
		if f.err != nil {
			return best, f.err
		}
		if f.density > best.density {
			best = f
		}
	}
	for _, n := range kernels[1:] {
		switch f := m.fitWith(ctx, points, best.Transform, structures, n); {
		case errors.Is(f.err, gp.ErrNotPositiveDefinite), errors.Is(f.err, gp.ErrData): // the fit without it is sound
		case f.err != nil:
			return best, f.err
		case f.whole > best.whole+m.far*float64(f.exact):
			best = f
		}
	}
	return best, nil
}

// fitWith fits hyperparameters to points on a transform with the first n kernels, which are of the given structures.
func (m *model) fitWith(ctx context.Context, points []point, on gp.Transform, structures *gp.Structures, n int) (f fitted) {
	scale, middle := on.Fit(exact(points)), stats.Median(scores(points))
	f.Transform = on
	if f.gp, f.Slopes, f.err = observe(points, scale, nil).fit(ctx, m.kernels[:n], structures.First(n)); f.err != nil {
		return f
	}
	f.Weights, f.Noise, f.Sites, f.Relevances = f.gp.Weights(), f.gp.Noise(), f.gp.Sites(), f.gp.Relevances()
	o := observe(points, scale, f.Slopes)
	mu, sigma2 := f.gp.LeaveOneOut()
	f.exact = o.exact
	for k, p := range o.points[:o.exact] {
		d := o.u[k] - mu[k]
		density := -d*d/sigma2[k]/2 - math.Log(sigma2[k])/2
		f.whole += density
		if p.y >= middle {
			f.density += scale.LogSlope(p.y) + density
		}
	}
	return f
}

// scores returns those of points.
func scores(points []point) []float64 {
	y := make([]float64, len(points))
	for i, p := range points {
		y[i] = p.y
	}
	return y
}

// bestAndLatest returns the indices of n values, or of all if there are fewer, ascending: half of them the greatest,
// the others the latest.
func bestAndLatest(y []float64, n int) []int {
	of := stats.TopK(y, n/2)
	in := map[int]bool{}
	for _, i := range of {
		in[i] = true
	}
	for i := len(y) - 1; i >= 0 && len(of) < n; i-- {
		if !in[i] {
			of = append(of, i)
		}
	}
	slices.Sort(of)
	return of
}

// fewExact is how many scores that are no bounds tell one scale from another at least.
const fewExact = 5

// binary reports whether there are at most two different scores: any scale of these is a line.
func binary(y []float64) bool {
	least, most := slices.Min(y), slices.Max(y)
	return !slices.ContainsFunc(y, func(v float64) bool { return v != least && v != most })
}

// multiplies reports whether scores may be positive quantities that are minimized and compared by their ratio, such as
// concentrations: all are below 0, and the smallest is a multiple of the greatest.
func multiplies(y []float64) bool {
	const (
		fewest = 10 // scores that tell more than chance
		ratio  = 4  // below that a logarithm hardly differs from a line
	)
	return len(y) >= fewest && slices.Max(y) < 0 && slices.Min(y) < ratio*slices.Max(y)
}

// degenerate reports whether scores say hardly anything by their size: three quarters of them lie within a millionth of the
// range. Then only their ranks say something.
func degenerate(y []float64) bool {
	s := slices.Sorted(slices.Values(y))
	n := len(s)
	return s[n*3/4]-s[0] <= 1e-6*(s[n-1]-s[0])
}

// Scores are outliers if they lie more than farOut deviations below the median, and then those below nearOut deviations
// are raised to it.
const (
	farOut  = 100
	nearOut = 5
)

// raiseOutliers raises very bad scores, such as those of clashes in docking or a −999 that stands for a failure. How
// bad they are does not matter, and beside them the surrogate would see no difference between the others. The deviation
// is that of the better half of the scores from the median, so that up to half of them may be outliers. A bound from
// below says nothing there, and stays.
func raiseOutliers(points []point) {
	s := slices.Sorted(slices.Values(exact(points)))
	better := s[len(s)/2:]
	median, deviation := better[0], 0.0
	for _, v := range better {
		deviation = math.Hypot(deviation, v-median)
	}
	deviation /= math.Sqrt(float64(len(better)))
	if deviation == 0 || slices.Min(scores(points)) >= median-farOut*deviation {
		return
	}
	for i, p := range points {
		if p.bound != study.Above {
			points[i].y = max(p.y, median-nearOut*deviation)
		}
	}
}
