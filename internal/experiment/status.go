package experiment

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// Status is where an experiment stands, for people.
type Status struct {
	Strings, Measurements, Failed int // strings with a score, their measurements; strings without a score
	Unreadable                    int // strings that were measured, whose value could not be read
	Struck                        int // strings whose measurements were struck
	Withdrawn                     int // proposals that were taken back by WithdrawAll, and never measured
	Partial                       int // strings with further outcomes, whose score is yet to be measured
	Violating                     int // strings with a score that violate a constraint
	Bounded                       int // strings with a score, or another outcome, that is a bound
	Waiting                       []study.Proposal
	Best                          []study.Trial // the best three
	Front                         *study.Front  // nil: there is one objective
	Noise                         []Noise       // of the score, or of each of several objectives, and then of other outcomes that are bounded
	Contradictory                 []Contradiction
	Apart                         []Apart // best values, measured once, that are far from all others
	Failing                       Failing
	Expected                      Expected

	Growth  string   // of the hypervolume, for people; empty: there is none
	Remarks []string // on objectives, for people

	objectives []study.Objective
	pool       []study.Constraint  // that leave out strings of it
	oracle     bool                // scores what waits
	prefix     string              // of the names of trials without one
	noun       string              // what people call a string: compound, or string
	show       func(string) string // what is printed of an input beside its name

	Predictions
	ByObjective []Predictions // of each objective, if there are several
}

// Failing is how many of the latest proposals that came back failed; 0 if they are no majority that matters.
type Failing struct{ Failed, Of int }

// failing returns how many of the latest proposals failed, without those that say nothing of their strings.
func failing(trials []study.Trial) (f Failing) {
	const latest, fewest = 8, 6
	for i := len(trials) - 1; i >= 0 && f.Of < latest; i-- {
		t := &trials[i]
		if t.Kind != study.Acquired || t.State != study.Scored && t.State != study.Failed || t.Struck() {
			continue
		}
		if f.Of++; t.State == study.Failed {
			f.Failed++
		}
	}
	if f.Failed < fewest {
		return Failing{}
	}
	return f
}

// String says what to do about it.
func (f Failing) String() string {
	return fmt.Sprintf("%d of the last %d proposals failed; the search learns which strings fail, but not why: if a property that is measured, such as stability, is behind it, "+
		"begin a study with its column as an objective, or in a constraint", f.Failed, f.Of)
}

// Noise is what strings with several measurements tell of an outcome.
type Noise struct {
	Outcome  string  // empty: the score
	SD       float64 // standard deviation of a measurement; 0 if it is not known
	Given    float64 // likewise, as the user knows it; 0 if it is not
	Repeated int     // strings that were measured more than once, without a standard error
	Few      bool    // the search does not go by SD yet
}

// Contradiction is a trial whose measurements of an outcome contradict each other: see study.Contradictory.
type Contradiction struct {
	study.Trial
	Outcome string // empty: the score
}

// Predictions compares predictions with scores, of proposals that were measured.
type Predictions struct {
	Compared         int
	Ranking          float64 // rank correlation; NaN for fewer than three
	Error            float64 // root mean square
	Within1, Within2 int     // scores within one and two predicted standard deviations
	Bounds, Beyond   int     // bounds, which are not compared otherwise, and how many are further than two of these from the prediction
}

// String describes them in a line.
func (p Predictions) String() string {
	var all []string
	if p.Compared > 0 {
		ranking := ""
		if !math.IsNaN(p.Ranking) {
			ranking = fmt.Sprintf(", rank correlation %.2f", p.Ranking)
		}
		all = append(all, fmt.Sprintf("proposals measured %d: error %s (root mean square)%s; %d within one predicted sd (two thirds expected), %d within two", p.Compared, short(p.Error), ranking, p.Within1, p.Within2))
	}
	if p.Bounds > 0 {
		all = append(all, fmt.Sprintf("bounds %d, beyond two predicted sd %d", p.Bounds, p.Beyond))
	}
	return strings.Join(all, "; ")
}

// pointers goes through trials without a copy of each.
func pointers(trials []study.Trial) iter.Seq[*study.Trial] {
	return func(yield func(*study.Trial) bool) {
		for i := range trials {
			if !yield(&trials[i]) {
				return
			}
		}
	}
}

// Compare compares the predictions of the score or, if j is not 0, of the j-th of several objectives with what was
// measured. Those of an outcome that the program computes, whose SD is 0, are left out.
func Compare(trials iter.Seq[*study.Trial], objectives []study.Objective, j int) Predictions {
	var c comparison
	for t := range trials {
		if p, ok := t.Prediction(objectives, j); ok && p.SD != 0 {
			c.add(p)
		}
	}
	return c.predictions()
}

// comparison gathers predictions and what was measured.
type comparison struct {
	Predictions
	mean, values []float64
	squares      float64
}

func (c *comparison) add(p study.Prediction) {
	if p.Bound != study.Exact {
		if c.Bounds++; float64(p.Bound)*(p.Value-p.Mean) > 2*p.SD {
			c.Beyond++
		}
		return
	}
	off := math.Abs(p.Mean - p.Value)
	c.mean, c.values, c.squares = append(c.mean, p.Mean), append(c.values, p.Value), c.squares+off*off
	c.Compared++
	if off <= p.SD {
		c.Within1++
	}
	if off <= 2*p.SD {
		c.Within2++
	}
}

func (c comparison) predictions() Predictions {
	c.Error, c.Ranking = math.Sqrt(c.squares/float64(c.Compared)), math.NaN()
	if c.Compared > 2 {
		c.Ranking = stats.Spearman(c.mean, c.values)
	}
	return c.Predictions
}

// Status returns where the experiment stands.
func (e *Experiment) Status() Status {
	trials := e.Trials()
	outcomes := e.Spec.Asked()
	s := Status{noun: e.noun(), Front: e.Spec.Front(trials), objectives: e.Spec.Objectives, pool: e.Spec.PoolBounds, oracle: e.HasOracle(), prefix: e.prefix(), show: e.shown, Waiting: e.Pending(), Predictions: Compare(pointers(trials), nil, 0)}
	if s.Front != nil {
		s.Growth = growth(trials, e.Spec.Objectives, e.Spec.Constraints, s.Front.Reference)
		s.Remarks = remarks(trials, e.Spec.Objectives, e.Spec.Constraints)
		for j := range e.Spec.Objectives {
			s.ByObjective = append(s.ByObjective, Compare(pointers(trials), e.Spec.Objectives, j))
		}
	}
	if s.Front == nil {
		s.repeats(trials, "")
		s.Noise[0].Given = e.Spec.Noise
	}
	for _, name := range outcomes {
		s.repeats(trials, name)
	}
	for _, t := range trials {
		switch t.State {
		case study.Scored:
		case study.Partial:
			s.Partial++
			continue
		case study.Failed:
			switch Failure(&t) {
			case table.ExportUnreadable:
				s.Unreadable++
			case table.ExportWithdrawn:
				s.Withdrawn++
			case table.ExportStruck:
				s.Struck++
			default:
				s.Failed++
			}
			continue
		default:
			s.Failed++
			continue
		}
		s.Strings++
		s.Measurements += scored(t)
		if t.Violates(e.Spec.Constraints) != "" {
			s.Violating++
		}
		if t.Bound != study.Exact || slices.ContainsFunc(outcomes, func(name string) bool { return t.OutcomeBound(name) != study.Exact }) {
			s.Bounded++
		}
	}
	ranked := e.Ranked()
	s.Best = ranked[:min(3, len(ranked))]
	if e.Spec.Measured {
		s.Failing = failing(trials)
		s.Apart = apart(pointers(ranked), "", func(t *study.Trial) float64 { return t.Value })
		if s.Front != nil {
			s.Apart = nil
		}
		for _, o := range e.Spec.Objectives {
			if !slices.Contains(e.Spec.Computed, o.Name) {
				s.Apart = append(s.Apart, apart(pointers(trials), o.Name, o.Value)...)
			}
		}
	}
	return s
}

// Failure says in a word of exports why a trial has no score whose state is study.Failed: it failed, or it says nothing
// of its string.
func Failure(t *study.Trial) string {
	switch {
	case t.Unreadable():
		return table.ExportUnreadable
	case t.Struck() && t.Kind == study.Acquired && !t.Revised: // there was nothing to strike
		return table.ExportWithdrawn
	case t.Struck():
		return table.ExportStruck
	}
	return table.ExportFailed
}

// Warnings says what a user should look at before what is proposed next is measured, and what to do about it.
func (e *Experiment) Warnings() (all []string) {
	s := e.Status()
	for _, a := range s.Apart {
		best := name(a.Proposal, s.prefix)
		all = append(all, fmt.Sprintf("the best %s, %s of %s, is far from all others, and was measured once; the search does not believe all of it until it is measured again; if it is a slip: invbo correct %s %s", a.what(), short(a.value()), best, usage.Quoted(e.Place().String()), usage.Quoted(best)))
	}
	if s.Failing.Of > 0 {
		all = append(all, s.Failing.String())
	}
	return all
}

// Apart is a trial with the best value of an outcome, or of the score if Of is empty, which is so far from all others
// that it may be a slip.
type Apart struct {
	study.Trial
	Of string
}

// apart returns the trial, if there is one and it was measured once. Values are such that larger is better.
func apart(trials iter.Seq[*study.Trial], outcome string, value func(*study.Trial) float64) (found []Apart) {
	var values []float64
	var of []*study.Trial
	for t := range trials {
		if v := value(t); !math.IsNaN(v) {
			values, of = append(values, v), append(of, t)
		}
	}
	if at, _, _ := study.Apart(values); at >= 0 && of[at].Times(outcome) == 1 {
		found = append(found, Apart{*of[at], outcome})
	}
	return found
}

func (a Apart) value() float64 {
	if a.Of == "" {
		return a.Score
	}
	return a.Outcome(a.Of)
}

func (a Apart) what() string { return cmp.Or(usage.Shorten(a.Of, longestName), "score") }

// repeats adds what replicates tell of a further outcome, or of the score if outcome is empty.
func (s *Status) repeats(trials []study.Trial, outcome string) {
	wild := study.Contradictory(trials, outcome)
	variance, df := study.PooledVariance(trials, wild, outcome)
	n := Noise{Outcome: outcome, SD: math.Sqrt(variance), Few: df < evolve.LeastReplicates}
	for _, t := range trials {
		if wild[t.ID] {
			s.Contradictory = append(s.Contradictory, Contradiction{t, outcome})
		} else if _, df := t.Spread(outcome); df > 0 {
			n.Repeated++
		}
	}
	s.Noise = append(s.Noise, n)
}

// of says which outcome something is of; empty for the score.
func of(outcome string) string {
	if outcome == "" {
		return ""
	}
	return " of " + usage.Shorten(outcome, longestName)
}

// MostOnFront is how many strings of a front are listed.
const MostOnFront = 20

// mostWaiting is how many proposals that wait are named.
const mostWaiting = 20

// mostContradictory is how many strings whose measurements contradict each other are listed.
const mostContradictory = 5

// measured lists the numbers that contradict each other.
func (c Contradiction) measured() string {
	var all []string
	for _, m := range c.Measurements {
		if v, bound := m.Value(c.Outcome); !math.IsNaN(v) {
			all = append(all, bound.String()+short(v))
		}
	}
	return strings.Join(all, ", ")
}

// shown returns an input as people know it: the mutations of a variant of the wild type, with the sequence if that is
// short, or else the input.
func (e *Experiment) shown(input string) string {
	const short = 30
	mutant := e.Mutant(input)
	if mutant != "" && len(input) > short {
		return mutant
	}
	return strings.TrimSpace(mutant + "  " + input)
}

// called returns the name of a trial and what it is.
func (s Status) called(t study.Trial) string {
	name, shown := name(t.Proposal, s.prefix), s.show(t.Input)
	if mutant, _, _ := strings.Cut(shown, " "); mutant == name {
		return shown
	}
	return name + "  " + shown
}

// Expected is the string with the best expected score, with that score; its ID is 0 if that is not known.
type Expected struct {
	study.Trial
	Mean, SD float64
}

// Expect returns the string with the best expected score if anything is known of the noise, which takes a search's
// time; otherwise the string with the best score is the best. Of several objectives no string is.
func (e *Experiment) Expect(ctx context.Context) (Expected, error) {
	if len(e.Spec.Objectives) > 1 || !study.Noisy(e.Trials()) {
		return Expected{}, nil
	}
	t, mean, sd, err := e.BestExpected(ctx)
	return Expected{t, mean, sd}, err
}

// String describes it in a few lines.
func (s Status) String() string {
	var l lines
	s.count(&l)
	if s.Failing.Of > 0 {
		l.add("Failing", "%v", s.Failing)
	}
	if s.Front != nil {
		l.WriteString(FrontText(s.Front, s.objectives, MostOnFront, s.called))
	}
	if s.Growth != "" {
		l.add("Proposals", "hypervolume %s", s.Growth)
	}
	for _, remark := range s.Remarks {
		l.add("Objectives", "%s", remark)
	}
	if s.Front == nil {
		s.rank(&l)
	}
	s.judgeNoise(&l)
	if e := s.Expected; e.ID > 0 {
		l.add("Expected", "%s is the best expected score, as scores are noisy: %s", within(e.Mean, e.SD), s.called(e.Trial))
	}
	for _, a := range s.Apart {
		l.add("Apart", "the best %s, %s, is far from all others, and was measured once: measure it again; until then the search does not believe all of it", a.what(), s.called(a.Trial))
	}
	if s.Front == nil && s.Compared+s.Bounds > 0 {
		l.add("Predictions", "%v", s.Predictions)
	}
	for j, p := range s.ByObjective {
		if p.Compared+p.Bounds > 0 {
			l.add("Predictions", "of %s, %v", s.objectives[j].Name, p)
		}
	}
	s.wait(&l)
	return l.String()
}

// lines are those of a Status, each of what it is about and a text.
type lines struct{ strings.Builder }

func (l *lines) add(about, format string, args ...any) {
	fmt.Fprintf(l, "%-11s %s\n", about, usage.Visible(fmt.Sprintf(format, args...))) // a string may have line breaks
}

// noun returns what people call a string of the experiment.
func (e *Experiment) noun() string {
	if e.Molecules() {
		return "compound"
	}
	return "string"
}

// count adds how many strings there are of each kind.
func (s Status) count(l *lines) {
	l.add("Measured", "%ss with a score %d, measurements %d, failed %d", s.noun, s.Strings, s.Measurements, s.Failed)
	for _, kind := range []struct {
		n                 int
		about, what, text string
	}{
		{s.Unreadable, "Unreadable", s.noun + "s", "with an unreadable value, which are not proposed; a value may still be told"},
		{s.Struck, "Struck", s.noun + "s", "whose measurements were struck, which are not proposed again; a score may still be told"},
		{s.Withdrawn, "Withdrawn", "proposals", "that were taken back and never measured, which are not proposed again; a score may still be told"},
		{s.Partial, "In part", s.noun + "s", "with other outcomes whose score is yet to be measured"},
		{s.Bounded, "Bounds", s.noun + "s", "with a bound instead of a value"},
		{s.Violating, "Constraints", s.noun + "s", "with a score that violate one, or lack an outcome"},
	} {
		if kind.n > 0 {
			l.add(kind.about, "%s %s: %d", kind.what, kind.text, kind.n)
		}
	}
	for _, c := range s.pool {
		l.add("Pool", "only %ss with %v are proposed, as the columns of the pool say", s.noun, c)
	}
}

// rank adds the best strings.
func (s Status) rank(l *lines) {
	for i, t := range s.Best {
		place, mean := "Best", ""
		if i > 0 {
			place = fmt.Sprintf("%d.", i+1)
		}
		if n := t.Times(""); n > 1 {
			mean = fmt.Sprintf(" (mean of %d)", n)
		}
		l.add(place, "%s%s%s  %s", t.Bound, short(t.Score), mean, s.called(t))
	}
}

// judgeNoise adds what replicates tell, and which of them contradict each other.
func (s Status) judgeNoise(l *lines) {
	for i, n := range s.Noise {
		switch {
		case n.SD > 0:
			few := ""
			if n.Few {
				few = ", too few for predictions to go by it"
			}
			l.add("Noise", "%s is the standard deviation of a measurement%s (%ss measured more than once: %d%s)", short(n.SD), of(n.Outcome), s.noun, n.Repeated, few)
		case n.Given > 0:
			l.add("Noise", "%s, as given, is the standard deviation of a measurement%s", short(n.Given), of(n.Outcome))
		case n.Repeated > 0 && n.Outcome != "": // one that was measured once stands beside each replicate of the score
			l.add("Noise", "not known for %s, whose measurements of the same %s are equal, as copies of one are (%[2]ss: %[3]d)", usage.Shorten(n.Outcome, longestName), s.noun, n.Repeated)
		case n.Repeated > 0:
			l.add("Noise", "0: measurements%s of the same %s are equal (%[2]ss measured more than once: %[3]d)", of(n.Outcome), s.noun, n.Repeated)
		case i == 0 && !slices.ContainsFunc(s.Noise, func(n Noise) bool { return n.Repeated > 0 }):
			l.add("Noise", "not known: no %s was measured more than once without a standard error", s.noun)
		}
	}
	for i, c := range s.Contradictory {
		if i == mostContradictory {
			l.add("", "and %d more", len(s.Contradictory)-mostContradictory)
			break
		}
		l.add("Contradicts", "the measurements%s of %s contradict each other, and teach the search nothing until one is corrected or struck: %s", of(c.Outcome), name(c.Proposal, s.prefix), c.measured())
	}
}

// wait adds the strings that wait for a measurement.
func (s Status) wait(l *lines) {
	n := len(s.Waiting)
	if n == 0 {
		return
	}
	var names []string
	for _, p := range s.Waiting[:min(n, mostWaiting)] {
		names = append(names, name(p, s.prefix))
	}
	more, what := "", "a measurement"
	if n > mostWaiting {
		more = fmt.Sprintf(" and %d more", n-mostWaiting)
	}
	if s.oracle {
		what = "the oracle, which has not answered yet"
	}
	l.add("Waiting", "%d for %s: %s%s", n, what, strings.Join(names, ", "), more)
}
